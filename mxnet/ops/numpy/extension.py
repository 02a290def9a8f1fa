"""The functions of ``mx.npx``: operators under their names without ``_npx_``, for arrays and symbols alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..derive import public_function
from ..registry import get, names
from ..types import Kernel
from .functions import without_backend
from .signatures import Array, Backend, Operand, _run, array_argument, as_shape

Invoke = Kernel
_IMAGE = "_npx__image_"


def reshape(F: Backend, a: Operand, newshape: Any, reverse: bool = False, order: str = "C") -> Array:
    """The array with another shape, given with codes.

    -1 is what is left over, -2 copies a size, -3 skips a size of 1, -4 copies all that remain, -5 merges two, and -6
    splits one into the two numbers that follow it. With ``reverse`` all is read from the end.
    """
    array = array_argument(F, "reshape", "a", a)
    return _run(F, "_npx_reshape", array, newshape=as_shape(newshape), reverse=reverse, order=order)


def nonzero(F: Backend, a: Operand) -> Array:
    """The indices of the elements that are not 0, a row for each."""
    return _run(F, "_npx_nonzero", array_argument(F, "nonzero", "a", a))


def constraint_check(F: Backend, x: Operand, msg: str = "Constraint violated.") -> Any:
    """True if all elements are; else an error with this message."""
    return _run(F, "_npx_constraint_check", array_argument(F, "constraint_check", "x", x), msg=msg)


def functions(
    backend: Backend, module: str, invoke_as: Callable[[str], Invoke], specialize: Kernel | None = None
) -> dict[str, Kernel]:
    """All functions of ``npx`` by their names; ``invoke_as(name)`` gives what runs their operators."""
    found = {}
    for name in sorted(names()):
        if name.startswith("_npx_") and not name.startswith(_IMAGE):
            short = name.removeprefix("_npx_")
            found[short] = public_function(get(name), short, module, invoke_as(short), specialize, backend.prepare)
    for function in (reshape, nonzero, constraint_check):
        found[function.__name__] = without_backend(function, backend, function.__name__, module)
    return found


def internals(module: str, invoke_as: Callable[[str], Invoke]) -> dict[str, Kernel]:
    """The operators ``_npi_*`` as functions, by their names without that."""
    shorts = [name.removeprefix("_npi_") for name in sorted(names()) if name.startswith("_npi_")]
    return {short: public_function(get(f"_npi_{short}"), short, module, invoke_as(short)) for short in shorts}


def images(module: str, invoke_as: Callable[[str], Invoke]) -> dict[str, Kernel]:
    """All functions of ``npx.image`` by their names."""
    shorts = [name.removeprefix(_IMAGE) for name in sorted(names()) if name.startswith(_IMAGE)]
    return {short: public_function(get(_IMAGE + short), short, module, invoke_as(short)) for short in shorts}
