"""Export of the NumPy interface to ONNX: expressions of mx.np, run by onnxruntime against ours."""

import numpy as np
import pytest

import mxnet as mx

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

#: Expressions in np and npx, of arrays a, b (2, 3, 4), m (4, 5), v (4,), i (2, 3, 4; int32), k (booleans as b > 0).
CASES = """
np.abs(a) | np.exp(a) | np.log(a * a + 1) | np.log1p(a * a) | np.expm1(a) | np.sqrt(a * a) | np.square(i)
np.sin(a) | np.tanh(a) | np.arctan(a) | np.arcsinh(a) | np.cosh(a) | np.floor(a * 3) | np.ceil(i) | np.rint(a * 3)
np.trunc(a * 3) | np.fix(a * 3) | np.sign(a) | np.negative(i) | np.reciprocal(a + 3) | np.cbrt(a) | np.degrees(a)
np.radians(a) | np.log2(a * a + 1) | np.log10(a * a + 1) | np.around(a * 30, 1) | np.around(a * 3) | npx.relu(a)
npx.sigmoid(a) | np.copy(a) | npx.softmax(a) | npx.log_softmax(a, axis=1) | np.clip(a, -0.3, 0.3)
np.nan_to_num(np.log(a)) | np.isnan(np.log(a)) | np.isinf(a / (a - a)) | np.isfinite(np.log(a)) | np.logical_not(i)
np.logical_not(a > 0) | a + b | a - b | a * b | a / b | a + i | i * i | i / 2 | i - 2 | 2 - i | a ** 2
(a + 2) ** b | 2 ** a | 3 / (a + 2) | 1 - a | i % 3 | a % 0.3 | 5 % (a + 2) | np.mod(a, b) | np.maximum(a, b)
np.minimum(a, 0.1) | np.hypot(a, b) | np.arctan2(a, b) | np.arctan2(a, 0.5) | a + v | a * v - 1
np.ldexp(a, i.astype('float32')) | i + 0.5 | a > b | a <= 0.2 | i == 1 | i != 1 | np.less(a, v) | np.equal(i, i)
i > 0.5 | (a > 0) == (b > 0) | np.where(a > 0, a, b) | np.where(a > 0, 1.0, b) | np.where(i, a, 0.0)
np.where(a > b, 2.0, 3.0) | a.sum() | np.sum(a, axis=1) | np.sum(i, axis=(0, 2)) | np.mean(a) | np.mean(i, axis=-1)
np.mean(a, axis=(1, 2), keepdims=True) | np.prod(a, axis=0) | np.max(a) | np.max(i, axis=1, keepdims=True)
np.min(a, axis=(0, 1)) | np.std(a) | np.var(a, axis=1) | np.var(a, axis=-1, ddof=1, keepdims=True)
np.all(a > -2, axis=0) | np.any(i, axis=1) | np.argmax(a, axis=1) | np.argmin(a) | np.argmax(a, axis=-1)
np.average(a, axis=1) | np.cumsum(a, axis=1) | np.linalg.norm(a) | np.linalg.norm(a, axis=1) | np.reshape(a, (6, 4))
a.reshape(-1, 2) | npx.reshape(a, (-2, -1)) | np.squeeze(np.expand_dims(a, 1), 1) | np.transpose(a)
np.transpose(a, (1, 0, 2)) | a.T | np.swapaxes(a, 0, 2) | np.moveaxis(a, 0, -1) | np.moveaxis(a, (0, 1), (2, 0))
np.flip(a, 1) | np.flip(a, (0, 2)) | np.rot90(m) | np.rot90(m, 3) | np.rot90(m, 2) | np.roll(a, 1)
np.roll(a, 2, axis=1) | np.roll(a, (1, -1), axis=(0, 2)) | np.concatenate([a, b], axis=1)
np.concatenate([a, b], axis=None) | np.stack([a, b], axis=-1) | np.hstack([a, b]) | np.vstack([v, v])
np.dstack([m, m]) | np.column_stack([v, v]) | np.hstack([v, v]) | np.split(a, 3, axis=1) | np.hsplit(m, 5)
np.broadcast_to(v, (3, 4)) | np.full_like(a, 3) | np.zeros_like(a) | np.ones_like(i) | np.tile(a, (1, 2))
np.repeat(a, 2, axis=1) | np.pad(m, ((1, 2), (0, 1))) | np.pad(m, ((1, 1), (1, 1)), mode='edge') | np.diff(a)
np.diff(a, n=2, axis=1) | np.pad(m, ((1, 1), (1, 1)), mode='reflect') | np.tril(m) | np.tril(m, k=1)
np.diagonal(a, 1, 1, 2) | np.trace(m) | np.diag(m, 1) | np.atleast_2d(v) | np.expand_dims(v, 0) | a[1] | a[:, 1:3]
a[:, ::-1] | np.take(a, i[0, 0], axis=1) | a >= a * 2 | npx.one_hot(i, 3) | npx.pick(a, i[:, :, 0])
np.matmul(a, m) | a @ m | np.dot(a, m) | np.dot(a, v) | np.dot(v, v) | np.tensordot(a, m, axes=1)
np.dot(m.T, np.transpose(a, (0, 2, 1))) | np.tensordot(a, b, axes=([0, 1], [0, 1])) | np.einsum('ijk,kl->ijl', a, m)
np.einsum('ijk->ik', a) | np.inner(a, v) | np.outer(v, v) | np.vdot(v, v) | a + np.arange(4)
a * np.ones((4,)) + np.zeros((3, 1)) | m @ np.eye(5) | np.linspace(0, 1, 4) + a | a.astype('int32')
(a > 0).astype('float32') | npx.topk(a, k=2, ret_typ='value') | np.sort(a, axis=1)
npx.batch_dot(a, b, False, True) | np.percentile(a, 30) | np.percentile(a, 30, axis=1, keepdims=True)
np.percentile(a, 70, axis=(0, 2), interpolation='midpoint') | np.quantile(i, 0.4, axis=-1, interpolation='nearest')
np.quantile(a, 0.5, axis=1) | np.linalg.det(a[:, :, :3]) | np.copysign(a, b) | np.polyval(v, a)
np.linalg.norm(a, axis=(0, 2)) | np.linalg.norm(m, 'fro', keepdims=True) | np.linalg.norm(m, 1) | np.linalg.norm(m, -1)
np.linalg.norm(m, float('inf'), keepdims=True) | np.linalg.norm(a, -float('inf'), axis=(2, 0)) | np.linalg.norm(v, 3)
np.linalg.norm(a, 1, axis=0) | np.linalg.norm(a, float('inf'), axis=1)
np.linalg.norm(a, -float('inf'), axis=-1, keepdims=True)
np.linalg.norm(a, -0.5, axis=1) | np.linalg.norm(i, axis=1) | np.linalg.norm(i, 0, axis=(1,)) | np.linalg.norm(i)
np.copysign(a, -2.0) | (a > 0) & (b > 0) | np.bitwise_or(a > 0, b > 0) | np.bitwise_xor(a > 0, b > 0) | ~(a > 0)
"""
#: Those that only newer opsets have operators for.
NEWER = "np.bitwise_and(i, i + 1) ; np.bitwise_or(i, 1) ; np.bitwise_xor(i, i - 2) ; np.bitwise_not(i)".split(" ; ")
#: Draws, with the mean and the deviation of the numbers.
DRAWN = {
    "np.random.uniform(-1, 3, size=(100, 200))": (1, 4 / 12**0.5),
    "np.random.normal(2, 0.5, size=(100, 200))": (2, 0.5),
    "np.random.exponential(2.0, size=(100, 200))": (2, 2),
    "np.random.gumbel(1.0, 2.0, size=(100, 200))": (1 + 2 * 0.5772, 2 * 1.2825),
    "np.random.logistic(1.0, 2.0, size=(100, 200))": (1, 2 * 1.8138),
    "np.random.rayleigh(2.0, size=(100, 200))": (2 * 1.2533, 2 * 0.6551),
    "np.random.weibull(2.0, size=(100, 200))": (0.8862, 0.4633),
    "np.random.pareto(9.0, size=(100, 200))": (1 / 8, 1 / 8 * (9 / 7) ** 0.5),
    "npx.random.bernoulli(0.3, size=(100, 200))": (0.3, 0.21**0.5),
    "np.random.randint(2, 7, size=(100, 200))": (4, 2**0.5),
}
EXPRESSIONS = [line.strip() for line in CASES.replace("\n", " | ").split(" | ") if line.strip()]


def inputs():
    random = np.random.RandomState(5)
    found = {name: random.uniform(-1, 1, (2, 3, 4)).astype("float32") for name in "ab"}
    found["m"] = random.uniform(-1, 1, (4, 5)).astype("float32")
    found["v"] = random.uniform(-1, 1, 4).astype("float32")
    found["i"] = random.randint(0, 3, (2, 3, 4)).astype("int32")
    return found


@pytest.fixture(autouse=True)
def numpy_mode():
    mx.npx.set_np()
    yield
    mx.npx.reset_np()


def outcome(expression, path, opset=None):
    """What is wrong with an expression in onnxruntime; '' if nothing is."""
    given = inputs()
    symbols = {name: mx.sym.var(name).as_np_ndarray() for name in given}
    graph = eval(expression, {"np": mx.sym.np, "npx": mx.sym.npx, **symbols})
    graph = mx.sym.Group(list(graph)) if isinstance(graph, list | tuple) else graph
    used = {name: given[name] for name in graph.list_inputs()}
    arrays = {name: mx.np.array(value, dtype=value.dtype) for name, value in used.items()}
    wanted = [w.asnumpy() for w in graph.bind(mx.cpu(), arrays).forward()]
    mx.onnx.export_model(
        graph, {}, [v.shape for v in used.values()], [v.dtype for v in used.values()], path, opset_version=opset
    )
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    found = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"]).run(None, used)
    for a, b in zip(found, wanted, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{a.shape} {a.dtype}, not {b.shape} {b.dtype}"
        if not np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True):
            return f"{np.abs(a - b).max()} apart"
    return ""


@pytest.mark.parametrize("opset", [None, 26])
def test_expressions_of_numpy(opset, tmp_path):
    failed = {}
    for expression in EXPRESSIONS + (NEWER if opset else []):
        try:
            wrong = outcome(expression, str(tmp_path / "e.onnx"), opset)
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"[:400]
        if wrong:
            failed[expression] = wrong
    assert not failed, "\n".join(f"{key}: {text}" for key, text in failed.items())


@pytest.mark.parametrize("expression", DRAWN)
def test_random_numbers_are_of_the_distribution(expression, tmp_path):
    mean, deviation = DRAWN[expression]
    graph = eval(expression, {"np": mx.sym.np, "npx": mx.sym.npx}).astype("float32") + mx.sym.var("a").as_np_ndarray()
    path = mx.onnx.export_model(graph, {}, [(1,)], np.float32, str(tmp_path / "r.onnx"))
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    found = session.run(None, {"a": np.zeros(1, "float32")})[0]
    assert found.shape == (100, 200)
    assert abs(found.mean() - mean) < 8 * deviation / len(found.ravel()) ** 0.5
    assert abs(found.std() - deviation) < 0.1 * deviation


def test_what_onnx_has_no_operators_for_is_told_at_once(tmp_path):
    a = mx.sym.var("a").as_np_ndarray()
    graph = mx.sym.np.linalg.cholesky(a) + mx.sym.np.linalg.inv(a) + mx.sym.np.random.gamma(2.0, size=(3, 3))
    graph = graph + mx.sym.np.linalg.norm(a, "nuc")
    with pytest.raises(mx.MXNetError) as raised:
        mx.onnx.export_model(graph, {}, [(3, 3)], np.float32, str(tmp_path / "n.onnx"))
    assert all(name in str(raised.value) for name in ("_npi_cholesky", "_linalg_inverse", "_npi_gamma", "_npi_norm"))


def test_a_network_of_the_numpy_interface(tmp_path):
    class Net(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.dense = mx.gluon.nn.Dense(4)

        def hybrid_forward(self, F, x):
            y = self.dense(x)
            z = F.np.where(y > 0, y, F.np.exp(y) - 1).mean(axis=-1, keepdims=True)
            return F.np.concatenate([z, F.npx.softmax(y) @ F.np.ones((4, 2))], axis=1)

    def run(path, data):
        session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
        return session.run(None, {session.get_inputs()[0].name: data})[0]

    data = np.random.RandomState(0).uniform(-1, 1, (3, 5)).astype("float32")
    net = Net()
    net.initialize()
    path = mx.onnx.export_model(net, None, [data.shape], np.float32, str(tmp_path / "n.onnx"), dynamic=True)
    wanted = net(mx.np.array(data)).asnumpy()
    np.testing.assert_allclose(run(path, data), wanted, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(run(path, data[:2]), wanted[:2], rtol=1e-4, atol=1e-6)
    net.hybridize()
    net(mx.np.array(data))
    net.export(str(tmp_path / "net"))
    mx.npx.reset_np()  # from files it goes in either mode
    files = [str(tmp_path / name) for name in ("net-symbol.json", "net-0000.params")]
    again = mx.onnx.export_model(*files, [data.shape], np.float32, str(tmp_path / "again.onnx"))
    np.testing.assert_allclose(run(again, data), wanted, rtol=1e-4, atol=1e-6)
