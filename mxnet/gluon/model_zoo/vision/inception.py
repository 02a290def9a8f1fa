"""Inception V3 (Szegedy et al., "Rethinking the inception architecture for computer vision", 2015)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ... import nn
from ...contrib.nn import HybridConcurrent
from ...hybrid_block import HybridBlock
from ._common import Network, loads, with_weights

__all__ = ["Inception3", "inception_v3"]

#: A convolution: channels, kernel size, stride and padding; None is the default.
Setting = tuple[Any, Any, Any, Any]


def _make_basic_conv(**kwargs: Any) -> nn.HybridSequential:
    """A convolution, given by its arguments, with normalization and activation."""
    out = nn.HybridSequential(prefix="")
    out.add(nn.Conv2D(use_bias=False, **kwargs), nn.BatchNorm(epsilon=0.001), nn.Activation("relu"))
    return out


def _make_branch(use_pool: str | None, *conv_settings: Setting) -> nn.HybridSequential:
    """Convolutions in a row, after pooling of the kind "avg" or "max" if that is given."""
    out = nn.HybridSequential(prefix="")
    if use_pool == "avg":
        out.add(nn.AvgPool2D(pool_size=3, strides=1, padding=1))
    elif use_pool == "max":
        out.add(nn.MaxPool2D(pool_size=3, strides=2))
    for setting in conv_settings:
        given = zip(("channels", "kernel_size", "strides", "padding"), setting, strict=True)
        out.add(_make_basic_conv(**{name: value for name, value in given if value is not None}))
    return out


def _one(channels: int) -> Setting:
    """A convolution of single pixels."""
    return (channels, 1, None, None)


def _row(channels: int, size: int = 7) -> Setting:
    return (channels, (1, size), None, (0, size // 2))


def _column(channels: int, size: int = 7) -> Setting:
    return (channels, (size, 1), None, (size // 2, 0))


def _beside(prefix: str, *branches: Callable[[], HybridBlock]) -> HybridConcurrent:
    """Branches side by side, made within the names of a block with the prefix."""
    out = HybridConcurrent(axis=1, prefix=prefix)
    with out.name_scope():
        out.add(*(make() for make in branches))
    return out


def _make_A(pool_features: int, prefix: str) -> HybridConcurrent:
    """Small windows: 1x1, 5x5 and two 3x3."""
    return _beside(
        prefix,
        partial(_make_branch, None, _one(64)),
        partial(_make_branch, None, _one(48), (64, 5, None, 2)),
        partial(_make_branch, None, _one(64), (96, 3, None, 1), (96, 3, None, 1)),
        partial(_make_branch, "avg", _one(pool_features)),
    )


def _make_B(prefix: str) -> HybridConcurrent:
    """The first reduction."""
    return _beside(
        prefix,
        partial(_make_branch, None, (384, 3, 2, None)),
        partial(_make_branch, None, _one(64), (96, 3, None, 1), (96, 3, 2, None)),
        partial(_make_branch, "max"),
    )


def _make_C(channels_7x7: int, prefix: str) -> HybridConcurrent:
    """7x7 windows, as rows and columns."""
    row, column = _row(channels_7x7), _column(channels_7x7)
    return _beside(
        prefix,
        partial(_make_branch, None, _one(192)),
        partial(_make_branch, None, _one(channels_7x7), row, _column(192)),
        partial(_make_branch, None, _one(channels_7x7), column, row, column, _row(192)),
        partial(_make_branch, "avg", _one(192)),
    )


def _make_D(prefix: str) -> HybridConcurrent:
    """The second reduction."""
    return _beside(
        prefix,
        partial(_make_branch, None, _one(192), (320, 3, 2, None)),
        partial(_make_branch, None, _one(192), _row(192), _column(192), (192, 3, 2, None)),
        partial(_make_branch, "max"),
    )


def _split(*before: Setting) -> nn.HybridSequential:
    """Convolutions, then a row and a column of three side by side."""
    out = nn.HybridSequential(prefix="")
    out.add(_make_branch(None, *before))
    ways = HybridConcurrent(axis=1, prefix="")
    ways.add(_make_branch(None, _row(384, 3)), _make_branch(None, _column(384, 3)))
    out.add(ways)
    return out


def _make_E(prefix: str) -> HybridConcurrent:
    """Rows and columns of three beside each other."""
    return _beside(
        prefix,
        partial(_make_branch, None, _one(320)),
        partial(_split, _one(384)),
        partial(_split, _one(448), (384, 3, None, 1)),
        partial(_make_branch, "avg", _one(192)),
    )


def make_aux(classes: int) -> nn.HybridSequential:
    """The side output that the paper trains along with the main one; no constructor adds it."""
    out = nn.HybridSequential(prefix="")
    out.add(nn.AvgPool2D(pool_size=5, strides=3))
    out.add(_make_basic_conv(channels=128, kernel_size=1), _make_basic_conv(channels=768, kernel_size=5))
    out.add(nn.Flatten(), nn.Dense(classes))
    return out


class Inception3(Network):
    """Convolutions of several shapes side by side, module after module. ``classes`` is the number of outputs."""

    def __init__(self, classes: int = 1000, **kwargs: Any):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(
                _make_basic_conv(channels=32, kernel_size=3, strides=2),
                _make_basic_conv(channels=32, kernel_size=3),
                _make_basic_conv(channels=64, kernel_size=3, padding=1),
                nn.MaxPool2D(pool_size=3, strides=2),
                _make_basic_conv(channels=80, kernel_size=1),
                _make_basic_conv(channels=192, kernel_size=3),
                nn.MaxPool2D(pool_size=3, strides=2),
                *(_make_A(channels, f"A{number}_") for number, channels in enumerate((32, 64, 64), 1)),
                _make_B("B_"),
                *(_make_C(channels, f"C{number}_") for number, channels in enumerate((128, 160, 160, 192), 1)),
                _make_D("D_"),
                *(_make_E(f"E{number}_") for number in (1, 2)),
                nn.AvgPool2D(pool_size=8),
                nn.Dropout(0.5),
            )
            self.output = nn.Dense(classes)


@loads
def inception_v3(pretrained: bool, **given: Any) -> Inception3:
    """Inception V3; ``pretrained`` loads its weights from the directory ``root``, or downloads them, into ``ctx``."""
    return with_weights(Inception3, "inceptionv3", pretrained, **given)
