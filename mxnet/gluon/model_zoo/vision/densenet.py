"""DenseNet (Huang et al., "Densely connected convolutional networks", 2016)."""

from __future__ import annotations

from functools import partial
from typing import Any

from ... import nn
from ...contrib.nn import HybridConcurrent, Identity
from ._common import Network, loads, variant, with_weights

__all__ = ["DenseNet", "densenet121", "densenet161", "densenet169", "densenet201"]

# depth: channels at first, channels that each layer adds, layers of each stage
densenet_spec = {
    121: (64, 32, [6, 12, 24, 16]),
    161: (96, 48, [6, 12, 36, 24]),
    169: (64, 32, [6, 12, 32, 32]),
    201: (64, 32, [6, 12, 48, 32]),
}


def _normalized_convolution(channels: int, kernel_size: int, padding: int = 0) -> tuple[Any, ...]:
    """Normalization and activation before a convolution, as everywhere in this network."""
    return nn.BatchNorm(), nn.Activation("relu"), nn.Conv2D(channels, kernel_size, padding=padding, use_bias=False)


def _make_dense_layer(growth_rate: int, bn_size: int, dropout: float) -> HybridConcurrent:
    """The input, and beside it ``growth_rate`` new channels."""
    new = nn.HybridSequential(prefix="")
    new.add(*_normalized_convolution(bn_size * growth_rate, 1), *_normalized_convolution(growth_rate, 3, 1))
    if dropout:
        new.add(nn.Dropout(dropout))
    out = HybridConcurrent(axis=1, prefix="")
    out.add(Identity(), new)
    return out


def _make_dense_block(
    num_layers: int, bn_size: int, growth_rate: int, dropout: float, stage_index: int
) -> nn.HybridSequential:
    """The layers of a stage."""
    out = nn.HybridSequential(prefix=f"stage{stage_index}_")
    with out.name_scope():
        out.add(*(_make_dense_layer(growth_rate, bn_size, dropout) for _ in range(num_layers)))
    return out


def _make_transition(num_output_features: int) -> nn.HybridSequential:
    """Between two stages: fewer channels, and half the size."""
    out = nn.HybridSequential(prefix="")
    out.add(*_normalized_convolution(num_output_features, 1), nn.AvgPool2D(pool_size=2, strides=2))
    return out


class DenseNet(Network):
    """Layers that each see the outputs of all earlier ones of their stage.

    ``num_init_features`` channels at first, ``growth_rate`` more by each layer, ``block_config`` layers in the stages,
    ``bn_size`` times the growth in the middle of each layer, ``dropout`` after it.
    """

    def __init__(
        self,
        num_init_features: int,
        growth_rate: int,
        block_config: list[int],
        bn_size: int = 4,
        dropout: float = 0,
        classes: int = 1000,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(
                nn.Conv2D(num_init_features, kernel_size=7, strides=2, padding=3, use_bias=False),
                nn.BatchNorm(),
                nn.Activation("relu"),
                nn.MaxPool2D(pool_size=3, strides=2, padding=1),
            )
            channels = num_init_features
            for number, layers in enumerate(block_config, 1):
                if number > 1:
                    channels //= 2
                    self.features.add(_make_transition(channels))
                self.features.add(_make_dense_block(layers, bn_size, growth_rate, dropout, number))
                channels += layers * growth_rate
            self.features.add(nn.BatchNorm(), nn.Activation("relu"), nn.AvgPool2D(pool_size=7), nn.Flatten())
            self.output = nn.Dense(classes)


@loads
def get_densenet(num_layers: int, pretrained: bool, **given: Any) -> DenseNet:
    """DenseNet of 121, 161, 169 or 201 layers.

    ``pretrained`` loads the weights from the directory ``root``, or downloads them to it, into the context ``ctx``.
    """
    make = partial(DenseNet, *densenet_spec[num_layers])
    return with_weights(make, f"densenet{num_layers}", pretrained, **given)


densenet121, densenet161, densenet169, densenet201 = (
    variant(f"densenet{depth}", f"DenseNet of {depth} layers.", get_densenet, depth) for depth in densenet_spec
)
