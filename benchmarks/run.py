"""Times workloads on MXNext, on the original MXNet and on plain PyTorch, side by side.

    python benchmarks/run.py [workload ...] [--original PYTHON] [--rounds 7] [--threads 2] [--clock cpu] [--json FILE]
    python benchmarks/run.py --memory [workload ...] [--original PYTHON] [--steps 5]

PYTHON is an interpreter with MXNet 1.9.1 (or set MXNET_ORIGINAL); without it that column is left out. Each engine has a
process of its own that stays alive; they are asked in turn (ours, original, torch, ours, ...), so that a machine that
slows down for a while slows down all of them. Read the ratios, ours / the other: below 1x means that ours is faster.
Milliseconds change from machine to machine; on a busy one ``--clock cpu --threads 1`` counts the processor's time.

With ``--memory`` each engine runs a workload in a new process: the table has the most resident memory until a few steps
are done, less what the process had after importing the engine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
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

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

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
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def measure(workload: str, workers: list[Worker], rounds: int, clock: str) -> dict:
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
                answer = worker.ask(do="run", clock=clock)
                if "error" in answer:
                    errors[worker.engine] = answer["error"]
                    del samples[worker.engine]
                else:
                    samples[worker.engine].append(answer["ms"])
    medians = {engine: statistics.median(values) for engine, values in samples.items()}
    return {"workload": workload, "samples": samples, "median_ms": medians, **compared(medians), "errors": errors}


def measure_memory(workload: str, pythons: dict[str, str], threads: int, steps: int) -> dict:
    """The MB that one workload takes by engine: after the import, and at most over that."""
    imported: dict[str, float] = {}
    taken: dict[str, float] = {}
    errors: dict[str, str] = {}
    for engine, python in pythons.items():
        with Worker(engine, python, threads) as worker:
            answer = worker.ask(do="memory", workload=workload, steps=steps)
        if "error" in answer:
            errors[engine] = answer["error"]
        else:
            imported[engine] = answer["import"]
            taken[engine] = answer["peak"] - answer["import"]
    return {"workload": workload, "import_mb": imported, "taken_mb": taken, **compared(taken), "errors": errors}


def compared(figures: dict[str, float]) -> dict:
    """How many times the others' figures ours is."""
    ours = figures.get("ours")
    return {"ours_to": {e: ours / figure for e, figure in figures.items() if e != "ours"} if ours else {}}


def table_row(result: dict, engines: list[str]) -> str:
    """One line of the table."""
    cells = [f"{result['workload']:28s}"]
    if "taken_mb" in result:
        numbers = result["taken_mb"]
        texts = {e: f"{n:.0f} + {result['import_mb'][e]:.0f}" for e, n in numbers.items()}
    else:
        texts = {e: f"{n:.3f}" for e, n in result["median_ms"].items()}
    cells += [f"{texts.get(e, '-'):>12s}" for e in engines]
    for engine in engines[1:]:
        ratio = result["ours_to"].get(engine)
        cells.append(f"{'-':>15s}" if ratio is None else f"{ratio:14.2f}x")
    return "".join(cells)


def table_head(args: argparse.Namespace, engines: list[str]) -> str:
    """What the table shows, and the names of its columns."""
    if args.memory:
        text = (
            f"{args.threads} thread(s), {args.steps} steps in a new process: peak resident MB over those after the "
            "import + those after the import.\nRatios of the first number, ours / the other: less than 1x means that "
            "ours takes less"
        )
    else:
        kind = "processor time" if args.clock == "cpu" else "time"
        text = (
            f"{args.threads} thread(s), {args.rounds} interleaved rounds, medians of the {kind} in ms.\n"
            "Ratios are ours / the other: less than 1x means that ours is faster"
        )
    columns = "".join(f"{e:>12s}" for e in engines) + "".join(f"{'ours/' + e:>15s}" for e in engines[1:])
    return f"{text}\n{'':28s}{columns}"


def run(workloads: list[str], args: argparse.Namespace) -> list[dict]:
    """Measures the workloads, printing the table line by line."""
    pythons = {"ours": sys.executable, "original": args.original, "torch": sys.executable}
    pythons = {e: str(pythons[e]) for e in ENGINES if pythons[e]}
    engines = list(pythons)
    print(table_head(args, engines))
    results: list[dict] = []
    workers = [] if args.memory else [Worker(e, python, args.threads) for e, python in pythons.items()]
    try:
        for workload in workloads:
            if args.memory:
                result = measure_memory(workload, pythons, args.threads, args.steps)
            else:
                result = measure(workload, workers, args.rounds, args.clock)
            results.append(result)
            print(table_row(result, engines), flush=True)
            for engine, error in result["errors"].items():
                print(f"    {engine}: {error}")
    finally:
        for worker in workers:
            worker.close()
    return results


def machine() -> str:
    """The processor and its cores, for whoever reads the figures elsewhere."""
    cpuinfo = Path("/proc/cpuinfo")
    known = re.search(r"^model name\s*: (.*)$", cpuinfo.read_text(), flags=re.M) if cpuinfo.exists() else None
    return f"{os.cpu_count()} cores of {known[1].strip() if known else platform.processor() or platform.machine()}"


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
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="time passed, or the processor's")
    parser.add_argument("--memory", action="store_true", help="peak memory instead of time")
    parser.add_argument("--steps", type=int, default=5, help="steps of a workload whose memory is measured")
    parser.add_argument("--json", type=Path, help="also write all samples to this file")
    args = parser.parse_args()
    unknown = sorted(set(args.workload) - set(known))
    if unknown:
        parser.error(f"there is no workload {', '.join(unknown)}; there are {', '.join(known)}")
    results = run(args.workload or known, args)
    if args.json:
        kept = {"machine": machine(), "threads": args.threads, "results": results}
        args.json.write_text(json.dumps(kept, indent=1) + "\n")
    return int(any(r["errors"] for r in results))


if __name__ == "__main__":
    sys.exit(main())
