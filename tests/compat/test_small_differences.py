"""Small things that tests and programs written for MXNet rely on; the expected values were printed by MXNet 1.9.1."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.contrib.estimator import Estimator, event_handler
from mxnet.module.executor_group import DataParallelExecutorGroup


@pytest.mark.parametrize(
    "write",
    [
        lambda y, x: y.__setitem__(slice(None), 1),
        lambda y, x: y.__iadd__(1),
        lambda y, x: x.__isub__(1),
        lambda y, x: nd.relu(x, out=y),
        lambda y, x: x.copyto(y),
    ],
    ids=["y[:]", "y+=", "x-=", "out=", "copyto"],
)
def test_writing_to_what_is_recorded(write):
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        y = x * 2
        with pytest.raises(mx.MXNetError, match=r"Assigning to NDArrays .* inplace operations like \+=, \*=, relu"):
            write(y, x)


def test_stores_write_to_what_is_recorded():
    store = mx.kv.create("local")
    store.init("a", nd.full((2,), 5.0))
    weight = nd.ones(2)
    weight.attach_grad()
    with autograd.record():
        y = weight * 2
        store.pull("a", out=weight)
        product = y * weight
    product.backward()
    assert weight.asnumpy().tolist() == [5, 5] and weight.grad.asnumpy().tolist() == [12, 12]


@pytest.mark.parametrize("store", ["device", "local"])
def test_a_trainer_steps_while_recording_if_the_store_updates(store):
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = nn.Dense(2, in_units=3)
    net.initialize(mx.init.One(), ctx=contexts)
    trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore=store)
    with autograd.record():
        losses = [net(nd.ones((1, 3), ctx=context)).sum() for context in contexts]
        autograd.backward(losses)
        trainer.step(2)
    for context in contexts:
        np.testing.assert_allclose(net.weight.data(context).asnumpy(), np.full((2, 3), 0.99), rtol=1e-6)


def test_handlers_are_categorized_as_lists():
    class Slow(event_handler.TrainBegin, event_handler.EpochEnd):
        pass

    class Fast(event_handler.BatchBegin, event_handler.BatchEnd):
        pass

    net = nn.Dense(1)
    net.initialize()
    estimator = Estimator(net, gluon.loss.L2Loss(), trainer=gluon.Trainer(net.collect_params(), "sgd"))
    found = estimator._categorize_handlers([Slow(), Fast(), event_handler.StoppingHandler(1)])
    train_begin, epoch_begin, batch_begin, batch_end, epoch_end, train_end = (
        [type(handler).__name__ for handler in handlers] for handlers in found
    )
    assert (train_begin, epoch_begin, batch_begin) == (["Slow", "StoppingHandler"], [], ["Fast"])
    assert (batch_end, epoch_end, train_end) == (["Fast", "StoppingHandler"], ["Slow", "StoppingHandler"], [])


def test_executor_groups_take_tuples():
    symbol = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"), name="softmax")
    names = ["fc_weight", "fc_bias"]
    group = DataParallelExecutorGroup(
        symbol, [mx.cpu()], [1], [("data", (4, 3))], [("softmax_label", (4,))], names, True, False
    )
    assert group.batch_size == 4
    assert str(group.data_shapes) == "[DataDesc[data,(4, 3),<class 'numpy.float32'>,NCHW]]"
    assert str(group.label_shapes) == "[DataDesc[softmax_label,(4,),<class 'numpy.float32'>,NCHW]]"
    group.reshape([("data", (2, 3))], [("softmax_label", (2,))])
    assert group.batch_size == 2


# key, the shape of what it takes, whether that is one piece of an array (4, 5, 3), and where the piece would be
SLICES = [
    ("[:, :, :]", (4, 5, 3), True, (0, 60)),
    ("[1:4, 1:4, ::2]", (3, 3, 2), False, (18, 56)),
    ("[1:4, 0:1, 1:4]", (3, 1, 2), False, (16, 48)),
    ("[0:1, ::20, 1:4]", (1, 1, 2), True, (1, 3)),
    ("[::20, 2:3, 0:1]", (1, 1, 1), True, (6, 7)),
    ("[:20, 1:4, 2:3]", (4, 3, 1), False, (5, 57)),
    ("[2:3, 1:4, :]", (1, 3, 3), True, (33, 42)),
]


@pytest.mark.parametrize(("text", "shape", "one_piece", "place"), SLICES)
def test_arithmetic_on_slices(text, shape, one_piece, place):
    class Key:
        def __getitem__(self, key):
            return key

    key = eval("Key()" + text)
    assert nd.NDArray._basic_indexing_sliced_shape(key, (4, 5, 3)) == shape
    assert nd.NDArray._basic_indexing_slice_is_contiguous(key, (4, 5, 3)) is one_piece
    assert nd.NDArray._basic_indexing_contiguous_flat_begin_end(key, (4, 5, 3)) == place


def test_more_arithmetic_on_slices():
    ints = nd.NDArray._basic_indexing_key_int_to_slice
    assert ints((1, slice(2))) == ((slice(1, 2), slice(2)), (0,))
    assert ints((slice(1), -1)) == ((slice(1), slice(-1, None)), (1,))
    parts = nd.NDArray._basic_indexing_key_to_begin_end_step
    assert parts((slice(1, 4), slice(None, None, 2)), (4, 5)) == ((1, None), (4, None), (None, 2))
    assert parts((slice(-2, None),), (4,), keep_none=False) == ((2,), (4,), (1,))


def test_taking_and_writing_by_the_names_of_the_original():
    everything = slice(None)
    x = nd.arange(24).reshape((4, 3, 2))
    drop = nd.NDArray._drop_slice_none_at_end
    assert drop((everything, 1, everything)) == (everything, 1) and drop((1, everything, everything)) == (1,)
    with pytest.raises(IndexError):
        drop((everything, everything))
    assert nd.NDArray._drop_int_axes((4, 1, 2), (1,)) == (4, 2) and nd.NDArray._drop_int_axes((1,), [0]) == (1,)
    assert x._get_nd_basic_indexing((slice(0, 4, 2), slice(0, 1, 1), everything)).asnumpy().tolist() == [
        [[0, 1]],
        [[12, 13]],
    ]
    assert x._get_nd_basic_indexing((1, 2, 1)).asnumpy().tolist() == [11]
    assert x._get_nd_advanced_indexing(([0, 1], [0, 2], everything)).asnumpy().tolist() == [[0, 1], [10, 11]]
    y = x.copy()
    y._set_nd_basic_indexing((1, everything, everything), nd.ones((3, 2)))
    assert y.sum().asscalar() == 231
    y = x.copy()
    y._set_nd_advanced_indexing(([0, 1], everything, everything), 5)
    assert y.sum().asscalar() == 270


def test_names_that_callbacks_get_can_be_decoded():
    seen = []
    net = nn.Dense(2, in_units=3, prefix="dense_")
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 3)))
    net.register_op_hook(lambda name, op, array: seen.append((name.decode(), op.decode("utf-8"), str(name))))
    net(nd.ones((1, 3)))
    assert seen == [("dense_fwd_output", "FullyConnected", "dense_fwd_output")]
    bound = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc").simple_bind(mx.cpu(), data=(1, 3))
    bound.set_monitor_callback(lambda name, array: seen.append(mx.base.py_str(name) + name.decode()))
    bound.forward()
    assert seen[1:] == ["fc_outputfc_output"]
    assert type(seen[0][0]) is str
    bound.set_monitor_callback(
        lambda name, array: seen.append([name == b"fc_output", name != b"fc", name in {b"fc_output"}])
    )
    bound.forward()
    assert seen[2:] == [[True, True, True]]


def test_softmax_of_half_precision_with_a_small_temperature():
    """Recorded from the original: logits that float16 cannot hold are no NaN."""
    x = nd.array([[1, 2, 4], [0.5, 0.25, -1]], dtype="float16")
    assert nd.softmax(x, temperature=1e-5).asnumpy().tolist() == [[0, 0, 1], [1, 0, 0]]
    assert nd.softmin(x, temperature=1e-5).asnumpy().tolist() == [[1, 0, 0], [0, 0, 1]]
    found = nd.log_softmax(x, temperature=1e-5)
    assert found.dtype == np.float16
    np.testing.assert_allclose(found.asnumpy(), [[-np.inf, -np.inf, 0], [0, -24960, -np.inf]], rtol=2e-3)
