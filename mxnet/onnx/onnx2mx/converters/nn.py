"""Layers: convolutions, pooling, products, softmax."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import torch

from ....error import MXNetNotImplementedError, MXNetValueError
from ....ops.nn.layout import transposed_sizes, window_counts
from ..graph import Builder, OnnxNode, Value, importer
from .shape import pad_axes

Pairs = list[tuple[int, int]]


def _window(n: OnnxNode, shape: tuple[int, ...], kernel: list[int]) -> tuple[list[int], list[int], Pairs]:
    """Strides, dilations and the padding of each spatial dimension."""
    dims = len(kernel)
    if len(shape) != dims + 2 or n.get("kernel_shape", kernel) != kernel:
        raise MXNetValueError(f"kernel_shape {n.get('kernel_shape')} fits neither {kernel} nor data of shape {shape}")
    strides, dilations = n.get("strides") or [1] * dims, n.get("dilations") or [1] * dims
    if len(strides) != dims or len(dilations) != dims or min(*strides, *dilations, *kernel) < 1:
        raise MXNetValueError(f"kernel {kernel}, strides {strides} and dilations {dilations} do not fit")
    automatic = n.get("auto_pad", "NOTSET")
    if automatic in ("NOTSET", "VALID", ""):
        pads = n.get("pads") or [0] * (2 * dims)
        if automatic == "VALID":
            pads = [0] * (2 * dims)
        if len(pads) != 2 * dims:
            raise MXNetValueError(f"pads {pads} do not fit {dims} dimensions")
        return strides, dilations, list(zip(pads[:dims], pads[dims:], strict=True))
    pairs = []
    for size, k, s, d in zip(shape[2:], kernel, strides, dilations, strict=True):
        total = max(0, (-(-size // s) - 1) * s + d * (k - 1) + 1 - size)
        small, large = total // 2, total - total // 2
        pairs.append((small, large) if automatic == "SAME_UPPER" else (large, small))
    return strides, dilations, pairs


def _symmetric(b: Builder, x: Value, pairs: Pairs, fill: float = 0.0) -> tuple[Value, list[int]]:
    """MXNet pads both ends alike; anything else is padded before."""
    if all(p == q and p >= 0 for p, q in pairs):
        return x, [p for p, _ in pairs]
    return pad_axes(b, x, [(0, 0), (0, 0), *pairs], "constant", fill), [0] * len(pairs)


def convolve(b: Builder, n: OnnxNode, x: Value, weight: Value, bias: Value | None) -> Value:
    """A convolution with the attributes of a node."""
    kernel = list(weight.shape[2:])
    strides, dilations, pairs = _window(n, x.shape, kernel)
    if n.get("auto_pad", "").startswith("SAME") and not x.has_fixed_shape and any(s > 1 for s in strides):
        raise MXNetNotImplementedError("auto_pad of dynamic sizes: import it with input_shapes=")
    x, pads = _symmetric(b, x, pairs)
    inputs = [x, weight] if bias is None else [x, weight, bias]
    return b.call("Convolution", *inputs, kernel=kernel, stride=strides, dilate=dilations, pad=pads,
                  num_filter=weight.shape[0], num_group=n.get("group", 1), no_bias=bias is None)  # fmt: skip


@importer("Conv")
def conv(b: Builder, n: OnnxNode) -> Value:
    return convolve(b, n, n.x, n.need(1), n.optional(2))


@importer("DeformConv")
def deform_conv(b: Builder, n: OnnxNode) -> Value:
    x, weight, offset, bias, mask = n.x, n.need(1), n.need(2), n.optional(3), n.optional(4)
    kernel = list(weight.shape[2:])
    strides, dilations, pairs = _window(n, x.shape, kernel)
    if len(kernel) != 2 or any(p != q or p < 0 for p, q in pairs):
        raise MXNetNotImplementedError(f"padding of {pairs} for a kernel of {kernel}")
    if mask is None:
        mask = b.call("ones_like", b.slice(offset, 1, 0, offset.shape[1] // 2))
    inputs = [x, offset, mask, weight] + ([] if bias is None else [bias])
    return b.call("_contrib_ModulatedDeformableConvolution", *inputs, kernel=kernel, stride=strides, dilate=dilations,
                  pad=[p for p, _ in pairs], num_filter=weight.shape[0], num_group=n.get("group", 1),
                  num_deformable_group=n.get("offset_group", 1), no_bias=bias is None)  # fmt: skip


@importer("Col2Im")
def col2im(b: Builder, n: OnnxNode) -> Value:
    size, kernel = b.ints(n.need(1), "image_shape"), b.ints(n.need(2), "block_shape")
    if len(size) != 2 or len(kernel) != 2:
        raise MXNetNotImplementedError(f"patches of {len(size)} dimensions")
    strides, dilations, pairs = _window(n, (1, 1, *size), kernel)
    if any(p != q or p < 0 for p, q in pairs):
        raise MXNetNotImplementedError(f"padding of {pairs}")
    made = b.call("col2im", n.x, output_size=size, kernel=kernel, stride=strides, dilate=dilations,
                  pad=[p for p, _ in pairs])  # fmt: skip
    return made


@importer("ConvTranspose")
def conv_transpose(b: Builder, n: OnnxNode) -> Value:
    x, weight, bias = n.x, n.need(1), n.optional(2)
    kernel, group = list(weight.shape[2:]), n.get("group", 1)
    dims = len(kernel)
    strides, dilations, pairs = _window(n, x.shape, kernel)
    extra = n.get("output_padding") or [0] * dims
    full = transposed_sizes(x.shape[2:], kernel, strides, dilations)
    sizes = n.get("output_shape")
    if sizes is None and n.get("auto_pad", "NOTSET").startswith("SAME"):
        sizes = [d * s for d, s in zip(x.shape[2:], strides, strict=True)]
    if sizes is not None:
        if not x.has_fixed_shape:
            raise MXNetNotImplementedError("output_shape with dynamic sizes")
        total = [max(0, f + e - o) for f, e, o in zip(full, extra, sizes, strict=True)]
        upper = n.get("auto_pad", "NOTSET") == "SAME_UPPER"
        pairs = [(t // 2, t - t // 2) if upper else (t - t // 2, t // 2) for t in total]
        extra = [max(0, o - f + p + q) for f, o, (p, q) in zip(full, sizes, pairs, strict=True)]
    inputs = [x, weight] if bias is None else [x, weight, bias]
    even = all(p == q and p >= 0 for p, q in pairs)
    b.skip_name("pad")
    adjust = all(a < s for a, s in zip(extra, strides, strict=True)) and even
    made = b.call(
        "Deconvolution", *inputs, kernel=kernel, stride=strides, dilate=dilations, num_group=group,
        no_bias=bias is None,
        num_filter=weight.shape[1] * group, pad=[p for p, _ in pairs] if even else [0] * dims,
        adj=extra if adjust else [0] * dims,
    )  # fmt: skip
    if adjust:
        return made
    rest = [(0, e) for e in extra] if even else [(-p, e - q) for (p, q), e in zip(pairs, extra, strict=True)]
    if bias is not None and any(q > 0 for _, q in rest):
        raise MXNetNotImplementedError("an output_padding larger than the stride, with a bias")
    return pad_axes(b, made, [(0, 0), (0, 0), *rest])


# ---- pooling ---------------------------------------------------------------------------------------------------------


def _pool(
    b: Builder, x: Value, kind: str, kernel: list[int], strides: list[int], pads: list[int], **more: Any
) -> Value:
    return b.call("Pooling", x, pool_type=kind, kernel=kernel, stride=strides, pad=pads, **more)


@importer("MaxPool", "AveragePool", "LpPool")
def pool(b: Builder, n: OnnxNode) -> Value:
    if len(n.outputs) > 1 and n.outputs[1]:
        raise MXNetNotImplementedError("the indices of maxima")
    x, kernel = n.x, n.attrs["kernel_shape"]
    strides, dilations, pairs = _window(n, x.shape, kernel)
    if n.get("storage_order", 0):
        raise MXNetNotImplementedError("storage_order")
    if n.get("ceil_mode", 0):
        pairs = _pad_for_ceil_mode(x, [d * (k - 1) + 1 for k, d in zip(kernel, dilations, strict=True)], strides, pairs)
    integer = None if x.dtype.is_floating_point else x.dtype
    x = b.cast(x, torch.float32) if integer else x
    if any(d != 1 for d in dilations) or (n.op == "LpPool" and n.get("p", 2) not in (1, 2, 3)):
        made = _dilated_pooling(b, n, x, kernel, pairs)
        return b.cast(made, integer) if integer else made
    small = all(p < k for (p, _), k in zip(pairs, kernel, strict=True))
    even = all(p == q and p >= 0 for p, q in pairs) and small
    pads = [p for p, _ in pairs]
    if even:
        b.skip_name("pad")
    if n.op == "MaxPool":
        if not even:
            x, pads = pad_axes(b, x, [(0, 0), (0, 0), *pairs], "constant", torch.finfo(x.dtype).min), [0] * len(pads)
        made = _pool(b, x, "max", kernel, strides, pads)
        return b.cast(made, integer) if integer else made
    if n.op == "LpPool":
        x, pads = (x, pads) if even else (pad_axes(b, x, [(0, 0), (0, 0), *pairs]), [0] * len(pads))
        x = b.call("abs", x) if n.get("p", 2) % 2 else x
        return _pool(b, x, "lp", kernel, strides, pads, p_value=n.get("p", 2))
    include = bool(n.get("count_include_pad", 0))
    if even:
        return _pool(b, x, "avg", kernel, strides, pads, count_include_pad=include)
    around = pad_axes(b, x, [(0, 0), (0, 0), *pairs])
    mean = _pool(b, around, "avg", kernel, strides, [0] * len(pads))
    if include and not n.get("ceil_mode", 0):
        return mean
    # divided by the share of each window that counts
    declared = _window(n, n.x.shape, kernel)[2]
    counted = declared if include else [(0, 0)] * len(kernel)
    shares = []
    for s in n.x.shapes:
        ones = torch.ones(1, 1, *[d + p + q for d, (p, q) in zip(s[2:], counted, strict=True)])
        rest = [(p - c, q - d) for (p, q), (c, d) in zip(pairs, counted, strict=True)]
        grown = torch.nn.functional.pad(ones, [w for pair in reversed(rest) for w in pair])
        means = grown
        for i, (k, step) in enumerate(zip(kernel, strides, strict=True)):
            means = means.unfold(2 + i, k, step).mean(-1)
        shares.append(means.to(x.dtype))
    return b.binary("broadcast_div", mean, b.consts(shares))


def _dilated_pooling(b: Builder, n: OnnxNode, x: Value, kernel: list[int], pairs: Pairs) -> Value:
    """Pooling by a slice for each element of the kernel."""
    strides, dilations, declared = _window(n, x.shape, kernel)
    if any(s[2:] != x.shape[2:] for s in x.shapes) or prod(kernel) > 512:
        raise MXNetNotImplementedError("dilated pooling of dynamic sizes, or with a large kernel")
    lengths = [size + p + q for size, (p, q) in zip(x.shape[2:], pairs, strict=True)]
    counts = window_counts(lengths, kernel, strides, [0] * len(kernel), dilations)
    # where the slice of each element of the kernel begins, and ends
    begins = [[i * d for i, d in zip(place, dilations, strict=True)] for place in product(*map(range, kernel))]
    ends = [[i + (c - 1) * s + 1 for i, c, s in zip(begin, counts, strides, strict=True)] for begin in begins]
    around: Pairs = [(0, 0), (0, 0), *pairs]
    order = n.get("p", 2)
    if n.op == "MaxPool":
        x = pad_axes(b, x, around, "constant", torch.finfo(x.dtype).min)
    elif n.op == "LpPool":
        x = pad_axes(b, b.call("_power_scalar", b.call("abs", x), scalar=float(order)), around)
    else:
        x = pad_axes(b, x, around)
    parts = [
        b.call("slice", x, begin=(None, None, *begin), end=(None, None, *end), step=(1, 1, *strides))
        for begin, end in zip(begins, ends, strict=True)
    ]
    total = parts[0]
    for part in parts[1:]:
        total = b.binary("broadcast_maximum" if n.op == "MaxPool" else "broadcast_add", total, part)
    if n.op == "MaxPool":
        return total
    if n.op == "LpPool":
        return b.call("_power_scalar", total, scalar=1 / order)
    counted = torch.zeros(lengths)  # what of the data, and of the padding, is divided by
    inner = [(p, p + size) for size, (p, _) in zip(n.x.shape[2:], pairs, strict=True)]
    if n.get("count_include_pad", 0):
        inner = [(i - p, j + q) for (i, j), (p, q) in zip(inner, declared, strict=True)]
    counted[tuple(slice(i, j) for i, j in inner)] = 1
    windows = [
        counted[tuple(slice(i, j, s) for i, j, s in zip(begin, end, strides, strict=True))]
        for begin, end in zip(begins, ends, strict=True)
    ]
    return b.binary("broadcast_div", total, b.const(torch.stack(windows).sum(0).to(x.dtype)))


def _pad_for_ceil_mode(x: Value, kernel: list[int], strides: list[int], pairs: Pairs) -> Pairs:
    """With more at the end, so that the last, partial windows are whole."""
    if not x.has_fixed_shape and any(s[2:] != x.shape[2:] for s in x.shapes):
        raise MXNetNotImplementedError("ceil_mode with dynamic sizes: import it with input_shapes=")
    found = []
    for size, k, s, (p, q) in zip(x.shape[2:], kernel, strides, pairs, strict=True):
        count = -(-(size + p + q - k) // s) + 1
        if (count - 1) * s >= size + p:  # a window that would begin beyond the data
            count -= 1
        found.append((p, max(q, (count - 1) * s + k - size - p)))
    return found


@importer("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(b: Builder, n: OnnxNode) -> Value:
    ones = [1] * (n.x.ndim - 2)
    if n.op == "GlobalLpPool":
        x = b.call("abs", n.x) if n.get("p", 2) % 2 else n.x
        return b.call("Pooling", x, kernel=ones, pool_type="lp", global_pool=True, p_value=n.get("p", 2))
    return b.call("Pooling", n.x, kernel=ones, pool_type="avg" if "Average" in n.op else "max", global_pool=True)


@importer("MaxRoiPool")
def max_roi_pool(b: Builder, n: OnnxNode) -> Value:
    scale = n.get("spatial_scale", 1.0)
    return b.call("ROIPooling", n.x, n.need(1), pooled_size=n.attrs["pooled_shape"], spatial_scale=scale)


@importer("RoiAlign")
def roi_align(b: Builder, n: OnnxNode) -> Value:
    if n.get("mode", "avg") != "avg":
        raise MXNetNotImplementedError("RoiAlign of maxima")
    mode = n.get("coordinate_transformation_mode", "half_pixel" if n.opset >= 16 else "output_half_pixel")
    image = b.cast(b.reshape(n.need(2), [(*s, 1) for s in n.need(2).shapes]), n.need(1).dtype)
    rois = b.call("Concat", image, n.need(1), dim=1)
    return b.call("_contrib_ROIAlign", n.x, rois, pooled_size=(n.get("output_height", 1), n.get("output_width", 1)),
                  spatial_scale=n.get("spatial_scale", 1.0), sample_ratio=n.get("sampling_ratio", 0) or -1,
                  aligned=mode == "half_pixel")  # fmt: skip


# ---- products --------------------------------------------------------------------------------------------------------


#: What the products of matrices are called: the original makes them by this operator, which takes no half precision.
_GEMM = "linalg_gemm2"


def matmul(b: Builder, x: Value, y: Value) -> Value:
    """NumPy's matmul."""
    if not x.dtype.is_floating_point:
        return b.cast(matmul(b, b.cast(x, torch.float64), b.cast(y, torch.float64)), x.dtype)
    if x.ndim == 1 or y.ndim == 1:
        left = b.reshape(x, [(1, *s) for s in x.shapes]) if x.ndim == 1 else x
        right = b.reshape(y, [(*s, 1) for s in y.shapes]) if y.ndim == 1 else y
        found = matmul(b, left, right)
        wanted = [(*s[:-2], *(() if x.ndim == 1 else s[-2:-1]), *(() if y.ndim == 1 else s[-1:])) for s in found.shapes]
        return b.reshape(found, wanted)
    if x.ndim == y.ndim == 2:
        return b.call("dot", x, y, hint=_GEMM)
    if y.ndim == 2 and y.constant:
        return b.call("FullyConnected", x, b.transpose(y, [1, 0]), num_hidden=y.shape[1], no_bias=True, flatten=False)
    if y.ndim == 2:
        return b.call("dot", x, y)
    batches = [tuple(torch.broadcast_shapes(s[:-2], t[:-2])) for s, t in zip(x.shapes, y.shapes, strict=True)]
    x = b.broadcast(x, [(*batch, *s[-2:]) for batch, s in zip(batches, x.shapes, strict=True)])
    y = b.broadcast(y, [(*batch, *s[-2:]) for batch, s in zip(batches, y.shapes, strict=True)])
    return b.call("batch_dot", x, y, hint=_GEMM)


@importer("MatMul")
def matmul_node(b: Builder, n: OnnxNode) -> Value:
    return matmul(b, n.need(0), n.need(1))


@importer("Gemm", "FC")
def gemm(b: Builder, n: OnnxNode) -> Value:
    x, y, c = n.need(0), n.need(1), n.optional(2)
    alpha, beta = n.get("alpha", 1.0), n.get("beta", 1.0)
    if n.op == "FC":
        return b.call("FullyConnected", x, y, c, num_hidden=y.shape[0])  # type: ignore[arg-type]
    if x.ndim < 2 or y.ndim != 2:
        raise MXNetValueError(f"Gemm takes matrices, got {x.shape} and {y.shape}")
    if not x.dtype.is_floating_point:
        raise MXNetNotImplementedError("a Gemm of integers")
    x = b.call("Flatten", x)  # a node of its own, also where there is nothing to flatten: programs look for it
    turned = [bool(n.get("transA", 0)), bool(n.get("transB", 0))]
    made = b.call("dot", x, y, transpose_a=turned[0], transpose_b=turned[1], hint=_GEMM)
    if alpha != 1:
        made = b.call("_mul_scalar", made, scalar=alpha)
    if c is None or not beta:
        return made
    return b.binary("broadcast_add", made, b.running_call("_mul_scalar", c, scalar=beta))


@importer("Det")
def det(b: Builder, n: OnnxNode) -> Value:
    return b.call("_linalg_det", n.x, bare=n.x.ndim == 2)


@importer("Einsum")
def einsum(b: Builder, n: OnnxNode) -> Value:
    """Products and sums over letters."""
    equation = n.attrs["equation"].replace(" ", "")
    left, arrow, result = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(n.inputs):
        raise MXNetValueError(f"the equation {equation!r} is not for {len(n.inputs)} inputs")
    # letters for the dimensions of an ellipsis, from the last one on
    free = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in equation]
    hidden = [n.need(i).ndim - len(t.replace("...", "")) if "..." in t else 0 for i, t in enumerate(terms)]
    most = max(hidden)
    if min(hidden) < 0 or most > len(free):
        raise MXNetValueError(f"the equation {equation!r} does not fit its inputs")
    terms = [t.replace("...", "".join(free[most - k : most])) for t, k in zip(terms, hidden, strict=True)]
    if not arrow:
        joined = "".join(terms)
        result = "".join(free[:most]) + "".join(sorted(c for c in set(joined) - set(free) if joined.count(c) == 1))
    result = result.replace("...", "".join(free[:most]))
    if any(len(set(t)) != len(t) for t in terms):
        raise MXNetNotImplementedError(f"a diagonal, in the equation {equation!r}")
    letters = [*result, *sorted(set("".join(terms)) - set(result))]
    if len(terms) == 2:
        both = _as_product(b, n, terms, result)
        if both is not None:
            return both
    parts = []
    for term, value in zip(terms, [n.need(i) for i in range(len(terms))], strict=True):
        own = [c for c in letters if c in term]
        moved = b.transpose(value, [term.index(c) for c in own])
        spread = [tuple(s[own.index(c)] if c in own else 1 for c in letters) for s in moved.shapes]
        parts.append(b.reshape(moved, spread))
    total = parts[0]
    for part in parts[1:]:
        total = b.binary("broadcast_mul", total, part)
    axes = tuple(range(len(result), len(letters)))
    return b.call("sum", total, axis=axes, bare=not result) if axes else total


def _as_product(b: Builder, n: OnnxNode, terms: list[str], result: str) -> Value | None:
    """As a product of matrices, if it is one."""
    one, two = terms
    batch = [c for c in result if c in one and c in two]
    rows = [c for c in result if c in one and c not in two]
    columns = [c for c in result if c in two and c not in one]
    inner = [c for c in one if c in two and c not in result]
    if len(one) != len(batch) + len(rows) + len(inner) or len(two) != len(batch) + len(columns) + len(inner):
        return None
    if len(inner) != 1 or len(rows) > 1 or len(columns) > 1:
        return None
    x = b.transpose(n.need(0), [one.index(c) for c in (*batch, *rows, *inner)])
    y = b.transpose(n.need(1), [two.index(c) for c in (*batch, *inner, *columns)])
    if not rows:
        x = b.reshape(x, [(*s[:-1], 1, s[-1]) for s in x.shapes])
    if not columns:
        y = b.reshape(y, [(*s, 1) for s in y.shapes])
    made = matmul(b, x, y)
    if not rows or not columns:
        made = b.reshape(
            made, [(*s[: len(batch)], *(s[-2:-1] if rows else ()), *(s[-1:] if columns else ())) for s in made.shapes]
        )
    order = [*batch, *rows, *columns]
    return b.transpose(made, [order.index(c) for c in result])


# ---- softmax ---------------------------------------------------------------------------------------------------------


@importer("Softmax", "LogSoftmax")
def softmax(b: Builder, n: OnnxNode) -> Value:
    op = "softmax" if n.op == "Softmax" else "log_softmax"
    axis = n.get("axis", -1 if n.opset >= 13 else 1)
    axis = axis % max(n.x.ndim, 1)
    if n.opset >= 13 or axis == n.x.ndim - 1:
        return b.call(op, n.x, axis=axis)
    flat = b.reshape(n.x, [(prod(s[:axis]), prod(s[axis:])) for s in n.x.shapes])
    return b.reshape(b.call(op, flat, axis=1), n.x.shapes)
