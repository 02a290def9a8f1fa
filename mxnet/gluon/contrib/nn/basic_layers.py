"""Blocks side by side, the identity, a sparse embedding, batch norm over devices, and pixel shuffles."""

from __future__ import annotations

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

__all__ = [
    "Concurrent",
    "HybridConcurrent",
    "Identity",
    "SparseEmbedding",
    "SyncBatchNorm",
    "PixelShuffle1D",
    "PixelShuffle2D",
    "PixelShuffle3D",
]


class Concurrent(Sequential):
    """Gives its input to each of its blocks and joins their outputs along ``axis``."""

    def __init__(self, axis: int = -1, prefix: str | None = None, params: Any = None):
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x: Array) -> Any:
        """The outputs of all blocks, joined."""
        return nd.concat(*[block(x) for block in self._children.values()], dim=self.axis)


class HybridConcurrent(HybridSequential):
    """Gives its input to each of its hybrid blocks and joins their outputs along ``axis``."""

    def __init__(self, axis: int = -1, prefix: str | None = None, params: Any = None):
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The outputs of all blocks, joined."""
        return F.concat(*[block(x) for block in self._children.values()], dim=self.axis)


class Identity(HybridBlock):
    """Returns its input unchanged: the shortcut beside other blocks in a Concurrent."""

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The input."""
        return x


class SparseEmbedding(Block):
    """Maps numbers from 0 to ``input_dim - 1`` to learned vectors; for vocabularies too large for a dense gradient.

    The weight is row-sparse: the Trainer's store holds it, and a call gets the rows that it needs. So a Trainer has to
    be made before the first call.
    """

    def __init__(
        self, input_dim: int, output_dim: int, dtype: Any = "float32", weight_initializer: Any = None, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self._kwargs = {"input_dim": input_dim, "output_dim": output_dim, "dtype": dtype, "sparse_grad": True}
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            grad_stype="row_sparse",
            stype="row_sparse",
        )

    def forward(self, x: Array) -> Any:
        """The vectors for these numbers."""
        return nd.Embedding(x, self.weight.row_sparse_data(x), name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        return "{}({input_dim} -> {output_dim}, {dtype})".format(type(self).__name__, **self._kwargs)


class SyncBatchNorm(BatchNorm):
    """BatchNorm with the statistics of a batch that is split over ``num_devices``, all visible GPUs by default.

    It counts the devices of all workers of a distributed job: with one device in each it is the number of workers.
    Devices of one process must run in threads of their own, since they wait for each other.
    """

    @takes(BatchNorm.__init__, without=("axis", "in_channels"))
    def __init__(self, in_channels: int = 0, num_devices: int | None = None, momentum: float = 0.9, **given: Any):
        super().__init__(axis=1, in_channels=in_channels, momentum=momentum, **given)
        del self._kwargs["axis"]
        if num_devices is None:
            num_devices = context.num_gpus()
            if num_devices:
                warnings.warn(
                    f"SyncBatchNorm takes all {num_devices} GPU(s) to share a batch; if not so, set num_devices",
                    stacklevel=2,
                )
        own: dict[str, Any] = {"ndev": num_devices or 1, "key": self.prefix}
        self._kwargs.update(own)

    def hybrid_forward(
        self, F: ModuleType, x: Array, gamma: Array, beta: Array, running_mean: Array, running_var: Array
    ) -> Array:
        """The layer's output."""
        return F.contrib.SyncBatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)


class _PixelShuffle(HybridBlock):
    """Moves groups of channels into the pixels of a larger picture (Shi et al., 2016)."""

    _dimensions = 2

    def __init__(self, factor: int | tuple[int, ...]):
        super().__init__()
        self._factors = as_tuple(factor, self._dimensions, "factor")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factors})"


class PixelShuffle1D(_PixelShuffle):
    """Shapes (N, channels * factor, W) into (N, channels, W * factor)."""

    def __init__(self, factor: int):
        super().__init__((int(factor),) * 1)
        self._factor = self._factors[0]

    _dimensions = 1

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The longer row."""
        x = F.reshape(x, (0, -4, -1, self._factor, 0))
        return F.reshape(F.transpose(x, (0, 1, 3, 2)), (0, 0, -3))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factor})"


class PixelShuffle2D(_PixelShuffle):
    """Shapes (N, channels * fh * fw, H, W) into (N, channels, H * fh, W * fw); ``factor`` is a number or (fh, fw)."""

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The larger picture."""
        x = F.reshape(x, (0, -4, -1, prod(self._factors), 0, 0))
        x = F.reshape(x, (0, 0, -4, *self._factors, 0, 0))
        return F.reshape(F.transpose(x, (0, 1, 4, 2, 5, 3)), (0, 0, -3, -3))


class PixelShuffle3D(_PixelShuffle):
    """Shapes (N, channels * fd * fh * fw, D, H, W) into (N, channels, D * fd, H * fh, W * fw)."""

    _dimensions = 3

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The larger volume."""
        # One factor at a time: graphs that the original can read have at most six dimensions in a transpose.
        depth, height, width = self._factors
        x = F.swapaxes(F.reshape(x, (0, -4, -1, depth * height * width, 0, 0, 0)), 2, 3)
        x = F.reshape(F.reshape(x, (0, 0, 0, -4, depth, height * width, 0, 0)), (0, 0, -3, 0, 0, 0))
        x = F.swapaxes(x, 3, 4)
        x = F.reshape(F.reshape(x, (0, 0, 0, 0, -4, height, width, 0)), (0, 0, 0, -3, 0, 0))
        return F.reshape(F.swapaxes(x, 4, 5), (0, 0, 0, 0, -3))
