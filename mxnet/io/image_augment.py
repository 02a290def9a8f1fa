"""How the image record iterators change an image: NumPy arrays (height, width, channel) of bytes, by OpenCV.

All random numbers of an image come from a generator of its own, so that they do not depend on the threads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import numpy as np

from .image_opencv import cv2

__all__ = ["DefaultAugmenter", "interpolation", "jitter_hsl", "resize_short_side", "resized"]

_EIGENVALUES = np.array([55.46, 4.794, 1.148])
_EIGENVECTORS = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])
_GRAY = (0.114, 0.587, 0.299)  # of blue, green and red
_TRIALS = 10


def interpolation(method: int, old: tuple[int, int], new: tuple[int, int], random: Random) -> int:
    """OpenCV's number of an interpolation: 9 chooses by the (height, width) before and after, 10 at random."""
    if method == 9:
        if new[0] > old[0] and new[1] > old[1]:
            return cv2.INTER_CUBIC
        return cv2.INTER_AREA if new[0] < old[0] and new[1] < old[1] else cv2.INTER_LINEAR
    return random.randint(0, 4) if method == 10 else method


def resized(image: np.ndarray, height: int, width: int, method: int, random: Random) -> np.ndarray:
    """The image in another size; itself if it has that size."""
    if image.shape[:2] == (height, width):
        return image
    how = interpolation(method, image.shape[:2], (height, width), random)
    return cv2.resize(image, (width, height), interpolation=how)


def resize_short_side(image: np.ndarray, size: int, method: int, random: Random) -> np.ndarray:
    """The image with its shorter side of that size."""
    height, width = image.shape[:2]
    if height > width:
        return resized(image, height * size // width, size, method, random)
    return resized(image, size, width * size // height, method, random)


def jitter_hsl(image: np.ndarray, hue: int, saturation: int, lightness: int) -> np.ndarray:
    """Adds to hue, saturation and lightness, which stay within their ranges."""
    values = cv2.cvtColor(image, cv2.COLOR_BGR2HLS).astype(np.int16)
    values += np.array((hue, lightness, saturation), np.int16)
    return cv2.cvtColor(values.clip(0, (180, 255, 255)).astype(np.uint8), cv2.COLOR_HLS2BGR)


@dataclass(kw_only=True, eq=False)
class DefaultAugmenter:
    """The arguments of the augmenter 'aug_default', and what they do."""

    resize: int = -1
    rand_crop: bool = False
    random_resized_crop: bool = False
    max_rotate_angle: int = 0
    max_aspect_ratio: float = 0.0
    min_aspect_ratio: float | None = None
    max_shear_ratio: float = 0.0
    max_crop_size: int = -1
    min_crop_size: int = -1
    max_random_scale: float = 1.0
    min_random_scale: float = 1.0
    max_random_area: float = 1.0
    min_random_area: float = 1.0
    max_img_size: float = 1e10
    min_img_size: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 0.0
    pca_noise: float = 0.0
    random_h: int = 0
    random_s: int = 0
    random_l: int = 0
    rotate: int = -1
    fill_value: int = 255
    inter_method: int = 1
    pad: int = 0

    def check(self) -> None:
        """Raises a ValueError if arguments contradict each other."""
        if self.random_resized_crop and (
            self.rand_crop
            or not self.min_random_scale == self.max_random_scale == 1
            or not self.min_crop_size == self.max_crop_size == -1
        ):
            raise ValueError(
                "Setting random_resized_crop to true conflicts with min_random_scale, max_random_scale, min_crop_size, "
                "max_crop_size, and rand_crop"
            )
        if self.inter_method not in (0, 1, 2, 3, 4, 9, 10):
            raise ValueError(f"inter_method must be 0, 1, 2, 3, 4, 9 or 10, got {self.inter_method}")

    def augment(self, image: np.ndarray, height: int, width: int, random: Random) -> np.ndarray:
        """The image in that size, after all that was asked for but mirroring and scaling of its values."""
        if self.resize > 0:
            image = resize_short_side(image, self.resize, self.inter_method, random)
        if self._warps():
            image = self._warp(image, random)
        if self.pad > 0:
            image = cv2.copyMakeBorder(image, *[self.pad] * 4, cv2.BORDER_CONSTANT, value=self._border())
        image = self._crop(image, height, width, random)
        if self.brightness > 0 or self.contrast > 0 or self.saturation > 0:
            image = self._jitter(image, random)
        if self.random_h or self.random_s or self.random_l:
            amounts = [random.randint(-abs(v), abs(v)) for v in (self.random_h, self.random_s, self.random_l)]
            if image.ndim == 3 and image.shape[2] == 3:
                image = jitter_hsl(image, *amounts)
        if self.pca_noise > 0 and image.ndim == 3 and image.shape[2] == 3:
            strengths = np.array([random.gauss(0, self.pca_noise) for _ in range(3)])
            noise = (_EIGENVECTORS * strengths * _EIGENVALUES).sum(1)[::-1]  # of blue, green and red
            image = _bytes(image + noise.astype(np.float32))
        return image

    def _border(self) -> tuple[int, ...]:
        return (self.fill_value,) * 4

    def _warps(self) -> bool:
        return (
            self.max_rotate_angle > 0
            or self.max_shear_ratio > 0
            or self.rotate > 0
            or (
                not self.random_resized_crop
                and (
                    self.max_random_scale != 1
                    or self.min_random_scale != 1
                    or self.max_aspect_ratio != 0
                    or self.max_img_size != 1e10
                    or self.min_img_size != 0
                )
            )
        )

    def _warp(self, image: np.ndarray, random: Random) -> np.ndarray:
        height, width = image.shape[:2]
        shear = random.uniform(-self.max_shear_ratio, self.max_shear_ratio)
        angle = random.randint(-self.max_rotate_angle, self.max_rotate_angle) if self.rotate <= 0 else self.rotate
        scale, ratio = 1.0, 1.0
        if not self.random_resized_crop:
            scale = random.uniform(self.min_random_scale, self.max_random_scale)
            ratio = self._aspect(random)
        across = 2 * scale / (1 + ratio)
        along = ratio * across
        cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        new_width = max(self.min_img_size, min(self.max_img_size, scale * width))
        new_height = max(self.min_img_size, min(self.max_img_size, scale * height))
        matrix = np.array(
            (
                (across * cosine - shear * sine * along, across * sine + shear * cosine * along, 0),
                (-sine * along, cosine * along, 0),
            ),
            np.float32,
        )
        # The middle stays in the middle.
        matrix[0, 2] = (new_width - (matrix[0, 0] * width + matrix[0, 1] * height)) / 2
        matrix[1, 2] = (new_height - (matrix[1, 0] * width + matrix[1, 1] * height)) / 2
        size = (max(1, int(new_width + 1e-4)), max(1, int(new_height + 1e-4)))
        how = interpolation(self.inter_method, (height, width), size[::-1], random)
        return cv2.warpAffine(
            image, matrix, size, flags=how, borderMode=cv2.BORDER_CONSTANT, borderValue=self._border()
        )

    def _aspect(self, random: Random) -> float:
        if self.min_aspect_ratio is None:
            return 1 + random.uniform(-self.max_aspect_ratio, self.max_aspect_ratio)
        return random.uniform(self.min_aspect_ratio, self.max_aspect_ratio)

    def _crop(self, image: np.ndarray, height: int, width: int, random: Random) -> np.ndarray:
        rows, columns = image.shape[:2]
        part = self._part(rows, columns, random) if self.random_resized_crop else None
        if part is not None:
            top, left, crop_height, crop_width = part
        elif self.max_crop_size != -1 or self.min_crop_size != -1:
            low, high = self.min_crop_size, self.max_crop_size
            if low < 1 or low > high or rows < high or columns < high:
                raise ValueError(
                    f"min_crop_size={low} and max_crop_size={high} must be 1 <= min <= max <= the sides of the image, "
                    f"{rows} x {columns}"
                )
            crop_height = crop_width = random.randint(low, high)
            top, left = self._place(rows - crop_height, columns - crop_width, random)
        else:
            if rows < height or columns < width:
                image = self._enlarge(image, height, width, random)
                rows, columns = image.shape[:2]
            crop_height, crop_width = height, width
            top, left = self._place(rows - height, columns - width, random)
        image = image[top : top + crop_height, left : left + crop_width]
        return resized(image, height, width, self.inter_method, random)

    def _enlarge(self, image: np.ndarray, height: int, width: int, random: Random) -> np.ndarray:
        """The image with at least that size and its own aspect ratio: first high enough, then wide enough."""
        if image.shape[0] < height:
            image = resized(image, height, height * image.shape[1] // image.shape[0], self.inter_method, random)
        if image.shape[1] < width:
            image = resized(image, width * image.shape[0] // image.shape[1], width, self.inter_method, random)
        return image

    def _place(self, rows: int, columns: int, random: Random) -> tuple[int, int]:
        if self.rand_crop:
            return random.randint(0, rows), random.randint(0, columns)
        return rows // 2, columns // 2

    def _part(self, rows: int, columns: int, random: Random) -> tuple[int, int, int, int] | None:
        """A part of the image of a random area and aspect ratio; None if there is no such part, or none is wanted."""
        low, high = self.min_aspect_ratio, self.max_aspect_ratio
        if low is None:
            low, high = 1 - high, 1 + high
        if self.min_random_area == self.max_random_area == low == high == 1:
            return None
        for _ in range(_TRIALS):
            area = random.uniform(self.min_random_area, self.max_random_area) * rows * columns
            ratio = max(random.uniform(low, high), 1e-3)
            part_width, part_height = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if random.random() < 0.5:
                part_width, part_height = part_height, part_width
            if 0 < part_width <= columns and 0 < part_height <= rows:
                top, left = random.randint(0, rows - part_height), random.randint(0, columns - part_width)
                return top, left, part_height, part_width
        return None

    def _jitter(self, image: np.ndarray, random: Random) -> np.ndarray:
        values = image.astype(np.float32)
        colour = image.ndim == 3 and image.shape[2] == 3
        kinds = ["brightness", "contrast", "saturation"]
        random.shuffle(kinds)
        for kind in kinds:
            most = getattr(self, kind)
            if most <= 0:
                continue
            factor = 1 + random.uniform(-most, most)
            if kind == "brightness":
                values *= factor
            elif kind == "contrast":
                gray = values @ np.array(_GRAY, np.float32) if colour else values
                values = values * factor + (1 - factor) * float(gray.mean())
            elif colour:
                gray = values @ np.array(_GRAY, np.float32)
                values = values * factor + (1 - factor) * gray[..., None]
            values.clip(0, 255, out=values)
        return _bytes(values)


def _bytes(values: np.ndarray) -> np.ndarray:
    return np.rint(values).clip(0, 255).astype(np.uint8)
