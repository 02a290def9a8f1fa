# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

def _init_torch_module(*args: Any, **kwargs: Any) -> Any:
    """Not available: it calls functions of Lua Torch; torch.Tensor and NDArray convert to each other by as_torch and from_torch."""
def _make_torch_function(*args: Any, **kwargs: Any) -> Any:
    """Not available: it calls functions of Lua Torch; torch.Tensor and NDArray convert to each other by as_torch and from_torch."""
def _new_empty_handle(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
from mxnet.base import _LIB as _LIB, build_param_doc as _build_param_doc, c_array as c_array, c_handle_array as c_handle_array, c_str_array as c_str_array, check_call as check_call, mx_float as mx_float, mx_uint as mx_uint, py_str as py_str
from mxnet.ndarray.ndarray import NDArray as NDArray
