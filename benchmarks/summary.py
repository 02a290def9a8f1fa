"""Keeps what ``run.py --json`` measured of the families, for ``docs/benchmarks.md``.

    python benchmarks/run.py --family rnn --original PYTHON --json rnn.json
    python benchmarks/summary.py rnn.json [...]

Workloads that a file has replace those that ``families.json`` had; the others stay, as long as they exist.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import families

HERE = Path(__file__).resolve().parent
KEPT = HERE / "families.json"


def merge(kept: dict, files: list[dict]) -> dict:
    """The figures of all files, the last one first, by workload; ratios and milliseconds have three digits."""
    known = {name for family in families.families() for name in families.workloads(family)}
    results = {result["workload"]: result for result in kept.get("results", ()) if result["workload"] in known}
    about = {key: value for key, value in kept.items() if key != "results"}
    for measured in files:
        about.update({key: measured[key] for key in ("machine", "threads", "clock", "rounds")})
        for result in measured["results"]:
            if result["workload"] in known and result["ours_to"]:
                ratios = {engine: float(f"{ratio:.3g}") for engine, ratio in result["ours_to"].items()}
                ms = float(f"{result['median_ms']['ours']:.3g}")
                results[result["workload"]] = {"workload": result["workload"], "ms": ms, "ours_to": ratios}
    return {**about, "results": [results[name] for name in sorted(results)]}


def main() -> int:
    """Merges the files and writes the pages."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="+", type=Path)
    args = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    merged = merge(kept, [json.loads(file.read_text()) for file in args.file])
    rows = ",\n".join("  " + json.dumps(row) for row in merged.pop("results"))
    head = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in merged.items())
    KEPT.write_text(f'{{\n{head} "results": [\n{rows}\n ]\n}}\n')
    return subprocess.run([sys.executable, str(HERE.parent / "docs" / "generate.py")]).returncode


if __name__ == "__main__":
    sys.exit(main())
