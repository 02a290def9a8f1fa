# ruff: noqa: E501 - the lines of the table are long
"""Calls of every function of ``mx.np`` and ``mx.npx`` over shapes and dtypes, run on the original and here.

A call is a line of text in ``CALLS`` with letters for arrays. The first array has every shape of ``SHAPES`` and every
dtype of ``DTYPES``; a second one, where there is one, has the shapes of ``PAIRS`` and, for one pair, all pairs of dtypes.
Each case is run eagerly, then recorded with its gradients, then, for some shapes and dtypes, in a hybridized block.
"""

import functools
import itertools
import re

import numpy as onp

DTYPES = "bool int8 uint8 int32 int64 float16 float32 float64".split()
SHAPES = [(), (0,), (1,), (3,), (2, 0), (2, 3), (2, 1, 3)]
#: Shapes of two arrays that meet in a function of two.
PAIRS = [
    *((s, s) for s in SHAPES),
    *(((1,), (3,)), ((3,), (1,)), ((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 1, 3), (2, 3)), ((2, 0), (0,)), ((0,), (1,))),
    *(((2, 3), ()), ((), (2, 3)), ((2, 0), (2, 1)), ((3,), (2,)), ((2, 3), (2, 0))),
]
#: Shapes of two arrays that are multiplied as matrices.
PRODUCTS = [
    *(((), ()), ((), (3,)), ((3,), (3,)), ((1,), (1,)), ((0,), (0,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 2))),
    *(
        ((2, 0), (0, 2)),
        ((2, 0), (0,)),
        ((0, 2), (2, 0)),
        ((2, 1, 3), (3, 2)),
        ((2, 1, 3), (3,)),
        ((2, 1, 3), (2, 3, 1)),
    ),
    *(((2, 3), (2, 3)), ((3,), (2,)), ((2, 3), (2, 1, 3)), ((3, 2), (1, 2, 1)), ((2, 3), ()), ((1, 1), (1, 1))),
]
#: Square matrices and their neighbours.
SQUARES = [(), (0,), (3,), (0, 0), (1, 1), (2, 2), (3, 3), (2, 3), (2, 2, 2), (0, 2, 2), (2, 0, 0)]

#: Values by letter, repeated as often as a shape takes: X any, U between 0 and 1, P from 1 on, K small whole numbers.
VALUES = {
    "X": [0.25, -1.5, 2.0, 0.75, -0.5, 1.25],
    "Y": [1.5, 0.5, -2.0, 2.25, 1.0, -0.25],
    "U": [0.25, 0.5, 0.75, 0.125, 0.625, 0.375],
    "P": [1.25, 2.0, 1.5, 3.0, 2.5, 1.75],
    "Q": [2.0, 1.5, 3.0, 1.25, 1.75, 2.5],
    "K": [1, 0, 2, 1, 2, 0],
    "G": [2.0, 1.5, 0.5],
    "B": [0.25, -0.5, 1.0],
    "N": [onp.nan, 1.5, onp.inf, -onp.inf, 0.0, -2.5],
    "M": [4.0, 1.0, 0.5, 1.0, 3.0, 0.25, 0.5, 0.25, 2.0],
}
#: The same where the dtype has no fractions.
WHOLE = {
    "X": [2, -1, 0, 3, -2, 1],
    "Y": [1, 3, -2, 2, -1, 1],
    "U": [0, 1, 1, 0, 1, 0],
    "P": [1, 2, 3, 1, 5, 2],
    "Q": [2, 1, 3, 1, 2, 4],
    "N": [0, 1, 5, -5, 3, -2],
    "M": [4, 1, 0, 1, 3, 1, 0, 1, 2],
}


def values(letter, shape, dtype):
    """The array that a letter stands for."""
    kind = onp.dtype(dtype)
    numbers = VALUES[letter] if kind.kind == "f" else WHOLE.get(letter, VALUES[letter])
    if kind.kind == "u":
        numbers = [abs(n) for n in numbers]
    size = int(onp.prod(shape))
    return onp.array((numbers * (size // len(numbers) + 1))[:size], float).reshape(shape).astype(kind)


UNARY_X = """absolute abs sign rint ceil floor trunc fix negative square cbrt exp expm1 sin cos tan arctan sinh cosh tanh
arcsinh degrees radians logical_not isnan isinf isfinite isneginf isposinf fabs bitwise_not invert deg2rad rad2deg""".split()
BINARY = """add subtract multiply true_divide divide mod remainder power maximum minimum hypot copysign arctan2 ldexp equal
not_equal less less_equal greater greater_equal bitwise_and bitwise_or bitwise_xor lcm""".split()
AXES = ("0", "-1", "1", "(0, 1)", "()")
METHODS = """all any max min sum prod mean std var cumsum argmax argmin argsort copy flatten repeat(2) round squeeze
broadcast_to((2,3)) nonzero reshape(-1) reshape(0,-1) reshape((-1,1)) transpose transpose(None) swapaxes(0,1) clip(0,1)
clip(None,1) take(K) astype('float16') astype('int32') astype('bool') astype(None) tolist item dot(X) detach
as_nd_ndarray reshape_view(-1) std(ddof=1) var(axis=0) max(axis=0) argmax(axis=0) cumsum(axis=0) repeat(2,axis=0)
round(1) squeeze(0) mean(dtype='float64') sum(dtype='int32') prod(axis=-1) all(axis=0) min(keepdims=True)""".split()


def _table():
    """Lines of ``kind | call``; the kind says which shapes its arrays have."""
    for name in UNARY_X:
        yield f"np.{name}(X)"
    for name in "sqrt log log2 log10 log1p reciprocal arccosh".split():
        yield f"np.{name}(P)"
    for name in "arcsin arccos arctanh".split():
        yield f"np.{name}(U)"
    for name in "sum prod mean std var max min amax amin all any".split():
        yield f"np.{name}(X)"
        yield from (f"np.{name}(X, axis={axis})" for axis in AXES)
        yield f"np.{name}(X, keepdims=True)"
        yield f"np.{name}(X, axis=0, keepdims=True)"
        if name in ("sum", "prod", "mean", "std", "var"):
            yield from (f"np.{name}(X, dtype='{d}')" for d in ("int32", "float16", "float64"))
            yield f"np.{name}(X, axis=-1, dtype='float32')"
        yield f"np.{name}(N)"
    yield from ("np.std(X, ddof=1)", "np.var(X, axis=0, ddof=1)", "np.product(X)", "np.sometrue(X, axis=0)")
    for name in ("argmax", "argmin"):
        yield from (f"np.{name}(X)", f"np.{name}(X, axis=0)", f"np.{name}(X, axis=-1)", f"np.{name}(X, axis=1)")
        yield f"np.{name}(N)"
    for name in ("argsort", "sort"):
        yield from (f"np.{name}(X{axis})" for axis in ("", ", axis=0", ", axis=None", ", axis=-2"))
    yield from (f"np.cumsum(X{more})" for more in ("", ", axis=0", ", axis=1", ", axis=-1", ", dtype='float64'"))
    yield from (f"np.cumsum(X{more})" for more in (", dtype='int32'", ", axis=0, dtype='float32'"))
    for name in BINARY:
        yield f"np.{name}(X, Y)"
        yield from (f"np.{name}(X, {n})" for n in ("2", "0.5", "True", "onp.float32(1.5)", "onp.int64(3)"))
        yield from (f"np.{name}({n}, P)" for n in ("2", "0.5"))
    yield "np.power(P, Q)"
    for sign in "+ - * / % ** == != < <= > >= & | ^ //".split():
        yield from (f"X {sign} Y", f"X {sign} 2", f"2 {sign} P", f"X {sign} 0.5", f"X {sign} True")
    yield from (
        "-X",
        "abs(X)",
        "~X",
        "+X",
        "round(X, 1)",
        "X @ X",
        "X.T",
        "X == None",
        "len(X)",
        "bool(X)",
        "float(X)",
        "int(X)",
    )
    yield from (f"X.{m}" if m.endswith(")") else f"X.{m}()" for m in METHODS)
    yield from ("X.size", "X.ndim", "X.shape", "list(X)", "repr(X)", "str(X)", "f'{X}'", "f'{X:.2f}'")
    yield from _shapes()
    yield from _joins()
    yield from _selections()
    yield from _products()
    yield from _statistics()
    yield from _linalg()
    yield from _extension()
    yield from _indexing()
    yield from _writes()
    yield from _random()
    yield from _attributes()
    yield from _creations()
    yield from _normalizations()
    yield from _fallbacks()


def _attributes():
    """More of the arguments that functions take."""
    yield from (f"(np.nan_to_num({a}), N)[1]" for a in ("N, copy=False", "N", "N, copy=False, nan=7.0"))
    yield from (
        f"npx.reshape(X, {s})"
        for s in (
            "(-2, -2, 1)",
            "(-5,)",
            "(-6, -1, 1)",
            "(-2, -6, 1, 3)",
            "(6,)",
            "(-1, 3)",
            "(0,)",
            "()",
            "-2",
            "(-4, 1)",
        )
    )
    yield from (f"npx.reshape(X, {s}, reverse=True)" for s in ("-1", "(-1, -2)", "(-4, -2)", "(-5,)", "(-2, -5)"))
    yield from (f"np.reshape(X, {s}, order='{o}')" for s in ("-1", "(3, -1)") for o in "CFA")
    yield from (f"X.reshape({s})" for s in ("3, 2", "(6,)", "-1, 1, 1", "()", "2, -1, order='C'", "2, -1, order='F'"))
    yield from (f"np.ravel(X, order='{o}')" for o in "CFK")
    for text in (
        "ij->ij",
        "ii->i",
        "ii",
        "ijk->kji",
        "ijk->",
        "...i->...",
        "i...->...",
        "ij...->ji...",
        "i",
        "ijk->ik",
    ):
        yield f"np.einsum('{text}', X)"
    for text in (
        "ij,kj->ik",
        "ij,ij->ij",
        "ij,ij",
        "i,j->ij",
        "...j,...j->...",
        "ij, jk -> ik",
        "ij,j->i",
        "i,i->",
        ",->",
        "...,...",
        "ij,k->ijk",
    ):
        yield f"np.einsum('{text}', X, Y)"
    yield from (
        f"np.pad(X, ((1, 0), (2, 1)), mode='{m}')"
        for m in ("constant", "edge", "reflect", "symmetric", "maximum", "minimum")
    )
    yield from (
        f"np.pad(X, ((0, 1), (1, 0), (1, 1)), mode='{m}')"
        for m in ("constant", "edge", "reflect", "symmetric", "maximum", "minimum")
    )
    yield from (
        "np.pad(X, ((1, 1),), constant_values=(1, 2))",
        "np.pad(X, ((1, 1),), mode='reflect', reflect_type='odd')",
        "np.pad(X, ((0, 0),))",
    )
    yield from (f"np.moveaxis(X, {a})" for a in ("1, 0", "[0, 1], [-1, -2]", "0, 0", "-1, 0", "(0, 0), (0, 1)", "2, 0"))
    yield from (f"np.rot90(X, {a})" for a in ("1, (1, 0)", "3", "5", "-2", "1, (0, -1)", "1, (0, 0)"))
    yield from (
        f"np.roll(X, {a})" for a in ("7", "-1, axis=1", "(1,), (0,)", "1, (0, 1)", "(1, 2, 3), (0, 1, 0)", "1, axis=5")
    )
    yield from (f"np.trace(X, {a})" for a in ("-1", "5", "0, 0, 2", "0, -2, -1", "0, 1, 1"))
    yield from (f"np.diagonal(X, {a})" for a in ("-1", "5", "0, 1, 2", "0, 0, 0"))
    yield from (f"np.tile(X, {a})" for a in ("(2, 2)", "[2]", "(0, 2)", "(1,)"))
    yield from (f"np.repeat(X, {a})" for a in ("3, 1", "0, axis=0", "-1", "2, axis=2"))
    yield from (
        f"np.insert(X, {a})"
        for a in (
            "2, 1, axis=1",
            "-1, 7, axis=0",
            "slice(None, None, 2), 1, axis=0",
            "np.array([1, 0], dtype='int64'), 3, axis=-1",
        )
    )
    yield from (
        f"np.insert(X, {a})"
        for a in (
            "np.array([0, 0], dtype='int64'), 3",
            "np.array(1, dtype='int64'), 3",
            "1, np.array(4.0)",
            "0, np.array([1, 2])",
            "0, np.array([[9]]), axis=0",
        )
    )
    yield from (
        f"np.delete(X, {a})"
        for a in (
            "-1, axis=-1",
            "slice(-2, None), axis=1",
            "np.array([0, 0], dtype='int64'), axis=0",
            "[0, 1]",
            "9, axis=0",
            "slice(2, 0, -1)",
            "np.array([True, False, True])",
        )
    )
    yield from (
        f"np.unique(X, {a})"
        for a in (
            "return_index=True",
            "return_inverse=True",
            "axis=1",
            "axis=-1, return_counts=True",
            "axis=0, return_index=True, return_inverse=True",
        )
    )
    yield from (
        f"npx.topk(X, {a})"
        for a in (
            "k=3, ret_typ='both'",
            "k=2, axis=1, ret_typ='value', is_ascend=True",
            "k=1, ret_typ='mask', axis=0",
            "k=9",
            "k=2, dtype='float64'",
            "k=1, axis=-1, ret_typ='both', dtype='int32'",
        )
    )
    yield from (
        "npx.softmax(X, np.array([1, 2]), axis=-1, use_length=True)",
        "npx.softmax(X, np.array([1, 2], dtype='int32'), use_length=True)",
        "npx.log_softmax(X, temperature=0.5)",
    )
    yield from (
        f"npx.sequence_mask(X, np.array([1, 2, 1]), use_sequence_length=True, {a})"
        for a in ("value=-1.0", "axis=1", "axis=1, value=2.0")
    )
    yield from (
        "npx.pick(X, K, axis=1, mode='clip')",
        "npx.pick(X, np.array([5, -1]), axis=1, mode='clip')",
        "npx.pick(X, np.array([5, -1]), axis=1, mode='wrap', keepdims=True)",
    )
    yield from (f"npx.arange_like(X, {a})" for a in ("start=2", "step=0.5", "axis=0, repeat=2", "axis=1"))
    yield from (f"npx.batch_dot(X, X, {a})" for a in ("transpose_a=True", "transpose_a=True, transpose_b=True"))
    yield from (
        f"np.linspace({a})"
        for a in ("0, 1, 5, endpoint=False", "1, 0, 3", "0, 1, -1", "0, 10", "0, 1, 2, axis=1", "X, 1, 3")
    )
    yield from (
        f"np.histogram(X, {a})"
        for a in (
            "bins=2, range=(0, 1)",
            "bins=np.array([0.0, 1.0, 2.0])",
            "bins=2, range=(0, 1), density=True",
            "bins=[0, 1]",
        )
    )
    yield from (
        f"np.quantile(X, {a})"
        for a in ("1.5", "0", "1", "np.array(0.5)", "np.array([0.5]), axis=(0, 1)", "0.5, axis=()")
    )
    yield from (
        f"np.average(X, {a})"
        for a in (
            "axis=(0, 1)",
            "axis=1, returned=True",
            "weights=np.array([1.0, 2.0, 3.0]), axis=-1",
            "weights=np.array([1.0, -1.0])",
            "axis=5",
        )
    )
    yield from (f"np.bincount(K, {a})" for a in ("minlength=-1", "weights=np.ones(3)", "weights=np.ones(2)"))
    yield from (f"np.argsort(X, {a})" for a in ("axis=1, kind='stable'", "axis=5", "order='x'"))
    yield from (
        f"np.sum(X, {a})"
        for a in ("initial=1", "axis=(0, 0)", "axis=5", "axis=[0]", "out=None", "dtype='bool'", "axis=-2")
    )
    yield from (
        f"np.max(X, {a})" for a in ("initial=1", "axis=(0, 0)", "axis=5", "axis=(-1,)", "axis=-2, keepdims=True")
    )
    yield from (f"np.expand_dims(X, {a})" for a in ("(0, 1)", "-4", "2", "-2"))
    yield from (f"np.squeeze(X, {a})" for a in ("axis=()", "axis=-1", "axis=(1,)", "axis=5"))
    yield from (
        f"np.clip(X, {a})"
        for a in ("None, None", "np.array(0), np.array(1)", "0, onp.inf", "-onp.inf, 0.5", "float('nan'), 1")
    )
    yield from (f"np.around(X, {a})" for a in ("3", "-2", "decimals=0"))
    yield from (f"np.cumsum(X, {a})" for a in ("2", "axis=-3", "axis=0, dtype='float16'", "axis=0, out=None"))
    yield from (f"np.where(X, {a})" for a in ("X, 0", "1, 2", "0.5, X", "X.astype('float32'), X.astype('float32')"))
    yield from (
        "np.where(X > 0, X, X.astype('float64'))",
        "np.where(X > 0, X > 1, X > 2)",
        "np.where(X > 0, X, Y > 0)",
        "np.where([True], X, X)",
    )
    yield from (
        f"np.full_like(X, {a})"
        for a in ("np.array(2.5)", "onp.nan", "onp.inf", "onp.float64(2.5)", "1, order='F'", "[1]")
    )


def _random():
    """Random numbers, after a seed."""
    sizes = ("", ", size=3", ", size=(2, 3)", ", size=(0,)", ", size=()")
    two = "uniform normal gumbel logistic lognormal".split()
    for name in two:
        yield from (f"np.random.{name}({a}{s})" for a in ("", "1.0", "0.5, 2.0") for s in sizes if a or s[:2] != ", ")
        yield from (f"np.random.{name}({s[2:]})" for s in sizes[1:])
        yield from (f"np.random.{name}(X, 2.0{s})" for s in ("", ", size=(2, 3)"))
        yield from (f"np.random.{name}(0.5, P)", f"np.random.{name}(X, P)")
    for name in ("uniform", "normal"):
        yield from (f"np.random.{name}(0.5, 2.0, size=3, dtype='{d}')" for d in DTYPES)
        yield from (
            f"npx.random.{name}_n({a})" for a in ("", "0.5, 2.0, batch_shape=(2,)", "X, P", "X, P, batch_shape=(2,)")
        )
    for name in "exponential pareto power rayleigh weibull chisquare".split():
        yield from (f"np.random.{name}({a}{s})" for a in ("1.0", "2.5") for s in sizes)
        yield from (f"np.random.{name}(P)", f"np.random.{name}(P, size=(2, 3))")
    for name in ("gamma", "beta"):
        yield from (f"np.random.{name}({a}{s})" for a in ("1.0, 1.0", "0.5, 2.0") for s in sizes)
        yield from (f"np.random.{name}(P, 2.0)", f"np.random.{name}(P, P)", f"np.random.{name}(0.5, P)")
        yield from (f"np.random.{name}(2.0, 1.0, size=3, dtype='{d}')" for d in DTYPES)
    yield from (
        f"np.random.randint({a})"
        for a in ("5", "0, 5", "2, 5, size=3", "0, 5, (2, 3)", "5, size=()", "0", "5, 2", "5, size=(0,)")
    )
    yield from (f"np.random.randint(0, 5, size=3, dtype='{d}')" for d in DTYPES)
    yield from (
        "np.random.rand()",
        "np.random.rand(2)",
        "np.random.rand(2, 3)",
        "np.random.randn()",
        "np.random.randn(2)",
        "np.random.randn(2, 3)",
    )
    yield from (
        f"np.random.choice({a})"
        for a in ("5", "5, 3", "5, (2, 3)", "5, 3, replace=False", "5, 6, replace=False", "5, size=()")
    )
    yield from (
        "np.random.choice(X, 3)",
        "np.random.choice(3, 4, p=np.array([0.5, 0.0, 0.5]))",
        "np.random.choice(3, 2, False, np.array([0.5, 0.25, 0.25]))",
    )
    yield from (
        f"np.random.multinomial({a})"
        for a in ("5, [0.25, 0.75]", "5, [0.25, 0.75], size=2", "5, [], size=2", "0, [1.0]", "5, [0.5, 0.75]")
    )
    yield from (
        "(np.random.shuffle(X), X)[1]",
        "npx.random.bernoulli(0.3, size=(2, 3))",
        "npx.random.bernoulli(U)",
        "npx.random.bernoulli(logit=X)",
    )
    yield from (
        "npx.random.bernoulli(0.3, size=3, dtype='int32')",
        "npx.dropout(P, p=0.5)",
        "npx.dropout(P, p=0.5, mode='always')",
    )


def _writes():
    """What an array is after it was written to."""
    for name in "add sub mul truediv mod pow and or xor floordiv matmul".split():
        yield f"(X.__i{name}__(Y), X)[1]"
        yield from (f"(X.__i{name}__({n}), X)[1]" for n in ("2", "0.5", "True"))
    keys = "0 -1 ... None () slice(0,1) slice(None,None,-1) slice(None,None,2) (0,0) (...,0) 5 [0] X>0 True False [] (slice(None),[0])"
    for key in keys.split():
        yield from (
            f"(X.__setitem__({key}, {v}), X)[1]" for v in ("5", "2.7", "[7]", "np.array(3)", "onp.array([4.5])")
        )
    yield from (
        "(X.__setitem__(0, X), X)[1]",
        "(X.__setitem__(slice(None), X * 2), X)[1]",
        "(X.__setitem__(..., Y), X)[1]",
    )
    yield from (
        f"np.{n}(X, out=np.zeros_like(X))" for n in ("exp", "negative", "square", "copy", "logical_not", "cumsum")
    )
    yield from (f"np.{n}(X, Y, out=np.zeros_like(X))" for n in ("add", "multiply", "maximum", "equal", "true_divide"))
    yield from (
        "np.sum(X, axis=0, out=np.zeros(X.shape[1:], dtype=X.dtype))",
        "np.clip(X, 0, 1, out=X)",
        "np.add(X, 1, out=X)",
    )
    yield from ("X.copyto(np.zeros(X.shape))", "X.copyto(np.zeros(X.shape, dtype='int32'))")


def _creations():
    for d in DTYPES:
        yield from (f"np.{n}({s}, dtype='{d}')" for n in ("zeros", "ones") for s in ("()", "0", "(2, 3)", "[2, 0]"))
        yield from (f"np.full({a}, dtype='{d}')" for a in ("(), 2", "(2,), 2.5", "(2,), True", "(0,), 1", "2, -1"))
        yield from (
            f"np.arange({a}, dtype='{d}')" for a in ("3", "0", "1, 4", "4, 1", "1, 2, 0.25", "3, 0, -1", "0, 3, None")
        )
        yield from (f"np.eye({a}, dtype='{d}')" for a in ("2", "2, 3", "2, 3, 1", "2, k=-1", "0", "2, 0", "1, 4, 9"))
        yield from (f"np.identity({n}, dtype='{d}')" for n in (0, 1, 2))
        yield from (
            f"np.linspace({a}, dtype='{d}')"
            for a in ("0, 3, 4", "0, 1, 1", "0, 1, 0", "2, 2, 3", "0, 4, 4, endpoint=False")
        )
        yield from (
            f"np.logspace({a}, dtype='{d}')"
            for a in ("0, 2, 3", "0, 1, 0", "0, 3, 4, base=2.0", "0, 2, 2, endpoint=False")
        )
        yield from (f"np.indices({a}, dtype='{d}')" for a in ("(2,)", "(2, 3)", "(0,)", "(2, 0)"))
        yield from (f"np.{n}({m}, dtype='{d}')" for n in ("hanning", "hamming", "blackman") for m in (0, 1, 4))
        yield f"np.empty((2, 0), dtype='{d}')"
        yield from (f"np.array({a}, dtype='{d}')" for a in ("1", "2.5", "True", "[1, 2]", "[]", "[[1.5], [0]]"))
    yield from (
        "np.zeros((2, 3))",
        "np.ones(2)",
        "np.full((2,), 1)",
        "np.full((2,), True)",
        "np.full((2,), 2.5)",
        "np.arange(3)",
    )
    yield from (
        "np.arange(3, step=None)",
        "np.arange(0, 3, None)",
        "np.arange(None)",
        "np.arange(1, None)",
        "np.eye(2)",
    )
    yield from (
        "np.linspace(0, 1, 3)",
        "np.linspace(0, 1, 3, retstep=True)",
        "np.indices((2,))",
        "np.hanning(3)",
        "np.array([1, 2])",
    )
    yield from (
        "np.array(onp.arange(2))",
        "np.array(onp.ones(2))",
        "np.array(onp.array([True]))",
        "np.array([np.array(1.5), np.array(2)])",
    )
    numbers = "broadcast_to(N,(2,)) clip(N,0,1) flip(N) ravel(N) nan_to_num(N) around(N) round_(N,1) tile(N,2) sum(N) squeeze(N)"
    for call in numbers.split():
        yield from (f"np.{call}".replace("N", n) for n in ("2.5", "2", "True", "onp.float32(1.5)"))
    yield from (
        "np.shares_memory(X, X)",
        "np.may_share_memory(X, X)",
        "np.shares_memory(X, X + 1)",
        "onp.shares_memory(X, X)",
    )
    yield from (
        "np.array(X)",
        "np.array(X, dtype='int32')",
        "np.array([X, X])",
        "np.zeros(X.shape)",
        "onp.sum(X)",
        "onp.add(X, X)",
    )
    yield from (
        "onp.concatenate([X, X])",
        "onp.mean(X, axis=0)",
        "onp.sin(X)",
        "onp.transpose(X)",
        "onp.shape(X)",
        "onp.where(X > 0, X, X)",
    )
    absent = """exp log sin expand_dims(0) flip(0) sigmoid relu softmax tile(2) topk norm slice_axis(0,0,1) one_hot(3) pad square sign
    zeros_like ones_like split(2) asscalar diag abs floor nansum shape_array as_np_ndarray sort broadcast_like(X) tostype('default')"""
    yield from (f"X.{m}" if m.endswith(")") else f"X.{m}()" for m in absent.split())
    yield from (
        "X.as_in_ctx(mx.cpu())",
        "X.as_in_context(mx.cpu())",
        "X.copyto(mx.cpu())",
        "X.dtype",
        "X.asnumpy()",
        "X.stype",
    )


def _normalizations():
    """Of parameters G and B, in all combinations of what decides the result; and other layers on X as a sequence."""
    means, variances = "np.array([0.5, 0.25, 0.0])", "np.array([1.0, 2.0, 4.0])"
    for fixed, whole, axis in itertools.product((True, False), (True, False), (1, -1)):
        more = f"fix_gamma={fixed}, use_global_stats={whole}, axis={axis}, eps=0.01"
        yield f"npx.batch_norm(X, G, B, {means}, {variances}, {more})"
        yield f"npx.batch_norm(X, G, B, {means}, {variances}, {more}, output_mean_var=True)"
    yield from (f"npx.layer_norm(X, G, B, axis={a}, eps=0.01)" for a in (-1, 1))
    yield "npx.fully_connected(X, np.ones((2, 3)), np.array([0.5, 1.0]), num_hidden=2)"
    line = "np.reshape(P, (1, 1, -1))"
    yield from (f"npx.pooling({line}, kernel=(2,), pool_type='{t}')" for t in ("max", "avg", "sum"))
    yield from (f"npx.pooling({line}, kernel=(1,), pool_type='{t}', global_pool=True)" for t in ("max", "avg"))
    yield f"npx.convolution({line}, np.array([[[0.5, -1.0]]]), kernel=(2,), num_filter=1, no_bias=True)"
    yield f"npx.convolution({line}, np.array([[[0.5, -1.0]]]), np.array([0.25]), kernel=(2,), num_filter=1, pad=(1,))"
    yield f"npx.deconvolution({line}, np.array([[[0.5, -1.0]]]), kernel=(2,), num_filter=1, no_bias=True)"


def _shapes():
    yield from (f"np.reshape(X, {s})" for s in ("-1", "(1, -1)", "(-1, 1)", "()", "(0, -1)", "(2, 3)", "(-2,)"))
    yield from ("np.ravel(X)", "np.transpose(X)", "np.copy(X)", "np.squeeze(X)", "np.squeeze(X, 0)", "np.squeeze(X, 1)")
    yield from (
        "np.squeeze(X, axis=(0, 1))",
        "np.transpose(X, (1, 0))",
        "np.transpose(X, (-1, 0, 1))",
        "np.transpose(X, ())",
    )
    yield from (f"np.expand_dims(X, {a})" for a in ("0", "-1", "1", "3"))
    yield from (f"np.flip(X{a})" for a in ("", ", 0", ", -1", ", (0, 1)", ", ()"))
    yield from (
        "np.fliplr(X)",
        "np.flipud(X)",
        "np.rot90(X)",
        "np.rot90(X, 2)",
        "np.rot90(X, -1, (1, 0))",
        "np.rot90(X, 0)",
    )
    yield from (f"np.roll(X, {a})" for a in ("1", "-2", "1, 0", "1, axis=-1", "(1, 2), (0, 1)", "(1, 1)", "0"))
    yield from (
        "np.moveaxis(X, 0, -1)",
        "np.moveaxis(X, (0, 1), (1, 0))",
        "np.swapaxes(X, 0, 1)",
        "np.swapaxes(X, 0, -1)",
    )
    yield from (f"np.broadcast_to(X, {s})" for s in ("(2, 3)", "(3,)", "()", "(2, 0)", "(2, 2, 3)", "3", "(0,)"))
    yield from (f"np.repeat(X, {r})" for r in ("2", "0", "2, axis=0", "2, axis=-1", "1, axis=1"))
    yield from (f"np.tile(X, {r})" for r in ("2", "(2, 1)", "()", "0", "(1, 2, 1, 1)"))
    yield from (f"np.resize(X, {s})" for s in ("(2, 2)", "()", "0", "5", "(2, 0)", "(4, 3)"))
    yield from (f"np.atleast_{d}d(X)" for d in (1, 2, 3))
    yield from ("np.diag(X)", "np.diag(X, 1)", "np.diag(X, -1)", "np.diagflat(X)", "np.diagflat(X, 1)", "np.tril(X)")
    yield from (
        "np.tril(X, -1)",
        "np.tril(X, 1)",
        "np.trace(X)",
        "np.trace(X, 1)",
        "np.trace(X, 0, 1, 0)",
        "np.diagonal(X)",
    )
    yield from ("np.diagonal(X, 1)", "np.diagonal(X, 0, 0, -1)", "np.shape(X)", "np.ndim(X)", "np.size(X)")
    yield from (
        f"np.pad(X, {p})" for p in ("((1, 1),)", "((1, 2), (0, 1))", "(1, 2)", "((0, 0), (1, 1), (0, 1))", "1", "()")
    )
    yield from (
        f"np.pad(X, ((1, 1),), mode='{m}')"
        for m in ("reflect", "symmetric", "edge", "maximum", "minimum", "mean", "wrap")
    )
    yield from ("np.pad(X, ((1, 1), (1, 0)), mode='edge')", "np.pad(X, ((1, 1), (0, 1)), mode='symmetric')")
    yield "np.pad(X, ((1, 1),), constant_values=2)"
    yield from (f"np.{n}_like(X{d})" for n in ("ones", "zeros") for d in ("", ", dtype='int32'", ", dtype='bool'"))
    yield from (
        f"np.full_like(X, {v})"
        for v in ("2", "2.5", "True", "-1", "2, dtype='float64'", "True, dtype='int8'", "2.5, dtype='bool'")
    )
    yield from (f"np.full((2,), X{d})" for d in ("", ", dtype='int32'"))
    yield "np.empty_like(X).shape"


def _joins():
    for name in ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "row_stack"):
        yield f"np.{name}([X])"
        yield f"np.{name}((X, Y))"
    yield from (
        "np.concatenate((X, Y), axis=1)",
        "np.concatenate((X, Y), axis=-1)",
        "np.concatenate((X, Y), axis=None)",
    )
    yield from ("np.stack((X, Y), axis=1)", "np.stack((X, X), axis=-1)", "np.append(X, Y)", "np.append(X, X, axis=0)")
    for name in ("split", "array_split", "hsplit", "vsplit", "dsplit"):
        yield from (
            f"np.{name}(X, {s})" for s in ("1", "2", "3", "0", "(1,)", "[1, 2]", "()", "(5,)", "(-1,)", "(2, 1)")
        )
    yield from (f"np.{name}(X, {s}, axis=-1)" for name in ("split", "array_split") for s in ("1", "3", "(1,)", "2"))
    yield from ("np.broadcast_arrays(X, Y)", "np.meshgrid(X, Y)", "np.meshgrid(X, Y, indexing='ij')", "np.meshgrid(X)")


def _selections():
    for s in (
        "X > 0, X, Y",
        "X > 0, X, 1",
        "X > 0, 1, X",
        "X > 0, 2.5, 1",
        "X, X, X",
        "X > 0, X, 2.5",
        "True, X, 1",
        "X",
    ):
        yield f"np.where({s})"
    yield from (f"np.clip(X, {a})" for a in ("0, 1", "None, 1", "0, None", "-0.5, 0.5", "1, 0", "0.5, 1.5"))
    for mode in ("", ", mode='wrap'", ", mode='clip'"):
        yield from (
            f"np.take(X, {a}{mode})"
            for a in ("K", "K, axis=0", "K, axis=-1", "np.array(0)", "np.array(1, dtype='int32')")
        )
        yield from (
            f"np.take(X, {a}{mode})" for a in ("0", "[0, 1]", "np.array([[0, -1]])", "K, axis=1", "np.zeros((0,))")
        )
    yield from (
        f"np.delete(X, {a})"
        for a in ("0", "-1", "slice(0, 2)", "np.array([0, 2], dtype='int64')", "5", "0, axis=0", "1, axis=1")
    )
    yield from (
        f"np.delete(X, {a})"
        for a in (
            "slice(None, None, 2), axis=0",
            "np.array([0]), axis=-1",
            "slice(1, 1)",
            "np.zeros((0,), dtype='int64')",
        )
    )
    yield from (
        f"np.insert(X, {a})" for a in ("0, 5", "-1, 5", "1, X", "slice(0, 1), 5", "0, 5, axis=0", "1, 2.5, axis=-1")
    )
    yield from (
        f"np.insert(X, {a})"
        for a in (
            "np.array([0, 1], dtype='int64'), 5",
            "9, 1",
            "0, X, axis=0",
            "np.array([0], dtype='int64'), 5, axis=0",
        )
    )
    yield from (
        "np.unique(X)",
        "np.unique(X, True, True, True)",
        "np.unique(X, axis=0)",
        "np.unique(X, return_counts=True)",
    )
    yield from (
        "np.nonzero(X)",
        "np.bincount(K)",
        "np.bincount(K, minlength=5)",
        "np.bincount(K, weights=K)",
        "np.argwhere(X)",
    )
    yield from (
        "np.histogram(X, bins=3, range=(-2, 2))",
        "np.histogram(X, bins=np.array([-2, 0, 1, 2.0]))",
        "np.histogram(X, 3)",
    )
    yield from (
        "np.unravel_index(K, (2, 2))",
        "np.unravel_index(K, (4,))",
        "np.unravel_index(K, (2, 3, 1))",
        "np.diag_indices_from(X)",
    )
    yield from (
        "np.nan_to_num(N)",
        "np.nan_to_num(N, nan=1.0)",
        "np.nan_to_num(N, posinf=3.0, neginf=-3.0)",
        "np.nan_to_num(N, copy=False)",
    )


def _products():
    for name in ("dot", "matmul", "inner", "outer", "vdot"):
        yield f"np.{name}(X, Y)"
    yield from (
        f"np.tensordot(X, Y, {a})"
        for a in ("0", "1", "2", "([-1], [0])", "([], [])", "((0,), (0,))", "([0, 1], [1, 0])")
    )
    yield from (
        "np.einsum('...,...->...', X, Y)",
        "np.einsum('ij,jk->ik', X, Y)",
        "np.einsum('i,i', X, Y)",
        "np.einsum('ij,jk', X, Y, optimize=True)",
    )
    yield from (
        "np.einsum('ij->ji', X)",
        "np.einsum('ij->', X)",
        "np.einsum('i->i', X)",
        "np.einsum('...->...', X)",
        "np.einsum('ij->j', X)",
    )
    yield from ("np.polyval(K, X)", "np.polyval(X, X)", "np.polyval(X, 2.0)", "X @ Y")


def _statistics():
    yield from (
        f"np.average(X{a})"
        for a in (
            "",
            ", axis=0",
            ", axis=-1",
            ", returned=True",
            ", weights=P",
            ", axis=0, weights=P",
            ", axis=0, weights=P, returned=True",
        )
    )
    for name, q in (
        ("percentile", ("50", "30.0", "np.array([25.0, 50.0])")),
        ("quantile", ("0.5", "0.3", "np.array([0.25, 0.5])")),
    ):
        yield from (f"np.{name}(X, {v}{a})" for v in q for a in ("", ", axis=0", ", axis=-1, keepdims=True"))
        yield from (f"np.{name}(X, {q[1]}, interpolation='{i}')" for i in ("lower", "higher", "midpoint", "nearest"))
    yield from (f"np.diff(X{a})" for a in ("", ", 2", ", axis=0", ", n=0", ", n=3, axis=-1"))
    yield from (
        f"np.ediff1d(X{a})" for a in ("", ", 1", ", to_begin=2", ", 1, 2", ", to_end=X", ", to_begin=X, to_end=X")
    )
    yield from (f"np.{n}(X{a})" for n in ("around", "round", "round_") for a in ("", ", 1", ", -1", ", decimals=2"))


def _linalg():
    yield from (f"np.linalg.{n}(M)" for n in "cholesky det inv slogdet eigvalsh eigvals pinv matrix_rank cond".split())
    yield from (
        "np.linalg.svd(M)[1]",
        "np.linalg.svd(M)",
        "np.linalg.eigh(M)[0]",
        "np.linalg.eig(M)[0]",
        "np.linalg.qr(M)",
        "np.linalg.matrix_power(M, 2)",
    )
    yield from (
        "np.linalg.eigvalsh(M, 'U')",
        "np.linalg.pinv(M, 0.1)",
        "np.linalg.tensorinv(M, 1)",
        "np.linalg.matrix_rank(M, 0.1)",
    )
    norms = (
        "",
        ", 'fro'",
        ", 'nuc'",
        ", 1",
        ", 2",
        ", -1",
        ", -2",
        ", 0",
        ", 3",
        ", onp.inf",
        ", -onp.inf",
        ", axis=0",
        ", axis=-1, keepdims=True",
    )
    yield from (f"np.linalg.norm(X{o})" for o in norms)
    more = (
        "'fro', axis=(0, 1)",
        "'nuc', axis=(0, 1)",
        "'nuc', (0, -1), True",
        "1, axis=0",
        "2, axis=1",
        "2, axis=(0, 1)",
        "onp.inf, axis=0",
        "1, axis=(0, -1)",
        "axis=(0, 1)",
        "keepdims=True",
        "'bad'",
    )
    yield from (f"np.linalg.norm(X, {o})" for o in more)
    yield from (
        "np.linalg.solve(M, X)",
        "np.linalg.lstsq(M, X)[0]",
        "np.linalg.lstsq(M, X, rcond=None)[0]",
        "np.linalg.tensorsolve(M, X)",
        "np.linalg.multi_dot([M, M])",
    )


def _extension():
    yield from (f"npx.{n}(X)" for n in "relu sigmoid erf shape_array batch_flatten nonzero".split())
    yield from ("npx.erfinv(U)", "npx.gamma(P)", "npx.gammaln(P)", "npx.smooth_l1(X)", "npx.smooth_l1(X, scalar=2.0)")
    yield from (
        f"npx.{n}(X{a})"
        for n in ("softmax", "log_softmax")
        for a in ("", ", axis=0", ", axis=-1, temperature=2.0", ", axis=1")
    )
    yield from (f"npx.{n}(X, dtype='float64')" for n in ("softmax", "log_softmax"))
    yield from (f"npx.activation(X, act_type='{a}')" for a in ("relu", "sigmoid", "tanh", "softrelu", "softsign"))
    yield from (f"npx.leaky_relu(X, act_type='{a}')" for a in ("leaky", "elu", "selu", "gelu"))
    yield from (
        f"npx.topk(X{a})"
        for a in (
            "",
            ", k=2",
            ", k=2, ret_typ='value'",
            ", k=1, ret_typ='both'",
            ", ret_typ='mask'",
            ", axis=0",
            ", k=2, is_ascend=True, dtype='int64'",
            ", axis=None",
            ", k=0",
        )
    )
    yield from (
        "npx.one_hot(K, 3)",
        "npx.one_hot(K, 2)",
        "npx.one_hot(K, 3, on_value=2, off_value=-1, dtype='int32')",
        "npx.one_hot(K, 3, dtype='float16')",
    )
    yield from (
        "npx.pick(X, K)",
        "npx.pick(X, K, axis=0)",
        "npx.pick(X, K, axis=-1, keepdims=True)",
        "npx.pick(X, K, mode='wrap')",
        "npx.pick(X, np.zeros((2,)))",
    )
    yield from (f"npx.cast(X, dtype='{d}')" for d in DTYPES)
    yield from (
        f"npx.reshape(X, {s})"
        for s in (
            "-1",
            "(-2, -1)",
            "(-4,)",
            "(-5, -4)",
            "(-6, 1, -1, -4)",
            "(1, -4)",
            "(-3, -4)",
            "(-2, -2), reverse=True",
        )
    )
    yield from (
        "npx.reshape_like(X, Y)",
        "npx.arange_like(X)",
        "npx.arange_like(X, axis=0)",
        "npx.arange_like(X, axis=-1, start=1, step=2.0)",
    )
    yield from (
        f"npx.slice(X, begin={b}, end={e})"
        for b, e in (
            ("(0,)", "(1,)"),
            ("(None,)", "(None,)"),
            ("(0, 1)", "(1, 3)"),
            ("()", "()"),
            ("(1,)", "(1,)"),
            ("(-1,)", "(None,)"),
        )
    )
    yield from (
        "npx.slice(X, begin=(None,), end=(None,), step=(-1,))",
        "npx.slice(X, begin=(0,), end=(2,), step=(None,))",
        "npx.slice(X, begin=(0,), end=(None,), step=(2,))",
        "npx.slice(X, (0,), (2,), None)",
    )
    yield from (
        "npx.gather_nd(X, np.array([[0]]))",
        "npx.gather_nd(X, np.array([[0, 1], [0, 0]]))",
        "npx.gather_nd(X, np.zeros((1, 0)))",
        "npx.embedding(K, np.ones((3, 2)), input_dim=3, output_dim=2)",
    )
    yield from (
        "npx.fully_connected(X, np.ones((2, 3)), no_bias=True, num_hidden=2)",
        "npx.fully_connected(X, np.ones((2, 3)), np.ones((2,)), num_hidden=2, flatten=False)",
    )
    yield from (
        "npx.layer_norm(X, np.ones((3,)), np.zeros((3,)))",
        "npx.layer_norm(X, np.ones((2,)), np.zeros((2,)), axis=0)",
        "npx.sequence_mask(X, np.ones((3,)), use_sequence_length=True)",
        "npx.sequence_mask(X)",
    )
    yield from (
        "npx.batch_dot(X, Y)",
        "npx.batch_dot(X, X, transpose_b=True)",
        "npx.constraint_check(X > -9)",
        "npx.dropout(X, p=0.0)",
        "npx.dropout(X)",
    )
    yield from (
        "npx.batch_norm(X, np.ones((3,)), np.zeros((3,)), np.zeros((3,)), np.ones((3,)), axis=-1)",
        "npx.batch_norm(X, np.ones((3,)), np.zeros((3,)), np.zeros((3,)), np.ones((3,)), use_global_stats=True, fix_gamma=False)",
    )


def _indexing():
    keys = (
        "0",
        "-1",
        "...",
        "None",
        "()",
        "0:1",
        "1:",
        "::-1",
        "::2",
        "0, 0",
        "..., 0",
        ":, None",
        "5",
        "[0, 1]",
        "K",
        "[0], [0]",
        "X > 0",
        "True",
        "False",
        "[]",
        "np.array(0, dtype='int64')",
        "None, 0",
        ":, ::-1",
        "1:1",
        ":, [0]",
        "np.zeros((0,), dtype='int64')",
        "onp.array([0])",
        "1.0",
    )
    yield from (f"X[{k}]" for k in keys)


def _fallbacks():
    """NumPy's own functions, on copies: some shapes are enough to see that they are there."""
    one = """alltrue apply_along_axis(onp.sum,0,X) apply_over_axes(onp.sum,X,0) argpartition(X,1) array_equal(X,X) array_equiv(X,X)
    allclose(X,X) choose(K,[X,X]) compress([True],X) corrcoef correlate(X,X) count_nonzero cov digitize(X,X) divmod(X,2)
    extract(X>0,X) flatnonzero float_power(X,2) frexp heaviside(X,1) histogram2d(X,X,2) histogram_bin_edges histogramdd(X,2) i0
    in1d(X,X) interp(X,X,X) intersect1d(X,X) isclose(X,X) isin(X,X) ix_ lexsort min_scalar_type modf msort nanargmax nanargmin
    nancumprod nancumsum nanmax nanmedian nanmin nanpercentile(X,50) nanprod nanquantile(X,0.5) packbits(X>0) partition(X,0)
    piecewise(X,[X>0],[1]) poly polyadd(X,X) polydiv(X,P) polyfit(P,P,1) polyint polymul(X,X) polysub(X,X) positive
    promote_types('int8','int32') ptp real result_type rollaxis(X,0) roots searchsorted(X,X) select([X>0],[X]) setdiff1d(X,P)
    setxor1d(X,P) signbit spacing take_along_axis(X,K.astype('int64'),0) trapz tril_indices_from triu_indices_from trim_zeros
    union1d(X,X) unpackbits(X.astype('uint8')) unwrap vander"""
    yield from (f"np.{n}" if n.endswith(")") else f"np.{n}(X)" for n in one.split())


#: Methods that are not there, and the like: some shapes are enough.
FEW = re.compile(
    r"X\.(exp|log|sin|expand|flip|sigmoid|relu|softmax|tile|topk|norm|slice|one|pad|square|sign|zeros|split|ass|diag|abs|floor|nan|sh|as_|sort|to|copyto)"
)
RANDOM = re.compile(r"random|dropout")
PRODUCT = re.compile(r"np\.(dot|matmul|inner|tensordot|einsum|linalg)\b.*Y|X @ Y|batch_dot\(X, Y")


def calls():
    """All calls, each once."""
    return list(dict.fromkeys(_table()))


def letters(call):
    """The arrays that a call has."""
    return [n for n in VALUES if re.search(rf"(?<![\w.'\"]){n}(?![\w'\"])", call)]


def _float32(shapes):
    return [(shape, "float32") for shape in shapes]


def variants(call):
    """The cases of a call: for each letter its shape and dtype."""
    names = letters(call)
    if not names:
        return [{}]
    fallback = call in _few() or FEW.match(call) is not None
    if "M" in names:
        kinds = [(s, "float32") for s in SQUARES] + [((2, 2), d) for d in DTYPES if d != "float32"]
        if "X" not in names:
            return [{"M": kind} for kind in kinds]
        found = [{"M": (s, d), "X": (s[:-1], d)} for s, d in kinds if len(s) > 1]
        return (
            found
            + [{"M": (s, d), "X": (s, d)} for s, d in kinds]
            + [{"M": ((2, 2), "float32"), "X": ((3,), "float32")}]
        )
    second = next((n for n in ("Y", "Q") if n in names), None)
    if second is None:
        grid = list(itertools.product(SHAPES, DTYPES))
        if call in _thin():
            grid = [(s, d) for s, d in grid if d == "float32" or s == (2, 3)]
        if fallback:
            grid = [*_float32([(), (0,), (3,), (2, 3)]), ((3,), "int32"), ((2, 3), "float64")]
        if "G" in names:
            grid = [(s, d) for s, d in grid if d.startswith("float")]
        beside = {n for n in names if n in ("K", "G", "B")} if len(names) > 1 else ()
        return [{n: ((3,), "int64" if n == "K" else d) if n in beside else (s, d) for n in names} for s, d in grid]
    first = next(n for n in names if n != second)
    product = bool(PRODUCT.search(call))
    pairs = PRODUCTS if product else PAIRS
    wide = ((2, 3), (3, 2)) if product else ((2, 3), (3,))
    joint = ((2, 3), (2, 3))
    found = [{first: (a, "float32"), second: (b, "float32")} for a, b in pairs]
    found += [{first: (wide[0], d), second: (wide[1], e)} for d, e in itertools.product(DTYPES, DTYPES)]
    found += [{first: (joint[0], d), second: (joint[1], d)} for d in DTYPES]
    return list({str(v): v for v in found}.values())


@functools.lru_cache(maxsize=None)
def _few():
    return frozenset(_fallbacks())


@functools.lru_cache(maxsize=None)
def _thin():
    """Calls for which all shapes of one dtype, and all dtypes of one shape, are enough."""
    return frozenset((*_attributes(), *_random(), *_writes()))


def hybrid(variant):
    """Is a case run in a hybridized block, too? All shapes of float32, and all dtypes of one shape."""
    first, *rest = variant.values() if variant else [((), "")]
    same = all(kind[1] == first[1] for kind in rest)
    return same and (first[1] == "float32" or first[0] in ((2, 3), (2, 2)))


# ---- running a case --------------------------------------------------------------------------------------------------

_SHORT = {
    "bool": "b",
    "int8": "i1",
    "uint8": "u1",
    "int32": "i4",
    "int64": "i8",
    "float16": "f2",
    "float32": "f4",
    "float64": "f8",
}


def _number(value):
    if isinstance(value, bool) or isinstance(value, int):
        return int(value)
    value = float(f"{value:.7g}")
    return int(value) if value == value and abs(value) < 1e15 and value == int(value) else value


def describe(value):
    """A result as plain data, as short as can be."""
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [describe(v) for v in value]}
    if hasattr(value, "asnumpy"):
        numbers = value.asnumpy()
        found = [
            _SHORT.get(numbers.dtype.name, numbers.dtype.name),
            list(numbers.shape),
            [_number(n) for n in onp.asarray(numbers).ravel().tolist()],
        ]
        return found if type(value).__name__ == "ndarray" else [*found, type(value).__name__]
    if isinstance(value, onp.ndarray):
        return {
            "numpy": [
                value.dtype.name,
                list(value.shape),
                [_number(n) if isinstance(n, (bool, int, float)) else str(n) for n in value.ravel().tolist()],
            ]
        }
    if isinstance(value, onp.generic):
        return {
            "number": [
                value.dtype.name,
                _number(value.item()) if isinstance(value.item(), (bool, int, float)) else str(value),
            ]
        }
    if isinstance(value, float):
        return {"float": _number(value)}
    if isinstance(value, onp.dtype):
        return {"dtype": value.name}
    if isinstance(value, (int, str, bool, type(None))):
        return {type(value).__name__: value}
    return {"object": str(value)}


def _refusal(error):
    return f"!{type(error).__name__}"


def _arrays(np, variant):
    return {name: np.array(values(name, *kind), dtype=kind[1]) for name, kind in variant.items()}


def _weights(np, result):
    numbers = onp.linspace(0.5, 1.5, result.size).reshape(result.shape)
    return np.array(numbers, dtype=result.dtype)


def _differentiable(result):
    return hasattr(result, "asnumpy") and onp.dtype(result.dtype).kind == "f" and hasattr(result, "backward")


def _gradients(mx, np, compute, variant):
    """The recorded value and the gradients of the arrays of floats; None where there are none to have."""
    arrays = _arrays(np, variant)
    floats = [name for name, kind in variant.items() if kind[1].startswith("float")]
    for name in floats:
        arrays[name].attach_grad()
    with mx.autograd.record():
        result = compute(arrays)
    heads = [r for r in (result if isinstance(result, (list, tuple)) else [result]) if _differentiable(r)]
    described = describe(result)
    if not heads or not floats:
        return described, None
    try:
        mx.autograd.backward(heads, [_weights(np, r) for r in heads])
        return described, {name: describe(arrays[name].grad) for name in floats}
    except Exception as error:
        return described, _refusal(error)


def run(mx, call, variant, with_hybrid):
    """``[value, recorded value, gradients, what differs when hybridized]``; None for what is as expected."""
    from mxnet import np, npx

    code = compile(call, call, "eval")
    space = {"mx": mx, "np": np, "npx": npx, "onp": onp}

    def compute(arrays):
        if RANDOM.search(call):
            mx.random.seed(7)
        return eval(code, {**space, **arrays})

    try:
        value = describe(compute(_arrays(np, variant)))
    except Exception as error:
        value = _refusal(error)
    recorded = gradients = None
    if any(kind[1].startswith("float") for kind in variant.values()):
        try:
            recorded, gradients = _gradients(mx, np, compute, variant)
        except Exception as error:
            recorded = _refusal(error)
    if recorded == value:
        recorded = None
    graph = _run_hybrid(mx, np, call, variant) if with_hybrid else None
    if graph == [value if recorded is None else recorded, gradients]:
        graph = None
    return [value, recorded, gradients, graph]


def _run_hybrid(mx, np, call, variant):
    names = list(variant)

    class Block(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, *inputs):
            return eval(call, {"mx": mx, "np": F.np, "npx": F.npx, "onp": onp, **dict(zip(names, inputs))})

    block = Block()
    block.hybridize()

    def forward(arrays):
        if RANDOM.search(call):
            mx.random.seed(7)
        return block(*arrays.values())

    try:
        return list(_gradients(mx, np, forward, variant))
    except Exception as error:
        return _refusal(error)
