"""The programs around the package run: the example and the benchmarks (what they print, never how fast)."""

import contextlib
import json
import os
import re
import runpy
import subprocess
import sys
import types

import pytest
from paths import ROOT

sys.path.append(str(ROOT / "benchmarks"))

import families
from families._values import difference, digest


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
    assert worker.ask(do="once", workload=workload).keys() == {"values"}


@pytest.fixture(scope="module")
def engines():
    """A process at tiny sizes for each engine that families can be run on here."""
    worker_class = runpy.run_path(str(ROOT / "benchmarks" / "run.py"))["Worker"]
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as stack:
        patch.setenv("MXNET_BENCHMARK_SMALL", "1")
        names = ("ours", "torch", "onnxruntime")
        yield {name: stack.enter_context(worker_class(name, sys.executable, threads=1)) for name in names}


def each_workload():
    """All workloads; those after the first of each kind of work of a family are slow tests."""
    seen = set()
    for family in families.families():
        for name in families.workloads(family):
            kind = family, *name.split("/")[2:4]
            yield pytest.param(name, marks=[pytest.mark.slow] if kind in seen else [])
            seen.add(kind)


@pytest.mark.parametrize("workload", [*each_workload()])
def test_workload_of_a_family(engines, workload, tmp_path):
    """Every workload runs, and where there is a twin with the same weights it predicts the same."""
    failed = engines["ours"].ask(do="export", workload=workload, folder=str(tmp_path))["failed"]
    values = engines["ours"].ask(do="once", workload=workload)["values"]
    assert values and not failed.keys() - {"onnxruntime"}
    for engine in ("torch", "onnxruntime"):
        answer = engines[engine].ask(do="once", workload=workload, folder=str(tmp_path))
        assert answer.keys() in ({"values"}, {"skipped"}), answer
        network = families.find(workload).network
        if "/predict/" in workload and "values" in answer and not network.torch:
            assert difference(values, answer["values"]) < 1e-3


def test_families_cover_what_users_do():
    names = [name for family in families.families() for name in families.workloads(family)]
    assert len(names) == len(set(names)) > 200
    networks = [families.find(name) for name in names if len(name.split("/")) == 5]
    assert {workload.mode for workload in networks} == set(families.MODES)
    assert {workload.batch for workload in networks} >= {1, 8, 64}


@pytest.mark.parametrize(
    "name", ["cnn/no_such", "no_such/lenet", "cnn/lenet/train/hybrid/many", "cnn/lenet/fly/hybrid/1"]
)
def test_unknown_workload_of_a_family(name):
    with pytest.raises(LookupError, match="there is no"):
        families.find(name)


def test_results_are_compared():
    assert difference(digest([1.0, [2.0, 4.0]]), digest([1.0, [2.0, 4.0]])) == 0
    assert difference(digest([2.0, 4.0]), digest([2.0, 3.0])) > 0.2
    assert difference(digest([2.0, float("nan")]), digest([2.0, 3.0])) == float("inf")
    assert difference(digest([2.0]), digest([2.0, 3.0])) == float("inf")


def test_figures_of_families_are_merged():
    """New figures replace old ones of the same workload; workloads that are gone, or failed, are left out."""
    merge = runpy.run_path(str(ROOT / "benchmarks" / "summary.py"))["merge"]
    old = {"workload": "metrics/accuracy", "ms": 1.0, "ours_to": {"torch": 3.0}}
    kept = {"machine": "old", "results": [old, {**old, "workload": "metrics/f1"}, {**old, "workload": "metrics/gone"}]}
    new = {"workload": "metrics/f1", "median_ms": {"ours": 1.2345}, "ours_to": {"original": 1 / 3}}
    failed = {"workload": "metrics/rmse", "median_ms": {}, "ours_to": {}}
    about = {"machine": "new", "threads": 1, "clock": "cpu", "rounds": 3}
    merged = merge(kept, [{**about, "results": [new, failed]}])
    assert merged == {**about, "results": [old, {"workload": "metrics/f1", "ms": 1.23, "ours_to": {"original": 0.333}}]}


def test_benchmarks_choose_workloads(tmp_path):
    done = run(ROOT / "benchmarks" / "run.py", "rnn/lstm*/train/*", "--family", "metrics", "--list", cwd=tmp_path)
    names = done.stdout.split()
    assert "rnn/lstm_cell/train/hybrid/8" in names and "metrics/accuracy" in names
    assert not [name for name in names if "predict" in name]


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


def test_figures_are_put_together(tmp_path, monkeypatch):
    """What `make figures` measures becomes one file, with every workload that the README has words for."""
    figures = types.SimpleNamespace(**runpy.run_path(str(ROOT / "benchmarks" / "figures.py")))
    asked = []

    def measured(script, *arguments):
        asked.append(script)
        if script == "distributed.py":
            names = ("big", "many", "lenet")
            samples = {f"{who} {name}": [1.0, 3.0, 2.0] for who in ("ours", "original") for name in names}
            return {**samples, "ours all_reduce_big": [1.0], "ours all_reduce_many": [4.0]}
        if script == "deployment.py":
            return {"results": [{"workload": "onnx_resnet50", "ours_to": {"torch": 0.75}}]}
        names = arguments[: arguments.index("--original")]
        results = [{"workload": name, "ours_to": {"original": 0.5, "torch": 1 / 3}} for name in names]
        return {"machine": "2 cores", "threads": 2, "results": results}

    written = []
    scope = figures.main.__globals__
    monkeypatch.setitem(scope, "run", measured)
    monkeypatch.setitem(scope, "FIGURES", tmp_path / "figures.json")
    done = types.SimpleNamespace(returncode=0)
    monkeypatch.setitem(scope, "subprocess", types.SimpleNamespace(run=lambda command: written.append(command) or done))
    monkeypatch.setattr(sys, "argv", ["figures.py", "--original", "python-with-mxnet"])
    assert figures.main() == 0
    kept = json.loads((tmp_path / "figures.json").read_text())
    assert asked == ["run.py", "distributed.py", "deployment.py"] and written[0][-1].endswith("generate.py")
    assert (kept["machine"], kept["threads"]) == ("2 cores", 2)
    assert {r["workload"]: r["ours_to"] for r in kept["results"]}["distributed_many"] == {"original": 1.0, "torch": 0.5}
    assert [r["workload"] for r in kept["results"]] == list(scope["generate"].WORK)
