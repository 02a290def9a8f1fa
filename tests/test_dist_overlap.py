"""Sums that begin while backward runs give what sums after it give, whatever a worker does to its gradients."""

import jobs
import numpy as np

import mxnet as mx
from mxnet.kvstore.dist import SyncKVStore
from mxnet.kvstore.overlap import Early

STEPS = 6


def train(trouble, ahead):
    """Weights after some steps, and how many sums had begun before each push; ``trouble`` is what worker 1 does."""
    begun = []
    finish, look_ahead = Early.finish, SyncKVStore._look_ahead

    def counting(self, sources):
        begun.append(len(self._works))
        return finish(self, sources)

    Early.finish = counting
    if not ahead:
        SyncKVStore._look_ahead = lambda self, plan: None
    kv = mx.kv.create("dist_sync")
    odd = kv.rank == 1
    rng = np.random.RandomState(kv.rank)
    mx.random.seed(1)
    net = mx.gluon.nn.Sequential(prefix="net_")
    net.add(*(mx.gluon.nn.Dense(8, in_units=8, activation="tanh", dtype="float64", prefix=f"{c}_") for c in "abcd"))
    net.initialize(mx.init.Xavier())
    req = "add" if trouble == "added" and odd else "write"
    net.collect_params().setattr("grad_req", req)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.3, "momentum": 0.5}, kvstore=kv)

    def backward():
        with mx.autograd.record():
            loss = (net(mx.nd.array(rng.randn(4, 8), dtype="float64")) ** 2).sum()
        loss.backward()

    for step in range(STEPS):
        backward()
        if odd and step in (2, 4):
            if trouble == "changed":
                net[1].weight.grad()[:] *= 0.5
            elif trouble == "twice":
                backward()
            elif trouble == "numpy":
                np.from_dlpack(net[3].bias.grad())[:] = 3
        trainer.step(8)
        if trouble == "added" and odd:
            net.collect_params().zero_grad()
        if trouble == "extra" and step == 3:  # and now something else with the same network, by some
            for _ in range(2 * kv.rank):
                backward()
        if trouble == "dropped" and step == 3:  # and now a push of other keys
            kv.push([0, 1], [net[0].bias.grad(), net[0].weight.grad()])
    if trouble == "left" and odd:
        backward()  # that no step follows
    kv.barrier()
    Early.finish, SyncKVStore._look_ahead = finish, look_ahead
    return [p.data().asnumpy() for p in net.collect_params().values()], begun


TROUBLES = ("none", "changed", "twice", "numpy", "extra", "dropped", "added", "left")


def both_ways():
    """All in one job: starting one takes longer than any of them."""
    return {trouble: [train(trouble, ahead) for ahead in (True, False)] for trouble in TROUBLES}


def test_sums_ahead_give_the_same():
    told = jobs.run(both_ways, workers=2, env={"MXNET_KVSTORE_BIGARRAY_BOUND": "6"})
    for trouble in TROUBLES:
        for rank, results in enumerate(told):
            (ahead, begun), (after, none) = results[trouble]
            assert not none
            for one, other, first in zip(ahead, after, told[0][trouble][0][0], strict=True):
                np.testing.assert_array_equal(one, other, err_msg=f"{trouble}: worker {rank}")
                np.testing.assert_array_equal(one, first, err_msg=f"{trouble}: worker {rank}")
            if trouble == "none":  # all of the eight arrays, from the third step on
                assert begun == [0, 8, 8, 8, 8]
