"""Recurrent cells, attention and layers over other axes as PyTorch source: any batch size, the same gradients."""

import importlib
import re
import sys

import numpy as np
import pytest
import torch
from to_torch_check import difference, flat

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import contrib, nn, rnn


class Unrolled(gluon.HybridBlock):
    """A cell over the steps of a sequence."""

    def __init__(self, cell, length, merge=True, **kwargs):
        super().__init__(**kwargs)
        self._length, self._merge = length, merge
        with self.name_scope():
            self.cell = cell
            self.out = nn.Dense(3, flatten=False)

    def hybrid_forward(self, F, x):
        outputs, states = self.cell.unroll(self._length, x, layout="NTC", merge_outputs=self._merge)
        return self.out(outputs if self._merge else F.stack(*outputs, axis=1)), states[0]


class Interleaved(gluon.HybridBlock):
    """Attention by the operators for projections in one matrix, with lengths."""

    def __init__(self, units=8, heads=2, **kwargs):
        super().__init__(**kwargs)
        self._heads = heads
        with self.name_scope():
            self.project = nn.Dense(3 * units, flatten=False)
            self.dropout = nn.Dropout(0.1)

    def hybrid_forward(self, F, x, lengths):
        x = F.transpose(self.project(x), axes=(1, 0, 2))
        scores = F.contrib.interleaved_matmul_selfatt_qk(x, heads=self._heads)
        lengths = F.reshape(F.broadcast_axis(F.expand_dims(lengths, 1), axis=1, size=self._heads), (-3, 0))
        weights = self.dropout(F.softmax(scores, F.cast(lengths, "int32"), use_length=True, axis=-1))
        return F.transpose(F.contrib.interleaved_matmul_selfatt_valatt(x, weights, heads=self._heads), axes=(1, 0, 2))


class Heads(gluon.HybridBlock):
    """Attention by reshapes that count from the end."""

    def __init__(self, units=8, heads=2, layers=4, **kwargs):
        super().__init__(**kwargs)
        self._heads = heads
        with self.name_scope():
            for name in ("query", "key", "value"):
                setattr(self, name, nn.Dense(units, flatten=False, use_bias=False))
            self.norms = []
            for _ in range(layers):
                self.norms.append(nn.LayerNorm())
                self.register_child(self.norms[-1])

    def _split(self, F, x):
        x = F.transpose(F.reshape(x, shape=(0, 0, self._heads, -1)), axes=(0, 2, 1, 3))
        return F.reshape(x, shape=(-1, 0, 0), reverse=True)

    def hybrid_forward(self, F, x):
        query, key, value = (self._split(F, layer(x)) for layer in (self.query, self.key, self.value))
        weights = F.softmax(F.batch_dot(F.contrib.div_sqrt_dim(query), key, transpose_b=True))
        mixed = F.reshape(F.batch_dot(weights, value), shape=(-1, self._heads, 0, 0), reverse=True)
        x = F.reshape(F.transpose(mixed, axes=(0, 2, 1, 3)), shape=(0, 0, -1))
        for norm in self.norms:
            x = norm(x)
        return x


def stacked(*cells):
    stack = rnn.HybridSequentialRNNCell()
    with stack.name_scope():
        for cell in cells:
            stack.add(cell)
    return stack


def chain(*layers):
    net = nn.HybridSequential()
    net.add(*layers)
    return net


SEQUENCE, IMAGE = (2, 5, 6), (2, 4, 6, 6)
NETWORKS = {
    "lstm_cell": (lambda: Unrolled(rnn.LSTMCell(8), 5), [SEQUENCE]),
    "gru_cell_list": (lambda: Unrolled(rnn.GRUCell(8), 5, merge=False), [SEQUENCE]),
    "rnn_cell": (lambda: Unrolled(rnn.RNNCell(8, activation="relu"), 5), [SEQUENCE]),
    "long": (lambda: Unrolled(rnn.LSTMCell(4), 35), [(2, 35, 6)]),
    "stacked": (lambda: Unrolled(stacked(rnn.LSTMCell(8), rnn.GRUCell(7)), 5), [SEQUENCE]),
    "residual": (lambda: Unrolled(rnn.ResidualCell(rnn.GRUCell(6)), 5), [SEQUENCE]),
    "zoneout": (lambda: Unrolled(rnn.ZoneoutCell(rnn.RNNCell(8), 0.5, 0.5), 5), [SEQUENCE]),
    "bidirectional": (lambda: Unrolled(rnn.BidirectionalCell(rnn.LSTMCell(8), rnn.LSTMCell(8)), 5), [SEQUENCE]),
    "projected": (lambda: Unrolled(contrib.rnn.LSTMPCell(8, 4), 5), [SEQUENCE]),
    "variational": (
        lambda: Unrolled(contrib.rnn.VariationalDropoutCell(rnn.LSTMCell(8), 0.2, 0.2, 0.2), 5),
        [SEQUENCE],
    ),
    "layer_alone": (lambda: rnn.LSTM(8, 2, layout="NTC", bidirectional=True), [SEQUENCE]),
    "layer_in_a_row": (lambda: chain(rnn.GRU(8, layout="NTC"), nn.Dense(3)), [SEQUENCE]),
    "interleaved": (Interleaved, [SEQUENCE, mx.nd.array([[5] * 5, [3] * 5])]),
    "heads": (Heads, [SEQUENCE]),
    "group_norm": (
        lambda: chain(nn.Conv2D(6, 3), nn.GroupNorm(2), nn.HybridLambda(lambda F, x: F.LRN(x, nsize=3))),
        [IMAGE],
    ),
    "other_axes": (lambda: chain(nn.LayerNorm(axis=1), nn.BatchNorm(axis=-1), nn.InstanceNorm()), [IMAGE]),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_outputs_gradients_and_other_batches(tmp_path, monkeypatch, name):
    make, inputs = NETWORKS[name]
    mx.random.seed(3)
    net = make()
    net.initialize(mx.init.Xavier())
    inputs = [mx.nd.random.normal(shape=i) if isinstance(i, tuple) else i for i in inputs]
    net(*inputs)
    package = f"sequence_{name}"
    mx.to_torch_source(net, tmp_path / package, *inputs)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    model = importlib.import_module(f"{package}.model").load()
    more = [mx.nd.concat(i, i[:1], dim=0) for i in inputs]
    for given in (inputs, more):
        tensors = [i.as_torch().clone() for i in given]
        for result, expected in zip(flat_tensors(model(*tensors)), flat(net(*given)), strict=True):
            assert difference(result.detach(), expected) <= 1e-5
    text = (tmp_path / package / "model.py").read_text()
    assert max(map(len, text.splitlines())) <= 110
    assert len(text.splitlines()) < 100
    assert not re.search(r"\b(state|part|cell)_[a-z]_[a-z]_[a-z]\b", text)
    compare_gradients(net, model, inputs)


def flat_tensors(results):
    return [results] if isinstance(results, torch.Tensor) else [t for part in results for t in flat_tensors(part)]


def compare_gradients(net, model, inputs):
    """In float64, of all parameters together: their names are compared in test_to_torch.py."""
    net.cast("float64")
    model.double()
    given = [i.astype("float64") for i in inputs]
    parameters = [p for p in net.collect_params().values() if p.grad_req != "null"]
    for parameter in parameters:
        parameter.zero_grad()
    with autograd.record(train_mode=False):
        outputs = flat(net(*given))
        rng = np.random.default_rng(2)
        heads = [rng.standard_normal(o.shape) for o in outputs]
        total = sum((o * mx.nd.array(h, dtype="float64")).sum() for o, h in zip(outputs, heads, strict=True))
    total.backward()
    results = flat_tensors(model(*[g.as_torch() for g in given]))
    sum((r * torch.from_numpy(h)).sum() for r, h in zip(results, heads, strict=True)).backward()
    found = sorted(float(p.grad.norm()) for p in model.parameters() if p.grad is not None and p.grad.norm() > 1e-12)
    expected = sorted(float(p.grad().norm().asscalar()) for p in parameters if p.grad().norm().asscalar() > 1e-12)
    assert found == pytest.approx(expected, rel=1e-6)
    assert found
