"""What messages call operators, and the errors for arguments that an operator does not have."""

from __future__ import annotations

import difflib
import warnings
from typing import TYPE_CHECKING

from ..error import MXNetError, MXNetTypeError

if TYPE_CHECKING:
    from .registry import OpDef

#: Where users find operators whose names begin so.
_MODULES = {"_npi_": "np.", "_np_": "np.", "_npx_": "npx."}
#: Names for operators that only graphs use.
_INTERNAL = {"_log_softmax_pick": "softmax cross-entropy"}


def display_name(op: OpDef) -> str:
    """The name by which users know an operator: ``np.add`` for ``_npi_add``."""
    for prefix, module in _MODULES.items():
        if op.name.startswith(prefix):
            return f"{module}{op.name[len(prefix) :].removesuffix('_scalar')}"
    return _INTERNAL.get(op.name, op.name)


def unknown_argument(op: OpDef, name: str) -> MXNetError:
    """The error for an argument that the operator does not have."""
    possible = [*op.inputs, *op.params]
    near = difflib.get_close_matches(name, possible, 1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return MXNetTypeError(
        f"{op.name}: unknown argument {name!r}.{hint} Possible arguments: {', '.join(possible) or 'none'}"
    )


def reject_argument(op: OpDef, name: str) -> None:
    """Raises for an attribute that the operator does not have.

    An operator without attributes only warns: MXNet ignored what it was given, and programs say e.g.
    ``zeros_like(x, dtype=...)``.
    """
    if op.params:
        raise unknown_argument(op, name)
    warnings.warn(f"{op.name} has no attributes: {name} has no effect", stacklevel=2)
