"""The programs around the package run: the example and the benchmarks (what they print, never how fast)."""

import json
import os
import pathlib
import re
import runpy
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*command, cwd, **variables):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MXNET_ORIGINAL": "", **variables}
    return subprocess.run(
        [sys.executable, *map(str, command)], cwd=cwd, capture_output=True, text=True, env=environment
    )


WORKLOADS = sorted(p.stem for p in (ROOT / "benchmarks" / "workloads").glob("[a-z]*.py"))


@pytest.fixture(scope="module", params=["ours", "torch"])
def worker(request):
    """A process that runs workloads at tiny sizes."""
    worker_class = runpy.run_path(str(ROOT / "benchmarks" / "run.py"))["Worker"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MXNET_BENCHMARK_SMALL", "1")
        running = worker_class(request.param, sys.executable, threads=1)
    with running:
        yield running


@pytest.mark.parametrize("workload", WORKLOADS)
def test_workload_runs(worker, workload):
    assert worker.ask(do="once", workload=workload) == {}


def test_worker_tells_what_is_wrong(worker):
    assert worker.ask(do="once", workload="no_such")["error"].startswith("ModuleNotFoundError")


@pytest.mark.parametrize("options", [("--rounds", 1), ("--rounds", 2, "--clock", "cpu"), ("--memory", "--steps", 2)])
def test_benchmark_table(options, tmp_path):
    results = tmp_path / "results.json"
    command = (ROOT / "benchmarks" / "run.py", "gluon_mlp_train_hybrid", "--threads", 1, "--json", results, *options)
    done = run(*command, cwd=tmp_path, MXNET_BENCHMARK_SMALL="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^gluon_mlp_train_hybrid .* [\d.]+x$", done.stdout, re.MULTILINE)
    assert "ours / the other: less than 1x" in done.stdout
    (result,) = json.loads(results.read_text())["results"]
    figures = result["taken_mb" if "--memory" in options else "median_ms"]
    assert sorted(figures) == ["ours", "torch"]
    assert result["ours_to"]["torch"] == pytest.approx(figures["ours"] / figures["torch"])
    assert figures["ours"] > 0
    if "--memory" not in options:
        assert len(result["samples"]["ours"]) == options[1]


def test_benchmarks_report_what_fails(tmp_path):
    done = run(ROOT / "benchmarks" / "run.py", "no_such_workload", cwd=tmp_path)
    assert done.returncode == 2
    assert "add_2x3" in done.stderr
