"""Products of multi-head attention on interleaved projections.

Projections are laid out as (length, batch, heads * parts * size): for each head the query, key and value (three parts,
in self-attention) or the key and value (two parts, between encoder and decoder) lie next to each other.
"""

import math

import torch

from ..infer import same_shapes
from ..registry import op
from ..support import without_data

Tensor = torch.Tensor


def split_heads(data: Tensor, heads: int, parts: int, part: int, what: str) -> Tensor:
    """One part of an interleaved projection as (batch * heads, length, size): a view if the batch allows it."""
    if data.dim() != 3:
        raise ValueError(f"{what} must have three dimensions (length, batch, heads * {parts} * size)")
    length, batch, width = data.shape
    if heads < 1 or width % (heads * parts):
        raise ValueError(f"the last dimension of {what} must be a multiple of heads * {parts} = {heads * parts}")
    # (length, batch * heads, parts, size): both strides of the result are regular, so that bmm needs no copy
    return data.reshape(length, batch * heads, parts, width // (heads * parts))[:, :, part].transpose(0, 1)


def _scores(query: Tensor, key: Tensor) -> Tensor:
    if query.shape[0] != key.shape[0] or query.shape[2] != key.shape[2]:
        raise ValueError("queries and keys must have the same batch size and the same size of a head")
    if query.is_meta:
        return without_data(query, (query.shape[0], query.shape[1], key.shape[1]))
    scale = 1.0 / math.sqrt(query.shape[2]) if query.shape[2] else 1.0
    # with beta=0 the first argument is not read; the scale costs nothing inside the product
    return torch.baddbmm(query.new_empty(1, 1, 1), query, key.transpose(1, 2), beta=0, alpha=scale)


def _weigh(attention: Tensor, value: Tensor, heads: int) -> Tensor:
    if attention.dim() != 3 or attention.shape[0] != value.shape[0] or attention.shape[2] != value.shape[1]:
        raise ValueError(
            f"attention must have shape (batch * heads, queries, keys) = ({value.shape[0]}, ..., {value.shape[1]})"
        )
    batch_heads, length, _ = attention.shape
    if value.is_meta:
        return without_data(value, (length, batch_heads // heads, heads * value.shape[2]))
    mixed = torch.bmm(attention, value).transpose(0, 1)
    return mixed.reshape(length, batch_heads // heads, heads * value.shape[2])


@op("_contrib_interleaved_matmul_selfatt_qk")
def interleaved_matmul_selfatt_qk(queries_keys_values: Tensor, *, heads: int) -> Tensor:
    """Scores of self-attention: queries times keys over the root of the head size, (batch * heads, length, length)."""
    query = split_heads(queries_keys_values, heads, 3, 0, "queries_keys_values")
    return _scores(query, split_heads(queries_keys_values, heads, 3, 1, "queries_keys_values"))


@op("_contrib_interleaved_matmul_selfatt_valatt")
def interleaved_matmul_selfatt_valatt(queries_keys_values: Tensor, attention: Tensor, *, heads: int) -> Tensor:
    """Self-attention's values weighted by ``attention`` (batch * heads, length, length): (length, batch, channels)."""
    if attention.dim() == 3 and attention.shape[1] != queries_keys_values.shape[0]:
        raise ValueError(f"attention must have as many rows as there are queries, {queries_keys_values.shape[0]}")
    return _weigh(attention, split_heads(queries_keys_values, heads, 3, 2, "queries_keys_values"), heads)


@op("_contrib_interleaved_matmul_encdec_qk")
def interleaved_matmul_encdec_qk(queries: Tensor, keys_values: Tensor, *, heads: int) -> Tensor:
    """Scores of encoder-decoder attention: (batch * heads, length of queries, length of keys)."""
    return _scores(split_heads(queries, heads, 1, 0, "queries"), split_heads(keys_values, heads, 2, 0, "keys_values"))


@op("_contrib_interleaved_matmul_encdec_valatt")
def interleaved_matmul_encdec_valatt(keys_values: Tensor, attention: Tensor, *, heads: int) -> Tensor:
    """Encoder-decoder attention's values weighted by ``attention``: (length of queries, batch, channels)."""
    return _weigh(attention, split_heads(keys_values, heads, 2, 1, "keys_values"), heads)


@op("_contrib_div_sqrt_dim")
def div_sqrt_dim(data: Tensor) -> Tensor:
    """The data over the square root of its last dimension."""
    root = math.sqrt(data.shape[-1]) if data.dim() else 1.0
    return data / root if data.is_floating_point() else torch.div(data, int(root), rounding_mode="trunc")


div_sqrt_dim.infer_back(same_shapes)
