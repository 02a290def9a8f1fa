"""Transformations of images, as blocks: chain them with ``Compose`` and give them to ``dataset.transform_first``.

Images are NDArrays (height, width, channel) with values from 0 to 255, until ``ToTensor`` makes them
(channel, height, width) from 0 to 1.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from .... import image
from ...._core.types import Array
from ....base import numeric_types
from ....error import MXNetTypeError, MXNetValueError
from ....ndarray import NDArray, array, dot
from ...block import Block
from ...hybrid_block import HybridBlock
from ...nn import HybridSequential, Sequential

__all__ = [
    "Compose",
    "HybridCompose",
    "Cast",
    "ToTensor",
    "Normalize",
    "Rotate",
    "RandomRotation",
    "RandomResizedCrop",
    "RandomCrop",
    "CropResize",
    "CenterCrop",
    "Resize",
    "RandomFlipLeftRight",
    "RandomFlipTopBottom",
    "RandomBrightness",
    "RandomContrast",
    "RandomSaturation",
    "RandomHue",
    "RandomColorJitter",
    "RandomLighting",
    "RandomGray",
    "RandomApply",
    "HybridRandomApply",
]


class Compose(Sequential):
    """One transformation after the other. Neighbors that are HybridBlocks are hybridized as one.

    >>> from mxnet.gluon.data.vision import transforms
    >>> steps = transforms.Compose([transforms.Resize(300), transforms.CenterCrop(256), transforms.ToTensor()])
    >>> steps(nd.zeros((480, 640, 3), dtype="uint8")).shape
    (3, 256, 256)
    """

    def __init__(self, transforms: Sequence[Any]):
        super().__init__()
        if not isinstance(transforms, Iterable):
            raise MXNetTypeError(f"Compose takes a list of transforms, got {type(transforms).__name__}")
        group: list[Any] = []
        for transform in [*transforms, None]:
            if isinstance(transform, HybridBlock):
                group.append(transform)
                continue
            if len(group) == 1:
                self.add(group[0])
            elif group:
                hybrid = HybridSequential()
                hybrid.add(*group)
                hybrid.hybridize()
                self.add(hybrid)
            group = []
            if transform is not None:
                self.add(transform)


class HybridCompose(HybridSequential):
    """One transformation after the other, all of them HybridBlocks, hybridized (from MXNet's later releases)."""

    def __init__(self, transforms: Sequence[HybridBlock]):
        super().__init__()
        for transform in transforms:
            if not isinstance(transform, HybridBlock):
                raise MXNetValueError(
                    f"{type(transform).__name__} is not a HybridBlock, try use `Compose` instead of `HybridCompose`"
                )
            self.add(transform)
        self.hybridize()


class Cast(HybridBlock):
    """Converts to a dtype."""

    def __init__(self, dtype: Any = "float32"):
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return F.cast(x, self._dtype)


class ToTensor(HybridBlock):
    """An image (height, width, channel) from 0 to 255 as float32 (channel, height, width) from 0 to 1; also a batch."""

    def __init__(self) -> None:
        super().__init__()

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return F.image.to_tensor(x)


class Normalize(HybridBlock):
    """``(x - mean) / std`` of each channel of (channel, height, width) data, or a batch. Numbers hold for all channels.

    >>> from mxnet.gluon.data.vision import transforms
    >>> transforms.Normalize(mean=(0.4, 0.5, 0.6), std=(0.1, 0.1, 0.2))(nd.ones((3, 1, 1))).reshape(-1)
    [6. 5. 2.]
    <NDArray 3 @cpu(0)>
    """

    def __init__(self, mean: Any = 0.0, std: Any = 1.0):
        super().__init__()
        self._mean = mean
        self._std = std

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return F.image.normalize(x, self._mean, self._std)


class Rotate(Block):
    """Rotates float32 images (channel, height, width), or a batch, by an angle in degrees, counterclockwise.

    The size stays. ``zoom_in`` enlarges the image until nothing outside of it is seen, ``zoom_out`` shrinks it until
    all of it is.
    """

    def __init__(self, rotation_degrees: float, zoom_in: bool = False, zoom_out: bool = False):
        super().__init__()
        self._args = (rotation_degrees, zoom_in, zoom_out)

    def forward(self, x: NDArray) -> NDArray:
        _check_float(x)
        return image.imrotate(x, *self._args)


class RandomRotation(Block):
    """Rotates by a random angle between two limits, with a given probability; all else is as in ``Rotate``."""

    def __init__(
        self,
        angle_limits: tuple[float, float],
        zoom_in: bool = False,
        zoom_out: bool = False,
        rotate_with_proba: float = 1.0,
    ):
        super().__init__()
        lower, upper = angle_limits
        if lower >= upper:
            raise MXNetValueError("`angle_limits` must be an ordered tuple")
        if not 0 <= rotate_with_proba <= 1:
            raise MXNetValueError("Probability of rotating the image should be between 0 and 1")
        self._args = (angle_limits, zoom_in, zoom_out)
        self._rotate_with_proba = rotate_with_proba

    def forward(self, x: NDArray) -> NDArray:
        if np.random.random() > self._rotate_with_proba:
            return x
        _check_float(x)
        return image.random_rotate(x, *self._args)


def _check_float(x: NDArray) -> None:
    if x.dtype is not np.float32:
        raise MXNetTypeError("This transformation only supports float32. Consider calling it after ToTensor")


def _pair(size: Any) -> Any:
    return (size, size) if isinstance(size, numeric_types) else size


class RandomResizedCrop(Block):
    """A part of an image of random area and proportion, resized to ``size``: (width, height) or one number for both.

    ``scale`` is the range of the part of the image's area, ``ratio`` the range of width / height, ``interpolation``
    OpenCV's number: 0 nearest, 1 bilinear, 2 cubic, 3 area, 4 Lanczos.
    """

    def __init__(
        self,
        size: Any,
        scale: tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: int = 1,
    ):
        super().__init__()
        self._args = (_pair(size), scale, ratio, interpolation)

    def forward(self, x: NDArray) -> NDArray:
        return image.random_size_crop(x, *self._args)[0]


class RandomCrop(Block):
    """A part of an image anywhere, of ``size``: (width, height) or one number for both (from MXNet's later releases).

    ``pad`` pixels of ``pad_value`` are put around the image before: a number, or one for each side of height and width,
    ((before, after), (before, after)). An image that is still too small is enlarged.
    """

    def __init__(self, size: Any, pad: Any = None, pad_value: Any = 0, interpolation: int = 1):
        super().__init__()
        self._size, self._interpolation = _pair(size), interpolation
        if isinstance(pad, numeric_types):
            pad = ((pad, pad), (pad, pad))
        self._pad = pad
        self._pad_value = (pad_value,) if isinstance(pad_value, numeric_types) else tuple(pad_value)

    def forward(self, x: NDArray) -> NDArray:
        if self._pad:
            (top, bottom), (left, right) = self._pad
            values = self._pad_value * (4 // len(self._pad_value))
            x = image.copyMakeBorder(x, top, bottom, left, right, values=values)
        return image.random_crop(x, self._size, self._interpolation)[0]


class CropResize(HybridBlock):
    """The part of an image, or of a batch, from (x, y) of size width x height; resized if ``size`` is given.

    ``size`` is (width, height) or one number for both; ``interpolation`` is OpenCV's number, by default 1, bilinear.
    """

    def __init__(self, x: int, y: int, width: int, height: int, size: Any = None, interpolation: int | None = None):
        super().__init__()
        self._box = (x, y, width, height)
        self._size = size
        self._interpolation = 1 if interpolation is None else interpolation

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        part = F.image.crop(x, *self._box)
        return F.image.resize(part, self._size, False, self._interpolation) if self._size else part


class CenterCrop(Block):
    """The middle of an image, of ``size``: (width, height) or one number for both; enlarged where it is too small."""

    def __init__(self, size: Any, interpolation: int = 1):
        super().__init__()
        self._args = (_pair(size), interpolation)

    def forward(self, x: NDArray) -> NDArray:
        return image.center_crop(x, *self._args)[0]


class Resize(HybridBlock):
    """An image, or a batch, resized to ``size``: (width, height) or one number for both.

    With ``keep_ratio`` one number is for the shorter side. ``interpolation`` is OpenCV's number: 0 nearest, 1 bilinear,
    2 cubic, 3 area, 4 Lanczos.
    """

    def __init__(self, size: Any, keep_ratio: bool = False, interpolation: int = 1):
        super().__init__()
        self._size = size
        self._keep = keep_ratio
        self._interpolation = interpolation

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return F.image.resize(x, self._size, self._keep, self._interpolation)


class RandomFlipLeftRight(HybridBlock):
    """Half of the images turned left to right."""

    def __init__(self) -> None:
        super().__init__()

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return F.image.random_flip_left_right(x)


class RandomFlipTopBottom(HybridBlock):
    """Half of the images turned upside down."""

    def __init__(self) -> None:
        super().__init__()

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return F.image.random_flip_top_bottom(x)


class _RandomFactor(HybridBlock):
    """Changes an image by a random factor from ``max(0, 1 - amount)`` to ``1 + amount``."""

    _operator: str

    def __init__(self, amount: float):
        super().__init__()
        self._args = (max(0, 1 - amount), 1 + amount)

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return getattr(F.image, self._operator)(x, *self._args)


class RandomBrightness(_RandomFactor):
    """Changes the brightness by a random factor from ``max(0, 1 - brightness)`` to ``1 + brightness``."""

    _operator = "random_brightness"

    def __init__(self, brightness: float):
        super().__init__(brightness)


class RandomContrast(_RandomFactor):
    """Changes the contrast by a random factor from ``max(0, 1 - contrast)`` to ``1 + contrast``."""

    _operator = "random_contrast"

    def __init__(self, contrast: float):
        super().__init__(contrast)


class RandomSaturation(_RandomFactor):
    """Changes the saturation by a random factor from ``max(0, 1 - saturation)`` to ``1 + saturation``."""

    _operator = "random_saturation"

    def __init__(self, saturation: float):
        super().__init__(saturation)


class RandomHue(_RandomFactor):
    """Changes the hue by a random factor from ``max(0, 1 - hue)`` to ``1 + hue``."""

    _operator = "random_hue"

    def __init__(self, hue: float):
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """Changes brightness, contrast, saturation and hue in random order, each by a random factor as the blocks above."""

    def __init__(self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0):
        super().__init__()
        self._args = (brightness, contrast, saturation, hue)

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return F.image.random_color_jitter(x, *self._args)


class RandomLighting(HybridBlock):
    """Adds noise along the principal components of colors, as for AlexNet; ``alpha`` is its standard deviation."""

    def __init__(self, alpha: float):
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        return F.image.random_lighting(x, self._alpha)


class RandomGray(Block):
    """An image without its colors, with probability ``p`` (from MXNet's later releases)."""

    def __init__(self, p: float = 0.5):
        super().__init__()
        self.p = p
        self._weights = array([[0.21] * 3, [0.72] * 3, [0.07] * 3])

    def forward(self, x: NDArray) -> NDArray:
        if random.random() >= self.p:
            return x
        gray = dot(x.astype("float32", copy=False), self._weights)
        return gray.astype(x.dtype, copy=False)


class RandomApply(Sequential):
    """A transformation that is applied with probability ``p``."""

    def __init__(self, transforms: Any, p: float = 0.5):
        super().__init__()
        self.transforms = transforms
        self.p = p

    def forward(self, x: Any) -> Any:
        return x if self.p < random.random() else self.transforms(x)


class HybridRandomApply(HybridSequential):
    """A HybridBlock that is applied with probability ``p`` (from MXNet's later releases). It must keep the shape."""

    def __init__(self, transforms: HybridBlock, p: float = 0.5):
        super().__init__()
        if not isinstance(transforms, HybridBlock):
            raise MXNetTypeError(f"HybridRandomApply takes a HybridBlock, got {type(transforms).__name__}")
        self.transforms = transforms
        self.p = p

    def hybrid_forward(self, F: ModuleType, x: Array, *args: object) -> Array:
        chosen = F.random.uniform(0, 1, shape=(1,)) < self.p
        return F.contrib.cond(chosen, lambda: self.transforms(x), lambda: F.identity(x))
