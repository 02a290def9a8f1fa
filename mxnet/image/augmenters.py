"""Augmenters: objects that change an image (height, width, channel), most of them by chance.

They draw from Python's ``random``, LightingAug from NumPy's. Those that change colors do so in the image's own memory
and need a floating image: put a CastAug before them.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.signature import overridable
from ..ndarray import NDArray, array
from ..ndarray.gate import call
from .functions import (
    _resize,
    center_crop,
    color_normalize,
    random_crop,
    random_size_crop,
    require,
    resize_short,
)

__all__ = [
    "Augmenter",
    "BrightnessJitterAug",
    "CastAug",
    "CenterCropAug",
    "ColorJitterAug",
    "ColorNormalizeAug",
    "ContrastJitterAug",
    "CreateAugmenter",
    "ForceResizeAug",
    "HorizontalFlipAug",
    "HueJitterAug",
    "LightingAug",
    "RandomCropAug",
    "RandomGrayAug",
    "RandomOrderAug",
    "RandomSizedCropAug",
    "ResizeAug",
    "SaturationJitterAug",
    "SequentialAug",
]


class Augmenter:
    """The base of augmenters: a subclass is called with an image and returns another one.

    What is given here is what ``dumps`` shows.
    """

    def __init__(self, **kwargs: Any):
        self._kwargs = {
            name: value.asnumpy().tolist()
            if isinstance(value, NDArray)
            else value.tolist()
            if isinstance(value, np.ndarray)
            else value
            for name, value in kwargs.items()
        }

    def dumps(self) -> Any:
        """The augmenter's name and parameters, as JSON."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    @overridable
    def __call__(self, src: NDArray) -> NDArray:
        raise NotImplementedError("Must override implementation.")


class SequentialAug(Augmenter):
    """One augmenter after the other."""

    def __init__(self, ts: Sequence[Augmenter]):
        super().__init__()
        self.ts = ts

    def dumps(self) -> Any:
        """The name, and a list of what the parts dump."""
        return [type(self).__name__.lower(), [part.dumps() for part in self.ts]]

    def __call__(self, src: NDArray) -> NDArray:
        for part in self.ts:
            src = part(src)
        return src


class RandomOrderAug(SequentialAug):
    """Augmenters in an order that chance decides for each image."""

    def __call__(self, src: NDArray) -> NDArray:
        random.shuffle(self.ts)  # type: ignore[arg-type]
        return super().__call__(src)


class _SizeAug(Augmenter):
    """An augmenter that gives images of a size, by a method of interpolation."""

    def __init__(self, size: Any, interp: int = 2):
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp


class ResizeAug(_SizeAug):
    """Makes the shorter side ``size`` long."""

    def __call__(self, src: NDArray) -> NDArray:
        return resize_short(src, self.size, self.interp)


class ForceResizeAug(_SizeAug):
    """Resizes to ``size`` (width, height), whatever becomes of the proportions."""

    def __call__(self, src: NDArray) -> NDArray:
        return _resize(src, self.size[0], self.size[1], self.interp)


class RandomCropAug(_SizeAug):
    """A part anywhere, of ``size`` (width, height)."""

    def __call__(self, src: NDArray) -> NDArray:
        return random_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """A part of random area and proportion, resized to ``size``; see ``random_size_crop``."""

    def __init__(self, size: Sequence[int], area: Any, ratio: Sequence[float], interp: int = 2, **kwargs: Any):
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size = size
        self.area = kwargs.pop("min_area", area)
        self.ratio = ratio
        self.interp = interp
        require(not kwargs, "unexpected keyword arguments for `RandomSizedCropAug`.")

    def __call__(self, src: NDArray) -> NDArray:
        return random_size_crop(src, self.size, self.area, self.ratio, self.interp)[0]


class CenterCropAug(_SizeAug):
    """The middle, of ``size`` (width, height)."""

    def __call__(self, src: NDArray) -> NDArray:
        return center_crop(src, self.size, self.interp)[0]


class BrightnessJitterAug(Augmenter):
    """All values times a factor from 1 - brightness to 1 + brightness."""

    def __init__(self, brightness: float):
        super().__init__(brightness=brightness)
        self.brightness = brightness

    def __call__(self, src: NDArray) -> NDArray:
        src *= 1.0 + random.uniform(-self.brightness, self.brightness)
        return src


_GRAY = np.array([[[0.299, 0.587, 0.114]]], np.float32)


class ContrastJitterAug(Augmenter):
    """The differences from the mean gray times a factor from 1 - contrast to 1 + contrast."""

    def __init__(self, contrast: float):
        super().__init__(contrast=contrast)
        self.contrast = contrast
        self.coef = array(_GRAY)

    def __call__(self, src: NDArray) -> NDArray:
        alpha = 1.0 + random.uniform(-self.contrast, self.contrast)
        gray = src * self.coef
        gray = gray.sum() * (3.0 * (1.0 - alpha) / gray.size)
        src *= alpha
        src += gray
        return src


class SaturationJitterAug(Augmenter):
    """The differences from each pixel's gray times a factor from 1 - saturation to 1 + saturation."""

    def __init__(self, saturation: float):
        super().__init__(saturation=saturation)
        self.saturation = saturation
        self.coef = array(_GRAY)

    def __call__(self, src: NDArray) -> NDArray:
        alpha = 1.0 + random.uniform(-self.saturation, self.saturation)
        gray = (src * self.coef).sum(axis=2, keepdims=True)
        gray *= 1.0 - alpha
        src *= alpha
        src += gray
        return src


class HueJitterAug(Augmenter):
    """Turns the colors in the plane of I and Q by up to ``hue`` half circles."""

    def __init__(self, hue: float):
        super().__init__(hue=hue)
        self.hue = hue
        # From RGB to YIQ and back.
        self.tyiq = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]])
        self.ityiq = np.array([[1.0, 0.956, 0.621], [1.0, -0.272, -0.647], [1.0, -1.107, 1.705]])

    def __call__(self, src: NDArray) -> NDArray:
        angle = random.uniform(-self.hue, self.hue) * math.pi
        cos, sin = math.cos(angle), math.sin(angle)
        turn = np.array([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]])
        return call("dot", src, array(np.dot(np.dot(self.ityiq, turn), self.tyiq).T))


class ColorJitterAug(RandomOrderAug):
    """Brightness, contrast and saturation, those that are more than 0, in random order."""

    def __init__(self, brightness: float, contrast: float, saturation: float):
        kinds = (BrightnessJitterAug, ContrastJitterAug, SaturationJitterAug)
        amounts = (brightness, contrast, saturation)
        super().__init__([kind(amount) for kind, amount in zip(kinds, amounts, strict=True) if amount > 0])


class LightingAug(Augmenter):
    """Adds the principal components of colors, times random numbers of deviation ``alphastd``: AlexNet's lighting."""

    def __init__(self, alphastd: float, eigval: Any, eigvec: Any):
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd = alphastd
        self.eigval = eigval
        self.eigvec = eigvec

    def __call__(self, src: NDArray) -> NDArray:
        alpha = np.random.normal(0, self.alphastd, size=(3,))
        src += array(np.dot(np.asarray(self.eigvec) * alpha, np.asarray(self.eigval)))
        return src


class ColorNormalizeAug(Augmenter):
    """Subtracts ``mean`` and divides by ``std``; either may be None."""

    def __init__(self, mean: Any, std: Any):
        super().__init__(mean=mean, std=std)
        self.mean = mean if mean is None or isinstance(mean, NDArray) else array(mean)
        self.std = std if std is None or isinstance(std, NDArray) else array(std)

    def __call__(self, src: NDArray) -> NDArray:
        return color_normalize(src, self.mean, self.std)


class RandomGrayAug(Augmenter):
    """Makes the image gray with probability ``p``."""

    def __init__(self, p: float):
        super().__init__(p=p)
        self.p = p
        self.mat = array(np.repeat([[0.21], [0.72], [0.07]], 3, 1))

    def __call__(self, src: NDArray) -> NDArray:
        return call("dot", src, self.mat) if random.random() < self.p else src


class HorizontalFlipAug(Augmenter):
    """Turns the image left to right with probability ``p``."""

    def __init__(self, p: float):
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: NDArray) -> NDArray:
        return call("flip", src, axis=1) if random.random() < self.p else src


class CastAug(Augmenter):
    """Converts the image to another type."""

    def __init__(self, typ: Any = "float32"):
        super().__init__(type=typ)
        self.typ = typ

    def __call__(self, src: NDArray) -> NDArray:
        return src.astype(self.typ)


#: Mean, deviation and principal components of the colors of ImageNet.
IMAGENET_MEAN = np.array([123.68, 116.28, 103.53])
IMAGENET_STD = np.array([58.395, 57.12, 57.375])
EIGENVALUES = np.array([55.46, 4.794, 1.148])
EIGENVECTORS = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])


def color_statistics(value: Any, default: np.ndarray, name: str) -> Any:
    """Mean or deviation as an augmenter takes it: True for ImageNet's, an array of one or three numbers, or None."""
    if value is None or value is False:
        return None
    if value is True:
        return default
    require(isinstance(value, np.ndarray | NDArray), f"{name} must be True, or an array of numbers for the channels")
    require(value.shape and value.shape[0] in (1, 3), f"{name} must have 1 or 3 numbers, got an array of {value.shape}")
    return value


def color_augmenters(
    brightness: float, contrast: float, saturation: float, hue: float, pca_noise: float, rand_gray: float
) -> list[Augmenter]:
    """The augmenters of colors that are wanted, in the order in which they are applied."""
    augmenters: list[Augmenter] = []
    if brightness or contrast or saturation:
        augmenters.append(ColorJitterAug(brightness, contrast, saturation))
    if hue:
        augmenters.append(HueJitterAug(hue))
    if pca_noise > 0:
        augmenters.append(LightingAug(pca_noise, EIGENVALUES, EIGENVECTORS))
    if rand_gray > 0:
        augmenters.append(RandomGrayAug(rand_gray))
    return augmenters


def CreateAugmenter(
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: bool = False,
    rand_resize: bool = False,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    hue: float = 0,
    pca_noise: float = 0,
    rand_gray: float = 0,
    inter_method: int = 2,
) -> list[Augmenter]:
    """The list of augmenters for images of ``data_shape`` (channel, height, width) that common options ask for.

    ``resize`` is for the shorter side, before the image is cropped: in its middle, anywhere (``rand_crop``), or with a
    random size too (``rand_resize``, which needs ``rand_crop``). ``mean`` and ``std`` are arrays, or True for those of
    ImageNet. ``inter_method`` is as in ``resize_short``.
    """
    augmenters: list[Augmenter] = []
    if resize > 0:
        augmenters.append(ResizeAug(resize, inter_method))
    crop_size = (data_shape[2], data_shape[1])
    if rand_resize:
        require(rand_crop, "rand_resize needs rand_crop")
        augmenters.append(RandomSizedCropAug(crop_size, 0.08, (3.0 / 4.0, 4.0 / 3.0), inter_method))
    elif rand_crop:
        augmenters.append(RandomCropAug(crop_size, inter_method))
    else:
        augmenters.append(CenterCropAug(crop_size, inter_method))
    if rand_mirror:
        augmenters.append(HorizontalFlipAug(0.5))
    augmenters.append(CastAug())
    augmenters += color_augmenters(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    mean = color_statistics(mean, IMAGENET_MEAN, "mean")
    std = color_statistics(std, IMAGENET_STD, "std")
    if mean is not None or std is not None:
        as_arrays = (value if value is None or isinstance(value, NDArray) else array(value) for value in (mean, std))
        augmenters.append(ColorNormalizeAug(*as_arrays))
    return augmenters
