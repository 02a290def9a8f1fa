"""``mx.sym.contrib``: contributed operators, and loops and branches that become nodes with subgraphs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from .._core.nested import as_limit, flat, map_nested, shaped_like, two_parts
from ..attribute import AttrScope
from ..base import check_call  # noqa: F401  (reachable here in the original)
from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError
from ..graph.node import Entry, Graph, Node
from ..name import NameManager
from ..ops.methods import adamw_functions
from ..ops.registry import get
from .operators import apply
from .random import uniform  # noqa: F401  (a name of the original)
from .symbol import Symbol, hidden_key, var

__all__ = [
    "adamw_update",
    "cond",
    "foreach",
    "isfinite",
    "isinf",
    "isnan",
    "mp_adamw_update",
    "rand_zipfian",
    "while_loop",
]

_MARK = "__subgraph_name__"
_COPY = ("_copy", "identity")


def _unique(name: str) -> str:
    """A name for a new subgraph; one inside another is called ``outer$inner``."""
    outer = AttrScope.current.get(None).get(_MARK)
    name = f"{outer}${name}" if outer else name
    number = AttrScope._subgraph_names[name]
    AttrScope._subgraph_names[name] += 1
    return f"{name}{number}"


class _Subgraph:
    """What was composed under one subgraph name: its outputs, and for each of its variables what feeds it."""

    def __init__(self, outputs: Sequence[Symbol], name: str):
        made: dict[Node, Node] = {}
        cut: dict[tuple[Node, int], Node] = {}
        self.feeds: dict[Node, Entry] = {}

        def inside(node: Node) -> bool:
            return node.attrs.get(_MARK) == name

        def entry(e: Entry) -> Entry:
            if inside(e.node):
                return Entry(made[e.node], e.index, e.version)
            key = (e.node, e.index)
            if key not in cut:
                cut[key] = Node(None, e.node.output_names()[e.index])
                self.feeds[cut[key]] = e
            return Entry(cut[key])

        for node in Graph.of([s._outputs[0] for s in outputs]).order:
            if inside(node):
                made[node] = Node(node.op, node.name, dict(node.attrs), [entry(e) for e in node.inputs], node.subgraphs)
                if node.is_variable:
                    self.feeds[made[node]] = Entry(node)
        self.outputs = [entry(s._outputs[0]) for s in outputs]
        self.variables = Graph.of(self.outputs).variables

    def sources(self) -> list[Entry]:
        """What feeds each variable, in their order."""
        return [self.feeds[v] for v in self.variables]


def _unique_inputs(graph: _Subgraph) -> None:
    names = [v.name for v in graph.variables]
    if len(set(names)) < len(names):
        raise MXNetAssertionError(f"The inputs of the subgraph don't have unique names: {names}")


def _flat(value: Any, what: str) -> list[Symbol]:
    symbols = flat(value, Symbol, what)
    for symbol in symbols:
        if len(symbol._outputs) != 1:
            raise MXNetTypeError(f"{what} must be symbols with one output each, got {symbol!r}")
    return symbols


def _placeholders(symbols: Sequence[Symbol]) -> list[Symbol]:
    names = [s.name for s in symbols]
    return [var(f"{name}-{names[:i].count(name)}") for i, name in enumerate(names)]


def _kept(symbol: Symbol, name: str) -> Symbol:
    """An output of a subgraph must be an operator of it: anything else is copied inside."""
    node = symbol._outputs[0].node
    if node.is_variable or node.attrs.get(_MARK) != name:
        return apply(_COPY, symbol)
    return symbol


def _node(kind: str, inputs: Sequence[Entry], subgraphs: Sequence[_Subgraph], **attrs: Any) -> list:
    count = len(inputs) + len(subgraphs)
    text = {key: str(list(v) if isinstance(v, list | tuple) else v) for key, v in {**attrs, "num_args": count}.items()}
    text.update({hidden_key(key): value for key, value in AttrScope.current.get(None).items()})
    node = Node(get(kind), NameManager.current.get(None, kind), text, inputs, [s.outputs for s in subgraphs])
    return [Symbol([Entry(node, i)]) for i in range(attrs["num_outputs"])]


def foreach(
    body: Callable[[Any, Any], tuple[Any, Any]], data: Any, init_states: Any, name: str = "foreach"
) -> tuple[Any, Any]:
    """Runs ``outputs, states = body(slice, states)`` for each slice of the data along its first axis.

    Returns the outputs stacked along a new first axis, and the last states.
    """
    streams, states = _flat(data, "foreach input"), _flat(init_states, "foreach states")
    unique = _unique(name)
    with AttrScope(**{_MARK: unique}):
        slices, carried = _placeholders(streams), _placeholders(states)
        given, kept = two_parts(body(shaped_like(data, slices), shaped_like(init_states, carried)), "foreach: the body")
        outputs, after = _flat(given, "foreach output"), _flat(kept, "foreach loop_vars")
        if map_nested(type, kept) != map_nested(type, init_states):
            raise MXNetAssertionError(
                f"The input and output loop_vars have different formats: {init_states} were given, {kept} returned"
            )
        outputs = [_kept(s, unique) for s in outputs]
        shown = {s.name for s in outputs}
        after = [apply(_COPY, s) if s.name in shown else _kept(s, unique) for s in after]
        graph = _Subgraph([*outputs, *after], unique)
    _unique_inputs(graph)
    place = {graph.feeds[v].node: i for i, v in enumerate(graph.variables)}
    own = {s._outputs[0].node for s in (*slices, *carried)}
    for symbols, what in ((slices, "data"), (carried, "state")):
        for symbol in symbols:
            if symbol._outputs[0].node not in place:
                raise MXNetAssertionError(
                    f"the {what} arrays have to be used in the loop body; the body does not use {symbol.name}"
                )
    rest = [i for i, v in enumerate(graph.variables) if graph.feeds[v].node not in own]
    inputs = [s._outputs[0] for s in (*streams, *states)] + [graph.sources()[i] for i in rest]
    made = _node(
        "_foreach",
        inputs,
        [graph],
        num_outputs=len(outputs) + len(after),
        num_out_data=len(outputs),
        in_data_locs=[place[s._outputs[0].node] for s in slices],
        in_state_locs=[place[s._outputs[0].node] for s in carried],
        remain_locs=rest,
    )
    return shaped_like(given, made[: len(outputs)]), shaped_like(init_states, made[len(outputs) :])


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., tuple[Any, Any]],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> tuple[Any, Any]:
    """Runs ``outputs, loop_vars = func(*loop_vars)`` while ``cond(*loop_vars)`` holds.

    It runs at most ``max_iterations`` times.

    Returns the outputs stacked along a new first axis of that size, and the last loop variables.
    """
    limit = as_limit(max_iterations)
    variables = _flat(loop_vars, "while loop_vars")
    if not variables:
        raise MXNetValueError("loop_vars should contain at least one element")

    def arguments(symbols: Sequence[Symbol]) -> list[Any]:
        return [symbols[0]] if isinstance(loop_vars, Symbol) else shaped_like(loop_vars, symbols)

    cond_name, func_name = _unique(f"{name}_cond"), _unique(f"{name}_func")
    with AttrScope(**{_MARK: cond_name}):
        tested = _placeholders(variables)
        holds = cond(*arguments(tested))
        if not isinstance(holds, Symbol):
            raise MXNetValueError(f"Return of cond must be a Symbol, got {holds!r}")
        test = _Subgraph([_kept(holds, cond_name)], cond_name)
    with AttrScope(**{_MARK: func_name}):
        carried = _placeholders(variables)
        given, kept = two_parts(func(*arguments(carried)), "while_loop: func")
        given = [] if given is None else given
        outputs, after = _flat(given, "while output"), _flat([] if kept is None else kept, "while loop_vars")
        if len(after) != len(variables):
            raise MXNetValueError(
                "The number of loop_vars should be consistent during the loop: "
                f"{len(variables)} were given, func returned {len(after)}"
            )
        step = _Subgraph([_kept(s, func_name) for s in (*outputs, *after)], func_name)
    numbers = {s._outputs[0].node: i for group in (tested, carried) for i, s in enumerate(group)}
    inputs: list[Entry] = []
    places: dict[int, int] = {}

    def locate(source: Entry) -> int:
        """A loop variable is one input of the node for both subgraphs, anything else one for each."""
        number = numbers.get(source.node)
        if number in places:
            return places[number]
        if number is not None:
            places[number] = len(inputs)
        inputs.append(source if number is None else variables[number]._outputs[0])
        return len(inputs) - 1

    test_places = [locate(source) for source in test.sources()]
    step_places = [locate(source) for source in step.sources()]
    own = [s._outputs[0].node for s in carried]
    where = {step.feeds[v].node: i for i, v in enumerate(step.variables)}
    for node in own:
        if node not in where:
            raise MXNetValueError(f"func does not use the loop variable {node.name}")
    made = _node(
        "_while_loop",
        inputs,
        [test, step],
        num_outputs=len(outputs) + len(after),
        num_out_data=len(outputs),
        max_iterations=limit,
        cond_input_locs=test_places,
        func_input_locs=step_places,
        func_var_locs=[where[node] for node in own],
    )
    return shaped_like(given, made[: len(outputs)]), shaped_like(loop_vars, made[len(outputs) :])


def cond(pred: Symbol, then_func: Callable[[], Any], else_func: Callable[[], Any], name: str = "cond") -> Any:
    """The outputs of ``then_func()`` if ``pred`` is true, else those of ``else_func()``; only one of them runs."""
    names = [_unique(f"{name}_{part}") for part in ("pred", "then", "else")]
    graphs, results = [], []
    for unique, make in zip(names, (lambda: pred, then_func, else_func), strict=True):
        with AttrScope(**{_MARK: unique}):
            results.append(make())
            graphs.append(_Subgraph([_kept(s, unique) for s in _flat(results[-1], "cond outputs")], unique))
    if not graphs[1].outputs:
        raise MXNetTypeError("cond: the branches must have outputs")
    if len(graphs[1].outputs) != len(graphs[2].outputs):
        raise MXNetValueError(
            f"the branches must have equally many outputs, got {len(graphs[1].outputs)} and {len(graphs[2].outputs)}"
        )
    inputs: list[Entry] = []

    def locate(source: Entry) -> int:
        """A variable is one input of the node for all subgraphs, anything else one for each."""
        for i, entry in enumerate(inputs):
            if entry.node is source.node and source.node.is_variable:
                return i
        inputs.append(source)
        return len(inputs) - 1

    locations = [[locate(source) for source in graph.sources()] for graph in graphs]
    made = _node(
        "_cond",
        inputs,
        graphs,
        num_outputs=len(graphs[1].outputs),
        cond_input_locs=locations[0],
        then_input_locs=locations[1],
        else_input_locs=locations[2],
    )
    return shaped_like(results[1], made)


def isnan(data: Any) -> Symbol:
    """1 where an element is not a number, else 0."""
    return data != data


def isinf(data: Any) -> Symbol:
    """1 where an element is infinite, else 0."""
    return data.abs() == float("inf")


def isfinite(data: Any) -> Symbol:
    """1 where an element is neither infinite nor NaN, else 0."""
    finite = data.abs() != float("inf")
    return apply(("elemwise_mul", "_mul"), data == data, finite)


def rand_zipfian(true_classes: Symbol, num_sampled: int, range_max: int) -> tuple[Symbol, Symbol, Symbol]:
    """Draws candidate classes from an approximately log-uniform distribution over ``[0, range_max)``.

    Returns the samples and the expected counts of the true and of the sampled classes.
    """
    span = math.log(range_max + 1)
    draws: Any = apply(
        ("_random_uniform", "_random_uniform"), low=0.0, high=span, shape=(num_sampled,), dtype="float64"
    )
    whole: Any = apply(("Cast", "cast"), draws.exp() - 1, dtype="int64")
    sampled = whole % range_max

    def expected(classes: Symbol) -> Symbol:
        values: Any = apply(("Cast", "cast"), classes, dtype="float64")
        return ((values + 2.0) / (values + 1.0)).log() / span * num_sampled

    return sampled, expected(true_classes), expected(sampled)


def _scale(rescale_grad: Any, like: Symbol) -> Symbol:
    if isinstance(rescale_grad, Symbol):
        return rescale_grad
    return apply(("_full", "_full"), shape=(1,), value=float(rescale_grad))


def _adamw(operator: str, *inputs: Symbol, out: Any = None, **attrs: Any) -> Symbol:
    return apply((operator, operator), *inputs, **{key: value for key, value in attrs.items() if value is not None})


adamw_update, mp_adamw_update = adamw_functions(__name__, _adamw, _scale)
