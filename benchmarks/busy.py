"""How training and prediction suffer from other work on the machine, by how waiting threads wait.

    python benchmarks/busy.py                       # quiet, and beside as many busy processes as there are processors
    python benchmarks/busy.py --load 4 --settings default one-thread

Waiting threads of OpenMP spin for a while before they sleep. Beside other work that wastes the processor that the
working thread needs; without other work, sleeping at once costs a wake-up for each parallel region. The table has the
median time of each workload in milliseconds. ``torch``: threads wait as they do without this package.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

SETTINGS: dict[str, dict[str, str]] = {
    "default": {},
    "torch": {"GOMP_SPINCOUNT": ""},
    "passive": {"OMP_WAIT_POLICY": "PASSIVE"},
    "spin-1000": {"GOMP_SPINCOUNT": "1000"},
    "spin-10000": {"GOMP_SPINCOUNT": "10000"},
    "spin-100000": {"GOMP_SPINCOUNT": "100000"},
    "one-thread": {"OMP_NUM_THREADS": "1"},
}


def _spin(end: float) -> None:
    while time.time() < end:
        sum(i * i for i in range(10000))


@contextlib.contextmanager
def load(processes: int, seconds: float = 3600.0) -> Iterator[None]:
    """Keeps as many processors busy; never longer than so many seconds."""
    busy = [multiprocessing.Process(target=_spin, args=(time.time() + seconds,), daemon=True) for _ in range(processes)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.join()


def workloads() -> dict[str, Callable[[], None]]:
    """Steps to time: what people do most."""
    import mxnet as mx
    from mxnet import autograd, gluon, nd

    def training(net: gluon.HybridBlock, shape: tuple[int, ...]) -> Callable[[], None]:
        net.initialize(mx.init.Xavier())
        net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
        loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
        data, label = nd.random.uniform(shape=shape), nd.zeros(shape[0])

        def step() -> None:
            with autograd.record():
                loss = loss_of(net(data), label)
            loss.backward()
            trainer.step(shape[0])
            loss.asnumpy()

        return step

    cnn = gluon.nn.HybridSequential()
    cnn.add(
        gluon.nn.Conv2D(20, 5, activation="relu"), gluon.nn.MaxPool2D(2, 2), gluon.nn.Conv2D(50, 5, activation="relu")
    )
    cnn.add(gluon.nn.MaxPool2D(2, 2), gluon.nn.Dense(500, activation="relu"), gluon.nn.Dense(10))
    mlp = gluon.nn.HybridSequential()
    mlp.add(gluon.nn.Dense(128, activation="relu"), gluon.nn.Dense(64, activation="relu"), gluon.nn.Dense(10))
    resnet = gluon.model_zoo.vision.resnet18_v1()
    resnet.initialize()
    resnet.hybridize()
    image, vector = nd.random.uniform(shape=(1, 3, 224, 224)), nd.random.uniform(shape=(1000, 1000))
    return {
        "cnn training": training(cnn, (64, 1, 28, 28)),
        "mlp training": training(mlp, (64, 784)),
        "resnet-18 prediction": lambda: resnet(image).wait_to_read(),
        "elementwise": lambda: (vector * 2 + vector).wait_to_read(),
    }


def measure(seconds: float) -> dict[str, float]:
    """The median time of each workload in milliseconds."""
    found = {}
    for name, step in workloads().items():
        for _ in range(3):
            step()
        times, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end or len(times) < 5:
            begin = time.perf_counter()
            step()
            times.append(time.perf_counter() - begin)
        found[name] = 1000 * statistics.median(times)
    return found


def _in_child(setting: dict[str, str], seconds: float) -> dict[str, float]:
    environment = {**os.environ, **setting}
    if setting.get("GOMP_SPINCOUNT") == "":  # as torch is without us
        environment["MXNET_OPENMP"] = "0"
        del environment["GOMP_SPINCOUNT"]
    command = [sys.executable, __file__, "--measure", str(seconds)]
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Runs every setting, quiet and busy, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--load", type=int, default=os.cpu_count() or 2, help="how many busy processes")
    parser.add_argument("--settings", nargs="+", choices=list(SETTINGS), default=list(SETTINGS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each workload")
    parser.add_argument("--measure", type=float, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure is not None:
        print(json.dumps(measure(args.measure)))
        return
    results: dict[tuple[str, int], list[dict[str, float]]] = {}
    for _ in range(args.rounds):
        for processes in (0, args.load):
            with load(processes):
                for name in args.settings:
                    results.setdefault((name, processes), []).append(_in_child(SETTINGS[name], args.seconds))
    names = list(next(iter(results.values()))[0])
    print(f"{'milliseconds':24}" + "".join(f"{name:>24}" for name in names))
    for (setting, processes), found in results.items():
        where = f"{setting}, " + (f"{processes} others" if processes else "quiet")
        print(f"{where:24}" + "".join(f"{statistics.median(f[n] for f in found):24.2f}" for n in names))


if __name__ == "__main__":
    main()
