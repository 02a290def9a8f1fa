"""Checkpoints of models with recurrent cells: files hold unpacked weights, for fused and plain cells alike."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..model import load_checkpoint, save_checkpoint
from ..ndarray import NDArray
from ..symbol import Symbol, Variable
from .cells import BaseRNNCell

__all__ = ["do_rnn_checkpoint", "load_rnn_checkpoint", "rnn_unroll", "save_rnn_checkpoint"]

Cells = BaseRNNCell | Sequence[BaseRNNCell]


def rnn_unroll(
    cell: BaseRNNCell,
    length: int,
    inputs: object = None,
    begin_state: object = None,
    input_prefix: str = "",
    layout: str = "NTC",
) -> tuple[Any, list]:
    """``cell.unroll``, to be used instead; inputs not given become variables ``{input_prefix}t0_data``, ..."""
    warnings.warn("rnn_unroll is deprecated. Please call cell.unroll directly.", stacklevel=2)
    if inputs is None:
        inputs = [Variable(f"{input_prefix}t{i}_data") for i in range(length)]
    return cell.unroll(length, inputs, begin_state=begin_state, layout=layout)


def _each(cells: Cells) -> Sequence[BaseRNNCell]:
    return [cells] if isinstance(cells, BaseRNNCell) else cells


def save_rnn_checkpoint(
    cells: Cells,
    prefix: str,
    epoch: int,
    symbol: Symbol | None,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
) -> None:
    """Writes ``prefix-symbol.json`` and ``prefix-0001.params`` with the cells' weights unpacked."""
    for cell in _each(cells):
        arg_params = cell.unpack_weights(arg_params)
    save_checkpoint(prefix, epoch, symbol, arg_params, aux_params)


def load_rnn_checkpoint(cells: Cells, prefix: str, epoch: int) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Symbol, arguments and auxiliary states of a checkpoint, with the weights packed for these cells."""
    symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
    for cell in _each(cells):
        arg_params = cell.pack_weights(arg_params)
    return symbol, arg_params, aux_params


def do_rnn_checkpoint(cells: Cells, prefix: str, period: int = 1) -> Callable[..., None]:
    """A callback for the end of an epoch that saves a checkpoint every ``period`` epochs."""
    period = max(1, int(period))

    def callback(
        epoch: int,
        symbol: Symbol | None = None,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
    ) -> None:
        if (epoch + 1) % period == 0:
            save_rnn_checkpoint(cells, prefix, epoch + 1, symbol, arg_params or {}, aux_params or {})

    return callback
