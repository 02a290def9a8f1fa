"""Every operator with sparse inputs: storage types, values and gradients are what the original gave."""

import collections

import numpy as np
import pytest
import sparse_operator_cases as sparse_operators
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("sparse_operators.json.gz")
SAMPLES = sparse_operators.all_samples()

# Operators whose results differ on purpose. Where the original refuses or crashes, ours may have a result: that of the
# dense arrays, which is checked.
DIFFERENT = {
    "RNN": "the original gives whatever is in its memory",
    "_rnn_param_concat": "the parameters of a network are dense",
    "_mp_adamw_update": "the original gives whatever is in its memory",
    "SequenceLast": "a length of zero is an error; the original reads beside its memory",
}
#: Updates that change the rows of the gradient only.
LAZY = ("sgd_update", "sgd_mom_update", "adam_update")
#: Gradients that the original leaves as they were: those of labels, of which it knows that nothing flows back to them.
LABELS = ("Output", "Softmax", "_contrib_MultiBoxTarget", "_contrib_MultiBoxPrior", "MultiProposal")


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setenv("MXNET_STORAGE_FALLBACK_LOG_VERBOSE", "0")


def close(mine, theirs):
    return len(mine) == len(theirs) and np.allclose(mine, theirs, 1e-3, 1e-4, equal_nan=True)


def problem(mine, theirs, name):
    """How an outcome differs from the recorded one, or None."""
    if "error" in theirs:
        if mine.get("error") in ("NoTensor", "AttributeError"):
            return f"{mine}"
        # beyond the original: the result of the dense arrays
        return "values" if "values" in mine and theirs["error"] != "crash" and name not in LAZY else None
    if "error" in mine:
        return f"{mine}"
    if mine["out"] != theirs["out"]:
        return f"storage {mine['out']}, the original's {theirs['out']}"
    if mine["grad"] != theirs["grad"]:
        return f"storage of gradients {mine['grad']}, the original's {theirs['grad']}"
    if ("values" in mine) != ("values" in theirs):
        return "values"
    if "values" in mine and not all(map(close, mine["values"], theirs["values"])):
        return "values"
    label = any(part in name for part in LABELS)
    if ("slopes" in mine) != ("slopes" in theirs):
        return None if label else "gradients"
    if "slopes" in mine and not label:
        pairs = [(mine["slopes"][i], theirs["slopes"][i]) for i in theirs["slopes"]]
        return None if all(close(*pair) for pair in pairs) else "gradients"
    return None


def by_operator():
    cases = collections.defaultdict(list)
    for case in sparse_operators.cases():
        cases[SAMPLES[case[1], case[2]].op].append(case)
    return cases


CASES = by_operator()


@pytest.mark.parametrize("op", sorted(CASES))
def test_as_the_original(op):
    found = {}
    for case in CASES[op]:
        mine, theirs = sparse_operators.outcome(mx, *case), RECORDED[" ".join(case)]
        what = problem(mine, theirs, op)
        if what is not None:
            found[" ".join(case)] = what
    if op in DIFFERENT:
        assert found, "on the list of what differs, and does not"
        assert all("NoTensor" not in what for what in found.values())
    else:
        assert not found


def test_the_record_is_of_these_cases():
    assert set(RECORDED) == {" ".join(case) for case in sparse_operators.cases()}
