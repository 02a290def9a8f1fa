"""What ``asnumpy`` gives for an array of one element: NumPy's array, and a number when one is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["OneElement"]

# Methods and properties of an array whose results NumPy gives the class of that array. The results of operators
# (``a + 1``, ``a += 1``) and of the reductions come from ufuncs, those of functions by `__array_function__`.
_METHODS = (
    "all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy cumprod "
    "cumsum diagonal dot flatten getfield max mean min newbyteorder nonzero prod ptp ravel repeat reshape round "
    "searchsorted squeeze std sum swapaxes take to_device trace transpose var view __array__ __array_prepare__ "
    "__array_wrap__ __copy__ __deepcopy__ __getitem__ __iter__ __reduce__ __reduce_ex__ __repr__ __str__"
)
_PROPERTIES = "T flat imag mT real"


def _plain(value: Any) -> Any:
    """``value`` with ordinary arrays in place of `OneElement`s, also inside of lists, tuples and dictionaries."""
    if isinstance(value, OneElement):
        return np.ndarray.view(value, np.ndarray)
    if type(value) in (list, tuple):
        return type(value)(_plain(item) for item in value)
    if type(value) is dict:
        return {key: _plain(item) for key, item in value.items()}
    return value


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What ``function`` gives for ordinary arrays; an ``out=`` that it gives back is the object that was given."""
    outputs = kwargs.get("out")
    result = function(*_plain(args), **_plain(kwargs))
    if isinstance(outputs, OneElement):
        return outputs
    if isinstance(outputs, tuple):
        results = result if isinstance(result, tuple) else (result,)
        results = tuple(
            given if isinstance(given, OneElement) else one for given, one in zip(outputs, results, strict=True)
        )
        return results if isinstance(result, tuple) else results[0]
    return result


class OneElement(np.ndarray):
    """A NumPy array that ``float()``, ``int()`` and ``'%f' % array`` take for its only element.

    Programs for MXNet write ``print('loss %f' % loss.mean().asnumpy())``, where the shape is ``(1,)``. NumPy allowed
    that until version 2.4, which refuses arrays that have dimensions. With more elements it is refused as ever.
    Whatever is computed or copied from it, or is a view of it, is an ordinary array or scalar of NumPy.
    """

    _baseclass = np.ndarray  # what `numpy.ma` reads: the class of the data of a masked array

    def __float__(self) -> float:
        return float(self.item()) if self.size == 1 else super().__float__()

    def __int__(self) -> int:
        return int(self.item()) if self.size == 1 else super().__int__()

    def __complex__(self) -> complex:
        return complex(self.item()) if self.size == 1 else super().__complex__()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **kwargs: object) -> Any:
        return _call(getattr(ufunc, method), inputs, kwargs)

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        return _call(func, args, kwargs)


def _method(name: str) -> Callable[..., Any]:
    def method(self: OneElement, *args: object, **kwargs: object) -> Any:
        return _call(getattr(np.ndarray, name), (self, *args), kwargs)

    method.__name__, method.__doc__ = name, f"``{name}`` of the ordinary array."
    return method


for _name in filter(lambda name: hasattr(np.ndarray, name), _METHODS.split()):
    setattr(OneElement, _name, _method(_name))
for _name in filter(lambda name: hasattr(np.ndarray, name), _PROPERTIES.split()):
    _get = lambda self, name=_name: getattr(_plain(self), name)  # noqa: E731
    setattr(OneElement, _name, property(_get, getattr(np.ndarray, _name).__set__, None, f"``{_name}`` of the array."))
