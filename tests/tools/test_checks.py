"""Check mode: mistakes that are computed with otherwise are errors that name the operator, the layer and the line."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.error import MXNetError
from mxnet.gluon import nn
from mxnet.ndarray import gate


@pytest.fixture
def checked():
    assert mx.util.check(True) is False
    yield
    assert mx.util.check(False) is True


class Apply(gluon.HybridBlock):
    """A block that applies one function of F."""

    def __init__(self, function, **more):
        super().__init__(**more)
        self.function = function

    def hybrid_forward(self, F, *args):
        return self.function(F, *args)


def eager(function, *arrays):
    return Apply(function)(*map(nd.array, arrays))


def hybridized(function, *arrays):
    block = Apply(function)
    block.hybridize()
    return block(*map(nd.array, arrays))


def executor(function, *arrays):
    variables = [mx.sym.var(f"x{i}") for i in range(len(arrays))]
    bound = {v.name: nd.array(a) for v, a in zip(variables, arrays, strict=True)}
    return function(mx.sym, *variables).bind(mx.cpu(), bound).forward()


WAYS = pytest.mark.parametrize("run", [eager, hybridized, executor])
TWO = np.ones((2, 3), "float32")
OUTSIDE = {
    "Embedding": (lambda F, x, w: F.Embedding(x, w, input_dim=2, output_dim=3), [1, 2], TWO, "'data' has 2 at (1,)"),
    "take": (lambda F, i, a: F.take(a, i), [0, 2], TWO, "'indices' has 2 at (1,)"),
    "take of axis 1": (lambda F, i, a: F.take(a, i, axis=1, mode="clip"), [-1, 2], TWO, "[0, 3), 'indices' has -1"),
    "pick": (lambda F, i, a: F.pick(a, i), [3, 0], TWO, "'index' has 3 at (0,)"),
    "batch_take": (lambda F, i, a: F.batch_take(a, i), [3, 0], TWO, "'indices' has 3"),
    "one_hot": (lambda F, i, a: F.broadcast_add(F.one_hot(i, 4), F.sum(a)), [4, 0], TWO, "[0, 4), 'indices' has 4"),
    "SoftmaxOutput": (lambda F, y, x: F.SoftmaxOutput(x, y), [0, 3], TWO, "labels must be in [0, 3), 'label' has 3"),
    "softmax_cross_entropy": (lambda F, y, x: F.softmax_cross_entropy(x, y), [0, 3], TWO, "'label' has 3"),
    "SVMOutput": (lambda F, y, x: F.SVMOutput(x, y), [0, -1], TWO, "'label' has -1"),
    "NaN": (lambda F, i, a: F.take(a, i), [0, float("nan")], TWO, "'indices' has nan at (1,) (1 of 2 are outside)"),
}  # fmt: skip


@WAYS
@pytest.mark.parametrize("case", OUTSIDE)
def test_indices_and_labels_out_of_range(checked, run, case):
    function, indices, data, text = OUTSIDE[case]
    with pytest.raises(IndexError, match=re.escape(text)) as caught:
        run(function, indices, data)
    assert isinstance(caught.value, MXNetError) and f"{__file__}:" in str(caught.value)
    operator = {"NaN": "take", "take of axis 1": "take"}.get(case, case)
    assert operator in str(caught.value)


@WAYS
@pytest.mark.parametrize("case", ["Embedding", "take", "pick", "one_hot", "SoftmaxOutput", "SVMOutput"])
def test_without_checks_they_are_computed_with(run, case):
    function, indices, data, _ = OUTSIDE[case]
    run(function, indices, data)


@WAYS
def test_indices_that_are_allowed(checked, run):
    run(lambda F, i, a: F.take(a, i, mode="wrap"), [-1, 5], TWO)
    run(lambda F, i, a: F.pick(a, i, mode="wrap"), [-1, 5], TWO)
    run(lambda F, y, x: F.SoftmaxOutput(x, y, use_ignore=True, ignore_label=255), [0, 255], TWO)
    run(lambda F, y, x: F.SoftmaxOutput(x, y), TWO / 3, TWO)  # probabilities
    run(lambda F, y, x: F.SoftmaxOutput(x, y, multi_output=True), np.ones((2, 4)), np.ones((2, 3, 4)))
    run(lambda F, i, a: F.take(a, i), np.zeros((0,)), TWO)


@pytest.mark.parametrize("hybrid", [False, True])
def test_labels_of_gluon_losses(checked, hybrid):
    for loss, text in (
        (gluon.loss.SoftmaxCELoss(prefix="first_"), "must be in [0, 3), 'index' has 5"),
        (gluon.loss.SoftmaxCELoss(from_logits=True, prefix="first_"), "must be in [0, 3), 'index' has 5"),
    ):
        if hybrid:
            loss.hybridize()
        with pytest.raises(IndexError, match=re.escape(text)) as caught:
            loss(-nd.ones((2, 3)), nd.array([1, 5]))
        assert "in layer first (SoftmaxCrossEntropyLoss 'first')" in str(caught.value)
        assert "_log_softmax_pick" not in str(caught.value)


@WAYS
def test_first_nan_and_infinity(checked, run):
    with pytest.raises(ValueError, match=r"log\d*.*: made infinity \(1 of 2 numbers, the first at \(1,\)\) from data"):
        run(lambda F, x: F.exp(F.log(x) + 1), [1, 0])
    with pytest.raises(ValueError, match=r"log\d*.*: made NaN"):
        run(lambda F, x: F.exp(F.log(x) + 1), [1, -1])
    with pytest.raises(ValueError, match=r"exp.*was given NaN in input 'data', which no operator made"):
        run(lambda F, x: F.exp(x), [1, float("nan")])
    with pytest.raises(ValueError, match=r"broadcast_sub|elemwise_sub|_minus"):  # infinity - infinity
        run(lambda F, x, y: x - y, [float("inf")], [float("inf")])


@WAYS
def test_infinity_that_is_wanted(checked, run):
    run(lambda F, x: F.softmax(x), [[1, -float("inf")]])
    run(lambda F, x: F.where(x > 0, x, F.zeros_like(x) - float("inf")), [1.0, -1.0])
    run(lambda F, x: F.clip(x, -float("inf"), 2.0), [1.0, 3.0])


def test_the_layer_of_an_eager_network(checked):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        inner = nn.HybridSequential(prefix="inner_")
        inner.add(nn.Dense(2), nn.HybridLambda(lambda F, x: F.sqrt(x)))
        net.add(nn.Dense(3), inner)
    net.initialize(mx.init.Constant(1))
    net(nd.ones((1, 4)))
    with pytest.raises(ValueError, match=re.escape("sqrt: made NaN")) as caught:
        net(-nd.ones((1, 4)))
    assert "in layer net.1.1 (HybridLambda" in str(caught.value)


@pytest.mark.parametrize("way", ["eager", "hybridized", "executor"])
def test_the_first_nan_of_a_backward_pass(checked, way):
    with pytest.raises(ValueError, match="its backward pass made infinity in the gradient of 'data'") as caught:
        if way == "executor":
            bound = mx.sym.sqrt(mx.sym.var("x"), name="root").simple_bind(mx.cpu(), x=(2,))
            bound.forward(is_train=True, x=nd.zeros(2))
            bound.backward(nd.ones(2))
        else:
            block = Apply(lambda F, x: F.sqrt(x, name="root") if F is mx.sym else F.sqrt(x))
            if way == "hybridized":
                block.hybridize()
            x = nd.zeros(2)
            x.attach_grad()
            with autograd.record():
                y = block(x)
            y.backward()
    assert ("root (sqrt)" if way != "eager" else "sqrt: ") in str(caught.value)
    assert f"{__file__}:" in str(caught.value)


def test_a_head_gradient_that_is_nan(checked):
    x = nd.ones(2)
    x.attach_grad()
    with autograd.record():
        y = nd.exp(x)
    with pytest.raises(ValueError, match="exp: its backward pass was given NaN as the gradient of its result"):
        y.backward(nd.array([1, float("nan")]))


@pytest.mark.parametrize("hybrid", [False, True])
def test_arrays_written_to_after_they_were_recorded(checked, hybrid):
    net = nn.Dense(2, in_units=3, prefix="fc_")
    net.initialize()
    if hybrid:
        net.hybridize()
    x = nd.ones((2, 3))
    x.attach_grad()
    with autograd.record():
        y = net(x)
    net.weight.data()[:] = 3
    with pytest.raises(MXNetError, match=r"input 'weight' was written to after the call was recorded"):
        y.backward()
    with autograd.record():
        y = nd.sigmoid(x)
    y[:] = 0
    with pytest.raises(MXNetError, match=r"sigmoid: the result was written to"):
        y.backward()
    with autograd.record():  # addition does not read its inputs again
        y = x + x
    x[:] = 2
    y.backward()


def test_loops_over_symbols(checked):
    block = Apply(lambda F, x: sum(row for row in x))
    block(nd.ones((3, 2)))
    block.hybridize()
    with pytest.raises(TypeError, match=r"data: a loop over a symbol goes over its outputs, of which it has one"):
        block(nd.ones((3, 2)))
    halves = Apply(lambda F, x: sum(part for part in F.split(x, num_outputs=2, axis=0)))
    halves.hybridize()
    assert halves(nd.ones((2, 2))).asnumpy().tolist() == [[2, 2]]


@pytest.mark.parametrize("hybrid", [False, True])
def test_training_goes_on_with_the_same_numbers(hybrid):
    def train():
        mx.random.seed(1)
        np.random.seed(1)
        net = nn.HybridSequential()
        net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Flatten(), nn.Dropout(0.3), nn.Dense(3))
        net.initialize()
        if hybrid:
            net.hybridize()
        loss = gluon.loss.SoftmaxCELoss()
        trainer = gluon.Trainer(net.collect_params(), "adam")
        for _ in range(3):
            with autograd.record():
                error = loss(net(nd.random.normal(shape=(4, 1, 6, 6))), nd.array([0, 1, 2, 0]))
            error.backward()
            trainer.step(4)
        return error.asnumpy()

    plain = train()
    mx.util.check(True)
    try:
        np.testing.assert_allclose(train(), plain, rtol=1e-4)
    finally:
        mx.util.check(False)


def test_module_and_recurrent_layers(checked):
    data = mx.io.NDArrayIter(np.ones((8, 4), "float32"), np.array([0, 1, 2, 3, 0, 1, 2, 3], "float32"), 4)
    symbol = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc"), name="softmax")
    with pytest.raises(IndexError, match=r"operator softmax \(SoftmaxOutput\): labels must be in \[0, 3\)"):
        mx.mod.Module(symbol).fit(data, num_epoch=1)
    cell = gluon.rnn.LSTMCell(3)
    cell.initialize()
    inputs = nd.ones((2, 5, 4))
    with autograd.record():
        outputs, _ = cell.unroll(5, inputs, merge_outputs=True)
    outputs.backward()
    inputs[0, 0, 0] = float("nan")
    with pytest.raises(ValueError, match="NaN"):
        cell.unroll(5, inputs, merge_outputs=True)


def test_a_monitor_may_watch_at_the_same_time(checked):
    seen = []
    root = mx.sym.sqrt(mx.sym.var("x"), name="root").simple_bind(mx.cpu(), x=(2,))
    root.set_monitor_callback(lambda name, array: seen.append(name))
    root.forward(is_train=True, x=nd.ones(2))
    root.backward(nd.ones(2))
    assert "root_output" in seen
    with pytest.raises(ValueError, match=r"root .sqrt.: made NaN"):
        root.forward(x=-nd.ones(2))


def test_off_nothing_is_left():
    log = mx.ops.get("log")
    run, iterate = mx.graph.program.Program.run, mx.sym.Symbol.__iter__
    mx.util.check(True)
    assert mx.util.check(True) is True
    undo = gate.intercept(lambda op, kernel: kernel)  # whoever came later may stay
    mx.util.check(False)
    undo()
    assert gate._kernel_of(log) is log.kernel and not gate.intercepted
    assert mx.graph.program.Program.run is run and mx.sym.Symbol.__iter__ is iterate
    assert not gate._interceptors


def test_environment_variable():
    program = "import mxnet as mx; mx.nd.log(mx.nd.zeros(1))"
    for value, expected in (("1", "log: made infinity"), ("0", "")):
        done = subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "MXNET_CHECK": value}, capture_output=True, text=True
        )
        assert expected in done.stderr and bool(done.returncode) == bool(expected), done.stderr


# ---- hybridized blocks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other, words",
    [
        (
            nd.ones((3, 4, 5)),
            "3 dimensions and dtype float32; the block was hybridized with 2 dimensions and dtype float32",
        ),
        (
            nd.ones((3, 4), dtype="float64"),
            "dtype float64; the block was hybridized with 2 dimensions and dtype float32",
        ),
    ],
)
def test_batches_that_differ_from_what_was_hybridized(checked, other, words):
    net = Apply(lambda F, x: x * 2)
    net.hybridize()
    net(nd.ones((3, 4)))
    net(nd.ones((2, 5)))  # sizes may differ
    with pytest.raises(ValueError, match=r"'data' has .*test_checks\.py") as caught:
        net(other)
    assert words in str(caught.value) and f"in layer {net.name} (Apply" in str(caught.value)
    net.hybridize()
    net(other)


def test_python_that_changes_after_it_was_hybridized(checked):
    class Net(gluon.HybridBlock):
        scale = 2

        def __init__(self):
            super().__init__()
            self.body = nn.Dense(3, in_units=2)

        def hybrid_forward(self, F, x):
            x = F.relu(self.body(x))
            return x * 2 if self.scale == 2 else F.exp(x)

    net = Net()
    net.initialize()
    net.hybridize()
    for _ in range(3):
        net(nd.ones((1, 2)))
    net.scale = 3
    with pytest.raises(ValueError, match=r"Net.hybrid_forward computes something else now .*call hybridize\(\) again"):
        net(nd.ones((1, 2)))
    mx.util.check(False)
    net(nd.ones((1, 2)))  # as MXNet does
    mx.util.check(True)
    net.hybridize()
    assert net(nd.ones((1, 2))).shape == (1, 3)


def test_networks_that_do_not_change_pass(checked, tmp_path):
    net = gluon.model_zoo.vision.mobilenet0_25(classes=4)
    net.initialize()
    net.hybridize()
    for size in (1, 2):
        net(nd.ones((size, 3, 64, 64))).wait_to_read()
    net.export(str(tmp_path / "net"))
    block = gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params"))
    block.hybridize()
    for size in (1, 2):
        assert block(nd.ones((size, 3, 64, 64))).shape == (size, 4)
