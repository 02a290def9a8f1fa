"""The HybridBlock: traced once into a graph, it runs without Python."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from types import ModuleType
from typing import Any

from .. import ndarray, symbol
from .._cached_op import CachedOp
from .._core.files import writing_together
from .._core.garbage import no_collection
from .._core.signature import overridable
from .._core.types import Array, DType
from ..base import numpy_mode
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from ..graph.backends import check_backend, operators_of
from ..ndarray import NDArray
from ..ndarray.kinds import both_kinds
from ..symbol import Group, Symbol, var
from .block import Block
from .nested import _first_tensor, _flatten, _regroup, _without_last_nones
from .parameter import DeferredInitializationError, Parameter
from .parameter_dict import ParameterDict
from .utils import MXNetAssertionError

#: Held while a block is traced or completed: threads may call a new one at the same time. Blocks nest.
_tracing = threading.RLock()


def _variable(name: str, numpy: bool) -> Symbol:
    return var(name).as_np_ndarray() if numpy else var(name)


class HybridBlock(Block):
    """A block that computes by ``hybrid_forward(F, x, ..., weight=...)``, where F is ``mx.nd`` or ``mx.sym``.

    After ``hybridize()`` the first call traces it with symbols into a graph; from then on the graph runs, not Python.
    """

    __module__ = "mxnet.gluon.block"  # the module of the original, which programs and pickles name

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None):
        super().__init__(prefix=prefix, params=params)
        self._cached_graph: tuple = ()
        self._cached_op: CachedOp | None = None
        #: For each input of the graph: the number of an argument, or a parameter.
        self._sources: list[int | Parameter] = []
        self._in_format: Any = None
        self._out_format: Any = None
        self._active = False
        self._flags: dict[str, Any] = {}
        self._backend: str | None = None
        self._op_hook: tuple | None = None

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if isinstance(value, HybridBlock):
            self._clear_cached_op()

    # ---- tracing ----------------------------------------------------------------------------------------------------

    def _get_graph(self, *args: object) -> tuple:
        """The block as a graph: the variables for its arguments, and its outputs."""
        if not self._cached_graph:
            flat, self._in_format = _flatten(list(args), "input")
            count = sum(a is not None for a in flat)
            names = iter(["data"] if count == 1 else [f"data{i}" for i in range(count)])
            numpy = numpy_mode.array or any(getattr(a, "_numpy", False) for a in flat)
            variables = [None if a is None else _variable(next(names), numpy) for a in flat]
            grouped, _ = _regroup(variables, self._in_format)
            params = {name: param.var() for name, param in self._reg_params.items()}
            with self.name_scope(), both_kinds() if numpy else nullcontext():
                out = self.hybrid_forward(symbol, *grouped, **params)
            if out is None:
                raise MXNetTypeError(f"{type(self).__name__}.hybrid_forward returned None: is there a return missing?")
            outputs, self._out_format = _flatten(out, "output")
            self._cached_graph = [v for v in variables if v is not None], Group(outputs)
        return self._cached_graph

    def _build_cache(self, *args: object) -> None:
        inputs, out = self._get_graph(*args)
        places = {v.name: i for i, v in enumerate(inputs)}
        params = self.collect_params()
        wanted = out.list_inputs()
        for name in wanted:
            if name not in places and name not in params:
                raise MXNetAssertionError(f"Unknown input to HybridBlock: {name}")
        used = set(wanted)
        unused = ", ".join(str(i) + "-th" for name, i in places.items() if name not in used)
        if unused:
            warnings.warn(
                f"The {unused} input to HybridBlock is not used by any computation. Is this intended?", stacklevel=5
            )
        unused = ", ".join(sorted(name for name in params if name not in used))
        if unused:
            warnings.warn(f"Parameter {unused} is not used by any computation. Is this intended?", stacklevel=5)
        self._sources = [places[name] if name in places else params[name] for name in wanted]
        if self._backend is not None and operators_of(self._backend):
            out = out._for_backend(self._backend)
            self._cached_graph = inputs, out
        self._cached_op = CachedOp(out, self._flags, self._backend)
        if self._op_hook is not None:
            self._cached_op._register_op_hook(*self._op_hook)

    def _clear_cached_op(self) -> None:
        self._cached_graph = ()
        self._cached_op = None

    def _call_cached_op(self, *args: Any) -> Any:
        if self._cached_op is None:
            with _tracing:
                if self._cached_op is None:
                    with no_collection():
                        self._build_cache(*args)
        flat: Sequence[Any]
        if all([isinstance(a, NDArray) for a in args]):
            flat, form = args, [0] * len(args)
        else:
            flat, form = _flatten(list(args), "input")
            flat = [a for a in flat if a is not None]
        if form != self._in_format and _without_last_nones(form) != _without_last_nones(self._in_format):
            raise MXNetValueError(
                "The argument structure of HybridBlock does not match the cached version. Stored format = "
                f"{self._in_format}, input format = {form}"
            )
        context = flat[0]._ctx
        for array in flat:
            if array._ctx is not context:
                self._check_one_context(flat)
        try:
            values = [flat[s] if s.__class__ is int else s.data(context) for s in self._sources]  # type: ignore
        except DeferredInitializationError:
            with _tracing:
                self._deferred_infer_shape(*args)
                for source in self._sources:
                    if isinstance(source, Parameter):
                        source._finish_deferred_init()
            values = [flat[s] if isinstance(s, int) else s.data(context) for s in self._sources]
        out = self._cached_op(*values)  # type: ignore[misc]
        if self._out_format == 0:
            return out
        return _regroup([out] if isinstance(out, NDArray) else out, self._out_format)[0]

    @staticmethod
    def _check_one_context(arrays: Sequence[NDArray]) -> None:
        contexts = {a._ctx for a in arrays}
        if len(contexts) > 1:
            raise MXNetValueError(
                "Find multiple contexts in the input, After hybridized, the HybridBlock only supports one input "
                f"context. You can print the ele.ctx in the input arguments to inspect their contexts. Find all "
                f"contexts = {contexts}"
            )

    def optimize_for(
        self,
        x: object,
        *args: object,
        backend: str | None = None,
        clear: bool = False,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: object,
    ) -> None:
        """Hybridizes for a backend, ``'inductor'`` for one, and runs once on these inputs."""
        if not backend:
            raise MXNetValueError('Must specify "backend" to optimize_for')
        self.hybridize(
            True,
            backend,
            clear,
            static_alloc,
            static_shape,
            inline_limit,
            forward_bulk_size,
            backward_bulk_size,
            **kwargs,
        )
        self(x, *args)

    def hybridize(
        self,
        active: bool = True,
        backend: str | None = None,
        clear: bool = True,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: object,
    ) -> None:
        """From now on runs as a graph, traced in the next call; ``hybridize(False)`` goes back to Python.

        ``backend='inductor'`` compiles the graph by ``torch.compile``. The other flags are accepted without effect.
        """
        check_backend(backend)
        if static_shape and not static_alloc:
            raise MXNetValueError("static_alloc must be True when static_shape is True")
        self._active = active
        self._backend = backend
        self._flags = {"static_alloc": static_alloc, "static_shape": static_shape, "inline_limit": inline_limit}
        for name, size in (("forward_bulk_size", forward_bulk_size), ("backward_bulk_size", backward_bulk_size)):
            if size is not None:
                self._flags[name] = size
        if clear:
            self._clear_cached_op()
        else:
            self._cached_op = None
        if active and (self._forward_hooks or self._forward_pre_hooks):
            warnings.warn(
                f'"{self}" is being hybridized while still having forward hook/pre-hook. If "{self}" is a child of '
                "HybridBlock, the hooks will not take effect.",
                stacklevel=2,
            )
        super().hybridize(active, **self._flags)

    def cast(self, dtype: DType) -> None:
        """Converts all parameters to another dtype."""
        self._clear_cached_op()
        super().cast(dtype)

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Makes a HybridBlock a child."""
        if not isinstance(block, HybridBlock):
            raise MXNetValueError(
                f"Children of HybridBlock must also be HybridBlock, but {block} has type {type(block)}. If you are "
                "using Sequential, please try HybridSequential instead."
            )
        super().register_child(block, name)
        self._clear_cached_op()

    def register_op_hook(self, callback: Callable[[str, str, NDArray], object], monitor_all: bool = False) -> None:
        """When hybridized: calls ``callback(name, operator, array)`` for what each operator gives, or also takes."""
        self._op_hook = callback, monitor_all
        if self._cached_op is not None:
            self._cached_op._register_op_hook(callback, monitor_all)
        super().register_op_hook(callback, monitor_all)

    # ---- shapes and types -------------------------------------------------------------------------------------------

    def infer_shape(self, *args: object) -> None:
        """Tells the parameters their shapes from those of the inputs."""
        self._infer_attrs("infer_shape", "shape", *args)

    def infer_type(self, *args: object) -> None:
        """Tells the parameters their dtypes from those of the inputs."""
        self._infer_attrs("infer_type", "dtype", *args)

    def _infer_attrs(self, infer_fn: str, attr: str, *args: object) -> None:
        inputs, out = self._get_graph(*args)
        flat = [a for a in _flatten(list(args), "input")[0] if a is not None]
        known = set(out.list_inputs())
        given = {v.name: getattr(a, attr) for v, a in zip(inputs, flat, strict=True) if v.name in known}
        arguments, _, states = getattr(out, infer_fn)(**given)
        if arguments is None:
            raise MXNetValueError(
                f"the {attr}s of {self.name}'s parameters cannot be inferred from the inputs: {given}"
            )
        found = dict(zip(out.list_arguments(), arguments, strict=True))
        found.update(zip(out.list_auxiliary_states(), states, strict=True))
        for name, param in self.collect_params().items():
            if name in found:
                setattr(param, attr, found[name])

    def _deferred_infer_shape(self, *args: object) -> None:
        try:
            self.infer_shape(*args)
        except MXNetError as error:
            if not isinstance(error, ValueError) or "attribute" in str(error).partition(" expects ")[0]:
                raise
            raise MXNetValueError(
                f"Deferred initialization failed because shape cannot be inferred. {error}"
            ) from error
        except Exception as error:
            raise MXNetValueError(
                f"Deferred initialization failed because shape cannot be inferred. {error}"
            ) from error

    # ---- files -----------------------------------------------------------------------------------------------------

    def export(self, path: str, epoch: int = 0, remove_amp_cast: bool = True) -> None:
        """Writes ``path-symbol.json`` and ``path-0000.params``, for SymbolBlock.imports, Module and other languages."""
        if not self._cached_graph:
            raise MXNetError(
                "Please first call block.hybridize() and then run forward with this block at least once before calling "
                "export."
            )
        out = self._cached_graph[1]
        states, params = set(out.list_auxiliary_states()), self.collect_params()
        used = dict.fromkeys(out.list_inputs())
        arrays = {
            f"{'aux' if name in states else 'arg'}:{name}": params[name]._reduce() for name in used if name in params
        }
        for name in params:
            if name not in used:
                warnings.warn(f"Parameter '{name}' is not used in the graph and is not exported", stacklevel=2)
        with writing_together():
            out.save(f"{path}-symbol.json", remove_amp_cast=remove_amp_cast)
            ndarray.save(f"{path}-{epoch:04d}.params", arrays)

    def _graph_description(self) -> dict[str, Any]:
        """The graph, if the block is hybridized and has run, for ``save``."""
        found: dict[str, Any] = {}
        if self._cached_graph and self._active:
            inputs, out = self._cached_graph
            found["in_format"], found["out_format"] = self._in_format, self._out_format
            found["inputs"] = [v.tojson() for v in inputs]
            found["symbol"] = out.tojson()
        found["hybridized"] = bool(found)
        return found

    def _restore_graph(self, own: Mapping[str, object]) -> None:
        if own.get("hybridized"):
            self.hybridize()

    # ---- running ----------------------------------------------------------------------------------------------------

    @overridable
    def forward(self, x: Any, *args: Any) -> Any:
        """Runs the graph if hybridized, else ``hybrid_forward`` with arrays or symbols, as the inputs are."""
        if isinstance(x, NDArray) and (not args or all([isinstance(a, NDArray) for a in args])):
            context = x._ctx
        else:
            first = _first_tensor((x, *args))
            if isinstance(first, Symbol):
                variables = {name: param.var() for name, param in self._reg_params.items()}
                with self.name_scope(), both_kinds() if first._numpy else nullcontext():
                    return self.hybrid_forward(symbol, x, *args, **variables)
            if first is None:
                raise MXNetValueError(
                    "In HybridBlock, there must be one NDArray or one Symbol in the input. Please check the type of "
                    f"the args: got {', '.join(type(arg).__name__ for arg in (x, *args))}. Convert NumPy arrays with "
                    "mx.nd.array(x), PyTorch tensors with mx.nd.from_torch(x)\n"
                )
            context = first._ctx
        if self._active:
            return self._call_cached_op(x, *args)
        try:
            params = {name: param.data(context) for name, param in self._reg_params.items()}
        except DeferredInitializationError:
            with _tracing:
                self._deferred_infer_shape(x, *args)
                for param in self.params.values():
                    param._finish_deferred_init()
            params = {name: param.data(context) for name, param in self._reg_params.items()}
        if x.__class__ is not NDArray and (numpy_mode.array or getattr(x, "_numpy", False)):
            with both_kinds():  # layers are written once, for both kinds of arrays
                return self.hybrid_forward(ndarray, x, *args, **params)
        return self.hybrid_forward(ndarray, x, *args, **params)

    @overridable
    def hybrid_forward(self, F: ModuleType, x: Any, *args: Any, **kwargs: Any) -> Array:
        """What the block computes with the functions of F, ``mx.nd`` or ``mx.sym``; to be overridden."""
        raise NotImplementedError(f"{type(self).__name__} must define hybrid_forward(self, F, x, ...)")
