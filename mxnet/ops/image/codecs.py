"""Decoding, resizing and padding of images by OpenCV."""

import os
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from ..._core.pixels import decode_pixels
from ..integers import without_graph
from ..params import Count, NotNegative
from ..registry import op
from ..types import Attrs, Ctx, Dtypes, Gradients, Keywords

Tensor = torch.Tensor

#: What OpenCV's numbers for interpolation mean to torch, for what OpenCV does not do: other devices and gradients.
INTERPOLATIONS: dict[int, str | None] = {
    0: "nearest",
    1: "bilinear",
    2: "bicubic",
    3: "area",
    4: None,
    5: "bilinear",
}
_OPENCV_DTYPES = (torch.uint8, torch.float32, torch.float64)


def resize_images(data: Tensor, width: int, height: int, interp: int) -> Tensor:
    """Images (..., height, width, channel) resized; OpenCV on the CPU, torch elsewhere and for gradients.

    The rounded numbers of integer images have no gradient.
    """
    if data.dtype not in _OPENCV_DTYPES:
        raise TypeError("images can be resized as uint8, float32 or float64; convert them with astype()")
    shape = (*data.shape[:-3], height, width, data.shape[-1])
    if data.is_meta:
        return data.new_empty(shape)
    if 0 in data.shape or width < 1 or height < 1:
        raise ValueError("the image, or what it would be resized to, has no pixels")
    recorded = data.requires_grad and data.is_floating_point()
    if data.device.type != "cpu" or (recorded and _is_known_to_torch(data, width, height, interp)):
        return _resize_by_torch(data, width, height, interp)
    result = _resize_by_opencv(without_graph(data).detach(), shape, interp)
    return _NotDifferentiated.apply(data, result, interp) if recorded else result


class _NotDifferentiated(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Ctx, data: Tensor, result: Tensor, interp: int) -> Tensor:
        ctx.interp = interp
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Ctx, *grads: Tensor) -> Gradients:
        raise NotImplementedError(f"resizing with interp={ctx.interp} has no gradient; use interp=1")


def _resize_by_opencv(data: Tensor, shape: tuple[int, ...], interp: int) -> Tensor:
    import cv2

    height, width = shape[-3:-1]
    images = data.contiguous().numpy().reshape(-1, *data.shape[-3:])
    result = torch.empty(shape, dtype=data.dtype)
    target = result.numpy().reshape(-1, *shape[-3:])
    for i, image in enumerate(images):
        with _opencv_errors():
            target[i] = cv2.resize(image, (width, height), interpolation=interp).reshape(shape[-3:])
    return result


def _is_known_to_torch(data: Tensor, width: int, height: int, interp: int) -> bool:
    """Can torch do it? Its areas have other weights than OpenCV's where they are no whole numbers of pixels."""
    mode = INTERPOLATIONS[interp]
    return mode is not None and not (mode == "area" and (data.shape[-3] % height or data.shape[-2] % width))


def _resize_by_torch(data: Tensor, width: int, height: int, interp: int) -> Tensor:
    mode = INTERPOLATIONS[interp]
    if mode is None or not _is_known_to_torch(data, width, height, interp):
        raise NotImplementedError(
            f"interp={interp} works on the CPU only: Lanczos interpolation, and areas that are not whole pixels"
        )
    images = data.reshape(-1, *data.shape[-3:]).movedim(-1, 1)
    values = images if images.is_floating_point() else images.float()
    corners = None if mode in ("nearest", "area") else False
    result = functional.interpolate(values, (height, width), mode=mode, align_corners=corners)
    if not data.is_floating_point():
        result = result.round_().clamp_(0, 255).to(data.dtype)
    return result.movedim(1, -1).reshape(*data.shape[:-3], height, width, data.shape[-1]).contiguous()


class _opencv_errors:
    """Turns OpenCV's exceptions into ValueErrors with its reason alone."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None and kind.__module__.startswith("cv2"):
            raise ValueError(f"OpenCV reports: {getattr(error, 'err', '') or str(error)}".strip()) from error


def _check_cpu_image(src: Tensor) -> None:
    if src.dim() != 3:
        raise ValueError("an image of shape (height, width, channel) was expected")
    if src.device.type not in ("cpu", "meta"):
        raise ValueError("OpenCV works on the CPU: move the image there with as_in_context(mx.cpu())")


def decode(buffer: np.ndarray, flag: int, to_rgb: bool, what: str) -> Tensor:
    """The image (height, width, channel) in the bytes of a file; ``what`` names it in errors."""
    if flag not in (0, 1):
        raise ValueError(f"flag must be 0 (gray) or 1 (color), got {flag}")
    if not buffer.size:
        raise ValueError(f"{what} is empty")
    import cv2

    try:
        image = decode_pixels(buffer, 1 if flag else 0)  # OpenCV's IMREAD_COLOR, IMREAD_GRAYSCALE
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from error
    if image is None:
        raise ValueError(f"{what} is not an image that OpenCV can decode")
    if flag and to_rgb:
        cv2.cvtColor(image, cv2.COLOR_BGR2RGB, dst=image)
    return torch.from_numpy(image if flag else image[:, :, None])


def _decoded_shape(shapes: Keywords, attrs: Attrs) -> list[Any]:
    return [(0, 0, 3 if attrs["flag"] else 1)]


def _decoded_dtype(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    for name in dtypes:
        dtypes[name] = torch.uint8
    return [torch.uint8]


@op("_cvimdecode")
def cvimdecode(buf: Tensor, *, flag: NotNegative = 1, to_rgb: bool = True) -> Tensor:
    """Decodes an image from its file's bytes, a uint8 array, to uint8 (height, width, channel).

    ``flag`` 1 gives color, 0 gray with one channel. Colors are RGB, or BGR if ``to_rgb`` is false.
    """
    if buf.dtype is not torch.uint8:
        raise TypeError("buf must be uint8, the bytes of an image file")
    return decode(buf.contiguous().cpu().numpy().reshape(-1), flag, to_rgb, "buf")


@op("_cvimread")
def cvimread(*, filename: str, flag: NotNegative = 1, to_rgb: bool = True) -> Tensor:
    """Reads an image file to uint8 (height, width, channel); ``flag`` and ``to_rgb`` as in _cvimdecode."""
    try:
        buffer = np.fromfile(os.fspath(filename), np.uint8)
    except (OSError, ValueError) as error:  # the latter of a NUL in the name
        raise ValueError(f"cannot read {filename!r}: {getattr(error, 'strerror', None) or error}") from error
    return decode(buffer, flag, to_rgb, f"{filename!r}")


for _opdef in (cvimdecode, cvimread):
    _opdef.infer_shape(_decoded_shape)
    _opdef.infer_dtype(_decoded_dtype)


@op("_cvimresize")
def cvimresize(src: Tensor, *, w: Count, h: Count, interp: int = 1) -> Tensor:
    """Resizes an image (height, width, channel) to width ``w`` and height ``h``; ``interp`` is OpenCV's number."""
    _check_cpu_image(src)
    if w < 1 or h < 1:
        raise ValueError("w and h must be at least 1")
    if interp not in INTERPOLATIONS:
        raise ValueError(f"interp must be one of {', '.join(map(str, INTERPOLATIONS))}, got {interp}")
    return resize_images(src, w, h, interp)


@op("_cvcopyMakeBorder")
def cvcopy_make_border(
    src: Tensor,
    *,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = 0,
    value: float = 0.0,
    values: tuple[float, ...] = (),
) -> Tensor:
    """Pads an image (height, width, channel) by so many pixels on each side.

    ``type`` is OpenCV's: 0 a constant (``value``, or ``values`` for each channel), 1 the edge repeated, 2 reflected,
    3 wrapped around, 4 reflected without the edge.
    """
    _check_cpu_image(src)
    if min(top, bot, left, right) < 0:
        raise ValueError("top, bot, left and right must not be negative")
    if type not in (0, 1, 2, 3, 4):
        raise ValueError(f"type must be a number from 0 to 4, got {type}")
    height, width, channels = src.shape
    shape = (height + top + bot, width + left + right, channels)
    if src.is_meta:
        return src.new_empty(shape)
    if 0 in src.shape:
        raise ValueError("the image has no pixels")
    if channels > 4:
        raise ValueError("an image with at most 4 channels was expected")
    import cv2

    fill = (*values, 0.0, 0.0, 0.0, 0.0)[:4] if values else (value,) * 4
    known = src.float() if src.dtype is torch.bfloat16 else src
    with _opencv_errors():
        padded = cv2.copyMakeBorder(known.detach().contiguous().numpy(), top, bot, left, right, type, value=fill)
    return torch.from_numpy(padded.reshape(shape)).to(src.dtype)


@op("_imdecode")
def imdecode(
    mean: Tensor, *, index: int = 0, x0: int = 0, y0: int = 0, x1: int = 0, y1: int = 0, c: int = 3, size: int = 0
) -> Tensor:
    """The decoder of the first releases, which cannot be called any more; use mx.image.imdecode or _cvimdecode."""
    raise NotImplementedError("_imdecode took its image by pointer; use mx.image.imdecode instead")
