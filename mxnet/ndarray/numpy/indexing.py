"""What NumPy's indexing has beyond the classic one: masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ...error import MXNetIndexError
from ..ndarray import NDArray, wrap
from ..tape import tie

_PLAIN = frozenset((int, slice, type(None), type(Ellipsis)))


def without_masks(array: NDArray, key: object) -> Any:
    """A key in which the places where a mask holds stand for the mask.

    ``True`` alone makes a new axis, ``False`` alone is left out: what it selects is of no length (``has_false``).
    """
    if key.__class__ in _PLAIN:
        return key
    parts = key if isinstance(key, tuple) else (key,)
    if all(part.__class__ in _PLAIN for part in parts):
        return key
    found: list[Any] = []
    axis = 0
    for i, part in enumerate(parts):
        if part is Ellipsis:
            axis = array.ndim - sum(_width(p) for p in parts[i + 1 :])
            found.append(part)
            continue
        mask = _mask(part)
        if mask is None:
            found.append(part)
        elif mask.dim() == 0:
            if bool(mask):
                found.append(None)
        else:
            found += [_from(part, places) for places in _places(mask, array, axis)]
        axis += _width(part)
    return tuple(found) if len(found) != 1 or isinstance(key, tuple) else found[0]


def has_false(key: object) -> bool:
    """Is there a single ``False`` in a key? Then nothing is selected, along a new axis in front."""
    parts = key if isinstance(key, tuple) else (key,)
    return any(mask is not None and mask.dim() == 0 and not bool(mask) for mask in map(_mask, parts))


def _mask(part: object) -> torch.Tensor | None:
    """An index as booleans, or None if it has none."""
    if isinstance(part, NDArray):
        return part._data if part._data.dtype is torch.bool else None
    if isinstance(part, bool | np.bool_):
        return torch.tensor(bool(part))
    if isinstance(part, list | np.ndarray):
        values = part if isinstance(part, np.ndarray) else np.asarray(_numbers(part))
        return torch.from_numpy(np.array(values)) if values.dtype == np.bool_ else None
    return None


def _numbers(part: Any) -> Any:
    return part if not any(isinstance(p, NDArray) for p in part) else [p.item() for p in part]


def _width(part: object) -> int:
    """How many axes of the array an index is about."""
    if part is None or part is Ellipsis:
        return 0
    mask = _mask(part)
    return 1 if mask is None else mask.dim()


def _from(mask: object, places: torch.Tensor) -> object:
    """Places where a mask holds, as an array that knows what the mask was computed from if it does."""
    if not isinstance(mask, NDArray) or not mask._ties:
        return places
    array = wrap(places, mask._ctx)
    tie(array, [mask])
    return array


def _places(mask: torch.Tensor, array: NDArray, axis: int) -> list[torch.Tensor]:
    sizes = array.shape[axis : axis + mask.dim()]
    if tuple(mask.shape) != sizes:
        raise MXNetIndexError(
            f"boolean index did not match indexed array: the mask has shape {tuple(mask.shape)}, the array {sizes} "
            f"from axis {axis} on"
        )
    return list(torch.nonzero(mask, as_tuple=True))
