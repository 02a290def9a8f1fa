"""Vectors of words: skip-gram and CBOW with negative samples, GloVe, fastText's classifier."""

from . import Network, sized, tokens, uniform

WORDS, SIZE = sized(30000, 50), sized(100, 4)
SAMPLES = 60


def skip_gram(mx):
    """The book's: products of a center's vector with those of its context and of noise."""
    nn = mx.gluon.nn

    class SkipGram(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.centers, self.contexts = nn.Embedding(WORDS, SIZE), nn.Embedding(WORDS, SIZE)

        def hybrid_forward(self, F, center, contexts):
            return F.batch_dot(self.centers(center), F.swapaxes(self.contexts(contexts), 1, 2))

    return SkipGram()


def cbow(mx):
    """The mean of a window against words and noise."""
    nn = mx.gluon.nn

    class CBOW(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.centers, self.contexts = nn.Embedding(WORDS, SIZE), nn.Embedding(WORDS, SIZE)

        def hybrid_forward(self, F, window, words):
            mean = F.mean(self.contexts(window), axis=1, keepdims=True)
            return F.sum(F.broadcast_mul(self.centers(words), mean), axis=-1)

    return CBOW()


def glove(mx):
    """The weighted squared error of the logarithm of counts; its own loss."""
    nn = mx.gluon.nn

    class GloVe(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.left, self.right = nn.Embedding(WORDS, SIZE), nn.Embedding(WORDS, SIZE)
                self.left_bias, self.right_bias = nn.Embedding(WORDS, 1), nn.Embedding(WORDS, 1)

        def hybrid_forward(self, F, row, column, count):
            product = F.sum(self.left(row) * self.right(column), axis=-1)
            product = product + F.squeeze(self.left_bias(row), axis=-1) + F.squeeze(self.right_bias(column), axis=-1)
            weight = F.minimum((count / 100) ** 0.75, 1)
            return weight * F.square(product - F.log(count))

    return GloVe()


def fast_text(mx):
    """The mean of the vectors of a text's words, and a dense layer."""
    nn = mx.gluon.nn

    class FastText(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.words, self.classes = nn.Embedding(WORDS, SIZE), nn.Dense(4, in_units=SIZE)

        def hybrid_forward(self, F, x):
            return self.classes(F.mean(self.words(x), axis=1))

    return FastText()


NETWORKS = {
    "skip_gram": Network(
        skip_gram, (tokens(WORDS, 1), tokens(WORDS, SAMPLES)), "train/eager/64 train/hybrid/64 train/hybrid/512",
        loss="sigmoid",
    ),
    "cbow": Network(cbow, (tokens(WORDS, 10), tokens(WORDS, 6)), "train/hybrid/64 train/module/64", loss="sigmoid"),
    "glove": Network(
        glove, (tokens(WORDS), tokens(WORDS), uniform(low=1.0, high=200.0)), "train/eager/64 train/hybrid/512",
        loss="own",
    ),
    "fast_text": Network(fast_text, (tokens(WORDS, sized(200, 5)),), "predict/hybrid/1 train/hybrid/64"),
}  # fmt: skip
