# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

def _init_op_module(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def _make_ndarray_function(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def _make_symbol_function(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def load(*args: Any, **kwargs: Any) -> Any:
    """Not available: libraries of operators need the C++ interface of the original; write a CustomOp, or an operator with mxnet.ops.registry.op."""
from mxnet.base import MXNetError as MXNetError, _LIB as _LIB, check_call as check_call, mx_uint as mx_uint
