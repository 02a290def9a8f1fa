"""How the image record iterators change an image: NumPy arrays (height, width, channel) of bytes, by OpenCV.

What is to be done is planned first, which draws the random numbers and needs the size of the image only, and then done:
the former must be in the order of the images, the latter is the work.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from .image_opencv import cv2
from .image_random import Twister

__all__ = ["DefaultAugmenter", "Plan", "interpolation", "jitter_hsl"]

_EIGENVALUES = np.array([55.46, 4.794, 1.148])
_EIGENVECTORS = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])
_TRIALS = 10


class Plan:
    """Steps from an image to another one, and the size that it has after them."""

    def __init__(self, rows: int, columns: int):
        self.rows, self.columns = rows, columns
        self._steps: list[Callable[[np.ndarray], np.ndarray]] = []

    def add(self, step: Callable[[np.ndarray], np.ndarray]) -> None:
        """Adds a step that does not change the size."""
        self._steps.append(step)

    def resize(self, height: int, width: int, method: int, random: Twister) -> None:
        """Another size; if it has that size, only the interpolation is drawn."""
        old, new = (self.rows, self.columns), (height, width)
        how = interpolation(method, old, new, random)
        if old == new:
            return
        self._steps.append(lambda image: cv2.resize(image, (width, height), interpolation=how))
        self.rows, self.columns = new

    def resize_short_side(self, size: int, method: int, random: Twister) -> None:
        """The shorter side gets that size."""
        if self.rows > self.columns:
            self.resize(self.rows * size // self.columns, size, method, random)
        else:
            self.resize(size, self.columns * size // self.rows, method, random)

    def crop(self, top: int, left: int, height: int, width: int) -> None:
        """A part of the image."""
        self._steps.append(lambda image: image[top : top + height, left : left + width])
        self.rows, self.columns = height, width

    def pad(self, top: int, bottom: int, left: int, right: int, value: int) -> None:
        """A border of that value."""
        around, color = (top, bottom, left, right), (value,) * 4
        self._steps.append(lambda image: cv2.copyMakeBorder(image, *around, cv2.BORDER_CONSTANT, value=color))
        self.rows, self.columns = self.rows + top + bottom, self.columns + left + right

    def warp(self, matrix: np.ndarray, height: int, width: int, how: int, value: int) -> None:
        """An affine map into that size."""
        how_else = dict(flags=how, borderMode=cv2.BORDER_CONSTANT, borderValue=(value,) * 4)
        self._steps.append(lambda image: cv2.warpAffine(image, matrix, (width, height), **how_else))
        self.rows, self.columns = height, width

    def run(self, image: np.ndarray) -> np.ndarray:
        """The image after all steps."""
        for step in self._steps:
            image = step(image)
        return image


def interpolation(method: int, old: tuple[int, int], new: tuple[int, int], random: Twister) -> int:
    """OpenCV's number of an interpolation: 9 chooses by the (height, width) before and after, 10 at random."""
    if method == 9:
        if new[0] > old[0] and new[1] > old[1]:
            return cv2.INTER_CUBIC
        return cv2.INTER_AREA if new[0] < old[0] and new[1] < old[1] else cv2.INTER_LINEAR
    return random.integer(0, 4) if method == 10 else method


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

    def plan(self, plan: Plan, height: int, width: int, color: bool, random: Twister) -> None:
        """Adds the steps to an image of that size: all that was asked for but mirroring and scaling of its values."""
        if self.resize > 0:
            plan.resize_short_side(self.resize, self.inter_method, random)
        if self._warps():
            self._warp(plan, random)
        if self.pad > 0:
            plan.pad(self.pad, self.pad, self.pad, self.pad, self.fill_value)
        self._crop(plan, height, width, random)
        if self.brightness > 0 or self.contrast > 0 or self.saturation > 0:
            self._jitter(plan, color, random)
        if self.random_h or self.random_s or self.random_l:
            amounts = [_random_shift(limit, random) for limit in (self.random_h, self.random_s, self.random_l)]
            if color:
                plan.add(partial(jitter_hsl, hue=amounts[0], saturation=amounts[1], lightness=amounts[2]))
        if self.pca_noise > 0:
            strengths = np.array(random.normals(3, self.pca_noise))
            noise = (_EIGENVECTORS * strengths * _EIGENVALUES).sum(1)[::-1].astype(np.float32)  # blue, green and red
            if color:
                plan.add(lambda image: (image + noise).clip(0, 255).astype(np.uint8))

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

    def _warp(self, plan: Plan, random: Twister) -> None:
        height, width = plan.rows, plan.columns
        shear = random.uniform(-self.max_shear_ratio, self.max_shear_ratio)
        angle = random.integer(-self.max_rotate_angle, self.max_rotate_angle)
        if self.rotate > 0:
            angle = self.rotate
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
        size = (max(1, int(new_height + 1e-4)), max(1, int(new_width + 1e-4)))
        how = interpolation(self.inter_method, (height, width), size, random)
        plan.warp(matrix, *size, how, self.fill_value)

    def _aspect(self, random: Twister) -> float:
        if self.min_aspect_ratio is None:
            return 1 + random.uniform(-self.max_aspect_ratio, self.max_aspect_ratio)
        return random.uniform(self.min_aspect_ratio, self.max_aspect_ratio)

    def _crop(self, plan: Plan, height: int, width: int, random: Twister) -> None:
        part = self._part(plan.rows, plan.columns, random) if self.random_resized_crop else None
        if part is not None:
            plan.crop(*part)
        elif self.max_crop_size != -1 or self.min_crop_size != -1:
            low, high = self.min_crop_size, self.max_crop_size
            if low < 1 or low > high or plan.rows < high or plan.columns < high:
                raise ValueError(
                    f"min_crop_size={low} and max_crop_size={high} must be 1 <= min <= max <= the sides of the image, "
                    f"{plan.rows} x {plan.columns}"
                )
            side = random.integer(low, high)
            self._place(plan, side, side, random)
        else:
            method = random.integer(0, 4) if self.inter_method == 10 else self.inter_method
            if plan.rows < height:
                plan.resize(height, height * plan.columns // plan.rows, method, random)
            if plan.columns < width:  # made higher, it may still not be wide enough
                plan.resize(width * plan.rows // plan.columns, width, method, random)
            self._place(plan, height, width, random)
            return
        plan.resize(height, width, self.inter_method, random)

    def _place(self, plan: Plan, height: int, width: int, random: Twister) -> None:
        rows, columns = plan.rows - height, plan.columns - width
        top, left = (
            (random.integer(0, rows), random.integer(0, columns)) if self.rand_crop else (rows // 2, columns // 2)
        )
        plan.crop(top, left, height, width)

    def _part(self, rows: int, columns: int, random: Twister) -> tuple[int, int, int, int] | None:
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
            if random.uniform() > 0.5:
                part_width, part_height = part_height, part_width
            if 0 < part_width <= columns and 0 < part_height <= rows:
                top, left = random.integer(0, rows - part_height), random.integer(0, columns - part_width)
                return top, left, part_height, part_width
        return None

    def _jitter(self, plan: Plan, color: bool, random: Twister) -> None:
        limits = (self.brightness, self.contrast, self.saturation)
        factors = [1 + random.uniform(-limit, limit) for limit in limits]
        kinds = [_brighten, _contrast, _saturate]
        order = [0, 1, 2]
        random.shuffle(order)
        for i in order:
            if limits[i] > 0:
                plan.add(partial(kinds[i], factor=factors[i]))


def _random_shift(limit: int, random: Twister) -> int:
    """An integer up to the limit, small ones more often: of two numbers the second counts four times."""
    first, second = random.uniform(), random.uniform()
    return int((0.2 * first + 0.8 * second) * 2 * limit - limit)


def _brighten(image: np.ndarray, factor: float) -> np.ndarray:
    return cv2.convertScaleAbs(image, alpha=factor)


def _contrast(image: np.ndarray, factor: float) -> np.ndarray:
    return _bytes(image * np.float32(factor) + np.float32((1 - factor) * float(_gray(image).mean())))


def _saturate(image: np.ndarray, factor: float) -> np.ndarray:
    if image.ndim != 3 or image.shape[2] != 3:
        return image
    return _bytes(image * np.float32(factor) + np.float32(1 - factor) * _gray(image)[..., None].astype(np.float32))


def _gray(image: np.ndarray) -> np.ndarray:
    """As in MXNet the weights of red and blue are exchanged."""
    return cv2.cvtColor(image, cv2.COLOR_RGB2GRAY) if image.ndim == 3 else image


def _bytes(values: np.ndarray) -> np.ndarray:
    return np.rint(values).clip(0, 255).astype(np.uint8)
