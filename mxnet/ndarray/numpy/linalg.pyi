# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

from ...ops.numpy import linalg_functions as _shared
from .dispatch import arrays as _arrays
FUNCTIONS: dict[Any, Any]
from mxnet.numpy.linalg import cholesky as cholesky, det as det, eig as eig, eigh as eigh, eigvals as eigvals, eigvalsh as eigvalsh, inv as inv, norm as norm, pinv as pinv, slogdet as slogdet, solve as solve, svd as svd, tensorinv as tensorinv, tensorsolve as tensorsolve
__all__ = ['cholesky', 'det', 'eigvals', 'eigvalsh', 'inv', 'slogdet', 'solve', 'tensorinv', 'norm', 'svd', 'eig', 'eigh', 'pinv', 'tensorsolve']
