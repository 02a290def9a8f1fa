"""Random numbers: of the same distributions, not the same numbers."""

from __future__ import annotations

import torch

from ...package import tensor_type
from ..graph import Call, Graph, converter, is_open

_FLOATS = (torch.float16, torch.float32, torch.float64)


@converter("_random_uniform", "_random_normal")
def drawn(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    shape, dtype = n.out_shapes[0], n.out_dtypes[0]
    uniform = n.node.op.name == "_random_uniform"
    keys = {"low": "low", "high": "high"} if uniform else {"mean": "loc", "scale": "scale"}
    options = {to: float(n.attrs[key]) for to, key in keys.items()}
    op = "RandomUniform" if uniform else "RandomNormal"
    if not is_open(shape):
        return g.add(op, dtype=tensor_type(dtype), shape=list(shape), **options)
    return g.add(f"{op}Like", g.add("ConstantOfShape", g.shape_of(shape)), dtype=tensor_type(dtype), **options)


@converter("_random_uniform_like", "_random_normal_like")
def drawn_like(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    if n.node.op.name == "_random_uniform_like":
        return g.add("RandomUniformLike", n.x, low=n.attrs["low"], high=n.attrs["high"])
    return g.add("RandomNormalLike", n.x, mean=n.attrs["loc"], scale=n.attrs["scale"])


@converter("_sample_multinomial")
def multinomial(g: Graph, n: Call) -> str:
    if n.attrs["get_prob"]:
        raise n.refuse("get_prob")
    shape, dtype = n.attrs["shape"], n.out_dtypes[0]
    count = int(torch.tensor(shape).prod()) if shape else 1
    logs = g.add("Log", n.x)
    if n.ndim == 1:
        logs = g.unsqueeze(logs, [0])
    elif n.ndim > 2:
        logs = g.add("Reshape", logs, g.const([-1, n.shape[-1]]))
    kind = torch.int64 if dtype is torch.int64 else torch.int32
    found = g.add("Multinomial", logs, sample_size=count, dtype=tensor_type(kind))
    return g.add("Reshape", g.cast(found, dtype, kind), g.shape_of(n.out_shapes[0], [(n.x, n.shape)]))
