# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

def CudaKernel(*args: Any, **kwargs: Any) -> Any:
    """Not available: CUDA sources are not compiled here; write the kernel as an extension of torch and use NDArray.as_torch."""
def CudaModule(*args: Any, **kwargs: Any) -> Any:
    """Not available: CUDA sources are not compiled here; write the kernel as an extension of torch and use NDArray.as_torch."""
from mxnet.base import _LIB as _LIB, c_array as c_array, c_array_buf as c_array_buf, c_str as c_str, c_str_array as c_str_array, check_call as check_call, mx_uint as mx_uint, numeric_types as numeric_types, string_types as string_types
from mxnet.ndarray.legacy import _DTYPE_MX_TO_NP as _DTYPE_MX_TO_NP, _DTYPE_NP_TO_MX as _DTYPE_NP_TO_MX
from mxnet.ndarray.ndarray import NDArray as NDArray
