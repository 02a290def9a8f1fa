"""Region proposals of Faster R-CNN: from the scores and offsets of anchors to regions of interest."""

import math
from typing import Any

import torch

from ..infer import unify
from ..registry import op
from ..support import numbers_like, without_data
from ..types import Keywords
from .boxes import suppress, zero_gradient

Tensor = torch.Tensor


def _base_anchors(stride: int, scales: tuple[float, ...], ratios: tuple[float, ...]) -> list[tuple[float, ...]]:
    """Corner boxes around the first cell, whose sides are whole numbers of pixels before scaling."""
    anchors: list[tuple[float, ...]] = []
    center = 0.5 * (stride - 1)
    for ratio in ratios:
        width = math.floor(math.sqrt(math.floor(stride * stride / ratio)) + 0.5)
        height = math.floor(width * ratio + 0.5)
        for scale in scales:
            half_width, half_height = 0.5 * (width * scale - 1), 0.5 * (height * scale - 1)
            anchors.append((center - half_width, center - half_height, center + half_width, center + half_height))
    return anchors


def _move_boxes(boxes: Tensor, offsets: Tensor) -> Tensor:
    """Boxes moved by relative offsets of the centre and logarithms of the change of size."""
    size = boxes[..., 2:] - boxes[..., :2] + 1
    center = offsets[..., :2] * size + boxes[..., :2] + 0.5 * (size - 1)
    half = 0.5 * (offsets[..., 2:].contiguous().exp() * size - 1)
    return torch.cat((center - half, center + half), -1)


def _propose(
    cls_prob: Tensor,
    bbox_pred: Tensor,
    im_info: Tensor,
    many: bool,
    *,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: tuple[float, ...] = (4.0, 8.0, 16.0, 32.0),
    ratios: tuple[float, ...] = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
) -> Any:
    before, after, stride = rpn_pre_nms_top_n, rpn_post_nms_top_n, feature_stride
    for tensor in (cls_prob, bbox_pred, im_info):
        if tensor.dtype is not torch.float32:
            raise TypeError("all inputs must be float32")
    if cls_prob.dim() != 4 or cls_prob.shape[1] != 2 * len(scales) * len(ratios):
        raise ValueError("cls_prob must have shape (batch, 2 * len(scales) * len(ratios), height, width)")
    batch, channels, height, width = cls_prob.shape
    if batch != 1 and not many:
        raise ValueError("Proposal takes one image; MultiProposal takes several")
    if bbox_pred.shape != (batch, 2 * channels, height, width) or im_info.shape != (batch, 3):
        raise ValueError("bbox_pred must have shape (batch, 4 * anchors, height, width) and im_info (batch, 3)")
    if after < 1:
        raise ValueError("rpn_post_nms_top_n must be at least 1")
    if cls_prob.is_meta:
        found = [without_data(cls_prob, (batch * after, width)) for width in (5, 1)]
        return tuple(found) if output_score else found[0]
    anchors = channels // 2
    device = cls_prob.device
    base = numbers_like(_base_anchors(stride, scales, ratios), cls_prob)
    rows = torch.arange(height, device=device, dtype=torch.float32)[:, None, None]
    columns = torch.arange(width, device=device, dtype=torch.float32)[None, :, None]
    cells = torch.stack(torch.broadcast_tensors(columns, rows, columns, rows), -1) * stride
    start = (cells + base).reshape(1, -1, 4)

    offsets = bbox_pred.reshape(batch, anchors, 4, height, width).permute(0, 3, 4, 1, 2).reshape(batch, -1, 4)
    scores = cls_prob[:, anchors:].permute(0, 2, 3, 1)
    size = im_info[:, :2].flip(1)[:, None, :]  # width, height
    boxes = start + offsets if iou_loss else _move_boxes(start, offsets)
    boxes = torch.minimum(boxes, (size - 1).repeat(1, 1, 2)).clamp(min=0)
    # cells outside of the image, in a padded batch, and boxes that are too small come last
    real = torch.div(im_info[:, :2], stride, rounding_mode="floor")[:, :, None, None, None]
    outside = (rows[None] >= real[:, 0]) | (columns[None] >= real[:, 1])
    smallest = (rpn_min_size * im_info[:, 2])[:, None]
    small = ((boxes[..., 2:] - boxes[..., :2] + 1) < smallest[..., None]).any(-1)
    scores = scores.masked_fill(outside, -1.0).reshape(batch, -1).masked_fill(small, -1.0)
    grown = 0.5 * smallest[..., None] * numbers_like((-1.0, -1.0, 1.0, 1.0), boxes)
    boxes = torch.where(small.unsqueeze(-1), boxes + grown, boxes)

    count = boxes.shape[1]
    scores, order = scores.sort(dim=1, descending=True, stable=True)
    if 0 < before < count:
        scores, order = scores[:, :before], order[:, :before]
    boxes = boxes.gather(1, order.unsqueeze(-1).expand(-1, -1, 4))
    keep = suppress(boxes, torch.ones_like(scores, dtype=torch.bool), None, threshold, edge=1.0, limit=after)
    front = (~keep).to(torch.int8).argsort(dim=1, stable=True)
    place = torch.arange(after, device=device)[None, :] % keep.sum(1, keepdim=True)
    chosen = front.gather(1, place)
    boxes = boxes.gather(1, chosen.unsqueeze(-1).expand(-1, -1, 4))
    image = torch.arange(batch, device=device, dtype=boxes.dtype)[:, None, None].expand(-1, after, 1)
    regions = torch.cat((image, boxes), -1).reshape(-1, 5)
    return (regions, scores.gather(1, chosen).reshape(-1, 1)) if output_score else regions


def _define(name: str, many: bool) -> None:
    @op(
        name,
        like=_propose,
        outputs=lambda attrs: 2 if attrs["output_score"] else 1,
        output_names=("output", "score"),
    )
    @zero_gradient
    def proposal(cls_prob: Tensor, bbox_pred: Tensor, im_info: Tensor, **attrs: Any) -> Any:
        """Regions of interest: rows (image, xmin, ymin, xmax, ymax), ``rpn_post_nms_top_n`` of them for each image.

        From scores (batch, 2 * anchors, height, width), whose second half is of the foreground, offsets (batch, 4 *
        anchors, height, width) and image sizes (batch, 3): height, width, scale. There is an anchor for each of
        ``ratios`` and ``scales``. The best ``rpn_pre_nms_top_n`` boxes are taken, those that overlap a better one by
        more than ``threshold`` dropped; if too few are left they are repeated. ``output_score`` returns scores too.
        """
        return _propose(cls_prob, bbox_pred, im_info, many, **attrs)

    @proposal.infer_args
    def _(shapes: Keywords, attrs: Any) -> None:
        scores = shapes["cls_prob"]
        if scores is not None:
            wanted = (scores[0], scores[1] * 2, *scores[2:])
            shapes["bbox_pred"] = unify(shapes["bbox_pred"], wanted, "bbox_pred")
            shapes["im_info"] = unify(shapes["im_info"], (scores[0], 3), "im_info")


_define("_contrib_Proposal", many=False)
_define("_contrib_MultiProposal", many=True)
