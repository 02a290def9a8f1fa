"""Blocks, under the name the original has for their module."""
# ruff: noqa: F401

from ..base import claim_classes
from ..error import MXNetError
from ..ndarray import NDArray
from ..symbol import Symbol, load_json
from ..util import is_np_array, np_array, np_shape
from .base_block import Block
from .hybrid_block import HybridBlock
from .naming import _BlockScope
from .nested import _flatten, _regroup
from .parameter import DeferredInitializationError, Parameter, ParameterDict
from .symbol_block import SymbolBlock
from .utils import HookHandle

__all__ = ["Block", "HybridBlock", "SymbolBlock"]

claim_classes(globals(), __all__)
