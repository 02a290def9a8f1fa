"""Runs cases in child processes, so that a crash of an engine is found like a wrong number, and reports both.

python tests/sweep [--seed N] [--count N] [--kinds convolution ...] [--isa avx2 ...] [--threads 1 2] [--case JSON]
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

_HERE = pathlib.Path(__file__).parent
#: Names of sets of instructions, and what makes oneDNN, torch and MKL stay within one.
ISA: dict[str, dict[str, str]] = {
    "native": {},
    "avx2": {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"},
    "plain": {"ONEDNN_MAX_CPU_ISA": "SSE41", "ATEN_CPU_CAPABILITY": "default", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2"},
}
#: How many cases a child runs, unless one of them is its last.
_CHUNK = 200
_SECONDS = 300


def _run_child(cases: list[dict], first: int, last: int) -> tuple[list[tuple[int, str]], int]:
    """Runs cases in a fork: what it found, and the one that ended it (or ``last``)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # nothing was computed before the fork, so that threads are no trouble
        import signal

        signal.alarm(_SECONDS)
        os.close(reader)
        import cases as sweep

        for place in range(first, last):
            os.write(writer, f"{place}\n".encode())
            try:
                found = sweep.differences(cases[place])
            except Exception as error:  # a finding, as a wrong number is
                found = [f"{type(error).__name__}: {error}".replace("\n", " ")[:300]]
            for text in found:
                os.write(writer, f"{place} {text}\n".encode())
        os.write(writer, f"{last}\n".encode())
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as lines:
        told = [line.strip().partition(" ") for line in lines]
    status = os.waitpid(child, 0)[1]
    findings = [(int(place), text) for place, _, text in told if text]
    reached = int(told[-1][0]) if told else first
    if reached < last:
        findings.append((reached, f"crash (status {os.waitstatus_to_exitcode(status)})"))
        return findings, reached + 1
    return findings, last


def sweep(cases: list[dict]) -> Iterator[tuple[dict, str]]:
    """The cases that went wrong, and how."""
    first = 0
    while first < len(cases):
        findings, first = _run_child(cases, first, min(first + _CHUNK, len(cases)))
        for place, text in findings:
            yield cases[place], text


def _with_guard(environment: dict[str, str], directory: str) -> dict[str, str]:
    """Adds the guard of guard.c where there is a compiler (and glibc)."""
    compiler = shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        return environment
    library = f"{directory}/guard.so"
    if not os.path.exists(library):
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, str(_HERE / "guard.c")], check=True)
    return {**environment, "LD_PRELOAD": library}


def run(arguments: list[str], isa: str, threads: int, directory: str, **options: object) -> subprocess.CompletedProcess:
    """Runs the sweep in a process with a set of instructions and a number of threads."""
    environment = {**os.environ, **ISA[isa], "OMP_NUM_THREADS": str(threads)}
    root = str(_HERE.parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join([root, *filter(None, [environment.get("PYTHONPATH")])])
    command = [sys.executable, str(_HERE), *arguments, "--here"]
    return subprocess.run(command, env=_with_guard(environment, directory), check=False, **options)  # type: ignore[call-overload]


def main() -> int:
    """The exit status is 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000, help="cases of each kind")
    parser.add_argument("--step", type=int, default=9, help="every so many of the neighbours of known crashes")
    parser.add_argument("--kinds", nargs="*", default=[])
    parser.add_argument("--isa", nargs="*", choices=list(ISA), default=["native", "plain"])
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--case", help="one case, as it was printed")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.here:
        rest = [a for a in sys.argv[1:]]
        failed = 0
        with tempfile.TemporaryDirectory() as directory:
            for isa in options.isa:
                for threads in options.threads:
                    print(f"{isa}, {threads} thread(s):", flush=True)
                    failed |= run(rest, isa, threads, directory).returncode
        return failed
    import cases as drawn

    if options.case:
        parts = {"case": [json.loads(options.case)]}
    else:
        parts = {}
        for kind in options.kinds or ["neighbours", *drawn.KINDS]:
            is_random = kind != "neighbours"
            parts[kind] = drawn.draw(kind, options.seed, options.count) if is_random else drawn.neighbours(options.step)
    failed = 0
    for kind, cases in parts.items():
        count = 0
        for case, text in sweep(cases):
            count += 1
            print(f"  {text}: {json.dumps(case)}", flush=True)
        print(f"  {kind}: {len(cases)} cases, {count} wrong", flush=True)
        failed |= count > 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
