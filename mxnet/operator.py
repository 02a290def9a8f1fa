"""Operators written in Python: subclass CustomOp and CustomOpProp, register the latter, call ``Custom``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import torch

from . import symbol
from ._core.dtypes import FLAG_OF, NUMPY_OF, torch_dtype
from ._core.signature import overridable
from .context import Context
from .error import MXNetError, MXNetTypeError, MXNetValueError
from .ndarray.ndarray import NDArray, wrap
from .ndarray.sparse_array import wrap_any
from .ndarray.tape import Scope
from .ops import registry
from .ops.custom import add_kind
from .ops.params import REQUIRED, Param, format_value
from .ops.sparse import add_kernel, dense, from_dense, stype_of

if TYPE_CHECKING:
    from .symbol.symbol import Symbol

__all__ = [
    "CustomOp",
    "CustomOpProp",
    "NDArrayOp",
    "NumpyOp",
    "PythonOp",
    "get_all_registered_operators",
    "get_operator_arguments",
    "register",
]


class CustomOp:
    """The computation of a custom operator."""

    def __init__(self) -> None:
        pass

    @overridable
    def forward(
        self,
        is_train: bool,
        req: Sequence[str],
        in_data: Sequence[NDArray],
        out_data: Sequence[NDArray],
        aux: Sequence[NDArray],
    ) -> None:
        """Computes the outputs into ``out_data``; use ``self.assign(out_data[0], req[0], value)``."""
        raise NotImplementedError(f"{type(self).__name__} must define forward")

    @overridable
    def backward(
        self,
        req: Sequence[str],
        out_grad: Sequence[NDArray],
        in_data: Sequence[NDArray],
        out_data: Sequence[NDArray],
        in_grad: Sequence[NDArray],
        aux: Sequence[NDArray],
    ) -> None:
        """Computes the gradients of the inputs into ``in_grad``; the default is none (zero)."""

    def assign(self, dst: NDArray, req: str, src: object) -> None:
        """Writes ``src`` to ``dst`` as ``req`` says: null, write, inplace or add."""
        if req == "null":
            return
        if req in ("write", "inplace"):
            dst[:] = src
        elif req == "add":
            dst[:] += src
        else:
            raise MXNetValueError(f"req must be null, write, inplace or add, got {req!r}")


class CustomOpProp:
    """What is known of a custom operator without running it: its arguments, outputs, shapes and types.

    ``need_top_grad=False`` says that backward does not use ``out_grad`` (a loss).
    """

    def __init__(self, need_top_grad: bool = True):
        self.need_top_grad_ = need_top_grad

    @overridable
    def infer_shape(self, in_shape: list) -> tuple[list, list, list]:
        """Shapes of inputs, outputs and auxiliary states; by default all are the first input's."""
        return in_shape, [in_shape[0]] * len(self.list_outputs()), []

    @overridable
    def infer_type(self, in_type: list) -> tuple[list, list, list]:
        """Types of inputs, outputs and auxiliary states; by default all are the first input's."""
        return (
            in_type,
            [in_type[0]] * len(self.list_outputs()),
            [in_type[0]] * len(self.list_auxiliary_states()),
        )

    @overridable
    def infer_storage_type(self, in_stype: list) -> tuple[list, list, list]:
        """Storage types; only dense ones exist here."""
        return (
            in_stype,
            ["default"] * len(self.list_outputs()),
            ["default"] * len(self.list_auxiliary_states()),
        )

    @overridable
    def infer_storage_type_backward(
        self, ograd_stype: list, in_stype: list, out_stype: list, igrad_stype: list, aux_stype: list
    ) -> tuple[list, list, list, list, list]:
        """Storage types of backward; only dense ones exist here."""
        return tuple(  # type: ignore[return-value]
            ["default"] * len(stypes) for stypes in (ograd_stype, in_stype, out_stype, igrad_stype, aux_stype)
        )

    def list_outputs(self) -> list[str]:
        """The names of the outputs."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """The names of the inputs."""
        return ["data"]

    def list_auxiliary_states(self) -> list[str]:
        """The names of the auxiliary states."""
        return []

    @overridable
    def declare_backward_dependency(self, out_grad: list, in_data: list, out_data: list) -> list:
        """What backward needs; kept for programs that override it, all of it is always given."""
        return [*(out_grad if self.need_top_grad_ else []), *in_data, *out_data]

    @overridable
    def create_operator(self, ctx: Context, in_shapes: list, in_dtypes: list) -> CustomOp:
        """Makes the CustomOp for inputs of these shapes and types."""
        return CustomOp()


_Prop = TypeVar("_Prop", bound=type[CustomOpProp])


def register(reg_name: str) -> Callable[[_Prop], _Prop]:
    """Decorator: makes a CustomOpProp class available as ``Custom(..., op_type=reg_name)``."""

    def decorate(prop_class: _Prop) -> _Prop:
        if not (isinstance(prop_class, type) and issubclass(prop_class, CustomOpProp)):
            raise MXNetTypeError(f"register takes a subclass of CustomOpProp, got {prop_class!r}")
        add_kind(reg_name, lambda attrs: _definition(reg_name, prop_class, attrs))
        return prop_class

    return decorate


def _definition(reg_name: str, prop_class: type[CustomOpProp], attrs: Mapping[str, Any]) -> registry.OpDef:
    """The operator that ``Custom`` means with these attributes."""
    probe = {k: v for k, v in attrs.items() if k != "op_type" and not isinstance(v, NDArray) and not _is_symbol(v)}
    options: dict[str, Any] = {k: str(v) for k, v in probe.items() if not (k.startswith("__") and k.endswith("__"))}
    try:
        prop = prop_class(**options)
    except TypeError as error:
        raise MXNetTypeError(f"Custom: {prop_class.__name__} (op_type={reg_name!r}) cannot be made: {error}") from error
    arguments, states = list(prop.list_arguments()), list(prop.list_auxiliary_states())
    outputs = list(prop.list_outputs())
    names = ["op_type", *options]
    kernel = _Kernel(reg_name, prop, len(arguments))
    op = registry.OpDef(
        name="Custom",
        kernel=kernel,
        inputs=(*arguments, *states),
        required=len(arguments) + len(states),
        variadic=None,
        params={n: Param(n, str, "string", REQUIRED if n == "op_type" else "") for n in names},
        supplied=frozenset(("_train", "_context")),
        outputs=len(outputs),
        output_names=tuple(outputs),
        aux=tuple(states),
        gradient="flows" if getattr(prop, "need_top_grad_", True) else "loss",
        doc=prop_class.__doc__ or "",
    )
    if kernel.stores:
        add_kernel(op, (...,), lambda _attrs: kernel.storages(["default"] * len(arguments))[1][0], kernel)

    @op.infer_args
    def _(shapes: dict[str, Any], _attrs: Any) -> None:
        if any(shapes[n] is None for n in arguments[:1]):
            return
        given = [list(shapes[n]) if shapes[n] is not None else [] for n in arguments]
        ins, _outs, aux = _three(prop.infer_shape(given), prop, "infer_shape")
        for name, shape in zip([*arguments, *states], [*ins, *aux], strict=False):
            shapes[name] = tuple(shape)

    @op.infer_shape
    def _(shapes: dict[str, Any], _attrs: object) -> list:
        _ins, outs, _aux = _three(prop.infer_shape([list(shapes[n]) for n in arguments]), prop, "infer_shape")
        return [tuple(s) for s in outs]

    @op.infer_dtype
    def _(dtypes: dict[str, Any], _attrs: Any) -> list:
        known = next((dtypes[n] for n in arguments if dtypes[n] is not None), None)
        if known is None:
            return [None] * len(outputs)
        given = [NUMPY_OF[dtypes[n] or known] for n in arguments]
        ins, outs, aux = _three(prop.infer_type(given), prop, "infer_type")
        for name, dtype in zip([*arguments, *states], [*ins, *aux], strict=False):
            dtypes[name] = torch_dtype(dtype)
        return [torch_dtype(d) for d in outs]

    return op


def _is_symbol(value: object) -> bool:
    return hasattr(value, "list_arguments") and hasattr(value, "_outputs")


def _three(result: Any, prop: CustomOpProp, method: str) -> tuple[list, list, list]:
    parts = list(result)
    if len(parts) == 2:
        parts.append([])
    if len(parts) != 3:
        raise MXNetValueError(f"{type(prop).__name__}.{method} must return 2 or 3 lists, it returned {len(parts)}")
    return list(parts[0]), list(parts[1]), list(parts[2])


class _Kernel:
    """Runs a custom operator on tensors. The CustomOp is made for the first shapes seen and kept while they stay."""

    def __init__(self, reg_name: str, prop: CustomOpProp, arguments: int):
        self.reg_name = reg_name
        self.prop = prop
        self.arguments = arguments
        self._made: tuple[Any, CustomOp] | None = None

    def __call__(self, *tensors: torch.Tensor, _train: bool, _context: Context, **attrs: str) -> Any:
        inputs, aux = tensors[: self.arguments], tensors[self.arguments :]
        kinds = self.storages([stype_of(t) for t in inputs])
        results = _Bridge.apply(self, _context, _train, aux, kinds, *map(dense, inputs))
        stored = [r if kind == "default" else from_dense(r, kind) for r, kind in zip(results, kinds[1], strict=True)]
        return stored[0] if len(stored) == 1 else stored

    @property
    def stores(self) -> bool:
        """Does the operator say how its arrays are stored?"""
        return type(self.prop).infer_storage_type is not CustomOpProp.infer_storage_type

    def storages(self, given: list[str]) -> tuple[list[str], list[str]]:
        """The storage types that forward takes and gives, for inputs of these."""
        if not self.stores:
            return ["default"] * len(given), ["default"] * len(self.prop.list_outputs())
        ins, outs, _ = _three(self.prop.infer_storage_type(given), self.prop, "infer_storage_type")
        return list(ins), list(outs)

    def operator(self, context: Context, inputs: Sequence[torch.Tensor]) -> CustomOp:
        """The CustomOp for these inputs."""
        key = (context, tuple((tuple(t.shape), t.dtype) for t in inputs))
        if self._made is None or self._made[0] != key:
            shapes, dtypes = [list(t.shape) for t in inputs], [FLAG_OF[t.dtype] for t in inputs]
            made = self.prop.create_operator(context, shapes, dtypes)
            if not isinstance(made, CustomOp):
                raise MXNetError(f"{type(self.prop).__name__}.create_operator must return a CustomOp, got {made!r}")
            self._made = key, made
        return self._made[1]

    def run_python(self, method: str, operator: CustomOp, *args: object) -> None:
        """Runs the user's ``forward`` or ``backward``."""
        with _blaming(self.reg_name, method):
            getattr(operator, method)(*args)

    def outputs(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Arrays for the outputs, filled with zeros."""
        _, shapes, _ = _three(self.prop.infer_shape([list(t.shape) for t in inputs]), self.prop, "infer_shape")
        _, dtypes, _ = _three(self.prop.infer_type([NUMPY_OF[t.dtype] for t in inputs]), self.prop, "infer_type")
        device = inputs[0].device if inputs else None
        return [torch.zeros(tuple(s), dtype=torch_dtype(d), device=device) for s, d in zip(shapes, dtypes, strict=True)]


@contextmanager
def _blaming(kind: str, method: str) -> Iterator[None]:
    """Whatever a method of the user's raises is an MXNetError for its caller, whom the cause tells the rest."""
    try:
        yield
    except MXNetError:
        raise
    except Exception as error:
        text = f"{method} of custom operator {kind!r} raised {type(error).__name__}: {error}"
        made = MXNetTypeError if isinstance(error, TypeError) else MXNetValueError
        raise made(text) from error


def _to_storage(tensor: torch.Tensor, kind: str, context: Context) -> NDArray:
    """An array of a storage type; a dense one in the tensor's memory."""
    return wrap(tensor, context) if kind == "default" else wrap_any(from_dense(tensor, kind), context)


class _Bridge(torch.autograd.Function):
    """Calls the user's forward and backward from torch's autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        kernel: _Kernel,
        context: Context,
        training: bool,
        aux: Sequence[torch.Tensor],
        kinds: tuple[list[str], list[str]],
        *inputs: torch.Tensor,
    ) -> tuple[torch.Tensor, ...]:
        ctx.ignores_head_gradient = not getattr(kernel.prop, "need_top_grad_", True)
        operator = kernel.operator(context, inputs)
        outputs = kernel.outputs(inputs)
        arrays = [_to_storage(t.detach(), kind, context) for t, kind in zip(inputs, kinds[0], strict=True)]
        results = [_to_storage(t, kind, context) for t, kind in zip(outputs, kinds[1], strict=True)]
        states = [wrap(t, context) for t in aux]
        with Scope(False, training):
            kernel.run_python("forward", operator, training, ["write"] * len(results), arrays, results, states)
        ctx.kernel, ctx.operator, ctx.context, ctx.training, ctx.aux = kernel, operator, context, training, aux
        ctx.kinds = kinds
        tensors = tuple(r._dense for r in results)
        ctx.save_for_backward(*inputs, *tensors)
        ctx.count = len(inputs)
        return tensors

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        saved = ctx.saved_tensors
        inputs, outputs = saved[: ctx.count], saved[ctx.count :]
        context = ctx.context
        needed = ctx.needs_input_grad[5:]
        in_grads = [wrap(torch.zeros_like(t), context) for t in inputs]
        with Scope(False, ctx.training):
            ctx.kernel.run_python(
                "backward",
                ctx.operator,
                ["write" if n else "null" for n in needed],
                [wrap(g.contiguous(), context) for g in grads],
                [_to_storage(t.detach(), kind, context) for t, kind in zip(inputs, ctx.kinds[0], strict=True)],
                [_to_storage(t.detach(), kind, context) for t, kind in zip(outputs, ctx.kinds[1], strict=True)],
                in_grads,
                [wrap(t, context) for t in ctx.aux],
            )
        found = [g._dense if n else None for g, n in zip(in_grads, needed, strict=True)]
        return (None, None, None, None, None, *found)


class PythonOp:
    """The base of the operator interface of the first releases. New operators subclass CustomOp and CustomOpProp."""

    _numbers = itertools.count()

    def __init__(self, need_top_grad: bool = True):
        self.info_ = None  # the original's functions in C
        self.need_top_grad_ = need_top_grad

    def __call__(self, *args: Any, **kwargs: Any) -> Symbol:
        return self.get_symbol(*args, **kwargs)

    def get_symbol(self, *args: Any, **kwargs: Any) -> Symbol:
        """The operator applied to symbols."""
        if not isinstance(self, NumpyOp | NDArrayOp):
            raise NotImplementedError(f"{type(self).__name__} must be a NumpyOp or an NDArrayOp")
        kind = f"_python_op_{next(self._numbers)}"
        owner = self

        class Prop(CustomOpProp):
            __doc__ = type(owner).__doc__

            def __init__(self) -> None:
                super().__init__(owner.need_top_grad())

            def list_arguments(self) -> list[str]:
                return owner.list_arguments()

            def list_outputs(self) -> list[str]:
                return owner.list_outputs()

            def infer_shape(self, in_shape: list) -> tuple[list, list, list]:
                return _three(owner.infer_shape(in_shape), self, "infer_shape")

            def create_operator(self, ctx: Context, in_shapes: list, in_dtypes: list) -> CustomOp:
                return _Legacy(owner)

        register(kind)(Prop)
        return symbol.Custom(*args, op_type=kind, **kwargs)

    def forward(self, in_data: list, out_data: list) -> None:
        """Computes the outputs in place; a copy of the first input unless it is overridden."""
        out_data[0][:] = in_data[0]

    def backward(self, out_grad: list, in_data: list, out_data: list, in_grad: list) -> None:
        """Computes the gradients of the inputs in place; ones for the first unless it is overridden."""
        in_grad[0][:] = 1.0

    def infer_shape(self, in_shape: list) -> tuple[list, list]:
        """Shapes of inputs and outputs; by default one output like the first input."""
        return in_shape, [in_shape[0]]

    def list_outputs(self) -> list[str]:
        """The names of the outputs."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """The names of the inputs."""
        return ["data"]

    def need_top_grad(self) -> bool:
        """Does backward use ``out_grad``?"""
        return self.need_top_grad_


class NumpyOp(PythonOp):
    """An operator of the first releases on NumPy arrays, which it writes to in place."""


class NDArrayOp(PythonOp):
    """An operator of the first releases on NDArrays, which it writes to in place."""

    def declare_backward_dependency(self, out_grad: list, in_data: list, out_data: list) -> list:
        """What backward needs; kept for programs that override it, all of it is always given."""
        return [*(out_grad if self.need_top_grad() else []), *in_data, *out_data]


class _Legacy(CustomOp):
    """Runs an operator of the first releases."""

    def __init__(self, owner: PythonOp):
        super().__init__()
        self.owner = owner

    def forward(self, is_train: bool, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        self._run(self.owner.forward, [in_data], out_data, req)

    def backward(self, req: Any, out_grad: object, in_data: Any, out_data: Any, in_grad: Any, aux: Any) -> None:
        heads = [out_grad] if self.owner.need_top_grad() else [[]]
        self._run(self.owner.backward, [*heads, in_data, out_data], in_grad, req)

    def _run(self, function: Callable[..., None], given: list, results: Any, req: Sequence[str]) -> None:
        if isinstance(self.owner, NumpyOp):
            arrays = [[a.asnumpy() for a in group] for group in given]
            written = [a.asnumpy() for a in results]
            function(*arrays, written)
        else:
            written = [a.copy() for a in results]
            function(*given, written)
        for target, how, value in zip(results, req, written, strict=True):
            self.assign(target, how, value)


def get_all_registered_operators() -> list[str]:
    """The names of all operators."""
    return sorted(registry.names())


class OperatorArguments(NamedTuple):
    """The arguments of an operator: how many, their names and their types."""

    narg: int
    names: list[str]
    types: list[str]


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """The inputs and attributes of an operator, with their types as text."""
    op = registry.get(op_name)
    names = [*op.inputs, *op.params]
    types = ["NDArray-or-Symbol[]" if name == op.variadic else "NDArray-or-Symbol" for name in op.inputs]
    return OperatorArguments(len(names), names, [*types, *[_describe(p) for p in op.params.values()]])


def _describe(p: Param) -> str:
    """An attribute in the original's words: ``boolean, optional, default=0``, ``{None, 'NCHW'},optional, ...``."""
    kind, default = p.kind, p.default
    if kind.startswith("{"):
        choices = kind.removesuffix(" or None")
        choices = choices if choices == kind else "{None, " + choices[1:]
        if default is not REQUIRED:
            return f"{choices},optional, default='{format_value(default)}'"
    if default is REQUIRED:
        return f"{kind}, required"
    if isinstance(default, bool):
        text = str(int(default))
    elif isinstance(default, float):  # of single precision
        text = f"{np.float32(default):.9g}"
    elif isinstance(default, tuple):
        text = "[" + ",".join(map(str, default)) + "]"
    else:
        text = f"'{default}'" if kind in ("int or None", "string") else str(default)
    return f"{'Shape or None' if kind == 'Shape(tuple) or None' else kind}, optional, default={text}"
