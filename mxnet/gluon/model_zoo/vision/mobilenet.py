"""MobileNet (Howard et al., "MobileNets: efficient convolutional neural networks for mobile vision applications", 2017)
and MobileNetV2 (Sandler et al., "Inverted residuals and linear bottlenecks", 2018)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

from ...._core.types import Array
from ... import nn
from ...hybrid_block import HybridBlock
from ._common import Network, loads, variant, with_weights

__all__ = [
    "MobileNet",
    "MobileNetV2",
    "get_mobilenet",
    "get_mobilenet_v2",
    "mobilenet0_25",
    "mobilenet0_5",
    "mobilenet0_75",
    "mobilenet1_0",
    "mobilenet_v2_0_25",
    "mobilenet_v2_0_5",
    "mobilenet_v2_0_75",
    "mobilenet_v2_1_0",
]

# channels and stride of each pair of a depthwise and a pointwise convolution
_PAIRS = (
    (64, 1),
    *((128, 2), (128, 1)),
    *((256, 2), (256, 1)),
    *((512, 2), *((512, 1),) * 5),
    *((1024, 2), (1024, 1)),
)
# expansion, channels, number and first stride of the bottlenecks
_BOTTLENECKS = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


class RELU6(HybridBlock):
    """Elements cut to between 0 and 6."""

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The activation of x."""
        return F.clip(x, 0, 6, name="relu6")


def _add_conv(
    out: nn.HybridSequential,
    channels: int = 1,
    kernel: int = 1,
    stride: int = 1,
    pad: int = 0,
    num_group: int = 1,
    active: bool = True,
    relu6: bool = False,
) -> None:
    """Adds a convolution, normalization and, if ``active``, an activation: ReLU, or one that ends at 6."""
    out.add(nn.Conv2D(channels, kernel, stride, pad, groups=num_group, use_bias=False), nn.BatchNorm(scale=True))
    if active:
        out.add(RELU6() if relu6 else nn.Activation("relu"))


def _add_conv_dw(out: nn.HybridSequential, dw_channels: int, channels: int, stride: int, relu6: bool = False) -> None:
    """Adds a depthwise convolution of ``dw_channels`` and a pointwise one to ``channels``."""
    _add_conv(out, dw_channels, 3, stride, 1, num_group=dw_channels, relu6=relu6)
    _add_conv(out, channels, relu6=relu6)


class LinearBottleneck(HybridBlock):
    """Channels times ``t``, a depthwise convolution, ``channels`` again without activation; the input added.

    It is added if it has the right shape. ``stride`` is that of the depthwise convolution.
    """

    def __init__(self, in_channels: int, channels: int, t: int, stride: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.use_shortcut = stride == 1 and in_channels == channels
        with self.name_scope():
            self.out = nn.HybridSequential()
            _add_conv(self.out, in_channels * t, relu6=True)
            _add_conv(self.out, in_channels * t, 3, stride, 1, num_group=in_channels * t, relu6=True)
            _add_conv(self.out, channels, active=False)

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The block's output."""
        out = self.out(x)
        return F.elemwise_add(out, x) if self.use_shortcut else out


class MobileNet(Network):
    """Depthwise and pointwise convolutions in turn; ``multiplier`` scales the number of channels of all."""

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            before = int(32 * multiplier)
            with self.features.name_scope():
                _add_conv(self.features, before, 3, 2, 1)
                for channels, stride in _PAIRS:
                    after = int(channels * multiplier)
                    _add_conv_dw(self.features, before, after, stride)
                    before = after
                self.features.add(nn.GlobalAvgPool2D(), nn.Flatten())
            self.output = nn.Dense(classes)


class MobileNetV2(Network):
    """Linear bottlenecks; ``multiplier`` scales the number of channels of all but the last, which it only raises."""

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="features_")
            before = int(32 * multiplier)
            with self.features.name_scope():
                _add_conv(self.features, before, 3, 2, 1, relu6=True)
                for expansion, channels, count, first_stride in _BOTTLENECKS:
                    after = int(channels * multiplier)
                    for number in range(count):
                        stride = 1 if number else first_stride
                        self.features.add(LinearBottleneck(before, after, expansion, stride))
                        before = after
                _add_conv(self.features, int(1280 * max(multiplier, 1.0)), relu6=True)
                self.features.add(nn.GlobalAvgPool2D())
            self.output = nn.HybridSequential(prefix="output_")
            with self.output.name_scope():
                self.output.add(nn.Conv2D(classes, 1, use_bias=False, prefix="pred_"), nn.Flatten())


def _multiplier_text(multiplier: float) -> str:
    """The multiplier as it is in names of files: 1.0 and 0.5, but two digits otherwise."""
    text = f"{multiplier:.2f}"
    return text[:-1] if text in ("1.00", "0.50") else text


@loads
def get_mobilenet(multiplier: float, pretrained: bool, **given: Any) -> MobileNet:
    """MobileNet with the number of channels times ``multiplier``; weights exist for 1, 0.75, 0.5 and 0.25.

    ``pretrained`` loads the weights from the directory ``root``, or downloads them to it, into the context ``ctx``.
    """
    name = f"mobilenet{_multiplier_text(multiplier)}"
    return with_weights(partial(MobileNet, multiplier), name, pretrained, **given)


@loads
def get_mobilenet_v2(multiplier: float, pretrained: bool, **given: Any) -> MobileNetV2:
    """MobileNetV2 with the number of channels times ``multiplier``; weights exist for 1, 0.75, 0.5 and 0.25.

    ``pretrained`` loads the weights from the directory ``root``, or downloads them to it, into the context ``ctx``.
    """
    name = f"mobilenetv2_{_multiplier_text(multiplier)}"
    return with_weights(partial(MobileNetV2, multiplier), name, pretrained, **given)


def _variants(prefix: str, what: str, get: Callable[..., HybridBlock]) -> Iterator[Any]:
    for multiplier in (1.0, 0.75, 0.5, 0.25):
        text = _multiplier_text(multiplier)
        yield variant(f"{prefix}{text.replace('.', '_')}", f"{what} with width multiplier {text}.", get, multiplier)


mobilenet1_0, mobilenet0_75, mobilenet0_5, mobilenet0_25 = _variants("mobilenet", "MobileNet", get_mobilenet)
mobilenet_v2_1_0, mobilenet_v2_0_75, mobilenet_v2_0_5, mobilenet_v2_0_25 = _variants(
    "mobilenet_v2_", "MobileNetV2", get_mobilenet_v2
)
