"""Batches of images with boxes around objects from record files, where the boxes follow what is done to the images.

The labels of an image are the width of their head (at least 2), the width of an object, more of the head, and the
objects: a class, the left, top, right and bottom in parts of the image's width and height, and whatever else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from ..error import MXNetValueError
from .image_augment import Plan, jitter_hsl
from .image_files import Image
from .image_opencv import cv2
from .image_random import Twister
from .image_record import RecordSource
from .image_record_arguments import _Arguments

__all__ = ["ImageDetRecordSource"]


_SMALLEST_PAD = 1.05


@dataclass(kw_only=True, eq=False)
class _DetAugmenter:
    """The arguments of the augmenter 'det_aug_default', and what they do."""

    resize: int = -1
    rand_crop_prob: float = 0.0
    min_crop_scales: tuple[float, ...] = (0.0,)
    max_crop_scales: tuple[float, ...] = (1.0,)
    min_crop_aspect_ratios: tuple[float, ...] = (1.0,)
    max_crop_aspect_ratios: tuple[float, ...] = (1.0,)
    min_crop_overlaps: tuple[float, ...] = (0.0,)
    max_crop_overlaps: tuple[float, ...] = (1.0,)
    min_crop_sample_coverages: tuple[float, ...] = (0.0,)
    max_crop_sample_coverages: tuple[float, ...] = (1.0,)
    min_crop_object_coverages: tuple[float, ...] = (0.0,)
    max_crop_object_coverages: tuple[float, ...] = (1.0,)
    num_crop_sampler: int = 1
    crop_emit_mode: Literal["center", "overlap"] = "center"
    emit_overlap_thresh: float = 0.3
    max_crop_trials: tuple[int, ...] = (25,)
    rand_pad_prob: float = 0.0
    max_pad_scale: float = 1.0
    max_random_hue: int = 0
    random_hue_prob: float = 0.0
    max_random_saturation: int = 0
    random_saturation_prob: float = 0.0
    max_random_illumination: int = 0
    random_illumination_prob: float = 0.0
    max_random_contrast: float = 0.0
    random_contrast_prob: float = 0.0
    rand_mirror_prob: float = 0.0
    fill_value: int = 127
    inter_method: int = 1
    resize_mode: Literal["fit", "force", "shrink"] = "force"

    def plan(self, plan: Plan, boxes: np.ndarray, height: int, width: int, color: bool, random: Twister) -> np.ndarray:
        """Adds the steps to an image that is not larger than that size; gives the objects that are left."""
        if self.resize > 0:
            plan.resize_short_side(self.resize, self.inter_method, random)
        self._color(plan, color, random)
        if self.rand_mirror_prob > 0 and random.uniform() < self.rand_mirror_prob:
            plan.add(partial(cv2.flip, flipCode=1))
            boxes = boxes.copy()
            boxes[:, [1, 3]] = 1 - boxes[:, [3, 1]]
        if self.rand_pad_prob > 0 and self.max_pad_scale > 1 and random.uniform() < self.rand_pad_prob:
            boxes = self._pad(plan, boxes, random)
        if self.rand_crop_prob > 0 and self.num_crop_sampler > 0 and random.uniform() < self.rand_crop_prob:
            boxes = self._crop(plan, boxes, random)
        self._resize(plan, height, width, random)
        return boxes

    def _color(self, plan: Plan, color: bool, random: Twister) -> None:
        chances = (
            self.random_hue_prob, self.random_saturation_prob, self.random_illumination_prob, self.random_contrast_prob
        )  # fmt: skip
        if not any(chance > 0 for chance in chances):
            return
        limits = (self.max_random_hue, self.max_random_saturation, self.max_random_illumination)
        amounts = [int(random.uniform() * 2 * limit - limit) for limit in limits]
        contrast = random.uniform() * 2 * self.max_random_contrast - self.max_random_contrast
        chosen = [random.uniform() < chance for chance in chances]
        hue, saturation, lightness = (amount * choice for amount, choice in zip(amounts, chosen, strict=False))
        if color and (hue or saturation or lightness):
            plan.add(partial(jitter_hsl, hue=hue, saturation=saturation, lightness=lightness))
        if chosen[3]:
            plan.add(partial(cv2.convertScaleAbs, alpha=max(0.0, 1 + contrast)))

    def _pad(self, plan: Plan, boxes: np.ndarray, random: Twister) -> np.ndarray:
        scale = random.uniform(1, self.max_pad_scale)
        if scale < _SMALLEST_PAD:
            return boxes
        rows, columns = plan.rows, plan.columns
        x, y = random.uniform(0, scale - 1), random.uniform(0, scale - 1)
        top, bottom = int(y * rows), int((scale - 1 - y) * rows)
        left, right = int(x * columns), int((scale - 1 - x) * columns)
        plan.pad(top, bottom, left, right, self.fill_value)
        boxes = boxes.copy()
        boxes[:, [1, 3]] = (boxes[:, [1, 3]] + x) / scale
        boxes[:, [2, 4]] = (boxes[:, [2, 4]] + y) / scale
        return boxes

    # ---- cropping ----------------------------------------------------------------------------------------------------

    def _crop(self, plan: Plan, boxes: np.ndarray, random: Twister) -> np.ndarray:
        """A part of the image that one of the samplers found; the image itself if none did."""
        samplers = list(range(self.num_crop_sampler))
        random.shuffle(samplers)
        rows, columns = plan.rows, plan.columns
        for sampler in samplers:
            for _ in range(int(_at(self.max_crop_trials, sampler))):
                part = self._sample(sampler, rows, columns, random)
                if not self._accepts(sampler, part, boxes):
                    continue
                left, top = int(part[0] * columns), int(part[1] * rows)
                width, height = int((part[2] - part[0]) * columns), int((part[3] - part[1]) * rows)
                if width < 1 or height < 1:
                    continue
                kept = self._inside(part, boxes)
                if len(boxes) and not len(kept):
                    continue
                plan.crop(top, left, height, width)
                return kept
        return boxes

    def _sample(self, sampler: int, rows: int, columns: int, random: Twister) -> np.ndarray:
        """A part in coordinates of 0 to 1: its scale and aspect ratio, relative to the image's, are random.

        Where no ratio that was asked for fits, it is one between those and the ones that fit, cut to the image.
        """
        scale = random.uniform(_at(self.min_crop_scales, sampler), _at(self.max_crop_scales, sampler))
        low, high = _at(self.min_crop_aspect_ratios, sampler), _at(self.max_crop_aspect_ratios, sampler)
        low, high = max(low / columns * rows, scale * scale), min(high / columns * rows, 1 / max(scale * scale, 1e-8))
        root = max(random.uniform(low, high), 1e-8) ** 0.5
        width, height = min(scale * root, 1.0), min(scale / root, 1.0)
        left, top = random.uniform(0, 1 - width), random.uniform(0, 1 - height)
        return np.array((left, top, left + width, top + height))

    def _accepts(self, sampler: int, part: np.ndarray, boxes: np.ndarray) -> bool:
        """Whether the part overlaps one of the objects as that sampler wants."""
        limits = [
            (_at(self.min_crop_overlaps, sampler), _at(self.max_crop_overlaps, sampler)),
            (_at(self.min_crop_sample_coverages, sampler), _at(self.max_crop_sample_coverages, sampler)),
            (_at(self.min_crop_object_coverages, sampler), _at(self.max_crop_object_coverages, sampler)),
        ]
        if not any(low > 0 or high < 1 for low, high in limits):
            return True
        if not len(boxes):
            return False
        common = _common(part, boxes)
        whole = (part[2] - part[0]) * (part[3] - part[1])
        areas = _areas(boxes)
        tiny = 1e-12
        measures = (common / (whole + areas - common + tiny), common / (whole + tiny), common / (areas + tiny))
        good = np.ones(len(boxes), bool)
        for (low, high), measure in zip(limits, measures, strict=True):
            if low > 0:
                good &= measure >= low
            if high < 1:  # rounding can make a whole a little more than 1
                good &= measure <= high
        return bool(good.any())

    def _inside(self, part: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """The objects that belong to a part, in its coordinates."""
        if self.crop_emit_mode == "center":
            x, y = (boxes[:, 1] + boxes[:, 3]) / 2, (boxes[:, 2] + boxes[:, 4]) / 2
            keep = (x > part[0]) & (x < part[2]) & (y > part[1]) & (y < part[3])
        else:
            keep = _common(part, boxes) / (_areas(boxes) + 1e-12) > self.emit_overlap_thresh
        kept = boxes[keep].copy()
        width, height = part[2] - part[0], part[3] - part[1]
        kept[:, [1, 3]] = ((kept[:, [1, 3]] - part[0]) / width).clip(0, 1)
        kept[:, [2, 4]] = ((kept[:, [2, 4]] - part[1]) / height).clip(0, 1)
        return kept

    def _resize(self, plan: Plan, height: int, width: int, random: Twister) -> None:
        if self.resize_mode != "force":
            ratio = np.float32(min(height / plan.rows, width / plan.columns))
            if self.resize_mode == "shrink":
                ratio = min(ratio, np.float32(1))
            height = min(height, max(1, int(np.float32(plan.rows) * ratio)))
            width = min(width, max(1, int(np.float32(plan.columns) * ratio)))
        plan.resize(height, width, self.inter_method, random)


def _at(values: tuple, sampler: int) -> float:
    """The value for a sampler: one value is for all of them."""
    return values[sampler] if sampler < len(values) else values[-1]


def _areas(boxes: np.ndarray) -> np.ndarray:
    return (boxes[:, 3] - boxes[:, 1]) * (boxes[:, 4] - boxes[:, 2])


def _common(part: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """The area that each box shares with a part."""
    width = np.minimum(boxes[:, 3], part[2]) - np.maximum(boxes[:, 1], part[0])
    height = np.minimum(boxes[:, 4], part[3]) - np.maximum(boxes[:, 2], part[1])
    return width.clip(0) * height.clip(0)


@dataclass(kw_only=True, eq=False)
class _DetArguments(_Arguments):
    path_imgrec: str = "./data/imgrec.rec"
    aug_seq: str = "det_aug_default"
    label_width: int = -1
    label_pad_width: int = 0
    label_pad_value: float = -1.0


@dataclass(kw_only=True, eq=False)
class _DetNormalization:
    mean_img: str = ""
    mean_r: float = 0.0
    mean_g: float = 0.0
    mean_b: float = 0.0
    mean_a: float = 0.0
    std_r: float = 0.0
    std_g: float = 0.0
    std_b: float = 0.0
    std_a: float = 0.0
    scale: float = 1.0


@dataclass(kw_only=True, eq=False)
class ImageDetRecordSource(RecordSource, _DetNormalization, _DetAugmenter, _DetArguments):
    """Images with objects in boxes, for detection, from record files.

    The labels of a record are the width of their head (2 or more), the width of an object (5 or more), the rest of the
    head, and the objects: a class and the left, top, right and bottom between 0 and 1. A row of the batch's labels is
    the channels, height and width of the image within ``data_shape``, the number of labels, and the labels, filled with
    ``label_pad_value`` up to the most labels of the file, or up to ``label_pad_width``.
    """

    name: ClassVar[str] = "ImageDetRecordIter"
    _augmenter: ClassVar[str] = "det_aug_default"
    _kinds: ClassVar[tuple[str, ...]] = ("float32",)
    _numbered: ClassVar[bool] = True
    _order_seed: ClassVar[int] = 233

    def _prepare(self) -> None:
        self._check_samplers()
        if self._list is not None:
            most = max((len(labels) for labels in self._list.values()), default=0)
        else:
            most = self.label_width if self.label_width > 0 else self._files.label_counts()
        if 0 < self.label_pad_width < most:
            raise MXNetValueError(
                f"{self.name}: label_pad_width={self.label_pad_width} is smaller than the {most} labels of an image"
            )
        self._label_shape = (4 + max(most, self.label_pad_width),)
        channels = self.data_shape[0]
        self._shift = np.array((self.mean_r, self.mean_g, self.mean_b, self.mean_a)[:channels], np.float32)
        stds = np.array((self.std_r, self.std_g, self.std_b, self.std_a)[:channels], np.float32)
        self._factor = np.float32(self.scale) / np.where(stds > 0, stds, np.float32(1))
        levels = np.arange(256, dtype=np.float32)
        self._table = (levels - self._shift[:, None]) * self._factor[:, None]
        self._mean = self._mean_image()

    def _check_samplers(self) -> None:
        for name in ("scales", "aspect_ratios", "overlaps", "sample_coverages", "object_coverages"):
            lows, highs = getattr(self, f"min_crop_{name}"), getattr(self, f"max_crop_{name}")
            for limit, values in (("min", lows), ("max", highs)):
                if len(values) not in (1, max(1, self.num_crop_sampler)):
                    what = f"{limit}_crop_{name} has {len(values)} values"
                    raise MXNetValueError(f"{self.name}: {what} for {self.num_crop_sampler} sampler(s)")
            for sampler in range(self.num_crop_sampler):
                low, high = _at(lows, sampler), _at(highs, sampler)
                if low > high or (name == "scales" and not 0 <= low < high <= 1):
                    raise MXNetValueError(
                        f"{self.name}: min_crop_{name} to max_crop_{name} is {low} to {high}, which is not a range"
                        + (" within 0 to 1" if name == "scales" else "")
                    )

    def _mean_image(self) -> np.ndarray | None:
        if not self.mean_img:
            return None
        from ..ndarray import load

        loaded = load(self.mean_img)
        mean = loaded["mean_img"] if isinstance(loaded, dict) else loaded[0]
        if mean.shape != tuple(self.data_shape):
            raise MXNetValueError(f"{self.name}: {self.mean_img} has shape {mean.shape}, not {self.data_shape}")
        return mean.asnumpy().astype(np.float32)

    def _draw(
        self, image: Image, size: tuple[int, int], place: int, random: list[Twister]
    ) -> tuple[Plan, np.ndarray, np.ndarray]:
        """What to do to the pixels, the head of the labels, and the objects that are left."""
        labels = self._labels(image)
        if self.label_width > 0 and len(labels) != self.label_width:
            raise ValueError(f"it has {len(labels)} labels, but label_width is {self.label_width}")
        if len(labels) < 2:
            raise ValueError("its labels must begin with the width of their header and of an object")
        head, width = int(labels[0]), int(labels[1])
        if head < 2 or width < 5 or (len(labels) - head) % width or len(labels) < head:
            raise ValueError(f"its {len(labels)} labels are not a header of {head} and objects of {width} (at least 5)")
        channels, height, columns = self.data_shape
        plan = Plan(*size)
        boxes = self.plan(plan, labels[head:].reshape(-1, width), height, columns, channels == 3, random[0])
        return plan, labels[:head], boxes

    def _fill(
        self,
        image: Image,
        pixels: np.ndarray,
        decided: tuple[Plan, np.ndarray, np.ndarray],
        data: np.ndarray,
        label: np.ndarray,
        row: int,
    ) -> None:
        plan, head, boxes = decided
        pixels = plan.run(pixels)
        channels, height, columns = self.data_shape
        used_height, used_width = pixels.shape[:2]
        if (used_height, used_width) != (height, columns):
            data.fill(0)
            data = data[:, :used_height, :used_width]
        count = len(head) + boxes.size
        label[row] = self.label_pad_value
        label[row, :4] = channels, used_height, used_width, count
        label[row, 4 : 4 + len(head)] = head
        label[row, 4 + len(head) : 4 + count] = boxes.ravel()
        planes = list(cv2.split(pixels))
        if channels >= 3:
            planes[0], planes[2] = planes[2], planes[0]
        if self._mean is not None:
            mean = self._mean[:, :used_height, :used_width]
            data[...] = (np.stack(planes) - mean) * self._factor[:, None, None]
            return
        for channel, plane in enumerate(planes):
            data[channel] = self._table[channel][plane]
