"""Shapes and dtypes of operators: the kernel run on torch's meta device, plus rules for what callers left unknown.

A shape is a tuple in which a dimension may be UNKNOWN; None is a shape of which nothing is known. Users and files write
0 and () for these, or -1 and None in np-shape mode: ``read_shape`` and ``format_shape`` convert. Rules are attached to
the OpDef where the operator is defined: ``infer_args`` fills in inputs from other inputs (a weight from the data),
``infer_back`` inputs from outputs, ``infer_dtype`` types; elementwise families share theirs.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import torch

from .._core.dtypes import NAME_OF
from ..base import numpy_mode
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from .calling import arrange, input_names, supply_arguments
from .explain import explain_call
from .messages import display_name
from .registry import OpDef
from .types import Attrs, Dtypes, Shape, Shapes

# Stand-ins for unknown dimensions. Output dimensions that differ between the two runs depend on an unknown one.
_STAND_INS = (96, 192)
#: How many of the first inputs MXNet must know wholly before it says anything of the others and of the result.
_FIRST_KNOWN = {
    **dict.fromkeys(
        """
        Flatten LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput _np_squeeze argmax argmin max min
        norm one_hot squeeze tile where
        """.split(),
        1,
    ),
    "gather_nd": 2,
}


class _Unknown(int):
    """A dimension that is not known yet; what is computed from it is not known either."""

    def _unknown(self, *other: Any) -> _Unknown:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _unknown  # type: ignore[assignment]
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = _unknown  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "?"


UNKNOWN = _Unknown(-1)


def read_shape(shape: Any) -> Shape | None:
    """A shape as users and files write it."""
    if isinstance(shape, int | str):
        raise MXNetTypeError(f"a shape is a tuple of integers, such as (2, 3), got {shape!r}")
    if shape is None or (not len(shape) and not numpy_mode.shape):
        return None
    unknown = -1 if numpy_mode.shape else 0
    return tuple(UNKNOWN if d == unknown else d for d in map(operator.index, shape))


def format_shape(shape: Shape | None) -> Shape | None:
    """A shape as users read it."""
    unknown = -1 if numpy_mode.shape else 0
    if shape is None:
        return None if numpy_mode.shape else ()
    return tuple(unknown if d == UNKNOWN else d for d in shape)


def is_known(shape: Shape | None) -> bool:
    """Is every dimension of this shape known?"""
    return shape is not None and UNKNOWN not in shape


def unify(a: Shape | None, b: Shape | None, what: str) -> Shape | None:
    """What two views of one shape tell together; an error names ``what`` if they contradict each other."""
    if a is None or b is None:
        return a if b is None else b
    if len(a) != len(b) or any(x != y and UNKNOWN not in (x, y) for x, y in zip(a, b, strict=False)):
        raise MXNetValueError(f"{what}: shape {tuple(a)} does not agree with {tuple(b)}")
    return tuple(y if x == UNKNOWN else x for x, y in zip(a, b, strict=True))


def same_shapes(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    """The ``infer_back`` rule of elementwise operators: all inputs and outputs have one shape."""
    shape: Shape | None = None
    for name, known in [*shapes.items(), *(("output", s) for s in outputs)]:
        shape = unify(shape, known, name)
    for name in shapes:
        shapes[name] = shape


def infer_shapes(
    op: OpDef,
    shapes: Sequence[Shape | None],
    attrs: Attrs,
    outputs: Sequence[Shape | None] | None = None,
    dtypes: Sequence[torch.dtype | None] | None = None,
    extra: Attrs | None = None,
) -> tuple[list[Shape | None], list[Shape | None]]:
    """Completes the shapes of an operator's inputs and outputs as far as they can be told."""
    count = op.num_outputs(attrs)
    wanted: list[Shape | None] = list(outputs) if outputs is not None else [None] * count
    if not all(is_known(s) for s in shapes[: _FIRST_KNOWN.get(op.name, 0)]):
        return list(shapes), wanted
    names = input_names(op, len(shapes), attrs)
    known: Shapes = dict(zip(names, shapes, strict=True))
    full = op.with_defaults(attrs)
    if "args" in op.rules:
        given = dict(known)
        try:
            op.rules["args"](known, full)
        except (ValueError, IndexError, TypeError, ArithmeticError) as error:
            if isinstance(error, MXNetError):
                raise
            raise MXNetValueError(f"{display_name(op.name)}: {error}. Given: {given}") from error
        for name, shape in given.items():
            if shape is not None:
                known[name] = unify(known[name], shape, f"{display_name(op.name)}: input {name!r}")
    if "back" in op.rules:
        op.rules["back"](known, wanted, full)
    found = _output_shapes(op, [known[n] for n in names], attrs, full, dtypes, count, extra)
    result = [
        unify(f, w, f"{display_name(op.name)}: output {i}") for i, (f, w) in enumerate(zip(found, wanted, strict=True))
    ]
    return [known[n] for n in names], result


def _output_shapes(
    op: OpDef,
    shapes: list[Shape | None],
    attrs: Attrs,
    full: Attrs,
    dtypes: Sequence[torch.dtype | None] | None,
    count: int,
    extra: Attrs | None,
) -> list[Shape | None]:
    if any(s is None for s in shapes):
        return [None] * count
    complete: list[Shape] = [s for s in shapes if s is not None]
    if op.rules.get("back") is same_shapes and "shape" not in op.rules:
        return [complete[0]] * count  # elementwise: no need to run it
    if "shape" in op.rules:
        named = dict(zip(input_names(op, len(shapes), attrs), complete, strict=True))
        try:
            return list(op.rules["shape"](named, full))
        except (ValueError, IndexError, TypeError, ArithmeticError) as error:
            if isinstance(error, MXNetError):
                raise
            raise MXNetValueError(f"{display_name(op.name)}: {error}. Given: {named}") from error
    if all(is_known(s) for s in complete):
        return [tuple(t.shape) for t in run_on_meta(op, complete, attrs, dtypes, extra)]
    runs = []
    for stand_in in _STAND_INS:
        try:
            filled = _fill_unknown(op, complete, stand_in, attrs, full)
            runs.append([tuple(t.shape) for t in run_on_meta(op, filled, attrs, dtypes, extra)])
        except MXNetError:  # the stand-in does not fit this operator, so nothing can be told yet
            return [None] * count
    return [
        tuple(x if x == y else UNKNOWN for x, y in zip(a, b, strict=True)) if len(a) == len(b) else None
        for a, b in zip(*runs, strict=True)
    ]


def _fill_unknown(op: OpDef, shapes: Sequence[Shape], stand_in: int, attrs: Attrs, full: Attrs) -> list[Shape]:
    """Shapes with a stand-in for what is unknown; of the later inputs, what their rule makes of the first (groups)."""
    filled = [tuple(stand_in if d == UNKNOWN else d for d in s) for s in shapes]
    if "args" not in op.rules or all(is_known(s) for s in shapes[1:]):
        return filled
    names = input_names(op, len(shapes), attrs)
    guess = {
        n: f if i == 0 or is_known(s) else None for i, (n, f, s) in enumerate(zip(names, filled, shapes, strict=True))
    }
    try:
        op.rules["args"](guess, full)
    except (ValueError, IndexError, TypeError) as error:
        raise MXNetValueError(f"{display_name(op.name)}: {error}") from error
    return [g if g is not None and is_known(g) else f for g, f in zip(guess.values(), filled, strict=True)]


def run_on_meta(
    op: OpDef,
    shapes: Sequence[Shape],
    attrs: Attrs,
    dtypes: Sequence[torch.dtype | None] | None = None,
    extra: Attrs | None = None,
) -> list[torch.Tensor]:
    """Runs the kernel without data; the results have the shapes and dtypes of real ones.

    ``extra`` are arguments that the caller of a kernel supplies, such as ``_subgraphs``.
    """
    kinds = [d or torch.float32 for d in dtypes] if dtypes is not None else [torch.float32] * len(shapes)
    inputs = [torch.empty(shape, dtype=kind, device="meta") for shape, kind in zip(shapes, kinds, strict=True)]
    tensors = arrange(op, inputs, attrs)
    call = {**attrs, **supply_arguments(op, {"_train": False, "_device": torch.device("meta"), **(extra or {})})}
    try:
        with torch.no_grad():
            result = op.kernel(*tensors, **call)
    except MXNetError:
        raise
    except (RuntimeError, TypeError, ValueError, IndexError, ArithmeticError) as error:
        raise explain_call(op, tensors, attrs, error) from error
    return [result] if isinstance(result, torch.Tensor) else list(result)


def infer_dtypes(
    op: OpDef,
    dtypes: Sequence[torch.dtype | None],
    attrs: Attrs,
    outputs: Sequence[torch.dtype | None] = (),
) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
    """Completes the dtypes of inputs and outputs. Without a rule of the operator's own, all of them are the same."""
    names = input_names(op, len(dtypes), attrs)
    known: Dtypes = dict(zip(names, dtypes, strict=True))
    full = op.with_defaults(attrs)
    if "dtype" in op.rules:
        found = list(op.rules["dtype"](known, full))
        return [known[n] for n in names], found
    common = None
    for name, dtype in known.items():
        if dtype is not None and common is not None and dtype is not common:
            raise MXNetTypeError(
                f"{display_name(op.name)}: input {name!r} is {NAME_OF[dtype]}, but an input before "
                f"it is {NAME_OF[common]}"
            )
        common = common or dtype
    if common is None:
        common = next((d for d in outputs if d is not None), None)
    count = op.num_outputs(attrs)
    return [d or common for d in dtypes], [common] * count
