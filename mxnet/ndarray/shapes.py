"""What NDArray has to change its shape, apart from ``reshape``: most of it are operators, some give views."""

from __future__ import annotations

from typing import Any

from ..error import MXNetIndexError, MXNetValueError
from .exchange import Exchange


class Shapes(Exchange):
    """Methods of NDArray; ``_run`` runs an operator on it (``gate.py`` defines it), ``_view`` makes a view of it."""

    reshape: Any
    __setitem__: Any
    _run: Any
    _view: Any

    def broadcast_to(self, shape: Any) -> Any:
        """The array repeated along dimensions of size 1, and along new ones in front, to fill ``shape``."""
        wanted, mine = tuple(shape), self.shape
        padded = (1,) * (len(wanted) - len(mine)) + mine
        if len(padded) != len(wanted) or any(a not in (1, b) for a, b in zip(padded, wanted, strict=True)):
            raise MXNetValueError(f"broadcast_to: an array of shape {mine} cannot be broadcast to {wanted}")
        return (self if padded == mine else self.reshape(padded))._run("broadcast_to", shape=wanted)

    def broadcast_like(self, other: Any, lhs_axes: object = None, rhs_axes: object = None) -> Any:
        """``broadcast_to`` the shape of ``other``; given axes take only its sizes there, as the operator does."""
        if lhs_axes is None and rhs_axes is None:
            return self.broadcast_to(other.shape)
        return self._run("broadcast_like", other, lhs_axes=lhs_axes, rhs_axes=rhs_axes)

    def expand_dims(self, axis: int, inplace: bool = False) -> Any:
        """The array with a new axis of size 1 at ``axis``; with ``inplace`` a view, else a copy."""
        if not inplace:
            return self._run("expand_dims", axis=axis)
        shape, at = list(self.shape), axis if axis >= 0 else axis + self.ndim + 1
        if not 0 <= at <= self.ndim:
            raise MXNetIndexError(f"expand_dims: axis {axis} is out of range for an array of {self.ndim} dimensions")
        shape.insert(at, 1)
        return self._view(tuple(shape))

    def squeeze(self, axis: int | tuple[int, ...] | None = None, inplace: bool = False) -> Any:
        """The array without axes of size 1: all of them, or those given; with ``inplace`` a view, else a copy."""
        copy = self._run("squeeze", axis=axis)
        return self._view(copy.shape) if inplace else copy

    def flatten(self, inplace: bool = False) -> Any:
        """The array with all axes but the first merged; with ``inplace`` a view, else a copy."""
        return (
            self._view((self.shape[0], -1) if self.size else self._run("Flatten").shape)
            if inplace
            else self._run("Flatten")
        )

    def diag(self, k: int = 0, **kwargs: object) -> Any:
        """The k-th diagonal, or a matrix with this array as its k-th diagonal."""
        return self._run("diag", k=k, **kwargs)

    def split(self, *args: object, **kwargs: object) -> Any:
        """The same as the operator ``split``."""
        return self._run("SliceChannel", *args, **kwargs)

    def split_v2(self, *args: object, **kwargs: object) -> Any:
        """The same as ``mx.nd.split_v2``."""
        from .functions import split_v2

        return split_v2(self, *args, **kwargs)  # type: ignore[arg-type]

    def slice_assign(self, rhs: object, begin: object, end: object, step: object = ()) -> Any:
        """Writes ``rhs`` to the given slice and returns this array."""
        self[_slices(begin, end, step)] = rhs
        return self

    def slice_assign_scalar(self, value: float, begin: object, end: object, step: object = ()) -> Any:
        """Writes ``value`` to the given slice and returns this array."""
        self[_slices(begin, end, step)] = value
        return self


def _slices(begin: Any, end: Any, step: Any) -> tuple[slice, ...]:
    steps = tuple(step or ()) or (None,) * len(begin)
    return tuple([slice(*part) for part in zip(begin, end, steps, strict=True)])
