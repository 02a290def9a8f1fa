"""Attention for prediction: long sequences head by head, so that the scores of one stay in the cache.

oneDNN multiplies where it is the one for such sizes (``ops/products.py``). Other inputs take the plain steps.
"""

from __future__ import annotations

from typing import Any

import torch

from ...ops import products
from ...ops.contrib.attention import split_heads
from ..patterns import Apply, Either, Match, Value
from ..step import Plan, Step
from .rules import Rule, apply_rules

#: With more threads, each takes heads of its own in the plain steps. Here they share one head.
_MOST_THREADS = 2


def _is_on_cpu(step: Step) -> bool:
    return not step.context.is_gpu


def _is_plain_softmax(step: Step) -> bool:
    attribute = step.attribute
    return (
        attribute("axis") in (-1, 2)
        and attribute("temperature") in (None, 1.0)
        and attribute("dtype") is None
        and not attribute("use_length")
    )


def _is_by_key(step: Step) -> bool:
    return step.attribute("transpose_b") and not step.attribute("transpose_a") and _is_on_cpu(step)


def _is_by_value(step: Step) -> bool:
    return not step.attribute("transpose_b") and not step.attribute("transpose_a")


QUERY, KEY, VALUE, MIXED = Value(), Value(), Value(), Value()
SCORES = Apply("batch_dot", QUERY, KEY, where=_is_by_key)
SCALED = Apply("_mul_scalar _div_scalar", SCORES)
WEIGHTS = Apply("softmax", Either(SCALED, SCORES), where=_is_plain_softmax)
ATTENTION = Apply("batch_dot", WEIGHTS, VALUE, where=_is_by_value)

OWN_SCORES = Apply("_contrib_interleaved_matmul_selfatt_qk", MIXED, where=_is_on_cpu)
OWN_WEIGHTS = Apply("softmax", OWN_SCORES, where=_is_plain_softmax)
SELF_ATTENTION = Apply("_contrib_interleaved_matmul_selfatt_valatt", MIXED, OWN_WEIGHTS)


def fuse_attention(plan: Plan) -> Plan:
    """Products with keys, softmax and products with values as one step. For predictions on the CPU."""
    if not products.uses_onednn():
        return plan
    return apply_rules(plan, Rule(ATTENTION, _fuse), Rule(SELF_ATTENTION, _fuse_self))


def _fuse(match: Match) -> Step:
    kernel = _Attention(match.get(SCALED))
    return match[ATTENTION].fuse(match.operators, kernel, [match[QUERY], match[KEY], match[VALUE]])


def _fuse_self(match: Match) -> Step | None:
    heads = match[OWN_SCORES].attribute("heads")
    if match[SELF_ATTENTION].attribute("heads") != heads:
        return None
    return match[SELF_ATTENTION].fuse(match.operators, _SelfAttention(heads), [match[MIXED]])


class _Attention:
    """The kernel for queries, keys and values of shape (heads, length, size)."""

    def __init__(self, scaling: Step | None):
        self._scaling = scaling

    def __call__(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor | None:
        if not _is_long(query, key, value):
            return None
        scaling = self._scaling
        out = query.new_empty(*query.shape[:2], value.shape[2])
        return _attend(query, key, value, out, None if scaling is None else (scaling.kernel, scaling.predict))


class _SelfAttention:
    """The kernel for interleaved projections, (length, batch, heads * 3 * size)."""

    def __init__(self, heads: int):
        self._heads = heads

    def __call__(self, mixed: torch.Tensor) -> torch.Tensor | None:
        heads = self._heads
        if mixed.dim() != 3 or heads < 1 or mixed.shape[2] % (heads * 3) or not mixed.numel():
            return None
        query, key, value = [split_heads(mixed, heads, 3, part, "queries_keys_values") for part in range(3)]
        if not _is_long(query, key, value):
            return None
        length, batch, width = mixed.shape
        out = mixed.new_empty(length, batch * heads, value.shape[2])
        _attend(query * query.shape[2] ** -0.5, key, value, out.transpose(0, 1), None)
        return out.view(length, batch, width // 3)


def _is_long(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> bool:
    """Do the shapes fit each other, and is each of the products one for oneDNN?"""
    if not (query.dim() == key.dim() == value.dim() == 3) or query.shape[0] * query.shape[1] == 0:
        return False
    (heads, length, size), keys = query.shape, key.shape[1]
    return (
        key.shape == (heads, keys, size)
        and value.shape[:2] == (heads, keys)
        and torch.get_num_threads() <= _MOST_THREADS
        and value.dtype is torch.float32
        and value.is_cpu
        and products.is_large(length, size, keys)
        and products.is_large(length, keys, value.shape[2])
        and products.wants_onednn(query, key[0], None)
    )


def _attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, out: torch.Tensor, scaling: Any) -> Any:
    """Writes each head's attention to ``out``."""
    heads = zip(query.unbind(0), key.contiguous().unbind(0), value.contiguous().unbind(0), out.unbind(0), strict=True)
    for one, keys, values, place in heads:
        scores = products.multiply(one, keys)
        if scaling is not None:
            kernel, attrs = scaling
            scores = kernel(scores, **attrs)
        torch._softmax(scores, -1, False, out=scores)  # in place: a row is read before it is written
        place.copy_(products.multiply(scores, values.t()))
    return out
