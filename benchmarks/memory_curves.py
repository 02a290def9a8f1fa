"""Memory and time of training by plans that keep more or less, here and on the original, for two networks.

    python benchmarks/memory_curves.py --original <python with mxnet 1.9.1>   # measures, writes memory_curves.json
    python benchmarks/memory_curves.py --draw                                # draws docs/images/memory_curves.png

A plan keeps a result whenever so many megabytes of others have come since the last one that is kept; the rest is
computed again. Each measurement has a process of its own with one thread: ``planned`` are the megabytes of
``debug_str``, ``resident`` is the peak of the process less what it was before binding, ``cpu`` the seconds of processor
time of a step.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time

from curves import ROOT, WHO, measured, panels, run, save

FILE = ROOT / "benchmarks" / "memory_curves.json"
PICTURE = ROOT / "docs" / "images" / "memory_curves.png"
#: Networks of tests/graph/memory_plan_cases.py with the shapes of their inputs.
NETS = {
    "resnet": ("resnet_v2", {"data": (8, 3, 224, 224)}),
    "lstm": ("old_lstm", {"data": (256, 60, 128), "init_c": (256, 256), "init_h": (256, 256)}),
}
TITLES = {"resnet": "ResNet, bottlenecks [2, 4, 6, 2], batch 8", "lstm": "LSTM, 60 steps, batch 256"}
#: Stages of a graph: its megabytes are divided by this; 0 keeps all.
STAGES = (0, 3, 6, 12, 24, 48)


def planned(net, stages, shapes):
    """The symbol with its plan, by what both packages have."""
    if not stages:
        return net
    internals = net.get_internals()
    sizes = []
    for part, shape in zip(internals, internals.infer_shape(**shapes)[1]):  # noqa: B905  (the original's Python)
        count = 4
        for n in shape:
            count *= n
        sizes.append((part, count if part.list_outputs()[0].endswith("_output") else 0))
    limit, since = sum(size for _, size in sizes) / stages, 0
    for part, size in sizes:
        since += size
        if size:
            part._set_attr(force_mirroring=str(since <= limit))
        if since > limit:
            since = 0
    return net


def work(name, stages):
    """Measures one plan in this process."""
    sys.path.insert(0, str(ROOT / "tests" / "graph"))
    import memory_plan_cases as memory_plans

    import mxnet as mx

    builder, shapes = NETS[name]
    net = planned(getattr(memory_plans, builder)(mx), stages, shapes)
    requests = {n: "null" if n in shapes or n.endswith("label") else "write" for n in net.list_arguments()}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    executor = net.simple_bind(mx.cpu(), grad_req=requests, **shapes)
    for key, array in executor.arg_dict.items():
        if key.endswith("weight"):
            array[:] = mx.nd.random.normal(0, 0.05, shape=array.shape)
        elif key == "data":
            array[:] = mx.nd.random.uniform(0, 9, shape=array.shape)
    seconds = []
    for _ in range(4):
        start = time.process_time()
        executor.forward(is_train=True)
        executor.backward()
        mx.nd.waitall()
        seconds.append(time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cost = int(executor.debug_str().split("\n")[-3].split()[1])
    print(json.dumps({"planned": cost, "resident": round((peak - before) / 1024), "cpu": round(min(seconds[1:]), 3)}))


def measure(original, names):
    """All plans of these networks, taking turns."""
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in names:
        found[name] = {who: [] for who in WHO}
        for stages in STAGES:
            for who, result in measured(__file__, original, "--work", name, "--stages", stages):
                found[name][who].append({"stages": stages, **result})
    FILE.write_text(json.dumps(found, indent=1) + "\n")


def draw():
    """The curves: memory and time, each against the number of stages."""
    found = json.loads(FILE.read_text())
    figure, axes = panels(2, figsize=(9, 6), sharex=True)
    labels = ["all kept" if not n else str(n) for n in STAGES]
    for column, name in enumerate(NETS):
        for who, (title, color) in WHO.items():
            rows = found[name][who]
            upper, lower = axes[:, column]
            upper.plot(labels, [r["resident"] for r in rows], "o-", color=color, label=f"{title}, resident")
            upper.plot(labels, [r["planned"] for r in rows], "o--", color=color, label=f"{title}, debug_str", alpha=0.6)
            lower.plot(labels, [r["cpu"] for r in rows], "o-", color=color, label=title)
        axes[0, column].set_title(TITLES[name], fontsize=10)
        axes[1, column].set_xlabel("stages")
        for axis, what in ((axes[0, column], "MB"), (axes[1, column], "CPU s / step")):
            axis.set_ylim(0)
            axis.set_ylabel(what)
            axis.legend(fontsize=7)
    save(figure, PICTURE, 90)


if __name__ == "__main__":
    command = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    command.add_argument("--net", choices=NETS, nargs="*", default=list(NETS), help="which ones are measured")
    command.add_argument("--stages", type=int, help=argparse.SUPPRESS)
    run(command, NETS, lambda a: work(a.work, a.stages), lambda a: measure(a.original, a.net), draw)
