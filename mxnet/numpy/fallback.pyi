# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

import numpy as onp
from ..ndarray.numpy.dispatch import through_numpy as _through_numpy
def _in1d(ar1, ar2, assume_unique=False, invert=False) -> Any:
    """Which elements of the first array, flattened, are in the second?"""
def _msort(a) -> Any:
    """The array sorted along its first axis."""
def _count_nonzero(a, axis=None, *, keepdims=False) -> Any:
    """How many elements are not 0; a number of Python's, if there is no axis."""
def _promote_types(type1, type2) -> Any:
    """The smallest type to which both may be cast; of arrays, to which their types may be."""
_CHANGED: dict[Any, Any]
_FINANCIAL: tuple[Any, ...]
def _financial(name) -> Any: ...
def allclose(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``allclose``, on copies of the arrays: it runs on the host and has no gradient."""
def alltrue(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``all``, on copies of the arrays: it runs on the host and has no gradient."""
def apply_along_axis(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``apply_along_axis``, on copies of the arrays: it runs on the host and has no gradient."""
def apply_over_axes(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``apply_over_axes``, on copies of the arrays: it runs on the host and has no gradient."""
def argpartition(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``argpartition``, on copies of the arrays: it runs on the host and has no gradient."""
def argwhere(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``argwhere``, on copies of the arrays: it runs on the host and has no gradient."""
def array_equal(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``array_equal``, on copies of the arrays: it runs on the host and has no gradient."""
def array_equiv(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``array_equiv``, on copies of the arrays: it runs on the host and has no gradient."""
def choose(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``choose``, on copies of the arrays: it runs on the host and has no gradient."""
def compress(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``compress``, on copies of the arrays: it runs on the host and has no gradient."""
def corrcoef(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``corrcoef``, on copies of the arrays: it runs on the host and has no gradient."""
def correlate(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``correlate``, on copies of the arrays: it runs on the host and has no gradient."""
def count_nonzero(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``_count_nonzero``, on copies of the arrays: it runs on the host and has no gradient."""
def cov(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``cov``, on copies of the arrays: it runs on the host and has no gradient."""
def digitize(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``digitize``, on copies of the arrays: it runs on the host and has no gradient."""
def divmod(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``divmod``, on copies of the arrays: it runs on the host and has no gradient."""
def extract(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``extract``, on copies of the arrays: it runs on the host and has no gradient."""
def flatnonzero(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``flatnonzero``, on copies of the arrays: it runs on the host and has no gradient."""
def float_power(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``float_power``, on copies of the arrays: it runs on the host and has no gradient."""
def frexp(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``frexp``, on copies of the arrays: it runs on the host and has no gradient."""
def heaviside(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``heaviside``, on copies of the arrays: it runs on the host and has no gradient."""
def histogram2d(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``histogram2d``, on copies of the arrays: it runs on the host and has no gradient."""
def histogram_bin_edges(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``histogram_bin_edges``, on copies of the arrays: it runs on the host and has no gradient."""
def histogramdd(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``histogramdd``, on copies of the arrays: it runs on the host and has no gradient."""
def i0(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``i0``, on copies of the arrays: it runs on the host and has no gradient."""
def in1d(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``_in1d``, on copies of the arrays: it runs on the host and has no gradient."""
def interp(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``interp``, on copies of the arrays: it runs on the host and has no gradient."""
def intersect1d(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``intersect1d``, on copies of the arrays: it runs on the host and has no gradient."""
def isclose(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``isclose``, on copies of the arrays: it runs on the host and has no gradient."""
def isin(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``isin``, on copies of the arrays: it runs on the host and has no gradient."""
def ix_(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``ix_``, on copies of the arrays: it runs on the host and has no gradient."""
def lexsort(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``lexsort``, on copies of the arrays: it runs on the host and has no gradient."""
def min_scalar_type(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``min_scalar_type``, on copies of the arrays: it runs on the host and has no gradient."""
def mirr(*args: Any, **kwargs: Any) -> Any:
    """Not available: mirr has left NumPy; the package numpy-financial has it."""
def modf(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``modf``, on copies of the arrays: it runs on the host and has no gradient."""
def msort(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``_msort``, on copies of the arrays: it runs on the host and has no gradient."""
def nanargmax(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanargmax``, on copies of the arrays: it runs on the host and has no gradient."""
def nanargmin(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanargmin``, on copies of the arrays: it runs on the host and has no gradient."""
def nancumprod(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nancumprod``, on copies of the arrays: it runs on the host and has no gradient."""
def nancumsum(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nancumsum``, on copies of the arrays: it runs on the host and has no gradient."""
def nanmax(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanmax``, on copies of the arrays: it runs on the host and has no gradient."""
def nanmedian(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanmedian``, on copies of the arrays: it runs on the host and has no gradient."""
def nanmin(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanmin``, on copies of the arrays: it runs on the host and has no gradient."""
def nanpercentile(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanpercentile``, on copies of the arrays: it runs on the host and has no gradient."""
def nanprod(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanprod``, on copies of the arrays: it runs on the host and has no gradient."""
def nanquantile(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanquantile``, on copies of the arrays: it runs on the host and has no gradient."""
def nanstd(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanstd``, on copies of the arrays: it runs on the host and has no gradient."""
def nansum(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nansum``, on copies of the arrays: it runs on the host and has no gradient."""
def nanvar(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``nanvar``, on copies of the arrays: it runs on the host and has no gradient."""
def ndim(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``ndim``, on copies of the arrays: it runs on the host and has no gradient."""
def npv(*args: Any, **kwargs: Any) -> Any:
    """Not available: npv has left NumPy; the package numpy-financial has it."""
def packbits(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``packbits``, on copies of the arrays: it runs on the host and has no gradient."""
def partition(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``partition``, on copies of the arrays: it runs on the host and has no gradient."""
def piecewise(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``piecewise``, on copies of the arrays: it runs on the host and has no gradient."""
def pmt(*args: Any, **kwargs: Any) -> Any:
    """Not available: pmt has left NumPy; the package numpy-financial has it."""
def poly(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``poly``, on copies of the arrays: it runs on the host and has no gradient."""
def polyadd(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``polyadd``, on copies of the arrays: it runs on the host and has no gradient."""
def polydiv(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``polydiv``, on copies of the arrays: it runs on the host and has no gradient."""
def polyfit(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``polyfit``, on copies of the arrays: it runs on the host and has no gradient."""
def polyint(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``polyint``, on copies of the arrays: it runs on the host and has no gradient."""
def polymul(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``polymul``, on copies of the arrays: it runs on the host and has no gradient."""
def polysub(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``polysub``, on copies of the arrays: it runs on the host and has no gradient."""
def positive(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``positive``, on copies of the arrays: it runs on the host and has no gradient."""
def ppmt(*args: Any, **kwargs: Any) -> Any:
    """Not available: ppmt has left NumPy; the package numpy-financial has it."""
def promote_types(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``_promote_types``, on copies of the arrays: it runs on the host and has no gradient."""
def ptp(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``ptp``, on copies of the arrays: it runs on the host and has no gradient."""
def pv(*args: Any, **kwargs: Any) -> Any:
    """Not available: pv has left NumPy; the package numpy-financial has it."""
def rate(*args: Any, **kwargs: Any) -> Any:
    """Not available: rate has left NumPy; the package numpy-financial has it."""
def real(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``real``, on copies of the arrays: it runs on the host and has no gradient."""
def result_type(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``result_type``, on copies of the arrays: it runs on the host and has no gradient."""
def rollaxis(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``rollaxis``, on copies of the arrays: it runs on the host and has no gradient."""
def roots(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``roots``, on copies of the arrays: it runs on the host and has no gradient."""
def searchsorted(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``searchsorted``, on copies of the arrays: it runs on the host and has no gradient."""
def select(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``select``, on copies of the arrays: it runs on the host and has no gradient."""
def setdiff1d(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``setdiff1d``, on copies of the arrays: it runs on the host and has no gradient."""
def setxor1d(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``setxor1d``, on copies of the arrays: it runs on the host and has no gradient."""
def signbit(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``signbit``, on copies of the arrays: it runs on the host and has no gradient."""
def size(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``size``, on copies of the arrays: it runs on the host and has no gradient."""
def spacing(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``spacing``, on copies of the arrays: it runs on the host and has no gradient."""
def take_along_axis(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``take_along_axis``, on copies of the arrays: it runs on the host and has no gradient."""
def trapz(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``trapezoid``, on copies of the arrays: it runs on the host and has no gradient."""
def tril_indices_from(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``tril_indices_from``, on copies of the arrays: it runs on the host and has no gradient."""
def trim_zeros(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``trim_zeros``, on copies of the arrays: it runs on the host and has no gradient."""
def triu_indices_from(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``triu_indices_from``, on copies of the arrays: it runs on the host and has no gradient."""
def union1d(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``union1d``, on copies of the arrays: it runs on the host and has no gradient."""
def unpackbits(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``unpackbits``, on copies of the arrays: it runs on the host and has no gradient."""
def unwrap(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``unwrap``, on copies of the arrays: it runs on the host and has no gradient."""
def vander(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``vander``, on copies of the arrays: it runs on the host and has no gradient."""
__all__ = ['allclose', 'alltrue', 'apply_along_axis', 'apply_over_axes', 'argpartition', 'argwhere', 'array_equal', 'array_equiv', 'choose', 'compress', 'corrcoef', 'correlate', 'count_nonzero', 'cov', 'digitize', 'divmod', 'extract', 'flatnonzero', 'float_power', 'frexp', 'heaviside', 'histogram2d', 'histogram_bin_edges', 'histogramdd', 'i0', 'in1d', 'interp', 'intersect1d', 'isclose', 'isin', 'ix_', 'lexsort', 'min_scalar_type', 'mirr', 'modf', 'msort', 'nanargmax', 'nanargmin', 'nancumprod', 'nancumsum', 'nanmax', 'nanmedian', 'nanmin', 'nanpercentile', 'nanprod', 'nanquantile', 'ndim', 'npv', 'partition', 'piecewise', 'packbits', 'poly', 'polyadd', 'polydiv', 'polyfit', 'polyint', 'polymul', 'polysub', 'positive', 'ppmt', 'promote_types', 'ptp', 'pv', 'rate', 'real', 'result_type', 'rollaxis', 'roots', 'searchsorted', 'select', 'setdiff1d', 'setxor1d', 'signbit', 'size', 'spacing', 'take_along_axis', 'trapz', 'tril_indices_from', 'trim_zeros', 'triu_indices_from', 'union1d', 'unpackbits', 'unwrap', 'vander']
