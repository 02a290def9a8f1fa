"""Every operator, by its samples: against the original's recorded results, and against itself in every form."""

import functools

import numpy as np
import paths
import pytest
import samples
import torch
from samples.common import find_function, run

import mxnet as mx
from mxnet.ops import registry
from mxnet.ops.derive import bind_arguments
from mxnet.ops.infer import run_on_meta
from mxnet.ops.messages import display_name

GOLDEN = paths.GOLDEN / "ops"
CASES = [pytest.param(f, n, s, id=f"{f}-{n}") for f in samples.families() for n, s in samples.load(f)]
GOOD = [c for c in CASES if not c.values[2].error]


@functools.cache
def golden(family):
    with np.load(GOLDEN / f"{family}.npz") as archive:
        return dict(archive)


def recorded(family, name, kind):
    """What was recorded for a sample: {index: array}."""
    prefix = f"{name}/{kind}"
    return {int(k[len(prefix) :]): v for k, v in golden(family).items() if k.startswith(prefix)}


def assert_same(given, expected, sample, what):
    assert given.dtype == expected.dtype, what
    assert given.shape == expected.shape, what
    np.testing.assert_allclose(given, expected, rtol=sample.rtol, atol=sample.atol, err_msg=what, equal_nan=True)


def _names_of(op):
    return rf"{registry.get(op).name}|{display_name(registry.get(op).name)}"


@pytest.mark.parametrize(("family", "name", "sample"), CASES)
def test_against_the_original(family, name, sample):
    assert golden(family)[f"{name}/checksum"] == sample.checksum(), "the golden file is older than the sample"
    if sample.error:
        with pytest.raises(mx.MXNetError, match=_names_of(sample.op)):
            run(mx, sample)
        return
    values, gradients, changed = run(mx, sample)
    expected = recorded(family, name, "out")
    assert len(values) == len(expected)
    for i, value in enumerate(values):
        assert_same(value, expected[i], sample, f"output {i}")
    for i, value in recorded(family, name, "grad").items():
        assert_same(gradients[i], value, sample, f"gradient of input {i}")
    expected = recorded(family, name, "changed")
    assert sorted(changed) == sorted(expected), "inputs written to"
    for i, value in changed.items():
        assert_same(value, expected[i], sample, f"input {i} after the call")


def tensors_of(sample, dtype=None):
    result = []
    for a in sample.fresh_inputs():
        t = None if a is None else torch.from_numpy(a)
        result.append(t.to(dtype) if dtype is not None and t is not None and t.is_floating_point() else t)
    return result


def parsed_attributes(op, sample):
    """The attributes of a call, with the number of variadic inputs."""
    return op.parse(bind_arguments(op, sample.inputs, dict(sample.attrs))[1])


def supplied(op, sample, device="cpu"):
    values = {
        "_train": sample.train,
        "_rng": torch.Generator().manual_seed(0),
        "_device": torch.device(device),
        "_out": None,
    }
    return {k: values[k] for k in op.supplied}


@pytest.mark.parametrize(("family", "name", "sample"), GOOD)
def test_forms_agree(family, name, sample):
    """Attributes as text, ``out=``, and shapes and dtypes without data give what the plain call gives."""
    op = registry.get(sample.op)
    function = find_function(mx.nd, sample.op)

    def arrays():
        return [None if a is None else mx.nd.array(a, dtype=a.dtype) for a in sample.fresh_inputs()]

    def call(**kwargs):
        mx.random.seed(7)
        given = arrays()
        with mx.autograd.train_mode() if sample.train else mx.autograd.predict_mode():
            result = function(*given, **kwargs)
        memory = {a._data.untyped_storage().data_ptr() for a in given if a is not None and a.size}
        results = list(result) if isinstance(result, list | tuple) else [result]
        if kwargs.get("out") is None:
            for r in results:
                assert r._data.untyped_storage().data_ptr() not in memory or not r.size, "the result is a view"
        return results

    plain = call(**sample.attrs)
    as_text = call(**{k: v if v is None else str(v) for k, v in sample.attrs.items()})
    for a, b in zip(plain, as_text, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    into = [mx.nd.zeros(p.shape, dtype=p.dtype) if p.size and p.shape else p.copy() for p in plain]
    written = call(**sample.attrs, out=into if len(into) > 1 else into[0])
    for a, b, c in zip(plain, written, into, strict=True):
        assert b is c
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    if "shape" not in op.rules:
        present = [a for a in sample.inputs if a is not None]
        if len(present) == len(sample.inputs):
            dtypes = [torch.from_numpy(a).dtype for a in present]
            without_data = run_on_meta(op, [a.shape for a in present], parsed_attributes(op, sample), dtypes)
            for a, b in zip(plain, without_data, strict=True):
                assert tuple(b.shape) == a.shape
                assert b.dtype is a._data.dtype


def of_variables(sample):
    """The kernel as a function of the inputs that are differentiated, in double precision, and these."""
    op = registry.get(sample.op)
    parsed = parsed_attributes(op, sample)
    tensors = tensors_of(sample, torch.float64)
    indices = sample.grad_indices()

    def function(*variables):
        call = list(tensors)
        for i, v in zip(indices, variables, strict=True):
            call[i] = v
        result = op.kernel(*call, **parsed, **supplied(op, sample))
        results = [result] if isinstance(result, torch.Tensor) else list(result)
        return tuple(r for r in results if r.requires_grad)

    return function, [tensors[i].clone().requires_grad_() for i in indices]


SMOOTH = [c for c in GOOD if c.values[2].numeric and c.values[2].grad_indices()]


@pytest.mark.parametrize(("family", "name", "sample"), SMOOTH)
def test_numeric_gradient(family, name, sample):
    """torch's gradient of the kernel against finite differences in double precision."""
    function, variables = of_variables(sample)
    assert torch.autograd.gradcheck(function, variables, eps=1e-6, atol=1e-4, rtol=1e-3, nondet_tol=0)


NOT_TWICE = {
    "CTCLoss": "torch has no derivative of its gradient, and says so; neither has the original",
    "_contrib_ROIAlign": "torch has no derivative of an embedding bag's gradient, and says so; the original has none",
    "BatchNorm": "backward updates the moving averages, which finite differences of it would see",
}
for _like, _names in {
    "_contrib_ROIAlign": ["_contrib_PSROIPooling", "_contrib_DeformablePSROIPooling", "_contrib_DeformableConvolution"],
    "BatchNorm": ["_contrib_BatchNormWithReLU", "_contrib_SyncBatchNorm"],
}.items():
    NOT_TWICE |= dict.fromkeys(_names, NOT_TWICE[_like])


@pytest.mark.parametrize(
    ("family", "name", "sample"), [c for c in SMOOTH if registry.get(c.values[2].op).name not in NOT_TWICE]
)
def test_numeric_gradient_of_the_gradient(family, name, sample):
    function, variables = of_variables(sample)
    results = function(*variables)
    if any(r.dtype is not torch.float64 for r in results):
        return  # indices, which have a gradient of zero
    heads = [torch.ones_like(r, requires_grad=True) for r in results]
    grads = torch.autograd.grad(results, variables, heads, create_graph=True, allow_unused=True)
    if any(g is not None and g.requires_grad for g in grads):  # what only chooses has zeros, which torch cannot check
        variables = [
            v.detach() if g is not None and not g.requires_grad else v for v, g in zip(variables, grads, strict=True)
        ]
    fast = not sample.op.startswith(("_random_pdf", "random_pdf"))  # the fast way wants each input to have a part in it
    options = dict(eps=1e-6, atol=1e-4, rtol=1e-3, nondet_tol=0, fast_mode=fast)
    assert torch.autograd.gradgradcheck(function, variables, **options)
