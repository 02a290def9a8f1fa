"""Pushes and pulls of single keys, which travel together: the same values as one by one, whoever needs them when."""

import time

import jobs
import numpy as np
import pytest

import mxnet as mx
from mxnet.ndarray.pending import bringer

KEYS = 40
SHAPES = [(3,), (2, 3), (1,), (40, 10)]


def create(kind, optimizer=None):
    kv = mx.kv.create(kind)
    kv.init(list(range(KEYS)), [mx.nd.ones(SHAPES[k % 4]) for k in range(KEYS)])
    if optimizer is not None:
        kv.set_optimizer(optimizer)
    return kv


def waits(kv):
    return len(kv._calls._waiting)


def values_of_that_time():
    """What is pushed may be overwritten at once; each worker reads at other times."""
    kv = create("dist_sync")
    steps, together = [], 0
    for step in range(3):
        grad, outs = mx.nd.zeros((3,)), []
        for k in range(KEYS):
            value = mx.nd.full(SHAPES[k % 4], (kv.rank + 1) * (k + 1) + step)
            if k % 4 == 0:  # the array of the last key is used again
                grad[:] = value
                value = grad
            out = mx.nd.zeros(SHAPES[k % 4])
            kv.push(k, [value] if k % 3 else value, priority=-k)
            value[:] = 1000
            kv.pull(k, [out] if k % 5 else out, priority=-k)
            outs.append(out)
            together = max(together, waits(kv))
            if kv.rank == 0 and k % 7 == 0:
                out.wait_to_read()
        steps.append([out.asnumpy().tolist() for out in outs])
        assert waits(kv) == 0
        kv.barrier()
    assert together > 1
    return steps


def expected(optimizer):
    """What one process has that is given the sums."""
    weights = [np.ones(SHAPES[k % 4], "float32") for k in range(KEYS)]
    moments = [np.zeros_like(w) for w in weights]
    for step in range(3):
        for k in range(KEYS):
            total = np.full_like(weights[k], 3 * (k + 1) + 2 * step)
            if not optimizer:
                weights[k] = total
                continue
            moments[k] = 0.5 * moments[k] - total
            weights[k] = weights[k] + moments[k]
        yield [w.tolist() for w in weights]


def with_optimizer():
    kv = create("dist_sync", mx.optimizer.SGD(learning_rate=1.0, momentum=0.5, wd=0.0))
    steps = []
    for step in range(3):
        outs = []
        kv._updater.optimizer.lr = 1.0
        for k in range(KEYS):
            value, out = mx.nd.full(SHAPES[k % 4], (kv.rank + 1) * (k + 1) + step), mx.nd.zeros(SHAPES[k % 4])
            kv.pushpull(k, value, out=out, priority=k)
            value[:] = 1000
            outs.append(out)
        assert waits(kv) or kv.rank == 1
        kv._updater.optimizer.lr = 100.0  # counts from the next push on
        steps.append([out.asnumpy().tolist() for out in outs])
        assert kv._updater.optimizer.lr == 100.0
    return steps


def with_scheduler():
    """What a schedule counts is counted, and the optimizer is the program's own."""

    def make():
        return mx.optimizer.SGD(learning_rate=1.0, lr_scheduler=mx.lr_scheduler.FactorScheduler(2, 0.5), wd=0.0)

    kv, alone, mine = create("dist_sync"), mx.kv.create("local"), make()
    alone.init(list(range(KEYS)), [mx.nd.ones(SHAPES[k % 4]) for k in range(KEYS)])
    kv.set_optimizer(mine)
    alone.set_optimizer(make())
    for _ in range(5):
        outs = [mx.nd.zeros(SHAPES[k % 4]) for k in range(KEYS)]
        for k, out in enumerate(outs):
            kv.push(k, mx.nd.full(out.shape, kv.rank + 1))
            kv.pull(k, out)
            alone.push(k, mx.nd.full(out.shape, 3))
        for k, out in enumerate(outs):
            one = mx.nd.zeros(out.shape)
            alone.pull(k, one)
            assert (out.asnumpy() == one.asnumpy()).all()
    other = alone._updater.optimizer
    assert kv._updater.optimizer is mine and mine.num_update == other.num_update == 5
    assert mine.lr_scheduler(5) == other.lr_scheduler(5) == 0.25
    return True


def test_schedules_count():
    assert jobs.run(with_scheduler, workers=2) == [True, True]


@pytest.mark.parametrize("env", [{}, jobs.NETWORK], ids=["memory", "network"])
def test_values_are_those_of_the_push(env):
    for told in jobs.run(values_of_that_time, workers=2, each=lambda rank: env):
        assert told == list(expected(False))


@pytest.mark.parametrize("env", [{}, jobs.NETWORK], ids=["memory", "network"])
def test_updates_are_those_of_the_push(env):
    for told in jobs.run(with_optimizer, workers=2, each=lambda rank: env):
        assert told == list(expected(True))


def asynchronous():
    """Sums without momentum do not depend on the order of workers."""
    kv = create("dist_async", mx.optimizer.SGD(learning_rate=1.0, wd=0.0))
    sgd, own = kv._updater.optimizer, []
    for k in range(KEYS):
        value, out = mx.nd.full(SHAPES[k % 4], (kv.rank + 1) * (k + 1)), mx.nd.zeros(SHAPES[k % 4])
        kv.push(k, value)
        value[:] = 1000
        kv.pull(k, out)
        own.append(out)
    waited = waits(kv)
    sgd.lr = 100.0
    seen = [float(out.asnumpy().max()) for out in own]  # at least its own push has arrived
    assert all(s <= 1 - (kv.rank + 1) * (k + 1) for k, s in enumerate(seen))
    kv.barrier()
    for k, out in enumerate(own):
        kv.pull(k, out)
    return waited, [out.asnumpy().reshape(-1)[0].item() for out in own]


@pytest.mark.parametrize("servers", [0, 1])
def test_asynchronous_stores(servers):
    for waited, told in jobs.run(asynchronous, workers=2, servers=servers):
        assert waited > 1
        assert told == [1 - 3 * (k + 1) for k in range(KEYS)]


def other_calls():
    """What waits is done before anything else: a list of keys, the same key again, a sparse one, a large one."""
    kv = create("dist_sync")
    r = kv.rank
    kv.init(1000, mx.nd.zeros((4, 2)).tostype("row_sparse"))
    kv.init(1001, mx.nd.zeros((1 << 19,)))
    kv.init(1002, mx.nd.zeros((3,), dtype="float16"))
    a, b, c, d = (mx.nd.zeros((3,)) for _ in range(4))
    one = mx.nd.ones((3,))
    kv.push(0, one * (r + 1))
    kv.pull(0, a)
    kv.push(0, one * 10)  # again: the first is done
    assert bringer(a) is None
    kv.pull(0, b)
    kv.pull(0, [c, d])
    kv.push(1002, (one * (r + 1)).astype("float16"))
    half = mx.nd.zeros((3,))
    kv.pull(1002, half)
    kv.push(1000, mx.nd.sparse.row_sparse_array((np.full((1, 2), r + 1.0, "float32"), [r]), shape=(4, 2)))
    assert all(bringer(x) is None for x in (b, c, d, half))
    rows = mx.nd.sparse.zeros("row_sparse", (4, 2))
    kv.row_sparse_pull(1000, out=rows, row_ids=mx.nd.array([0, 1]))
    kv.push(4, one)
    kv.pull(4, a)
    large = mx.nd.zeros((1 << 19,))
    kv.push(1001, mx.nd.ones((1 << 19,)))
    assert bringer(a) is None
    kv.pull(1001, large)
    # the same array for two keys has the last one's value; what can be reached by another way is there at once
    kv.push(8, one * 8)
    kv.pull(8, a)
    kv.push(12, one * 12)
    kv.pull(12, a)
    assert bringer(a) is not None
    kv.push(16, one)
    view = d[0:2]
    kv.pull(16, d)
    assert bringer(d) is None
    with mx.autograd.record():
        kv.push(20, one * 20)
        kv.pull(20, b)
        assert bringer(b) is None
    kv.push(24, one * 24)
    kv.pull(24, c)
    mx.nd.waitall()
    assert bringer(c) is None
    for name in ("shape", "int"):  # what cannot be is said at the call
        with pytest.raises(mx.MXNetError):
            kv.push(0, mx.nd.ones((4,)) if name == "shape" else mx.nd.ones((3,), dtype="int32"))
    return [x.asnumpy().tolist() for x in (a, b, c, d, view, half, rows, large[:2])]


def test_what_waits_is_done_before_anything_else():
    for a, b, c, d, view, half, rows, large in jobs.run(other_calls, workers=2):
        assert (a, b, c, d, view) == ([24] * 3, [40] * 3, [48] * 3, [2] * 3, [2] * 2)
        assert half == [3] * 3 and rows == [[1, 1], [2, 2], [0, 0], [0, 0]] and large == [2, 2]


def nobody_reads():
    """A worker that reads does not wait for what another one computes after its push."""
    kv = create("dist_sync")
    kv.barrier()
    kv.push(0, mx.nd.ones((3,)))
    if kv.rank == 1:
        time.sleep(4)
        return 0
    out, begin = mx.nd.zeros((3,)), time.monotonic()
    kv.pull(0, out)
    assert (out.asnumpy() == 2).all()
    return time.monotonic() - begin


def test_a_push_that_nobody_reads_arrives():
    assert 0 <= jobs.run(nobody_reads, workers=2)[0] < 3.5


def at_the_end():
    kv = create("dist_sync")
    kv.push(0, mx.nd.ones((3,)))
    if kv.rank == 0:
        out = mx.nd.zeros((3,))
        kv.pull(0, out)
        return out.asnumpy().tolist()
    return None


def test_a_process_ends_when_its_pushes_have_arrived():
    assert jobs.run(at_the_end, workers=2) == [[2, 2, 2], None]


def different():
    kv = create("dist_sync")
    outs = [mx.nd.zeros((3,)), mx.nd.zeros((3,))]
    kv.push(0, mx.nd.ones((3,)))
    kv.pull(0, outs[0])
    key = 4 if kv.rank else 8
    kv.push(key, mx.nd.ones((3,)))
    kv.pull(key, outs[1])
    for use in (lambda: outs[1].asnumpy(), lambda: outs[1] + 1, lambda: kv.push(0, mx.nd.ones((3,))), kv.barrier):
        with pytest.raises(mx.MXNetError, match=r"worker 0: push of .*key.* 8.*worker 1: push of .*key.* 4"):
            use()


def test_errors_name_key_and_worker():
    with jobs.Job(different, workers=2) as job:
        told = job.errors()
    assert all(told[name][0] in (0, 2) for name in told), told
