"""Products of attention on interleaved projections."""

from __future__ import annotations

import math

import torch

from ..graph import Call, Dims, Graph, converter
from .elementwise import number


def _heads(g: Graph, x: str, shape: Dims, heads: int, parts: int) -> list[str]:
    """The parts of a projection, each (batch * heads, length, size)."""
    size = shape[2] // (heads * parts)
    if parts == 1:
        pieces = [g.add("Reshape", x, g.const([0, -1, size]))]
    else:
        apart = g.add("Reshape", x, g.const([0, -1, parts, size]))  # (length, batch * heads, parts, size)
        pieces = [g.squeeze(p, [2]) for p in g.add("Split", apart, g.const([1] * parts), outputs=parts, axis=2)]
    return [g.transpose(p, [1, 0, 2]) for p in pieces]


def _scores(g: Graph, query: str, key: str, size: int, dtype: torch.dtype) -> str:
    scaled = g.add("Mul", query, number(g, 1 / math.sqrt(size), dtype))
    return g.add("MatMul", scaled, g.transpose(key, [0, 2, 1]))


def _weigh_values(g: Graph, attention: str, value: str, width: int) -> str:
    mixed = g.transpose(g.add("MatMul", attention, value), [1, 0, 2])
    return g.add("Reshape", mixed, g.const([0, -1, width]))


@converter("_contrib_interleaved_matmul_selfatt_qk")
def selfatt_qk(g: Graph, n: Call) -> str:
    heads = n.attrs["heads"]
    query, key, _ = _heads(g, n.x, n.shape, heads, 3)
    return _scores(g, query, key, n.shape[2] // heads // 3, n.dtype)


@converter("_contrib_interleaved_matmul_selfatt_valatt")
def selfatt_valatt(g: Graph, n: Call) -> str:
    value = _heads(g, n.x, n.shape, n.attrs["heads"], 3)[2]
    return _weigh_values(g, n.inputs[1], value, n.shape[2] // 3)


@converter("_contrib_interleaved_matmul_encdec_qk")
def encdec_qk(g: Graph, n: Call) -> str:
    heads = n.attrs["heads"]
    query = _heads(g, n.x, n.shape, heads, 1)[0]
    key = _heads(g, n.inputs[1], n.shapes[1], heads, 2)[0]
    return _scores(g, query, key, n.shape[2] // heads, n.dtype)


@converter("_contrib_interleaved_matmul_encdec_valatt")
def encdec_valatt(g: Graph, n: Call) -> str:
    value = _heads(g, n.x, n.shape, n.attrs["heads"], 2)[1]
    return _weigh_values(g, n.inputs[1], value, n.shape[2] // 2)


@converter("_contrib_div_sqrt_dim")
def div_sqrt_dim(g: Graph, n: Call) -> str:
    if not isinstance(n.shape[-1], int):
        raise n.refuse("a dynamic last dimension")
    return g.add("Div", n.x, number(g, math.sqrt(n.shape[-1]), n.dtype))
