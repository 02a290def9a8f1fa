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
