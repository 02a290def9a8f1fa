"""Train two networks on handwritten digits: LeNet with Gluon, a multilayer perceptron with Module.

    make train                        or: python examples/train_digits.py --epochs 8 --mlp-epochs 50

Saves both, loads and checks them, and plots what they learned. Uses the bundled digits; --data DIRECTORY names the four
files of MNIST. A tenth of the training digits is held out for validation; the test digits are used once, at the end.
"""

import argparse
import time
from pathlib import Path

import digits
import drawing
import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter
from tqdm import tqdm

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn


def split(images, labels):
    """The digits to learn from, and every tenth one, which is held out."""
    held_out = np.arange(len(images)) % 10 == 9
    learn, watch = (nd.array(mask.nonzero()[0]) for mask in (~held_out, held_out))
    return (images.take(learn), labels.take(learn)), (images.take(watch), labels.take(watch))


def new_bar(epoch, epochs, total):
    """A progress bar for one epoch."""
    return tqdm(total=total, desc=f"  epoch {epoch:2d}/{epochs}", unit=" digits", ncols=110, mininterval=0.2)


class History:
    """Loss and accuracy of each epoch, as told by its progress bar when it ends."""

    def __init__(self):
        self.losses, self.accuracies = [], []

    def add(self, bar, loss, accuracy):
        """Ends an epoch."""
        self.losses.append(loss)
        self.accuracies.append(accuracy)
        bar.set_postfix_str(f"loss {loss:.4f}, held out {accuracy:.1%}")
        bar.close()


# ---- LeNet with Gluon ------------------------------------------------------------------------------------------------


def build_lenet():
    """Two convolutions, two dense layers."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(
            nn.Conv2D(channels=20, kernel_size=5, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Conv2D(channels=50, kernel_size=3, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Flatten(),
            nn.Dense(128, activation="relu"),
            nn.Dense(10),
        )
    return net


def train_lenet(train, held_out, epochs, batch_size=64, lr=0.05):
    """Returns the trained network and its history."""
    net = build_lenet()
    net.initialize(init.Xavier())
    net.hybridize()
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(*train), batch_size, shuffle=True)
    watched = gluon.data.DataLoader(gluon.data.ArrayDataset(*held_out), 500)
    schedule = mx.lr_scheduler.CosineScheduler(max_update=epochs * len(batches), base_lr=lr)
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": lr, "momentum": 0.9, "lr_scheduler": schedule}
    )
    softmax_cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    history = History()
    for epoch in range(1, epochs + 1):
        bar = new_bar(epoch, epochs, len(train[0]))
        total = nd.zeros(1)
        for data, label in batches:
            data = digits.distort(data)
            with autograd.record():
                loss = softmax_cross_entropy(net(data), label)
            loss.backward()
            trainer.step(len(data))
            total += loss.sum()
            bar.update(len(data))
        history.add(bar, total.asscalar() / len(train[0]), digits.evaluate_accuracy(net, watched))
    return net, history


def check_lenet(net, images, prefix, epoch):
    """Exports the network, imports it again, and makes sure that it predicts the same."""
    net.export(str(prefix), epoch)
    symbol_file, params_file = f"{prefix}-symbol.json", f"{prefix}-{epoch:04d}.params"
    again = gluon.SymbolBlock.imports(symbol_file, ["data"], params_file)
    if not (again(images) == net(images)).asnumpy().all():
        raise RuntimeError(f"{symbol_file} and {params_file} do not give the network that was saved in them")
    print(f"  saved {symbol_file} and {params_file}; loaded again, they predict the same")


# ---- a multilayer perceptron with Module -----------------------------------------------------------------------------


class DistortedIter(mx.io.NDArrayIter):
    """Batches of digits, a little different in each epoch."""

    def next(self):
        batch = super().next()
        batch.data = [digits.distort(batch.data[0])]
        return batch


def build_mlp():
    """784 - 128 - 10, with a softmax at the end."""
    data = mx.sym.flatten(data=mx.sym.var("data"), name="flatten")
    fc1 = mx.sym.FullyConnected(data=data, num_hidden=128, name="fc1")
    act1 = mx.sym.Activation(data=fc1, act_type="relu", name="relu1")
    fc2 = mx.sym.FullyConnected(data=act1, num_hidden=10, name="fc2")
    return mx.sym.SoftmaxOutput(data=fc2, name="softmax")


class Progress:
    """Callbacks of ``fit`` that keep a history and draw progress bars."""

    def __init__(self, epochs, total):
        self.epochs, self.total = epochs, total
        self.history, self.bar, self.metric = History(), None, None

    def batch_end(self, param):
        """After each batch."""
        if self.bar is None:
            self.bar = new_bar(param.epoch + 1, self.epochs, self.total)
        self.metric = param.eval_metric
        self.bar.update(min(param.locals["train_data"].batch_size, self.total - self.bar.n))

    def eval_end(self, param):
        """After each epoch, when the held-out digits have been looked at."""
        self.history.add(self.bar, self.metric.get()[1], param.eval_metric.get()[1])
        self.bar = None


def train_mlp(train, held_out, epochs, batch_size=50, lr=0.05):
    """Returns the trained module and its history."""
    module = mx.mod.Module(symbol=build_mlp(), context=mx.cpu())
    progress = Progress(epochs, len(train[0]))
    schedule = mx.lr_scheduler.FactorScheduler(step=len(train[0]) // batch_size, factor=0.93, base_lr=lr)
    module.fit(
        DistortedIter(*train, batch_size, shuffle=True),
        eval_data=mx.io.NDArrayIter(*held_out, batch_size),
        eval_metric=mx.metric.CrossEntropy(),
        validation_metric="acc",
        initializer=init.Xavier(),
        optimizer="sgd",
        optimizer_params={"learning_rate": lr, "momentum": 0.9, "lr_scheduler": schedule},
        batch_end_callback=progress.batch_end,
        eval_end_callback=progress.eval_end,
        num_epoch=epochs,
    )
    return module, progress.history


def score(module, images, labels):
    """The accuracy of a module."""
    return module.score(mx.io.NDArrayIter(images, labels, 100), "acc")[0][1]


def check_mlp(module, images, labels, prefix, epoch):
    """Saves a checkpoint, loads it into a new module, and makes sure that it predicts the same."""
    module.save_checkpoint(str(prefix), epoch)
    again = mx.mod.Module.load(str(prefix), epoch)
    batches = mx.io.NDArrayIter(images, labels, 100)
    again.bind(batches.provide_data, batches.provide_label, for_training=False)
    if not (again.predict(batches) == module.predict(batches)).asnumpy().all():
        raise RuntimeError(f"the checkpoint {prefix} does not give the module that was saved in it")
    print(f"  saved {prefix}-symbol.json and {prefix}-{epoch:04d}.params; loaded again, they predict the same")


# ---- the picture -----------------------------------------------------------------------------------------------------


def draw_report(path, results, lenet, mlp, images, labels):
    """Both networks, how they learned, and digits that LeNet had never seen with what it takes them for."""
    names = [f"{name} {accuracy:.2%}" for name, (_, accuracy) in results.items()]
    figure = drawing.new_figure(14, 8.4, "Right on unseen digits:   " + ",   ".join(names))
    left, right = figure.subfigures(1, 2, width_ratios=[5.6, 8.4])
    graphs = left.subplot_mosaic([["lenet", "mlp"], ["lenet", "missed"]], height_ratios=[6, 5])
    shape = {"data": (1, *images.shape[1:])}
    drawing.draw_network(graphs["lenet"], lenet(mx.sym.var("data")), "LeNet, by Gluon", **shape)
    drawing.draw_network(graphs["mlp"], mlp.symbol, "Perceptron, by Module", **shape)

    truth = labels.asnumpy().astype(int)
    guesses = {"LeNet": lenet(images), "Perceptron": mlp.predict(mx.io.NDArrayIter(images, labels, 100))}
    guesses = {name: output.argmax(axis=1).asnumpy().astype(int) for name, output in guesses.items()}
    top, bottom = right.subfigures(2, 1, height_ratios=[3, 4.8])
    losses, accuracies = top.subplots(1, 2)
    for i, (name, (history, _)) in enumerate(results.items()):
        colour, epochs = drawing.SERIES[i], range(1, len(history.losses) + 1)
        losses.semilogy(epochs, history.losses, ".-", color=colour, label=name)
        accuracies.plot(epochs, [100 * accuracy for accuracy in history.accuracies], ".-", color=colour, label=name)
        missed = [((truth == digit) & (guesses[name] != digit)).sum() for digit in range(10)]
        graphs["missed"].bar([digit + 0.4 * i - 0.2 for digit in range(10)], missed, 0.4, color=colour, label=name)
    graphs["missed"].set_xticks(range(10))
    drawing.style(losses, "Loss in training", "epoch")
    drawing.style(accuracies, "Right on held-out digits, %", "epoch")
    drawing.style(graphs["missed"], f"Mistakes per digit, of {len(truth)}")
    for axes in (losses, accuracies, graphs["missed"]):
        axes.legend(frameon=False)
    for axes in (losses, accuracies):
        axes.xaxis.get_major_locator().set_params(integer=True)
    losses.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    losses.yaxis.set_major_formatter("{x:g}")
    losses.yaxis.set_minor_formatter(NullFormatter())
    graphs["missed"].set_ylim(top=1.3 * graphs["missed"].get_ylim()[1])  # room for the legend

    rows, columns = 5, 10
    missed = (guesses["LeNet"] != truth).nonzero()[0]
    chosen = [(truth == digit).nonzero()[0][row] for row in range(rows - 2) for digit in range(columns)]
    chosen += list(missed[: 2 * columns])
    shown = min(len(missed), 2 * columns)
    text = f"Test digits and what LeNet says. The last rows: {shown} of its {len(missed)} mistakes"
    bottom.suptitle(text, fontsize=11, color=drawing.INK)
    grid = bottom.subplots(rows, columns).ravel()
    for axes in grid:
        axes.axis("off")
    for axes, place in zip(grid, chosen, strict=False):
        guess = guesses["LeNet"][place]
        right_guess = guess == truth[place]
        caption = f"{guess}" if right_guess else f"{guess}, is {truth[place]}"
        drawing.show_image(axes, images[int(place), 0].asnumpy(), caption, drawing.GOOD if right_guess else drawing.BAD)
    drawing.save(figure, path)


def main(argv=None):
    """Trains both, and returns their test accuracies."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=8, help="of LeNet")
    parser.add_argument("--mlp-epochs", type=int, default=50, help="of the perceptron")
    parser.add_argument("--data", type=Path, default=None, help="directory with the four files of MNIST")
    parser.add_argument("--limit", type=int, default=None, help="use so many digits only")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("runs/train"), help="directory for networks and picture")
    args = parser.parse_args(argv)

    mx.random.seed(args.seed)
    np.random.seed(args.seed)  # the order of batches
    images, labels, test_images, test_labels = digits.load(args.data, args.limit)
    train, held_out = split(images, labels)
    print(f"{len(train[0])} digits to learn from, {len(held_out[0])} held out, {len(test_images)} to test on")
    args.output.mkdir(parents=True, exist_ok=True)
    results = {}

    start = time.time()
    print("LeNet, by Gluon")
    lenet, history = train_lenet(train, held_out, args.epochs)
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(test_images, test_labels), 500)
    accuracy = digits.evaluate_accuracy(lenet, batches)
    results["LeNet"] = (history, accuracy)
    print(f"  test accuracy {accuracy:.2%} after {time.time() - start:.1f} s")
    check_lenet(lenet, test_images[:500], args.output / "lenet", args.epochs)

    start = time.time()
    print("Perceptron, by Module")
    mlp, history = train_mlp(train, held_out, args.mlp_epochs)
    accuracy = score(mlp, test_images, test_labels)
    results["Perceptron"] = (history, accuracy)
    print(f"  test accuracy {accuracy:.2%} after {time.time() - start:.1f} s")
    check_mlp(mlp, test_images, test_labels, args.output / "mlp", args.mlp_epochs)

    picture = args.output / "report.png"
    draw_report(picture, results, lenet, mlp, test_images, test_labels)
    print(f"picture: {picture}")
    return {name: accuracy for name, (_, accuracy) in results.items()}


if __name__ == "__main__":
    main()
