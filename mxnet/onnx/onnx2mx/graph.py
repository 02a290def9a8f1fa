"""The graph that is being imported: values that are symbols or constants, and the operators applied to them.

Open dimensions (a batch of any size) have two trial sizes. Every value has a tensor for each trial: without data for
what is computed when the model runs, real for constants, shapes among them. So shapes can be computed with, and what
differs between the trials depends on a dynamic dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import torch

from ...error import MXNetError, MXNetNotImplementedError, MXNetValueError
from ...graph.node import Node
from ...name import NameManager
from ...ops.calling import arrange, supply_arguments
from ...ops.explain import explain_call
from ...ops.infer import infer_dtypes, infer_shapes, run_on_meta, same_shapes
from ...ops.registry import get
from ...symbol.symbol import Symbol, compose, var
from .read import LARGEST, LARGEST_RUNNING, Folder

Shape = tuple[int, ...]
_Sizes = list[list[int]]  # of dimensions, in each trial
#: Automatic names begin with the name of the function that the original calls, where that is not the operator's.
_HINTS = {"SliceChannel": "split", "_copy": "identity", "_mul_scalar": "_mulscalar"}


@dataclass(eq=False)
class Value:
    """One value of an ONNX graph. ``symbol`` is None for constants that were not needed as an input yet."""

    name: str
    trials: list[torch.Tensor]
    symbol: Symbol | None = None
    constant: bool = False
    #: ONNX has no dimensions here; MXNet has one of size 1.
    scalar: bool = False
    #: ONNX has truths here; MXNet has 1 and 0 as float32.
    truth: bool = False
    #: Of a constant that depends on dynamic dimensions: how it is computed when the model runs.
    recipe: Callable[[], Symbol] | None = None

    @property
    def dtype(self) -> torch.dtype:
        """The dtype that it has in MXNet."""
        return self.trials[0].dtype

    @property
    def shapes(self) -> list[Shape]:
        """The shape that it has in ONNX, in each trial."""
        return [() if self.scalar else tuple(t.shape) for t in self.trials]

    @property
    def shape(self) -> Shape:
        """The shape in the first trial."""
        return self.shapes[0]

    @property
    def ndim(self) -> int:
        """The number of dimensions in ONNX."""
        return 0 if self.scalar else self.trials[0].dim()

    @property
    def has_fixed_shape(self) -> bool:
        """Is its shape the same in all trials?"""
        return all(s == self.shape for s in self.shapes)

    @property
    def differs(self) -> bool:
        """Is a constant another one in another trial?"""
        first = self.trials[0]
        return any(t.shape != first.shape or not torch.equal(t, first) for t in self.trials[1:])

    def number(self) -> float | int | None:
        """The number of a constant that has only one, the same in all trials; None for anything else."""
        if not self.constant or any(t.numel() != 1 for t in self.trials):
            return None
        found = [t.reshape(-1)[0].item() for t in self.trials]
        return found[0] if all(f == found[0] or f != f for f in found) else None


@dataclass(eq=False)
class ValueList:
    """A sequence of tensors."""

    values: list[Value]


@dataclass(eq=False)
class OnnxNode:
    """What a converter is given: the node's operator, attributes and inputs."""

    op: str
    name: str
    attrs: dict[str, Any]
    inputs: list[Value | None]
    outputs: list[str]
    opset: int

    def get(self, key: str, default: Any = None) -> Any:
        """An attribute."""
        return self.attrs.get(key, default)

    @property
    def x(self) -> Value:
        """The first input."""
        return self.need(0)

    def need(self, index: int) -> Value:
        """An input that must be there."""
        found = self.optional(index)
        if found is None:
            raise MXNetValueError(f"input {index} is missing")
        return found

    def optional(self, index: int) -> Value | None:
        """An input that may be left out."""
        return self.inputs[index] if index < len(self.inputs) else None


Converter = Callable[["Builder", OnnxNode], Any]
_CONVERTERS: dict[str, Converter] = {}


def importer(*names: str) -> Callable[[Converter], Converter]:
    """Registers the converter of ONNX operators."""

    def register(function: Converter) -> Converter:
        for name in names:
            if name in _CONVERTERS:
                raise MXNetValueError(f"{name} has a converter already")
            _CONVERTERS[name] = function
        return function

    return register


def importer_of(name: str) -> Converter | None:
    """The converter of an ONNX operator, if there is one."""
    return _CONVERTERS.get(name)


def imported_operators() -> list[str]:
    """The ONNX operators that can be imported."""
    return sorted(_CONVERTERS)


@dataclass(eq=False)
class Builder:
    """Applies MXNet operators to values, and keeps the parameters."""

    trials: int
    params: dict[str, torch.Tensor] = field(default_factory=dict)
    hint: str = "node"
    folder: Folder = field(default_factory=Folder)
    opset: int = 17
    #: Runs a subgraph: set by the model that is being read.
    subgraph: Any = None
    #: The values whose dynamic dimensions are known when the model runs: its inputs, and values of computed length.
    sources: list[Value] = field(default_factory=list)
    #: Nodes of the graph that have no name yet, with what an automatic one begins with.
    _unnamed: list[tuple[Node, str]] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)
    _sizes: dict[Any, int] = field(default_factory=dict)
    _counts: set[tuple[int, ...]] = field(default_factory=set)

    def fresh(self, hint: str) -> str:
        """A name that nothing has yet."""
        name, number = hint, 0
        while name in self._taken:
            number += 1
            name = f"{hint}_{number}"
        self._taken.add(name)
        return name

    def compose(self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], hint: str | None = None) -> Symbol:
        """Applies an operator to symbols; the new node is named by ``name_nodes``."""
        made = compose(op, inputs, attrs, name=self.hint)
        self._unnamed.append((made._outputs[0].node, hint or _HINTS.get(op.name, op.name.lower())))
        return made

    def name_nodes(self, head: Symbol | None = None, name: str | None = None) -> None:
        """Names the nodes made since the last call: the head as given, the others automatically (``relu0``)."""
        last = head._outputs[0].node if head is not None else None
        for node, hint in self._unnamed:
            node.rename(NameManager.current.get(name if node is last else None, hint))
        self._unnamed.clear()

    def skip_name(self, hint: str) -> None:
        """Uses up an automatic name: of a node that the original makes here, and that does nothing."""
        NameManager.current.get(None, hint)

    def open_size(self, key: Any, trial: int) -> int:
        """What a dynamic dimension is in a trial: 2 and 4 for the first one, others have numbers of their own."""
        number = self._sizes.setdefault(key, 8 * (2 + len(self._sizes)) if self._sizes else 2)
        return number * (trial + 1)

    # ---- constants -------------------------------------------------------------------------------------------------

    def const(self, tensor: Any, dtype: torch.dtype | None = None, name: str | None = None) -> Value:
        """A constant; one without dimensions has one of size 1 in MXNet, truths are 1 and 0."""
        tensor = tensor if isinstance(tensor, torch.Tensor) else torch.tensor(tensor, dtype=dtype)
        return self.consts([tensor] * self.trials, name)

    def consts(self, tensors: Sequence[torch.Tensor], name: str | None = None) -> Value:
        """A constant that may be another one in each trial."""
        scalar, truth = not tensors[0].dim(), tensors[0].dtype is torch.bool
        kept = [t.reshape(1) if scalar else t for t in tensors]
        kept = [t.to(torch.float32) for t in kept] if truth else kept
        return Value(name or self.hint, kept, None, True, scalar, truth)

    def ints(self, value: Value, what: str) -> list[int]:
        """The whole numbers of a constant that does not depend on dynamic dimensions."""
        found = self.int_trials(value, what)
        if any(f != found[0] for f in found):
            raise MXNetNotImplementedError(f"{what} depends on dynamic dimensions: import it with input_shapes=")
        return found[0]

    def int_trials(self, value: Value, what: str) -> list[list[int]]:
        """The same for each trial."""
        if not value.constant:
            raise MXNetNotImplementedError(f"{what} is only known when the model runs")
        return [[int(v) for v in t.reshape(-1).tolist()] for t in value.trials]

    def symbol(self, value: Value) -> Symbol:
        """The symbol of a value; a constant becomes a parameter."""
        if value.symbol is not None:
            return value.symbol
        first = value.trials[0]
        if value.differs:
            try:
                value.symbol = self._tile_constant(value)
            except MXNetNotImplementedError:
                if value.recipe is None:
                    raise
                value.symbol = value.recipe()
            return value.symbol
        name = self.fresh(value.name)
        self.params[name] = first
        value.symbol = var(name, shape=tuple(first.shape), dtype=first.dtype)
        return value.symbol

    def _tile_constant(self, value: Value) -> Symbol:
        """The symbol of a constant that is repeated, or goes on by equal steps, along dynamic dimensions of sources."""
        problem = MXNetNotImplementedError(
            f"{value.name!r} depends on dynamic dimensions in a way that needs fixed ones: use input_shapes="
        )
        ndim = value.trials[0].dim()
        if any(t.dim() != ndim or not t.numel() for t in value.trials):
            raise problem
        axes = [i for i in range(ndim) if len({t.shape[i] for t in value.trials}) > 1]
        corners, steps = value.trials, []
        for axis in axes:
            steps.append([t.narrow(axis, 1, 1) - t.narrow(axis, 0, 1) for t in corners])
            corners = [t.narrow(axis, 0, 1) for t in corners]
            steps = [[s.narrow(axis, 0, 1) for s in row] if row[0].shape[axis] > 1 else row for row in steps]
        for i, t in enumerate(value.trials):
            found = corners[i]
            for axis, row in zip(axes, steps, strict=True):
                found = found + row[i] * _along(torch.arange(t.shape[axis], dtype=t.dtype), axis, ndim)
            same = torch.equal(corners[i], corners[0]) and all(torch.equal(row[i], row[0]) for row in steps)
            if not axes or not same or not torch.equal(found, t):
                raise problem
        made = Value(value.name, [c.contiguous() for c in corners], None, True)
        for axis, row in zip(axes, steps, strict=True):
            zeros = self.zeros_of([t.shape[axis] for t in value.trials], value.dtype)
            if zeros is None:
                raise problem
            column = (*[1] * axis, -1, *[1] * (ndim - axis - 1))
            if bool((row[0] != 0).any()):
                numbers = self.call("_contrib_arange_like", zeros, axis=0)
                step = Value(value.name, [r.contiguous() for r in row], None, True)
                line = self.call("broadcast_mul", self.call("Reshape", numbers, shape=column), step)
            else:
                line = self.call("Reshape", zeros, shape=column)
            made = self.call("broadcast_add", made, line)
        assert made.symbol is not None
        return made.symbol

    def zeros_of(self, sizes: Sequence[int], dtype: torch.dtype) -> Value | None:
        """A vector of zeros as long as a dimension of a source that has these sizes in the trials."""
        for source in self.sources:
            for axis in range(source.ndim):
                if [s[axis] for s in source.shapes] == list(sizes):
                    line = source
                    for other in range(source.ndim):
                        if other != axis:
                            line = self.slice(line, other, 0, 1)
                    flat = self.call("Reshape", line, shape=(-1,))
                    return self.cast(self.call("zeros_like", flat), dtype)
        return None

    # ---- operators -------------------------------------------------------------------------------------------------

    def call(
        self,
        op_name: str,
        *values: Value,
        truth: bool = False,
        bare: bool | None = None,
        hint: str | None = None,
        **attrs: Any,
    ) -> Any:
        """Applies an MXNet operator: to constants at once, else as a new symbol. A value, or a list of them.

        ``bare`` says whether the results have no dimensions in ONNX; by default, if the inputs have none. ``hint`` is
        what an automatic name begins with.
        """
        op = get(op_name)
        if op.count is not None:
            attrs[op.count] = len(values)
        parsed = op.parse(attrs)
        trials = [[v.trials[i] for v in values] for i in range(self.trials)]
        results = [_without_data(op, tensors, parsed) for tensors in trials]
        largest = max(sum(prod(t.shape) for t in found) for found in results)
        if largest > LARGEST_RUNNING:
            raise MXNetValueError(f"{op_name} would make an array of {largest} elements")
        # larger constants are computed when the model runs
        constant = all(v.constant for v in values) and "_rng" not in op.supplied and largest <= LARGEST
        if constant:
            results = [_compute(op, tensors, parsed) for tensors in trials]
        count = op.num_outputs(parsed)
        if bare is None:
            bare = bool(values) and all(v.scalar for v in values) and all(t.shape == (1,) for r in results for t in r)
        name = self.fresh(self.hint)

        def compose_call() -> Symbol:
            inputs = arrange(op, [self.symbol(value) for value in values], parsed)
            if op.variadic is None:
                inputs += [None] * (len(op.inputs) - len(inputs))
            return self.compose(op, inputs, attrs, hint)

        made = None if constant else compose_call()
        out = [
            Value(name, [r[i] for r in results], made[i] if made is not None else None, constant, bare, truth)
            for i in range(count)
        ]
        if constant and self.trials > 1:
            for i, value in enumerate(out):
                value.recipe = lambda i=i: compose_call()[i]
        return out[0] if count == 1 else out

    def select_rows(self, rows: Value, mask: Value) -> Value:
        """The rows where a vector is not 0. How many is only known when the model runs: a dynamic dimension more."""
        if rows.constant and mask.constant:
            made = [t[m != 0] for t, m in zip(rows.trials, mask.trials, strict=True)]
            return Value(self.hint, made, None, True, False, rows.truth)
        name = self.fresh(self.hint)
        sizes = self._fewer(name, [len(t) for t in rows.trials])
        metas = [
            torch.empty((size, *t.shape[1:]), dtype=t.dtype, device="meta")
            for size, t in zip(sizes, rows.trials, strict=True)
        ]
        symbol = self.compose(get("_contrib_boolean_mask"), [self.symbol(rows), self.symbol(mask)], {})
        found = Value(name, metas, symbol, False, False, rows.truth)
        self.sources.append(found)
        return found

    def _fewer(self, name: str, rows: list[int]) -> list[int]:
        """Sizes for the trials that are less than others, and that nothing else has."""
        for less in range(1, min(rows) - 2):
            sizes = tuple(count - less - i for i, count in enumerate(rows))
            if min(sizes) > 1 and len(set(sizes)) > 1 and sizes not in self._counts:
                self._counts.add(sizes)
                return list(sizes)
        return [self.open_size(name, i) for i in range(self.trials)]

    # ---- what many converters need -----------------------------------------------------------------------------------

    def cast(self, value: Value, dtype: torch.dtype) -> Value:
        """The value in another dtype."""
        if value.dtype is dtype:
            return value
        return self.call("Cast", value, dtype=dtype)

    def truth(self, value: Value) -> Value:
        """What a condition gave, as 1 and 0 in float32."""
        return replace(self.cast(value, torch.float32), truth=True)

    def running_call(self, op_name: str, value: Value, **attrs: Any) -> Value:
        """Applies an operator when the model runs, also to a constant, which stays a parameter."""
        return self.call(op_name, self.running(value) if value.constant else value, **attrs)

    def running(self, value: Value) -> Value:
        """A constant as something that is computed when the model runs."""
        metas = [t.to("meta") for t in value.trials]
        return Value(value.name, metas, self.symbol(value), False, value.scalar, value.truth)

    def reshape(self, value: Value, targets: Sequence[Sequence[int]]) -> Value:
        """Another shape, given for each trial; what differs between trials is a dimension kept or inferred."""
        if all(tuple(t) == s for t, s in zip(targets, value.shapes, strict=True)):
            return value
        if value.constant:
            made = [t.reshape(tuple(target) or (1,)) for t, target in zip(value.trials, targets, strict=True)]
            found = Value(value.name, made, None, True, not targets[0], value.truth)
            found.recipe = lambda: self.symbol(self.reshape(self.running(value), targets))
            return found
        code: list[int] = []
        for i, sizes in enumerate(zip(*targets, strict=True)):
            before = [s[i] if i < len(s) else None for s in value.shapes]
            if list(sizes) == before:  # kept: for batches of other sizes, too
                code.append(0)
            elif all(s == sizes[0] for s in sizes) and sizes[0] != 0:
                code.append(sizes[0])
            elif -1 not in code and all(s != 0 for s in sizes):
                code.append(-1)
            else:
                return self._regroup_dimensions(value, targets)
        if not code:
            made = self.call("Reshape", value, shape=(1,), truth=value.truth)
            made.scalar = True
            return made
        return self.call("Reshape", value, shape=tuple(code), truth=value.truth, bare=False)

    def _regroup_dimensions(self, value: Value, targets: Sequence[Sequence[int]]) -> Value:
        """Another shape by joining neighboring dimensions, then by splitting them."""
        problem = MXNetNotImplementedError(
            f"a shape that depends on dynamic dimensions ({tuple(targets[0])}): import it with input_shapes="
        )
        before, after = ([list(sizes) for sizes in zip(*rows, strict=True)] for rows in (value.shapes, targets))
        groups = _groups(before, after)
        if groups is None:
            raise problem
        joined = [len(old) for old, _ in groups]
        while any(count > 1 for count in joined):
            code = [c for count in joined for c in ((-3, *[0] * (count - 2)) if count > 1 else (0,))]
            value = self.call("Reshape", value, shape=tuple(code), truth=value.truth, bare=False)
            joined = [max(count - 1, 1) for count in joined]
        waiting = [list(new) for _, new in groups]
        done = [0] * len(groups)
        for i in reversed(range(len(groups))):  # from the end, so that the places of those before stay
            new = waiting[i]
            if sum(len(set(sizes)) > 1 for sizes in new) > 1:  # several open ones: as a source has them
                source, first = self._having(new)
                if source is None:
                    raise problem
                value = self.call(
                    "reshape_like", value, source, lhs_begin=i, lhs_end=i + 1, rhs_begin=first,
                    rhs_end=first + len(new), truth=value.truth, bare=False,
                )  # fmt: skip
                waiting[i], done[i] = new[-1:], len(new) - 1
        while any(len(new) > 1 for new in waiting):
            code = []
            for i, new in enumerate(waiting):
                code += [0] * done[i]
                if len(new) == 1:
                    code.append(0)
                    continue
                rest = [prod(row) for row in zip(*new[1:], strict=True)]
                code += [-4, *(row[0] if len(set(row)) == 1 else -1 for row in (new[0], rest))]
            for i, new in enumerate(waiting):
                if len(new) > 1:
                    waiting[i], done[i] = new[1:], done[i] + 1
            value = self.call("Reshape", value, shape=tuple(code), truth=value.truth, bare=False)
        return value

    def _having(self, wanted: _Sizes) -> tuple[Value | None, int]:
        """A source with these neighboring dimensions, and where they begin."""
        for source in self.sources:
            own = [list(sizes) for sizes in zip(*source.shapes, strict=True)]
            for first in range(len(own) - len(wanted) + 1):
                if own[first : first + len(wanted)] == wanted:
                    return source, first
        return None, 0

    def expand_to(self, value: Value, ndim: int) -> Value:
        """With dimensions of size 1 in front, so that it has as many as others: MXNet broadcasts no other way."""
        more = ndim - max(value.ndim, 1)
        if more <= 0:
            return value
        if value.constant or value.has_fixed_shape:
            return self.reshape(value, [(*[1] * (ndim - value.ndim), *s) for s in value.shapes])
        for _ in range(more):
            value = self.call("expand_dims", value, axis=0, truth=value.truth)
        return value

    def binary(self, op_name: str, left: Value, right: Value, truth: bool = False) -> Value:
        """A ``broadcast_`` operator."""
        return self.call(op_name, left, right, truth=truth, bare=left.scalar and right.scalar)

    def broadcast(self, value: Value, targets: Sequence[Shape]) -> Value:
        """The value repeated to a shape, given for each trial."""
        if all(s == tuple(t) for s, t in zip(value.shapes, targets, strict=True)):
            return value
        value = self.expand_to(value, len(targets[0]))
        if value.constant and any(tuple(t) != tuple(targets[0]) for t in targets):
            if max(prod(t) for t in targets) > LARGEST:
                raise MXNetValueError(f"an array of shape {tuple(targets[0])} is too large")
            made = [t.expand(tuple(target)).clone() for t, target in zip(value.trials, targets, strict=True)]
            found = Value(value.name, made, None, True, False, value.truth)
            found.recipe = lambda: self.symbol(self.broadcast(self.running(value), targets))
            return found
        code, late = [], []
        for i, sizes in enumerate(zip(*targets, strict=True)):
            own = [s[i] for s in value.shapes] if not value.scalar else [1] * self.trials
            if list(sizes) == own:
                code.append(0)
            elif all(s == sizes[0] for s in sizes):
                code.append(sizes[0])
            else:  # a dynamic dimension: by a sum with zeros, as many as a source has
                code.append(0)
                late.append((i, sizes))
        if any(code):
            value = self.call("broadcast_to", value, shape=tuple(code), truth=value.truth, bare=False)
        for axis, sizes in late:
            zeros = self.zeros_of(sizes, value.dtype)
            if zeros is None:
                raise MXNetNotImplementedError("a value repeated to a dynamic dimension: import it with input_shapes=")
            column = self.call(
                "Reshape", zeros, shape=(*[1] * axis, -1, *[1] * (len(targets[0]) - axis - 1)), bare=False
            )
            value = self.call("broadcast_add", value, column, truth=value.truth, bare=False)
        return value

    def slice(self, value: Value, axis: int, begin: int | None, end: int | None) -> Value:
        """A part along one axis."""
        return self.call("slice_axis", value, axis=axis, begin=begin or 0, end=end, truth=value.truth)

    def transpose(self, value: Value, axes: Sequence[int]) -> Value:
        """Permutes dimensions."""
        if list(axes) == list(range(len(axes))):
            return value
        return self.call("transpose", value, axes=tuple(axes), truth=value.truth)


def _groups(before: _Sizes, after: _Sizes) -> list[tuple[_Sizes, _Sizes]] | None:
    """Neighboring dimensions before and after that hold the same number of elements, in all trials."""

    def count(sizes: _Sizes) -> list[int]:
        return [prod(row) for row in zip(*sizes, strict=True)]

    groups: list[tuple[_Sizes, _Sizes]] = []
    i = j = 0
    while i < len(before) and j < len(after):
        old, new = [before[i]], [after[j]]
        i, j = i + 1, j + 1
        while count(old) != count(new):
            smaller = [a < b for a, b in zip(count(old), count(new), strict=True)]
            if all(smaller) and i < len(before):
                old.append(before[i])
                i += 1
            elif not any(smaller) and j < len(after):
                new.append(after[j])
                j += 1
            else:
                return None
        groups.append((old, new))
    if not groups:
        return None
    for rest, side in ((before[i:], 0), (after[j:], 1)):  # dimensions of size 1 at the end
        if any(set(sizes) != {1} for sizes in rest):
            return None
        groups[-1][side].extend(rest)
    return groups


def _along(line: torch.Tensor, axis: int, ndim: int) -> torch.Tensor:
    return line.reshape([-1 if i == axis else 1 for i in range(ndim)])


def _without_data(op: Any, tensors: list[torch.Tensor], parsed: dict[str, Any]) -> list[torch.Tensor]:
    """What an operator would give, as tensors without data: by its rules, or else by its kernel."""
    shapes, dtypes = [tuple(t.shape) for t in tensors], [t.dtype for t in tensors]
    if op.rules.get("back") is not same_shapes:
        return run_on_meta(op, shapes, parsed, dtypes)
    sizes, kinds = infer_shapes(op, shapes, parsed, None, dtypes)[1], infer_dtypes(op, dtypes, parsed)[1]
    return [torch.empty(s, dtype=d, device="meta") for s, d in zip(sizes, kinds, strict=True)]  # type: ignore[arg-type]


def _compute(op: Any, tensors: list[torch.Tensor], parsed: dict[str, Any]) -> list[torch.Tensor]:
    placed = arrange(op, tensors, parsed)
    extra = supply_arguments(op, {"_train": False, "_device": torch.device("cpu")})
    try:
        with torch.no_grad():
            made = op.kernel(*placed, **parsed, **extra)
    except MXNetError:
        raise
    except (RuntimeError, TypeError, ValueError, IndexError, ArithmeticError) as error:
        raise explain_call(op, placed, parsed, error) from error
    return [t.contiguous() for t in ([made] if isinstance(made, torch.Tensor) else list(made))]
