"""Training in less memory: which results to keep for the backward pass, and which to compute again.

After "Training Deep Nets with Sublinear Memory Cost": a graph is cut into stages, only what ends a stage is kept, and
the inside of a stage is computed again when backward reaches it. That costs about one more forward pass.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .._core.dtypes import torch_dtype
from ..error import MXNetValueError
from ..graph.infer import graph_shapes
from ..graph.node import Node, rebuild
from ..ops.infer import read_shape
from ..symbol import Symbol

__all__ = ["get_cost", "make_mirror_plan", "search_plan"]

_MIRROR = "__force_mirroring__"
_STAGE = "__mirror_stage__"
#: How much more memory than the least of all plans a plan may take if it computes less again.
_ABOUT = 2.0


def _bytes_of_results(
    symbol: Symbol, type_dict: Mapping[str, Any] | None, shapes: Mapping[str, Any]
) -> dict[Node, int]:
    """How much memory each operator's results take, in the order in which they run."""
    known = graph_shapes(symbol._outputs, {k: read_shape(v) for k, v in shapes.items()})
    width = max((torch_dtype(t).itemsize for t in (type_dict or {}).values()), default=4)
    sizes: dict[Node, int] = {}
    for node in symbol._outputs.order:
        if node.is_variable:
            continue
        total = 0
        for i in range(node.num_outputs()):
            shape = known.get((node, i))
            if shape is None or any(n is None or n < 0 for n in shape):
                raise MXNetValueError(f"the shape of {node.name} cannot be inferred from {dict(shapes)}")
            total += math.prod(shape) * width
        sizes[node] = total
    return sizes


def _cost(symbol: Symbol, sizes: Mapping[Node, int]) -> int:
    """The most bytes at one time: what was kept up to the end of a stage, and the inside of that stage."""
    heads = {e.node for e in symbol._outputs}
    kept = stage = peak = 0
    for node, size in sizes.items():
        if node.attrs.get(_MIRROR) == "True" and node not in heads:
            stage += size
            continue
        kept += size
        peak, stage = max(peak, kept + stage), 0
    return max(peak, kept + stage)


def get_cost(symbol: Symbol, type_dict: Mapping[str, Any] | None = None, **kwargs: Any) -> float:
    """Megabytes of results that a training step holds at once; keywords are the shapes of the inputs."""
    return _cost(symbol, _bytes_of_results(symbol, type_dict, kwargs)) / 2**20


def _crossing(symbol: Symbol, order: list[Node]) -> list[set[Node]]:
    """For each operator: the operators up to it whose results are read later, or are outputs."""
    last = {e.node: len(order) for e in symbol._outputs}
    for i, node in reversed(list(enumerate(order))):
        for entry in node.inputs:
            last.setdefault(entry.node, i)
    live: set[Node] = set()
    found = []
    for i, node in enumerate(order):
        live.add(node)
        live -= {e.node for e in node.inputs if last[e.node] <= i}
        found.append(set(live))
    return found


def _checkpoints_by_stage(symbol: Symbol, sizes: Mapping[Node, int], limit: float) -> set[Node]:
    """Cuts the graph into stages: all that is read after a cut is kept, and the last stage as a whole.

    Backward begins with that one: it would have to be recomputed at once.
    """
    order = list(sizes)
    crossing = _crossing(symbol, order)
    marked = [i for i, node in enumerate(order) if node.attrs.get(_STAGE) == "True"]
    # Best are cuts through one value, such as between the blocks of a residual network.
    narrow = [i for i, live in enumerate(crossing) if len(live) == 1]
    allowed = set(marked or (narrow if len(narrow) > math.isqrt(len(order)) else range(len(order))))
    keep: set[Node] = set()
    stage, begin = 0, 0
    for i, node in enumerate(order[:-1]):
        stage += sizes[node]
        if stage >= limit and i in allowed:
            keep |= crossing[i]
            stage, begin = 0, i + 1
    return keep | set(order[begin:])


def make_mirror_plan(
    symbol: Symbol, threshold: float, type_dict: Mapping[str, Any] | None = None, **kwargs: Any
) -> Symbol:
    """A copy of the symbol, cut into stages of about ``threshold`` megabytes.

    If some nodes have the attribute ``mirror_stage='True'``, stages end only there. What a node's own
    ``force_mirroring`` says stays.
    """
    sizes = _bytes_of_results(symbol, type_dict, kwargs)
    keep = _checkpoints_by_stage(symbol, sizes, threshold * 2**20)

    def marking(node: Node, inputs: list) -> Node | None:
        if node.is_variable or _MIRROR in node.attrs:
            return None
        attrs = {**node.attrs, _MIRROR: str(node not in keep)}
        new = Node(node.op, node.name, attrs, inputs, node.subgraphs)
        new.version = node.version
        return new

    return type(symbol)(rebuild(symbol._outputs, marking))


def search_plan(symbol: Symbol, ntrial: int = 6, type_dict: Mapping[str, Any] | None = None, **kwargs: Any) -> Symbol:
    """The symbol with the cheapest of several plans; bind and train it as usual. Keywords are the inputs' shapes.

    net = memonger.search_plan(net, data=(32, 3, 224, 224))
    """
    if ntrial < 1:
        raise MXNetValueError(f"ntrial must be at least 1, got {ntrial}")
    total = sum(_bytes_of_results(symbol, type_dict, kwargs).values()) / 2**20
    count = max(len([n for n in symbol._outputs.order if not n.is_variable]), 1)
    # Stages of total / sqrt(count) balance what is kept against what is computed again; look around that.
    middle = total / math.sqrt(count)
    plans = [make_mirror_plan(symbol, middle * 2 ** (i - ntrial // 2), type_dict, **kwargs) for i in range(ntrial)]
    costs = [get_cost(plan, type_dict, **kwargs) for plan in plans]
    if min(costs) >= get_cost(symbol, type_dict, **kwargs):
        return symbol
    # The one with the least to be computed again, of those that save enough.
    good = [plan for plan, cost in zip(plans, costs, strict=True) if cost <= _ABOUT * min(costs)]
    return min(good, key=lambda plan: sum(n.attrs.get(_MIRROR) == "True" for n in plan._outputs.order))
