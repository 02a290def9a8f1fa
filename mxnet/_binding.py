"""Makes executors: ``bind`` takes arrays of the caller's, ``simple_bind`` makes them from the shapes of inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from ._core.dtypes import torch_dtype
from ._core.garbage import without_collection
from .context import Context, check_together
from .error import MXNetKeyError, MXNetTypeError, MXNetValueError
from .executor import Executor, _Arrays, _distinct, _size
from .graph.infer import graph_shapes
from .graph.limits import refuse_too_large
from .graph.node import Node
from .graph.storage import gradient_storages, variable_storages
from .ndarray.ndarray import NDArray, wrap
from .ndarray.sparse import zeros as zeros_of
from .ndarray.tape import GRAD_REQS
from .ops.infer import is_known, read_shape
from .ops.types import DtypeLike, OpenShape, Shape

if TYPE_CHECKING:
    from .symbol.symbol import Symbol

#: Arrays as users give them: in the order of the names, or by name.
Given = Sequence[NDArray | None] | Mapping[str, NDArray] | None
#: What happens to gradients: the same for all arguments, or in their order, or by name.
GradReq = str | Sequence[str] | Mapping[str, str]


def bind(
    symbol: Symbol,
    ctx: Context,
    args: Given,
    args_grad: Given = None,
    grad_req: GradReq = "write",
    aux_states: Given = None,
    group2ctx: Mapping[str, Context] | None = None,
    shared_exec: Executor | None = None,
) -> Executor:
    """Binds a symbol to arrays of the caller's; see ``Symbol.bind``."""
    _check_context(ctx, "bind")
    names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    arrays = _arrays_by_name(args, names, "args")
    grads = _arrays_by_name(args_grad, names, "args_grad", allow_missing=True)
    if all(grad is None for grad in grads):  # else the original takes two variables of one name
        _distinct([*names, *states], "argument")
    aux = _arrays_by_name(aux_states or [], states, "aux_states")
    for name, array in [*zip(names, arrays, strict=True), *zip(states, aux, strict=True)]:
        if not isinstance(array, NDArray):
            raise MXNetTypeError(f"bind: {name!r} must be an NDArray, got {type(array).__name__}")
        if not group2ctx:
            check_together("bind: the graph", ctx, f"argument {name!r}", array._ctx)
    reqs = _gradient_requests(grad_req, names)
    reqs = ["null" if g is None else r for g, r in zip(grads, reqs, strict=True)]
    for name, array, grad in zip(names, arrays, grads, strict=True):
        if grad is not None:
            check_together(f"bind: argument {name!r}", array._ctx, "its gradient", grad._ctx)
        if grad is not None and grad.shape != array.shape:
            raise MXNetValueError(f"bind: the gradient of {name!r} has shape {grad.shape}, the argument {array.shape}")
    shapes = {n: a.shape for n, a in zip(names, arrays, strict=True)}
    shapes.update({n: a.shape for n, a in zip(states, aux, strict=True) if a.shape != (1,)})  # see batch norm
    known = graph_shapes(symbol._outputs, shapes)
    if ctx.torch_device.type == "cpu":
        refuse_too_large(symbol._outputs, known)
    places = _place_nodes(symbol, ctx, group2ctx)
    return Executor(symbol, ctx, (arrays, grads, aux), reqs, group2ctx, places, known)


@without_collection
def simple_bind(
    symbol: Symbol,
    ctx: Context,
    grad_req: GradReq = "write",
    type_dict: Mapping[str, DtypeLike] | None = None,
    group2ctx: Mapping[str, Context] | None = None,
    shared_arg_names: Sequence[str] | None = None,
    shared_exec: Executor | None = None,
    shared_buffer: dict[str, NDArray] | None = None,
    shapes: Mapping[str, OpenShape] | None = None,
    stypes: Mapping[str, str] | None = None,
) -> Executor:
    """Makes all arrays from the input shapes and binds them; see ``Symbol.simple_bind``."""
    _check_context(ctx, "simple_bind")
    names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    _distinct([*names, *states], "argument")
    known = _infer_shapes(symbol, [*names, *states], shapes or {})
    arg_shapes, _, aux_shapes = symbol._parts(known)
    if ctx.torch_device.type == "cpu":
        refuse_too_large(symbol._outputs, known)
    kinds = {k: torch_dtype(v) for k, v in (type_dict or {}).items() if v is not None}
    arg_types, _, aux_types = symbol.infer_type_partial(**{k: v for k, v in kinds.items() if k in {*names, *states}})
    common = next((t for t in arg_types if t is not None), "float32")
    arg_types, aux_types = [t or common for t in arg_types], [t or common for t in aux_types]
    places = _place_nodes(symbol, ctx, group2ctx)
    where = {n.name: c for n, c in places.items() if n.is_variable}
    reqs = _gradient_requests(grad_req, names)
    kinds_of = variable_storages(list(places)) | dict(stypes or {})
    learned = any(req != "null" for req in reqs)
    stored_grads = gradient_storages(symbol._outputs, kinds_of) if learned else {}
    # As in MXNet only who also lends a buffer shares arrays: the arguments named, their gradients, and all states.
    owner = shared_exec if shared_buffer is not None else None
    arguments = owner.arg_dict if owner is not None else {}
    arguments = {name: array for name, array in arguments.items() if name in (shared_arg_names or ())}
    allocate = _Allocator(ctx, where, kinds_of, shared_arg_names, shared_buffer)

    def make_grad(name: str, array: NDArray) -> NDArray:
        ready = owner.grad_dict.get(name) if owner is not None else None
        if ready is not None and array is arguments.get(name):
            return ready
        stored = stored_grads.get(name, "default")
        if stored != "default":
            return zeros_of(stored, array.shape, array._ctx, array.dtype)
        return wrap(torch.zeros_like(array._dense), array._ctx)

    def make_all() -> _Arrays:
        args = [allocate(n, s, t, arguments) for n, s, t in zip(names, arg_shapes, arg_types, strict=True)]
        grads = [None if r == "null" else make_grad(n, a) for n, a, r in zip(names, args, reqs, strict=True)]
        pool = owner.aux_dict if owner is not None else {}
        return args, grads, [allocate(n, s, t, pool) for n, s, t in zip(states, aux_shapes, aux_types, strict=True)]

    # Where others are to see the arrays, or memory may not be granted, they are made now.
    later = shared_exec is None and shared_buffer is None
    later = later and all(context.torch_device.type == "cpu" for context in {ctx, *where.values()})
    return Executor(symbol, ctx, make_all if later else make_all(), reqs, group2ctx, places, known)


def _infer_shapes(
    symbol: Symbol, names: Sequence[str], shapes: Mapping[str, OpenShape]
) -> Mapping[tuple[Node, int], Shape | None]:
    """The shapes of all values, from those of inputs; every variable must have one."""
    variables = set(names)
    given = {k: read_shape(v) for k, v in shapes.items() if k in variables}
    known = graph_shapes(symbol._outputs, given)
    args, _, states = symbol._parts(known)
    unknown = [name for name, shape in zip(names, [*args, *states], strict=True) if not is_known(shape)]
    if unknown:
        raise MXNetValueError(
            f"simple_bind: the shapes of {', '.join(unknown)} are not known, "
            + (f"from {given} they do not follow" if given else "none was given")
            + f": give the shapes of all inputs by name, e.g. simple_bind(ctx, {unknown[0]}=(32, 10))"
        )
    return known


@dataclass
class _Allocator:
    """Makes the arrays of variables, or takes those that are shared."""

    context: Context
    places: Mapping[str, Context]
    storages: Mapping[str, str]
    #: The names of what other executors may share; anything else lies in the buffer. None: all of them.
    shared: Sequence[str] | None
    buffer: dict[str, NDArray] | None

    def __call__(self, name: str, shape: Shape, dtype: DtypeLike, pool: Mapping[str, NDArray]) -> NDArray:
        """Returns the array of that name in the pool or in the buffer if it fits, else a new one."""
        context, kind = self.places.get(name, self.context), torch_dtype(dtype)
        ready = pool.get(name)
        stored = self.storages.get(name, "default")
        if stored != "default":
            fits = ready is not None and (ready.stype, ready.shape) == (stored, tuple(shape))
            return ready if ready is not None and fits else zeros_of(stored, shape, context, dtype)
        if ready is not None and ready.shape == tuple(shape) and ready._data.dtype is kind:
            return ready
        if self.buffer is not None and (self.shared is None or name not in self.shared):
            ready = self.buffer.get(name)
            if ready is not None and ready._data.dtype is kind and ready.size >= _size(shape):
                return wrap(ready._data.view(-1)[: _size(shape)].view(tuple(shape)), context)
        array = wrap(torch.zeros(tuple(shape), dtype=kind, device=context.torch_device), context)
        if self.buffer is not None:
            self.buffer[name] = array
        return array


def _check_context(ctx: object, method: str) -> None:
    if isinstance(ctx, list | tuple):
        raise MXNetTypeError(
            f"{method} binds to one context, a list of {len(ctx)} was given. To train on several devices use "
            "mx.mod.Module(symbol, context=[...]); to split one graph over devices use group2ctx."
        )
    if not isinstance(ctx, Context):
        raise MXNetTypeError(f"{method}: ctx must be a Context such as mx.cpu(), got {ctx!r}")


def _place_nodes(symbol: Symbol, ctx: Context, group2ctx: Mapping[str, Context] | None) -> dict[Node, Context]:
    """Where each node runs: on the context of its ``ctx_group``, or on ``ctx``."""
    groups = group2ctx or {}
    return {n: groups.get(n.attrs.get("__ctx_group__", ""), ctx) for n in symbol._outputs.order}


def _arrays_by_name(values: Given, names: Sequence[str], what: str, allow_missing: bool = False) -> list[Any]:
    """Arrays given as a list or a dict, as a list in the order of ``names``."""
    if isinstance(values, Mapping):
        missing = [n for n in names if n not in values]
        if missing and not allow_missing:
            raise MXNetValueError(f"key {missing[0]!r} is missing in {what!r}; it needs {', '.join(names)}")
        return [values.get(n) for n in names]
    if values is None:
        return [None] * len(names)
    items = list(values)
    if len(items) != len(names):
        raise MXNetValueError(
            f"Length of {what} ({len(items)}) does not match number of names ({len(names)}: {', '.join(names)})"
        )
    return items


def _gradient_requests(grad_req: GradReq, names: Sequence[str]) -> list[str]:
    """``grad_req`` as a list: from one string for all, a list, or a dict by name (missing: null)."""
    if isinstance(grad_req, str):
        reqs = [grad_req] * len(names)
    elif isinstance(grad_req, Mapping):
        reqs = [grad_req.get(n, "null") for n in names]
    else:
        reqs = list(grad_req)
        if len(reqs) != len(names):
            raise MXNetValueError(f"{len(reqs)} grad_reqs were given for {len(names)} arguments")
    for req in reqs:
        if req not in GRAD_REQS:
            raise MXNetKeyError(f"grad_req must be one of {', '.join(GRAD_REQS)}, got {req!r}")
    return reqs
