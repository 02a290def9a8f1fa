"""Arrays whose values are on their way: whatever needs them, by whatever route, gets them first."""

import copy
import gc
import pickle
import re
import threading

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, nd
from mxnet.ndarray.pending import bringer, give_back, withhold

VALUES = np.array([[5, 6, 7], [8, 9, 10]], dtype="float32")


def on_its_way(array):
    """Withholds an array; what is to come is VALUES."""

    def bring():
        if bringer(array) is not None:
            brought.append(tensor)
            tensor.copy_(torch.from_numpy(VALUES))
            give_back(array)

    brought = []
    tensor = withhold(array, bring)
    assert tensor is not None and bringer(array) is bring and not brought
    return brought


def with_grad(array):
    array.attach_grad()
    return array


def gradient(x):
    if x._grad is None:
        x.attach_grad()
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    return x.grad / 2


def saved(x, tmp_path):
    nd.save(str(tmp_path / "x"), [x])
    return nd.load(str(tmp_path / "x"))[0]


def bound(x):
    executor = mx.sym.identity(mx.sym.var("x")).bind(mx.cpu(), {"x": x})
    return executor.forward()[0]


def hybridized(x):
    block = mx.gluon.nn.HybridLambda(lambda F, x: F.identity(x))
    block.hybridize()
    return block(x)


READS = {
    "asnumpy": lambda x: x.asnumpy(),
    "array": np.asarray,
    "torch": lambda x: x.as_torch().numpy(),
    "DLPack": lambda x: torch.from_dlpack(x).numpy(),
    "DLPack capsule": lambda x: torch.from_dlpack(x.to_dlpack_for_read()).numpy(),
    "print": lambda x: np.array(re.findall(r"[\d.]+", str(x).split("<")[0]), "float32").reshape(2, 3),
    "row": lambda x: np.stack([x[0].asnumpy(), x[1].asnumpy()]),
    "slice": lambda x: x[0:2].asnumpy(),
    "reshape": lambda x: x.reshape((3, 2)).asnumpy().reshape(2, 3),
    "iterate": lambda x: np.stack([row.asnumpy() for row in x]),
    "scalars": lambda x: [[x[i, j].asscalar() for j in range(3)] for i in range(2)],
    "operator": lambda x: (x + 0).asnumpy(),
    "reflected": lambda x: (0 + x).asnumpy(),
    "two arrays": lambda x: (nd.zeros((2, 3)) + x).asnumpy(),
    "function": lambda x: nd.concat(x, x, dim=0)[:2].asnumpy(),
    "method": lambda x: x.sum(axis=0, keepdims=True).asnumpy() - VALUES.sum(0) + VALUES,
    "copy": lambda x: x.copy().asnumpy(),
    "copy.copy": lambda x: copy.copy(x).asnumpy(),
    "deepcopy": lambda x: copy.deepcopy(x).asnumpy(),
    "pickle": lambda x: pickle.loads(pickle.dumps(x)).asnumpy(),
    "copyto": lambda x: x.copyto(nd.zeros((2, 3))).asnumpy(),
    "as_in_context": lambda x: x.as_in_context(mx.cpu(1)).asnumpy(),
    "astype": lambda x: x.astype("float64").asnumpy(),
    "detach": lambda x: x.detach().asnumpy(),
    "sparse": lambda x: x.tostype("row_sparse").asnumpy(),
    "np": lambda x: x.as_np_ndarray().asnumpy(),
    "NDArray": lambda x: nd.NDArray(x).asnumpy(),
    "assigned": lambda x: nd.zeros((2, 3)).__setitem__(slice(None), x) or x.asnumpy(),
    "index": lambda x: nd.array(VALUES)[x * 0, 0].asnumpy() - 5 + VALUES,
    "wait_to_read": lambda x: x.wait_to_read() or x._data.numpy(),
    "shape": lambda x: np.full(x.shape, 0) + VALUES,
    "executor": lambda x: bound(x).asnumpy(),
    "hybridized": lambda x: hybridized(x).asnumpy(),
    "backward": lambda x: gradient(x).asnumpy(),
    "custom": lambda x: nd.Custom(x, op_type="pending_identity").asnumpy(),
}


@mx.operator.register("pending_identity")
class _Identity(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        class Identity(mx.operator.CustomOp):
            def forward(self, is_train, req, in_data, out_data, aux):
                self.assign(out_data[0], req[0], in_data[0])

        return Identity()


@pytest.mark.parametrize("make", [lambda: nd.zeros((2, 3)), lambda: with_grad(nd.zeros((2, 3)))], ids=["plain", "leaf"])
@pytest.mark.parametrize("route", READS)
def test_every_read_waits(route, make):
    x = make()
    brought = on_its_way(x)
    assert np.array_equal(READS[route](x), VALUES)
    if route != "shape":
        assert len(brought) == 1
    assert type(x) is nd.NDArray and np.array_equal(x.asnumpy(), VALUES)


WRITES = {
    "assign": (lambda x: x.__setitem__(slice(None), 1), np.ones((2, 3))),
    "part": (lambda x: x.__setitem__(0, 1), np.stack([np.ones(3), VALUES[1]])),
    "add": (lambda x: x.__iadd__(1), VALUES + 1),
    "out": (lambda x: nd.broadcast_add(x, nd.ones((1, 1)), out=x), VALUES + 1),
    "copyto": (lambda x: nd.ones((2, 3)).copyto(x), np.ones((2, 3))),
    "update": (lambda x: nd.sgd_update(x, nd.ones((2, 3)), lr=1.0, wd=0.0, out=x), VALUES - 1),
    "torch": (lambda x: x.as_torch().add_(1), VALUES + 1),
    "view": (lambda x: x[0:1].__iadd__(1), VALUES + np.array([[1], [0]])),
    "sync": (lambda x: x._sync_copyfrom(np.ones((2, 3))), np.ones((2, 3))),
    "attach_grad": (lambda x: x.attach_grad(), VALUES),
}


@pytest.mark.parametrize("way", WRITES)
def test_every_write_comes_after_what_is_on_its_way(way):
    x = nd.zeros((2, 3))
    brought = on_its_way(x)
    write, expected = WRITES[way]
    write(x)
    assert len(brought) == 1 and np.array_equal(x.asnumpy(), expected)


def test_gradients_are_written_after_what_is_on_its_way():
    x = with_grad(nd.array(VALUES))
    with autograd.record():
        y = (x * 3).sum()
    brought = on_its_way(x.grad)
    y.backward()
    assert len(brought) == 1 and (x.grad.asnumpy() == 3).all()


def test_np_arrays_wait():
    x = mx.np.zeros((2, 3))
    brought = on_its_way(x)
    assert isinstance(x, mx.np.ndarray) and not brought
    y = mx.np.add(x, 1)
    assert type(y) is type(x) is mx.np.ndarray and np.array_equal(y.asnumpy(), VALUES + 1)


def test_results_are_of_the_class_that_the_array_has():
    for compute in (
        lambda x: x.copy(),
        lambda x: x[0],
        lambda x: x.reshape((6,)),
        lambda x: x * 2,
        lambda x: nd.relu(x),
    ):
        x = nd.zeros((2, 3))
        on_its_way(x)
        y = compute(x)
        assert type(y) is nd.NDArray and y.asnumpy().any()


def reachable():
    """Arrays whose memory can be reached by another way, with what reaches it."""
    x = nd.zeros((2, 3))
    yield "a view", x, x[0]
    x = nd.zeros((2, 3))
    yield "a shape", x, x.reshape((6,))
    x = nd.zeros((2, 3))
    yield "torch", x, x.as_torch()
    x = nd.zeros((2, 3))
    yield "NumPy", x, np.from_dlpack(x.as_torch())
    x = nd.zeros((2, 3))
    yield "detached", x, x.detach()
    x = with_grad(nd.zeros((2, 3)))
    with autograd.record():
        y = x * x
    yield "a graph", x, y
    x = nd.zeros((2, 3))
    z = with_grad(nd.zeros((2, 3)))
    with autograd.record():
        y = x * z
    yield "a constant of a graph", x, y
    x = nd.zeros((2, 3))
    executor = mx.sym.var("x").square().bind(mx.cpu(), {"x": x}, args_grad={"x": nd.zeros((2, 3))})
    executor.forward(is_train=True)
    yield "an executor between forward and backward", x, executor


def test_memory_that_can_be_reached_is_not_withheld():
    seen = []
    for name, x, _way in reachable():
        assert withhold(x, lambda: None) is None, name
        assert bringer(x) is None and x.asnumpy().shape == (2, 3)
        seen.append(name)
    assert len(seen) == 8


def test_parameters_of_executors_and_blocks_are_withheld():
    x, grad = nd.zeros((2, 3)), nd.zeros((2, 3))
    executor = mx.sym.var("x").square().bind(mx.cpu(), {"x": x}, args_grad={"x": grad})
    for _ in range(2):
        executor.forward(is_train=True)
        executor.backward(nd.ones((2, 3)))
        executor.forward(is_train=False)
        on_its_way(x)
        on_its_way(grad)
        executor.forward(is_train=True)
        executor.backward(nd.ones((2, 3)))
        assert np.array_equal(executor.outputs[0].asnumpy(), VALUES**2)
        assert np.array_equal(grad.asnumpy(), 2 * VALUES)
        x[:] = 0
    net = mx.gluon.nn.Dense(2, in_units=3, use_bias=False, flatten=False)
    net.initialize(mx.init.Zero())
    net.hybridize()
    for _ in range(3):
        net(nd.ones((1, 3)))
        with autograd.record():
            y = net(nd.ones((1, 3)))
        y.backward()
        del y
        on_its_way(net.weight.data())
        assert np.array_equal(net(nd.ones((1, 3))).asnumpy(), VALUES.sum(1)[None])
        net.weight.data()[:] = 0


def test_threads_wait_for_the_same_array():
    for _ in range(20):
        x, lock, seen = nd.zeros((2, 3)), threading.Lock(), []

        memory = []

        def bring(x=x, lock=lock, memory=memory):
            with lock:
                if bringer(x) is not None:
                    memory[0].copy_(torch.from_numpy(VALUES))
                    give_back(x)

        memory.append(withhold(x, bring))
        threads = [threading.Thread(target=lambda x=x, s=seen: s.append((x + 1).asnumpy())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 4 and all(np.array_equal(each, VALUES + 1) for each in seen)


def test_errors_are_raised_by_whoever_waits():
    x = nd.zeros((2, 3))

    def bring():
        raise mx.MXNetError("key 'w': lost")

    assert withhold(x, bring) is not None
    for read in (lambda: x.asnumpy(), lambda: x + 1, lambda: x.shape, lambda: x.wait_to_read()):
        with pytest.raises(mx.MXNetError, match="key 'w': lost"):
            read()
    gc.collect()
    give_back(x)
    assert (x.asnumpy() == 0).all()
