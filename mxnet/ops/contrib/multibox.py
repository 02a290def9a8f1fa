"""The operators of the single shot detector (SSD): anchors, training targets, detections."""

from typing import Any

import torch

from ..infer import UNKNOWN, unify
from ..registry import op
from ..support import numbers_like, without_data
from ..types import Keywords
from .boxes import match_greedily, overlap, suppress, to_center, zero_gradient

Tensor = torch.Tensor
_VARIANCES = (0.1, 0.1, 0.2, 0.2)


def _check_float32(*tensors: Tensor) -> None:
    for tensor in tensors:
        if tensor.dtype is not torch.float32:
            raise TypeError("all inputs must be float32")


def _check_variances(variances: tuple[float, ...]) -> None:
    if len(variances) != 4:
        raise ValueError(f"variances must be four numbers, got {len(variances)}")


@op("_contrib_MultiBoxPrior")
@zero_gradient
def multibox_prior(
    data: Tensor,
    *,
    sizes: tuple[float, ...] = (1.0,),
    ratios: tuple[float, ...] = (1.0,),
    clip: bool = False,
    steps: tuple[float, ...] = (-1.0, -1.0),
    offsets: tuple[float, ...] = (0.5, 0.5),
) -> Tensor:
    """Anchor boxes for each pixel of a feature map (batch, channel, height, width): (1, height * width * k, 4).

    For each pixel, boxes of all ``sizes`` with the first of the ``ratios``, then of the first size with the other
    ratios, in corner format relative to the map. ``steps`` and ``offsets`` (y, x) place them; steps of -1 cover the
    map evenly.
    """
    _check_float32(data)
    if data.dim() < 4:
        raise ValueError("data must have four dimensions (batch, channel, height, width)")
    if not sizes or not ratios:
        raise ValueError("there must be at least one size and one ratio")
    if len(steps) != 2 or len(offsets) != 2:
        raise ValueError("steps and offsets must be two numbers (y, x)")
    if steps[0] * steps[1] < 0:
        raise ValueError("steps must be given for both y and x, or for neither")
    height, width = data.shape[2:4]
    if data.is_meta:
        return without_data(data, (1, height * width * (len(sizes) + len(ratios) - 1), 4))
    step_y, step_x = (1.0 / height, 1.0 / width) if steps[0] <= 0 or steps[1] <= 0 else steps
    y = (torch.arange(height, dtype=torch.float32, device=data.device) + offsets[0]) * step_y
    x = (torch.arange(width, dtype=torch.float32, device=data.device) + offsets[1]) * step_x
    shapes = [(size, ratios[0]) for size in sizes] + [(sizes[0], ratio) for ratio in ratios[1:]]
    size, ratio = torch.tensor(shapes, dtype=torch.float64).unbind(1)
    root = ratio.sqrt()  # a ratio of 0 has an infinite box, a negative one none
    half = torch.stack((size * height / width * root / 2, size / root / 2), 1).to(data.device, torch.float32)
    center = torch.stack(torch.broadcast_tensors(x[None, :], y[:, None]), -1).unsqueeze(2)
    boxes = torch.cat((center - half, center + half), -1).reshape(1, -1, 4)
    return boxes.clamp(0.0, 1.0) if clip else boxes


@op("_contrib_MultiBoxTarget", outputs=3, output_names=("loc_target", "loc_mask", "cls_target"))
@zero_gradient
def multibox_target(
    anchor: Tensor,
    label: Tensor,
    cls_pred: Tensor,
    *,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: tuple[float, ...] = _VARIANCES,
) -> tuple[Tensor, Tensor, Tensor]:
    """Training targets of SSD: box offsets (batch, n * 4), their mask, and classes (batch, n) of the n anchors.

    ``label`` (batch, m, 5 or more) has rows (class, xmin, ymin, xmax, ymax, ...); rows from the first class -1 on do
    not count. Each true box gets its best anchor; other anchors get a box they overlap by more than
    ``overlap_threshold``. The class is 0 for background, else one more than the label's. With a positive
    ``negative_mining_ratio`` only so many backgrounds per match count, the hardest by ``cls_pred`` (batch, classes, n);
    the others are ``ignore_label``. ``minimum_negative_samples`` is accepted and, as in the original, not used.
    """
    _check_float32(anchor, label, cls_pred)
    _check_variances(variances)
    if anchor.dim() != 3 or anchor.shape[0] != 1 or anchor.shape[2] != 4:
        raise ValueError("anchor must have shape (1, n, 4)")
    if label.dim() != 3 or label.shape[2] < 5:
        raise ValueError("label must have shape (batch, m, 5 or more)")
    if cls_pred.dim() != 3 or cls_pred.shape[2] != anchor.shape[1] or cls_pred.shape[0] < label.shape[0]:
        raise ValueError("cls_pred must have shape (batch, classes, n) with n as the anchors have")
    batch, count = label.shape[0], anchor.shape[1]
    if label.is_meta:
        boxes = (batch, count * 4)
        return without_data(label, boxes), without_data(label, boxes), without_data(label, (batch, count))
    cls_pred = cls_pred[:batch]
    exists = (label[..., 0] == -1).cumsum(1) == 0
    if label.device.type == "cpu":  # elsewhere the host would have to wait for the number
        label = label[:, : max(1, int(exists.sum(1).max()) if exists.numel() else 1)]
        exists = exists[:, : label.shape[1]]
    if not label.shape[1]:
        raise ValueError("label has no rows")
    found = overlap(anchor, label[..., 1:5]).masked_fill_(~exists.unsqueeze(1), -1.0)
    best, matched = found.max(2)
    # every true box first gets an anchor of its own
    own, _ = match_greedily(found, label.shape[1], 1e-6)
    positive = own >= 0
    matched = torch.where(positive, own, matched)
    if overlap_threshold > 0:
        positive |= best > overlap_threshold
    any_box = exists.any(1, keepdim=True)
    positive &= any_box

    true = label.gather(1, matched.unsqueeze(-1).expand(-1, -1, label.shape[2]))
    mask = positive.unsqueeze(-1).expand(-1, -1, 4)
    goal, start = to_center(true[..., 1:5]), to_center(anchor)
    offset = (goal[..., :2] - start[..., :2]) / start[..., 2:]
    target = torch.cat((offset, torch.log(goal[..., 2:] / start[..., 2:])), -1) / numbers_like(variances, anchor)
    target = torch.where(mask, target, 0.0)

    negative = ~positive
    if negative_mining_ratio > 0:
        negative &= best < negative_mining_thresh
        wanted = (positive.sum(1, keepdim=True) * negative_mining_ratio).long()
        background = torch.softmax(cls_pred, 1)[:, 0].masked_fill(~negative, torch.inf)
        rank = background.argsort(dim=1, stable=True).argsort(1)
        negative &= rank < wanted
    classes = torch.where(positive, true[..., 0] + 1, torch.where(negative & any_box, 0.0, ignore_label))
    return target.reshape(batch, count * 4), mask.to(anchor.dtype).reshape(batch, count * 4), classes


@multibox_target.infer_args
def _(shapes: Keywords, attrs: Any) -> None:
    anchor, label = shapes["anchor"], shapes["label"]
    if anchor is not None and label is not None and shapes["cls_pred"] is not None:
        shapes["cls_pred"] = unify(shapes["cls_pred"], (label[0], UNKNOWN, anchor[1]), "cls_pred")


@op("_contrib_MultiBoxDetection")
@zero_gradient
def multibox_detection(
    cls_prob: Tensor,
    loc_pred: Tensor,
    anchor: Tensor,
    *,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: tuple[float, ...] = _VARIANCES,
    nms_topk: int = -1,
) -> Tensor:
    """Detections of SSD: rows (class, score, xmin, ymin, xmax, ymax), best first, for each anchor: (batch, n, 6).

    From class probabilities (batch, classes + 1, n), of which the first is background, offsets (batch, n * 4) and
    anchors (1, n, 4). Class -1 marks what was suppressed or is not among the best ``nms_topk``; rows of -1 fill the
    rest. ``background_id`` is accepted and, as in the original, not used.
    """
    _check_float32(cls_prob, loc_pred, anchor)
    _check_variances(variances)
    if anchor.dim() != 3 or anchor.shape[::2] != (1, 4) or cls_prob.dim() != 3 or cls_prob.shape[2] != anchor.shape[1]:
        raise ValueError("cls_prob must have shape (batch, classes + 1, n) and anchor (1, n, 4)")
    batch, classes, count = cls_prob.shape
    if classes < 2:
        raise ValueError("cls_prob must have the background and at least one class")
    if loc_pred.shape != (batch, count * 4):
        raise ValueError("loc_pred must have shape (batch, n * 4)")
    if cls_prob.is_meta:
        return without_data(cls_prob, (batch, count, 6))
    score, kind = cls_prob[:, 1:].max(1)
    start = to_center(anchor)
    moves = loc_pred.reshape(batch, count, 4) * numbers_like(variances, anchor)
    center = moves[..., :2] * start[..., 2:] + start[..., :2]
    half = moves[..., 2:].contiguous().exp() * start[..., 2:] / 2
    boxes = torch.cat((center - half, center + half), -1)
    if clip:
        boxes = boxes.clamp(0.0, 1.0)
    rows = torch.cat((kind.unsqueeze(-1).to(boxes.dtype), score.unsqueeze(-1), boxes), -1)

    valid = score >= threshold
    # valid rows move to the front, in order: cheaper counted than sorted
    number = valid.cumsum(1)
    total = number[:, -1:]
    place = torch.arange(count, device=rows.device)
    target = torch.where(valid, number - 1, total + place - number)
    rows = torch.empty_like(rows).scatter_(1, target.unsqueeze(-1).expand_as(rows), rows)
    valid = place < total
    rows = torch.where(valid.unsqueeze(-1), rows, -1.0)
    if not 0 < nms_threshold <= 1:
        return rows
    limit = count if nms_topk <= 0 else min(nms_topk, count)
    order = rows[..., 1].masked_fill(~valid, -torch.inf).argsort(dim=1, descending=True, stable=True)[:, :limit]
    best, valid = _take(rows, order), valid.gather(1, order)
    groups = None if force_suppress else best[..., 0]
    keep = suppress(best[..., 2:], valid, groups, nms_threshold, inclusive=True)
    ids = torch.where(keep, best[..., 0], -1.0)
    # rows past the best nms_topk stay where they are, without their class
    others = torch.cat((torch.full_like(rows[:, limit:, :1], -1.0), rows[:, limit:, 1:]), -1)
    return torch.cat((torch.cat((ids.unsqueeze(-1), best[..., 1:]), -1), others), 1)


@multibox_detection.infer_args
def _(shapes: Keywords, attrs: Any) -> None:
    probabilities = shapes["cls_prob"]
    if probabilities is not None:
        shapes["loc_pred"] = unify(shapes["loc_pred"], (probabilities[0], probabilities[2] * 4), "loc_pred")
        shapes["anchor"] = unify(shapes["anchor"], (1, probabilities[2], 4), "anchor")


def _take(rows: Tensor, order: Tensor) -> Tensor:
    return rows.gather(1, order.unsqueeze(-1).expand(-1, -1, rows.shape[2]))
