"""What optimizers have in common: rates and decays of each parameter, counts of updates, states, mixed precision."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

import torch

from .._core import config
from .._core.dtypes import dtype_name, torch_dtype
from .._core.hints import Keyword, meant
from ..error import MXNetAssertionError, MXNetError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.tape import check_writable, state as recording_state
from ..ops import fused_update
from ..ops.params import element
from ..ops.registry import get
from .sparse import LOW_PRECISION, as_whole, fitting, run_sparse

__all__ = ["Optimizer", "MomentumOptimizer", "RuleOptimizer", "aggregation", "create", "register", "zeros_like"]

_sgd_update = get("sgd_update").kernel
_sgd_mom_update = get("sgd_mom_update").kernel


class Optimizer:
    """The base of optimizers. A subclass defines ``create_state`` and ``update``, and may be ``@register``-ed by name.

    ``rescale_grad`` multiplies every gradient, ``clip_gradient`` then bounds its elements, ``wd`` is the weight decay.
    Learning rate and decay of a parameter are multiplied by factors from ``param_dict`` (parameter objects by index),
    or else from ``set_lr_mult`` / ``set_wd_mult``, by index or by the names in ``param_idx2name``; they also come from
    ``__lr_mult__`` / ``__wd_mult__`` of the variables of ``sym``. Of named parameters only those named ``.._weight`` or
    ``.._gamma`` decay. With ``multi_precision`` float16 weights are updated through a float32 copy.
    """

    opt_registry: ClassVar[dict[str, type[Optimizer]]] = {}
    #: Is the state of a float16 weight ``(float32 copy, state)``, or the other way round?
    _master_first: ClassVar[bool] = True
    #: What can be updated apart from the rest, by another process say: ``"elements"``, ``"weights"`` or only ``"all"``
    #: together. It is said of a class itself: a subclass may do something else with what it inherits.
    _apart: ClassVar[str] = "weights"
    #: Ends of the names of parameters that decay.
    _decaying: ClassVar[tuple[str, ...]] = ("_weight", "_gamma")

    def __init__(
        self,
        rescale_grad: float = 1.0,
        param_idx2name: dict[Any, str] | None = None,
        wd: float = 0.0,
        clip_gradient: float | None = None,
        learning_rate: float | None = None,
        lr_scheduler: Any = None,
        sym: Any = None,
        begin_num_update: int = 0,
        multi_precision: bool = False,
        param_dict: dict[Any, Any] | None = None,
    ):
        if param_idx2name is not None and not isinstance(param_idx2name, dict):
            raise MXNetAssertionError("param_idx2name should be a dict of param indexes to names.")
        self.rescale_grad = rescale_grad
        self.lr_scheduler = lr_scheduler
        if lr_scheduler is None and learning_rate is None:
            learning_rate = 0.01
        self.lr: Any = learning_rate
        if lr_scheduler is not None and learning_rate is not None:
            if lr_scheduler.base_lr != learning_rate:
                print("learning rate from ``lr_scheduler`` has been overwritten by ``learning_rate`` in optimizer.")
                lr_scheduler.base_lr = learning_rate
        self.wd = wd
        self.lr_mult: dict[Any, float] = {}
        self.wd_mult: dict[Any, float] = {}
        self.begin_num_update = begin_num_update
        self.num_update = begin_num_update
        self._all_index_update_counts: dict[int, dict[Any, int]] = {0: {}}
        self._index_update_count = self._all_index_update_counts[0]
        self.clip_gradient = clip_gradient
        self.multi_precision = multi_precision
        self.aggregate_num = 0
        self.idx2name = dict(param_idx2name or {})
        self.sym_info = () if sym is None else (sym.attr_dict(), sym.list_arguments())
        self.param_dict = param_dict if param_dict else {}
        self.allow_np_array = False
        self.set_lr_mult({})
        self.set_wd_mult({})

    # ---- by name ---------------------------------------------------------------------------------------------------

    @staticmethod
    def register(klass: type) -> type:
        """Decorator: makes a class known to ``create`` under its lower-case name."""
        if not isinstance(klass, type):
            raise MXNetTypeError(f"register takes a class, got {klass!r}")
        name = klass.__name__.lower()
        known = Optimizer.opt_registry.get(name)
        if known is not None:
            warnings.warn(
                f"WARNING: New optimizer {klass.__module__}.{klass.__name__} is overriding existing optimizer "
                f"{known.__module__}.{known.__name__}",
                stacklevel=2,
            )
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    def create_optimizer(name: str, **kwargs: object) -> Optimizer:
        """The optimizer with that name, in any case, made with these arguments.

        >>> mx.optimizer.create("sgd", learning_rate=0.1, momentum=0.9).learning_rate
        0.1
        """
        if not isinstance(name, str):
            given = f"the class {name.__name__}" if isinstance(name, type) else type(name).__name__
            raise MXNetTypeError(
                f"an optimizer is given by its name, 'sgd', or as an instance, mx.optimizer.SGD(), got {given}"
            )
        klass = Optimizer.opt_registry.get(name.lower())
        if klass is None:
            known = ", ".join(sorted(name for name in Optimizer.opt_registry if name[0] != "_"))
            near = meant(name.lower(), Optimizer.opt_registry)
            raise MXNetValueError(f"Cannot find optimizer {name}{near}; known: {known}")
        try:
            return klass(**{name: element(value) for name, value in kwargs.items()})
        except TypeError as error:
            wrong = Keyword.of_class(error, klass)
            if wrong is None:
                raise
            raise MXNetTypeError(wrong.text) from error

    # ---- learning rates and decays ---------------------------------------------------------------------------------

    @property
    def learning_rate(self) -> float:
        """The learning rate now, before any factor of a parameter."""
        if self.lr_scheduler is not None:
            return self.lr_scheduler(self.num_update)
        return self.lr

    def set_learning_rate(self, lr: float) -> None:
        """Sets the learning rate; a scheduler, if there is one, decides instead."""
        if self.lr_scheduler is not None:
            raise UserWarning(
                "LRScheduler of the optimizer has already been defined. Note that set_learning_rate can mutate the "
                "value of the learning rate of the optimizer only when the LRScheduler of the optimizer is undefined."
            )
        self.lr = lr

    def set_lr_scale(self, args_lrscale: object) -> None:
        """Gone since long: use ``set_lr_mult``."""
        raise DeprecationWarning("set_lr_scale is gone; use set_lr_mult")

    def set_lr_mult(self, args_lr_mult: Mapping[object, float]) -> None:
        """Factors of the learning rate by parameter name or index, on top of ``__lr_mult__`` of the symbol."""
        self.lr_mult = {**self._read_multipliers("__lr_mult__"), **args_lr_mult}

    def set_wd_mult(self, args_wd_mult: Mapping[object, float]) -> None:
        """Factors of the weight decay by parameter name or index, on top of ``__wd_mult__`` of the symbol.

        Parameters whose name is known and ends neither in ``_weight`` nor in ``_gamma`` do not decay, unless said here;
        those of LARS only decay if it ends in ``_weight``.
        """
        without = {n: 0.0 for n in self.idx2name.values() if not n.endswith(self._decaying)}
        self.wd_mult = {**without, **self._read_multipliers("__wd_mult__"), **args_wd_mult}

    def _read_multipliers(self, attribute: str) -> dict[Any, float]:
        if not self.sym_info:
            return {}
        attributes, arguments = self.sym_info
        marked = {n: attributes[n][attribute] for n in arguments if attribute in attributes.get(n, ())}
        try:
            return {n: float(text) for n, text in marked.items()}
        except ValueError as error:
            raise MXNetValueError(f"{attribute} of a variable must be a number: {str(error)[:200]}") from None

    def _multiply(
        self, value: float, indices: Sequence[object], which: str, factors: dict[object, float]
    ) -> list[float]:
        value = value if isinstance(value, int | float) else float(value)  # a scheduler may give an array of one number
        if not factors and not self.param_dict:
            return [value] * len(indices)
        result, params = [], self.param_dict
        for index in indices:
            if index in params:
                factor = getattr(params[index], which)
            elif index in factors:
                factor = factors[index]
            elif index in self.idx2name:
                factor = factors.get(self.idx2name[index], 1.0)
            else:
                factor = 1.0
            result.append(value * factor)
        return result

    def _get_lrs(self, indices: Sequence[object]) -> list[float]:
        """The learning rates of parameters."""
        return self._multiply(self.learning_rate, indices, "lr_mult", self.lr_mult)

    def _get_lr(self, index: object) -> float:
        """The learning rate of a parameter."""
        return self._get_lrs((index,))[0]

    def _get_wds(self, indices: Sequence[object]) -> list[float]:
        """The weight decays of parameters."""
        return self._multiply(self.wd, indices, "wd_mult", self.wd_mult)

    def _get_wd(self, index: object) -> float:
        """The weight decay of a parameter."""
        return self._get_wds((index,))[0]

    # ---- counts ----------------------------------------------------------------------------------------------------

    def _set_current_context(self, device_id: int) -> None:
        """Counts go to those of this device from now on."""
        counts = self._all_index_update_counts.get(device_id)
        if counts is None:
            counts = self._all_index_update_counts[device_id] = {}
        self._index_update_count = counts

    def _update_count(self, index: object) -> None:
        """Counts one more update of a parameter, or of each in a list."""
        counts, latest = self._index_update_count, self.num_update
        for each in index if isinstance(index, list | tuple) else (index,):
            number = counts.get(each, self.begin_num_update) + 1
            counts[each] = number
            if number > latest:
                latest = number
        self.num_update = latest

    # ---- states and updates ----------------------------------------------------------------------------------------

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The state of a parameter before its first update: None, an array or a tuple of such."""

    def create_state_multi_precision(self, index: Any, weight: NDArray) -> Any:
        """The state of a parameter; with ``multi_precision`` that of a float16 one has a float32 copy of it too."""
        if torch_dtype(weight.dtype) in LOW_PRECISION:
            if self.multi_precision:
                master = wrap(weight._dense.float(), weight._ctx)
                own = self.create_state(index, master)
                return (master, own) if self._master_first else (own, master)
            warnings.warn(
                "Accumulating with float16 in optimizer can lead to poor accuracy or slow convergence. Consider using "
                f"multi_precision=True option of the {type(self).__name__} optimizer",
                stacklevel=2,
            )
        return self.create_state(index, weight)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Updates a weight in place, and its state."""
        raise NotImplementedError(f"{type(self).__name__} must define update(self, index, weight, grad, state)")

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Updates a weight in place, through its float32 copy if it has one."""
        if isinstance(weight, NDArray) and self._has_master(weight):
            master, own = self._split(state)
            self.update(index, master, grad.astype("float32"), own)
            as_whole(weight)._data.copy_(master._data)
        else:
            self.update(index, weight, grad, state)

    def _has_master(self, weight: NDArray) -> bool:
        return self.multi_precision and torch_dtype(weight.dtype) in LOW_PRECISION

    def _with_master(self, state: object, weight: NDArray) -> object:
        """A state that was made without a float32 copy of a weight, with one if the weight needs it."""
        if not self._has_master(weight):
            return state
        if isinstance(state, tuple) and len(state) == 2:
            master = self._split(state)[0]
            if isinstance(master, NDArray) and master.shape == weight.shape and dtype_name(master) == "float32":
                return state
        master, own = wrap(as_whole(weight)._data.float(), weight._ctx), _single_precision(state)
        return (master, own) if self._master_first else (own, master)

    def _split(self, state: Any) -> tuple[NDArray, Any]:
        """The float32 copy, and the state proper."""
        return state if self._master_first else (state[1], state[0])

    # ---- pickling --------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "param_dict"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.param_dict = {}
        # Files of older versions have one set of counts only, and nothing to aggregate.
        self.__dict__.setdefault("_all_index_update_counts", {0: self.__dict__.setdefault("_index_update_count", {})})
        self.__dict__.setdefault("aggregate_num", 0)
        self.__dict__.setdefault("multi_precision", False)
        self.__dict__.setdefault("allow_np_array", False)


register = Optimizer.register
create = Optimizer.create_optimizer


def aggregation(default: int) -> int:
    """How many weights the original would update by one call; here all of a list are."""
    found = config.OPTIMIZER_AGGREGATION_SIZE.get()
    return default if found is None else found


def zeros_like(weight: NDArray) -> NDArray:
    """Zeros of the weight's shape, dtype, context and memory layout: how most states begin."""
    if weight.stype != "default":
        return wrap(
            torch.zeros(weight.shape, dtype=torch_dtype(weight.dtype), device=weight._ctx.torch_device), weight._ctx
        )
    return wrap(torch.zeros_like(weight._data), weight._ctx)


def _single_precision(state: object) -> object:
    """A state with its arrays in float32."""
    if isinstance(state, list | tuple):
        return type(state)(map(_single_precision, state))
    return state.astype("float32") if isinstance(state, NDArray) else state


def _tensors_of(state: Any) -> Any:
    """A state with the tensors of its arrays."""
    if state is None:
        return None
    if isinstance(state, list | tuple):
        return tuple(map(_tensors_of, state))
    return state._data


class RuleOptimizer(Optimizer):
    """An optimizer of this package: its ``update`` takes one parameter or lists of them, a subclass defines the rule.

    With a row-sparse gradient, ``lazy_update`` says whether only the rows that it has are updated.

    ``_step`` updates the tensor of one weight; ``_step_all`` those of many, for rules that have a quicker way than one
    after the other.
    """

    lazy_update: bool = False

    def _is_lazy(self, weight: NDArray) -> bool:
        """Does a row-sparse gradient update its rows of this weight only?"""
        return self.lazy_update

    def _see_whole(self, index: object, weight: torch.Tensor) -> None:
        """Called before a step on some rows of a weight, for rules that need to know something of all of them."""

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Updates a weight in place, and its state; or each of a list of weights."""
        if isinstance(index, list | tuple):
            self._run(index, weight, grad, state, False)
        else:
            self._run((index,), (weight,), (grad,), (state,), False)

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """As ``update``, through the float32 copies of the float16 weights that have one."""
        many = isinstance(index, list | tuple)
        if type(self).update is not RuleOptimizer.update:  # a user's rule, for one weight at a time
            for each in zip(index, weight, grad, state, strict=True) if many else ((index, weight, grad, state),):
                super().update_multi_precision(*each)
        elif many:
            self._run(index, weight, grad, state, self.multi_precision)
        else:
            self._run((index,), (weight,), (grad,), (state,), self.multi_precision)

    def _run(self, indices: Sequence, weights: Sequence, grads: Sequence, states: Sequence, masters: bool) -> None:
        if any(array._is_sparse for array in (*weights, *grads)):
            return run_sparse(self, indices, weights, grads, states, masters)
        targets, gradients = [w._data for w in weights], [g._data for g in grads]
        recording = recording_state.recording
        for target, gradient, index, weight, grad in zip(targets, gradients, indices, weights, grads, strict=True):
            fits = target.dtype is gradient.dtype or fitting(target.dtype, gradient.dtype, masters)
            if target.shape != gradient.shape or not fits or weight._ctx is not grad._ctx:
                raise self._mismatch(index, weight, grad)
            if recording or not weight._writable:
                check_writable(weight)
        low: list[tuple[torch.Tensor, torch.Tensor]] = []
        if masters:
            states = list(states)
            for i, target in enumerate(targets):
                if target.dtype in LOW_PRECISION:
                    master, states[i] = self._split(states[i])
                    targets[i], gradients[i] = master._data, gradients[i].float()
                    low.append((target, targets[i]))
        lrs, wds = self._rates(indices)
        try:
            self._step_all(indices, targets, gradients, [_tensors_of(s) for s in states], lrs, wds)
        except (ValueError, TypeError, RuntimeError) as error:
            if isinstance(error, MXNetError):
                raise
            names = ", ".join(f"{i} {w.shape} {dtype_name(w)}" for i, w in zip(indices, weights, strict=True))
            raise MXNetError(f"{type(self).__name__} cannot update parameter(s) {names}: {error}") from error
        for target, copy in low:
            target.copy_(copy)

    def _rates(self, indices: Sequence[object]) -> tuple[list[float], list[float]]:
        """Counts the updates; the learning rates and weight decays for them."""
        self._update_count(indices)
        return self._query("_get_lr", indices), self._query("_get_wd", indices)

    def _query(self, method: str, indices: Sequence[object]) -> list[float]:
        """What ``_get_lr`` or ``_get_wd`` of a user's subclass says of each parameter, or their plurals of all."""
        if getattr(type(self), method) is getattr(Optimizer, method):
            return getattr(self, method + "s")(indices)
        return [getattr(self, method)(index) for index in indices]

    def _mismatch(self, index: object, weight: NDArray, grad: NDArray) -> MXNetError:
        return MXNetValueError(
            f"{type(self).__name__}: parameter {index}: weight and gradient must have the same shape, dtype and "
            f"context, got {weight.shape} {dtype_name(weight)} on {weight._ctx} and "
            f"{grad.shape} {dtype_name(grad)} on {grad._ctx}"
        )

    def _step_all(
        self,
        indices: Sequence[Hashable],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Any,
        lrs: Any,
        wds: Any,
    ) -> None:
        """Updates tensors: lists of as many each."""
        for each in zip(indices, weights, grads, states, lrs, wds, strict=True):
            self._step(*each)

    def _step(self, index: object, weight: torch.Tensor, grad: torch.Tensor, state: Any, lr: float, wd: float) -> None:
        raise NotImplementedError

    def _scaling(self) -> dict[str, float]:
        """How operators want to be told of rescaling and clipping; 0 means no clipping, as for the original's."""
        return {"rescale_grad": float(self.rescale_grad), "clip_gradient": float(self.clip_gradient or -1.0)}

    def _prepare(self, grad: torch.Tensor, weight: torch.Tensor | None = None, wd: float = 0.0) -> torch.Tensor:
        """The gradient rescaled, with weight decay if a weight is given, then clipped; new memory."""
        clip = -1.0 if self.clip_gradient is None else self.clip_gradient
        return fused_update.prepare(grad, float(self.rescale_grad), clip, weight, wd)


class MomentumOptimizer(RuleOptimizer):
    """An optimizer whose state is a momentum, or nothing if that is 0."""

    momentum: float

    def create_state(self, index: object, weight: NDArray) -> NDArray | None:
        """The momentum, zero at first; None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _descend(
        self,
        weights: list[torch.Tensor],
        grads: list[torch.Tensor],
        states: list[Any],
        lrs: Sequence[float],
        wds: Sequence[float],
        momentum: float,
    ) -> None:
        """Gradient descent, with momentum where there is a state for it."""
        plain = states[0] is None
        rows = list(zip(weights, grads, strict=True) if plain else zip(weights, grads, states, strict=True))
        scaling = self._scaling()
        for i in fused_update.sgd(rows, lrs, wds, momentum, *scaling.values()):
            own = {"lr": lrs[i], "wd": wds[i], "_out": weights[i], **scaling}
            if plain:
                _sgd_update(*rows[i], **own)
            else:
                _sgd_mom_update(*rows[i], momentum=momentum, **own)


class MomentsOptimizer(RuleOptimizer):
    """An optimizer of Adam's kind: its states are running means of the gradient and of its square."""

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        **kwargs: Any,
    ):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon

    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray]:
        """Running means of the gradient and of its square."""
        return zeros_like(weight), zeros_like(weight)

    def _moments(self) -> dict[str, float]:
        return {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon}
