"""Drawing from given probabilities, drawing without replacement, and shuffling."""

import math
from typing import Any

import numpy as np
import torch

from ..._rng import Generator, HostGenerator
from ..._rng_numpy import GENERATORS
from ..gradients import constant_in
from ..infer import Shape, same_shapes
from ..registry import op
from ..types import Attrs, Dtypes
from .distributions import FLOATS

_INDEX_TYPES = (torch.uint8, torch.int32, *FLOATS)


@op("_sample_multinomial", aliases=("sample_multinomial",), outputs=lambda attrs: 2 if attrs["get_prob"] else 1)
def multinomial(
    data: torch.Tensor,
    *,
    shape: tuple[int, ...] | None = (),
    get_prob: bool = False,
    dtype: torch.dtype = torch.int32,
    _rng: Generator | None,
) -> Any:
    """Draws indices by the probabilities in the last dimension of ``data``, ``shape`` of them for each distribution.

    With ``get_prob`` a second array has the logarithms of the probabilities of what was drawn. It is differentiable:
    with a reward as head gradient this is the policy gradient.
    """
    if data.dtype not in FLOATS:
        raise TypeError("only floating types are supported; convert the probabilities with astype('float32')")
    if dtype not in _INDEX_TYPES:
        names = ", ".join(str(d).removeprefix("torch.") for d in _INDEX_TYPES)
        raise TypeError(f"dtype must be one of {names}, got {str(dtype).removeprefix('torch.')}")
    if not data.dim() or not data.shape[-1]:
        raise ValueError("data must have at least one dimension, and at least one probability in the last")
    rows, count = data.shape[:-1], math.prod(shape or ())
    result = (*rows, *(shape or ())) or (1,)
    if _rng is None:
        indices = torch.empty((math.prod(rows), count), dtype=torch.int64, device=data.device)
    else:
        indices = _draw(data.detach().reshape(-1, data.shape[-1]), count, _rng)
    drawn = constant_in(indices.to(dtype).reshape(result), data)
    if not get_prob:
        return drawn
    chosen = data.reshape(-1, data.shape[-1]).gather(1, indices)
    return drawn, chosen.log().reshape(result)


def _draw(probabilities: torch.Tensor, count: int, rng: Generator) -> torch.Tensor:
    if not count or not len(probabilities):
        return torch.empty((len(probabilities), count), dtype=torch.int64, device=probabilities.device)
    if isinstance(rng, HostGenerator):
        return _draw_on_host(probabilities.numpy(), rng.singles(len(probabilities) * count).reshape(-1, count))
    if probabilities.dtype is torch.float16:
        probabilities = probabilities.float()
    return torch.multinomial(probabilities, count, replacement=True, generator=rng)


#: What the sum of probabilities may be away from 1 by rounding.
_ROUNDING = 1e-3


def _draw_on_host(probabilities: np.ndarray, uniforms: np.ndarray) -> torch.Tensor:
    """The first class up to which the probabilities sum to the uniform number, or more.

    Where they sum to less than the number, the class is the last that has any. Weights with another sum than 1, of
    which MXNet gives indices that do not exist, are taken as parts of their sum.
    """
    total = probabilities.sum(-1, dtype=np.float64)
    if not np.isfinite(total).all() or probabilities.min() < 0 or total.min() <= 0:
        raise ValueError("probabilities must not be negative or infinite, and each row needs one that is not 0")
    result = np.empty(uniforms.shape, np.int64)
    for row, drawn, weights, sums in zip(result, uniforms, probabilities, total, strict=True):
        if abs(sums - 1) > _ROUNDING:
            weights = (weights / sums).astype(weights.dtype)
        found = np.searchsorted(_running_sums(weights), drawn.astype(weights.dtype))
        row[:] = np.minimum(found, np.flatnonzero(weights)[-1])
    return torch.from_numpy(result)


def _running_sums(values: np.ndarray) -> np.ndarray:
    """With Kahan's correction, in float32 at most, made to never fall."""
    kind = np.float16 if values.dtype == np.float16 else np.float32
    return np.maximum.accumulate(values.astype(np.float64).cumsum().astype(kind))


@multinomial.infer_dtype
def _multinomial_dtype(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return [attrs["dtype"], dtypes["data"]] if attrs["get_prob"] else [attrs["dtype"]]


@op("_shuffle", aliases=("shuffle",))
def shuffle(data: torch.Tensor, *, _rng: Generator | None) -> torch.Tensor:
    """The array with the elements of its first axis in random order."""
    if not data.dim():
        raise ValueError("data must have at least one dimension")
    if _rng is None:
        return torch.empty_like(data)
    if isinstance(_rng, HostGenerator):
        return data[_rng.order(data.shape[0], forward=data.dim() == 1)]
    return data.index_select(0, torch.randperm(data.shape[0], generator=_rng, device=data.device))


shuffle.infer_back(same_shapes)


@op("_sample_unique_zipfian", outputs=2)
def unique_zipfian(
    *,
    range_max: int,
    shape: tuple[int, ...] | None = None,
    _rng: Generator | None,
    _device: torch.device,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draws classes without replacement from a Zipfian distribution; also returns how many trials that took.

    ``shape`` is (batch, samples). Class c of [0, range_max) has about the probability
    ``(log(c + 2) - log(c + 1)) / log(range_max + 1)``; a class that a row has already is drawn again.
    """
    if shape is None or len(shape) != 2 or min(shape) <= 0:
        raise ValueError(f"shape must have two positive dimensions (batch, samples), got {shape}")
    batch, wanted = shape
    if wanted > range_max:
        raise ValueError(f"{wanted} different classes cannot be drawn from {range_max}")
    if _rng is None:
        return torch.empty(shape, dtype=torch.int64, device=_device), torch.empty(
            batch, dtype=torch.int64, device=_device
        )
    if isinstance(_rng, HostGenerator):
        return _zipfian_on_host(range_max, batch, wanted, _rng)
    drawn = torch.empty((batch, 0), dtype=torch.int64, device=_device)
    while True:
        more = torch.rand((batch, drawn.shape[1] + wanted + 16), dtype=torch.float64, generator=_rng, device=_device)
        classes = torch.exp(more * math.log(range_max + 1)).long().sub_(1).clamp_(0, range_max - 1)
        drawn = torch.cat((drawn, classes), 1)
        found = _first_occurrences(drawn).cumsum(1)
        if bool((found[:, -1] >= wanted).all()):
            break
    new = torch.diff(found, dim=1, prepend=found.new_zeros((batch, 1))).bool() & (found <= wanted)
    return drawn[new].reshape(shape), (found < wanted).sum(1) + 1


def _zipfian_on_host(range_max: int, batch: int, wanted: int, rng: HostGenerator) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows are shared by the generators as numbers are, but from the first row on."""
    classes, trials = np.empty((batch, wanted), np.int64), np.zeros(batch, np.int64)
    each = -(-batch // GENERATORS)
    for row in range(batch):
        seen: dict[int, None] = {}
        while len(seen) < wanted:
            u = float(rng.doubles(1, row // each)[0])
            seen[round(math.exp(u * math.log(range_max))) - 1] = None
            trials[row] += 1
        classes[row] = list(seen)
    return torch.from_numpy(classes), torch.from_numpy(trials)


def _first_occurrences(values: torch.Tensor) -> torch.Tensor:
    """Where each row has a value for the first time."""
    ordered, position = values.sort(dim=1, stable=True)
    first = torch.ones_like(ordered, dtype=torch.bool)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    return torch.empty_like(first).scatter_(1, position, first)


@unique_zipfian.infer_shape
def _unique_zipfian_shape(shapes: dict[str, Shape], attrs: Attrs) -> list[Shape | None]:
    return [attrs["shape"], attrs["shape"] and attrs["shape"][:1]]


unique_zipfian.infer_dtype(lambda dtypes, attrs: [torch.int64, torch.int64])
