"""Learning rates as functions of the number of updates, each with an optional warm-up."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ._core.signature import takes
from .error import MXNetAssertionError, MXNetValueError

__all__ = ["CosineScheduler", "FactorScheduler", "LRScheduler", "MultiFactorScheduler", "PolyScheduler"]


class LRScheduler:
    """The base of schedulers: call one with the number of updates so far to get the learning rate.

    During the first ``warmup_steps`` updates the rate rises from ``warmup_begin_lr`` to ``base_lr``
    (``warmup_mode='linear'``) or stays at ``warmup_begin_lr`` (``'constant'``).
    """

    def __init__(
        self, base_lr: float = 0.01, warmup_steps: int = 0, warmup_begin_lr: float = 0, warmup_mode: str = "linear"
    ):
        if not isinstance(warmup_steps, int):
            raise MXNetAssertionError(f"warmup_steps must be an integer, got {warmup_steps!r}")
        if warmup_begin_lr > base_lr:
            raise MXNetValueError(f"Base lr has to be higher than warmup_begin_lr: {base_lr} < {warmup_begin_lr}")
        if warmup_steps < 0:
            raise MXNetValueError(f"Warmup steps has to be positive or 0, got {warmup_steps}")
        if warmup_mode not in ("linear", "constant"):
            raise MXNetValueError(f"Supports only linear and constant modes of warmup, got {warmup_mode!r}")
        self.base_lr = base_lr
        self.warmup_steps = warmup_steps
        self.warmup_final_lr = base_lr
        self.warmup_begin_lr = warmup_begin_lr
        self.warmup_mode = warmup_mode

    def get_warmup_lr(self, num_update: int) -> float:
        """The learning rate at an update that is part of the warm-up."""
        if num_update >= self.warmup_steps:
            raise MXNetAssertionError(f"update {num_update} is after the {self.warmup_steps} updates of the warm-up")
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        rise = self.warmup_final_lr - self.warmup_begin_lr
        return self.warmup_begin_lr + rise * num_update / self.warmup_steps

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        warmup = {"warmup_steps": 0, "warmup_final_lr": state.get("base_lr"), "warmup_begin_lr": 0}  # new in 1.4
        vars(self).update(warmup | {"warmup_mode": "linear"} | state)

    def _check(self) -> None:
        """Refuses attributes, given here or read from a file, with which calls would not end."""

    def __call__(self, num_update: int) -> float:
        """The learning rate after ``num_update`` updates."""
        raise NotImplementedError(f"{type(self).__name__} must define __call__(self, num_update)")


_MANY = 10_000  # so many steps at once, which no training takes, are taken together


def _check_factor(factor: float) -> None:
    if factor > 1.0:
        raise MXNetValueError(f"Factor must be no more than 1 to make lr reduce, got {factor}")


def _log_change(num_update: int, rate: float) -> None:
    logging.info("Update[%d]: Change learning rate to %0.5e", num_update, rate)


class FactorScheduler(LRScheduler):
    """Multiplies the rate by ``factor`` every ``step`` updates, not below ``stop_factor_lr``.

    >>> schedule = mx.lr_scheduler.FactorScheduler(step=10, factor=0.5, base_lr=1.0)
    >>> [schedule(update) for update in (1, 11, 21)]
    [1.0, 0.5, 0.25]
    """

    @takes(LRScheduler.__init__)
    def __init__(
        self, step: int, factor: float = 1, stop_factor_lr: float = 1e-8, base_lr: float = 0.01, **warmup: Any
    ):
        super().__init__(base_lr, **warmup)
        self.step = step
        self.factor = factor
        self.stop_factor_lr = stop_factor_lr
        self.count = 0
        self._check()

    def _check(self) -> None:
        if not self.step >= 1:
            raise MXNetValueError(f"Schedule step must be greater or equal than 1 round, got {self.step}")
        _check_factor(self.factor)

    def __call__(self, num_update: int) -> float:
        """The learning rate after ``num_update`` updates; must not go back in time."""
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        while num_update > self.count + self.step:
            steps = (num_update - self.count - 1) // self.step
            if steps < _MANY:
                steps = 1
            self.count += self.step * steps
            self.base_lr *= self.factor if steps == 1 else max(self.factor, -1.0) ** min(steps, 1 << 60)
            if self.base_lr < self.stop_factor_lr:
                self.base_lr = self.stop_factor_lr
                logging.info(
                    "Update[%d]: now learning rate arrived at %0.5e, will not change in the future",
                    num_update,
                    self.base_lr,
                )
            else:
                _log_change(num_update, self.base_lr)
        return self.base_lr


class MultiFactorScheduler(LRScheduler):
    """Multiplies the rate by ``factor`` after each of the updates listed in ``step``.

    >>> schedule = mx.lr_scheduler.MultiFactorScheduler(step=[5, 8], factor=0.1, base_lr=1.0)
    >>> [round(schedule(update), 3) for update in (1, 6, 9)]
    [1.0, 0.1, 0.01]
    """

    @takes(LRScheduler.__init__)
    def __init__(self, step: Sequence[int], factor: float = 1, base_lr: float = 0.01, **warmup: Any):
        super().__init__(base_lr, **warmup)
        if not isinstance(step, list) or not step:
            raise MXNetAssertionError(f"step must be a list of at least one update number, got {step!r}")
        if step[0] < 1:
            raise MXNetValueError(f"Schedule step must be greater or equal than 1 round, got {step[0]}")
        if any(b <= a for a, b in pairwise(step)):
            raise MXNetValueError(f"Schedule step must be an increasing integer list, got {step}")
        _check_factor(factor)
        self.step = step
        self.cur_step_ind = 0
        self.factor = factor
        self.count = 0

    def __call__(self, num_update: int) -> float:
        """The learning rate after ``num_update`` updates; must not go back in time."""
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        while self.cur_step_ind < len(self.step) and num_update > self.step[self.cur_step_ind]:
            self.count = self.step[self.cur_step_ind]
            self.cur_step_ind += 1
            self.base_lr *= self.factor
            _log_change(num_update, self.base_lr)
        return self.base_lr


class _Decay(LRScheduler):
    """From ``base_lr`` to ``final_lr`` over ``max_update`` updates; ``_remaining`` says how much of the way is left."""

    @takes(LRScheduler.__init__)
    def __init__(
        self, max_update: int, base_lr: float = 0.01, final_lr: float = 0, warmup_steps: int = 0, **warmup: Any
    ):
        super().__init__(base_lr, warmup_steps, **warmup)
        if not isinstance(max_update, int):
            raise MXNetAssertionError(f"max_update must be an integer, got {max_update!r}")
        if max_update < 1:
            raise MXNetValueError(f"maximum number of updates must be strictly positive, got {max_update}")
        self.base_lr_orig = base_lr
        self.max_update = max_update
        self.final_lr = final_lr
        self.max_steps = max_update - warmup_steps

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        super().__setstate__({"final_lr": 0, "max_steps": state.get("max_update")} | state)  # new in 1.4

    def _remaining(self, progress: float) -> float:
        raise NotImplementedError

    def __call__(self, num_update: int) -> float:
        """The learning rate after ``num_update`` updates."""
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        if num_update <= self.max_update:
            progress = (num_update - self.warmup_steps) / self.max_steps if self.max_steps else 1.0
            self.base_lr = self.final_lr + (self.base_lr_orig - self.final_lr) * self._remaining(progress)
        return self.base_lr


class PolyScheduler(_Decay):
    """Decays to ``final_lr`` at ``max_update`` by a polynomial of power ``pwr``.

    >>> schedule = mx.lr_scheduler.PolyScheduler(max_update=10, base_lr=1.0, pwr=1)
    >>> [schedule(update) for update in (0, 5, 10)]
    [1.0, 0.5, 0.0]
    """

    @takes(_Decay.__init__)
    def __init__(self, pwr: float = 2, final_lr: float = 0, **given: Any):
        super().__init__(final_lr=final_lr, **given)
        self.power = pwr

    def _remaining(self, progress: float) -> float:
        return (1 - progress) ** self.power


class CosineScheduler(_Decay):
    """Decays to ``final_lr`` at ``max_update`` along half a cosine.

    >>> schedule = mx.lr_scheduler.CosineScheduler(max_update=10, base_lr=1.0)
    >>> [schedule(update) for update in (0, 5, 10)]
    [1.0, 0.5, 0.0]
    """

    def _remaining(self, progress: float) -> float:
        return (1 + math.cos(math.pi * progress)) / 2
