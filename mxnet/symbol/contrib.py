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
from .attributes import hidden_key
from .operators import apply
from .random import uniform  # noqa: F401  (a name of the original)
from .symbol import Symbol, var

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

#: A symbol, or symbols in lists of lists.
Nested = Any
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


def _flat(value: object, what: str) -> list[Symbol]:
    symbols = flat(value, Symbol, what)
    for symbol in symbols:
        if len(symbol._outputs) != 1:
            raise MXNetTypeError(f"{what} must be symbols with one output each, got {symbol!r}")
    return symbols


def _placeholders(symbols: Sequence[Symbol]) -> list[Symbol]:
    names = [s.name for s in symbols]
    return [var(f"{name}-{names[:i].count(name)}") for i, name in enumerate(names)]


def _copy_inside(symbol: Symbol, name: str) -> Symbol:
    """An output of a subgraph must be an operator of it: anything else is copied inside."""
    node = symbol._outputs[0].node
    if node.is_variable or node.attrs.get(_MARK) != name:
        return apply(_COPY, symbol)
    return symbol


def _node(kind: str, inputs: Sequence[Entry], subgraphs: Sequence[_Subgraph], **attrs: Any) -> list[Symbol]:
    count = len(inputs) + len(subgraphs)
    text = {key: str(list(v) if isinstance(v, list | tuple) else v) for key, v in {**attrs, "num_args": count}.items()}
    text.update({hidden_key(key): value for key, value in AttrScope.current.get(None).items()})
    node = Node(get(kind), NameManager.current.get(None, kind), text, inputs, [s.outputs for s in subgraphs])
    return [Symbol([Entry(node, i)]) for i in range(attrs["num_outputs"])]


def foreach(
    body: Callable[[Nested, Nested], tuple[Nested, Nested]], data: Nested, init_states: Nested, name: str = "foreach"
) -> tuple[Nested, Nested]:
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
        outputs = [_copy_inside(s, unique) for s in outputs]
        shown = {s.name for s in outputs}
        after = [apply(_COPY, s) if s.name in shown else _copy_inside(s, unique) for s in after]
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


def _loop_arguments(loop_vars: Nested, symbols: Sequence[Symbol]) -> list[Nested]:
    return [symbols[0]] if isinstance(loop_vars, Symbol) else shaped_like(loop_vars, symbols)


def _trace_condition(
    cond: Callable[..., Symbol], loop_vars: Nested, variables: Sequence[Symbol], name: str
) -> tuple[list[Symbol], _Subgraph]:
    """Composes the condition of a loop; returns what stands for the loop variables, and the subgraph."""
    with AttrScope(**{_MARK: name}):
        tested = _placeholders(variables)
        holds = cond(*_loop_arguments(loop_vars, tested))
        if not isinstance(holds, Symbol):
            raise MXNetValueError(f"Return of cond must be a Symbol, got {holds!r}")
        return tested, _Subgraph([_copy_inside(holds, name)], name)


def _trace_step(
    func: Callable[..., tuple[Nested, Nested]], loop_vars: Nested, variables: Sequence[Symbol], name: str
) -> tuple[list[Symbol], _Subgraph, Nested, int]:
    """Composes the body of a loop; returns its placeholders, the subgraph, its outputs and how many these are."""
    with AttrScope(**{_MARK: name}):
        carried = _placeholders(variables)
        given, kept = two_parts(func(*_loop_arguments(loop_vars, carried)), "while_loop: func")
        given = [] if given is None else given
        outputs, after = _flat(given, "while output"), _flat([] if kept is None else kept, "while loop_vars")
        if len(after) != len(variables):
            raise MXNetValueError(
                "The number of loop_vars should be consistent during the loop: "
                f"{len(variables)} were given, func returned {len(after)}"
            )
        return carried, _Subgraph([_copy_inside(s, name) for s in (*outputs, *after)], name), given, len(outputs)


def while_loop(
    cond: Callable[..., Symbol],
    func: Callable[..., tuple[Nested, Nested]],
    loop_vars: Nested,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> tuple[Nested, Nested]:
    """Runs ``outputs, loop_vars = func(*loop_vars)`` while ``cond(*loop_vars)`` holds.

    It runs at most ``max_iterations`` times.

    Returns the outputs stacked along a new first axis of that size, and the last loop variables.
    """
    limit = as_limit(max_iterations)
    variables = _flat(loop_vars, "while loop_vars")
    if not variables:
        raise MXNetValueError("loop_vars should contain at least one element")

    names = _unique(f"{name}_cond"), _unique(f"{name}_func")
    tested, test = _trace_condition(cond, loop_vars, variables, names[0])
    carried, step, given, outputs = _trace_step(func, loop_vars, variables, names[1])
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
        num_outputs=len(step.outputs),
        num_out_data=outputs,
        max_iterations=limit,
        cond_input_locs=test_places,
        func_input_locs=step_places,
        func_var_locs=[where[node] for node in own],
    )
    return shaped_like(given, made[:outputs]), shaped_like(loop_vars, made[outputs:])


def cond(pred: Symbol, then_func: Callable[[], Nested], else_func: Callable[[], Nested], name: str = "cond") -> Nested:
    """The outputs of ``then_func()`` if ``pred`` is true, else those of ``else_func()``; only one of them runs."""
    names = [_unique(f"{name}_{part}") for part in ("pred", "then", "else")]
    graphs, results = [], []
    for unique, make in zip(names, (lambda: pred, then_func, else_func), strict=True):
        with AttrScope(**{_MARK: unique}):
            results.append(make())
            graphs.append(_Subgraph([_copy_inside(s, unique) for s in _flat(results[-1], "cond outputs")], unique))
    if not graphs[1].outputs:
        raise MXNetTypeError("cond: the branches must have outputs")
    if len(graphs[1].outputs) != len(graphs[2].outputs):
        raise MXNetValueError(
            f"the branches must have equally many outputs, got {len(graphs[1].outputs)} and {len(graphs[2].outputs)}"
        )
    inputs: list[Entry] = []

    def locate(source: Entry) -> int:
        """Variables of one name are one input of the node for all subgraphs, anything else is one for each."""
        for i, entry in enumerate(inputs):
            if source.node.is_variable and entry.node.is_variable and entry.node.name == source.node.name:
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


def isnan(data: Symbol) -> Symbol:
    """1 where an element is not a number, else 0."""
    return data != data


def isinf(data: Symbol) -> Symbol:
    """1 where an element is infinite, else 0."""
    return data.abs() == float("inf")


def isfinite(data: Symbol) -> Symbol:
    """1 where an element is neither infinite nor NaN, else 0."""
    finite = data.abs() != float("inf")
    return apply(("elemwise_mul", "_mul"), data == data, finite)


def rand_zipfian(true_classes: Symbol, num_sampled: int, range_max: int) -> tuple[Symbol, Symbol, Symbol]:
    """Draws candidate classes from an approximately log-uniform distribution over ``[0, range_max)``.

    Returns the samples and the expected counts of the true and of the sampled classes.
    """
    span = math.log(range_max + 1)
    draws = apply(("_random_uniform", "_random_uniform"), low=0.0, high=span, shape=(num_sampled,), dtype="float64")
    whole = apply(("Cast", "cast"), draws.exp() - 1, dtype="int64")
    sampled = whole % range_max

    def expected_count(classes: Symbol) -> Symbol:
        values = apply(("Cast", "cast"), classes, dtype="float64")
        return ((values + 2.0) / (values + 1.0)).log() / span * num_sampled

    return sampled, expected_count(true_classes), expected_count(sampled)


def _scale(rescale_grad: Symbol | float, like: Symbol) -> Symbol:
    if isinstance(rescale_grad, Symbol):
        return rescale_grad
    return apply(("_full", "_full"), shape=(1,), value=float(rescale_grad))


def _adamw(operator: str, *inputs: Symbol, out: object = None, **attrs: object) -> Symbol:
    return apply((operator, operator), *inputs, **{key: value for key, value in attrs.items() if value is not None})


adamw_update, mp_adamw_update = adamw_functions(__name__, _adamw, _scale)
