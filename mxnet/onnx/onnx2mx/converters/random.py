"""Random numbers: of the same distributions, not the same numbers."""

from __future__ import annotations

from math import prod

import torch

from ....error import MXNetNotImplementedError, MXNetValueError
from ...package import torch_type
from ..graph import Builder, OnnxNode, Value, importer
from ..read import LARGEST


@importer("RandomUniform", "RandomNormal", "RandomUniformLike", "RandomNormalLike")
def random_numbers(b: Builder, n: OnnxNode) -> Value:
    like = n.op.endswith("Like")
    dtype = torch_type(n.get("dtype", 1), "the result") if not like or "dtype" in n.attrs else n.x.dtype
    if "Uniform" in n.op:
        name, options = "_random_uniform", {"low": n.get("low", 0.0), "high": n.get("high", 1.0)}
    else:
        name, options = "_random_normal", {"loc": n.get("mean", 0.0), "scale": n.get("scale", 1.0)}
    if like and not n.x.constant:
        made = b.call(f"{name}_like", n.x, **options)
        return b.cast(made, dtype)
    shape = n.x.shape if like else tuple(n.attrs["shape"])
    if prod(shape) > LARGEST or any(d < 0 for d in shape):
        raise MXNetValueError(f"an array of shape {shape}")
    return b.call(name, shape=shape or (1,), dtype=dtype, bare=not shape, **options)


@importer("Multinomial")
def multinomial(b: Builder, n: OnnxNode) -> Value:
    dtype = torch_type(n.get("dtype", 6), "the result")
    if dtype not in (torch.int32, torch.int64):
        raise MXNetNotImplementedError(f"numbers of {dtype}")
    chances = b.call("softmax", n.x, axis=-1)
    return b.call("_sample_multinomial", chances, shape=(n.get("sample_size", 1),), dtype=dtype)
