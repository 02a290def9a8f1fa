"""Sequences as cells take and give them: one array with an axis of time, or a list with one array per step."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from ... import ndarray, symbol
from ..._core.types import Array
from ...ndarray import NDArray
from ...symbol import Symbol
from ...util import is_np_shape
from ..utils import MXNetAssertionError

TENSORS = (NDArray, Symbol)


def module_of(tensor: object) -> Any:
    """``mx.sym`` for symbols, ``mx.nd`` for arrays."""
    return symbol if isinstance(tensor, Symbol) else ndarray


def unknown_size() -> int:
    """What stands for a dimension that is not known yet."""
    return -1 if is_np_shape() else 0


def split_steps(F: ModuleType, merged: object, length: int, axis: int, squeeze_axis: object = 1) -> list[Any]:
    """A merged sequence as a list of steps."""
    parts = F.split(merged, axis=axis, num_outputs=length, squeeze_axis=squeeze_axis)
    return [parts] if length == 1 else list(parts)


def format_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int, Any, int]:
    """A sequence in the wanted form, with the axis of time, the module (``mx.nd`` or ``mx.sym``) and the batch size.

    ``merge`` False asks for a list of steps, True for one array, None for what it is already. ``in_layout`` is the
    layout of the input where it is another one. The batch size of symbols is 0, which says unknown.
    """
    if inputs is None:
        raise MXNetAssertionError(
            "unroll(inputs=None) has been deprecated. Please create input variables outside unroll."
        )
    axis, batch_axis = layout.find("T"), layout.find("N")
    if axis < 0 or batch_axis < 0:
        raise MXNetAssertionError(f"layout must have the axes T and N, got {layout!r}")
    in_axis = axis if in_layout is None else in_layout.find("T")
    if isinstance(inputs, TENSORS):
        F, batch_size = module_of(inputs), 0
        if isinstance(inputs, Symbol):
            if merge is False and len(inputs) != 1:
                raise MXNetAssertionError(
                    "unroll doesn't allow grouped symbol as input. Please convert to list with list(inputs) first or "
                    "let unroll handle splitting."
                )
        else:
            batch_size = inputs.shape[batch_axis]
            if length is not None and inputs.shape[in_axis] != length:
                raise MXNetAssertionError(
                    f"inputs of shape {inputs.shape} have {inputs.shape[in_axis]} steps, not {length}"
                )
        if merge is False:
            steps = inputs.shape[in_axis] if length is None else length
            return split_steps(F, inputs, steps, in_axis), axis, F, batch_size
        if in_axis != axis:
            inputs = F.swapaxes(inputs, dim1=axis, dim2=in_axis)
        return inputs, axis, F, batch_size
    if length is not None and len(inputs) != length:
        raise MXNetAssertionError(f"{len(inputs)} inputs were given for {length} steps")
    F = module_of(inputs[0])
    # Steps have no axis of time, so that of the batch comes earlier if it stood behind it.
    batch_size = 0 if F is symbol else inputs[0].shape[batch_axis - (batch_axis > axis)]
    return (F.stack(*inputs, axis=axis) if merge else inputs), axis, F, batch_size


def begin_states(cell: Any, F: Any, given: Any, inputs: Any, batch_size: int) -> Any:
    """The states to start with: those that were given, else zeros that go with the inputs."""
    if given is not None:
        return given
    if F is symbol:
        return cell.begin_state(func=symbol.zeros, batch_size=batch_size or unknown_size())
    first = inputs if isinstance(inputs, NDArray) else inputs[0]
    return cell.begin_state(func=ndarray.zeros, batch_size=batch_size, ctx=first.context, dtype=first.dtype)


def mask_sequence(F: Any, data: Any, length: int, valid_length: Array, time_axis: int, merge: bool) -> Any:
    """The sequence with zeros after the end of each of its members."""
    if not isinstance(data, TENSORS):
        data = F.stack(*data, axis=time_axis)
    masked = F.SequenceMask(data, sequence_length=valid_length, use_sequence_length=True, axis=time_axis)
    return masked if merge else split_steps(F, masked, length, time_axis, True)


def last_states(F: ModuleType, states: Sequence[Sequence[object]], valid_length: Array) -> list[Any]:
    """The states after the last valid step of each member, from those after every step."""
    return [
        F.SequenceLast(F.stack(*steps, axis=0), sequence_length=valid_length, use_sequence_length=True, axis=0)
        for steps in zip(*states, strict=True)
    ]


def reverse_steps(steps: Sequence[object], valid_length: Array | None = None) -> list[Any]:
    """The steps from the last to the first; what lies beyond the end of a member stays behind it."""
    if valid_length is None:
        return list(reversed(steps))
    F = module_of(steps[0])
    merged = F.SequenceReverse(F.stack(*steps, axis=0), sequence_length=valid_length, use_sequence_length=True)
    return split_steps(F, merged, len(steps), 0, True)


def _reverse_sequences(sequences: Sequence[object], unroll_step: int, valid_length: Array | None = None) -> list[Any]:
    """``reverse_steps`` as packages call it."""
    return reverse_steps(sequences, valid_length)


def _cells_state_info(cells: Sequence[Any], batch_size: int) -> list[Any]:
    """Shape and layout of the states of all cells."""
    return [info for cell in cells for info in cell.state_info(batch_size)]


def _cells_begin_state(cells: Sequence[Any], **kwargs: Any) -> list[Any]:
    """The states that all cells start with."""
    return [state for cell in cells for state in cell.begin_state(**kwargs)]
