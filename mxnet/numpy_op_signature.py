"""The functions of ``mx.np`` and ``mx.npx`` by the names of their operators, and their signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from . import _numpy_op_doc, numpy as mx_np, numpy_extension as mx_npx
from .error import MXNetValueError

_NP_OP_SUBMODULE_LIST = ["_random_", "_linalg_"]
_NP_EXT_OP_SUBMODULE_LIST = ["_image_", "_random_"]


def _get_op_submodule_name(op_name: str, op_name_prefix: str, submodule_name_list: Sequence[str]) -> str:
    """Which of the submodules an operator belongs to: ``_random_`` for ``_np__random_shuffle``; "" if to none."""
    short = op_name.removeprefix(op_name_prefix)
    return next((name for name in submodule_name_list if short.startswith(name)), "")


def _get_builtin_op(op_name: str) -> Callable[..., Any] | None:
    """The function of ``mx.np`` or ``mx.npx`` that is an operator of that name; None for operators of other kinds."""
    for prefix, place, submodules in (
        ("_np_", mx_np, _NP_OP_SUBMODULE_LIST),
        ("_npx_", mx_npx, _NP_EXT_OP_SUBMODULE_LIST),
    ):
        if op_name.startswith(prefix):
            submodule = _get_op_submodule_name(op_name, prefix, submodules)
            module = getattr(place, submodule.strip("_")) if submodule else place
            short = op_name.removeprefix(prefix + submodule)
            found = getattr(module, short, None)
            if found is None:
                raise MXNetValueError(f"Cannot find operator {short} in module {module.__name__}")
            return found
    return None


def _register_op_signatures() -> None:
    """Gives the functions the signatures in ``_numpy_op_doc``."""
    for name, documented in vars(_numpy_op_doc).items():
        if name.startswith(("_np_", "_npx_")) and inspect.isfunction(documented):
            function = _get_builtin_op(name)
            function.__signature__ = inspect.signature(documented)  # type: ignore[union-attr]
