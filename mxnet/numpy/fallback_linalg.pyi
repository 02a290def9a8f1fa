# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

import numpy as onp
from ..ndarray.numpy.dispatch import through_numpy as _through_numpy
def _lstsq(a: object, b: object, rcond: object='warn') -> object: ...
def lstsq(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``lstsq``, on copies of the arrays: it runs on the host and has no gradient."""
def cond(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``cond``, on copies of the arrays: it runs on the host and has no gradient."""
def matrix_power(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``matrix_power``, on copies of the arrays: it runs on the host and has no gradient."""
def matrix_rank(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``matrix_rank``, on copies of the arrays: it runs on the host and has no gradient."""
def multi_dot(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``multi_dot``, on copies of the arrays: it runs on the host and has no gradient."""
def qr(*args: Any, **kwargs: Any) -> Any:
    """NumPy's own ``qr``, on copies of the arrays: it runs on the host and has no gradient."""
__all__ = ['cond', 'lstsq', 'matrix_power', 'matrix_rank', 'multi_dot', 'qr']
