"""Arrays made from nothing, or in the shape of others. Those of fixed shape are constants before they come here."""

from __future__ import annotations

from typing import Any

import torch

from ...package import load_onnx, to_numpy
from ..graph import Call, Dims, Graph, converter, is_open
from .elementwise import number


def filled(g: Graph, dims: Dims, value: float, dtype: torch.dtype, near: Any = ()) -> str:
    """An array of one number."""
    tensor = load_onnx().numpy_helper.from_array(to_numpy(torch.tensor([value], dtype=dtype)))
    made = g.add("ConstantOfShape", g.shape_of(dims, near), value=tensor)
    g.zeros.update({made} if not value else ())
    return made


@converter("_zeros", "_zeros_without_dtype")
def zeros(g: Graph, n: Call) -> str:
    return filled(g, n.out_shapes[0], 0, n.out_dtypes[0])


@converter("_ones")
def ones(g: Graph, n: Call) -> str:
    return filled(g, n.out_shapes[0], 1, n.out_dtypes[0])


@converter("_full")
def full(g: Graph, n: Call) -> str:
    return filled(g, n.out_shapes[0], n.attrs["value"], n.out_dtypes[0])


@converter("zeros_like")
def zeros_like(g: Graph, n: Call) -> str:
    return filled(g, n.shape, 0, n.dtype, [(n.x, n.shape)])


@converter("ones_like")
def ones_like(g: Graph, n: Call) -> str:
    return filled(g, n.shape, 1, n.dtype, [(n.x, n.shape)])


@converter("_arange", "_linspace", "_eye")
def fixed(g: Graph, n: Call) -> str:
    raise n.refuse("an open or very large length")


@converter("_contrib_arange_like")
def arange_like(g: Graph, n: Call) -> str:
    axis, start, step, repeat = (n.attrs[k] for k in ("axis", "start", "step", "repeat"))
    out = n.out_shapes[0]
    if not is_open(out):
        count = int(torch.tensor(out).prod())
        numbers = (torch.arange(count) // repeat).double() * step + start
        return g.const(numbers.to(n.out_dtypes[0]).reshape(out))
    if repeat != 1:
        raise n.refuse("repeat with an open size")
    if axis is None:
        size = g.add("Size", n.x)
    else:
        size = g.squeeze(g.dim(n.shape[axis % n.ndim], [(n.x, n.shape)]), [0])
    whole = g.cast(g.add("Range", g.const(torch.tensor(0)), size, g.const(torch.tensor(1))), n.out_dtypes[0])
    if step != 1:
        whole = g.add("Mul", whole, number(g, step, n.out_dtypes[0]))
    if start:
        whole = g.add("Add", whole, number(g, start, n.out_dtypes[0]))
    return whole if axis is not None else g.add("Reshape", whole, g.add("Shape", n.x))
