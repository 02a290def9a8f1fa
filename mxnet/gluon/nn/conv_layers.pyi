# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any
from ... import symbol
from ..._core.signature import takes
from ..._core.types import Array
from ..hybrid_block import HybridBlock
from ..utils import MXNetAssertionError, arguments, as_tuple
from .activations import Activation
_LAYOUTS: dict[Any, Any]
_CONVOLVED: dict[Any, Any]
def _check_layout(layout: str, known: tuple[str, ...]) -> None: ...
def _infer_weight_shape(op_name: str, data_shape: tuple[int, ...], kwargs: Mapping[str, object]) -> list[tuple[int, ...]]:
    """The shapes of an operator's inputs, from that of its data."""
class _PerDimension:
    """Written for two dimensions; a subclass made with ``dimensions=n`` gets the constructor with defaults for n."""
    _dimensions: int
    def __init_subclass__(cls, dimensions: int | None=None, **kwargs: object) -> None: ...
class _Conv(HybridBlock):
    """A convolution, or its transpose if ``adj`` is given, in as many dimensions as the kernel has."""
    def __init__(self, channels: int, kernel_size: tuple[int, ...], strides: Any, padding: Any, dilation: Any, groups: int, layout: str, in_channels: int=0, activation: str | None=None, use_bias: bool=True, weight_initializer: Any=None, bias_initializer: Any='zeros', op_name: str='Convolution', adj: Any=None, prefix: str | None=None, params: Any=None) -> None: ...
    def _weight_shape(self) -> tuple[int, ...]: ...
    def _alias(self) -> str: ...
    def hybrid_forward(self, F: ModuleType, x: Array, weight: Array, bias: Array | None=None) -> Array:
        """The layer's output."""
    def __repr__(self) -> str: ...
    _channels: int
    _in_channels: int
    _kwargs: Any
    _op_name: str
    act: Any
    bias: Any
    weight: Any
def describe(layer: Any, own: Mapping[str, Any], inner: int, outer: int, bias: Array) -> str:
    """How a convolution shows itself: its channels, and what of its arguments is not as usual."""
class _Convolution(_PerDimension, _Conv):
    """The constructor of the convolutions."""
    def __init__(self, channels: int, kernel_size: Any, strides: Any = (1, 1), padding: Any = (0, 0), dilation: Any = (1, 1), groups: int = 1, layout: str = 'NCHW', activation: str | None = None, use_bias: bool = True, weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_channels: int = 0, *, op_name: str = 'Convolution', adj: Any = None, prefix: str | None = None, params: Any = None) -> None: ...
class Conv1D(_Convolution, dimensions=1):
    """A convolution over one dimension: ``channels`` filters of ``kernel_size``."""
    def __init__(self, channels: int, kernel_size: Any, strides: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1, layout: str = 'NCW', activation: str | None = None, use_bias: bool = True, weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_channels: int = 0, *, op_name: str = 'Convolution', adj: Any = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class Conv2D(_Convolution, dimensions=2):
    """A convolution over images: ``channels`` filters of ``kernel_size``."""
    def __init__(self, channels: int, kernel_size: Any, strides: Any = (1, 1), padding: Any = (0, 0), dilation: Any = (1, 1), groups: int = 1, layout: str = 'NCHW', activation: str | None = None, use_bias: bool = True, weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_channels: int = 0, *, op_name: str = 'Convolution', adj: Any = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class Conv3D(_Convolution, dimensions=3):
    """A convolution over volumes: ``channels`` filters of ``kernel_size``."""
    def __init__(self, channels: int, kernel_size: Any, strides: Any = (1, 1, 1), padding: Any = (0, 0, 0), dilation: Any = (1, 1, 1), groups: int = 1, layout: str = 'NCDHW', activation: str | None = None, use_bias: bool = True, weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_channels: int = 0, *, op_name: str = 'Convolution', adj: Any = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class _Transposed(_Convolution):
    """The constructor of the transposed convolutions."""
    def __init__(self, channels: int, kernel_size: Any, strides: Any = (1, 1), padding: Any = (0, 0), output_padding: Any = (0, 0), dilation: Any = (1, 1), groups: int = 1, layout: str = 'NCHW', activation: str | None = None, use_bias: bool = True, weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_channels: int = 0, *, op_name: str = 'Convolution', adj: Any = None, prefix: str | None = None, params: Any = None) -> None: ...
    outpad: Any
class Conv1DTranspose(_Transposed, dimensions=1):
    """The transpose of a convolution over one dimension, also called deconvolution."""
    def __init__(self, channels: int, kernel_size: Any, strides: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: int = 1, layout: str = 'NCW', activation: str | None = None, use_bias: bool = True, weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_channels: int = 0, *, op_name: str = 'Convolution', adj: Any = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class Conv2DTranspose(_Transposed, dimensions=2):
    """The transpose of a convolution over images, also called deconvolution."""
    def __init__(self, channels: int, kernel_size: Any, strides: Any = (1, 1), padding: Any = (0, 0), output_padding: Any = (0, 0), dilation: Any = (1, 1), groups: int = 1, layout: str = 'NCHW', activation: str | None = None, use_bias: bool = True, weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_channels: int = 0, *, op_name: str = 'Convolution', adj: Any = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class Conv3DTranspose(_Transposed, dimensions=3):
    """The transpose of a convolution over volumes, also called deconvolution."""
    def __init__(self, channels: int, kernel_size: Any, strides: Any = (1, 1, 1), padding: Any = (0, 0, 0), output_padding: Any = (0, 0, 0), dilation: Any = (1, 1, 1), groups: int = 1, layout: str = 'NCDHW', activation: str | None = None, use_bias: bool = True, weight_initializer: Any = None, bias_initializer: Any = 'zeros', in_channels: int = 0, *, op_name: str = 'Convolution', adj: Any = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class _Pooling(HybridBlock):
    """Pooling of any kind, in as many dimensions as the window has."""
    def __init__(self, pool_size: tuple[int, ...], strides: Any, padding: Any, ceil_mode: bool, global_pool: bool, pool_type: str, layout: str, count_include_pad: bool | None = None, *, prefix: str | None = None, params: Any = None) -> None: ...
    def _alias(self) -> str: ...
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The layer's output."""
    def __repr__(self) -> str: ...
    _kwargs: Any
class _MaxPool(_PerDimension, _Pooling):
    """The constructor of most max poolings; the original has two arguments in another order in three dimensions."""
    def __init__(self, pool_size: Any = (2, 2), strides: Any = None, padding: Any = 0, layout: str = 'NCHW', ceil_mode: bool = False, *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
class MaxPool1D(_MaxPool, dimensions=1):
    """The largest element in each window; ``strides`` is ``pool_size`` by default."""
    def __init__(self, pool_size: Any = 2, strides: Any = None, padding: Any = 0, layout: str = 'NCW', ceil_mode: bool = False, *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class MaxPool2D(_MaxPool, dimensions=2):
    """The largest element in each window; ``strides`` is ``pool_size`` by default."""
    def __init__(self, pool_size: Any = (2, 2), strides: Any = None, padding: Any = 0, layout: str = 'NCHW', ceil_mode: bool = False, *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class MaxPool3D(_Pooling):
    """The largest element in each window; ``strides`` is ``pool_size`` by default."""
    def __init__(self, pool_size: Any = (2, 2, 2), strides: Any = None, padding: Any = 0, ceil_mode: bool = False, layout: str = 'NCDHW', *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
class AvgPool1D(_Pooling):
    """The mean of each window; ``strides`` is ``pool_size`` by default."""
    def __init__(self, pool_size: Any = 2, strides: Any = None, padding: Any = 0, layout: str = 'NCW', ceil_mode: bool = False, count_include_pad: bool = True, *, prefix: str | None = None, params: Any = None) -> None: ...
class _AvgPool(_PerDimension, _Pooling):
    """The constructor of most mean poolings; the original has two arguments in another order in one dimension."""
    def __init__(self, pool_size: Any = (2, 2), strides: Any = None, padding: Any = 0, ceil_mode: bool = False, layout: str = 'NCHW', count_include_pad: bool = True, *, prefix: str | None = None, params: Any = None) -> None: ...
class AvgPool2D(_AvgPool, dimensions=2):
    """The mean of each window; ``strides`` is ``pool_size`` by default."""
    def __init__(self, pool_size: Any = (2, 2), strides: Any = None, padding: Any = 0, ceil_mode: bool = False, layout: str = 'NCHW', count_include_pad: bool = True, *, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class AvgPool3D(_AvgPool, dimensions=3):
    """The mean of each window; ``strides`` is ``pool_size`` by default."""
    def __init__(self, pool_size: Any = (2, 2, 2), strides: Any = None, padding: Any = 0, ceil_mode: bool = False, layout: str = 'NCDHW', count_include_pad: bool = True, *, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class _GlobalPooling(_PerDimension, _Pooling):
    """Pooling over all there is."""
    _pool_type: str
    def __init__(self, layout: str = 'NCHW', *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
class _GlobalAvgPooling(_GlobalPooling):
    _pool_type: str
class GlobalMaxPool1D(_GlobalPooling, dimensions=1):
    """The largest element of each channel."""
    def __init__(self, layout: str = 'NCW', *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class GlobalMaxPool2D(_GlobalPooling, dimensions=2):
    """The largest element of each channel."""
    def __init__(self, layout: str = 'NCHW', *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class GlobalMaxPool3D(_GlobalPooling, dimensions=3):
    """The largest element of each channel."""
    def __init__(self, layout: str = 'NCDHW', *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class GlobalAvgPool1D(_GlobalAvgPooling, dimensions=1):
    """The mean of each channel."""
    def __init__(self, layout: str = 'NCW', *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class GlobalAvgPool2D(_GlobalAvgPooling, dimensions=2):
    """The mean of each channel."""
    def __init__(self, layout: str = 'NCHW', *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class GlobalAvgPool3D(_GlobalAvgPooling, dimensions=3):
    """The mean of each channel."""
    def __init__(self, layout: str = 'NCDHW', *, count_include_pad: bool | None = None, prefix: str | None = None, params: Any = None) -> None: ...
    _dimensions: Any
class ReflectionPad2D(HybridBlock):
    """Pads images by their mirror image: a number for all sides, or the eight numbers of ``pad_width``."""
    def __init__(self, padding: Any = 0, *, prefix: str | None = None, params: Any = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The layer's output."""
    _padding: Any
__all__ = ['AvgPool1D', 'AvgPool2D', 'AvgPool3D', 'Conv1D', 'Conv1DTranspose', 'Conv2D', 'Conv2DTranspose', 'Conv3D', 'Conv3DTranspose', 'GlobalAvgPool1D', 'GlobalAvgPool2D', 'GlobalAvgPool3D', 'GlobalMaxPool1D', 'GlobalMaxPool2D', 'GlobalMaxPool3D', 'MaxPool1D', 'MaxPool2D', 'MaxPool3D', 'ReflectionPad2D']
