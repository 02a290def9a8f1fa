# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import math
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar
import torch
from .._core.signature import takes
from .._core.types import Floats, Tensors
from .._rng import Generator, generator
from ..base import claim_classes
from ..context import cpu, gpu
from ..ndarray import NDArray
from ..ops import fused_update
from ..ops.registry import get
from .base import MomentsOptimizer, MomentumOptimizer, Optimizer, RuleOptimizer, aggregation, create, register, zeros_like
from .large_batch import LAMB, LARS, LBSGD
from .updater import Updater, get_updater
Tensor = torch.Tensor
_random_normal = get('_random_normal').kernel
_nag_mom_update = get('nag_mom_update').kernel
_signsgd_update = get('signsgd_update').kernel
_signum_update = get('signum_update').kernel
_adam_update = get('adam_update').kernel
_ftml_update = get('ftml_update').kernel
_ftrl_update = get('ftrl_update').kernel
_rmsprop_update = get('rmsprop_update').kernel
_rmspropalex_update = get('rmspropalex_update').kernel
def _generator(weight: Tensor) -> Generator:
    """Where random numbers for a weight come from."""
class SGD(MomentumOptimizer):
    """Gradient descent with momentum and weight decay: ``m = momentum * m - lr * (g + wd * w)``, ``w += m``."""
    _apart: ClassVar[str] = 'elements'
    _master_first: ClassVar[bool] = False
    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _step_all(self, indices: Sequence[Hashable], weights: Tensors, grads: Tensors, states: Sequence[Any], lrs: Floats, wds: Floats) -> None: ...
    momentum: float
class ccSGD(SGD):
    """SGD by the name it had when there were two of them."""
class NAG(MomentumOptimizer):
    """Nesterov's accelerated gradient: a step along the momentum as it will be."""
    _apart: ClassVar[str] = 'elements'
    _master_first: ClassVar[bool] = False
    def __init__(self, momentum: float = 0.0, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _is_lazy(self, weight: NDArray) -> bool: ...
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor | None, lr: float, wd: float) -> None: ...
    momentum: float
class Signum(MomentumOptimizer):
    """Steps of one size along the sign of the momentum, or of the gradient without momentum (Bernstein et al., 2018)."""
    _apart: ClassVar[str] = 'elements'
    def __init__(self, learning_rate: float = 0.01, momentum: float = 0.9, wd_lh: float = 0.0, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor | None, lr: float, wd: float) -> None: ...
    momentum: float
    wd_lh: float
class DCASGD(RuleOptimizer):
    """Gradient descent for late gradients, corrected by how far the weight has moved since (Zheng et al., 2016)."""
    _apart: ClassVar[str] = 'elements'
    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray | None, NDArray]:
        """The momentum, if there is one, and the weight at the last update."""
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None: ...
    lamda: float
    momentum: float
    weight_previous: dict[Any, Any]
class SGLD(RuleOptimizer):
    """Stochastic gradient Langevin dynamics: half a gradient step plus noise of variance ``lr``."""
    _apart: ClassVar[str] = 'all'
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: None, lr: float, wd: float) -> None: ...
class Adam(MomentsOptimizer):
    """Adam (Kingma and Ba, 2015), with weight decay as part of the gradient."""
    _apart: ClassVar[str] = 'elements'
    def __init__(self, learning_rate: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, lazy_update: bool = True, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _step_all(self, indices: Sequence[Hashable], weights: Tensors, grads: Tensors, states: Sequence[Any], lrs: Floats, wds: Floats) -> None: ...
class AdaGrad(RuleOptimizer):
    """AdaGrad (Duchi et al., 2011): each element's rate falls with the sum of its squared gradients."""
    _apart: ClassVar[str] = 'elements'
    lazy_update: bool
    def __init__(self, eps: float = 1e-07, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def create_state(self, index: object, weight: NDArray) -> NDArray:
        """The sum of squared gradients."""
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor, lr: float, wd: float) -> None: ...
    float_stable_eps: float
class AdaDelta(RuleOptimizer):
    """AdaDelta (Zeiler, 2012): steps sized by running means of squared gradients and of squared steps."""
    _apart: ClassVar[str] = 'elements'
    def __init__(self, rho: float = 0.9, epsilon: float = 1e-05, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray]:
        """Running means of squared gradients and of squared steps."""
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None: ...
    epsilon: float
    rho: float
class RMSProp(RuleOptimizer):
    """RMSProp: Tieleman and Hinton's or, with ``centered``, Graves's with momentum ``gamma2``."""
    _apart: ClassVar[str] = 'elements'
    def __init__(self, learning_rate: float = 0.001, gamma1: float = 0.9, gamma2: float = 0.9, epsilon: float = 1e-08, centered: bool = False, clip_weights: float | None = None, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, ...]:
        """The running mean of squares; centered also those of the gradient and of the steps."""
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None: ...
    centered: bool
    clip_weights: float | None
    epsilon: float
    gamma1: float
    gamma2: float
class Adamax(RuleOptimizer):
    """Adam with the infinity norm: ``w -= lr / (1 - beta1**t) * mean / largest``."""
    _apart: ClassVar[str] = 'elements'
    def __init__(self, learning_rate: float = 0.002, beta1: float = 0.9, beta2: float = 0.999, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray]:
        """The running mean, and the largest recent gradient."""
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None: ...
    beta1: float
    beta2: float
class Nadam(MomentsOptimizer):
    """Adam with Nesterov's momentum (Dozat, 2016), which follows a schedule of its own."""
    _apart: ClassVar[str] = 'all'
    def __init__(self, learning_rate: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, schedule_decay: float = 0.004, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None: ...
    m_schedule: float
    schedule_decay: float
class Ftrl(RuleOptimizer):
    """Follow the regularized leader (McMahan et al., 2013): sparse weights by the L1 penalty ``lamda1``."""
    _apart: ClassVar[str] = 'elements'
    def _is_lazy(self, weight: NDArray) -> bool: ...
    def __init__(self, lamda1: float = 0.01, learning_rate: float = 0.1, beta: float = 1, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray]:
        """The operator's ``z`` and ``n``."""
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None: ...
    beta: float
    lamda1: float
class FTML(RuleOptimizer):
    """Follow the moving leader (Zheng and Kwok, 2017)."""
    _apart: ClassVar[str] = 'elements'
    def __init__(self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-08, *, rescale_grad: float = 1.0, param_idx2name: dict[Any, str] | None = None, wd: float = 0.0, clip_gradient: float | None = None, learning_rate: float | None = None, lr_scheduler: Any = None, sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False, param_dict: dict[Any, Any] | None = None) -> None: ...
    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """The operator's ``d``, ``v`` and ``z``."""
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None: ...
    beta1: float
    beta2: float
    epsilon: float
class Test(RuleOptimizer):
    """Adds the rescaled gradient and keeps the new weight as its state, for tests of what is around an optimizer."""
    _apart: ClassVar[str] = 'elements'
    def create_state(self, index: object, weight: NDArray) -> NDArray:
        """The last weight."""
    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor, lr: float, wd: float) -> None: ...
def NDabs(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The absolute value."""
__all__ = ['AdaDelta', 'AdaGrad', 'Adam', 'Adamax', 'DCASGD', 'FTML', 'Ftrl', 'LAMB', 'LARS', 'LBSGD', 'NAG', 'Nadam', 'Optimizer', 'RMSProp', 'SGD', 'SGLD', 'Signum', 'Test', 'Updater', 'ccSGD', 'create', 'get_updater', 'register', 'NDabs']
