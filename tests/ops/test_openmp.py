"""How threads wait, and how many there are: what is chosen before torch is loaded."""

import json
import os
import subprocess
import sys

import pytest

from mxnet._core import cgroup, openmp

SHOW = "import json, os, mxnet; print(json.dumps({k: v for k, v in os.environ.items() if 'OMP' in k}))"


def environment(code=SHOW, **variables):
    """The variables of OpenMP in a new process that imports the package."""
    env = {k: v for k, v in os.environ.items() if "OMP" not in k} | variables
    return json.loads(subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout)


def test_a_short_spin_unless_somebody_has_chosen():
    assert environment()["GOMP_SPINCOUNT"] == openmp.SPINS
    assert environment(GOMP_SPINCOUNT="7")["GOMP_SPINCOUNT"] == "7"
    assert "GOMP_SPINCOUNT" not in environment(OMP_WAIT_POLICY="ACTIVE")
    assert "GOMP_SPINCOUNT" not in environment(MXNET_OPENMP="0")
    assert "GOMP_SPINCOUNT" not in environment("import torch; " + SHOW)  # too late


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_text(text)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "150000 100000\n", "a/cpu.max": "50000 100000\n", "a/b/cpu.max": "max 100000\n"}, 0.5),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 0.5),
        ({"cpu/c/cpu.cfs_quota_us": "50000\n", "cpu/c/cpu.cfs_period_us": "100000\n"}, 0.5),
        ({"cpu.max": "nonsense"}, None),
        ({"cpu.max": "100000 0"}, None),
        ({}, None),
    ],
)
def test_quotas_of_containers(tmp_path, files, expected):
    own = tmp_path / "own"
    own.write_text("8:cpu,cpuacct:/c\n4:memory:/m/n\n0::/a/b\n")
    write(tmp_path / "root", files)
    assert cgroup.processors(tmp_path / "root", own) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"memory.max": "max\n"}, None),
        ({"memory.max": "1000\n"}, 1000),
        ({"memory.max": "1000\n", "a/memory.max": "max\n", "a/b/memory.high": "600\n"}, 600),
        ({"memory/memory.limit_in_bytes": "9223372036854771712\n"}, None),
        ({"memory/m/memory.limit_in_bytes": "700\n", "memory/m/n/memory.limit_in_bytes": "9223372036854771712\n"}, 700),
        ({"memory/other/memory.limit_in_bytes": "700\n"}, None),
        ({"memory.max": "nonsense"}, None),
        ({"memory.max": "0"}, None),
        ({}, None),
    ],
)
def test_memory_of_containers(tmp_path, files, expected):
    own = tmp_path / "own"
    own.write_text("8:cpu,cpuacct:/c\n4:memory:/m/n\n0::/a/b\n")
    write(tmp_path / "root", files)
    assert cgroup.memory_limit(tmp_path / "root", own) == expected


@pytest.mark.parametrize(
    ("allowed", "threads"), [(0.5, "1"), (1.5, "1"), (2.0, "2"), (3.9, "3"), (64.0, None), (None, None)]
)
def test_no_more_threads_than_a_container_may_use(monkeypatch, allowed, threads):
    monkeypatch.setattr(cgroup, "processors", lambda: allowed)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8), raising=False)
    monkeypatch.delitem(sys.modules, "torch")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert openmp.choose().get("OMP_NUM_THREADS") == threads
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    assert "OMP_NUM_THREADS" not in openmp.choose()
