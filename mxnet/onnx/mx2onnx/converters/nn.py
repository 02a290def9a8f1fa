"""Layers: convolutions, pooling, dense ones, activations, softmax, resizing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ....ops.nn.layout import channels_last, per_dimension, transposed_sizes
from ....ops.nn.pooling import divisors
from ..graph import Call, Dim, Dims, Graph, converter, is_open
from .creation import fill
from .elementwise import number


def first(g: Graph, x: str, ndim: int) -> str:
    """Channels from the last place to the second."""
    return g.transpose(x, [0, ndim - 1, *range(1, ndim - 1)])


def last(g: Graph, x: str, ndim: int) -> str:
    """And back."""
    return g.transpose(x, [0, *range(2, ndim), 1])


def _options(n: Call, dims: int) -> tuple[list[int], list[int], list[int]]:
    attrs = n.attrs
    return (
        list(per_dimension(attrs["stride"], dims, 1, "stride", 1)),
        list(per_dimension(attrs["dilate"], dims, 1, "dilate", 1)),
        list(per_dimension(attrs["pad"], dims, 0, "pad", 0)),
    )


@converter("Convolution", "Convolution_v1")
def convolution(g: Graph, n: Call) -> str:
    kernel = n.attrs["kernel"]
    stride, dilate, pad = _options(n, len(kernel))
    x, weight, *bias = n.inputs
    moved = channels_last(n.attrs["layout"], len(kernel))
    if moved:
        x, weight = first(g, x, n.ndim), first(g, weight, n.ndim)
    made = g.add("Conv", x, weight, *bias, kernel_shape=kernel, strides=stride, dilations=dilate, pads=pad * 2,
                 group=n.attrs["num_group"])  # fmt: skip
    return last(g, made, n.ndim) if moved else made


@converter("Deconvolution")
def deconvolution(g: Graph, n: Call) -> str:
    kernel = n.attrs["kernel"]
    stride, dilate, pad = _options(n, len(kernel))
    x, weight, *bias = n.inputs
    moved = channels_last(n.attrs["layout"], len(kernel))
    adjust = list(per_dimension(n.attrs["adj"], len(kernel), 0, "adj", 0))
    if any(n.attrs["target_shape"]):
        sizes = n.shape[1:-1] if moved else n.shape[2:]
        if is_open(sizes):
            raise n.refuse("target_shape with a dynamic size")
        full = transposed_sizes(sizes, kernel, stride, dilate)
        extra = [f - t for f, t in zip(full, n.attrs["target_shape"], strict=True)]
        pad, adjust = [(e + 1) // 2 for e in extra], [e % 2 for e in extra]
    if moved:
        x, weight = first(g, x, n.ndim), first(g, weight, n.ndim)
    made = g.add("ConvTranspose", x, weight, *bias, kernel_shape=kernel, strides=stride, dilations=dilate, pads=pad * 2,
                 output_padding=adjust if any(adjust) else None, group=n.attrs["num_group"])  # fmt: skip
    return last(g, made, n.ndim) if moved else made


@converter("FullyConnected")
def fully_connected(g: Graph, n: Call) -> str:
    x, weight, *bias = n.inputs
    if n.ndim == 2 or n.attrs["flatten"]:
        if n.ndim != 2:
            x = g.add("Flatten", x, axis=1)
        return g.add("Gemm", x, weight, *bias, transB=1)
    made = g.add("MatMul", x, g.transpose(weight, [1, 0]))
    return g.add("Add", made, bias[0]) if bias else made


# ---- products --------------------------------------------------------------------------------------------------------


def swap_last_axes(g: Graph, x: str, ndim: int, wanted: bool) -> str:
    """The last two axes exchanged, if that is wanted."""
    return g.transpose(x, [*range(ndim - 2), ndim - 1, ndim - 2]) if wanted else x


@converter("dot")
def dot(g: Graph, n: Call) -> str:
    a, b = n.inputs
    left, right = len(n.shapes[0]), len(n.shapes[1])
    if n.attrs["transpose_a"] and left == 2 and right == 1:
        return g.add("MatMul", b, a)  # onnxruntime is wrong about a transposed matrix with a vector
    if n.attrs["transpose_a"] and left > 1:
        a = g.transpose(a, [*range(1, left), 0])
    if n.attrs["transpose_b"] and right > 1:
        b = g.transpose(b, [right - 1, *range(right - 1)])
    if left == right == 1:
        return g.add("Reshape", g.add("MatMul", a, b), [1])
    if right <= 2:
        return g.add("MatMul", a, b)
    # the last axis of the one with the first of the other: as matrices
    inner = n.shapes[1][-1 if n.attrs["transpose_b"] else 0]
    if is_open((inner,)) or is_open(n.out_shapes[0]):
        raise n.refuse("a product of arrays with more than two dynamic dimensions")
    flat = g.add("MatMul", g.add("Reshape", a, g.const([-1, inner])), g.add("Reshape", b, g.const([inner, -1])))
    return g.add("Reshape", flat, g.const(list(n.out_shapes[0])))


@converter("batch_dot")
def batch_dot(g: Graph, n: Call) -> str:
    a = swap_last_axes(g, n.inputs[0], n.ndim, n.attrs["transpose_a"])
    return g.add("MatMul", a, swap_last_axes(g, n.inputs[1], n.ndim, n.attrs["transpose_b"]))


@converter("_linalg_gemm2", "_linalg_gemm")
def gemm(g: Graph, n: Call) -> str:
    axis = n.axis()
    rows = [i for i in range(n.ndim - 1) if i != axis] + [axis, n.ndim - 1]  # the axis of rows goes before the last
    a, b, *c = [g.transpose(x, rows) for x in n.inputs]
    made = g.add(
        "MatMul",
        swap_last_axes(g, a, n.ndim, n.attrs["transpose_a"]),
        swap_last_axes(g, b, n.ndim, n.attrs["transpose_b"]),
    )
    if n.attrs["alpha"] != 1:
        made = g.add("Mul", made, number(g, n.attrs["alpha"], n.dtype))
    if c:
        beta = n.attrs["beta"]
        made = g.add("Add", made, c[0] if beta == 1 else g.add("Mul", c[0], number(g, beta, n.dtype)))
    return g.transpose(made, [rows.index(i) for i in range(n.ndim)])


@converter("_linalg_syrk")
def syrk(g: Graph, n: Call) -> str:
    turned = swap_last_axes(g, n.x, n.ndim, True)
    made = g.add("MatMul", turned, n.x) if n.attrs["transpose"] else g.add("MatMul", n.x, turned)
    return made if n.attrs["alpha"] == 1 else g.add("Mul", made, number(g, n.attrs["alpha"], n.dtype))


@converter("_linalg_det")
def det(g: Graph, n: Call) -> str:
    found = g.add("Det", n.x)
    return g.add("Reshape", found, [1]) if n.ndim == 2 else found


# ---- pooling ---------------------------------------------------------------------------------------------------------


class _Windows:
    """What all kinds of pooling need to know of their windows."""

    def __init__(self, g: Graph, n: Call, sizes: Dims, out: Dims):
        self.g, self.n = g, n
        dims = len(sizes)
        self.kernel = list(per_dimension(n.attrs["kernel"], dims, 1, "kernel", 1))
        self.stride = list(per_dimension(n.attrs["stride"], dims, 1, "stride", 1))
        self.pad = list(per_dimension(n.attrs["pad"], dims, 0, "pad", 0))
        #: What has to be added at the end for the last, partial windows; None if that depends on dynamic sizes.
        self.extra: list[int] | None = [0] * dims
        self.lost = [0] * dims
        self.sizes, self.out = sizes, out
        #: ONNX has no padding of a whole kernel or more: it is added to the data before.
        self.wide = any(p >= k for p, k in zip(self.pad, self.kernel, strict=True))
        if self.wide:
            if is_open(sizes) and n.attrs["pooling_convention"] != "valid":
                raise n.refuse("padding of a whole kernel or more and partial windows, with a dynamic size")
        elif n.attrs["pooling_convention"] != "valid":
            if is_open(sizes):
                if n.attrs["pooling_convention"] == "same":
                    raise n.refuse("pooling_convention='same' with a dynamic size")
                self.extra = None
            else:
                rows = list(zip(sizes, self.kernel, self.stride, self.pad, out, strict=True))
                # windows that start after the data: ONNX has none
                self.lost = [sum(i * s - p >= d for i in range(o)) for d, _, s, p, o in rows]
                self.extra = [
                    max(0, (o - lost - 1) * s + k - d - 2 * p)
                    for (d, k, s, p, o), lost in zip(rows, self.lost, strict=True)
                ]

    def _pad(self, x: str, value: float) -> str:
        """Data with the padding that ONNX does not have, which is no longer that of the windows then."""
        if not self.wide:
            return x
        ends = self.pad
        if not is_open(self.sizes):
            rows = zip(self.sizes, self.kernel, self.stride, self.pad, self.out, strict=True)
            ends = [max(0, (o - 1) * s + k - d - p) for d, k, s, p, o in rows]
        pads = self.g.const([0, 0, *self.pad, 0, 0, *ends])
        self.pad = [0] * len(self.pad)
        return self.g.add("Pad", x, pads, number(self.g, value, self.n.dtype))

    def _wide_average(self, x: str, include: bool) -> str:
        """The sum of each window, divided by what counts in it."""
        if is_open(self.sizes):
            if not include:
                raise self.n.refuse("count_include_pad=False with padding of a whole kernel or more and a dynamic size")
            return self.g.add("AveragePool", self._pad(x, 0), **self._attrs())
        rows = zip(self.sizes, self.kernel, self.stride, self.pad, self.out, strict=True)
        counts = torch.ones((), dtype=torch.float64)
        for row in rows:
            counts = counts.unsqueeze(-1) * divisors(*row, include)
        return self.g.add("Div", self.sum(x, self.n.dtype), self.g.const(counts, self.n.dtype))

    def pad_lost_windows(self, made: str, dtype: torch.dtype) -> str:
        """Appends MXNet's results for windows that start after the data."""
        if not any(self.lost):
            return made
        lowest = torch.finfo(dtype).min if self.n.attrs["pool_type"] == "max" else 0
        pads = [0] * (4 + len(self.lost)) + self.lost
        return self.g.add("Pad", made, self.g.const(pads), number(self.g, lowest, dtype))

    def _attrs(self, ending: bool = True) -> dict[str, Any]:
        found: dict[str, Any] = {"kernel_shape": self.kernel, "strides": self.stride}
        if self.wide:  # "pads" of 0 would let onnxruntime merge the two nodes to what it then refuses
            return {**found, "auto_pad": "VALID"}
        if self.extra is None:
            return {**found, "pads": self.pad * 2, "ceil_mode": 1}
        ends = [p + e for p, e in zip(self.pad, self.extra, strict=True)] if ending else self.pad
        return {**found, "pads": [*self.pad, *ends]}

    def max(self, x: str) -> str:
        x = self._pad(x, torch.finfo(self.n.dtype).min)
        return self.g.add("MaxPool", x, **self._attrs())

    def average(self, x: str, include: bool) -> str:
        if self.wide:
            return self._wide_average(x, include)
        include = include and any(self.pad)
        if include and (self.extra is None or any(self.extra)):
            # the padding counts, what is added for partial windows does not
            pads = [0, 0, *self.pad] * 2
            x = self.g.add("Pad", x, self.g.const(pads))
            self.pad = [0] * len(self.pad)
            include = False
        return self.g.add("AveragePool", x, **self._attrs(), count_include_pad=int(include))

    def sum(self, x: str, dtype: torch.dtype) -> str:
        """As the average of whole windows, padded with zeros."""
        if self.extra is None:
            raise self.n.refuse("sums over partial windows of dynamic sizes")
        x = self._pad(x, 0)
        mean = self.g.add("AveragePool", x, **self._attrs(), count_include_pad=1)
        return self.g.add("Mul", mean, number(self.g, math.prod(self.kernel), dtype))


def _root(g: Graph, total: str, p: int, dtype: torch.dtype) -> str:
    if p == 2:
        return g.add("Sqrt", total)
    return g.add("Mul", g.add("Sign", total), g.add("Pow", g.add("Abs", total), number(g, 1 / p, dtype)))


def _power(g: Graph, x: str, p: int) -> str:
    square = g.add("Mul", x, x)
    return square if p == 2 else g.add("Mul", square, x)


def _global(g: Graph, n: Call, x: str) -> str:
    kind, axes = n.attrs["pool_type"], list(range(2, n.ndim))
    if kind in ("avg", "max"):
        return g.add("GlobalAveragePool" if kind == "avg" else "GlobalMaxPool", x)
    p = n.attrs["p_value"] if kind == "lp" else 1
    total = g.reduce("ReduceSum", _power(g, x, p) if p > 1 else x, axes, True)
    return _root(g, total, p, n.dtype) if p > 1 else total


@converter("Pooling")
def pooling(g: Graph, n: Call) -> str:
    moved = channels_last(n.attrs["layout"], n.ndim - 2)
    x = first(g, n.x, n.ndim) if moved else n.x
    if n.attrs["global_pool"]:
        made = _global(g, n, x)
    else:
        spatial = slice(1, -1) if moved else slice(2, None)
        windows = _Windows(g, n, n.shape[spatial], n.out_shapes[0][spatial])
        kind = n.attrs["pool_type"]
        p = n.attrs["p_value"] if kind == "lp" else 1
        if kind == "max":
            made = windows.max(x)
        elif kind == "avg":
            made = windows.average(x, n.attrs["count_include_pad"] is not False)
        else:
            made = windows.sum(_power(g, x, p) if p > 1 else x, n.dtype)
            made = _root(g, made, p, n.dtype) if p > 1 else made
        made = windows.pad_lost_windows(made, n.dtype)
    return last(g, made, n.ndim) if moved else made


@converter("_contrib_AdaptiveAvgPooling2D")
def adaptive_pooling(g: Graph, n: Call) -> str:
    rows, columns = n.out_shapes[0][2:]
    if (rows, columns) == (1, 1):
        return g.add("GlobalAveragePool", n.x)
    height, width = n.shape[2:]
    if is_open((height, width)):
        raise n.refuse("adaptive pooling of a dynamic size")
    if not rows or not columns:
        raise n.refuse("a zero-size output")
    if height % rows == 0 and width % columns == 0:
        kernel = [height // rows, width // columns]
        return g.add("AveragePool", n.x, kernel_shape=kernel, strides=kernel)
    # unequal windows: as products with the matrices of averages
    left, right = _averages(height, rows), _averages(width, columns)
    made = g.add("MatMul", g.const(left, n.dtype), n.x)
    return g.add("MatMul", made, g.const(right.t().contiguous(), n.dtype))


def _averages(size: int, cells: int) -> torch.Tensor:
    matrix = torch.zeros(cells, size, dtype=torch.float64)
    for i in range(cells):
        begin, end = i * size // cells, -(-(i + 1) * size // cells)
        matrix[i, begin:end] = 1 / (end - begin)
    return matrix


# ---- activations -----------------------------------------------------------------------------------------------------

_ACTIVATIONS = {"relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh", "softrelu": "Softplus", "softsign": "Softsign"}


@converter("Activation")
def activation(g: Graph, n: Call) -> str:
    return g.add(_ACTIVATIONS[n.attrs["act_type"]], n.x)


@converter("LeakyReLU")
def leaky_relu(g: Graph, n: Call) -> Any:
    kind, slope = n.attrs["act_type"], n.attrs["slope"]
    if kind == "leaky":
        return g.add("LeakyRelu", n.x, alpha=slope)
    if kind == "elu":
        return g.add("Elu", n.x, alpha=slope)
    if kind == "selu":
        return g.add("Selu", n.x)
    if kind == "gelu":
        if g.opset >= 20:
            return g.add("Gelu", n.x)
        inner = g.add("Erf", g.add("Div", n.x, number(g, math.sqrt(2), n.dtype)))
        return g.add("Mul", g.add("Mul", n.x, g.add("Add", inner, number(g, 1, n.dtype))), number(g, 0.5, n.dtype))
    if kind == "prelu":
        return g.add("PRelu", n.x, _slopes(g, n))
    found = g.add("LeakyRelu", n.x, alpha=(n.attrs["lower_bound"] + n.attrs["upper_bound"]) / 2)
    return [found, fill(g, n.shape, 0, n.dtype, [(n.x, n.shape)])]


def _slopes(g: Graph, n: Call) -> str:
    """gamma with the dimensions that make it broadcast over the data."""
    gamma, shape = n.inputs[1], n.shapes[1]
    if shape == (1,) or not n.ndim > 1:
        return gamma
    if len(shape) == 1 and shape[0] == n.shape[1]:
        target = [-1, *[1] * (n.ndim - 2)]
    else:
        target = [*shape, *[1] * (n.ndim - len(shape))]
    if len(target) == len(shape):
        return gamma
    value = g.value(gamma)
    return g.const(value.reshape(target), name=gamma) if value is not None else g.add("Reshape", gamma, g.const(target))


# ---- softmax ---------------------------------------------------------------------------------------------------------


@converter("softmax", "log_softmax", "softmin")
def softmax(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    name = n.node.op.name
    wanted = n.out_dtypes[0]
    x = g.cast(n.x, wanted, n.dtype)
    if name == "softmin":
        x = g.add("Neg", x)
    if n.attrs["temperature"] not in (None, 1.0):
        x = g.add("Div", x, number(g, n.attrs["temperature"], wanted))
    axis = n.axis()
    inside = None
    if len(n.inputs) > 1:  # lengths: what lies beyond is 0
        from .indexing import steps

        at = g.unsqueeze(g.as_index(n.inputs[1], n.dtypes[1]), [axis])
        times = steps(g, n.shape[axis], [(n.x, n.shape)])
        trailing = n.ndim - 1 - axis
        inside = g.add("Less", g.unsqueeze(times, list(range(1, trailing + 1))) if trailing else times, at)
        x = g.add("Where", inside, x, number(g, -math.inf, wanted))
    found = g.add("LogSoftmax" if name == "log_softmax" else "Softmax", x, axis=axis)
    return found if inside is None else g.add("Where", inside, found, number(g, 0, wanted))


@converter("SoftmaxActivation")
def softmax_activation(g: Graph, n: Call) -> str:
    return g.add("Softmax", n.x, axis=1 if n.attrs["mode"] == "channel" else n.ndim - 1)


# ---- resizing --------------------------------------------------------------------------------------------------------


def resize(g: Graph, x: str, shape: Dims, sizes: Sequence[Any], near: Any, **attrs: Any) -> str:
    """Images of another height and width."""
    whole = g.shape_of((*shape[:2], *sizes), [(x, shape), *near])
    return g.add("Resize", x, None, None, whole, **attrs)


@converter("UpSampling")
def upsampling(g: Graph, n: Call) -> str:
    scale = n.attrs["scale"]
    if n.attrs["sample_type"] == "nearest":
        parts = []
        for x, shape in zip(n.inputs, n.shapes, strict=True):
            factor = scale
            if shape[2] != n.shape[2]:
                if is_open(shape[2:]) or is_open(n.shape[2:]):
                    raise n.refuse("several inputs of dynamic sizes")
                factor = scale * n.shape[2] // shape[2]
            scales = g.const([1.0, 1.0, float(factor), float(factor)], torch.float32)
            parts.append(g.add("Resize", x, None, scales, mode="nearest", nearest_mode="floor",
                               coordinate_transformation_mode="asymmetric"))  # fmt: skip
        if len(parts) == 1:
            return parts[0]
        if n.attrs["multi_input_mode"] == "sum":
            return g.add("Sum", *parts)
        return g.add("Concat", *parts, axis=1)
    kernel, pad = 2 * scale - scale % 2, math.ceil((scale - 1) / 2)
    return g.add("ConvTranspose", n.x, n.inputs[1], kernel_shape=[kernel] * 2, strides=[scale] * 2, pads=[pad] * 4,
                 group=n.shape[1])  # fmt: skip


@converter("_contrib_BilinearResize2D")
def bilinear_resize(g: Graph, n: Call) -> str:
    x, shape = n.x, n.shape
    rows, columns = n.out_shapes[0][2:]
    if 0 in (rows, columns):
        raise n.refuse("a zero-size output")
    if not n.attrs["align_corners"]:
        if 1 in (rows, columns):
            axes = [i + 2 for i, d in enumerate((rows, columns)) if d == 1]
            x = g.slice(x, axes, [0] * len(axes), [1] * len(axes))
            shape = tuple(1 if i in axes else d for i, d in enumerate(shape))
        mode = "half_pixel"
    else:
        mode = "align_corners"
    options: dict[str, Any] = {"mode": "linear", "coordinate_transformation_mode": mode}
    near = list(zip(n.inputs, n.shapes, strict=True))
    scales = [_ratio(a, b) for a, b in zip(shape[2:], (rows, columns), strict=True)]
    if is_open((rows, columns)) and all(s is not None for s in scales):
        return g.add("Resize", x, None, g.const([1.0, 1.0, *scales], torch.float32), **options)
    return resize(g, x, shape, (rows, columns), near, **options)


def _ratio(before: Any, after: Any) -> float | None:
    if not isinstance(before, Dim):
        return None if isinstance(after, Dim) else after / before
    if not isinstance(after, Dim):
        return None
    first, second = (b / a for a, b in zip(before.trials, after.trials, strict=True))
    return first if first == second else None


@converter("GridGenerator", "BilinearSampler", "SpatialTransformer")
def sampler(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    if g.opset < 16:
        raise n.refuse("it needs opset 16")
    name = n.node.op.name
    if name == "BilinearSampler":
        return _sample(g, n.x, g.transpose(n.inputs[1], [0, 2, 3, 1]))
    if n.attrs["transform_type"] != "affine":
        raise n.refuse(f"transform_type={n.attrs['transform_type']!r}")
    height, width = n.attrs["target_shape"]
    theta = g.add("Reshape", n.inputs[-1], [-1, 2, 3])
    y, x = (torch.linspace(-1, 1, s) if s > 1 else torch.full((1,), -1.0) for s in (height, width))
    grid = torch.stack([x.repeat(height), y.repeat_interleave(width), torch.ones(height * width)])
    moved = g.add("MatMul", theta, g.const(grid, n.dtype))  # (batch, 2, height * width)
    if name == "GridGenerator":
        return g.add("Reshape", moved, g.const([0, 2, height, width]))
    points = g.add("Reshape", g.transpose(moved, [0, 2, 1]), g.const([0, height, width, 2]))
    return _sample(g, n.x, points)


def _sample(g: Graph, x: str, points: str) -> str:
    mode = "linear" if g.opset >= 20 else "bilinear"
    return g.add("GridSample", x, points, mode=mode, padding_mode="zeros", align_corners=1)


# ---- patches ---------------------------------------------------------------------------------------------------------


@converter("im2col")
def im2col(g: Graph, n: Call) -> str:
    """Patches by a convolution with a kernel for every pixel of the patch."""
    kernel = n.attrs["kernel"]
    dims, channels = len(kernel), n.shape[1]
    stride, dilate, pad = _options(n, dims)
    count = math.prod(kernel)
    weight = torch.eye(count, dtype=n.dtype).reshape(count, 1, *kernel).repeat(channels, *[1] * (dims + 1))
    made = g.add("Conv", n.x, g.const(weight), kernel_shape=kernel, strides=stride, dilations=dilate, pads=pad * 2,
                 group=channels)  # fmt: skip
    return g.add("Reshape", made, g.const([0, channels * count, -1]))


@converter("col2im")
def col2im(g: Graph, n: Call) -> str:
    if g.opset < 18:
        raise n.refuse("it needs opset 18")
    kernel = n.attrs["kernel"]
    stride, dilate, pad = _options(n, len(kernel))
    return g.add("Col2Im", n.x, g.const(list(n.attrs["output_size"])), g.const(list(kernel)), strides=stride,
                 dilations=dilate, pads=pad * 2)  # fmt: skip


@converter("_contrib_ModulatedDeformableConvolution")
def deformable(g: Graph, n: Call) -> str:
    """Not the one without a mask, which holds the pixels at the border where ONNX has zeros."""
    if g.opset < 19:
        raise n.refuse("it needs opset 19")
    stride, dilate, pad = _options(n, 2)
    data, offset, mask, weight, *bias = n.inputs
    return g.add("DeformConv", data, weight, offset, bias[0] if bias else None, mask, kernel_shape=n.attrs["kernel"],
                 strides=stride, dilations=dilate, pads=pad * 2, group=n.attrs["num_group"],
                 offset_group=n.attrs["num_deformable_group"])  # fmt: skip
