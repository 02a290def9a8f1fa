"""A block as a graph of torch's operators: what ``block.as_torch()`` runs while torch exports, compiles or traces it.

Nothing is kept, folded or written but states in training: a function of the module's parameters, buffers and inputs.
"""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorMode,
)
from torch.utils._python_dispatch import _disable_current_modes

from ...context import Context
from ...error import MXNetError, MXNetNotImplementedError, MXNetTypeError
from ...graph.infer import graph_shapes
from ...graph.node import Entry, Graph, Node
from ...graph.program import Program
from ...symbol import Symbol, var
from ..block import Block
from ..hybrid_block import HybridBlock
from ..symbol_block import SymbolBlock
from .torch_link import map_nested

_NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD
#: What decides by numbers or runs Python, which a graph of torch's cannot hold.
_REFUSED = {"_while_loop", "_cond", "Custom"}


class Lowered(NamedTuple):
    """The program of a block, where its values come from, and the form of its result."""

    outputs: tuple[Entry, ...]
    program: Program
    #: For each value that it takes: the number of an input, or -1 and the number of a parameter.
    sources: list[tuple[int, int]]
    #: The result, with the numbers of outputs in place of them.
    form: Any
    #: Must sizes of the inputs be known, for what the graph creates?
    is_shaped: bool


def signature_of(block: Block) -> inspect.Signature:
    """The arguments of a block by their names: those of the symbol, of ``hybrid_forward`` or of ``forward``."""
    kind = type(block)
    if isinstance(block, SymbolBlock):
        return inspect.Signature([inspect.Parameter(_plain_name(v.name), _NAMED) for v in block._cached_graph[0]])
    if kind.__call__ is not Block.__call__:
        found = inspect.signature(block.__call__)
    elif isinstance(block, HybridBlock) and kind.forward is HybridBlock.forward:
        found = inspect.signature(block.hybrid_forward)
        found = found.replace(parameters=list(found.parameters.values())[1:])  # without F
    else:
        found = inspect.signature(block.forward)
    known = block._reg_params
    kept = [p for p in found.parameters.values() if p.name not in known and p.kind is not p.VAR_KEYWORD]
    return inspect.Signature([p.replace(annotation=p.empty) for p in kept])


def _plain_name(name: str) -> str:
    """A name as Python takes it."""
    plain = "".join(c if c.isalnum() else "_" for c in name)
    return plain if plain.isidentifier() else f"_{plain}"


def form_of(value: object) -> Any:
    """How arrays are nested in the arguments: 0 for one, None for none."""
    if isinstance(value, torch.Tensor):
        return 0
    if value is None:
        return None
    if isinstance(value, list | tuple):
        return tuple([form_of(v) for v in value])
    raise MXNetTypeError(f"a block as a torch module takes tensors in lists and tuples, got a {type(value).__name__}")


def flat(value: Any) -> list[torch.Tensor]:
    """The tensors in nested lists and tuples."""
    if isinstance(value, torch.Tensor):
        return [value]
    return [] if value is None else [t for v in value for t in flat(v)]


def lower(block: Block, form: Any, names: Sequence[str], parameters: Sequence[str], context: Context) -> Lowered:
    """Runs the block on symbols and makes a program of the graph. ``names`` are those of its arguments."""
    variables: list[Symbol] = []

    def symbols(part: object, name: str) -> Any:
        if part is None:
            return None
        if isinstance(part, tuple):
            return [symbols(p, f"{name}_{i}") for i, p in enumerate(part)]
        variables.append(var(name))
        return variables[-1]

    names = [*names, *[f"data{i}" for i in range(len(names), len(form))]]
    given = [symbols(p, n) for p, n in zip(form, names, strict=False)]
    try:
        result = block(*given)
    except NotImplementedError:
        raise
    except Exception as error:
        raise MXNetError(
            f"torch can record what is a graph, and {block.name} ({type(block).__name__}) does not run on symbols: "
            f"{type(error).__name__}: {error}. Write its hybrid_forward with the functions of F only"
        ) from error
    outputs: list[Entry] = []

    def number(symbol: Symbol) -> Any:
        first = len(outputs)
        outputs.extend(symbol._outputs)
        return first if len(symbol._outputs) == 1 else list(range(first, len(outputs)))

    result_form = map_nested(result, Symbol, number)
    order = Graph.of(outputs).order
    _check(order)
    program = Program(outputs, context)
    inputs = {v._outputs[0].node: i for i, v in enumerate(variables)}
    places = {name: i for i, name in enumerate(parameters)}
    sources = []
    for node in (*program.arguments, *program.states):
        if node not in inputs and node.name not in places:
            raise MXNetError(f"{node.name} is neither an argument nor a parameter of {block.name}")
        sources.append((inputs[node], -1) if node in inputs else (-1, places[node.name]))
    is_shaped = any(n.op is not None and "complete" in n.op.rules for n in order)
    return Lowered(tuple(outputs), program, sources, result_form, is_shaped)


def _check(order: Sequence[Node]) -> None:
    refused = [f"{n.name} ({n.op.name})" for n in order if n.op is not None and _is_refused(n)]
    if refused:
        raise MXNetNotImplementedError(f"a graph of PyTorch operators cannot hold {', '.join(refused)}")


def _is_refused(node: Node) -> bool:
    assert node.op is not None
    return node.op.name in _REFUSED or any(
        _is_refused(n) for outputs in node.subgraphs for n in Graph.of(outputs).order if n.op is not None
    )


def complete(lowered: Lowered, shapes: Sequence[Sequence[object]]) -> Program:
    """The program with the sizes of what the graph creates, as functions of the inputs' sizes where these are open."""
    outputs, program = lowered.outputs, lowered.program
    names = [n.name for n in (*program.arguments, *program.states)]

    def infer_sizes(sizes: Sequence[Sequence[int]]) -> dict[tuple[Node, int], Any]:
        known = graph_shapes(outputs, dict(zip(names, map(tuple, sizes), strict=True)))
        return {k: s for k, s in known.items() if k[0].op is not None and "complete" in k[0].op.rules and s is not None}

    with _quiet():
        sizes = [[_example(size) for size in shape] for shape in shapes]
    with _unseen():
        found = infer_sizes(sizes)
        changes = []
        for size, places in _open_sizes(shapes):
            larger = [list(s) for s in sizes]
            for i, axis in places:
                larger[i][axis] += 1
            try:
                changes.append((size, sizes[i][axis], infer_sizes(larger)))
            except MXNetError:
                continue  # other inputs fix this size
    made = {key: list(shape) for key, shape in found.items()}
    for size, example, grown in changes:
        for key, shape in found.items():
            for axis, (now, then) in enumerate(zip(shape, grown[key], strict=True)):
                if now == example and then == now + 1:
                    made[key][axis] = size
                elif now != then:
                    made[key][axis] = made[key][axis] + (then - now) * (size - example)
    with _quiet():
        return Program(outputs, program.context, shapes={key: tuple(shape) for key, shape in made.items()})


def _open_sizes(shapes: Sequence[Sequence[object]]) -> list[tuple[Any, list[tuple[int, int]]]]:
    """The sizes that are not fixed, each with all of its places."""
    found: dict[Any, tuple[Any, list[tuple[int, int]]]] = {}
    for i, shape in enumerate(shapes):
        for axis, size in enumerate(shape):
            if type(size) is not int:
                key = str(size) if isinstance(size, torch.SymInt) else (i, axis)
                found.setdefault(key, (size, []))[1].append((i, axis))
    return list(found.values())


def _example(size: Any) -> int:
    """A number for a size that may be open, without fixing it."""
    return size.node.hint if isinstance(size, torch.SymInt) else int(size)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """torch.jit.trace does not warn: sizes are looked at as numbers on purpose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        yield


@contextlib.contextmanager
def _unseen() -> Iterator[None]:
    """torch does not record what is done inside."""
    tracing = torch._C._get_tracing_state()
    torch._C._set_tracing_state(None)  # type: ignore[attr-defined]
    try:
        with torch._C.DisableTorchFunction(), _disable_current_modes():
            yield
    finally:
        torch._C._set_tracing_state(tracing)  # type: ignore[attr-defined]


def run(lowered: Lowered, program: Program, values: Sequence[torch.Tensor], training: bool) -> list[torch.Tensor]:
    """Runs it. For torch.jit.trace, which cannot write down gradients of our own, without gradients of parameters."""
    if not torch.jit.is_tracing():
        return program.run(values, training)
    if training:
        raise MXNetError("torch.jit.trace records a block for prediction: call eval() first")
    values = [v.detach() if v.requires_grad else v for v in values]
    _check_numbers(lowered, values)
    with _quiet():
        return program.run(values, training)


def _check_numbers(lowered: Lowered, values: Sequence[torch.Tensor]) -> None:
    """Refuses what looks at numbers: torch.jit.trace would keep those of the example for good."""
    with _unseen():
        program = complete(lowered, [v.shape for v in values]) if lowered.is_shaped else lowered.program
        mode = FakeTensorMode()
        fakes = [mode.from_tensor(v.detach()) for v in values]
        try:
            with mode:
                program.run(fakes, False)
        except (DataDependentOutputException, DynamicOutputShapeException, MXNetError) as error:
            raise MXNetError(f"torch.jit.trace cannot record what depends on numbers: {error}") from error


def arrange(form: Any, results: Sequence[torch.Tensor]) -> Any:
    """The results in the block's form."""
    return map_nested(form, int, lambda i: results[i])
