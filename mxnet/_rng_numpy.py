"""The kernels of ``native/random.c`` in NumPy, for where they are missing: the same words give the same numbers.

Where a logarithm or a power is in it, a number may differ in the last place or two: the C library's and NumPy's do.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

GENERATORS, WORDS = 1024, 624
UNSEEDED = -1
_PART = 64
_MOST_TRIES = 1000
#: The distributions by their numbers in C.
KINDS = (
    "uniform",
    "normal",
    "gamma",
    "exponential",
    "poisson",
    "negative_binomial",
    "generalized_negative_binomial",
)


def _lgamma_function() -> Callable[[float], float]:
    """The C library's for float32: its errors decide which numbers are rejected."""
    found = getattr(ctypes.CDLL(None), "lgammaf", None) if os.name == "posix" else None
    if found is None:
        return math.lgamma
    found.argtypes, found.restype = [ctypes.c_float], ctypes.c_float
    return found


_lgamma = _lgamma_function()


def singles(words: np.ndarray) -> np.ndarray:
    """Words as float32 in [0, 1]."""
    return words.astype(np.float32) * np.float32(2.0**-32)


def doubles(words: np.ndarray) -> np.ndarray:
    """Pairs of words as float64 in [0, 1]."""
    return (words[::2].astype(np.float64) + words[1::2] * 2.0**32) * 2.0**-64


class _Generator:
    """One generator: a row of the states (position, seed, words)."""

    _bits = np.random.MT19937(0)

    def __init__(self, row: np.ndarray):
        self._row = row
        if row[0] == UNSEEDED:
            seeded = np.random.RandomState(int(row[1]) % 2**32).get_state()
            row[2:], row[0] = seeded[1].view(np.int32), WORDS  # type: ignore[index]
        self._load()

    def _load(self) -> None:
        key, position = self._row[2:].view(np.uint32), int(self._row[0])
        self._bits.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": position}}

    def save(self) -> None:
        state = self._bits.state["state"]
        self._row[0], self._row[2:] = state["pos"], state["key"].view(np.int32)

    def words(self, count: int) -> np.ndarray:
        return self._bits.random_raw(count).astype(np.uint32)

    def word(self) -> int:
        return self._bits.random_raw()

    def single(self) -> np.float32:
        return np.float32(self.word()) * np.float32(2.0**-32)

    def double(self) -> np.float64:
        low = self.word()
        return np.float64((low + self.word() * 2.0**32) * 2.0**-64)


def _parts(states: torch.Tensor, count: int) -> Iterator[tuple[_Generator, int, int]]:
    """The generators for so many numbers, with the first and the end of what each draws."""
    parts = min(GENERATORS, -(-count // _PART))
    step = -(-count // max(parts, 1))
    for k in range(parts):
        first, last = min(k * step, count), min((k + 1) * step, count)
        if first < last:
            generator = _Generator(states.numpy()[k])
            yield generator, first, last
            generator.save()


def _normals(g: _Generator, count: int, kind: Any, both: bool = False) -> np.ndarray:
    """The polar method; of the two numbers that it gives for a point one is used, or both."""
    found: list[np.ndarray] = []
    missing = -(-count // 2) if both else count
    while missing:
        drawn = singles(g.words(2 * missing)) if kind is np.float32 else doubles(g.words(4 * missing))
        points = (kind(2) * drawn - kind(1)).reshape(-1, 2)
        square = points[:, 0] * points[:, 0] + points[:, 1] * points[:, 1]
        good = (square <= 1) & (square != 0)
        points, square = points[good], square[good]
        # the logarithm in float64, which rounds to that of the C library
        logarithm = np.log(square.astype(np.float64)).astype(kind)
        pairs = points[:, ::-1] * np.sqrt(kind(-2) * logarithm / square)[:, None]
        found.append(pairs.ravel() if both else pairs[:, 0])
        missing -= len(square)
    return np.concatenate(found)[:count] if found else np.empty(0, kind)


def _gamma(g: _Generator, alpha: Any, beta: Any, kind: Any) -> Any:
    """Marsaglia and Tsang's method, with arithmetic in ``kind``."""
    alpha, beta = kind(alpha), kind(beta)
    if not alpha >= 0 or np.isinf(alpha):
        return kind(np.nan)
    uniform: Callable[[], Any] = g.single if kind is np.float32 else g.double
    d = kind(float(alpha) + 2 / 3 if alpha < 1 else float(alpha) - 1 / 3)
    c = kind(1) / kind(math.sqrt(9.0 * float(d)))
    while True:
        x = _normals(g, 1, kind)[0]
        v = kind(1) + c * x
        if v <= 0:
            continue
        v = v * v * v
        u = 1.0 - float(uniform())
        bound = 0.5 * float(x) * float(x) + float(d) * (1.0 - float(v) + math.log(v))
        if (math.log(u) if u else -math.inf) < bound:
            break
    result = d * v * beta
    return kind(float(result) * float(uniform()) ** float(kind(1 / float(alpha)))) if alpha < 1 else result


def _poisson(g: _Generator, rate: np.float32) -> float:
    """By products of uniform numbers; of large rates by rejection."""
    if not np.isfinite(rate):
        return math.nan
    if rate < 12:
        limit, product, count = np.float32(math.exp(min(-float(rate), 80.0))), np.float32(1), -1
        while product > limit or count < 0:
            count += 1
            product *= g.single()
        return count
    width, logarithm = np.float32(math.sqrt(2 * float(rate))), np.float32(math.log(rate))
    offset = rate * logarithm - np.float32(_lgamma(float(rate + np.float32(1))))
    for _ in range(_MOST_TRIES):
        value = np.float32(-1)
        while value < 0:
            y = np.float32(math.tan(math.pi * float(g.single())))
            value = width * y + rate
        value = np.floor(value)
        exponent = float(value * logarithm - np.float32(_lgamma(value + np.float32(1))) - offset)
        bound = np.float32(0.9 * (1 + float(y) * float(y)) * math.exp(min(exponent, 80.0)))
        if not g.single() > bound:
            return float(value)
    return math.floor(float(rate) + math.sqrt(rate) * _normals(g, 1, np.float64)[0])


def _count(g: _Generator, kind: str, first: float, second: float) -> float:
    x, y = np.float32(first), np.float32(second)
    if kind == "negative_binomial":
        x = _gamma(g, x, (np.float32(1) - y) / y, np.float32)
    elif kind == "generalized_negative_binomial" and y != 0:
        x = _gamma(g, np.float32(1) / y, y * x, np.float32)
    return _poisson(g, x)


def _some(g: _Generator, kind: str, count: int, first: float, second: float, double: bool, wide: bool) -> Any:
    """Numbers with the same parameters."""
    real: Any = np.float64 if double else np.float32
    arithmetic: Any = np.float64 if wide or double else np.float32
    a, b = arithmetic(first), arithmetic(second)
    if kind == "uniform":
        width = b - a if wide else np.float32(second) - np.float32(first)
        return (doubles(g.words(2 * count)) if double else singles(g.words(count))) * width + a
    if kind == "normal":
        return _normals(g, count, real) * b + a
    if kind == "exponential":
        drawn = doubles(g.words(2 * count)) if double else singles(g.words(count))
        return -np.log(1.0 - drawn.astype(np.float64)) / first
    if kind == "gamma":
        return [_gamma(g, first, second, real) for _ in range(count)]
    return [_count(g, kind, first, second) for _ in range(count)]


def random_draw(
    states: torch.Tensor,
    kind: int,
    into: torch.Tensor,
    double: bool,
    count: int,
    first: torch.Tensor,
    second: torch.Tensor | None,
    each: int,
    wide: bool,
    threads: int,
) -> None:
    """As in C."""
    a = first.reshape(-1).tolist()
    b = [0.0] * len(a) if second is None else second.reshape(-1).tolist()
    flat = into.view(-1).numpy()
    with np.errstate(all="ignore"):
        for g, start, last in _parts(states, count):
            while start < last:
                which = start // each
                end = min((which + 1) * each, last)
                flat[start:end] = _some(g, KINDS[kind], end - start, a[which], b[which], double, wide)
                start = end


def random_integers(
    states: torch.Tensor, into: torch.Tensor, long: bool, count: int, low: int, width: int, threads: int
) -> None:
    """As in C."""
    flat = into.view(-1).numpy()
    for g, first, last in _parts(states, count):
        words = g.words(2 * (last - first)).astype(np.uint64)
        numbers = (words[::2] << np.uint64(31)) + words[1::2]
        if width:
            numbers %= np.uint64(width % 2**64)
        flat[first:last] = (numbers + np.uint64(low % 2**64)).view(np.int64)


def random_mask(
    states: torch.Tensor, into: torch.Tensor, count: int, keep: float, scale: float, double: bool, threads: int
) -> None:
    """As in C."""
    flat = into.view(-1).numpy()
    for g, first, last in _parts(states, count):
        drawn = doubles(g.words(2 * (last - first))) if double else singles(g.words(last - first))
        flat[first:last] = np.where(drawn < np.float64(keep), np.float32(scale), np.float32(0))


def random_words(states: torch.Tensor, which: int, into: torch.Tensor, count: int) -> None:
    """As in C."""
    generator = _Generator(states.numpy()[which])
    into.numpy()[:] = generator.words(count).view(np.int32)
    generator.save()


def random_series(
    states: torch.Tensor, which: int, normal: bool, into: torch.Tensor, double: bool, count: int, a: float, b: float
) -> None:
    """As in C."""
    generator = _Generator(states.numpy()[which])
    kind: Any = np.float64 if double else np.float32
    if normal:
        drawn = _normals(generator, count, kind, both=not double) * kind(b) + kind(a)
    else:
        drawn = doubles(generator.words(2 * count)) if double else singles(generator.words(count))
        drawn = drawn * (kind(b) - kind(a)) + kind(a)
    into.numpy()[:] = drawn
    generator.save()


def random_order(states: torch.Tensor, which: int, into: torch.Tensor, count: int, forward: bool) -> None:
    """As in C."""
    generator = _Generator(states.numpy()[which])
    order = list(range(count))
    for place in range(1, count) if forward else range(count - 1, 0, -1):
        width = (2**32 - 1) // (place + 1)
        word = generator.word()
        while word >= width * (place + 1):
            word = generator.word()
        other = word // width
        order[place], order[other] = order[other], order[place]
    into.numpy()[:] = order
    generator.save()
