"""If, Loop and Scan, by MXNet's cond, while_loop and foreach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ....error import MXNetNotImplementedError, MXNetValueError
from ....symbol import contrib
from ....symbol.operators import apply
from ....symbol.symbol import Symbol
from ..graph import Builder, OnnxNode, Value, importer


def _inner_value(symbol: Symbol | None, like: Value, name: str, metas: Sequence[torch.Tensor] | None = None) -> Value:
    """A value inside of a subgraph."""
    trials = [torch.empty(t.shape, dtype=t.dtype, device="meta") for t in (metas or like.trials)]
    return Value(name, trials, symbol, False, like.scalar, like.truth)


def _result(symbol: Symbol, like: Value, metas: Sequence[torch.Tensor] | None = None) -> Value:
    made = _inner_value(symbol, like, like.name, metas)
    return made


def _outcome(results: Any) -> list[Symbol]:
    return list(results) if isinstance(results, list | tuple) else [results]


@importer("If")
def if_(b: Builder, n: OnnxNode) -> list[Value]:
    values = n.attrs["_values"]
    chosen = n.x.number()
    if chosen is not None:
        return b.subgraph(n.attrs["then_branch" if chosen else "else_branch"], values, {})
    found: dict[str, list[Value]] = {}

    def branch(key: str) -> Any:
        def run() -> list[Symbol]:
            found[key] = b.subgraph(n.attrs[key], values, {})
            return [b.symbol(v) for v in found[key]]

        return run

    made = _outcome(contrib.cond(b.symbol(n.x), branch("then_branch"), branch("else_branch"), name=b.fresh(b.hint)))
    for one, two in zip(found["then_branch"], found["else_branch"], strict=True):
        if one.shapes != two.shapes or one.dtype is not two.dtype:
            raise MXNetNotImplementedError(f"branches of shapes {one.shape} and {two.shape}")
    return [_result(symbol, like) for symbol, like in zip(made, found["then_branch"], strict=True)]


@importer("Scan")
def scan(b: Builder, n: OnnxNode) -> list[Value]:
    body, streams = n.attrs["body"], n.attrs["num_scan_inputs"]
    if n.opset < 9:
        raise MXNetNotImplementedError("Scan of opset 8")
    for key in ("scan_input_axes", "scan_input_directions", "scan_output_axes", "scan_output_directions"):
        if any(n.get(key) or []):
            raise MXNetNotImplementedError(f"{key} other than 0")
    states = [n.need(i) for i in range(len(n.inputs) - streams)]
    data = [n.need(i) for i in range(len(states), len(n.inputs))]
    names = [i.name for i in body.input]
    if len(names) != len(n.inputs) or not data:
        raise MXNetValueError("the body takes another number of inputs")
    found: list[Value] = []

    def step(slices: list[Symbol], carried: list[Symbol]) -> tuple[list[Symbol], list[Symbol]]:
        inner = [_inner_value(s, like, name) for s, like, name in zip(carried, states, names, strict=False)]
        for symbol, like, name in zip(slices, data, names[len(states) :], strict=True):
            metas = [t[0] if t.dim() > 1 else t[:1] for t in like.trials]
            value = _inner_value(symbol, like, name, metas)
            value.scalar = like.ndim == 1
            inner.append(value)
        found.extend(b.subgraph(body, n.attrs["_values"], dict(zip(names, inner, strict=True))))
        results = [b.symbol(v) for v in found]
        return results[len(states) :], results[: len(states)]

    outputs, ends = contrib.foreach(step, [b.symbol(v) for v in data], [b.symbol(v) for v in states], b.fresh(b.hint))
    lengths = [t.shape[0] for t in data[0].trials]
    made = [_result(s, like) for s, like in zip(_outcome(ends), found, strict=False)]
    for symbol, like in zip(_outcome(outputs), found[len(states) :], strict=True):
        made.append(_stack_steps(symbol, like, lengths))
    return made


def _stack_steps(symbol: Symbol, like: Value, lengths: Sequence[int]) -> Value:
    """What a loop gave step by step."""
    metas = [
        torch.empty((k, *(() if like.scalar else t.shape)), dtype=t.dtype, device="meta")
        for k, t in zip(lengths, like.trials, strict=True)
    ]
    if like.scalar:  # MXNet's steps give one number in a dimension of its own
        symbol = symbol.reshape((-1,))
    return Value(like.name, metas, symbol, False, False, like.truth)


@importer("Loop")
def loop(b: Builder, n: OnnxNode) -> list[Value]:
    body, values = n.attrs["body"], n.attrs["_values"]
    most, going = n.optional(0), n.optional(1)
    carried = [n.need(i) for i in range(2, len(n.inputs))]
    names = [i.name for i in body.input]
    if len(names) != len(carried) + 2:
        raise MXNetValueError("the body takes another number of inputs")
    limit = most.number() if most is not None else None
    scanned = len(body.output) - 1 - len(carried)
    always = going is None or going.number() == 1
    if limit is not None and limit <= 64 and always and _keeps_going(body):
        return _unroll(b, body, values, names, carried, int(limit), scanned)
    if scanned:
        raise MXNetNotImplementedError("a loop with outputs of each step whose number is not fixed")
    start = [b.const(torch.zeros(1)), going if going is not None else b.const(torch.ones(1)), *carried]
    found: list[Value] = []

    def condition(step: Symbol, flag: Symbol, *rest: Symbol) -> Symbol:
        if limit is not None:
            return flag * (step < float(limit))
        return flag * (step < b.symbol(b.cast(most, torch.float32))) if most is not None else flag

    def function(step: Symbol, flag: Symbol, *rest: Symbol) -> tuple[list[Symbol], list[Symbol]]:
        counter = b.cast(_inner_value(step, start[0], names[0]), torch.int64)
        counter.scalar = True
        truth = _inner_value(flag, start[1], names[1])
        truth.truth, truth.scalar = True, True
        inner = [_inner_value(s, like, name) for s, like, name in zip(rest, carried, names[2:], strict=True)]
        given = dict(zip(names, [counter, truth, *inner], strict=True))
        found.extend(b.subgraph(body, values, given))
        results = [b.symbol(v) for v in found]
        return [], [
            step + 1.0,
            *(_depend_on(before, after) for before, after in zip([flag, *rest], results, strict=True)),
        ]

    _, ends = contrib.while_loop(
        condition,
        function,
        [b.symbol(v) for v in start],
        int(limit) if limit is not None else 2**31 - 1,
        b.fresh(b.hint),
    )
    for before, after in zip(carried, found[1:], strict=True):
        if before.shapes != after.shapes or before.dtype is not after.dtype:
            raise MXNetNotImplementedError("a loop whose variables change their shape")
    return [_result(s, like) for s, like in zip(_outcome(ends)[2:], found[1:], strict=True)]


def _depend_on(before: Symbol, after: Symbol) -> Symbol:
    """``after``, in a way that takes notice of ``before``: a loop has to use all its variables."""
    return apply(("where", "where"), apply(("zeros_like", "zeros_like"), before), before, after)


def _keeps_going(body: Any) -> bool:
    """Does the body always give true, or the condition that it was given, as its first output?"""
    wanted = body.output[0].name
    for node in reversed(body.node):
        if wanted in node.output:
            if node.op_type == "Identity":
                wanted = node.input[0]
                continue
            return False
    stored = {t.name: t for t in body.initializer}
    if wanted in stored:
        return any(stored[wanted].raw_data) or any(stored[wanted].int32_data)
    return wanted == body.input[1].name


def _unroll(
    b: Builder, body: Any, values: Any, names: list[str], carried: list[Value], count: int, scanned: int
) -> list[Value]:
    """A loop of a fixed number of steps, one after the other."""
    state, rows = list(carried), [[] for _ in range(scanned)]  # type: ignore[var-annotated]
    for i in range(count):
        given = [b.const(torch.tensor(i)), b.const(torch.tensor(True)), *state]
        found = b.subgraph(body, values, dict(zip(names, given, strict=True)))
        state = found[1 : 1 + len(carried)]
        for row, value in zip(rows, found[1 + len(carried) :], strict=True):
            row.append(b.reshape(value, [(1, *s) for s in value.shapes]))
    if not count and scanned:
        raise MXNetNotImplementedError("outputs of each step of a loop without steps")
    return [*state, *(row[0] if count == 1 else b.call("Concat", *row, dim=0) for row in rows)]
