"""How a Gluon parameter and a torch tensor are one: the same memory, the same gradient, the same place in graphs.

A ``Link`` ties the parameter's first array to a tensor, which is also the array's leaf in recorded graphs, so that a
backward pass of either side fills the gradient of both. Either side may exchange its half, by ``cast`` or ``reset_ctx``
here, by ``module.to`` there; ``sync`` notices and makes the other half follow. It is called before each forward.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.nn.parameter import is_lazy
from torch.utils.weak import WeakIdKeyDictionary

from ..._core.dtypes import NUMPY_OF, torch_dtype
from ..._core.memory import expose
from ...context import Context, cpu
from ...error import MXNetTypeError
from ...ndarray.ndarray import NDArray, wrap
from ...ndarray.tape import Leaf, backward_passes
from ...symbol import Symbol
from ..parameter import Parameter

_links: weakref.WeakKeyDictionary[Parameter, Link] = weakref.WeakKeyDictionary()
_parameters: WeakIdKeyDictionary = WeakIdKeyDictionary()


class _SharedLeaf(Leaf):
    """Keeps ``tensor.grad`` and the gradient of the array one memory."""

    __slots__ = ()

    def before(self, grad: torch.Tensor, tensor: torch.Tensor) -> None:
        """Called with a new gradient: ours replaces the last one, torch's is added to it."""
        if self.req == "write" and backward_passes.running:
            tensor.grad = None
        elif self.req == "add" and backward_passes.running and tensor.grad is None:
            tensor.grad = self.grad._data  # torch has dropped it, Gluon has not

    def __call__(self, tensor: torch.Tensor) -> None:
        given, mine = tensor.grad, self.grad._data
        self.fresh = True
        if given is not None and given.data_ptr() != mine.data_ptr():
            mine.copy_(given)
            tensor.grad = mine


class Link:
    """The tie between a parameter and a tensor. It does not hold the parameter, which holds it."""

    def __init__(self, tensor: torch.Tensor):
        self.tensor = tensor
        self._array: NDArray | None = None
        self._learned = tensor.requires_grad
        self._hooks: list[Any] = []

    def sync(self, param: Parameter) -> None:
        """Makes one of the two follow the other, if that has been exchanged since."""
        tensor, arrays = self.tensor, param._data
        if arrays is None:
            return
        array = arrays[0]
        if is_lazy(tensor):
            tensor.materialize(array.shape, dtype=array._data.dtype)
        if array is not self._array:
            self._follow_gluon(param)
        elif tensor.data_ptr() != array._data.data_ptr() or tensor.dtype is not array._data.dtype:
            self._follow_torch(param)
        elif tensor.requires_grad is not self._learned:
            param.grad_req = "write" if tensor.requires_grad else "null"
            self._attach(param, True)
        elif array._var is not (tensor if self._learned else None):
            self._attach(param, False)

    def _follow_gluon(self, param: Parameter) -> None:
        assert param._data is not None
        data = param._data[0]._data
        same = self.tensor.data_ptr() == data.data_ptr()
        self.tensor.data = data
        self._attach(param, same)

    def _follow_torch(self, param: Parameter) -> None:
        adopt(param, self.tensor, param.list_ctx())
        self._attach(param, True)

    def _attach(self, param: Parameter, keep_grad: bool) -> None:
        assert param._data is not None
        array, tensor = param._data[0], self.tensor
        for hook in self._hooks:
            hook.remove()
        self._hooks = []
        array._data = expose(tensor.data)
        self._array = array
        self._learned = param.grad_req != "null"
        tensor.requires_grad_(self._learned)
        if not self._learned:
            array._var, array._leaf = None, None
            return
        assert param._grad is not None
        if tensor.grad is not None:
            if keep_grad:
                param._grad[0]._data = tensor.grad
            else:
                tensor.grad = None
        leaf = _SharedLeaf(param._grad[0], param.grad_req)
        before = weakref.ref(tensor)
        self._hooks = [
            tensor.register_hook(lambda grad: leaf.before(grad, before())),  # type: ignore[arg-type]
            tensor.register_post_accumulate_grad_hook(leaf),
        ]
        array._var, array._leaf = tensor, leaf


def context_of(tensor: torch.Tensor, contexts: list[Context] | None = None) -> Context:
    """The context of a tensor: one of those given, if it is on that device."""
    for context in contexts or []:
        if context.torch_device == tensor.device:
            return context
    return Context("gpu", tensor.device.index or 0) if tensor.is_cuda else cpu()


def adopt(param: Parameter, tensor: torch.Tensor, contexts: list[Context]) -> None:
    """Gives a parameter the memory of a tensor, and copies of it for further contexts."""
    first = context_of(tensor, contexts[:1])
    data = tensor.detach()
    param._dtype = NUMPY_OF[torch_dtype(data.dtype)]
    param._var = None
    param._shape = tuple(data.shape)
    param._data = [wrap(data, first)] + [wrap(data, first).copyto(c) for c in contexts[1:] if c != first]
    param._deferred_init = ()
    param._init_grad()


def tie(param: Parameter, tensor: torch.Tensor) -> Link:
    """Ties the two, if they are not yet, and makes them one if one of them has been exchanged."""
    link = _links.get(param)
    if link is None:
        link = _links[param] = Link(tensor)
        _parameters[tensor] = weakref.ref(param)
    elif link.tensor is not tensor:
        link.tensor = tensor
        _parameters[tensor] = weakref.ref(param)
    link.sync(param)
    return link


def link_of(param: Parameter) -> Link | None:
    """The link of a parameter, if it has one."""
    return _links.get(param)


def parameter_of(tensor: torch.Tensor) -> Parameter | None:
    """The parameter that a tensor is tied to, if there is one."""
    found = _parameters.get(tensor)
    return None if found is None else found()


def map_nested(value: Any, kind: Any, function: Callable[[Any], Any]) -> Any:
    """A value, or nested lists, tuples and dicts of values, with ``function`` applied to those of a kind or kinds."""
    if isinstance(value, kind):
        return function(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[map_nested(v, kind, function) for v in value])
    if isinstance(value, list | tuple):
        return type(value)([map_nested(v, kind, function) for v in value])
    if isinstance(value, Mapping):
        return {k: map_nested(v, kind, function) for k, v in value.items()}
    return value


def check_leaves(value: object, kind: type, what: str) -> None:
    """Refuses arrays of the other library, which would be treated as constants, and symbols."""
    other: Any = (torch.Tensor, Symbol) if kind is NDArray else (NDArray, Symbol)

    def refuse(item: object) -> None:
        raise MXNetTypeError(f"{what} takes {kind.__name__}s, got a {type(item).__name__}")

    map_nested(value, other, refuse)
