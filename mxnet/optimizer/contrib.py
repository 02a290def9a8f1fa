"""Further optimizers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import torch

from .._core.signature import takes
from ..error import MXNetAssertionError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ops.registry import get
from .base import MomentsOptimizer, RuleOptimizer, register, zeros_like

__all__ = ["AdamW", "GroupAdaGrad"]

_group_adagrad_update = get("_contrib_group_adagrad_update").kernel
_adamw_update = get("_adamw_update").kernel


@register
class GroupAdaGrad(RuleOptimizer):
    """AdaGrad with one learning rate for each row of a matrix, without weight decay."""

    lazy_update = True

    def __init__(self, eps: float = 1e-5, **kwargs: Any):
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index: object, weight: NDArray) -> NDArray:
        """The sum of the mean squares of each row's gradients."""
        if weight.ndim != 2:
            raise MXNetAssertionError(f"GroupAdaGrad updates matrices only, parameter {index} has shape {weight.shape}")
        return wrap(zeros_like(weight)._data[:, :1].clone(), weight._ctx)

    def _step(self, index: object, weight: torch.Tensor, grad: torch.Tensor, state: Any, lr: float, wd: float) -> None:
        if wd != 0:
            raise MXNetAssertionError("Weight decay is not supported for GroupAdaGrad")
        own = {"lr": lr, "epsilon": self.float_stable_eps}
        _group_adagrad_update(weight, grad, state, _out=weight, **own, **self._scaling())


@register
class AdamW(MomentsOptimizer):
    """Adam with weight decay apart from the gradient (Loshchilov and Hutter, 2019), as MXNet 2 has it.

    ``w -= lr * (corrected mean / (sqrt(corrected variance) + epsilon) + wd * w)``.
    """

    _apart: ClassVar[str] = "elements"

    @takes(MomentsOptimizer.__init__, epsilon=1e-6)
    def __init__(self, correct_bias: bool = True, **given: Any):
        super().__init__(**given)
        self.correct_bias = correct_bias

    def _step(self, index: Any, weight: torch.Tensor, grad: torch.Tensor, state: Any, lr: float, wd: float) -> None:
        rate = lr
        if self.correct_bias:
            t = self._index_update_count[index]
            rate *= math.sqrt(1.0 - self.beta2**t) / (1.0 - self.beta1**t)
        scaling = self._scaling()
        rescale = weight.new_full((1,), scaling.pop("rescale_grad"), dtype=torch.float32)
        own = {"eta": 1.0, **self._moments(), **scaling}
        _adamw_update(weight, grad, *state, rescale, lr=rate, wd=lr * wd, _out=weight, **own)
