"""Loops and branches: foreach as Scan, while_loop as Loop, cond as If."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..graph import Dims, Graph, converter


def _distinct(g: Graph, names: Sequence[str]) -> list[str]:
    """Outputs of a subgraph: values made in it, each once."""
    found: list[str] = []
    for name in names:
        found.append(name if name in g.producers and name not in found else g.add("Identity", name))
    return found


def _infos(g: Graph, names: Sequence[str], dtypes: Sequence[torch.dtype], shapes: Sequence[Dims]) -> list[Any]:
    return [g.value_info(n, d, s, {}) for n, d, s in zip(names, dtypes, shapes, strict=True)]


def _outputs(n: Any, index: int, known: Any) -> tuple[list[torch.dtype], list[Dims]]:
    keys = [(e.node, e.index) for e in n.node.subgraphs[index]]
    return [known.dtypes[k] for k in keys], [known.shapes[k] for k in keys]


@converter("_foreach")
def foreach(g: Graph, n: Any) -> list[str]:
    a = n.attrs
    streams, states = len(a["in_data_locs"]), len(a["in_state_locs"])
    places = [*a["in_data_locs"], *a["in_state_locs"], *a["remain_locs"]]
    names, shapes, dtypes = ([""] * len(places), [()] * len(places), [torch.float32] * len(places))
    for i, place in enumerate(places):
        inner = i < streams + states
        names[place] = g.fresh(f"{g.prefix}_in{i}") if inner else n.inputs[i]
        shapes[place] = n.shapes[i][1:] if i < streams else n.shapes[i]
        dtypes[place] = n.dtypes[i]
    label = g.prefix
    body, found, known = n.subgraph(g, 0, names, shapes, dtypes)
    count = a["num_out_data"]
    found = _distinct(body, [*found[count:], *found[:count]])
    kinds, sizes = _outputs(n, 0, known)
    order = [*a["in_state_locs"], *a["in_data_locs"]]
    inputs = _infos(body, [names[p] for p in order], [dtypes[p] for p in order], [shapes[p] for p in order])
    turned = [*range(count, len(kinds)), *range(count)]
    outputs = _infos(body, found, [kinds[i] for i in turned], [sizes[i] for i in turned])
    proto = body.proto(f"{label}_body", inputs, outputs, found)
    g.prefix = label
    given = [*n.inputs[streams : streams + states], *n.inputs[:streams]]
    made = g.add("Scan", *given, outputs=len(found), body=proto, num_scan_inputs=streams)
    made = [made] if isinstance(made, str) else made
    return [*made[states:], *made[:states]]


@converter("_while_loop")
def while_loop(g: Graph, n: Any) -> list[str]:
    a, label = n.attrs, g.prefix
    carried = [a["func_input_locs"][place] for place in a["func_var_locs"]]
    before = _condition(g, n, list(n.inputs))
    inner = list(n.inputs)
    for i in carried:
        inner[i] = g.fresh(f"{label}_var{i}")
    pick = a["func_input_locs"]
    body, found, known = n.subgraph(
        g, 1, [inner[i] for i in pick], [n.shapes[i] for i in pick], [n.dtypes[i] for i in pick]
    )
    count = a["num_out_data"]
    after = list(inner)
    for i, name in zip(carried, found[count:], strict=True):
        after[i] = name
    holds = _condition(body, n, after)
    results = _distinct(body, [holds, *found[count:], *found[:count]])
    kinds, sizes = _outputs(n, 1, known)
    step, going = g.fresh(f"{label}_step"), g.fresh(f"{label}_going")
    inputs = _infos(
        body,
        [step, going, *(inner[i] for i in carried)],
        [torch.int64, torch.bool, *(n.dtypes[i] for i in carried)],
        [(), (), *(n.shapes[i] for i in carried)],
    )
    turned = [*range(count, len(kinds)), *range(count)]
    outputs = _infos(body, results, [torch.bool, *(kinds[i] for i in turned)], [(), *(sizes[i] for i in turned)])
    proto = body.proto(f"{label}_body", inputs, outputs, results)
    g.prefix = label
    most = g.const(torch.tensor(a["max_iterations"]))
    made = g.add("Loop", most, before, *[n.inputs[i] for i in carried], outputs=len(results) - 1, body=proto)
    made = [made] if isinstance(made, str) else made
    stacked = []
    for name, shape in zip(made[len(carried) :], n.out_shapes[:count], strict=True):
        # filled up with zeros to the largest number of steps
        steps = g.add("Slice", g.add("Shape", name), [0], [1])
        missing = g.add("Sub", g.const([a["max_iterations"]]), steps)
        nothing = g.const([0] * len(shape))
        pads = g.add("Concat", nothing, missing, g.const([0] * (len(shape) - 1)), axis=0)
        stacked.append(g.add("Pad", name, pads))
    return [*stacked, *made[: len(carried)]]


def _condition(g: Graph, n: Any, values: Sequence[str]) -> str:
    """The first subgraph of a loop or branch, as a bool without dimensions, in graph ``g``."""
    from ..translate import Translator

    pick = n.attrs["cond_input_locs"]
    label = g.prefix
    shapes, dtypes = [n.shapes[i] for i in pick], [n.dtypes[i] for i in pick]
    _, _, known = n.subgraph(g, 0, [values[i] for i in pick], shapes, dtypes)
    outputs = n.node.subgraphs[0]
    from ....graph.node import Graph

    variables = [v.name for v in Graph.of(outputs).order if v.is_variable]
    names = dict(zip(variables, [values[i] for i in pick], strict=True))
    (found,) = Translator(g, n.problems).run(outputs, known, names)
    g.prefix = label
    entry = outputs[0]
    flag = g.as_bool(found, known.dtypes[entry.node, entry.index])
    return g.add("Reshape", flag, g.const(torch.zeros(0, dtype=torch.int64)))


@converter("_cond")
def cond(g: Graph, n: Any) -> list[str]:
    label = g.prefix
    flag = _condition(g, n, n.inputs)
    branches = []
    for index, key in ((1, "then_input_locs"), (2, "else_input_locs")):
        pick = n.attrs[key]
        names = [n.inputs[i] for i in pick]
        graph, found, known = n.subgraph(g, index, names, [n.shapes[i] for i in pick], [n.dtypes[i] for i in pick])
        found = _distinct(graph, found)
        outputs = _infos(graph, found, *_outputs(n, index, known))
        branches.append(graph.proto(f"{label}_{key[:4]}", [], outputs, found))
    g.prefix = label
    made = g.add("If", flag, outputs=len(n.out_shapes), then_branch=branches[0], else_branch=branches[1])
    return [made] if isinstance(made, str) else list(made)
