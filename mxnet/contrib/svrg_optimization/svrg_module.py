"""``SVRGModule``: a Module whose gradients vary less, so that the learning rate need not decay.

Every ``update_freq`` epochs the parameters are remembered, together with their gradient over all data. A batch then
gives two gradients, that of the parameters and that of the remembered ones; the second says how far this batch is from
the average one, and is corrected for: ``gradient - remembered gradient + gradient over all data``. In the original the
gradients over all data of earlier times stay in the sum; here they are computed anew each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.signature import takes
from ...error import MXNetTypeError, MXNetValueError
from ...module.module import Module
from ...ndarray import NDArray, zeros_like
from .svrg_optimizer import _SVRGOptimizer

__all__ = ["SVRGModule"]


class SVRGModule(Module):
    """A Module that is trained by stochastic variance reduced gradients; for the arguments see ``Module``.

    The gradient over all data is computed anew every ``update_freq`` epochs by ``fit``, or by ``update_full_grads``.
    """

    @takes(Module.__init__)
    def __init__(self, update_freq: int | None = None, **given: Any):
        if not isinstance(update_freq, int):
            raise MXNetTypeError(f"update_freq, the epochs between full gradients, must be an int, got {update_freq!r}")
        if update_freq <= 0:
            raise MXNetValueError(f"update_freq must be positive, got {update_freq}")
        super().__init__(**given)
        self.update_freq = update_freq
        self._mod_aux = Module(**given)
        self._ctx_len = len(self._context)
        #: For each device its share of the gradients of the remembered parameters over all data; zeros at first.
        self._param_dict: list[dict[str, NDArray]] | None = None
        self._has_full_grads = False

    @takes(Module.bind)
    def bind(self, for_training: bool, shared_module: Module | None, **given: Any) -> None:
        """Binds the module and, for training, the one with the remembered parameters."""
        super().bind(for_training=for_training, shared_module=shared_module, **given)
        if for_training:
            self._mod_aux.bind(for_training=for_training, shared_module=None, **given)

    def reshape(self, data_shapes: object, label_shapes: object = None) -> None:
        """Prepares both modules for batches of other shapes."""
        super().reshape(data_shapes, label_shapes)
        if self._mod_aux.binded:
            self._mod_aux.reshape(data_shapes, label_shapes)

    def init_params(self, *args: Any, **kwargs: Any) -> None:
        """Initializes the parameters; those to be remembered are at first the same."""
        super().init_params(*args, **kwargs)
        if self._mod_aux.binded and not self._mod_aux.params_initialized:
            self._remember()

    @takes(Module.init_optimizer)
    def init_optimizer(self, optimizer: object, optimizer_params: object, **given: Any) -> None:
        """Makes the optimizer, one for the parameters inside of ``_SVRGOptimizer``."""
        if isinstance(optimizer, str):
            params = {"default_optimizer": optimizer, **dict(optimizer_params)}
            super().init_optimizer(optimizer=_SVRGOptimizer.__name__, optimizer_params=params, **given)
        else:
            super().init_optimizer(optimizer=optimizer, optimizer_params=optimizer_params, **given)
        self._clear_full_grads()

    def _clear_full_grads(self) -> None:
        names = self._exec_group.param_names
        self._param_dict = [
            {name: zeros_like(grad) for name, grad in zip(names, grads, strict=True) if grad is not None}
            for grads in self._gradients(self)
        ]
        self._has_full_grads = False

    def _remember(self) -> None:
        arg_params, aux_params = self.get_params()
        if self._mod_aux.params_initialized:
            self._mod_aux.set_params(arg_params, aux_params)
        else:
            self._mod_aux.init_params(arg_params=arg_params, aux_params=aux_params)

    def forward(self, data_batch: object, is_train: bool | None = None) -> None:
        """Runs a batch, in training with the remembered parameters as well."""
        super().forward(data_batch, is_train)
        if (self.for_training if is_train is None else is_train) and self._mod_aux.binded:
            self._mod_aux.forward(data_batch, is_train)

    def backward(self, out_grads: object = None) -> None:
        """Computes the gradients, also those of the remembered parameters."""
        super().backward(out_grads)
        if self._mod_aux.binded:
            self._mod_aux.backward(out_grads)

    def update(self) -> None:
        """Updates the parameters by the corrected gradients."""
        self._update_svrg_gradients()
        super().update()

    def _gradients(self, module: Module) -> list[list[NDArray | None]]:
        """For each device the gradients of a module's parameters, in the order of their names."""
        return [list(each) for each in zip(*module._exec_group.grad_arrays, strict=True)]

    def _update_svrg_gradients(self) -> None:
        if not self._has_full_grads:
            return
        pairs = zip(self._gradients(self), self._gradients(self._mod_aux), self._param_dict or [], strict=True)
        for mine, remembered, whole in pairs:
            for name, grad, aux in zip(self._exec_group.param_names, mine, remembered, strict=True):
                if grad is not None and aux is not None:
                    grad[:] = self._svrg_grads_update_rule(grad, aux, whole[name])

    @staticmethod
    def _svrg_grads_update_rule(grad: NDArray, remembered: NDArray, full: NDArray) -> NDArray:
        return grad - remembered + full

    def _accumulate_kvstore(self, key: str, value: Sequence[NDArray]) -> None:
        """Makes each device's array the sum of all, and keeps its share of that as the gradient over all data."""
        total = sum((array.as_in_context(value[0].context) for array in value[1:]), value[0])
        for array in value:
            array[:] = total.as_in_context(array.context)
        self._allocate_gradients(key, value)

    def _allocate_gradients(self, key: str, value: Sequence[NDArray]) -> None:
        """Keeps sums over the devices as the gradient over all data: for each device its share."""
        for kept, array in zip(self._param_dict or [], value, strict=True):
            kept[key] = array / self._ctx_len

    def update_full_grads(self, train_data: object) -> None:
        """Remembers the parameters, and computes their gradient over all data: the mean over the batches."""
        self._remember()
        self._clear_full_grads()
        sums = self._param_dict or []
        count, padding = 0, 0
        train_data.reset()
        for batch in train_data:
            self._mod_aux.forward(batch, is_train=True)
            self._mod_aux.backward()
            for total, grads in zip(sums, self._gradients(self._mod_aux), strict=True):
                for name, grad in zip(self._exec_group.param_names, grads, strict=True):
                    if grad is not None:
                        total[name][:] += grad
            count += 1
            padding = batch.pad or 0
        if not count:
            raise MXNetValueError("train_data has no batches")
        batches = count - padding / train_data.batch_size
        for name in list(sums[0]):
            self._accumulate_kvstore(name, [total[name] / batches for total in sums])
        self._has_full_grads = True
        train_data.reset()

    def _begin_epoch(self, epoch: int, train_data: object) -> None:
        if epoch % self.update_freq == 0:
            self.update_full_grads(train_data)
