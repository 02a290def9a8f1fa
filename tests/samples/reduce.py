"""Samples of reductions and of operators that broadcast axes."""

import numpy as np

from .common import S, ints, rand

REDUCTIONS = ["sum", "mean", "prod", "nansum", "nanprod", "max", "min"]
_nan = np.array([[1, np.nan, 3], [np.nan, np.nan, np.nan], [2, 5, -1]], dtype="float32")
_ties = np.array([[1, 3, 3], [2, 2, 2], [-1, -1, 5]], dtype="float32")
_half = {"rtol": 4e-3, "atol": 2e-3, "numeric": False}

SAMPLES = []
for _name in REDUCTIONS:
    _data = rand(2, 3, 4, low=0.5, high=1.5)
    for _attrs in (
        {},
        {"axis": ()},
        {"axis": 0},
        {"axis": -1},
        {"axis": (0, 2)},
        {"axis": (-1, 0), "keepdims": True},
        {"axis": 1, "exclude": True},
        {"axis": (0, -1), "exclude": True, "keepdims": True},
        {"axis": (0, 1, 2), "exclude": True},
        {"axis": (0, 1, 2)},
        {"keepdims": True},
        {"exclude": True},
    ):
        SAMPLES.append(S(_name, _data, **_attrs))
    for _attrs in ({"axis": 3}, {"axis": -4}, {"axis": (0, 0)}, {"axis": (1, -2)}, {"axis": "first"}):
        SAMPLES.append(S(_name, _data, error=True, **_attrs))
    SAMPLES += [
        S(_name, rand(5)),
        S(_name, rand(3, 4, low=0.5, high=1.5, dtype="float64"), axis=1, rtol=1e-9),
        S(_name, rand(3, 4, low=0.5, high=1.5, dtype="float16"), axis=1, **_half),
        S(_name, ints(3, 4, low=-9, high=9), axis=1),
        S(_name, ints(3, 4, low=-9, high=9)),
        S(_name, ints(3, 4, low=-9, high=9, dtype="int64"), axis=0, keepdims=True),
        S(_name, np.array([[100, 100, 3], [-7, 5, 4]], dtype="int8"), axis=1),
        S(_name, np.array([[100, 100, 103], [7, 5, 4]], dtype="uint8"), axis=1),
        S(_name, np.array([[True, False], [True, True], [False, False]]), axis=1),
        S(_name, _nan, axis=1, grad=False),
    ]
SAMPLES += [
    S("sum", np.ones(4096, dtype="float16"), **_half),
    S("sum", np.array([2**30] * 4, dtype="int32")),
    S("mean", np.array([-7, 2], dtype="int32")),
    S("max", _ties, axis=1, numeric=False),
    S("min", _ties, axis=1, numeric=False),
    S("max", _ties, axis=0, keepdims=True, numeric=False),
    S("min", _ties, numeric=False),
    S("nansum", _nan[:2], axis=1, numeric=False),
    S("nanprod", _nan[:1], axis=1, numeric=False),
    # norm
    S("norm", rand(2, 3, 4)),
    S("norm", rand(2, 3, 4), axis=()),
    S("norm", rand(2, 3, 4), axis=1),
    S("norm", rand(2, 3, 4), axis=(0, -1), keepdims=True),
    S("norm", rand(2, 3, 4), keepdims=True),
    S("norm", rand(2, 3, 4, low=0.1), ord=1),
    S("norm", rand(2, 3, 4, low=0.1), ord=1, axis=2),
    S("norm", rand(2, 3, 4, low=0.1), ord=1, axis=(0, 1)),
    S("norm", np.array([[1, -1, 0], [0, 0, 0]], dtype="float32"), ord=1, axis=1, numeric=False),
    S("norm", rand(2, 3, dtype="float64"), axis=0, out_dtype="float64"),
    S("norm", rand(2, 3, dtype="float16"), axis=0, **_half),
    S("norm", rand(2, 3), axis=0, out_dtype="float32", numeric=False),
    S("norm", rand(2, 3), ord=3, error=True),
    S("norm", rand(2, 3), ord=0, axis=1, error=True),
    S("norm", rand(2, 3), axis=2, error=True),
    S("norm", rand(2, 3), axis=(0, 0), error=True),
    S("norm", rand(2, 3), out_dtype="bool", error=True),
    # moments
    S("moments", rand(2, 3, 4), axes=1),
    S("moments", rand(2, 3, 4), axes=(0, -1), keepdims=True),
    S("moments", rand(2, 3, 4), axes=(0, 1, 2)),
    S("moments", rand(2, 3, dtype="float64"), axes=(0,)),
    S("moments", rand(2, 3, dtype="float16"), axes=(0,), **_half),
    S("moments", np.array([1, 4, 5], dtype="int32"), axes=(0,)),
    S("moments", rand(2, 3), error=True),
    S("moments", rand(2, 3), axes=(0, 0), error=True),
    S("moments", rand(2, 3), axes=2, error=True),
    # many arrays
    S("multi_sum_sq", rand(2, 3), rand(5), num_arrays=2, grad=False),
    S("multi_sum_sq", rand(2, 3, dtype="float64"), num_arrays=1, grad=False),
    S("multi_sum_sq", rand(2, 3, dtype="float16"), rand(4, dtype="float16"), num_arrays=2, grad=False, rtol=4e-3),
    S("multi_sum_sq", rand(2, 3), rand(5, dtype="float16"), num_arrays=2, error=True),
    S("multi_sum_sq", ints(2, 3), num_arrays=1, error=True),
    S("all_finite", rand(2, 3), grad=False),
    S("all_finite", rand(2, 3, dtype="float16"), grad=False),
    S("all_finite", rand(2, 3, dtype="float64"), grad=False),
    S("all_finite", np.array([1, np.inf], dtype="float32"), grad=False),
    S("all_finite", np.array([1, np.nan], dtype="float16"), grad=False),
    S("all_finite", ints(2, 3), error=True),
    S("multi_all_finite", rand(2, 3), rand(4), num_arrays=2, grad=False),
    S("multi_all_finite", rand(2, 3), np.array([-np.inf], dtype="float32"), num_arrays=2, grad=False),
    S("multi_all_finite", rand(2, 3), rand(4, dtype="float16"), num_arrays=2, error=True),
    # broadcasting
    S("broadcast_to", rand(1, 3), shape=(2, 3)),
    S("broadcast_to", rand(1, 3), shape=(2, 0)),
    S("broadcast_to", rand(1, 3, 1), shape=(2, 3, 4)),
    S("broadcast_to", rand(2, 3), shape=(2, 3)),
    S("broadcast_to", np.array([[1], [0]], dtype="int32"), shape=(2, 3)),
    S("broadcast_to", np.array([[True], [False]]), shape=(2, 3)),
    S("broadcast_to", rand(3), shape=(2, 3), error=True),
    S("broadcast_to", rand(2, 3), shape=(4, 3), error=True),
    S("broadcast_to", rand(1, 3), shape=(2, -1), error=True),
    S("broadcast_to", rand(1, 3), error=True),
    S("broadcast_axis", rand(1, 3), axis=0, size=2),
    S("broadcast_axis", rand(1, 3, 1), axis=(2, 0), size=(2, 4)),
    S("broadcast_axis", rand(1, 3), axis=(), size=()),
    S("broadcast_axis", ints(1, 3), axis=(0,), size=(2,)),
    S("broadcast_axis", rand(1, 3), axis=-2, size=2, error=True),
    S("broadcast_axis", rand(1, 3), axis=1, size=2, error=True),
    S("broadcast_axis", rand(1, 3), axis=2, size=2, error=True),
    S("broadcast_axis", rand(1, 3), axis=0, size=(2, 3), error=True),
    S("broadcast_like", rand(1, 3), rand(2, 3), numeric=False),
    S("broadcast_like", rand(1, 3), rand(5, 7), lhs_axes=(0,), rhs_axes=(1,), numeric=False),
    S("broadcast_like", rand(1, 1), rand(5, 7), lhs_axes=(-2, 1), rhs_axes=(-1, 0), numeric=False),
    S("broadcast_like", rand(1, 1, 3), rand(5, 7, 3, 2), lhs_axes=(0, 1), rhs_axes=(0, 3), numeric=False),
    S("broadcast_like", ints(1, 3), rand(2, 3), grad=False),
    S("broadcast_like", rand(3), rand(2, 3), error=True),
    S("broadcast_like", rand(1, 3), rand(5, 7), error=True),
    S("broadcast_like", rand(1, 3), rand(5, 7), lhs_axes=(1,), rhs_axes=(1,), error=True),
    S("broadcast_like", rand(1, 3), rand(5, 7), lhs_axes=(2,), rhs_axes=(1,), error=True),
    S("broadcast_like", rand(1, 3), rand(5, 7), lhs_axes=(0, 1), rhs_axes=(0,), error=True),
    S("broadcast_like", rand(1, 3), rand(5, 7), lhs_axes=(), rhs_axes=(), error=True),
    S("cumsum", rand(2, 3)),
    S("cumsum", rand(2, 3, 4), axis=0),
    S("cumsum", rand(2, 3, 4), axis=1, dtype="float64"),
    S("cumsum", ints(2, 3), axis=1, grad=False),
    S("cumsum", ints(2, 3), axis=1),
    S("cumsum", ints(2, 3), dtype="int64"),
    S("cumsum", ints(2, 3), axis=1, dtype="float32", grad=False),
    S("cumsum", rand(2, 3), axis=3, error=True),
    S("cumsum", ints(2, 3) > 4, grad=False),
    S("nansum", _nan[:2], axis=(0, 1), exclude=True, grad=False),
    S("nanprod", _nan[:2], axis=(0, 1), exclude=True, grad=False),
]
