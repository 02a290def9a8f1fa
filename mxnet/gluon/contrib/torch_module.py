"""Gluon blocks as torch modules: what ``block.as_torch()`` gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter

from ...autograd import pause
from ...error import MXNetError
from ...ndarray.ndarray import NDArray, record_result, wrap
from ...ndarray.tape import Scope
from ..block import Block
from ..parameter import Parameter
from .torch_link import check_leaves, context_of, link_of, mapped, tie

__all__ = ["BlockModule", "as_module"]


class BlockModule(torch.nn.Module):
    """A block as a torch module, its children as submodules. Parameters share memory with those of the block.

    Moving averages and constants are buffers. ``train()`` and ``eval()`` of the module that is called hold for all of
    it. Parameters whose shape is not known yet are torch's uninitialized ones until the first call: make it before the
    optimizer. The first context counts if there are several.
    """

    def __init__(self, block: Block):
        super().__init__()
        self._block = block
        #: The parameters of the block and its children: who has it, under which name.
        self._shared: list[tuple[torch.nn.Module, str, Parameter]] = []
        for param in block.params.values():
            if not any(param is known for known in block._reg_params.values()):
                self._share(param.name.removeprefix(block.prefix), param)
        for name, param in block._reg_params.items():
            self._share(name, param)
        for name, child in block._children.items():
            module = child.as_torch()
            self.add_module(self._free(name), module)
            self._shared += getattr(module, "_shared", [])

    def _free(self, name: str) -> str:
        """A name that a part of this module may have."""
        name = name.replace(".", "_")
        return f"{name}_" if hasattr(self, name) else name

    def _share(self, name: str, param: Parameter) -> None:
        if param._data is None and not param._deferred_init:
            raise MXNetError(f"Parameter '{param.name}' has not been initialized: call initialize() before as_torch()")
        link = link_of(param)
        tensor = link.tensor if link is not None else _tensor_for(param)
        tie(param, tensor)
        name = self._free(name)
        self._shared.append((self, name, param))
        if isinstance(tensor, torch.nn.Parameter):
            self.register_parameter(name, tensor)
        else:
            self.register_buffer(name, tensor)

    def extra_repr(self) -> str:
        """The kind of block, and its arguments."""
        return repr(self._block) if not self._block._children else type(self._block).__name__

    def _sync(self) -> bool:
        """Makes both sides one again, if one has exchanged something; are all shapes known?"""
        known = True
        for owner, name, param in self._shared:
            tie(param, getattr(owner, name))
            known = known and param._data is not None
        return known

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> BlockModule:
        super()._apply(fn, recurse)
        self._sync()
        return self

    def forward(self, *args: Any) -> Any:
        """What the block gives for these tensors."""
        check_leaves(args, torch.Tensor, "a block as a torch module")
        known = self._sync()
        contexts = self._shared[0][2].list_ctx()[:1] if self._shared else []
        if not known:  # a first run, which nobody records, tells parameters their shapes
            with pause(), torch.no_grad():
                self._block(*mapped(args, torch.Tensor, lambda t: wrap(t.detach(), context_of(t, contexts))))
            self._sync()

        def array_of(tensor: torch.Tensor) -> NDArray:
            context = context_of(tensor, contexts)
            if tensor.requires_grad and torch.is_grad_enabled():
                return record_result(tensor, context)
            return wrap(tensor.detach(), context)

        given = mapped(args, torch.Tensor, array_of)
        with Scope(torch.is_grad_enabled(), self.training):
            out = self._block(*given)
        return mapped(out, NDArray, lambda a: a._data if a._var is None else a._var)


def _tensor_for(param: Parameter) -> torch.Tensor:
    learned = param.grad_req != "null"
    if param._data is None:
        if param._differentiable:
            return UninitializedParameter(requires_grad=learned)
        return UninitializedBuffer()
    data = param._data[0]._data.detach()
    return torch.nn.Parameter(data, requires_grad=learned) if param._differentiable else data


def as_module(block: Block) -> BlockModule:
    """A block as a torch module; the same parameters are the same torch parameters in every module made of it."""
    return BlockModule(block)
