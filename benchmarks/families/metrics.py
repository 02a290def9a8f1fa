"""Metrics: updates with ten batches, and the value."""

from . import SEED, Steps, sized

BATCH, BATCHES = sized(64, 4), 10


def _data(classes):
    """Probabilities and labels of ten batches."""
    import numpy as np

    rng = np.random.RandomState(SEED)
    scores = rng.uniform(0.01, 1, (BATCHES, BATCH, classes)).astype("float32")
    return scores / scores.sum(axis=2, keepdims=True), rng.randint(0, classes, (BATCHES, BATCH)).astype("float32")


#: The metric of Gluon and the book, its options, and the number of classes; None for regression.
KINDS = {
    "accuracy": ("Accuracy", {}, 10),
    "top_5": ("TopKAccuracy", {"top_k": 5}, 1000),
    "f1": ("F1", {}, 2),
    "cross_entropy": ("CrossEntropy", {}, 1000),
    "perplexity": ("Perplexity", {"ignore_label": None}, 1000),
    "rmse": ("RMSE", {}, None),
    "pearson": ("PearsonCorrelation", {}, None),
}

#: The same in torch, of one batch.
TORCH = {
    "accuracy": lambda torch, scores, labels: (scores.argmax(1) == labels).sum(),
    "top_5": lambda torch, scores, labels: (scores.topk(5, 1).indices == labels[:, None]).sum(),
    "cross_entropy": lambda torch, scores, labels: -scores.gather(1, labels.long()[:, None]).log().sum(),
    "rmse": lambda torch, scores, labels: (scores[:, 0] - labels).square().mean().sqrt(),
}


def _mxnet(kind):
    name, options, classes = KINDS[kind]

    def setup(mx):
        scores, labels = _data(classes or 2)
        scores = [mx.nd.array(s if classes else s[:, 0]) for s in scores]
        labels = [mx.nd.array(one) for one in labels]
        metric = getattr(mx.metric, name)(**options)

        def step():
            metric.reset()
            for score, label in zip(scores, labels):
                metric.update([label], [score])
            return metric.get()[1]

        return step

    return setup


def _torch(kind):
    def setup(torch):
        scores, labels = (torch.from_numpy(values) for values in _data(KINDS[kind][2] or 2))

        def step():
            return sum(TORCH[kind](torch, *pair).item() for pair in zip(scores, labels))

        return step

    return setup if kind in TORCH else None


STEPS = {kind: Steps(_mxnet(kind), _torch(kind)) for kind in KINDS}
