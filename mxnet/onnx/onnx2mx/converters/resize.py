"""Resizing and sampling of images."""

from __future__ import annotations

from ....error import MXNetNotImplementedError
from ..graph import Builder, OnnxNode, Value, importer


def _scales(b: Builder, n: OnnxNode) -> tuple[list[float] | None, list[list[int]] | None]:
    """The factors or the new sizes, for every dimension."""
    if n.op == "Upsample":
        return (n.get("scales") if n.opset < 9 else _numbers(b, n.need(1))), None
    places = (1, 3) if n.opset == 10 else (2, 3)
    sizes = n.optional(3) if n.opset >= 11 else None
    if sizes is not None and sizes.trials[0].numel():
        return None, b.int_trials(sizes, "the sizes")
    return _numbers(b, n.need(places[0])), None


def _numbers(b: Builder, value: Value) -> list[float]:
    if not value.constant:
        raise MXNetNotImplementedError("factors that are only known when the model runs")
    return [float(v) for v in value.trials[0].tolist()]


@importer("Resize", "Upsample")
def resize(b: Builder, n: OnnxNode) -> Value:
    x = n.x
    scales, sizes = _scales(b, n)
    if n.get("axes") is not None or n.get("keep_aspect_ratio_policy", "stretch") != "stretch" or n.get("antialias", 0):
        raise MXNetNotImplementedError("axes, antialias and keep_aspect_ratio_policy")
    if sizes is None:
        assert scales is not None
        sizes = [[int(d * f) for d, f in zip(s, scales, strict=True)] for s in x.shapes]
    if all(tuple(t) == s for t, s in zip(sizes, x.shapes, strict=True)):
        return x
    if x.ndim != 4 or any(t[:2] != list(s[:2]) for t, s in zip(sizes, x.shapes, strict=True)):
        raise MXNetNotImplementedError("resizing of anything but height and width")
    factors = [[t[i] / s[i] for i in (2, 3)] for t, s in zip(sizes, x.shapes, strict=True)]
    given = scales or [1, 1, *factors[0]]
    exact = all(abs(f - g) < 1e-6 for row in factors for f, g in zip(row, given[2:], strict=True))
    mode, place = n.get("mode", "nearest"), n.get("coordinate_transformation_mode", "half_pixel")
    if n.op == "Upsample" or n.opset < 11:
        place = "asymmetric"
    factor = round(factors[0][0])
    if mode == "nearest":
        rounding = n.get("nearest_mode", "round_prefer_floor")
        whole = exact and all(f == factor for row in factors for f in row) and factor >= 1
        repeats = place in ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel") or rounding == "floor"
        if not whole or not repeats or (place != "asymmetric" and rounding in ("ceil", "floor")):
            raise MXNetNotImplementedError("nearest pixels other than repeated ones")
        if place == "align_corners":
            raise MXNetNotImplementedError("nearest pixels with aligned corners")
        return b.call("UpSampling", x, scale=factor, sample_type="nearest")
    if mode != "linear" or not exact or place not in ("half_pixel", "pytorch_half_pixel", "align_corners"):
        raise MXNetNotImplementedError(f"mode {mode!r} with coordinates {place!r}")
    corners = place == "align_corners"
    if not corners and any(1 in t[2:] for t in sizes):
        raise MXNetNotImplementedError("a single row or column")
    if all(t[2:] == sizes[0][2:] for t in sizes):
        height, width = sizes[0][2:]
        return b.call("_contrib_BilinearResize2D", x, height=height, width=width, align_corners=corners)
    return b.call("_contrib_BilinearResize2D", x, scale_height=factors[0][0], scale_width=factors[0][1],
                  align_corners=corners)  # fmt: skip


@importer("GridSample")
def grid_sample(b: Builder, n: OnnxNode) -> Value:
    if n.x.ndim != 4 or n.get("mode", "linear") not in ("linear", "bilinear"):
        raise MXNetNotImplementedError(f"mode {n.get('mode', 'linear')!r} of {n.x.ndim} dimensions")
    if n.get("padding_mode", "zeros") != "zeros" or not n.get("align_corners", 0):
        raise MXNetNotImplementedError("anything but zeros around the image and aligned corners")
    return b.call("BilinearSampler", n.x, b.transpose(n.need(1), [0, 3, 1, 2]))
