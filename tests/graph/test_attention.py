"""Attention in prediction programs: one step gives what its operators give."""

import pytest
import torch

import mxnet as mx
from mxnet import sym
from mxnet.graph.passes import attention
from mxnet.graph.program import Program
from mxnet.graph.step import Step
from mxnet.ops import products


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """oneDNN multiplies matrices of every size, on every processor."""
    if not torch.backends.mkldnn.is_available():
        pytest.skip("this torch has no oneDNN")
    monkeypatch.setattr(products, "SMALLEST", 0.0)
    monkeypatch.setattr(products, "_SMALLEST_SIZES", 0.0)


@pytest.fixture
def fused(monkeypatch):
    """How often the fused kernel ran to its end."""
    calls, attend = [], attention._attend
    monkeypatch.setattr(attention, "_attend", lambda *given: calls.append(1) or attend(*given))
    return calls


def program(net):
    return Program(net._outputs, mx.cpu())


def check(made, tensors):
    before = [tensor.clone() for tensor in tensors]
    for ours, plain in zip(made.run(tensors, False), made.run(tensors, False, Step), strict=True):
        assert ours.shape == plain.shape and ours.dtype is plain.dtype
        torch.testing.assert_close(ours, plain, equal_nan=True, rtol=1e-5, atol=1e-5)
    assert all(torch.equal(now, then) or now.isnan().any() for now, then in zip(tensors, before, strict=True))


SCALES = {"none": lambda x: x, "over": lambda x: x / 3.0, "times": lambda x: x * 0.3}


def by_batch_dot(scale="none", **softmax):
    scores = SCALES[scale](sym.batch_dot(sym.var("q"), sym.var("k"), transpose_b=True))
    return sym.batch_dot(sym.Dropout(sym.softmax(scores, **softmax), p=0.5), sym.var("v"))


def interleaved(heads, **softmax):
    mixed = sym.var("data")
    scores = sym.contrib.interleaved_matmul_selfatt_qk(mixed, heads=heads)
    weights = sym.Dropout(sym.softmax(scores, **softmax), p=0.5)
    return sym.contrib.interleaved_matmul_selfatt_valatt(mixed, weights, heads=heads)


@pytest.mark.parametrize(
    "sizes",
    [
        (3, 7, 9, 5, 6),
        (1, 64, 64, 32, 32),
        (12, 16, 40, 8, 8),
        (2, 33, 4, 17, 30),
        (2, 300, 300, 8, 8),
        (1, 9, 5003, 4, 4),
    ],
)
@pytest.mark.parametrize("scale", SCALES)
def test_batch_dots(threads, fused, scale, sizes):
    heads, length, keys, size, depth = sizes
    made = program(by_batch_dot(scale))
    check(made, [torch.randn(heads, length, size), torch.randn(heads, keys, size), torch.randn(heads, keys, depth)])
    assert len(fused) == 1 and len(made._prediction.steps) == 1


@pytest.mark.parametrize("length, batch, heads, size", [(9, 1, 3, 4), (64, 2, 4, 16), (33, 3, 1, 5), (5, 4, 2, 64)])
def test_interleaved(threads, fused, length, batch, heads, size):
    made = program(interleaved(heads))
    check(made, [torch.randn(length, batch, heads * 3 * size)])
    assert len(fused) == 1 and len(made._prediction.steps) == 1


def test_views_of_larger_arrays(fused):
    q, k, v = torch.randn(3, 20, 4, 8).transpose(1, 2).unbind(0)
    check(program(by_batch_dot("over")), [q, k, v[:, ::2].repeat_interleave(2, 1)])
    check(program(by_batch_dot()), [q, k[:1].expand(4, 20, 8), v])
    check(program(interleaved(2)), [torch.randn(4, 9, 60)[:, :, :48].transpose(0, 1)])
    assert len(fused) == 3


def test_infinities_and_nan(fused):
    q, k, v = torch.randn(3, 2, 16, 8).unbind(0)
    q[0, 0, 0], k[1, 3, 2], v[0, 2, 2] = torch.nan, torch.inf, torch.inf
    check(program(by_batch_dot()), [q, k, v])
    assert fused


@pytest.mark.parametrize("softmax", [{"axis": 1}, {"temperature": 2.0}, {"axis": -2}])
def test_other_softmax_keeps_its_steps(fused, softmax):
    made = program(by_batch_dot(**softmax))
    check(made, list(torch.randn(3, 2, 16, 8).unbind(0)))
    check(program(interleaved(2, **softmax)), [torch.randn(6, 2, 48)])
    assert not fused and len(made._prediction.steps) == 3


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_dtypes_take_the_plain_steps(fused, dtype):
    made = program(by_batch_dot())
    tensors = [tensor.to(dtype) for tensor in torch.randn(3, 2, 16, 8).unbind(0)]
    assert torch.equal(made.run(tensors, False)[0], made.run(tensors, False, Step)[0])
    assert not fused


def test_more_threads_than_heads_are_worth_take_the_plain_steps(fused, monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    check(program(by_batch_dot()), list(torch.randn(3, 2, 16, 8).unbind(0)))
    assert not fused


def test_weights_that_others_read_keep_their_steps(fused):
    scores = sym.batch_dot(sym.var("q"), sym.var("k"), transpose_b=True)
    weights = sym.softmax(scores)
    net = sym.Group([sym.batch_dot(weights, sym.var("v")), weights])
    check(program(net), list(torch.randn(3, 2, 16, 8).unbind(0)))
    assert not fused


def test_other_numbers_of_heads_keep_their_steps(fused):
    mixed = sym.var("data")
    weights = sym.softmax(sym.contrib.interleaved_matmul_selfatt_qk(mixed, heads=2))
    net = sym.contrib.interleaved_matmul_selfatt_valatt(mixed, sym.concat(weights, weights, dim=0), heads=4)
    check(program(net), [torch.randn(6, 1, 48)])
    assert not fused


@pytest.mark.parametrize("position, shape", [(0, (2, 16, 9)), (1, (3, 16, 8)), (2, (2, 15, 8)), (2, (16, 8))])
def test_errors_are_those_of_the_operators(position, shape):
    made, tensors, messages = program(by_batch_dot()), list(torch.randn(3, 2, 16, 8).unbind(0)), []
    tensors[position] = torch.ones(shape)
    for runner in (None, Step):
        with pytest.raises(Exception, match="batch_dot") as caught:
            made.run(tensors, False, runner)
        messages.append((type(caught.value), str(caught.value)))
    assert messages[0] == messages[1]


def test_gradients_in_prediction_mode_are_those_of_the_operators(fused):
    made, results = program(by_batch_dot("over")), []
    for runner in (None, Step):
        torch.manual_seed(0)
        tensors = [tensor.clone().requires_grad_() for tensor in torch.randn(3, 2, 16, 8).unbind(0)]
        made.run(tensors, False, runner)[0].square().sum().backward()
        results.append([tensor.grad for tensor in tensors])
    for ours, plain in zip(*results, strict=True):
        torch.testing.assert_close(ours, plain)
    assert not fused
