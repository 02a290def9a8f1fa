# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import logging
import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, ClassVar
import torch
from .._core.signature import takes
from .._core.types import Floats, Tensors
from ..ndarray import NDArray
from ..ops.registry import get
from .base import MomentsOptimizer, MomentumOptimizer, aggregation, register
Tensor = torch.Tensor
_multi_lamb_update = get('_multi_lamb_update').kernel
def _parts(weights: Sequence[Tensor], limit: int=...) -> Iterator[slice]:
    """Slices of a list with not many elements each: a rule for all of a part holds as much memory again."""
class LAMB(MomentsOptimizer):
    """LAMB (You et al., 2020): Adam with a rate for each layer, from the norms of its weight and of its step."""
    def __init__(self, learning_rate: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, lower_bound: float | None = None, upper_bound: float | None = None, bias_correction: bool = True, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _step_all(self, indices: Sequence[Hashable], weights: Tensors, grads: Tensors, states: Sequence[Any], lrs: Floats, wds: Floats) -> None: ...
    bias_correction: bool
    lower_bound: float | None
    upper_bound: float | None
class LARS(MomentumOptimizer):
    """SGD with a learning rate for each layer (You et al., 2017): ``lr * eta * |w| / (|g| + wd * |w| + eps)``."""
    _decaying: ClassVar[tuple[str, ...]]
    _master_first: ClassVar[bool] = False
    _whole_norm: float | None = None
    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, eta: float = 0.001, eps: float = 0, momentum_correction: bool = True, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _see_whole(self, index: object, weight: Tensor) -> None: ...
    def _step_all(self, indices: Sequence[Hashable], weights: Tensors, grads: Tensors, states: Sequence[Any], lrs: Floats, wds: Floats) -> None: ...
    def _layer_rates(self, indices: Sequence[object], weights: list[Tensor], grads: list[Tensor], lrs: Sequence[float], wds: Sequence[float]) -> list[float]: ...
    cur_lr: Any
    eps: float
    eta: float
    last_lr: Any
    momentum: float
    momentum_correction: bool
    skip: int
class LBSGD(MomentumOptimizer):
    """SGD for large batches: gradients of ``batch_scale`` calls count as one, and the learning rate warms up."""
    _apart: ClassVar[str] = 'all'
    def __init__(self, momentum: float = 0.0, multi_precision: bool = False, warmup_strategy: str = 'linear', warmup_epochs: int = 5, batch_scale: int = 1, updates_per_epoch: int = 32, begin_epoch: int = 0, num_epochs: int = 60, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _is_lazy(self, weight: NDArray) -> bool: ...
    def _rates(self, indices: Sequence[object]) -> tuple[list[float], list[float]]: ...
    def _warmth(self) -> float:
        """The factor of the learning rate at this update."""
    @staticmethod
    def _layer_factor(weight: Tensor, grad: Tensor, wd: float) -> float: ...
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor | None, lr: float, wd: float) -> None: ...
    adaptive: bool
    admult: int
    batch_scale: int
    cumgrads: dict[Any, dict[str, Any]]
    init_updates: Any
    lbmult: int
    momentum: float
    num_epochs: int
    updates_per_epoch: int
    warmup_epochs: int
    warmup_strategy: str
__all__ = ['LAMB', 'LARS', 'LBSGD']
