"""Texts for help(): each operator has its own at its definition; the classes of the original's module hold them."""

from __future__ import annotations

from typing import Any

from . import ndarray_doc, symbol
from ._core.signature import takes
from .base import build_param_doc
from .symbol import Symbol

_OPERATORS = ("Activation", "BroadcastPlus", "Concat", "Dropout", "Embedding", "Flatten", "FullyConnected")
__all__ = [*(f"{name}Doc" for name in _OPERATORS), "SymbolDoc"]

_NAME = """
name : string, optional.
    Name of the resulting symbol.

Returns
-------
Symbol
    The result symbol.
"""


class SymbolDoc:
    """The base of classes named after operators whose docstrings are added to those of the operators."""

    @staticmethod
    def get_output_shape(sym: Symbol, **input_shapes: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        """The shapes of a symbol's outputs by name."""
        return dict(zip(sym.list_outputs(), sym.infer_shape(**input_shapes)[1], strict=True))


ActivationDoc, BroadcastPlusDoc, ConcatDoc, DropoutDoc, EmbeddingDoc, FlattenDoc, FullyConnectedDoc = (
    type(f"{name}Doc", (SymbolDoc,), {"__doc__": getattr(symbol, operator).__doc__, "__module__": __name__})
    for name, operator in ((name, name.replace("BroadcastPlus", "broadcast_plus")) for name in _OPERATORS)
)


@takes(ndarray_doc._build_doc)
def _build_doc(desc: str, arg_names: Any, arg_types: Any, arg_desc: Any, key_var_num_args: Any, **given: Any) -> str:
    """The docstring of an operator from its parts."""
    if key_var_num_args:
        desc += "\nThis function support variable length of positional input."
    return f"{desc}\n\n{build_param_doc(arg_names, arg_types, arg_desc)}{_NAME}".replace("NDArray-or-Symbol", "Symbol")
