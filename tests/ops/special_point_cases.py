"""Calls at points where a result or a gradient is a choice: ties, kinks, poles, ends of domains, NaN, infinities.

The recorder runs them on the original, the tests run them here. Each is an expression over the arrays below; its
outputs are recorded, and the gradients of the arrays in it for a head gradient of 1, 2, 3, ...
"""

import re

import numpy as onp

inf, nan = onp.inf, onp.nan
_PLACES = [-inf, -3, -2.5, -2, -1.5, -1, -0.5, -0.0, 0.0, 0.5, 1, 1.5, 2, 2.5, 3, inf, nan]
_PAIRED = [-inf, -2, -1, -0.0, 0.0, 1, 2.5, inf, nan]
_LEFT, _RIGHT = (side.ravel() for side in onp.meshgrid(_PAIRED, _PAIRED, indexing="ij"))
_FINITE = [-2, -0.5, -0.0, 0.0, 0.5, 2]
_FINITE_LEFT, _FINITE_RIGHT = (side.ravel() for side in onp.meshgrid(_FINITE, _FINITE, indexing="ij"))

ARRAYS = {
    # one array: whole numbers, halves, both zeros, what is no number
    "x": onp.array(_PLACES),
    "f": onp.array([-3, -2.5, -2, -1.5, -1, -0.5, -0.0, 0.0, 0.5, 1, 1.5, 2, 2.5, 3]),
    # two arrays: every pair
    "p": _LEFT,
    "q": _RIGHT,
    "c": _FINITE_LEFT,
    "d": _FINITE_RIGHT,
    # ties
    "t": onp.array([[1, 1, 0, 1, -1, 0], [2, 2, 2, 2, 2, 2], [0, -0.0, 0, -1, -1, -0.0], [inf, 1, inf, -inf, -inf, 1]]),
    "n": onp.array([[nan, 1, nan, 0, 2, 2], [1, 2, nan, 2, 1, 0], [nan] * 6, [inf, nan, -inf, 1, 1, 1]]),
    # no spread, no length
    "z": onp.zeros((3, 4)),
    "e": onp.array([[2.0, 2, 2, 2], [0, 0, 0, 0], [3, 0, -4, 0]]),
    # scores: nothing left after masking, one left, ties
    "s": onp.array([[-inf, 0, 1, -inf], [-inf, -inf, 2, -inf], [0, 0, 0, 0], [90, 90, -90, 0]]),
    "a": onp.array([[-inf, -inf, -inf, -inf], [inf, 0, 0, 1], [nan, 0, 1, 2], [0, 1, 2, 3]]),
    "l": onp.array([0, 2, 1, 3]),
    "y": onp.array([[1, -1, 0, 1], [1, 1, -1, -1], [0, 1, 0, 1], [1, 0, 0, -1]]),
    # images for windows
    "i": onp.array([[[[1, 1, 0, 0, 2], [1, 1, 0, 0, 2], [-1, -1, 2, 2, 2], [0, -0.0, -1, -1, 2], [3, 3, 3, 3, 3]]]]),
    "j": onp.array([[[[1, 1, 0, 0], [1, 1, -inf, 0], [-1, inf, -inf, -inf], [inf, 0, 1, inf]]]]),
    "u": onp.array([[0.0, 1, 2, 0], [1, 1, 0, 2]]),
    "g": onp.array([0.25, -0.5, 0.0, 1.0]),
    "o": onp.array([[[1.0, 1], [2, 0], [0, -0.0]], [[1, 2], [nan, 0], [inf, 1]]]),
    "r": onp.array([[0.0, 0, 0, 3, 3], [0, 1, 1, 4, 4]]),
    "k": onp.array([-1, -0.999, 0.0, 0.999, 1, -1.5, 1.5]),
    "w": onp.array([1.0, 0, -0.0, -1, -2, -3, -0.5, 0.5, 171, 2]),
}

UNARY = """
abs sign rint round ceil floor trunc fix negative reciprocal square sqrt rsqrt cbrt rcbrt exp expm1 log log2 log10 log1p
sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians erf erfinv gamma gammaln relu
sigmoid softsign hard_sigmoid smooth_l1 logical_not
""".split()
BINARY = """
add sub mul div mod power maximum minimum hypot equal not_equal greater lesser logical_and logical_or logical_xor
""".split()
NUMPY_UNARY = """
abs sign rint ceil floor trunc fix negative reciprocal square sqrt cbrt exp expm1 log log2 log10 log1p sin cos tan
arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians
""".split()
NUMPY_BINARY = "add subtract multiply true_divide mod power maximum minimum hypot copysign arctan2 ldexp".split()

CLASSIC = [
    *(f"nd.{name}(x)" for name in UNARY),
    *(f"nd.{name}({w})" for name, w in (("gamma", "w"), ("gammaln", "w"), ("arcsin", "k"), ("arccos", "k"))),
    *(f"nd.{name}(k)" for name in ("arctanh", "erfinv", "sqrt", "log1p", "arccosh")),
    *(f"nd.broadcast_{name}(p, q)" for name in BINARY),
    *(f"nd.{name}(p, q)" for name in ("maximum", "minimum")),
    *(f"nd.{name}(x, {v})" for name in ("maximum", "minimum") for v in (0, 1, -2.5, "float('inf')", "float('nan')")),
    *(f"nd.{name}(1, x)" for name in ("maximum", "minimum")),
    *(f"x {sign} {v}" for sign in ("**", "%", "/", "*") for v in (0, 1, 2, 0.5, -1, -2, 3)),
    *(f"{v} {sign} x" for sign in ("**", "%", "/") for v in (0, 1, 2, 0.5, -2)),
    *(f"nd.clip(x, {low}, {high})" for low, high in ((-1, 1), (0, 0), (0, 2.5), (1, -1), (-2.5, "float('inf')"))),
    "nd.hard_sigmoid(x, alpha=1, beta=0)",
    "nd.hard_sigmoid(x, alpha=0.5, beta=0.5)",
    *(f"nd.smooth_l1(x, scalar={v})" for v in (1, 2, 0.5)),
    *(f"nd.Activation(x, act_type='{v}')" for v in ("relu", "sigmoid", "tanh", "softrelu", "softsign")),
    *(f"nd.LeakyReLU(x, act_type='{v}')" for v in ("leaky", "elu", "gelu")),
    *(f"nd.LeakyReLU(x, act_type='{v}', slope={s})" for v in ("leaky", "elu") for s in (0, 1, 2)),
    "nd.LeakyReLU(s, g, act_type='prelu')",
    "nd.LeakyReLU(y, g, act_type='prelu')",
    # reductions
    *(f"nd.{f}({v}, axis={axis})" for f in ("max", "min") for v in "tn" for axis in (None, 0, 1)),
    *(f"nd.{f}({v}, axis=1)" for f in ("sum", "mean", "prod", "nansum", "nanprod") for v in "tne"),
    *(f"nd.{f}({v}, axis={axis})" for f in ("argmax", "argmin") for v in "tn" for axis in (None, 0, 1)),
    *(f"nd.norm({v}, ord={o}, axis={axis})" for v in "zet" for o in (1, 2) for axis in (None, 1)),
    *(f"nd.L2Normalization({v}, mode='instance')" for v in "ze"),
    "nd.moments(e, axes=1)",
    "nd.cumsum(n, axis=1)",
    "nd.pick(n, l)",
    "nd.pick(s, l)",
    # orders
    *(f"nd.sort({v}, is_ascend={up}, axis={axis})" for v in "t" for up in (True, False) for axis in (0, 1)),
    *(f"nd.argsort({v}, is_ascend={up}, axis={axis})" for v in "t" for up in (True, False) for axis in (0, 1)),
    *(
        f"nd.topk({v}, k={k}, ret_typ='{kind}', is_ascend={up}, axis=1)"
        for v in "t"
        for k in (1, 3)
        for kind in ("value", "indices", "mask", "both")
        for up in (True, False)
    ),
    # probabilities
    *(f"nd.{f}({v})" for f in ("softmax", "log_softmax", "softmin", "SoftmaxActivation") for v in "sa"),
    *(f"nd.{f}(s, temperature=2)" for f in ("softmax", "log_softmax", "softmin")),
    *(f"nd.SoftmaxOutput({v}, l)" for v in "sa"),
    *(f"nd.softmax_cross_entropy({v}, l)" for v in "sa"),
    *(f"nd.SVMOutput(y, l, use_linear={v}, margin={m})" for v in (0, 1) for m in (0, 1, 2)),
    *(f"nd.{f}RegressionOutput(y, t4)" for f in ("Linear", "MAE", "Logistic")),
    # windows
    *(
        f"nd.Pooling({v}, kernel=({k}, {k}), stride=({s}, {s}), pad=({p}, {p}), pool_type='{kind}')"
        for v in "ij"
        for k, s, p in ((2, 1, 0), (2, 2, 0), (3, 2, 1), (3, 1, 1))
        for kind in ("max",)
    ),
    *(f"nd.Pooling({v}, kernel=(2, 2), global_pool=True, pool_type='max')" for v in "ij"),
    "nd.Pooling(i, kernel=(2, 2), stride=(2, 2), pool_type='lp', p_value=1)",
    "nd.Pooling(i, kernel=(2, 2), stride=(2, 2), pool_type='lp', p_value=2)",
    "nd.Pooling(i, kernel=(2, 2), stride=(2, 2), pool_type='lp', p_value=3)",
    "nd.ROIPooling(i, r, pooled_size=(2, 2), spatial_scale=1.0)",
    "nd.contrib.AdaptiveAvgPooling2D(i, output_size=2)",
    # normalization of what does not vary
    "nd.LayerNorm(e, g, g)",
    # others
    "nd.where(y, s, e4)",
    "nd.where(n4, y, e4)",
    "nd.SequenceMask(o, use_sequence_length=True, sequence_length=nd.array([0, 2, 1]))",
    "nd.SequenceLast(o, use_sequence_length=True, sequence_length=nd.array([1, 2, 1]))",
    "nd.SequenceReverse(o, use_sequence_length=True, sequence_length=nd.array([1, 2, 1]))",
    "nd.MakeLoss(t)",
    "nd.linalg.sumlogdiag(z3)",
    "nd.linalg.det(z3)",
    "nd.sum(nd.square(e), axis=1)",
    "nd.reciprocal(z)",
    "nd.add_n(p, q)",
    "nd.dot(z, nd.transpose(e))",
    "nd.Dropout(n, p=0)",
    "nd.take(g, x, mode='clip')",
    "nd.one_hot(y, 2)",
    "nd.gather_nd(g, nd.array([[0, 0, 3]]))",
    "nd.Correlation(i, i2, kernel_size=1, max_displacement=1, is_multiply=False)",
    "nd.BilinearSampler(i, v)",
    "nd.contrib.DeformableConvolution(i, o18, w9, kernel=(3, 3), pad=(1, 1), num_filter=1, no_bias=True)",
    *(
        "nd.contrib.DeformablePSROIPooling(i, r1, %s, spatial_scale=1.0, output_dim=1, group_size=1, pooled_size=1, "
        "part_size=1, sample_per_part=1, trans_std=0.125)" % v
        for v in ("v0", "v1", "v2")
    ),
    *(f"nd.broadcast_{f}(t, t4[:, :1])" for f in ("maximum", "minimum")),
    *(f"loss.{f}()(y, e4)" for f in ("L1Loss", "L2Loss", "HuberLoss", "HingeLoss", "SquaredHingeLoss", "LogisticLoss")),
    *(f"loss.{f}()(y, y)" for f in ("L1Loss", "L2Loss", "HuberLoss", "HingeLoss", "SquaredHingeLoss")),
    "loss.TripletLoss()(y, y, e4)",
    "loss.TripletLoss(margin=0)(y, y, y)",
    "loss.SigmoidBinaryCrossEntropyLoss()(y, e4)",
    "loss.SoftmaxCrossEntropyLoss()(s, l)",
    "loss.CosineEmbeddingLoss()(y, e4, l)",
    "loss.PoissonNLLLoss()(y, e4)",
    *(f"nd.sparse.{f}(nd.cast_storage(e, 'csr'))" for f in ("abs", "sqrt", "relu", "sign")),
    *(f"nd.sparse.{f}(nd.cast_storage(e, 'row_sparse'))" for f in ("abs", "sqrt", "relu", "sign")),
    "nd.sparse.clip(nd.cast_storage(e, 'row_sparse'), 0, 2)",
]
NUMPY = [
    *(f"np.{name}(x)" for name in NUMPY_UNARY),
    *(f"np.{name}(k)" for name in ("arcsin", "arccos", "arctanh", "sqrt", "log1p", "arccosh")),
    *(f"np.{name}(p, q)" for name in NUMPY_BINARY),
    *(f"np.{name}(c, d)" for name in ("power", "mod")),
    *(f"np.{name}(x, {v})" for name in ("maximum", "minimum") for v in (0, 1, -2.5, "float('inf')", "float('nan')")),
    *(f"np.{name}(1, x)" for name in ("maximum", "minimum", "ldexp")),
    *(f"np.{name}(x, {v})" for name in ("ldexp",) for v in (0, 1, -1)),
    *(f"x {sign} {v}" for sign in ("**", "%", "/") for v in (0, 1, 2, 0.5, -1)),
    *(f"{v} {sign} x" for sign in ("**", "%", "/") for v in (0, 1, 2, -2)),
    *(f"np.clip(x, {low}, {high})" for low, high in ((-1, 1), (0, 0), (0, 2.5), (1, -1), ("None", 1), (-2.5, "None"))),
    *(f"np.around(x, {v})" for v in (0, 1, -1)),
    *(f"np.{f}({v}, axis={axis})" for f in ("max", "min") for v in "tn" for axis in (None, 0, 1)),
    *(f"np.{f}({v}, axis={axis})" for f in ("argmax", "argmin") for v in "tn" for axis in (None, 0, 1)),
    *(f"np.{f}({v}, axis=1)" for f in ("sum", "mean", "prod", "cumsum") for v in "tne"),
    *(f"np.{f}(t, {v}, axis=1)" for f in ("percentile",) for v in (0, 25, 50, 60, 100)),
    *(f"np.quantile(t, 0.4, axis=1, interpolation='{v}')" for v in "lower higher nearest midpoint linear".split()),
    *(f"np.{f}({v}, axis={axis})" for f in ("sort", "argsort") for v in "t" for axis in (0, 1)),
    *(f"np.linalg.norm({v}, ord={o}, axis=1)" for v in "ze" for o in (None, 1, 2)),
    *(f"np.linalg.norm({v})" for v in "zet"),
    "np.unique(t)",
    "np.nan_to_num(x)",
    "np.nan_to_num(n)",
    "np.where(y, s, e4)",
    "np.where(t > 0, t, n)",
    "np.diff(n)",
    "np.diff(t)",
    "np.average(t, axis=1)",
    "np.bincount(np.array([1, 1, 0], dtype='int64'))",
    "np.histogram(f, bins=4, range=(-2, 2))",
    "np.logical_not(x)",
    *(f"npx.{f}(x)" for f in ("relu", "sigmoid", "erf", "erfinv", "gamma", "gammaln")),
    *(f"npx.activation(x, act_type='{v}')" for v in ("relu", "sigmoid", "tanh", "softrelu", "softsign")),
    *(f"npx.leaky_relu(x, act_type='{v}')" for v in ("leaky", "elu", "gelu")),
    "npx.leaky_relu(y, g, act_type='prelu')",
    "npx.smooth_l1(x)",
    *(f"npx.{f}({v})" for f in ("softmax", "log_softmax") for v in "sa"),
    *(f"npx.topk(t, k=3, ret_typ='{v}', axis=1)" for v in ("value", "indices")),
    "npx.pick(n, l)",
    "npx.pooling(i, kernel=(2, 2), stride=(1, 1), pool_type='max')",
    "npx.layer_norm(e, g, g)",
]
ARRAYS["t4"], ARRAYS["n4"], ARRAYS["e4"] = ARRAYS["t"][:, :4], ARRAYS["n"][:, :4], onp.ones((4, 4))
ARRAYS["z3"], ARRAYS["i2"] = onp.array([[1.0, 0, 0], [0, 0, 0], [0, 0, 2]]), ARRAYS["i"].swapaxes(2, 3)
# corners, pixels, the middle between them, and outside
ARRAYS["v"] = onp.array([[[[-1, 1, 0, 0.5], [0.25, -1.5, 1.5, -2]], [[-1, 1, 0, -0.5], [0.25, 0, -1, 2]]]])
# points on pixels: at the edge, within, and not on one
ARRAYS["v0"], ARRAYS["v1"], ARRAYS["v2"] = (onp.full((1, 2, 1, 1), v) for v in (1.0, 3.0, 2.0))
ARRAYS["o18"] = onp.resize([0, 1, -1, 0.5, 0, -6], (1, 18, 5, 5))
ARRAYS["w9"], ARRAYS["r1"] = onp.arange(1, 10).reshape(1, 1, 3, 3), onp.array([[0, 0, 0, 3, 3]])
#: Labels and regions, of which no gradient is asked.
CONSTANT = {"l", "r", "r1"}


def names_in(expression):
    """The arrays that an expression has."""
    return [name for name in ARRAYS if re.search(rf"(?<![\w.']){name}(?![\w'(=])", expression)]


def head_gradient(shape):
    """1, 2, 3, ...: tells which elements a gradient is the sum of."""
    return onp.arange(1, int(onp.prod(shape)) + 1).reshape(shape)


def run(mx, expression, dtype, make, call=None):
    """The outputs and the gradients, by name, as NumPy arrays. ``call(arrays)`` computes it, or else the expression."""
    arrays = {name: make(ARRAYS[name].astype(dtype), dtype=dtype) for name in names_in(expression)}
    for name in set(arrays) - CONSTANT:
        arrays[name].attach_grad()
    with mx.autograd.record():
        result = evaluate(expression, arrays, mx) if call is None else call(arrays)
    outputs = list(result) if isinstance(result, (list, tuple)) else [result]
    found = {"out%d" % i: output.asnumpy() for i, output in enumerate(outputs)}
    if str(found["out0"].dtype) == dtype and outputs[0].stype == "default":
        heads = [make(head_gradient(o.shape).astype(o.dtype), dtype=o.dtype) for o in outputs]
        mx.autograd.backward(outputs, heads)
        found.update((name, arrays[name].grad.asnumpy()) for name in sorted(set(arrays) - CONSTANT))
    return found


def evaluate(expression, arrays, mx, F=None):
    """The value of an expression: of arrays, or of symbols with ``F`` as the module of operators."""
    names = {"nd": F or mx.nd, "np": F.np if F else mx.np, "npx": F.npx if F else mx.npx, "loss": mx.gluon.loss}
    return eval(expression, {**names, **arrays})
