"""How kernels are called: at which position each input goes, and what they get besides inputs and attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .registry import OpDef
from .types import Attrs, Keywords

#: Operators whose ``num_args`` counts all inputs, not only the variadic ones.
_COUNT_ALL = frozenset(
    """
    _contrib_dgl_csr_neighbor_non_uniform_sample _contrib_dgl_csr_neighbor_uniform_sample _contrib_dgl_graph_compact
    _contrib_dgl_subgraph
    """.split()
)


def count_inputs(op: OpDef, given: int) -> int:
    """What the attribute that counts inputs says, where so many inputs are given."""
    return given if op.name in _COUNT_ALL else given - len(op.inputs) + 1


def input_names(op: OpDef, count: int, attrs: Attrs) -> list[str]:
    """Names for ``count`` inputs: those that exist under these attributes, variadic ones numbered."""
    if op.variadic is None:
        active = op.active_inputs(attrs)
        return list(active[:count] if len(active) >= count else op.inputs[:count])
    fixed = len(op.inputs) - 1
    return [*op.inputs[:fixed], *(f"{op.variadic}{i}" for i in range(count - fixed))]


def arrange(op: OpDef, values: Sequence[Any], attrs: Attrs, absent: Any = None) -> list[Any]:
    """The inputs of a node at the positions where the kernel takes them; ``absent`` stands for those in between."""
    if op.variadic is not None or op.active is None:
        return list(values)
    places = [op.inputs.index(name) for name in input_names(op, len(values), attrs)]
    arranged = [absent] * (max(places, default=-1) + 1)
    for place, value in zip(places, values, strict=True):
        arranged[place] = value
    return arranged


def supply_arguments(op: OpDef, given: Attrs) -> Keywords:
    """What the kernel asks its caller for (``_train``, ``_device``, ...; see ``registry.py``), None where not given."""
    return {name: given.get(name) for name in op.supplied}
