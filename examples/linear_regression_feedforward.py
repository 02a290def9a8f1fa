"""Linear regression with FeedForward, MXNet's first model class, on NumPy arrays.

    python examples/linear_regression_feedforward.py --output runs/line.png

Plots the points and the line if Matplotlib is installed (the plot extra).
"""

import argparse
import importlib.util
import logging
import warnings
from pathlib import Path

import numpy as np

import mxnet as mx


def build_line():
    """``weight * data + bias``, with the squared error as its loss."""
    data = mx.symbol.Variable("data")
    label = mx.symbol.Variable("softmax_label")
    prediction = mx.symbol.FullyConnected(data=data, num_hidden=1, name="pre")
    return mx.symbol.LinearRegressionOutput(data=prediction, label=label, name="loss")


def draw(x, y, prediction, path):
    """Saves a picture of the points and the line."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    axes.scatter(x, y)
    axes.plot(x, prediction, "r-", lw=5)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def main():
    """Makes points around a line, finds the line, and draws both."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--points", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("runs/line.png"))
    args = parser.parse_args()

    logging.basicConfig(level=logging.WARNING)
    mx.random.seed(args.seed)
    np.random.seed(args.seed)
    x = np.linspace(-1, 1, args.points)
    y = 5 * x + np.random.normal(0, 0.5, args.points)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # FeedForward says that Module is newer
        model = mx.model.FeedForward(
            ctx=mx.cpu(), symbol=build_line(), num_epoch=args.epochs, learning_rate=args.lr, numpy_batch_size=1
        )
    model.fit(X=x, y=y, eval_metric="mse")
    slope, offset = (model.arg_params[name].asscalar() for name in ("pre_weight", "pre_bias"))
    print(f"y = {slope:.3f} x + {offset:.3f}, the points were made with y = 5 x and noise")

    prediction = model.predict(x)
    if importlib.util.find_spec("matplotlib") is None:
        print("no picture: matplotlib is not installed")
    else:
        draw(x, y, prediction, args.output)
        print(f"picture saved in {args.output}")


if __name__ == "__main__":
    main()
