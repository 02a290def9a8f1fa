"""Memory and time of training a 200-layer residual network, plain and by plans that compute results again.

    python benchmarks/memonger.py [--layers 200] [--batch 4] [--rounds 3] [--threads 1]

Counted is every tensor that a training step makes, outputs, saved results and gradients alike, for as long as its
memory is held: ``peak`` is the most at one time, without the parameters, which are there before. What kernels take
inside is not seen. ``resident`` is what the process grew by in its first step: with what kernels take, and with the
allocator's own holes. Each plan has a process of its own; the plans take turns, so that a machine that slows down slows
all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
import weakref
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLANS = ("plain", "mirror", "search_plan")
CHANNELS, SIZE = 32, 32


def network(mx, layers):
    """An input convolution and blocks of two (batch norm, relu, 3x3 convolution)."""
    sym = mx.sym
    options = {"num_filter": CHANNELS, "kernel": (3, 3), "pad": (1, 1), "no_bias": True}
    x = sym.Convolution(sym.var("data"), name="first", **options)
    for i in range((layers - 2) // 2):
        y = x
        for j in range(2):
            y = sym.BatchNorm(y, fix_gamma=False, name=f"block{i}_norm{j}")
            y = sym.Activation(y, act_type="relu", name=f"block{i}_relu{j}")
            y = sym.Convolution(y, name=f"block{i}_conv{j}", **options)
        x = x + y
    x = sym.Activation(sym.BatchNorm(x, fix_gamma=False, name="norm"), act_type="relu")
    x = sym.Pooling(x, global_pool=True, kernel=(1, 1), pool_type="avg")
    return sym.SoftmaxOutput(sym.FullyConnected(sym.Flatten(x), num_hidden=10, name="last"), name="softmax")


def counting(step):
    """The most bytes that tensors made by ``step()`` held at one time."""
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    class Counter(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.live, self.peak, self.known = 0, 0, set()

        def freed(self, key, size):
            self.live -= size
            self.known.discard(key)

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            inputs = {a.untyped_storage()._cdata for a in tree_leaves((args, kwargs)) if hasattr(a, "untyped_storage")}
            result = function(*args, **(kwargs or {}))
            for tensor in tree_leaves(result):
                if not hasattr(tensor, "untyped_storage"):
                    continue
                storage = tensor.untyped_storage()
                key = storage._cdata
                if key in inputs or key in self.known:
                    continue
                self.known.add(key)
                self.live += storage.nbytes()
                self.peak = max(self.peak, self.live)
                weakref.finalize(storage, self.freed, key, storage.nbytes())
            return result

    with Counter() as counter:
        step()
    return counter.peak


def work(plan, layers, batch):
    """Answers requests on standard input: 'count' the memory, or 'time' one step."""
    if plan == "mirror":
        os.environ["MXNET_BACKWARD_DO_MIRROR"] = "1"
    sys.path.insert(0, str(ROOT))
    import mxnet as mx

    shape = (batch, 3, SIZE, SIZE)
    net = network(mx, layers)
    if plan == "search_plan":
        net = mx.contrib.memonger.search_plan(net, data=shape)
    requests = {n: "null" if n in ("data", "softmax_label") else "write" for n in net.list_arguments()}
    executor = net.simple_bind(mx.cpu(), grad_req=requests, data=shape)
    for name, array in executor.arg_dict.items():
        if name.endswith("weight"):
            array[:] = mx.nd.random.normal(0, (2.0 * array.shape[0] / array.size) ** 0.5, shape=array.shape)
        elif name.endswith("gamma"):
            array[:] = 1 if name == "norm_gamma" else 0.1
    executor.arg_dict["data"][:] = mx.nd.random.uniform(shape=shape)

    def step():
        executor.forward(is_train=True)
        executor.backward()

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    step()
    resident = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    for line in sys.stdin:
        if line.strip() == "count":
            answer = {"peak": counting(step) / 2**20, "resident": resident}
            answer["gradient"] = float(mx.nd.norm(executor.grad_dict["first_weight"]).asscalar())
        else:
            start, wall = time.process_time(), time.perf_counter()
            step()
            answer = {"cpu": time.process_time() - start, "wall": time.perf_counter() - wall}
        print(json.dumps(answer), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--layers", type=int, default=200)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--plan", choices=PLANS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.plan:
        return work(args.plan, args.layers, args.batch)
    environment = {**os.environ, "OMP_NUM_THREADS": str(args.threads)}
    workers = {}
    for plan in PLANS:
        command = [sys.executable, __file__, "--plan", plan, "--layers", str(args.layers), "--batch", str(args.batch)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        workers[plan] = subprocess.Popen(command, env=environment, **pipes)

    def ask(plan, what):
        workers[plan].stdin.write(what + "\n")
        workers[plan].stdin.flush()
        return json.loads(workers[plan].stdout.readline())

    counts = {plan: ask(plan, "count") for plan in PLANS}
    times = {plan: [] for plan in PLANS}
    for _ in range(args.rounds):
        for plan in PLANS:
            times[plan].append(ask(plan, "time"))
    for worker in workers.values():
        worker.stdin.close()
        worker.wait()
    print(
        f"{args.layers} layers, batch {args.batch}, {args.threads} thread(s), medians of {args.rounds} rounds in turn"
    )
    titles = ("peak MB", "ratio", "resident MB", "ratio", "CPU s", "ratio", "wall s")
    print(" " * 12 + "".join(f"{title:>12s}" for title in titles))
    first = counts["plain"]
    usual = statistics.median(t["cpu"] for t in times["plain"])
    for plan in PLANS:
        count, cpu = counts[plan], statistics.median(t["cpu"] for t in times[plan])
        wall = statistics.median(t["wall"] for t in times[plan])
        ratios = count["peak"] / first["peak"], count["resident"] / first["resident"], cpu / usual
        print(
            f"{plan:12s}{count['peak']:12.1f}{ratios[0]:11.2f}x{count['resident']:12.1f}{ratios[1]:11.2f}x"
            f"{cpu:12.3f}{ratios[2]:11.2f}x{wall:12.3f}"
        )
        assert abs(count["gradient"] / first["gradient"] - 1) < 1e-2, "the gradients differ"
    return 0


if __name__ == "__main__":
    sys.exit(main())
