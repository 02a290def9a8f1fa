"""The random numbers of the image record iterators: those of MXNet, found by observing it.

One Mersenne twister serves all images in their order, epoch after epoch. Images are made by several threads: these take
turns to draw, so that the number of threads does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from threading import Condition
from typing import Any

import numpy as np

__all__ = ["Stopped", "Turns", "Twister"]

_LARGEST = 0xFFFFFFFF
_ALL = np.float32(2.0**32)


class Twister:
    """Numbers as C++ programs with GNU's library of old draw them from std::mt19937."""

    def __init__(self, seed: int):
        words = np.random.RandomState(seed & _LARGEST).get_state(legacy=False)["state"]["key"]
        self._random = Random()
        self._random.setstate((3, (*words.tolist(), len(words)), None))

    def state(self) -> Any:
        """What ``restore`` needs to go on from here."""
        return self._random.getstate()

    def restore(self, state: Any) -> None:
        """Goes on from a ``state``."""
        self._random.setstate(state)

    def word(self) -> int:
        """The next 32 bits."""
        return self._random.getrandbits(32)

    def uniform(self, low: float = 0.0, high: float = 1.0) -> float:
        """A float32 of one word."""
        low32 = np.float32(low)
        return float(np.float32(self.word()) / _ALL * (np.float32(high) - low32) + low32)

    def double(self) -> float:
        """A float64 from 0 to 1 of two words."""
        first = float(self.word())
        return min((first + self.word() * 2.0**32) / 2.0**64, 1 - 2.0**-53)

    def integer(self, low: int, high: int) -> int:
        """An integer from low to high."""
        choices = high - low + 1
        width = _LARGEST // choices
        while (number := self.word() // width) >= choices:
            pass
        return low + number

    def normals(self, count: int, deviation: float) -> list[float]:
        """Numbers in float32 of mean 0 by the polar method, which finds two at a time."""
        found: list[float] = []
        one, two, scale = np.float32(1), np.float32(2), np.float32(deviation)
        while len(found) < count:
            x, y = (two * np.float32(self.uniform()) - one for _ in range(2))
            square = x * x + y * y
            if 0 < square <= 1:
                factor = np.sqrt(-two * np.log(square) / square)
                found += [float(y * factor * scale), float(x * factor * scale)]
        return found[:count]

    def shuffle(self, values: list) -> None:
        """Swaps each element with one at or before it."""
        for i in range(1, len(values)):
            j = self.integer(0, i)
            values[i], values[j] = values[j], values[i]


class Stopped(Exception):
    """There are no more turns."""


class Turns:
    """Lets threads in one after the other, by their numbers."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._next = 0
        self._stopped = False

    @contextmanager
    def take(self, number: int, patience: float, check: Callable[[], None]) -> Iterator[None]:
        """Waits until all with a lower number have been here; calls ``check`` from time to time while it waits."""
        with self._condition:
            while not self._condition.wait_for(lambda: self._stopped or self._next == number, patience):
                check()
            if self._stopped:
                raise Stopped
        try:
            yield
        finally:
            with self._condition:
                self._next += 1
                self._condition.notify_all()

    def stop(self) -> None:
        """Nobody gets in any more."""
        with self._condition:
            self._stopped = True
            self._condition.notify_all()
