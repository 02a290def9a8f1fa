"""Loss heads and CTC where the original is of no help: it has no eager IdentityAttachKLSparseReg,
and takes CTC in float32 only."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops import registry
from mxnet.ops.infer import infer_shapes


def gradient(name, data, *others, head=None, **attrs):
    """The gradient of ``data`` under a head gradient."""
    arrays = [mx.nd.array(a, dtype="float32") for a in (data, *others)]
    arrays[0].attach_grad()
    with mx.autograd.record():
        output = getattr(mx.nd, name)(*arrays, **attrs)
    output.backward(None if head is None else mx.nd.array(head))
    return arrays[0].grad.asnumpy()


DATA = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 0.0]])
HEAD = np.array([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("SoftmaxOutput", [0, 2]),
        ("LinearRegressionOutput", DATA + 1),
        ("LogisticRegressionOutput", DATA),
        ("MAERegressionOutput", DATA + 1),
        ("SVMOutput", [0, 2]),
    ],
)
def test_heads_ignore_what_flows_back_and_leave_labels_alone(name, label):
    np.testing.assert_array_equal(gradient(name, DATA, label, head=HEAD), gradient(name, DATA, label))
    label = mx.nd.array(label)
    data = mx.nd.array(DATA)
    data.attach_grad()
    label.attach_grad()
    label.grad[:] = 7
    with mx.autograd.record():
        output = getattr(mx.nd, name)(data, label)
    output.backward()
    assert (label.grad.asnumpy() == 7).all()


def test_a_head_returns_memory_of_its_own():
    data = mx.nd.array(DATA)
    loss = mx.nd.MakeLoss(data)
    loss[:] = 0
    np.testing.assert_array_equal(data.asnumpy(), DATA)


def test_sparse_activations():
    """Numbers of the original's executor."""
    data, average = torch.tensor([[0.2, 0.4], [0.3, 0.6], [0.1, 0.5]]).requires_grad_(), torch.tensor([0.3, 0.4])
    kernel = registry.get("IdentityAttachKLSparseReg").kernel
    output = kernel(data, average, sparseness_target=0.2, penalty=0.01, momentum=0.8)
    assert torch.equal(output, data)
    torch.testing.assert_close(average, torch.tensor([0.3, 0.4]))  # backward updates it, forward does not
    output.backward(torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    expected = torch.tensor([[1.0039682, 2.0090313], [3.0039682, 4.0090313], [5.0039682, 6.0090313]])
    torch.testing.assert_close(data.grad, expected)
    torch.testing.assert_close(average, torch.tensor([0.28, 0.42]))


@pytest.mark.parametrize(
    ("name", "attrs", "data", "label"),
    [
        ("SoftmaxOutput", {}, (2, 3), (2,)),
        ("SoftmaxOutput", {}, (2, 3, 4), (2, 3)),
        ("SoftmaxOutput", {"preserve_shape": True}, (2, 3, 4), (2, 3)),
        ("SoftmaxOutput", {"multi_output": True}, (2, 3, 4, 5), (2, 20)),
        ("SoftmaxOutput", {"multi_output": True}, (2, 3), (2, 1)),
        ("LinearRegressionOutput", {}, (2, 1), (2,)),
        ("LogisticRegressionOutput", {}, (2, 3), (2, 3)),
        ("MAERegressionOutput", {}, (2, 3, 4), (2, 3, 4)),
        ("SVMOutput", {}, (2, 3, 4), (2, 3)),
    ],
)
def test_shapes_of_labels(name, attrs, data, label):
    assert infer_shapes(registry.get(name), [data, None], attrs) == ([data, label], [data])


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("blank", ["first", "last"])
def test_ctc_against_torch(dtype, blank):
    draw = np.random.RandomState(0)
    data = draw.randn(12, 3, 5).astype(dtype)
    lengths, label_lengths = np.array([12, 7, 9]), np.array([4, 1, 3])
    label = draw.randint(1, 4, (3, 4))
    arrays = [mx.nd.array(a, dtype=dtype) for a in (data, label, lengths, label_lengths)]
    arrays[0].attach_grad()
    with mx.autograd.record():
        loss = mx.nd.CTCLoss(*arrays, use_data_lengths=True, use_label_lengths=True, blank_label=blank)
    loss.backward()
    variable = torch.tensor(data.astype("float64"), requires_grad=True)
    expected = torch.nn.functional.ctc_loss(
        variable.log_softmax(2),
        torch.tensor(label),
        torch.tensor(lengths),
        torch.tensor(label_lengths),
        blank=0 if blank == "first" else 4,
        reduction="none",
    )
    expected.sum().backward()
    tolerance = {"float64": 1e-9, "float32": 1e-4, "float16": 2e-2}[dtype]
    np.testing.assert_allclose(loss.asnumpy(), expected.detach().numpy(), rtol=tolerance)
    np.testing.assert_allclose(arrays[0].grad.asnumpy(), variable.grad.numpy(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    ("label", "lengths", "words"),
    [([[1, 9, 0]], None, "class outside"), ([[1, 2, 3]], [7], "data_lengths"), ([[1, 2, 3]], [-1], "data_lengths")],
)
def test_ctc_refuses_what_would_read_beyond_its_arrays(label, lengths, words):
    inputs = [mx.nd.ones((6, 1, 4)), mx.nd.array(label)]
    if lengths is not None:
        inputs.append(mx.nd.array(lengths))
    with pytest.raises(mx.MXNetError, match=words):
        mx.nd.CTCLoss(*inputs, use_data_lengths=lengths is not None)


@pytest.mark.parametrize("name", ["SoftmaxOutput", "LinearRegressionOutput", "LogisticRegressionOutput"])
def test_a_head_is_not_differentiated_twice(name):
    """Its gradient depends on data in a way that only the head knows: as in the original an error, and not zeros."""
    x = mx.nd.array([[0.3, -0.7, 1.6]])
    x.attach_grad()
    with mx.autograd.record():
        y = getattr(mx.nd, name)(x, mx.nd.array([1.0]) if name == "SoftmaxOutput" else mx.nd.ones((1, 3)))
        (slope,) = mx.autograd.grad([y], [x], create_graph=True)
    with pytest.raises(mx.MXNetError, match="no gradient of its gradient"):
        slope.backward()


def test_what_passes_gradients_on_is_differentiated_twice():
    x = mx.nd.array([0.5, -2.0])
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.contrib.gradientmultiplier(x, scalar=3.0) ** 3
        (slope,) = mx.autograd.grad([y], [x], create_graph=True)
    slope.backward()
    np.testing.assert_allclose(slope.asnumpy(), 9 * x.asnumpy() ** 2)
    np.testing.assert_allclose(x.grad.asnumpy(), 18 * 3 * x.asnumpy())


def test_a_sum_that_no_gradient_reaches_is_no_loss():
    x = mx.sym.Variable("x")
    net = mx.sym.Group([mx.sym.argmax(mx.sym.add_n(x, x * 2), axis=1), mx.sym.make_loss(x)])
    bound = net.simple_bind(mx.cpu(), x=(2, 3))
    bound.forward(is_train=True, x=mx.nd.ones((2, 3)))
    bound.backward()
    np.testing.assert_array_equal(bound.grad_dict["x"].asnumpy(), np.ones((2, 3)))
