"""One network, many threads: programs do not change once they are built."""

import sys
import threading

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd
from mxnet.gluon import nn


@pytest.fixture(autouse=True)
def _threads_alternate_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def network():
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(64, 3, padding=1, in_channels=3),
        nn.BatchNorm(in_channels=64),
        nn.Activation("relu"),
        nn.Conv2D(64, 3, padding=1, in_channels=64),
        nn.BatchNorm(in_channels=64),
        nn.Activation("relu"),
        nn.MaxPool2D(),
        nn.GlobalAvgPool2D(),
        nn.Dense(5, in_units=64),
    )
    net.initialize(mx.init.Xavier())
    return net


def data_of(number):
    size = 6 + 2 * number
    return nd.array(np.random.RandomState(number).uniform(-1, 1, (1 + number % 3, 3, size, size)))


def in_threads(work, count=8):
    """Runs ``work(number)`` in threads and gives what they returned; raises what one of them raised."""
    results, errors = {}, []

    def run(number):
        try:
            results[number] = work(number)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive(), "a thread hangs"
    if errors:
        raise errors[0]
    return [results[i] for i in range(count)]


@pytest.mark.parametrize("hybrid", [False, True])
def test_shapes_and_modes_in_threads(hybrid):
    net = network()
    expected = [net(data_of(i)).asnumpy() for i in range(8)]
    with autograd.train_mode():
        trained = [net(data_of(i)).asnumpy() for i in range(8)]
    if hybrid:
        net.hybridize()

    def work(number):
        data, found = data_of(number), []
        for turn in range(4):
            if (number + turn) % 3 == 0:
                with autograd.train_mode():
                    found.append((True, net(data).asnumpy()))
            else:
                found.append((False, net(data).asnumpy()))
        return found

    for number, found in enumerate(in_threads(work)):
        for training, values in found:
            wanted = trained[number] if training else expected[number]
            np.testing.assert_allclose(values, wanted, rtol=1e-3, atol=1e-4)


def test_gradients_in_threads():
    """What is recorded is a thread's own; each has its own variables."""
    net = nn.HybridSequential()
    net.add(nn.Conv2D(8, 3, in_channels=3), nn.Activation("relu"), nn.Dense(2, in_units=8 * 16))
    net.initialize(mx.init.Xavier())
    net.collect_params().setattr("grad_req", "null")

    def work(number):
        data = nd.array(np.random.RandomState(number).uniform(-1, 1, (2, 3, 6, 6)))
        data.attach_grad()
        for _ in range(3):
            with autograd.record():
                loss = (net(data) ** 2).sum()
            loss.backward()
        return data.grad.asnumpy()

    expected = [work(i) for i in range(8)]
    net.hybridize()
    for found, wanted in zip(in_threads(work), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-5)


def test_a_new_block_is_traced_once_and_completed_once():
    for _ in range(5):
        net = nn.HybridSequential()
        net.add(nn.Conv2D(4, 3), nn.Dense(3))  # shapes are not known yet
        net.initialize()
        net.hybridize()
        outputs = in_threads(lambda number: net(nd.ones((2, 3, 6, 6))).asnumpy())  # noqa: B023
        for output in outputs:
            np.testing.assert_allclose(output, outputs[0], rtol=1e-5)


def test_executors_in_threads():
    """Executors of one symbol that share their parameters."""
    net = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=64, pad=(1, 1), name="conv")
    net = mx.sym.Activation(mx.sym.BatchNorm(net, name="norm", fix_gamma=False), act_type="relu")
    shapes, _, states = net.infer_shape(data=(1, 64, 8, 8))
    args = {n: nd.random.uniform(-0.5, 0.5, s) for n, s in zip(net.list_arguments(), shapes, strict=True)}
    aux = [nd.ones(s) for s in states]

    def work(number):
        size = 4 + 2 * number
        data = nd.full((1, 64, size, size), number)
        own = net.bind(mx.cpu(), {**args, "data": data}, aux_states=aux, grad_req="null")
        return [own.forward()[0].asnumpy() for _ in range(4)]

    expected = [work(i)[0] for i in range(8)]
    for found, wanted in zip(in_threads(work), expected, strict=True):
        for values in found:
            np.testing.assert_allclose(values, wanted, rtol=1e-3, atol=1e-4)
