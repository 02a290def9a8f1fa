"""Operators on batches of sequences of different lengths, padded to the longest."""

import functools

import torch

from .._core.tracing import is_traced
from .infer import same_shapes, unify
from .registry import op
from .support import as_index, as_number, without_data
from .types import Attrs, Dtypes, Shapes
from .wide import Range, leaves


def _active(attrs: Attrs) -> tuple[str, ...]:
    return ("data", "sequence_length") if attrs["use_sequence_length"] else ("data",)


def _lengths(
    data: torch.Tensor,
    lengths: torch.Tensor | None,
    use: bool,
    axis: int,
    axes: tuple[int, ...] = (0, 1),
    least: float = 0,
    most: float | None = None,
) -> torch.Tensor | None:
    """The lengths as indices, or None if they are not used. They are from ``least`` to ``most``, or to the steps."""
    if data.dim() < 2:
        raise ValueError(f"data must have at least 2 dimensions, time and batch; it has {data.dim()}")
    if axis not in axes:
        raise ValueError(f"axis must be {' or '.join(map(str, axes))}, got {axis}")
    if use != (lengths is not None):
        raise ValueError("sequence_length must be given with use_sequence_length=True, and only then")
    if lengths is None:
        return None
    if lengths.shape != data.shape[1 - axis : 2 - axis]:
        raise ValueError(f"sequence_length has shape {tuple(lengths.shape)}, expected {(data.shape[1 - axis],)}")
    _check_lengths(lengths, data.shape[axis], least, most)
    return as_index(lengths)


@functools.lru_cache(256)
def _lengths_within(least: float, most: float) -> Range:
    return Range((least, most), (least, most))


def _check_lengths(lengths: torch.Tensor, steps: int, least: float, most: float | None) -> None:
    """Refuses lengths that are no numbers, or beyond the data. On the CPU only: elsewhere they had to be waited for."""
    if is_traced() or not lengths.is_cpu:
        return
    within = _lengths_within(least, steps + 0.9999 if most is None else most)
    if leaves(lengths if lengths.dtype is torch.float32 else lengths.detach().float(), within):
        given = lengths.detach().reshape(-1)[:8].tolist()
        what = "numbers" if most is not None else f"between {least:.0f} and {steps}, the number of steps"
        raise ValueError(f"sequence_length must be {what}, got {given}")


def _spread(matrix: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    """Something told for time and batch, with as many dimensions as ``data`` so that it broadcasts over the others."""
    return matrix.reshape(*matrix.shape, *[1] * (data.dim() - 2))


@op("SequenceLast", active=_active, view=True)
def sequence_last(
    data: torch.Tensor,
    sequence_length: torch.Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> torch.Tensor:
    """The last element of each sequence: at ``sequence_length`` - 1, or at the end of the time ``axis`` (0 or 1)."""
    lengths = _lengths(data, sequence_length, use_sequence_length, axis, least=1)
    if lengths is None:
        return data.select(axis, data.shape[axis] - 1)
    if data.is_meta:
        return without_data(data, [*data.shape[:axis], *data.shape[axis + 1 :]])
    index = _spread((lengths - 1).unsqueeze(axis), data)
    return data.gather(axis, index.expand(*index.shape[:2], *data.shape[2:])).squeeze(axis)


@op("SequenceMask", active=_active, view=True)
def sequence_mask(
    data: torch.Tensor,
    sequence_length: torch.Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
) -> torch.Tensor:
    """Replaces what lies beyond the length of each sequence by ``value``. The time ``axis`` is 0 or 1."""
    # Longer than the data, or negative, is as good as whole or nothing here.
    lengths = _lengths(data, sequence_length, use_sequence_length, axis, least=-1e18, most=1e18)
    if lengths is None:
        return data
    times = torch.arange(data.shape[axis], device=data.device).unsqueeze(1 - axis)
    beyond = times >= lengths.unsqueeze(axis)
    return torch.where(_spread(beyond, data), as_number(value, data.dtype), data)


@op("SequenceReverse", active=_active, view=True)
def sequence_reverse(
    data: torch.Tensor,
    sequence_length: torch.Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> torch.Tensor:
    """Reverses each sequence over its length; what lies beyond stays. The time axis is 0."""
    lengths = _lengths(data, sequence_length, use_sequence_length, axis, (0,))
    if lengths is None:
        return data.flip(0)
    steps, batch = data.shape[:2]
    times = torch.arange(steps, device=data.device).unsqueeze(1)
    index = torch.where(times < lengths, lengths - 1 - times, times)
    # whole rows of the flattened (time, batch) are several times faster to select than single elements to gather
    rows = (index * batch + torch.arange(batch, device=data.device)).reshape(-1)
    return data.reshape(steps * batch, *data.shape[2:]).index_select(0, rows).reshape(data.shape)


def _length_args(shapes: Shapes, attrs: Attrs) -> None:
    known = shapes["data"]
    if "sequence_length" in shapes and known is not None and len(known) > 1 and attrs["axis"] in (0, 1):
        batch = (known[1 - attrs["axis"]],)
        shapes["sequence_length"] = unify(shapes["sequence_length"], batch, "input 'sequence_length'")


def _data_back(shapes: Shapes, outputs: list, attrs: Attrs) -> None:
    data: Shapes = {"data": shapes["data"]}
    same_shapes(data, outputs, attrs)
    shapes.update(data)


def _length_dtype(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    if "sequence_length" in dtypes:
        dtypes["sequence_length"] = dtypes["sequence_length"] or dtypes["data"]
    return [dtypes["data"]]


for _opdef in (sequence_last, sequence_mask, sequence_reverse):
    _opdef.infer_args(_length_args)
    _opdef.infer_dtype(_length_dtype)
for _opdef in (sequence_mask, sequence_reverse):
    _opdef.infer_back(_data_back)
    _opdef.infer_shape(lambda shapes, attrs: [shapes["data"]])
