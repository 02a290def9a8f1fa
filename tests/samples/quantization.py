"""Samples of operators on 8-bit integers.

``quantized_elemwise_mul`` cannot be called eagerly in the original, ``quantize_asym`` and ``quantized_rnn`` end its
process: they are tested in test_quantization.py.
"""

import numpy as np

from .common import S, ints, rand


def _eight(*shape, kind="int8", seed=0):
    low, high = (-128, 128) if kind == "int8" else (0, 256)
    return ints(*shape, low=low, high=high, seed=seed, dtype=kind)


def _range(*numbers):
    return [np.array([n], "float32") for n in numbers]


def _q(op, *inputs, **attrs):
    return S(op, *inputs, grad=False, numeric=False, rtol=0, atol=0, **attrs)


_X = rand(4, 37, low=-3.0, high=3.0)
_EDGES = np.array([[-3.0, -1.5, -0.5, 0.0, 0.5, 1.5, 3.0, np.inf, -np.inf, np.nan]], "float32")
_SUMS = ints(3, 50, low=-(10**7), high=10**7, dtype="int32")
_BN = [rand(3, low=0.5, high=1.5, seed=s) for s in range(4)]
_HIST = (1000 * np.exp(-0.5 * np.linspace(-4, 4, 801) ** 2)).astype("float32").round()


def _calibrated(low, high):
    return {"min_calib_range": low, "max_calib_range": high}


_HALVES = ({"min_calib_range": 0.5}, {"max_calib_range": 1.0})  # half a range is none
_SMALL = {"kernel": (3, 3), "num_filter": 4}

SAMPLES = [
    *[_q("_contrib_quantize", _X, *_range(*r), out_type=t) for t in ("int8", "uint8") for r in ((-2, 2.5), (0, 3))],
    _q("_contrib_quantize", _EDGES, *_range(-1, 3), out_type="int8"),
    _q("_contrib_quantize", _X, *_range(-1, 1)),
    S("_contrib_quantize", _X.astype("float64"), *_range(-1, 1), error=True),
    S("_contrib_quantize", _X, rand(2), *_range(1), error=True),
    *[_q("_contrib_quantize_v2", _X, out_type=t) for t in ("int8", "uint8", "auto")],
    *[
        _q("_contrib_quantize_v2", _X, out_type=t, **_calibrated(*r))
        for t in ("int8", "uint8", "auto")
        for r in ((-2.0, 1.3), (0.0, 2.9), (-4.0, -1.0))
    ],
    _q("_contrib_quantize_v2", _EDGES, **_calibrated(-2.0, 3.0)),
    _q("_contrib_quantize_v2", np.zeros((2, 3), "float32")),
    _q("_contrib_quantize_v2", np.zeros((2, 3), "float32"), out_type="uint8"),
    _q("_contrib_quantize_v2", _eight(2, 5), **_calibrated(-2.0, 3.0)),
    _q("_contrib_quantize_v2", _eight(2, 5, kind="uint8"), out_type="uint8", **_calibrated(0.0, 3.0)),
    _q("_contrib_quantize_v2", _eight(2, 5)),
    *[_q("_contrib_quantize_v2", _X, out_type="auto", **half) for half in _HALVES],
    S("_contrib_quantize_v2", _X.astype("float16"), error=True),
    S("_contrib_quantize_v2", np.zeros((0, 3), "float32"), error=True),
    *[_q("_contrib_dequantize", _eight(3, 40, kind=k), *_range(-2.7, 1.3)) for k in ("int8", "uint8")],
    _q("_contrib_dequantize", _eight(7, kind="uint8"), *_range(0, 0.01)),
    S("_contrib_dequantize", _SUMS, *_range(-1, 1), error=True),
    *[_q("_contrib_requantize", _SUMS, *_range(-900, 700), out_type=t) for t in ("int8", "uint8", "auto")],
    *[
        _q("_contrib_requantize", _SUMS, *_range(-900, 700), out_type=t, **_calibrated(*r))
        for t in ("int8", "uint8", "auto")
        for r in ((-2.0, 1.3), (0.0, 2.9))
    ],
    *[_q("_contrib_requantize", _SUMS, *_range(-900, 700), out_type="auto", **half) for half in _HALVES],
    _q("_contrib_requantize", np.zeros((2, 2), "int32"), *_range(-1, 1)),
    S("_contrib_requantize", _eight(3), *_range(-1, 1), error=True),
    *[
        _q("_contrib_quantized_conv", _eight(*s, kind="uint8"), _eight(4, c, 3, 3), None, *_range(0, 3, -1.5, 0.5), **k)
        for s, c, k in (
            ((2, 3, 7, 6), 3, {**_SMALL, "no_bias": True}),
            ((1, 2, 9, 5), 2, {**_SMALL, "no_bias": True, "stride": (2, 1), "pad": (1, 1), "dilate": (1, 2)}),
        )
    ],
    _q(
        "_contrib_quantized_conv",
        _eight(2, 3, 7, 6, kind="uint8"),
        _eight(4, 3, 3, 3),
        _eight(4),
        *_range(0, 3, -1.5, 0.5, -0.1, 0.2),
        **_SMALL,
    ),
    _q(
        "_contrib_quantized_conv",
        _eight(1, 128, 4, 4, kind="uint8"),
        _eight(4, 128, 3, 3),
        None,
        *_range(0, 3, -1, 1),
        no_bias=True,
        **_SMALL,
    ),
    S(
        "_contrib_quantized_conv",
        rand(1, 3, 7, 6),
        _eight(4, 3, 3, 3),
        *_range(0, 3, -1, 1),
        no_bias=True,
        **_SMALL,
        error=True,
    ),
    *[
        S(
            "_contrib_quantized_fully_connected",
            _eight(3, 4, 5, kind=k),
            _eight(6, n),
            *b,
            num_hidden=6,
            grad=False,
            rtol=2e-7,
            atol=0,
            **a,
        )
        for k in ("int8", "uint8")
        for n, b, a in (
            (20, [None, *_range(-2, 3, -1.5, 0.5)], {"no_bias": True}),
            (20, [_eight(6), *_range(-2, 3, -1.5, 0.5, -0.1, 0.2)], {}),
            (5, [_eight(6), *_range(0, 3, -1.5, 0.5, -1.1, 0.2)], {"flatten": False}),
        )
    ],
    S(
        "_contrib_quantized_fully_connected",
        _eight(2, 2000),
        _eight(3, 2000),
        None,
        *_range(-2, 3, -1, 1),
        num_hidden=3,
        no_bias=True,
        grad=False,
        rtol=2e-7,
        atol=0,
    ),
    S(
        "_contrib_quantized_fully_connected",
        _SUMS,
        _eight(3, 50),
        *_range(-2, 3, -1, 1),
        num_hidden=3,
        no_bias=True,
        error=True,
    ),
    *[
        _q("_contrib_quantized_pooling", _eight(2, 3, 7, 6, kind=k), *_range(-1, 2), **a)
        for k in ("int8", "uint8")
        for a in (
            {"kernel": (2, 2), "stride": (2, 2)},
            {"kernel": (3, 2), "stride": (2, 2), "pad": (1, 0), "pool_type": "avg"},
            {"kernel": (2, 2), "stride": (2, 2), "pad": (1, 1), "pool_type": "avg", "count_include_pad": False},
            {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"},
            {"kernel": (2, 3), "stride": (2, 2), "pooling_convention": "full", "pool_type": "avg"},
            {"global_pool": True, "pool_type": "avg", "kernel": (2, 2)},
            {"global_pool": True, "kernel": (2, 2)},
        )
    ],
    S("_contrib_quantized_pooling", _eight(2, 3, 7, 6), *_range(-1, 2), kernel=(2, 2), pool_type="sum", error=True),
    S("_contrib_quantized_pooling", _eight(2, 3, 7), *_range(-1, 2), kernel=(2,), error=True),
    _q("_contrib_quantized_act", _eight(3, 4, 5), *_range(-1, 2), act_type="relu"),
    S("_contrib_quantized_act", _eight(3, 4), *_range(-1, 2), act_type="tanh", error=True),
    *[_q("_contrib_quantized_flatten", _eight(3, 4, 5, kind=k), *_range(-1, 2)) for k in ("int8", "uint8")],
    _q("_contrib_quantized_flatten", _SUMS.reshape(3, 5, 10), *_range(-1, 2)),
    *[
        _q(
            "_contrib_quantized_concat",
            *[_eight(2, 3 + i, 4, kind=k, seed=i) for i, k in enumerate(kinds)],
            *_range(*r),
            num_args=len(kinds),
        )
        for kinds, r in (
            (("int8", "int8"), (-1, 2, -3, 1)),
            (("uint8", "uint8", "uint8"), (0, 2, 0, 3, 0, 0.5)),
            (("int8", "uint8"), (-1, 2, 0, 3)),
            (("uint8", "int8"), (0, 2, -3, 1.5)),
            (("int8",), (-1, 2)),
        )
    ],
    _q("_contrib_quantized_concat", _eight(2, 3), _eight(4, 3, seed=1), *_range(-1, 1, -1, 1), num_args=2, dim=0),
    S("_contrib_quantized_concat", _eight(2, 3), _eight(4, 2), *_range(-1, 1, -1, 1), num_args=2, dim=0, error=True),
    *[
        _q(
            "_contrib_quantized_elemwise_add",
            _eight(3, 40, kind=a),
            _eight(3, 40, kind=b, seed=1),
            *_range(-1, 2, -2, 3),
            **_calibrated(-4.0, 3.0),
        )
        for a in ("int8", "uint8")
        for b in ("int8", "uint8")
    ],
    *[
        S(
            "_contrib_quantized_elemwise_add",
            _eight(3, 40, kind=k),
            _eight(3, 40, kind=k, seed=1),
            *_range(-1, 2, -2, 3),
            grad=False,
            rtol=3e-7,
            atol=256,
        )
        for k in ("int8", "uint8")
    ],
    S("_contrib_quantized_elemwise_add", _eight(3, 4), _eight(3, 1), *_range(-1, 2, -2, 3), error=True),
    *[
        _q(
            "_contrib_quantized_batch_norm",
            _eight(2, 3, 6, 7, kind=k),
            *_BN,
            *_range(-1, 2),
            **_calibrated(-3.0, 2.0),
            **a,
        )
        for k in ("int8", "uint8")
        for a in ({}, {"fix_gamma": False, "eps": 1e-5})
    ],
    S("_contrib_quantized_batch_norm", _eight(2, 3, 6, 7), *_BN, *_range(-1, 2), error=True),
    _q(
        "_contrib_quantized_embedding",
        np.array([[0, 2], [4, 9]], "float32"),
        _eight(5, 6),
        *_range(-1, 2),
        input_dim=5,
        output_dim=6,
    ),
    _q(
        "_contrib_quantized_embedding",
        np.array([0, -3, 3], "int32"),
        _eight(5, 6),
        *_range(-1, 2),
        input_dim=5,
        output_dim=6,
    ),
    *[
        S(
            "_contrib_calibrate_entropy",
            _HIST,
            np.linspace(-4, 4, 802).astype("float32"),
            grad=False,
            rtol=1e-4,
            num_quantized_bins=n,
        )
        for n in (255, 127)
    ],
    S(
        "_contrib_calibrate_entropy",
        ints(801, low=0, high=3, dtype="float32"),
        np.linspace(-1, 1, 802).astype("float32"),
        grad=False,
        rtol=1e-4,
    ),
]
