"""Loss blocks of Gluon alone, forward and backward, eager and hybridized."""

from . import SEED, Steps, sized

BATCH, CLASSES, SIZE = sized(64, 4), sized(1000, 6), sized(128, 4)
LENGTH, LETTERS, LABEL = sized(60, 12), sized(40, 6), sized(15, 3)


def _rng():
    import numpy as np

    return np.random.RandomState(SEED)


def _arrays(*shapes):
    rng = _rng()
    return [rng.uniform(-1, 1, shape).astype("float32") for shape in shapes]


def _classes(sparse):
    scores = _rng().uniform(-3, 3, (BATCH, CLASSES)).astype("float32")
    labels = _rng().randint(0, CLASSES, BATCH)
    if sparse:
        return [scores, labels.astype("float32")]
    dense = abs(scores) + 0.1
    return [scores, dense / dense.sum(axis=1, keepdims=True)]


def _ctc():
    rng = _rng()
    scores = rng.uniform(-1, 1, (BATCH, LENGTH, LETTERS)).astype("float32")
    return [scores, rng.randint(0, LETTERS - 1, (BATCH, LABEL)).astype("float32")]


def _signs():
    pred, label = _arrays((BATCH, SIZE), (BATCH, SIZE))
    return [pred, (label > 0) * 2.0 - 1.0]


def _cosine():
    one, two, label = _arrays((BATCH, SIZE), (BATCH, SIZE), (BATCH,))
    return [one, two, (label > 0) * 2.0 - 1.0]


def _positive():
    pred, label = _arrays((BATCH, SIZE), (BATCH, SIZE))
    return [pred, abs(label) * 5]


def _pair():
    return _arrays((BATCH, SIZE), (BATCH, SIZE))


#: Name, its class and options in Gluon, and the arrays.
KINDS = {
    "softmax_ce": ("SoftmaxCrossEntropyLoss", {}, lambda: _classes(True)),
    "kl_div": ("KLDivLoss", {"from_logits": False}, lambda: _classes(False)),
    "sigmoid_bce": ("SigmoidBinaryCrossEntropyLoss", {}, _pair),
    "l2": ("L2Loss", {}, _pair),
    "smooth_l1": ("HuberLoss", {"rho": 1}, _pair),
    "hinge": ("HingeLoss", {}, _signs),
    "poisson": ("PoissonNLLLoss", {}, _positive),
    "cosine": ("CosineEmbeddingLoss", {}, _cosine),
    "triplet": ("TripletLoss", {}, lambda: _arrays(*[(BATCH, SIZE)] * 3)),
    "ctc": ("CTCLoss", {}, _ctc),
}

#: The same in torch; each takes torch and what ``KINDS`` has as arrays.
TORCH = {
    "softmax_ce": lambda torch, pred, label: torch.nn.functional.cross_entropy(pred, label.long()),
    "kl_div": lambda torch, pred, label: torch.nn.functional.kl_div(pred.log_softmax(1), label, reduction="batchmean"),
    "sigmoid_bce": lambda torch, pred, label: torch.nn.functional.binary_cross_entropy_with_logits(pred, label),
    "l2": lambda torch, pred, label: torch.nn.functional.mse_loss(pred, label),
    "smooth_l1": lambda torch, pred, label: torch.nn.functional.huber_loss(pred, label),
    "hinge": lambda torch, pred, label: (1 - pred * label).relu().mean(),
    "poisson": lambda torch, pred, label: torch.nn.functional.poisson_nll_loss(pred, label),
    "cosine": lambda torch, one, two, label: torch.nn.functional.cosine_embedding_loss(one, two, label),
    "triplet": lambda torch, *three: torch.nn.functional.triplet_margin_loss(*three),
}


def _mxnet(kind, hybridize):
    name, options, arrays = KINDS[kind]

    def setup(mx):
        data = [mx.nd.array(values) for values in arrays()]
        data[0].attach_grad()
        loss = getattr(mx.gluon.loss, name)(**options)
        if hybridize:
            loss.hybridize(static_alloc=True, static_shape=True)

        def step():
            with mx.autograd.record():
                value = loss(*data)
            value.backward()
            mx.nd.waitall()
            return [value, data[0].grad]

        return step

    return setup


def _torch(kind):
    if kind == "ctc":
        return _torch_ctc

    def setup(torch):
        first, *others = (torch.from_numpy(values).float() for values in KINDS[kind][2]())
        first.requires_grad_()

        def step():
            first.grad = None
            TORCH[kind](torch, first, *others).backward()

        return step

    return setup


def _torch_ctc(torch):
    scores, labels = (torch.from_numpy(values) for values in _ctc())
    scores, labels = scores.requires_grad_(), labels.int()
    lengths = [torch.full((BATCH,), length, dtype=torch.int32) for length in (LENGTH, LABEL)]

    def step():
        scores.grad = None
        logarithms = scores.transpose(0, 1).log_softmax(2)
        torch.nn.functional.ctc_loss(logarithms, labels, *lengths, blank=LETTERS - 1).backward()

    return step


STEPS = {
    "{}/{}".format(kind, "hybrid" if hybridize else "eager"): Steps(_mxnet(kind, hybridize), _torch(kind))
    for kind in KINDS
    for hybridize in (False, True)
}
