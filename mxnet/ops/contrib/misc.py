"""The other contributed operators: masks, index copies, ranges, sketches and Fourier transforms."""

from typing import Any

import torch

from ...context import Context
from ..creation import progression
from ..gradients import constant_in
from ..infer import UNKNOWN, same_shapes, unify
from ..integers import to_integers
from ..registry import op
from ..support import without_data
from ..types import Dtypes, Keywords

Tensor = torch.Tensor


@op("_contrib_quadratic")
def quadratic(data: Tensor, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Tensor:
    """``a * data**2 + b * data + c`` of each element; of integers it is computed as float32 and truncated."""
    if not data.is_floating_point():
        return to_integers(quadratic.kernel(data.float(), a=a, b=b, c=c), data.dtype)
    return (data * a + b) * data + c


quadratic.infer_back(same_shapes)


@op("_contrib_allclose")
def allclose(a: Tensor, b: Tensor, *, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = True) -> Tensor:
    """1 if ``abs(a - b) <= atol + rtol * abs(b)`` everywhere, else 0, as uint8."""
    if a.shape != b.shape or a.dtype is not b.dtype:
        raise ValueError("both inputs must have the same shape and dtype")
    if a.is_meta:
        return without_data(a, (), torch.uint8)
    return torch.isclose(a, b, rtol, atol, equal_nan).all().to(torch.uint8)


@allclose.infer_dtype
def _(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    dtypes["a"] = dtypes["b"] = dtypes["a"] or dtypes["b"]
    return [torch.uint8]


@op("_contrib_arange_like", gradient="zero")
def arange_like(
    data: Tensor,
    *,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: Context | None = None,
    axis: int | None = None,
) -> Tensor:
    """Numbers from ``start`` in steps of ``step``, each ``repeat`` times, in the shape of the data or of one axis."""
    if repeat < 1:
        raise ValueError("repeat must be at least 1")
    if axis is None:
        shape, count = tuple(data.shape), data.numel()
    else:
        if not -data.dim() <= axis < data.dim():
            raise IndexError(f"axis {axis} is out of range for {data.dim()} dimension(s)")
        shape, count = (data.shape[axis],), data.shape[axis]
    if data.is_meta:
        return without_data(data, shape)
    number = torch.arange(count, device=data.device)
    if repeat != 1:
        number = torch.div(number, repeat, rounding_mode="floor")
    if not data.is_floating_point():  # as those of arange, start and step are cut to integers
        numbers = number.mul_(int(step)).add_(int(start))
    elif data.dtype is torch.float16:
        return constant_in(progression(count, start, step, data.dtype, data.device)[number].reshape(shape), data)
    else:
        numbers = start + number.to(torch.float64 if data.dtype is torch.float64 else torch.float32) * float(step)
    return constant_in(numbers.to(data.dtype).reshape(shape), data)


@op("_contrib_index_array", gradient="zero")
def index_array(data: Tensor, *, axes: tuple[int, ...] | None = None) -> Tensor:
    """The index of each element as int64 in a new last dimension, along all axes or those given.

    Axes begin again where they end, as in the original: axis 1 of a vector is its only one (Sockeye relies on it).
    """
    axes = tuple(range(data.dim()) if axes is None else (axis % max(data.dim(), 1) for axis in axes))
    if data.is_meta:
        return without_data(data, (*data.shape, len(axes)), torch.int64)
    if not axes or not data.dim():
        return torch.zeros((*data.shape, len(axes)), dtype=torch.int64, device=data.device)
    index = []
    for axis in axes:
        view = [1] * data.dim()
        view[axis] = data.shape[axis]
        index.append(torch.arange(data.shape[axis], device=data.device).view(view).expand(data.shape))
    return torch.stack(index, dim=-1)


@index_array.infer_dtype
def _(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    return [torch.int64]


@op("_contrib_boolean_mask")
def boolean_mask(data: Tensor, index: Tensor, *, axis: int = 0) -> Tensor:
    """The rows of ``data`` where ``index``, a vector, is not 0. How many depends on the data."""
    if axis != 0:
        raise ValueError(f"axis must be 0, got {axis}")
    if index.dim() != 1 or not data.dim() or index.shape[0] != data.shape[0]:
        raise ValueError("index must be a vector with one element for each row of data")
    return data[index != 0]


@boolean_mask.infer_args
def _(shapes: Keywords, attrs: Any) -> None:
    data = shapes["data"]
    if data is not None:
        shapes["index"] = unify(shapes["index"], (data[0],), "index")


@boolean_mask.infer_shape
def _(shapes: Keywords, attrs: Any) -> list[Any]:
    return [(UNKNOWN, *shapes["data"][1:])]


@boolean_mask.infer_dtype
def _(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    dtypes["index"] = dtypes["index"] or dtypes["data"]
    return [dtypes["data"]]


def whole_numbers(index: Tensor, limit: int, what: str) -> Tensor:
    """An index array, of any dtype, as int64. Out of range is an error where that can be told without waiting."""
    index = index.detach().long()
    if index.device.type == "cpu" and index.numel() and not (0 <= int(index.min()) and int(index.max()) < limit):
        raise IndexError(f"{what} must be from 0 to {limit - 1}, it goes from {int(index.min())} to {int(index.max())}")
    return index


@op("_contrib_index_copy")
def index_copy(old_tensor: Tensor, index_vector: Tensor, new_tensor: Tensor) -> Tensor:
    """A copy of ``old_tensor`` whose row ``index_vector[i]`` is row ``i`` of ``new_tensor``."""
    if index_vector.dim() != 1 or not new_tensor.dim() or index_vector.shape[0] != new_tensor.shape[0]:
        raise ValueError("index_vector must be a vector with one element for each row of new_tensor")
    if old_tensor.dim() != new_tensor.dim() or old_tensor.shape[1:] != new_tensor.shape[1:]:
        raise ValueError("rows of old_tensor and new_tensor must have the same shape")
    if old_tensor.shape[0] < new_tensor.shape[0]:
        raise ValueError("new_tensor must not have more rows than old_tensor")
    if old_tensor.dtype is not new_tensor.dtype:
        raise TypeError("old_tensor and new_tensor must have the same dtype")
    if old_tensor.is_meta:
        return without_data(old_tensor)
    return old_tensor.index_copy(0, whole_numbers(index_vector, old_tensor.shape[0], "index_vector"), new_tensor)


@index_copy.infer_dtype
def _(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    dtypes["old_tensor"] = dtypes["new_tensor"] = dtypes["old_tensor"] or dtypes["new_tensor"]
    dtypes["index_vector"] = dtypes["index_vector"] or torch.float32
    return [dtypes["old_tensor"]]


@op("_contrib_count_sketch")
def count_sketch(data: Tensor, h: Tensor, s: Tensor, *, out_dim: int, processing_batch_size: int = 32) -> Tensor:
    """Projects rows of ``data`` (n, d) to ``out_dim`` numbers: element ``i`` times ``s[i]`` is added to place ``h[i]``.

    ``h`` and ``s`` have shape (1, d); ``s`` is +1 or -1.
    """
    if data.dim() not in (2, 4) or h.numel() != data.shape[-1] or s.numel() != data.shape[-1]:
        raise ValueError("data must have shape (n, d) or (a, b, c, d), h and s the shape (1, d)")
    if out_dim < 1:
        raise ValueError("out_dim must be at least 1")
    places = whole_numbers(h.reshape(-1), out_dim, "h")
    signed = data * s.reshape(-1).detach()
    return signed.new_zeros((*data.shape[:-1], out_dim)).index_add(-1, places, signed)


@count_sketch.infer_args
def _(shapes: Keywords, attrs: Any) -> None:
    data = shapes["data"]
    if data is not None:
        for name in ("h", "s"):
            shapes[name] = unify(shapes[name], (1, data[-1]), name)


@op("_contrib_fft")
def fft(data: Tensor, *, compute_size: int = 128) -> Tensor:
    """The Fourier transform of real data along its last dimension, as real, imaginary, real, imaginary, ..."""
    _check_transform(data)
    found = torch.fft.fft(data if data.dtype is torch.float64 else data.float())
    return torch.view_as_real(found).flatten(-2).to(data.dtype)


@op("_contrib_ifft")
def ifft(data: Tensor, *, compute_size: int = 128) -> Tensor:
    """The real part of the inverse Fourier transform, times its length, of real, imaginary, real, imaginary, ..."""
    _check_transform(data)
    if data.shape[-1] % 2:
        raise ValueError("the last dimension must be even: real and imaginary parts in turn")
    pairs = (data if data.dtype is torch.float64 else data.float()).unflatten(-1, (-1, 2)).contiguous()
    return torch.fft.ifft(torch.view_as_complex(pairs), norm="forward").real.to(data.dtype)


def _check_transform(data: Tensor) -> None:
    if data.dim() not in (2, 4):
        raise ValueError("data must have two or four dimensions")
    if not data.is_floating_point():
        raise TypeError("data must have a floating dtype")


@op("_contrib_getnnz")
def getnnz(data: Tensor, *, axis: int | None = None) -> Tensor:
    """The number of stored values of a CSR matrix. Only CSR has such a number, a dense array has none."""
    if data.is_meta:
        return without_data(data, (1,) if axis is None else data.shape[:1], torch.int64)
    raise TypeError("getnnz needs a csr matrix; make one with tostype('csr')")


@op("_contrib_edge_id")
def edge_id(data: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """The values ``data[u[i], v[i]]`` of a CSR matrix, or -1 where it stores none."""
    if data.is_meta:
        return without_data(data, u.shape)
    raise TypeError("edge_id needs a csr matrix; make one with tostype('csr')")
