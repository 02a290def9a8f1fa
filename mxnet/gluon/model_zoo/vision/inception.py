"""Inception V3 (Szegedy et al., "Rethinking the inception architecture for computer vision", 2015)."""

from __future__ import annotations

from typing import Any

from ...._core.types import ShapeLike
from ... import nn
from ...contrib.nn import HybridConcurrent
from ...hybrid_block import HybridBlock
from ._common import Network, loads, with_weights

__all__ = ["Inception3", "inception_v3"]

#: A convolution: channels, kernel size, and if they are not the default stride and padding.
Convolution = tuple[Any, ...]
Branches = tuple[HybridBlock, ...]


def _convolution(
    channels: int, kernel_size: ShapeLike, strides: int = 1, padding: ShapeLike = 0
) -> nn.HybridSequential:
    out = nn.HybridSequential(prefix="")
    out.add(
        nn.Conv2D(channels, kernel_size, strides, padding, use_bias=False),
        nn.BatchNorm(epsilon=0.001),
        nn.Activation("relu"),
    )
    return out


def _branch(*parts: Convolution | HybridBlock) -> nn.HybridSequential:
    """Convolutions, given by their arguments, and other blocks in a row."""
    out = nn.HybridSequential(prefix="")
    out.add(*(_convolution(*part) if isinstance(part, tuple) else part for part in parts))
    return out


def _average() -> nn.AvgPool2D:
    return nn.AvgPool2D(pool_size=3, strides=1, padding=1)


def _grid(channels: int) -> Branches:
    """Small windows: 1x1, 5x5 and two 3x3."""
    return (
        _branch((64, 1)),
        _branch((48, 1), (64, 5, 1, 2)),
        _branch((64, 1), (96, 3, 1, 1), (96, 3, 1, 1)),
        _branch(_average(), (channels, 1)),
    )


def _first_reduction() -> Branches:
    return (
        _branch((384, 3, 2)),
        _branch((64, 1), (96, 3, 1, 1), (96, 3, 2)),
        _branch(nn.MaxPool2D(pool_size=3, strides=2)),
    )


def _factorize(channels: int) -> Branches:
    """7x7 windows, as rows and columns."""
    row, column = (channels, (1, 7), 1, (0, 3)), (channels, (7, 1), 1, (3, 0))
    return (
        _branch((192, 1)),
        _branch((channels, 1), row, (192, *column[1:])),
        _branch((channels, 1), column, row, column, (192, *row[1:])),
        _branch(_average(), (192, 1)),
    )


def _second_reduction() -> Branches:
    return (
        _branch((192, 1), (320, 3, 2)),
        _branch((192, 1), (192, (1, 7), 1, (0, 3)), (192, (7, 1), 1, (3, 0)), (192, 3, 2)),
        _branch(nn.MaxPool2D(pool_size=3, strides=2)),
    )


def _wide() -> Branches:
    """Rows and columns of three beside each other."""

    def split(*before: Convolution) -> HybridBlock:
        out = _branch(_branch(*before))
        ways = HybridConcurrent(axis=1, prefix="")
        ways.add(_branch((384, (1, 3), 1, (0, 1))), _branch((384, (3, 1), 1, (1, 0))))
        out.add(ways)
        return out

    return (
        _branch((320, 1)),
        split((384, 1)),
        split((448, 1), (384, 3, 1, 1)),
        _branch(_average(), (192, 1)),
    )


# prefix, kind and its arguments of the modules, in order
_MODULES: tuple[tuple[Any, ...], ...] = (
    ("A1_", _grid, 32),
    ("A2_", _grid, 64),
    ("A3_", _grid, 64),
    ("B_", _first_reduction),
    ("C1_", _factorize, 128),
    ("C2_", _factorize, 160),
    ("C3_", _factorize, 160),
    ("C4_", _factorize, 192),
    ("D_", _second_reduction),
    ("E1_", _wide),
    ("E2_", _wide),
)


def make_aux(classes: int) -> nn.HybridSequential:
    """The side output that the paper trains along with the main one; no constructor adds it."""
    out = nn.HybridSequential(prefix="")
    out.add(nn.AvgPool2D(pool_size=5, strides=3), _convolution(128, 1), _convolution(768, 5))
    out.add(nn.Flatten(), nn.Dense(classes))
    return out


class Inception3(Network):
    """Convolutions of several shapes side by side, module after module. ``classes`` is the number of outputs."""

    def __init__(self, classes: int = 1000, **kwargs: Any):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(
                _convolution(32, 3, 2),
                _convolution(32, 3),
                _convolution(64, 3, 1, 1),
                nn.MaxPool2D(pool_size=3, strides=2),
                _convolution(80, 1),
                _convolution(192, 3),
                nn.MaxPool2D(pool_size=3, strides=2),
            )
            for prefix, make, *arguments in _MODULES:
                module = HybridConcurrent(axis=1, prefix=prefix)
                with module.name_scope():
                    module.add(*make(*arguments))
                self.features.add(module)
            self.features.add(nn.AvgPool2D(pool_size=8), nn.Dropout(0.5))
            self.output = nn.Dense(classes)


@loads
def inception_v3(pretrained: bool, **given: Any) -> Inception3:
    """Inception V3; ``pretrained`` loads its weights from the directory ``root``, or downloads them, into ``ctx``."""
    return with_weights(Inception3, "inceptionv3", pretrained, **given)
