"""VGG (Simonyan and Zisserman, "Very deep convolutional networks for large-scale image recognition", 2014)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ....error import MXNetAssertionError
from ....initializer import Xavier
from ... import nn
from ._common import Network, loads, variant, with_weights

__all__ = [
    "VGG",
    "get_vgg",
    "vgg11",
    "vgg11_bn",
    "vgg13",
    "vgg13_bn",
    "vgg16",
    "vgg16_bn",
    "vgg19",
    "vgg19_bn",
]

# depth: convolutions of each stage, their channels
vgg_spec = {
    11: ([1, 1, 2, 2, 2], [64, 128, 256, 512, 512]),
    13: ([2, 2, 2, 2, 2], [64, 128, 256, 512, 512]),
    16: ([2, 2, 3, 3, 3], [64, 128, 256, 512, 512]),
    19: ([2, 2, 4, 4, 4], [64, 128, 256, 512, 512]),
}


class VGG(Network):
    """Stages of 3x3 convolutions, each followed by pooling, then three dense layers.

    ``layers`` and ``filters`` are the number of convolutions of each stage and their channels.
    """

    def __init__(
        self, layers: list[int], filters: list[int], classes: int = 1000, batch_norm: bool = False, **kwargs: Any
    ):
        super().__init__(**kwargs)
        if len(layers) != len(filters):
            raise MXNetAssertionError(f"VGG has {len(layers)} stages by layers={layers}, but filters={filters}")
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            for count, channels in zip(layers, filters, strict=True):
                for _ in range(count):
                    init = Xavier(rnd_type="gaussian", factor_type="out", magnitude=2)
                    self.features.add(nn.Conv2D(channels, kernel_size=3, padding=1, weight_initializer=init))
                    if batch_norm:
                        self.features.add(nn.BatchNorm())
                    self.features.add(nn.Activation("relu"))
                self.features.add(nn.MaxPool2D(strides=2))
            for _ in range(2):
                self.features.add(nn.Dense(4096, activation="relu", weight_initializer="normal"), nn.Dropout(0.5))
            self.output = nn.Dense(classes, weight_initializer="normal")


@loads
def get_vgg(num_layers: int, pretrained: bool, **given: Any) -> VGG:
    """VGG of 11, 13, 16 or 19 layers, with batch normalization if ``batch_norm=True``.

    ``pretrained`` loads the weights from the directory ``root``, or downloads them to it, into the context ``ctx``.
    """
    name = f"vgg{num_layers}{'_bn' if given.get('batch_norm') else ''}"
    return with_weights(partial(VGG, *vgg_spec[num_layers]), name, pretrained, **given)


def _variants(suffix: str = "", what: str = "", **options: object) -> Iterator[Any]:
    for depth in vgg_spec:
        yield variant(f"vgg{depth}{suffix}", f"VGG of {depth} layers{what}.", get_vgg, depth, **options)


vgg11, vgg13, vgg16, vgg19 = _variants()
vgg11_bn, vgg13_bn, vgg16_bn, vgg19_bn = _variants("_bn", " with batch normalization", batch_norm=True)
