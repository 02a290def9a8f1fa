# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import warnings
from math import prod
from types import ModuleType
from typing import Any
from .... import context, ndarray
from ...._core.signature import takes
from ...._core.types import Array
from ...block import Block
from ...hybrid_block import HybridBlock
from ...nn import BatchNorm, HybridSequential, Sequential
from ...utils import as_tuple
nd: Any = ndarray
class Concurrent(Sequential):
    """Gives its input to each of its blocks and joins their outputs along ``axis``."""
    def __init__(self, axis: int=-1, prefix: str | None=None, params: Any=None) -> None: ...
    def forward(self, x: Array) -> Any:
        """The outputs of all blocks, joined."""
    axis: int
class HybridConcurrent(HybridSequential):
    """Gives its input to each of its hybrid blocks and joins their outputs along ``axis``."""
    def __init__(self, axis: int=-1, prefix: str | None=None, params: Any=None) -> None: ...
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The outputs of all blocks, joined."""
    axis: int
class Identity(HybridBlock):
    """Returns its input unchanged: the shortcut beside other blocks in a Concurrent."""
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The input."""
class SparseEmbedding(Block):
    """Maps numbers from 0 to ``input_dim - 1`` to learned vectors; for vocabularies too large for a dense gradient."""
    def __init__(self, input_dim: int, output_dim: int, dtype: Any = 'float32', weight_initializer: Any = None, *, prefix: str | None = None, params: Any = None) -> None: ...
    def forward(self, x: Array) -> Any:
        """The vectors for these numbers."""
    def __repr__(self) -> str: ...
    _kwargs: Any
    weight: Any
class SyncBatchNorm(BatchNorm):
    """BatchNorm with the statistics of a batch that is split over ``num_devices``, all visible GPUs by default."""
    def __init__(self, in_channels: int = 0, num_devices: int | None = None, momentum: float = 0.9, epsilon: float = 1e-05, center: bool = True, scale: bool = True, use_global_stats: bool = False, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones', running_mean_initializer: Any = 'zeros', running_variance_initializer: Any = 'ones', *, prefix: str | None = None, params: Any = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, x: Array, gamma: Array, beta: Array, running_mean: Array, running_var: Array) -> Array:
        """The layer's output."""
class _PixelShuffle(HybridBlock):
    """Moves groups of channels into the pixels of a larger picture (Shi et al., 2016)."""
    _dimensions: int
    def __init__(self, factor: int | tuple[int, ...]) -> None: ...
    def __repr__(self) -> str: ...
    _factors: Any
class PixelShuffle1D(_PixelShuffle):
    """Shapes (N, channels * factor, W) into (N, channels, W * factor)."""
    def __init__(self, factor: int) -> None: ...
    _dimensions: int
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The longer row."""
    def __repr__(self) -> str: ...
    _factor: Any
class PixelShuffle2D(_PixelShuffle):
    """Shapes (N, channels * fh * fw, H, W) into (N, channels, H * fh, W * fw); ``factor`` is a number or (fh, fw)."""
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The larger picture."""
class PixelShuffle3D(_PixelShuffle):
    """Shapes (N, channels * fd * fh * fw, D, H, W) into (N, channels, D * fd, H * fh, W * fw)."""
    _dimensions: int
    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The larger volume."""
__all__ = ['Concurrent', 'HybridConcurrent', 'Identity', 'SparseEmbedding', 'SyncBatchNorm', 'PixelShuffle1D', 'PixelShuffle2D', 'PixelShuffle3D']
