"""Shapes and dtypes of whole graphs: every operator's own rules, forward and backward, until nothing new is learnt."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import torch

from .._core.dtypes import TORCH_OF_FLAG
from .._core.garbage import without_collection
from .._core.literals import parse_literal, shorten
from ..base import numpy_mode
from ..context import cpu
from ..error import MXNetError, MXNetValueError
from ..ops.infer import UNKNOWN, Shape, infer_dtypes, infer_shapes, is_known, read_shape, unify
from ..ops.quantization.fused import quantized_types
from .node import Entry, Graph, Node
from .program import layers_of, subgraph_functions

_Key = tuple[Node, int]
_Fact = TypeVar("_Fact")
#: Those of inputs and outputs.
_Shapes = tuple[list[Shape | None], list[Shape | None]]
_Dtypes = tuple[list[torch.dtype | None], list[torch.dtype | None]]


@without_collection
def graph_shapes(
    outputs: Sequence[Entry], given: Mapping[str, Shape | None], assumed: Mapping[_Key, Shape] | None = None
) -> Mapping[_Key, Shape | None]:
    """The shape of every entry as far as it can be told from the variables' shapes in ``given``, by name.

    ``assumed`` has shapes of entries that only running would tell.
    """

    def own(node: Node) -> Shape | None:
        shape = given.get(node.name)
        if not is_known(shape) and "__shape__" in node.attrs:  # a variable's own shape is for want of another
            return _shape_of(node)
        return shape

    graph = Graph.of(outputs)
    latest = graph.derive(_LatestShapes)
    question = None if assumed or latest.is_open else (frozenset(given.items()), numpy_mode.shape)
    if question is not None and latest.question == question:
        return latest.answer
    dtypes = graph_dtypes(graph, {}, strict=False)
    answers: dict[Hashable, _Shapes] = {}
    found = _learn(graph, own, lambda site, known: _shape_step(site, known, dtypes, answers), is_known, assumed)
    if question is not None:
        latest.answer = found
        latest.question = question
    return found


class _LatestShapes:
    """The latest answer for a graph, since a symbol is bound on several devices with the same shapes."""

    question: Hashable = None
    answer: Mapping[_Key, Shape | None]

    def __init__(self, graph: Graph):
        #: Do shapes depend on functions of the user's?
        self.is_open = any(n.subgraphs or (n.op is not None and n.op.name == "Custom") for n in graph.order)


def _shape_of(node: Node) -> Shape | None:
    """The shape that a variable says it has."""
    text = node.attrs["__shape__"]
    shape = _parse_shape(text, numpy_mode.shape)
    if shape is not None and any(d < -1 or d >= 1 << 63 for d in shape):
        raise MXNetValueError(f"variable {node.name!r}: __shape__ must be a tuple of lengths, got {shorten(text)}")
    return shape


@functools.lru_cache(maxsize=4096)
def _parse_shape(text: str, numpy_shape: bool) -> Shape | None:
    """A shape from its text, (-2,) if it is none; what is unknown in it depends on the mode."""
    try:
        given = parse_literal(text)
        return read_shape(given if isinstance(given, tuple | list) else (int(given),))
    except (ValueError, TypeError):
        return (-2,)


def _dtype_of(node: Node) -> torch.dtype | None:
    """The dtype that a variable says it has, by its number; -1 says nothing."""
    text = node.attrs.get("__dtype__", "-1")
    try:
        flag = int(text)
    except ValueError:
        raise MXNetValueError(
            f"variable {node.name!r}: __dtype__ must be the number of a type, got {shorten(text)}"
        ) from None
    return TORCH_OF_FLAG.get(flag)


class _Site(NamedTuple):
    """An operator with the keys of what it takes and gives."""

    node: Node
    sources: list[_Key]
    results: list[_Key]
    keys: list[_Key]
    #: Nodes alike, such as the steps of an unrolled network, have the same number: answers for one hold for all.
    kind: int


def _sites(graph: Graph) -> list[_Site]:
    kinds: dict[Hashable, int] = {}
    sites = []
    for node in graph.order:
        if node.op is not None:
            sources = [(entry.node, entry.index) for entry in node.inputs]
            results = [(node, i) for i in range(node.num_outputs())]
            alike = node if node.subgraphs else (node.op, *node.attrs.items())
            sites.append(_Site(node, sources, results, sources + results, kinds.setdefault(alike, len(kinds))))
    return sites


def _learn(
    graph: Graph,
    own: Callable[[Node], _Fact | None],
    step: Callable[[_Site, dict[_Key, _Fact | None]], bool],
    is_known: Callable[[_Fact | None], bool],
    assumed: Mapping[_Key, _Fact] | None = None,
) -> dict[_Key, _Fact | None]:
    """What is known of every entry: that of variables, and what ``step`` learns, to and fro until nothing is new."""
    pending = graph.derive(_sites)
    known: dict[_Key, _Fact | None] = {(node, 0): own(node) for node in graph.variables}
    known.update((key, None) for site in pending for key in site.results)
    known.update(assumed or {})
    backward = False
    while pending:
        changed = False
        for site in reversed(pending) if backward else pending:
            changed = step(site, known) or changed
        if backward and not changed:
            break
        pending = [site for site in pending if not all([is_known(known[key]) for key in site.keys])]
        backward = not backward
    return known


def _shape_step(
    site: _Site,
    known: dict[_Key, Shape | None],
    dtypes: Mapping[_Key, torch.dtype | None],
    answers: dict[Hashable, _Shapes],
) -> bool:
    node, sources, _, keys, kind = site
    op = node.op
    assert op is not None
    before = [known[key] for key in keys]
    if node.subgraphs:
        with _naming(node):
            _infer_through_subgraphs(node, sources, known)
    given = [known[key] for key in keys] if node.subgraphs else before
    kinds = [dtypes.get(key) for key in sources]
    question = (kind, *given, *kinds)
    answer = None if node.subgraphs else answers.get(question)
    if answer is None:
        count = len(sources)
        extra = {"_subgraphs": subgraph_functions(node, cpu())} if node.subgraphs else None
        with _naming(node):
            answer = infer_shapes(op, given[:count], node.parsed(), given[count:], kinds, extra)
        answers[question] = answer
    changed = False
    for key, old, shape in zip(keys, given, [*answer[0], *answer[1]], strict=True):
        if shape == old:
            continue
        if known[key] is None:
            known[key] = shape
            changed = True
        else:
            _unify_at(known, key, shape, f"{node.name}: {key[0].name}")
            changed = changed or known[key] != old
    return changed if not node.subgraphs else before != [known[key] for key in keys]


@contextlib.contextmanager
def _naming(node: Node) -> Iterator[None]:
    """Errors name the node."""
    try:
        yield
    except MXNetError as error:
        raise MXNetValueError(f"Error in operator {node.name}: {error}") from None
    except _MISFITS as error:
        raise _misfit(node, error) from error


#: What rules and kernels raise if a node does not have the inputs or subgraphs that its operator needs.
_MISFITS = (ValueError, IndexError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError, MemoryError)


def _misfit(node: Node, error: BaseException) -> MXNetValueError:
    assert node.op is not None
    return MXNetValueError(
        f"Error in operator {node.name}: its {len(node.inputs)} inputs, {len(node.subgraphs)} subgraphs and attributes "
        f"{shorten(node.attrs, 200)} do not fit {node.op.name}: {type(error).__name__}: {error}"
    )


def _infer_through_subgraphs(node: Node, sources: list[_Key], known: dict[_Key, Shape | None]) -> None:
    """Learns the shapes of inputs (a weight used in a loop) and of a loop's outputs from what the subgraphs do."""
    if "in_data_locs" in node.parsed():
        _infer_through_body(node, sources, known)
        return
    for outputs, feeds in zip(node.subgraphs, _feeds(node), strict=True):
        variables = Graph.of(outputs).variables
        given = {v.name: s for v, (place, _) in zip(variables, feeds, strict=True) if (s := known[sources[place]])}
        found = graph_shapes(outputs, given)
        for variable, (place, _) in zip(variables, feeds, strict=True):
            _unify_at(known, sources[place], found[variable, 0], f"{node.name}: {variable.name}")


def _infer_through_body(node: Node, sources: list[_Key], known: dict[_Key, Shape | None]) -> None:
    """The body of ``_foreach`` takes slices of the data and states, and gives slices of the outputs and states."""
    (outputs,), (feeds,) = node.subgraphs, _feeds(node)
    attrs = node.parsed()
    streams, count = len(attrs["in_data_locs"]), attrs["num_out_data"]
    results: list[_Key] = [(node, i) for i in range(len(outputs))]
    for state, result in zip(sources[streams:], results[count:], strict=False):
        _unify_at(known, result, known[state], f"{node.name}: a state")
        _unify_at(known, state, known[result], f"{node.name}: a state")
    variables = Graph.of(outputs).variables
    given: dict[str, Shape | None] = {}
    for variable, (place, sliced) in zip(variables, feeds, strict=True):
        shape = known[sources[place]]
        if shape is not None:
            given[variable.name] = (shape[1:] or (1,)) if sliced else shape
    assumed = {
        (entry.node, entry.index): shape[1:] if i < count else shape
        for i, (entry, result) in enumerate(zip(outputs, results, strict=True))
        if not entry.node.is_variable and (shape := known[result])
    }
    found = graph_shapes(outputs, given, assumed)
    for variable, (place, sliced) in zip(variables, feeds, strict=True):
        shape, whole = found[variable, 0], known[sources[place]]
        if not sliced:
            _unify_at(known, sources[place], shape, f"{node.name}: {variable.name}")
        elif shape is not None and whole is not None and len(whole) > 1:
            _unify_at(known, sources[place], (whole[0], *shape), f"{node.name}: {variable.name}")
    lengths = [whole[0] for source in sources[:streams] if (whole := known[source])]
    length = next((n for n in lengths if n != UNKNOWN), UNKNOWN)
    for i, (entry, result) in enumerate(zip(outputs, results, strict=True)):
        shape = found[entry.node, entry.index]
        if shape is not None:
            _unify_at(known, result, (length, *shape) if i < count else shape, f"{node.name}: output {i}")


def _unify_at(known: dict[_Key, Shape | None], key: _Key, shape: Shape | None, what: str) -> None:
    known[key] = unify(known[key], shape, what)


def _feeds(node: Node) -> list[list[tuple[int, bool]]]:
    """For each subgraph and each of its variables: the input of the node that feeds it, and whether by slices of it."""
    attrs = node.parsed()
    if node.is_whole_graph:
        return [[(i, False) for i in range(len(node.inputs))]]
    if node.is_fused:
        return [[(i, False) for i in range(len(node.subgraphs[0].variables))]]
    if "in_data_locs" in attrs:
        places = [*attrs["in_data_locs"], *attrs["in_state_locs"], *attrs["remain_locs"]]
        sliced = len(attrs["in_data_locs"])
        return [[(i, i < sliced) for _, i in sorted((place, i) for i, place in enumerate(places))]]
    lists = ("cond_input_locs", "func_input_locs", "then_input_locs", "else_input_locs")
    return [[(place, False) for place in attrs[key]] for key in lists if key in attrs]


@without_collection
def graph_dtypes(
    outputs: Sequence[Entry], given: Mapping[str, torch.dtype], strict: bool = True
) -> Mapping[_Key, torch.dtype | None]:
    """The dtype of every entry as far as it can be told from the variables' dtypes in ``given``, by name.

    Unless ``strict``, operators that do not take the dtypes found for their inputs are left out.
    """
    graph = Graph.of(outputs)
    if not given:
        dtypes, all_fit = graph.derive(_own_dtypes)
        if all_fit or not strict:
            return dtypes
    return _learn_dtypes(graph, given, strict)[0]


def _own_dtypes(graph: Graph) -> tuple[dict[_Key, torch.dtype | None], bool]:
    """The dtypes without any given, and whether all operators take them."""
    return _learn_dtypes(graph, {}, strict=False)


def _learn_dtypes(
    graph: Graph, given: Mapping[str, torch.dtype], strict: bool
) -> tuple[dict[_Key, torch.dtype | None], bool]:
    def own(node: Node) -> torch.dtype | None:
        return given.get(node.name) or _dtype_of(node)

    answers: dict[Hashable, _Dtypes] = {}
    misfits: list[Node] = []
    known = _learn(
        graph, own, lambda site, known: _dtype_step(site, known, strict, answers, misfits), lambda d: d is not None
    )
    return known, not misfits


def _dtype_step(
    site: _Site,
    known: dict[_Key, torch.dtype | None],
    strict: bool,
    answers: dict[Hashable, _Dtypes],
    misfits: list[Node],
) -> bool:
    """Completes the dtypes of one operator; without ``strict`` it joins the ``misfits`` if it does not take them."""
    node, sources, results, keys, kind = site
    assert node.op is not None
    given = [known[key] for key in keys]
    question = (kind, *given)
    answer = None if node.subgraphs else answers.get(question)
    if answer is None:
        count = len(sources)
        try:
            if node.is_fused and node.parsed().get("quantized"):
                attrs = node.op.with_defaults(node.parsed())
                answer = quantized_types(given[:count], attrs, layers_of(node.subgraphs[0]))
            elif node.subgraphs:
                answer = _dtypes_through_subgraphs(node, given[:count], strict)
            else:
                answer = infer_dtypes(node.op, given[:count], node.parsed(), given[count:])
            if len(answer[1]) != len(results):
                raise ValueError(f"there are {len(results)} outputs, and {len(answer[1])} are made")
        except MXNetError as error:
            if strict:
                raise type(error)(f"Error in operator {node.name}: {error}") from None
            misfits.append(node)
            return False
        except _MISFITS as error:
            raise _misfit(node, error) from error
        answers[question] = answer
    changed = False
    for key, old, dtype in zip(keys, given, [*answer[0], *answer[1]], strict=True):
        if dtype is not None and old is None:
            known[key] = dtype
            changed = True
    return changed


def _dtypes_through_subgraphs(
    node: Node, dtypes: Sequence[torch.dtype | None], strict: bool
) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
    """dtypes of inputs from what the subgraphs do with them, and of outputs: those of the last subgraph."""
    ins, outs = list(dtypes), []
    for outputs, feeds in zip(node.subgraphs, _feeds(node), strict=True):
        variables = Graph.of(outputs).variables
        given = {v.name: d for v, (place, _) in zip(variables, feeds, strict=True) if (d := ins[place]) is not None}
        found = graph_dtypes(outputs, given, strict)
        for variable, (place, _) in zip(variables, feeds, strict=True):
            ins[place] = ins[place] or found[variable, 0]
        outs = [found[e.node, e.index] for e in outputs]
    return ins, outs
