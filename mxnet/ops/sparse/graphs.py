"""Graphs as csr matrices: the elements are the numbers of edges. Sampling of neighbors, subgraphs, adjacency.

A subgraph that was sampled has rows for its vertices, in order, and columns for those of the whole graph;
``dgl_graph_compact`` numbers the columns as the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import torch

from ..._rng import HostGenerator
from ..params import Bound, param
from ..registry import register
from ..sparse_values import CSR
from ..support import without_data
from ..types import Kernel
from .dispatch import add_kernel, storage

Tensor = torch.Tensor


def _refuse_dense(*inputs: Any, **attrs: Any) -> Any:
    raise TypeError("the graph must be a csr matrix; make one with mx.nd.sparse.csr_matrix or tostype('csr')")


def _operator(
    name: str, inputs: tuple[str, ...], doc: str, kernel: Kernel, params: Sequence[tuple], **facts: Any
) -> None:
    opdef = register(
        name,
        _refuse_dense,
        inputs=inputs,
        variadic=inputs[-1],
        params=[param(*each) for each in params],
        required=len(inputs) - 1,
        count="num_args",
        doc=doc,
        **facts,
    )
    opdef.infer_shape(lambda shapes, attrs: [None] * opdef.num_outputs(attrs))
    add_kernel(opdef, (...,), "csr", kernel)


# ---- sampling --------------------------------------------------------------------------------------------------------


def _choose(columns: Tensor, count: int, weights: Tensor | None, rng: Any) -> Tensor:
    """Places of at most ``count`` different neighbors, in order."""
    if columns.numel() <= count:
        return torch.arange(columns.numel())
    drawn = torch.from_numpy(rng.doubles(len(columns))) if isinstance(rng, HostGenerator) else _uniform(columns, rng)
    if weights is not None:  # the largest of u ** (1 / chance) are drawn by these chances, without repetition
        chances = weights[columns].to(torch.float64)
        count = min(count, int((chances > 0).sum()))
        drawn = torch.where(chances > 0, drawn.log() / chances, -torch.inf)
    return drawn.topk(count).indices.sort().values


def _uniform(like: Tensor, rng: torch.Generator) -> Tensor:
    return torch.rand(len(like), generator=rng, dtype=torch.float64, device=like.device)


def _sample(
    graph: CSR, seeds: Tensor, weights: Tensor | None, hops: int, neighbors: int, limit: int, rng: Any
) -> tuple[Tensor, CSR, Tensor, Tensor]:
    """Vertices with their number at the end, the subgraph, the vertices' distances, and the vertices alone."""
    start = [int(v) for v in seeds.reshape(-1) if int(v) >= 0]
    if any(v >= graph.shape[0] for v in start):
        raise ValueError(f"a seed is not below the number of vertices, {graph.shape[0]}")
    layers: dict[int, int] = dict.fromkeys(start[:limit], 0)
    queue, edges = list(layers), {}
    for vertex in queue:
        if len(layers) >= limit or layers[vertex] >= hops:
            continue
        here = slice(int(graph.indptr[vertex]), int(graph.indptr[vertex + 1]))
        columns = graph.indices[here]
        places = _choose(columns, neighbors, weights, rng)
        kept = []
        for place in places.tolist():
            other = int(columns[place])
            if other not in layers:
                if len(layers) >= limit:
                    continue
                layers[other] = layers[vertex] + 1
                queue.append(other)
            kept.append(here.start + place)
        edges[vertex] = kept
    vertices = torch.tensor(sorted(layers), dtype=torch.int64)
    found = torch.zeros(limit + 1, dtype=torch.int64)
    found[: vertices.numel()], found[-1] = vertices, vertices.numel()
    distance = torch.zeros(limit, dtype=torch.int64)
    distance[: vertices.numel()] = torch.tensor([layers[v] for v in vertices.tolist()], dtype=torch.int64)
    chosen = [edges.get(v, []) for v in vertices.tolist()]
    counts = torch.zeros(limit + 1, dtype=torch.int64)
    counts[1 : vertices.numel() + 1] = torch.tensor([len(c) for c in chosen], dtype=torch.int64)
    at = torch.tensor([place for c in chosen for place in c], dtype=torch.int64)
    return found, CSR(graph.data[at], graph.indices[at], (limit, limit), counts.cumsum(0)), distance, vertices


def uniform_sample(
    graph: CSR,
    *seeds: Tensor,
    num_args: int = 0,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    _rng: Any,
) -> list[Any]:
    """For each array of seeds: vertices, subgraph, distances."""
    found = [_sample(graph, s, None, num_hops, num_neighbor, max_num_vertices, _rng) for s in seeds]
    return [f[i] for i in range(3) for f in found]


def weighted_sample(
    graph: CSR,
    probability: Tensor,
    *seeds: Tensor,
    num_args: int = 0,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    _rng: Any,
) -> list[Any]:
    """For each array of seeds: vertices, subgraph, their probabilities, distances."""
    found = [_sample(graph, s, probability, num_hops, num_neighbor, max_num_vertices, _rng) for s in seeds]
    chances = []
    for _, _, _, vertices in found:
        chance = torch.zeros(max_num_vertices, dtype=probability.dtype)
        chance[: vertices.numel()] = probability[vertices]
        chances.append(chance)
    return [*[f[0] for f in found], *[f[1] for f in found], *chances, *[f[2] for f in found]]


_SAMPLING = (
    ("num_args", Annotated[int, Bound(2)]),
    ("num_hops", int, 1),
    ("num_neighbor", int, 2),
    ("max_num_vertices", int, 100),
)
_operator(
    "_contrib_dgl_csr_neighbor_uniform_sample",
    ("csr_matrix", "seed_arrays"),
    "Samples ``num_neighbor`` neighbors of each vertex, ``num_hops`` times, from each array of seeds.\n\n"
    "Gives for each the vertices with their number at the end, the subgraph, and the distances from the seeds.",
    uniform_sample,
    _SAMPLING,
    outputs=lambda attrs: 3 * (attrs["num_args"] - 1),
    supplied=("_rng",),
)
_operator(
    "_contrib_dgl_csr_neighbor_non_uniform_sample",
    ("csr_matrix", "probability", "seed_arrays"),
    "Samples neighbors by the probabilities of vertices; between subgraphs and distances it gives these.",
    weighted_sample,
    _SAMPLING,
    outputs=lambda attrs: 4 * (attrs["num_args"] - 2),
    supplied=("_rng",),
)


# ---- parts of graphs -------------------------------------------------------------------------------------------------


def _number_edges(graph: CSR, rows: Tensor, columns: Tensor) -> tuple[CSR, CSR]:
    """The edges between some vertices, numbered anew, and with the numbers that they had."""
    size = rows.numel()
    place = torch.full((max(graph.shape),), -1, dtype=torch.int64)
    place[columns] = torch.arange(columns.numel())
    data, indices, counts = [], [], [0]
    for row in rows.tolist():
        here = slice(int(graph.indptr[row]), int(graph.indptr[row + 1]))
        local = place[graph.indices[here]]
        kept = local >= 0
        data.append(graph.data[here][kept])
        indices.append(local[kept])
        counts.append(int(kept.sum()))
    old, where = torch.cat(data or [graph.data[:0]]), torch.cat(indices or [graph.indices[:0]])
    indptr = torch.tensor(counts, dtype=torch.int64).cumsum(0)
    new = torch.arange(old.numel()).to(graph.dtype)
    return CSR(new, where, (size, size), indptr), CSR(old, where, (size, size), indptr)


def subgraph(graph: CSR, *vertices: Tensor, num_args: int = 0, return_mapping: bool) -> list[CSR]:
    """The edges between the vertices of each array."""
    made = []
    for given in vertices:
        rows = given.to(torch.int64).reshape(-1)
        rows = rows[rows >= 0]
        if rows.numel() and int(rows.max()) >= graph.shape[0]:
            raise ValueError(f"a vertex is not below the number of vertices, {graph.shape[0]}")
        if rows.numel() > 1 and not bool((rows[1:] > rows[:-1]).all()):
            raise ValueError("the vertices must be in order, each but once")
        made.append(_number_edges(graph, rows, rows))
    return [m[0] for m in made] + ([m[1] for m in made] if return_mapping else [])


def graph_compact(*data: Any, num_args: int = 0, return_mapping: bool, graph_sizes: tuple[int, ...]) -> list[CSR]:
    """Subgraphs that were sampled, with columns numbered as their rows."""
    half = len(data) // 2
    if len(data) != 2 * half or len(graph_sizes) != half:
        raise ValueError(f"as many graphs as arrays of vertices and graph_sizes are expected, got {len(data)} inputs")
    made = []
    for graph, vertices, size in zip(data[:half], data[half:], graph_sizes, strict=True):
        known = vertices.to(torch.int64)[:size]
        if size > graph.shape[0] or known.numel() < size:
            raise ValueError(f"graph_sizes has {size} vertices, the graph has {graph.shape[0]}")
        width = 1 + max([0, *known.tolist(), *graph.indices.tolist()])
        wide = CSR(graph.data, graph.indices, (graph.shape[0], width), graph.indptr)
        made.append(_number_edges(wide, torch.arange(size), known))
    return [m[0] for m in made] + ([m[1] for m in made] if return_mapping else [])


_operator(
    "_contrib_dgl_subgraph",
    ("graph", "data"),
    "The subgraph of each array of vertices. Edges are numbered anew; with ``return_mapping`` as many graphs follow "
    "that have the numbers of before.",
    subgraph,
    (("num_args", Annotated[int, Bound(2)]), ("return_mapping", bool)),
    outputs=lambda attrs: (attrs["num_args"] - 1) * (2 if attrs["return_mapping"] else 1),
)
_operator(
    "_contrib_dgl_graph_compact",
    ("graph_data",),
    "Numbers the columns of sampled subgraphs as their rows. Given are the graphs, then their arrays of vertices.",
    graph_compact,
    (("num_args", Annotated[int, Bound(2)]), ("return_mapping", bool), ("graph_sizes", tuple[int, ...])),
    outputs=lambda attrs: attrs["num_args"] // 2 * (2 if attrs["return_mapping"] else 1),
)


def _dense_adjacency(data: Tensor) -> Tensor:
    return without_data(data, dtype=torch.float32) if data.is_meta else _refuse_dense()


register(
    "_contrib_dgl_adjacency",
    _dense_adjacency,
    inputs=("data",),
    params=(),
    doc="The adjacency matrix of a graph: ones of float32 where there are edges.",
)


@storage("_contrib_dgl_adjacency", "csr", result="csr")
def adjacency(data: CSR) -> CSR:
    """Ones where there are edges."""
    if data.dtype is not torch.int64:
        raise TypeError(f"the numbers of edges must be int64, they are {data.dtype}")
    return data.map(torch.clone).with_data(torch.ones_like(data.data, dtype=torch.float32))
