"""The stores that training loops use, and how gradients and parameters go through them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from .. import optimizer as opt
from .._core import config
from ..error import MXNetTypeError
from ..ndarray import NDArray
from .base import KVStoreBase, create
from .kvstore import KVStore

Arrays = Sequence[Sequence[NDArray]]

#: With a larger parameter than this, a 'local' store leaves updates to the devices.
_LARGE_PARAMETER = 1024 * 1024 * 16


def _create_sparse_kvstore(kvstore: Any) -> tuple[KVStoreBase, bool]:
    """The store for row-sparse parameters: it makes all updates."""
    if isinstance(kvstore, str):
        kvstore = create(kvstore)
    if not isinstance(kvstore, KVStore):
        raise MXNetTypeError(
            f"Cannot create '{kvstore}' KVStore with row_sparse parameters. The type must be KVStore or str."
        )
    return kvstore, True


def _create_kvstore(
    kvstore: Any, num_device: int, arg_params: Mapping[str, NDArray]
) -> tuple[KVStoreBase | None, bool]:
    """The store to train with, if any, and whether it makes the updates.

    A single device has none unless it is given as an object or is distributed. ``MXNET_UPDATE_ON_KVSTORE=0``
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
            store = create(kvstore)
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


def _sum_gradients(kvstore: Any, keys: Sequence[Hashable], grads: Sequence[Sequence[NDArray]]) -> None:
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
    """Makes sure that all workers in step have had as many batches; else some would wait forever for gradients."""
    check = getattr(kvstore, "end_of_epoch", None)
    if check is not None:
        check(epoch, batches)
