"""Graphs as csr matrices: sampling, subgraphs, adjacency, as the original has them."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.ndarray import sparse

contrib = nd.contrib


def complete_graph(size=5):
    """Every vertex has an edge to every other; edges are numbered from 1."""
    columns = np.array([[j for j in range(size) if j != i] for i in range(size)]).ravel()
    starts = np.arange(0, size * (size - 1) + 1, size - 1)
    return sparse.csr_matrix((np.arange(1, len(columns) + 1), columns, starts), shape=(size, size), dtype="int64")


def small_graph():
    return sparse.csr_matrix(np.array([[1, 0, 0, 2], [3, 0, 4, 0], [0, 5, 0, 0], [0, 6, 7, 0]], dtype="int64"))


def parts(graph):
    return [part.asnumpy().tolist() for part in (graph.data, graph.indices, graph.indptr)]


def vertices(*numbers):
    return nd.array(numbers, dtype="int64")


@pytest.mark.parametrize("weighted", [False, True])
def test_sampled_neighbors_are_neighbors(weighted):
    graph = complete_graph()
    table = graph.asnumpy()
    mx.random.seed(3)
    for _ in range(20):
        options = {"num_hops": 2, "num_neighbor": 2, "max_num_vertices": 5}
        if weighted:
            chances = nd.array([0.9, 0.8, 0.2, 0.4, 0.0])
            found, sub, chance, layer = contrib.dgl_csr_neighbor_non_uniform_sample(
                graph, chances, vertices(0, 1), num_args=3, **options
            )
        else:
            found, sub, layer = contrib.dgl_csr_neighbor_uniform_sample(graph, vertices(0, 1), num_args=2, **options)
        count = int(found.asnumpy()[-1])
        numbers = found.asnumpy()[:count]
        assert sub.shape == (5, 5) and layer.shape == (5,)
        assert (np.diff(numbers) > 0).all() and {0, 1} <= set(numbers)
        assert layer.asnumpy()[:2].tolist() == [0, 0] and layer.asnumpy().max() <= 2
        for row, vertex in enumerate(numbers):
            data, indices, starts = parts(sub)
            here = slice(starts[row], starts[row + 1])
            assert len(set(indices[here])) == len(indices[here]) <= 2
            assert set(indices[here]) <= set(numbers)
            assert [table[vertex, column] for column in indices[here]] == data[here]
        if weighted:
            assert 4 not in numbers
            np.testing.assert_array_equal(chance.asnumpy()[:count], chances.asnumpy()[numbers])


def test_all_neighbors_and_too_many_vertices():
    found, sub, layer = contrib.dgl_csr_neighbor_uniform_sample(
        complete_graph(), vertices(2), num_args=2, num_hops=1, num_neighbor=4, max_num_vertices=6
    )
    assert found.asnumpy().tolist() == [0, 1, 2, 3, 4, 0, 5]
    assert parts(sub) == [[9, 10, 11, 12], [0, 1, 3, 4], [0, 0, 0, 4, 4, 4, 4]]
    assert layer.asnumpy().tolist() == [1, 1, 0, 1, 1, 0]
    found, sub, layer = contrib.dgl_csr_neighbor_uniform_sample(
        complete_graph(), vertices(0, 1, 2, 3, 4), num_args=2, num_hops=1, num_neighbor=2, max_num_vertices=5
    )
    assert found.asnumpy().tolist() == [0, 1, 2, 3, 4, 5]
    assert parts(sub) == [[], [], [0] * 6]
    several = contrib.dgl_csr_neighbor_uniform_sample(
        complete_graph(), vertices(0), vertices(3), num_args=3, num_hops=1, num_neighbor=1, max_num_vertices=5
    )
    assert [a.stype for a in several] == ["default"] * 2 + ["csr"] * 2 + ["default"] * 2


def test_subgraph():
    new, old = contrib.dgl_subgraph(small_graph(), vertices(0, 1, 2), return_mapping=True)
    assert parts(new) == [[0, 1, 2, 3], [0, 0, 2, 1], [0, 1, 3, 4]]
    assert parts(old) == [[1, 3, 4, 5], [0, 0, 2, 1], [0, 1, 3, 4]]
    made = contrib.dgl_subgraph(small_graph(), vertices(0, 1, 2), vertices(1, 3), return_mapping=True)
    assert [m.shape for m in made] == [(3, 3), (2, 2)] * 2
    assert parts(made[3]) == [[6], [0], [0, 0, 1]]
    with pytest.raises(mx.MXNetError, match="in order"):
        contrib.dgl_subgraph(small_graph(), vertices(1, 0), return_mapping=False)
    with pytest.raises(mx.MXNetError, match="not below"):
        contrib.dgl_subgraph(small_graph(), vertices(9), return_mapping=False)


def test_adjacency_and_edges():
    made = contrib.dgl_adjacency(small_graph())
    assert made.dtype is np.float32
    np.testing.assert_array_equal(made.asnumpy(), small_graph().asnumpy() > 0)
    found = contrib.edge_id(small_graph(), vertices(0, 0, 3), vertices(0, 1, 2))
    assert found.asnumpy().tolist() == [1, -1, 7]
    with pytest.raises(mx.MXNetError, match="csr"):
        contrib.dgl_adjacency(nd.ones((2, 2)))


def test_graph_compact():
    mx.random.seed(1)
    found, sub, _ = contrib.dgl_csr_neighbor_uniform_sample(
        complete_graph(), vertices(0, 3), num_args=2, num_hops=1, num_neighbor=1, max_num_vertices=5
    )
    count = int(found.asnumpy()[-1])
    new, old = contrib.dgl_graph_compact(sub, found, graph_sizes=(count,), return_mapping=True)
    numbers = found.asnumpy()[:count].tolist()
    assert new.shape == (count, count)
    assert [numbers[column] for column in parts(new)[1]] == parts(sub)[1]
    assert parts(old)[0] == parts(sub)[0]
    assert parts(new)[0] == list(range(len(parts(sub)[0])))
