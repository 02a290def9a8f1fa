"""Parameters as arrays, updated by hand."""

import mxnet as mx
from mxnet import autograd, nd

mx.random.seed(4)
arrays = mx.test_utils.get_mnist()
images = nd.array(arrays["train_data"][:2000]).reshape((-1, 784))
labels = nd.array(arrays["train_label"][:2000])
w1 = nd.random.normal(scale=0.05, shape=(784, 64))
b1 = nd.zeros(64)
w2 = nd.random.normal(scale=0.1, shape=(64, 10))
b2 = nd.zeros(10)
params = [w1, b1, w2, b2]
for param in params:
    param.attach_grad()


def forward(x):
    return nd.dot(nd.relu(nd.dot(x, w1) + b1), w2) + b2


def cross_entropy(scores, y):
    return -nd.pick(nd.log_softmax(scores), y)


batch_size = 50
for epoch in range(4):
    for start in range(0, 2000, batch_size):
        x, y = images[start : start + batch_size], labels[start : start + batch_size]
        with autograd.record():
            loss = cross_entropy(forward(x), y)
        loss.backward()
        for param in params:
            param[:] = param - 0.1 * param.grad / batch_size
test = nd.array(arrays["test_data"][:500]).reshape((-1, 784))
right = forward(test).argmax(axis=1) == nd.array(arrays["test_label"][:500])
print("result", right.mean().asscalar())
