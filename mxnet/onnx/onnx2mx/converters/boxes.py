"""Detection: which of overlapping boxes stay."""

from __future__ import annotations

import math

import torch

from ....error import MXNetNotImplementedError
from ..graph import Builder, OnnxNode, Value, importer
from .indexing import coordinates


def _number(n: OnnxNode, index: int, default: float, what: str) -> float:
    given = n.optional(index)
    found = default if given is None else given.number()
    if found is None:
        raise MXNetNotImplementedError(f"{what} that is only known when the model runs")
    return float(found)


@importer("NonMaxSuppression")
def suppression(b: Builder, n: OnnxNode) -> Value:
    """Rows of image, class and box, by ``box_nms`` of each class of each image; as many as stay."""
    boxes, scores = n.need(0), n.need(1)
    most = _number(n, 2, 0, "max_output_boxes_per_class")
    overlap, lowest = _number(n, 3, 0.0, "iou_threshold"), _number(n, 4, -math.inf, "score_threshold")
    form = "center" if n.get("center_point_box", 0) else "corner"
    if form == "corner":  # of which either corner may come first
        one, two = b.slice(boxes, 2, 0, 2), b.slice(boxes, 2, 2, 4)
        boxes = b.call(
            "Concat", b.binary("broadcast_minimum", one, two), b.binary("broadcast_maximum", one, two), dim=2
        )
    column = b.call("expand_dims", scores, axis=3)  # (images, classes, boxes, 1)
    each = b.call("expand_dims", boxes, axis=1)
    if scores.shape[1] != 1:
        each = b.call("broadcast_axis", each, axis=(1,), size=(scores.shape[1],))
    if any(s[1] != scores.shape[1] for s in scores.shapes):
        raise MXNetNotImplementedError("a dynamic number of classes")
    number = b.cast(coordinates(b, column, 2), column.dtype)
    rows = b.call("Concat", column, each, number, dim=3)
    best = b.call("_contrib_box_nms", rows, overlap_thresh=overlap, valid_thresh=lowest, topk=-1, coord_start=1,
                  score_index=0, id_index=-1, force_suppress=True, in_format=form, out_format=form)  # fmt: skip
    places = b.cast(b.slice(best, 3, 5, 6), torch.int64)
    # suppressed boxes are -1 everywhere, and last
    stays = b.call("_greater_equal_scalar", places, scalar=0.0)
    if any(most < s[2] for s in scores.shapes):
        early = b.call("_lesser_scalar", coordinates(b, column, 2), scalar=most)
        stays = b.binary("broadcast_mul", stays, early)
    triples = b.call("Concat", coordinates(b, column, 0), coordinates(b, column, 1), places, dim=3)
    flat = b.call("Reshape", triples, shape=(-1, 3))
    return b.select_rows(flat, b.call("Reshape", stays, shape=(-1,)))
