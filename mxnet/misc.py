"""Learning rate schedulers of MXNet's first months, which some programs still use; ``lr_scheduler`` has the others."""

from __future__ import annotations

import logging
import math

from .error import MXNetValueError

__all__ = ["FactorScheduler", "LearningRateScheduler", "logging", "math"]


class LearningRateScheduler:
    """The base of these schedulers: call one with the number of the iteration to get the learning rate."""

    def __init__(self) -> None:
        self.base_lr = 0.01

    def __call__(self, iteration: int) -> float:
        """The learning rate at an iteration."""
        raise NotImplementedError(f"{type(self).__name__} must define __call__(self, iteration)")


class FactorScheduler(LearningRateScheduler):
    """Multiplies the rate by ``factor`` every ``step`` iterations."""

    def __init__(self, step: int, factor: float = 0.1):
        super().__init__()
        if step < 1:
            raise MXNetValueError(f"Schedule step must be greater or equal than 1 round, got {step}")
        if factor >= 1.0:
            raise MXNetValueError(f"Factor must be less than 1 to make lr reduce, got {factor}")
        self.step = step
        self.factor = factor
        self.old_lr = self.base_lr
        self.init = False

    def __call__(self, iteration: int) -> float:
        """The learning rate at an iteration."""
        if not self.init:
            self.init, self.old_lr = True, self.base_lr
        rate = self.base_lr * math.pow(self.factor, iteration // self.step)
        if rate != self.old_lr:
            self.old_lr = rate
            logging.info("At Iteration [%d]: Swith to new learning rate %.5f", iteration, rate)
        return rate
