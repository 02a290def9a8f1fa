"""Functions on images: uint8 or floating NDArrays of shape (height, width, channel), with RGB colors."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.files import reading
from ..context import cpu
from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray, _internal, array
from ..ndarray.gate import call
from ..ndarray.kinds import accepts_both_kinds, as_current
from ..ndarray.ndarray import wrap
from ..ops.image.codecs import decode

__all__ = [
    "center_crop",
    "color_normalize",
    "copyMakeBorder",
    "fixed_crop",
    "imdecode",
    "imread",
    "imresize",
    "imrotate",
    "random_crop",
    "random_rotate",
    "random_size_crop",
    "resize_short",
    "scale_down",
]

Box = tuple[int, int, int, int]


def require(condition: object, message: str) -> None:
    """Raises an error with a message, unless a condition holds."""
    if not condition:
        raise MXNetAssertionError(message)


def imread(filename: Any, *args: Any, **kwargs: Any) -> NDArray:
    """Reads an image file, also a remote one: ``imread(filename, flag=1, to_rgb=True, out=None)``.

    ``flag`` 1 gives three channels, 0 one gray one. Colors are RGB, or BGR with ``to_rgb=False``.
    """
    name = os.fspath(filename)
    if "://" not in name:
        return as_current(_internal._cvimread(name, *args, **kwargs))
    with reading(name) as (stream, _):
        return imdecode(stream.read(), *args, **kwargs)


def imdecode(buf: object, *args: Any, **kwargs: Any) -> NDArray:
    """Decodes the bytes of an image file: ``imdecode(buf, flag=1, to_rgb=True, out=None)``.

    ``buf`` is bytes, a bytearray, or a NumPy array or NDArray of bytes. The rest is as in ``imread``.
    """
    if isinstance(buf, NDArray):
        return _internal._cvimdecode(buf, *args, **kwargs)
    if not isinstance(buf, bytes | bytearray | memoryview | np.ndarray):
        raise MXNetValueError(
            "buf must be of type bytes, bytearray or numpy.ndarray,if you would like to input type str, please convert "
            "to bytes"
        )
    return _decode(np.frombuffer(buf, np.uint8), *args, **kwargs)


def _decode(buffer: np.ndarray, flag: int = 1, to_rgb: object = True, out: NDArray | None = None) -> NDArray:
    # The operator would need a tensor of the bytes: a copy of them, as bytes are read-only.
    try:
        image = wrap(decode(buffer, int(flag), bool(to_rgb), "buf"), cpu())
    except ValueError as error:
        raise MXNetValueError(f"imdecode: {error}") from error
    if out is None:
        return as_current(image)
    out[:] = image
    return out


def imresize(src: NDArray, w: int, h: int, *args: Any, **kwargs: Any) -> NDArray:
    """Resizes an image to width ``w`` and height ``h``: ``imresize(src, w, h, interp=1, out=None)``.

    ``interp`` is one of OpenCV's methods: 0 nearest, 1 bilinear, 2 bicubic, 3 area, 4 Lanczos.
    """
    return _internal._cvimresize(src, w, h, *args, **kwargs)


def copyMakeBorder(src: NDArray, top: int, bot: int, left: int, right: int, *args: Any, **kwargs: Any) -> NDArray:
    """Pads an image: ``copyMakeBorder(src, top, bot, left, right, type=0, value=0, values=(), out=None)``.

    ``type`` is OpenCV's number: 0 a constant ``value``, or ``values`` for each channel; 1 the edge repeated, 2 and 4
    the image reflected, 3 repeated.
    """
    return _internal._cvcopyMakeBorder(src, top, bot, left, right, *args, **kwargs)


def _get_interp_method(interp: int, sizes: Sequence[int] = ()) -> int:
    """The method of OpenCV for a number: 9 chooses it by ``sizes`` (old height, old width, new ...), 10 by chance."""
    if interp == 9:
        if not sizes:
            return 2
        require(len(sizes) == 4, "sizes must be old height, old width, new height and new width")
        old_height, old_width, height, width = sizes
        if height > old_height and width > old_width:
            return 2
        return 3 if height < old_height and width < old_width else 1
    if interp == 10:
        return random.randint(0, 4)
    if interp not in (0, 1, 2, 3, 4):
        raise MXNetValueError(f"Unknown interp method {interp}")
    return interp


def _resize(src: NDArray, width: int, height: int, interp: int) -> NDArray:
    old_height, old_width, _ = src.shape
    return imresize(src, width, height, interp=_get_interp_method(interp, (old_height, old_width, height, width)))


def resize_short(src: NDArray, size: int, interp: int = 2) -> NDArray:
    """Resizes an image so that its shorter side is ``size``, and keeps its proportions.

    ``interp`` is one of ``imresize``'s methods, or 9: bicubic to enlarge, area to shrink, bilinear otherwise; or 10:
    any of them by chance.
    """
    height, width, _ = src.shape
    if height > width:
        return _resize(src, size, size * height // width, interp)
    return _resize(src, size * width // height, size, interp)


def scale_down(src_size: Sequence[int], size: Sequence[int]) -> tuple[int, int]:
    """The (width, height) of a crop, made smaller in proportion where it would not fit into an image.

    >>> mx.image.scale_down((640, 480), (720, 120))
    (640, 106)
    """
    width, height = size
    old_width, old_height = src_size
    if old_height < height:
        width, height = width * old_height / height, old_height  # type: ignore[assignment]
    if old_width < width:
        width, height = old_width, height * old_width / width  # type: ignore[assignment]
    return int(width), int(height)


def fixed_crop(
    src: NDArray, x0: int, y0: int, w: int, h: int, size: Sequence[int] | None = None, interp: int = 2
) -> NDArray:
    """The part of an image from (x0, y0) of size w x h, resized to ``size`` (width, height) if that is given."""
    if x0 < 0 or y0 < 0 or w < 1 or h < 1:
        raise MXNetValueError(f"a part of an image begins in it and is not empty; from ({x0}, {y0}), {w}x{h} was given")
    part = call("slice", src, begin=(y0, x0, 0), end=(y0 + h, x0 + w, src.shape[2]))
    if size is None or (w, h) == tuple(size):
        return part
    return imresize(part, *size, interp=_get_interp_method(interp, (h, w, size[1], size[0])))


def center_crop(src: NDArray, size: Sequence[int], interp: int = 2) -> tuple[NDArray, Box]:
    """The middle of an image, of ``size`` (width, height); enlarged where the image is too small.

    Also returns where it was: (x, y, width, height).
    """
    height, width, _ = src.shape
    new_width, new_height = scale_down((width, height), size)
    x0, y0 = (width - new_width) // 2, (height - new_height) // 2
    return fixed_crop(src, x0, y0, new_width, new_height, size, interp), (x0, y0, new_width, new_height)


def random_crop(src: NDArray, size: Sequence[int], interp: int = 2) -> tuple[NDArray, Box]:
    """A part of an image anywhere, of ``size`` (width, height); enlarged where the image is too small.

    Also returns where it was: (x, y, width, height). Python's ``random`` chooses.
    """
    height, width, _ = src.shape
    new_width, new_height = scale_down((width, height), size)
    x0 = random.randint(0, width - new_width)
    y0 = random.randint(0, height - new_height)
    return fixed_crop(src, x0, y0, new_width, new_height, size, interp), (x0, y0, new_width, new_height)


def random_size_crop(
    src: NDArray, size: Sequence[int], area: Any, ratio: Sequence[float], interp: int = 2, **kwargs: Any
) -> tuple[NDArray, Box]:
    """A part of an image with a random area and proportion, resized to ``size`` (width, height).

    ``area`` is the range of the part of the image's area, or its lower end; ``ratio`` the range of width / height. Also
    returns where it was. After ten choices that do not fit it is the middle of the image.
    """
    area = kwargs.pop("min_area", area)
    require(not kwargs, "unexpected keyword arguments for `random_size_crop`.")
    if isinstance(area, int | float | np.number):
        area = (area, 1.0)
    height, width, _ = src.shape
    for _ in range(10):
        wanted = random.uniform(area[0], area[1]) * height * width
        proportion = math.exp(random.uniform(math.log(ratio[0]), math.log(ratio[1])))
        new_width, new_height = round(math.sqrt(wanted * proportion)), round(math.sqrt(wanted / proportion))
        if new_width <= width and new_height <= height:
            x0 = random.randint(0, width - new_width)
            y0 = random.randint(0, height - new_height)
            return fixed_crop(src, x0, y0, new_width, new_height, size, interp), (x0, y0, new_width, new_height)
    return center_crop(src, size, interp)


def color_normalize(src: NDArray, mean: NDArray | None, std: NDArray | None = None) -> NDArray:
    """Subtracts ``mean`` from an image and divides it by ``std``, where they are given, in its own memory."""
    if mean is not None:
        src -= mean
    if std is not None:
        src /= std
    return src


def imrotate(src: NDArray, rotation_degrees: object, zoom_in: bool = False, zoom_out: bool = False) -> NDArray:
    """Rotates an image (channel, height, width), or a batch of them, around its middle, counterclockwise.

    The image is float32, the size stays. A batch takes one angle or one for each image. What lies outside is 0;
    ``zoom_in`` enlarges the image so that none of that is seen, ``zoom_out`` shrinks it so that all of it is seen.
    """
    if zoom_in and zoom_out:
        raise MXNetValueError("`zoom_in` and `zoom_out` cannot be both True")
    if src.dtype is not np.float32:
        raise MXNetTypeError("Only `float32` images are supported by this function")
    if src.ndim not in (3, 4):
        raise MXNetValueError("Only 3D and 4D are supported by this function")
    scalar = isinstance(rotation_degrees, int | float | np.number)
    if src.ndim == 3 and not scalar:
        raise MXNetTypeError("When a single image is passed the rotation angle is required to be a scalar.")
    images = src.expand_dims(0) if src.ndim == 3 else src
    count, _, height, width = images.shape
    if isinstance(rotation_degrees, NDArray):
        rotation_degrees = rotation_degrees.asnumpy()
    degrees = np.full(count, rotation_degrees) if scalar else np.asarray(rotation_degrees, np.float64)
    if degrees.shape != (count,):
        raise MXNetValueError("The number of images must be equal to the number of rotation angles")
    angles = np.deg2rad(degrees.astype(np.float64)).reshape(-1, 1, 1)
    cos, sin = np.cos(angles), np.sin(angles)
    if zoom_in or zoom_out:
        scale = abs(cos) + abs(sin) * max(width / height, height / width)
        cos, sin = (cos * scale, sin * scale) if zoom_out else (cos / scale, sin / scale)
    # The source of each pixel, measured from the middle, in halves of the distance between the outermost pixels.
    half_width, half_height = (width - 1) / 2, (height - 1) / 2
    y, x = np.mgrid[-half_height : half_height + 0.5, -half_width : half_width + 0.5]
    grid = np.stack([(cos * x - sin * y) / max(half_width, 0.5), (sin * x + cos * y) / max(half_height, 0.5)], 1)
    rotated = call("BilinearSampler", images, array(grid, ctx=src.context, dtype=np.float32))
    return rotated[0] if src.ndim == 3 else rotated


def random_rotate(
    src: NDArray, angle_limits: Sequence[float], zoom_in: bool = False, zoom_out: bool = False
) -> NDArray:
    """Rotates an image, or each one of a batch, by an angle of its own between the limits, as ``imrotate`` does.

    NumPy's random numbers choose.
    """
    low, high = angle_limits
    if src.ndim == 3:
        return imrotate(src, np.random.uniform(low, high), zoom_in, zoom_out)
    return imrotate(src, array(np.random.uniform(low, high, size=src.shape[0])), zoom_in, zoom_out)


for _name in __all__:  # they take classic arrays and those of mx.np
    globals()[_name] = accepts_both_kinds(globals()[_name])
