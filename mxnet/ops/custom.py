"""The operator Custom: its kinds are added by users through ``mx.operator.register``."""

from collections.abc import Callable

import torch

from ..error import MXNetError, MXNetTypeError
from .registry import OpDef, register
from .types import Attrs

Factory = Callable[[Attrs], OpDef]
_FACTORIES: dict[str, Factory] = {}


def add_kind(op_type: str, factory: Factory) -> None:
    """``Custom(..., op_type=op_type)`` will mean the operator that ``factory(attributes)`` returns."""
    _FACTORIES[op_type] = factory


def kinds() -> list[str]:
    """The registered values of ``op_type``."""
    return sorted(_FACTORIES)


def _specialize(attrs: Attrs) -> OpDef:
    if "op_type" not in attrs:
        raise MXNetTypeError("Custom: attribute 'op_type' (string) is required and was not given")
    factory = _FACTORIES.get(str(attrs["op_type"]))
    if factory is None:
        known = ", ".join(kinds()) or "none yet"
        raise MXNetError(
            f"Custom: cannot find custom operator {attrs['op_type']!r}; register it with mx.operator.register. "
            f"Known: {known}"
        )
    return factory(attrs)


def _custom(*data: torch.Tensor, op_type: str) -> torch.Tensor:
    """An operator written in Python: ``op_type`` names a class registered with ``mx.operator.register``.

    Further keyword arguments are passed to its CustomOpProp as text.
    """
    raise MXNetError(f"Custom: {op_type!r} has not been specialized")


register("Custom", _custom, specialize=_specialize)
