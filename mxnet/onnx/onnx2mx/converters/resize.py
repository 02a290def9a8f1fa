"""Resizing and sampling of images."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from ....error import MXNetNotImplementedError, MXNetValueError
from ..graph import Builder, OnnxNode, Value, importer
from .elementwise import round_even, scale_shift


@importer("Resize", "Upsample")
def resize(b: Builder, n: OnnxNode) -> Value:
    x = n.x
    plan = _plan(b, n)
    if all(p.sizes == [s[p.axis] for s in x.shapes] and not p.crops for p in plan):
        return x
    made = _by_layers(b, n, plan)
    if made is not None:
        return made
    for p in plan:
        if len({(s[p.axis], size) for s, size in zip(x.shapes, p.sizes, strict=True)}) > 1:
            raise MXNetNotImplementedError("resizing of dynamic sizes: import it with input_shapes=")
    if n.get("mode", "nearest") != "nearest" and not x.dtype.is_floating_point:
        raise MXNetNotImplementedError(f"mode {n.get('mode')!r} of {x.dtype}")
    shape, outside = x.shape, None
    for p in plan:
        size, places = shape[p.axis], torch.tensor(p.places(shape[p.axis]), dtype=torch.float64)
        if n.get("mode", "nearest") == "nearest":
            x = b.call("take", x, b.const(_nearest(places, size, n)), axis=p.axis, truth=x.truth)
        else:
            weights = _weights(places, size, p.scale, n).to(x.dtype)
            order = [*(a for a in range(x.ndim) if a != p.axis), p.axis]
            last = b.transpose(x, order)
            last = b.call("FullyConnected", last, b.const(weights), num_hidden=p.sizes[0], no_bias=True, flatten=False)
            x = b.transpose(last, [order.index(a) for a in range(x.ndim)])
        if p.crops:
            beyond = ((places < 0) | (places > size - 1)).reshape([-1 if a == p.axis else 1 for a in range(x.ndim)])
            outside = beyond if outside is None else outside | beyond
    if outside is None or not bool(outside.any()):
        return x
    value = torch.full(outside.shape, n.get("extrapolation_value", 0.0), dtype=x.dtype)
    kept = b.binary("broadcast_mul", x, b.const((~outside).to(x.dtype)))
    return b.binary("broadcast_add", kept, b.const(value * outside))


@dataclass
class _Axis:
    """How one axis is resized: to which size in each trial, and where its new elements come from."""

    axis: int
    sizes: list[int]
    scale: float
    mode: str
    start: float = 0.0
    end: float = 1.0

    @property
    def crops(self) -> bool:
        return self.mode == "tf_crop_and_resize"

    def places(self, size: int) -> list[float]:
        """Where in an axis of this size the new elements are."""
        count, scale = self.sizes[0], self.scale
        if self.mode in ("pytorch_half_pixel", "align_corners") and count == 1:
            return [0.0]
        if self.mode == "align_corners":
            return [i * (size - 1) / (count - 1) for i in range(count)]
        if self.mode == "asymmetric":
            return [i / scale for i in range(count)]
        if self.crops:
            if count == 1:
                return [0.5 * (self.start + self.end) * (size - 1)]
            step = (self.end - self.start) * (size - 1) / (count - 1)
            return [self.start * (size - 1) + i * step for i in range(count)]
        shift = size / 2 * (1 - count / (scale * size)) if self.mode == "half_pixel_symmetric" else 0.0
        return [shift + (i + 0.5) / scale - 0.5 for i in range(count)]


_MODES = ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
          "tf_crop_and_resize")  # fmt: skip


def _plan(b: Builder, n: OnnxNode) -> list[_Axis]:
    x = n.x
    old = n.op == "Upsample" or n.opset < 11
    mode = "asymmetric" if old else n.get("coordinate_transformation_mode", "half_pixel")
    if mode not in _MODES:
        raise MXNetNotImplementedError(f"coordinates of mode {mode!r}")
    axes = [a % x.ndim for a in n.get("axes") or range(x.ndim)]
    given = None if old else n.optional(3)
    if given is not None and given.trials[0].numel():
        wanted = b.int_trials(given, "the sizes")
        if any(len(w) != len(axes) for w in wanted):
            raise MXNetValueError(f"the sizes {wanted[0]} do not fit the axes {axes}")
        policy = n.get("keep_aspect_ratio_policy", "stretch")
        if policy != "stretch":
            choose = min if policy == "not_larger" else max
            ratios = [
                choose(w / s[a] for w, a in zip(row, axes, strict=True))
                for row, s in zip(wanted, x.shapes, strict=True)
            ]
            wanted = [[int(r * s[a] + 0.5) for a in axes] for r, s in zip(ratios, x.shapes, strict=True)]
        scales = [w / x.shape[a] for w, a in zip(wanted[0], axes, strict=True)]
        if policy != "stretch":
            scales = [ratios[0]] * len(axes)
    else:
        scales = n.get("scales") if n.op == "Upsample" and n.opset < 9 else _numbers(n.need(1 if old else 2))
        if scales is None or len(scales) != len(axes) or min(scales) <= 0:
            raise MXNetValueError(f"the factors {scales} do not fit the axes {axes}")
        wanted = [[int(s[a] * f) for a, f in zip(axes, scales, strict=True)] for s in x.shapes]
        if mode == "align_corners" and any(
            x.shape[a] * f != int(x.shape[a] * f) for a, f in zip(axes, scales, strict=True)
        ):
            raise MXNetNotImplementedError("aligned corners by factors that give no whole size")
    roi = [0.0] * len(axes) + [1.0] * len(axes)
    if mode == "tf_crop_and_resize":
        roi = _numbers(n.need(1))
        if len(roi) != 2 * len(axes):
            raise MXNetValueError(f"the region {roi} does not fit the axes {axes}")
    if any(size < 1 for row in wanted for size in row):
        raise MXNetValueError(f"a size of {wanted[0]}")
    plan = [
        _Axis(axis, [row[i] for row in wanted], scales[i], mode, roi[i], roi[i + len(axes)])
        for i, axis in enumerate(axes)
    ]
    whole = (0.0, 1.0)
    return [
        p
        for p in plan
        if p.sizes != [s[p.axis] for s in x.shapes] or p.scale != 1 or (p.crops and (p.start, p.end) != whole)
    ]


def _numbers(value: Value) -> list[float]:
    if not value.constant:
        raise MXNetNotImplementedError("factors that are only known when the model runs")
    return [float(v) for v in value.trials[0].reshape(-1).tolist()]


def _by_layers(b: Builder, n: OnnxNode, plan: list[_Axis]) -> Value | None:
    """By layers that networks have for it, which also take images of dynamic sizes; None if none of them fits."""
    x = n.x
    if x.ndim != 4 or any(p.axis < 2 or p.crops for p in plan) or not x.dtype.is_floating_point:
        return None
    sizes = [[next((p.sizes[t] for p in plan if p.axis == a), s[a]) for a in (2, 3)] for t, s in enumerate(x.shapes)]
    factors = [
        [size / s[a] for size, a in zip(row, (2, 3), strict=True)] for row, s in zip(sizes, x.shapes, strict=True)
    ]
    given = [next((p.scale for p in plan if p.axis == a), 1.0) for a in (2, 3)]
    if any(abs(f - g) >= 1e-6 for row in factors for f, g in zip(row, given, strict=True)):
        return None
    mode, place = n.get("mode", "nearest"), plan[0].mode
    if mode == "nearest":
        rounding = n.get("nearest_mode", "round_prefer_floor") if n.opset >= 11 else "floor"
        factor = round(given[0])
        whole = factor >= 1 and all(f == factor for row in factors for f in row)
        halves = place in ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel")
        repeats = (halves and rounding not in ("ceil", "floor")) or (place == "asymmetric" and rounding == "floor")
        return b.call("UpSampling", x, scale=factor, sample_type="nearest") if whole and repeats else None
    corners = place == "align_corners"
    if mode != "linear" or n.get("antialias", 0) or n.get("exclude_outside", 0):
        return None
    if place not in ("half_pixel", "pytorch_half_pixel", "align_corners") or (
        not corners and any(1 in r for r in sizes)
    ):
        return None
    if all(row == sizes[0] for row in sizes):
        height, width = sizes[0]
        return b.call("_contrib_BilinearResize2D", x, height=height, width=width, align_corners=corners)
    if not all(float(g).is_integer() for g in given):
        return None  # sizes that the layer would round in its own way
    return b.call("_contrib_BilinearResize2D", x, scale_height=given[0], scale_width=given[1], align_corners=corners)


def _nearest(places: torch.Tensor, size: int, n: OnnxNode) -> torch.Tensor:
    """The index of the nearest element, for each place."""
    rounding = n.get("nearest_mode", "round_prefer_floor") if n.opset >= 11 and n.op == "Resize" else "floor"
    rounded = {
        "round_prefer_floor": torch.ceil(places - 0.5),
        "round_prefer_ceil": torch.floor(places + 0.5),
        "floor": torch.floor(places),
        "ceil": torch.ceil(places),
    }
    if rounding not in rounded:
        raise MXNetValueError(f"nearest_mode {rounding!r}")
    return rounded[rounding].clamp(0, size - 1).long()


def _weights(places: torch.Tensor, size: int, scale: float, n: OnnxNode) -> torch.Tensor:
    """How much of each of the elements is in each new one: (new, old). Beyond the ends the last element goes on."""
    mode, a = n.get("mode"), n.get("cubic_coeff_a", -0.75)
    if mode not in ("linear", "cubic"):
        raise MXNetValueError(f"mode {mode!r}")
    narrow = min(scale, 1.0) if n.get("antialias", 0) else 1.0
    reach = math.ceil((1 if mode == "linear" else 2) / narrow)
    taps = torch.floor(places).unsqueeze(1) + torch.arange(-reach, reach + 2)  # (new, neighbors)
    away = (taps - places.unsqueeze(1)).abs() * narrow
    if mode == "linear":
        weights = (1 - away).clamp(min=0)
    else:
        near = ((a + 2) * away - (a + 3)) * away * away + 1
        far = ((a * away - 5 * a) * away + 8 * a) * away - 4 * a
        weights = torch.where(away <= 1, near, torch.where(away < 2, far, torch.zeros(())))
    if n.get("exclude_outside", 0):
        weights = torch.where((taps < 0) | (taps > size - 1), torch.zeros(()), weights)
    weights = weights / weights.sum(1, keepdim=True)
    found = torch.zeros(len(places), size, dtype=torch.float64)
    return found.scatter_add_(1, taps.clamp(0, size - 1).long(), weights.double())


@importer("GridSample")
def grid_sample(b: Builder, n: OnnxNode) -> Value:
    """By pixels: where they are taken from, then what is beyond the border, then nearest or linear."""
    x, grid = n.x, n.need(1)
    mode, border = n.get("mode", "linear"), n.get("padding_mode", "zeros")
    if x.ndim != 4 or mode not in ("linear", "bilinear", "nearest"):
        raise MXNetNotImplementedError(f"mode {mode!r} of {x.ndim} dimensions")
    corners = bool(n.get("align_corners", 0))
    plain = corners and border == "zeros" and mode != "nearest"
    moved = b.transpose(grid, [0, 3, 1, 2])
    if plain:
        return b.call("BilinearSampler", x, moved)
    if any(s[2:] != x.shape[2:] for s in x.shapes) or 1 in x.shape[2:]:
        raise MXNetNotImplementedError("images of dynamic sizes, or of a single row or column")
    parts = []
    for i, size in enumerate((x.shape[3], x.shape[2])):
        place = b.slice(moved, 1, i, i + 1)
        factor = (size - 1) / 2 if corners else size / 2
        place = scale_shift(b, place, factor, factor if corners else factor - 0.5)
        if mode == "nearest":
            place = round_even(b, OnnxNode("Round", n.name, {}, [place], n.outputs, n.opset))
        if border == "border":
            place = b.call("clip", place, a_min=0.0, a_max=size - 1.0)
        elif border == "reflection":
            low, span = (0.0, size - 1.0) if corners else (-0.5, float(size))
            again = b.call("_mod_scalar", scale_shift(b, place, 1.0, -low), scalar=2 * span)
            again = b.call("_minimum_scalar", again, scalar=2 * span)
            turned = b.binary("broadcast_minimum", again, scale_shift(b, again, -1.0, 2 * span))
            place = b.call("clip", scale_shift(b, turned, 1.0, low), a_min=0.0, a_max=size - 1.0)
        parts.append(scale_shift(b, place, 2 / (size - 1), -1.0))
    return b.call("BilinearSampler", x, b.call("Concat", *parts, dim=1))
