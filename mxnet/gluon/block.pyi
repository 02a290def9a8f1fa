# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import json
import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from .. import ndarray
from .._core.files import reading, writing, writing_together
from .._core.literals import parse_json
from .._core.signature import overridable, takes
from .._core.tracebacks import add_layer, explain_arguments, warn_user
from .._core.types import Devices, DType, Path
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from .naming import _BlockScope, _Children
from .parameter import Parameter
from .parameter_dict import ParameterDict
from .summary import summarize
from .utils import HookHandle, MXNetAssertionError, _brief_print_list, _indent
from .hybrid_block import HybridBlock
from .symbol_block import SymbolBlock
class Block:
    """The base of layers and networks: children set as attributes are registered, ``forward`` is what it computes."""
    _in_summary: bool
    def __init__(self, prefix: str | None=None, params: ParameterDict | None=None) -> None: ...
    def __repr__(self) -> str: ...
    def __setattr__(self, name: str, value: object) -> None: ...
    def _alias(self) -> str: ...
    @property
    def prefix(self) -> str:
        """What the names of its parameters begin with."""
    @property
    def name(self) -> str:
        """The prefix without its last underscore."""
    def name_scope(self) -> _BlockScope:
        """``with self.name_scope():`` gives blocks made inside names that begin with this block's."""
    @property
    def params(self) -> ParameterDict:
        """The block's own parameters, without those of its children; see ``collect_params``."""
    def _find_unregistered(self) -> list[str]:
        """Attributes that are lists or dicts with blocks in them which are not children."""
    def collect_params(self, select: str | None=None) -> ParameterDict:
        """All parameters of the block and its children, or those whose names a regular expression matches."""
    def _collect_params_with_prefix(self, prefix: str='') -> dict[str, Parameter]:
        """Parameters by the way to them through attributes: ``features.0.weight``."""
    def save_parameters(self, filename: Path, deduplicate: bool=False) -> None:
        """Saves the parameters by their place in the network; with ``deduplicate`` shared ones only once."""
    def load_parameters(self, filename: Path, ctx: Devices=None, allow_missing: bool=False, ignore_extra: bool=False, cast_dtype: bool=False, dtype_source: str='current') -> None:
        """Loads what ``save_parameters``, ``save_params`` or ``export`` wrote."""
    def save_params(self, filename: Path) -> None:
        """Saves the parameters by their names without the block's prefix; ``save_parameters`` is the newer way."""
    def load_params(self, filename: Path, ctx: Devices=None, allow_missing: bool=False, ignore_extra: bool=False) -> None:
        """The old name of ``load_parameters``."""
    def save(self, prefix: str) -> None:
        """Writes ``prefix-model.json``, the tree of blocks with the graphs of hybridized ones, and their parameters."""
    def _describe(self, tree: Mapping[str, Any], count: list[int]) -> None:
        """Adds this block and those below it to a tree, numbered in the order in which they are met."""
    def _graph_description(self) -> dict[str, Any]:
        """A plain block has no graph to save."""
    def load(self, prefix: str) -> None:
        """Loads what ``save`` wrote into a network of the same structure; blocks that were hybridized are again."""
    def _restore(self, tree: Mapping[str, Any], count: list[int]) -> None: ...
    def _restore_graph(self, own: Mapping[str, object]) -> None:
        """A plain block has nothing to restore."""
    def register_child(self, block: Block, name: str | None=None) -> None:
        """Makes a block a child, under the next number if no name is given. Attributes are registered by themselves."""
    def register_forward_pre_hook(self, hook: Callable[[Block, tuple], object]) -> HookHandle:
        """Calls ``hook(block, inputs)`` before each forward; the handle's ``detach`` ends that."""
    def register_forward_hook(self, hook: Callable[[Block, tuple, object], object]) -> HookHandle:
        """Calls ``hook(block, inputs, outputs)`` after each forward; the handle's ``detach`` ends that."""
    def register_op_hook(self, callback: Callable[[str, str, NDArray], object], monitor_all: bool=False) -> None:
        """In hybridized blocks below: calls ``callback(name, operator, array)`` for what each operator gives."""
    def apply(self, fn: Callable[[Block], object]) -> Block:
        """Calls ``fn`` on each child, in depth, then on the block itself; returns the block."""
    def initialize(self, init: Any = ..., ctx: Devices = None, verbose: bool = False, force_reinit: bool = False) -> None:
        """Initializes all parameters; those without an initializer of their own by ``init``."""
    def hybridize(self, active: bool=True, **kwargs: Any) -> None:
        """Hybridizes the children that can be."""
    def cast(self, dtype: DType) -> None:
        """Converts all parameters to another dtype."""
    def __call__(self, *args: Any) -> Any:
        """Runs ``forward`` and the hooks."""
    @overridable
    def forward(self, *args: Any) -> Any:
        """What the block computes; to be overridden."""
    def as_torch(self) -> Any:
        """This network as a ``torch.nn.Module``, for torch's optimizers and loops; the parameters are shared."""
    def summary(self, *inputs: object) -> None:
        """Prints a table of the layers with output shapes and numbers of parameters, for these inputs."""
    _children: _Children
    _empty_prefix: Any
    _forward_hooks: OrderedDict[int, Callable]
    _forward_pre_hooks: OrderedDict[int, Callable]
    _name: Any
    _params: Any
    _prefix: Any
    _reg_params: dict[str, Parameter]
    _scope: _BlockScope
__all__ = ['Block', 'HybridBlock', 'SymbolBlock']
