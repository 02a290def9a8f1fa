"""Loops and branches over subgraphs: what ``foreach``, ``while_loop`` and ``cond`` are in a graph.

``*_locs`` say which of the node's inputs go where. For ``_foreach`` they are positions in the subgraph: where slices of
the data, states and everything else are put. For the others they list, per subgraph, the node's inputs it takes.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import torch

from .gradients import constant_in
from .params import Bound, Count, NotNegative
from .registry import op
from .types import Attrs

Subgraph = Callable[[Sequence[torch.Tensor], bool], list[torch.Tensor]]


def _outputs(attrs: Attrs) -> int:
    return attrs["num_outputs"]


@op("_foreach", outputs=_outputs, count="num_args")
def foreach(
    *data: torch.Tensor,
    num_args: Count,
    num_outputs: int,
    num_out_data: int,
    in_state_locs: tuple[int, ...],
    in_data_locs: tuple[int, ...],
    remain_locs: tuple[int, ...],
    _subgraphs: list[Subgraph],
    _train: bool,
) -> tuple[torch.Tensor, ...]:
    """Runs the body once for each slice of the data along the first axis, carrying states along.

    Slices of 1-D data have shape ``(1,)``.
    """
    body = _subgraphs[0]
    streams = data[: len(in_data_locs)]
    states = list(data[len(in_data_locs) : len(in_data_locs) + len(in_state_locs)])
    arguments: list[Any] = [None] * len(data)
    for place, value in zip(remain_locs, data[len(data) - len(remain_locs) :], strict=True):
        arguments[place] = value
    length = streams[0].shape[0]
    if any(s.shape[0] != length for s in streams):
        raise ValueError("all data must have the same number of slices along the first axis")
    if not length:
        raise ValueError("the data must have at least one slice along the first axis")
    results: list[list[torch.Tensor]] = []
    for i in range(1 if streams[0].is_meta else length):  # without data, one step tells the shapes
        for place, stream in zip(in_data_locs, streams, strict=True):
            arguments[place] = stream[i] if stream.dim() > 1 else stream[i : i + 1]
        for place, state in zip(in_state_locs, states, strict=True):
            arguments[place] = state
        found = body(arguments, _train)
        results.append(found[:num_out_data])
        states = found[num_out_data:]
    if streams[0].is_meta:
        return (*(t.new_empty((length, *t.shape)) for t in results[0]), *states)
    return (*(torch.stack(column) for column in zip(*results, strict=True)), *states)


@op("_while_loop", outputs=_outputs, count="num_args")
def while_loop(
    *data: torch.Tensor,
    num_args: Annotated[int, Bound(2)],
    num_outputs: Count,
    num_out_data: NotNegative,
    max_iterations: Count,
    cond_input_locs: tuple[int, ...],
    func_input_locs: tuple[int, ...],
    func_var_locs: tuple[int, ...],
    _subgraphs: list[Subgraph],
    _train: bool,
) -> tuple[torch.Tensor, ...]:
    """Runs the function while the condition holds, at most ``max_iterations`` times.

    Outputs of the steps are stacked and filled up with zeros to ``max_iterations`` rows.
    """
    condition, function = _subgraphs
    values = list(data)
    carried = [func_input_locs[place] for place in func_var_locs]
    results: list[list[torch.Tensor]] = []
    symbolic = data[0].is_meta  # without data, one step tells the shapes
    while len(results) < (1 if symbolic else max_iterations):
        if not symbolic and not bool(condition([values[i] for i in cond_input_locs], _train)[0].item()):
            break
        found = function([values[i] for i in func_input_locs], _train)
        results.append(found[:num_out_data])
        for place, value in zip(carried, found[num_out_data:], strict=True):
            values[place] = value
    stacked = []
    if num_out_data:
        steps = results or [
            [torch.zeros_like(t) for t in _step_shapes(function, values, func_input_locs, num_out_data)]
        ]
        for column in zip(*steps, strict=True):
            rows = torch.stack(column[: len(results)]) if results else column[0].new_zeros((0, *column[0].shape))
            filling = rows.new_zeros((max_iterations - rows.shape[0], *rows.shape[1:]))
            stacked.append(torch.cat([rows, filling]))
    return (*stacked, *(values[i] for i in carried))


def _step_shapes(
    function: Subgraph, values: Sequence[torch.Tensor], places: Sequence[int], count: int
) -> list[torch.Tensor]:
    """What one step would give, for a loop that never ran."""
    with torch.no_grad():
        return function([values[i] for i in places], False)[:count]


@op("_cond", outputs=_outputs, count="num_args")
def cond(
    *data: torch.Tensor,
    num_args: Annotated[int, Bound(3)],
    num_outputs: Count,
    cond_input_locs: tuple[int, ...],
    then_input_locs: tuple[int, ...],
    else_input_locs: tuple[int, ...],
    _subgraphs: list[Subgraph],
    _train: bool,
) -> tuple[torch.Tensor, ...]:
    """Runs one of two branches."""
    condition, then, otherwise = _subgraphs
    chosen = data[0].is_meta or bool(condition([data[i] for i in cond_input_locs], _train)[0].item())
    branch, places = (then, then_input_locs) if chosen else (otherwise, else_input_locs)
    found = branch([data[i] for i in places], _train)
    # A branch may depend on nothing that has a gradient: which one it was must not decide whether backward can start.
    return tuple(value if value.requires_grad else constant_in(value, *data) for value in found)


@op("_CachedOp", outputs=_outputs, count="num_args")
def cached_op(
    *data: torch.Tensor,
    num_args: NotNegative,
    num_outputs: Count,
    _subgraphs: list[Subgraph],
    _train: bool,
) -> tuple[torch.Tensor, ...]:
    """Runs a graph as one node."""
    return tuple(_subgraphs[0](data, _train))


@op("_CustomFunction", outputs=_outputs, count="num_args")
def custom_function(*data: torch.Tensor, num_args: NotNegative, num_outputs: Count) -> tuple[torch.Tensor, ...]:
    """Stands for a call of an ``autograd.Function``, which a graph shows but cannot run."""
    raise NotImplementedError("an autograd.Function runs in Python only")
