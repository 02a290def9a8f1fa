"""The key-value store step by step: push from several devices, sum, pull.

    python examples/kvstore_walkthrough.py

Runs on four GPUs if you have them. Otherwise the program sets MXNET_VIRTUAL_GPUS=4.
"""

import os

import mxnet as mx

if mx.num_gpus() < 4:
    os.environ["MXNET_VIRTUAL_GPUS"] = "4"

# One key: init, then pull what is stored.
kv = mx.kv.create("local")
shape = (2, 3)
kv.init(3, mx.nd.ones(shape) * 2)
a = mx.nd.zeros(shape)
kv.pull(3, out=a)
print(a.asnumpy())

# Push a new value of the same size.
kv.push(3, mx.nd.ones(shape) * 8)
kv.pull(3, out=a)
print(a.asnumpy())

# Values from several devices are summed.
gpus = [mx.gpu(i) for i in range(4)]
b = [mx.nd.ones(shape, gpu) for gpu in gpus]
kv.push(3, b)
kv.pull(3, out=a)
print(a.asnumpy())


# Instead of replacing what is stored, push can update it.
def update(key, pushed, stored):
    print(f"update on key: {key}")
    stored += pushed * 2


kv._set_updater(update)
kv.pull(3, out=a)
print(a.asnumpy())
kv.push(3, mx.nd.ones(shape))
kv.pull(3, out=a)
print(a.asnumpy())

# Pull to several devices.
b = [mx.nd.ones(shape, gpu) for gpu in gpus]
kv.pull(3, out=b)
print(b[1].asnumpy())

# Many keys in one call.
keys = [5, 7, 9]
kv.init(keys, [mx.nd.ones(shape)] * len(keys))
kv.push(keys, [mx.nd.ones(shape)] * len(keys))
b = [mx.nd.zeros(shape)] * len(keys)
kv.pull(keys, out=b)
print(b[1].asnumpy())

# Many keys, each with values on all devices.
b = [[mx.nd.ones(shape, gpu) for gpu in gpus]] * len(keys)
kv.push(keys, b)
kv.pull(keys, out=b)
print(b[1][1].asnumpy())

# Gradient descent in the store: weights are stored, gradients are pushed. It finds the minimum of (weight - 1)**2.
kv = mx.kv.create("device")
kv.init("weight", mx.nd.zeros(shape))
kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.05))
weights = [mx.nd.empty(shape, gpu) for gpu in gpus]
for _ in range(20):
    kv.pull("weight", out=weights)
    kv.push("weight", [2 * (weight - 1) for weight in weights])
kv.pull("weight", out=weights)
print("the weight is", round(float(weights[0].mean().asscalar()), 3))
