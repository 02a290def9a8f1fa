# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.ndarray.numpy.array import ndarray
from typing import SupportsFloat, SupportsIndex

from ..ndarray.numpy_extension import image as _arrays
def adjust_lighting(data: ndarray, alpha: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Adds the principal components of colors, times three numbers ``alpha``, to an image: AlexNet's lighting."""
def crop(data: ndarray, x: int | SupportsIndex, y: int | SupportsIndex, width: int | SupportsIndex, height: int | SupportsIndex, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The part of an image (height, width, channel), or of each one of a batch, from (x, y) of size width x height."""
def flip_left_right(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The image (height, width, channel) turned left to right."""
def flip_top_bottom(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The image (height, width, channel) turned upside down."""
def normalize(data: ndarray, mean: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.0, 0.0, 0.0, 0.0), std: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0, 1.0, 1.0, 1.0), out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``(data - mean) / std`` of each channel of (channel, height, width) data, or a batch, with 1 or 3 channels."""
def random_brightness(data: ndarray, min_factor: float | SupportsFloat, max_factor: float | SupportsFloat, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Changes the brightness of an image by a random factor from the given range: all values times the factor."""
def random_color_jitter(data: ndarray, brightness: float | SupportsFloat, contrast: float | SupportsFloat, saturation: float | SupportsFloat, hue: float | SupportsFloat, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Changes brightness, contrast, saturation and hue in random order, by factors from 1 - value to 1 + value each."""
def random_contrast(data: ndarray, min_factor: float | SupportsFloat, max_factor: float | SupportsFloat, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Changes the contrast of an image by a random factor from the given range: the differences from the mean gray times the factor."""
def random_flip_left_right(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The image (height, width, channel), turned left to right half of the time."""
def random_flip_top_bottom(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The image (height, width, channel), turned upside down half of the time."""
def random_hue(data: ndarray, min_factor: float | SupportsFloat, max_factor: float | SupportsFloat, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Changes the hue of an image by a random factor from the given range: the hue turned by that part of a circle, so that 1 leaves it as it is."""
def random_lighting(data: ndarray, alpha_std: float | SupportsFloat = 0.05, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """AlexNet's lighting by three normal numbers of deviation ``alpha_std``."""
def random_saturation(data: ndarray, min_factor: float | SupportsFloat, max_factor: float | SupportsFloat, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Changes the saturation of an image by a random factor from the given range: the differences from each pixel's gray times the factor."""
def resize(data: ndarray, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), keep_ratio: bool | int = False, interp: int | SupportsIndex = 1, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Resizes an image (height, width, channel), or a batch, to ``size``: (width, height), or one number for both."""
def to_tensor(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """An image (height, width, channel), or a batch, from 0 to 255, as float32 (channel, height, width) from 0 to 1."""
__all__ = ['adjust_lighting', 'crop', 'flip_left_right', 'flip_top_bottom', 'normalize', 'random_brightness', 'random_color_jitter', 'random_contrast', 'random_flip_left_right', 'random_flip_top_bottom', 'random_hue', 'random_lighting', 'random_saturation', 'resize', 'to_tensor']
