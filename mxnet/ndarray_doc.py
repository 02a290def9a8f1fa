"""Texts for help(): each operator has its own at its definition; the classes of the original's module hold them."""

from __future__ import annotations

from collections.abc import Sequence

from . import ndarray
from .base import build_param_doc

__all__ = ["BroadcastToDoc", "CustomDoc", "NDArrayDoc", "ReshapeDoc", "StackDoc", "elemwise_addDoc"]

_OUT = """
out : NDArray, optional
    The output NDArray to hold the result.

Returns
-------
out : NDArray or list of NDArrays
    The output of this function.
"""


class NDArrayDoc:
    """The base of classes named after operators whose docstrings are added to those of the operators."""


BroadcastToDoc, CustomDoc, ReshapeDoc, StackDoc, elemwise_addDoc = (
    type(f"{name}Doc", (NDArrayDoc,), {"__doc__": getattr(ndarray, operator).__doc__, "__module__": __name__})
    for name, operator in (
        ("BroadcastTo", "broadcast_to"),
        ("Custom", "Custom"),
        ("Reshape", "reshape"),
        ("Stack", "stack"),
        ("elemwise_add", "elemwise_add"),
    )
)


def _build_doc(
    func_name: str,
    desc: str,
    arg_names: Sequence[str],
    arg_types: Sequence[str],
    arg_desc: Sequence[str],
    key_var_num_args: str | None = None,
    ret_type: str | None = None,
) -> str:
    """The docstring of an operator from its parts."""
    text = f"{desc}\n\n{build_param_doc(arg_names, arg_types, arg_desc)}{_OUT}"
    return text.replace("NDArray-or-Symbol", "NDArray")
