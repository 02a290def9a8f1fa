"""A multilayer perceptron with Module: iterator, symbol, learning rate schedule, optimizer, metric.

    python examples/mnist_mlp_module.py --epochs 10
    python examples/mnist_mlp_module.py --resume 10 --epochs 12

Uses the bundled digits. Put the full MNIST files into ~/.mxnet/datasets/mnist to train on all 60,000; 10 epochs then
give about 98 % on the test digits. Each epoch writes a checkpoint that includes the optimizer state.
"""

import argparse
import logging
import warnings
from pathlib import Path

import mxnet as mx


def build_mlp():
    """784 - 128 - 10, with a softmax at the end."""
    data = mx.sym.flatten(data=mx.sym.var("data"))
    fc1 = mx.sym.FullyConnected(data=data, num_hidden=128, name="fc1")
    act1 = mx.sym.Activation(data=fc1, act_type="relu", name="relu1")
    fc2 = mx.sym.FullyConnected(data=act1, num_hidden=10, name="fc2")
    return mx.sym.SoftmaxOutput(data=fc2, name="softmax")


def load_iterators(batch_size):
    """Batches of digits to learn from, in random order, and of digits to test on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that these are the bundled digits
        mnist = mx.test_utils.get_mnist()
    train = mx.io.NDArrayIter(mnist["train_data"], mnist["train_label"], batch_size, shuffle=True)
    return train, mx.io.NDArrayIter(mnist["test_data"], mnist["test_label"], batch_size)


def main():
    """Trains, or goes on from a checkpoint, and reports the accuracy on the test digits."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=100)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--gpus", type=int, default=0, help="split each batch among so many GPUs")
    parser.add_argument(
        "--resume", type=int, default=0, metavar="EPOCH", help="go on from the checkpoint of this epoch"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("runs/mlp"), help="prefix of the checkpoints")
    args = parser.parse_args()

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    args.output.parent.mkdir(parents=True, exist_ok=True)
    mx.random.seed(args.seed)
    train_iter, val_iter = load_iterators(args.batch_size)
    context = [mx.gpu(i) for i in range(args.gpus)] or mx.cpu()
    if args.resume:
        module = mx.mod.Module.load(str(args.output), args.resume, load_optimizer_states=True, context=context)
    else:
        module = mx.mod.Module(symbol=build_mlp(), context=context)

    schedule = mx.lr_scheduler.FactorScheduler(step=2000, factor=0.9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a resumed module has its parameters already
        module.fit(
            train_iter,
            eval_data=val_iter,
            eval_metric=mx.metric.Accuracy(),
            optimizer="sgd",
            optimizer_params={"learning_rate": args.lr, "wd": 0.0005, "momentum": 0.9, "lr_scheduler": schedule},
            batch_end_callback=mx.callback.Speedometer(args.batch_size, 20),
            epoch_end_callback=mx.callback.module_checkpoint(module, str(args.output), save_optimizer_states=True),
            begin_epoch=args.resume,
            num_epoch=args.epochs,
            kvstore="device",
        )
    accuracy = dict(module.score(val_iter, "acc"))["accuracy"]
    print(f"test accuracy {accuracy:.2%}")


if __name__ == "__main__":
    main()
