"""ResNet: V1 (He et al., "Deep residual learning for image recognition", 2015) and V2 (He et al., "Identity mappings in
deep residual networks", 2016), which normalizes before each convolution instead of after it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import Any

from ...._core.types import Array
from ....error import MXNetAssertionError
from ... import nn
from ...hybrid_block import HybridBlock
from ._common import Network, loads, variant, with_weights

__all__ = [
    "BasicBlockV1",
    "BasicBlockV2",
    "BottleneckV1",
    "BottleneckV2",
    "ResNetV1",
    "ResNetV2",
    "get_resnet",
    "resnet101_v1",
    "resnet101_v2",
    "resnet152_v1",
    "resnet152_v2",
    "resnet18_v1",
    "resnet18_v2",
    "resnet34_v1",
    "resnet34_v2",
    "resnet50_v1",
    "resnet50_v2",
]


def _conv3x3(channels: int, stride: int, in_channels: int) -> nn.Conv2D:
    return nn.Conv2D(channels, 3, strides=stride, padding=1, use_bias=False, in_channels=in_channels)


def _shortcut(channels: int, stride: int, in_channels: int) -> nn.Conv2D:
    return nn.Conv2D(channels, 1, strides=stride, use_bias=False, in_channels=in_channels)


class _BlockV1(HybridBlock):
    """A body of convolutions, each normalized, and the input added to it; ``downsample`` fits the input's shape."""

    def __init__(self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any):
        super().__init__(**kwargs)
        self.body = nn.HybridSequential(prefix="")
        for number, convolution in enumerate(self._convolutions(channels, stride, in_channels)):
            if number:
                self.body.add(nn.Activation("relu"))
            self.body.add(convolution, nn.BatchNorm())
        self.downsample: nn.HybridSequential | None = None
        if downsample:
            self.downsample = nn.HybridSequential(prefix="")
            self.downsample.add(_shortcut(channels, stride, in_channels), nn.BatchNorm())

    def _convolutions(self, channels: int, stride: int, in_channels: int) -> Iterator[nn.Conv2D]:
        raise NotImplementedError

    def _add(self, body: Any, shortcut: Any) -> Any:
        return body + shortcut

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The block's output."""
        body = self.body(x)
        shortcut = self.downsample(x) if self.downsample else x
        return F.Activation(self._add(body, shortcut), act_type="relu")


class BasicBlockV1(_BlockV1):
    """Two 3x3 convolutions and a way around them: the block of ResNet V1 of 18 and 34 layers.

    ``stride`` is that of the first convolution; with ``downsample`` the way around is a convolution too.
    """

    def _convolutions(self, channels: int, stride: int, in_channels: int) -> Iterator[nn.Conv2D]:
        yield _conv3x3(channels, stride, in_channels)
        yield _conv3x3(channels, 1, channels)

    def _add(self, body: Any, shortcut: Any) -> Any:
        return shortcut + body


class BottleneckV1(_BlockV1):
    """A 3x3 convolution of few channels between two 1x1 ones, and a way around them: the block of ResNet V1 of 50
    layers and more.

    ``stride`` is that of the first convolution; with ``downsample`` the way around is a convolution too.
    """

    def _convolutions(self, channels: int, stride: int, in_channels: int) -> Iterator[nn.Conv2D]:
        yield nn.Conv2D(channels // 4, kernel_size=1, strides=stride)
        yield _conv3x3(channels // 4, 1, channels // 4)
        yield nn.Conv2D(channels, kernel_size=1, strides=1)


class _BlockV2(HybridBlock):
    """Convolutions bn1, conv1, bn2, conv2 ... and the input added to them; ``downsample`` fits the input's shape."""

    def __init__(self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any):
        super().__init__(**kwargs)
        self._count = 0
        for convolution in self._convolutions(channels, stride, in_channels):
            self._count += 1
            setattr(self, f"bn{self._count}", nn.BatchNorm())
            setattr(self, f"conv{self._count}", convolution)
        self.downsample = _shortcut(channels, stride, in_channels) if downsample else None

    def _convolutions(self, channels: int, stride: int, in_channels: int) -> Iterator[nn.Conv2D]:
        raise NotImplementedError

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The block's output."""
        shortcut = x
        for number in range(1, self._count + 1):
            x = F.Activation(getattr(self, f"bn{number}")(x), act_type="relu")
            if number == 1 and self.downsample:
                shortcut = self.downsample(x)
            x = getattr(self, f"conv{number}")(x)
        return x + shortcut


class BasicBlockV2(_BlockV2):
    """Two 3x3 convolutions and a way around them: the block of ResNet V2 of 18 and 34 layers.

    ``stride`` is that of the first convolution; with ``downsample`` the way around is a convolution too.
    """

    _convolutions = BasicBlockV1._convolutions


class BottleneckV2(_BlockV2):
    """A 3x3 convolution of few channels between two 1x1 ones, and a way around them: the block of ResNet V2 of 50
    layers and more.

    ``stride`` is that of the 3x3 convolution; with ``downsample`` the way around is a convolution too.
    """

    def _convolutions(self, channels: int, stride: int, in_channels: int) -> Iterator[nn.Conv2D]:
        yield nn.Conv2D(channels // 4, kernel_size=1, strides=1, use_bias=False)
        yield _conv3x3(channels // 4, stride, channels // 4)
        yield nn.Conv2D(channels, kernel_size=1, strides=1, use_bias=False)


class _ResNet(Network):
    """The stages of a ResNet; a subclass says what comes before and after them."""

    def __init__(
        self,
        block: type,
        layers: list[int],
        channels: list[int],
        classes: int = 1000,
        thumbnail: bool = False,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        if len(layers) != len(channels) - 1:
            raise MXNetAssertionError(
                f"channels has one number more than layers, that of the first convolution; got {channels} and {layers}"
            )
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(*self._before())
            if thumbnail:
                self.features.add(_conv3x3(channels[0], 1, 0))
            else:
                self.features.add(
                    nn.Conv2D(channels[0], 7, 2, 3, use_bias=False),
                    nn.BatchNorm(),
                    nn.Activation("relu"),
                    nn.MaxPool2D(3, 2, 1),
                )
            for number, count in enumerate(layers, 1):
                before, after = channels[number - 1], channels[number]
                stage = nn.HybridSequential(prefix=f"stage{number}_")
                with stage.name_scope():
                    stride = 1 if number == 1 else 2
                    stage.add(block(after, stride, after != before, in_channels=before, prefix=""))
                    stage.add(*(block(after, 1, False, in_channels=after, prefix="") for _ in range(count - 1)))
                self.features.add(stage)
            self.features.add(*self._after())
            self.output = nn.Dense(classes, in_units=channels[-1])

    def _before(self) -> tuple[HybridBlock, ...]:
        return ()

    def _after(self) -> tuple[HybridBlock, ...]:
        return (nn.GlobalAvgPool2D(),)


class ResNetV1(_ResNet):
    """ResNet V1 out of ``block``, BasicBlockV1 or BottleneckV1.

    ``layers`` are the numbers of blocks in the stages, ``channels`` the channels of the first convolution and of each
    stage. ``thumbnail`` is for images of 32x32 or so: the first convolution is small, without pooling.
    """


class ResNetV2(_ResNet):
    """ResNet V2 out of ``block``, BasicBlockV2 or BottleneckV2.

    ``layers`` are the numbers of blocks in the stages, ``channels`` the channels of the first convolution and of each
    stage. ``thumbnail`` is for images of 32x32 or so: the first convolution is small, without pooling.
    """

    def _before(self) -> tuple[HybridBlock, ...]:
        return (nn.BatchNorm(scale=False, center=False),)

    def _after(self) -> tuple[HybridBlock, ...]:
        return nn.BatchNorm(), nn.Activation("relu"), nn.GlobalAvgPool2D(), nn.Flatten()


# depth: kind of block, blocks of each stage, channels of the first convolution and of each stage
resnet_spec: dict[int, tuple[str, list[int], list[int]]] = {
    18: ("basic_block", [2, 2, 2, 2], [64, 64, 128, 256, 512]),
    34: ("basic_block", [3, 4, 6, 3], [64, 64, 128, 256, 512]),
    50: ("bottle_neck", [3, 4, 6, 3], [64, 256, 512, 1024, 2048]),
    101: ("bottle_neck", [3, 4, 23, 3], [64, 256, 512, 1024, 2048]),
    152: ("bottle_neck", [3, 8, 36, 3], [64, 256, 512, 1024, 2048]),
}
resnet_net_versions = [ResNetV1, ResNetV2]
resnet_block_versions: list[dict[str, type[HybridBlock]]] = [
    {"basic_block": BasicBlockV1, "bottle_neck": BottleneckV1},
    {"basic_block": BasicBlockV2, "bottle_neck": BottleneckV2},
]


@loads
def get_resnet(version: int, num_layers: int, pretrained: bool, **given: Any) -> Any:
    """ResNet of version 1 or 2 and of 18, 34, 50, 101 or 152 layers.

    ``pretrained`` loads the weights from the directory ``root``, or downloads them to it, into the context ``ctx``.
    """
    if num_layers not in resnet_spec:
        raise MXNetAssertionError(f"Invalid number of layers: {num_layers}. Options are {resnet_spec.keys()}")
    if version not in (1, 2):
        raise MXNetAssertionError(f"Invalid resnet version: {version}. Options are 1 and 2.")
    kind, layers, channels = resnet_spec[num_layers]
    block = resnet_block_versions[version - 1][kind]
    make = partial(resnet_net_versions[version - 1], block, layers, channels)
    return with_weights(make, f"resnet{num_layers}_v{version}", pretrained, **given)


def _variants(version: int) -> Iterator[Any]:
    for depth in resnet_spec:
        what = f"ResNet V{version} of {depth} layers."
        yield variant(f"resnet{depth}_v{version}", what, get_resnet, version, depth)


resnet18_v1, resnet34_v1, resnet50_v1, resnet101_v1, resnet152_v1 = _variants(1)
resnet18_v2, resnet34_v2, resnet50_v2, resnet101_v2, resnet152_v2 = _variants(2)
