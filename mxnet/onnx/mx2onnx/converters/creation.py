"""Arrays made from nothing, or in the shape of others. Those of fixed shape are constants before they come here."""

from __future__ import annotations

import math
from typing import Any

import torch

from ....ops.contrib.misc import arange_like as arange_like_op
from ...package import load_onnx, to_numpy
from ..graph import Call, Dims, Graph, converter, is_open
from .elementwise import number


def fill(g: Graph, dims: Dims, value: float, dtype: torch.dtype, near: Any = ()) -> str:
    """An array of one number."""
    tensor = load_onnx().numpy_helper.from_array(to_numpy(torch.tensor([value], dtype=dtype)))
    made = g.add("ConstantOfShape", g.shape_of(dims, near), value=tensor)
    g.zeros.update({made} if not value else ())
    return made


@converter("_zeros", "_zeros_without_dtype")
def zeros(g: Graph, n: Call) -> str:
    return fill(g, n.out_shapes[0], 0, n.out_dtypes[0])


@converter("_ones")
def ones(g: Graph, n: Call) -> str:
    return fill(g, n.out_shapes[0], 1, n.out_dtypes[0])


@converter("_full")
def full(g: Graph, n: Call) -> str:
    return fill(g, n.out_shapes[0], n.attrs["value"], n.out_dtypes[0])


@converter("zeros_like")
def zeros_like(g: Graph, n: Call) -> str:
    return fill(g, n.shape, 0, n.dtype, [(n.x, n.shape)])


@converter("ones_like")
def ones_like(g: Graph, n: Call) -> str:
    return fill(g, n.shape, 1, n.dtype, [(n.x, n.shape)])


@converter("_arange", "_linspace", "_eye")
def refuse_dynamic_length(g: Graph, n: Call) -> str:
    raise n.refuse("a dynamic or very large length")


@converter("_contrib_arange_like")
def arange_like(g: Graph, n: Call) -> str:
    axis, start, step, repeat = (n.attrs[k] for k in ("axis", "start", "step", "repeat"))
    out, dtype = n.out_shapes[0], n.out_dtypes[0]
    if not is_open(out):
        return g.const(arange_like_op.kernel(torch.empty(out, dtype=dtype), start=start, step=step, repeat=repeat))
    if repeat != 1:
        raise n.refuse("repeat with a dynamic size")
    if axis is None:
        size = g.add("Size", n.x)
    else:
        size = g.squeeze(g.dim(n.shape[axis % n.ndim], [(n.x, n.shape)]), [0])
    # in the types of the operator, no less than float32; integers and float16 cut start and step to integers
    wide = torch.promote_types(dtype, torch.float32) if dtype.is_floating_point else torch.int64
    if dtype is torch.float16:
        start, step = math.trunc(start), math.trunc(step)
    found = g.add("Range", g.const(torch.tensor(0)), size, g.const(torch.tensor(1)))
    found = g.cast(found, wide, torch.int64)
    if step != 1:
        found = g.add("Mul", found, number(g, step, wide))
    if start:
        found = g.add("Add", found, number(g, start, wide))
    found = g.cast(found, dtype, wide)
    return found if axis is not None else g.add("Reshape", found, g.add("Shape", n.x))
