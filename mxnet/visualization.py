"""Networks as text (``print_summary``) and as drawings (``plot_network``)."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .error import MXNetTypeError, MXNetValueError
from .graph.node import Node
from .symbol import Symbol

if TYPE_CHECKING:
    from graphviz import Digraph

__all__ = ["plot_network", "print_summary"]


def _check(symbol: object) -> None:
    if not isinstance(symbol, Symbol):
        raise MXNetTypeError(f"symbol must be Symbol, got {type(symbol).__name__}")


def _infer(symbol: Symbol, kind: str, given: Mapping[str, Any] | None) -> dict[tuple[Node, int], Any] | None:
    """The shape or type of every output of every node, None if nothing is given to infer it from."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        name = symbol.list_arguments()[0]
        raise MXNetTypeError(f"{kind} must be a dict of what each input has, e.g. {{{name!r}: {given}}}, got {given!r}")
    internals = symbol.get_internals()
    _, found, _ = getattr(internals, f"infer_{kind}")(**given)
    if found is None:
        raise MXNetValueError(f"Input {kind} is incomplete")
    return {(entry.node, entry.index): value for entry, value in zip(internals._outputs, found, strict=True)}


def _op(node: Node) -> str:
    return "null" if node.op is None else node.op.name


# ---- text ------------------------------------------------------------------------------------------------------------


def _parameters(node: Node, channels: int) -> int:
    """The number of parameters of a layer, for those layers that are counted.

    As ever in this summary, inputs count by their channels alone, also those of dense layers after a convolution.
    """
    op = _op(node)
    if op == "BatchNorm":
        return 2 * channels
    if op == "Embedding":
        return node.parsed()["input_dim"] * node.parsed()["output_dim"]
    if op not in ("Convolution", "FullyConnected"):
        return 0
    attrs = node.parsed()
    if op == "Convolution":
        outputs = attrs["num_filter"]
        inputs = channels * math.prod(attrs["kernel"]) // attrs.get("num_group", 1)
    else:
        outputs, inputs = attrs["num_hidden"], channels
    return inputs * outputs + (0 if attrs.get("no_bias", False) else outputs)


def print_summary(
    symbol: Symbol,
    shape: Mapping[str, Sequence[int]] | None = None,
    line_length: int = 120,
    positions: Sequence[float] = (0.44, 0.64, 0.74, 1.0),
) -> None:
    """Prints a table of the layers of a network: name, output shape, number of parameters, previous layers.

    ``shape`` gives the shapes of the inputs by name; without it there are no shapes and few parameters to show.
    ``positions`` are the ends of the columns, as parts of ``line_length`` or in characters.
    """
    _check(symbol)
    shapes = _infer(symbol, "shape", shape)
    ends = [int(line_length * p) if positions[-1] <= 1 else int(p) for p in positions]

    def print_row(*fields: Any) -> None:
        line = ""
        for field, end in zip(fields, ends, strict=True):
            line = f"{line}{field}"[:end].ljust(end)
        print(line)

    def sizes(node: Node) -> tuple[int, ...]:
        """The shape of a node without the batch, () where a node has several outputs."""
        single = node.is_variable or node.output_names() == [f"{node.name}_output"]
        return tuple(shapes[node, 0][1:]) if shapes is not None and single else ()

    nodes = symbol._outputs.order
    # Variables are parameters, but for the first, which is the data, and what the caller asked for.
    layers = {n for n in nodes if not n.is_variable} | {nodes[0], symbol._outputs[0].node}
    rows = [n for i, n in enumerate(nodes) if i == 0 or not n.is_variable]
    print("_" * line_length)
    print_row("Layer (type)", "Output Shape", "Param #", "Previous Layer")
    print("=" * line_length)
    total = 0
    for node in rows:
        before = [e.node for e in node.inputs if e.node in layers]
        count = _parameters(node, sum(sizes(n)[0] for n in before if sizes(n)))
        total += count
        names = [n.name for n in before] or [""]
        print_row(f"{node.name}({_op(node)})", "x".join(map(str, sizes(node))), count, names[0])
        for name in names[1:]:
            print_row("", "", "", name)
        print(("=" if node is rows[-1] else "_") * line_length)
    print(f"Total params: {total}")
    print("_" * line_length)


# ---- drawings --------------------------------------------------------------------------------------------------------


def _str2tuple(string: str) -> list[str]:
    """The numbers in the text of a shape."""
    return re.findall(r"\d+", string)


_STYLE = {"shape": "box", "fixedsize": "true", "width": "1.3", "height": "0.8034", "style": "filled"}
_COLOURS = {
    "null": "#8dd3c7",
    "Convolution": "#fb8072",
    "FullyConnected": "#fb8072",
    "Activation": "#ffffb3",
    "LeakyReLU": "#ffffb3",
    "BatchNorm": "#bebada",
    "Pooling": "#80b1d3",
    "Concat": "#fdb462",
    "Flatten": "#fdb462",
    "Reshape": "#fdb462",
}
_OTHER = "#fccde5"
_WEIGHTS = tuple(
    "_weight _bias _beta _gamma _moving_var _moving_mean _running_var _running_mean".split()  # ends of names
)


def _by_times(node: Node, key: str, default: str = "1") -> str:
    """``(3, 3)`` as ``3x3``."""
    return "x".join(re.findall(r"\d+", node.attrs.get(key, ""))) or default


def _label(node: Node) -> str:
    op, attrs = _op(node), node.attrs
    if op == "Custom":
        return attrs["op_type"]
    if op == "FullyConnected":
        return f"FullyConnected\n{attrs['num_hidden']}"
    if op == "Convolution":
        return f"Convolution\n{_by_times(node, 'kernel')}/{_by_times(node, 'stride')}, {attrs['num_filter']}"
    if op == "Activation":
        return f"Activation\n{attrs['act_type']}"
    if op == "LeakyReLU":
        return f"LeakyReLU\n{attrs.get('act_type', 'Leaky')}"
    if op == "Pooling":
        kernel = _by_times(node, "kernel", "[]")
        return f"Pooling\n{attrs.get('pool_type', 'max')}, {kernel}/{_by_times(node, 'stride')}"
    return node.name


def plot_network(
    symbol: Symbol,
    title: str = "plot",
    save_format: str = "pdf",
    shape: Mapping[str, Sequence[int]] | None = None,
    dtype: Mapping[str, Any] | None = None,
    node_attrs: Mapping[str, str] | None = None,
    hide_weights: bool = True,
) -> Digraph:
    """Draws a network: a ``graphviz.Digraph`` to show in a notebook, to ``render()`` or to ``view()``.

    With ``shape`` and ``dtype`` of the inputs by name, the edges show what flows along them. ``node_attrs`` are
    attributes of Graphviz for all nodes. Parameters such as weights are left out unless ``hide_weights`` is False.
    Needs the Python package graphviz, and to render also Graphviz itself (its program ``dot``).
    """
    try:
        from graphviz import Digraph, escape
    except ImportError as error:
        raise ImportError(
            "Draw network requires graphviz library: pip install graphviz, and Graphviz itself from graphviz.org"
        ) from error
    _check(symbol)
    if node_attrs is not None and not isinstance(node_attrs, Mapping):
        raise MXNetTypeError(f"node_attrs must be a dict of Graphviz attributes, got {type(node_attrs).__name__}")
    shapes, types = _infer(symbol, "shape", shape), _infer(symbol, "type", dtype)
    nodes = symbol._outputs.order
    names = [n.name for n in nodes]
    repeated = [n for n in dict.fromkeys(names) if names.count(n) > 1]
    if repeated:
        warnings.warn(
            "There are multiple variables with the same name in your graph, this may result in cyclic graph. Repeated "
            f"names: {','.join(repeated)}",
            RuntimeWarning,
            stacklevel=2,
        )
    dot = Digraph(name=title, format=save_format)
    # Graphviz would take some names for code: for ports, HTML, attributes and images.
    identifiers = {n: f"node{i}" if re.search(r"[<>\\]", n.name) else n.name for i, n in enumerate(nodes)}
    style = {**_STYLE, **(node_attrs or {})}
    hidden = set()
    for node in nodes:
        attrs = {**style, "fillcolor": _COLOURS.get(_op(node), _OTHER)}
        if node.is_variable:
            if node.name.endswith(_WEIGHTS):
                if hide_weights:
                    hidden.add(node)
                continue  # edges make a plain node of it
            attrs["shape"] = "oval"
        dot.node(name=identifiers[node], label=escape(_label(node)), **attrs)
    for node in nodes:
        for entry in node.inputs:
            if entry.node in hidden:
                continue
            key = entry.node, entry.index
            label = "" if shapes is None else "x".join(map(str, shapes[key][1:]))
            if types is not None:
                label += f"({types[key].__name__})"
            dot.edge(identifiers[node], identifiers[entry.node], label=label, arrowtail="open", dir="back")
    return dot
