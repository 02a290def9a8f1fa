"""What calls cost, here and in PyTorch: processor time of one thread, and the Python functions that are entered.

    python benchmarks/calls.py [word ...]

Prints the table of docs/developer/calls.md, or the rows whose names contain one of the words. Both take turns in one
process; of each the best of many rounds counts.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import nn as tnn
from torch.nn import functional as F

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

ROUNDS, MICROSECONDS = 15, 2000
Call = Callable[[], object]


def elements() -> dict[str, tuple[Call, Call]]:
    """Operators, indexing and creation."""
    a, b, w, idx = nd.ones((2, 3)), nd.ones((2, 3)), nd.ones((3, 2)), nd.array([1, 0])
    ta, tb, tw, tidx = torch.ones(2, 3), torch.ones(2, 3), torch.ones(3, 2), torch.tensor([1, 0])
    na, values, one, tone = mx.np.ones((2, 3)), np.ones((10, 20), "float32"), nd.ones((1,)), torch.ones(1)
    big, tbig = nd.ones((10, 20)), torch.ones(10, 20)
    return {
        "`a + b`": (lambda: a + b, lambda: ta + tb),
        "`a * 2`": (lambda: a * 2, lambda: ta * 2),
        "`-a`": (lambda: -a, lambda: -ta),
        "`a > 0`": (lambda: a > 0, lambda: ta > 0),
        "`nd.exp(a)`": (lambda: nd.exp(a), lambda: torch.exp(ta)),
        "`nd.dot(a, w)`": (lambda: nd.dot(a, w), lambda: ta @ tw),
        "`a.sum()`": (a.sum, ta.sum),
        "`nd.sum(a, axis=1)`": (lambda: nd.sum(a, axis=1), lambda: torch.sum(ta, 1)),
        "`nd.softmax(a, axis=-1)`": (lambda: nd.softmax(a, axis=-1), lambda: torch.softmax(ta, -1)),
        "`nd.concat(a, b, dim=0)`": (lambda: nd.concat(a, b, dim=0), lambda: torch.cat((ta, tb))),
        "`a.clip(0, 1)`": (lambda: a.clip(0, 1), lambda: ta.clamp(0, 1)),
        "`nd.take(a, i)`": (lambda: nd.take(a, idx), lambda: ta[tidx]),
        "`a.astype('float64')`": (lambda: a.astype("float64"), lambda: ta.to(torch.float64)),
        "`a.reshape((3, 2))`": (lambda: a.reshape((3, 2)), lambda: ta.reshape((3, 2))),
        "`np.mean(a, axis=1)`": (lambda: mx.np.mean(na, axis=1), lambda: torch.mean(ta, 1)),
        "`x[3]`": (lambda: big[3], lambda: tbig[3]),
        "`x[1:3, 2:4]`": (lambda: big[1:3, 2:4], lambda: tbig[1:3, 2:4].clone()),
        "`x[3] = 1`": (lambda: big.__setitem__(3, 1), lambda: tbig.__setitem__(3, 1)),
        "`x.asnumpy()`": (big.asnumpy, lambda: tbig.clone().numpy()),
        "`x.asscalar()`": (one.asscalar, tone.item),
        "`nd.array(numpy)`": (lambda: nd.array(values), lambda: torch.tensor(values)),
        "`nd.array([1, 2, 3])`": (lambda: nd.array([1, 2, 3]), lambda: torch.tensor([1.0, 2, 3])),
        "`nd.zeros((2, 3))`": (lambda: nd.zeros((2, 3)), lambda: torch.zeros((2, 3))),
        "`random.uniform`": (lambda: nd.random.uniform(shape=(2, 3)), lambda: torch.rand(2, 3)),
    }


def recorded() -> dict[str, tuple[Call, Call]]:
    """Gradients of a few operators."""
    x, tx = nd.ones((2, 3)), torch.ones(2, 3, requires_grad=True)
    x.attach_grad()

    def ours() -> None:
        with autograd.record():
            y = nd.exp(x) + x * 2 - 1
            z = (y * y).mean()
        z.backward()

    def theirs() -> None:
        tx.grad = None
        y = torch.exp(tx) + tx * 2 - 1
        (y * y).mean().backward()

    return {"6 operators and their gradients": (ours, theirs)}


def networks() -> dict[str, tuple[Call, Call]]:
    """Small networks, a loss, a training step, metrics and batches."""
    found: dict[str, tuple[Call, Call]] = {}
    data, label, tdata, tlabel = nd.ones((4, 16)), nd.array([0, 1, 2, 3]), torch.ones(4, 16), torch.arange(4)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    for mode in ("eager", "hybridized"):
        net, twin = nn.HybridSequential(), []
        for width, before, kind in ((32, 16, "relu"), (32, 32, "relu"), (4, 32, None)):
            net.add(nn.Dense(width, activation=kind, in_units=before))
            twin += [tnn.Linear(before, width), *([tnn.ReLU()] if kind else [])]
        net.initialize()
        if mode == "hybridized":
            net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
        model = tnn.Sequential(*twin)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

        def step(net: nn.HybridSequential = net, trainer: gluon.Trainer = trainer) -> None:
            with autograd.record():
                value = loss(net(data), label)
            value.backward()
            trainer.step(4)

        def step_of_torch(model: tnn.Sequential = model, optimizer: torch.optim.SGD = optimizer) -> None:
            optimizer.zero_grad()
            F.cross_entropy(model(tdata), tlabel).backward()
            optimizer.step()

        def predict(model: tnn.Sequential = model) -> None:
            with torch.no_grad():
                model(tdata)

        found[f"3 dense layers, {mode}"] = (lambda net=net: net(data), predict)
        found[f"their training step, {mode}"] = (step, step_of_torch)
    cell, tcell = gluon.rnn.LSTMCell(16, input_size=16), tnn.LSTMCell(16, 16)
    cell.initialize()
    states, tstates = cell.begin_state(4), (torch.zeros(4, 16), torch.zeros(4, 16))

    def cell_of_torch() -> None:
        with torch.no_grad():
            tcell(tdata, tstates)

    found["`LSTMCell`, eager"] = (lambda: cell(data, states), cell_of_torch)
    scores, tscores, metric = nd.ones((4, 4)), torch.ones(4, 4), mx.metric.Accuracy()
    cross_entropy = (lambda: loss(scores, label), lambda: F.cross_entropy(tscores, tlabel, reduction="none"))
    found["`SoftmaxCrossEntropyLoss`"] = cross_entropy
    right = (lambda: metric.update([label], [scores]), lambda: (tscores.argmax(1) == tlabel).sum().item())
    found["`Accuracy.update`"] = right
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(np.ones((64, 16), "float32"), np.zeros(64)), 16)
    ready = torch.utils.data.TensorDataset(torch.ones(64, 16), torch.zeros(64))
    found["`DataLoader`, 4 batches of 16"] = (
        lambda: list(batches),
        lambda: list(torch.utils.data.DataLoader(ready, 16)),
    )
    return found


def _nanoseconds(call: Call, times: int) -> float:
    begin = time.thread_time_ns()
    for _ in range(times):
        call()
    return (time.thread_time_ns() - begin) / times


def _functions(call: Call) -> int:
    """How many Python functions a call enters."""
    entered = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal entered
        entered += event == "call"

    sys.setprofile(count)
    call()
    sys.setprofile(None)
    return entered


def main(words: list[str]) -> None:
    """Prints the table."""
    torch.set_num_threads(1)
    print("| call | microseconds | PyTorch | ratio | Python functions |\n|---|---|---|---|---|")
    gc.freeze()
    for name, (ours, theirs) in {**elements(), **recorded(), **networks()}.items():
        if words and not any(word in name for word in words):
            continue
        _nanoseconds(ours, 3)
        times = max(3, int(MICROSECONDS * 1000 / _nanoseconds(ours, 3)))
        rounds = [(_nanoseconds(ours, times), _nanoseconds(theirs, times)) for _ in range(ROUNDS)]
        mine, other = (min(each) / 1000 for each in zip(*rounds, strict=True))
        print(f"| {name} | {mine:.2f} | {other:.2f} | {mine / other:.2f} | {_functions(ours)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
