"""Products of mx.np arrays, percentiles, determinants and positions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from ..graph import Call, Graph, converter, is_open
from .elementwise import number
from .numpy import _inputs_with_shapes


def _alike(g: Graph, n: Call) -> list[str]:
    return [g.cast(x, n.out_dtypes[0], kind) for x, kind in zip(n.inputs, n.dtypes, strict=True)]


@converter("_npi_matmul")
def matmul(g: Graph, n: Call) -> str:
    return g.add("MatMul", *_alike(g, n))


def _contract(g: Graph, n: Call, first: Sequence[int], second: Sequence[int]) -> str:
    """The sum of products over axes of two arrays, as one product of matrices."""
    arrays, sides = _alike(g, n), []
    for x, shape, axes, last in zip(arrays, n.shapes, (first, second), (True, False), strict=True):
        axes = [a % len(shape) for a in axes]
        rest = [a for a in range(len(shape)) if a not in axes]
        inner = math.prod(shape[a] for a in axes) if not is_open(tuple(shape[a] for a in axes)) else None
        if inner is None:
            raise n.refuse("over a dynamic dimension")
        moved = g.transpose(x, [*rest, *axes] if last else [*axes, *rest])
        sides.append(g.add("Reshape", moved, g.const([-1, inner] if last else [inner, -1])))
    product = g.add("MatMul", *sides)
    return g.add("Reshape", product, g.shape_of(n.out_shapes[0], _inputs_with_shapes(n)))


@converter("_npi_tensordot")
def tensordot(g: Graph, n: Call) -> str:
    return _contract(g, n, n.attrs["a_axes_summed"], n.attrs["b_axes_summed"])


@converter("_npi_tensordot_int_axes")
def tensordot_int_axes(g: Graph, n: Call) -> str:
    count = n.attrs["axes"]
    return _contract(g, n, range(n.ndim - count, n.ndim), range(count))


@converter("_np_dot")
def dot(g: Graph, n: Call) -> str:
    first, second = (len(s) for s in n.shapes)
    if not first or not second:
        return g.add("Mul", *_alike(g, n))
    if second <= 2:  # then NumPy's dot and matmul are the same
        return g.add("MatMul", *_alike(g, n))
    return _contract(g, n, [first - 1], [second - 2])


@converter("_npi_einsum")
def einsum(g: Graph, n: Call) -> str:
    return g.add("Einsum", *_alike(g, n), equation=n.attrs["subscripts"].replace(" ", ""))


# ---- percentiles, determinants, places -------------------------------------------------------------------------------


@converter("_npi_percentile")
def percentile(g: Graph, n: Call) -> str:
    """By sorting: between which two elements a percentile lies is known before."""
    q = torch.tensor(n.attrs["q_scalar"]) if n.attrs["q_scalar"] is not None else g.value(n.inputs[1])
    if q is None:
        raise n.refuse("percentiles that are only known when the model runs")
    if q.dim() > 1 or bool(((q < 0) | (q > 100)).any()):
        raise n.refuse(f"percentiles {q.tolist()}")
    given = n.attrs["axis"]
    axes = sorted(a % n.ndim for a in (given if given is not None else range(n.ndim)))
    sizes = [n.shape[a] for a in axes]
    if is_open(tuple(sizes)) or not math.prod(sizes):
        raise n.refuse("percentiles of a dynamic number of elements, or of none")
    count, rest = math.prod(sizes), [a for a in range(n.ndim) if a not in axes]
    out = n.out_dtypes[0]
    last = g.transpose(g.cast(n.x, out, n.dtype), [*rest, *axes])
    shape = tuple(n.shape[a] for a in rest)
    flat = g.reshape(last, (*shape, *sizes), (*shape, count))
    rows = g.add("TopK", flat, g.const([count]), outputs=2, axis=len(rest), largest=0, sorted=1)[0]
    places = q.double().reshape(-1) / 100 * (count - 1)
    how = n.attrs["interpolation"]
    if how in ("lower", "higher", "nearest"):
        places = {"lower": torch.floor, "higher": torch.ceil, "nearest": torch.round}[how](places)
    low, high = torch.floor(places).long(), torch.ceil(places).long()
    share = torch.full_like(places, 0.5) * (low != high) if how == "midpoint" else places - low
    below, above = (g.add("Gather", rows, g.const(i), axis=len(rest)) for i in (low, high))
    found = g.add("Add", below, g.add("Mul", g.add("Sub", above, below), g.const(share.to(out))))
    found = g.transpose(found, [len(rest), *range(len(rest))])  # one for each number of q, in front
    kept = tuple(1 if a in axes else n.shape[a] for a in range(n.ndim)) if n.attrs["keepdims"] else shape
    return g.reshape(found, (len(places), *shape), (*q.shape, *kept), [(n.x, n.shape)])


@converter("_npi_det")
def det(g: Graph, n: Call) -> str:
    return g.add("Det", n.x)


@converter("_npi_polyval")
def polyval(g: Graph, n: Call) -> str:
    p, x = (g.cast(v, n.out_dtypes[0], kind) for v, kind in zip(n.inputs, n.dtypes, strict=True))
    count = n.shape[0]
    if not isinstance(count, int) or not 0 < count <= 256:
        raise n.refuse(f"{count} coefficients")
    found = g.add("Mul", x, number(g, 0, n.out_dtypes[0]))
    for i in range(count):
        found = g.add("Add", g.add("Mul", found, x), g.add("Gather", p, g.const(torch.tensor(i))))
    return found


@converter("_npx_nonzero")
def nonzero(g: Graph, n: Call) -> str:
    return g.transpose(g.add("NonZero", n.x), [1, 0])


@converter("_npi_boolean_mask_assign_scalar")
def assign(g: Graph, n: Call) -> str:
    first, more = n.attrs["start_axis"], n.ndim - n.attrs["start_axis"] - len(n.shapes[1])
    mask = g.as_bool(n.inputs[1], n.dtypes[1])
    mask = g.unsqueeze(mask, [*range(first), *range(n.ndim - more, n.ndim)])
    return g.add("Where", mask, number(g, n.attrs["value"], n.dtype), n.x)
