"""Common subexpressions: nodes that compute the same from the same are one, unless MXNET_ELIMINATE_COMMON_EXPR is 0."""

from __future__ import annotations

from collections.abc import Hashable

from .._core import config
from .node import Entry, Graph, Node


def merge_common_expressions(outputs: Graph) -> tuple[Graph, dict[Node, Node]]:
    """The graph without nodes that repeat another one, and for each new node the one it was made from.

    Nodes without anything repeated before them stay the same objects, as do outputs.
    """
    found = outputs.derive(_merge) if config.ELIMINATE_COMMON_EXPR.get() else None
    return found or (outputs, {})


def _merge(outputs: Graph) -> tuple[Graph, dict[Node, Node]] | None:
    """None if nothing is repeated."""
    heads = {entry.node for entry in outputs}
    seen: dict[Hashable, Node] = {}
    instead: dict[Node, Node] = {}
    origin: dict[Node, Node] = {}
    for node in outputs.order:
        if node.op is None:
            continue
        inputs = [Entry(instead.get(e.node, e.node), e.index, e.version) for e in node.inputs]
        if _is_mergeable(node) and node not in heads:
            key = node.op, tuple(sorted(node.attrs.items())), tuple((e.node, e.index, e.version) for e in inputs)
            first = seen.setdefault(key, node)
            if first is not node:
                instead[node] = instead.get(first, first)
                continue
        if any(new.node is not old.node for new, old in zip(inputs, node.inputs, strict=True)):
            new = instead[node] = Node(node.op, node.name, node.attrs, inputs, node.subgraphs)
            origin[new] = node
    if not instead:
        return None
    return Graph(Entry(instead.get(e.node, e.node), e.index, e.version) for e in outputs), origin


def _is_mergeable(node: Node) -> bool:
    """Does a node give the same as another one like it, and do gradients of the two add up? Those of losses do not."""
    op = node.op
    assert op is not None
    if not node.inputs or node.has_effects:
        return False
    return op.gradient_kind(node.parsed()) in ("flows", "stops")
