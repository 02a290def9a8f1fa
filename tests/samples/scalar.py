"""Samples of elementwise operators on an array and a number."""

import numpy as np

from .common import S, rand

ARITHMETIC = "plus minus rminus mul div rdiv mod rmod power rpower maximum minimum hypot".split()
CONDITIONS = "equal not_equal greater greater_equal lesser lesser_equal logical_and logical_or logical_xor".split()

_half = {"rtol": 3e-3, "atol": 1e-3, "numeric": False}
_zeros = np.array([5, -5, 0, 1], dtype="float32")
_ties = np.array([[1, 2, 3], [3, 2, 1]], dtype="float32")
_whole = np.array([-7, 7, 0, 5], dtype="int32")

SAMPLES = []
# Numbers: as they are, truncated for integers, wrapped around for small ones.
_numbers = (2.5, -3.0, 300.0, 0.0)
for _name in ARITHMETIC:
    _op = "_%s_scalar" % _name
    _positive = rand(2, 3, low=0.6, high=2.2)
    for _number in (2.5, 3.0, 0.5):
        SAMPLES.append(S(_op, _positive, scalar=_number))
    SAMPLES.append(S(_op, rand(2, 3, low=0.6, high=2.2, dtype="float64"), scalar=0.7, rtol=1e-9))
    SAMPLES.append(S(_op, rand(5, low=0.6, high=2.2, dtype="float16"), scalar=0.7, **_half))
    SAMPLES.append(S(_op, rand(2, 3), scalar="two", error=True))
    SAMPLES.append(S(_op, _positive, scalar=1e39, grad=False))
for _name in ARITHMETIC + CONDITIONS:
    _op = "_%s_scalar" % _name
    _divides = _name in ("rdiv", "rmod")
    for _number in _numbers:
        if _name in ("div", "mod") and _number == 0:
            continue
        _zero = 1 if _divides else 0
        SAMPLES.append(S(_op, np.array([-7, _zero, 1, 2, 3], dtype="int32"), scalar=_number))
        SAMPLES.append(S(_op, np.array([249, _zero, 1, 2, 44], dtype="uint8"), scalar=_number))
        SAMPLES.append(S(_op, np.array([True, _divides]), scalar=_number))
    SAMPLES.append(S(_op, np.array([-7, 4, 1, 2, 3], dtype="int32"), scalar=2.5, is_int=False))
    SAMPLES.append(S(_op, np.array([True, True]), scalar=2.5, is_int=False))
    SAMPLES.append(S(_op, np.array([-7, 1, 2, 100], dtype="int8"), scalar=2.5))
    SAMPLES.append(S(_op, np.array([-7, 1, 2, 100], dtype="int64"), scalar=2.0**53))
    if _name not in ("div", "mod"):
        SAMPLES.append(S(_op, np.array([-7, 1, 2, 100], dtype="int8"), scalar=3e9))
        SAMPLES.append(S(_op, np.array([-7, 1, 2, 100], dtype="int32"), scalar=float("inf")))
for _name in CONDITIONS:
    _op = "_%s_scalar" % _name
    for _number in (0.0, 1.0):
        SAMPLES.append(S(_op, np.array([-1, 0, 1, np.nan], dtype="float32"), scalar=_number, numeric=False))
    SAMPLES.append(S(_op, np.array([0.1, 0.2], dtype="float16"), scalar=0.1, numeric=False))
    SAMPLES.append(S(_op, np.array([0.1, 0.2], dtype="float32"), scalar=0.1, numeric=False))

SAMPLES += [
    # ties, zero divisors, signs
    S("_maximum_scalar", _ties, scalar=2.0, numeric=False),
    S("_minimum_scalar", _ties, scalar=2.0, numeric=False),
    S("_mod_scalar", _zeros, scalar=0.0, numeric=False),
    S("_div_scalar", _zeros, scalar=0.0, numeric=False),
    S("_rdiv_scalar", _zeros, scalar=2.0, numeric=False),
    S("_power_scalar", np.array([-2, -1, 0, 3], dtype="float32"), scalar=3.0),
    S("_power_scalar", np.array([-2, 0, 3], dtype="float32"), scalar=-1.0, numeric=False),
    S("_power_scalar", np.array([-2, 0, 3, np.nan], dtype="float32"), scalar=0.0, grad=False),
    S("_power_scalar", np.array([-2, 0, 3], dtype="float32"), scalar=0.5, numeric=False),
    S("_rpower_scalar", np.array([-2, 0, 3], dtype="float32"), scalar=2.0),
    S("_scatter_plus_scalar", rand(2, 3), scalar=2.5),
    S("_scatter_plus_scalar", _whole, scalar=2.5),
    S("_scatter_minus_scalar", rand(2, 3), scalar=2.5),
    S("_scatter_minus_scalar", _whole, scalar=2.5),
    # a number divided by an integer is computed as a float: by zero it is the smallest number of 32 or 64 bits
    *[S("_rdiv_scalar", np.array([0, 3, -2], dtype), scalar=7.5) for dtype in ("int8", "int32", "int64")],
    S("_rdiv_scalar", np.array([0, 3, 200], "uint8"), scalar=7.0),
    S("_rdiv_scalar", np.array([0, 3], "int32"), scalar=0.0),
]
