"""Runs of a key-value store that the recorder and the tests share. Read by the original's old Python packages too."""

import numpy as np

STEPS = 6


def compressed(mx, devices, threshold):
    """What arrives of random gradients sent by two bits, from each of some devices, after each step."""
    rng = np.random.RandomState(3)
    kv = mx.kv.create("device")
    kv.set_gradient_compression({"type": "2bit", "threshold": threshold})
    kv.init(["a", "b"], [mx.nd.zeros((3, 5)), mx.nd.zeros((7,))])
    outs = [mx.nd.zeros((3, 5)), mx.nd.zeros((7,))]
    found = []
    for _ in range(STEPS):
        sent = [
            [mx.nd.array(np.round(rng.normal(0, 0.6, out.shape), 2), mx.cpu(i)) for i in range(devices)] for out in outs
        ]
        kv.push(["a", "b"], sent)
        kv.pull(["a", "b"], out=outs)
        found.append([float(x) for out in outs for x in out.asnumpy().ravel()])
    return found


def trained(mx, kind, optimizer, arguments):
    """Weights after pushes of gradients from three devices to a store with an optimizer, with string keys."""
    rng = np.random.RandomState(4)
    kv = mx.kv.create(kind)
    names = ["w_weight", "v_bias"]
    kv.init(names, [mx.nd.ones((2, 2)), mx.nd.ones((3,))])
    kv.set_optimizer(mx.optimizer.create(optimizer, **arguments))
    outs = [mx.nd.zeros((2, 2)), mx.nd.zeros((3,))]
    for _ in range(STEPS):
        grads = [[mx.nd.array(rng.normal(0, 1, out.shape), mx.cpu(i)) for i in range(3)] for out in outs]
        kv.pushpull(names, grads, out=outs)
    return [float(x) for out in outs for x in out.asnumpy().ravel()]


def _values(*arrays):
    return [array.asnumpy().tolist() for array in arrays]


def _case_push_then_write(mx, kv):
    a, out = mx.nd.array([7, 8]), mx.nd.zeros(2)
    kv.init(3, mx.nd.zeros(2))
    kv.push(3, [a, mx.nd.ones(2, mx.cpu(1))])
    a[:] = 5
    kv.pull(3, out)
    return _values(a, out)


def _case_write_after_one_push_is_seen(mx, kv):
    a, out = mx.nd.array([7, 8]), mx.nd.zeros(2)
    kv.init(3, mx.nd.zeros(2))
    kv.push(3, a)
    a[:] = 5
    kv.pull(3, out)
    return _values(a, out)


def _case_pull_to_what_was_pushed(mx, kv):
    a, b, out = mx.nd.array([7, 8]), mx.nd.ones(2), mx.nd.zeros(2)
    kv.init(3, mx.nd.zeros(2))
    kv.push(3, [a, b])
    kv.pull(3, [a, b])
    a += 1
    kv.pull(3, out)
    return _values(a, b, out)


def _case_views(mx, kv):
    rows, out = mx.nd.array([[1, 2], [3, 4]]), mx.nd.zeros(2)
    kv.init(3, mx.nd.zeros(2))
    kv.pushpull(3, [rows[0], rows[1]])
    kv.pull(3, out)
    return _values(rows, out)


def _case_another_shape(mx, kv):
    out = mx.nd.zeros(3)
    kv.init(3, mx.nd.zeros(2))
    kv.push(3, mx.nd.array([1, 2, 3]))
    kv.pull(3, out)
    return _values(out)


def _case_another_dtype(mx, kv):
    out = mx.nd.zeros(2, dtype="float64")
    kv.init(3, mx.nd.zeros(2))
    kv.push(3, mx.nd.ones(2, dtype="float16"))
    kv.pull(3, out)
    return _values(out)


def _case_updater_sees(mx, kv):
    seen, a = [], mx.nd.array([7, 8])
    kv.init([5, 3, 4], [mx.nd.zeros(2)] * 3)

    def update(key, pushed, held):
        seen.append([key, *_values(pushed, held)])
        held += pushed
        pushed[:] = 0

    kv._set_updater(update)
    kv.push([5, 4, 3], [a, [a, a], mx.nd.ones(2)])
    kv.push([3, 5], [mx.nd.ones(2), a])
    mx.nd.waitall()
    return [seen, _values(a)]


def _case_optimizer_is_not_copied(mx, kv):
    out = mx.nd.zeros(2)
    kv.init(3, mx.nd.ones(2))
    optimizer = mx.optimizer.SGD(learning_rate=0.5)
    kv.set_optimizer(optimizer)
    optimizer.lr = 0.25
    kv.push(3, mx.nd.ones(2))
    kv.pull(3, out)
    return [_values(out), optimizer.num_update]


def _case_optimizer_counts_names(mx, kv):
    kv.init(["x", "y"], [mx.nd.ones(2)] * 2)
    optimizer = mx.optimizer.SGD(learning_rate=0.5, momentum=0.5)
    kv.set_optimizer(optimizer)
    kv.push(["y", "x"], [mx.nd.ones(2)] * 2)
    return [sorted(map(list, optimizer._index_update_count.items())), sorted(kv._updater.states)]


def _failing(call):
    def case(mx, kv):
        kv.init(3, mx.nd.zeros(2))
        return call(kv, mx.nd.ones(2), mx)

    return case


CASES = {name[6:]: case for name, case in list(globals().items()) if name.startswith("_case_")}
CASES.update(
    (name, _failing(call))
    for name, call in {
        "init twice": lambda kv, a, mx: kv.init(3, a),
        "init mixed keys": lambda kv, a, mx: kv.init("a", a),
        "init a mixed list": lambda kv, a, mx: kv.init(["a", 5], [a, a]),
        "init by bytes": lambda kv, a, mx: kv.init(b"a", a),
        "init by a float": lambda kv, a, mx: kv.init(1.5, a),
        "init with numpy": lambda kv, a, mx: kv.init(8, np.ones(2)),
        "init too few": lambda kv, a, mx: kv.init([8, 9], [a]),
        "push unknown": lambda kv, a, mx: kv.push(9, a),
        "push nested": lambda kv, a, mx: kv.push([3], [[[a]]]),
        "pull unknown": lambda kv, a, mx: kv.pull(9, a),
        "pull nowhere": lambda kv, a, mx: kv.pull(3),
        "pull another shape": lambda kv, a, mx: kv.pull(3, mx.nd.ones(3)),
        "save without optimizer": lambda kv, a, mx: kv.save_optimizer_states("states"),
        "load without optimizer": lambda kv, a, mx: kv.load_optimizer_states("states"),
        "ask for what nobody knows": lambda kv, a, mx: kv.is_capable("x"),
    }.items()
)


def everything(mx):
    """All of it, by name."""
    found = {}
    for devices in (1, 2, 3):
        for threshold in (0.25, 0.5, 2.0):
            found["compressed-%d-%s" % (devices, threshold)] = compressed(mx, devices, threshold)
    for kind in ("local", "device"):
        for name, arguments in (
            ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "rescale_grad": 1 / 3.0}),
            ("adam", {"learning_rate": 0.1, "wd": 0.01}),
        ):
            found["trained-%s-%s" % (kind, name)] = trained(mx, kind, name, arguments)
    return found
