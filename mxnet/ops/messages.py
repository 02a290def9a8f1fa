"""What messages call operators, and the errors for arguments that an operator does not have."""

from __future__ import annotations

import functools
import warnings
from typing import TYPE_CHECKING

from .._core.hints import did_you_mean
from ..error import MXNetError, MXNetTypeError

if TYPE_CHECKING:
    from .registry import OpDef


_NUMPY = {"_npi_": "np.", "_np_": "np.", "_npx_": "npx."}
#: Where users find operators whose names begin so.
_MODULES = {**_NUMPY, **{f"_{module}_": f"{module}." for module in ("contrib", "image", "linalg", "random")}}
#: Names for operators that only graphs use, or that a function of another name calls.
_INTERNAL = {
    "_log_softmax_pick": "softmax cross-entropy",
    "_cvimread": "image.imread",
    "_cvimdecode": "image.imdecode",
    "_cvimresize": "image.imresize",
    "_cvcopyMakeBorder": "image.copyMakeBorder",
}


def profiled_name(name: str) -> str:
    """The name that the profiler has for an operator: the original's, but ``np.add`` for ``_npi_add``."""
    return display_name(name) if name.startswith(tuple(_NUMPY)) else _INTERNAL.get(name, name)


@functools.cache
def display_name(name: str) -> str:
    """The name by which users know an operator: ``np.add`` for ``_npi_add``."""
    for prefix, module in _MODULES.items():
        if name.startswith(prefix):
            return f"{module}{name[len(prefix) :].removesuffix('_scalar')}"
    return _INTERNAL.get(name) or name.lstrip("_")


def unknown_argument(op: OpDef, name: str) -> MXNetError:
    """The error for an argument that the operator does not have."""
    possible = [*op.inputs, *op.params]
    return MXNetTypeError(
        f"{display_name(op.name)}: unknown argument {name!r}.{did_you_mean(name, possible)} Possible arguments: "
        f"{', '.join(possible) or 'none'}"
    )


def reject_argument(op: OpDef, name: str) -> None:
    """Raises for an attribute that the operator does not have.

    An operator without attributes only warns: MXNet ignored what it was given, and programs say e.g.
    ``zeros_like(x, dtype=...)``.
    """
    if op.params:
        raise unknown_argument(op, name)
    warnings.warn(f"{display_name(op.name)} has no attributes: {name} has no effect", stacklevel=2)
