"""float16 and bfloat16: what is computed in float32 is rounded once, results and gradients alike."""

import numpy as np
import pytest
import torch
from samples import load
from samples.common import find_function, head_gradient

import mxnet as mx
from mxnet import gluon, nd
from mxnet.ops import half
from mxnet.ops.registry import find

BITS = {"float16": 10, "bfloat16": 7}
LEAST = {"float16": 2.0**-14, "bfloat16": 2.0**-126}
NAMES = {name for names in (half.PRODUCTS, half.PREDICTED, half.OTHERS) for name in names.split()}
FAMILIES = "convolution dense normalization softmax pooling roi spatial rnn shape reduce attention".split()


def samples():
    for family in FAMILIES:
        for name, sample in load(family):
            op = find(sample.op)
            floats = any(a is not None and a.dtype.kind == "f" for a in sample.inputs)
            if floats and op is not None and op.name in NAMES and not sample.error and "dtype" not in sample.attrs:
                yield pytest.param(sample, id=name)


def to_float(array):
    return array.astype("float64").asnumpy()


def run(sample, dtype, kind):
    """Results and gradients in ``dtype``, of inputs and head gradients that ``kind`` holds."""
    inputs = [
        None
        if a is None
        else nd.array(a, dtype="float32").astype(kind).astype(dtype)
        if a.dtype.kind == "f"
        else nd.array(a, dtype=a.dtype)
        for a in sample.fresh_inputs()
    ]
    wanted = [inputs[i] for i in sample.grad_indices()]
    for array in wanted:
        array.attach_grad()
    with mx.autograd.record(train_mode=sample.train):
        found = find_function(nd, sample.op)(*inputs, **sample.attrs)
    found = found if isinstance(found, list) else [found]
    if wanted:
        heads = [nd.array(head_gradient(o.shape, "float32")).astype(kind).astype(o.dtype) for o in found]
        mx.autograd.backward(found, heads)
    return [*found, *[array.grad for array in wanted]]


@pytest.mark.parametrize("kind", BITS)
@pytest.mark.parametrize("sample", [*samples()])
def test_rounded_once(sample, kind):
    try:
        exact = run(sample, "float32", kind)
    except mx.MXNetError:
        pytest.skip("the sample is for other types")
    try:
        found = run(sample, kind, kind)
    except mx.MXNetError as error:
        assert "float32" in str(error) or "dtype" in str(error)
        return
    native = getattr(torch, kind) in half.NATIVE and find(sample.op).name in f"{half.PRODUCTS} {half.PREDICTED}".split()
    for one, other in zip(found, exact, strict=True):
        if one.dtype == np.float32 and other.dtype == np.float32:
            continue  # statistics
        one, other = to_float(one), to_float(other.astype(kind))
        bounded = np.isfinite(other)
        np.testing.assert_array_equal(one[~bounded], other[~bounded])
        size = np.maximum(abs(other[bounded]), LEAST[kind])
        step = 2.0 ** (np.floor(np.log2(size)) - BITS[kind])
        # Processors that multiply such numbers add them in another order, and round the states of RNN at each step.
        order = 2.0 ** -(BITS[kind] if sample.op == "RNN" else 16) * abs(other[bounded]).max(initial=0) if native else 0
        assert (abs(one[bounded] - other[bounded]) <= 1.01 * step + order).all()


@pytest.mark.parametrize("kind", BITS)
def test_types_that_differ_are_refused(kind):
    for second in ("float32", "float64"):
        with pytest.raises(mx.MXNetError, match="same dtype"):
            nd.FullyConnected(nd.ones((1, 2), dtype=kind), nd.ones((3, 2), dtype=second), no_bias=True, num_hidden=3)


def test_native_types_stay():
    seen = []

    def kernel(data):
        seen.append(data.dtype)
        return data

    halves = frozenset((torch.bfloat16,))
    for native, given in ((halves, torch.bfloat16), (halves, torch.float16), (frozenset(), torch.bfloat16)):
        assert half.round_once(kernel, native)(torch.ones(2, dtype=given)).dtype is given
    assert seen == [torch.bfloat16, torch.float32, torch.float32]


@pytest.mark.parametrize("kind", BITS)
def test_networks_of_halves(kind, tmp_path):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(4, 3), gluon.nn.BatchNorm(), gluon.nn.Activation("relu"), gluon.nn.Dense(3))
    net.initialize()
    x = nd.random.uniform(shape=(2, 3, 8, 8))
    expected = net(x).asnumpy()
    net.cast(kind)
    types = {name.split("_")[-1]: p.dtype for name, p in net.collect_params().items()}
    assert {n for n, dtype in types.items() if dtype in ("float32", np.float32)} == {"gamma", "beta", "mean", "var"}
    for _ in range(2):
        np.testing.assert_allclose(to_float(net(x.astype(kind))), expected, atol=0.03)
        net.hybridize()
    net.save_parameters(str(tmp_path / "net"))
    net.load_parameters(str(tmp_path / "net"), cast_dtype=False)
    np.testing.assert_allclose(to_float(net(x.astype(kind))), expected, atol=0.03)


def test_what_numpy_or_opencv_computes_takes_bfloat16():
    rows = nd.array([[0, 0.75, 0, 0, 4, 4], [0, 0.5, 0.125, 0, 4, 4], [1, 0.25, 0, 0, 4, 4]])
    for function in (
        lambda x: nd.contrib.box_nms(x, id_index=0),
        lambda x: nd.contrib.box_nms(x, id_index=0, force_suppress=True),
        lambda x: mx.image.copyMakeBorder(x[:, :2].reshape((3, 2, 1)), 1, 0, 2, 1, type=0, value=0.5),
    ):
        given = rows.astype("bfloat16")
        found = function(given)
        assert found.dtype == given.dtype
        np.testing.assert_array_equal(to_float(found), to_float(function(rows)))


@pytest.mark.parametrize("name", ["normal", "gamma", "poisson"])
def test_densities_of_bfloat16(name):
    args = [nd.array([[1.0, 2.0]]), nd.array([2.0]), nd.array([1.5])][: 2 if name == "poisson" else 3]
    density = getattr(nd, f"random_pdf_{name}")
    found = density(*[a.astype("bfloat16") for a in args]).astype("float32")
    np.testing.assert_allclose(found.asnumpy(), density(*args).asnumpy(), rtol=0.005)


def test_native_types_stay_unless_they_are_learnt():
    """Convolutions in bfloat16 are several times as fast as in float32, their gradients several times as slow."""
    seen = []

    def kernel(data, weight):
        seen.append(weight.dtype)
        return data * weight

    run = half.round_once(kernel, frozenset({torch.bfloat16}), gradient=False)
    data = torch.ones(2, dtype=torch.bfloat16)
    weight = torch.full((2,), 3.0, dtype=torch.bfloat16, requires_grad=True)
    with torch.no_grad():
        run(data, weight)
    run(data, weight.detach())
    found = run(data, weight)
    assert seen == [torch.bfloat16, torch.bfloat16, torch.float32]
    found.sum().backward()
    assert found.dtype == weight.grad.dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("allowed", "native"), [("AVX512_CORE_VNNI", False), ("avx2", False), ("AVX512_CORE_BF16", True)]
)
def test_what_onednn_may_use_counts(allowed, native, monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: True)
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", allowed)
    assert (torch.bfloat16 in half._find_native()) is native
