"""The backends that ``hybridize``, ``optimize_for`` and ``get_backend_symbol`` know by name."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from ..error import MXNetTypeError

#: What each does here. The original's oneDNN kernels are what programs run on the host in any case, so most do nothing.
BACKENDS = {
    "default": None,
    "default_v2": None,
    "MKLDNN": None,
    "MKLDNN_QUANTIZE": None,
    "inductor": "inductor",
}


#: The operators that a backend takes together, by its name, if that was told.
_OPERATORS: dict[str, tuple[str, ...]] = {}


def set_operators(name: str, operators: Sequence[str] | None) -> None:
    """Says which operators a backend takes together; None: nothing is known of that any more."""
    if operators is None:
        _OPERATORS.pop(name, None)
    else:
        _OPERATORS[name] = tuple(operators)


def operators_of(name: str) -> tuple[str, ...] | None:
    """What ``set_operators`` was told."""
    return _OPERATORS.get(name)


def no_backend(name: str) -> str:
    """What to say of one that does not exist."""
    return f"unknown backend {name!r}, the graph runs without it; known: {', '.join(map(repr, BACKENDS))}"


def check_backend(name: str | None) -> None:
    """Warns of a backend that does not exist; programs that ask for one (TensorRT, say) run without it, as before."""
    if name is not None and not isinstance(name, str):
        raise MXNetTypeError(f"backend must be a string, got {type(name).__name__}")
    if name is not None and name not in BACKENDS:
        warnings.warn(no_backend(name), stacklevel=3)
