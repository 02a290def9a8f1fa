"""All figures of the README, measured on this machine, into ``benchmarks/figures.json`` and from there into the pages.

    python benchmarks/figures.py --original PYTHON [--rounds 9]      # or: make figures ORIGINAL=PYTHON

PYTHON has MXNet 1.9.1. The machine should have nothing else to do: it takes about half an hour on two cores. The
workloads are those that ``docs/generate.py`` has words for; ``run.py``, ``distributed.py`` and ``deployment.py`` do the
measuring. What could not be measured is named, and the pages stay as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "docs")]

import generate  # noqa: E402

FIGURES = HERE / "figures.json"


def run(script: str, *arguments: str) -> dict:
    """What a benchmark writes by ``--json``; what it prints is shown."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        done = subprocess.run([sys.executable, str(HERE / script), *arguments, "--json", str(file)])
        if not file.exists():  # run.py also ends with 1 if one of the engines could not run a workload, as some cannot
            sys.exit(f"{script} ended with {done.returncode}")
        return json.loads(file.read_text())


def distributed(original: str, rounds: str) -> list[dict]:
    """The two workers of distributed.py, in the form of run.py's results."""
    samples = run("distributed.py", "--original", original, "--rounds", rounds)
    median = {name: statistics.median(values) for name, values in samples.items()}
    results = []
    for name, other in {"big": "all_reduce_big", "many": "all_reduce_many", "lenet": None}.items():
        ratios = {"original": median[f"ours {name}"] / median[f"original {name}"]}
        if other:
            ratios["torch"] = median[f"ours {name}"] / median[f"ours {other}"]
        results.append({"workload": f"distributed_{name}", "ours_to": ratios})
    return results


def main() -> int:
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--original", required=True, help="a Python with MXNet 1.9.1")
    parser.add_argument("--rounds", default="9")
    parser.add_argument("--threads", default=str(os.cpu_count() or 1))
    args = parser.parse_args()
    known = {file.stem for file in (HERE / "workloads").glob("*.py")}
    chosen = [name for name in generate.WORK if name in known]
    options = ("--original", args.original, "--rounds", args.rounds)
    figures = run("run.py", *chosen, *options, "--threads", args.threads)
    figures["results"] += distributed(args.original, args.rounds)
    figures["results"] += run("deployment.py", "onnx", "--rounds", args.rounds, "--threads", args.threads)["results"]
    missing = set(generate.WORK) - {r["workload"] for r in figures["results"] if r["ours_to"]}
    if missing:
        print(f"not measured: {', '.join(sorted(missing))}; {FIGURES.name} and the pages stay as they are")
        return 1
    kept = [
        {"workload": r["workload"], "ours_to": {e: round(v, 3) for e, v in r["ours_to"].items()}}
        for r in figures["results"]
    ]
    rows = ",\n".join("  " + json.dumps(row) for row in kept)
    about = {"machine": figures["machine"], "threads": figures["threads"], "rounds": int(args.rounds)}
    head = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in about.items())
    FIGURES.write_text(f'{{\n{head},\n "results": [\n{rows}\n ]\n}}\n')
    return subprocess.run([sys.executable, str(ROOT / "docs" / "generate.py")]).returncode


if __name__ == "__main__":
    sys.exit(main())
