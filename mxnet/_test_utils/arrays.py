"""Making arrays to test with: random, structured, or from others by plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ndarray import NDArray, array
from .sparse import rand_sparse_ndarray


def default_dtype() -> type:
    """The dtype of arrays in tests."""
    return np.float32


def random_arrays(*shapes: tuple[int, ...]) -> Any:
    """NumPy arrays of normal numbers; one shape gives one array, several give a list."""
    arrays: list[np.ndarray] = [np.array(np.random.standard_normal(s), dtype=default_dtype()) for s in shapes]
    return arrays[0] if len(arrays) == 1 else arrays


def random_uniform_arrays(*shapes: tuple[int, ...], **kwargs: Any) -> list[np.ndarray]:
    """A list of NumPy arrays, uniform in [``low``, ``high``), by default [0, 1), of ``dtype``."""
    low, high = kwargs.pop("low", 0.0), kwargs.pop("high", 1.0)
    dtype = kwargs.pop("dtype", default_dtype())
    if kwargs:
        raise TypeError(f"Got unexpected argument/s : {', '.join(kwargs)}")
    return [np.random.uniform(low, high, size=s).astype(dtype) for s in shapes]


def random_sample(population: Sequence[Any], k: int) -> list[Any]:
    """``k`` different elements in random order; follows ``numpy.random.seed``."""
    return [population[i] for i in np.random.permutation(len(population))[:k]]


def _dims(limits: Sequence[int], allow_zero_size: bool) -> tuple[int, ...]:
    low = 0 if allow_zero_size else 1
    return tuple(int(np.random.randint(low, high + 1)) for high in limits)


def rand_shape_2d(dim0: int = 10, dim1: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """A random shape of two dimensions, each at most as given."""
    return _dims((dim0, dim1), allow_zero_size)


def rand_shape_3d(dim0: int = 10, dim1: int = 10, dim2: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """A random shape of three dimensions, each at most as given."""
    return _dims((dim0, dim1, dim2), allow_zero_size)


def rand_shape_nd(num_dim: int, dim: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """A random shape of ``num_dim`` dimensions of at most ``dim``."""
    return tuple(np.random.randint(0 if allow_zero_size else 1, dim + 1, size=num_dim).tolist())


def rand_coord_2d(x_low: int, x_high: int, y_low: int, y_high: int) -> tuple[int, int]:
    """A random point with x in [x_low, x_high) and y in [y_low, y_high)."""
    return int(np.random.randint(x_low, x_high)), int(np.random.randint(y_low, y_high))


def rand_ndarray(
    shape: Sequence[int],
    stype: str = "default",
    density: float | None = None,
    dtype: object = None,
    modifier_func: Callable[[Any], Any] | None = None,
    shuffle_csr_indices: bool = False,
    distribution: str | None = None,
    ctx: object = None,
) -> NDArray:
    """An NDArray of normal numbers. The arguments about density and distribution belong to sparse storage types."""
    if stype != "default":
        assert stype in ("row_sparse", "csr"), "unknown storage type"
        options: dict[str, Any] = {"modifier_func": modifier_func, "shuffle_csr_indices": shuffle_csr_indices}
        return rand_sparse_ndarray(shape, stype, density, dtype, distribution, **options, ctx=ctx)[0]
    return array(random_arrays(tuple(shape)), ctx=ctx, dtype=default_dtype() if dtype is None else dtype)


def create_2d_tensor(rows: int, columns: int, dtype: object = np.int64) -> NDArray:
    """An array in which each element is the number of its row."""
    return array(np.repeat(np.arange(rows).reshape(rows, 1), columns, axis=1), dtype=dtype)


def create_vector(size: int, dtype: object = np.int64) -> NDArray:
    """The numbers 0 to ``size - 1``."""
    return array(np.arange(size), dtype=dtype)


def get_identity_mat(size: int) -> NDArray:
    """The identity matrix."""
    return array(np.eye(size))


def get_identity_mat_batch(size: int) -> NDArray:
    """Two identity matrices."""
    return array(np.stack([np.eye(size)] * 2))


def new_orthonormal_matrix_2d(n: int) -> np.ndarray:
    """A random matrix whose columns are orthogonal and of length one."""
    return np.linalg.qr(np.random.standard_normal((n, n)))[0]


def new_matrix_with_real_eigvals_2d(n: int) -> np.ndarray:
    """A random well-conditioned square matrix with small real eigenvalues."""
    basis = new_orthonormal_matrix_2d(n)
    triangle = np.triu(np.random.uniform(-1.0, 1.0, (n, n)), 1)
    return basis @ (np.diag(_eigenvalues(n)) + triangle) @ basis.T


def new_sym_matrix_with_real_eigvals_2d(n: int) -> np.ndarray:
    """A random symmetric matrix with small eigenvalues."""
    basis = new_orthonormal_matrix_2d(n)
    matrix = (basis * _eigenvalues(n)) @ basis.T
    return (matrix + matrix.T) / 2


def _eigenvalues(n: int) -> np.ndarray:
    """Numbers of both signs, none near zero and no two close together, so that factorizations are stable."""
    return np.random.permutation(np.linspace(1.0, 10.0, n)) * np.random.choice([-1.0, 1.0], n)


def _stack_matrices(make: Callable[[int], np.ndarray], shape: Sequence[int]) -> np.ndarray:
    count = int(np.prod(shape[:-2]))
    if not count:
        return np.zeros(shape)
    return np.stack([make(shape[-1]) for _ in range(count)]).reshape(shape)


def new_matrix_with_real_eigvals_nd(shape: Sequence[int]) -> np.ndarray:
    """A batch of ``new_matrix_with_real_eigvals_2d``: the last two dimensions are the matrix."""
    return _stack_matrices(new_matrix_with_real_eigvals_2d, shape)


def new_sym_matrix_with_real_eigvals_nd(shape: Sequence[int]) -> np.ndarray:
    """A batch of ``new_sym_matrix_with_real_eigvals_2d``: the last two dimensions are the matrix."""
    return _stack_matrices(new_sym_matrix_with_real_eigvals_2d, shape)


def np_reduce(dat: np.ndarray, axis: Any, keepdims: bool, numpy_reduce_func: Callable[..., Any]) -> Any:
    """A NumPy reduction over None, one axis or several, one after the other."""
    axes = range(dat.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    result = dat
    for i in sorted((a % dat.ndim for a in axes), reverse=True):
        result = numpy_reduce_func(result, axis=i)
    if keepdims:
        result = np.reshape(result, [1 if i in {a % dat.ndim for a in axes} else n for i, n in enumerate(dat.shape)])
    return result


def collapse_sum_like(a: np.ndarray, shape: Sequence[int]) -> np.ndarray:
    """Sums ``a`` over the axes along which an array of ``shape`` would be broadcast to it."""
    assert len(a.shape) >= len(shape), f"an array of shape {shape} cannot be broadcast to {a.shape}"
    extra = a.ndim - len(shape)
    ones = [extra + i for i, n in enumerate(shape) if n == 1 and a.shape[extra + i] != 1]
    return a.sum(axis=(*range(extra), *ones)).reshape(shape)


def assign_each(the_input: np.ndarray, function: Callable[[Any], Any] | None) -> np.ndarray:
    """An array of ``function(x)`` for each element; a copy if there is no function."""
    output = np.array(the_input)
    if function is not None:
        for i, value in np.ndenumerate(np.asarray(the_input)):
            output[i] = function(value)
    return output


def assign_each2(input1: np.ndarray, input2: np.ndarray, function: Callable[[Any, Any], Any] | None) -> np.ndarray:
    """An array of ``function(x, y)`` for each pair of elements; a copy of the first if there is no function."""
    if function is None:
        return np.array(input1)
    second = np.asarray(input2)
    assert np.shape(input1) == second.shape, f"shapes {np.shape(input1)} and {second.shape} differ"
    output = np.array(input1)
    for i, value in np.ndenumerate(np.asarray(input1)):
        output[i] = function(value, second[i])
    return output
