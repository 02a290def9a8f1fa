"""The fused RNN operator: layers of Elman, LSTM or GRU cells over a whole sequence, their weights in one flat vector.

The vector holds the weights of every layer and direction (input to hidden, hidden to hidden, projection), then the
biases in the same order. Gates come as i, f, g, o (LSTM) and r, z, n (GRU), which is also torch's order.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import torch
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from ..._rng import Generator, HostGenerator
from ..infer import UNKNOWN, Shape
from ..params import Fraction
from ..products import linear
from ..registry import op
from ..support import memoize
from ..types import Attrs, Dtypes, Kernel, Shapes
from ..unary import clamp
from .recurrent_native import native_layer, suits_kernels

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
#: The weights of one layer and direction as torch takes them: w_ih, w_hh, b_ih, b_hh and, if projected, w_hr.
Weights = list[torch.Tensor]
_Tensors = tuple[torch.Tensor, ...]


@memoize
def _layout(
    mode: str, inputs: int, hidden: int, layers: int, directions: int, projection: int | None
) -> tuple[list[int], list[Shape]]:
    """Sizes and shapes of the pieces of the flat vector, in its order."""
    gates, state = _GATES[mode] * hidden, projection or hidden
    shapes: list[Shape] = []
    for layer in range(layers):
        for _ in range(directions):
            shapes += [(gates, inputs if layer == 0 else directions * state), (gates, state)]
            if projection:
                shapes.append((projection, hidden))
    shapes += [(gates,)] * (2 * layers * directions)
    return [s[0] * s[1] if len(s) == 2 else s[0] for s in shapes], shapes


def _unpack(
    parameters: torch.Tensor | Sequence[torch.Tensor], sizes: list[int], shapes: list[Shape], cells: int
) -> list[Weights]:
    """The weights of each layer and direction, from the flat vector or from its pieces."""
    # One split has one backward, a concatenation; slices would each fill a gradient of the whole vector.
    parts = parameters.split(sizes) if isinstance(parameters, torch.Tensor) else parameters
    pieces = [part if part.shape == shape else part.view(shape) for part, shape in zip(parts, shapes, strict=True)]
    each = (len(pieces) - 2 * cells) // cells
    biases = pieces[cells * each :]
    result = []
    for i in range(cells):
        w_ih, w_hh, *projection = pieces[i * each : (i + 1) * each]
        result.append([w_ih, w_hh, biases[2 * i], biases[2 * i + 1], *projection])
    return result


def _run(
    mode: str,
    data: torch.Tensor,
    lengths: torch.Tensor | None,
    states: tuple[torch.Tensor, ...],
    weights: list[Weights],
    bidirectional: bool,
) -> tuple[torch.Tensor, ...]:
    """One or more layers; ``lengths`` is the batch size of each step if ``data`` is packed."""
    if lengths is None and suits_kernels(mode, data, states, weights[0]):
        directions = 2 if bidirectional else 1
        return _layer_by_layer(functools.partial(_by_kernels, mode), data, states, weights, directions, _same)
    return _run_torch(mode, data, lengths, states if mode == "lstm" else states[0], weights, bidirectional)


def _by_kernels(
    mode: str, data: torch.Tensor, states: tuple[torch.Tensor, ...], weights: list[Weights]
) -> tuple[torch.Tensor, ...]:
    return native_layer(mode, data, states, [w for direction in weights for w in direction])


def _run_torch(
    mode: str, data: torch.Tensor, lengths: torch.Tensor | None, state: Any, weights: list[Weights], bidirectional: bool
) -> tuple[torch.Tensor, ...]:
    """The same by torch's kernels."""
    flat = [w for cell in weights for w in cell]
    layers = len(weights) // (2 if bidirectional else 1)
    kernel = getattr(torch._VF, mode)
    if lengths is not None:
        return kernel(data, lengths, state, flat, True, layers, 0.0, False, bidirectional)
    if len(weights[0]) == 5 and not data.is_cuda:
        # oneDNN has no projections and torch warns about it; on packed data it silently takes its own kernel.
        sizes = torch.full((data.shape[0],), data.shape[1], dtype=torch.int64)
        output, *ends = kernel(data.flatten(0, 1), sizes, state, flat, True, layers, 0.0, False, bidirectional)
        return (output.unflatten(0, data.shape[:2]), *ends)
    return kernel(data, state, flat, True, layers, 0.0, False, bidirectional, False)


def _drop(data: torch.Tensor, p: float, rng: Generator | None) -> torch.Tensor:
    keep = 1.0 - p
    if keep == 0.0:
        return data * 0.0
    if isinstance(rng, HostGenerator):
        kept = rng.singles(data.numel()) >= np.float32(p)
        return data * torch.from_numpy(kept).view(data.shape).to(data.dtype).div_(keep)
    return data * torch.empty_like(data).bernoulli_(keep, generator=rng).div_(keep)


def _layer_by_layer(
    run_layer: Callable[..., tuple[torch.Tensor, ...]],
    data: torch.Tensor,
    states: tuple[torch.Tensor, ...],
    weights: list[Weights],
    directions: int,
    between: Callable[[torch.Tensor], torch.Tensor],
) -> tuple[torch.Tensor, ...]:
    """Stacks layers, with ``between`` applied to what passes from one to the next."""
    ends = []
    for first in range(0, len(weights), directions):
        mine = slice(first, first + directions)
        output, *end = run_layer(between(data) if first else data, tuple(s[mine] for s in states), weights[mine])
        data = output
        ends.append(end)
    return (data, *(torch.cat(parts) for parts in zip(*ends, strict=True)))


def _clipped_lstm(
    data: torch.Tensor,
    states: tuple[torch.Tensor, ...],
    weights: list[Weights],
    clip: Callable[[torch.Tensor], torch.Tensor],
    lengths: torch.Tensor | None,
) -> tuple[torch.Tensor, ...]:
    """One layer of LSTM cells whose cell state is clipped after each step; torch has no kernel for it."""
    steps = data.shape[0]
    outputs, hidden_ends, cell_ends = [], [], []
    for direction, (w_ih, w_hh, b_ih, b_hh, *projection) in enumerate(weights):
        gates_of_data = linear(data, w_ih, b_ih)
        h, c = states[0][direction], states[1][direction]
        order = range(steps) if direction == 0 else range(steps - 1, -1, -1)
        found = [h] * steps
        for t in order:
            i, f, g, o = (gates_of_data[t] + torch.nn.functional.linear(h, w_hh, b_hh)).chunk(4, 1)
            new_c = clip(f.sigmoid() * c + i.sigmoid() * g.tanh())
            new_h = o.sigmoid() * new_c.tanh()
            if projection:
                new_h = new_h @ projection[0].t()
            if lengths is None:
                h, c, found[t] = new_h, new_c, new_h
            else:
                valid = (t < lengths).unsqueeze(1)
                found[t] = torch.where(valid, new_h, 0.0)
                h, c = torch.where(valid, new_h, h), torch.where(valid, new_c, c)
        outputs.append(torch.stack(found))
        hidden_ends.append(h)
        cell_ends.append(c)
    return torch.cat(outputs, 2), torch.stack(hidden_ends), torch.stack(cell_ends)


def _clip_function(low: float | None, high: float | None, drop_nan: bool) -> Callable[[torch.Tensor], torch.Tensor]:
    if not drop_nan:
        return lambda c: clamp(c, low, high)

    def clip(c: torch.Tensor) -> torch.Tensor:
        if low is not None:
            c = torch.fmax(c, c.new_full((), low))
        return c if high is None else torch.fmin(c, c.new_full((), high))

    return clip


def _run_packed(
    data: torch.Tensor, lengths: torch.Tensor, states: tuple[torch.Tensor, ...], run: Kernel
) -> tuple[torch.Tensor, ...]:
    """Runs on sequences of different lengths; outputs beyond the end of a sequence are zero."""
    on_host = lengths.detach().to("cpu", torch.int64)
    if int(on_host.max()) > data.shape[0] or int(on_host.min()) < 0:
        raise ValueError(f"sequence_length must be between 0 and {data.shape[0]}, the number of steps")
    # torch packs no empty sequences: give them one step and hide it again.
    packed = pack_padded_sequence(data, on_host.clamp_min(1), enforce_sorted=False)
    order, back = packed.sorted_indices, packed.unsorted_indices
    assert order is not None and back is not None  # since the lengths were not sorted
    output, *ends = run(packed.data, packed.batch_sizes, tuple(s.index_select(1, order) for s in states))
    output, _ = pad_packed_sequence(PackedSequence(output, packed.batch_sizes, order, back), total_length=data.shape[0])
    ends = [e.index_select(1, back) for e in ends]
    if int(on_host.min()) == 0:
        some = (lengths > 0).to(data.device)
        output = torch.where(some.view(1, -1, 1), output, 0.0)
        ends = [torch.where(some.view(1, -1, 1), e, s) for e, s in zip(ends, states, strict=True)]
    return (output, *ends)


def _rnn_inputs(attrs: Attrs) -> tuple[str, ...]:
    cell = ("state_cell",) if attrs.get("mode") == "lstm" else ()
    lengths = ("sequence_length",) if attrs["use_sequence_length"] else ()
    return ("data", "parameters", "state", *cell, *lengths)


def _rnn_outputs(attrs: Attrs) -> int:
    return (3 if attrs["mode"] == "lstm" else 2) if attrs["state_outputs"] else 1


@op("RNN", outputs=_rnn_outputs, output_names=("output", "state_output", "statecell_output"), active=_rnn_inputs)
def rnn(
    data: torch.Tensor,
    parameters: Any,
    state: torch.Tensor,
    state_cell: torch.Tensor | None = None,
    sequence_length: torch.Tensor | None = None,
    *,
    state_size: int,
    num_layers: int,
    bidirectional: bool = False,
    mode: Literal["rnn_relu", "rnn_tanh", "lstm", "gru"],
    p: Fraction = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    _train: bool = False,
    _rng: Generator | None = None,
) -> Any:
    """Runs layers of recurrent cells over ``data`` of shape (steps, batch, features).

    ``parameters`` is one vector: the weights of all layers and directions, then all biases. ``state`` (and for
    LSTM ``state_cell``) has shape (layers * directions, batch, state_size). Gives the outputs of the last layer and,
    with ``state_outputs``, the final states. ``p`` is the dropout between layers in training. With
    ``use_sequence_length`` each sequence ends at its own ``sequence_length``, and outputs beyond are zero.
    """
    is_lstm = mode == "lstm"
    if not is_lstm and use_sequence_length and sequence_length is None:
        state_cell, sequence_length = None, state_cell  # only LSTM has a cell, so the lengths may come fourth
    directions = 2 if bidirectional else 1
    if isinstance(parameters, tuple):  # a program that would join the weights for this operator gives them as they are
        parameters = _fitting(parameters, data, state_size, num_layers, directions, mode, projection_size)
    _check(data, parameters, state, state_cell, sequence_length, state_size, num_layers, directions, mode, p,
           projection_size, use_sequence_length)  # fmt: skip
    steps, batch, features = data.shape
    cells = num_layers * directions
    states = (state, state_cell) if state_cell is not None else (state,)
    if data.is_meta:
        ends = [s.new_empty(s.shape) for s in states]
        result: Sequence[torch.Tensor] = [
            data.new_empty(steps, batch, directions * (projection_size or state_size)),
            *ends,
        ]
        return tuple(result) if state_outputs else result[0]
    sizes, shapes = _layout(mode, features, state_size, num_layers, directions, projection_size)
    weights = _unpack(parameters, sizes, shapes, cells)
    drop = p if _train and num_layers > 1 else 0.0
    between = functools.partial(_drop, p=drop, rng=_rng) if drop else _same
    clips = is_lstm and (lstm_state_clip_min is not None or lstm_state_clip_max is not None)

    def run_layers(data: torch.Tensor, batch_sizes: Any, states: tuple) -> _Tensors:
        def run(data: torch.Tensor, states: tuple, weights: list) -> _Tensors:
            return _run(mode, data, batch_sizes, states, weights, bidirectional)

        if not drop:
            return run(data, states, weights)
        return _layer_by_layer(run, data, states, weights, directions, between)

    if clips:
        clip = _clip_function(lstm_state_clip_min, lstm_state_clip_max, lstm_state_clip_nan)
        run_one = functools.partial(_clipped_lstm, clip=clip, lengths=sequence_length)
        result = _layer_by_layer(run_one, data, states, weights, directions, between)
    elif sequence_length is not None:
        result = _run_packed(data, sequence_length, states, run_layers)
    else:
        result = run_layers(data, None, states)
    return tuple(result) if state_outputs else result[0]


def _fitting(
    pieces: tuple[torch.Tensor, ...], data: torch.Tensor, hidden: int, layers: int, directions: int, mode: str,
    projection: int | None,
) -> torch.Tensor | tuple[torch.Tensor, ...]:  # fmt: skip
    """Weights that were to be joined: as they are if each is one of the operator's, else joined."""
    if data.dim() == 3 and hidden > 0 and layers > 0:
        sizes, _ = _layout(mode, data.shape[2], hidden, layers, directions, projection)
        if [p.numel() for p in pieces] == sizes and all(p.dtype is data.dtype and p.is_contiguous() for p in pieces):
            return pieces
    return torch.cat([p.reshape(-1) for p in pieces])


def _same(data: torch.Tensor) -> torch.Tensor:
    return data


def _check(
    data: torch.Tensor,
    parameters: torch.Tensor | tuple[torch.Tensor, ...],
    state: torch.Tensor,
    state_cell: torch.Tensor | None,
    lengths: torch.Tensor | None,
    hidden: int,
    layers: int,
    directions: int,
    mode: str,
    p: float,
    projection: int | None,
    use_lengths: bool,
) -> None:
    if data.dim() != 3:
        raise ValueError("data must have 3 dimensions: steps, batch, features")
    if hidden < 1 or layers < 1:
        raise ValueError("state_size and num_layers must be at least 1")
    if not 0.0 <= p <= 1.0:
        raise ValueError("p must be between 0 and 1")
    if projection is not None and (mode != "lstm" or not 0 < projection < hidden):
        raise ValueError("projection_size is for mode='lstm' and must be positive and smaller than state_size")
    if (state_cell is not None) != (mode == "lstm"):
        raise ValueError("state_cell is an input if, and only if, mode is 'lstm'")
    if (lengths is not None) != use_lengths:
        raise ValueError("sequence_length is an input if, and only if, use_sequence_length is true")
    _, batch, features = data.shape
    vector = parameters if isinstance(parameters, torch.Tensor) else None  # pieces have been looked at
    expected: list[tuple[str, torch.Tensor | None, Shape]] = [
        ("parameters", vector, (sum(_layout(mode, features, hidden, layers, directions, projection)[0]),)),
        ("state", state, (layers * directions, batch, projection or hidden)),
        ("state_cell", state_cell, (layers * directions, batch, hidden)),
    ]
    for name, tensor, shape in expected:
        if tensor is not None and tensor.shape != shape:
            raise ValueError(f"{name} has shape {tuple(tensor.shape)}, expected {shape}")
        if tensor is not None and tensor.dtype is not data.dtype:
            raise TypeError(f"{name} must have the dtype of data")
    if not data.is_floating_point():
        raise TypeError("data must be of a floating type")
    if lengths is not None and lengths.shape != (batch,):
        raise ValueError(f"sequence_length has shape {tuple(lengths.shape)}, expected {(batch,)}")


@rnn.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if data is None or len(data) != 3:
        return
    hidden, layers, projection = attrs["state_size"], attrs["num_layers"], attrs["projection_size"]
    directions = 2 if attrs["bidirectional"] else 1
    found: dict[str, Shape] = {
        "state": (layers * directions, data[1], projection or hidden),
        "state_cell": (layers * directions, data[1], hidden),
        "sequence_length": (data[1],),
    }
    if data[2] != UNKNOWN:
        found["parameters"] = (sum(_layout(attrs["mode"], data[2], hidden, layers, directions, projection)[0]),)
    if attrs["mode"] != "lstm" and attrs["use_sequence_length"] and shapes.get("sequence_length") is None:
        found["state_cell"] = found["sequence_length"]
    for name, shape in found.items():
        if name in shapes:
            shapes[name] = shape


@rnn.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list:
    common = next((d for n, d in dtypes.items() if d is not None and n != "sequence_length"), None)
    for name, dtype in dtypes.items():
        dtypes[name] = dtype or common
    return [common] * _rnn_outputs(attrs)
