"""Random numbers: ``mx.random``. The distributions are those of ``mx.nd.random``."""

from __future__ import annotations

import numpy as np

from ._rng import get_states as _get_states, seed as _seed, set_states as _set_states
from .context import Context
from .error import MXNetTypeError, MXNetValueError
from .ndarray import NDArray
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

__all__ = [
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "get_state",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "seed",
    "set_state",
    "shuffle",
    "uniform",
]


def seed(seed_state: int, ctx: str | Context = "all") -> None:
    """Seeds the random number generators: the same seed gives the same numbers.

    On the host they are the numbers of MXNet 1.x; all host contexts share their generators. By default all devices are
    seeded, each with a state of its own made from the seed and the device's number. With ``ctx`` only the generator of
    that device is, and the numbers do not depend on which GPU it is; shuffle and multinomial of the host then give
    other numbers than after ``seed(seed_state)``, as they always did. A program that never sets a seed starts from 0.

    >>> mx.random.seed(42)
    >>> nd.random.uniform(shape=(2,))
    [0.82909364 0.7478349 ]
    <NDArray 2 @cpu(0)>
    """
    if not isinstance(seed_state, int | np.integer):
        raise MXNetValueError(f"seed_state must be int, got {type(seed_state).__name__}")
    _seed(int(seed_state), None if ctx == "all" else Context(ctx))


def get_state() -> dict[str, NDArray]:
    """Where the random numbers of each device that was used are: save it with a checkpoint to continue them later.

    >>> mx.nd.save("checkpoint.random", mx.random.get_state())
    >>> mx.random.set_state(mx.nd.load("checkpoint.random"))
    """
    return {name: NDArray(state) for name, state in _get_states().items()}


def set_state(state: dict[str, NDArray]) -> None:
    """Continues the random numbers of the devices in what ``get_state`` gave; the others stay where they are."""
    if not isinstance(state, dict) or not all(isinstance(value, NDArray) for value in state.values()):
        raise MXNetTypeError("state must be a dict of NDArrays as mx.random.get_state() gives it")
    _set_states({name: value._data.cpu() for name, value in state.items()})
