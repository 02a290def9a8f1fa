"""Convolutions that learn where to look."""

from __future__ import annotations

from math import prod
from types import ModuleType
from typing import Any

from ...._core.types import Array
from ...hybrid_block import HybridBlock
from ...nn import Activation
from ...nn.conv_layers import describe
from ...utils import MXNetAssertionError, as_tuple

__all__ = ["DeformableConvolution", "ModulatedDeformableConvolution"]


class _Deformable(HybridBlock):
    """A convolution whose sampling points are moved by what another convolution says."""

    _operator: str
    #: Numbers that the offset convolution gives for each point of the kernel.
    _per_point: int
    #: Is it the offset convolution whose parameters come first?
    _offset_first: bool
    deformable_conv_weight: Any
    deformable_conv_bias: Any

    def __init__(
        self,
        channels: int,
        kernel_size: Any = (1, 1),
        strides: Any = (1, 1),
        padding: Any = (0, 0),
        dilation: Any = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: str | None = None,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        offset_weight_initializer: Any = "zeros",
        offset_bias_initializer: Any = "zeros",
        offset_use_bias: bool = True,
        op_name: str | None = None,
        adj: Any = None,
        prefix: str | None = None,
        params: Any = None,
    ):
        super().__init__(prefix=prefix, params=params)
        self._channels = channels
        self._in_channels = in_channels
        self._op_name = op_name or self._operator
        kernel = as_tuple(kernel_size, 2, "kernel_size")
        if layout not in ("NCHW", "NHWC"):
            raise MXNetAssertionError(f"Only supports NCHW and NHWC layout for now, got {layout!r}")
        points = num_deformable_group * prod(kernel)
        common = {
            "kernel": kernel,
            "stride": as_tuple(strides, 2, "strides"),
            "dilate": as_tuple(dilation, 2, "dilation"),
            "pad": as_tuple(padding, 2, "padding"),
            "num_group": groups,
            "layout": layout,
        }
        self.offset_split_index = 2 * points
        self._kwargs_offset: dict[str, Any] = {
            **common,
            "num_filter": self._per_point * points,
            "no_bias": not offset_use_bias,
        }
        self._kwargs_deformable_conv: dict[str, Any] = {
            **common,
            "num_filter": channels,
            "num_deformable_group": num_deformable_group,
            "no_bias": not use_bias,
        }
        if adj is not None:
            self._kwargs_offset["adj"] = self._kwargs_deformable_conv["adj"] = adj
        inner = in_channels // groups
        offset_shape = (*kernel, inner) if layout == "NHWC" else (inner, *kernel)

        count = self._per_point * points
        offset = [
            ("offset_weight", (count, *offset_shape), offset_weight_initializer, True),
            ("offset_bias", (count,), offset_bias_initializer, offset_use_bias),
        ]
        convolution = [
            # as in the original, the number of input channels waits for the first input
            ("deformable_conv_weight", (channels, 0, *kernel), weight_initializer, True),
            ("deformable_conv_bias", (channels,), bias_initializer, use_bias),
        ]
        with self.name_scope():
            for name, shape, init, used in offset + convolution if self._offset_first else convolution + offset:
                found = self.params.get(name, shape=shape, init=init, allow_deferred_init=True) if used else None
                setattr(self, name, found)
            self.act = None if activation is None else Activation(activation, prefix=f"{activation}_")

    def _points(self, F: ModuleType, offset: Array) -> tuple:
        """What the operator takes between data and weight."""
        raise NotImplementedError

    def hybrid_forward(
        self,
        F: ModuleType,
        x: Array,
        offset_weight: object,
        deformable_conv_weight: Array,
        offset_bias: object = None,
        deformable_conv_bias: object = None,
    ) -> Array:
        """The layer's output."""
        given = (offset_weight,) if offset_bias is None else (offset_weight, offset_bias)
        offset = F.Convolution(x, *given, cudnn_off=True, **self._kwargs_offset)
        given = (deformable_conv_weight,)
        if deformable_conv_bias is not None:
            given = (deformable_conv_weight, deformable_conv_bias)
        convolve = getattr(F.contrib, self._op_name)
        out = convolve(x, *self._points(F, offset), *given, name="fwd", **self._kwargs_deformable_conv)
        return out if self.act is None else self.act(out)


class DeformableConvolution(_Deformable):
    """A convolution over images whose sampling points are moved by learned offsets (Dai et al., 2017).

    ``num_deformable_group`` groups of channels have offsets of their own; a second convolution gives them, with
    parameters ``offset_weight`` and ``offset_bias``.
    """

    _operator = "DeformableConvolution"
    _per_point = 2
    _offset_first = True

    def _alias(self) -> str:
        return "deformable_conv"

    def _points(self, F: ModuleType, offset: Array) -> tuple:
        return (offset,)

    def __repr__(self) -> str:
        shape = self.deformable_conv_weight.shape
        return describe(self, self._kwargs_deformable_conv, shape[1], shape[0], self.deformable_conv_bias)


class ModulatedDeformableConvolution(_Deformable):
    """A DeformableConvolution that also weighs each sampling point, between 0 and 2 (Zhu et al., 2018)."""

    _operator = "ModulatedDeformableConvolution"
    _per_point = 3
    _offset_first = False

    def _alias(self) -> str:
        return "modulated_deformable_conv"

    def _points(self, F: ModuleType, offset: Array) -> tuple:
        places = F.slice_axis(offset, axis=1, begin=0, end=self.offset_split_index)
        weights = F.slice_axis(offset, axis=1, begin=self.offset_split_index, end=None)
        return places, F.sigmoid(weights) * 2
