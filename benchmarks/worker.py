"""Runs workloads on one engine, as told on standard input by run.py. Also runs beside the original MXNet."""

import importlib
import json
import os
import sys
import time

SECONDS = 0.2  # a sample lasts at least this long: short steps are repeated


def load(engine, workload):
    """The step of a workload, a function without arguments that ends when its work is done."""
    module = importlib.import_module("workloads." + workload)
    if engine == "torch":
        import torch

        return module.torch_step(torch)
    import mxnet

    return module.mxnet_step(mxnet)


def timed(step, number):
    start = time.perf_counter()
    for _ in range(number):
        step()
    return time.perf_counter() - start


def calibrate(step):
    """How often to repeat the step in one sample. Warms it up, too."""
    step()
    number = 1
    while True:
        seconds = timed(step, number)
        if seconds >= SECONDS / 2:
            return max(1, round(number * SECONDS / seconds))
        number = max(number * 2, int(number * SECONDS / max(seconds, 1e-6)))


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print must not mix with the answers
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    engine = sys.argv[1]
    step, number = None, 0
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "setup":
                step = load(engine, request["workload"])
                number = calibrate(step)
                answer = {"number": number}
            else:
                answer = {"ms": timed(step, number) / number * 1000}
        except Exception as error:  # whatever it is belongs into the table, and the other workloads go on
            answer = {"error": "{}: {}".format(type(error).__name__, str(error).split("\n")[0])}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
