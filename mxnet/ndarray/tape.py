"""What is being recorded: the state behind ``mx.autograd``, over torch's autograd.

An NDArray has two tensors. ``_data`` is its memory and never requires a gradient, so that outside of ``record()``
nothing can be taped and in-place writes never disturb a graph. ``_var`` is None or its place in the recorded graph: a
leaf made by ``attach_grad``, or the result of a recorded operator. It shares the memory of ``_data`` but not its
version counter: as in MXNet, a write between forward and backward is seen by backward rather than refused.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from .._core import memory
from .._core.dtypes import torch_dtype
from ..context import check_together
from ..error import MXNetAssertionError, MXNetError, MXNetKeyError, MXNetValueError
from ..ops import differentiate
from ..ops.gradients import ended_at
from ..ops.integers import in_graph, leaf
from ..ops.sparse_values import from_gradient, place_for

if TYPE_CHECKING:
    from .ndarray import NDArray


class _State(threading.local):
    recording = False
    training = False
    #: Counts the backward passes that freed their graph; an array taped before one of them may be stale.
    epoch = 0


state = _State()
_is_grad_enabled, _set_grad_enabled = torch.is_grad_enabled, torch._C._set_grad_enabled
GRAD_REQS = ("write", "add", "null")

NOT_IN_GRAPH = (
    "Cannot differentiate node because it is not in a computational graph. You need to set is_recording to true or use "
    "autograd.record() to save computational graphs for backward. If you want to differentiate the same graph twice, "
    "you need to pass retain_graph=True to backward. And at least one array that it was computed from has to have a "
    "gradient: call its attach_grad() before record()."
)
NO_VARIABLES = "There are no inputs in computation graph that require gradients."
IN_GRAPH = (
    "Assigning to NDArrays that are already in a computational graph will cause undefined behavior when evaluating "
    "gradients. Please call backward first to clear the graph or do this out side of a record section. "
    "Also note that you cannot use inplace operations like +=, *=, relu(x, out=x), y[idx]=x, etc inside a record "
    "section."
)
INPLACE = "Inplace operations (+=, -=, x[:]=, etc) are not supported when recording with autograd."


class Scope:
    """A ``with`` block that sets the recording and training flags; torch's own grad mode comes back as it was."""

    __slots__ = ("before", "recording", "training")

    def __init__(self, recording: bool | None, training: bool | None):
        self.recording = recording
        self.training = training
        #: What was set when the block was entered, and the same of the blocks around it that use this object too.
        self.before: tuple[bool, bool, bool, Any] | None = None

    def __enter__(self) -> None:
        now = state
        grad_mode = _is_grad_enabled()
        self.before = now.recording, now.training, grad_mode, self.before
        if self.recording is not None:
            now.recording = self.recording
            if self.recording and not grad_mode:
                _set_grad_enabled(True)
        if self.training is not None:
            now.training = self.training

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        now = state
        now.recording, now.training, grad_mode, self.before = self.before  # type: ignore[misc]
        if grad_mode is not _is_grad_enabled():
            _set_grad_enabled(grad_mode)


def tensor_in_graph(array: NDArray) -> torch.Tensor:
    """The tensor a recorded operator takes: the array's place in the graph, or its data if it has none.

    The data comes without its version counter: a constant, too, may be written to between forward and backward.
    """
    var = array._var
    if var is None:
        return array._data.data
    if array._epoch != state.epoch and var.grad_fn is not None:
        if differentiate.is_freed(var.grad_fn):
            array._var = None  # its graph is gone: from here on it is a constant, as in MXNet
            return array._data.data
        array._epoch = state.epoch
    return var


#: Are recorded calls noted? See ``notes.py``.
noting: list[bool] = []
#: Has anything ever been tied? Before that nothing has to be looked for.
anything_tied: list[bool] = []


def tie(array: NDArray, sources: Sequence[object]) -> None:
    """Remembers what a result without a gradient (an argmax, a mask) was computed from: there backward gives zeros."""
    ties = _ties(sources)
    if ties:
        array._ties, array._epoch = ties, state.epoch
        anything_tied[:] = [True]


def _ties(sources: Sequence[Any]) -> tuple[Any, ...]:
    """The places in the graph of these arrays, or what they are tied to in turn, unless backward has run since."""
    found = []
    for source in sources:
        place = getattr(source, "_var", None)
        if place is None:
            place = getattr(source, "_place", None)
        if place is not None:
            found.append(place)
        elif getattr(source, "_ties", ()) and source._epoch == state.epoch:
            found.append(source._ties)
    return tuple(found)


def _living(ties: tuple[Any, ...]) -> list[torch.Tensor]:
    """The places in a graph that is still there; ties are nested like the calls that they come from."""
    found: dict[int, torch.Tensor] = {}
    seen, todo = set(), [ties]
    while todo:
        for item in todo.pop():
            if id(item) in seen:
                continue
            seen.add(id(item))
            if isinstance(item, tuple):
                todo.append(item)
            else:
                place = in_graph(item)
                if place.grad_fn is None or not differentiate.is_freed(place.grad_fn):
                    found[id(place)] = place
    return list(found.values())


def with_ties(tensor: torch.Tensor, sources: Sequence[object]) -> torch.Tensor:
    """A recorded result that gives zeros to what those of its sources are tied to that have no gradient."""
    ties = _ties([s for s in sources if getattr(s, "_ties", ())]) if anything_tied else ()
    return ended_at(tensor, _living(ties)) if ties else tensor


def with_choosers(tensor: torch.Tensor, choosers: Sequence[object]) -> torch.Tensor:
    """What was read at an index, with its gradient; the arrays that the index consists of get zeros."""
    ends = _living(_ties(choosers)) if tensor.requires_grad or tensor.is_floating_point() else []
    return ended_at(tensor, ends) if ends else tensor


_layout = threading.Lock()


def settle(array: NDArray) -> None:
    """Lays an array out in C order, before another array comes to share its memory.

    Convolutions give their results in an order of their own. As long as nobody else sees that memory it may be
    exchanged; from the first view on it must stay where it is, and a later view may need any shape.
    """
    if array._data.is_contiguous():
        return
    with _layout:  # two threads that take views of one array must get the same memory
        if array._data.is_contiguous():
            return
        var = array._var
        if var is None or tensor_in_graph(array) is not var:
            array._data = array._data.contiguous()
        else:
            with torch.enable_grad():
                array._var = var.contiguous()
            array._data = array._var.data


def check_writable(array: NDArray) -> None:
    """Refuses to write to an array in the graph while recording."""
    if state.recording and array._var is not None and tensor_in_graph(array) is array._var:
        raise MXNetError(IN_GRAPH)


class Leaf:
    """Where the gradient of a variable goes. Called by torch when the gradient of a backward pass is complete."""

    __slots__ = ("fresh", "grad", "in_place", "req")

    def __init__(self, grad: NDArray, req: str, in_place: bool = False):
        """``in_place``: gradients are copied to where the buffer is, instead of taking its place where they may.

        That takes a little longer, and a network with many large ones needs up to a third less memory: new gradients
        lie scattered among the activations, and the gaps between them are lost for the next step.
        """
        self.grad = grad
        self.req = req
        self.fresh = False
        self.in_place = in_place

    def __call__(self, var: torch.Tensor) -> None:
        given = var.grad
        var.grad = None
        if given is None:
            return
        self.fresh = True
        if given.is_sparse:
            given = given.to_dense()
        if self.req == "add":
            self.grad._data.add_(given.to(self.grad._data.dtype))
        elif self.in_place:
            self.grad._data.copy_(given)
        else:
            self.grad._data = memory.handed_over(self.grad._data, given)
        if self.grad._landed is not None:
            self.grad._landed(self.grad)

    def clear(self) -> None:
        """Sets the gradient to zero."""
        self.grad._data.zero_()


class SparseLeaf(Leaf):
    """Where the gradient of a sparse variable goes, or one that is stored sparse."""

    __slots__ = ()

    def __call__(self, var: torch.Tensor) -> None:
        given = var.grad
        var.grad = None
        if given is None:
            return
        self.fresh = True
        if self.grad.stype == "default":
            value = given.to_dense() if given.is_sparse else given
            self.grad._data.copy_(self.grad._data + value if self.req == "add" else value)
        else:
            self.grad._receive(from_gradient(given, self.grad.stype), self.req == "add")  # type: ignore[attr-defined]

    def clear(self) -> None:
        if self.grad.stype == "default":
            self.grad._data.zero_()
        else:
            self.grad._clear()  # type: ignore[attr-defined]


def leaf_of(grad: NDArray, req: str, in_place: bool = False) -> Leaf:
    """Where the gradient of a dense variable goes, by the storage type of its buffer."""
    return Leaf(grad, req, in_place) if grad.stype == "default" else SparseLeaf(grad, req)


def attach_place(array: Any, grad: Any, req: str) -> tuple[torch.Tensor, Leaf | None]:
    """The leaf that stands for the elements of a sparse variable, and where its gradient goes."""
    if req not in GRAD_REQS:
        raise MXNetKeyError(f"grad_req must be one of {', '.join(GRAD_REQS)}, got {req!r}")
    place = leaf(place_for(array._value))
    if req == "null":
        in_graph(place).register_post_accumulate_grad_hook(_drop)
        _null_variables[:] = [True]
        return place, None
    receiver = SparseLeaf(grad, req)
    in_graph(place).register_post_accumulate_grad_hook(receiver)
    return place, receiver


def attach(array: NDArray, grad: NDArray | None, req: str, in_place: bool = False) -> None:
    """Makes ``array`` a variable whose gradient goes to ``grad`` by ``req``; for ``in_place`` see ``Leaf``."""
    if req not in GRAD_REQS:
        raise MXNetKeyError(f"grad_req must be one of {', '.join(GRAD_REQS)}, got {req!r}")
    array._grad = grad
    array._grad_req = req
    array._leaf = None
    if array.stype != "default":
        place = None if grad is None else attach_place(array, grad, req)
        array._place, array._leaf = place or (None, None)  # type: ignore[attr-defined]
        array._epoch = state.epoch
        return
    if grad is None:
        array._var = None
        return
    settle(array)
    var = leaf(array._data)
    if req == "null":  # a variable, too: what is computed from it is in the graph
        in_graph(var).register_post_accumulate_grad_hook(_drop)
        _null_variables[:] = [True]
        array._var, array._epoch = var, state.epoch
        return
    array._leaf = leaf_of(grad, req, in_place)
    in_graph(var).register_post_accumulate_grad_hook(array._leaf)
    array._var = var
    array._epoch = state.epoch


def _drop(variable: torch.Tensor) -> None:
    variable.grad = None


def _learns(variable: torch.Tensor) -> bool:
    return _drop not in (variable._post_accumulate_grad_hooks or {}).values()


#: Has there ever been a variable that asks for no gradient? Then backward looks for one that does.
_null_variables: list[bool] = []


def _heads(heads: list[NDArray], head_grads: list[NDArray | None] | None) -> tuple[list, list]:
    if head_grads is not None and len(head_grads) != len(heads):
        raise MXNetAssertionError(f"{len(heads)} head(s) but {len(head_grads)} head gradient(s) were given")
    tensors: list[torch.Tensor] = []
    grads: list[torch.Tensor] = []
    places: dict[int, int] = {}
    for i, head in enumerate(heads):
        plain = head.stype == "default"
        place = head._var if plain else head._place  # type: ignore[attr-defined]
        if place is None and (ends := _living(head._ties)):  # it has no gradient, but backward may start here
            tensors.append(ended_at(ends[0].detach().new_zeros(()), ends))
            grads.append(torch.ones_like(tensors[-1]))
            continue
        if place is None or (plain and tensor_in_graph(head) is not place):  # before any gradient is written
            raise MXNetError(NOT_IN_GRAPH)
        var = in_graph(place)
        given = head_grads[i] if head_grads is not None else None
        if given is not None:
            check_together(f"backward: head {i}", head._ctx, "its gradient", given._ctx)
        if given is None:
            grad = torch.ones_like(var)
        else:
            grad = given._data if given.stype == "default" else given._value.dense()  # type: ignore[attr-defined]
            if head.stype != "default" and var.shape != head.shape and var.numel() != grad.numel():
                grad = at_places(grad, head._value)  # type: ignore[attr-defined]
            if grad.shape != var.shape and grad.numel() >= var.numel():  # of more elements MXNet takes the first ones
                grad = grad.reshape(-1)[: var.numel()].reshape(var.shape)
            if grad.shape != var.shape:
                raise MXNetValueError(
                    f"backward: head gradient {i} has shape {tuple(grad.shape)}, the head has {tuple(var.shape)}"
                )
        if id(var) in places:  # of a head that is there twice MXNet takes the last gradient
            grads[places[id(var)]] = grad
            continue
        places[id(var)] = len(tensors)
        tensors.append(var)
        grads.append(grad)
    return tensors, grads


def at_places(grad: torch.Tensor, value: Any) -> torch.Tensor:
    """The elements of a dense gradient that a sparse head has."""
    return grad[value.rows(), value.indices] if value.stype == "csr" else grad.index_select(0, value.indices)


class _BackwardPasses:
    """How many backward passes of our own are running: then a leaf shared with torch obeys ``grad_req``, else torch."""

    def __init__(self) -> None:
        self.running = 0
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            self.running += 1

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            self.running -= 1


backward_passes = _BackwardPasses()


def run_backward(tensors: list[torch.Tensor], grads: list[torch.Tensor], retain_graph: bool) -> None:
    """Differentiates tensors; the gradients go to the hooks of the leaves."""
    with backward_passes:
        differentiate.run_backward(tensors, grads, retain_graph)


def backward(heads: list[NDArray], head_grads: list[NDArray | None] | None, retain_graph: bool, training: bool) -> None:
    """Differentiates ``heads``; the gradients land where ``attach`` said."""
    tensors, grads = _heads(heads, head_grads)
    if _null_variables and not any(map(_learns, differentiate.variables(tensors))):
        raise MXNetError(NO_VARIABLES)
    before, state.training = state.training, training
    try:
        run_backward(tensors, grads, retain_graph)
    except MXNetError:
        raise
    except RuntimeError as error:
        raise _translate_error(error) from error
    finally:
        state.training = before
    if not retain_graph:
        _forget(heads)


def _forget(heads: list[NDArray]) -> None:
    """After a backward pass: what was recorded for these heads is gone, they are constants from here on."""
    state.epoch += 1
    for head in heads:
        head._ties = ()
        if head._var is not None and head._var.grad_fn is not None:
            head._var = None
        elif head.stype != "default" and head._grad is None:
            head._place = None  # type: ignore[attr-defined]


def gradients(
    heads: list[NDArray],
    variables: list[NDArray],
    head_grads: list[NDArray | None] | None,
    retain_graph: bool,
    create_graph: bool,
    training: bool,
) -> list[torch.Tensor]:
    """The gradients of ``heads`` with respect to ``variables``."""
    tensors, grads = _heads(heads, head_grads)
    inputs = []
    for i, variable in enumerate(variables):
        place = variable._var if variable.stype == "default" else variable._place  # type: ignore[attr-defined]
        if place is None or (variable._grad_req == "null" and place.is_leaf):
            raise MXNetError(f"variable {i} is not in a computational graph: call attach_grad() before record()")
        inputs.append(in_graph(place))
    for i in differentiate.unreachable(tensors, inputs):  # before anything is done, so that the graph does not change
        raise MXNetError(
            f"Cannot differentiate with respect to variable {i} because it is unreachable from the outputs."
        )
    with Scope(None, training), torch.enable_grad():
        try:
            found = differentiate.gradients(tensors, grads, inputs, retain_graph, create_graph)
        except MXNetError:
            raise
        except RuntimeError as error:
            raise _translate_error(error) from error
        if not retain_graph:
            _forget(heads)
        results: list[torch.Tensor] = []
        for i, given in enumerate(found):
            # Memory of their own: a gradient may be a view of the head gradient, or be another one.
            if given.is_sparse:
                given = given.to_dense()
            if not memory.is_alone(given) or any(given is other for other in found[:i]):
                given = given.clone()
            dtype = torch_dtype(variables[i].dtype)
            if not dtype.is_floating_point:
                given = given.to(dtype)
            results.append(given if given.requires_grad or not create_graph else _Constant.apply(given, *inputs))
    return results


class _Constant(torch.autograd.Function):
    """A gradient that its variables have no part in, that of a linear function: differentiated again it gives zeros."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, *variables: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(*variables)
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:  # type: ignore[override]
        return (None, *map(torch.zeros_like, ctx.saved_tensors))


def _translate_error(error: RuntimeError) -> MXNetError:
    text = str(error)
    if "second time" in text or "does not require grad" in text:
        return MXNetError(NOT_IN_GRAPH)
    return MXNetError(f"backward failed: {text}")
