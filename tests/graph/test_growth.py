"""Large graphs: what they take grows no faster than they do, and no depth is too deep.

Counted are calls of Python functions, which do not depend on the machine.
"""

import copy
import pickle
import sys

import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd

DEPTH = 10000


def calls_of(function):
    """How many calls of functions, of Python and of C, a function makes."""
    count = 0

    def count_one(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count_one)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


def chain(n):
    x = mx.sym.var("x")
    for i in range(n):
        x = mx.sym.tanh(x) if i % 2 else x * 0.5
    return x


def bound(symbol, **shapes):
    executor = symbol.simple_bind(mx.cpu(), **shapes)
    executor.forward(is_train=True)
    executor.backward([nd.ones(out.shape) for out in executor.outputs])
    executor.forward(is_train=False)
    return executor


def dense(n):
    net = gluon.nn.HybridSequential()
    net.add(*[gluon.nn.Dense(3, in_units=3) for _ in range(n)])
    return net


def trained(net):
    net.initialize()
    net.hybridize()
    with autograd.record():
        y = net(nd.ones((2, 3)))
    y.backward()


def inputs(n):
    return [mx.sym.var(f"x{i}") for i in range(n)]


def joined(n):
    return bound(mx.sym.concat(*inputs(n), dim=0), **{f"x{i}": (1, 3) for i in range(n)})


def several(n):
    x = mx.sym.var("x")
    bound(mx.sym.Group([x * i for i in range(n)]), x=(2, 3))


def composed(n):
    mx.sym.add_n(*inputs(n))(**{f"x{i}": mx.sym.var(f"y{i}") for i in range(n)})


def picked(n):
    inner = chain(n).get_internals()
    for name in inner.list_outputs():
        inner[name]


def stepped(n):
    params = [gluon.Parameter(f"p{i}", shape=(2,)) for i in range(n)]
    for param in params:
        param.initialize()
    trainer = gluon.Trainer(params, "sgd", {"momentum": 0.9})
    for _ in range(2):
        with autograd.record():
            losses = [param.data() * 2 for param in params]
        autograd.backward(losses)
        trainer.step(1)


def kept(n):
    kv = mx.kv.create("local")
    for k in range(n):
        kv.init(k, nd.ones((2,)))
        kv.push(k, nd.ones((2,)))


WORK = {
    "chain": lambda n: bound(chain(n), x=(2, 3)),
    "JSON": lambda n: mx.sym.load_json(chain(n).tojson()).infer_shape(x=(2, 3)),
    "many outputs": several,
    "many outputs of one": lambda n: mx.sym.split(mx.sym.var("x"), num_outputs=n, axis=0).list_outputs(),
    "many inputs": joined,
    "compose": composed,
    "inner outputs by name": picked,
    "layers": lambda n: trained(dense(n)),
    "parameters": stepped,
    "keys": kept,
}


@pytest.mark.parametrize("name", WORK)
def test_work_grows_no_faster_than_the_graph(name):
    work = WORK[name]
    work(20)  # what happens only once
    small, large = calls_of(lambda: work(100)), calls_of(lambda: work(800))
    assert large < 8 * 1.25 * small


def test_deep_graphs():
    symbol = chain(DEPTH)
    again = mx.sym.load_json(symbol.tojson())
    assert len(copy.deepcopy(symbol).get_internals()) == len(again.get_internals()) == DEPTH + 1
    assert pickle.loads(pickle.dumps(symbol)).tojson() == symbol.tojson()
    executor = bound(again, x=(2, 3))
    x = nd.ones((2, 3))
    x.attach_grad()
    with autograd.record():
        y = x
        for i in range(DEPTH):
            y = nd.tanh(y) if i % 2 else y * 0.5
    y.backward()
    assert executor.grad_dict["x"].shape == x.grad.shape
    del symbol, again, executor, y
