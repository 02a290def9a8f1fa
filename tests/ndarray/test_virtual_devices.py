"""Programs for several devices, on virtual ones that refuse to read each other's memory."""

import numpy as np
import pytest
from strict_devices import strict_devices

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


@pytest.fixture(autouse=True)
def _two_devices(monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")


DEVICES = [mx.gpu(0), mx.gpu(1)]


def test_strictness():
    """The instrument itself: it notices an operator over two devices and an array with a wrong label."""
    with strict_devices():
        a, b = nd.ones((2, 2), ctx=mx.gpu(0)), nd.ones((2, 2), ctx=mx.gpu(1))
        with pytest.raises(AssertionError, match=r"reads memory of gpu\(0\) and gpu\(1\)"):
            a._data + b._data
        with pytest.raises(AssertionError, match=r"an array on gpu\(1\) lies in the memory of gpu\(0\)"):
            nd.NDArray(a)._ctx = mx.gpu(1)
        moved = a.as_in_context(mx.gpu(1))
        assert (moved + b).asnumpy().tolist() == [[2, 2], [2, 2]]


def test_mixing_contexts_is_an_error():
    with pytest.raises(mx.MXNetError, match=r"gpu\(0\).*gpu\(1\)"):
        nd.ones((2,), ctx=mx.gpu(0)) + nd.ones((2,), ctx=mx.gpu(1))


def grouped():
    with mx.AttrScope(ctx_group="first"):
        data = mx.sym.var("data")
        hidden = mx.sym.Activation(mx.sym.FullyConnected(data, num_hidden=4, name="one"), act_type="tanh")
    with mx.AttrScope(ctx_group="second"):
        scores = mx.sym.FullyConnected(hidden, num_hidden=2, name="two")
        both = mx.sym.broadcast_add(scores, mx.sym.sum(hidden, axis=1, keepdims=True))
        return mx.sym.LinearRegressionOutput(both, mx.sym.var("label"), name="out")


def run_grouped(ctx, groups):
    bound = grouped().simple_bind(ctx, group2ctx=groups, data=(3, 5), label=(3, 2))
    for i, (name, array) in enumerate(bound.arg_dict.items()):
        array[:] = (np.arange(array.size).reshape(array.shape) % 5 - i) * 0.1
        assert array.context == (groups or {}).get(
            "first" if name in ("data", "one_weight", "one_bias") else "second", ctx
        )
    outputs = [o.asnumpy() for _ in range(2) for o in bound.forward(is_train=True)]
    bound.backward()
    predicted = bound.forward(is_train=False)[0]
    assert predicted.context == (groups or {}).get("second", ctx)
    for name, grad in bound.grad_dict.items():
        assert grad.context == bound.arg_dict[name].context
    return [*outputs, predicted.asnumpy(), *[g.asnumpy() for g in bound.grad_arrays]]


def test_groups_on_two_devices():
    expected = run_grouped(mx.cpu(), None)
    with strict_devices():
        found = run_grouped(mx.gpu(0), {"first": mx.gpu(0), "second": mx.gpu(1)})
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
        found = run_grouped(mx.cpu(), {"first": mx.gpu(1), "second": mx.cpu()})
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_a_state_must_be_where_its_operator_runs():
    with mx.AttrScope(ctx_group="second"):
        net = mx.sym.BatchNorm(mx.sym.var("data"), name="norm")
    args = {n: nd.ones((2, 3) if n == "data" else (3,), ctx=mx.gpu(0)) for n in net.list_arguments()}
    states = [nd.ones((3,), ctx=mx.gpu(0))] * 2
    with pytest.raises(mx.MXNetError, match=r"norm runs on gpu\(1\)"):
        net.bind(mx.gpu(0), args, aux_states=states, group2ctx={"second": mx.gpu(1)})


def fit(contexts, kvstore):
    np.random.seed(0)
    mx.random.seed(0)
    net = mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(
            mx.sym.Activation(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=6, name="a"), act_type="relu"),
            num_hidden=3,
            name="b",
        ),
        name="softmax",
    )
    data = np.random.uniform(-1, 1, (12, 4)).astype("float32")
    iterator = mx.io.NDArrayIter(data, (data.sum(1) > 0).astype("float32"), batch_size=4)
    module = mx.mod.Module(net, context=contexts)
    module.bind(iterator.provide_data, iterator.provide_label)
    module.init_params(mx.init.One())
    module.init_optimizer(kvstore, "sgd", {"learning_rate": 0.1, "momentum": 0.9, "rescale_grad": 0.25})
    metric = mx.metric.Accuracy()
    for _ in range(2):
        iterator.reset()
        for batch in iterator:
            module.forward_backward(batch)
            module.update()
            module.update_metric(metric, batch.label)
    return {k: v.asnumpy() for k, v in module.get_params()[0].items()}, metric.get()[1]


@pytest.mark.parametrize("kvstore", ["local", "device"])
def test_module_on_two_devices(kvstore):
    expected, accuracy = fit(mx.cpu(), "local")
    with strict_devices():
        found, on_two = fit(DEVICES, kvstore)
    assert on_two == accuracy
    for name, value in found.items():
        np.testing.assert_allclose(value, expected[name], rtol=1e-4, atol=1e-5)


def train(contexts, kvstore, hybrid):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, in_channels=2), nn.Activation("relu"), nn.Dense(3, in_units=64))
    net.initialize(mx.init.One(), ctx=contexts)
    if hybrid:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01}, kvstore=kvstore)
    data = nd.array((np.arange(4 * 2 * 6 * 6).reshape(4, 2, 6, 6) % 7 - 3) * 0.1)
    for _ in range(3):
        with autograd.record():
            losses = [(net(part) ** 2).sum() for part in gluon.utils.split_and_load(data, contexts)]
        for loss in losses:
            loss.backward()
        gluon.utils.clip_global_norm([p.grad(c) for p in net.collect_params().values() for c in contexts], 1e6)
        trainer.step(4)
    return [p.data(contexts[0]).asnumpy() for p in net.collect_params().values()]


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("kvstore", ["local", "device", None])
def test_gluon_on_two_devices(kvstore, hybrid):
    expected = train([mx.cpu()], None, False)
    if kvstore is None:
        with strict_devices():  # without a store each device goes its own way: compare those with one device only
            train(DEVICES[:1], kvstore, hybrid)
        return
    with strict_devices():
        found = train(DEVICES, kvstore, hybrid)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["local", "device"])
def test_kvstore_on_two_devices(kind):
    with strict_devices():
        store = mx.kv.create(kind)
        store.init(3, nd.zeros((2, 2)))
        pushed = [nd.full((2, 2), i + 1.0, ctx=c) for i, c in enumerate(DEVICES)]
        store.push(3, pushed)
        pushed[0][:] = 50
        out = [nd.zeros((2, 2), ctx=c) for c in (*DEVICES, mx.cpu())]
        store.pull(3, out=out)
        for array in out:
            assert array.asnumpy().tolist() == [[3, 3], [3, 3]]
        one = nd.ones((2, 2), ctx=mx.gpu(1))
        store.push(3, one)
        one[:] = 9
        store.pull(3, out=out)
        assert out[0].asnumpy().tolist() == [[1, 1], [1, 1]]


def test_parameters_move():
    with strict_devices():
        net = nn.Dense(2, in_units=3)
        net.initialize(ctx=DEVICES)
        net.collect_params().reset_ctx(mx.gpu(1))
        assert net(nd.ones((1, 3), ctx=mx.gpu(1))).context == mx.gpu(1)
        net.collect_params().reset_ctx([mx.cpu(), mx.gpu(0)])
        net.weight.set_data(nd.ones((2, 3)))
        values = [net.weight.data(c).asnumpy() for c in (mx.cpu(), mx.gpu(0))]
        np.testing.assert_array_equal(*values)


class _First(mx.autograd.Function):
    def forward(self, x, y):
        return x + 0

    def backward(self, grad):
        return grad, grad


def _head_elsewhere(a, b):
    a.attach_grad()
    with mx.autograd.record():
        result = a * 2
    result.backward(b)


def _executor_head_elsewhere(a, b):
    executor = (mx.sym.var("x") * 2).bind(mx.gpu(0), {"x": a}, {"x": a.copy()})
    executor.forward(is_train=True)
    executor.backward(b)


MIXED = {
    "out": lambda a, b: nd.broadcast_add(a, a, out=b),
    "out on the host": lambda a, b: nd.exp(a, out=nd.ones((2, 3))),
    "out of several": lambda a, b: nd.split(a, 3, axis=1, squeeze_axis=False, out=[b[:, :1].copy() for _ in range(3)]),
    "out of random numbers": lambda a, b: nd.random.normal(0, 1, shape=(2, 3), ctx=mx.gpu(0), out=b),
    "out of np": lambda a, b: mx.np.add(a.as_np_ndarray(), 1, out=b.as_np_ndarray()),
    "sparse out": lambda a, b: nd.cast_storage(a, "csr", out=b.tostype("csr")),
    "head": _head_elsewhere,
    "head of an executor": _executor_head_elsewhere,
    "gradient": lambda a, b: mx.autograd.mark_variables([a], [b]),
    "function": lambda a, b: _First()(a, b),
    "bind": lambda a, b: (mx.sym.var("x") + mx.sym.var("y")).bind(mx.gpu(0), {"x": a, "y": b}),
    "bind with a gradient": lambda a, b: (mx.sym.var("x") * 2).bind(mx.gpu(0), {"x": a}, {"x": b}),
}


@pytest.mark.parametrize("name", MIXED)
def test_every_way_of_mixing_contexts_is_an_error(name):
    a, b = nd.ones((2, 3), ctx=mx.gpu(0)), nd.ones((2, 3), ctx=mx.gpu(1)) * 5
    other = r"cpu\(0\)" if "host" in name else r"gpu\(1\)"
    with pytest.raises(mx.MXNetError, match=rf"gpu\(0\).*{other}.*as_in_context"):
        MIXED[name](a, b)
    assert (b.asnumpy() == 5).all()
    a.copyto(b)
    assert (b.asnumpy() == 1).all()
