"""Unrolled cells of GRU and plain RNN are computed as one layer, and give what their own steps give."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import native, sym
from mxnet.graph.passes import recurrent_cells
from mxnet.graph.program import Program
from mxnet.graph.step import Step
from mxnet.ops.nn import recurrent_native

SIZE, FEATURES = 7, 5
GLUON = {
    "gru": lambda: mx.gluon.rnn.GRUCell(SIZE, input_size=FEATURES),
    "tanh": lambda: mx.gluon.rnn.RNNCell(SIZE, input_size=FEATURES),
    "relu": lambda: mx.gluon.rnn.RNNCell(SIZE, activation="relu", input_size=FEATURES),
}
OLD = {
    "old gru": lambda: mx.rnn.GRUCell(SIZE),
    "old tanh": lambda: mx.rnn.RNNCell(SIZE),
}
KINDS = {**GLUON, **OLD}


@pytest.fixture(params=["native", "torch"])
def kernels(request, monkeypatch):
    """Kernels of our own, wherever they can, or torch's only."""
    if request.param == "torch":
        monkeypatch.setattr(native, "library", lambda: None)
    else:
        monkeypatch.setattr(recurrent_native, "_are_faster", lambda *_: True)


def unrolled(kind, length, states=True):
    begin = [sym.var("state")]
    outputs, ends = KINDS[kind]().unroll(length, sym.var("data"), begin_state=begin, layout="NTC", merge_outputs=True)
    return sym.Group([outputs, *ends]) if states else outputs


def program(net):
    return Program(net._outputs, mx.cpu())


def values(net, batch, length, dtype=torch.float32):
    generator = torch.Generator().manual_seed(0)
    shapes = net.infer_shape(data=(batch, length, FEATURES), state=(batch, SIZE))[0]
    return [torch.randn(shape, generator=generator).to(dtype) for shape in shapes]


def sequences(plan):
    return [step.kernel for step in plan.steps if isinstance(step.kernel, recurrent_cells._Sequence)]


def gradients(made, tensors, runner, training=True):
    leaves = [tensor.clone().requires_grad_() for tensor in tensors]
    results = made.run(leaves, training, runner)
    sum((result * (1 + i)).square().sum() for i, result in enumerate(results)).backward()
    return [leaf.grad for leaf in leaves]


@pytest.mark.parametrize("batch, length", [(1, 2), (1, 6), (5, 4), (33, 3)])
@pytest.mark.parametrize("kind", KINDS)
def test_sequences_equal_their_steps(kernels, kind, batch, length):
    net = unrolled(kind, length)
    made, tensors = program(net), values(net, batch, length)
    for training in (False, True):
        for ours, plain in zip(made.run(tensors, training), made.run(tensors, training, Step), strict=True):
            torch.testing.assert_close(ours, plain, rtol=1e-5, atol=1e-5)
    for ours, plain in zip(gradients(made, tensors, None), gradients(made, tensors, Step), strict=True):
        scale = 1 + plain.abs().max()
        torch.testing.assert_close(ours / scale, plain / scale, rtol=1e-4, atol=1e-5)
    for plan in (made._prediction, made._training):
        if plan is not None:
            (found,) = sequences(plan)
            assert found.length == length


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_of_gradients(kernels, kind):
    net = unrolled(kind, 3)
    made, found = program(net), []
    for runner in (None, Step):
        leaves = [tensor.requires_grad_() for tensor in values(net, 2, 3)]
        results = made.run(leaves, True, runner)
        first = torch.autograd.grad(sum(r.square().sum() for r in results), leaves, create_graph=True)
        found.append(torch.autograd.grad(sum(g.square().sum() for g in first), leaves, allow_unused=True))
    for ours, plain in zip(*found, strict=True):
        scale = 1 + plain.abs().max()
        torch.testing.assert_close(ours / scale, plain / scale, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
@pytest.mark.parametrize("kind", GLUON)
def test_other_dtypes(kind, dtype):
    net = unrolled(kind, 3)
    made, tensors = program(net), values(net, 4, 3, dtype)
    for ours, plain in zip(made.run(tensors, False), made.run(tensors, False, Step), strict=True):
        assert ours.dtype is plain.dtype
        torch.testing.assert_close(ours, plain)


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf, 1e30, -1e30])
@pytest.mark.parametrize("kind", GLUON)
def test_infinities_and_nan(kernels, kind, value):
    net = unrolled(kind, 4)
    made, tensors = program(net), values(net, 3, 4)
    tensors[0][1, 2, 0] = value
    for ours, plain in zip(made.run(tensors, False), made.run(tensors, False, Step), strict=True):
        torch.testing.assert_close(ours, plain, rtol=1e-5, atol=1e-5, equal_nan=True)


@pytest.mark.parametrize("kind", KINDS)
def test_values_inside_that_others_read_are_there(kind):
    whole = unrolled(kind, 3)
    inside = whole.get_internals()
    for name in inside.list_outputs():
        if "t1" in name and name.endswith("_output"):
            net = sym.Group([whole, inside[name]])
            made, tensors = program(net), values(net, 2, 3)
            for ours, plain in zip(made.run(tensors, False), made.run(tensors, False, Step), strict=True):
                torch.testing.assert_close(ours, plain, rtol=1e-5, atol=1e-5)


def test_an_update_gate_that_is_an_output_keeps_its_cell():
    whole = unrolled("gru", 4)
    inside = whole.get_internals()
    gate = next(name for name in inside.list_outputs() if name.endswith("t1_z_act_output"))
    net = sym.Group([whole, inside[gate]])
    made, tensors = program(net), values(net, 2, 4)
    for ours, plain in zip(made.run(tensors, False), made.run(tensors, False, Step), strict=True):
        torch.testing.assert_close(ours, plain, rtol=1e-5, atol=1e-5)
    assert all(found.length < 4 for found in sequences(made._prediction))


@pytest.mark.parametrize("kind", GLUON)
def test_inputs_that_depend_on_outputs_keep_their_steps(kind):
    cell = GLUON[kind]()
    data, state = sym.var("data"), sym.var("state")
    for _ in range(3):
        output, (state,) = cell(data, [state])
        data = sym.broadcast_add(data, sym.sum(output, axis=1, keepdims=True))
    made = program(output)
    shapes = output.infer_shape(data=(3, FEATURES), state=(3, SIZE))[0]
    tensors = [torch.randn(shape, generator=torch.Generator().manual_seed(1)) for shape in shapes]
    torch.testing.assert_close(made.run(tensors, False)[0], made.run(tensors, False, Step)[0], rtol=1e-5, atol=1e-5)
    assert not sequences(made._prediction)


def test_wrong_inputs_say_what_is_wrong():
    net = unrolled("gru", 3)
    made, tensors = program(net), values(net, 2, 3)
    tensors[1] = tensors[1][:-3]
    messages = []
    for runner in (None, Step):
        with pytest.raises(Exception, match="i2h") as caught:
            made.run(tensors, False, runner)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("before, after", [(0.5, 0.3), (0.5, 0), (0, 0.3)])
def test_random_numbers_in_order(before, after):
    """Dropout before and after each cell draws the numbers that it draws without the fusion."""

    class Net(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.cell = mx.gluon.rnn.LSTMCell(SIZE, input_size=FEATURES)
                self.before, self.after = mx.gluon.nn.Dropout(before), mx.gluon.nn.Dropout(after)

        def hybrid_forward(self, F, x, *states):
            outputs = []
            for part in F.split(x, axis=1, num_outputs=3, squeeze_axis=True):
                output, states = self.cell(self.before(part), states)
                outputs.append(self.after(output))
            return F.stack(*outputs)

    net = Net()
    net.initialize(mx.init.Uniform(0.5))
    x, state = mx.nd.random.uniform(shape=(2, 3, FEATURES)), mx.nd.zeros((2, SIZE))

    def run():
        mx.random.seed(5)
        with mx.autograd.record():
            y = net(x, state, state)
        y.backward()
        return y.asnumpy(), net.cell.i2h_weight.grad().asnumpy()

    eager = run()
    net.hybridize()
    for got, expected in zip(run(), eager, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
