"""Parameters: named arrays on one or several devices, with gradients, initialized as soon as their shape is known."""

from __future__ import annotations

import mmap
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from .. import initializer
from .._core.dtypes import torch_dtype
from .._core.types import Devices, DType, Init
from ..autograd import pause
from ..context import Context, as_contexts, cpu, current_context
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from ..graph.limits import refuse_large_array
from ..ndarray import NDArray, array
from ..ndarray.kinds import both_kinds, current_kind
from ..ndarray.ndarray import wrap
from ..ndarray.numpy.functions import array as np_array
from ..ndarray.sparse import zeros as sparse_zeros
from ..ndarray.sparse_array import wrap_any
from ..ndarray.tape import GRAD_REQS, attach
from ..ops.sparse import RowSparse
from ..symbol import Symbol, var
from ..util import is_np_array, is_np_shape
from .sparse_parameter import SparseRows, attach_rows
from .utils import MXNetAssertionError, shape_is_known

if TYPE_CHECKING:  # at run time mxnet/_core/namespace.txt gives it to this module
    from .parameter_dict import ParameterDict

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict", "tensor_types"]

tensor_types = (Symbol, NDArray)
_STYPES = ("default", "row_sparse", "csr")


#: Gradients of more bytes stay where they are, which takes a copy but less memory: see ``Leaf``.
_LARGE = 4 << 20


def _kind(array: NDArray) -> type[NDArray]:
    """The class of a dense array that goes with this one."""
    return array.__class__ if array.stype == "default" else NDArray


def _lazy_zeros_like(tensor: torch.Tensor) -> torch.Tensor:
    """Zeros whose memory the system provides when they are first written to, if they are large.

    A network that only predicts has gradients, too, which would double its memory.
    """
    size = tensor.numel() * tensor.element_size()
    if tensor.device.type != "cpu" or size < 1 << 16 or not hasattr(mmap, "MAP_ANONYMOUS"):
        return torch.zeros_like(tensor)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return torch.frombuffer(memory, dtype=tensor.dtype).view(tensor.shape).detach()


class DeferredInitializationError(MXNetError):
    """A parameter is asked for its data before its shape is known."""


class Parameter(SparseRows):
    """A named array that a block learns, kept on one or several devices together with its gradient.

    ``grad_req`` is ``'write'`` (a gradient replaces the one before), ``'add'`` or ``'null'``. Dimensions of ``shape``
    that are not known yet are 0; with ``allow_deferred_init`` they may still be unknown when ``initialize`` is called.
    ``lr_mult`` and ``wd_mult`` multiply the learning rate and weight decay of a Trainer. A ``grad_stype`` of
    ``'row_sparse'`` makes a gradient of the rows that were used. With ``stype='row_sparse'`` the Trainer's store holds
    all rows, and ``row_sparse_data`` gives those that are needed.

    >>> weight = gluon.Parameter("weight", shape=(2, 2))
    >>> weight.initialize(mx.init.One())
    >>> weight.data()
    [[1. 1.]
     [1. 1.]]
    <NDArray 2x2 @cpu(0)>
    """

    def __init__(
        self,
        name: str,
        grad_req: str = "write",
        shape: Any = None,
        dtype: Any = np.float32,
        lr_mult: float = 1.0,
        wd_mult: float = 1.0,
        init: Any = None,
        allow_deferred_init: bool = False,
        differentiable: bool = True,
        stype: str = "default",
        grad_stype: str = "default",
    ):
        self._var: Symbol | None = None
        self._data: list[NDArray] | None = None
        self._grad: list[NDArray] | None = None
        self._deferred_init: tuple = ()
        self._trainer_ref: Callable[[], Any] | None = None
        self._differentiable = differentiable
        self._allow_deferred_init = allow_deferred_init
        self._grad_req: str | None = None
        self._shape = (int(shape),) if isinstance(shape, int | np.integer) else None if shape is None else tuple(shape)
        self._dtype = dtype
        self.name = name
        self.lr_mult = lr_mult
        self.wd_mult = wd_mult
        self.init = init
        self.grad_req = grad_req
        for which, kind in (("grad_stype", grad_stype), ("stype", stype)):
            if kind not in _STYPES:
                raise MXNetAssertionError(
                    f"{which} for Parameter '{name}' must be one of 'default', 'row_sparse', or 'csr', but got '{kind}'"
                )
        self._grad_stype = grad_stype
        self._stype = stype

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name} (shape={self.shape}, dtype={self.dtype})"

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def grad_req(self) -> str:
        """``'write'``, ``'add'`` or ``'null'``; may be changed at any time."""
        return self._grad_req  # type: ignore[return-value]

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req not in GRAD_REQS:
            raise MXNetAssertionError(f"grad_req must be one of 'write', 'add', or 'null', but got '{req}'")
        if not self._differentiable:
            req = "null"
        if self._grad_req == req:
            return
        self._grad_req = req
        if self._data is not None:
            self._init_grad()

    @property
    def dtype(self) -> Any:
        """The dtype, as it was given."""
        return self._dtype

    @dtype.setter
    def dtype(self, dtype: DType) -> None:
        self.cast(dtype)

    @property
    def shape(self) -> Any:
        """The shape; unknown dimensions are 0 (-1 in np-shape semantics) and may be set, once."""
        if self._shape is None or not is_np_shape():
            return self._shape
        # 0 says unknown to classic MXNet, -1 does in np-shape semantics
        return tuple(-1 if size == 0 else size for size in self._shape)

    @shape.setter
    def shape(self, new_shape: Any) -> None:
        new = (int(new_shape),) if isinstance(new_shape, int | np.integer) else tuple(new_shape)
        if self._shape is not None and (
            len(self._shape) != len(new)
            or any(mine not in (0, -1, theirs) for mine, theirs in zip(self._shape, new, strict=True))
        ):
            raise MXNetAssertionError(
                f"Parameter '{self.name}': the new shape {new} is incompatible with its shape {self._shape}"
                + (", in which 0 is not known yet" if 0 in self._shape else "")
            )
        self._shape = new

    @property
    def stype(self) -> str:
        """The storage type."""
        return self._stype

    def var(self) -> Symbol:
        """The variable that stands for this parameter in graphs."""
        if self._var is None:
            self._var = var(
                self.name,
                shape=self.shape,
                dtype=self.dtype,
                lr_mult=self.lr_mult,
                wd_mult=self.wd_mult,
                init=self.init,
                stype=self._stype,
            )
            if is_np_array():
                self._var = self._var.as_np_ndarray()
        return self._var

    # ---- initializing ----------------------------------------------------------------------------------------------

    def initialize(
        self,
        init: Init = None,
        ctx: Devices = None,
        default_init: Init = initializer.Uniform(),  # noqa: B008  (the original's signature)
        force_reinit: bool = False,
    ) -> None:
        """Makes the arrays on the given contexts, by ``init``, else the parameter's own initializer, else the default.

        If the shape is not known yet, this happens when it is: in the first forward pass.
        """
        if self._data is not None and not force_reinit:
            warnings.warn(
                f"Parameter '{self.name}' is already initialized, ignoring. Set force_reinit=True to re-initialize.",
                stacklevel=2,
            )
            return
        if self._stype == "csr":
            raise MXNetValueError(f"Parameter '{self.name}' cannot be csr: it is 'default' or 'row_sparse'")
        contexts = as_contexts(ctx)
        self._release()
        if init is None:
            init = default_init if self.init is None else self.init
        self._deferred_init = (init, contexts, default_init, None)
        if not shape_is_known(self.shape):
            if not self._allow_deferred_init:
                self._deferred_init = ()
                raise MXNetValueError(
                    f"Cannot initialize Parameter '{self.name}' because it has invalid shape: {self.shape}."
                )
            return
        self._finish_deferred_init()

    def _release(self) -> None:
        self._data = self._grad = None

    def _finish_deferred_init(self) -> None:
        if not self._deferred_init:
            return
        init, contexts, default_init, data = self._deferred_init
        if not shape_is_known(self.shape):
            raise MXNetAssertionError(
                f"Cannot initialize Parameter '{self.name}' because it has invalid shape: {self.shape}. Please specify "
                "in_units, in_channels, etc for `Block`s."
            )
        with pause():
            if data is None:
                refuse_large_array(self.name, self.shape, torch_dtype(self.dtype).itemsize)
                data = wrap(torch.zeros(self.shape, dtype=torch_dtype(self.dtype)), cpu(), current_kind())
                _fill(self.name, init, default_init, data)
            self._init_impl(data, contexts)
        self._deferred_init = ()

    def _init_impl(self, data: NDArray, contexts: Sequence[Context]) -> None:
        """Places copies of data, in memory of their own, on the contexts."""
        self._data = [self._to_storage(data.copyto(c)) for c in contexts]
        self._deferred_init = ()
        self._init_grad()

    def _to_storage(self, data: NDArray) -> NDArray:
        """An array in the parameter's storage type; a row-sparse one has all of its rows."""
        if self._stype == "default":
            return wrap(data._dense, data._ctx, current_kind())
        tensor = data._dense
        return wrap_any(RowSparse(tensor, torch.arange(tensor.shape[0], device=tensor.device), data.shape), data._ctx)

    def _init_grad(self) -> None:
        assert self._data is not None
        if self.grad_req == "null":
            self._grad = None
            for array_ in self._data:
                if array_.stype == "default":
                    attach(array_, None, "null")
            return
        if self._grad_stype != "default":
            self._grad = [sparse_zeros(self._grad_stype, a.shape, a._ctx, a.dtype) for a in self._data]
        else:
            self._grad = [wrap(_lazy_zeros_like(a._dense), a._ctx, _kind(a)) for a in self._data]
        self._attach_grads()

    def _attach_grads(self) -> None:
        assert self._data is not None and self._grad is not None
        for array_, grad in zip(self._data, self._grad, strict=True):
            if array_.stype != "default":
                attach_rows(array_, grad, self.grad_req)
                continue
            large = grad.stype == "default" and grad._data.numel() * grad._data.element_size() > _LARGE
            attach(array_, grad, self.grad_req, in_place=large)

    def _load_init(self, data: NDArray, ctx: Devices, cast_dtype: bool = False, dtype_source: str = "current") -> None:
        """Takes over a saved array."""
        if self.shape is None:
            self._shape = data.shape
        else:
            self._check_loaded_shape(data)
        if self.dtype is not None:
            data = self._with_loaded_dtype(data, cast_dtype, dtype_source)
        contexts = None if ctx is None else as_contexts(ctx)
        if self._data is not None or self._deferred_init:
            before = self.list_ctx()
            if contexts is not None and set(contexts) != set(before):
                raise MXNetAssertionError(
                    f"Failed to load Parameter '{self.name}' on {contexts} because it was previous initialized on "
                    f"{before}."
                )
            contexts = before
        if self._data is None:
            self._init_impl(data, contexts or [cpu()])
        else:
            self.set_data(data)
        self._deferred_init = ()

    def _check_loaded_shape(self, data: NDArray) -> None:
        mine = self.shape or ()
        unknown = -1 if is_np_shape() else 0
        if len(mine) != len(data.shape) or any(m not in (unknown, s) for m, s in zip(mine, data.shape, strict=True)):
            raise MXNetAssertionError(
                f"Failed loading Parameter '{self.name}' from saved params: shape incompatible expected {self.shape} "
                f"vs saved {data.shape}. Build the network with the sizes that it was saved with; to take another "
                "output layer, load into the old network and use its features"
            )
        self.shape = data.shape

    def _with_loaded_dtype(self, data: NDArray, cast_dtype: bool, dtype_source: str) -> NDArray:
        if cast_dtype and dtype_source not in ("current", "saved"):
            raise MXNetAssertionError(f"dtype_source must be 'current' or 'saved', got {dtype_source!r}")
        if torch_dtype(self.dtype) is torch_dtype(data.dtype):
            return data
        if not cast_dtype:
            raise MXNetAssertionError(
                f"Failed loading Parameter '{self.name}' from saved params: dtype incompatible expected {self.dtype} "
                f"vs saved {data.dtype}. Set cast_dtype=True to cast the dtype of saved params."
            )
        if dtype_source == "current":
            return data.astype(self.dtype)
        self.cast(data.dtype)
        return data

    # ---- data and gradients ----------------------------------------------------------------------------------------

    def data(self, ctx: Context | None = None) -> NDArray:
        """The array on a context; the context may be left out if there is one only, or it is the current one."""
        arrays = self._data
        if self._stype != "default":
            raise MXNetError(
                f"Cannot return a copy of Parameter '{self.name}' on ctx {ctx} via data() because its storage type is "
                f"{self._stype}. Please use row_sparse_data() instead."
            )
        if arrays is not None and arrays[0]._ctx is ctx:
            return arrays[0]
        return self._check_and_get(arrays, ctx)

    def grad(self, ctx: Context | None = None) -> NDArray:
        """The gradient on a context."""
        self._need_grad()
        return self._check_and_get(self._grad, ctx)

    def _check_and_get(self, arrays: list[NDArray] | None, ctx: Context | None) -> NDArray:
        """That of the arrays which is on a context."""
        if arrays is None:
            raise self._not_there()
        if ctx is None:
            if len(arrays) == 1:
                return arrays[0]
            ctx = current_context()
        for array_ in arrays:
            # pinned and shared host memory of the same number count as that cpu
            if array_._ctx is ctx or (not ctx.is_gpu and not array_._ctx.is_gpu and ctx.device_type != "cpu"):
                if array_._ctx.device_id == ctx.device_id:
                    return array_
        raise MXNetError(
            f"Parameter '{self.name}' was not initialized on context {ctx}. It was only initialized on "
            f"{[a._ctx for a in arrays]}."
        )

    def _not_there(self) -> MXNetError:
        if self._deferred_init:
            return DeferredInitializationError(
                f"Parameter '{self.name}' has not been initialized yet because initialization was deferred. Actual "
                "initialization happens during the first forward pass. Please pass one batch of data through the "
                "network before accessing Parameters. You can also avoid deferred initialization by specifying "
                "in_units, num_features, etc., for network layers."
            )
        return MXNetError(
            f"Parameter '{self.name}' has not been initialized. Note that you should initialize parameters and create "
            "Trainer with Block.collect_params() instead of Block.params because the later does not include Parameters "
            "of nested child Blocks. Call initialize() of the whole network, e.g. net.initialize(mx.init.Xavier()), or "
            "load_parameters(), before it is used"
        )

    def _need_grad(self) -> None:
        if self._data is not None and self._grad is None:
            raise MXNetError(f"Cannot get gradient array for Parameter '{self.name}' because grad_req='null'")

    def list_data(self) -> list[NDArray]:
        """The arrays on all contexts."""
        if self._stype != "default":
            raise MXNetError(
                f"Cannot return copies of Parameter '{self.name}' on all contexts via list_data() because its storage "
                f"type is {self._stype}. Please use list_row_sparse_data() instead."
            )
        if self._data is None:
            raise self._not_there()
        return list(self._data)

    def list_grad(self) -> list[NDArray]:
        """The gradients on all contexts."""
        self._need_grad()
        if self._grad is None:
            raise self._not_there()
        return list(self._grad)

    def list_ctx(self) -> list[Context]:
        """The contexts the parameter is, or is going to be, on."""
        if self._data is None:
            if self._deferred_init:
                return self._deferred_init[1]
            raise MXNetError(
                f"Parameter '{self.name}' has not been initialized: call initialize() of the network first, e.g. "
                "net.initialize(mx.init.Xavier())"
            )
        return [a._ctx for a in self._data]

    def set_data(self, data: Any) -> None:
        """Copies an array into the parameter, on all contexts."""
        if not hasattr(data, "shape"):
            raise MXNetTypeError(f"Parameter '{self.name}': set_data takes an array, got {type(data).__name__}")
        self.shape = data.shape
        if self._data is None:
            if not self._deferred_init:
                raise MXNetAssertionError(f"Parameter '{self.name}' has not been initialized")
            if 0 in data.shape and not shape_is_known(self.shape):
                raise MXNetValueError(
                    f"Parameter '{self.name}' of shape {self.shape} cannot take a zero-size array (shape "
                    f"{tuple(data.shape)}): pass a batch through the network, or give the layer its size, to make its "
                    "shape known"
                )
            given = data if isinstance(data, NDArray) else array(data, dtype=self.dtype)
            self._deferred_init = (*self._deferred_init[:3], given)
            return
        trainer = self._trainer
        if trainer is not None and trainer._kv_initialized and trainer._update_on_kvstore:
            trainer._reset_kvstore()  # the store has the values of before
        if self._stype != "default":
            given = data if isinstance(data, NDArray) else array(data, dtype=self.dtype)
            self._init_impl(given, self.list_ctx())
            return
        if isinstance(data, NDArray) and data.stype != "default":
            data = data.tostype("default")
        with both_kinds():
            for array_ in self._data:
                array_[:] = data

    def zero_grad(self) -> None:
        """Sets the gradients to 0."""
        if self._grad is not None and self._grad_stype != "default":
            for grad in self._grad:
                grad._clear()  # type: ignore[attr-defined]
        elif self._grad is not None:
            torch._foreach_zero_([g._data for g in self._grad])

    def reset_ctx(self, ctx: Devices) -> None:
        """Moves the parameter to other contexts."""
        contexts = as_contexts(ctx)
        if self._data is not None:
            with pause():
                self._init_impl(self._reduce(), contexts)
        elif self._deferred_init:
            init, _, default_init, data = self._deferred_init
            self._deferred_init = (init, contexts, default_init, data)
        else:
            raise MXNetValueError(
                f"Cannot reset context for Parameter '{self.name}' because it has not been initialized."
            )

    def _reduce(self) -> NDArray:
        """The mean over contexts, on the host; for a single host context the array itself."""
        if self._stype != "default":
            return self._all_rows()
        arrays = self.list_data()
        if len(arrays) == 1:
            return arrays[0].detach().as_in_context(cpu())
        total = sum(a.as_in_context(cpu())._data for a in arrays)
        mean = (total / len(arrays)).to(arrays[0]._data.dtype)  # type: ignore[union-attr]
        return wrap(mean, cpu(), arrays[0].__class__)

    def cast(self, dtype: DType) -> None:
        """Converts the parameter and its gradient to another dtype."""
        wanted = torch_dtype(dtype)
        self._dtype = dtype
        self._var = None
        if self._data is None:
            return
        self._data = (
            [a.detach().astype(dtype) for a in self._data]
            if self._stype != "default"
            else [wrap(a._data.to(wanted, copy=True), a._ctx, a.__class__) for a in self._data]
        )
        if self._grad is None:
            return
        if self._grad_stype != "default":
            self._grad = [g.astype(dtype) for g in self._grad]
        else:
            self._grad = [wrap(g._data.to(wanted, copy=True), g._ctx, g.__class__) for g in self._grad]
        self._attach_grads()

    # ---- the trainer that updates it -------------------------------------------------------------------------------

    @property
    def _ctx_list(self) -> list[Context] | None:
        return None if self._data is None else [a._ctx for a in self._data]

    @_ctx_list.setter
    def _ctx_list(self, value: object) -> None:
        """For classes that take over what another parameter has, field by field; it follows from the arrays."""

    @property
    def _ctx_map(self) -> list[list[int | None]] | None:
        """The original's way to find an array: its place in ``_data`` by number of device, of gpus and of cpus."""
        if self._data is None:
            return None
        kinds: list[list[int | None]] = [[], []]
        for place, array_ in enumerate(self._data):
            numbers = kinds[array_._ctx.device_typeid & 1]
            number = array_._ctx.device_id
            numbers += [None] * (number + 1 - len(numbers))
            numbers[number] = place
        return kinds

    @_ctx_map.setter
    def _ctx_map(self, value: object) -> None:
        """As that of ``_ctx_list``."""

    @property
    def _trainer(self) -> Any:
        return None if self._trainer_ref is None else self._trainer_ref()

    @_trainer.setter
    def _trainer(self, trainer: object) -> None:
        # weakly, so that networks go when the last of their users goes
        self._trainer_ref = None if trainer is None else weakref.ref(trainer)

    def _set_trainer(self, trainer: object) -> None:
        self._trainer = trainer

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_trainer_ref": None, "_var": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_ctx_list" in state:  # of the original's, whose arrays all come back on cpu(0)
            for arrays in (self._data, self._grad):
                if arrays is not None:
                    arrays[:] = [a.as_in_context(c) for a, c in zip(arrays, state["_ctx_list"], strict=True)]
            for name in ("_ctx_list", "_ctx_map", "_trainer"):
                del self.__dict__[name]
            self._trainer_ref = None
        if self._grad is not None:  # arrays come back without their places in a graph
            self._attach_grads()


def _fill(name: str, init: Any, default_init: Init, data: NDArray) -> None:
    """Fills an array by ``init``; what is no Initializer, such as Mixed or Load, decides by the name."""
    if not isinstance(init, str | initializer.Initializer):
        initializer.check_initializer(init)
        init(initializer.InitDesc(name), data)
        return
    base = initializer.create(default_init) if isinstance(default_init, str) else default_init
    if not isinstance(base, initializer.Initializer):
        base = initializer.create(init)
    base(initializer.InitDesc(name, {"__init__": init}), data)


class _Given(initializer.Initializer):
    """Copies a value that is there already."""

    def __init__(self, name: str, value: NDArray):
        super().__init__()
        self._name, self._value = name, value

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = self._value if self._value.stype == "default" else self._value.tostype("default")

    def dumps(self) -> str:
        """A name that tells this constant from others; the value is in the file of parameters."""
        return f"Constant_{self._name}_{id(self._value)}"


class Constant(Parameter):
    """A parameter that never changes in training: its gradient is never asked for.

    >>> gluon.Constant("ones", nd.ones(2))
    Constant ones (shape=(2,), dtype=<class 'numpy.float32'>)
    """

    def __init__(self, name: str, value: Any):
        make = np_array if is_np_array() else array
        self.value = value if isinstance(value, NDArray) else make(value)
        super().__init__(
            name,
            grad_req="null",
            shape=self.value.shape,
            dtype=self.value.dtype,
            init=_Given(name, self.value),
        )

    @property
    def grad_req(self) -> str:
        """``'null'``."""
        return "null"

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req != "null":
            warnings.warn(
                f'Constant parameter "{self.name}" does not support grad_req other than "null", and new value "{req}" '
                "is ignored.",
                stacklevel=2,
            )
