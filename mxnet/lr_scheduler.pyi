# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import logging
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from ._core.signature import takes
from .error import MXNetAssertionError, MXNetValueError
class LRScheduler:
    """The base of schedulers: call one with the number of updates so far to get the learning rate."""
    def __init__(self, base_lr: float=0.01, warmup_steps: int=0, warmup_begin_lr: float=0, warmup_mode: str='linear') -> None: ...
    def get_warmup_lr(self, num_update: int) -> float:
        """The learning rate at an update that is part of the warm-up."""
    def __setstate__(self, state: Mapping[str, Any]) -> None: ...
    def _check(self) -> None:
        """Refuses attributes, given here or read from a file, with which calls would not end."""
    def __call__(self, num_update: int) -> float:
        """The learning rate after ``num_update`` updates."""
    base_lr: float
    warmup_begin_lr: float
    warmup_final_lr: float
    warmup_mode: str
    warmup_steps: int
_MANY: int
def _check_factor(factor: float) -> None: ...
def _log_change(num_update: int, rate: float) -> None: ...
class FactorScheduler(LRScheduler):
    """Multiplies the rate by ``factor`` every ``step`` updates, not below ``stop_factor_lr``."""
    def __init__(self, step: int, factor: float = 1, stop_factor_lr: float = 1e-08, base_lr: float = 0.01, warmup_steps: int = 0, warmup_begin_lr: float = 0, warmup_mode: str = 'linear') -> None: ...
    def _check(self) -> None: ...
    def __call__(self, num_update: int) -> float:
        """The learning rate after ``num_update`` updates; must not go back in time."""
    count: int
    factor: float
    step: int
    stop_factor_lr: float
class MultiFactorScheduler(LRScheduler):
    """Multiplies the rate by ``factor`` after each of the updates listed in ``step``."""
    def __init__(self, step: Sequence[int], factor: float = 1, base_lr: float = 0.01, warmup_steps: int = 0, warmup_begin_lr: float = 0, warmup_mode: str = 'linear') -> None: ...
    def __call__(self, num_update: int) -> float:
        """The learning rate after ``num_update`` updates; must not go back in time."""
    count: Any
    cur_step_ind: int
    factor: float
    step: Sequence[int]
class _Decay(LRScheduler):
    """From ``base_lr`` to ``final_lr`` over ``max_update`` updates; ``_remaining`` says how much of the way is left."""
    def __init__(self, max_update: int, base_lr: float = 0.01, final_lr: float = 0, warmup_steps: int = 0, warmup_begin_lr: float = 0, warmup_mode: str = 'linear') -> None: ...
    def __setstate__(self, state: Mapping[str, Any]) -> None: ...
    def _remaining(self, progress: float) -> float: ...
    def __call__(self, num_update: int) -> float:
        """The learning rate after ``num_update`` updates."""
    base_lr_orig: float
    final_lr: float
    max_steps: Any
    max_update: int
class PolyScheduler(_Decay):
    """Decays to ``final_lr`` at ``max_update`` by a polynomial of power ``pwr``."""
    def __init__(self, max_update: int, base_lr: float = 0.01, pwr: float = 2, final_lr: float = 0, warmup_steps: int = 0, warmup_begin_lr: float = 0, warmup_mode: str = 'linear') -> None: ...
    def _remaining(self, progress: float) -> float: ...
    power: float
class CosineScheduler(_Decay):
    """Decays to ``final_lr`` at ``max_update`` along half a cosine."""
    def _remaining(self, progress: float) -> float: ...
__all__ = ['CosineScheduler', 'FactorScheduler', 'LRScheduler', 'MultiFactorScheduler', 'PolyScheduler', 'logging']
