"""Dense layers of prediction programs: bias, activation and packed weights give what the plain steps give."""

import pytest
import torch

import mxnet as mx
from mxnet import nd, sym
from mxnet.graph.passes import dense_layers
from mxnet.graph.passes.dense_layers import DenseLayer
from mxnet.graph.program import Program
from mxnet.graph.step import Step
from mxnet.ops import products
from mxnet.ops.nn import direct

ACTIVATIONS = {
    "none": lambda x: x,
    "relu": lambda x: sym.Activation(x, act_type="relu"),
    "sigmoid": sym.sigmoid,
    "tanh": lambda x: sym.Activation(x, act_type="tanh"),
    "gelu": lambda x: sym.LeakyReLU(x, act_type="gelu"),
    "leaky": lambda x: sym.LeakyReLU(x, act_type="leaky", slope=0.3),
    "leaky by default": sym.LeakyReLU,
    "elu": lambda x: sym.LeakyReLU(x, act_type="elu"),
    "softrelu": lambda x: sym.Activation(x, act_type="softrelu"),
}
x = sym.var("data")


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """oneDNN multiplies matrices of every size, on every processor."""
    if not torch.backends.mkldnn.is_available():
        pytest.skip("this torch has no oneDNN")
    monkeypatch.setattr(products, "SMALLEST", 0.0)
    monkeypatch.setattr(products, "_SMALLEST_SIZES", 0.0)


@pytest.fixture
def by_mkl(monkeypatch):
    """MKL multiplies matrices of every size by weights that it has packed; for which numbers of rows it did."""
    if not torch.backends.mkl.is_available():
        pytest.skip("this torch has no MKL")
    monkeypatch.setattr(products, "SMALLEST", float("inf"))
    monkeypatch.setattr(products, "_SMALLEST_SIZES", float("inf"))
    monkeypatch.setattr(products, "SMALLEST_PACKED", 0.0)
    packings, pack = [], products.pack

    def watch(weight, rows):
        packings.append(rows)
        return pack(weight, rows)

    monkeypatch.setattr(products, "pack", watch)
    return packings


@pytest.fixture
def multiplied(monkeypatch):
    """The weights and the activations that oneDNN got."""
    calls, multiply = [], products.multiply

    def watch(data, weight, bias=None, activation="none", numbers=()):
        calls.append((weight, activation))
        return multiply(data, weight, bias, activation, numbers)

    monkeypatch.setattr(products, "multiply", watch)
    return calls


def program(net):
    return Program(net._outputs, mx.cpu())


def values(net, shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(s, generator=generator).to(dtype) for s in net.infer_shape(data=shape)[0]]


def check(made, tensors, **tolerance):
    expected = made.run(tensors, False, Step)  # as in the graph
    for _ in range(3):  # the second run packs
        for ours, plain in zip(made.run(tensors, False), expected, strict=True):
            assert ours.shape == plain.shape and ours.dtype is plain.dtype
            torch.testing.assert_close(ours, plain, equal_nan=True, **{"rtol": 2e-5, "atol": 2e-5, **tolerance})


@pytest.mark.parametrize("shape", [(5, 12), (16, 70), (300, 33), (2, 7, 20), (3, 4, 5, 6), (3, 9), (1, 64)])
@pytest.mark.parametrize("flatten", [True, False])
@pytest.mark.parametrize("no_bias", [True, False])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_fused_equals_plain(threads, activation, no_bias, flatten, shape):
    net = ACTIVATIONS[activation](sym.FullyConnected(x, num_hidden=37, no_bias=no_bias, flatten=flatten))
    made = program(net)
    check(made, values(net, shape))
    steps = made._prediction.steps
    assert isinstance(steps[0].kernel, DenseLayer)
    assert len(steps) == (2 if activation in ("elu", "softrelu") else 1)


@pytest.mark.parametrize(
    "shape, flatten", [((5, 12), True), ((16, 70), False), ((2, 7, 20), False), ((4, 5, 6), True), ((3, 1200), True)]
)
@pytest.mark.parametrize("no_bias", [True, False])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_weights_packed_by_mkl_give_the_same(by_mkl, activation, no_bias, flatten, shape):
    net = ACTIVATIONS[activation](sym.FullyConnected(x, num_hidden=37, no_bias=no_bias, flatten=flatten))
    made = program(net)
    tensors = values(net, shape)
    check(made, tensors)
    results = [made.run(tensors, False)[0] for _ in range(3)]
    assert all(torch.equal(result, results[0]) for result in results)
    assert len(by_mkl) == (not (flatten and shape[0] < products.FEWEST))


def test_mkl_packs_for_each_number_of_rows_and_each_weight(by_mkl):
    net = sym.FullyConnected(x, num_hidden=40)
    made, tensors = program(net), values(net, (16, 24))
    check(made, tensors)
    check(made, [tensors[0][:9], *tensors[1:]])
    for few_or_many in (tensors[0][:3], torch.ones(256, 24), tensors[0][:0]):
        check(made, [few_or_many, *tensors[1:]])
    tensors[1].mul_(2)
    tensors[2].add_(1)
    check(made, [tensors[0][:9], *tensors[1:]])
    check(made, [tensors[0][:9].t().contiguous().t(), tensors[1].t().contiguous().t(), tensors[2]])
    assert by_mkl == [16, 9, 9, 9]


def test_mkl_leaves_what_it_is_not_made_for(by_mkl):
    net = sym.FullyConnected(x, num_hidden=8, flatten=False)
    for dtype in (torch.float16, torch.bfloat16, torch.float64):
        check(program(net), values(net, (16, 24), dtype), rtol=0, atol=0)
    exposed = values(net, (16, 24))
    exposed[1].untyped_storage()._mx_exposed = True
    check(program(net), exposed, rtol=0, atol=0)
    assert not by_mkl


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_mkl_multiplies_infinities_and_nan(by_mkl, activation):
    net = ACTIVATIONS[activation](sym.FullyConnected(x, num_hidden=8, no_bias=True))
    data = torch.zeros(16, 8)
    data[:8, 0] = torch.tensor([torch.inf, -torch.inf, torch.nan, 1e30, -1e30, 100.0, -100.0, -0.0])
    check(program(net), [data, torch.eye(8)])
    assert by_mkl == [16]


@pytest.mark.parametrize("position, shape", [(0, (8, 9)), (1, (8, 9)), (1, (7, 8)), (2, (7,)), (0, (8, 2, 4, 3))])
def test_errors_by_mkl_are_those_of_the_operator(by_mkl, position, shape):
    test_errors_are_those_of_the_operator(position, shape)


def test_gradients_beside_mkl_are_those_of_the_plain_steps(by_mkl):
    test_gradients_in_prediction_mode_are_those_of_the_plain_steps()


def test_empty_batch():
    net = sym.relu(sym.FullyConnected(x, num_hidden=8))
    check(program(net), [torch.zeros(0, 6), *values(net, (2, 6))[1:]])


def test_weight_is_packed_once(multiplied):
    net = ACTIVATIONS["gelu"](sym.FullyConnected(x, num_hidden=40))
    made, tensors = program(net), values(net, (16, 24))
    results = [made.run(tensors, False)[0] for _ in range(4)]
    weights = [weight for weight, _ in multiplied]
    assert weights[0] is tensors[1] and weights[1].is_mkldnn and weights[2] is weights[1] is weights[3]
    assert {activation for _, activation in multiplied} == {"gelu"}
    assert all(torch.equal(result, results[0]) for result in results)  # packed or not, the very same numbers


def test_changed_weights_are_honoured(multiplied):
    net = sym.FullyConnected(x, num_hidden=40)
    made, tensors = program(net), values(net, (16, 24))
    check(made, tensors)
    tensors[1].mul_(2)
    tensors[2].add_(1)
    check(made, tensors)
    check(made, [tensors[0], tensors[1].clone() - 1, tensors[2]])
    assert sum(weight.is_mkldnn for weight, _ in multiplied) == 6


def test_weights_that_others_write_to_are_not_packed(multiplied):
    net = mx.gluon.nn.Dense(40, in_units=24)
    net.initialize()
    net.hybridize()
    data = nd.random.normal(shape=(16, 24))
    view = mx.nd.to_dlpack_for_write(net.weight.data())
    shared = torch.from_dlpack(view)
    for number in range(3):
        shared.fill_(number)
        assert (net(data) - number * data.sum(1, keepdims=True)).abs().max().asscalar() < 1e-4
    assert multiplied and not any(weight.is_mkldnn for weight, _ in multiplied)


def test_many_rows_take_no_memory_for_a_second_weight(multiplied):
    net = sym.FullyConnected(x, num_hidden=40)
    check(program(net), values(net, (256, 24)))
    assert multiplied and not any(weight.is_mkldnn for weight, _ in multiplied)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_dtypes_take_the_plain_steps(multiplied, dtype):
    net = ACTIVATIONS["gelu"](sym.FullyConnected(x, num_hidden=8))
    check(program(net), values(net, (16, 24), dtype), rtol=0, atol=0)
    # the plain step for 16 bits may multiply in float32, but without the activation
    assert "gelu" not in [activation for _, activation in multiplied]


def test_memory_layouts_of_the_input():
    net = sym.FullyConnected(x, num_hidden=8, flatten=False)
    made, tensors = program(net), values(net, (6, 4, 24))
    for data in (
        tensors[0].transpose(0, 1),
        tensors[0][:1].expand(6, 4, 24),
        torch.randn(6, 4, 48)[..., ::2],
        torch.randn(6, 4, 30)[..., :24],
    ):
        check(made, [data, *tensors[1:]])


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_infinities_and_nan(activation):
    net = ACTIVATIONS[activation](sym.FullyConnected(x, num_hidden=8, no_bias=True))
    data = torch.zeros(16, 8)
    data[:8, 0] = torch.tensor([torch.inf, -torch.inf, torch.nan, 1e30, -1e30, 100.0, -100.0, -0.0])
    check(program(net), [data, torch.eye(8)])


def test_a_value_that_others_read_keeps_its_step():
    dense = sym.FullyConnected(x, num_hidden=8)
    net = sym.Group([dense, sym.sigmoid(dense)])
    made = program(net)
    check(made, values(net, (8, 8)))
    assert len(made._prediction.steps) == 2


def test_computed_weights_keep_their_steps():
    net = sym.FullyConnected(x, weight=sym.var("w", shape=(8, 8)) * 2, num_hidden=8, no_bias=True)
    made = program(net)
    check(made, values(net, (8, 8)))
    assert not any(isinstance(step.kernel, DenseLayer) for step in made._prediction.steps)


@pytest.mark.parametrize("position, shape", [(0, (8, 9)), (1, (8, 9)), (1, (7, 8)), (2, (7,)), (0, (8, 2, 4, 3))])
def test_errors_are_those_of_the_operator(position, shape):
    net = sym.relu(sym.FullyConnected(x, num_hidden=8, name="last"))
    made, tensors = program(net), values(net, (8, 8))
    tensors[position] = torch.ones(shape)
    messages = []
    for runner in (None, Step):
        with pytest.raises(Exception, match="last") as caught:
            made.run(tensors, False, runner)
        messages.append((type(caught.value), str(caught.value)))
    assert messages[0] == messages[1]


def test_gradients_in_prediction_mode_are_those_of_the_plain_steps():
    net = ACTIVATIONS["gelu"](sym.FullyConnected(x, num_hidden=8))
    made, results = program(net), []
    for runner in (None, Step):
        tensors = [tensor.requires_grad_() for tensor in values(net, (16, 24))]
        made.run(tensors, False, runner)[0].square().sum().backward()
        results.append([tensor.grad for tensor in tensors])
    for ours, plain in zip(*results, strict=True):
        torch.testing.assert_close(ours, plain)


@pytest.fixture
def rows_of_one(monkeypatch):
    """One row is multiplied by the kernel of our own, whatever its size; how often it was."""
    if not direct.is_available():
        pytest.skip("needs a C compiler, and AVX2")
    monkeypatch.setattr(dense_layers, "_SMALLEST_OF_ONE", 0)
    calls, call = [], DenseLayer._multiply_one

    def watch(*given):
        found = call(*given)
        calls.append(found is not None)
        return found

    monkeypatch.setattr(DenseLayer, "_multiply_one", watch)
    return calls


@pytest.mark.parametrize("shape", [(1, 1), (1, 16), (1, 131), (1, 3, 4, 5)], ids=str)
@pytest.mark.parametrize("hidden", [1, 4, 7, 66])
def test_one_row(rows_of_one, threads, hidden, shape):
    for name, no_bias in (("none", False), ("relu", True), ("gelu", False), ("elu", False)):
        net = ACTIVATIONS[name](sym.FullyConnected(x, num_hidden=hidden, no_bias=no_bias))
        made, tensors = program(net), values(net, shape)
        check(made, tensors)
        for value in (torch.nan, torch.inf, -torch.inf):
            tensors[0].view(-1)[-1] = value
            check(made, tensors)
    assert all(rows_of_one) and rows_of_one


def test_one_row_of_what_the_kernel_is_not_made_for(rows_of_one):
    net = sym.FullyConnected(x, num_hidden=8)
    for dtype in (torch.float16, torch.float64):
        check(program(net), values(net, (1, 24), dtype), rtol=0, atol=0)
    data, weight, bias = values(net, (1, 24))
    check(program(net), [data, weight.t().contiguous().t(), bias])
    assert not any(rows_of_one)
    apart = torch.empty(1, 48)[:, ::2].copy_(data), weight, torch.empty(16)[::2].copy_(bias)
    check(program(net), list(apart))
    assert any(rows_of_one)
    made = program(net)
    made.run([data, weight, bias], False)
    with pytest.raises(mx.MXNetError, match="FullyConnected"):
        made.run([data[:, :20], weight, bias], False)


def test_one_row_from_which_size_on(rows_of_one, monkeypatch):
    monkeypatch.setattr(dense_layers, "_SMALLEST_OF_ONE", 8 * 24)
    for inner, used in ((23, False), (24, True)):
        net = sym.FullyConnected(x, num_hidden=8)
        rows_of_one.clear()
        check(program(net), values(net, (1, inner)))
        assert any(rows_of_one) is used
