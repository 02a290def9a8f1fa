"""What ``asnumpy`` gives for an array of one element: NumPy's array, and a number when one is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["OneElement"]


class OneElement(np.ndarray):
    """A NumPy array that ``float()``, ``int()`` and ``'%f' % array`` take for its only element.

    Programs for MXNet write ``print('loss %f' % loss.mean().asnumpy())``, where the shape is ``(1,)``. NumPy allowed
    that until version 2.4, which refuses arrays that have dimensions. With more elements it is refused as ever.
    """

    def __float__(self) -> float:
        return float(self.item()) if self.size == 1 else super().__float__()

    def __int__(self) -> int:
        return int(self.item()) if self.size == 1 else super().__int__()

    def __complex__(self) -> complex:
        return complex(self.item()) if self.size == 1 else super().__complex__()

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __reduce__(self) -> Any:
        return self.view(np.ndarray).__reduce__()
