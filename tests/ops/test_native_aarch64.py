"""The kernels in C compiled for 64-bit ARM and run by qemu: they give what they give here.

Calls are recorded while the kernels' own tests run (``native_recording.py``), which compare with torch and float64,
and repeated by a program without Python (``native_replay.c``). Vectors have four numbers there, as in the variant of
the kernels for any x86 processor, so that memory whose layout depends on that is the same.
"""

import os
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest
from native_recording import REPEATABLE
from paths import ROOT, TESTS

from mxnet import native

HERE = TESTS / "ops"
OWN = "batch_norm cross_entropy layer_norm max_pool native nn_layout winograd".split()
FILES = [*(f"test_{name}.py" for name in OWN), "test_random_original.py", "test_rnn_native.py", "test_rnn_op.py",
         "../graph/test_quantization.py",
         "../ndarray/test_sparse.py", "../ndarray/test_sparse_operators.py", "../module/test_optimizer.py"]  # fmt: skip
#: What has Python in it, and the pool, which takes the place of functions of C.
LEFT_OUT = ("pool.c", "range.c", "stamp.c")
#: With vectors (NEON) as they are built, and one number after the other.
FLAGS = {"vectors": ["-O3"], "plain": ["-O1", "-fno-tree-vectorize", "-ffp-contract=off"]}
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which(COMPILER) is None or shutil.which(EMULATOR) is None,
        reason=f"{COMPILER} and {EMULATOR} are needed: apt-get install gcc-aarch64-linux-gnu qemu-user",
    ),
    pytest.mark.skipif(native.loaded() is None, reason="the kernels were not built"),
]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The file with the calls, and the calls."""
    place = tmp_path_factory.mktemp("calls") / "recorded"
    env = os.environ | {"NATIVE_CALLS": str(place), "ATEN_CPU_CAPABILITY": "default", "OMP_NUM_THREADS": "2"}
    env["PYTHONPATH"] = f"{HERE}{os.pathsep}{env.get('PYTHONPATH', '')}"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "native_recording", "-p", "no:cacheprovider", *FILES]
    ran = subprocess.run(command, cwd=HERE, env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]
    return place, pickle.loads(place.read_bytes())


def replayed(recorded, folder, compiler, flags, *runner):
    """The memory of each call, after the same calls of kernels that were compiled so."""
    place, calls = recorded
    names = sorted({name for name, *_ in calls})
    sources = [path for path in sorted((ROOT / "mxnet" / "native").glob("*.c")) if path.name not in LEFT_OUT]
    common = ["-fopenmp", "-fno-math-errno", "-fno-trapping-math", "-std=gnu17", "-static", "-w"]
    kernels = "-DREPLAYED=" + " ".join(f"K({name})" for name in names)
    command = [compiler, *common, *flags, kernels, *sources, HERE / "native_replay.c", "-o", folder / "replay", "-lm"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)  # the linker warns of dlopen in OpenMP
    env = os.environ | {"OMP_WAIT_POLICY": "passive"}  # emulated threads that spin take all of a processor
    subprocess.run([*runner, folder / "replay", f"{place}.calls", folder / "results"], check=True, env=env)
    content, at = (folder / "results").read_bytes(), 0
    for name, kinds, before, after, _ in calls:
        found = []
        for old in before:
            found.append(content[at : at + len(old)])
            at += len(old)
        yield name, kinds, found, after
    assert at == len(content)


def worst(found, expected, kind):
    """By how much of the largest number results differ; inf if a number is in the place of NaN, or the reverse."""
    got, wanted = np.frombuffer(found, kind), np.frombuffer(expected, kind)
    if got.dtype.kind != "f":
        return float((got != wanted).any())
    with np.errstate(all="ignore"):
        same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        if same.all():
            return 0.0
        if not (np.isfinite(got[~same]).all() and np.isfinite(wanted[~same]).all()):
            return np.inf
        scale = np.abs(wanted[np.isfinite(wanted)]).max()
        return float(np.abs(got[~same].astype(np.float64) - wanted[~same]).max() / max(scale, 1e-30))


def compared(results):
    """The largest difference of each kernel, and how many calls there were."""
    table = {}
    for name, kinds, found, after in results:
        error = max((worst(*pair) for pair in zip(found, after, kinds, strict=True)), default=0.0)
        count, largest = table.get(name, (0, 0.0))
        table[name] = count + 1, max(largest, error)
    return table


def test_the_program_repeats_what_was_recorded(recorded, tmp_path):
    if os.uname().machine != "x86_64" or shutil.which("gcc") is None:
        pytest.skip("for gcc on x86-64, as which calls were recorded")
    table = compared(replayed(recorded, tmp_path, "gcc", ["-O3"]))
    assert set(table) | {"random_integers"} >= set(REPEATABLE), set(REPEATABLE) - set(table)
    assert {name: error for name, (_, error) in table.items() if error > 1e-5} == {}


@pytest.mark.parametrize("kind", FLAGS)
def test_kernels_on_arm(recorded, tmp_path, kind):
    table = compared(replayed(recorded, tmp_path, COMPILER, FLAGS[kind], EMULATOR))
    print(*(f"{name}: {count} calls, {error:.2g}" for name, (count, error) in sorted(table.items())), sep="\n")
    assert {name: error for name, (_, error) in table.items() if error > 1e-5} == {}
