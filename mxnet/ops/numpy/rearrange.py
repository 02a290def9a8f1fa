"""Operators that rearrange elements, with NumPy's meaning."""

from collections.abc import Callable
from math import prod
from typing import Any

import torch

from ..infer import UNKNOWN, same_shapes, unify
from ..params import Count
from ..registry import op, register
from ..shape import Attrs, Shape, Shapes, concat_args, concat_back, fill_one_unknown, split_v2
from ..support import normalize_axis
from ..unary import NO_BOOLEANS


def _no_booleans(data: torch.Tensor) -> None:
    if data.dtype is torch.bool:
        raise TypeError(NO_BOOLEANS)


def _copy(a: torch.Tensor) -> torch.Tensor:
    """A copy."""
    return a.clone()


register("_np_copy", _copy).infer_back(same_shapes)


# ---- shapes ----------------------------------------------------------------------------------------------------------


def _check_order(order: str) -> None:
    if order not in ("C", "A", "K"):  # all arrays are in C's order
        raise NotImplementedError(f"order must be 'C', got {order!r}")


@op("_np_reshape", view=True)
def reshape(a: torch.Tensor, *, newshape: tuple[int, ...], order: str = "C") -> torch.Tensor:
    """The array with another shape; -1 stands for what is left over."""
    _check_order(order)
    if any(n < -1 for n in newshape):
        raise ValueError(f"newshape {newshape} has negative sizes other than -1")
    return a.reshape(newshape)


@reshape.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    if outputs[0] is not None and UNKNOWN not in outputs[0]:
        shapes["a"] = fill_one_unknown(shapes["a"], prod(outputs[0]))


@op("_npx_reshape", aliases=("_npi_reshape",), view=True)
def reshape_by_codes(
    a: torch.Tensor, *, newshape: tuple[int, ...], reverse: bool = False, order: str = "C"
) -> torch.Tensor:
    """The array with another shape.

    -1 is what is left over, -2 copies a size, -3 skips a size of 1, -4 copies all that remain, -5 merges two, and -6
    splits one into the two numbers that follow it. With ``reverse`` all is read from the end.
    """
    _check_order(order)
    old, codes = list(a.shape), list(newshape)
    if reverse:
        old.reverse()
        codes.reverse()
        codes = _with_splits_in_front(codes)
    shape = _resolve(old, codes)
    return a.reshape(shape[::-1] if reverse else shape)


def _with_splits_in_front(codes: list[int]) -> list[int]:
    """Reversed codes have -6 after its two numbers: put it before them."""
    found: list[int] = []
    for code in codes:
        if code == -6 and len(found) >= 2:
            found[-2:] = [-6, *found[-2:]]
        else:
            found.append(code)
    return found


def _resolve(old: list[int], codes: list[int]) -> list[int]:
    shape: list[int] = []
    at = i = 0
    while i < len(codes):
        code = codes[i]
        i += 1
        if code == -4:
            shape += old[at:]
            at = len(old)
        elif code in (-2, -3, -5, -6):
            need = 2 if code == -5 else 1
            if at + need > len(old):
                raise ValueError(f"newshape asks for more dimensions than the array's {len(old)}")
            sizes, at = old[at : at + need], at + need
            if code == -3 and sizes[0] != 1:
                raise ValueError(f"-3 skips a size of 1, this one is {sizes[0]}")
            if code == -6:
                if i + 2 > len(codes):
                    raise ValueError("-6 must be followed by two numbers")
                sizes, i = _split(sizes[0], codes[i : i + 2]), i + 2
            shape += [] if code == -3 else [prod(sizes)] if code == -5 else sizes
        elif code >= -1:
            shape.append(code)
            at += 1
        else:
            raise ValueError(f"{code} means nothing in newshape")
    return shape


def _split(size: int, parts: list[int]) -> list[int]:
    if parts.count(-1) > 1:
        raise ValueError("only one of the two numbers after -6 may be -1")
    known = prod(n for n in parts if n != -1)
    found = [size // known if n == -1 and known else n for n in parts]
    if prod(found) != size:
        raise ValueError(f"a size of {size} cannot be split into {tuple(parts)}")
    return found


@op("_np_squeeze", view=True)
def squeeze(a: torch.Tensor, *, axis: tuple[int, ...] | None = None) -> torch.Tensor:
    """The array without axes of size 1: all of them, or those given."""
    if axis is None or (not a.dim() and axis in ((0,), (-1,))):
        return a.reshape([n for n in a.shape if n != 1])
    axes = [normalize_axis(x, a.dim()) for x in axis]
    for x in axes:
        if a.shape[x] != 1:
            raise ValueError(f"axis {x} has size {a.shape[x]}; only axes of size 1 can be removed")
    return a.reshape([n for i, n in enumerate(a.shape) if i not in axes])


@op("_np_transpose", view=True)
def transpose(a: torch.Tensor, *, axes: tuple[int, ...] | None = None) -> torch.Tensor:
    """The array with its axes in another order, the reverse one if none is given."""
    if axes is None:
        return a.permute(tuple(range(a.dim() - 1, -1, -1)))
    if sorted(normalize_axis(x, a.dim()) for x in axes) != list(range(a.dim())):
        raise ValueError(f"axes {axes} must name each of the {a.dim()} axes once")
    return a.permute(axes)


@transpose.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    if (known := outputs[0]) is not None:
        axes = [a % max(len(known), 1) for a in attrs["axes"] or range(len(known) - 1, -1, -1)]
        if sorted(axes) == list(range(len(known))):
            source = tuple([known[axes.index(i)] for i in range(len(known))])
            shapes["a"] = unify(shapes["a"], source, "transpose: input 'a'")


@op("_np_moveaxis", view=True)
def moveaxis(a: torch.Tensor, *, source: tuple[int, ...], destination: tuple[int, ...]) -> torch.Tensor:
    """The array with axes moved to other places."""
    if not a.dim() and source:
        raise ValueError("a 0-d array has no axis to move")
    return torch.movedim(a, source, destination)


@op("_npi_broadcast_to", view=True)
def broadcast_to(array: torch.Tensor, *, shape: tuple[int, ...] = ()) -> torch.Tensor:
    """The array repeated along dimensions of size 1, and along new ones in front; -2 keeps a size."""
    offset = len(shape) - array.dim()
    sizes = [array.shape[i - offset] if n == -2 and i >= offset else n for i, n in enumerate(shape)]
    if any(n < 0 for n in sizes):
        raise ValueError(f"sizes cannot be negative, got {shape}")
    return array.broadcast_to(sizes)


def _at_least(dims: int, grow: Callable[[torch.Tensor], torch.Tensor]) -> None:
    def kernel(*arys: torch.Tensor, num_args: Count) -> Any:
        found = [grow(a) for a in arys]
        return found[0] if len(found) == 1 else tuple(found)

    register(
        f"_np_atleast_{dims}d",
        kernel,
        count="num_args",
        view=True,
        outputs=lambda attrs: attrs["num_args"],
        doc=f"The arrays with new axes of size 1, where they have fewer than {dims} dimensions.",
    )


_at_least(1, lambda a: a.reshape(1) if a.dim() == 0 else a)
_at_least(2, lambda a: a.reshape(1, -1) if a.dim() < 2 else a)
_at_least(3, lambda a: a.reshape(1, -1, 1) if a.dim() < 2 else a[:, :, None] if a.dim() == 2 else a)


# ---- joining and splitting -------------------------------------------------------------------------------------------


def _join(data: tuple[torch.Tensor, ...], axis: int) -> torch.Tensor:
    for t in data:
        if t.dtype is not data[0].dtype:
            raise TypeError("all arrays must have the same dtype; convert some of them with astype()")
        if t.dim() != data[0].dim():  # torch leaves empty ones out
            raise ValueError("all arrays must have the same number of dimensions")
    return torch.cat(data, normalize_axis(axis, data[0].dim()))


@op("_npi_concatenate", count="num_args", output_names=("out",))
def concatenate(*data: torch.Tensor, num_args: Count, axis: int | None = 0) -> torch.Tensor:
    """The arrays joined along an axis; flattened first, if it is None."""
    return torch.cat([t.reshape(-1) for t in data]) if axis is None else _join(data, axis)


@concatenate.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    if attrs["axis"] is not None:
        concat_args(shapes, {"dim": attrs["axis"]})


@concatenate.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    if attrs["axis"] is not None:
        concat_back(shapes, outputs, {"dim": attrs["axis"]})


@op("_npi_stack", count="num_args")
def stack(*data: torch.Tensor, axis: int = 0, num_args: Count) -> torch.Tensor:
    """The arrays joined along a new axis."""
    if any(t.shape != data[0].shape for t in data):
        raise ValueError("all arrays must have the same shape")
    if not -data[0].dim() - 1 <= axis <= data[0].dim():
        raise ValueError(f"axis {axis} is out of range for arrays of {data[0].dim()} dimension(s)")
    return torch.stack(data, axis)


@op("_npi_vstack", count="num_args")
def vstack(*data: torch.Tensor, num_args: Count) -> torch.Tensor:
    """The arrays joined as rows."""
    return _join(tuple([t.reshape(1, -1) if t.dim() < 2 else t for t in data]), 0)


def _joined_back(shapes: Shapes, grown: Callable[[Shape], Shape], shrunk: Callable[[Shape], Shape], dim: int) -> None:
    """Arrays of one dimension are made matrices and joined: what is known of one is known of all, but along ``dim``."""
    matrices: Shapes = {name: None if s is None else grown(s) if len(s) == 1 else s for name, s in shapes.items()}
    if any(s is not None and len(s) != 2 for s in matrices.values()):
        return
    concat_args(matrices, {"dim": dim})
    for name, found in matrices.items():
        given = shapes[name]
        if given is not None and found is not None:
            shapes[name] = shrunk(found) if len(given) == 1 else found


@vstack.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    _joined_back(shapes, lambda s: (1, *s), lambda s: s[1:], 0)


@op("_npi_hstack", count="num_args", output_names=("out",))
def hstack(*data: torch.Tensor, num_args: Count, dim: int = 1) -> torch.Tensor:
    """The arrays joined along the second axis; those of one dimension along that."""
    grown = tuple([t.reshape(1) if t.dim() == 0 else t for t in data])
    return _join(grown, 0 if grown[0].dim() == 1 else 1)


@op("_npi_dstack", count="num_args", output_names=("out",))
def dstack(*data: torch.Tensor, num_args: Count, dim: int = 1) -> torch.Tensor:
    """The arrays joined along the third axis."""
    return _join(tuple(torch.atleast_3d(*data)) if len(data) > 1 else (torch.atleast_3d(data[0]),), 2)


@op("_npi_column_stack", count="num_args")
def column_stack(*data: torch.Tensor, num_args: Count) -> torch.Tensor:
    """The arrays joined as columns."""
    return _join(tuple([t.reshape(-1, 1) if t.dim() < 2 else t for t in data]), 1)


@column_stack.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    _joined_back(shapes, lambda s: (*s, 1), lambda s: s[:1], 1)


def _splitting(name: str, doc: str, axis_of: Callable[[torch.Tensor], int]) -> None:
    def kernel(
        data: torch.Tensor,
        *,
        indices: tuple[int, ...],
        axis: int = 1,
        squeeze_axis: bool = False,
        sections: int = 0,
    ) -> Any:
        return split_v2.kernel(data, indices=indices, axis=axis_of(data), squeeze_axis=squeeze_axis, sections=sections)

    register(name, kernel, doc=doc, view=True, outputs=lambda attrs: attrs["sections"] or len(attrs["indices"]))


_splitting("_npi_hsplit", "The array cut along its second axis, or its only one.", lambda a: 0 if a.dim() == 1 else 1)
_splitting("_npi_dsplit", "The array cut along its third axis.", lambda a: 2)


# ---- order -----------------------------------------------------------------------------------------------------------


@op("_npi_flip")
def flip(data: torch.Tensor, *, axis: tuple[int, ...] | None) -> torch.Tensor:
    """The array with the order along some axes, or for None along all, reversed."""
    axes = range(data.dim()) if axis is None else axis
    return torch.flip(data, [normalize_axis(x, data.dim()) for x in axes])


@op("_np_roll")
def roll(
    data: torch.Tensor, *, shift: tuple[int, ...] | None = None, axis: tuple[int, ...] | None = None
) -> torch.Tensor:
    """The array with its elements moved along axes, or as if it were flat; what falls off comes in at the front."""
    if shift is None:
        raise ValueError("shift must be given")
    if axis is None:
        return torch.roll(data, sum(shift))
    if len(shift) != len(axis) and 1 not in (len(shift), len(axis)):
        raise ValueError(f"shift {shift} and axis {axis} must have the same length")
    count = max(len(shift), len(axis))
    axes = [normalize_axis(x, data.dim()) for x in axis]
    return torch.roll(data, shift * (count // len(shift)), axes * (count // len(axes)))


@op("_npi_rot90")
def rot90(data: torch.Tensor, *, k: int = 1, axes: tuple[int, ...] | None = None) -> torch.Tensor:
    """The array turned by 90 degrees ``k`` times in the plane of two axes."""
    if axes is None or len(axes) != 2:
        raise ValueError(f"axes must be two axes, got {axes}")
    return torch.rot90(data, k, axes)


@op("_np_diag", view=True)
def diag(data: torch.Tensor, *, k: int = 0) -> torch.Tensor:
    """The k-th diagonal of a matrix, or a matrix with this array as its k-th diagonal."""
    _no_booleans(data)
    if data.dim() not in (1, 2):
        raise ValueError(f"it takes arrays of one or two dimensions, this one has {data.dim()}")
    return torch.diag(data, k)


@op("_np_diagflat")
def diagflat(data: torch.Tensor, *, k: int = 0) -> torch.Tensor:
    """A matrix with the elements of the array as its k-th diagonal."""
    return torch.diagflat(data, k)


@op("_np_diagonal", view=True)
def diagonal(data: torch.Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> torch.Tensor:
    """The diagonals of the matrices in two axes, as a new last axis."""
    return torch.diagonal(data, offset, axis1, axis2)


@op("_np_trace")
def trace(data: torch.Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> torch.Tensor:
    """The sums of the diagonals of the matrices in two axes."""
    _no_booleans(data)
    return torch.diagonal(data, offset, axis1, axis2).sum(-1, dtype=data.dtype)


@op("_npi_tril")
def tril(data: torch.Tensor, *, k: int = 0) -> torch.Tensor:
    """The matrices in the last two axes with zeros above the k-th diagonal."""
    _no_booleans(data)
    if data.dim() < 2:
        data = data.expand(data.shape[-1], -1)
    return torch.tril(data, k)
