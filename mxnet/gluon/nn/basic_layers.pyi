# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import inspect
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any
from ... import ndarray, symbol
from ..._core.dtypes import torch_dtype
from ..._core.signature import takes
from ..._core.types import Array, DType, Init
from ...error import MXNetIndexError, MXNetTypeError, MXNetValueError
from ..block import Block
from ..hybrid_block import HybridBlock
from ..utils import MXNetAssertionError, _indent
from .activations import Activation
class _Stack:
    """What Sequential and HybridSequential have in common: blocks in a row."""
    _in_summary: bool
    _children: Any
    def add(self, *blocks: object) -> None:
        """Adds blocks at the end."""
    def __repr__(self) -> str: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
class Sequential(_Stack, Block):
    """Blocks one after the other; those that can be are hybridized each for itself."""
    def forward(self, x: Array) -> Any:
        """The result of the last block."""
    def hybridize(self, active: bool=True, **kwargs: object) -> None:
        """Hybridizes the children that can be."""
class HybridSequential(_Stack, HybridBlock):
    """Hybrid blocks one after the other, hybridized as one."""
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The result of the last block."""
class Dense(HybridBlock):
    """``activation(x @ weight.T + bias)``; with ``flatten`` all axes but the first are one."""
    def __init__(self, units: int, activation: str | None = None, use_bias: bool = True, flatten: bool = True, dtype: Any = 'float32', weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_units: int = 0, *, prefix: str | None = None, params: Any = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, x: Array, weight: Array, bias: Array | None=None) -> Array:
        """The layer's output."""
    def __repr__(self) -> str: ...
    _flatten: bool
    _in_units: int
    _units: int
    act: Any
    bias: Any
    weight: Any
class Dropout(HybridBlock):
    """In training sets elements to 0 with probability ``rate`` and scales up the others; ``axes`` share one mask."""
    def __init__(self, rate: float, axes: tuple[int, ...] = (), *, prefix: str | None = None, params: Any = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The layer's output."""
    def __repr__(self) -> str: ...
    _axes: tuple[int, ...]
    _rate: float
class _BatchNorm(HybridBlock):
    """Parameters and arguments of batch normalization; a subclass says which operator."""
    def __init__(self, axis: int = 1, momentum: float = 0.9, epsilon: float = 1e-05, center: bool = True, scale: bool = True, use_global_stats: bool = False, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones', running_mean_initializer: Any = 'zeros', running_variance_initializer: Any = 'ones', in_channels: int = 0, *, prefix: str | None = None, params: Any = None) -> None: ...
    def cast(self, dtype: DType) -> None:
        """Converts the parameters, but never to half precision: float32 ones take inputs of that too."""
    def __repr__(self) -> str: ...
    _axis: int
    _kwargs: Any
    beta: Any
    gamma: Any
    in_channels: int
    running_mean: Any
    running_var: Any
class BatchNorm(_BatchNorm):
    """Normalizes each channel over the batch, then scales by gamma and shifts by beta (Ioffe and Szegedy, 2015)."""
    def hybrid_forward(self, F: ModuleType, x: Array, gamma: Array, beta: Array, running_mean: Array, running_var: Array) -> Array:
        """The layer's output."""
class BatchNormReLU(_BatchNorm):
    """BatchNorm followed by ReLU."""
    def hybrid_forward(self, F: ModuleType, x: Array, gamma: Array, beta: Array, running_mean: Array, running_var: Array) -> Array:
        """The layer's output."""
class Embedding(HybridBlock):
    """Maps numbers from 0 to ``input_dim - 1`` to learned vectors."""
    def __init__(self, input_dim: int, output_dim: int, dtype: Any = 'float32', weight_initializer: Any = None, sparse_grad: bool = False, *, prefix: str | None = None, params: Any = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, x: Array, weight: Array) -> Array:
        """The layer's output."""
    def __repr__(self) -> str: ...
    _kwargs: Any
    weight: Any
class Flatten(HybridBlock):
    """All axes but the first merged."""
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The layer's output."""
    def __repr__(self) -> str: ...
class _Norm(HybridBlock):
    """gamma and beta of a normalization without moving averages."""
    _kind: str
    def __init__(self, axis: int = 1, epsilon: float = 1e-05, center: bool = True, scale: bool = True, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones', in_channels: int = 0, *, prefix: str | None = None, params: Any = None) -> None: ...
    def __repr__(self) -> str: ...
    _center: bool
    _epsilon: float
    _kwargs: Any
    _scale: bool
class InstanceNorm(_Norm):
    """Normalizes each channel of each example for itself (Ulyanov et al., 2016)."""
    def __init__(self, axis: int = 1, epsilon: float = 1e-05, center: bool = True, scale: bool = False, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones', in_channels: int = 0, *, prefix: str | None = None, params: Any = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, x: Array, gamma: Array, beta: Array) -> Array:
        """The layer's output."""
class LayerNorm(_Norm):
    """Normalizes along one axis, the last by default, of each example (Ba et al., 2016)."""
    def __init__(self, axis: int = -1, epsilon: float = 1e-05, center: bool = True, scale: bool = True, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones', in_channels: int = 0, prefix: str | None = None, params: Any = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, data: object, gamma: Array, beta: Array) -> Array:
        """The layer's output."""
class GroupNorm(_Norm):
    """Normalizes groups of channels of each example (Wu and He, 2018)."""
    _kind: str
    def __init__(self, num_groups: int = 1, epsilon: float = 1e-05, center: bool = True, scale: bool = True, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones', prefix: str | None = None, params: Any = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, data: object, gamma: Array, beta: Array) -> Array:
        """The layer's output."""
    def __repr__(self) -> str: ...
def _name_of(function: str | Callable, where: str, *modules: object) -> str:
    """The name of a function; as a name it must be that of an operator that the modules have."""
class Lambda(Block):
    """A function of arrays, or an operator by its name, as a block."""
    def __init__(self, function: str | Callable, prefix: str | None=None) -> None: ...
    def forward(self, *args: object) -> Any:
        """The result of the function."""
    def __repr__(self) -> str: ...
    _func_impl: Any
    _func_name: Any
def _check_function(function: Callable) -> None:
    """Rejects a function that cannot be called with F and an array."""
class HybridLambda(HybridBlock):
    """A function ``f(F, x, ...)``, or an operator by its name, as a hybrid block."""
    def __init__(self, function: str | Callable, prefix: str | None=None) -> None: ...
    def hybrid_forward(self, F: ModuleType, x: Array, *args: object) -> Array:
        """The result of the function."""
    def __repr__(self) -> str: ...
    _func: Any
    _func_name: Any
__all__ = ['BatchNorm', 'BatchNormReLU', 'Dense', 'Dropout', 'Embedding', 'Flatten', 'GroupNorm', 'HybridLambda', 'HybridSequential', 'InstanceNorm', 'Lambda', 'LayerNorm', 'Sequential']
