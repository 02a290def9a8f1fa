"""Checkpoints: the files of a symbol, its parameters and its states after an epoch."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from . import ndarray as nd, symbol as sym
from ._core.files import writing_together
from .context import cpu
from .error import MXNetValueError
from .ndarray import NDArray
from .symbol import Symbol

Params = dict[str, NDArray]


def checkpoint_name(prefix: str, epoch: int, kind: str) -> str:
    """The name of a file of a checkpoint: ``prefix-0001.params`` or ``prefix-0001.states``."""
    return f"{prefix}-{epoch:04d}.{kind}"


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Symbol | None,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    remove_amp_cast: bool = True,
) -> None:
    """Writes ``prefix-symbol.json`` (if there is a symbol) and ``prefix-0001.params``."""
    contents = {f"arg:{name}": array.as_in_context(cpu()) for name, array in arg_params.items()}
    contents.update({f"aux:{name}": array.as_in_context(cpu()) for name, array in aux_params.items()})
    param_name = checkpoint_name(prefix, epoch, "params")
    with writing_together():
        if symbol is not None:
            symbol.save(f"{prefix}-symbol.json", remove_amp_cast=remove_amp_cast)
        nd.save(param_name, contents)
    logging.info('Saved checkpoint to "%s"', param_name)


def load_params(prefix: str, epoch: int) -> tuple[Params, Params]:
    """Parameters and auxiliary states of a checkpoint."""
    name = checkpoint_name(prefix, epoch, "params")
    contents = nd.load(name)
    parts: dict[str, Params] = {"arg": {}, "aux": {}}
    if not contents:
        logging.warning("Params file '%s' is empty", name)
        return parts["arg"], parts["aux"]
    if not isinstance(contents, dict):
        raise MXNetValueError(f"{name} holds arrays without names; those of a checkpoint are 'arg:...' and 'aux:...'")
    for key, array in contents.items():
        kind, colon, short = key.partition(":")
        if not colon:
            raise MXNetValueError(f"{name}: {key!r} does not begin with 'arg:' or 'aux:' as in a checkpoint")
        if kind in parts:
            parts[kind][short] = array
    return parts["arg"], parts["aux"]


def load_checkpoint(prefix: str, epoch: int) -> tuple[Symbol, Params, Params]:
    """Symbol, parameters and auxiliary states of a checkpoint."""
    symbol = sym.load(f"{prefix}-symbol.json")
    return symbol, *load_params(prefix, epoch)
