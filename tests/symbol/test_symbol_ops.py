"""Every operator as a Symbol, by its samples: file text, names, inference as the original's; values as mx.nd's."""

import functools
import gzip
import json

import numpy as np
import paths
import pytest
import samples
from samples.common import describe_symbol, find_function, head_gradient, run

import mxnet as mx

GOLDEN = paths.GOLDEN / "symbols.json.gz"


@functools.cache
def golden():
    return json.loads(gzip.decompress(GOLDEN.read_bytes()))


CASES = [pytest.param(f, n, s, id=f"{f}-{n}") for f in samples.families() for n, s in samples.load(f) if not s.error]


@pytest.mark.parametrize(("family", "name", "sample"), CASES)
def test_symbol_is_the_originals(family, name, sample):
    expected = golden().get(f"{family}/{name}")
    if expected is None:
        pytest.skip("the original cannot make a symbol of this sample")
    given = json.loads(json.dumps(describe_symbol(mx, np, sample)))
    for key in ("arguments", "aux", "outputs", "json"):
        assert given[key] == expected[key], key
    for key in ("shapes", "types"):  # None: the original cannot tell, though it was given all inputs
        assert expected[key] is None or given[key] == expected[key], key


# What the original infers from the first input alone and we do not.
LESS = {
    "Concat": "an unknown size along the joined axis counts as 0 there",
    "concat": "an unknown size along the joined axis counts as 0 there",
    "_contrib_quantized_concat": "an unknown size along the joined axis counts as 0 there",
    "_contrib_calibrate_entropy": "its output, without knowing its inputs",
    "_rnn_param_concat": "an unknown size along the joined axis counts as 0 there",
    "pick": "the shape of a kept index",
    "scatter_nd": "its output, without knowing its inputs",
    "_backward_gather_nd": "its output, without knowing its inputs",
    "multi_sum_sq": "its output, without knowing its inputs",
    "multi_all_finite": "its output, without knowing its inputs",
    "amp_multicast": "one output of several",
}


def known_parts(partial):
    """What partial inference told, as {(part, index): shape} without what it left open."""
    return {(i, j): s for i, part in enumerate(partial) for j, s in enumerate(part) if s and 0 not in s}


@pytest.mark.parametrize(("family", "name", "sample"), CASES)
def test_inference_knows_as_much(family, name, sample):
    """From the first input alone we infer at least what the original does."""
    expected = golden().get(f"{family}/{name}") or {}
    if not expected.get("partial"):
        pytest.skip("the original infers nothing from the first input of this sample")
    if sample.op in LESS:
        pytest.skip(f"not inferred here: {LESS[sample.op]}")
    given = describe_symbol(mx, np, sample)["partial"]
    assert given is not None
    assert known_parts(expected["partial"]).items() <= known_parts(json.loads(json.dumps(given))).items()


@pytest.mark.parametrize(("family", "name", "sample"), CASES)
def test_executor_agrees_with_nd(family, name, sample):
    """The symbol run by an executor gives the outputs and gradients of the eager call."""
    if f"{family}/{name}" not in golden():
        pytest.skip("the original cannot make a symbol of this sample")
    mx.random.seed(3)
    values, gradients, _ = run(mx, sample)
    names = [f"in{i}" for i in range(len(sample.inputs))]
    variables = [None if a is None else mx.sym.var(n) for n, a in zip(names, sample.inputs, strict=True)]
    symbol = find_function(mx.sym, sample.op)(*variables, **sample.attrs)
    arrays = {
        n: mx.nd.array(a, dtype=a.dtype) for n, a in zip(names, sample.fresh_inputs(), strict=True) if a is not None
    }
    grads = {f"in{i}": mx.nd.zeros(sample.inputs[i].shape, dtype=sample.inputs[i].dtype) for i in sample.grad_indices()}
    arguments, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    executor = symbol.bind(
        mx.cpu(),
        {n: arrays[n] for n in arguments},
        args_grad={n: g for n, g in grads.items() if n in arguments},
        aux_states={n: arrays[n] for n in states},
    )
    mx.random.seed(3)
    outputs = executor.forward(is_train=sample.train)
    for a, b in zip(outputs, values, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b, rtol=1e-5, atol=1e-6)
    if gradients and sample.train:
        executor.backward([mx.nd.array(head_gradient(o.shape, o.dtype), dtype=o.dtype) for o in outputs])
        for i, value in gradients.items():
            np.testing.assert_allclose(grads[f"in{i}"].asnumpy(), value, rtol=1e-5, atol=1e-6)
    assert symbol.tojson() == mx.sym.load_json(symbol.tojson()).tojson()
