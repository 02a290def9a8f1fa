"""Logistic regression on LibSVM data: csr inputs and row-sparse gradients.

    python examples/sparse_linear_classification.py [--epochs 5]

The data is synthetic: each example has few of many features, and some features indicate one class or the other.
"""

import argparse
import pathlib
import tempfile

import numpy as np

import mxnet as mx


def write_libsvm(path, examples, features, rng):
    """Writes a file of examples that a linear model can tell apart."""
    truth = rng.normal(size=features)
    with open(path, "w") as file:
        for _ in range(examples):
            columns = np.sort(rng.choice(features, 20, replace=False))
            values = rng.random(20).round(3) + 0.1
            label = int(values @ truth[columns] > 0)
            file.write(f"{label} " + " ".join(f"{c}:{v:.3f}" for c, v in zip(columns, values, strict=True)) + "\n")


def train(batches, features, stype, epochs):
    """The accuracy after some epochs, and the weight; data is csr, or dense with ``stype='default'``."""
    data, label = mx.sym.var("data", stype=stype), mx.sym.var("softmax_label")
    weight = mx.sym.var("weight", shape=(features, 2))
    output = mx.sym.SoftmaxOutput(mx.sym.dot(data, weight), label, name="softmax")
    module = mx.mod.Module(output)
    module.bind(batches.provide_data, batches.provide_label)
    module.init_params(mx.init.Zero())
    module.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 2.0})
    gradient = module._exec_group.execs[0].grad_dict["weight"]
    print(f"data is {stype}, the gradient of the weight {gradient.stype}")
    metric = mx.metric.Accuracy()
    for epoch in range(epochs):
        batches.reset()
        metric.reset()
        for batch in batches:
            module.forward_backward(batch)
            module.update()
            module.update_metric(metric, batch.label)
        print(f"epoch {epoch + 1}: accuracy {metric.get()[1]:.3f}")
    return metric.get()[1], module.get_params()[0]["weight"].asnumpy()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--epochs", type=int, default=5)
    options.add_argument("--examples", type=int, default=2000)
    options.add_argument("--features", type=int, default=300)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "train.libsvm"
        write_libsvm(path, chosen.examples, chosen.features, np.random.default_rng(1))
        batches = mx.io.LibSVMIter(data_libsvm=str(path), data_shape=(chosen.features,), batch_size=100)
        runs = [train(batches, chosen.features, stype, chosen.epochs) for stype in ("csr", "default")]
    print(f"largest difference of the weights: {np.abs(runs[0][1] - runs[1][1]).max():.1e}")


if __name__ == "__main__":
    main()
