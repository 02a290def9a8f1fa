"""Runs workloads on one engine, as told on standard input by run.py. Also runs beside the original MXNet."""

import importlib
import json
import os
import resource
import sys
import time

CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
MXNET, RUNTIMES = ("ours", "original"), ("onnxruntime",)
CHECKED = 2  # steps whose results engines are compared by: a second one has seen the first one's update


def load(engine, workload, folder=None):
    """The step of a workload, a function without arguments that ends when its work is done.

    ``folder`` is where ``export`` wrote the network for engines other than MXNet. None where this engine has no part.
    """
    if "/" in workload:
        return load_of_family(engine, workload, folder)
    module = importlib.import_module("workloads." + workload)
    if engine == "torch":
        return module.torch_step(importlib.import_module("torch"))
    return module.mxnet_step(importlib.import_module("mxnet")) if engine in MXNET else None


def load_of_family(engine, name, folder):
    """The step of a workload of ``families``."""
    import families
    from families import _deployed, _mxnet, _torch

    found = families.find(name)
    library = importlib.import_module("mxnet" if engine in MXNET else "onnxruntime" if engine in RUNTIMES else "torch")
    if found.steps is not None:
        if engine in MXNET:
            _mxnet.seed_all(library)
            return found.steps.mxnet(library)
        families.seed()
        return found.steps.torch(library) if engine == "torch" and found.steps.torch else None
    if engine in MXNET:
        return _mxnet.step_of(library, found)
    if engine == "torch" or (engine == "compile" and found.work == "predict"):
        has_twin = found.network.torch or os.path.isdir(os.path.join(folder, "twin"))
        return _torch.step_of(library, found, folder + "/twin", engine == "compile") if has_twin else None
    exported = engine in RUNTIMES and os.path.exists(os.path.join(folder, "network.onnx"))
    return _deployed.onnxruntime_step(library, found, folder) if exported else None


def timed(step, number, clock):
    start = clock()
    for _ in range(number):
        step()
    return clock() - start


def calibrate(step, sample):
    """How often to repeat the step so that it takes as many seconds as a sample should."""
    number = 1
    while True:
        seconds = timed(step, number, time.perf_counter)
        if seconds >= sample / 2:
            return max(1, round(number * sample / seconds))
        number = max(number * 2, int(number * sample / max(seconds, 1e-6)))


def peak():
    """The most memory this process has had, in MB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def resident():
    """The memory this process has now, in MB; where the system does not tell, the most it has had."""
    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * resource.getpagesize() / 1e6
    except OSError:
        return peak()


def memory(engine, workload, steps, folder):
    """MB after importing the engine, and the most at any time until so many steps are done."""
    importlib.import_module("mxnet.gluon" if engine in MXNET else "onnxruntime" if engine in RUNTIMES else "torch")
    imported = resident()
    step = load(engine, workload, folder)
    if step is None:
        return {"skipped": True}
    for _ in range(steps):
        step()
    return {"import": imported, "peak": peak()}


class Runner:
    """Answers requests; it holds the workload that was set up last."""

    def __init__(self, engine):
        self.engine = engine
        self.step, self.number = None, 0

    def export(self, workload, folder):
        """Writes a network of ``families`` for the engines that are not MXNet."""
        import families
        from families import _deployed

        found = families.find(workload)
        mxnet = importlib.import_module("mxnet")
        return {"failed": {} if found.network is None else _deployed.export(mxnet, found, folder)}

    def setup(self, workload, seconds, folder=None):
        """Makes a workload ready to be timed; answers with what its first steps returned."""
        from families._values import digest

        self.step = None  # so that the memory of the one before is free
        self.step = load(self.engine, workload, folder)
        if self.step is None:
            return {"skipped": True}
        results = [digest(self.step()) for _ in range(CHECKED)]  # warms it up, too
        self.number = calibrate(self.step, seconds)
        return {"number": self.number, "values": results if "/" in workload else []}

    def run(self, clock):
        """Times the workload."""
        return {"ms": timed(self.step, self.number, CLOCKS[clock]) / self.number * 1000}

    def once(self, workload, folder=None):
        """Runs a workload once, to see that it does."""
        from families._values import digest

        step = load(self.engine, workload, folder)
        return {"skipped": True} if step is None else {"values": digest(step())}

    def memory(self, workload, steps, folder=None):
        """What a workload takes; only the first answer of a process counts."""
        return memory(self.engine, workload, steps, folder)


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print must not mix with the answers
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    runner = Runner(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(runner, request.pop("do"))(**request)
        except Exception as error:  # whatever it is belongs into the table, and the other workloads go on
            lines = [line for line in str(error).split("\n") if line and not line.startswith(("Traceback", "  File"))]
            answer = {"error": "{}: {}".format(type(error).__name__, lines[0] if lines else "")}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
