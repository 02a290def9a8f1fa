"""Parameters, under the name the original has for their module."""
# ruff: noqa: F401

from ..base import claim_classes, numeric_types
from ..context import Context, cpu
from ..error import MXNetError
from ..ndarray import NDArray
from ..symbol import Symbol
from ..util import is_np_array, is_np_shape
from .parameter_dict import ParameterDict
from .single_parameter import Constant, DeferredInitializationError, Parameter
from .utils import shape_is_known

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict", "tensor_types"]

tensor_types = (Symbol, NDArray)

claim_classes(globals(), __all__)
