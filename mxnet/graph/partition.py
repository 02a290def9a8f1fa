"""Parts of a graph as single nodes: groups of connected operators, chosen by name, become nodes with a subgraph.

A group is convex: what it gives never comes back to it through a node outside, so that the new graph has no cycles.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence

from ..ops.registry import get
from .node import Entry, Graph, Node

_Key = tuple[Node, int]


class _Group:
    """Nodes that become one; every other node is a group of its own."""

    def __init__(self, node: Node, selected: bool):
        self.nodes = [node]
        self.selected = selected


def partition(outputs: Graph, operators: Collection[str]) -> Graph:
    """The graph with the nodes of these operators in groups, called ``_CachedOp0`` and so on."""
    numbers = itertools.count()
    order = outputs.order
    groups = _groups(order, operators)
    first = {group.nodes[-1]: group for group in groups.values() if group.selected}
    # The results of a group, in the order in which they are met on the way down from the outputs.
    results: dict[_Group, dict[_Key, int]] = {group: {} for group in first.values()}
    readers = [*outputs, *(e for node in reversed(order) for e in _outside(node, groups))]
    for entry in readers:
        group = groups[entry.node]
        if group.selected:
            results[group].setdefault((entry.node, entry.index), len(results[group]))
    made: dict[Node, Node] = {}

    def move(entry: Entry) -> Entry:
        group = groups[entry.node]
        if group.selected:
            return Entry(made[group.nodes[-1]], results[group][entry.node, entry.index])
        return Entry(made[entry.node], entry.index, entry.version)

    for node in _sort_groups(order, groups):
        group = groups[node]
        if group.selected:
            made[node] = _group_node(group, results[group], groups, move, f"_CachedOp{next(numbers)}")
        elif node.is_variable:
            made[node] = node
        else:
            made[node] = Node(node.op, node.name, dict(node.attrs), [move(e) for e in node.inputs], node.subgraphs)
            made[node].version = node.version
    return Graph(move(e) for e in outputs)


def _outside(node: Node, groups: dict[Node, _Group]) -> list[Entry]:
    return [e for e in node.inputs if groups[e.node] is not groups[node]]


def _groups(order: Sequence[Node], operators: Collection[str]) -> dict[Node, _Group]:
    groups: dict[Node, _Group] = {}

    def sources(group: _Group) -> list[_Group]:
        return list(dict.fromkeys(groups[e.node] for node in group.nodes for e in _outside(node, groups)))

    def depends(group: _Group, on: _Group) -> bool:
        seen, stack = {group}, [group]
        while stack:
            now = stack.pop()
            if now is on:
                return True
            found = [g for g in sources(now) if g not in seen]
            seen.update(found)
            stack += found
        return False

    for node in order:
        own = groups[node] = _Group(node, node.op is not None and node.op.name in operators)
        if not own.selected:
            continue
        for other in sources(own):
            if other.selected and not any(depends(g, other) for g in sources(own) if g is not other):
                other.nodes += own.nodes
                for member in own.nodes:
                    groups[member] = other
                own = other
    return groups


def _sort_groups(order: Sequence[Node], groups: dict[Node, _Group]) -> list[Node]:
    """The groups, each by its last node, inputs before their users."""
    last = {group: group.nodes[-1] for group in groups.values()}
    found: list[Node] = []
    done: set[_Group] = set()
    for node in order:
        if groups[node] in done:
            continue
        done.add(groups[node])
        path = [(groups[node], iter([e for n in groups[node].nodes for e in _outside(n, groups)]))]
        while path:
            group, rest = path[-1]
            for entry in rest:
                if groups[entry.node] not in done:
                    done.add(groups[entry.node])
                    inner = groups[entry.node]
                    path.append((inner, iter([e for n in inner.nodes for e in _outside(n, groups)])))
                    break
            else:
                path.pop()
                found.append(last[group])
    return found


def _group_node(
    group: _Group,
    results: dict[_Key, int],
    groups: dict[Node, _Group],
    move: Callable[[Entry], Entry],
    name: str,
) -> Node:
    inside: dict[Node, Node] = {}
    cut: dict[_Key, Node] = {}
    feeds: dict[Node, Entry] = {}
    names: dict[str, int] = {}

    def entry(e: Entry) -> Entry:
        if groups[e.node] is group:
            return Entry(inside[e.node], e.index, e.version)
        outer = move(e)
        key = outer.node, outer.index
        if key not in cut:
            label = outer.node.output_names()[outer.index]
            number = names[label] = names.get(label, -1) + 1
            cut[key] = Node(None, f"{label}{number}")
            feeds[cut[key]] = Entry(outer.node, outer.index, e.version)
        return Entry(cut[key])

    for node in group.nodes:
        inside[node] = Node(node.op, node.name, dict(node.attrs), [entry(e) for e in node.inputs], node.subgraphs)
    outputs = tuple(Entry(inside[node], index) for node, index in results)
    inputs = [feeds[n] for n in Graph.of(outputs).order if n.is_variable]
    attrs = {"num_args": str(len(inputs)), "num_outputs": str(len(outputs))}
    return Node(get("_CachedOp"), name, attrs, inputs, [outputs])
