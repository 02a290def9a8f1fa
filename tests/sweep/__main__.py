"""Runs convolutions, pooling and normalization over odd shapes, and prints what crashes or gives wrong numbers.

    python tests/sweep [--seed N] [--count N] [--kinds convolution ...] [--threads 1 2] [--cases JSON]

The Makefile has the variables of the environment that make oneDNN, torch and MKL keep to other instructions.
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

_HERE = pathlib.Path(__file__).parent


def _with_guard(environment: dict[str, str], directory: str) -> dict[str, str]:
    """Adds the guard of guard.c where there is a compiler (and glibc)."""
    compiler = shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        return environment
    library = f"{directory}/guard.so"
    if not os.path.exists(library):
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, str(_HERE / "guard.c")], check=True)
    return {**environment, "LD_PRELOAD": library}


def run(arguments: list[str], threads: int, directory: str) -> int:
    """Runs the sweep in a process with a number of threads, and returns its exit status."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    root = str(_HERE.parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join([root, *filter(None, [environment.get("PYTHONPATH")])])
    command = [sys.executable, str(_HERE), *arguments, "--here"]
    return subprocess.run(command, env=_with_guard(environment, directory), check=False).returncode


def main() -> int:
    """The exit status is 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000, help="cases of each kind")
    parser.add_argument("--step", type=int, default=9, help="every so many of the neighbours of known crashes")
    parser.add_argument("--kinds", nargs="*", default=[])
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--cases", type=json.loads, help="a list of cases, as they were printed")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.here:
        with tempfile.TemporaryDirectory() as directory:
            return max(run(sys.argv[1:], threads, directory) for threads in options.threads)
    # Only this process is to compute. The one that starts it need not load all of that.
    import cases as drawn
    import torch
    from children import sweep

    print(f"{torch.backends.cpu.get_cpu_capability()}, {torch.get_num_threads()} thread(s):", flush=True)
    if options.cases:
        parts = {"given": options.cases}
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
