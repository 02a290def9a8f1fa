"""The functions of ``mx.np`` that are more than one operator with its attributes, for arrays and symbols alike.

Each takes the ``Backend`` first; ``for_backend`` gives the functions without it.
"""

from __future__ import annotations

import functools
import inspect
from math import prod
from typing import Any

import numpy as np

from ...error import MXNetNotImplementedError, MXNetTypeError, MXNetValueError
from ..types import Kernel, Keywords
from . import creation_functions as creation
from .signatures import NUMBERS, Array, Backend, Operand, _run, array_argument, as_number, as_shape


def _sequence(F: Backend, function: str, arrays: Operand) -> list[Operand]:
    found = list(arrays)
    if not found:
        raise MXNetValueError(f"{function}: need at least one array")
    return [array_argument(F, function, f"arrays[{i}]", a) for i, a in enumerate(found)]


# ---- joining and splitting -------------------------------------------------------------------------------------------


def concatenate(F: Backend, seq: Operand, axis: int | None = 0, out: Operand = None) -> Array:
    """The arrays joined along an axis; flattened first, if it is None."""
    arrays = _sequence(F, "concatenate", seq)
    return _run(F, "_npi_concatenate", *arrays, num_args=len(arrays), axis=axis, out=out)


def append(F: Backend, arr: Operand, values: Operand, axis: int | None = None) -> Array:
    """The array with another at its end along an axis; both flattened, if it is None."""
    return concatenate(F, (arr, values), axis)


def stack(F: Backend, arrays: Operand, axis: int = 0, out: Operand = None) -> Array:
    """The arrays joined along a new axis."""
    found = _sequence(F, "stack", arrays)
    return _run(F, "_npi_stack", *found, num_args=len(found), axis=axis, out=out)


def vstack(F: Backend, arrays: Operand, out: Operand = None) -> Array:
    """The arrays joined as rows."""
    found = _sequence(F, "vstack", arrays)
    return _run(F, "_npi_vstack", *found, num_args=len(found), out=out)


def row_stack(F: Backend, arrays: Operand) -> Array:
    """The arrays joined as rows."""
    return vstack(F, arrays)


def hstack(F: Backend, arrays: Operand) -> Array:
    """The arrays joined along the second axis; those of one dimension along that."""
    found = _sequence(F, "hstack", arrays)
    return _run(F, "_npi_hstack", *found, num_args=len(found))


def dstack(F: Backend, arrays: Operand) -> Array:
    """The arrays joined along the third axis."""
    found = _sequence(F, "dstack", arrays)
    return _run(F, "_npi_dstack", *found, num_args=len(found))


def column_stack(F: Backend, tup: Any) -> Array:
    """The arrays joined as columns."""
    found = _sequence(F, "column_stack", tup)
    return _run(F, "_npi_column_stack", *found, num_args=len(found))


def _atleast(dims: int) -> Kernel:
    def function(F: Backend, *arys: Operand) -> Any:
        found = [array_argument(F, f"atleast_{dims}d", f"arys[{i}]", a) for i, a in enumerate(arys)]
        return _run(F, f"_np_atleast_{dims}d", *found, num_args=len(found))

    function.__doc__ = f"The arrays with new axes of size 1, where they have fewer than {dims} dimensions."
    return function


atleast_1d, atleast_2d, atleast_3d = _atleast(1), _atleast(2), _atleast(3)


def _cut(F: Backend, op: str, ary: Operand, indices_or_sections: Any, axis: int, even: bool) -> Any:
    if isinstance(indices_or_sections, int | np.integer):
        size = None if not hasattr(ary, "shape") or not isinstance(ary.shape, tuple) else ary.shape[axis]
        if indices_or_sections < 1:
            raise MXNetValueError("number of sections must be larger than 0")
        if even and size is not None and size % indices_or_sections:
            raise MXNetValueError("array split does not result in an equal division")
        parts = _run(F, op, ary, indices=(), axis=axis, squeeze_axis=False, sections=int(indices_or_sections))
    elif isinstance(indices_or_sections, list | tuple | set):
        places = (0, *indices_or_sections)
        parts = _run(F, op, ary, indices=places, axis=axis, squeeze_axis=False)
    else:
        raise MXNetValueError("indices_or_sections must be either int, or tuple / list / set of ints")
    if hasattr(parts, "list_outputs") and len(parts.list_outputs()) > 1:
        return list(parts)
    return [parts] if F.is_array(parts) else parts


def split(F: Backend, ary: Operand, indices_or_sections: Any, axis: int = 0) -> Any:
    """The array cut along an axis into equal parts (a number), or at indices (a tuple)."""
    return _cut(F, "_npi_split", ary, indices_or_sections, axis, True)


def array_split(F: Backend, ary: Operand, indices_or_sections: Any, axis: int = 0) -> Any:
    """The array cut along an axis into parts as equal as can be (a number), or at indices (a tuple)."""
    return _cut(F, "_npi_split", ary, indices_or_sections, axis, False)


def vsplit(F: Backend, ary: Operand, indices_or_sections: Any) -> Any:
    """The array cut along its first axis."""
    if getattr(ary, "ndim", 2) < 2:
        raise MXNetValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(F, ary, indices_or_sections, 0)


def hsplit(F: Backend, ary: Operand, indices_or_sections: Any) -> Any:
    """The array cut along its second axis, or its only one."""
    dims = getattr(ary, "ndim", None)
    if dims is not None and dims < 1:
        raise MXNetValueError("hsplit only works on arrays of 1 or more dimensions")
    return _cut(F, "_npi_hsplit", ary, indices_or_sections, 0 if dims == 1 else 1, False)


def dsplit(F: Backend, ary: Operand, indices_or_sections: Any) -> Any:
    """The array cut along its third axis."""
    if getattr(ary, "ndim", 3) < 3:
        raise MXNetValueError("dsplit only works on arrays of 3 or more dimensions")
    return _cut(F, "_npi_dsplit", ary, indices_or_sections, 2, True)


# ---- selecting -------------------------------------------------------------------------------------------------------


def where(F: Backend, condition: Operand, x: Operand = None, y: Operand = None) -> Any:
    """The elements of ``x`` where the condition holds, else those of ``y``; without them, the places where it holds."""
    if isinstance(condition, NUMBERS) and not x is y is None:
        return x if condition != 0 else y
    if (x is None) != (y is None):
        raise MXNetValueError("either both or neither of x and y should be given")
    if x is None:
        return nonzero(F, condition)
    if isinstance(x, NUMBERS):
        if isinstance(y, NUMBERS):
            return _run(F, "_npi_where_scalar2", condition, x=as_number(x), y=as_number(y))
        return _run(F, "_npi_where_lscalar", condition, y, scalar=as_number(x))
    if isinstance(y, NUMBERS):
        return _run(F, "_npi_where_rscalar", condition, x, scalar=as_number(y))
    return _run(F, "_npi_where", condition, x, y)


def nonzero(F: Backend, a: Operand) -> Any:
    """The indices of the elements that are not 0, an array for each dimension."""
    rows = _run(F, "_npi_nonzero", array_argument(F, "nonzero", "a", a))
    return tuple([rows[:, i] for i in range(max(1, a.ndim))])


def clip(F: Backend, a: Operand, a_min: Any, a_max: Any, out: Operand = None) -> Any:
    """The numbers limited to an interval, of which one end may be None."""
    if a_min is None and a_max is None:
        raise MXNetValueError("array_clip: must set either max or min")
    if isinstance(a, NUMBERS):
        return np.clip(a, a_min, a_max)
    low, high = (float("-inf") if a_min is None else a_min), (float("inf") if a_max is None else a_max)
    return _run(F, "_npi_clip", a, a_min=as_number(low), a_max=as_number(high), out=out)


def take(
    F: Backend, a: Operand, indices: Any, axis: int | None = None, mode: str = "raise", out: Operand = None
) -> Array:
    """The elements at indices along an axis, or of the flattened array; ``mode`` is for those that do not exist."""
    if mode not in ("wrap", "clip", "raise"):
        raise MXNetNotImplementedError(f"take: mode must be 'wrap', 'clip' or 'raise', got {mode!r}")
    array_argument(F, "take", "indices", indices)
    if axis is None:
        a, axis = _run(F, "_npi_reshape", a, newshape=-1), 0
    return _run(F, "_npi_take", a, indices, axis=axis, mode=mode, out=out)


def unique(
    F: Backend,
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Any:
    """The sorted elements, each once; also where each is first, which of them each element is, how many there are."""
    attrs = dict(return_index=return_index, return_inverse=return_inverse, return_counts=return_counts, axis=axis)
    found = _run(F, "_npi_unique", array_argument(F, "unique", "ar", ar), **attrs)
    return F.many(found) if isinstance(found, list) else found


def bincount(F: Backend, x: Operand, weights: Operand = None, minlength: int = 0) -> Array:
    """How often each number from 0 on occurs, or the sum of the weights where it does."""
    if minlength < 0:
        raise MXNetValueError("Minlength value should greater than 0")
    if weights is None:
        return _run(F, "_npi_bincount", x, minlength=minlength, has_weights=False)
    return _run(F, "_npi_bincount", x, weights, minlength=minlength, has_weights=True)


def histogram(
    F: Backend,
    a: Operand,
    bins: Any = 10,
    range: Any = None,
    normed: Any = None,
    weights: Operand = None,
    density: Any = None,
) -> Any:
    """How many numbers lie in each bin, and the edges of the bins."""
    if normed or weights is not None or density:
        raise MXNetNotImplementedError("histogram: normed, weights and density are not supported")
    if F.is_array(bins):
        return _run(F, "_npi_histogram", a, bins)
    if range is None:
        raise MXNetNotImplementedError("automatic range is not supported yet...")
    return _run(F, "_npi_histogram", a, bin_cnt=bins, range=range)


def _slice_attrs(obj: slice) -> Keywords:
    return {"start": obj.start, "stop": obj.stop, "step": obj.step}


def delete(F: Backend, arr: Operand, obj: Operand, axis: int | None = None) -> Array:
    """The array without the places that a number, a slice or an array names, along an axis or flattened."""
    if isinstance(obj, slice):
        return _run(F, "_npi_delete", arr, **_slice_attrs(obj), axis=axis)
    if isinstance(obj, int | np.integer):
        return _run(F, "_npi_delete", arr, int_ind=int(obj), axis=axis)
    if F.is_array(obj):
        return _run(F, "_npi_delete", arr, obj, axis=axis)
    raise MXNetTypeError(f"delete: 'obj' can not support type {type(obj)}")


def insert(F: Backend, arr: Operand, obj: Operand, values: Operand, axis: int | None = None) -> Array:
    """The array with values put before the places that a number, a slice or an array names."""
    inputs: list[Operand] = [arr]
    attrs: Keywords = {"axis": axis}
    if isinstance(values, NUMBERS):
        attrs["val"] = as_number(values)
    else:
        inputs.append(array_argument(F, "insert", "values", values))
    if isinstance(obj, slice):
        return _run(F, "_npi_insert_slice", *inputs, **_slice_attrs(obj), **attrs)
    if isinstance(obj, int | np.integer):
        return _run(F, "_npi_insert_scalar", *inputs, int_ind=int(obj), **attrs)
    if F.is_array(obj):
        return _run(F, "_npi_insert_tensor", *inputs, obj, **attrs)
    raise MXNetTypeError(f"insert: 'obj' can not support type {type(obj)}")


def diag_indices_from(F: Backend, arr: Operand) -> Any:
    """The indices of the main diagonal of an array whose dimensions are all equal."""
    return F.many(_run(F, "_npi_diag_indices_from", array_argument(F, "diag_indices_from", "arr", arr)))


def unravel_index(F: Backend, indices: Any, shape: Any, order: str = "C") -> Any:
    """Indices into a flat array as indices into one of this shape, an array for each dimension."""
    if order != "C":
        raise MXNetNotImplementedError(f"unravel_index: order must be 'C', got {order!r}")
    if isinstance(indices, NUMBERS):
        return np.unravel_index(int(indices) if isinstance(indices, bool) else indices, shape)  # type: ignore
    array_argument(F, "unravel_index", "indices", indices)
    if str(getattr(indices, "dtype", "")).startswith("float"):
        raise MXNetTypeError("unravel_index: indices must be integers; convert them with astype('int64')")
    sizes, flat = as_shape(shape), _run(F, "_npi_reshape", indices, newshape=-1)
    if any(n < 0 for n in sizes):
        raise MXNetValueError(f"unravel_index: sizes cannot be negative, got {sizes}")
    wide = _run(F, "_npi_cast", flat, dtype="int64")
    inside = _run(F, "_npi_equal", wide, _run(F, "_npi_clip", wide, a_min=0, a_max=prod(sizes) - 1))
    message = f"unravel_index: an index is out of bounds for the shape {sizes}"
    inside = _run(F, "_npx_constraint_check", inside, msg=message)
    rows = _run(F, "_unravel_index", flat, shape=sizes)
    rows = _run(F, "_npi_where", inside, rows, rows)  # symbols have to need the check
    parts = [_run(F, "_npi_slice", rows, begin=(i,), end=(i + 1,)) for i in range(len(sizes))]
    return tuple([_run(F, "_npx_reshape_like", part, indices) for part in parts])


# ---- products --------------------------------------------------------------------------------------------------------


def tensordot(F: Backend, a: Operand, b: Operand, axes: Any = 2) -> Array:
    """The products of two arrays summed over axes: the last of one and the first of the other, or pairs."""
    if isinstance(axes, int | np.integer):
        return _run(F, "_npi_tensordot_int_axes", a, b, axes=int(axes))
    if len(axes) != 2:
        raise MXNetValueError("Axes must consist of two arrays.")
    left, right = (as_shape(part) for part in axes)
    if len(left) != len(right):
        raise MXNetValueError("Axes length mismatch")
    return _run(F, "_npi_tensordot", a, b, a_axes_summed=left, b_axes_summed=right)


def inner(F: Backend, a: Operand, b: Operand) -> Array:
    """The products of two arrays summed over their last axes."""
    return tensordot(F, a, b, ([-1], [-1]))


def outer(F: Backend, a: Operand, b: Operand) -> Array:
    """The products of each element of one flattened array with each of another."""
    return tensordot(F, _run(F, "_np_reshape", a, newshape=-1), _run(F, "_np_reshape", b, newshape=-1), 0)


def vdot(F: Backend, a: Operand, b: Operand) -> Array:
    """The dot product of two flattened arrays."""
    return tensordot(F, _run(F, "_np_reshape", a, newshape=-1), _run(F, "_np_reshape", b, newshape=-1), 1)


def einsum(F: Backend, *operands: Any, **kwargs: Any) -> Array:
    """Sums of products in Einstein's notation: ``einsum('ij,jk->ik', a, b)``."""
    optimize, out = kwargs.pop("optimize", False), kwargs.pop("out", None)
    if kwargs or not operands or not isinstance(operands[0], str):
        raise MXNetValueError(
            f"einsum takes subscripts as text, arrays, optimize and out; got {kwargs or operands[:1]}"
        )
    arrays = operands[1:]
    attrs = dict(subscripts=operands[0], num_args=len(arrays), optimize=int(bool(optimize)))
    return _run(F, "_npi_einsum", *arrays, out=out, **attrs)


# ---- statistics ------------------------------------------------------------------------------------------------------


def average(
    F: Backend, a: Operand, axis: Any = None, weights: Operand = None, returned: bool = False, out: Operand = None
) -> Any:
    """The mean, each number with its weight; with ``returned`` also the sum of the weights."""
    if weights is None:
        return _run(F, "_npi_average", a, axis=axis, returned=returned, weighted=False, out=out)
    return _run(F, "_npi_average", a, weights, axis=axis, returned=returned, weighted=True, out=out)


def percentile(
    F: Backend,
    a: Operand,
    q: Operand,
    axis: Any = None,
    out: Operand = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> Array:
    """The q-th percentiles along axes, or of the whole array; one for each number of ``q``, in front."""
    if overwrite_input is not None:
        raise MXNetNotImplementedError("overwrite_input is not supported yet")
    attrs = dict(axis=axis, interpolation=interpolation, keepdims=keepdims, out=out)
    if isinstance(q, NUMBERS):
        return _run(F, "_npi_percentile", a, q_scalar=as_number(q), **attrs)
    return _run(F, "_npi_percentile", a, array_argument(F, "percentile", "q", q), q_scalar=None, **attrs)


def quantile(
    F: Backend,
    a: Operand,
    q: Operand,
    axis: Any = None,
    out: Operand = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> Array:
    """The quantiles along axes, or of the whole array; one for each number of ``q``, in front."""
    hundred = as_number(q) * 100 if isinstance(q, NUMBERS) else q * 100
    return percentile(F, a, hundred, axis, out, overwrite_input, interpolation, keepdims)


def diff(F: Backend, a: Operand, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Array:
    """The differences of neighbors along an axis, ``n`` times."""
    if prepend is not None or append is not None:
        raise MXNetNotImplementedError("prepend and append options are not supported yet")
    return _run(F, "_npi_diff", a, n=n, axis=axis)


def ediff1d(F: Backend, ary: Operand, to_end: Any = None, to_begin: Any = None) -> Array:
    """The differences of neighbors in the flattened array, with numbers put before and after them."""
    inputs: list[Operand] = [ary]
    attrs: Keywords = {}
    for name, value in (("begin", to_begin), ("end", to_end)):
        if F.is_array(value):
            inputs.append(value)
            attrs[f"to_{name}_arr_given"] = True
        elif value is not None:
            attrs[f"to_{name}_scalar"] = as_number(value)
    return _run(F, "_npi_ediff1d", *inputs, **attrs)


# ---- the rest --------------------------------------------------------------------------------------------------------


def around(F: Backend, x: Operand, decimals: int = 0, out: Operand = None, **kwargs: Any) -> Any:
    """The numbers rounded to so many decimals, halves to the even number."""
    if isinstance(x, NUMBERS):
        return np.around(x, decimals)
    return _run(F, "_npi_around", x, decimals=decimals, out=out)


round = round_ = around


def nan_to_num(
    F: Backend,
    x: Operand,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    **kwargs: Any,
) -> Any:
    """The array with numbers in the place of NaN and the infinities; without ``copy`` they are written into it."""
    if isinstance(x, NUMBERS):
        return np.nan_to_num(x, True, nan, posinf, neginf)
    attrs = dict(copy=copy, nan=nan, posinf=posinf, neginf=neginf)
    target = None if copy or hasattr(x, "list_outputs") else x
    return _run(F, "_npi_nan_to_num", array_argument(F, "nan_to_num", "x", x), out=target, **attrs)


def swapaxes(F: Backend, a: Operand, axis1: int, axis2: int) -> Array:
    """The array with two axes exchanged."""
    return _run(F, "_npi_swapaxes", a, dim1=axis1, dim2=axis2)


def pad(F: Backend, x: Operand, pad_width: Any = None, mode: str = "constant", **kwargs: Any) -> Array:
    """The array with a border of so many elements before and after along each axis."""
    allowed = {"constant": {"constant_values"}, "reflect": {"reflect_type"}, "symmetric": {"reflect_type"}}
    for key in kwargs:
        if key not in allowed.get(mode, ()):
            raise MXNetValueError(f"unsupported keyword arguments for mode '{mode}': {key}")
    if isinstance(pad_width, int) or not pad_width:
        raise MXNetTypeError("`pad_width` must be tuple.")
    pairs = tuple(pad_width)
    if len(pairs) > 2 and isinstance(pairs[0], int):
        raise MXNetValueError(f"pad_width is a pair of numbers, or one for each axis, got {pairs}")
    widths = ((pairs[0], pairs[-1]),) if all(isinstance(n, int) for n in pairs) else tuple(tuple(p) for p in pairs)
    attrs: Keywords = {"pad_width": widths, "mode": mode}
    if kwargs.get("constant_values"):
        attrs["constant_value"] = as_number(kwargs["constant_values"])
    if "reflect_type" in kwargs:
        attrs["reflect_type"] = kwargs["reflect_type"]
    return _run(F, "_npi_pad", x, **attrs)


def resize(F: Backend, a: Operand, new_shape: Any) -> Array:
    """The elements in another shape: as often repeated, or so many left out, as it takes."""
    shape = as_shape(new_shape)
    wanted, size = prod(shape), getattr(a, "size", None)
    if size is None:  # a symbol
        flat = _run(F, "_np_reshape", a, newshape=-1)
        places = _run(F, "_npi_arange", start=0, stop=wanted, step=1, dtype="int64")
        return _run(F, "_np_reshape", _run(F, "_npi_take", flat, places, axis=0, mode="wrap"), newshape=shape)
    if not size:
        flat, zeros = _run(F, "_np_reshape", a, newshape=-1), _run(F, "_npi_zeros", shape=(wanted,), dtype=a.dtype)
        return _run(F, "_np_reshape", concatenate(F, (flat, zeros)), newshape=shape)
    flat = _run(F, "_np_reshape", a, newshape=-1)
    copies = -(-wanted // size)
    if copies > 1:
        flat = _run(F, "_npi_tile", flat, reps=(copies,))
    return _run(F, "_np_reshape", _run(F, "_npi_slice", flat, begin=(0,), end=(wanted,)), newshape=shape)


_NAMES = """arange full full_like broadcast_to identity linspace logspace meshgrid broadcast_arrays concatenate append
stack vstack row_stack hstack dstack column_stack atleast_1d atleast_2d atleast_3d split array_split
vsplit hsplit dsplit where nonzero clip take unique bincount histogram delete insert diag_indices_from
unravel_index tensordot inner outer vdot einsum average percentile quantile diff ediff1d around round
round_ nan_to_num swapaxes pad resize""".split()


def without_backend(function: Kernel, backend: Backend, name: str, module: str) -> Kernel:
    """The public form of a function whose first argument is the backend."""

    @functools.wraps(function)
    def public(*args: Any, **kwargs: Any) -> Any:
        return function(backend, *args, **kwargs)

    signature = inspect.signature(function)
    public.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
    public.__name__ = public.__qualname__ = name
    public.__module__ = module
    del public.__wrapped__  # type: ignore[attr-defined]
    return public


def for_backend(backend: Backend) -> dict[str, Kernel]:
    """All functions of this file and of ``creation_functions.py`` by their names."""
    known = {**vars(creation), **globals()}
    return {name: without_backend(known[name], backend, name, backend.module) for name in _NAMES}
