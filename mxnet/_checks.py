"""Check mode: mistakes that MXNet computes on with become errors that name the operator, the layer and the place.

``mx.util.check(True)`` or ``MXNET_CHECK=1`` turn it on. Then every operator, eager or in a graph, is run with a look at
what it takes and gives: labels and indices out of range, NaN and infinity with the operator that made them first,
forward and backward, arrays that were written to after they were recorded; Python loops over symbols; batches that
differ from those that a block was hybridized with. Turned off, a call has none of this overhead.
"""

from __future__ import annotations

import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import torch

from ._cached_op import CachedOp
from ._core.dtypes import NAME_OF
from ._core.tracebacks import PACKAGE, layer_path
from ._core.tracing import is_traced
from .error import MXNetError, MXNetIndexError, MXNetTypeError, MXNetValueError
from .graph.monitoring.table import PASSES_GRADIENT, gradient_takes
from .graph.program import Program
from .graph.step import Runner, Step, moves
from .ndarray import gate
from .ops.integers import in_graph
from .ops.messages import display_name
from .ops.registry import OpDef
from .ops.sparse import Sparse
from .symbol.symbol import Symbol

_GLUON = os.path.join(PACKAGE, "gluon", "")
_BLOCKS = os.path.join(_GLUON, "block.py")
_undo: list[Callable[[], None]] = []


def turn(active: bool) -> bool:
    """Turns the checks on or off, and returns what they were."""
    before = bool(_undo)
    if active and not before:
        _swap(Program, "run", _checked_run)
        _swap(CachedOp, "__call__", _checked_block)
        _swap(Symbol, "__iter__", _checked_iteration)
        _swap(gate, "apply", _checked_apply)
        _undo.append(gate.intercept(_checked_kernel))
    elif not active:
        while _undo:
            _undo.pop()()
    return before


def _swap(owner: object, name: str, change: Callable[[Any], Any]) -> None:
    old = vars(owner)[name]
    setattr(owner, name, change(old))
    _undo.append(lambda: setattr(owner, name, old))


# ---- where -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Call:
    """A call of an operator, and where in the program it is."""

    op: OpDef | None
    #: What it is called in messages: the operator, or the node of a graph.
    name: str
    place: str
    names: Sequence[str]
    values: Sequence[Any]
    attrs: Mapping[str, Any]

    def error(self, kind: type[MXNetError], what: str) -> MXNetError:
        """Returns an error that says where it comes from."""
        given = ", ".join(
            f"{name} {tuple(value.shape)} {NAME_OF.get(value.dtype, value.dtype)}"
            for name, value in zip(self.names, self.values, strict=False)
            if isinstance(value, torch.Tensor)
        )
        return _mark_explained(kind(f"{self.name}: {what}. Given: {given or 'no arrays'}; {self.place}"))


def _mark_explained(error: MXNetError) -> MXNetError:
    error.names_layer = True
    return error


def _place() -> str:
    """The layers that are running, and the line of the user's program that called."""
    line, blocks = "", []
    frame = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file == _BLOCKS and frame.f_code.co_name == "__call__":
            blocks.append(frame.f_locals["self"])
        elif not line and not file.startswith((PACKAGE, _TORCH, "<frozen")):
            line = f"{file}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    layer = f"in layer {layer_path(blocks[::-1])}, " if blocks else ""
    return f"{layer}called at {line or 'the end of the program'}"


_TORCH = os.path.dirname(torch.__file__) + os.sep


# ---- calls of operators ----------------------------------------------------------------------------------------------


def _checked_kernel(op: OpDef, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """For eager calls: the kernel with a look at what it takes and gives."""

    def run(*values: Any, **attrs: Any) -> Any:
        if is_traced() or any(isinstance(v, torch.Tensor) and v.is_meta for v in values):
            return kernel(*values, **attrs)
        names = [op.input_name(i) for i in range(len(values))]
        call = _Call(op, display_name(op.name), _place(), names, values, attrs)
        _check_indices(op, call)
        followed = _Followed(call)
        result = kernel(*followed.values, **attrs)
        followed.made(list(result) if isinstance(result, list | tuple) else [result])
        return result

    return run


def _checked_apply(apply: Callable[..., Any]) -> Callable[..., Any]:
    """For what does the work of several operators at once."""

    def run(name: str, function: Callable[..., Any], arrays: Sequence[Any], *more: Any) -> Any:
        place, names = _place(), [f"input {i}" for i in range(len(arrays))]

        def watch_call(values: Sequence[Any], *rest: Any) -> Any:
            followed = _Followed(_Call(None, name, place, names, values, {}))
            results = list(function(followed.values, *rest))
            followed.made(results)
            return results

        return apply(name, watch_call, arrays, *more)

    return run


def _checked_run(run: Callable[..., Any]) -> Callable[..., Any]:
    """For graphs: the steps are run one for each operator, and looked at."""

    def checked_run(self: Program, values: object, training: bool, runner: Runner | None = None) -> Any:
        return run(self, values, training, runner if is_traced() else _Steps(runner, _place()))

    return checked_run


class _Steps:
    """Runs steps with a look at what they take and give; a Monitor may run them at the same time."""

    def __init__(self, inner: Runner | None, place: str):
        self._inner, self._place = inner, place

    def run(self, step: Step, slots: list[Any], training: bool) -> None:
        """Runs one step."""
        op, used = step.op, [i for i in step.reads if i >= 0]
        own = step.run if self._inner is None else lambda *given: self._inner.run(step, *given)
        if moves(step):
            own(slots, training)
            return
        names = [op.input_name(n) for n, i in enumerate(step.reads) if i >= 0]
        name = f"operator {step.node.name} ({display_name(step.op.name)})"
        before = [slots[i] for i in used]
        call = _Call(op, name, self._place, names, before, step.node.parsed())
        _check_indices(op, call)
        followed = _Followed(call)
        for slot, value in zip(used, followed.values, strict=True):
            slots[slot] = value
        own(slots, training)
        for slot, value in zip(used, before, strict=True):
            slots[slot] = value
        followed.made([slots[i] for i in step.writes])


# ---- NaN and infinity ------------------------------------------------------------------------------------------------


def _parts(values: Sequence[Any]) -> list[tuple[int, torch.Tensor]]:
    """The tensors of floating numbers among values; of sparse ones what is stored."""
    plain = [v.data if isinstance(v, Sparse) else v for v in values]
    return [(i, v.detach()) for i, v in enumerate(plain) if isinstance(v, torch.Tensor) and v.is_floating_point()]


def _trouble(tensor: torch.Tensor) -> str:
    """'NaN' or 'infinity' if a tensor has one, or ''."""
    if tensor.layout is torch.sparse_coo:
        tensor = tensor._values()
    if not tensor.numel() or bool(torch.isfinite(tensor).all()):
        return ""
    return "NaN" if bool(torch.isnan(tensor).any()) else "infinity"


def _where(tensor: torch.Tensor) -> str:
    """How many numbers are not finite, and where the first is."""
    if tensor.layout is torch.sparse_coo:
        tensor = tensor._values()
    bad = ~torch.isfinite(tensor)
    first = tuple(bad.nonzero()[0].tolist())
    return f"{int(bad.sum())} of {tensor.numel()} numbers, the first at {first}"


def _range(call: _Call) -> str:
    """The smallest and largest numbers that an operator was given."""
    found = []
    for i, value in _parts(call.values):
        if value.numel():
            found.append(f"{call.names[i]} from {float(value.min()):.4g} to {float(value.max()):.4g}")
    return f" from {', '.join(found)}" if found else ""


def _check_numbers(call: _Call, results: Sequence[Any]) -> None:
    """Raises if results have NaN, or infinity where nothing infinite was given."""
    inputs = _parts(call.values)
    if not inputs:  # a constant, which keeps its values; or integers
        return
    written = call.op.mutable_inputs(_plain(call), len(call.values)) if call.op is not None else ()
    asked = any(isinstance(v, float) and (v != v or v in (float("inf"), -float("inf"))) for v in call.attrs.values())
    for _, result in _parts(results):
        trouble = _trouble(result)
        if not trouble:
            continue
        given = {call.names[i]: t for i, v in inputs if i not in written and (t := _trouble(v))}
        if trouble == "NaN" and "NaN" in given.values():
            name = next(name for name, kind in given.items() if kind == "NaN")
            what = f"was given NaN in input {name!r}, which no operator made: look at the data"
            raise call.error(MXNetValueError, what)
        if trouble == "infinity" and (given or asked):
            continue  # such as -inf in the mask of an attention
        if trouble == "NaN" and asked and not given:
            continue
        raise call.error(MXNetValueError, f"made {trouble} ({_where(result)}){_range(call)}")


def _plain(call: _Call) -> dict[str, Any]:
    """The attributes of a call, without what a kernel is supplied with."""
    return {k: v for k, v in call.attrs.items() if not k.startswith("_")}


# ---- the backward pass -----------------------------------------------------------------------------------------------


class _Followed:
    """A call whose results are checked now, and the gradients of its inputs when backward computes them.

    ``values`` are the inputs, those that need a gradient as aliases that have one of their own.
    """

    def __init__(self, call: _Call):
        self._call, self.values, op = call, list(call.values), call.op
        #: What backward reads again, with the fingerprint of each.
        self._kept: list[tuple[str, torch.Tensor, int]] = []
        #: What was wrong with the gradients of the results.
        self._heads: list[str] = []
        self._words: set[str] = set()
        learned = [i for i, v in enumerate(self.values) if isinstance(v, torch.Tensor) and v.requires_grad]
        self._learned = torch.is_grad_enabled() and bool(learned)
        if op is not None and (op.mutates or op.name in PASSES_GRADIENT):
            self._learned = False
        if not self._learned:
            return
        states: Sequence[int] = ()
        if op is not None:
            parsed = _plain(call)
            self._words = set(re.findall(r"\w+", gradient_takes(op, parsed)))
            states = op.aux_positions(parsed) if op.aux else ()
        for i, (name, value) in enumerate(zip(call.names, self.values, strict=False)):
            if i not in states and ("inputs" in self._words or name in self._words):
                self._keep(f"input {name!r}", value)
        for i in learned:
            alias = self.values[i].view_as(self.values[i])
            in_graph(alias).register_hook(self._look(call.names[i] if i < len(call.names) else f"input {i}"))
            self.values[i] = alias

    def _keep(self, what: str, value: object) -> None:
        if isinstance(value, torch.Tensor):  # without its place in the graph, which would keep itself alive
            self._kept.append((what, value.detach(), _fingerprint(value)))

    def made(self, results: Sequence[Any]) -> None:
        """The call has given these results."""
        _check_numbers(self._call, results)
        if self._learned:
            call = self._call  # messages need shapes, not the arrays themselves
            self._call = replace(call, values=[_empty_like(v) for v in call.values], attrs={})
            self.values = []
            for result in results:
                if self._words & {"output", "outputs"}:
                    self._keep("the result", result)
                if isinstance(result, torch.Tensor) and result.requires_grad and not result.is_leaf:
                    in_graph(result).register_hook(self._head)

    def _head(self, gradient: torch.Tensor | None) -> None:
        trouble = "" if gradient is None else _trouble(gradient.detach())
        if trouble:
            self._heads.append(trouble)

    def _look(self, name: str) -> Callable[[torch.Tensor | None], None]:
        def report(gradient: torch.Tensor | None) -> None:
            for what, tensor, before in self._kept:
                if _fingerprint(tensor) != before:
                    raise self._call.error(
                        MXNetError,
                        f"{what} was written to after the call was recorded and before backward, which would "
                        "compute the gradient from the new numbers. Write to a copy, or after backward",
                    )
            trouble = "" if gradient is None else _trouble(gradient.detach())
            if gradient is not None and trouble:
                what = f"its backward pass made {trouble} in the gradient of {name!r} ({_where(gradient)})"
                if self._heads:
                    what = f"its backward pass was given {self._heads[0]} as the gradient of its result"
                raise self._call.error(MXNetValueError, what)

        return report


def _empty_like(value: object) -> Any:
    """For messages: something of the same shape and dtype, without the memory."""
    return torch.empty_like(value, device="meta") if type(value) is torch.Tensor else None


def _fingerprint(tensor: torch.Tensor) -> int:
    """A number that changes with the contents of a tensor."""
    plain = tensor.detach().as_subclass(torch.Tensor).cpu().contiguous()
    return zlib.crc32(plain.view(-1).view(torch.uint8).numpy().data) if plain.numel() else 0


# ---- labels and indices ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Range:
    """Which input of an operator has numbers that count something, how many there are, and one that is allowed."""

    input: str
    size: Callable[[Mapping[str, Any], Mapping[str, Any]], int | None]
    what: str = "indices"
    low: Callable[[int], int] = lambda size: 0


def _axis(data: str, otherwise: int) -> Callable[[Mapping[str, Any], Mapping[str, Any]], int | None]:
    """The size of the axis that is meant; None where indices are to be wrapped around."""

    def size(given: Mapping[str, Any], attrs: Mapping[str, Any]) -> int | None:
        if attrs.get("mode") == "wrap" or attrs.get("axis", otherwise) is None:
            return None
        return given[data].shape[attrs.get("axis", otherwise)]

    return size


def _classes(given: Mapping[str, Any], attrs: Mapping[str, Any]) -> int | None:
    """How many classes a loss has; None if its labels are probabilities."""
    shape = tuple(given["data"].shape)
    if tuple(given["label"].shape) == shape:
        return None
    if attrs.get("multi_output") or len(shape) == 2:
        return shape[1]
    if attrs.get("preserve_shape"):
        return shape[-1]
    size = 1
    for length in shape[1:]:
        size *= length
    return size


_LABELS = _Range("label", _classes, "labels")
_PICK = _Range("index", _axis("data", -1))
_EMBEDDING = _Range("data", lambda given, attrs: given["weight"].shape[0])
_RANGES: dict[str, _Range] = {
    "SoftmaxOutput": _LABELS,
    "SVMOutput": _LABELS,
    "softmax_cross_entropy": _LABELS,
    "CTCLoss": _Range("label", lambda given, attrs: given["data"].shape[2], "labels", lambda size: -1),
    "pick": _PICK,
    "_log_softmax_pick": _Range("index", _axis("data", -1), "labels"),
    "take": _Range("indices", _axis("a", 0)),
    "batch_take": _Range("indices", lambda given, attrs: given["a"].shape[1]),
    "one_hot": _Range("indices", lambda given, attrs: attrs["depth"]),
    "Embedding": _EMBEDDING,
    "_contrib_SparseEmbedding": _EMBEDDING,
    "_contrib_index_copy": _Range("index_vector", lambda given, attrs: given["old_tensor"].shape[0]),
    "fill_element_0index": _Range("rhs", lambda given, attrs: given["lhs"].shape[1]),
}


def _check_indices(op: OpDef, call: _Call) -> None:
    """Raises if labels or indices point outside of what they count."""
    rule = _RANGES.get(op.name)
    given = dict(zip(call.names, call.values, strict=False))
    if rule is None or not isinstance(given.get(rule.input), torch.Tensor):
        return
    attrs = op.with_defaults(_plain(call))
    size = rule.size(given, attrs)
    index = given[rule.input].detach()
    if size is None or not index.numel():
        return
    bad = ~((index >= rule.low(size)) & (index < size))
    if attrs.get("use_ignore"):
        bad &= index != attrs["ignore_label"]
    if not bool(bad.any()):
        return
    place = tuple(bad.nonzero()[0].tolist())
    number = index[place].item()
    raise call.error(
        MXNetIndexError,
        f"{rule.what} must be in [{rule.low(size)}, {size}), {rule.input!r} has {number:g} at {place} "
        f"({int(bad.sum())} of {index.numel()} are outside)",
    )


# ---- loops over symbols ----------------------------------------------------------------------------------------------


def _checked_iteration(iterate: Callable[[Symbol], Iterator[Symbol]]) -> Callable[[Symbol], Iterator[Symbol]]:
    def checked_run(self: Symbol) -> Iterator[Symbol]:
        frame = sys._getframe(1)
        if len(self._outputs) == 1 and not frame.f_code.co_filename.startswith(PACKAGE):
            raise _mark_explained(
                MXNetTypeError(
                    f"{self.name}: a loop over a symbol goes over its outputs, of which it has one, and not over the "
                    "rows of an array. Use F.split or F.SliceChannel, F.contrib.foreach, or list_outputs() for names; "
                    f"{_place()}"
                )
            )
        return iterate(self)

    return checked_run


# ---- hybridized blocks -----------------------------------------------------------------------------------------------


#: Dimensions and dtype of each input in a graph's first call.
_first: WeakKeyDictionary[CachedOp, list[tuple[int, Any]]] = WeakKeyDictionary()


def _checked_block(call: Callable[..., Any]) -> Callable[..., Any]:
    """For hybridized blocks: batches are like the first one, and Python code does what it did when it was traced."""

    def run(self: CachedOp, *args: Any, out: Any = None) -> Any:
        kinds = [(len(a.shape), a.dtype) for a in args if hasattr(a, "shape")]
        first = _first.setdefault(self, kinds)
        for name, kind, known in zip(self._symbol.list_inputs(), kinds, first, strict=False):
            if kind != known:
                raise _mark_explained(
                    MXNetValueError(
                        f"{name!r} has {_describe_kind(kind)}; the block was hybridized with {_describe_kind(known)}. "
                        f"Convert the batch, or hybridize() again for another kind of data; {_place()}"
                    )
                )
        caller = sys._getframe(1)
        if caller.f_code.co_name == "_call_cached_op":
            _check_trace(caller.f_locals["self"], caller.f_locals["args"])
        return call(self, *args, out=out)

    return run


def _describe_kind(kind: tuple[int, Any]) -> str:
    return f"{kind[0]} dimensions and dtype {getattr(kind[1], '__name__', kind[1])}"


def _check_trace(block: Any, args: Sequence[Any]) -> None:
    """Raises if a block's ``hybrid_forward`` makes another graph now than when the block was hybridized."""
    code = type(block).hybrid_forward.__code__
    if block._backend is not None or code.co_filename.startswith(
        _GLUON
    ):  # graphs that were changed, or come from files
        return
    before = block._cached_graph, block._in_format, block._out_format
    block._cached_graph = ()
    try:
        fresh = block._get_graph(*args)[1]
    finally:
        block._cached_graph, block._in_format, block._out_format = before
    if _outline(fresh) != _outline(before[0][1]):
        raise _mark_explained(
            MXNetValueError(
                f"{type(block).__name__}.hybrid_forward computes something else now than when it was hybridized, "
                "and the hybridized block does what it did then. Python code, such as an if on an attribute or on "
                "random numbers, runs only once: pass what changes as an input, use F.where or F.contrib.cond, or "
                f"call hybridize() again after the change; {_place()}"
            )
        )


def _outline(symbol: Symbol) -> list[Any]:
    """What a graph computes, without the names of its nodes."""
    places: dict[Any, int] = {}
    lines: list[Any] = []
    for node in symbol._outputs.order:
        places[node] = len(places)
        inputs = [(places[entry.node], entry.index) for entry in node.inputs]
        lines.append((node.name if node.op is None else node.op.name, node.attrs, inputs))
    return [lines, [(places[entry.node], entry.index) for entry in symbol._outputs]]
