"""Convolutions, their transposes, pooling and padding, in one to three dimensions."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from ... import symbol
from ..._core.signature import takes
from ..._core.types import Array
from ..hybrid_block import HybridBlock
from ..utils import MXNetAssertionError, arguments, as_tuple
from .activations import Activation

__all__ = [
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "Conv1D",
    "Conv1DTranspose",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "ReflectionPad2D",
]

_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
#: Convolutions along one axis have the channels first.
_CONVOLVED = {**_LAYOUTS, 1: ("NCW",)}


def _check_layout(layout: str, known: tuple[str, ...]) -> None:
    if layout not in known:
        raise MXNetAssertionError(f"Only supports {' and '.join(known)} layout for now, got {layout!r}")


def _infer_weight_shape(
    op_name: str, data_shape: tuple[int, ...], kwargs: Mapping[str, object]
) -> list[tuple[int, ...]]:
    """The shapes of an operator's inputs, from that of its data."""
    op = getattr(symbol, op_name)(symbol.var("data", shape=data_shape), **kwargs)
    return op.infer_shape_partial()[0]


class _PerDimension:
    """Written for two dimensions; a subclass made with ``dimensions=n`` gets the constructor with defaults for n.

    That is, ``(1, 1)`` becomes ``1`` or ``(1, 1, 1)``, and the layout ``"NCHW"`` becomes ``"NCW"`` or ``"NCDHW"``.
    """

    _dimensions = 2

    def __init_subclass__(cls, dimensions: int | None = None, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if dimensions is not None:
            cls._dimensions = dimensions
            made_by = cls.__init__

            def fit(default: object) -> Any:
                if isinstance(default, tuple):
                    return default[0] if dimensions == 1 else default[:1] * dimensions
                return _LAYOUTS[dimensions][0] if default == "NCHW" else default

            defaults = {name: fit(p.default) for name, p in inspect.signature(made_by).parameters.items()}

            def __init__(self: Any, **given: Any):
                made_by(self, **given)

            __init__.__qualname__ = f"{cls.__qualname__}.__init__"
            cls.__init__ = takes(made_by, **defaults)(__init__)  # type: ignore[method-assign]


class _Conv(HybridBlock):
    """A convolution, or its transpose if ``adj`` is given, in as many dimensions as the kernel has."""

    def __init__(
        self,
        channels: int,
        kernel_size: tuple[int, ...],
        strides: Any,
        padding: Any,
        dilation: Any,
        groups: int,
        layout: str,
        in_channels: int = 0,
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        op_name: str = "Convolution",
        adj: Any = None,
        prefix: str | None = None,
        params: Any = None,
    ):
        super().__init__(prefix=prefix, params=params)
        dimensions = len(kernel_size)
        _check_layout(layout, _CONVOLVED[dimensions])
        self._channels = channels
        self._in_channels = in_channels
        self._op_name = op_name
        self._kwargs = {
            "kernel": kernel_size,
            "stride": as_tuple(strides, dimensions, "strides"),
            "dilate": as_tuple(dilation, dimensions, "dilation"),
            "pad": as_tuple(padding, dimensions, "padding"),
            "num_filter": channels,
            "num_group": groups,
            "no_bias": not use_bias,
            "layout": layout,
        }
        if adj is not None:
            self._kwargs["adj"] = adj
        with self.name_scope():
            self.weight = self.params.get(
                "weight", shape=self._weight_shape(), init=weight_initializer, allow_deferred_init=True
            )
            if use_bias:
                self.bias = self.params.get("bias", shape=(channels,), init=bias_initializer, allow_deferred_init=True)
            else:
                self.bias = None
            self.act = None if activation is None else Activation(activation, prefix=f"{activation}_")

    def _weight_shape(self) -> tuple[int, ...]:
        groups, kernel = self._kwargs["num_group"], self._kwargs["kernel"]
        for name, count in (("channels", self._channels), ("in_channels", self._in_channels)):
            if count % groups:
                raise MXNetAssertionError(f"{name}={count} must be a multiple of groups={groups}")
        transposed = "adj" in self._kwargs
        first = self._in_channels if transposed else self._channels
        second = (self._channels if transposed else self._in_channels) // groups
        channels_last = self._kwargs["layout"].endswith("C")
        return (first, *kernel, second) if channels_last else (first, second, *kernel)

    def _alias(self) -> str:
        return "conv"

    def hybrid_forward(self, F: ModuleType, x: Array, weight: Array, bias: Array | None = None) -> Array:
        """The layer's output."""
        convolve = getattr(F, self._op_name)
        if bias is None:
            out = convolve(x, weight, name="fwd", **self._kwargs)
        else:
            out = convolve(x, weight, bias, name="fwd", **self._kwargs)
        return out if self.act is None else self.act(out)

    def __repr__(self) -> str:
        shape = self.weight.shape
        inner = shape[-1] if self._kwargs["layout"].endswith("C") else shape[1]
        return describe(self, self._kwargs, inner, shape[0], self.bias)


def describe(layer: Any, own: Mapping[str, Any], inner: int, outer: int, bias: Array) -> str:
    """How a convolution shows itself: its channels, and what of its arguments is not as usual."""
    parts = [f"{inner or None} -> {outer}", f"kernel_size={own['kernel']}", f"stride={own['stride']}"]
    if any(own["pad"]):
        parts.append(f"padding={own['pad']}")
    if any(d != 1 for d in own["dilate"]):
        parts.append(f"dilation={own['dilate']}")
    if own["num_group"] != 1:
        parts.append(f"groups={own['num_group']}")
    if bias is None:
        parts.append("bias=False")
    if layer.act:
        parts.append(repr(layer.act))
    return f"{type(layer).__name__}({', '.join(parts)})"


class _Convolution(_PerDimension, _Conv):
    """The constructor of the convolutions."""

    def __init__(
        self,
        channels: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: Any = (0, 0),
        dilation: Any = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ):
        given = arguments(locals())
        super().__init__(**{**given, "kernel_size": as_tuple(kernel_size, self._dimensions, "kernel_size")})


class Conv1D(_Convolution, dimensions=1):
    """A convolution over one dimension: ``channels`` filters of ``kernel_size``.

    >>> net = gluon.nn.Conv1D(8, kernel_size=3)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 32))).shape
    (1, 8, 30)
    """


class Conv2D(_Convolution, dimensions=2):
    """A convolution over images: ``channels`` filters of ``kernel_size``.

    >>> net = gluon.nn.Conv2D(8, kernel_size=3, padding=1, strides=2)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 32, 32))).shape
    (1, 8, 16, 16)
    """


class Conv3D(_Convolution, dimensions=3):
    """A convolution over volumes: ``channels`` filters of ``kernel_size``."""


class _Transposed(_Convolution):
    """The constructor of the transposed convolutions."""

    @takes(_Convolution.__init__)
    def __init__(self, output_padding: Any = (0, 0), dilation: Any = (1, 1), **given: Any):
        self.outpad = as_tuple(output_padding, self._dimensions, "output_padding")
        super().__init__(dilation=dilation, op_name="Deconvolution", adj=self.outpad, **given)


class Conv1DTranspose(_Transposed, dimensions=1):
    """The transpose of a convolution over one dimension, also called deconvolution."""


class Conv2DTranspose(_Transposed, dimensions=2):
    """The transpose of a convolution over images, also called deconvolution.

    >>> net = gluon.nn.Conv2DTranspose(8, kernel_size=2, strides=2)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 16, 16))).shape
    (1, 8, 32, 32)
    """


class Conv3DTranspose(_Transposed, dimensions=3):
    """The transpose of a convolution over volumes, also called deconvolution."""


class _Pooling(HybridBlock):
    """Pooling of any kind, in as many dimensions as the window has."""

    def __init__(
        self,
        pool_size: tuple[int, ...],
        strides: Any,
        padding: Any,
        ceil_mode: bool,
        global_pool: bool,
        pool_type: str,
        layout: str,
        count_include_pad: bool | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        dimensions = len(pool_size)
        _check_layout(layout, _LAYOUTS[dimensions])
        self._kwargs = {
            "kernel": pool_size,
            "stride": as_tuple(pool_size if strides is None else strides, dimensions, "strides"),
            "pad": as_tuple(padding, dimensions, "padding"),
            "global_pool": global_pool,
            "pool_type": pool_type,
            "layout": layout,
            "pooling_convention": "full" if ceil_mode else "valid",
        }
        if count_include_pad is not None:
            self._kwargs["count_include_pad"] = count_include_pad

    def _alias(self) -> str:
        return "pool"

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The layer's output."""
        return F.Pooling(x, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        ceil_mode = self._kwargs["pooling_convention"] == "full"
        return (
            "{name}(size={kernel}, stride={stride}, padding={pad}, ceil_mode={ceil_mode}, global_pool={global_pool}, "
            "pool_type={pool_type}, layout={layout})"
        ).format(name=type(self).__name__, ceil_mode=ceil_mode, **self._kwargs)


class _MaxPool(_PerDimension, _Pooling):
    """The constructor of most max poolings; the original has two arguments in another order in three dimensions."""

    def __init__(
        self,
        pool_size: Any = (2, 2),
        strides: Any = None,
        padding: Any = 0,
        layout: str = "NCHW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ):
        size = as_tuple(pool_size, self._dimensions, "pool_size")
        super().__init__(size, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool1D(_MaxPool, dimensions=1):
    """The largest element in each window; ``strides`` is ``pool_size`` by default."""


class MaxPool2D(_MaxPool, dimensions=2):
    """The largest element in each window; ``strides`` is ``pool_size`` by default.

    >>> gluon.nn.MaxPool2D(2)(nd.ones((1, 3, 32, 32))).shape
    (1, 3, 16, 16)
    """


class MaxPool3D(_Pooling):
    """The largest element in each window; ``strides`` is ``pool_size`` by default."""

    def __init__(
        self,
        pool_size: Any = (2, 2, 2),
        strides: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        **kwargs: Any,
    ):
        size = as_tuple(pool_size, 3, "pool_size")
        super().__init__(size, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class AvgPool1D(_Pooling):
    """The mean of each window; ``strides`` is ``pool_size`` by default."""

    def __init__(
        self,
        pool_size: Any = 2,
        strides: Any = None,
        padding: Any = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        **kwargs: Any,
    ):
        size = as_tuple(pool_size, 1, "pool_size")
        super().__init__(size, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs)


class _AvgPool(_PerDimension, _Pooling):
    """The constructor of most mean poolings; the original has two arguments in another order in one dimension."""

    def __init__(
        self,
        pool_size: Any = (2, 2),
        strides: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        layout: str = "NCHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ):
        size = as_tuple(pool_size, self._dimensions, "pool_size")
        super().__init__(size, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs)


class AvgPool2D(_AvgPool, dimensions=2):
    """The mean of each window; ``strides`` is ``pool_size`` by default.

    >>> gluon.nn.AvgPool2D(2)(nd.ones((1, 3, 32, 32))).shape
    (1, 3, 16, 16)
    """


class AvgPool3D(_AvgPool, dimensions=3):
    """The mean of each window; ``strides`` is ``pool_size`` by default."""


class _GlobalPooling(_PerDimension, _Pooling):
    """Pooling over all there is."""

    _pool_type = "max"

    def __init__(self, layout: str = "NCHW", **kwargs: Any):
        super().__init__((1,) * self._dimensions, None, 0, True, True, self._pool_type, layout, **kwargs)


class _GlobalAvgPooling(_GlobalPooling):
    _pool_type = "avg"


class GlobalMaxPool1D(_GlobalPooling, dimensions=1):
    """The largest element of each channel."""


class GlobalMaxPool2D(_GlobalPooling, dimensions=2):
    """The largest element of each channel."""


class GlobalMaxPool3D(_GlobalPooling, dimensions=3):
    """The largest element of each channel."""


class GlobalAvgPool1D(_GlobalAvgPooling, dimensions=1):
    """The mean of each channel."""


class GlobalAvgPool2D(_GlobalAvgPooling, dimensions=2):
    """The mean of each channel.

    >>> gluon.nn.GlobalAvgPool2D()(nd.ones((1, 3, 32, 32))).shape
    (1, 3, 1, 1)
    """


class GlobalAvgPool3D(_GlobalAvgPooling, dimensions=3):
    """The mean of each channel."""


class ReflectionPad2D(HybridBlock):
    """Pads images by their mirror image: a number for all sides, or the eight numbers of ``pad_width``."""

    def __init__(self, padding: Any = 0, **kwargs: Any):
        super().__init__(**kwargs)
        if isinstance(padding, int):
            padding = (0, 0, 0, 0, padding, padding, padding, padding)
        self._padding = as_tuple(padding, 8, "padding")

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The layer's output."""
        return F.pad(x, mode="reflect", pad_width=self._padding)
