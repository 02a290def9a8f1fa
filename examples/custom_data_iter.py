"""Write your own data iterator: declare what it provides, implement next() and reset().

    python examples/custom_data_iter.py --epochs 3 --batch-size 100

Iterates over the bundled digits and counts epochs and batches.
"""

import argparse
import warnings

import mxnet as mx


class DemoDataIter(mx.io.DataIter):
    """Batches of digits, in the order of the file; a rest that fills no batch is left out."""

    def __init__(self, batch_size, mnist):
        super().__init__(batch_size)
        self.idx = 0
        self.mnist_data = mx.nd.array(mnist["train_data"])
        self.mnist_label = mx.nd.array(mnist["train_label"])
        self.sample_size = len(self.mnist_data)
        self.provide_data = [("data", (batch_size, 1, 28, 28))]
        self.provide_label = [("label", (batch_size,))]

    def next(self):
        if self.idx + self.batch_size > self.sample_size:
            raise StopIteration
        data = self.mnist_data[self.idx : self.idx + self.batch_size]
        label = self.mnist_label[self.idx : self.idx + self.batch_size]
        self.idx += self.batch_size
        return mx.io.DataBatch(data=[data], label=[label])

    def reset(self):
        self.idx = 0


def main():
    """Goes through all digits for some epochs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=100)
    args = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the bundled digits will do
        mnist = mx.test_utils.get_mnist()
    digits = DemoDataIter(args.batch_size, mnist)
    epoch = batches = 0
    while epoch < args.epochs:
        try:
            digits.next()
            batches += 1
        except StopIteration:
            digits.reset()
            epoch += 1
            print("Epoch Num:", epoch)
    print(f"{batches} batches of {digits.provide_data[0][1]}")


if __name__ == "__main__":
    main()
