"""A small part of the sweep (tests/sweep, ``make sweep``): calls that crashed or gave wrong numbers, and others."""

import json
import subprocess
import sys

from paths import TESTS

SWEEP = TESTS / "sweep"
#: Calls with which torch 2.13 and oneDNN 3.12 write behind their memory, read elsewhere or give wrong gradients.
FOUND = [
    ("Convolution", [2, 4, 8, 8], {"kernel": [1, 1], "stride": [2, 2], "num_filter": 8, "no_bias": True}),
    ("Convolution", [3, 1, 11, 8], {"kernel": [1, 1], "stride": [1, 2], "num_filter": 16, "no_bias": True}),
    ("Convolution", [3, 3, 9, 9], {"kernel": [1, 1], "stride": [3, 1], "num_filter": 16, "no_bias": False}),
    (
        "Convolution",
        [2, 3, 4, 1],
        {"kernel": [3, 1], "stride": [4, 4], "dilate": [3, 3], "pad": [2, 2], "num_filter": 32, "no_bias": False},
    ),
    ("Deconvolution", [3, 19, 3, 5], {"kernel": [1, 1], "stride": [4, 1], "adj": [3, 0], "num_filter": 1}),
    ("Deconvolution", [4, 19, 11, 4], {"kernel": [1, 1], "stride": [2, 2], "adj": [1, 1], "num_filter": 4}),
    ("InstanceNorm", [1, 12, 5, 11], {"eps": 0.1}),
    ("InstanceNorm", [1, 7, 4, 4, 4], {"eps": 0.1}),
    ("chain", [5, 4, 2, 1], {"kernel": [1, 1], "stride": [2, 2], "pad": [1, 1], "num_filter": 4, "num_group": 2}),
]
CHAIN = {"before": False, "norm": False, "add": False, "activation": "clip", "hybrid": False}


def run(*arguments):
    command = [sys.executable, str(SWEEP), "--threads", "1", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_calls_that_went_wrong():
    memory = {"last": False, "memory": "last", "head_memory": "last", "seed": 1}
    cases = [{"op": op, "shape": shape, "attrs": attrs, **memory, **CHAIN} for op, shape, attrs in FOUND]
    assert f"{len(FOUND)} cases, 0 wrong" in run("--cases", json.dumps(cases))


def test_some_of_all():
    found = run("--count", "100", "--step", "400").splitlines()
    assert len(found) == 7 and all("cases, 0 wrong" in line for line in found[1:])


def test_findings_are_found():
    """A crash, an exception and a wrong number are told, and the cases after them run."""
    code = f"""
import os, sys
sys.path.insert(0, {str(SWEEP)!r})
import cases, children
def differences(case):
    if case == "crash":
        os.kill(os.getpid(), 11)
    if case == "raise":
        raise ValueError("what it said")
    return ["off by 1"] if case == "wrong" else []
cases.differences = differences
for case, text in children.sweep(["good", "crash", "wrong", "raise", "good"]):
    print(case, text)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["crash crash (status -11)", "wrong off by 1", "raise ValueError: what it said"]
