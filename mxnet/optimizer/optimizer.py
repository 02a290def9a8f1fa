"""The optimizers. Their names and this module's are what files of optimizer states refer to."""

from __future__ import annotations

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
from .base import (
    MomentsOptimizer,
    MomentumOptimizer,
    Optimizer,
    RuleOptimizer,
    aggregation,
    create,
    register,
    zeros_like,
)
from .large_batch import LAMB, LARS, LBSGD
from .updater import Updater, get_updater

__all__ = [
    "AdaDelta",
    "AdaGrad",
    "Adam",
    "Adamax",
    "DCASGD",
    "FTML",
    "Ftrl",
    "LAMB",
    "LARS",
    "LBSGD",
    "NAG",
    "Nadam",
    "Optimizer",
    "RMSProp",
    "SGD",
    "SGLD",
    "Signum",
    "Test",
    "Updater",
    "ccSGD",
    "create",
    "get_updater",
    "register",
]

Tensor = torch.Tensor


_random_normal = get("_random_normal").kernel
_nag_mom_update = get("nag_mom_update").kernel
_signsgd_update = get("signsgd_update").kernel
_signum_update = get("signum_update").kernel
_adam_update = get("adam_update").kernel
_ftml_update = get("ftml_update").kernel
_ftrl_update = get("ftrl_update").kernel
_rmsprop_update = get("rmsprop_update").kernel
_rmspropalex_update = get("rmspropalex_update").kernel


def _generator(weight: Tensor) -> Generator:
    """Where random numbers for a weight come from."""
    return generator(gpu(weight.device.index) if weight.is_cuda else cpu())


@register
class SGD(MomentumOptimizer):
    """Gradient descent with momentum and weight decay: ``m = momentum * m - lr * (g + wd * w)``, ``w += m``.

    ``g`` is the rescaled, then clipped gradient. With ``lazy_update`` a row-sparse gradient updates its rows only.
    """

    _apart: ClassVar[str] = "elements"

    _master_first: ClassVar[bool] = False

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any):
        super().__init__(**kwargs)
        self.momentum = momentum
        self.lazy_update = lazy_update
        self.aggregate_num = aggregation(4)

    def _step_all(
        self,
        indices: Sequence[Hashable],
        weights: Tensors,
        grads: Tensors,
        states: Sequence[Any],
        lrs: Floats,
        wds: Floats,
    ) -> None:
        self._descend(weights, grads, states, lrs, wds, self.momentum)


@register
class ccSGD(SGD):
    """SGD by the name it had when there were two of them."""


@register
class NAG(MomentumOptimizer):
    """Nesterov's accelerated gradient: a step along the momentum as it will be."""

    _apart: ClassVar[str] = "elements"

    _master_first: ClassVar[bool] = False

    def __init__(self, momentum: float = 0.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.momentum = momentum

    def _is_lazy(self, weight: NDArray) -> bool:
        return self.momentum == 0.0  # it is SGD then

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor | None, lr: float, wd: float) -> None:
        if state is None:
            return self._descend([weight], [grad], [None], [lr], [wd], 0.0)
        own = {"momentum": self.momentum, "_out": weight, **self._scaling()}
        _nag_mom_update(weight, grad, state, lr=lr, wd=wd, **own)


@register
class Signum(MomentumOptimizer):
    """Steps of one size along the sign of the momentum, or of the gradient without momentum (Bernstein et al., 2018).

    ``wd_lh`` is weight decay apart from the momentum.
    """

    _apart: ClassVar[str] = "elements"

    def __init__(self, learning_rate: float = 0.01, momentum: float = 0.9, wd_lh: float = 0.0, **kwargs: Any):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.momentum = momentum
        self.wd_lh = wd_lh

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor | None, lr: float, wd: float) -> None:
        common = {"lr": lr, "wd": wd, "_out": weight, **self._scaling()}
        if state is None:
            _signsgd_update(weight, grad, **common)
        else:
            _signum_update(weight, grad, state, momentum=self.momentum, wd_lh=self.wd_lh or 0.0, **common)


@register
class DCASGD(RuleOptimizer):
    """Gradient descent for late gradients, corrected by how far the weight has moved since (Zheng et al., 2016)."""

    _apart: ClassVar[str] = "elements"

    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Any):
        super().__init__(**kwargs)
        self.momentum = momentum
        self.weight_previous: dict[Any, Any] = {}
        self.lamda = lamda

    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray | None, NDArray]:
        """The momentum, if there is one, and the weight at the last update."""
        previous = weight.copy() if weight.stype == "default" else weight.tostype("default")
        return zeros_like(weight) if self.momentum != 0.0 else None, previous

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None:
        momentum, previous = state
        lr, wd, lamda, kept = (fused_update.round_to(n, weight.dtype) for n in (lr, wd, self.lamda, self.momentum))
        grad = self._prepare(grad)
        step = (grad + weight * wd).add_((grad * lamda).mul_(grad).mul_(weight - previous)).mul_(-lr)
        if momentum is not None:
            step = momentum.mul_(kept).add_(step)
        previous.copy_(weight)
        weight.add_(step)


@register
class SGLD(RuleOptimizer):
    """Stochastic gradient Langevin dynamics: half a gradient step plus noise of variance ``lr``."""

    _apart: ClassVar[str] = "all"

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: None, lr: float, wd: float) -> None:
        noise = _random_normal(
            scale=math.sqrt(lr),
            shape=tuple(weight.shape),
            dtype=weight.dtype,
            _rng=_generator(weight),
            _device=weight.device,
            _out=None,
        )
        weight.add_(self._prepare(grad).add_(weight, alpha=wd), alpha=-lr / 2).add_(noise)


@register
class Adam(MomentsOptimizer):
    """Adam (Kingma and Ba, 2015), with weight decay as part of the gradient.

    ``w -= lr * sqrt(1 - beta2**t) / (1 - beta1**t) * mean / (sqrt(variance) + epsilon)``. With ``lazy_update`` a
    row-sparse gradient updates its rows only.
    """

    _apart: ClassVar[str] = "elements"

    @takes(MomentsOptimizer.__init__)
    def __init__(self, lazy_update: bool = True, **given: Any):
        super().__init__(**given)
        self.lazy_update = lazy_update

    def _step_all(
        self,
        indices: Sequence[Hashable],
        weights: Tensors,
        grads: Tensors,
        states: Sequence[Any],
        lrs: Floats,
        wds: Floats,
    ) -> None:
        known: dict[int, float] = {}
        rates = []
        for index, lr in zip(indices, lrs, strict=True):
            t = self._index_update_count[index]
            if t not in known:
                known[t] = math.sqrt(1.0 - self.beta2**t) / (1.0 - self.beta1**t)
            rates.append(lr * known[t])
        rows = [(w, g, *s) for w, g, s in zip(weights, grads, states, strict=True)]
        betas, scaling = self._moments(), self._scaling()
        for i in fused_update.adam(rows, rates, wds, *betas.values(), *scaling.values()):
            _adam_update(*rows[i], lr=rates[i], wd=wds[i], _out=weights[i], **betas, **scaling)


@register
class AdaGrad(RuleOptimizer):
    """AdaGrad (Duchi et al., 2011): each element's rate falls with the sum of its squared gradients."""

    _apart: ClassVar[str] = "elements"

    lazy_update = True

    def __init__(self, eps: float = 1e-7, **kwargs: Any):
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index: object, weight: NDArray) -> NDArray:
        """The sum of squared gradients."""
        return zeros_like(weight)

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor, lr: float, wd: float) -> None:
        grad = self._prepare(grad)
        state.addcmul_(grad, grad)
        step = grad.div_(torch.add(state, self.float_stable_eps).sqrt_())
        weight.add_(step.add_(weight, alpha=wd), alpha=-lr)


@register
class AdaDelta(RuleOptimizer):
    """AdaDelta (Zeiler, 2012): steps sized by running means of squared gradients and of squared steps."""

    _apart: ClassVar[str] = "elements"

    def __init__(self, rho: float = 0.90, epsilon: float = 1e-5, **kwargs: Any):
        super().__init__(**kwargs)
        self.rho = rho
        self.epsilon = epsilon

    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray]:
        """Running means of squared gradients and of squared steps."""
        return zeros_like(weight), zeros_like(weight)

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None:
        squares, steps = state
        grad.mul_(float(self.rescale_grad))  # in place, as the original
        if self.clip_gradient is not None and self.clip_gradient >= 0:
            grad = grad.clamp(-self.clip_gradient, self.clip_gradient)
        squares.mul_(self.rho).addcmul_(grad, grad, value=1.0 - self.rho)
        step = torch.add(steps, self.epsilon).sqrt_().div_(torch.add(squares, self.epsilon).sqrt_()).mul_(grad)
        steps.mul_(self.rho).addcmul_(step, step, value=1.0 - self.rho)
        weight.sub_(step.add_(weight, alpha=wd))


@register
class RMSProp(RuleOptimizer):
    """RMSProp: Tieleman and Hinton's or, with ``centered``, Graves's with momentum ``gamma2``.

    ``clip_weights`` bounds the elements of the new weight.
    """

    _apart: ClassVar[str] = "elements"

    def __init__(
        self,
        learning_rate: float = 0.001,
        gamma1: float = 0.9,
        gamma2: float = 0.9,
        epsilon: float = 1e-8,
        centered: bool = False,
        clip_weights: float | None = None,
        **kwargs: Any,
    ):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.centered = centered
        self.epsilon = epsilon
        self.clip_weights = clip_weights

    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, ...]:
        """The running mean of squares; centered also those of the gradient and of the steps."""
        return tuple(zeros_like(weight) for _ in range(3 if self.centered else 1))

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None:
        common = {"lr": lr, "wd": wd, "gamma1": self.gamma1, "epsilon": self.epsilon, "_out": weight}
        common.update(self._scaling(), clip_weights=self.clip_weights or -1.0)
        if self.centered:
            _rmspropalex_update(weight, grad, *state, gamma2=self.gamma2, **common)
        else:
            _rmsprop_update(weight, grad, *state, **common)


@register
class Adamax(RuleOptimizer):
    """Adam with the infinity norm: ``w -= lr / (1 - beta1**t) * mean / largest``."""

    _apart: ClassVar[str] = "elements"

    def __init__(self, learning_rate: float = 0.002, beta1: float = 0.9, beta2: float = 0.999, **kwargs: Any):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2

    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray]:
        """The running mean, and the largest recent gradient."""
        return zeros_like(weight), zeros_like(weight)

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None:
        mean, largest = state
        grad = self._prepare(grad, weight, wd)
        rate = lr / (1.0 - self.beta1 ** self._index_update_count[index])
        numbers = (rate, self.beta1, 1.0 - self.beta1, self.beta2)
        rate, beta1, rest, beta2 = (fused_update.round_to(n, weight.dtype) for n in numbers)
        mean.mul_(beta1).add_(grad * rest)
        torch.maximum(largest.mul_(beta2), grad.abs_(), out=largest)
        weight.sub_((mean * rate).div_(largest))


@register
class Nadam(MomentsOptimizer):
    """Adam with Nesterov's momentum (Dozat, 2016), which follows a schedule of its own."""

    _apart: ClassVar[str] = "all"

    @takes(MomentsOptimizer.__init__)
    def __init__(self, schedule_decay: float = 0.004, **given: Any):
        super().__init__(**given)
        self.schedule_decay = schedule_decay
        self.m_schedule = 1.0

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None:
        mean, variance = state
        t = self._index_update_count[index]
        now, following = (self.beta1 * (1.0 - 0.5 * 0.96 ** (n * self.schedule_decay)) for n in (t, t + 1))
        # As in the original, the product of the schedule grows with each parameter's update, not with each step.
        self.m_schedule *= now
        grad = self._prepare(grad, weight, wd)

        def number(value: float) -> float:
            return fused_update.round_to(value, weight.dtype)

        mean.mul_(number(self.beta1)).add_(grad * number(1.0 - self.beta1))
        variance.mul_(number(self.beta2)).add_((grad * number(1.0 - self.beta2)).mul_(grad))
        ahead = grad.div_(number(1.0 - self.m_schedule)).mul_(number(1.0 - now))
        mean = (mean / number(1.0 - self.m_schedule * following)).mul_(number(following))
        root = torch.div(variance, number(1.0 - self.beta2**t)).sqrt_().add_(number(self.epsilon))
        weight.sub_(ahead.add_(mean).mul_(number(lr)).div_(root))


@register
class Ftrl(RuleOptimizer):
    """Follow the regularized leader (McMahan et al., 2013): sparse weights by the L1 penalty ``lamda1``."""

    _apart: ClassVar[str] = "elements"

    def _is_lazy(self, weight: NDArray) -> bool:
        return weight.stype == "row_sparse"

    def __init__(self, lamda1: float = 0.01, learning_rate: float = 0.1, beta: float = 1, **kwargs: Any):
        super().__init__(**kwargs)
        self.lr = learning_rate  # a scheduler keeps its own
        self.lamda1 = lamda1
        self.beta = beta

    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray]:
        """The operator's ``z`` and ``n``."""
        return zeros_like(weight), zeros_like(weight)

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None:
        own = {"lamda1": self.lamda1, "beta": self.beta}
        _ftrl_update(weight, grad, *state, lr=lr, wd=wd, _out=weight, **own, **self._scaling())


@register
class FTML(RuleOptimizer):
    """Follow the moving leader (Zheng and Kwok, 2017)."""

    _apart: ClassVar[str] = "elements"

    def __init__(self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-8, **kwargs: Any):
        super().__init__(**kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon

    def create_state(self, index: object, weight: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """The operator's ``d``, ``v`` and ``z``."""
        return zeros_like(weight), zeros_like(weight), zeros_like(weight)

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Any, lr: float, wd: float) -> None:
        own = {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon}
        scaling = {"rescale_grad": float(self.rescale_grad), "clip_grad": self.clip_gradient or -1.0}
        t = self._index_update_count[index]
        _ftml_update(weight, grad, *state, t=t, lr=lr, wd=wd, _out=weight, **own, **scaling)


@register
class Test(RuleOptimizer):
    """Adds the rescaled gradient and keeps the new weight as its state, for tests of what is around an optimizer."""

    _apart: ClassVar[str] = "elements"

    def create_state(self, index: object, weight: NDArray) -> NDArray:
        """The last weight."""
        return zeros_like(weight)

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor, lr: float, wd: float) -> None:
        weight.add_(grad, alpha=float(self.rescale_grad))
        state.copy_(weight)


claim_classes(globals(), ("LAMB", "LARS", "LBSGD", "Optimizer", "Updater"))
