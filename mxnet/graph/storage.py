"""Storage types of whole graphs: of what each node gives, from those of the variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ops.sparse import result_storage
from .node import Entry, Node, toposort

_NAMES = {"0": "default", "1": "row_sparse", "2": "csr"}


def variable_storage(node: Node) -> str:
    """What ``stype`` said when the variable was made."""
    return _NAMES.get(str(node.attrs.get("__storage_type__", "0")), "default")


def graph_storages(outputs: Sequence[Entry], given: Mapping[str, str] | None = None) -> dict[tuple[Node, int], str]:
    """The storage type of each value, with those of variables as they were made or ``given`` by name."""
    return _storages(toposort(outputs), given)


def _storages(order: Sequence[Node], given: Mapping[str, str] | None) -> dict[tuple[Node, int], str]:
    found: dict[tuple[Node, int], str] = {}
    for node in order:
        if node.op is None:
            found[node, 0] = (given or {}).get(node.name) or variable_storage(node)
            continue
        kinds = [found[entry.node, entry.index] for entry in node.inputs]
        result = result_storage(node.op, kinds, node.parsed())
        for i in range(node.num_outputs()):
            found[node, i] = result
    return found


def gradient_storages(outputs: Sequence[Entry], given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Storage types of the gradients of variables, by name, for those that are not dense.

    A variable gets a row-sparse gradient if all that uses it gives one: Embedding with ``sparse_grad``, a csr matrix
    times it, or operators on a row-sparse variable.
    """
    order = toposort(outputs)
    stored = _storages(order, given)
    uses: dict[Node, set[str]] = {}
    for node in order:
        for i, entry in enumerate(node.inputs if node.op is not None else ()):
            if entry.node.is_variable:
                uses.setdefault(entry.node, set()).add(_gradient(node, i, stored))
    found = {node.name: kinds.pop() for node, kinds in uses.items() if len(kinds) == 1}
    return {name: kind for name, kind in found.items() if kind != "default"}


def _gradient(node: Node, place: int, stored: Mapping[tuple[Node, int], str]) -> str:
    assert node.op is not None
    name, kinds = node.op.name, [stored[entry.node, entry.index] for entry in node.inputs]
    if name in ("Embedding", "_contrib_SparseEmbedding") and place == 1:
        sparse = name != "Embedding" or node.op.with_defaults(node.parsed())["sparse_grad"]
        return "row_sparse" if sparse else "default"
    if name == "dot" and place == 1 and kinds[0] == "csr":
        attrs = node.op.with_defaults(node.parsed())
        if not attrs["transpose_b"]:
            return "row_sparse" if not attrs["transpose_a"] else "default"
    return kinds[place] if stored[node, 0] == kinds[place] else "default"
