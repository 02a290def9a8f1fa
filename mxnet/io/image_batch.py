"""Batches of images that are being made by threads."""

from __future__ import annotations

import sys
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .image_order import Group
from .image_random import Turns, Twister

__all__ = ["Buffers", "Coming", "Record"]


class Buffers:
    """A pool of arrays that are reused once nothing else references them."""

    def __init__(self, shape: tuple[int, ...], dtype: Any):
        self._shape, self.dtype = shape, dtype
        self._all: list[np.ndarray] = []

    def take(self, most: int) -> np.ndarray:
        """An array with any contents."""
        for i in range(len(self._all)):
            if sys.getrefcount(self._all[i]) == 2:  # the list's reference, and that of the call
                return self._all[i]
        new = np.empty(self._shape, self.dtype)
        if len(self._all) < most:
            self._all.append(new)
        return new


#: The number of a record, and its group if there are groups.
Record = tuple[int, Group | None]


@dataclass
class Coming:
    """A batch that is being made."""

    data: np.ndarray
    label: np.ndarray
    index: np.ndarray
    pad: int
    turns: Turns
    random: list[Twister]
    tasks: list[Future] = field(default_factory=list)
    #: The state of the random numbers after this batch, once its last image has drawn.
    state: Any = None
