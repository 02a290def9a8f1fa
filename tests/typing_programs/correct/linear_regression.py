"""Linear regression from scratch, as the books write it."""

import random

from mxnet import autograd, nd

num_inputs, num_examples = 2, 100
true_w, true_b = [2, -3.4], 4.2
features = nd.random.normal(scale=1, shape=(num_examples, num_inputs))
labels = true_w[0] * features[:, 0] + true_w[1] * features[:, 1] + true_b
labels += nd.random.normal(scale=0.01, shape=labels.shape)


def data_iter(batch_size, features, labels):
    indices = list(range(len(features)))
    random.shuffle(indices)
    for i in range(0, len(features), batch_size):
        j = nd.array(indices[i : min(i + batch_size, len(features))])
        yield features.take(j), labels.take(j)


w = nd.random.normal(scale=0.01, shape=(num_inputs, 1))
b = nd.zeros(shape=(1,))
w.attach_grad()
b.attach_grad()


def linreg(X, w, b):
    return nd.dot(X, w) + b


def squared_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2


def sgd(params, lr, batch_size):
    for param in params:
        param[:] = param - lr * param.grad / batch_size


for epoch in range(3):
    for X, y in data_iter(10, features, labels):
        with autograd.record():
            loss = squared_loss(linreg(X, w, b), y)
        loss.backward()
        sgd([w, b], 0.03, 10)
    train_l = squared_loss(linreg(features, w, b), labels)
    print(f"epoch {epoch + 1}, loss {train_l.mean().asnumpy()}")

x = nd.arange(12).reshape((3, 4))
x[1, 2] = 9
mask = (x > 5) * (x <= 9)
print(x.sum().asscalar(), x.norm().asscalar(), (x == x).mean(), -x, abs(x), 1 - x, 2 / (x + 1), x % 3, 2**x)
print(x[0:2, 1].shape, x.T.shape, x.max(axis=1), nd.concat(x, x, dim=0), nd.stack(x, x), nd.concat(*[x, x], dim=1))
print(x.expand_dims(axis=0), x.argmax(axis=1).astype("int32"), nd.sum(x, axis=(0, 1)), nd.sum(x, 0, True), mask)
print(nd.split(x, num_outputs=2, axis=1)[0].shape, nd.one_hot(nd.array([0, 2]), 3), nd.topk(x, k=2, ret_typ="value"))
x.wait_to_read()
nd.save("/tmp/x.params", {"x": x})
