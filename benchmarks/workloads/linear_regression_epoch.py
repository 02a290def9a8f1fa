"""One epoch of linear regression from scratch, as in the books: 1000 examples, 2 features, batches of 10."""

import random

import numpy as np

from . import sized

EXAMPLES, BATCH, RATE = sized(1000, 20), 10, 0.03


def data():
    rng = np.random.RandomState(0)
    features = rng.normal(size=(EXAMPLES, 2)).astype("float32")
    labels = features @ np.array([2.0, -3.4], "float32") + 4.2 + rng.normal(scale=0.01, size=EXAMPLES)
    return features, labels.astype("float32")


def mxnet_step(mx):
    nd, autograd = mx.nd, mx.autograd
    features, labels = (nd.array(v) for v in data())
    w, b = nd.random.normal(scale=0.01, shape=(2, 1)), nd.zeros(shape=(1,))
    w.attach_grad()
    b.attach_grad()

    def data_iter():
        indices = list(range(EXAMPLES))
        random.shuffle(indices)
        for i in range(0, EXAMPLES, BATCH):
            j = nd.array(indices[i : min(i + BATCH, EXAMPLES)])
            yield features.take(j), labels.take(j)

    def linreg(x):
        return nd.dot(x, w) + b

    def squared_loss(y_hat, y):
        return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2

    def sgd(params):
        for param in params:
            param[:] = param - RATE * param.grad / BATCH

    def step():
        for x, y in data_iter():
            with autograd.record():
                loss = squared_loss(linreg(x), y)
            loss.backward()
            sgd([w, b])
        return squared_loss(linreg(features), labels).mean().asnumpy()

    return step


def torch_step(torch):
    features, labels = (torch.from_numpy(v) for v in data())
    w = (torch.randn(2, 1) * 0.01).requires_grad_()
    b = torch.zeros(1, requires_grad=True)

    def data_iter():
        indices = list(range(EXAMPLES))
        random.shuffle(indices)
        for i in range(0, EXAMPLES, BATCH):
            j = torch.tensor(indices[i : min(i + BATCH, EXAMPLES)])
            yield features.index_select(0, j), labels.index_select(0, j)

    def linreg(x):
        return torch.mm(x, w) + b

    def squared_loss(y_hat, y):
        return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2

    def sgd(params):
        with torch.no_grad():
            for param in params:
                param -= RATE * param.grad / BATCH
                param.grad.zero_()

    def step():
        for x, y in data_iter():
            squared_loss(linreg(x), y).sum().backward()
            sgd([w, b])
        with torch.no_grad():
            return squared_loss(linreg(features), labels).mean().numpy()

    return step
