"""Comparing arrays, with tolerances that fit their dtypes and messages that show the worst element."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Tolerance = float | Mapping[np.dtype, float] | None

_INTEGERS = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")


def _by_dtype(float16: float, float32: float, float64: float, integers: bool = True) -> dict[np.dtype, float]:
    table: dict[np.dtype, float] = {
        np.dtype(np.float16): float16,
        np.dtype(np.float32): float32,
        np.dtype(np.float64): float64,
    }
    if integers:
        table.update({np.dtype(name): 0 for name in _INTEGERS})
    return table


def default_rtols() -> dict[np.dtype, float]:
    """Relative tolerances by dtype."""
    return _by_dtype(1e-2, 1e-4, 1e-5)


def default_atols() -> dict[np.dtype, float]:
    """Absolute tolerances by dtype."""
    return _by_dtype(1e-1, 1e-3, 1e-20)


def default_numeric_eps() -> dict[np.dtype, float]:
    """Steps for finite differences by dtype: powers of two, so that they add no rounding of their own."""
    return _by_dtype(2.0**-6, 2.0**-9, 2.0**-14, integers=False)


def get_rtol(rtol: Tolerance = None, dtype: Any = np.dtype(np.float64)) -> Any:  # noqa: B008
    """``rtol``, or the default of a dtype if it is None."""
    return default_rtols()[np.dtype(dtype)] if rtol is None else rtol


def get_atol(atol: Tolerance = None, dtype: Any = np.dtype(np.float64)) -> Any:  # noqa: B008
    """``atol``, or the default of a dtype if it is None."""
    return default_atols()[np.dtype(dtype)] if atol is None else atol


def get_etol(etol: float | None = None) -> float:
    """The share of elements that may differ: ``etol``, or 0."""
    return 0 if etol is None else etol


def effective_dtype(dat: Any) -> np.dtype:
    """The dtype that decides the tolerance for an array."""
    return np.dtype(dat.dtype)


def get_tolerance(dat: Any, tol: Tolerance, default_tol: Mapping[np.dtype, float]) -> float:
    """The tolerance for one array: ``tol`` if it is a number, else looked up by dtype in ``tol`` or the defaults."""
    if isinstance(tol, int | float | np.number):
        return float(tol)
    dtype = effective_dtype(dat)
    return (tol or {}).get(dtype, default_tol.get(dtype, 0.0))


def get_tols(x: object, y: object, rtol: Tolerance, atol: Tolerance) -> tuple[float, float]:
    """The relative and absolute tolerance for comparing two arrays: the looser one of both dtypes."""
    arrays = [np.float64(v) if isinstance(v, int | float) else v for v in (x, y)]
    rtols = [get_tolerance(v, rtol, default_rtols()) for v in arrays]
    atols = [get_tolerance(v, atol, default_atols()) for v in arrays]
    return max(rtols), max(atols)


def to_numpy(value: object) -> np.ndarray:
    """An NDArray, torch tensor, NumPy array, list or number as a NumPy array."""
    if hasattr(value, "asnumpy"):
        return value.asnumpy()
    if hasattr(value, "detach"):
        return value.detach().cpu().numpy()
    return np.asarray(value)


def _broadcast(a: np.ndarray, b: np.ndarray, use_broadcast: bool) -> tuple[np.ndarray, np.ndarray]:
    if not use_broadcast:
        checkShapes(a, b)
    try:
        return np.broadcast_arrays(a, b)  # type: ignore[return-value]
    except ValueError:
        raise ValueError(f"arrays of shape {a.shape} and {b.shape} cannot be compared") from None


def _violations(a: np.ndarray, b: np.ndarray, rtol: float, atol: float, equal_nan: bool) -> np.ndarray:
    """For each element: how many times its error exceeds the tolerance; 1 or less is fine."""
    if a.dtype.kind in "biu" and b.dtype.kind in "biu" and not rtol and not atol:
        return np.where(a == b, 0.0, np.inf)  # exact, also where float64 would round
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        difference, tolerance = np.abs(a - b), atol + rtol * np.abs(b)
        ratio = difference / (tolerance + 1e-20)
    ratio = np.where(difference <= tolerance, np.minimum(ratio, 1.0), np.maximum(ratio, np.nextafter(1.0, 2.0)))
    fine = a == b
    if equal_nan:
        fine |= np.isnan(a) & np.isnan(b)
    ratio[np.isnan(a) | np.isnan(b) | np.isinf(a) | np.isinf(b)] = np.inf
    ratio[fine] = 0.0
    return ratio


def _find_max_violation(a: np.ndarray, b: np.ndarray, rtol: float, atol: float) -> tuple[tuple[int, ...], float]:
    """Where two arrays differ most, and how many times the tolerance by."""
    ratio = _violations(a, b, rtol, atol, equal_nan=True)
    where = np.unravel_index(ratio.argmax(), ratio.shape)
    return tuple(int(i) for i in where), float(ratio[where])


def checkShapes(a: Any, b: Any) -> None:
    """Raises AssertionError if two arrays have different shapes."""
    if a.shape != b.shape:
        raise AssertionError(
            f"\nItems are not equal: a.shape = {a.shape} and b.shape = {b.shape} are not equal"
            f"\n ACTUAL: {a!r}\n DESIRED: {b!r}"
        )


def locationError(a: Any, b: Any, index: tuple[int, ...], names: tuple[str, str], maxError: bool = False) -> str:
    """Describes where two arrays differ, and their values there."""
    what = "maximum error" if maxError else "error"
    place = ", ".join(str(int(i)) for i in index) + ("," if len(index) == 1 else "")
    return f"Location of {what}: ({place}), {names[0]}={a[index]:.8f}, {names[1]}={b[index]:.8f}"


def same(a: Any, b: Any) -> bool:
    """Do two arrays have the same shape and equal elements?"""
    return np.array_equal(to_numpy(a), to_numpy(b))


def almost_equal(
    a: object,
    b: object,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    use_broadcast: bool = True,
) -> bool:
    """Are two arrays equal within ``atol + rtol * abs(b)``, by default the tolerances of float64, or of integers?"""
    left, right = _broadcast(to_numpy(a), to_numpy(b), use_broadcast)
    dtype = np.result_type(left.dtype if left.dtype.kind in "biu" and right.dtype.kind in "biu" else np.float64)
    return _compare(left, right, get_rtol(rtol, dtype), get_atol(atol, dtype), equal_nan, 0)[0] == 0


#: How many elements are compared at a time: what that takes beside the arrays stays in a processor's cache.
_PIECE = 1 << 16


def _compare(
    a: np.ndarray, b: np.ndarray, rtol: float, atol: float, equal_nan: bool, keep: int
) -> tuple[int, list[tuple[float, int]]]:
    """How many elements differ, and the worst of them: by how much, and where in the flat array. Piece by piece."""
    wrong, start = 0, 0
    worst: list[tuple[float, int]] = []
    flags = ["external_loop", "buffered", "zerosize_ok"]
    for left, right in np.nditer([a, b], flags=flags, order="C", buffersize=_PIECE):  # type: ignore[call-overload]
        exact = left.dtype.kind in "biu"
        if not exact:
            with np.errstate(invalid="ignore", over="ignore"):
                tolerance = atol + rtol * np.abs(right).astype(np.float64)
                close = np.abs(np.subtract(left, right, dtype=np.float64)) <= tolerance
        if exact or not close.all() or not tolerance.max(initial=0.0) < np.inf:
            violations = _violations(left, right, rtol, atol, equal_nan)
            count = int((violations > 1.0).sum())
            if count:
                wrong += count
                order = np.argsort(-violations, kind="stable")[: min(keep, count)]
                worst += [(float(violations[i]), start + int(i)) for i in order]
                worst = sorted(worst, key=lambda each: (-each[0], each[1]))[:keep]
        start += left.size
    return wrong, worst


def assert_almost_equal(
    a: object,
    b: object,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: tuple[str, str] = ("a", "b"),
    equal_nan: bool = False,
    use_broadcast: bool = True,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Raises AssertionError unless two arrays are equal within ``atol + rtol * abs(b)``.

    Takes NDArrays, torch tensors, NumPy arrays, lists and numbers. A tolerance is a number, a dict of dtype to number,
    or None for the defaults of the dtypes. The worst ``mismatches[0]`` elements are printed with their places. Arrays
    are compared piece by piece: the largest need no more memory than they have.
    """
    assert_almost_equal_with_err(a, b, rtol, atol, 0, names, equal_nan, mismatches, use_broadcast)


def assert_almost_equal_with_err(
    a: object,
    b: object,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    etol: float | None = None,
    names: tuple[str, str] = ("a", "b"),
    equal_nan: bool = False,
    mismatches: tuple[int, int] = (10, 10),
    use_broadcast: bool = True,
) -> None:
    """Like ``assert_almost_equal``, but a share ``etol`` of the elements may differ."""
    left, right = to_numpy(a), to_numpy(b)
    rtol, atol = get_tols(left, right, rtol, atol)
    full_left, full_right = _broadcast(left, right, use_broadcast)
    size, shape = full_left.size, full_left.shape
    wrong, worst = _compare(full_left, full_right, rtol, atol, equal_nan, max(1, mismatches[0]))
    if wrong == 0 or (get_etol(etol) and wrong / size <= get_etol(etol)):
        return
    places = [tuple(map(int, np.unravel_index(i, shape))) for _, i in worst]
    if len(worst) > 1:
        print(f"\n*** Maximum errors for vector of size {size}:  rtol={rtol}, atol={atol}\n")
        for i, ((violation, _), place) in enumerate(zip(worst, places, strict=True), 1):
            print(f"{i:3d}: Error {violation:f}  {locationError(full_left, full_right, place, names)}")
    share = f" (mismatch {100 * wrong / size:f}%)" if shape else ""
    where = locationError(full_left, full_right, places[0], names, maxError=True) if shape else ""
    with np.printoptions(threshold=6, edgeitems=3):
        raise AssertionError(
            f"\nItems are not equal:\nError {worst[0][0]:f} exceeds tolerance rtol={rtol:e}, atol={atol:e}{share}.\n"
            f"{where}\n ACTUAL: {left!r}\n DESIRED: {right!r}"
        )


def assert_allclose(a: object, b: object, rtol: float = 1e-07, atol: float = 0, equal_nan: bool = True) -> None:
    """``assert_almost_equal`` with the defaults of ``numpy.testing.assert_allclose``."""
    assert_almost_equal(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def assert_almost_equal_ignore_nan(
    a: object, b: object, rtol: Tolerance = None, atol: Tolerance = None, names: tuple[str, str] = ("a", "b")
) -> None:
    """Like ``assert_almost_equal``, but elements that are NaN in either array count as equal."""
    left, right = np.copy(to_numpy(a)), np.copy(to_numpy(b))
    nan = np.isnan(left) | np.isnan(right)
    left[nan] = 0
    right[nan] = 0
    assert_almost_equal(left, right, rtol, atol, names)


def assert_exception(f: Callable[..., Any], exception_type: type[BaseException], *args: Any, **kwargs: Any) -> None:
    """Raises AssertionError unless ``f(*args, **kwargs)`` raises ``exception_type``."""
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    raise AssertionError(f"{getattr(f, '__name__', f)} did not raise {exception_type.__name__}")


def compare_ndarray_tuple(t1: Any, t2: Any, rtol: Tolerance = None, atol: Tolerance = None) -> None:
    """``assert_almost_equal`` through nested tuples of NDArrays and None."""
    if t1 is None or t2 is None:
        return
    if isinstance(t1, tuple):
        for a, b in zip(t1, t2, strict=True):
            compare_ndarray_tuple(a, b, rtol, atol)
    else:
        assert_almost_equal(t1, t2, rtol=rtol, atol=atol)


def same_array(array1: Any, array2: Any) -> bool:
    """Are two NDArrays the same elements in memory?"""
    if array1.stype != "default" or array2.stype != "default":
        return array1 is array2
    a, b = array1.as_torch(), array2.as_torch()
    return bool(
        a.numel()
        and a.data_ptr() == b.data_ptr()
        and a.dtype == b.dtype
        and a.shape == b.shape
        and a.stride() == b.stride()
    )


def retry(n: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: runs a stochastic test up to ``n`` times until it raises no AssertionError."""
    assert n > 0, f"retry needs at least one try, got {n}"

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            for _ in range(n - 1):
                try:
                    return function(*args, **kwargs)
                except AssertionError as error:
                    print(f"{function.__name__}: trying again after {type(error).__name__}: {error}")
            return function(*args, **kwargs)

        return wrapper

    return decorate
