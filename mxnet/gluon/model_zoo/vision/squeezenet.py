"""SqueezeNet (Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters", 2016)."""

from __future__ import annotations

from functools import partial
from typing import Any

from ....error import MXNetAssertionError
from ... import nn
from ...contrib.nn import HybridConcurrent
from ._common import Network, loads, variant, with_weights

__all__ = ["SqueezeNet", "squeezenet1_0", "squeezenet1_1"]

# version: channels and size of the first convolution, channels that each fire module squeezes to; None is a pooling
_SPEC: dict[str, tuple[int, int, tuple[int | None, ...]]] = {
    "1.0": (96, 7, (16, 16, 32, None, 32, 48, 48, 64, None, 64)),
    "1.1": (64, 3, (16, 16, None, 32, 32, None, 48, 48, 64, 64)),
}


def _make_fire_conv(channels: int, kernel_size: int, padding: int = 0) -> nn.HybridSequential:
    out = nn.HybridSequential(prefix="")
    out.add(nn.Conv2D(channels, kernel_size, padding=padding), nn.Activation("relu"))
    return out


def _make_fire(squeeze_channels: int, expand1x1_channels: int, expand3x3_channels: int) -> nn.HybridSequential:
    """Few channels by a 1x1 convolution, then more again by 1x1 and 3x3 convolutions side by side."""
    out = nn.HybridSequential(prefix="")
    out.add(_make_fire_conv(squeeze_channels, 1))
    paths = HybridConcurrent(axis=1, prefix="")
    paths.add(_make_fire_conv(expand1x1_channels, 1), _make_fire_conv(expand3x3_channels, 3, 1))
    out.add(paths)
    return out


class SqueezeNet(Network):
    """Fire modules and a convolution that gives the classes. ``version`` is "1.0" or "1.1", the latter is faster."""

    def __init__(self, version: str, classes: int = 1000, **kwargs: Any):
        super().__init__(**kwargs)
        if version not in _SPEC:
            raise MXNetAssertionError(f"Unsupported SqueezeNet version {version}:1.0 or 1.1 expected")
        channels, kernel_size, modules = _SPEC[version]
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(nn.Conv2D(channels, kernel_size=kernel_size, strides=2), nn.Activation("relu"))
            for squeeze in (None, *modules):
                if squeeze is None:
                    self.features.add(nn.MaxPool2D(pool_size=3, strides=2, ceil_mode=True))
                else:
                    self.features.add(_make_fire(squeeze, 4 * squeeze, 4 * squeeze))
            self.features.add(nn.Dropout(0.5))
            self.output = nn.HybridSequential(prefix="")
            self.output.add(nn.Conv2D(classes, kernel_size=1), nn.Activation("relu"), nn.AvgPool2D(13), nn.Flatten())


@loads
def get_squeezenet(version: str, pretrained: bool, **given: Any) -> SqueezeNet:
    """SqueezeNet of version "1.0" or "1.1".

    ``pretrained`` loads the weights from the directory ``root``, or downloads them to it, into the context ``ctx``.
    """
    return with_weights(partial(SqueezeNet, version), f"squeezenet{version}", pretrained, **given)


squeezenet1_0 = variant("squeezenet1_0", "SqueezeNet 1.0.", get_squeezenet, "1.0")
squeezenet1_1 = variant("squeezenet1_1", "SqueezeNet 1.1: as accurate, with less work.", get_squeezenet, "1.1")
