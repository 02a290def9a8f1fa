"""Runs workloads on one engine, as told on standard input by run.py. Also runs beside the original MXNet."""

import importlib
import json
import os
import resource
import sys
import time

SECONDS = 0.2  # a sample lasts at least this long: short steps are repeated
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def load(engine, workload):
    """The step of a workload, a function without arguments that ends when its work is done."""
    module = importlib.import_module("workloads." + workload)
    if engine == "torch":
        return module.torch_step(importlib.import_module("torch"))
    return module.mxnet_step(importlib.import_module("mxnet"))


def timed(step, number, clock):
    start = clock()
    for _ in range(number):
        step()
    return clock() - start


def calibrate(step):
    """How often to repeat the step in one sample. Warms it up, too."""
    step()
    number = 1
    while True:
        seconds = timed(step, number, time.perf_counter)
        if seconds >= SECONDS / 2:
            return max(1, round(number * SECONDS / seconds))
        number = max(number * 2, int(number * SECONDS / max(seconds, 1e-6)))


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


def memory(engine, workload, steps):
    """MB after importing the engine, and the most at any time until so many steps are done."""
    importlib.import_module("torch" if engine == "torch" else "mxnet.gluon")
    imported = resident()
    step = load(engine, workload)
    for _ in range(steps):
        step()
    return {"import": imported, "peak": peak()}


class Runner:
    """Answers requests; it holds the workload that was set up last."""

    def __init__(self, engine):
        self.engine = engine
        self.step, self.number = None, 0

    def setup(self, workload):
        """Makes a workload ready to be timed."""
        self.step = load(self.engine, workload)
        self.number = calibrate(self.step)
        return {"number": self.number}

    def run(self, clock):
        """Times the workload."""
        return {"ms": timed(self.step, self.number, CLOCKS[clock]) / self.number * 1000}

    def once(self, workload):
        """Runs a workload once, to see that it does."""
        load(self.engine, workload)()
        return {}

    def memory(self, workload, steps):
        """What a workload takes; only the first answer of a process counts."""
        return memory(self.engine, workload, steps)


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
            answer = {"error": "{}: {}".format(type(error).__name__, str(error).split("\n")[0])}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
