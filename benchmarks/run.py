"""Times workloads on MXNext, on the original MXNet and on plain PyTorch, side by side.

    python benchmarks/run.py [workload ...] [--original PYTHON] [--rounds 7] [--threads 2] [--json FILE]

PYTHON is an interpreter with MXNet 1.9.1 (or set MXNET_ORIGINAL); without it that column is left out. Each engine has a
process of its own that stays alive; they are asked in turn (ours, original, torch, ours, ...), so that a machine that
slows down for a while slows down all of them. Read the ratios; milliseconds change from machine to machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENGINES = ("ours", "original", "torch")


class Worker:
    """A process that runs workloads on one engine; requests and answers are lines of JSON."""

    def __init__(self, engine: str, python: str, threads: int):
        environment = dict(os.environ)
        for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            environment[name] = str(threads)
        # The original must not find our package, ours must be the one beside this file.
        environment.pop("PYTHONPATH", None)
        if engine != "original":
            environment["PYTHONPATH"] = str(HERE.parent)
        command = [python, str(HERE / "worker.py"), engine]
        self.engine = engine
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
        )

    def ask(self, **request: object) -> dict:
        """Sends a request and waits for the answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the {self.engine} worker ended with code {self.process.wait()}")
        return json.loads(answer)

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def measure(workload: str, workers: list[Worker], rounds: int) -> dict:
    """The samples of one workload in milliseconds by engine, and the errors of engines that could not run it."""
    samples: dict[str, list[float]] = {}
    errors: dict[str, str] = {}
    for worker in workers:
        answer = worker.ask(do="setup", workload=workload)
        if "error" in answer:
            errors[worker.engine] = answer["error"]
        else:
            samples[worker.engine] = []
    for _ in range(rounds):
        for worker in workers:
            if worker.engine in samples:
                answer = worker.ask(do="run")
                if "error" in answer:
                    errors[worker.engine] = answer["error"]
                    del samples[worker.engine]
                else:
                    samples[worker.engine].append(answer["ms"])
    return {"workload": workload, "samples": samples, "errors": errors}


def summarize(result: dict) -> dict:
    """Adds medians and how many times slower than ours the others are."""
    medians = {engine: statistics.median(values) for engine, values in result["samples"].items()}
    ours = medians.get("ours")
    result["median_ms"] = medians
    result["ratio_to_ours"] = {e: m / ours for e, m in medians.items() if e != "ours"} if ours else {}
    return result


def row(result: dict, engines: list[str]) -> str:
    """One line of the table."""
    cells = [f"{result['workload']:26s}"]
    cells += [f"{result['median_ms'][e]:12.3f}" if e in result["median_ms"] else f"{'-':>12s}" for e in engines]
    for engine in engines[1:]:
        ratio = result["ratio_to_ours"].get(engine)
        cells.append(f"{'-':>15s}" if ratio is None else f"{ratio:14.2f}x")
    return "".join(cells)


def main() -> int:
    """Runs the chosen workloads and prints the table."""
    known = sorted(p.stem for p in (HERE / "workloads").glob("*.py") if not p.stem.startswith("_"))
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0], epilog=f"Workloads: {', '.join(known)}. All of them by default."
    )
    parser.add_argument("workload", nargs="*")
    parser.add_argument("--original", default=os.environ.get("MXNET_ORIGINAL"), help="a Python with MXNet 1.9.1")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path, help="also write all samples to this file")
    args = parser.parse_args()
    unknown = sorted(set(args.workload) - set(known))
    if unknown:
        parser.error(f"there is no workload {', '.join(unknown)}; there are {', '.join(known)}")

    pythons = {"ours": sys.executable, "original": args.original, "torch": sys.executable}
    engines = [e for e in ENGINES if pythons[e]]
    workers = [Worker(e, str(pythons[e]), args.threads) for e in engines]
    results = []
    print(f"{args.threads} thread(s), {args.rounds} interleaved rounds, medians in ms; more than 1x: ours is faster")
    print(f"{'':26s}" + "".join(f"{e:>12s}" for e in engines) + "".join(f"{e + '/ours':>15s}" for e in engines[1:]))
    try:
        for workload in args.workload or known:
            result = summarize(measure(workload, workers, args.rounds))
            results.append(result)
            print(row(result, engines), flush=True)
            for engine, error in result["errors"].items():
                print(f"    {engine}: {error}")
    finally:
        for worker in workers:
            worker.close()
    if args.json:
        args.json.write_text(json.dumps({"threads": args.threads, "results": results}, indent=1) + "\n")
    return int(any(r["errors"] for r in results))


if __name__ == "__main__":
    sys.exit(main())
