"""Boxes for detection: overlap, suppression, matching, encoding and decoding.

A box is (xmin, ymin, xmax, ymax), the corner format, or (x, y, width, height) with its centre, the center format.
"""

import functools
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import torch

from ..gradients import constant_in
from ..infer import unify
from ..registry import op
from ..support import check_same_dtype, numbers_like, without_data
from ..types import Keywords

Tensor = torch.Tensor
Format = Literal["center", "corner"]
_BLOCK = 512


def zero_gradient(kernel: Callable) -> Callable:
    """Decorator: the kernel is not differentiated; its gradient is zero, as the original has it."""

    @functools.wraps(kernel)
    def run(*inputs: Any, **attrs: Any) -> Any:
        variables = [i for i in inputs if isinstance(i, Tensor) and i.requires_grad]
        if not variables or not torch.is_grad_enabled():
            return kernel(*inputs, **attrs)
        with torch.no_grad():
            found = kernel(*inputs, **attrs)
        if isinstance(found, Tensor):
            return constant_in(found, *variables)
        return tuple([constant_in(result, *variables) for result in found])

    return run


def check_boxes(boxes: Tensor, name: str) -> None:
    """Boxes must be floating and have four numbers in their last dimension."""
    if not boxes.is_floating_point():
        raise TypeError(f"{name} must have a floating dtype")
    if boxes.dim() < 2 or boxes.shape[-1] != 4:
        raise ValueError(f"{name} must have at least two dimensions, and four numbers in the last one")


def to_corner(boxes: Tensor) -> Tensor:
    """Boxes from the center to the corner format."""
    center, half = boxes[..., :2], boxes[..., 2:] / 2
    return torch.cat((center - half, center + half), -1)


def to_center(boxes: Tensor) -> Tensor:
    """Boxes from the corner to the center format."""
    low, high = boxes[..., :2], boxes[..., 2:]
    return torch.cat(((low + high) / 2, high - low), -1)


def overlap(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Intersection over union of corner boxes (..., n, 4) and (..., m, 4): (..., n, m). Empty boxes have none."""
    left, top, right, bottom = lhs.unsqueeze(-2).unbind(-1)
    left2, top2, right2, bottom2 = rhs.unsqueeze(-3).unbind(-1)
    # in place where it can be: these are the big arrays
    common = torch.minimum(right, right2).sub_(torch.maximum(left, left2)).clamp_(min=0)
    common.mul_(torch.minimum(bottom, bottom2).sub_(torch.maximum(top, top2)).clamp_(min=0))
    area = (right - left).clamp(min=0) * (bottom - top).clamp(min=0)
    area2 = (right2 - left2).clamp(min=0) * (bottom2 - top2).clamp(min=0)
    union = (area + area2).sub_(common)
    return common.div_(union.clamp_(min=torch.finfo(union.dtype).tiny))


@op("_contrib_box_iou")
@zero_gradient
def box_iou(lhs: Tensor, rhs: Tensor, *, format: Format = "corner") -> Tensor:
    """Intersection over union of every box of ``lhs`` with every box of ``rhs``: shape lhs[:-1] + rhs[:-1].

    Its gradient is zero.
    """
    check_boxes(lhs, "lhs")
    check_boxes(rhs, "rhs")
    if lhs.dtype is not rhs.dtype:
        raise TypeError("lhs and rhs must have the same dtype")
    if lhs.is_meta:
        return without_data(lhs, (*lhs.shape[:-1], *rhs.shape[:-1]))
    if format == "center":
        lhs, rhs = to_corner(lhs), to_corner(rhs)
    return overlap(lhs.reshape(-1, 4), rhs.reshape(-1, 4)).reshape(*lhs.shape[:-1], *rhs.shape[:-1])


def suppress(
    boxes: Tensor,
    valid: Tensor,
    groups: Tensor | None,
    threshold: float,
    *,
    edge: float = 0.0,
    inclusive: bool = False,
    limit: int | None = None,
) -> Tensor:
    """Which of the boxes (batch, n, 4), best first, stay when each drops those after it that overlap it too much.

    Only ``valid`` boxes (batch, n) stay or drop others, and only those of their own group if ``groups`` are given.
    ``edge`` is 1 if corners are pixels that belong to the box. With a ``limit`` it may end once so many stay.
    """
    if boxes.is_meta:
        return valid.clone()
    if edge:
        boxes = boxes + numbers_like((0.0, 0.0, edge, edge), boxes)
    if boxes.device.type != "cpu":
        return _suppress_all(boxes, valid, groups, threshold, inclusive)
    keep = torch.zeros_like(valid)
    known = keep.numpy()
    if groups is not None and groups.dtype is torch.bfloat16:
        groups = groups.float()  # NumPy does not have it
    sides = (boxes if boxes.dtype is torch.float64 else boxes.float()).transpose(1, 2).contiguous().numpy()
    for i in range(boxes.shape[0]):
        left, top, right, bottom = sides[i]
        area = np.maximum(right - left, 0) * np.maximum(bottom - top, 0)
        table = np.concatenate((sides[i], area[None]))
        for waiting in _groups(valid[i].numpy(), None if groups is None else groups[i].numpy()):
            known[i, _suppress_one(table, waiting, threshold, inclusive, limit)] = True
    return keep


def _groups(valid: np.ndarray, groups: np.ndarray | None) -> list[np.ndarray]:
    """The places of valid boxes, by group."""
    places = np.flatnonzero(valid)
    if groups is None or not len(places):
        return [places]
    kinds = groups[places]
    order = np.argsort(kinds, kind="stable")
    return np.split(places[order], np.flatnonzero(np.diff(kinds[order])) + 1)


def _suppress_one(table: np.ndarray, waiting: np.ndarray, threshold: float, inclusive: bool, limit: int | None) -> list:
    """The places of those boxes that stay: 64 at a time, so that what a box drops is one machine word.

    ``table`` has rows left, top, right, bottom, area; ``waiting`` the places of the boxes, best first.
    """
    smallest = np.finfo(table.dtype).tiny

    def drops(mine: np.ndarray, others: np.ndarray) -> np.ndarray:
        common = np.minimum(mine[2, :, None], others[2])
        common -= np.maximum(mine[0, :, None], others[0])
        height = np.minimum(mine[3, :, None], others[3])
        height -= np.maximum(mine[1, :, None], others[1])
        np.maximum(common, 0, out=common)
        np.maximum(height, 0, out=height)
        common *= height
        union = mine[4, :, None] + others[4]
        union -= common
        np.maximum(union, smallest, out=union)
        common /= union
        return common >= threshold if inclusive else common > threshold

    staying: list[int] = []
    while len(waiting):
        if len(waiting) == 1:
            return [*staying, int(waiting[0])]
        block, waiting = waiting[:64], waiting[64:]
        mine = table[:, block]
        words = np.zeros((len(block), 8), np.uint8)
        inside = np.packbits(drops(mine, mine), axis=1, bitorder="little")
        words[:, : inside.shape[1]] = inside
        dropped, chosen = 0, []
        for i, word in enumerate(words.view(np.uint64).ravel().tolist()):
            if not dropped >> i & 1:
                chosen.append(i)
                dropped |= word
        staying += block[chosen].tolist()
        if limit is not None and len(staying) >= limit:
            break
        if len(waiting):
            waiting = waiting[~drops(mine[:, chosen], table[:, waiting]).any(0)]
    return staying


def _suppress_all(boxes: Tensor, valid: Tensor, groups: Tensor | None, threshold: float, inclusive: bool) -> Tensor:
    """The same on other devices, for all images at once, in blocks, with few steps for the host to wait for.

    Within a block, box ``j`` stays if no earlier one that stays drops it. Starting from "all stay", repeating that rule
    settles one more box of each chain every time, and ends when nothing changes.
    """
    keep = valid.clone()
    count = boxes.shape[1]
    for start in range(0, count, _BLOCK):
        stop = min(start + _BLOCK, count)
        found = overlap(boxes[:, start:stop], boxes[:, start:])
        found = found >= threshold if inclusive else found > threshold
        if groups is not None:
            found &= groups[:, start:stop, None] == groups[:, None, start:]
        inside = found[:, :, : stop - start].triu(1).to(torch.float32)
        allowed = current = keep[:, start:stop].clone()
        while True:
            dropped = torch.bmm(current.to(torch.float32).unsqueeze(1), inside).squeeze(1) > 0
            settled = allowed & ~dropped
            if torch.equal(settled, current):
                break
            current = settled
        keep[:, start:stop] = current
        if stop < count:
            keep[:, stop:] &= ~(found[:, :, stop - start :] & current.unsqueeze(2)).any(1)
    return keep


@op("_contrib_box_nms", aliases=("_contrib_box_non_maximum_suppression",))
def box_nms(
    data: Tensor,
    *,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: Format = "corner",
    out_format: Format = "corner",
) -> Tensor:
    """Non-maximum suppression: rows (..., boxes, width) sorted by score, overlapping ones removed, -1 in the rest.

    A row has its score at ``score_index``, four coordinates from ``coord_start``, and its class at ``id_index`` if that
    is not -1. A box is removed if its score is not above ``valid_thresh``, if it is of class ``background_id``, if it
    is not among the best ``topk``, or if a better one (of its class, unless ``force_suppress``) overlaps it by more
    than ``overlap_thresh``. Where the formats differ, boxes whose first number is negative stay in ``in_format``.
    Gradients go back to the rows that stay.
    """
    _check_nms(data, coord_start, score_index, id_index)
    if data.is_meta:
        return without_data(data)
    if topk == 0:
        return data.clone()
    *_, count, width = data.shape
    rows = data.reshape(-1, count, width)
    with torch.no_grad():
        plain = rows.detach()
        scores = plain[..., score_index]
        valid = scores > valid_thresh
        if id_index >= 0:
            valid &= plain[..., id_index] != background_id
        order = scores.masked_fill(~valid, -torch.inf).argsort(dim=1, descending=True, stable=True)
        if 0 < topk < count:
            order = order[:, :topk]
        best = plain.gather(1, order.unsqueeze(-1).expand(-1, -1, width))
        boxes = best[..., coord_start : coord_start + 4]
        keep = suppress(
            to_corner(boxes) if in_format == "center" else boxes,
            valid.gather(1, order),
            best[..., id_index].trunc() if id_index >= 0 and not force_suppress else None,
            overlap_thresh,
        )
        # those that stay, in order, before those that go
        front = (~keep).to(torch.int8).argsort(dim=1, stable=True)
        order, keep = order.gather(1, front), keep.gather(1, front)
    result = rows.gather(1, order.unsqueeze(-1).expand(-1, -1, width))
    if in_format != out_format:
        # Gradients are handed back as they come, also through a change of format. As in the original, boxes that begin
        # left of the image stay as they are: that takes a negative number for the mark of a row that was removed.
        change = to_center if out_format == "center" else to_corner
        with torch.no_grad():
            given = result.detach()[..., coord_start : coord_start + 4]
            shift = torch.zeros_like(result)
            shift[..., coord_start : coord_start + 4] = (change(given) - given).masked_fill(given[..., :1] < 0, 0)
        result = result + shift
    result = torch.where(keep.unsqueeze(-1), result, -1.0)
    if order.shape[1] < count:
        result = torch.nn.functional.pad(result, (0, 0, 0, count - order.shape[1]), value=-1.0)
    return result.reshape(data.shape)


def _check_nms(data: Tensor, coord_start: int, score_index: int, id_index: int) -> None:
    if not data.is_floating_point():
        raise TypeError("data must have a floating dtype")
    if data.dim() < 2:
        raise ValueError("data must have at least two dimensions (boxes, numbers of a box)")
    width = data.shape[-1]
    if not 0 <= coord_start <= width - 4:
        raise ValueError(f"coordinates {coord_start} to {coord_start + 3} are not within the {width} numbers of a box")
    for name, index in (("score_index", score_index), ("id_index", id_index)):
        if name == "id_index" and index < 0:
            continue
        if not 0 <= index < width:
            raise ValueError(f"{name} {index} is not within the {width} numbers of a box")
        if coord_start <= index < coord_start + 4:
            raise ValueError(f"{name} {index} lies among the coordinates")
    if id_index == score_index:
        raise ValueError("id_index and score_index must differ")


@op("_contrib_bipartite_matching", outputs=2)
@zero_gradient
def bipartite_matching(
    data: Tensor, *, is_ascend: bool = False, threshold: float, topk: int = -1
) -> tuple[Tensor, Tensor]:
    """Matches rows and columns of score matrices (..., rows, columns), the best pair first, each once.

    Returns for each row its column and for each column its row, -1 without a match. Pairs must score above
    ``threshold`` (below it if ``is_ascend``). A positive ``topk`` ends after ``topk + 1`` pairs. The gradient is zero.
    """
    if not data.is_floating_point():
        raise TypeError("data must have a floating dtype")
    if data.dim() < 2:
        raise ValueError("data must have at least two dimensions (rows, columns)")
    *batch, rows, columns = data.shape
    if data.is_meta:
        return without_data(data, (*batch, rows)), without_data(data, (*batch, columns))
    scores = data.reshape(-1, rows, columns)
    if is_ascend:
        scores, threshold = -scores, -threshold
    rounds = min(rows, columns)
    row_match, column_match = match_greedily(scores, rounds if topk <= 0 else min(rounds, topk + 1), threshold)
    return (
        row_match.to(data.dtype).reshape(*batch, rows),
        column_match.to(data.dtype).reshape(*batch, columns),
    )


def match_greedily(scores: Tensor, rounds: int, threshold: float) -> tuple[Tensor, Tensor]:
    """Takes the best pair above the threshold, strikes its row and column, and so on: columns of rows, and back."""
    batch, rows, columns = scores.shape
    row_match = torch.full((batch, rows), -1, dtype=torch.int64, device=scores.device)
    column_match = torch.full((batch, columns), -1, dtype=torch.int64, device=scores.device)
    if not scores.numel():
        return row_match, column_match
    left = scores.masked_fill(~(scores > threshold), -torch.inf).contiguous()
    each = torch.arange(batch, device=scores.device)
    for _ in range(rounds):
        best, place = left.view(batch, -1).max(1)
        row, column = torch.div(place, columns, rounding_mode="floor"), place % columns
        found = best > -torch.inf
        row_match[each, row] = torch.where(found, column, row_match[each, row])
        column_match[each, column] = torch.where(found, row, column_match[each, column])
        left[each, row] = -torch.inf
        left[each, :, column] = -torch.inf
    return row_match, column_match


@op("_contrib_box_encode", gradient="zero", outputs=2)
@zero_gradient
def box_encode(
    samples: Tensor, matches: Tensor, anchors: Tensor, refs: Tensor, means: Tensor, stds: Tensor
) -> tuple[Tensor, Tensor]:
    """Regression targets of anchors (batch, n, 4) for the reference boxes (batch, m, 4) they match, and their mask.

    ``matches`` (batch, n) has the index of the reference box; targets are 0 where ``samples`` (batch, n) is not above
    0.5. All boxes are corner boxes. The gradient is zero.
    """
    check_boxes(anchors, "anchors")
    check_boxes(refs, "refs")
    if anchors.dim() != 3 or refs.dim() != 3 or anchors.shape[0] != refs.shape[0]:
        raise ValueError("anchors and refs must have shape (batch, boxes, 4) with the same batch")
    if samples.shape != anchors.shape[:2] or matches.shape != anchors.shape[:2]:
        raise ValueError("samples and matches must have the shape (batch, n) of the anchors")
    if means.shape != (4,) or stds.shape != (4,):
        raise ValueError("means and stds must be vectors of four numbers")
    check_same_dtype(samples, matches, anchors, refs, means, stds)
    if anchors.is_meta:
        return without_data(anchors), without_data(anchors)
    index = matches.long().clamp(0, max(refs.shape[1] - 1, 0))
    matched = to_center(refs).gather(1, index.unsqueeze(-1).expand(-1, -1, 4))
    own = to_center(anchors)
    offset = (matched[..., :2] - own[..., :2]) / own[..., 2:]
    size = torch.log(matched[..., 2:] / own[..., 2:])
    target = (torch.cat((offset, size), -1) - means) / stds
    chosen = (samples > 0.5).unsqueeze(-1).expand_as(target)
    return torch.where(chosen, target, 0.0), chosen.to(anchors.dtype)


@op("_contrib_box_decode", gradient="zero")
@zero_gradient
def box_decode(
    data: Tensor,
    anchors: Tensor,
    *,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: Format = "center",
) -> Tensor:
    """Corner boxes from predicted offsets (batch, n, 4) to anchors (1, n, 4), which are in the given format.

    A positive ``clip`` bounds the logarithm of the change of size. The gradient is zero.
    """
    check_same_dtype(data, anchors)
    check_boxes(data, "data")
    check_boxes(anchors, "anchors")
    if data.dim() != 3 or anchors.shape != (1, data.shape[1], 4):
        raise ValueError("data must have shape (batch, n, 4) and anchors (1, n, 4)")
    if data.is_meta:
        return without_data(data)
    own = to_center(anchors) if format == "corner" else anchors
    center = data[..., :2] * numbers_like((std0, std1), data) * own[..., 2:] + own[..., :2]
    size = data[..., 2:] * numbers_like((std2, std3), data)
    if clip > 0:
        size = size.clamp(max=clip)
    half = size.exp() * own[..., 2:] / 2
    return torch.cat((center - half, center + half), -1)


@box_decode.infer_args
def _(shapes: Keywords, attrs: Any) -> None:
    if shapes["data"] is not None:
        shapes["anchors"] = unify(shapes["anchors"], (1, *shapes["data"][1:]), "anchors")
