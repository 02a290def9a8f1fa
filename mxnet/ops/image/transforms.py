"""Image operators: to_tensor, normalize, resize, crop, flips and changes of color.

Images are (height, width, channel), some operators take a batch of them, with values from 0 to 255; integer images stay
integers, those of uint8 saturated at the ends of their range. The ``random_`` operators draw from the context's
generator.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ..._rng import Generator, HostGenerator
from ..infer import same_shapes
from ..integers import to_integers
from ..params import Factor
from ..registry import OpDef, op, register
from ..support import numbers_like, without_data
from ..types import Dtypes
from .codecs import INTERPOLATIONS, resize_images

Tensor = torch.Tensor

_GRAY = (0.299, 0.587, 0.114)
# The principal components of colors of ImageNet, times their eigenvalues (Krizhevsky et al. 2012).
_LIGHT = tuple(
    tuple(vector * value for vector, value in zip(row, (55.46, 4.794, 1.148), strict=True))
    for row in ((-0.5675, 0.7192, 0.4009), (-0.5808, -0.0045, -0.8140), (-0.5836, -0.6948, 0.4203))
)


def _check_image(data: Tensor, batches: bool = False) -> None:
    if data.dim() != 3 and not (batches and data.dim() == 4):
        more = " or (batch, height, width, channel)" if batches else ""
        raise ValueError(f"an image of shape (height, width, channel){more} was expected")


def _store(values: Tensor, dtype: torch.dtype) -> Tensor:
    """Floating results as the image's dtype; integers are cut, uint8 saturates, int8 begins again at its other end."""
    if dtype.is_floating_point:
        return values.to(dtype)
    if dtype is torch.uint8:
        return to_integers(values.clamp(0, 255), dtype)
    return to_integers(values, dtype, rounded=values.to(torch.int32) if dtype is torch.int8 else None)


def _floating(data: Tensor) -> Tensor:
    """Numbers to compute with: those of float16 in single precision."""
    return data if data.dtype in (torch.float32, torch.float64) else data.float()


@op("_image_to_tensor")
def to_tensor(data: Tensor) -> Tensor:
    """An image (height, width, channel), or a batch, from 0 to 255, as float32 (channel, height, width) from 0 to 1."""
    _check_image(data, batches=True)
    if data.is_meta:
        return without_data(data, (*data.shape[:-3], data.shape[-1], *data.shape[-3:-1]), torch.float32)
    # moved before it is converted: a uint8 image is a quarter of the bytes
    moved = data.movedim(-1, -3).contiguous()
    return (moved.float() if moved.is_floating_point() else moved) / 255.0


@to_tensor.infer_dtype
def _(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    return [torch.float32]


def _per_channel(values: tuple[float, ...], default: tuple[float, ...], data: Tensor, name: str) -> Tensor:
    channels = data.shape[-3]
    if values == default:
        values = default[:1]
    if len(values) not in (1, channels):
        raise ValueError(f"{name} must have one number or one for each of the {channels} channel(s), got {len(values)}")
    kind = data.dtype if data.is_floating_point() else torch.float32
    return torch.tensor(values, dtype=kind, device=data.device).reshape(-1, 1, 1)


_ZEROS, _ONES = (0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 1.0)


@op("_image_normalize")
def normalize(data: Tensor, *, mean: tuple[float, ...] = _ZEROS, std: tuple[float, ...] = _ONES) -> Tensor:
    """``(data - mean) / std`` of each channel of (channel, height, width) data, or a batch, with 1 or 3 channels."""
    if data.dim() not in (3, 4) or data.shape[-3] not in (1, 3):
        raise ValueError("data must have shape (channel, height, width) or (batch, ...) with 1 or 3 channels")
    centre, scale = _per_channel(mean, _ZEROS, data, "mean"), _per_channel(std, _ONES, data, "std")
    result = (data - centre) / scale if data.requires_grad else (data - centre).div_(scale)
    return result if data.is_floating_point() else to_integers(result, data.dtype)


normalize.infer_back(same_shapes)


@op("_image_resize")
def resize(data: Tensor, *, size: tuple[int, ...] = (), keep_ratio: bool = False, interp: int = 1) -> Tensor:
    """Resizes an image (height, width, channel), or a batch, to ``size``: (width, height), or one number for both.

    With ``keep_ratio`` one number is for the shorter side. ``interp``: 0 nearest, 1 bilinear, 2 cubic, 3 area,
    4 Lanczos.
    """
    _check_image(data, batches=True)
    if len(size) not in (1, 2) or min(size) < 1:
        raise ValueError("size must be a positive number or (width, height)")
    if interp not in INTERPOLATIONS:
        raise ValueError(f"interp must be one of {', '.join(map(str, INTERPOLATIONS))}, got {interp}")
    height, width = data.shape[-3:-1]
    if len(size) == 2:
        new_width, new_height = size
    elif not keep_ratio:
        new_width = new_height = size[0]
    elif height > width:
        new_width, new_height = size[0], int(height * size[0] / width) if width else 0
    else:
        new_width, new_height = int(width * size[0] / height) if height else 0, size[0]
    return resize_images(data, new_width, new_height, interp)


@op("_image_crop", view=True)
def crop(data: Tensor, *, x: int, y: int, width: int, height: int) -> Tensor:
    """The part of an image (height, width, channel), or of each one of a batch, from (x, y) of size width x height."""
    _check_image(data, batches=True)
    if width < 1 or height < 1:
        raise ValueError("width and height must be positive")
    if x < 0 or y < 0 or x + width > data.shape[-2] or y + height > data.shape[-3]:
        raise ValueError(f"the part from ({x}, {y}) of size {width}x{height} does not lie within the image")
    return data[..., y : y + height, x : x + width, :]


def _flips(axis: int, name: str, words: str) -> None:
    def always(data: Tensor) -> Tensor:
        _check_image(data)
        return data.flip(axis)

    def sometimes(data: Tensor, *, _rng: Generator | None) -> Tensor:
        _check_image(data)
        if data.is_meta:
            return torch.empty_like(data)
        if isinstance(_rng, HostGenerator):
            return data.flip(axis) if _rng.doubles(1)[0] >= 0.5 else data.clone()
        return torch.where(_uniform(0.0, 1.0, data, _rng) < 0.5, data.flip(axis), data)

    for prefix, kernel, doc in (
        ("_image_flip", always, f"The image (height, width, channel) turned {words}."),
        ("_image_random_flip", sometimes, f"The image (height, width, channel), turned {words} half of the time."),
    ):
        register(f"{prefix}_{name}", kernel, doc=doc).infer_back(same_shapes)


def _uniform(low: float, high: float, data: Tensor, rng: Generator | None) -> Tensor:
    """One random number from the range, on the device of the data: no need to wait for it."""
    if isinstance(rng, HostGenerator):
        return torch.from_numpy(rng.singles(1) * (np.float32(high) - np.float32(low)) + np.float32(low))[0]
    return torch.rand((), generator=rng, device=data.device) * (high - low) + low


_flips(-2, "left_right", "left to right")
_flips(-3, "top_bottom", "upside down")


def _brightness(image: Tensor, factor: Tensor) -> Tensor:
    return image * factor


def _contrast(image: Tensor, factor: Tensor) -> Tensor:
    gray = image if image.shape[-1] == 1 else image @ numbers_like(_GRAY, image)
    return image * factor + (1 - factor) * gray.mean()


def _saturation(image: Tensor, factor: Tensor) -> Tensor:
    if image.shape[-1] == 1:
        return image * 1
    return image * factor + (1 - factor) * (image @ numbers_like(_GRAY, image)).unsqueeze(-1)


#: For each sixth of the circle, which of (greatest, smallest, falling, rising) red, green and blue are.
_SECTORS = ((0, 3, 1), (2, 0, 1), (1, 0, 3), (1, 2, 0), (3, 1, 0), (0, 1, 2))


def _hue(image: Tensor, factor: Tensor) -> Tensor:
    """Turns the hue by ``factor`` full circles, through hue, lightness and saturation as OpenCV has them.

    Every step is rounded as there: a whole number that comes back a little smaller is cut to the one before it.
    """
    if image.shape[-1] == 1:
        return image * 1
    image = image.float()
    red, green, blue = (image / 255).unbind(-1)
    high, low = torch.maximum(torch.maximum(red, green), blue), torch.minimum(torch.minimum(red, green), blue)
    spread, light = high - low, (high + low) * 0.5
    plain = spread <= torch.finfo(torch.float32).eps
    saturation = spread / torch.where(light < 0.5, high + low, 2 - high - low).masked_fill(plain, 1)
    degrees = torch.div(torch.full_like(spread, 60), spread.masked_fill(plain, 1))  # 60 / x would be 60 * (1 / x)
    other = torch.where(high == green, (blue - red) * degrees + 120, (red - green) * degrees + 240)
    hue = torch.where(high == red, (green - blue) * degrees, other)
    hue = torch.where(hue < 0, hue + 360, hue) + factor * 360
    upper = torch.where(light <= 0.5, light * (1 + saturation), light + saturation - light * saturation)
    lower = 2 * light - upper
    sixth = torch.remainder(hue * (6 / 360), 6)
    sector = sixth.floor()
    rest, sector = sixth - sector, sector.long()
    steps = torch.stack([upper, lower, lower + (upper - lower) * (1 - rest), lower + (upper - lower) * rest], -1)
    places = torch.tensor(_SECTORS, device=image.device)[sector.clamp(0, 5)]
    return torch.where(plain[..., None], light[..., None], steps.gather(-1, places)) * 255


_CHANGES: dict[str, tuple[Callable[[Tensor, Tensor], Tensor], str]] = {
    "brightness": (_brightness, "all values times the factor"),
    "contrast": (_contrast, "the differences from the mean gray times the factor"),
    "saturation": (_saturation, "the differences from each pixel's gray times the factor"),
    "hue": (_hue, "the hue turned by that part of a circle, so that 1 leaves it as it is"),
}


def _check_colors(data: Tensor, name: str) -> None:
    _check_image(data)
    if name != "brightness" and data.shape[-1] not in (1, 3):
        raise ValueError(f"an image with 1 or 3 channels was expected, this one has {data.shape[-1]}")


def _random_change(name: str) -> OpDef:
    change, words = _CHANGES[name]

    def kernel(data: Tensor, *, min_factor: Factor, max_factor: Factor, _rng: Generator | None) -> Tensor:
        _check_colors(data, name)
        if min_factor < 0 or max_factor < 0:
            raise ValueError("min_factor and max_factor must not be negative")
        factor = _uniform(min_factor, max_factor, data, _rng)
        return _store(change(_floating(data), factor), data.dtype)

    doc = f"Changes the {name} of an image by a random factor from the given range: {words}."
    opdef = register(f"_image_random_{name}", kernel, doc=doc)
    opdef.infer_back(same_shapes)
    return opdef


for _name in _CHANGES:
    _random_change(_name)


@op("_image_random_color_jitter")
def random_color_jitter(
    data: Tensor,
    *,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    _rng: Generator | None,
) -> Tensor:
    """Changes brightness, contrast, saturation and hue in random order, by factors from 1 - value to 1 + value each."""
    _check_colors(data, "hue")
    amounts = {"brightness": brightness, "contrast": contrast, "saturation": saturation, "hue": hue}
    names = list(amounts)
    if data.is_meta:
        return torch.empty_like(data)
    image = data
    active = [names[i] for i in _random_order(len(names), data, _rng) if amounts[names[i]] > 0]
    for name in active:
        factor = _uniform(1 - amounts[name], 1 + amounts[name], data, _rng)
        image = _store(_CHANGES[name][0](_floating(image), factor), data.dtype)  # whole numbers after each change
    return image if active else data.clone()


random_color_jitter.infer_back(same_shapes)


def _random_order(count: int, data: Tensor, rng: Generator | None) -> list[int]:
    if not isinstance(rng, HostGenerator):
        return torch.randperm(count, generator=rng, device=data.device).tolist()
    return rng.order(count).tolist()


def _three_normals(data: Tensor, rng: Generator | None) -> Tensor:
    if not isinstance(rng, HostGenerator):
        return torch.randn(3, generator=rng, device=data.device)
    return rng.series(3, normal=True)


def _lit(data: Tensor, alpha: Tensor) -> Tensor:
    if data.shape[-1] == 1:
        return data.clone()
    change = torch.tensor(_LIGHT, dtype=alpha.dtype, device=data.device) @ alpha
    return _store(_floating(data) + change, data.dtype)


@op("_image_adjust_lighting")
def adjust_lighting(data: Tensor, *, alpha: tuple[float, ...]) -> Tensor:
    """Adds the principal components of colors, times three numbers ``alpha``, to an image: AlexNet's lighting."""
    _check_colors(data, "lighting")
    if len(alpha) < 3:
        raise ValueError(f"alpha must be three numbers, got {len(alpha)}")
    return _lit(data, torch.tensor(alpha[:3], dtype=torch.float32, device=data.device))


@op("_image_random_lighting")
def random_lighting(data: Tensor, *, alpha_std: float = 0.05, _rng: Generator | None) -> Tensor:
    """AlexNet's lighting by three normal numbers of deviation ``alpha_std``."""
    _check_colors(data, "lighting")
    return _lit(data, _three_normals(data, _rng) * alpha_std)


adjust_lighting.infer_back(same_shapes)
random_lighting.infer_back(same_shapes)
