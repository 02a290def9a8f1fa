"""Recommenders: matrix factorization, wide and deep, factorization machines, NeuMF, AutoRec."""

from . import Network, sized, tokens, uniform

USERS, ITEMS, SIZE = sized(6000, 20), sized(4000, 30), sized(32, 4)
FIELDS, FEATURES = 22, sized(20000, 50)


def factorization(mx):
    """The product of the vectors of a user and an item, with biases."""
    nn = mx.gluon.nn

    class MatrixFactorization(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.user, self.item = nn.Embedding(USERS, SIZE), nn.Embedding(ITEMS, SIZE)
                self.user_bias, self.item_bias = nn.Embedding(USERS, 1), nn.Embedding(ITEMS, 1)

        def hybrid_forward(self, F, user, item):
            product = F.sum(self.user(user) * self.item(item), axis=1, keepdims=True)
            return product + self.user_bias(user) + self.item_bias(item)

    return MatrixFactorization()


def neu_mf(mx):
    """A factorization beside a perceptron, joined by a dense layer."""
    nn = mx.gluon.nn

    class NeuMF(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.user, self.item = nn.Embedding(USERS, SIZE), nn.Embedding(ITEMS, SIZE)
                self.deep_user, self.deep_item = nn.Embedding(USERS, SIZE), nn.Embedding(ITEMS, SIZE)
                self.deep = nn.HybridSequential()
                self.deep.add(*(nn.Dense(width, activation="relu") for width in (64, 32, 16)))
                self.out = nn.Dense(1, use_bias=False)

        def hybrid_forward(self, F, user, item):
            deep = self.deep(F.concat(self.deep_user(user), self.deep_item(item), dim=1))
            return self.out(F.concat(self.user(user) * self.item(item), deep, dim=1))

    return NeuMF()


def wide_deep(mx):
    """A linear model of all fields beside a perceptron of their vectors."""
    nn = mx.gluon.nn

    class WideDeep(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.wide, self.vectors = nn.Embedding(FEATURES, 1), nn.Embedding(FEATURES, SIZE)
                self.deep = nn.HybridSequential()
                for width in (256, 128, 64):
                    self.deep.add(nn.Dense(width, activation="relu"), nn.Dropout(0.1))
                self.deep.add(nn.Dense(1))

        def hybrid_forward(self, F, fields, numbers):
            deep = F.concat(F.flatten(self.vectors(fields)), numbers, dim=1)
            return F.sum(self.wide(fields), axis=1) + self.deep(deep)

    return WideDeep()


def deep_fm(mx):
    """A factorization machine and a perceptron over the same vectors, as in the book."""
    nn = mx.gluon.nn

    class DeepFM(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.linear, self.vectors = nn.Embedding(FEATURES, 1), nn.Embedding(FEATURES, SIZE)
                self.deep = nn.HybridSequential()
                self.deep.add(*(nn.Dense(width, activation="relu") for width in (64, 32)), nn.Dense(1))

        def hybrid_forward(self, F, fields):
            vectors = self.vectors(fields)
            squares = F.square(F.sum(vectors, axis=1)) - F.sum(F.square(vectors), axis=1)
            pairs = 0.5 * F.sum(squares, axis=1, keepdims=True)
            return F.sum(self.linear(fields), axis=1) + pairs + self.deep(F.flatten(vectors))

    return DeepFM()


def auto_rec(mx):
    """A user's ratings of all items, through a narrow layer."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Dense(sized(500, 4), activation="sigmoid"), nn.Dropout(0.05), nn.Dense(ITEMS))
    return net


PAIR, ONE_OF_MANY = (tokens(USERS), tokens(ITEMS)), tokens(FEATURES, FIELDS)
NETWORKS = {
    "factorization": Network(factorization, PAIR, "predict/hybrid/64 train/eager/64 train/hybrid/512", loss="l2"),
    "neu_mf": Network(neu_mf, PAIR, "predict/eager/1 train/hybrid/64 train/module/64", loss="sigmoid"),
    "wide_deep": Network(
        wide_deep, (ONE_OF_MANY, uniform(8)), "predict/hybrid/1 train/hybrid/64 train/eager/64", loss="sigmoid"
    ),
    "deep_fm": Network(deep_fm, (ONE_OF_MANY,), "predict/hybrid/1 train/hybrid/64", loss="sigmoid"),
    "auto_rec": Network(auto_rec, (uniform(ITEMS),), "train/hybrid/64", loss="l2"),
}
