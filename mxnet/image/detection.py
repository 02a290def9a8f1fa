"""``ImageDetIter``, and all augmenters for detection."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .._core.signature import takes
from ..base import claim_classes
from ..error import MXNetValueError
from ..ndarray import NDArray
from .augmenters import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    color_statistics,
)
from .detection_augmenters import *  # noqa: F403
from .detection_augmenters import CreateDetAugmenter, __all__ as _augmenters
from .functions import require
from .image import ImageIter

__all__ = [*_augmenters, "ImageDetIter"]


class ImageDetIter(ImageIter):
    """Batches of images and the boxes of their objects, from the same sources as ``ImageIter``.

    The label of an image in the source is flat: the number of leading values (2 or more, with these two), the number of
    values for each object (5 or more), further leading values, and then the objects: class, left, top, right, bottom as
    parts of width and height, and further values. In a batch the labels have shape (batch, objects, values); images
    with fewer objects than the one with the most are filled up with -1.

    ``aug_list`` is a list of augmenters for detection, by default what ``CreateDetAugmenter`` makes from all other
    arguments.
    """

    _augmenters = staticmethod(CreateDetAugmenter)

    @takes(ImageIter.__init__, without=("label_width", "dtype"), label_name="label")
    def __init__(self, batch_size: int, label_name: str, **given: Any):
        super().__init__(batch_size=batch_size, label_name=label_name, **given)
        self.label_shape = self._estimate_label_shape()
        self.provide_label = [(label_name, (batch_size, *self.label_shape))]

    def _estimate_label_shape(self) -> tuple[int, int]:
        """The greatest number of objects of all images, and the number of values for each."""
        count, widths = 0, set()
        self.reset()
        while True:
            try:
                label = self._parse_label(self.next_sample()[0])
            except StopIteration:
                break
            count = max(count, label.shape[0])
            widths.add(label.shape[1])
        self.reset()
        if len(widths) > 1:
            raise MXNetValueError(f"all objects must have the same number of values, here they have {sorted(widths)}")
        require(widths, "there are no images")
        return count, widths.pop()

    def _check_valid_label(self, label: np.ndarray) -> None:
        """Raises an error unless there is an object with all its values, and a box with an area."""
        if label.ndim != 2 or label.shape[1] < 5:
            raise MXNetValueError(f"Label with shape (1+, 5+) required, {label.shape} received.")
        valid = (label[:, 0] >= 0) & (label[:, 3] > label[:, 1]) & (label[:, 4] > label[:, 2])
        if not valid.any():
            raise MXNetValueError("Invalid label occurs.")

    def _parse_label(self, label: object) -> np.ndarray:
        """The objects in a flat label, apart from those without an area."""
        raw = np.ravel(np.asarray(label))
        if raw.size < 7:
            raise MXNetValueError(f"Label shape is invalid: {raw.shape} ({self._current()})")
        if not np.isfinite(raw[:2]).all():
            raise MXNetValueError(f"Label begins with {raw[:2]}; two lengths were expected ({self._current()})")
        header, width = int(raw[0]), int(raw[1])
        if header < 2 or width < 5 or (raw.size - header) % width:
            raise MXNetValueError(
                f"Label shape {raw.shape} inconsistent with annotation width {width} after {header} leading values "
                f"({self._current()})"
            )
        objects = raw[header:].reshape(-1, width)
        valid = (objects[:, 3] > objects[:, 1]) & (objects[:, 4] > objects[:, 2])
        if not valid.any():
            raise MXNetValueError(f"Encounter sample with no valid label. ({self._current()})")
        return objects[valid]

    def reshape(self, data_shape: Sequence[int] | None = None, label_shape: Sequence[int] | None = None) -> None:
        """Changes the shape of images, or gives the labels room for more objects."""
        if data_shape is not None:
            self.check_data_shape(data_shape)
            self.provide_data = [(self.provide_data[0][0], (self.batch_size, *data_shape))]
            self.data_shape = tuple(data_shape)
        if label_shape is not None:
            self.check_label_shape(label_shape)
            self.provide_label = [(self.provide_label[0][0], (self.batch_size, *label_shape))]
            self.label_shape = tuple(label_shape)  # type: ignore[assignment]

    def check_label_shape(self, label_shape: Sequence[int]) -> None:
        """Raises an error if the labels there are would not fit into a shape (objects, values)."""
        if len(label_shape) != 2:
            raise MXNetValueError("label_shape should have length 2")
        if label_shape[0] < self.label_shape[0]:
            raise MXNetValueError(
                f"Attempts to reduce label count from {self.label_shape[0]} to {label_shape[0]}, not allowed."
            )
        if label_shape[1] != self.label_shape[1]:
            raise MXNetValueError(f"label_shape object width inconsistent: {self.label_shape[1]} vs {label_shape[1]}.")

    def sync_label_shape(self, it: ImageDetIter, verbose: bool = False) -> ImageDetIter:
        """Gives this and another iterator, say for validation, room for as many objects as either needs."""
        require(isinstance(it, ImageDetIter), "Synchronize with invalid iterator.")
        if self.label_shape[1] != it.label_shape[1]:
            raise MXNetValueError(
                f"object width of the iterators must be the same: {self.label_shape[1]} vs {it.label_shape[1]}."
            )
        count = max(self.label_shape[0], it.label_shape[0])
        for each in (self, it):
            if each.label_shape[0] < count:
                each.reshape(label_shape=(count, each.label_shape[1]))
        if verbose:
            logging.info("Resized label_shape to (%d, %d).", *self.label_shape)
        return it

    def augmentation_transform(self, data: NDArray, label: np.ndarray) -> tuple[NDArray, np.ndarray]:  # type: ignore
        """Applies the augmenters to an image and its objects."""
        for augmenter in self.auglist:
            data, label = augmenter(data, label)  # type: ignore[call-arg, misc]
        return data, label

    def _prepare(self, image: NDArray, label: object) -> tuple[NDArray, Any]:
        image, objects = self.augmentation_transform(image, self._parse_label(label))
        self._check_valid_label(objects)
        return self.postprocess_data(image), objects

    def _label(self, label: np.ndarray) -> np.ndarray:
        objects = np.full(self.label_shape, -1.0, np.float32)
        objects[: label.shape[0]] = label
        return objects

    def draw_next(
        self,
        color: tuple[int, int, int] | None = None,
        thickness: int = 2,
        mean: object = None,
        std: object = None,
        clip: bool = True,
        waitKey: int | None = None,
        window_name: str = "draw_next",
        id2labels: object = None,
    ) -> Iterator[np.ndarray]:
        """Gives image after image, uint8 (height, width, BGR), with the boxes of its objects drawn, for a look at them.

        ``color`` is that of the boxes in RGB, by default a random one for each. ``mean`` and ``std`` undo a
        normalization; True is that of ImageNet. With ``waitKey`` the image is also shown for so many milliseconds.
        ``id2labels`` gives the names of the classes, which are then written beside the boxes.
        """
        import cv2

        mean = color_statistics(mean, IMAGENET_MEAN, "mean")
        std = color_statistics(std, IMAGENET_STD, "std")
        while True:
            try:
                label, encoded = self.next_sample()
            except StopIteration:
                return
            image, objects = self.augmentation_transform(self.imdecode(encoded), self._parse_label(label))
            pixels = image.asnumpy().astype(np.float32)
            if std is not None:
                pixels *= np.asarray(std)
            if mean is not None:
                pixels += np.asarray(mean)
            if clip:
                pixels = np.clip(pixels, 0, 255)
            drawn = np.ascontiguousarray(pixels[:, :, ::-1]).astype(np.uint8)
            height, width = drawn.shape[:2]
            for row in objects:
                if row[0] < 0:
                    continue
                left, top, right, bottom = (
                    int(float(value) * size) for value, size in zip(row[1:5], (width, height) * 2, strict=True)
                )
                bgr = tuple(random.randint(0, 255) for _ in range(3)) if color is None else tuple(color)[::-1]
                cv2.rectangle(drawn, (left, top), (right, bottom), bgr, thickness)
                if id2labels is not None:
                    name = str(id2labels[int(row[0])])
                    cv2.putText(drawn, name, (left + 5, top + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, bgr, 1)
            if waitKey is not None:
                cv2.imshow(window_name, drawn)
                cv2.waitKey(waitKey)
            yield drawn


claim_classes(globals(), _augmenters)
