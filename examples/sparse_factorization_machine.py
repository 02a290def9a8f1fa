"""A factorization machine (Rendle, 2010) on sparse data.

    python examples/sparse_factorization_machine.py [--steps 200]

For a csr matrix x, weights w and feature vectors V, the output is x w + sum((x V)^2 - x^2 V^2) / 2.
"""

import argparse

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd


class FactorizationMachine(gluon.HybridBlock):
    """The model; its gradients are row-sparse: of a batch's features."""

    def __init__(self, features, factors, sparse=True):
        super().__init__()
        stype = "row_sparse" if sparse else "default"
        with self.name_scope():
            self.w = self.params.get("w", shape=(features, 1), grad_stype=stype, init=mx.init.Zero())
            self.v = self.params.get("v", shape=(features, factors), grad_stype=stype, init=mx.init.Normal(0.05))

    def hybrid_forward(self, F, x, squares, w, v):
        linear = F.dot(x, w)
        pairs = F.square(F.dot(x, v)) - F.dot(squares, F.square(v))
        return linear + 0.5 * F.sum(pairs, axis=1, keepdims=True)


def make_data(examples, features, rng):
    """Examples of three features each; the label tells whether pairs of them like each other."""
    hidden = rng.normal(size=(features, 3))
    columns = np.array([np.sort(rng.choice(features, 3, replace=False)) for _ in range(examples)])
    a, b, c = (hidden[columns[:, i]] for i in range(3))
    label = ((a * b + b * c + a * c).sum(1) > 0).astype("float32")
    starts = np.arange(0, 3 * examples + 1, 3)
    data = nd.sparse.csr_matrix((np.ones(3 * examples, "float32"), columns.ravel(), starts), shape=(examples, features))
    return data, label


def train(data, label, steps, sparse):
    """The loss of the first and the last steps, the accuracy, and the factors."""
    mx.random.seed(0)
    net = FactorizationMachine(data.shape[1], 4, sparse)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "adagrad", {"learning_rate": 0.2})
    loss_of = gluon.loss.SigmoidBinaryCrossEntropyLoss()
    losses = []
    for step in range(steps):
        start = step * 100 % len(data)
        x, y = data[start : start + 100], nd.array(label[start : start + 100])
        with autograd.record():
            loss = loss_of(net(x, nd.square(x)), y)
        loss.backward()
        trainer.step(len(x))
        losses.append(float(loss.mean().asscalar()))
    accuracy = ((net(data, nd.square(data)).asnumpy().ravel() > 0) == label).mean()
    kind, last = net.v.grad().stype, np.mean(losses[-10:])
    print(f"gradients are {kind}: loss {losses[0]:.3f} -> {last:.3f}, accuracy {accuracy:.3f}")
    return net.v.data().asnumpy()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=200)
    chosen = options.parse_args()
    data, label = make_data(2000, 60, np.random.default_rng(2))
    runs = [train(data, label, chosen.steps, sparse) for sparse in (True, False)]
    print(f"largest difference of the factors: {np.abs(runs[0] - runs[1]).max():.1e}")


if __name__ == "__main__":
    main()
