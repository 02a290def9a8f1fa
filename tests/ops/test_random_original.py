"""Random numbers by seed, against what was recorded from the original (tests/ops/record_random.py)."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import random_cases as cases
import torch
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("random.json.gz")
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
TOLERANT = {"cells": 1e-5, "fused rnn": 1e-5, "images": 1.0, "layers": 1e-5, "np close": 1e-6, "np layers": 1e-6}
#: Parameters in half precision: the original rounds products that lie between two numbers in its own way.
HALF = 2.0**-9


def family(name):
    return name.split("(")[0].split("-")[0].removesuffix("_like")


def distance(found, expected):
    """Units in the last place between two arrays of bits of floating numbers of one sign."""
    return np.abs(found.astype(np.int64) - expected.astype(np.int64)).max(initial=0)


def compare(name, place, values, wanted):
    """Numbers that went through other arithmetic, too."""
    if "Orthogonal" in name:  # the signs of singular vectors are a matter of LAPACK
        values, wanted = np.abs(values), np.abs(wanted)
    limit = TOLERANT.get(family(name), HALF)
    np.testing.assert_allclose(values, wanted, rtol=limit, atol=limit, err_msg=f"{name} {place}")


def check(name, found, more=1):
    """``more``: how many times further than usual the close ones may be away."""
    expected = RECORDED[name]
    assert len(found) == len(expected)
    kind = family(name)
    for place, (array, (dtype, shape, total, sampled)) in enumerate(zip(found, expected, strict=True)):
        mine = cases.summary(array)
        assert mine[:2] == [dtype, shape], (name, place)
        words = cases.WORDS[np.dtype(dtype).itemsize]
        values, wanted = (np.array(bits, dtype=words).view(dtype) for bits in (mine[3], sampled))
        if kind in TOLERANT or name.startswith(("sample_uniform-float16-", "sample_normal-float16-")):
            compare(name, place, values, wanted)
        elif kind in CLOSE and np.issubdtype(dtype, np.floating):
            assert distance(np.array(mine[3], words), np.array(sampled, words)) <= more * CLOSE[kind], (name, place)
        else:
            assert mine[2:] == [total, sampled], (name, place)


NAMES = [name for name in RECORDED if not name.startswith("network-")]
LARGE = ("1e6", "-int64", "-0")
SMALL = [name for name in NAMES if not name.endswith(LARGE) and not name.startswith("layers-")]
NETWORKS = [name for name in RECORDED if name.startswith("network-")]
#: In every run: one for each kind of network.
QUICK = ("resnet18_v1-0", "mobilenetv2_0.25-1", "squeezenet1.1-42")


@pytest.mark.parametrize("name", NAMES)
def test_as_the_original(name):
    check(name, cases.CASES[name](mx))


@pytest.mark.parametrize("name", SMALL)
def test_without_kernels_in_c(name, monkeypatch):
    monkeypatch.setattr(mx._rng.generator(mx.cpu()), "_kernels", mx._rng_numpy)
    check(name, cases.CASES[name](mx), more=4)


def test_parameters_of_several_axes_without_kernels_in_c(monkeypatch):
    nd = mx.nd
    low = nd.arange(24).reshape((2, 3, 4))
    calls = [lambda: nd.sample_uniform(low, low + 1), lambda: nd.sample_poisson(low, shape=2)]
    mx.random.seed(5)
    expected = [call().asnumpy() for call in calls]
    monkeypatch.setattr(mx._rng.generator(mx.cpu()), "_kernels", mx._rng_numpy)
    mx.random.seed(5)
    for call, numbers in zip(calls, expected, strict=True):
        np.testing.assert_allclose(call().asnumpy(), numbers, rtol=1e-6)


@pytest.mark.parametrize(
    "name", [n if n.endswith(QUICK) else pytest.param(n, marks=pytest.mark.slow) for n in NETWORKS]
)
def test_initial_weights_of_networks(name):
    check(name, cases.CASES[name](mx))


def test_everything_is_recorded():
    assert RECORDED.keys() == cases.CASES.keys()


@pytest.mark.parametrize("name", ["uniform", "normal", "gamma"])
def test_threads_do_not_matter(name):
    before, found = torch.get_num_threads(), []
    try:
        for count in (1, 2, 3):
            torch.set_num_threads(count)
            mx.random.seed(8)
            found.append(getattr(mx.nd.random, name)(2, 3, shape=(100003,)).asnumpy())
    finally:
        torch.set_num_threads(before)
    assert (found[0] == found[1]).all() and (found[0] == found[2]).all()


def test_a_program_without_a_seed_has_the_seed_0():
    code = "import mxnet as mx; print(mx.nd.random.uniform(shape=(70,)).asnumpy().tolist())"
    plain, by_torch = (
        json.loads(subprocess.check_output([sys.executable, "-c", code], env={**os.environ, "MXNET_RANDOM": which}))
        for which in ("mxnet", "torch")
    )
    mx.random.seed(0)
    assert plain == mx.nd.random.uniform(shape=(70,)).asnumpy().tolist() != by_torch


@pytest.mark.parametrize("rate", [1e7, 1e8, 3e9, 1e15, 1e30])
def test_poisson_of_huge_rates_ends(rate):
    """The rejection may find nothing where single precision has no digits left; the original's is cut to int32."""
    drawn = mx.nd.random.poisson(rate, shape=(100,)).asnumpy()
    np.testing.assert_allclose(drawn, rate, rtol=0.01)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -1.0])
def test_parameters_that_are_none_give_no_numbers(bad):
    drawn = mx.nd.sample_gamma(mx.nd.array([bad, 2]), mx.nd.array([1, 1]), shape=(5,)).asnumpy()
    assert np.isnan(drawn[0]).all() and np.isfinite(drawn[1]).all()


# ---- states ----------------------------------------------------------------------------------------------------------


def some_numbers():
    nd = mx.nd
    return [
        a.asnumpy().tolist()
        for a in (nd.random.uniform(shape=(3000,)), nd.random.normal(shape=(9,)), nd.random.shuffle(nd.arange(50)))
    ]


def test_a_saved_state_continues(tmp_path):
    mx.random.seed(3)
    some_numbers()
    mx.nd.save(str(tmp_path / "state"), mx.random.get_state())
    expected = some_numbers()
    mx.random.seed(4)
    mx.random.set_state(mx.nd.load(str(tmp_path / "state")))
    assert some_numbers() == expected


def test_states_of_before_the_first_number_are_small():
    mx.random.seed(3)
    state = mx.random.get_state()
    assert state["cpu"].size < 3000
    expected = some_numbers()
    mx.random.set_state(state)
    assert some_numbers() == expected


@pytest.mark.parametrize("change", ["short", "long", "float", "position", "negative", "name", "empty"])
def test_bad_states_are_refused_and_change_nothing(change):
    mx.random.seed(3)
    some_numbers()
    good = mx.random.get_state()
    numbers, name = good["cpu"].asnumpy(), "cpu"
    if change == "short":
        numbers = numbers[:-1]
    elif change == "long":
        numbers = np.append(numbers, numbers[:1])
    elif change == "float":
        numbers = numbers.astype("float32")
    elif change == "position":
        numbers[0] = 10**6
    elif change == "negative":
        numbers[0] = -2
    elif change == "empty":
        numbers = numbers[:5]
    else:
        name = "tpu"
    with pytest.raises(ValueError, match="state"):
        mx.random.set_state({name: mx.nd.array(numbers, dtype=numbers.dtype)})
    expected = some_numbers()
    mx.random.set_state(good)
    assert some_numbers() == expected
    with pytest.raises(TypeError, match="get_state"):
        mx.random.set_state(numbers)
