"""Random numbers: ``mx.random``. The distributions are those of ``mx.nd.random``."""

from __future__ import annotations

import numpy as np

from .context import Context
from .error import MXNetValueError
from .ndarray.random import (
    exponential,
    gamma,
    generalized_negative_binomial,
    multinomial,
    negative_binomial,
    normal,
    poisson,
    randint,
    randn,
    shuffle,
    uniform,
)
from .rng import seed as _seed

__all__ = [
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "seed",
    "shuffle",
    "uniform",
]


def seed(seed_state: int, ctx: str | Context = "all") -> None:
    """Seeds the random number generators: the same seed gives the same numbers.

    By default all devices are seeded, each with a state of its own made from the seed and the device's number. With
    ``ctx`` only the generator of that device is, and the numbers do not depend on which GPU it is. All host contexts
    share one generator. A program that never sets a seed starts from 0.
    """
    if not isinstance(seed_state, int | np.integer):
        raise MXNetValueError(f"seed_state must be int, got {type(seed_state).__name__}")
    _seed(int(seed_state), None if ctx == "all" else Context(ctx))
