r"""int8 quantization: train LeNet or ResNet-18, then quantize it with calibration in both of MXNet's ways.

    python examples/quantize_digits.py --epochs 3 --calib-mode entropy
    python examples/quantize_digits.py --model resnet18 --calib-mode naive --epochs 2 --limit 1200 --batch-size 32 \
        --lr 0.05

Prints accuracy, CPU time for a thousand digits and the size of the parameter file, and draws them into
runs/quantize.png. ``quantize_net`` is for speed: it fuses layers and converts the folded convolution weights to
integers on the first run. ``quantize_model`` is for small files: it stores all weights as integers.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import digits
import drawing
import numpy as np
from gluon_digits import lenet

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.contrib import quantization


def resnet18():
    """The network of the model zoo with the beginning for small images."""
    return gluon.model_zoo.vision.get_resnet(1, 18, classes=10, thumbnail=True)


MODELS = {"lenet": lenet, "resnet18": resnet18}


def train(net, batches, epochs, lr):
    """Trains in float32."""
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr, "momentum": 0.5})
    loss_function = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(epochs):
        for data, label in batches:
            with autograd.record():
                loss = loss_function(net(data), label)
            loss.backward()
            trainer.step(len(data))


def measure(net, batches):
    """The accuracy in percent, and milliseconds of processor time for a thousand digits."""
    right = count = 0
    for data, _ in batches:  # the first batch also prepares the weights
        net(data).wait_to_read()
        break
    spent = 0.0
    for data, label in batches:
        start = time.process_time()
        found = net(data).asnumpy()
        spent += time.process_time() - start
        right += int((found.argmax(1) == label.asnumpy()).sum())
        count += len(label)
    return 100 * right / count, 1e6 * spent / count


def draw(rows, path):
    """Bars for what the table has."""
    figure = drawing.new_figure(10, 3.2, "float32 and int8")
    names, titles = [row[0] for row in rows], ("accuracy, %", "ms / 1000 digits", "parameters, KB")
    for axes, title, values in zip(
        figure.subplots(1, 3), titles, zip(*[row[1:] for row in rows], strict=True), strict=True
    ):
        numbers = [v / 1024 for v in values] if "KB" in title else values
        axes.bar(names, numbers, color=drawing.SERIES[: len(rows)])
        for place, number in enumerate(numbers):
            axes.text(place, number, f"{number:.4g}", ha="center", va="bottom", fontsize=8, color=drawing.INK)
        drawing.style(axes, title)
        axes.tick_params(axis="x", labelsize=8)
    drawing.save(figure, path)


def main(argv=None):
    """Trains, quantizes, prints the table and returns its rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", choices=sorted(MODELS), default="lenet")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.2)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--calib-mode", choices=("naive", "entropy"), default="entropy")
    parser.add_argument("--examples", type=int, default=512, help="how many digits to calibrate with")
    parser.add_argument("--data", type=Path, default=None, help="directory with the four files of MNIST")
    parser.add_argument("--limit", type=int, default=None, help="use so many digits only")
    parser.add_argument("--out", type=Path, default=Path("runs"))
    args = parser.parse_args(argv)

    mx.random.seed(0)
    np.random.seed(0)  # the order of batches
    train_data, test_data = digits.loaders(args.batch_size, args.data, args.limit)
    train_data, test_data = list(train_data), list(test_data)
    net = MODELS[args.model]()
    train(net, train_data, args.epochs, args.lr)
    data, label = (nd.concat(*part, dim=0) for part in zip(*train_data, strict=True))
    examples = mx.io.NDArrayIter(data[: args.examples], label[: args.examples], 128)

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "float")
        net.export(prefix)
        rows.append(("float32", *measure(net, test_data), os.path.getsize(f"{prefix}-0000.params")))

        fused = quantization.quantize_net(net, calib_data=examples, calib_mode=args.calib_mode)
        fused.hybridize()
        prefix = os.path.join(folder, "fused")
        fused.export(prefix)
        rows.append(("quantize_net", *measure(fused, test_data), os.path.getsize(f"{prefix}-0000.params")))

        symbol, arg_params, aux_params = mx.model.load_checkpoint(os.path.join(folder, "float"), 0)
        examples.reset()
        small = quantization.quantize_model(
            symbol, arg_params, aux_params, label_names=None, calib_mode=args.calib_mode, calib_data=examples
        )
        prefix = os.path.join(folder, "small")
        mx.model.save_checkpoint(prefix, 0, *small)
        block = gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
        block.hybridize()
        rows.append(("quantize_model", *measure(block, test_data), os.path.getsize(f"{prefix}-0000.params")))

    print(f"{'network':16}{'accuracy':>10}{'ms / 1000 digits':>18}{'parameters':>13}")
    for name, accuracy, milliseconds, size in rows:
        print(f"{name:16}{accuracy:8.2f} %{milliseconds:18.1f}{size / 1024:10.0f} KB")
    draw(rows, args.out / "quantize.png")
    return rows


if __name__ == "__main__":
    main()
