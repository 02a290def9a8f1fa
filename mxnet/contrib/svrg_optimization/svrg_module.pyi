# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from collections.abc import Sequence
from typing import Any
from ..._core.signature import takes
from ...error import MXNetTypeError, MXNetValueError
from ...module.module import Module
from ...ndarray import NDArray, zeros_like
from .svrg_optimizer import _SVRGOptimizer
class SVRGModule(Module):
    """A Module that is trained by stochastic variance reduced gradients; for the arguments see ``Module``."""
    def __init__(self, symbol: Any, data_names: Sequence[str] | None = ('data',), label_names: Sequence[str] | None = ('softmax_label',), logger: Any = ..., context: Any = ..., work_load_list: Sequence[float] | None = None, fixed_param_names: Sequence[str] | None = None, state_names: Sequence[str] | None = None, group2ctxs: Any = None, compression_params: Any = None, update_freq: int | None = None) -> None: ...
    def bind(self, data_shapes: Any, label_shapes: Any = None, for_training: bool = True, inputs_need_grad: bool = False, force_rebind: bool = False, shared_module: Any = None, grad_req: Any = 'write') -> None:
        """Binds the module and, for training, the one with the remembered parameters."""
    def reshape(self, data_shapes: object, label_shapes: object=None) -> None:
        """Prepares both modules for batches of other shapes."""
    def init_params(self, *args: Any, **kwargs: Any) -> None:
        """Initializes the parameters; those to be remembered are at first the same."""
    def init_optimizer(self, kvstore: Any = 'local', optimizer: Any = 'sgd', optimizer_params: Any = ..., force_init: bool = False) -> None:
        """Makes the optimizer, one for the parameters inside of ``_SVRGOptimizer``."""
    def _clear_full_grads(self) -> None: ...
    def _remember(self) -> None: ...
    def forward(self, data_batch: object, is_train: bool | None=None) -> None:
        """Runs a batch, in training with the remembered parameters as well."""
    def backward(self, out_grads: object=None) -> None:
        """Computes the gradients, also those of the remembered parameters."""
    def update(self) -> None:
        """Updates the parameters by the corrected gradients."""
    def _gradients(self, module: Module) -> list[list[NDArray | None]]:
        """For each device the gradients of a module's parameters, in the order of their names."""
    def _update_svrg_gradients(self) -> None: ...
    @staticmethod
    def _svrg_grads_update_rule(grad: NDArray, remembered: NDArray, full: NDArray) -> NDArray: ...
    def _accumulate_kvstore(self, key: str, value: Sequence[NDArray]) -> None:
        """Makes each device's array the sum of all, and keeps its share of that as the gradient over all data."""
    def _allocate_gradients(self, key: str, value: Sequence[NDArray]) -> None:
        """Keeps sums over the devices as the gradient over all data: for each device its share."""
    def update_full_grads(self, train_data: object) -> None:
        """Remembers the parameters, and computes their gradient over all data: the mean over the batches."""
    def _begin_epoch(self, epoch: int, train_data: object) -> None: ...
    _ctx_len: Any
    _has_full_grads: bool
    _mod_aux: Module
    _param_dict: Any
    update_freq: int | None
__all__ = ['SVRGModule', 'Module']
