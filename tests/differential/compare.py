"""Programs on two engines: running them, the first thing that differs, the shortest program that still differs."""

import os
import pickle
import re
import struct
import subprocess
from pathlib import Path

import numpy as np

from .deliberate import DELIBERATE
from .deliberate_calls import CALL, CALLS
from .worker import FINISHED

HERE = Path(__file__).parent
RTOL = 1e-4  # of the number, and of the largest number in the array


# The original without the graphs it rewrites for oneDNN: those normalize by running averages where training asks for the
# batch's, if no gradient is wanted.
PLAIN = {"MXNET_SUBGRAPH_BACKEND": "NONE"}


# A result is nobody's to match if it depends on what memory held before, or on whether the original computes by oneDNN:
# with it a bias has no gradient if its weight has none, nan becomes 0, views of weights show its order.
PERTURBED = {"MALLOC_PERTURB_": "85", "MXNET_MKLDNN_ENABLED": "0"}

# In these kinds a difference is undefined if numbers that are off by so much make one: a gradient that is zero but for
# rounding, which an optimizer divides by its own size.
JITTER = {"executor": 1e-6, "module": 1e-6, "gluon": 1e-6, "numpy_gluon": 1e-6}


class Engine:
    """A Python with mxnet in a process of its own that runs programs."""

    def __init__(self, python, warm=(), **environment):
        self._process = subprocess.Popen(
            [python, str(HERE / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={
                **os.environ,
                "OMP_NUM_THREADS": "1",
                "PYTHONWARNINGS": "ignore",
                "PYTHONPATH": "",
                **PLAIN,
                **environment,
            },
        )
        if warm:  # what these load and set up, the processes of the others need not
            self._send(warm, forked=False)
            self.receive()

    def send(self, *programs, jitter=0.0):
        """Starts programs, in order in a process of their own; their results are to be fetched with ``receive``."""
        self._send(programs, forked=True, jitter=jitter)

    def _send(self, programs, *, forked, jitter=0.0):
        data = pickle.dumps((programs, forked, jitter), protocol=4)
        self._process.stdin.write(struct.pack("<q", len(data)) + data)
        self._process.stdin.flush()

    def receive(self):
        """The results of the oldest programs that were sent and not fetched."""
        out = self._process.stdout
        head = out.read(8)
        if len(head) < 8:
            raise RuntimeError("the process that runs programs is gone; does its Python have mxnet?")
        return [pickle.loads(result) for result in pickle.loads(out.read(struct.unpack("<q", head)[0]))]

    def run(self, steps, jitter=0.0):
        """The result of a program in a process of its own."""
        self.send(steps, jitter=jitter)
        return self.receive()[0]

    def close(self):
        """Ends the process."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


#: The steps of a single call that compose, bind and run it.
CALL_STEP = re.compile(r"find_function\(|_e = bound\(|_e\.forward\(|y = _net\(")


def refused(steps, result):
    """Does an engine refuse the one call of a program, when it is composed, bound or run?"""
    return any(CALL_STEP.search(steps[step]) for step in result["errors"] if step < len(steps))


def first_difference(steps, ours, original):
    """What differs first between two results, as ``(step, kind, text)``; None if nothing does.

    A single call that both refuse is over, whether they do so when it is bound or when it runs.
    """
    if ours["end"] == original["end"] == FINISHED and refused(steps, ours) and refused(steps, original):
        return None
    if ours["end"] != FINISHED or original["end"] != FINISHED:
        if ours["end"] == original["end"]:
            return None
        return len(steps), "end", f"ours: {ours['end']}, the original: {original['end']}"
    mine, theirs = dict(ours["dumps"]), dict(original["dumps"])
    for step in range(len(steps) + 1):
        here, there = ours["errors"].get(step), original["errors"].get(step)
        if (here is None) != (there is None):
            return step, "error", f"ours: {here or 'no error'}\n    the original: {there or 'no error'}"
        text = _different_values(mine.get(step, {}), theirs.get(step, {}))
        if text:
            return step, "value", text
    return None


def _different_values(ours, original):
    for name in sorted({*ours, *original}):
        a, b = ours.get(name), original.get(name)
        if not same(a, b):
            return f"{name}\n    ours: {_shown(a)}\n    the original: {_shown(b)}"
    return None


def same(a, b):
    """Are two noted values the same but for rounding?"""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        if a.dtype.kind != "f" or not a.size:
            return bool(np.array_equal(a, b))
        finite = np.abs(b[np.isfinite(b)], dtype=np.float64)
        tolerance, least = (3e-3, 5e-4) if a.dtype == np.float16 else (RTOL, 1e-4)
        scale = min(float(finite.max()), 1e6) if finite.size else 0.0
        return bool(np.allclose(a, b, rtol=tolerance, atol=least + tolerance * scale, equal_nan=True))
    return (isinstance(a, str) and isinstance(b, str)) or (a is None and b is None)


def _shown(value):
    if not isinstance(value, np.ndarray):
        return value
    flat = " ".join(f"{x:.6g}" for x in value.ravel()[:24].tolist())
    return f"{value.dtype}{value.shape} {flat}{' ...' if value.size > 24 else ''}"


def deliberate(steps, difference):
    """The entry of the list of deliberate differences that this one belongs to, or None."""
    step, kind, text = difference
    upto = "\n".join(steps[: step + 1])
    line = steps[step] if step < len(steps) else ""
    name = re.match(r"\w*", text)[0]
    for entry in [*DELIBERATE, *(CALLS if re.search(CALL, "\n".join(steps)) else ())]:
        where = line if entry.get("where", "step") == "step" else upto
        program = entry["program"].replace("NAME", name)
        if entry["kind"] == kind and re.search(program, where) and re.search(entry["text"], text, re.DOTALL):
            return entry
    return None


def shrink(steps, differs):
    """A shortest program that still differs: no step and no line of a step can be left out."""
    size = max(len(steps) // 2, 1)
    while True:
        start, smaller = 0, False
        while start < len(steps):
            candidate = steps[:start] + steps[start + size :]
            if candidate and differs(candidate):
                steps, smaller = candidate, True
            else:
                start += size
        if size > 1:
            size //= 2
        elif not smaller:
            break
    for i in range(len(steps)):
        lines = steps[i].split("\n")
        for j in range(len(lines) - 1, 0, -1):
            fewer = lines[:j] + lines[j + 1 :]
            candidate = [*steps[:i], "\n".join(fewer), *steps[i + 1 :]]
            if len(fewer) > 1 and differs(candidate):
                steps, lines = candidate, fewer
    return steps


def outline(steps):
    """A program without its numbers and names: programs of one outline most likely differ for one reason."""
    text = re.sub(r"\b[a-z]+_?\d+(?=\W|$)", "v", " ; ".join(s for s in steps if s != "dump()"))
    return re.sub(r"-?\d+(\.\d+)?(, *-?\d+(\.\d+)?)*", "#", text)
