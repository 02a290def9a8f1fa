"""Gluon blocks as torch modules: what ``block.as_torch()`` gives."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy

from ..._core.tracing import is_traced
from ...autograd import pause
from ...context import cpu
from ...error import MXNetError, MXNetTypeError
from ...graph.program import Program
from ...ndarray.ndarray import NDArray, record_result, wrap
from ...ndarray.tape import Scope
from ..block import Block
from ..parameter import Parameter
from .torch_graph import Lowered, arrange, complete, flat, form_of, lower, run, signature_of
from .torch_link import check_leaves, context_of, link_of, map_nested, tie

__all__ = ["BlockModule", "as_module"]


class BlockModule(torch.nn.Module):
    """A block as a torch module, its children as submodules. Parameters share memory with those of the block.

    Moving averages and constants are buffers. ``train()`` and ``eval()`` of the module that is called hold for all of
    it. ``forward`` has the argument names of the block.

    torch.compile, torch.export, torch.jit.trace and AOTInductor see a graph of torch's operators. In ``train()`` the
    moving averages of such a graph are updated in the forward pass and random numbers are torch's.

    Parameters whose shape is not known yet are torch's uninitialized ones until the first call: make it before the
    optimizer. The first context counts if there are several.
    """

    _signature = inspect.Signature()
    #: The names of the arguments, and what they are if they are not given.
    _arguments: Sequence[tuple[str, Any]] = ()

    def __init__(self, block: Block):
        super().__init__()
        self._block = block
        #: For torch's compiler, which may look into what a module has, but not into a constant.
        self._graphs: dict[Any, Lowered] = {}
        self._sized: dict[Any, Program] = {}
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

    def __reduce_ex__(self, protocol: object) -> Any:
        return _empty, (self._signature,), {**self.__dict__, "_graphs": {}, "_sized": {}}

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

    def forward(self, *args: object, **named: object) -> Any:
        """What the block gives for these tensors."""
        if named:
            args = self._in_order(args, named)
        return self._run_recorded(args) if is_traced() else self._run(args)

    def _in_order(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        for name, default in self._arguments[len(args) :]:
            if name not in named and default is inspect.Parameter.empty:
                raise MXNetTypeError(f"{type(self._block).__name__} as a torch module needs the argument {name!r}")
            args = (*args, named.pop(name, default))
        if named:
            names = ", ".join([name for name, _ in self._arguments])
            raise MXNetTypeError(f"{type(self._block).__name__} takes ({names}), got {', '.join(named)} as well")
        return args

    def _run_recorded(self, args: tuple[object, ...]) -> object:
        """The same by torch's operators only, for whoever records them."""
        form = form_of(args)
        lowered = self._graphs[self._lower(form)]
        inputs = flat(args)
        values = []
        for number, place in lowered.sources:
            if number >= 0:
                values.append(inputs[number])
            else:
                owner, name, _ = self._shared[place]
                values.append(getattr(owner, name))
        program = lowered.program
        if lowered.is_shaped:
            if torch.compiler.is_dynamo_compiling():  # it records what Python does: for these sizes alone
                shapes = tuple([tuple([len([0] * n) for n in v.shape]) for v in values])
                program = self._sized[self._size(form, shapes)]
            else:
                program = complete(lowered, [v.shape for v in values])
        return arrange(lowered.form, run(lowered, program, values, self.training))

    def _lower(self, form: object) -> object:
        """Makes the graph for such arguments, unless it is there, and gives its key in ``_graphs``."""
        if form in self._graphs:
            return form
        names = []
        for owner, name, param in self._shared:
            if is_lazy(getattr(owner, name)):
                raise MXNetError(f"the shape of {param.name} is not known yet: call the module once before that")
            names.append(param.name)
        context = self._shared[0][2].list_ctx()[0] if self._shared else cpu()
        self._graphs[form] = lower(self._block, form, [name for name, _ in self._arguments], names, context)
        return form

    def _size(self, form: Any, shapes: Any) -> Any:
        """The same for a graph that is made for certain sizes, in ``_sized``."""
        if (form, shapes) not in self._sized:
            self._sized[form, shapes] = complete(self._graphs[form], shapes)
        return form, shapes

    # What torch.compiler.assume_constant_result does, which would load the compiler, for seconds: it does not look
    # into the function, and takes what it returns for a constant.
    _lower._dynamo_marked_constant = _size._dynamo_marked_constant = True  # type: ignore[attr-defined]

    def _run(self, args: tuple[Any, ...]) -> Any:
        check_leaves(args, torch.Tensor, "a block as a torch module")
        known = self._sync()
        contexts = self._shared[0][2].list_ctx()[:1] if self._shared else []
        if not known:  # a first run, which nobody records, tells parameters their shapes
            with pause(), torch.no_grad():
                self._block(*map_nested(args, torch.Tensor, lambda t: wrap(t.detach(), context_of(t, contexts))))
            self._sync()

        def array_of(tensor: torch.Tensor) -> NDArray:
            context = context_of(tensor, contexts)
            if tensor.requires_grad and torch.is_grad_enabled():
                return record_result(tensor, context)
            return wrap(tensor.detach(), context)

        given = map_nested(args, torch.Tensor, array_of)
        with Scope(torch.is_grad_enabled(), self.training):
            out = self._block(*given)
        return map_nested(out, NDArray, lambda a: a._data if a._var is None else a._var)


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
    return _kind(signature_of(block))(block)


def _empty(signature: inspect.Signature) -> BlockModule:
    """A module that a pickle or a copy fills."""
    kind = _kind(signature)
    return kind.__new__(kind)


@functools.lru_cache(256)
def _kind(signature: inspect.Signature) -> type[BlockModule]:
    """The class whose ``forward`` has these arguments: torch asks it for their names."""

    class Named(BlockModule):
        def forward(self, *args: object, **named: object) -> Any:
            return BlockModule.forward(self, *args, **named)

    first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    given = list(signature.parameters.values())
    if any(p.kind is p.POSITIONAL_OR_KEYWORD for p in given):
        first = first.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
    Named.forward.__signature__ = signature.replace(parameters=[first, *given])  # type: ignore[attr-defined]
    Named.forward.__doc__ = BlockModule.forward.__doc__
    Named.__name__ = Named.__qualname__ = BlockModule.__name__
    Named.__doc__ = BlockModule.__doc__
    Named._signature = signature
    Named._arguments = [(p.name, p.default) for p in given if p.kind is p.POSITIONAL_OR_KEYWORD]
    return Named
