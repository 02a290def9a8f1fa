"""The trainer: an optimizer applied to the parameters of a network, on one or several devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import autograd, optimizer as opt
from .._core.files import writing
from .._core.types import Path
from ..context import Context
from ..error import MXNetError, MXNetValueError
from ..kvstore import KVStore
from ..kvstore.updates import _create_kvstore, _create_sparse_kvstore, _sum_gradients
from ..optimizer.updater import load_states
from .parameter import Parameter
from .parameter_dict import ParameterDict
from .utils import MXNetAssertionError

__all__ = ["Trainer"]

_STALE = (
    "Gradient of Parameter `%s` on context %s has not been updated by backward since last `step`. This could mean a "
    "bug in your model that made it only use a subset of the Parameters (Blocks) for this iteration. If you are "
    "intentionally only using a subset, call step with ignore_stale_grad=True to suppress this warning and skip "
    "updating of Parameters with stale gradient"
)


class _NoBatch(MXNetValueError, ZeroDivisionError):
    """The original divides by zero."""


class Trainer:
    """Updates parameters by their gradients: after ``backward`` call ``step(batch_size)``.

    ``params`` is what ``net.collect_params()`` gives, or a list or dict of parameters. ``optimizer`` is a name, with
    ``optimizer_params``, or an Optimizer. If the parameters are on several devices, gradients are summed through a
    ``kvstore`` (a name, a KVStore or None for none), which with ``update_on_kvstore`` also makes the updates.

    >>> net = gluon.nn.Dense(1)
    >>> net.initialize(mx.init.One())
    >>> trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    >>> with autograd.record():
    ...     loss = gluon.loss.L2Loss()(net(nd.array([[2.0]])), nd.array([[1.0]]))
    >>> loss.backward()
    >>> trainer.step(batch_size=1)
    >>> net.weight.data()
    [[0.8]]
    <NDArray 1x1 @cpu(0)>
    """

    def __init__(
        self,
        params: Any,
        optimizer: str | opt.Optimizer,
        optimizer_params: dict[str, Any] | None = None,
        kvstore: Any = "device",
        compression_params: dict[str, Any] | None = None,
        update_on_kvstore: bool | None = None,
    ):
        self._params = self._list_params(params)
        for param in self._params:
            param._set_trainer(self)
        self._compression_params = compression_params
        self._contexts = self._check_contexts()
        self._init_optimizer(optimizer, optimizer_params)
        self._scale = self._optimizer.rescale_grad
        self._filled: KVStore | None = None
        self._kvstore_params = {"kvstore": kvstore, "update_on_kvstore": update_on_kvstore}
        self._reset_kvstore()

    @staticmethod
    def _list_params(params: object) -> list[Parameter]:
        if isinstance(params, Mapping | ParameterDict):
            params = [params[key] for key in sorted(params.keys())]
        if not isinstance(params, list | tuple):
            hint = " Give net.collect_params()" if hasattr(params, "collect_params") else ""
            raise MXNetValueError(f"First argument must be a list or dict of Parameters, got {type(params)}.{hint}")
        for param in params:
            if not isinstance(param, Parameter):
                raise MXNetValueError(
                    f"First argument must be a list or dict of Parameters, got list of {type(param)}."
                )
        return list(params)

    def _check_contexts(self) -> list[Context]:
        contexts: list[Context] | None = None
        for param in self._params:
            own = param.list_ctx()
            if contexts is not None and contexts != own:
                raise MXNetAssertionError(
                    "All Parameters must be initialized on the same set of contexts, but Parameter "
                    f"{param.name} is initialized on {own} while previous Parameters are initialized on {contexts}."
                )
            contexts = own
        return contexts or []

    def _init_optimizer(self, optimizer: str | opt.Optimizer, optimizer_params: dict[str, Any] | None) -> None:
        by_index = dict(enumerate(self._params))
        if isinstance(optimizer, opt.Optimizer):
            if optimizer_params:
                raise MXNetAssertionError(
                    "optimizer_params must be None if optimizer is an instance of Optimizer instead of str"
                )
            self._optimizer = optimizer
            # the multipliers of the parameters count
            self._optimizer.param_dict = by_index
        else:
            self._optimizer = opt.create(optimizer, param_dict=by_index, **(optimizer_params or {}))
        self._updaters = [opt.get_updater(self._optimizer) for _ in self._contexts]

    # ---- the store ---------------------------------------------------------------------------------------------------

    def _reset_kvstore(self) -> None:
        """Forgets the store; the next step makes it anew, with the values that parameters have then."""
        kvstore = getattr(self, "_kvstore", None)
        if kvstore is not None and "dist" in kvstore.type:
            raise MXNetError("Cannot reset distributed KVStore.")
        self._kv_initialized = False
        self._kvstore: Any = None
        self._update_on_kvstore: bool | None = None
        self._params_to_init = list(self._params)

    def _init_kvstore(self) -> None:
        wanted = self._kvstore_params["update_on_kvstore"]
        kvstore: Any
        if self._has_rows:  # their newest values are in the store, and only there
            kvstore, on_kvstore = _create_sparse_kvstore(self._kvstore_params["kvstore"])
            if wanted is False:
                raise MXNetValueError("Cannot set update_on_kvstore=False when sparse weights are present.")
        else:
            arrays = {p.name: p.data(self._contexts[0]) for p in self._params}
            kvstore, on_kvstore = _create_kvstore(self._kvstore_params["kvstore"], len(self._contexts), arrays)
            if self._has_gradient_rows and not (kvstore is not None and "dist" in kvstore.type):
                on_kvstore = False  # unless it is asked for
        if kvstore is None:
            if wanted and not self._has_gradient_rows:
                raise MXNetValueError(
                    "Cannot set update_on_kvstore=True without a kvstore: parameters on one device have none, "
                    "unless it is given as an object"
                )
            on_kvstore = False
        else:
            if wanted is not None:
                if wanted and not kvstore.is_capable("optimizer"):
                    raise MXNetValueError(
                        f"Please set update_on_kvstore=False when training with {type(kvstore).__name__}"
                    )
                on_kvstore = wanted
            if self._filled is not None and kvstore is self._filled:  # values have been set since: it starts anew
                for i in range(len(self._params)):
                    kvstore._stored.pop(i)
            self._filled = kvstore if isinstance(kvstore, KVStore) else None
            if self._compression_params:
                kvstore.set_gradient_compression(self._compression_params)
            if on_kvstore:
                kvstore.set_optimizer(self._optimizer)
        self._kvstore = kvstore
        self._update_on_kvstore = on_kvstore if kvstore is not None else None
        self._kv_initialized = True

    def _init_params(self) -> None:
        """Gives the parameters to the store, and the values of the first device to the others."""
        if self._kvstore is not None:
            for i, param in enumerate(self._params_to_init):
                if param.stype == "default":
                    self._kvstore.broadcast(i, param.data(self._contexts[0]), param.list_data())
                else:
                    self._kvstore.init(i, param._rows("init")[0])
        self._params_to_init = []

    def _prepare(self) -> None:
        if self._kv_initialized and not self._params_to_init:
            return
        with autograd.pause():  # a forward pass that is recorded may be the first to ask for rows
            if not self._kv_initialized:
                self._init_kvstore()
            if self._params_to_init:
                self._init_params()

    @property
    def _has_rows(self) -> bool:
        """Is there a row-sparse parameter?"""
        return any(param.stype != "default" for param in self._params)

    @property
    def _has_gradient_rows(self) -> bool:
        """Is there a parameter whose gradient is row-sparse?"""
        return any(param._grad_stype != "default" for param in self._params)

    def _row_sparse_pull(self, parameter: Parameter, out: list, row_id: Any) -> None:
        """Gives arrays of a row-sparse parameter the rows with these numbers."""
        self._prepare()
        key = next(i for i, param in enumerate(self._params) if param is parameter)
        self._kvstore.row_sparse_pull(key, out=out, row_ids=row_id.as_in_context(out[0]._ctx))

    # ---- steps -------------------------------------------------------------------------------------------------------

    @property
    def learning_rate(self) -> float:
        """The learning rate now."""
        return self._optimizer.learning_rate

    def set_learning_rate(self, lr: float) -> None:
        """Sets the learning rate."""
        self._optimizer.set_learning_rate(lr)

    @property
    def optimizer(self) -> opt.Optimizer:
        """The optimizer."""
        return self._optimizer

    def step(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Sums the gradients over devices and updates the parameters by them, divided by ``batch_size``.

        A gradient that no backward pass has written since the last step is an error, or with ``ignore_stale_grad`` its
        parameter is left unchanged.
        """
        if not batch_size:
            raise _NoBatch(f"step({batch_size}): gradients are divided by the batch size, expected 1 or more")
        self._divide_by(batch_size)
        self._prepare()
        self._allreduce_grads()
        self._update(ignore_stale_grad)

    def allreduce_grads(self) -> None:
        """Only sums the gradients over devices; then change them as you like, and call ``update``."""
        self._prepare()
        if self._update_on_kvstore:
            raise MXNetAssertionError(
                "allreduce_grads() when parameters are updated on kvstore is not supported. Try setting "
                "`update_on_kvstore` to False when creating trainer."
            )
        self._allreduce_grads()

    def update(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Only updates the parameters, after ``allreduce_grads``."""
        self._prepare()
        if self._update_on_kvstore:
            raise MXNetAssertionError(
                "update() when parameters are updated on kvstore is not supported. Try setting `update_on_kvstore` to "
                "False when creating trainer."
            )
        self._divide_by(batch_size)
        self._update(ignore_stale_grad)

    def _divide_by(self, batch_size: Any) -> None:
        """A batch's size may be an array of one number, such as a count of words that was summed."""
        size = batch_size if isinstance(batch_size, int | float) else float(batch_size)
        self._optimizer.rescale_grad = self._scale / size

    def _trainable(self) -> list[tuple[int, Parameter]]:
        return [(i, param) for i, param in enumerate(self._params) if param.grad_req != "null"]

    def _allreduce_grads(self) -> None:
        if self._kvstore is None:
            return
        learned = self._trainable()
        if not isinstance(self._kvstore, KVStore):
            for i, param in learned:  # a store of someone else's may take one key at a time
                if self._update_on_kvstore:
                    self._kvstore.pushpull(i, param.list_grad(), out=param.list_data(), priority=-i)
                else:
                    self._kvstore.pushpull(i, param.list_grad(), priority=-i)
            return
        if not self._update_on_kvstore:
            _sum_gradients(self._kvstore, [i for i, _ in learned], [p.list_grad() for _, p in learned])

    def _update(self, ignore_stale_grad: bool = False) -> None:
        learned = self._trainable()
        if not ignore_stale_grad:
            for _, param in learned:
                for data in param._data or param.list_data():
                    leaf = data._leaf
                    if leaf is None or not leaf.fresh:
                        raise UserWarning(_STALE % (param.name, data._ctx))
        scaler = getattr(self, "_amp_loss_scaler", None)  # of mixed precision: see contrib/amp
        if scaler is not None and scaler.has_overflow(self._params):
            for _, param in learned:
                for data in param._data or ():
                    data._fresh_grad = False
            return
        if self._update_on_kvstore:
            if isinstance(self._kvstore, KVStore):
                arrays = [list(p._data or ()) for _, p in learned]
                self._kvstore.pushpull([i for i, _ in learned], [p.list_grad() for _, p in learned], arrays)
            return
        # One call for all parameters on a device.
        for place, updater in enumerate(self._updaters):
            keys, grads, weights = [], [], []
            for i, param in learned:
                copies = param._data or param.list_data()
                if place >= len(copies):  # it has been moved to fewer devices
                    continue
                data = copies[place]
                leaf = data._leaf
                if leaf is not None and (leaf.fresh or not ignore_stale_grad):
                    keys.append(i)
                    grads.append(param._grad[place])  # type: ignore[index]
                    weights.append(data)
                    leaf.fresh = False
            if keys:
                updater(keys, grads, weights)

    # ---- files -------------------------------------------------------------------------------------------------------

    def save_states(self, fname: Path) -> None:
        """Saves the optimizer and its states, momenta for example; the parameters are not part of it."""
        self._prepare()
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname, dump_optimizer=True)
            return
        states = self._updaters[0].get_states(dump_optimizer=True)
        with writing(fname) as stream:
            stream.write(states)

    def load_states(self, fname: Path) -> None:
        """Loads what ``save_states`` wrote, here or in the original."""
        self._prepare()
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
            self._optimizer = self._kvstore._updater.optimizer
        else:
            load_states(self._updaters, fname)
            for updater in self._updaters:
                updater.optimizer = self._updaters[0].optimizer
            self._optimizer = self._updaters[0].optimizer
        self._optimizer.param_dict = dict(enumerate(self._params))
