"""Where random numbers come from: MXNet's own generators for the host, torch's for each GPU.

The host has 1024 generators (mt19937) that share the work: of n numbers the k-th draws the k-th of
``min(1024, ceil(n / 64))`` equal parts, whatever the number of threads. One more draws what is not shared: shuffles,
multinomial, image operators. So the same seed gives the numbers that MXNet 1.x gave. ``MXNET_RANDOM=torch`` takes
torch's generator for the host, too.
"""

from __future__ import annotations

import functools
import os
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from . import _rng_numpy as rng_numpy
from ._core import config
from .context import Context, cpu, gpu
from .error import MXNetValueError
from .native import library, threads

# As in MXNet, all host contexts share generators, and a program that sets no seed gives the same numbers each time.
_HOST = -1
_COUNT, _WORDS = rng_numpy.GENERATORS, rng_numpy.WORDS
#: What the seed is multiplied by, so that the generators of neighboring seeds are not the same.
_STRIDE = 127
_lock = threading.RLock()


class HostGenerator:
    """The generators of the host. Each is seeded when it is used for the first time after ``seed``."""

    def __init__(self, seed: int):
        # a row for each: position, seed, words; the last row is the single one
        self._states = torch.empty((_COUNT + 1, 2 + _WORDS), dtype=torch.int32)
        self._rows = self._states.numpy()
        self._kernels: Any = library() or rng_numpy
        self.seed(seed)

    def seed(self, value: int, alone: bool = False) -> None:
        """Seeds all of them; ``alone``: as for a context by itself, where the single one takes the seed unchanged."""
        first = value * _STRIDE % 2**32
        seeds = np.arange(first, first + _COUNT + 1)
        seeds[_COUNT] = value % 2**32 if alone else first
        with _lock:
            self._rows[:, 0] = rng_numpy.UNSEEDED
            self._rows[:, 1] = seeds.astype(np.uint32).view(np.int32)

    def draw(self, kind: str, into: torch.Tensor, parameters: list[Any], wide: bool = False) -> torch.Tensor:
        """Fills a contiguous float32 or float64 tensor. Parameters are numbers, or tensors of one size: each of their
        elements is for an equal part of the result. ``wide``: they are float64.
        """
        first, second = _parameter(parameters[0]), _parameter(parameters[1]) if len(parameters) > 1 else None
        count = into.numel()
        if count:
            each, double = max(count // max(first.numel(), 1), 1), into.dtype is torch.float64
            number = rng_numpy.KINDS.index(kind)
            with _lock:
                self._kernels.random_draw(
                    self._states, number, into, double, count, first, second, each, wide, threads(count)
                )
        return into

    def integers(self, into: torch.Tensor, low: int, high: int) -> torch.Tensor:
        """Fills a contiguous int32 or int64 tensor with integers from low to high - 1."""
        width, count = (high - low) % 2**64, into.numel()
        signed = width - 2**64 if width >= 2**63 else width
        with _lock:
            long = into.dtype is torch.int64
            self._kernels.random_integers(self._states, into, long, count, low, signed, threads(count))
        return into

    def mask(self, into: torch.Tensor, keep: float, scale: float, double: bool = False) -> torch.Tensor:
        """Fills a contiguous float32 tensor: scale with probability keep, else 0. ``double``: two words for each."""
        count = into.numel()
        with _lock:
            self._kernels.random_mask(self._states, into, count, keep, scale, double, threads(count))
        return into

    def words(self, count: int, which: int = _COUNT) -> np.ndarray:
        """The next words (uint32) of one of the generators; if none is named, of the single one."""
        words = torch.empty(count, dtype=torch.int32)
        with _lock:
            self._kernels.random_words(self._states, which, words, count)
        return words.numpy().view(np.uint32)

    def series(
        self,
        count: int,
        normal: bool = False,
        double: bool = False,
        a: float = 0.0,
        b: float = 1.0,
        which: int = _COUNT,
    ) -> torch.Tensor:
        """The next numbers of one of the generators, if none is named of the single one.

        They are uniform in [a, b], or normal with mean a and deviation b. Of normal numbers in float32 each point in
        the unit circle gives two, in float64 one.
        """
        found = torch.empty(count, dtype=torch.float64 if double else torch.float32)
        if count:
            with _lock:
                self._kernels.random_series(self._states, which, normal, found, double, count, a, b)
        return found

    def singles(self, count: int) -> np.ndarray:
        """Uniform float32 numbers in [0, 1] of the single generator."""
        return self.series(count).numpy()

    def doubles(self, count: int, which: int = _COUNT) -> np.ndarray:
        """Uniform float64 numbers in [0, 1], two words each."""
        return self.series(count, double=True, which=which).numpy()

    def order(self, count: int, forward: bool = True) -> torch.Tensor:
        """Returns a random permutation, by swaps from the first element on or from the last."""
        order = torch.empty(count, dtype=torch.int64)
        with _lock:
            self._kernels.random_order(self._states, _COUNT, order, count, forward)
        return order

    def get_state(self) -> torch.Tensor:
        """The complete state, as int32 numbers: positions and seeds, then the words of those in use."""
        with _lock:
            used = self._rows[:, 0] != rng_numpy.UNSEEDED
            return torch.from_numpy(np.concatenate([self._rows[:, :2].T.ravel(), self._rows[used, 2:].ravel()]))

    def set_state(self, state: torch.Tensor) -> None:
        """Continues from what ``get_state`` gave."""
        if state.dtype is not torch.int32 or state.dim() != 1 or len(state) < 2 * (_COUNT + 1):
            raise MXNetValueError(_not_a_state(state))
        numbers = state.numpy()
        positions, seeds = numbers[: 2 * (_COUNT + 1)].reshape(2, -1)
        used, words = positions != rng_numpy.UNSEEDED, numbers[2 * (_COUNT + 1) :]
        if len(words) != used.sum() * _WORDS or positions.min() < rng_numpy.UNSEEDED or positions.max() > _WORDS:
            raise MXNetValueError(_not_a_state(state))
        with _lock:
            self._rows[:, 0], self._rows[:, 1] = positions, seeds
            self._rows[used, 2:] = words.reshape(-1, _WORDS)


def _not_a_state(state: torch.Tensor) -> str:
    return (
        f"the state of the host's generators is a vector of int32 that mx.random.get_state() gave, got "
        f"{tuple(state.shape)} of {str(state.dtype).removeprefix('torch.')}"
    )


def read_float(text: str) -> float:
    """The float32 that MXNet reads from text, which may be a neighbor of the nearest one.

    It adds the whole part and the fraction, each rounded, and multiplies or divides by a power of ten, all in float32.
    """
    found = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?", text)
    if found is None:
        return float(np.float32(text))
    sign, whole, fraction, exponent = found.groups()
    digits = fraction or "0"
    with np.errstate(all="ignore"):  # beyond what float32 can hold it is infinite or zero
        number = np.float32(int(whole)) + np.float32(int(digits) / 10 ** len(digits))
        power = functools.reduce(np.multiply, [np.float32(10)] * abs(int(exponent or 0)), np.float32(1))
        number = number / power if exponent and exponent[0] == "-" else number * power
    return float(-number if sign else number)


@functools.lru_cache(256)
def _number(value: float) -> torch.Tensor:
    return torch.tensor([read_float(repr(value))], dtype=torch.float64)


def _parameter(value: Any) -> torch.Tensor:
    """Numbers are float32, read from text, as the attributes of MXNet are."""
    if isinstance(value, torch.Tensor):
        return value.to(torch.float64).contiguous()
    return _number(float(value))


Generator = torch.Generator | HostGenerator
_generators: dict[int, Generator] = {}
_seed = 0


def generator(context: Context) -> Generator:
    """The generator of a context. It stays the same object when it is seeded anew."""
    key = context.device_id if context.is_gpu else _HOST
    found = _generators.get(key)
    if found is None:
        with _lock:
            found = _generators.get(key)
            if found is None:
                found = _generators[key] = _make(key, context)
    return found


@contextmanager
def states_kept(contexts: Iterable[Context]) -> Iterator[None]:
    """What is drawn within it on these contexts will be drawn again after it."""
    before = [(found, found.get_state()) for found in {generator(context) for context in contexts}]
    try:
        yield
    finally:
        for found, state in before:
            found.set_state(state)


def _make(key: int, context: Context) -> Generator:
    if key == _HOST and config.RANDOM.get() != "torch":
        return HostGenerator(_seed)
    made = torch.Generator(context.torch_device)
    made.manual_seed(_seed_of(key))
    return made


def seed(value: int, context: Context | None = None) -> None:
    """Seeds one context, or all of them, also those used for the first time later."""
    global _seed
    value %= 2**64
    with _lock:
        if context is not None:
            _seed_one(generator(context), value, alone=True)
            return
        _seed = value
        for key, known in _generators.items():
            _seed_one(known, value if isinstance(known, HostGenerator) else _seed_of(key))


def _seed_one(known: Generator, value: int, alone: bool = False) -> None:
    if isinstance(known, HostGenerator):
        known.seed(value, alone)
    else:
        known.manual_seed(value)


def get_states() -> dict[str, torch.Tensor]:
    """The states of all generators in use, by their contexts: ``cpu`` (or ``torch`` for torch's) and ``gpu(i)``."""
    with _lock:
        return {_name(key, known): known.get_state() for key, known in _generators.items()}


def set_states(states: dict[str, torch.Tensor]) -> None:
    """Continues from what ``get_states`` gave. All of it is checked before anything is changed."""
    with _lock:
        known = {}
        for name in states:
            found = re.fullmatch(r"gpu\((\d+)\)", name)
            context = gpu(int(found[1])) if found else cpu()
            known[name] = generator(context)
            expected = _name(context.device_id if found else _HOST, known[name])
            if name != expected:
                raise MXNetValueError(
                    f"a state of {name!r} was given, but random numbers here come from {expected!r}; the variable "
                    "MXNET_RANDOM decides between the host's ('cpu') and torch's ('torch')"
                )
        before = {name: one.get_state() for name, one in known.items()}
        try:
            for name, state in states.items():
                known[name].set_state(state)
        except (MXNetValueError, RuntimeError, TypeError) as error:
            for name, state in before.items():
                known[name].set_state(state)
            raise MXNetValueError(f"this is not a state of random numbers: {error}") from error


def _name(key: int, known: Generator) -> str:
    if key != _HOST:
        return f"gpu({key})"
    return "cpu" if isinstance(known, HostGenerator) else "torch"


def _seed_of(key: int) -> int:
    # Devices differ under one seed; the first GPU has the seed itself, as when it is seeded alone.
    return (_seed + 0x9E3779B97F4A7C15 * max(key, 0)) % 2**64


def _forget_lock() -> None:
    # A thread that has locked it does not survive a fork.
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_lock)
