# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

def _generate_symbol_function_code(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def _init_op_module(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def _make_symbol_function(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
def _symbol_creator(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
from mxnet.attribute import AttrScope as AttrScope
from mxnet.base import _LIB as _LIB, _Null as _Null, _is_np_op as _is_np_op, _output_is_list as _output_is_list, check_call as check_call, mx_uint as mx_uint, py_str as py_str
from mxnet.name import NameManager as NameManager
from mxnet.symbol import Symbol as SymbolBase, _internal as _internal
from mxnet.symbol._internal import _adamw_update as _adamw_update, _mp_adamw_update as _mp_adamw_update
from mxnet.symbol.contrib import adamw_update as adamw_update, mp_adamw_update as mp_adamw_update
from mxnet.symbol_doc import _build_doc as _build_doc
