"""What an NDArray holds, and how that becomes something else: numbers, arrays of NumPy and torch, DLPack capsules."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .._core.dtypes import NAME_OF, NUMPY_OF, bfloat16
from .._core.memory import expose
from ..error import MXNetTypeError, MXNetValueError
from .one_element import OneElement
from .tape import check_writable, settle


class Exchange:
    """The part of NDArray that is about its tensor alone."""

    _data: torch.Tensor
    _is_sparse: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return tuple(self._data.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._data.numel()

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._data.dim()

    @property
    def dtype(self) -> Any:
        """The NumPy type of the elements, e.g. ``numpy.float32``."""
        return NUMPY_OF[self._data.dtype]

    def __bool__(self) -> bool:
        size = self.size
        if size == 1:
            return bool(self.asscalar())
        if size == 0:
            return False
        raise MXNetValueError(
            f"The truth value of an NDArray with multiple elements is ambiguous. This one has shape {self.shape}: ask "
            "for one number, e.g. (x > 0).sum().asscalar() or x.asnumpy().any()"
        )

    __nonzero__ = __bool__

    def __int__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def _number(self) -> Any:
        try:
            return self.asscalar()
        except MXNetValueError as error:  # for Python it is the type that is wrong
            raise MXNetTypeError(str(error)) from None

    def __index__(self) -> int:
        if self._data.is_floating_point():
            raise MXNetTypeError(f"only an integer array can be an index, this one is {NAME_OF[self._data.dtype]}")
        return int(self)

    def asnumpy(self) -> np.ndarray:
        """A copy as a NumPy array, in C order."""
        data = self._data
        if data.dtype is torch.bfloat16:
            return data.contiguous().cpu().view(torch.int16).numpy().view(bfloat16).copy()
        if data.is_cuda:
            copy = data.cpu().contiguous().numpy()
        else:
            copy = data.clone(memory_format=torch.contiguous_format).numpy()
        return copy.view(OneElement) if copy.size == 1 and copy.ndim else copy

    def asscalar(self) -> Any:
        """The only element, as a NumPy scalar."""
        data = None if self._is_sparse else self._data
        if data is not None and data.numel() == 1 and data.dtype is not torch.bfloat16:
            return NUMPY_OF[data.dtype](data.item())
        if self.size != 1:
            raise MXNetValueError(
                f"The current array is not a scalar: it has shape {self.shape}, expected one element. Reduce it first, "
                "e.g. by mean(), or take asnumpy()"
            )
        return self.asnumpy().reshape(())[()]

    def item(self) -> Any:
        """The only element, as a Python scalar."""
        return self.asscalar().item()

    def tolist(self) -> Any:
        """The elements as nested lists."""
        return self.asnumpy().tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("an NDArray becomes a NumPy array by a copy; use from_numpy() to share memory")
        array = self.asnumpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def as_torch(self) -> torch.Tensor:
        """The array as a torch tensor that shares its memory. Writes on either side are seen on the other."""
        settle(self)  # type: ignore[arg-type]
        return expose(self._data.detach())

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.as_torch().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._data.__dlpack_device__()

    def to_dlpack_for_read(self) -> Any:
        """A DLPack capsule that shares the array's memory; the reader must not write."""
        return self.__dlpack__()

    def to_dlpack_for_write(self) -> Any:
        """A DLPack capsule that shares the array's memory."""
        check_writable(self)  # type: ignore[arg-type]
        return self.__dlpack__()
