"""Sums that begin while backward runs give what sums after it give, whatever a worker does to its gradients."""

import jobs
import numpy as np
import pytest

import mxnet as mx
from mxnet.kvstore.dist_sync import SyncKVStore
from mxnet.kvstore.overlap import Overlap

STEPS = 8


def train(trouble, in_store, ahead):
    """Weights after some steps, and how many sums had begun before each push; ``trouble`` is what worker 1 does.

    Without the update in the store the last of it is what the store holds when the next sums have begun.
    """
    begun = []
    finish, look_ahead = Overlap.finish, SyncKVStore._start_overlap

    def counting(self, sources):
        if self.group is not None:
            begun.append(len(self._works))
        return finish(self, sources)

    Overlap.finish = counting
    if not ahead:
        SyncKVStore._start_overlap = lambda self, early: None
    kv = mx.kv.create("dist_sync")
    kv._workers.piece = 64 * 8  # an array of weights, so that there are several chunks
    odd = kv.rank == 1
    rng = np.random.RandomState(kv.rank)
    mx.random.seed(1)
    net = mx.gluon.nn.Sequential(prefix="net_")
    net.add(*(mx.gluon.nn.Dense(8, in_units=8, activation="tanh", dtype="float64", prefix=f"{c}_") for c in "abcd"))
    net.initialize(mx.init.Xavier())
    req = "add" if trouble == "added" and odd else "write"
    net.collect_params().setattr("grad_req", req)
    rule = {"learning_rate": 0.3, "momentum": 0.5}
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", rule, kvstore=kv, update_on_kvstore=in_store)

    def backward():
        with mx.autograd.record():
            loss = (net(mx.nd.array(rng.randn(4, 8), dtype="float64")) ** 2).sum()
        loss.backward()

    summed = None
    for step in range(STEPS):
        backward()
        if odd and step in (2, 4, 6):
            if trouble == "changed":
                net[1].weight.grad()[:] *= 0.5
            elif trouble == "twice":
                backward()
            elif trouble == "numpy":
                np.from_dlpack(net[3].bias.grad())[:] = 3
        if in_store:
            trainer.step(8)
        else:
            if summed is not None:
                before = mx.nd.zeros((8, 8), dtype="float64")
                kv.pull(7, out=before)  # what was summed last, though new sums may be on their way
                np.testing.assert_array_equal(before.asnumpy(), summed)
            trainer.allreduce_grads()
            summed = net[3].weight.grad().asnumpy()
            trainer.update(8)
        if trouble == "added" and odd:
            net.collect_params().zero_grad()
        if trouble == "extra" and step == 4:  # and now something else with the same network, by some
            for _ in range(2 * kv.rank):
                backward()
        if trouble == "dropped" and step == 4:  # and now a push of other keys
            kv.push([0, 1], [net[0].bias.grad(), net[0].weight.grad()])
    if trouble == "left" and odd:
        backward()  # that no step follows
    kv.barrier()
    Overlap.finish, SyncKVStore._start_overlap = finish, look_ahead
    return [p.data().asnumpy() for p in net.collect_params().values()], begun


TROUBLES = ("none", "changed", "twice", "numpy", "extra", "dropped", "added", "left")


def both_ways():
    """All in one job: starting one takes longer than any of them."""
    return {
        (trouble, in_store): [train(trouble, in_store, ahead) for ahead in (True, False)]
        for trouble in TROUBLES
        for in_store in (True, False)
    }


@pytest.mark.parametrize("env", [{}, jobs.NETWORK])
def test_sums_ahead_give_the_same(env):
    told = jobs.run(both_ways, workers=2, env={"MXNET_KVSTORE_BIGARRAY_BOUND": "6"} | env)
    for case in told[0]:
        for rank, results in enumerate(told):
            (ahead, begun), (after, none) = results[case]
            assert not none
            for one, other, first in zip(ahead, after, told[0][case][0][0], strict=True):
                np.testing.assert_array_equal(one, other, err_msg=f"{case}: worker {rank}")
                np.testing.assert_array_equal(one, first, err_msg=f"{case}: worker {rank}")
            if case[0] == "none":  # all of the arrays, once backward was seen to write them
                assert len(begun) >= 4 and set(begun) == {8 if case[1] else 5}


def normalized():
    """A network whose backward pass meets the other worker, of which one begins no sums ahead of time any more."""
    kv = mx.kv.create("dist_sync")
    kv._workers.piece = 64 * 4
    mx.random.seed(1)
    net = mx.gluon.nn.Sequential(prefix="net_")
    for name in "abcd":
        net.add(mx.gluon.nn.Dense(64, in_units=64, prefix=f"{name}_"))  # 16 kB, in pieces
        net.add(mx.gluon.contrib.nn.SyncBatchNorm(in_channels=64, num_devices=2, prefix=f"{name}_norm_"))
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore=kv)
    for step in range(STEPS):
        with mx.autograd.record():
            loss = (net(mx.nd.random.normal(shape=(8, 64))) ** 2).sum()
        loss.backward()
        if kv.rank == 1 and step == 4:
            net[0].weight.grad()[:] *= 0.5
        trainer.step(16)
    overlaps = [plan.overlap for plan in kv._plans.values()]
    return [each._disabled for each in overlaps], net[0].weight.data().asnumpy()


@pytest.mark.parametrize("env", [{}, jobs.NETWORK])
def test_backward_does_not_wait_for_who_waits_for_it(env):
    (off, weight), (other_off, other) = jobs.run(normalized, workers=2, env=env)
    assert (off, other_off) == ([False], [True])
    np.testing.assert_array_equal(weight, other)
