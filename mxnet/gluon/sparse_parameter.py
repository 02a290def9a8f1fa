"""What parameters of row-sparse storage have: rows that a Trainer's store gives on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..context import Context, cpu
from ..error import MXNetError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.sparse import zeros as sparse_zeros
from ..ndarray.tape import attach_place, state


def attach_rows(array_: Any, grad: Any, req: str) -> None:
    """Makes a row-sparse array a variable."""
    array_._grad, array_._grad_req, array_._epoch = grad, req, state.epoch
    array_._place, array_._leaf = attach_place(array_, grad, req)


class SparseRows:
    """The part of ``Parameter`` that is about row-sparse storage."""

    name: str
    grad_req: str
    _stype: str
    _data: list[NDArray] | None
    _grad: list[NDArray] | None
    _trainer: Any
    _check_and_get: Callable[[list[NDArray] | None, Context | None], NDArray]
    _not_there: Callable[[], MXNetError]

    def row_sparse_data(self, row_id: NDArray) -> NDArray:
        """The rows of a row-sparse parameter with these numbers, on the context of ``row_id``: the newest ones."""
        array_ = self._check_and_get(self._rows("row_sparse_data"), row_id._ctx)
        self._pull([array_], row_id)
        return array_

    def list_row_sparse_data(self, row_id: NDArray) -> list[NDArray]:
        """The rows of a row-sparse parameter with these numbers, on all contexts."""
        arrays = self._rows("list_row_sparse_data")
        self._pull(arrays, row_id)
        return list(arrays)

    def _rows(self, method: str) -> list[NDArray]:
        if self._stype == "default":
            raise MXNetError(
                f"Cannot return a copy of Parameter {self.name} via {method}() because its storage type is default. "
                "Please use data() instead."
            )
        if self._data is None:
            raise self._not_there()
        return self._data

    def _pull(self, arrays: list[NDArray], row_id: NDArray) -> None:
        """Gives the arrays the rows that the trainer's store has."""
        if self._trainer is None:
            raise MXNetError(
                f"Cannot get row_sparse data for Parameter '{self.name}' when no Trainer is created with it."
            )
        self._trainer._row_sparse_pull(self, arrays, row_id)

    def _all_rows(self) -> NDArray:
        """All rows, on the host: those of the trainer's store once it has them."""
        arrays = self._rows("row_sparse_data")
        trainer = self._trainer
        if trainer is None or not trainer._kv_initialized:
            return arrays[0].detach().as_in_context(cpu())
        everything = wrap(torch.arange(arrays[0].shape[0]), cpu())
        target = sparse_zeros("row_sparse", arrays[0].shape, cpu(), arrays[0].dtype)
        trainer._row_sparse_pull(self, [target], everything)
        return target
