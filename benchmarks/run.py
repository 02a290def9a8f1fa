"""Times workloads on MXNext, on the original MXNet, on plain PyTorch and others, side by side.

    python benchmarks/run.py [workload ...] [--original PYTHON] [--rounds 7] [--threads 2] [--clock cpu] [--json FILE]
    python benchmarks/run.py --family cnn rnn [--engines ours torch onnxruntime compile] [...]
    python benchmarks/run.py --memory [workload ...] [--original PYTHON] [--steps 5]

A workload is a file of ``workloads/``, or FAMILY/NETWORK/TASK/MODE/BATCH or FAMILY/STEP of ``families/``; a name may
have wildcards (``'rnn/lstm*'``). PYTHON is an interpreter with MXNet 1.9.1 (or set MXNET_ORIGINAL); without it that
column is left out. ``onnxruntime`` and ``compile`` (torch.compile with freezing) predict only.

Each engine has a process of its own that stays alive; they are asked in turn (ours, original, torch, ours, ...), so
that a machine that slows down for a while slows down all of them. Read the ratios, ours / the other: below 1x means
that ours is faster. Milliseconds change from machine to machine; on a busy one ``--clock cpu --threads 1`` counts the
processor's time. What workloads of families return is compared: engines that compute something else are named.

With ``--memory`` each engine runs a workload in a new process: the table has the most resident memory until a few steps
are done, less what the process had after importing the engine.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENGINES = ("ours", "original", "torch", "onnxruntime", "compile")
TOLERANCE = 0.02  # of results of engines that should compute the same, relative to the largest number
sys.path.insert(0, str(HERE))

import families  # noqa: E402
from families._values import difference  # noqa: E402


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


def export(workload: str, exporter: Worker | None, folder: str) -> dict[str, str]:
    """Writes the network of a workload for engines that are not MXNet; the errors of those that cannot have it."""
    if exporter is None or "/" not in workload:
        return {}
    answer = exporter.ask(do="export", workload=workload, folder=folder)
    return answer["failed"] if "failed" in answer else {"export": answer["error"]}


def measure(workload: str, workers: list[Worker], args: argparse.Namespace, exporter: Worker | None) -> dict:
    """The samples of one workload in milliseconds by engine, and the errors of engines that could not run it."""
    samples: dict[str, list[float]] = {}
    values: dict[str, list] = {}
    with tempfile.TemporaryDirectory() as folder:
        errors = export(workload, exporter, folder)
        for worker in workers:
            answer = worker.ask(do="setup", workload=workload, folder=folder, seconds=args.seconds)
            if "error" in answer:
                errors[worker.engine] = answer["error"]
            elif "skipped" not in answer:
                samples[worker.engine], values[worker.engine] = [], answer["values"]
    for _ in range(args.rounds):
        for worker in workers:
            if worker.engine in samples:
                answer = worker.ask(do="run", clock=args.clock)
                if "error" in answer:
                    errors[worker.engine] = answer["error"]
                    del samples[worker.engine]
                else:
                    samples[worker.engine].append(answer["ms"])
    for engine, gap in differences(workload, values).items():
        if gap > TOLERANCE:
            errors[f"{engine} computes something else"] = f"results differ by {gap:.2g} of the largest number"
    medians = {engine: statistics.median(figures) for engine, figures in samples.items()}
    return {"workload": workload, "samples": samples, "median_ms": medians, **compared(medians), "errors": errors}


def differences(workload: str, values: dict[str, list]) -> dict[str, float]:
    """How far ours is from what the others computed; a twin has the same weights, but other losses and dropout."""
    if "ours" not in values:
        return {}
    comparable = {"original"}
    if "/predict/" in workload and families.find(workload).network.torch is None:
        comparable |= set(ENGINES)
    found = {}
    for engine in comparable & set(values) - {"ours"}:
        pairs = list(zip(values["ours"], values[engine], strict=True))
        found[engine] = max((difference(ours, other) for ours, other in pairs), default=0.0)
    return found


def measure_memory(workload: str, pythons: dict[str, str], threads: int, steps: int, exporter: Worker | None) -> dict:
    """The MB that one workload takes by engine: after the import, and at most over that."""
    imported: dict[str, float] = {}
    taken: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        errors = export(workload, exporter, folder)
        for engine, python in pythons.items():
            with Worker(engine, python, threads) as worker:
                answer = worker.ask(do="memory", workload=workload, steps=steps, folder=folder)
            if "error" in answer:
                errors[engine] = answer["error"]
            elif "skipped" not in answer:
                imported[engine] = answer["import"]
                taken[engine] = answer["peak"] - answer["import"]
    return {"workload": workload, "import_mb": imported, "taken_mb": taken, **compared(taken), "errors": errors}


def compared(figures: dict[str, float]) -> dict:
    """How many times the others' figures ours is."""
    ours = figures.get("ours")
    return {"ours_to": {e: ours / figure for e, figure in figures.items() if e != "ours"} if ours else {}}


def table_row(result: dict, engines: list[str]) -> str:
    """One line of the table."""
    cells = [f"{result['workload']:44s}"]
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
    return f"{text}\n{'':44s}{columns}"


def run(workloads: list[str], args: argparse.Namespace) -> list[dict]:
    """Measures the workloads, printing the table line by line."""
    pythons = {engine: sys.executable for engine in ENGINES if engine in args.engines}
    if "original" in pythons:
        pythons["original"] = args.original
    engines = list(pythons)
    print(table_head(args, engines))
    results: list[dict] = []
    with contextlib.ExitStack() as stack:
        exporter = workers = None
        if set(engines) - {"ours", "original"}:
            exporter = stack.enter_context(Worker("ours", sys.executable, args.threads))
        if not args.memory:
            workers = [stack.enter_context(Worker(e, python, args.threads)) for e, python in pythons.items()]
        for workload in workloads:
            if workers is None:
                result = measure_memory(workload, pythons, args.threads, args.steps, exporter)
            else:
                result = measure(workload, workers, args, exporter)
            results.append(result)
            print(table_row(result, engines), flush=True)
            for engine, error in result["errors"].items():
                print(f"    {engine}: {error}", flush=True)
            if args.json:
                write(results, args)
    return results


def write(results: list[dict], args: argparse.Namespace) -> None:
    """Writes the results so far, and where they are from."""
    about = {"machine": machine(), "threads": args.threads, "clock": args.clock, "rounds": args.rounds}
    args.json.write_text(json.dumps({**about, "results": results}, indent=1) + "\n")


def machine() -> str:
    """The processor and its cores, for whoever reads the figures elsewhere."""
    cpuinfo = Path("/proc/cpuinfo")
    known = re.search(r"^model name\s*: (.*)$", cpuinfo.read_text(), flags=re.M) if cpuinfo.exists() else None
    return f"{os.cpu_count()} cores of {known[1].strip() if known else platform.processor() or platform.machine()}"


def choose(names: list[str], wanted: list[str] | None) -> list[str]:
    """The workloads of these names (with wildcards) and families; all that there are if none are given."""
    files = sorted(p.stem for p in (HERE / "workloads").glob("*.py") if not p.stem.startswith("_"))
    known = [*files, *(workload for family in families.families() for workload in families.workloads(family))]
    chosen = [workload for family in wanted or () for workload in families.workloads(family)]
    for name in names:
        matches = fnmatch.filter(known, name)
        if not matches and "/" in name:
            matches = [families.find(name).name]
        if not matches:
            raise LookupError(
                f"there is no workload {name}; known: {', '.join(files)}, and of the families "
                f"{', '.join(families.families())} those that --list prints"
            )
        chosen += matches
    return list(dict.fromkeys(chosen)) if names or wanted else known


def main() -> int:
    """Runs the chosen workloads and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("workload", nargs="*", help="all of them by default")
    parser.add_argument("--family", nargs="+", choices=families.families(), help="the workloads of these families")
    parser.add_argument("--list", action="store_true", help="print the names of the workloads chosen, and no more")
    parser.add_argument("--original", default=os.environ.get("MXNET_ORIGINAL"), help="a Python with MXNet 1.9.1")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, help="columns (ours, original and torch by default)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.2, help="a sample lasts about as long: short steps repeat")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="time passed, or the processor's")
    parser.add_argument("--memory", action="store_true", help="peak memory instead of time")
    parser.add_argument("--steps", type=int, default=5, help="steps of a workload whose memory is measured")
    parser.add_argument("--json", type=Path, help="also write all samples to this file")
    args = parser.parse_args()
    args.engines = [e for e in args.engines or ENGINES[:3] if e != "original" or args.original]
    try:
        workloads = choose(args.workload, args.family)
    except LookupError as error:
        parser.error(str(error))
    if args.list:
        print(*workloads, sep="\n")
        return 0
    return int(any(r["errors"] for r in run(workloads, args)))


if __name__ == "__main__":
    sys.exit(main())
