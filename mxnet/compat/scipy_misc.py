"""What programs use of ``scipy.misc``, which SciPy no longer has: images as NumPy arrays, with RGB channels."""

from __future__ import annotations

import os
from typing import Any

import cv2
import numpy as np

__all__ = ["imread", "imresize", "imsave"]

_INTERPOLATION = {
    "nearest": cv2.INTER_NEAREST,
    "bilinear": cv2.INTER_LINEAR,
    "bicubic": cv2.INTER_CUBIC,
    "cubic": cv2.INTER_CUBIC,
    "lanczos": cv2.INTER_LANCZOS4,
}


def imread(name: str | os.PathLike, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    """Reads an image file; ``flatten`` or ``mode='L'`` makes it gray."""
    gray = flatten or mode in ("L", "F")
    image = cv2.imread(os.fspath(name), cv2.IMREAD_GRAYSCALE if gray else cv2.IMREAD_COLOR)
    if image is None:
        raise OSError(f"cannot read {os.fspath(name)!r} as an image")
    return image.astype(np.float32) if flatten or mode == "F" else image if gray else image[..., ::-1].copy()


def imsave(name: str | os.PathLike, arr: Any, format: str | None = None) -> None:
    """Writes an image file; numbers other than uint8 are scaled to 0 ... 255."""
    image = _bytes(np.asarray(arr))
    if not cv2.imwrite(os.fspath(name), image if image.ndim == 2 else image[..., ::-1]):
        raise OSError(f"cannot write {os.fspath(name)!r}")


def imresize(arr: Any, size: float | tuple, interp: str = "bilinear", mode: str | None = None) -> np.ndarray:
    """An image of another size: ``(height, width)``, a fraction (float) or a percentage (int)."""
    image = _bytes(np.asarray(arr))
    if isinstance(size, int | float):
        part = size / 100 if isinstance(size, int) else size
        size = tuple(int(part * length) for length in image.shape[:2])
    return cv2.resize(image, tuple(size[1::-1]), interpolation=_INTERPOLATION[interp])


def _bytes(image: np.ndarray) -> np.ndarray:
    if image.dtype == np.uint8:
        return image
    low, high = float(image.min()), float(image.max())
    return np.rint((image - low) * (255 / ((high - low) or 1))).astype(np.uint8)
