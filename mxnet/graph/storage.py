"""Storage types of whole graphs: of what each node gives, from those of the variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ops.sparse import result_storage
from .monitoring.names import gradient_ops
from .node import Entry, Graph, Node

#: Operators whose gradients have the storage type of the gradient of their result.
_FOLLOW = frozenset(
    """abs negative relu square sign _copy _mul_scalar _div_scalar _scatter_plus_scalar _scatter_minus_scalar
    _contrib_round_ste _contrib_sign_ste _contrib_gradientmultiplier cast_storage elemwise_add elemwise_sub add_n
    _square_sum _identity_with_attr_like_rhs _sparse_retain""".split()
)
_NAMES = {"0": "default", "1": "row_sparse", "2": "csr"}


def variable_storages(order: Sequence[Node]) -> dict[str, str]:
    """The storage types of variables by name; one without an ``stype`` has what its operator needs."""
    found = {node.name: variable_storage(node) for node in order if node.is_variable}
    for node in order:
        if node.op is not None and node.op.name == "_sparse_retain":
            data = node.inputs[0].node
            if data.is_variable and "__storage_type__" not in data.attrs:
                found[data.name] = "row_sparse"
    return found


def variable_storage(node: Node) -> str:
    """What ``stype`` said when the variable was made."""
    return _NAMES.get(str(node.attrs.get("__storage_type__", "0")), "default")


def graph_storages(outputs: Sequence[Entry], given: Mapping[str, str] | None = None) -> dict[tuple[Node, int], str]:
    """The storage type of each value, with those of variables as they were made or ``given`` by name."""
    return _storages(Graph.of(outputs).order, given)


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

    The gradient of an output has the storage type of the output. From there each operator has its rule. Of several
    gradients of one value the sum is row-sparse if all of them are, and else dense.
    """
    order = Graph.of(outputs).order
    stored = _storages(order, given)
    if all(kind == "default" for kind in stored.values()) and not any(map(_makes_rows, order)):
        return {}
    gradients: dict[tuple[Node, int], list[str]] = {}
    for entry in outputs:
        gradients.setdefault((entry.node, entry.index), []).append(stored[entry.node, entry.index])
    for node in reversed(order):
        if node.op is None:
            continue
        head = _sum(gradients.get((node, 0), ["default"]))
        for i, entry in enumerate(node.inputs):
            gradients.setdefault((entry.node, entry.index), []).append(_gradient(node, i, stored, head))
    found = {node.name: _sum(gradients[node, 0]) for node in order if node.op is None and (node, 0) in gradients}
    return {name: kind for name, kind in found.items() if kind != "default"}


def _sum(kinds: Sequence[str]) -> str:
    return kinds[0] if len(kinds) == 1 or set(kinds) == {"row_sparse"} else "default"


def _makes_rows(node: Node) -> bool:
    return node.op is not None and node.op.name in ("Embedding", "_contrib_SparseEmbedding")


def _gradient(node: Node, place: int, stored: Mapping[tuple[Node, int], str], head: str) -> str:
    """The storage type of the gradient of one input, if that of the result has the type ``head``."""
    assert node.op is not None
    name, kinds = node.op.name, [stored[entry.node, entry.index] for entry in node.inputs]
    if kinds[place] != "default" and _is_zero(node, place):
        return kinds[place]
    if name in ("Embedding", "_contrib_SparseEmbedding") and place == 1:
        sparse = name != "Embedding" or node.op.with_defaults(node.parsed())["sparse_grad"]
        return "row_sparse" if sparse else "default"
    if name == "dot" and place == 1 and kinds[0] == "csr":
        attrs = node.op.with_defaults(node.parsed())
        if not attrs["transpose_b"]:
            return "row_sparse" if not attrs["transpose_a"] else "default"
    return head if name in _FOLLOW else "default"


def _is_zero(node: Node, place: int) -> bool:
    """Is the gradient of an input just zeros?"""
    assert node.op is not None
    names = [str(i) for i in range(len(node.inputs))] if node.op.variadic else list(node.op.inputs)[: len(node.inputs)]
    parts = gradient_ops(node.op, node.parsed(), names)
    return any(part.zero and names[place] in part.gives for part in parts)
