"""Samples of elementwise operators on two or more arrays."""

import numpy as np

from .common import S, ints, rand

ARITHMETIC = {
    "add": "elemwise_add",
    "sub": "elemwise_sub",
    "mul": "elemwise_mul",
    "div": "elemwise_div",
    "mod": "_mod",
    "power": "_power",
    "maximum": "_maximum",
    "minimum": "_minimum",
    "hypot": "_hypot",
}
CONDITIONS = ["equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal"]
LOGICAL = ["logical_and", "logical_or", "logical_xor"]

_half = {"rtol": 3e-3, "atol": 1e-3, "numeric": False}
_a = np.array([-7, -7, 7, 7, -8, 8, 0, 5, 3, 0], dtype="int32")
_b = np.array([3, -3, 3, -3, 4, -4, 5, 5, -1, 2], dtype="int32")


def _pair(*shapes, **kwargs):
    """Two arrays away from zero and from each other, so that every function is smooth there."""
    return rand(*shapes[0], low=0.5, high=2, **kwargs), rand(*shapes[-1], low=2.1, high=4, seed=1, **kwargs)


SAMPLES = []
for _name, _elemwise in sorted(ARITHMETIC.items()):
    _broadcast = "broadcast_" + _name
    SAMPLES += [
        S(_elemwise, *_pair((2, 3))),
        S(_elemwise, *_pair((2, 3), dtype="float64"), rtol=1e-9),
        S(_elemwise, *_pair((5,), dtype="float16"), **_half),
        S(_elemwise, _a, _b),
        S(_elemwise, _a.astype("int8"), _b.astype("int8")),
        S(_elemwise, _a.astype("int64"), _b.astype("int64")),
        S(_elemwise, _a.astype("uint8"), _b.astype("uint8")),
        S(_elemwise, rand(2, 3), rand(1, 3), error=True),
        S(_elemwise, rand(2, 3), rand(2, 3, dtype="float64"), error=True),
        S(_elemwise, np.array([True]), np.array([False]), error=True),
        S(_broadcast, *_pair((2, 3), (2, 1))),
        S(_broadcast, *_pair((2, 3), (3,))),
        S(_broadcast, *_pair((1,), (2, 3))),
        S(_broadcast, *_pair((2, 1, 3), (4, 1))),
        S(_broadcast, *_pair((2, 1), (1, 3), dtype="float64")),
        S(_broadcast, *_pair((2, 1), (1, 3), dtype="float16"), **_half),
        S(_broadcast, ints(2, 3, low=-9, high=9), ints(2, 1, low=1, high=5)),
        S(_broadcast, ints(2, 3, low=0, high=200, dtype="uint8"), ints(3, low=1, high=200, dtype="uint8")),
        S(_broadcast, rand(2, 3), rand(2, 4), error=True),
        S(_broadcast, rand(2, 3), rand(2), error=True),
        S(_broadcast, rand(2, 3), ints(2, 3), error=True),
        S(_broadcast, np.array([True]), np.array([False]), error=True),
    ]
for _name in CONDITIONS + LOGICAL:
    for _op, _shape in (("_" + _name, (3, 4)), ("broadcast_" + _name, (4,))):
        _lhs, _rhs = ints(3, 4, low=-1, high=2), ints(*_shape, low=-1, high=2, seed=1)
        for _dtype in ("float32", "float16", "float64", "int32", "int64", "int8"):
            SAMPLES.append(S(_op, _lhs.astype(_dtype), _rhs.astype(_dtype), numeric=False))
        _with_nan = np.where(_lhs == 1, np.nan, _lhs).astype("float32")
        SAMPLES.append(S(_op, _with_nan, _rhs.astype("float32"), grad=False))
        SAMPLES.append(S(_op, np.array([True]), np.array([False]), error=True))
        SAMPLES.append(S(_op, rand(3, 4), rand(3, 5), error=True))

_zeros = np.array([5, -5, 0, 1], dtype="float32")
_ties = np.array([[1, 2, 3], [3, 2, 1]], dtype="float32")
SAMPLES += [
    # ties, zero divisors, signs, infinities
    S("_maximum", _ties, _ties[::-1].copy(), numeric=False),
    S("_minimum", _ties, _ties[::-1].copy(), numeric=False),
    S("broadcast_maximum", _ties, _ties[:1], numeric=False),
    S("broadcast_minimum", _ties, _ties[:1], numeric=False),
    S("_maximum", np.array([np.nan, 1], dtype="float32"), np.array([1, np.nan], dtype="float32"), numeric=False),
    S("_mod", _zeros, np.zeros(4, "float32"), numeric=False),
    S("_mod", np.array([5.5, -5.5, 5.5, -5.5], "float32"), np.array([2, 2, -2, -2], "float32"), numeric=False),
    S("_mod", np.array([5, -5], "float32"), np.array([np.inf, np.inf], "float32"), grad=False),
    S("_mod", np.array([5, -5], "float32"), np.array([-np.inf, -np.inf], "float32"), grad=False),
    S("elemwise_div", _zeros, np.array([0, 0, 0, -0.0], dtype="float32"), numeric=False),
    S("_power", np.array([3, 7, 5, 2], dtype="int32"), np.array([19, 11, 13, 31], dtype="int32")),
    S("_power", np.array([3, 7, 5, 0], dtype="int64"), np.array([39, 21, 23, -1], dtype="int64")),
    S("_hypot", np.array([30000, 46340], dtype="int32"), np.array([40000, 46340], dtype="int32")),
    # the names of sparse and gradient graphs
    S("_grad_add", rand(2, 3), rand(2, 3, seed=1), grad=False),
    S("_grad_add", rand(2, 3), rand(3), error=True),
    S("_scatter_elemwise_div", *_pair((2, 3))),
    # many
    S("add_n", rand(2, 3), rand(2, 3, seed=1), rand(2, 3, seed=2), rand(2, 3, seed=3)),
    S("add_n", rand(2, 3), rand(2, 3, seed=1)),
    S("add_n", rand(2, 3)),
    S("add_n", rand(4, dtype="float16"), rand(4, dtype="float16", seed=1), rtol=2e-3, atol=1e-3),
    S("add_n", _a, _b, _a),
    S("add_n", rand(2, 3), rand(2, 1), error=True),
    S("add_n", rand(2, 3), ints(2, 3), error=True),
    S("add_n", error=True),
]
