"""What modules and FeedForward share: checkpoints, key-value stores for parameters, and their updates."""

from __future__ import annotations

import logging
from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any

from . import kvstore as kvs, ndarray as nd, optimizer as opt, symbol as sym
from ._core import config
from ._core.files import writing_together
from .context import cpu
from .error import MXNetTypeError, MXNetValueError
from .kvstore import KVStoreBase
from .ndarray import NDArray

Params = dict[str, NDArray]
Arrays = Sequence[Sequence[NDArray]]

#: What callbacks get after a batch.
BatchEndParam = namedtuple("BatchEndParams", ["epoch", "nbatch", "eval_metric", "locals"], module="mxnet.model")

#: With a larger parameter than this, a 'local' store leaves updates to the devices.
_LARGE_PARAMETER = 1024 * 1024 * 16

# ---- checkpoints ---------------------------------------------------------------------------------------------------


def checkpoint_name(prefix: str, epoch: int, kind: str) -> str:
    """The name of a file of a checkpoint: ``prefix-0001.params`` or ``prefix-0001.states``."""
    return f"{prefix}-{epoch:04d}.{kind}"


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Any,
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


def load_checkpoint(prefix: str, epoch: int) -> tuple[Any, Params, Params]:
    """Symbol, parameters and auxiliary states of a checkpoint."""
    symbol = sym.load(f"{prefix}-symbol.json")
    return symbol, *load_params(prefix, epoch)


# ---- stores and updates --------------------------------------------------------------------------------------------


def _create_sparse_kvstore(kvstore: Any) -> tuple[KVStoreBase, bool]:
    """The store for row-sparse parameters: it makes all updates."""
    if isinstance(kvstore, str):
        kvstore = kvs.create(kvstore)
    if not isinstance(kvstore, kvs.KVStore):
        raise MXNetTypeError(
            f"Cannot create '{kvstore}' KVStore with row_sparse parameters. The type must be KVStore or str."
        )
    return kvstore, True


def _create_kvstore(
    kvstore: Any, num_device: int, arg_params: Mapping[str, NDArray]
) -> tuple[KVStoreBase | None, bool]:
    """The store to train with, if any, and whether it makes the updates.

    There is none for a single device unless it is given as an object or is distributed. ``MXNET_UPDATE_ON_KVSTORE=0``
    leaves updates to the devices.
    """
    update_on_kvstore = config.UPDATE_ON_KVSTORE.get()
    if kvstore is None:
        store = None
    elif isinstance(kvstore, KVStoreBase):
        store = kvstore
    elif isinstance(kvstore, str):
        if num_device == 1 and "dist" not in kvstore:
            store = None
        else:
            store = kvs.create(kvstore)
            if kvstore == "local" and max((a.size for a in arg_params.values()), default=0) > _LARGE_PARAMETER:
                update_on_kvstore = False
    else:
        raise MXNetTypeError("kvstore must be KVStore, str or None")
    if store is None:
        return None, False
    return store, update_on_kvstore and store.is_capable(KVStoreBase.OPTIMIZER)


def _initialize_kvstore(
    kvstore: Any,
    param_arrays: Arrays,
    arg_params: Mapping[str, NDArray],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Puts the parameters into the store and, if that makes the updates, their values from there to the devices."""
    for i, (name, arrays) in enumerate(zip(param_names, param_arrays, strict=True)):
        if hasattr(kvstore, "init"):
            kvstore.init(name, arg_params[name])
            if update_on_kvstore or kvstore.num_workers > 1:  # workers begin with the same values
                kvstore.pull(name, list(arrays), priority=-i)
        else:
            kvstore.broadcast(name, arg_params[name], list(arrays), priority=-i)


def _with_grads(param_arrays: Arrays, grad_arrays: Arrays) -> list[tuple[int, list[NDArray], list[NDArray]]]:
    """Number, arrays and gradients of the parameters that have gradients."""
    pairs = enumerate(zip(param_arrays, grad_arrays, strict=True))
    return [(i, list(arrays), list(grads)) for i, (arrays, grads) in pairs if grads[0] is not None]


def _update_params_on_kvstore(
    param_arrays: Arrays, grad_arrays: Arrays, kvstore: Any, param_names: Sequence[str]
) -> None:
    """Sends all gradients to the store, which makes the updates, and fetches the parameters."""
    rows = _with_grads(param_arrays, grad_arrays)
    if rows:
        names = [param_names[i] for i, _, _ in rows]
        kvstore.pushpull(names, [grads for _, _, grads in rows], [arrays for _, arrays, _ in rows])


_update_params_on_kvstore_nccl = _update_params_on_kvstore


def _sum_gradients(kvstore: Any, keys: Sequence[Any], grads: Sequence[Sequence[NDArray]]) -> None:
    """Sums gradients over devices and workers, in place; ``pushpull`` itself leaves sparse arrays as they are."""
    rows = list(zip(keys, grads, strict=True))
    dense = [(k, list(g)) for k, g in rows if g[0].stype == "default"]
    sparse = [(k, list(g)) for k, g in rows if g[0].stype != "default"]
    if dense:
        kvstore.pushpull([k for k, _ in dense], [g for _, g in dense])
    if sparse:
        names, arrays = [k for k, _ in sparse], [g for _, g in sparse]
        kvstore.push(names, arrays)
        kvstore.pull(names, arrays, ignore_sparse=False)


def _update_params(
    param_arrays: Arrays,
    grad_arrays: Arrays,
    updater: Any,
    num_device: int,
    kvstore: Any = None,
    param_names: Sequence[str] | None = None,
) -> None:
    """Sums all gradients over the devices, if there is a store, and updates the parameters on each device."""
    rows = _with_grads(param_arrays, grad_arrays)
    if not rows:
        return
    if kvstore is not None:
        assert param_names is not None
        names, all_grads = [param_names[i] for i, _, _ in rows], [grads for _, _, grads in rows]
        if hasattr(kvstore, "push"):
            _sum_gradients(kvstore, names, all_grads)
        else:
            for name, grads in zip(names, all_grads, strict=True):
                kvstore.pushpull(name, grads)
    for k in range(num_device):
        indices = [i * num_device + k for i, _, _ in rows]
        weights, gradients = [arrays[k] for _, arrays, _ in rows], [grads[k] for _, _, grads in rows]
        if isinstance(updater, opt.Updater):
            updater(indices, gradients, weights)
        else:
            for index, grad, weight in zip(indices, gradients, weights, strict=True):
                updater(index, grad, weight)


def end_of_epoch(kvstore: Any, epoch: int, batches: int) -> None:
    """Makes sure that all workers in step have had as many batches; else some would wait for gradients in vain."""
    check = getattr(kvstore, "end_of_epoch", None)
    if check is not None:
        check(epoch, batches)
