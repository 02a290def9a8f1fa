"""Attributes of nodes as users write and see them, and the inputs that operators have under them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ..error import MXNetError, MXNetTypeError
from ..graph import json as graph_json
from ..graph.node import Graph, argument_names, rebuild
from ..ops.messages import display_name, reject_argument, unknown_argument
from ..ops.params import format_value
from ..ops.registry import OpDef
from ..ops.types import Attrs

_HIDDEN = frozenset(graph_json.HIDDEN_KEYS)


def hidden_key(key: str) -> str:
    """The key under which an attribute is stored: ``lr_mult`` and its like get underscores."""
    return f"__{key}__" if key in _HIDDEN else key


def visible_attributes(attrs: Mapping[str, str]) -> dict[str, str]:
    """Attributes as users see them: hidden keys also under their plain names."""
    shown = dict(attrs)
    for key, value in attrs.items():
        if key.startswith("__") and key[2:-2] in _HIDDEN:
            shown[key[2:-2]] = value
    return shown


def remove_amp_casts(outputs: Graph) -> Graph:
    """Returns the graph without the casts of mixed precision, but for those that are outputs."""
    heads = {e.node for e in outputs}
    casts = {
        n for n in outputs.order if n.op is not None and n.op.name in ("amp_cast", "amp_multicast") and n not in heads
    }
    if not casts:
        return outputs
    return rebuild(outputs, lambda node, inputs: inputs if node in casts else None)


T = TypeVar("T")


def match_inputs(op: OpDef, parsed: Attrs, inputs: Sequence[T | None]) -> tuple[list[str], list[T | None]]:
    """The names of an operator's inputs under its attributes, with what was given for each (None: nothing)."""
    if op.variadic is None:
        active = op.active_inputs(parsed)
        given = dict(zip(op.inputs, inputs, strict=False))
        for name, value in given.items():
            if value is not None and name not in active:
                raise MXNetTypeError(
                    f"{display_name(op.name)} has no input {name!r} with these attributes; it takes {', '.join(active)}"
                )
        return list(active), [given.get(name) for name in active]
    names = argument_names(op, parsed, len(inputs))
    if len(inputs) > len(names):
        raise MXNetTypeError(
            f"{display_name(op.name)} takes {', '.join(names)} with these attributes, {len(inputs)} symbols were given"
        )
    return names, [*inputs, *[None] * (len(names) - len(inputs))]


def check_key(op: OpDef, key: str, value: object) -> None:
    """An operator takes attributes of its own, the hidden ones and ``__such__``; one without any takes all."""
    if key in op.params or key in _HIDDEN or (key.startswith("__") and key.endswith("__")):
        return
    for hidden in _HIDDEN:
        if key.endswith(f"_{hidden}"):
            raise MXNetError(
                f"setting variable attributes with {key} is deprecated. please instead use\n"
                f"w = Variable({hidden}={value})\nsym = YourSymbolName({key[: -len(hidden) - 1]}=w)"
            )
    if op.params:
        raise unknown_argument(op, key)


def attribute_text(op: OpDef, attrs: Attrs) -> dict[str, str]:
    """Returns attributes of an operator as the text that symbol files hold."""
    text = {}
    for key, value in attrs.items():
        if key in op.params:
            text[key] = value if isinstance(value, str) else format_value(value)
            continue
        check_key(op, key, value)
        if key in _HIDDEN:
            key = f"__{key}__"
        elif not key.startswith("__"):
            reject_argument(op, key)
        text[key] = str(value)
    op.parse({k: v for k, v in attrs.items() if k in op.params})
    return text
