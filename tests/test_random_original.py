"""Random numbers by seed, against what was recorded from the original (tests/golden/record_random.py)."""

import gzip
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import mxnet as mx

GOLDEN = pathlib.Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))

import random_cases as cases  # noqa: E402

RECORDED = json.loads(gzip.decompress((GOLDEN / "random.json.gz").read_bytes()))
#: In these the C library's logarithms and powers are in the way (or products of matrices, or a decomposition):
#: how many units in the last place a number may be away.
CLOSE = {
    "normal": 2,
    "exponential": 2,
    "gamma": 2,
    "sample_normal": 2,
    "sample_exponential": 2,
    "sample_gamma": 2,
    "mixed": 2,
}
#: Values that went through other arithmetic than the drawing itself: how far they may be apart.
TOLERANT = {"cells": 1e-5, "fused rnn": 1e-5, "images": 1.0, "layers": 1e-5}


def family(name):
    return name.split("(")[0].split("-")[0].removesuffix("_like")


def distance(found, expected):
    """Units in the last place between two arrays of bits of floating numbers of one sign."""
    return np.abs(found.astype(np.int64) - expected.astype(np.int64)).max(initial=0)


def check(name, found):
    expected = RECORDED[name]
    assert len(found) == len(expected)
    kind = family(name)
    for place, (array, (dtype, shape, total, sampled)) in enumerate(zip(found, expected, strict=True)):
        mine = cases.summary(array)
        assert mine[:2] == [dtype, shape], (name, place)
        words = cases.WORDS[np.dtype(dtype).itemsize]
        values, wanted = (np.array(bits, dtype=words).view(dtype) for bits in (mine[3], sampled))
        if kind in TOLERANT:
            np.testing.assert_allclose(values, wanted, rtol=TOLERANT[kind], atol=TOLERANT[kind], err_msg=f"{name} {place}")
        elif kind in CLOSE and np.issubdtype(dtype, np.floating):
            assert distance(np.array(mine[3], words), np.array(sampled, words)) <= CLOSE[kind], (name, place)
        else:
            assert mine[2:] == [total, sampled], (name, place)


NAMES = [name for name in RECORDED if not name.startswith("network-")]


@pytest.mark.parametrize("name", NAMES)
def test_as_the_original(name):
    check(name, cases.CASES[name](mx))
