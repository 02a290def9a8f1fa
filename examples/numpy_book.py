"""Networks in the style of "Dive into Deep Learning" with mx.np and mx.npx.

    python examples/numpy_book.py linear
    python examples/numpy_book.py lenet --epochs 5
    python examples/numpy_book.py attention

"linear" fits the coefficients of noisy points, from scratch and with Gluon; "softmax", "mlp" and "lenet" classify
handwritten digits; "language" is a recurrent network that continues a text; "attention" looks up the value for a key.
"""

import argparse
import math
import random
import warnings

import mxnet as mx
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn, rnn

TRUE_W, TRUE_B = [2, -3.4], 4.2
TEXT = "the time traveller for so it will be convenient to speak of him was expounding a recondite matter to us "


class Accumulator:
    """Sums of several numbers."""

    def __init__(self, n):
        self.data = [0.0] * n

    def add(self, *args):
        """Adds a number to each sum."""
        self.data = [a + float(b) for a, b in zip(self.data, args, strict=True)]

    def __getitem__(self, index):
        return self.data[index]


def sgd(params, lr, batch_size):
    """A step of stochastic gradient descent."""
    for param in params:
        param[:] = param - lr * param.grad / batch_size


def accuracy(scores, labels):
    """How many rows have their highest score at the label."""
    if scores.ndim > 1 and scores.shape[1] > 1:
        scores = scores.argmax(axis=1)
    return float((scores.astype(labels.dtype) == labels).astype("float32").sum())


# ---- linear regression -----------------------------------------------------------------------------------------------


def synthetic_data(w, b, count):
    """Points around the plane ``X w + b``."""
    X = np.random.normal(0, 1, (count, len(w)))
    y = np.dot(X, w) + b
    return X, (y + np.random.normal(0, 0.01, y.shape)).reshape((-1, 1))


def linear_from_scratch(features, labels, epochs, batch_size=10, lr=0.03):
    """Weights, bias and the loss after each epoch."""
    w, b = np.random.normal(0, 0.01, (features.shape[1], 1)), np.zeros(1)
    for param in (w, b):
        param.attach_grad()
    losses = []
    for _ in range(epochs):
        order = list(range(len(features)))
        random.shuffle(order)
        for start in range(0, len(order), batch_size):
            chosen = np.array(order[start : start + batch_size])
            X, y = features[chosen], labels[chosen]
            with autograd.record():
                loss = (np.dot(X, w) + b - y) ** 2 / 2
            loss.backward()
            sgd([w, b], lr, batch_size)
        losses.append(float(((np.dot(features, w) + b - labels) ** 2 / 2).mean()))
    return w.reshape(-1), b, losses


def linear_by_gluon(features, labels, epochs, batch_size=10, lr=0.03):
    """The same with a layer, a loss and a Trainer."""
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(features, labels), batch_size, shuffle=True)
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize(init.Normal(sigma=0.01))
    loss, trainer = gluon.loss.L2Loss(), gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr})
    losses = []
    for _ in range(epochs):
        for X, y in batches:
            with autograd.record():
                value = loss(net(X), y)
            value.backward()
            trainer.step(batch_size)
        losses.append(float(loss(net(features), labels).mean()))
    return net[0].weight.data().reshape(-1), net[0].bias.data(), losses


# ---- digits ----------------------------------------------------------------------------------------------------------


def digits(batch_size, limit):
    """Batches of images and labels, to learn from and to test on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that these are the bundled digits is no news here
        arrays = mx.test_utils.get_mnist()
    parts = [np.array(arrays[name][:limit]) for name in ("train_data", "train_label", "test_data", "test_label")]
    train = gluon.data.DataLoader(gluon.data.ArrayDataset(*parts[:2]), batch_size, shuffle=True)
    return train, gluon.data.DataLoader(gluon.data.ArrayDataset(*parts[2:]), batch_size)


def softmax():
    """Softmax regression."""
    net = nn.HybridSequential()
    net.add(nn.Dense(10))
    return net


def mlp():
    """A multilayer perceptron."""
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dropout(0.2), nn.Dense(10))
    return net


def lenet():
    """LeNet, with batch normalization."""
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(channels=6, kernel_size=5, padding=2),
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.AvgPool2D(pool_size=2, strides=2),
        nn.Conv2D(channels=16, kernel_size=5, activation="relu"),
        nn.AvgPool2D(pool_size=2, strides=2),
        nn.Dense(120, activation="relu"),
        nn.Dense(10),
    )
    return net


def train_digits(net, epochs, limit=2000, batch_size=64, hybridize=True):
    """The loss of each epoch and the accuracy on the test images."""
    train, test = digits(batch_size, limit)
    net.initialize(init.Xavier())
    if hybridize:
        net.hybridize()
    loss, trainer = gluon.loss.SoftmaxCrossEntropyLoss(), gluon.Trainer(net.collect_params(), "adam")
    losses = []
    for _ in range(epochs):
        sums = Accumulator(2)
        for X, y in train:
            with autograd.record():
                value = loss(net(X), y)
            value.backward()
            trainer.step(X.shape[0])
            sums.add(value.sum(), y.size)
        losses.append(sums[0] / sums[1])
    sums = Accumulator(2)
    for X, y in test:
        sums.add(accuracy(net(X), y), y.size)
    return losses, sums[0] / sums[1]


# ---- a recurrent language model --------------------------------------------------------------------------------------


class LanguageModel(nn.Block):
    """A GRU over characters, and a layer that scores the next one."""

    def __init__(self, size, hidden=64, **kwargs):
        super().__init__(**kwargs)
        self.rnn, self.size, self.dense = rnn.GRU(hidden), size, nn.Dense(size)

    def forward(self, inputs, state):
        """Scores for the next character at each step, with the states after the last one."""
        Y, state = self.rnn(npx.one_hot(inputs.T, self.size), state)
        return self.dense(Y.reshape(-1, Y.shape[-1])), state

    def begin_state(self, *args, **kwargs):
        """States to start with."""
        return self.rnn.begin_state(*args, **kwargs)


def clip(gradients, theta):
    """Scales gradients so that the length of all of them together is at most ``theta``."""
    length = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    if length > theta:
        for g in gradients:
            g[:] *= theta / length


def language(epochs=40, steps=20, batch_size=8):
    """The perplexity of each epoch, and how the model goes on after "the time"."""
    chars = sorted(set(TEXT))
    numbers = np.array([chars.index(c) for c in TEXT * 20])
    count = (len(numbers) - 1) // (batch_size * steps) * steps
    X = numbers[: batch_size * count].reshape(batch_size, -1)
    Y = numbers[1 : batch_size * count + 1].reshape(batch_size, -1)
    net = LanguageModel(len(chars))
    net.initialize(init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    loss, perplexities = gluon.loss.SoftmaxCrossEntropyLoss(), []
    for _ in range(epochs):
        state, sums = net.begin_state(batch_size=batch_size), Accumulator(2)
        for start in range(0, count, steps):
            state = [s.detach() for s in state]
            x, y = X[:, start : start + steps], Y[:, start : start + steps]
            with autograd.record():
                scores, state = net(x, state)
                value = loss(scores, y.T.reshape(-1)).mean()
            value.backward()
            clip([p.grad() for p in net.collect_params().values()], 1)
            trainer.step(1)
            sums.add(float(value) * y.size, y.size)
        perplexities.append(float(np.exp(sums[0] / sums[1])))
    state, text = net.begin_state(batch_size=1), "the time"
    for c in text[:-1]:
        _, state = net(np.array([[chars.index(c)]]), state)
    for _ in range(30):
        scores, state = net(np.array([[chars.index(text[-1])]]), state)
        text += chars[int(scores.argmax(axis=1))]
    return perplexities, text


# ---- attention -------------------------------------------------------------------------------------------------------


def masked_softmax(X, valid_lens):
    """Softmax over the last axis, of which only so many places are looked at."""
    shape = X.shape
    valid_lens = valid_lens.repeat(shape[1]) if valid_lens.ndim == 1 else valid_lens.reshape(-1)
    X = npx.sequence_mask(X.reshape(-1, shape[-1]), valid_lens, True, value=-1e6, axis=1)
    return npx.softmax(X).reshape(shape)


class AdditiveAttention(nn.Block):
    """Values weighed by how well their keys go with a query."""

    def __init__(self, hidden, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.W_k = nn.Dense(hidden, use_bias=False, flatten=False)
        self.W_q = nn.Dense(hidden, use_bias=False, flatten=False)
        self.w_v = nn.Dense(1, use_bias=False, flatten=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens):
        """One weighed value for each query."""
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = np.tanh(np.expand_dims(queries, axis=2) + np.expand_dims(keys, axis=1))
        self.weights = masked_softmax(np.squeeze(self.w_v(features), axis=-1), valid_lens)
        return npx.batch_dot(self.dropout(self.weights), values)


def attention(epochs=60, count=64, places=6):
    """Learns to fetch the value whose key is the query; gives the losses and the weight of the right place."""
    keys = np.eye(places).reshape(1, places, places).repeat(count, axis=0)
    values = np.random.uniform(size=(count, places, 1))
    valid = np.full((count,), places - 1)
    wanted = np.arange(count) % (places - 1)
    queries = np.expand_dims(npx.one_hot(wanted, places), 1)
    target = npx.pick(np.squeeze(values, -1), wanted)
    net = AdditiveAttention(16)
    net.initialize(init.Xavier())
    trainer, loss = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05}), gluon.loss.L2Loss()
    losses = []
    for _ in range(epochs):
        with autograd.record():
            value = loss(net(queries, keys, values, valid).reshape(-1), target)
        value.backward()
        trainer.step(count)
        losses.append(float(value.mean()))
    right = npx.pick(np.squeeze(net.weights, 1), wanted).mean()
    return losses, float(right), float(net.weights[:, :, places - 1 :].max())


def main(argv=None):
    """Runs one of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["linear", "softmax", "mlp", "lenet", "language", "attention"])
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--limit", type=int, default=2000, help="how many images to learn from")
    args = parser.parse_args(argv)
    npx.set_np()
    mx.random.seed(1)
    random.seed(1)
    try:
        return run(args)
    finally:
        npx.reset_np()


def run(args):
    """What was asked for, with the number of epochs that suits it."""
    if args.what == "linear":
        features, labels = synthetic_data(np.array(TRUE_W), TRUE_B, 1000)
        found = [learn(features, labels, args.epochs or 3) for learn in (linear_from_scratch, linear_by_gluon)]
        for w, b, losses in found:
            print(f"w {w} should be {TRUE_W}, b {b} should be {TRUE_B}, loss {losses[-1]:.6f}")
        return found
    if args.what == "language":
        perplexities, text = language(args.epochs or 40)
        print(f"perplexity {perplexities[-1]:.2f}: {text}")
        return perplexities, text
    if args.what == "attention":
        losses, right, masked = attention(args.epochs or 60)
        print(f"loss {losses[-1]:.5f}, weight of the right place {right:.2f}")
        return losses, right, masked
    losses, share = train_digits(globals()[args.what](), args.epochs or 3, args.limit)
    print(f"loss {losses[-1]:.3f}, accuracy {share:.3f}")
    return losses, share


if __name__ == "__main__":
    main()
