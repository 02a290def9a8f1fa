"""Expressions over arrays of ``mx.np``, run by the recorder on the original and by the tests here."""

import re

import numpy as onp

DTYPES = "bool int8 uint8 int32 int64 float16 float32 float64".split()
_VALUES = [[0.25, -1.5, 2.0], [3.0, 0.5, -0.75]]
ARRAYS = {
    "a": onp.arange(12, dtype="float32").reshape(3, 4),
    "b": onp.array([True, False, True]),
    "f": onp.array([1.5, 2.0, 3.0], dtype="float32"),
    "h": onp.array([-1.5, -0.5, 0.5, 1.5, 2.5, 0.25], dtype="float32"),
    "i": onp.array([[1, 2], [3, 4]], dtype="int32"),
    "j": onp.array([2, 0, 1], dtype="int64"),
    "m": onp.array([[4, 1, 0.5], [1, 3, 0.25], [0.5, 0.25, 2]], dtype="float32"),
    "n": onp.array([[1, onp.nan, 3], [-onp.inf, onp.inf, 0]], dtype="float32"),
    "s": onp.array(2.5, dtype="float32"),
    "t": onp.linspace(-1, 1, 24, dtype="float32").reshape(2, 3, 4),
    "u": onp.array([[0.2, 0.4, 0.9], [0.7, 0.3, 0.6]], dtype="float32"),
    "v": onp.array([[0.5, -1.25, 2.0]], dtype="float32"),
    "w": onp.array([0.1, 0.2, 0.7], dtype="float64"),
    "z": onp.zeros((0, 3), dtype="float32"),
}
for _name in DTYPES:
    ARRAYS[f"x_{_name}"] = onp.array([[1, 0, 3], [2, 1, 1]]).astype(_name)
    ARRAYS[f"y_{_name}"] = onp.array([1, 2, 1]).astype(_name)

UNARY = """
abs absolute sign rint ceil floor trunc fix negative reciprocal square sqrt cbrt exp expm1 log log2 log10
log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians logical_not
isnan isinf isfinite isneginf isposinf fabs
""".split()
REDUCTIONS = "sum prod mean std var max min all any argmax argmin cumsum".split()
BINARY = """
add subtract multiply true_divide mod power maximum minimum hypot copysign arctan2 ldexp equal not_equal less
less_equal greater greater_equal
""".split()
INTEGER = "bitwise_and bitwise_or bitwise_xor lcm".split()


def _families():
    for name in UNARY:
        yield from (f"np.{name}({x})" for x in ("u", "s", "z", *(f"x_{d}" for d in DTYPES)))
    for name in REDUCTIONS:
        yield from (f"np.{name}(x_{d})" for d in DTYPES)
        yield from (f"np.{name}(t, axis={axis})" for axis in (None, 0, 1, -1))
        yield f"np.{name}(s)"
        if name not in ("argmax", "argmin", "cumsum"):
            yield from (f"np.{name}(t, axis={axis})" for axis in ((0, 2), (-1, 0)))
            yield f"np.{name}(t, axis=1, keepdims=True)"
            yield f"np.{name}(t, keepdims=True)"
            yield f"t.{name}(axis=0, keepdims=True)"
            if name not in ("max", "min", "std", "var", "mean", "prod"):
                yield f"np.{name}(z)"
    for name in (*BINARY, *INTEGER):
        for left in DTYPES:
            yield from (f"np.{name}(x_{left}, y_{right})" for right in DTYPES)
            yield from (f"np.{name}(x_{left}, {number})" for number in ("2", "2.5"))
            if name not in ("mod", "ldexp") or left != "bool":
                yield f"np.{name}(3, x_{left})"
    for name in BINARY:
        yield from (f"np.{name}({x}, {y})" for x, y in (("u", "v"), ("v", "u"), ("u", "s"), ("s", "s"), ("z", "v")))
        yield from (f"np.{name}(u, 1.5)", f"np.{name}(1.5, u)", f"np.{name}(2, 3)")
    for sign in "+ - * / % ** == != < <= > >=".split():
        yield from (
            f"u {sign} v",
            f"u {sign} 2",
            f"u {sign} 0.5",
            f"2 {sign} u",
            f"x_int32 {sign} 2",
            f"x_bool {sign} 2",
        )
    yield from (f"x_{d} {sign} y_{d}" for sign in "& | ^".split() for d in DTYPES)


PLAIN = """
a[0]|a[0, 0]|a[a > 5]|a[:, None]|a[..., 0]|a[[0, 1]]|a[j]|a[[0, 1], [1, 2]]|a[:, [0, 1]]|a[b]|a[[True, False, True]]
a[True]|a[None, 1]|a[1:, ::-1]|a[5]|a[0, 0, 0]|a[np.array(1)]|a[1.5]|a[a[:, 0] > 3, 1]|a[()]|f[0]|t[0, :, 1]
t[:, j > 0]|t[..., None]|t[j[1:], :, [0, 1]]|t[:, [0, 1], [1, 2]]|t[0, b]|a[-1]|a[::2]|a[1:1]|f[::-1]|s[()]|s[None]
z[0]|z[:, 0]|f[0].item()|float(f[0])|int(f[0])|bool(f[0])|f.item(1)|f.tolist()|len(f)|len(s)|list(f)|float(f)|f.size
a.ndim|a.T|s.T|a.reshape(2, 6)|a.reshape((-1, 2))|a.reshape(0, 4)|a.flatten()|f.astype(int)|f.astype('float64')
f.astype(bool)|a.transpose(1, 0)|t.transpose((1, 0, 2))|a.copy()|a.dot(a.T)|f.dot(f)|f @ f|t @ a.T|-f|abs(h)|~b|~i
f.squeeze()|a.repeat(2)|a.repeat(2, axis=1)|a.clip(1, 3)|h.round()|a.argsort()|a.swapaxes(0, 1)|a.take(j)|a.cumsum()
a.nonzero()|f.T|f.broadcast_to((2, 3))|f.mean(dtype='float64')|f.detach()|f.as_nd_ndarray().as_np_ndarray()
a.reshape_view(4, 3)|round(s, 1)|'%d' % s|f'{s:.2f}'|f'{f}'|repr(a)|repr(i)|repr(w)|repr(b)|repr(s)|repr(z)|str(s)
repr(np.ones(0))|repr(j)|max(f)|sum(f)|np.array([s, s])|np.array([f, f])|f.exp()|f.norm()|f + [1, 2, 3]|f == None
f // 2|f.asscalar()|np.array(1)|np.array(1.0)|np.array(True)|np.array([1, 2])|np.array([1.5])|np.array(onp.arange(3))
np.array(onp.ones(2))|np.array([])|np.array(())|np.array(onp.array(5))|np.array([[1, 2], [3, 4]], dtype=int)
np.array([1, 0], dtype='bool')|np.arange(3)|np.arange(1, 2, 0.3)|np.arange(5, 0, -1)|np.arange(0)
np.arange(3, dtype='int32')|np.zeros(3)|np.zeros(())|np.ones((2, 0))|np.full((2,), 1)|np.full((2,), 1.5)
np.full((2,), True)|np.full((), 1)|np.full(2, s)|np.eye(2)|np.eye(2, 3, 1)|np.eye(2, k=-1)|np.identity(2)
np.identity(2, dtype='int32')|np.linspace(0, 1, 3)|np.linspace(0, 1, 4, endpoint=False)
np.linspace(0, 1, 3, retstep=True)|np.logspace(0, 2, 3)|np.indices((2, 2))|np.zeros_like(i)
np.ones_like(i, dtype='float64')|np.full_like(f, 2)|np.hanning(5)|np.hamming(5)|np.ones(2, dtype=int)
np.ones(2, dtype=float)|np.meshgrid(f, j)|np.meshgrid(f, h, indexing='ij')|np.broadcast_arrays(f, a[:, :3])|np.sin(1)
np.add(1, 2)|np.equal(1, 2)|np.split(a, 2, axis=1)|np.split(a, [1, 2])|np.split(f, 2)|np.array_split(h, 4)
np.hsplit(a, 2)|np.hsplit(h, 3)|np.vsplit(a, 3)|np.dsplit(t, 2)|np.concatenate([f, f])|np.concatenate((a, a), axis=1)
np.concatenate((f, a), axis=None)|np.concatenate([i, a])|np.concatenate([z, v])|np.stack([f, f], axis=1)
np.stack([a, a], -1)|np.vstack([f, f])|np.hstack([f, f])|np.hstack([a, a])|np.dstack([f, f])|np.dstack([a, a])
np.column_stack([f, f])|np.row_stack([f, f])|np.append(f, f)|np.append(a, a, axis=0)|np.atleast_1d(s)|np.atleast_2d(f)
np.atleast_3d(h)|np.atleast_1d(f, a)|np.flip(f)|np.flip(a, 0)|np.flip(a, (0, 1))|np.fliplr(a)|np.flipud(a)
np.roll(f, 1)|np.roll(a, 1)|np.roll(a, (1, 2), (0, 1))|np.rot90(a)|np.rot90(a, 2, (0, 1))|np.expand_dims(f, 0)
np.expand_dims(f, -1)|np.squeeze(v)|np.squeeze(v, 0)|np.squeeze(a, 0)|np.swapaxes(t, 0, 2)|np.moveaxis(t, 0, 2)
np.moveaxis(t, (0, 1), (1, 2))|np.transpose(a)|np.transpose(t, (1, 0, 2))|np.ravel(a)|np.reshape(a, -1)
np.reshape(a, (2, -1))|np.reshape(a, (5, 2))|np.repeat(f, 2)|np.repeat(a, 2, axis=0)|np.tile(f, 2)
np.tile(a, (2, 1, 1))|np.tile(a, ())|np.broadcast_to(f, (2, 3))|np.broadcast_to(f, (2, 4))|np.resize(f, (2, 2))
np.resize(a, (2, 3))|np.trace(a)|np.trace(t)|np.trace(a, 1)|np.tril(a)|np.tril(a, -1)|np.diag(f)|np.diag(a)
np.diag(a, 1)|np.diag(t)|np.diagonal(a)|np.diagonal(t, 0, 1, 2)|np.diagflat(f)|np.diagflat(i, 1)
np.diag_indices_from(m)|np.where(h > 0)|np.where(h > 0, h, 0)|np.where(h > 0, 1, h)|np.where(h > 0, 1, 0)
np.where(h > 0, 1.5, 0)|np.where(b, f, v)|np.where(i > 1, i, 2.5)|np.where(i > 1, i, i.astype('float32'))
np.where(True, 1, 2)|np.where(j, f, f)|np.nonzero(a)|np.clip(h, -1, 1)|np.clip(h, 0, None)|np.clip(h, None, 1)
np.clip(i, 1.5, 2.5)|np.take(a, j)|np.take(a, j, axis=0)|np.take(a, j, axis=1)
np.take(a, np.array([10, 20]), mode='wrap')|np.take(a, np.array([30]), mode='clip')|np.take(a, 5)
np.unique(np.array([3, 1, 3]))
np.unique(np.array([3, 1, 3]), return_index=True, return_inverse=True, return_counts=True)|np.unique(i)|np.bincount(j)
np.bincount(j, minlength=5)|np.bincount(j, weights=f)|np.histogram(h, bins=3, range=(0, 2))
np.histogram(h, bins=np.array([0, 1, 2.0]))|np.histogram(h)|np.delete(f, 1)|np.delete(a, slice(0, 2), axis=1)
np.delete(a, j, axis=0)|np.delete(f, -1)|np.insert(f, 1, 5)|np.insert(f, -1, 5)|np.insert(f, slice(0, 2), 5)
np.unravel_index(j, (2, 2))|np.sort(h)|np.sort(a, axis=0)|np.sort(a, axis=None)|np.argsort(h)|np.argsort(a, axis=0)
np.diff(f)|np.diff(a, n=2, axis=0)|np.diff(f, prepend=1)|np.ediff1d(f)
np.ediff1d(a, to_begin=1, to_end=np.array([2, 3.0]))|np.average(f)|np.average(f, weights=f)
np.average(f, returned=True)|np.average(a, axis=1, weights=np.array([1, 2, 3, 4.0]), returned=True)
np.average(i, axis=0)|np.percentile(h, 30)|np.percentile(a, 25, axis=0, interpolation='lower')
np.percentile(f, np.array([20, 50]))|np.percentile(i, 50)|np.quantile(a, np.array([0.5]), axis=1)
np.quantile(h, 0.3, keepdims=True)|np.percentile(f, [20, 50])|np.var(a, axis=0, ddof=1)|np.std(f, ddof=1)
np.sum(i, dtype='float64')|np.mean(i, dtype='int32')|np.sum(f, initial=5)|np.dot(a, np.ones(4))|np.dot(f, f)
np.dot(s, a)|np.dot(t, a.T)|np.dot(t, np.ones((5, 4, 2)))|np.dot(a, a)|np.dot(i, i)|np.matmul(a, a.T)
np.matmul(t, np.ones((4,)))|np.matmul(t, a.T)|np.matmul(f, s)|np.inner(a, a)|np.inner(f, f)|np.outer(f, f)
np.vdot(a, a)|np.tensordot(a, a, axes=([0], [0]))|np.tensordot(f, f, 1)|np.tensordot(a, a, axes=0)|np.tensordot(a, a)
np.einsum('i,i', f, f)|np.einsum('ij,kj->ik', a, a, optimize=True)|np.einsum('ii', m)|np.einsum('ijk->kij', t)
np.einsum('ij->j', a)|np.polyval(f, f)|np.around(h)|np.round(h * 10, 1)|np.around(i)|np.nan_to_num(n)
np.nan_to_num(n, nan=5)|np.isnan(n)|np.isinf(n)|np.isfinite(n)|np.isposinf(n)|np.isneginf(n)|np.maximum(n, 1)
np.max(z, axis=1)|np.sum(z, axis=0)|np.mean(z)|np.pad(f, (1, 1))|np.pad(a, ((1, 0), (0, 1)), 'edge')
np.pad(a, ((1, 2), (2, 1)), mode='reflect')|np.pad(a, ((1, 2), (2, 1)), mode='symmetric')
np.pad(a, ((1, 0), (0, 1)), mode='maximum')|np.pad(a, ((1, 0), (0, 1)), mode='minimum')|np.pad(a, 1)|np.shape(a)
np.shares_memory(a, a[0])|np.shares_memory(a, f)|np.bitwise_not(i)|np.invert(b)|np.copy(f)|np.remainder(i, 2)
np.divide(i, 2)|np.sin(f, where=True)|np.sin(f, dtype='float32')|np.sin(mx.nd.ones(2))|mx.nd.relu(f)|f + mx.nd.ones(3)
mx.nd.ones(3) + f|np.linalg.norm(a)|np.linalg.norm(a, axis=1)|np.linalg.norm(a, ord=1)|np.linalg.norm(a, 'fro')
np.linalg.norm(f, 1)|np.linalg.norm(a, axis=(0, 1), keepdims=True)|np.linalg.norm(f, np.inf)|np.linalg.inv(m)
np.linalg.det(m)|np.linalg.slogdet(m)|np.linalg.cholesky(m)|np.linalg.solve(m, f)|np.linalg.solve(m, m)
np.linalg.eigvalsh(m)|np.linalg.pinv(m)|np.linalg.tensorinv(m, 1)|np.linalg.tensorsolve(m, f)|np.linalg.matrix_rank(m)
np.linalg.svd(m)[1]|np.linalg.eigh(m)[0]|np.linalg.eigvals(m)|npx.softmax(u)|npx.softmax(u, axis=0)|npx.log_softmax(u)
npx.one_hot(j, 4)|npx.pick(u, np.array([0, 1]))|npx.topk(a, k=2)|npx.topk(a, k=2, ret_typ='both')
npx.reshape(a, (-2, -1))|npx.reshape(t, (-5, -4))|npx.reshape(t, (-2, -6, 1, 3, -4))|npx.reshape(v, (-3, -1))
npx.reshape(t, (-4,))|npx.reshape(t, (-1, -2), reverse=True)|npx.relu(h)|npx.sigmoid(h)
npx.batch_dot(t, t, transpose_b=True)|npx.sequence_mask(a, np.array([1, 2, 3, 1]), True)|npx.arange_like(a)
npx.gamma(f)|npx.gammaln(f)|npx.erf(h)|npx.erfinv(u)|npx.nonzero(a)|npx.shape_array(a)
npx.leaky_relu(h, act_type='elu')|npx.smooth_l1(h)|npx.activation(h, act_type='softrelu')
npx.slice(a, begin=(0, 0), end=(1, 2))|npx.reshape_like(a, a.reshape(4, 3))|npx.cast(f, dtype='int32')
npx.embedding(j, m, input_dim=3, output_dim=3)|npx.layer_norm(a, np.ones(4), np.zeros(4))|npx.batch_flatten(t)
npx.fully_connected(a, np.ones((2, 4)), None, num_hidden=2, no_bias=True)|npx.gather_nd(a, np.array([[0, 1], [1, 2]]))
npx.fully_connected(mx.nd.ones((2, 4)), np.ones((2, 4)), None, num_hidden=2, no_bias=True)
npx.constraint_check(f > 0, 'm')|onp.sum(f)|onp.add(f, f)|onp.concatenate([f, f])|onp.sin(f)|onp.mean(f)
onp.logical_and(f, f)|onp.floor_divide(f, f)|onp.add(f, 1)|onp.multiply.reduce(f)|onp.allclose(f, f)
onp.array_equal(f, f)|onp.linalg.norm(f)|onp.stack([f, f])|onp.argmax(a, axis=0)|np.isclose(f, f)|np.count_nonzero(a)
np.argwhere(h > 0)|np.ptp(h)|np.cov(f)|np.interp(f, f, f)|np.searchsorted(f, s)
np.ceil(2)|np.floor(2)|np.trunc(-3)|np.fix(2)|np.rint(2)|np.floor(True)|np.ceil(2.5)|np.floor(onp.int32(2))|np.fabs(-2)
np.fabs(-2.5)|np.fabs(True)|np.nan_to_num(5)|np.nan_to_num(float('nan'), copy=False)|np.nan_to_num(True, neginf=1)
np.ravel(2)|np.ravel(2, order='F')|np.count_nonzero(a, axis=0)|np.count_nonzero([1, 0, 2])|np.signbit([1, -2])
np.polyint(2)|np.argwhere([0, 1])|np.intersect1d([1, 2], [2, 3])|np.promote_types(f, i).name|np.where(1, f)
np.where(0, f, 3)|np.rot90(a, axes=None)|np.insert(a, np.array([[0, 1]], dtype='int32'), 5)
np.bincount(np.array(2, dtype='int32'))
np.broadcast_to(f, (-1,))|np.full((-1,), f)|np.logspace(s, s)|np.logspace(0, 2, 3)|np.shares_memory(a[0], a[1])
np.shares_memory(a[:2], a[1])|np.may_share_memory(a[0], a[2])|np.shares_memory(f[:2], f[2:])
np.linalg.norm((a * 300).astype('float16'), axis=1)|np.linalg.norm((a * 300).astype('float16'), keepdims=True)
np.linalg.norm(b, axis=0)|np.linalg.norm(b, keepdims=True)|np.linalg.norm(a, axis=(0, 1, 2))
np.linalg.norm(t, axis=(0, 1, 2))
np.linalg.norm(z, np.inf)|np.linalg.norm(np.zeros((0,)), np.inf)|np.linalg.norm(np.zeros((0,)), -np.inf)
np.linalg.norm(f, 'nuc')|np.linalg.norm(a.astype('float64'), 0, axis=1)
np.copysign(h, np.array([-0.0]))|np.copysign(f, np.array([onp.nan, -1, 0]))|np.copysign(h, -0.0)|np.copysign(2.0, h)
"""
STATEMENTS = """
x[0] = 1|x[x == 0] = 5|x[:, 1] = np.array([1, 2, 3])|x[0, 0] = 2|x[[0, 1], [1, 2]] = 7|x[b] = 1|x[...] = 3|x[()] = 3
x[1:] += 2|x += 1|x[0] = [1, 2, 3, 4]|x[1] = onp.arange(4)|x[0, 1:3] = np.array([9, 8])|x[:] = mx.nd.ones((3, 4))
v = x[1]; v[:] = 4|v = x[:, 1]; v[:] = 4|v = x.reshape(4, 3); v[:] = 4|v = x.T; v[:] = 4|v = x[1:2, 1:3]; v[:] = 4
v = x[0, 1]; v[()] = 4|v = x.flatten(); v[:] = 1|v = x.squeeze(); v[:] = 1|x[5] = 1|x[0] = np.ones(3)
x = np.ones(2, dtype='int32'); x += 1.5|x = np.ones(2, dtype='int32'); x /= 2|x = np.ones(2); x **= 2
x = np.ones(2); v = x; v -= 1|x = np.ones(2); x %= 2|x = np.ones(2, dtype='int32'); x[0] = 2.7|x[::2] = 1
x[-1, ::-1] = np.arange(4)|x[:, None] = 2|x[x > 5] = 1|np.add(x, 1, out=x)|v = x.as_nd_ndarray(); v[:] = 8
np.random.shuffle(np.zeros(3))|x[b, 1] = 6|x.attach_grad(); x[:] = 3|x *= np.ones((3, 1))
mx.util.set_np_shape(False); x = np.linalg.det(np.eye(2))
mx.util.set_np_shape(False); x = np.linalg.slogdet(np.eye(2))[0]
mx.util.set_np_shape(False); x = np.linalg.slogdet(np.eye(2))[1]
mx.util.set_np_shape(False); x = np.linalg.det(np.ones((3, 2, 2)))
mx.util.set_np_shape(False); x = np.linalg.norm(x)|mx.util.set_np_shape(False); x = np.split(x, 3)[0]
mx.random.seed(1); x = np.random.normal(np.array([0.1], dtype='float16'), 1.7, size=(8,))
mx.random.seed(1); x = np.random.uniform(-5.3, np.array([0.1], dtype='float16'), size=(8,))
mx.random.seed(1); x = np.random.gumbel(np.array([0.1], dtype='float16'), 1.7, size=(8,))
mx.random.seed(1); x = np.random.logistic(np.array([0.1], dtype='float16'), 1.7, size=(8,))
mx.random.seed(1); x = np.random.exponential(np.array([1.7], dtype='float16'), size=(8,))
mx.random.seed(1); x = np.random.rayleigh(np.array([1.7], dtype='float16'), size=(8,))
mx.random.seed(1); x = np.random.pareto(np.array([2.3], dtype='float16'), size=(8,))
mx.random.seed(1); x = np.random.normal(np.ones(3), size=())
mx.random.seed(1); x = np.random.exponential(np.ones((2, 3)), size=())
"""


def _split(text):
    return [part.strip() for line in text.strip().splitlines() for part in line.split("|") if part.strip()]


def expressions():
    """All expressions, each once."""
    return list(dict.fromkeys([*_families(), *_split(PLAIN)]))


def statements():
    """Programs that change ``x``, zeros of shape (3, 4)."""
    return _split(STATEMENTS)


def _space(mx):
    from mxnet import np, npx

    arrays = {name: np.array(value, dtype=value.dtype) for name, value in ARRAYS.items()}
    return {"mx": mx, "np": np, "npx": npx, "onp": onp, **arrays}


def describe(value):
    """A result as plain data."""
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [describe(v) for v in value]]
    if hasattr(value, "asnumpy"):
        numbers = value.asnumpy()
        return [
            "array",
            type(value).__name__,
            numbers.dtype.name,
            list(numbers.shape),
            onp.asarray(numbers).ravel().tolist(),
        ]
    if isinstance(value, onp.ndarray):
        return ["numpy", value.dtype.name, list(value.shape), value.ravel().tolist()]
    if isinstance(value, onp.generic):
        return ["number", value.dtype.name, value.item()]
    return [type(value).__name__, value]


def run(mx, expression):
    """What an expression gives, and the gradients of the float32 arrays in it; None if it is refused."""
    space = _space(mx)
    names = [n for n in ARRAYS if ARRAYS[n].dtype == onp.float32 and re.search(rf"\b{n}\b", expression)]
    try:
        found = {"value": describe(eval(expression, dict(space)))}
    except Exception:
        return None
    head = found["value"]
    if head[0] == "array" and head[2] == "float32" and names and "repr" not in expression and head[4]:
        for name in names:
            space[name].attach_grad()
        try:
            with mx.autograd.record():
                result = eval(expression, dict(space))
            weights = onp.linspace(0.5, 1.5, result.size, dtype="float32").reshape(result.shape)
            result.backward(space["np"].array(weights))
            found["grad"] = {name: describe(space[name].grad) for name in names}
        except Exception:
            found["grad"] = None
    return found


def run_statement(mx, program):
    """``x`` after a program, None if it is refused."""
    space = _space(mx)
    space["x"] = space["np"].zeros((3, 4))
    try:
        exec(program, space)
    except Exception:
        return None
    finally:
        mx.npx.set_np()  # some leave np mode
    return describe(space["x"])


# ---- small trainings -------------------------------------------------------------------------------------------------


def _mlp(nn, rnn):
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu"), nn.Dense(3))
    return net, (4, 5)


def _lenet(nn, rnn):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, padding=1, activation="sigmoid"), nn.AvgPool2D(2, 2), nn.Conv2D(3, 2), nn.MaxPool2D(2, 1))
    net.add(nn.Flatten(), nn.Dense(3))
    return net, (2, 1, 8, 8)


def _normalized(nn, rnn):
    net = nn.HybridSequential()
    net.add(nn.Dense(6), nn.BatchNorm(), nn.Activation("tanh"), nn.LayerNorm(), nn.Dense(3))
    return net, (6, 5)


def _sequence(nn, rnn):
    net = nn.HybridSequential()
    net.add(rnn.LSTM(4, 2, layout="NTC"), nn.Dense(3))
    return net, (3, 4, 2)


TRAININGS = {
    "mlp sgd": (_mlp, "sgd", {"learning_rate": 0.1, "momentum": 0.9}),
    "mlp adam": (_mlp, "adam", {"learning_rate": 0.05}),
    "lenet adam": (_lenet, "adam", {"learning_rate": 0.05}),
    "lenet sgd": (_lenet, "sgd", {"learning_rate": 0.5, "wd": 0.01}),
    "normalized": (_normalized, "sgd", {"learning_rate": 0.1}),
    "sequence": (_sequence, "rmsprop", {"learning_rate": 0.02}),
}


def train(mx, name, hybridize):
    """The losses of a few steps from given weights, and what the network gives at last."""
    from mxnet import autograd, gluon, np
    from mxnet.gluon import nn, rnn

    make, optimizer, options = TRAININGS[name]
    net, shape = make(nn, rnn)
    numbers = onp.random.RandomState(5)
    X = np.array(numbers.uniform(0, 1, shape).astype("float32"))
    y = np.array(onp.arange(shape[0]) % 3, dtype="float32")
    net.initialize()
    net(X)
    for parameter in net.collect_params().values():
        if parameter.grad_req != "null":
            parameter.set_data(np.array(numbers.uniform(-0.5, 0.5, parameter.shape).astype("float32")))
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), optimizer, dict(options))
    loss, losses = gluon.loss.SoftmaxCrossEntropyLoss(), []
    for _ in range(5):
        with autograd.record():
            value = loss(net(X), y)
        value.backward()
        trainer.step(shape[0])
        losses.append(float(value.mean()))
    return {"losses": losses, "output": describe(net(X))}
