"""Losses that the recorder and the tests run alike. Read by the original's old Python packages too."""

import numpy as np

N, C = 4, 3
WEIGHTS = ("sample_weight", (N, 1))

# name: (what makes the loss out of mx.gluon.loss, inputs as (kind, shape))
LOSSES = {
    "l2": (lambda loss: loss.L2Loss(), [("real", (N, C)), ("real", (N, C))]),
    "l2-weights": (lambda loss: loss.L2Loss(weight=3.0), [("real", (N, C)), ("real", (C, N)), WEIGHTS]),
    "l2-axis": (lambda loss: loss.L2Loss(batch_axis=1), [("real", (N, C)), ("real", (N, C))]),
    "l1": (lambda loss: loss.L1Loss(), [("real", (N, C)), ("real", (N, C))]),
    "l1-weights": (lambda loss: loss.L1Loss(weight=2, batch_axis=1), [("real", (N, C)), ("real", (N, C)), WEIGHTS]),
    "sigmoid": (lambda loss: loss.SigmoidBCELoss(), [("real", (N, C)), ("bit", (N, C))]),
    "sigmoid-weights": (
        lambda loss: loss.SigmoidBinaryCrossEntropyLoss(weight=0.5),
        [("real", (N, C)), ("bit", (N, C)), WEIGHTS, ("positive", (1, C))],
    ),
    "from-sigmoid": (
        lambda loss: loss.SigmoidBCELoss(from_sigmoid=True),
        [("probability", (N, C)), ("bit", (N, C))],
    ),
    "from-sigmoid-weights": (
        lambda loss: loss.SigmoidBCELoss(from_sigmoid=True, weight=2.0),
        [("probability", (N, C)), ("bit", (N, C)), WEIGHTS, ("positive", (1, C))],
    ),
    "softmax": (lambda loss: loss.SoftmaxCELoss(), [("real", (N, C)), ("class", (N,))]),
    "softmax-weights": (
        lambda loss: loss.SoftmaxCrossEntropyLoss(weight=2.0),
        [("real", (N, C)), ("class", (N,)), WEIGHTS],
    ),
    "softmax-axis": (lambda loss: loss.SoftmaxCELoss(axis=1), [("real", (N, C, 2)), ("class", (N, 2))]),
    "softmax-dense": (
        lambda loss: loss.SoftmaxCELoss(sparse_label=False, axis=1),
        [("real", (N, C)), ("distribution", (N, C))],
    ),
    "softmax-logits": (lambda loss: loss.SoftmaxCELoss(from_logits=True), [("real", (N, C)), ("class", (N,))]),
    "kl": (lambda loss: loss.KLDivLoss(), [("real", (N, C)), ("distribution", (N, C))]),
    "kl-softmax": (
        lambda loss: loss.KLDivLoss(from_logits=False, axis=1, weight=2.0),
        [("real", (N, C)), ("distribution", (N, C)), WEIGHTS],
    ),
    "huber": (lambda loss: loss.HuberLoss(), [("real", (N, C)), ("real", (N, C))]),
    "huber-rho": (lambda loss: loss.HuberLoss(rho=0.3, weight=2.0), [("real", (N, C)), ("real", (N, C)), WEIGHTS]),
    "hinge": (lambda loss: loss.HingeLoss(), [("real", (N, C)), ("sign", (N, C))]),
    "hinge-margin": (lambda loss: loss.HingeLoss(margin=2, weight=3), [("real", (N, C)), ("sign", (N, C)), WEIGHTS]),
    "squared-hinge": (lambda loss: loss.SquaredHingeLoss(), [("real", (N, C)), ("sign", (N, C))]),
    "logistic": (lambda loss: loss.LogisticLoss(), [("real", (N, C)), ("sign", (N, C)), WEIGHTS]),
    "logistic-binary": (lambda loss: loss.LogisticLoss(label_format="binary"), [("real", (N, C)), ("bit", (N, C))]),
    "triplet": (lambda loss: loss.TripletLoss(), [("real", (N, C)), ("real", (N, C)), ("real", (N, C))]),
    "triplet-margin": (
        lambda loss: loss.TripletLoss(margin=3, weight=2.0),
        [("real", (N, C)), ("real", (N, C)), ("real", (N, C))],
    ),
    "poisson": (lambda loss: loss.PoissonNLLLoss(), [("real", (N, C)), ("count", (N, C))]),
    "poisson-plain": (
        lambda loss: loss.PoissonNLLLoss(from_logits=False, weight=2.0),
        [("positive", (N, C)), ("count", (N, C)), WEIGHTS],
    ),
    "cosine": (lambda loss: loss.CosineEmbeddingLoss(), [("real", (N, C)), ("real", (N, C)), ("sign", (N,))]),
    "cosine-margin": (
        lambda loss: loss.CosineEmbeddingLoss(margin=0.2, weight=2.0),
        [("real", (N, C)), ("real", (N, C)), ("sign", (N,)), WEIGHTS],
    ),
    "ctc": (lambda loss: loss.CTCLoss(), [("real", (2, 6, 5)), ("symbols", (2, 3))]),
    "ctc-lengths": (
        lambda loss: loss.CTCLoss("TNC", "TN", weight=2.0),
        [("real", (6, 2, 5)), ("symbols", (3, 2)), ("length6", (2,)), ("length3", (2,)), ("positive", (2,))],
    ),
}
# What the original cannot hybridize.
EAGER = {
    "sdml": (lambda loss: loss.SDMLLoss(), [("real", (N, C)), ("real", (N, C))]),
    "sdml-smoothing": (lambda loss: loss.SDMLLoss(smoothing_parameter=0.1), [("real", (N, C)), ("real", (N, C))]),
    "poisson-full": (
        lambda loss: loss.PoissonNLLLoss(compute_full=True, weight=2.0),
        [("real", (N, C)), ("large count", (N, C)), WEIGHTS],
    ),
}


def values(rng, kind, shape):
    """Random inputs of a kind."""
    if kind == "class":
        return rng.randint(0, C, shape)
    if kind == "bit":
        return rng.randint(0, 2, shape)
    if kind == "sign":
        return 2 * rng.randint(0, 2, shape) - 1
    if kind == "count":
        return rng.randint(0, 4, shape)
    if kind == "large count":
        return rng.randint(1, 6, shape)
    if kind == "symbols":
        return rng.randint(0, 4, shape)
    if kind.startswith("length"):
        return np.array([int(kind[6:]), int(kind[6:]) - 1])
    if kind == "distribution":
        found = rng.uniform(0.1, 1, shape)
        return found / found.sum(1, keepdims=True)
    if kind == "probability":
        return np.round(rng.uniform(0.1, 0.9, shape), 3)
    if kind in ("positive", "sample_weight"):
        return np.round(rng.uniform(0.5, 2, shape), 3)
    return np.round(rng.normal(0, 1, shape), 3)


def run(mx, name):
    """The texts and arrays of a loss: its value and the gradient of the prediction, eager and hybridized."""
    make, inputs = (LOSSES.get(name) or EAGER.get(name))[:2]
    rng = np.random.RandomState(sum(ord(letter) for letter in name))
    data = [mx.nd.array(values(rng, kind, shape)) for kind, shape in inputs]
    with mx.name.NameManager():
        loss = make(mx.gluon.loss)
    texts, arrays = {"repr": repr(loss), "prefix": loss.prefix}, {}
    if name == "poisson-full":  # the original writes in place, which cannot be recorded
        return texts, {"eager": loss(*data).asnumpy()}
    for mode in ("eager", "hybrid") if name in LOSSES else ("eager",):
        if mode == "hybrid":
            loss.hybridize()
        data[0].attach_grad()
        with mx.autograd.record():
            out = loss(*data)
        out.backward(mx.nd.array(np.cos(np.arange(out.size)).reshape(out.shape)))
        arrays[mode] = out.asnumpy()
        arrays[mode + " grad"] = data[0].grad.asnumpy()
    return texts, arrays
