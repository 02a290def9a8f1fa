"""Shapes and dtypes of whole graphs: every operator's own rules, forward and backward, until nothing new is learnt."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from .._core.dtypes import TORCH_OF_FLAG
from .._core.literals import parse_literal, shortened
from ..context import cpu
from ..error import MXNetError, MXNetValueError
from ..ops.infer import UNKNOWN, Shape, infer_dtypes, infer_shapes, is_known, read_shape, unify
from ..ops.quantization.fused import quantized_types
from .node import Entry, Graph, Node
from .program import layers_of, subgraph_functions

_Key = tuple[Node, int]


def graph_shapes(
    outputs: Sequence[Entry], given: Mapping[str, Shape | None], assumed: Mapping[_Key, Shape] | None = None
) -> dict[_Key, Shape | None]:
    """The shape of every entry as far as it can be told from the variables' shapes in ``given``, by name.

    ``assumed`` has shapes of entries that only running would tell.
    """

    def own(node: Node) -> Shape | None:
        shape = given.get(node.name)
        if not is_known(shape) and "__shape__" in node.attrs:  # a variable's own shape is for want of another
            return _shape_of(node)
        return shape

    dtypes = graph_dtypes(outputs, {}, strict=False)
    answers: dict[Hashable, Any] = {}
    return _learn(outputs, own, lambda site, known: _step(site, known, dtypes, answers), is_known, assumed)


def _shape_of(node: Node) -> Shape | None:
    """The shape that a variable says it has."""
    text = node.attrs["__shape__"]
    try:
        given = parse_literal(text)
        shape = read_shape(given if isinstance(given, tuple | list) else (int(given),))
    except (ValueError, TypeError):
        shape = (-2,)
    if shape is not None and any(d < -1 or d >= 1 << 63 for d in shape):
        raise MXNetValueError(f"variable {node.name!r}: __shape__ must be a tuple of lengths, got {shortened(text)}")
    return shape


def _dtype_of(node: Node) -> torch.dtype | None:
    """The dtype that a variable says it has, by its number; -1 says nothing."""
    text = node.attrs.get("__dtype__", "-1")
    try:
        flag = int(text)
    except ValueError:
        raise MXNetValueError(
            f"variable {node.name!r}: __dtype__ must be the number of a type, got {shortened(text)}"
        ) from None
    return TORCH_OF_FLAG.get(flag)


def _learn(
    outputs: Sequence[Entry],
    own: Callable[[Node], Any],
    step: Callable[[_Site, dict[_Key, Any]], bool],
    is_known: Callable[[Any], bool],
    assumed: Mapping[_Key, Any] | None = None,
) -> dict[_Key, Any]:
    """What is known of every entry: that of variables, and what ``step`` learns, to and fro until nothing is new."""
    known: dict[_Key, Any] = {}
    pending: list[_Site] = []
    for node in Graph.of(outputs).order:
        if node.op is None:
            known[node, 0] = own(node)
            continue
        results = [(node, i) for i in range(node.num_outputs())]
        known.update(dict.fromkeys(results))
        pending.append(_Site(node, [(e.node, e.index) for e in node.inputs], results))
    known.update(assumed or {})
    backward = False
    while pending:
        changed = False
        for site in reversed(pending) if backward else pending:
            changed = step(site, known) or changed
        if backward and not changed:
            break
        pending = [s for s in pending if not all([is_known(known[e]) for e in (*s.sources, *s.results)])]
        backward = not backward
    return known


class _Site(NamedTuple):
    """An operator with the keys of what it takes and gives."""

    node: Node
    sources: list[_Key]
    results: list[_Key]

    def question(self, *given: Any) -> Hashable:
        """What an answer depends on: nodes alike, such as the steps of an unrolled network, have the same."""
        node = self.node
        return None if node.subgraphs else (node.op, *node.attrs.items(), *given)


def _step(
    site: _Site,
    known: dict[_Key, Shape | None],
    dtypes: Mapping[_Key, torch.dtype | None],
    answers: dict[Hashable, tuple[list[Shape | None], list[Shape | None]]],
) -> bool:
    node, sources, results = site
    assert node.op is not None
    if node.subgraphs:
        before = [known[key] for key in (*sources, *results)]
        try:
            _infer_through_subgraphs(node, sources, known)
        except MXNetError as error:
            raise MXNetValueError(f"Error in operator {node.name}: {error}") from None
        except _MISFITS as error:
            raise _misfit(node, error) from error
    given = [known[s] for s in sources], [known[r] for r in results]
    kinds = [dtypes.get(s) for s in sources]
    question = site.question(*given[0], None, *given[1], *kinds)
    answer = None if question is None else answers.get(question)
    if answer is None:
        try:
            extra = {"_subgraphs": subgraph_functions(node, cpu())} if node.subgraphs else None
            answer = infer_shapes(node.op, given[0], node.parsed(), given[1], kinds, extra)
        except MXNetError as error:
            raise MXNetValueError(f"Error in operator {node.name}: {error}") from None
        except _MISFITS as error:
            raise _misfit(node, error) from error
        if question is not None:
            answers[question] = answer
    for key, shape in zip([*sources, *results], [*answer[0], *answer[1]], strict=True):
        if shape != known[key]:
            _unify_at(known, key, shape, f"{node.name}: {key[0].name}")
    if not node.subgraphs:
        before = [*given[0], *given[1]]
    return before != [known[key] for key in (*sources, *results)]


#: What rules and kernels raise if a node does not have the inputs or subgraphs that its operator needs.
_MISFITS = (ValueError, IndexError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError, MemoryError)


def _misfit(node: Node, error: BaseException) -> MXNetValueError:
    assert node.op is not None
    return MXNetValueError(
        f"Error in operator {node.name}: its {len(node.inputs)} inputs, {len(node.subgraphs)} subgraphs and attributes "
        f"{shortened(node.attrs, 200)} do not fit {node.op.name}: {type(error).__name__}: {error}"
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


def graph_dtypes(
    outputs: Sequence[Entry], given: Mapping[str, torch.dtype], strict: bool = True
) -> dict[_Key, torch.dtype | None]:
    """The dtype of every entry as far as it can be told from the variables' dtypes in ``given``, by name."""

    def own(node: Node) -> torch.dtype | None:
        return given.get(node.name) or _dtype_of(node)

    answers: dict[Hashable, Any] = {}
    return _learn(
        outputs, own, lambda site, known: _dtype_step(site, known, strict, answers), lambda dtype: dtype is not None
    )


_Dtypes = list[torch.dtype | None]


def _dtype_step(
    site: _Site,
    known: dict[_Key, torch.dtype | None],
    strict: bool,
    answers: dict[Hashable, tuple[_Dtypes, _Dtypes]],
) -> bool:
    node, sources, results = site
    assert node.op is not None
    ins, outs = [known[s] for s in sources], [known[r] for r in results]
    question = site.question(*ins, "", *outs)
    answer = None if question is None else answers.get(question)
    if answer is None:
        try:
            if node.is_fused and node.parsed().get("quantized"):
                attrs = node.op.with_defaults(node.parsed())
                answer = quantized_types(ins, attrs, layers_of(node.subgraphs[0]))
            elif node.subgraphs:
                answer = _dtypes_through_subgraphs(node, ins, strict)
            else:
                answer = infer_dtypes(node.op, ins, node.parsed(), outs)
            if len(answer[1]) != len(results):
                raise ValueError(f"there are {len(results)} outputs, and {len(answer[1])} are made")
        except MXNetError as error:
            if not strict:
                return False
            raise type(error)(f"Error in operator {node.name}: {error}") from None
        except _MISFITS as error:
            raise _misfit(node, error) from error
        if question is not None:
            answers[question] = answer
    changed = False
    for key, dtype in zip([*sources, *results], [*answer[0], *answer[1]], strict=True):
        if dtype is not None and known[key] is None:
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
