"""Matrix factorization of movie ratings with sparse embeddings.

    python examples/sparse_matrix_factorization.py [--steps 300]

Each step reads and updates only the rows of its batch, however many users and movies there are.
"""

import argparse

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd


class Ratings(gluon.HybridBlock):
    """The product of the vectors of a user and of a film."""

    def __init__(self, users, films, factors, sparse):
        super().__init__()
        with self.name_scope():
            self.users = gluon.nn.Embedding(users, factors, sparse_grad=sparse, weight_initializer=mx.init.Normal(0.3))
            self.films = gluon.nn.Embedding(films, factors, sparse_grad=sparse, weight_initializer=mx.init.Normal(0.3))

    def hybrid_forward(self, F, user, film):
        return F.sum(self.users(user) * self.films(film), axis=1)


def train(ratings, users, films, steps, sparse):
    """Learns from batches of (user, film, rating); prints the error and gives the users' vectors."""
    mx.random.seed(0)
    net = Ratings(users, films, 4, sparse)
    net.initialize()
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adagrad", {"learning_rate": 0.3})
    loss_of = gluon.loss.L2Loss()
    errors = []
    for step in range(steps):
        start = step * 200 % len(ratings)
        user, film, rating = (nd.array(column) for column in ratings[start : start + 200].T)
        with autograd.record():
            loss = loss_of(net(user, film), rating)
        loss.backward()
        trainer.step(200)
        errors.append(float((2 * loss.mean()).sqrt().asscalar()))
    kind = net.users.weight.grad().stype
    print(f"gradients are {kind}: error {errors[0]:.3f} -> {np.mean(errors[-10:]):.3f}")
    return net.users.weight.data().asnumpy()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=300)
    chosen = options.parse_args()
    rng, users, films = np.random.default_rng(3), 300, 200
    taste, style = rng.normal(size=(users, 3)), rng.normal(size=(films, 3))
    user, film = rng.integers(0, users, 6000), rng.integers(0, films, 6000)
    ratings = np.stack([user, film, (taste[user] * style[film]).sum(1)], axis=1)
    runs = [train(ratings, users, films, chosen.steps, sparse) for sparse in (True, False)]
    print(f"largest difference of the users' vectors: {np.abs(runs[0] - runs[1]).max():.1e}")


if __name__ == "__main__":
    main()
