"""Functions that NumPy itself computes, on copies of the arrays: they run on the host and have no gradient."""

import numpy as onp

from ..ndarray.numpy.dispatch import through_numpy as _through_numpy

__all__ = """
allclose alltrue apply_along_axis apply_over_axes argpartition argwhere array_equal array_equiv choose
compress corrcoef correlate count_nonzero cov digitize divmod extract flatnonzero float_power frexp heaviside
histogram2d histogram_bin_edges histogramdd i0 in1d interp intersect1d isclose isin ix_ lexsort
min_scalar_type mirr modf msort nanargmax nanargmin nancumprod nancumsum nanmax nanmedian nanmin nanpercentile
nanprod nanquantile ndim npv partition piecewise packbits poly polyadd polydiv polyfit polyint polymul polysub
positive ppmt promote_types ptp pv rate real result_type rollaxis roots searchsorted select setdiff1d setxor1d
signbit size spacing take_along_axis trapz tril_indices_from trim_zeros triu_indices_from union1d unpackbits
unwrap vander
""".split()


def _in1d(ar1, ar2, assume_unique=False, invert=False):
    """Which elements of the first array, flattened, are in the second?"""
    return onp.isin(onp.asarray(ar1).ravel(), ar2, assume_unique=assume_unique, invert=invert)


def _msort(a):
    """The array sorted along its first axis."""
    return onp.sort(a, axis=0)


def _count_nonzero(a, axis=None, *, keepdims=False):
    """How many elements are not 0; a number of Python's, if there is no axis."""
    found = onp.count_nonzero(a, axis=axis, keepdims=keepdims)
    return found if isinstance(found, onp.ndarray) or axis is not None or keepdims else int(found)


def _promote_types(type1, type2):
    """The smallest type to which both may be cast; of arrays, to which their types may be."""
    return onp.promote_types(getattr(type1, "dtype", type1), getattr(type2, "dtype", type2))


# What NumPy has given up, named anew or changed since 1.9.1 came out.
_CHANGED = {
    "alltrue": onp.all,
    "count_nonzero": _count_nonzero,
    "in1d": _in1d,
    "msort": _msort,
    "promote_types": _promote_types,
    "trapz": getattr(onp, "trapezoid", None) or getattr(onp, "trapz", None),
}
_FINANCIAL = ("mirr", "npv", "pmt", "ppmt", "pv", "rate")


def _financial(name):
    def absent(*args, **kwargs):
        raise NotImplementedError(f"{name} has left NumPy with version 1.20: use the package numpy-financial instead")

    absent.__name__ = absent.__qualname__ = name
    absent.__doc__ = f"Not available: {name} has left NumPy; the package numpy-financial has it."
    return absent


for _name in (*__all__, "nanstd", "nansum", "nanvar", "pmt"):
    if _name in _FINANCIAL:
        globals()[_name] = _financial(_name)
    else:
        globals()[_name] = _through_numpy(_CHANGED.get(_name) or getattr(onp, _name))
        globals()[_name].__name__ = globals()[_name].__qualname__ = _name
