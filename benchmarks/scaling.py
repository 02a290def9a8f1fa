"""How time and memory grow with batch, depth, nodes, parameters and keys, here and on the original.

    python benchmarks/scaling.py --original <python with mxnet 1.9.1>   # measures, writes scaling.json and draws
    python benchmarks/scaling.py --draw                                # draws docs/images/scaling.png

Each size has a process of its own with one thread: ``cpu`` are the seconds of processor time of the work, the best of
some rounds where it can be done again, ``resident`` the megabytes that the peak of the process grew by.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time

from curves import ROOT, WHO, measured, panels, run, save

FILE = ROOT / "benchmarks" / "scaling.json"
PICTURE = ROOT / "docs" / "images" / "scaling.png"


def chain(mx, n):
    """A symbol of so many operators, one after another."""
    x = mx.sym.Variable("data")
    for i in range(n):
        x = mx.sym.tanh(x) if i % 2 else x * 0.5
    return x


def training_step(mx, batch=32, layers=8):
    """A step of a network of Dense layers, by Module."""
    x = mx.sym.Variable("data")
    for i in range(layers):
        x = mx.sym.Activation(mx.sym.FullyConnected(x, num_hidden=256, name=f"fc{i}"), act_type="relu")
    module = mx.mod.Module(mx.sym.LinearRegressionOutput(x, name="out"), label_names=["out_label"])
    module.bind([("data", (batch, 256))], [("out_label", (batch, 256))])
    module.init_params()
    module.init_optimizer(kvstore=None)
    given = mx.io.DataBatch([mx.nd.ones((batch, 256))], [mx.nd.zeros((batch, 256))])

    def step():
        module.forward_backward(given)
        module.update()
        mx.nd.waitall()

    return step


def bind(mx, n):
    """Binding a chain, and the first forward and backward."""

    def step():
        executor = chain(mx, n).simple_bind(mx.cpu(), data=(2, 3))
        executor.forward(is_train=True)
        executor.backward(mx.nd.ones((2, 3)))
        executor.grad_arrays[0].asnumpy()

    return step


def hybridize(mx, n):
    """The first call of a hybridized block with a chain of operators."""

    class Chain(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            for i in range(n):
                x = F.tanh(x) if i % 2 else x * 0.5
            return x

    def step():
        block = Chain()
        block.hybridize()
        block(mx.nd.ones((2, 3))).asnumpy()

    return step


def load(mx, n):
    """Reading a chain's JSON."""
    text = chain(mx, n).tojson()
    return lambda: mx.sym.load_json(text).list_arguments()


def record(mx, n):
    """A recorded loop of eager operators and its backward pass."""
    x = mx.nd.ones((2, 3))
    x.attach_grad()

    def step():
        with mx.autograd.record():
            y = x
            for i in range(n):
                y = mx.nd.tanh(y) if i % 2 else y * 0.5
        y.backward()
        x.grad.asnumpy()

    return step


def update(mx, n):
    """A Trainer's step with so many small parameters."""
    params = [mx.gluon.Parameter(f"p{i}", shape=(3,)) for i in range(n)]
    for param in params:
        param.initialize()
    trainer = mx.gluon.Trainer(params, "sgd", {"momentum": 0.9}, kvstore=None)

    def step():
        with mx.autograd.record():
            losses = [param.data() * 2 for param in params]
        mx.autograd.backward(losses)
        begin = time.process_time()
        trainer.step(1)
        mx.nd.waitall()
        return time.process_time() - begin

    return step


def files(mx, n):
    """Saving and loading so many small arrays."""
    arrays = {f"a{i}": mx.nd.ones((3,)) for i in range(n)}
    where = os.path.join(tempfile.gettempdir(), f"scaling-{os.getpid()}.params")

    def step():
        mx.nd.save(where, arrays)
        mx.nd.load(where)
        os.remove(where)

    return step


def keys(mx, n):
    """A push and a pull for each key of a local store."""
    store, value, out = mx.kv.create("local"), mx.nd.ones((3,)), mx.nd.zeros((3,))
    for k in range(n):
        store.init(k, value)

    def step():
        for k in range(n):
            store.push(k, value)
            store.pull(k, out=out)
        mx.nd.waitall()

    return step


WORK = {
    "batch": ("training step", "batch", lambda mx, n: training_step(mx, batch=n), (16, 64, 256, 1024)),
    "depth": ("training step", "layers", lambda mx, n: training_step(mx, layers=n), (4, 16, 64, 256)),
    "bind": ("bind, first step", "nodes", bind, (100, 1000, 10000)),
    "hybridize": ("hybridize, first call", "nodes", hybridize, (100, 1000, 10000)),
    "load": ("load JSON", "nodes", load, (100, 1000, 10000)),
    "record": ("record, backward", "operators", record, (100, 1000, 10000)),
    "update": ("Trainer.step", "parameters", update, (100, 1000, 10000)),
    "files": ("save, load", "arrays", files, (100, 1000, 10000)),
    "keys": ("push, pull", "keys", keys, (100, 1000, 10000)),
}


def work(name, size):
    """Measures one size in this process."""
    import mxnet as mx

    mx.nd.ones((1,)).asnumpy()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    step = WORK[name][2](mx, size)
    seconds = []
    for _ in range(3):
        start = time.process_time()
        own = step()
        seconds.append(own if isinstance(own, float) else time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"size": size, "cpu": min(seconds), "resident": round((peak - before) / 1024, 1)}))


def measure(original, names):
    """All sizes, taking turns."""
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in names:
        found[name] = {who: [] for who in WHO}
        for size in WORK[name][3]:
            for who, result in measured(__file__, original, "--work", name, "--size", size):
                found[name][who].append(result)
        FILE.write_text(json.dumps(found, indent=1) + "\n")


def draw():
    """Time and memory against size, both axes logarithmic: what grows as the work does is a line of slope 1."""
    found = json.loads(FILE.read_text())
    figure, axes = panels(len(WORK), figsize=(2.4 * len(WORK), 5), sharex="col")
    for column, (name, (title, what, _, _)) in enumerate(WORK.items()):
        for who, (label, color) in WHO.items():
            rows = found[name][who]
            sizes = [row["size"] for row in rows]
            axes[0, column].loglog(sizes, [row["cpu"] for row in rows], "o-", color=color, label=label)
            axes[1, column].loglog(sizes, [max(row["resident"], 0.1) for row in rows], "o-", color=color, label=label)
        axes[0, column].set_title(title, fontsize=9)
        axes[1, column].set_xlabel(what)
    axes[0, 0].set_ylabel("CPU s")
    axes[1, 0].set_ylabel("MB")
    axes[0, 0].legend(fontsize=7)
    save(figure, PICTURE, 80)


if __name__ == "__main__":
    command = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    command.add_argument("--kinds", choices=WORK, nargs="*", default=list(WORK), help="which ones are measured")
    command.add_argument("--size", type=int, help=argparse.SUPPRESS)
    run(command, WORK, lambda a: work(a.work, a.size), lambda a: measure(a.original, a.kinds), draw)
