"""Samples of elementwise operators on one array: functions, rounding, conversions, copies."""

import numpy as np

from .common import S, ints, rand

# name: the interval in which the function and its gradient are smooth
SMOOTH = {
    "abs": (0.2, 2),
    "negative": (-2, 2),
    "square": (-2, 2),
    "sqrt": (0.1, 3),
    "rsqrt": (0.1, 3),
    "cbrt": (0.1, 3),
    "rcbrt": (-3, -0.1),
    "reciprocal": (0.3, 2),
    "exp": (-2, 2),
    "expm1": (-2, 2),
    "log": (0.1, 3),
    "log10": (0.1, 3),
    "log2": (0.1, 3),
    "log1p": (-0.5, 3),
    "sin": (-4, 4),
    "cos": (-4, 4),
    "tan": (-1, 1),
    "arcsin": (-0.9, 0.9),
    "arccos": (-0.9, 0.9),
    "arctan": (-3, 3),
    "sinh": (-2, 2),
    "cosh": (-2, 2),
    "tanh": (-2, 2),
    "arcsinh": (-3, 3),
    "arccosh": (1.2, 4),
    "arctanh": (-0.8, 0.8),
    "degrees": (-3, 3),
    "radians": (-180, 180),
    "erf": (-2, 2),
    "erfinv": (-0.8, 0.8),
    "gamma": (0.4, 6),
    "gammaln": (0.4, 6),
    "relu": (0.1, 2),
    "sigmoid": (-4, 4),
    "softsign": (0.1, 3),
    "hard_sigmoid": (-2, 2),
    "smooth_l1": (-0.9, 0.9),
    "_copy": (-2, 2),
}
STEPS = ["sign", "ceil", "floor", "trunc", "fix", "rint", "round", "logical_not"]
COPIES = ["_copy", "BlockGrad", "make_loss", "zeros_like", "ones_like"]

_edges = np.array([-np.inf, -3, -2.5, -1.5, -1, -0.5, -0.0, 0, 0.5, 1, 1.5, 2.5, 3, np.inf, np.nan], dtype="float32")
_whole = np.array([[-7, -1, 0], [1, 2, 8]], dtype="int32")
_half = {"rtol": 3e-3, "atol": 1e-3, "numeric": False}

SAMPLES = []
for _name, (_low, _high) in sorted(SMOOTH.items()):
    SAMPLES.append(S(_name, rand(2, 3, low=_low, high=_high)))
    SAMPLES.append(S(_name, rand(2, 1, 3, low=_low, high=_high, dtype="float64"), rtol=1e-6))
    SAMPLES.append(S(_name, rand(5, low=_low, high=_high, dtype="float16"), **_half))
    SAMPLES.append(S(_name, _edges[_edges != 0] if _name == "gamma" else _edges, grad=False))
for _name in STEPS:
    SAMPLES.append(S(_name, _edges, numeric=False))
    SAMPLES.append(S(_name, _edges.astype("float16"), numeric=False))
    SAMPLES.append(S(_name, rand(3, 4, low=-9, high=9, dtype="float64"), numeric=False))
    SAMPLES.append(S(_name, np.array([8388609, 16777215, 0.49999997, -0.49999997], dtype="float32"), numeric=False))
for _name in COPIES:
    SAMPLES.append(S(_name, rand(2, 3), numeric=False))
    SAMPLES.append(S(_name, rand(2, 3, dtype="float16"), numeric=False))
    SAMPLES.append(S(_name, np.array([True, False])))
    SAMPLES.append(S(_name, _whole))
    SAMPLES.append(S(_name, error=True))
for _name in sorted(SMOOTH) + STEPS:
    if _name not in ("hard_sigmoid", "_copy"):
        SAMPLES.append(S(_name, _whole))
        SAMPLES.append(S(_name, np.array([0, 1, 2, 6], dtype="uint8")))
    if _name != "_copy":
        SAMPLES.append(S(_name, np.array([True, False]), error=True))
for _name in ("abs", "negative", "square", "sqrt", "exp", "log", "cbrt", "sign", "relu", "cosh", "gamma"):
    SAMPLES.append(S(_name, np.array([-128, -27, -8, 0, 1, 8, 27, 64, 125, 127], dtype="int8")))
    SAMPLES.append(S(_name, np.array([-4, 0, 1, 5, 8, 20, 1000], dtype="int64")))

SAMPLES += [
    # kinks and poles
    S("abs", np.array([-1, 0, 2], dtype="float32"), numeric=False),
    S("relu", np.array([-1, 0, 2], dtype="float32"), numeric=False),
    S("cbrt", np.array([-8, 0, 27], dtype="float32"), numeric=False),
    S("sqrt", np.array([0, 4], dtype="float32"), numeric=False),
    S("log", np.array([-1, 0, 4], dtype="float32"), numeric=False),
    S("reciprocal", np.array([-1, 0, 4], dtype="float32"), numeric=False),
    S("gamma", np.array([-2.5, -1.5, -0.5, 1, 5, 12, 30], dtype="float32"), numeric=False, rtol=2e-5),
    S("softsign", np.array([-2, 0, 2], dtype="float32"), numeric=False),
    # attributes
    S("hard_sigmoid", rand(3, 4, low=-4, high=4), alpha=0.3, beta=0.4),
    S("hard_sigmoid", np.array([-2.5, 0, 2.5], dtype="float32"), numeric=False),
    S("hard_sigmoid", _whole, error=True),
    S("hard_sigmoid", rand(2, 3), alpha="much", error=True),
    S("smooth_l1", rand(3, 4, low=-3, high=3), scalar=2.0),
    S("smooth_l1", rand(3, 4, low=-6, high=6), scalar=0.5),
    S("smooth_l1", rand(3, 4, low=-6, high=6), scalar=-1.0),
    S("smooth_l1", rand(2, 3), scalar=0.0),
    S("smooth_l1", np.array([-1, 0, 1], dtype="float32"), scalar=1.0, numeric=False),
    S("smooth_l1", _whole, scalar=2.0),
    S("smooth_l1", ints(3, 4, low=-9, high=9), scalar=1e4, grad=False),
    S("smooth_l1", ints(3, 4, low=-9, high=9), scalar=0.7, grad=False),
    *(S(name, ints(3, 4, low=-9, high=9)) for name in ("floor", "ceil", "rint", "round", "trunc", "fix")),
    S("clip", rand(3, 4, low=-3, high=3), a_min=-1, a_max=1.5),
    S("clip", np.array([-2, -1, 0, 1, 2, 3], dtype="float32"), a_min=-1.0, a_max=2.0, numeric=False),
    S("clip", np.array([5, -7, 0, 1], dtype="float32"), a_min=2, a_max=-2, numeric=False),
    S("clip", np.array([np.nan, -7, 9], dtype="float32"), a_min=-2, a_max=2, grad=False),
    S("clip", rand(3, 4, low=-3, high=3, dtype="float16"), a_min=-1, a_max=1.5, **_half),
    S("clip", rand(3, 4, low=-3, high=3, dtype="float64"), a_min=-1, a_max=1.5),
    S("clip", ints(3, 4, low=-9, high=9), a_min=-1.5, a_max=2.9),
    S("clip", ints(3, 4, low=-9, high=9), a_min=1.5, a_max=2.9),
    S("clip", np.array([0, 5, 250], dtype="uint8"), a_min=-1.5, a_max=300),
    S("clip", np.array([-100, 5, 100], dtype="int8"), a_min=-300, a_max=50),
    S("clip", np.array([5, -7, 0, 1], dtype="int32"), a_min=2, a_max=-2),
    S("clip", rand(2, 3), a_min=0, error=True),
    S("clip", np.array([True, False]), a_min=0, a_max=1, error=True),
    # two arrays
    S("_identity_with_attr_like_rhs", rand(2, 3), rand(2, 3, seed=1), numeric=False),
    S("_identity_with_attr_like_rhs", rand(2, 3), rand(3, 2), error=True),
    S("_identity_with_attr_like_rhs", rand(2, 3), rand(2, 3, dtype="float64"), error=True),
    S("cast_storage", rand(2, 3), stype="default"),
    S("cast_storage", _whole, stype="default"),
    S("cast_storage", rand(2, 3), stype="dense", error=True),
    # mixed precision
    S("amp_cast", rand(2, 3), dtype="float16", **_half),
    S("amp_cast", rand(2, 3, dtype="float16"), dtype="float32"),
    S("amp_cast", rand(2, 3), dtype="float32"),
    S("amp_cast", _whole, dtype="float32"),
    S("amp_cast", rand(2, 3), dtype="bool", error=True),
    S("amp_cast", rand(2, 3), error=True),
    S("amp_multicast", rand(2, 3), rand(4), num_outputs=2),
    S("amp_multicast", rand(2, 3), _whole, num_outputs=2, grad=False),
    S("amp_multicast", rand(2, 3), rand(4), num_outputs=3, error=True),
]
_floats = np.array([-1.7, 2.5, 300, -300, 1e10, np.nan, np.inf, -np.inf, 0.4, 0], dtype="float32")
_sources = [
    _floats,
    _floats.astype("float64"),
    np.array([-1.7, 300, np.inf, 0], dtype="float16"),
    np.array([-1, 300, 70000, 0], dtype="int32"),
    np.array([2**40 + 5, -1], dtype="int64"),
    np.array([0, 255], dtype="uint8"),
    np.array([-128, 127], dtype="int8"),
    np.array([True, False]),
]
for _dtype in ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool"):
    for _source in _sources:
        SAMPLES.append(S("Cast", _source, dtype=_dtype, grad=False))
for _dtype in ("float16", "float32", "float64"):
    SAMPLES.append(S("Cast", rand(2, 3), dtype=_dtype, numeric=False, rtol=2e-3))
SAMPLES.append(S("Cast", rand(2, 3), dtype="number", error=True))
SAMPLES.append(S("Cast", rand(2, 3), error=True))
