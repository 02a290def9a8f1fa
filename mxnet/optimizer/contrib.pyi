# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import math
from typing import Any, ClassVar
import torch
from .._core.signature import takes
from ..error import MXNetAssertionError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ops.registry import get
from .base import MomentsOptimizer, RuleOptimizer, register, zeros_like
_group_adagrad_update = get('_contrib_group_adagrad_update').kernel
_adamw_update = get('_adamw_update').kernel
class GroupAdaGrad(RuleOptimizer):
    """AdaGrad with one learning rate for each row of a matrix, without weight decay."""
    lazy_update: bool
    def __init__(self, eps: float = 1e-05, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def create_state(self, index: object, weight: NDArray) -> NDArray:
        """The sum of the mean squares of each row's gradients."""
    def _step(self, index: object, weight: torch.Tensor, grad: torch.Tensor, state: Any, lr: float, wd: float) -> None: ...
    float_stable_eps: float
class AdamW(MomentsOptimizer):
    """Adam with weight decay apart from the gradient (Loshchilov and Hutter, 2019), as MXNet 2 has it."""
    _apart: ClassVar[str] = 'elements'
    def __init__(self, learning_rate: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, correct_bias: bool = True, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _step(self, index: Any, weight: torch.Tensor, grad: torch.Tensor, state: Any, lr: float, wd: float) -> None: ...
    correct_bias: bool
__all__ = ['AdamW', 'GroupAdaGrad']
