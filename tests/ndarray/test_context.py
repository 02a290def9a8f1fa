"""Contexts: what they are, how they nest, and virtual GPUs, on which placement can be tested anywhere."""

import copy
import multiprocessing
import pickle
import threading

import numpy as np
import pytest
import torch

import mxnet as mx

nd = mx.nd


@pytest.fixture
def two_gpus(monkeypatch):
    if torch.cuda.is_available():
        pytest.skip("there are real GPUs")
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")


def test_what_a_context_is():
    assert mx.cpu() is mx.Context("cpu") is mx.Context(mx.cpu(0))
    assert mx.gpu(1) == mx.Context("gpu", 1)
    assert mx.cpu() != mx.gpu()
    assert mx.cpu() != mx.cpu(1)
    assert mx.cpu() != "cpu"
    assert len({mx.cpu(), mx.cpu(0), mx.gpu(0), mx.gpu(1)}) == 3
    assert [str(c) for c in (mx.cpu(), mx.gpu(2), mx.cpu_pinned(), mx.cpu_shared(1))] == [
        "cpu(0)",
        "gpu(2)",
        "cpu_pinned(0)",
        "cpu_shared(1)",
    ]
    assert (mx.gpu(3).device_type, mx.gpu(3).device_typeid, mx.gpu(3).device_id) == ("gpu", 2, 3)
    assert mx.gpu(np.int64(3)) is mx.gpu(3)
    with pytest.raises(AttributeError):
        mx.cpu().device_id = 5


@pytest.mark.parametrize("arguments", [("tpu",), ("gpu", -1), ("gpu", "one"), ("gpu", 1.5), (None,)])
def test_what_is_no_context(arguments):
    with pytest.raises(mx.MXNetError):
        mx.Context(*arguments)


def test_words_that_are_looked_up():
    """In the original these are KeyErrors."""
    for call in (lambda: mx.Context("tpu"), lambda: mx.nd.ones(2).attach_grad("wirte")):
        with pytest.raises(KeyError) as caught:
            call()
        assert isinstance(caught.value, mx.MXNetError) and "of " in str(caught.value) and '"' not in str(caught.value)
    with pytest.raises(ValueError, match="grad_req must be one of write, add, null, got 'wirte'"):
        mx.sym.var("x").bind(mx.cpu(), {"x": mx.nd.ones(2)}, {"x": mx.nd.ones(2)}, "wirte")


def test_copies_are_the_same_object():
    context = mx.gpu(3)
    assert pickle.loads(pickle.dumps(context)) is context
    assert copy.deepcopy(context) is context
    assert mx.Context.from_str("gpu(3)") is context
    for text in ("gpu(x)", "", "nothing"):
        with pytest.raises(mx.MXNetError):
            mx.Context.from_str(text)


def test_with_blocks_nest():
    assert mx.current_context() == mx.cpu()
    with mx.cpu(1):
        assert nd.ones((1,)).context == mx.cpu(1)
        with mx.cpu_pinned():
            assert nd.ones((1,)).context == mx.cpu_pinned()
            assert nd.ones((1,), ctx=mx.cpu(2)).context == mx.cpu(2)
            assert nd.array(nd.ones((1,), ctx=mx.cpu(3))).context == mx.cpu_pinned()
        assert mx.current_context() == mx.cpu(1)
    with pytest.raises(ValueError, match="oops"), mx.cpu(4):
        raise ValueError("oops")
    assert mx.current_context() == mx.cpu()


def test_the_context_is_the_threads_own():
    seen = []
    with mx.cpu(1):
        thread = threading.Thread(target=lambda: seen.append(mx.current_context()))
        thread.start()
        thread.join()
    assert seen == [mx.cpu()]


def test_the_old_way_to_change_the_default():
    assert mx.Context.default_ctx == mx.cpu()
    try:
        mx.Context.default_ctx = mx.cpu(7)
        assert nd.ones((1,)).context == mx.cpu(7)
        with mx.cpu(1):
            assert mx.Context.default_ctx == mx.cpu(1)
    finally:
        mx.Context.default_ctx = mx.cpu()
    with pytest.raises(TypeError):
        mx.Context.default_ctx = "cpu"


def test_host_memory_mixes():
    contexts = [mx.cpu(), mx.cpu(1), mx.cpu_pinned(), mx.cpu_shared()]
    total = sum(nd.ones((2,), ctx=c) for c in contexts)
    assert total.asnumpy().tolist() == [4, 4]
    assert total.context == mx.cpu()


@pytest.mark.parametrize("wrong", [5, [mx.cpu()], "tpu(0)"])
def test_wrong_ctx_arguments(wrong):
    with pytest.raises(mx.MXNetError):
        nd.zeros((1,), ctx=wrong)


def test_a_ctx_argument_may_be_text():
    assert nd.zeros((1,), ctx="cpu(1)").context == mx.cpu(1)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there are GPUs")
def test_without_gpus(monkeypatch):
    monkeypatch.delenv("MXNET_VIRTUAL_GPUS", raising=False)
    assert mx.num_gpus() == mx.util.get_gpu_count() == 0
    for use in (
        lambda: nd.zeros((1,), ctx=mx.gpu()),
        lambda: nd.ones((1,)).as_in_context(mx.gpu()),
        lambda: nd.array([1], ctx=mx.gpu()),
        lambda: mx.gpu_memory_info(0),
        lambda: mx.util.get_gpu_memory(0),
    ):
        with pytest.raises(mx.MXNetError, match=r"gpu\(0\) is not available.*MXNET_VIRTUAL_GPUS"):
            use()
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "many")
    with pytest.raises(mx.MXNetError, match="MXNET_VIRTUAL_GPUS must be a whole number of at least 0, got"):
        mx.num_gpus()


def test_virtual_gpus(two_gpus):
    assert mx.num_gpus() == 2
    x = nd.array([1, 2], ctx=mx.gpu(0))
    assert x.context == mx.gpu(0)
    assert (x * 2 + 1).context == mx.gpu(0)
    assert repr(x).endswith("<NDArray 2 @gpu(0)>")
    y = x.as_in_context(mx.gpu(1))
    assert y.context == mx.gpu(1)
    y[:] = 5
    assert x.asnumpy().tolist() == [1, 2], "another device has other memory"
    assert x.as_in_context(mx.gpu(0)) is x
    free, total = mx.gpu_memory_info(1)
    assert 0 < free <= total
    with pytest.raises(mx.MXNetError, match=r"gpu\(2\) is not available: this process sees 2"):
        nd.zeros((1,), ctx=mx.gpu(2))


def test_mixing_devices_is_an_error_that_names_them(two_gpus):
    x, y, z = nd.ones((2,), ctx=mx.gpu(0)), nd.ones((2,), ctx=mx.gpu(1)), nd.ones((2,))
    for left, right in [(x, y), (x, z), (z, y)]:
        with pytest.raises(
            mx.MXNetError, match=rf"{left.context}.*{right.context}".replace("(", r"\(").replace(")", r"\)")
        ):
            left + right
    with pytest.raises(mx.MXNetError, match="as_in_context"):
        x += y
    with pytest.raises(mx.MXNetError, match="as_in_context"):
        nd.concat(x, y, dim=0)


def test_copies_between_devices(two_gpus):
    x, y = nd.array([1, 2], ctx=mx.gpu(0)), nd.zeros((2,), ctx=mx.gpu(1))
    x.copyto(y)
    assert y.asnumpy().tolist() == [1, 2]
    y[:] = nd.array([3, 4])
    y[0:1] = x[1:2]
    assert y.asnumpy().tolist() == [2, 4]
    with mx.gpu(1):
        assert nd.arange(3).context == mx.gpu(1)
    assert nd.zeros_like(x).context == mx.gpu(0)


def test_gradients_between_devices(two_gpus):
    x = nd.array([1, 2], ctx=mx.gpu(0))
    x.attach_grad()
    with mx.autograd.record():
        y = (x * x).as_in_context(mx.gpu(1)) * 3
    assert y.context == mx.gpu(1)
    y.backward()
    assert x.grad.context == mx.gpu(0)
    assert x.grad.asnumpy().tolist() == [6, 12]


def test_pickles_remember_the_device_if_it_is_there(two_gpus, monkeypatch):
    data = pickle.dumps(nd.array([1, 2], ctx=mx.gpu(1)))
    assert pickle.loads(data).context == mx.gpu(1)
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "0")
    assert pickle.loads(data).context == mx.cpu()


def _context_of(array):
    return array.context


def test_contexts_travel_between_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_context_of, (nd.ones((1,)),)) is mx.cpu()


def test_facts_about_gpus(two_gpus):
    with pytest.raises(ValueError, match="Expecting a gpu context"):
        mx.util.get_cuda_compute_capability(mx.cpu())
    with pytest.raises(mx.MXNetError, match="virtual"):
        mx.util.get_cuda_compute_capability(mx.gpu())
    mx.cpu().empty_cache()
    mx.gpu().empty_cache()
    assert mx.runtime.Features().is_enabled("CUDA") is False
