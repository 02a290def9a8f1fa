# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

def _generate_ndarray_function_code(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def _imperative_invoke(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def _init_op_module(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def _make_ndarray_function(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
from mxnet.base import _LIB as _LIB, _Null as _Null, _is_np_op as _is_np_op, _output_is_list as _output_is_list, check_call as check_call, mx_uint as mx_uint, py_str as py_str
from mxnet.ndarray import NDArray as NDArrayBase
from mxnet.ndarray._internal import _adamw_update as _adamw_update, _mp_adamw_update as _mp_adamw_update
from mxnet.ndarray.contrib import adamw_update as adamw_update, mp_adamw_update as mp_adamw_update
from mxnet.ndarray_doc import _build_doc as _build_doc
from mxnet.util import use_np_shape as use_np_shape
