"""A worker of a distributed job that is told, line by line, which round to time: ours or the original's.

Started by ``distributed.py``; worker 0 prints the seconds of each round.
"""

import sys
import time

import mxnet as mx

BIG = 16 * 1024 * 1024  # 64 MB of float32
KEYS, SIZE = 1000, 1024  # 1000 keys of 4 kB


def all_reduce(kv, count):
    """What torch needs for as many bytes by itself; ours only."""
    import torch
    import torch.distributed as dist

    tensor = torch.ones(count)
    group = kv._job.workers.gloo
    return lambda: group.allreduce([tensor], dist.AllreduceOptions()).wait()


def big(kv):
    kv.init("big", mx.nd.zeros((BIG,)))
    value, out = mx.nd.ones((BIG,)), mx.nd.zeros((BIG,))

    def step():
        kv.pushpull("big", value, out=out)
        out.wait_to_read()

    return step


def many(kv):
    keys = [f"key{i}" for i in range(KEYS)]
    kv.init(keys, [mx.nd.zeros((SIZE,)) for _ in keys])
    values, outs = [mx.nd.ones((SIZE,)) for _ in keys], [mx.nd.zeros((SIZE,)) for _ in keys]

    def step():
        kv.pushpull(keys, values, out=outs)
        for out in outs:
            out.wait_to_read()

    return step


def single(kv):
    """A call for each key, as many programs write it."""
    keys = [f"single{i}" for i in range(KEYS)]
    kv.init(keys, [mx.nd.zeros((SIZE,)) for _ in keys])
    values, outs = [mx.nd.ones((SIZE,)) for _ in keys], [mx.nd.zeros((SIZE,)) for _ in keys]

    def step():
        for i, key in enumerate(keys):
            kv.push(key, values[i], priority=-i)
            kv.pull(key, out=outs[i], priority=-i)
        for out in outs:
            out.wait_to_read()

    return step


def lenet(kv):
    net = mx.gluon.nn.HybridSequential()
    for channels in (20, 50):
        net.add(mx.gluon.nn.Conv2D(channels, 5, activation="tanh"), mx.gluon.nn.MaxPool2D(2, 2))
    net.add(mx.gluon.nn.Dense(500, activation="tanh"), mx.gluon.nn.Dense(10))
    net.initialize()
    net.hybridize()
    data, label = mx.nd.random.uniform(shape=(64, 1, 28, 28)), mx.nd.zeros((64,))
    net(data)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01}, kvstore=kv)
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()

    def step():
        for _ in range(10):
            with mx.autograd.record():
                value = loss(net(data), label)
            value.backward()
            trainer.step(64 * kv.num_workers)
        mx.nd.waitall()

    return step


def main():
    kv = mx.kv.create("dist_sync")
    if sys.argv[1] == "lenet":  # in a job of its own: servers apply an optimizer to all keys
        works = {"lenet": lenet(kv)}
    else:
        works = {"big": big(kv), "many": many(kv), "single": single(kv)}
    if sys.argv[1] == "pushpull" and hasattr(mx, "mxnext_version"):
        works |= {"all_reduce_big": all_reduce(kv, BIG), "all_reduce_many": all_reduce(kv, KEYS * SIZE)}
    for step in works.values():
        step()
    print("ready", flush=True)
    for line in sys.stdin:
        step = works[line.strip()]
        kv._barrier()
        begin = time.perf_counter()
        step()
        if kv.rank == 0:
            print(time.perf_counter() - begin, flush=True)
    kv._barrier()


if __name__ == "__main__":
    main()
