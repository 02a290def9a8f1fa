"""Rules for operators that change shapes: reshape, transpose, slice, broadcast, repeat."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .expressions import Expression, rule
from .layers import Site, one
from .tree import Literal, value_of


def _by_shapes(site: Site) -> Expression:
    """A reshape to the shape that the result has: sizes that follow the inputs' are asked for."""
    result, given = (site.node, 0), value_of(site.node.inputs[0])
    parts: list[Any] = []
    for axis, size in enumerate(site.out_shape()):
        place = None
        if site.sizes.varies(result, axis):
            place = site.sizes.find(result, axis, [given])
            text = f"{{0}}.shape[{place[1]}]" if place is not None else _part_of(site, axis)
            parts.append(text if text is not None else -1 if -1 not in parts else size)
        else:
            parts.append(size)
    asked = [i for i, p in enumerate(parts) if isinstance(p, str)]
    if asked and -1 not in parts and (len(asked) == 1 or "//" in parts[asked[0]]):
        parts[asked[0]] = -1
    return _reshaped(parts)


def _part_of(site: Site, axis: int) -> str | None:
    """A size of the result as part of a size of the input: the batch without the heads that it was multiplied by."""
    wanted, given = site.sizes.of((site.node, 0), axis), value_of(site.node.inputs[0])
    for place in range(site.ndim):
        sizes = site.sizes.of(given, place)
        factor = sizes[0] // max(wanted[0], 1)
        if factor > 1 and all(s == w * factor for s, w in zip(sizes, wanted, strict=True) if w != -1):
            return f"{{0}}.shape[{place}] // {factor}"
    return None


def _reshaped(parts: Sequence[Any]) -> Expression:
    operands: list[Any] = [0]
    texts = []
    for part in parts:
        if isinstance(part, str) or part in (-1, 1):
            texts.append(str(part))
        else:
            texts.append(f"{{{len(operands)}}}")
            operands.append(Literal(part, "size"))
    return Expression(f"{{0}}.reshape({', '.join(texts)})", operands)


@rule("Reshape", "reshape", "_npx_reshape", "_np_reshape")
def _reshape(site: Site) -> Expression | None:
    a, given = site.attrs, site.shape()
    codes = tuple(a.get("shape") or a.get("newshape") or ())
    if not codes and a.get("target_shape"):
        codes = tuple(a["target_shape"])
        codes = (0, *codes[1:]) if a.get("keep_highest") else tuple(-1 if c == 0 else c for c in codes)
    if a.get("reverse"):
        return _by_shapes(site)
    if site.op in ("_npx_reshape", "_np_reshape") and any(c < -1 for c in codes):
        return _by_shapes(site)
    parts: list[Any] = []  # text for a size that is asked for, or a number
    place = 0
    rest = list(codes)
    open_count = sum(c == -1 for c in codes)
    while rest:
        code = rest.pop(0)
        if code == 0 and site.op != "_np_reshape":
            parts.append(f"{{0}}.shape[{place}]")
            place += 1
        elif code == -2:
            parts += [f"{{0}}.shape[{i}]" for i in range(place, len(given))]
            place = len(given)
        elif code == -3:
            if open_count == 0 and not any(c in (-1, -3) for c in rest):
                parts.append(-1)
                open_count += 1
            else:
                parts.append(given[place] * given[place + 1])
            place += 2
        elif code == -4:
            first, second = rest.pop(0), rest.pop(0)
            if first == -1:
                first = given[place] // second
            elif second == -1:
                second = given[place] // first
            if place == 0 and given[0] > 1:  # the batch: it may be of another size
                if first == given[0] // (second or 1) and open_count <= 1 and -1 not in parts:
                    first = -1
            parts += [first, second]
            place += 1
        else:
            parts.append(code)
            place += 1
    known = [given[int(p[10:-1])] if isinstance(p, str) else p for p in parts]
    if -1 in known:
        known[known.index(-1)] = math.prod(given) // max(-math.prod(known), 1)
    if tuple(known) != site.out_shape():
        return _by_shapes(site)
    asked = [p for p in parts if isinstance(p, str)]
    if asked and -1 not in parts and len(asked) == 1:
        parts = [-1 if isinstance(p, str) else p for p in parts]
    if len(parts) == 2 and parts[0] == "{0}.shape[0]" and parts[1] == -1:
        return Expression("{0}.flatten(1)", [0])
    fixed = [i for i, p in enumerate(parts) if not isinstance(p, str) and p != -1]
    if any(site.sizes.varies((site.node, 0), i) for i in fixed):
        return _by_shapes(site)
    return _reshaped(parts)


@rule("reshape_like")
def _reshape_like(site: Site) -> Expression | None:
    if any(site.attrs[k] is not None for k in ("lhs_begin", "lhs_end", "rhs_begin", "rhs_end")):
        return None
    return Expression("{0}.view_as({1})", [0, 1])


@rule("transpose", "_np_transpose")
def _transpose(site: Site) -> Expression:
    axes = tuple(a % site.ndim for a in (site.attrs["axes"] or ())) or tuple(reversed(range(site.ndim)))
    moved = [i for i, a in enumerate(axes) if i != a]
    if len(moved) == 2:
        return Expression(f"{{0}}.transpose({moved[0]}, {moved[1]})", [0])
    return Expression(f"{{0}}.permute({', '.join(map(str, axes))})", [0])


@rule("SwapAxis")
def _swap(site: Site) -> Expression:
    return Expression(f"{{0}}.transpose({site.attrs['dim1']}, {site.attrs['dim2']})", [0])


@rule("expand_dims")
def _expand(site: Site) -> Expression:
    return Expression(f"{{0}}.unsqueeze({site.attrs['axis']})", [0])


@rule("squeeze", "_np_squeeze")
def _squeeze(site: Site) -> Expression:
    axes = site.attrs["axis"]
    if axes is None:
        axes = tuple(i for i, n in enumerate(site.shape()) if n == 1 and i > 0)
        if site.out_shape() != tuple(n for i, n in enumerate(site.shape()) if i not in axes):
            return Expression("{0}.squeeze()", [0])
    axes = (axes,) if isinstance(axes, int) else tuple(axes)
    return Expression(f"{{0}}.squeeze({one(axes) if len(axes) == 1 else axes})", [0])


@rule("SliceChannel")
def _split(site: Site) -> Expression:
    count, axis = site.attrs["num_outputs"], site.attrs["axis"]
    if count == 1:
        return Expression(f"{{0}}.squeeze({axis})" if site.attrs["squeeze_axis"] else "{0}", [0])
    if site.attrs["squeeze_axis"]:
        return Expression(f"{{0}}.unbind({axis})", [0], hint="part")
    return Expression(f"{{0}}.chunk({count}, dim={axis})", [0], hint="part")


@rule("_split_v2")
def _split_v2(site: Site) -> Expression | None:
    if site.attrs["squeeze_axis"]:
        return None
    axis = site.attrs["axis"]
    if site.node.num_outputs() == 1:
        return Expression("{0}", [0])
    count, starts = site.attrs["sections"], list(site.attrs["indices"][1:])
    return Expression(f"{{0}}.tensor_split({count or starts}, dim={axis})", [0], hint="part")


@rule("slice_axis")
def _slice_axis(site: Site) -> Expression:
    axis, begin, end = site.attrs["axis"] % site.ndim, site.attrs["begin"], site.attrs["end"]
    part = _part(begin, end, None)
    return Expression(f"{{0}}[{':, ' * axis}{part}]", [0], hint="part")


def _part(begin: int | None, end: int | None, step: int | None) -> str:
    text = f"{'' if not begin else begin}:{'' if end is None else end}"
    return text if step in (None, 1) else f"{text}:{step}"


@rule("slice")
def _slice(site: Site) -> Expression | None:
    a = site.attrs
    steps = tuple(a["step"] or ()) or (None,) * len(a["begin"])
    if any(s is not None and s < 0 for s in steps):
        return None
    parts = [_part(b, e, s) for b, e, s in zip(a["begin"], a["end"], steps, strict=True)]
    return Expression(f"{{0}}[{', '.join(parts)}]", [0], hint="part")


@rule("slice_like")
def _slice_like(site: Site) -> Expression:
    axes = {a % site.ndim for a in site.attrs["axes"]} or set(range(min(site.ndim, len(site.shape(1)))))
    parts = [f": {{1}}.shape[{i}]" if i in axes else ":" for i in range(max(axes) + 1)]
    return Expression(f"{{0}}[{', '.join(parts)}]", [0, 1], hint="part")


@rule("broadcast_like")
def _broadcast_like(site: Site) -> Expression | None:
    if site.attrs["lhs_axes"] is not None:
        return None
    return Expression("{0}.expand_as({1})", [0, 1])


@rule("broadcast_to")
def _broadcast_to(site: Site) -> Expression:
    sizes = [-1 if s == 0 else s for s in site.attrs["shape"]]
    return Expression(f"{{0}}.expand({', '.join(map(str, sizes))})", [0])


@rule("broadcast_axis")
def _broadcast_axis(site: Site) -> Expression:
    sizes = [-1] * site.ndim
    for axis, size in zip(site.attrs["axis"], site.attrs["size"], strict=True):
        sizes[axis] = size
    return Expression(f"{{0}}.expand({', '.join(map(str, sizes))})", [0])


@rule("tile")
def _tile(site: Site) -> Expression:
    if not site.attrs["reps"]:
        return Expression("{0}", [0])
    return Expression(f"{{0}}.tile({', '.join(map(str, site.attrs['reps']))})", [0])


@rule("repeat")
def _repeat(site: Site) -> Expression:
    axis = site.attrs["axis"]
    where = "" if axis is None else f", dim={axis}"
    return Expression(f"{{0}}.repeat_interleave({site.attrs['repeats']}{where})", [0])


@rule("reverse")
def _reverse(site: Site) -> Expression:
    return Expression(f"{{0}}.flip({', '.join(map(str, site.attrs['axis']))})", [0])
