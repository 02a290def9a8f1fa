"""The parts of mx.contrib that are no operators, and mx.engine."""

import importlib

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.contrib import autograd as old
from mxnet.contrib.io import DataLoaderIter
from mxnet.gluon.data import ArrayDataset, DataLoader


@pytest.mark.parametrize("argnum, expected", [(None, [[3, 4], [1, 2]]), (1, [[1, 2]]), ([0], [[3, 4]])])
def test_gradients_of_a_function(argnum, expected):
    arguments = nd.array([1, 2]), nd.array([3, 4])
    gradients, product = old.grad_and_loss(lambda x, y: x * y, argnum)(*arguments)
    np.testing.assert_array_equal(product.asnumpy(), [3, 8])
    assert [g.asnumpy().tolist() for g in gradients] == expected
    assert [g.asnumpy().tolist() for g in old.grad(lambda x, y: x * y, argnum)(*arguments)] == expected


def test_gradients_of_a_function_with_several_results():
    gradients, results = old.grad_and_loss(lambda x: [x * x, x])(nd.ones((2,)))
    assert len(results) == 2
    np.testing.assert_array_equal(gradients[0].asnumpy(), [3, 3])
    with pytest.raises(AssertionError, match="NDArray"):
        old.grad(lambda x: x)(3)
    with pytest.raises(AssertionError, match="list or tuple"):
        old.backward(nd.ones((2,)))


def test_sections_switch_recording_and_training():
    modes = []

    def note():
        modes.append((mx.autograd.is_recording(), mx.autograd.is_training()))

    with old.train_section():
        note()
        with old.test_section():
            note()
    note()
    assert old.set_is_training(True) is False
    note()
    assert old.set_is_training(False) is True
    note()
    assert modes == [(True, True), (False, False), (False, False), (True, True), (False, False)]


def test_data_loader_as_iterator():
    x, y = np.arange(20.0).reshape(10, 2), np.arange(10)
    batches = DataLoaderIter(DataLoader(ArrayDataset(x, y), 4, last_batch="keep"), "x", "y")
    assert [tuple(d) for d in batches.provide_data] == [("x", (4, 2))]
    assert [tuple(d) for d in batches.provide_label] == [("y", (4,))]
    for _ in range(2):
        seen = list(batches)
        assert [b.pad for b in seen] == [0, 0, 2]
        assert {b.data[0].shape for b in seen} == {(4, 2)}, "a small batch is filled up"
        last = seen[-1]
        assert last.data[0].dtype == last.label[0].dtype == np.float32
        np.testing.assert_array_equal(last.data[0][:2].asnumpy(), x[8:])
        np.testing.assert_array_equal(last.label[0][:2].asnumpy(), y[8:])
        batches.reset()
    assert DataLoaderIter(DataLoader(ArrayDataset(x, y), 4), dtype="float16").next().data[0].dtype == np.float16


def test_module_fits_a_data_loader():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 3)).astype("float32")
    batches = DataLoaderIter(DataLoader(ArrayDataset(x, (x[:, 0] > 0).astype("float32")), 8))
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), name="softmax")
    module = mx.mod.Module(net)
    module.fit(batches, num_epoch=20, optimizer_params={"learning_rate": 0.5})
    batches.reset()
    assert module.score(batches, "acc")[0][1] > 0.9, "rows that only fill the last batch do not count"


def test_bulk_size_is_kept():
    engine = importlib.import_module("mxnet.engine")
    assert mx.engine is engine
    assert engine.set_bulk_size(7) == 0
    with mx.engine.bulk(10):
        assert engine.set_bulk_size(11) == 10
    assert engine.set_bulk_size(0) == 7
