"""Distributed training on handwritten digits with FeedForward, Module or Trainer; resumes after a crash.

    python -m mxnet.tools.launch -n 2 python examples/distributed_digits.py --api module
    torchrun --nproc-per-node=4 examples/distributed_digits.py --api trainer
    python -m mxnet.tools.launch -n 3 -s 1 python examples/distributed_digits.py --kv-store dist_async
    torchrun --nproc-per-node=2 --max-restarts=1 examples/distributed_digits.py --checkpoints runs/digits --crash 2

For a single process pass --kv-store local. Each worker gets its part of the digits and of each batch. Uses the bundled
digits; --data names a directory with the four files of MNIST.
"""

import argparse
import logging
import os
import warnings
from pathlib import Path

import numpy as np

import mxnet as mx


def digits(directory=None):
    """Digits to learn from and to test on, as NumPy arrays: those of a directory, or the bundled ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that these are the bundled digits
        return mx.test_utils.get_mnist(directory)


def symbol():
    """784 - 64 - 10, with a softmax at the end."""
    net = mx.sym.FullyConnected(mx.sym.flatten(mx.sym.var("data")), num_hidden=64, name="fc1")
    net = mx.sym.FullyConnected(mx.sym.Activation(net, act_type="relu"), num_hidden=10, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def iterators(kv, batch_size, directory):
    """The part of this worker to learn from, equally long for all, and all digits to test on."""
    mnist = digits(directory)
    size = len(mnist["train_label"]) // kv.num_workers
    part = slice(kv.rank * size, (kv.rank + 1) * size)
    train = mx.io.NDArrayIter(mnist["train_data"][part], mnist["train_label"][part], batch_size // kv.num_workers)
    return train, mx.io.NDArrayIter(mnist["test_data"], mnist["test_label"], batch_size)


def by_feedforward(kv, args):
    """The interface of MXNet's first years."""
    train, test = iterators(kv, args.batch_size, args.data)
    model = mx.model.FeedForward.create(
        symbol(),
        X=train,
        num_epoch=args.epochs,
        learning_rate=args.lr,
        kvstore=kv,
        initializer=mx.init.Xavier(),
    )
    return model.score(test)


def by_module(kv, args):
    """Module.fit, with the store as an argument."""
    train, test = iterators(kv, args.batch_size, args.data)
    module = mx.mod.Module(symbol())
    module.fit(
        train,
        num_epoch=args.epochs,
        kvstore=kv,
        initializer=mx.init.Xavier(),
        optimizer_params={"learning_rate": args.lr},
    )
    return dict(module.score(test, "acc"))["accuracy"]


def by_trainer(kv, args):
    """Gluon, with a checkpoint after each epoch if a directory is given."""
    mnist = digits(args.data)
    x, y = mnist["train_data"], mnist["train_label"]
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    net.add(mx.gluon.nn.Dense(64, activation="relu", in_units=784, prefix="a_"))
    net.add(mx.gluon.nn.Dense(10, in_units=64, prefix="b_"))
    net.initialize(mx.init.Xavier())
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": args.lr / 100}, kvstore=kv)
    first = load(args.checkpoints, net, trainer)
    loss, share = mx.gluon.loss.SoftmaxCrossEntropyLoss(), args.batch_size // kv.num_workers
    for epoch in range(first, args.epochs):
        order = np.random.RandomState(epoch).permutation(len(y))  # the same for all workers, and after a restart
        total = 0.0
        for start in range(0, len(y) - args.batch_size + 1, args.batch_size):
            mine = order[start + kv.rank * share : start + (kv.rank + 1) * share]
            data, label = mx.nd.array(x[mine].reshape(len(mine), -1)), mx.nd.array(y[mine])
            with mx.autograd.record():
                value = loss(net(data), label)
            value.backward()
            trainer.step(share * kv.num_workers)
            total += float(value.mean().asscalar())
        if kv.rank == 0:
            print(f"epoch {epoch}: loss {total:.6f}", flush=True)
        save(args.checkpoints, epoch, kv, net, trainer)
        if args.crash == epoch and kv.rank == 1 and os.environ.get("TORCHELASTIC_RESTART_COUNT", "0") == "0":
            os._exit(1)
    out = net(mx.nd.array(mnist["test_data"].reshape(len(mnist["test_label"]), -1)))
    return float((out.asnumpy().argmax(1) == mnist["test_label"]).mean())


def save(directory, epoch, kv, net, trainer):
    """Parameters and states of an epoch; it counts as saved when ``last`` names it, which is the last thing written."""
    if directory is None:
        return
    directory.mkdir(parents=True, exist_ok=True)
    trainer.save_states(str(directory / f"{epoch}.states"))  # all workers: each has the states of some parameters
    if kv.rank == 0:
        net.save_parameters(str(directory / f"{epoch}.params"))
        (directory / "last.new").write_text(str(epoch))
        os.replace(directory / "last.new", directory / "last")
    kv.barrier()


def load(directory, net, trainer):
    """Goes back to the last epoch that was saved; the number of the next."""
    if directory is None or not (directory / "last").exists():
        return 0
    epoch = int((directory / "last").read_text())
    net.load_parameters(str(directory / f"{epoch}.params"))
    trainer.load_states(str(directory / f"{epoch}.states"))
    return epoch + 1


def main():
    """Trains on this process's part of the digits."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ways = {"feedforward": by_feedforward, "module": by_module, "trainer": by_trainer}
    parser.add_argument("--api", choices=list(ways), default="trainer")
    parser.add_argument("--kv-store", default="dist_sync")
    parser.add_argument("--data", type=Path, help="a directory with MNIST's files (default: the bundled digits)")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=120, help="of all workers together")
    parser.add_argument("--lr", type=float, default=0.2)
    parser.add_argument("--checkpoints", type=Path, help="a directory that all workers see (trainer only)")
    parser.add_argument("--crash", type=int, default=-1, metavar="EPOCH", help="let a worker crash after it, once")
    args = parser.parse_args()

    kv = mx.kv.create(args.kv_store)
    logging.basicConfig(level=logging.INFO if kv.rank == 0 else logging.WARNING, format="%(message)s")
    mx.random.seed(0)
    accuracy = ways[args.api](kv, args)
    if kv.rank == 0:
        print(f"{kv.num_workers} worker(s), accuracy on the test digits: {accuracy:.4f}")


if __name__ == "__main__":
    main()
