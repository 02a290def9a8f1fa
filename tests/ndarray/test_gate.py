"""The gate: every way to run an operator on arrays passes through one place."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.ndarray import gate


@pytest.fixture
def calls():
    """The names of the operators that run, in order."""
    seen = []

    def around(op, kernel):
        def run(*args, **kwargs):
            seen.append(op.name)
            return kernel(*args, **kwargs)

        return run

    restore = gate.intercept(around)
    yield seen
    restore()


def arrays(module):
    return module.array(np.arange(6.0).reshape(2, 3), dtype="float32"), module.ones((2, 3))


WAYS = {
    "array": (lambda x, y: x + y, "broadcast_add", "_npi_add"),
    "number": (lambda x, y: x + 2, "_plus_scalar", "_npi_add_scalar"),
    "reflected": (lambda x, y: 2 - x, "_rminus_scalar", "_npi_rsubtract_scalar"),
    "in place": (lambda x, y: x.__imul__(y), "broadcast_mul", "_npi_multiply"),
    "in place with a number": (lambda x, y: x.__imul__(3), "_mul_scalar", "_npi_multiply_scalar"),
    "comparison": (lambda x, y: x > y, "broadcast_greater", "_npi_greater"),
    "comparison with a number": (lambda x, y: x > 1, "_greater_scalar", "_npi_greater_scalar"),
    "method": (lambda x, y: x.sum(), "sum", "_np_sum"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("module", [nd, mx.np], ids=["nd", "np"])
@pytest.mark.parametrize("recorded", [False, True])
def test_whoever_intercepts_sees_every_call_once(calls, way, module, recorded):
    run, classic, numpy = WAYS[way]
    expected = run(*arrays(module))
    calls.clear()
    x, y = arrays(module)
    calls.clear()
    if recorded and not way.startswith("in place"):
        x.attach_grad()
        with mx.autograd.record():
            result = run(x, y)
    else:
        result = run(x, y)
    assert calls == [classic if module is nd else numpy]
    np.testing.assert_array_equal(result.asnumpy(), expected.asnumpy())


def test_the_shorter_ways_are_back_after_an_interception():
    before = {op: op.kernel for op in map(mx.ops.get, ("broadcast_add", "_plus_scalar", "dot"))}
    restore = gate.intercept(lambda op, kernel: lambda *args, **kwargs: kernel(*args, **kwargs))
    assert all(gate._kernel_of(op) is not kernel for op, kernel in before.items())
    restore()
    assert all(gate._kernel_of(op) is kernel is op.kernel for op, kernel in before.items())


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_a_kernel_runs_once_whatever_storage_it_gives(calls, stype):
    x = nd.array([[0, 1], [2, 0]])
    out = nd.sparse.zeros(stype, (2, 2))
    calls.clear()
    x.tostype(stype)
    nd.cast_storage(x, stype=stype, out=out)
    assert calls == ["cast_storage"] * 2
    np.testing.assert_array_equal(out.asnumpy(), x.asnumpy())


def test_sparse_inputs_are_seen_too(calls):
    x = nd.array([[0, 1], [2, 0]]).tostype("csr")
    calls.clear()
    nd.dot(x, nd.ones((2, 2)))
    nd.sparse.abs(x) * 2
    assert calls == ["dot", "abs", "_mul_scalar"]


def test_outputs_own_their_memory():
    x = nd.ones((2, 3))
    same = nd.identity(x)
    data = mx.sym.var("data")
    bound = mx.sym.Reshape(data, shape=(3, 2)).bind(mx.cpu(), {"data": x}).forward()[0]
    hybrid = mx.gluon.nn.HybridLambda("flatten")
    hybrid.hybridize()
    flat = hybrid(x)
    x[:] = 5
    for result in (same, bound, flat):
        assert (result.asnumpy() == 1).all()


def test_results_that_do_not_fit_out_are_refused():
    x = nd.ones((2, 2))
    with pytest.raises(mx.MXNetError, match="out has shape"):
        nd.relu(x, out=nd.zeros(3))
    with pytest.raises(mx.MXNetError, match="out is float64"):
        nd.relu(x, out=nd.zeros((2, 2), dtype="float64"))
    with pytest.raises(mx.MXNetError, match="has 2 outputs"):
        nd.split(x, num_outputs=2, out=[nd.zeros((2, 1))])
