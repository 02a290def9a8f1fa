# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
import numpy as np
import torch
from .. import initializer
from .._core.dtypes import torch_dtype
from .._core.hints import meant
from .._core.signature import takes
from .._core.types import Devices, Path
from ..context import Context
from ..error import MXNetKeyError, MXNetValueError
from ..ndarray import NDArray, load, save
from .parameter import Constant, Parameter
from .utils import MXNetAssertionError, _brief_print_list, _indent
_NAMING: str
def _unify(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...] | None:
    """What two shapes say together; None if they contradict."""
def _module_file(arrays: Mapping[str, object], filename: Path) -> str:
    """What to do with a file that was not written by save_parameters."""
class ParameterDict:
    """Parameters by name. ``get`` makes one, or gives the one of that name, also out of the shared dict, if any."""
    __module__: str
    def __init__(self, prefix: str='', shared: ParameterDict | None=None) -> None: ...
    def __repr__(self) -> str: ...
    def __getitem__(self, key: str) -> Parameter: ...
    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, key: object) -> bool: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def items(self) -> Any:
        """Pairs of name and parameter."""
    def keys(self) -> Any:
        """The full names."""
    def values(self) -> Any:
        """The parameters."""
    @property
    def prefix(self) -> str:
        """What the names given to ``get`` are preceded by."""
    def _get_impl(self, name: str) -> Parameter | None: ...
    def get(self, name: str, **kwargs: Any) -> Parameter:
        """The parameter called prefix + ``name``, made with ``kwargs`` if it does not exist; else they must agree."""
    @staticmethod
    def _agrees(param: Parameter, key: str, value: Any, existing: Any) -> bool: ...
    def get_constant(self, name: str, value: object=None) -> Constant:
        """The constant called prefix + ``name``, made of ``value`` if it does not exist."""
    def update(self, other: ParameterDict) -> None:
        """Takes over the parameters of another dict."""
    def initialize(self, init: Any=..., ctx: Devices=None, verbose: bool=False, force_reinit: bool=False) -> None:
        """Initializes all parameters, those without an initializer of their own by ``init``."""
    def zero_grad(self) -> None:
        """Sets all gradients to 0."""
    def reset_ctx(self, ctx: Devices) -> None:
        """Moves all parameters to other contexts."""
    def list_ctx(self) -> list[Context]:
        """All contexts that some parameter is on."""
    def setattr(self, name: str, value: object) -> None:
        """Sets an attribute of all parameters: ``params.setattr('grad_req', 'null')``."""
    def save(self, filename: Path, strip_prefix: str='') -> None:
        """Saves all parameters under their names, without ``strip_prefix``."""
    def load_dict(self, param_dict: Mapping[str, NDArray], ctx: Devices=None, allow_missing: bool=False, ignore_extra: bool=False, restore_prefix: str='', filename: Path | None=None, cast_dtype: bool=False, dtype_source: str='current') -> None:
        """Takes over arrays by name; the names may begin with ``arg:`` or ``aux:``."""
    def load(self, filename: Path, ctx: Devices = None, allow_missing: bool = False, ignore_extra: bool = False, restore_prefix: str = '', cast_dtype: bool = False, dtype_source: str = 'current') -> None:
        """Loads parameters from a file; ``restore_prefix`` comes before the names in it."""
    _params: OrderedDict[str, Parameter]
    _prefix: str
    _shape: Any
    _shared: ParameterDict | None
