"""Torch modules as Gluon blocks: ``TorchBlock(module)``; the way back is ``block.as_torch()``.

    net = nn.Sequential()
    net.add(nn.Dense(64), TorchBlock(torch.nn.GELU()), TorchBlock(torch.nn.Linear(64, 10)))

Parameters are shared, not copied: what a Trainer changes the module has, and the other way round.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.parameter import is_lazy

from ... import initializer
from ..._core.dtypes import NUMPY_OF, torch_dtype
from ..._core.types import Devices, DType, Init
from ...context import Context, as_contexts
from ...error import MXNetTypeError, MXNetValueError
from ...ndarray.gate import Function, copy_if_aliased, enter, leave
from ...ndarray.ndarray import NDArray
from ...ndarray.tape import state, tensor_in_graph
from ...ops.sparse import dense
from ..block import Block
from ..parameter import Parameter
from .torch_link import adopt, check_leaves, context_of, map_nested, parameter_of, tie

__all__ = ["TorchBlock"]


class TorchParameter(Parameter):
    """A parameter of a torch module, which has values from the start."""

    def initialize(
        self,
        init: Init = None,
        ctx: Devices = None,
        default_init: Init = initializer.Uniform(),  # noqa: B008  (the original's signature)
        force_reinit: bool = False,
    ) -> None:
        """Keeps the module's values and goes to ``ctx``; only ``force_reinit`` makes new ones, of what is learned."""
        if force_reinit and self._differentiable:
            super().initialize(init, ctx, default_init, force_reinit)
        elif ctx is not None and as_contexts(ctx) != self.list_ctx():
            self.reset_ctx(ctx)


class TorchBlock(Block):
    """A torch module as a block: in a Sequential, under ``autograd.record()``, with a Trainer, in files.

    Its parameters are Gluon parameters in the same memory, named as in torch; its buffers are parameters without a
    gradient. ``grad`` of the two is one. ``initialize`` leaves the values that the module came with, unless
    ``force_reinit`` is set. In ``train_mode`` the module is put into ``train()``, else into ``eval()``; parts that were
    in ``eval()`` beforehand stay so. Arguments and results may be nested in lists, tuples and dicts. With parameters on
    several contexts the module runs with those of the input's. It is no HybridBlock: the module runs eagerly.
    """

    def __init__(self, module: torch.nn.Module, prefix: str | None = None):
        if not isinstance(module, torch.nn.Module):
            raise MXNetTypeError(f"TorchBlock takes a torch.nn.Module, got {type(module).__name__}")
        super().__init__(prefix=prefix)
        self.module = module
        self._frozen: set[torch.nn.Module] = set()
        #: Name and parameter of each tensor, and the part of the module that has it.
        self._owners: list[tuple[str, Parameter, torch.nn.Module]] = []
        for name, tensor in module.named_parameters():
            self._share(name, tensor, "write" if tensor.requires_grad else "null", True)
        for name, buffer in module.named_buffers():
            self._share(name, buffer, "null", False)

    def _share(self, name: str, tensor: torch.Tensor, req: str, differentiable: bool) -> None:
        if is_lazy(tensor):
            raise MXNetValueError(
                f"{name} of the module has no shape yet: run the module once on torch tensors before it becomes a block"
            )
        param = parameter_of(tensor)
        if param is None:
            full = self.prefix + name.replace(".", "_")
            if full in self.params:
                full = self.prefix + name
            kind = NUMPY_OF[torch_dtype(tensor.dtype)]
            param = TorchParameter(
                full, grad_req=req, shape=tuple(tensor.shape), dtype=kind, differentiable=differentiable
            )
            adopt(param, tensor, [context_of(tensor)])
            tie(param, tensor)
        self.params._params[param.name] = param
        self._reg_params[name] = param
        self._owners.append((name, param, self.module.get_submodule(name.rpartition(".")[0])))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.module})"

    def _sync(self) -> None:
        for name, param, owner in self._owners:
            kept = owner._parameters if param._differentiable else owner._buffers
            tensor = kept.get(name.rpartition(".")[2])
            if tensor is None:
                raise MXNetValueError(f"{name} is no longer part of the module: make a new TorchBlock of it")
            tie(param, tensor)  # anew after a pickle, or if the module has replaced it

    def as_torch(self) -> torch.nn.Module:
        """The module."""
        self._sync()
        return self.module

    def cast(self, dtype: DType) -> None:
        """Converts parameters and buffers of a floating type."""
        self._sync()
        self.module.to(torch_dtype(dtype))
        self._sync()

    def _set_mode(self, training: bool) -> None:
        module = self.module
        if module.training is training:
            return
        if training:
            module.train()
            for part in self._frozen:
                part.training = False
        else:
            self._frozen = {part for part in module.modules() if not part.training}
            module.eval()

    def forward(self, *args: Any) -> Any:
        """What the module gives for these arrays."""
        check_leaves(args, NDArray, "TorchBlock")
        self._sync()
        self._set_mode(state.training)
        arrays: list[NDArray] = []
        map_nested(args, NDArray, arrays.append)
        entered, context, _, _ = enter(Function(f"TorchBlock({type(self.module).__name__})"), arrays, None)
        tensors = iter([dense(value) for value in entered])
        if context is None:
            context = self._owners[0][1].list_ctx()[0] if self._owners else context_of(torch.empty(0))
        with torch.set_grad_enabled(state.recording):
            out = self._run(context, map_nested(args, NDArray, lambda _: next(tensors)))

            def array_of(tensor: torch.Tensor) -> NDArray:
                torch_dtype(tensor.dtype)
                return leave(copy_if_aliased(tensor, entered), context, None, arrays)

            return map_nested(out, torch.Tensor, array_of)

    def _run(self, context: Context, args: Any) -> Any:
        if not self._owners or self._owners[0][1]._data[0]._ctx is context:  # type: ignore[index]
            return self.module(*args)
        recording = state.recording
        tensors = {}
        for name, param, _ in self._owners:
            array = param.data(context)
            tensors[name] = tensor_in_graph(array) if recording and param._differentiable else array._data
        return torch.func.functional_call(self.module, tensors, args)
