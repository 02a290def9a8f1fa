"""Optimizers for large batches, with a learning rate for each layer: LAMB, LARS, LBSGD."""

from __future__ import annotations

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

__all__ = ["LAMB", "LARS", "LBSGD"]

Tensor = torch.Tensor
_multi_lamb_update = get("_multi_lamb_update").kernel


def _parts(weights: Sequence[Tensor], limit: int = 1 << 18) -> Iterator[slice]:
    """Slices of a list with not many elements each: a rule for all of a part holds as much memory again."""
    start = elements = 0
    for i, weight in enumerate(weights):
        if i > start and elements + weight.numel() > limit:
            yield slice(start, i)
            start, elements = i, 0
        elements += weight.numel()
    yield slice(start, len(weights))


@register
class LAMB(MomentsOptimizer):
    """LAMB (You et al., 2020): Adam with a rate for each layer, from the norms of its weight and of its step."""

    @takes(MomentsOptimizer.__init__, epsilon=1e-6)
    def __init__(
        self,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        bias_correction: bool = True,
        **given: Any,
    ):
        super().__init__(**given)
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound
        self.bias_correction = bias_correction
        self.aggregate_num = max(1, min(45, aggregation(45)))

    def _step_all(
        self,
        indices: Sequence[Hashable],
        weights: Tensors,
        grads: Tensors,
        states: Sequence[Any],
        lrs: Floats,
        wds: Floats,
    ) -> None:
        rows = [(w, g, *s) for w, g, s in zip(weights, grads, states, strict=True)]
        counts = [self._index_update_count[i] for i in indices]
        for part in _parts(weights):
            _multi_lamb_update(
                *(array for row in rows[part] for array in row),
                learning_rates=lrs[part],
                wds=wds[part],
                step_count=counts[part],
                lower_bound=-1.0 if self.lower_bound is None else self.lower_bound,
                upper_bound=-1.0 if self.upper_bound is None else self.upper_bound,
                bias_correction=self.bias_correction,
                num_tensors=len(rows[part]),
                _out=tuple(weights[part]),
                **self._moments(),
                **self._scaling(),
            )


@register
class LARS(MomentumOptimizer):
    """SGD with a learning rate for each layer (You et al., 2017): ``lr * eta * |w| / (|g| + wd * |w| + eps)``.

    Parameters named ``..gamma``, ``..beta`` and ``..bias`` keep ``lr``; those named otherwise than ``.._weight`` do not
    decay. ``momentum_correction`` scales the momentum with changes of the learning rate.
    """

    _decaying: ClassVar[tuple[str, ...]] = ("_weight",)

    _master_first: ClassVar[bool] = False
    #: Of a weight of which only some rows are stepped.
    _whole_norm: float | None = None

    def __init__(
        self,
        momentum: float = 0.0,
        lazy_update: bool = True,
        eta: float = 0.001,
        eps: float = 0,
        momentum_correction: bool = True,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.momentum = momentum
        self.momentum_correction = momentum_correction
        self.lazy_update = lazy_update
        self.aggregate_num = aggregation(4)
        self.eta = eta
        self.eps = eps
        self.skip = 0
        self.last_lr: float | None = None
        self.cur_lr: float | None = None

    def _see_whole(self, index: object, weight: Tensor) -> None:
        self._whole_norm = float(weight.float().norm())

    def _step_all(
        self,
        indices: Sequence[Hashable],
        weights: Tensors,
        grads: Tensors,
        states: Sequence[Any],
        lrs: Floats,
        wds: Floats,
    ) -> None:
        lr = self.learning_rate
        self.last_lr, self.cur_lr = (lr if self.cur_lr is None else self.cur_lr), lr
        momentum = self.momentum
        if self.momentum_correction and self.last_lr:
            momentum *= self.cur_lr / self.last_lr
        rates = self._layer_rates(indices, weights, grads, lrs, wds)
        self._descend(weights, grads, states, rates, wds, momentum)

    def _layer_rates(
        self,
        indices: Sequence[object],
        weights: list[Tensor],
        grads: list[Tensor],
        lrs: Sequence[float],
        wds: Sequence[float],
    ) -> list[float]:
        rates = list(lrs)
        own = [i for i, x in enumerate(indices) if not self.idx2name.get(x, "").endswith(("gamma", "beta", "bias"))]
        if own:
            # all norms at once: reading them one by one would wait for a GPU each time
            norms = torch._foreach_norm([weights[i].float() for i in own] + [grads[i].float() for i in own])
            sizes = torch.stack(norms).tolist()
            for i, w, g in zip(own, sizes[: len(own)], sizes[len(own) :], strict=True):
                w = w if self._whole_norm is None else self._whole_norm
                g *= float(self.rescale_grad)
                if w > 0 and g > 0:
                    rates[i] *= self.eta * w / (g + wds[i] * w + self.eps)
        vars(self).pop("_whole_norm", None)
        return rates


@register
class LBSGD(MomentumOptimizer):
    """SGD for large batches: gradients of ``batch_scale`` calls count as one, and the learning rate warms up.

    During the first ``warmup_epochs * updates_per_epoch`` calls the rate rises from ``lr`` to ``lr * batch_scale``, by
    ``warmup_strategy`` ``'linear'``, ``'power2'`` or ``'sqrt'``. With ``'lars'`` it is set for each layer instead, from
    the norms of weight and gradient.
    """

    _apart: ClassVar[str] = "all"

    def __init__(
        self,
        momentum: float = 0.0,
        multi_precision: bool = False,
        warmup_strategy: str = "linear",
        warmup_epochs: int = 5,
        batch_scale: int = 1,
        updates_per_epoch: int = 32,
        begin_epoch: int = 0,
        num_epochs: int = 60,
        **kwargs: Any,
    ):
        super().__init__(multi_precision=multi_precision, **kwargs)
        self.momentum = momentum
        self.warmup_strategy = warmup_strategy
        self.warmup_epochs = warmup_epochs
        self.batch_scale = batch_scale
        self.updates_per_epoch = updates_per_epoch
        self.init_updates = begin_epoch * updates_per_epoch
        self.num_epochs = num_epochs
        self.lbmult = 1
        self.cumgrads: dict[Any, dict[str, Any]] = {}
        self.adaptive = False
        self.admult = 1
        logging.info("Running Large-Batch SGD Algorithm")
        logging.info(
            "(Batch_scale=%f, warmup_epochs=%d, warmup_strategy=%s, updates_per_epoch=%d)",
            batch_scale,
            warmup_epochs,
            warmup_strategy,
            updates_per_epoch,
        )

    def _is_lazy(self, weight: NDArray) -> bool:
        return self.batch_scale == 1 and self.warmup_strategy != "lars"  # sums and norms are of all rows

    def _rates(self, indices: Sequence[object]) -> tuple[list[float], list[float]]:
        lrs = []
        for index in indices:  # the rate is that of before the update
            lrs += self._query("_get_lr", (index,))
            self._update_count(index)
        return lrs, self._query("_get_wd", indices)

    def _warmth(self) -> float:
        """The factor of the learning rate at this update."""
        done, all_of_it = self.num_update + self.init_updates, self.warmup_epochs * self.updates_per_epoch
        if done >= all_of_it:
            return float(self.batch_scale)
        part = done / all_of_it
        shape = {"linear": part, "power2": part * part, "sqrt": math.sqrt(part)}.get(self.warmup_strategy, 0.0)
        return 1.0 + (self.batch_scale - 1) * shape

    @staticmethod
    def _layer_factor(weight: Tensor, grad: Tensor, wd: float) -> float:
        w, g = float(weight.float().square().sum()), float(grad.float().square().sum())
        return min(max(math.sqrt(w / (g + wd * w + 1e-18)), 0.01), 100.0)

    def _step(self, index: Any, weight: Tensor, grad: Tensor, state: Tensor | None, lr: float, wd: float) -> None:
        sums = self.cumgrads.setdefault(index, {"cum_grad": 0, "num_cums": self.init_updates})
        if isinstance(sums["cum_grad"], NDArray):
            sums["cum_grad"]._data.add_(grad)
        else:
            sums["cum_grad"] = NDArray(grad.clone())
        sums["num_cums"] += 1
        if sums["num_cums"] % self.batch_scale:
            return
        grad = sums["cum_grad"]._data / self.batch_scale
        sums["cum_grad"] = 0
        lr *= self._layer_factor(weight, grad, wd) if self.warmup_strategy == "lars" else self._warmth()
        self._descend([weight], [grad], [state], [lr], [wd], self.momentum)
