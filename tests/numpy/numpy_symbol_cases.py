"""Expressions of mx.np on symbols ``a``, ``b`` (2 x 3) and ``m`` (3 x 3): what files of such symbols hold, and give."""

import json

import numpy as np

TWO = """
add subtract multiply divide mod power maximum minimum hypot arctan2 ldexp equal not_equal less
less_equal greater greater_equal
"""
ONE = """
negative abs sign rint ceil floor trunc fix square sqrt cbrt exp expm1 log log10 log2 log1p sin cos
tan arctan sinh cosh tanh arcsinh degrees radians reciprocal logical_not isnan isinf isfinite
nan_to_num sum mean std var max min prod argmax argmin cumsum ravel sort argsort flip fliplr flipud
transpose zeros_like ones_like tril diag trace squeeze around diagonal diagflat
"""
OTHERS = """
a + 2
2 - a
a - 3.0
a / 2
2 / a
a % 2
5 % a
a**2
2**a
-a
a > 1
a == 1
S.matmul(a, m)
S.dot(a, m)
S.where(a > 1, a, 5.0)
S.where(a > 1, 5.0, a)
S.where(a > 1, 3.0, 4.0)
S.where(a > 1, a, b)
S.sum(a, axis=1, keepdims=True)
S.sum(a, axis=0, dtype='float64')
S.mean(a, axis=(0, 1))
S.std(a, axis=1, ddof=1)
S.clip(a, 0.5, 1.0)
S.tensordot(a, b, axes=([0, 1], [0, 1]))
S.outer(a.reshape(-1), b.reshape(-1))
S.inner(a, b)
S.vdot(a, b)
S.einsum('ij,kj->ik', a, b)
S.concatenate([a, b], axis=0)
S.concatenate([a, b], axis=1)
S.concatenate([a, b], axis=None)
S.stack([a, b], axis=1)
S.vstack([a, b])
S.hstack([a, b])
S.dstack([a, b])
S.column_stack([a, b])
S.split(a, 3, axis=1)[1]
S.array_split(a, 2, axis=1)[0]
S.hsplit(a, 3)[2]
S.vsplit(a, 2)[1]
S.reshape(a, (3, 2))
X.reshape(a, (-2, -2))
S.swapaxes(a, 0, 1)
S.moveaxis(a, 0, 1)
S.expand_dims(a, 1)
S.repeat(a, 2, axis=1)
S.tile(a, (2, 1))
S.roll(a, 1, axis=1)
S.broadcast_to(a, (2, 2, 3))
a[0:1]
a[1]
S.argmax(a, axis=1)
S.cumsum(a, axis=1)
S.diff(a, n=1, axis=1)
S.ediff1d(a)
S.full_like(a, 3.0)
S.linalg.inv(m)
S.linalg.det(m)
S.linalg.slogdet(m)[1]
S.linalg.solve(m, S.transpose(a))
S.linalg.norm(a)
S.linalg.norm(a, axis=1)
S.linalg.eigvalsh(m)
S.polyval(a.reshape(-1), b)
S.percentile(a, 50, axis=1)
S.arange(0, 6).reshape((2, 3)) + a
S.linspace(0, 1, 3) + a
S.eye(3) + m
S.identity(3) * m
S.ones((2, 3)) * a
S.tril(m, -1)
X.relu(a - 1)
X.sigmoid(a)
X.softmax(a, axis=-1)
X.log_softmax(a, axis=0)
X.activation(a, act_type='softrelu')
X.leaky_relu(a - 1, act_type='elu', slope=0.5)
X.one_hot(S.floor(a), 4)
X.pick(a, S.argmax(a, axis=1), axis=1)
X.topk(a, k=2, axis=1, ret_typ='value')
X.batch_dot(a.reshape((1, 2, 3)), m.reshape((1, 3, 3)))
X.gammaln(a)
X.erf(a)
X.layer_norm(a, S.ones((3,)), S.zeros((3,)), axis=-1, eps=1e-5)
X.smooth_l1(a, scalar=1.0)
X.reshape_like(a, b)
a.astype('int32')
X.embedding(S.floor(a) * 0 + 1, m, input_dim=3, output_dim=3)
X.fully_connected(a, m, no_bias=True, num_hidden=3)
a.mean()
a.T
a.std(axis=0)
a.argmax(axis=1)
a.var()
a.prod()
a.round()
"""
VALUES = {
    "a": [[0.5, 2.0, 1.0], [3.0, 0.25, 1.5]],
    "b": [[1.0, 0.5, 2.0], [2.0, 1.5, 0.75]],
    "m": [[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 2.0]],
}


def expressions():
    """All of them, as text."""
    two = [f"S.{name}({given})" for name in TWO.split() for given in ("a, b", "a, 2.0", "2.0, a")]
    return [*two, *(f"S.{name}(a)" for name in ONE.split()), *OTHERS.strip().split("\n")]


def symbol(mx, expression):
    """The symbol of an expression; names are counted anew."""
    with mx.name.NameManager():
        names = {name: mx.sym.var(name).as_np_ndarray() for name in VALUES}
        return eval(expression, {"S": mx.sym.np, "X": mx.sym.npx, **names})


def run(mx, text):
    """The names of the outputs of a symbol, as JSON text, and the numbers that it gives."""
    loaded = mx.sym.load_json(text)
    given = {name: mx.np.array(VALUES[name]) for name in loaded.list_arguments()}
    outputs = loaded.bind(mx.cpu(), given, grad_req="null").forward()
    shown = [
        [np.dtype(o.dtype).name, list(o.shape), np.asarray(o.asnumpy(), dtype="float64").ravel().tolist()]
        for o in outputs
    ]
    return {"outputs": loaded.list_outputs(), "values": json.loads(json.dumps(shown))}
