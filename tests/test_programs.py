"""The programs around the package run: the example and the benchmarks (what they print, never how fast)."""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

from mxnet import nd

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*command, cwd):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MXNET_ORIGINAL": ""}
    return subprocess.run(
        [sys.executable, *map(str, command)], cwd=cwd, capture_output=True, text=True, env=environment
    )


def test_training_digits(tmp_path):
    done = run(ROOT / "examples" / "train_digits.py", "--epochs", 2, "--seed", 1, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    accuracy = float(re.search(r"test accuracy ([\d.]+)%", done.stdout).group(1))
    assert accuracy > 85
    assert re.search(r"epoch  2/2.*loss=0\.\d+", done.stderr)
    saved = nd.load(str(tmp_path / "runs" / "digits.params"))
    assert {k: v.shape for k, v in saved.items()} == {"W1": (784, 256), "b1": (256,), "W2": (256, 10), "b2": (10,)}
    assert all(np.isfinite(v.asnumpy()).all() for v in saved.values())


WORKLOADS = sorted(p.stem for p in (ROOT / "benchmarks" / "workloads").glob("[a-z]*.py"))


@pytest.mark.parametrize("workload", WORKLOADS)
def test_workload_runs(workload, tmp_path):
    results = tmp_path / "results.json"
    command = (ROOT / "benchmarks" / "run.py", workload, "--rounds", 1, "--threads", 1, "--json", results)
    done = run(*command, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert workload in done.stdout
    (result,) = json.loads(results.read_text())["results"]
    assert sorted(result["samples"]) == ["ours", "torch"]
    assert result["median_ms"]["ours"] > 0


def test_benchmarks_report_what_fails(tmp_path):
    done = run(ROOT / "benchmarks" / "run.py", "no_such_workload", cwd=tmp_path)
    assert done.returncode == 2
    assert "add_2x3" in done.stderr
