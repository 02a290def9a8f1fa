"""Augmenters for detection: they change an image together with the boxes of its objects.

The label of an image is an array with a row for each object: class, left, top, right and bottom as parts of the image's
width and height, and whatever else one wants.
"""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ndarray import NDArray
from ..ndarray.gate import call
from .augmenters import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    Augmenter,
    CastAug,
    ColorNormalizeAug,
    ForceResizeAug,
    ResizeAug,
    color_augmenters,
    color_statistics,
)
from .functions import MXNetTypeError, MXNetValueError, copyMakeBorder, fixed_crop, require

__all__ = [
    "CreateDetAugmenter",
    "CreateMultiRandCropAugmenter",
    "DetAugmenter",
    "DetBorrowAug",
    "DetHorizontalFlipAug",
    "DetRandomCropAug",
    "DetRandomPadAug",
    "DetRandomSelectAug",
]

Labelled = tuple[NDArray, np.ndarray]


class DetAugmenter(Augmenter):
    """The base of augmenters for detection: called with an image and its label, returns both."""

    def __call__(self, src: NDArray, label: np.ndarray) -> Labelled:
        raise NotImplementedError("Must override implementation.")


class DetBorrowAug(DetAugmenter):
    """An augmenter that moves nothing within the image, and so leaves the label unchanged."""

    def __init__(self, augmenter: Augmenter):
        if not isinstance(augmenter, Augmenter):
            raise MXNetTypeError("Borrowing from invalid Augmenter")
        super().__init__(augmenter=augmenter.dumps())
        self.augmenter = augmenter

    def dumps(self) -> Any:
        """The name, and what the borrowed augmenter dumps."""
        return [type(self).__name__.lower(), self.augmenter.dumps()]

    def __call__(self, src: NDArray, label: np.ndarray) -> Labelled:
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """One of several augmenters, or with probability ``skip_prob`` none."""

    def __init__(self, aug_list: Any, skip_prob: float = 0):
        super().__init__(skip_prob=skip_prob)
        aug_list = list(aug_list) if isinstance(aug_list, list | tuple) else [aug_list]
        if not all(isinstance(augmenter, DetAugmenter) for augmenter in aug_list):
            raise MXNetValueError("Allow DetAugmenter in list only")
        self.aug_list = aug_list
        self.skip_prob = skip_prob if aug_list else 1

    def dumps(self) -> Any:
        """The name, and a list of what the augmenters dump."""
        return [type(self).__name__.lower(), [augmenter.dumps() for augmenter in self.aug_list]]

    def __call__(self, src: NDArray, label: np.ndarray) -> Labelled:
        if random.random() < self.skip_prob:
            return src, label
        random.shuffle(self.aug_list)
        return self.aug_list[0](src, label)


class DetHorizontalFlipAug(DetAugmenter):
    """Turns image and boxes left to right with probability ``p``."""

    def __init__(self, p: float):
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: NDArray, label: np.ndarray) -> Labelled:
        if random.random() < self.p:
            src = call("flip", src, axis=1)
            label[:, 1], label[:, 3] = 1.0 - label[:, 3], 1.0 - label[:, 1]
        return src, label


def _range_of(value: Any) -> tuple[float, float]:
    return tuple(value) if isinstance(value, tuple | list) else (value, value)


def _usable(name: str, ratio: tuple[float, float], area: tuple[float, float], least: float) -> bool:
    """Are the ranges of proportion and area such that something can be chosen? Warns if not."""
    for what, values, wrong in (
        ("aspect_ratio_range", ratio, ratio[0] > ratio[1] or ratio[0] <= 0),
        ("area_range", area, area[1] <= least or area[0] > area[1]),
    ):
        if wrong:
            warnings.warn(f"Skip {name} due to invalid {what}: {values}", stacklevel=3)
            return False
    return True


def _areas(label: np.ndarray) -> np.ndarray:
    sides = np.maximum(0, label[:, 3:5] - label[:, 1:3])
    return sides[:, 0] * sides[:, 1]


class DetRandomCropAug(DetAugmenter):
    """A random part of the image that covers enough of the objects.

    ``area_range`` and ``aspect_ratio_range`` are those of the part; of each object that it touches more than
    ``min_object_covered`` must lie within. Objects of which no more than ``min_eject_coverage`` is left are dropped. If
    no part is found in ``max_attempts``, the image stays unchanged.
    """

    def __init__(
        self,
        min_object_covered: float = 0.1,
        aspect_ratio_range: Any = (0.75, 1.33),
        area_range: Any = (0.05, 1.0),
        min_eject_coverage: float = 0.3,
        max_attempts: int = 50,
    ):
        self.aspect_ratio_range = _range_of(aspect_ratio_range)
        self.area_range = _range_of(area_range)
        super().__init__(
            min_object_covered=min_object_covered,
            aspect_ratio_range=self.aspect_ratio_range,
            area_range=self.area_range,
            min_eject_coverage=min_eject_coverage,
            max_attempts=max_attempts,
        )
        self.min_object_covered = min_object_covered
        self.min_eject_coverage = min_eject_coverage
        self.max_attempts = max_attempts
        self.enabled = _usable("DetRandomCropAug", self.aspect_ratio_range, self.area_range, 0)

    def __call__(self, src: NDArray, label: np.ndarray) -> Labelled:
        if self.enabled:
            height, width, _ = src.shape
            for _ in range(self.max_attempts):
                box = self._proposal(height, width)
                if box is None:
                    continue
                new_label = self._cropped_label(label, box, height, width)
                if new_label is not None:
                    return fixed_crop(src, *box), new_label
        return src, label

    def _proposal(self, height: int, width: int) -> tuple[int, int, int, int] | None:
        """A part (x, y, width, height) of the wanted proportion and area, or None if this choice does not fit."""
        ratio = random.uniform(*self.aspect_ratio_range)
        least, most = (part * height * width for part in self.area_range)
        tallest = round(math.sqrt(most / ratio))
        if round(tallest * ratio) > width:
            tallest = int((width + 0.4999999) / ratio)
        tallest = min(tallest, height)
        new_height = min(round(math.sqrt(least / ratio)), tallest)
        if new_height < tallest:
            new_height = random.randint(new_height, tallest)
        new_width = round(new_height * ratio)
        # Rounding may have led out of the range.
        if new_width * new_height < least:
            new_height += 1
            new_width = round(new_height * ratio)
        if new_width * new_height > most:
            new_height -= 1
            new_width = round(new_height * ratio)
        if not (least <= new_width * new_height <= most and 0 < new_width <= width and 0 < new_height <= height):
            return None
        y = random.randint(0, height - new_height)
        x = random.randint(0, width - new_width)
        return x, y, new_width, new_height

    def _cropped_label(
        self, label: np.ndarray, box: tuple[int, int, int, int], height: int, width: int
    ) -> np.ndarray | None:
        """The objects within a part of the image, or None if too little of them is."""
        x, y, new_width, new_height = box
        areas = _areas(label)
        part = np.array([x / width, y / height, (x + new_width) / width, (y + new_height) / height], label.dtype)
        within = label.copy()
        within[:, 1:3] = np.maximum(label[:, 1:3], part[:2])
        within[:, 3:5] = np.minimum(label[:, 3:5], part[2:])
        covered = _areas(within) / np.where(areas > 0, areas, 1)
        touched = covered[(areas * height * width > 2) & (covered > 0)]  # objects of hardly any pixels do not count
        if not touched.size or touched.min() <= self.min_object_covered:
            return None
        moved = label.copy()
        moved[:, (1, 3)] = np.clip((label[:, (1, 3)] * width - x) / new_width, 0, 1)
        moved[:, (2, 4)] = np.clip((label[:, (2, 4)] * height - y) / new_height, 0, 1)
        left = _areas(moved) * (new_width * new_height) / np.where(areas > 0, areas * height * width, 1)
        kept = (moved[:, 3] > moved[:, 1]) & (moved[:, 4] > moved[:, 2]) & (left > self.min_eject_coverage)
        return moved[kept] if kept.any() else None


class DetRandomPadAug(DetAugmenter):
    """Puts the image somewhere on a larger one of color ``pad_val``, of a random area and proportion."""

    def __init__(
        self,
        aspect_ratio_range: Any = (0.75, 1.33),
        area_range: Any = (1.0, 3.0),
        max_attempts: int = 50,
        pad_val: Any = (128, 128, 128),
    ):
        self.pad_val = pad_val
        self.aspect_ratio_range = _range_of(aspect_ratio_range)
        self.area_range = _range_of(area_range)
        super().__init__(
            aspect_ratio_range=self.aspect_ratio_range,
            area_range=self.area_range,
            max_attempts=max_attempts,
            pad_val=pad_val,
        )
        self.max_attempts = max_attempts
        self.enabled = _usable("DetRandomPadAug", self.aspect_ratio_range, self.area_range, 1.0)

    def __call__(self, src: NDArray, label: np.ndarray) -> Labelled:
        if not self.enabled:
            return src, label
        height, width, channels = src.shape
        for _ in range(self.max_attempts):
            place = self._proposal(height, width)
            if place is None:
                continue
            x, y, new_width, new_height = place
            color = self.pad_val if isinstance(self.pad_val, tuple | list) else (self.pad_val,)
            if len(color) == 1:
                color = (*color, 0, 0)[:channels]
            below, right = new_height - y - height, new_width - x - width
            src = copyMakeBorder(src, y, below, x, right, 0, values=tuple(map(float, color)))
            label[:, (1, 3)] = (label[:, (1, 3)] * width + x) / new_width
            label[:, (2, 4)] = (label[:, (2, 4)] * height + y) / new_height
            break
        return src, label

    def _proposal(self, height: int, width: int) -> tuple[int, int, int, int] | None:
        """Where (x, y) to put the image on a larger one of which size (width, height), or None if it does not fit."""
        ratio = random.uniform(*self.aspect_ratio_range)
        least, most = (part * height * width for part in self.area_range)
        new_height = round(math.sqrt(least / ratio))
        tallest = round(math.sqrt(most / ratio))
        if round(new_height * ratio) < width:
            new_height = int((width + 0.4999999) / ratio)
        new_height = min(max(new_height, height), tallest)
        if new_height < tallest:
            new_height = random.randint(new_height, tallest)
        new_width = round(new_height * ratio)
        if new_height - height < 2 or new_width - width < 2:
            return None
        y = random.randint(0, new_height - height)
        x = random.randint(0, new_width - width)
        return x, y, new_width, new_height


def CreateMultiRandCropAugmenter(
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 1.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    skip_prob: float = 0,
) -> DetRandomSelectAug:
    """One of several DetRandomCropAug by chance: each argument may be a list with a value for each of them."""
    given = (min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts)
    lists = [value if isinstance(value, list) else [value] for value in given]
    count = max(map(len, lists))
    require(all(len(values) in (1, count) for values in lists), "all lists must have the same number of values")
    columns = [values * count if len(values) == 1 else values for values in lists]
    return DetRandomSelectAug([DetRandomCropAug(*row) for row in zip(*columns, strict=True)], skip_prob)


def CreateDetAugmenter(
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: float = 0,
    rand_pad: float = 0,
    rand_gray: float = 0,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    pca_noise: float = 0,
    hue: float = 0,
    inter_method: int = 2,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 3.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    pad_val: Any = (127, 127, 127),
) -> list[DetAugmenter]:
    """The list of augmenters for detection on images of ``data_shape`` that common options ask for.

    ``rand_crop`` and ``rand_pad`` are probabilities; the arguments from ``min_object_covered`` on are for them. All
    else is as in ``CreateAugmenter``.
    """
    augmenters: list[DetAugmenter] = []
    if resize > 0:
        augmenters.append(DetBorrowAug(ResizeAug(resize, inter_method)))
    if rand_crop > 0:
        options = (min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts)
        augmenters.append(CreateMultiRandCropAugmenter(*options, skip_prob=1 - rand_crop))
    if rand_mirror > 0:
        augmenters.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        pad = DetRandomPadAug(aspect_ratio_range, (1.0, area_range[1]), max_attempts, pad_val)
        augmenters.append(DetRandomSelectAug([pad], 1 - rand_pad))
    colors = color_augmenters(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    mean = color_statistics(mean, IMAGENET_MEAN, "mean")
    std = color_statistics(std, IMAGENET_STD, "std")
    if mean is not None or std is not None:
        colors.append(ColorNormalizeAug(mean, std))
    size = (data_shape[2], data_shape[1])
    plain = [ForceResizeAug(size, inter_method), CastAug(), *colors]
    return augmenters + [DetBorrowAug(augmenter) for augmenter in plain]
