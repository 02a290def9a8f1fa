"""Executors of several devices in threads: the same numbers as one after another, and only where nobody can tell."""

import os
import threading

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd

CONTEXTS = [mx.gpu(0), mx.gpu(1)]


@pytest.fixture(autouse=True)
def devices(monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("processors are counted on Linux only")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: range(64))


def network(dropout=True):
    x = mx.sym.Convolution(mx.sym.var("data"), num_filter=4, kernel=(3, 3), name="conv")
    x = mx.sym.Activation(mx.sym.BatchNorm(x, name="norm"), act_type="relu")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(mx.sym.Dropout(x, p=0.5) if dropout else x, name="softmax")


def module(symbol, contexts):
    made = mx.mod.Module(symbol, context=contexts)
    made.bind([("data", (6, 2, 5, 5))], [("softmax_label", (6,))], inputs_need_grad=True)
    return made


def trained(threads, contexts, dropout=True, steps=12):
    """Parameters, outputs and gradients after some steps; ``threads`` None: as it is measured."""
    mx.random.seed(5)
    made = module(network(dropout), contexts)
    mx.random.seed(5)
    made.init_params(mx.init.Xavier())
    made.init_optimizer(kvstore="device", optimizer_params={"momentum": 0.9})
    side = made._exec_group._devices
    assert side._can
    if threads is not None:
        side._chosen = {("forward", True): threads, ("forward", False): threads, "backward": threads}
    random = np.random.RandomState(0)
    for _ in range(steps):
        data, label = nd.array(random.rand(6, 2, 5, 5)), nd.array(random.randint(0, 3, (6,)))
        made.forward_backward(mx.io.DataBatch([data], [label]))
        grads = [g.asnumpy() for g in made.get_input_grads()]
        made.update()
    made.forward(mx.io.DataBatch([data], [label]), is_train=False)
    args, states = made.get_params()
    assert threads is not None or set(side._chosen) == {("forward", True), "backward"}
    return [*(a.asnumpy() for a in (*args.values(), *states.values(), *made.get_outputs())), *grads]


@pytest.mark.parametrize("contexts, dropout", [(CONTEXTS, True), ([mx.cpu(0), mx.cpu(1)], False)])
def test_numbers_are_the_same(contexts, dropout):
    expected = trained(False, contexts, dropout)
    for threads in (True, None):
        for mine, theirs in zip(trained(threads, contexts, dropout), expected, strict=True):
            assert np.array_equal(mine, theirs)


def seen_threads(made, is_train=True):
    """The threads that executors run in."""
    side, seen = made._exec_group._devices, []
    side._chosen = {("forward", is_train): True}
    calls = [lambda: seen.append(threading.current_thread())] * 2
    side.run(("forward", is_train), calls)
    return set(seen)


def test_each_device_has_a_thread():
    assert len(seen_threads(module(network(), CONTEXTS))) == 2


def of_our_own():
    class Same(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0])

    class SameProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx, shapes, dtypes):
            return Same()

    mx.operator.register("side_by_side_same")(SameProp)
    return mx.sym.SoftmaxOutput(
        mx.sym.Flatten(mx.sym.Custom(mx.sym.var("data"), op_type="side_by_side_same")), name="softmax"
    )


@pytest.mark.parametrize(
    "symbol, contexts",
    [
        (network, [mx.gpu(0), mx.gpu(0)]),
        (network, [mx.cpu(0), mx.cpu(1)]),  # they share random numbers
        (of_our_own, CONTEXTS),
        (network, [mx.gpu(0)]),
    ],
)
def test_what_depends_on_the_order_keeps_it(symbol, contexts):
    assert not module(symbol(), contexts)._exec_group._devices._can


def test_who_watches_sees_one_after_another(monkeypatch):
    made = module(network(), CONTEXTS)
    assert len(seen_threads(made)) == 2
    mx.util.check(True)
    try:
        assert len(seen_threads(made)) == 1
    finally:
        mx.util.check(False)
    monitor = mx.mon.Monitor(1)
    made.install_monitor(monitor)
    assert len(seen_threads(made)) == 1
    other = module(network(), CONTEXTS)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: range(1))
    assert len(seen_threads(other)) == 1


def test_errors_come_when_all_are_done():
    made = module(network(), CONTEXTS)
    side, done = made._exec_group._devices, []
    side._chosen = {"forward": True}
    wait = threading.Event()

    def fail():
        wait.set()
        raise ValueError("gpu(0)")

    def late():
        wait.wait(10)
        done.append(True)

    for calls in ([fail, late], [late, fail]):
        wait.clear()
        with pytest.raises(ValueError, match="gpu"):
            side.run("forward", calls)
    assert len(done) == 2
