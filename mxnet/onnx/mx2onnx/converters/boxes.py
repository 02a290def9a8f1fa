"""Detection: anchors, boxes, suppression, regions of interest."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ....ops.contrib.multibox import multibox_prior
from ..graph import Call, Graph, converter, is_open
from .elementwise import number, truncate
from .indexing import steps


def part(g: Graph, x: str, begin: int, end: int) -> str:
    """Columns of rows."""
    return g.slice(x, [-1], [begin], [end])


def to_center(g: Graph, boxes: str, dtype: torch.dtype) -> tuple[str, str]:
    """Center and size of corner boxes."""
    low, high = part(g, boxes, 0, 2), part(g, boxes, 2, 4)
    return g.add("Mul", g.add("Add", low, high), number(g, 0.5, dtype)), g.add("Sub", high, low)


def to_corner(g: Graph, boxes: str, dtype: torch.dtype) -> str:
    """Corner boxes from centers and sizes."""
    center, half = part(g, boxes, 0, 2), g.add("Mul", part(g, boxes, 2, 4), number(g, 0.5, dtype))
    return g.add("Concat", g.add("Sub", center, half), g.add("Add", center, half), axis=-1)


@converter("_contrib_MultiBoxPrior")
def prior(g: Graph, n: Call) -> str:
    if is_open(n.shape[2:4]):
        raise n.refuse("anchors of a dynamic size; export it with a fixed height and width")
    shape = [1, 1, *n.shape[2:4]]
    return g.const(multibox_prior.kernel(torch.zeros(shape), **n.attrs), name=n.node.name)


@converter("_contrib_box_decode")
def box_decode(g: Graph, n: Call) -> str:
    a = n.attrs
    if a["format"] == "corner":
        place, size = to_center(g, n.inputs[1], n.dtype)
    else:
        place, size = part(g, n.inputs[1], 0, 2), part(g, n.inputs[1], 2, 4)
    return _apply_offsets(g, n.x, place, size, [a[f"std{i}"] for i in range(4)], a["clip"], n.dtype)


def _apply_offsets(g: Graph, moves: str, place: str, size: str, scales: Any, clip: float, dtype: torch.dtype) -> str:
    """Corner boxes from predicted offsets to anchors."""
    moves = g.add("Mul", moves, g.const(torch.tensor(scales, dtype=dtype)))
    center = g.add("Add", g.add("Mul", part(g, moves, 0, 2), size), place)
    growth = part(g, moves, 2, 4)
    if clip > 0:
        growth = g.add("Min", growth, number(g, clip, dtype))
    half = g.add("Mul", g.add("Mul", g.add("Exp", growth), size), number(g, 0.5, dtype))
    return g.add("Concat", g.add("Sub", center, half), g.add("Add", center, half), axis=-1)


@converter("_contrib_box_iou")
def box_iou(g: Graph, n: Call) -> str:
    a, b = n.inputs
    if n.attrs["format"] == "center":
        a, b = to_corner(g, a, n.dtype), to_corner(g, b, n.dtype)
    left, right = len(n.shapes[0]) - 1, len(n.shapes[1]) - 1
    a = g.unsqueeze(a, list(range(left, left + right)))  # (..., 1, 4) against (1, ..., 4)
    b = g.unsqueeze(b, list(range(left))) if left else b
    zero = number(g, 0, n.dtype)
    sides = g.add(
        "Sub", g.add("Min", part(g, a, 2, 4), part(g, b, 2, 4)), g.add("Max", part(g, a, 0, 2), part(g, b, 0, 2))
    )
    common = g.reduce("ReduceProd", g.add("Max", sides, zero), [-1], False)

    def area(boxes: str) -> str:
        size = g.add("Max", g.add("Sub", part(g, boxes, 2, 4), part(g, boxes, 0, 2)), zero)
        return g.reduce("ReduceProd", size, [-1], False)

    union = g.add("Sub", g.add("Add", area(a), area(b)), common)
    return g.add("Div", common, g.add("Max", union, number(g, torch.finfo(n.dtype).tiny, n.dtype)))


# ---- suppression -----------------------------------------------------------------------------------------------------


def _take(g: Graph, rows: str, order: str) -> str:
    """Rows (batch, n, width) or numbers (batch, n) in another order (batch, k)."""
    return g.add("GatherND", rows, g.unsqueeze(order, [2]), batch_dims=1)


def _argsort(g: Graph, keys: str, count: str) -> str:
    """The order of the largest keys (batch, n)."""
    return g.add("TopK", keys, count, outputs=2, axis=1, largest=1, sorted=1)[1]


def _suppress(g: Graph, boxes: str, scores: str, groups: str | None, threshold: float, dtype: torch.dtype) -> str:
    """Which of the boxes (batch, n, 4), best first, stay: bool (batch, n). Boxes of other groups are moved apart."""
    # ONNX takes the corners of a box in any order, where in MXNet one that ends before it begins has no area
    low = part(g, boxes, 0, 2)
    boxes = g.add("Concat", low, g.add("Max", low, part(g, boxes, 2, 4)), axis=-1)
    if groups is not None:
        span = g.add("Sub", g.add("ReduceMax", boxes, keepdims=0), g.add("ReduceMin", boxes, keepdims=0))
        apart = g.add("Mul", groups, g.add("Add", span, number(g, 1, dtype)))
        boxes = g.add("Add", boxes, g.unsqueeze(apart, [2]))
    boxes, scores = g.cast(boxes, torch.float32, dtype), g.cast(scores, torch.float32, dtype)
    most = g.const(torch.tensor([2**31 - 1]))
    chosen = g.add("NonMaxSuppression", boxes, g.unsqueeze(scores, [1]), most, g.const([threshold], torch.float32))
    place = g.add("Gather", chosen, [0, 2], axis=1)  # (chosen, 2): image and box
    nothing = g.add("Equal", scores, g.add("Add", scores, number(g, 1, torch.float32)))
    none = g.cast(g.add("And", nothing, g.add("Not", nothing)), torch.float32)
    ones = g.add("Expand", g.const([1.0], torch.float32), g.add("Slice", g.add("Shape", place), [0], [1]))
    return g.cast(g.add("ScatterND", none, place, ones), torch.bool)


def _mask(g: Graph, inside: str, values: str, otherwise: float, dtype: torch.dtype, rows: bool = False) -> str:
    return g.add("Where", g.unsqueeze(inside, [2]) if rows else inside, values, number(g, otherwise, dtype))


def _column(g: Graph, rows: str, index: int) -> str:
    return g.squeeze(part(g, rows, index, index + 1), [2])


@converter("_contrib_box_nms")
def box_nms(g: Graph, n: Call) -> str:
    a, dtype = n.attrs, n.dtype
    if a["topk"] == 0:
        return n.x
    count, width = n.shape[-2], n.shape[-1]
    start = a["coord_start"]
    rows = n.x if n.ndim == 3 else g.add("Reshape", n.x, g.shape_of((-1, count, width), [(n.x, n.shape)]))
    scores = _column(g, rows, a["score_index"])
    valid = g.add("Greater", scores, number(g, a["valid_thresh"], dtype))
    if a["id_index"] >= 0:
        other = g.add("Equal", _column(g, rows, a["id_index"]), number(g, a["background_id"], dtype))
        valid = g.add("And", valid, g.add("Not", other))
    lowest = _mask(g, valid, scores, torch.finfo(dtype).min, dtype)
    cut = 0 < a["topk"] and (not isinstance(count, int) or a["topk"] < count)
    if cut and not isinstance(count, int):
        raise n.refuse("topk of a dynamic number of boxes")
    size = g.const([a["topk"]]) if cut else g.dim(count, [(n.x, n.shape)])
    order = _argsort(g, lowest, size)
    best, valid, scores = _take(g, rows, order), _take(g, valid, order), _take(g, lowest, order)
    boxes = part(g, best, start, start + 4)
    corners = to_corner(g, boxes, dtype) if a["in_format"] == "center" else boxes
    groups = None
    if a["id_index"] >= 0 and not a["force_suppress"]:
        groups = truncate(g, _column(g, best, a["id_index"]), dtype)
    keep = g.add("And", valid, _suppress(g, corners, scores, groups, a["overlap_thresh"], dtype))
    # those that stay, in order, before those that go
    places = steps(g, a["topk"] if cut else count, [(n.x, n.shape)])
    key = g.add("Sub", g.add("Mul", g.cast(keep, torch.int64), g.const(torch.tensor(1 << 40))), places)
    front = _argsort(g, key, size)
    best, keep = _take(g, best, front), _take(g, keep, front)
    if a["in_format"] != a["out_format"]:
        given = part(g, best, start, start + 4)
        if a["out_format"] == "center":
            moved = g.add("Concat", *to_center(g, given, dtype), axis=-1)
        else:
            moved = to_corner(g, given, dtype)
        # as in MXNet, boxes whose first number is negative stay as they are
        moved = g.add("Where", g.add("Less", part(g, given, 0, 1), number(g, 0, dtype)), given, moved)
        pieces = [part(g, best, 0, start)] if start else []
        pieces.append(moved)
        if start + 4 < width:
            pieces.append(part(g, best, start + 4, width))
        best = g.add("Concat", *pieces, axis=-1) if len(pieces) > 1 else pieces[0]
    found = _mask(g, keep, best, -1, dtype, rows=True)
    if cut:
        found = g.add("Pad", found, g.const([0, 0, 0, 0, count - a["topk"], 0]), number(g, -1, dtype))
    return found if n.ndim == 3 else g.add("Reshape", found, g.shape_of(n.shape, [(n.x, n.shape)]))


@converter("_contrib_MultiBoxDetection")
def detection(g: Graph, n: Call) -> str:
    a, dtype = n.attrs, n.dtype
    probabilities, moves, anchor = n.inputs
    count: Any = n.shape[2]
    classes = g.slice(probabilities, [1], [1], [2**31 - 1])
    score = g.reduce("ReduceMax", classes, [1], False)
    kind = g.cast(g.add("ArgMax", classes, axis=1, keepdims=0), dtype)
    shaped = g.add("Reshape", moves, g.const([0, -1, 4]))
    boxes = _apply_offsets(g, shaped, *to_center(g, anchor, dtype), a["variances"], -1, dtype)
    if a["clip"]:
        boxes = g.add("Clip", boxes, number(g, 0, dtype), number(g, 1, dtype))
    rows = g.add("Concat", g.unsqueeze(kind, [2]), g.unsqueeze(score, [2]), boxes, axis=-1)
    valid = g.add("GreaterOrEqual", score, number(g, a["threshold"], dtype))
    size = g.dim(count, [(probabilities, n.shape)])
    places = steps(g, count, [(probabilities, n.shape)])
    front = _argsort(
        g, g.add("Sub", g.add("Mul", g.cast(valid, torch.int64), g.const(torch.tensor(1 << 40))), places), size
    )
    plain = _mask(g, _take(g, valid, front), _take(g, rows, front), -1, dtype, rows=True)
    if not 0 < a["nms_threshold"] <= 1:
        return plain
    lowest = _mask(g, valid, score, torch.finfo(dtype).min, dtype)
    limited = 0 < a["nms_topk"] and (not isinstance(count, int) or a["nms_topk"] < count)
    if limited and not isinstance(count, int):
        raise n.refuse("nms_topk of a dynamic number of boxes")
    order = _argsort(g, lowest, g.const([a["nms_topk"]]) if limited else size)
    best, good = _take(g, rows, order), _take(g, valid, order)
    groups = None if a["force_suppress"] else _column(g, best, 0)
    # what overlaps by exactly the threshold goes, too
    below = float(np.nextafter(np.float32(a["nms_threshold"]), np.float32(0)))
    stays = _suppress(g, part(g, best, 2, 6), _take(g, lowest, order), groups, below, dtype)
    keep = g.add("And", good, stays)
    ids = _mask(g, keep, _column(g, best, 0), -1, dtype)
    rest = _mask(g, good, part(g, best, 1, 6), -1, dtype, rows=True)
    found = g.add("Concat", g.unsqueeze(ids, [2]), rest, axis=-1)
    if not limited:
        return found
    others = part(g, g.slice(plain, [1], [a["nms_topk"]], [count]), 1, 6)
    none = g.add("Sub", g.add("Mul", part(g, others, 0, 1), number(g, 0, dtype)), number(g, 1, dtype))
    return g.add("Concat", found, g.add("Concat", none, others, axis=-1), axis=1)


# ---- regions of interest ---------------------------------------------------------------------------------------------


@converter("ROIPooling")
def roi_pooling(g: Graph, n: Call) -> str:
    return g.add("MaxRoiPool", *n.inputs, pooled_shape=n.attrs["pooled_size"], spatial_scale=n.attrs["spatial_scale"])


@converter("_contrib_ROIAlign")
def roi_align(g: Graph, n: Call) -> str:
    a = n.attrs
    if a["position_sensitive"]:
        raise n.refuse("position_sensitive")
    if a["aligned"] and g.opset < 16:
        raise n.refuse("aligned=True needs opset 16")
    rois = n.inputs[1]
    image = g.squeeze(g.cast(part(g, rois, 0, 1), torch.int64), [1])
    height, width = a["pooled_size"]
    mode = None if g.opset < 16 else "half_pixel" if a["aligned"] else "output_half_pixel"
    first = g.add("Max", image, g.const(torch.tensor(0)))
    found = g.add("RoiAlign", n.x, part(g, rois, 1, 5), first, output_height=height, output_width=width,
                  sampling_ratio=max(a["sample_ratio"], 0), spatial_scale=a["spatial_scale"],
                  coordinate_transformation_mode=mode)  # fmt: skip
    value = g.value(rois)
    if value is not None and bool((value[:, 0] >= 0).all()):
        return found
    exists = g.unsqueeze(g.add("GreaterOrEqual", image, g.const(torch.tensor(0))), [1, 2, 3])
    return g.add("Where", exists, found, number(g, 0, n.dtype))
