"""Linear regression with Gluon: a dense layer, a squared loss and a Trainer.

python examples/gluon_linear_regression.py --epochs 5
"""

import argparse

import mxnet as mx
from mxnet import autograd, gluon, nd

TRUE_W, TRUE_B = [2, -3.4], 4.2


def make_data(count):
    """Points on a plane, with a little noise."""
    X = nd.random_normal(shape=(count, 2))
    y = TRUE_W[0] * X[:, 0] + TRUE_W[1] * X[:, 1] + TRUE_B
    y += 0.01 * nd.random_normal(shape=y.shape)
    return X, y


def main(argv=None):
    """Trains and prints the parameters found; returns the layer."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=10)
    parser.add_argument("--examples", type=int, default=1000)
    args = parser.parse_args(argv)

    mx.random.seed(0)
    dataset = gluon.data.ArrayDataset(*make_data(args.examples))
    data_iter = gluon.data.DataLoader(dataset, args.batch_size, shuffle=True)
    net = gluon.nn.Sequential()
    net.add(gluon.nn.Dense(1))
    net.initialize()
    square_loss = gluon.loss.L2Loss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for epoch in range(args.epochs):
        total_loss = 0
        for data, label in data_iter:
            with autograd.record():
                output = net(data)
                loss = square_loss(output, label)
            loss.backward()
            trainer.step(args.batch_size)
            total_loss += nd.sum(loss).asscalar()
        print(f"epoch {epoch}, average loss {total_loss / args.examples:.6f}")
    dense = net[0]
    print(f"weight {dense.weight.data().asnumpy()[0].round(3)} should be {TRUE_W}")
    print(f"bias {dense.bias.data().asscalar():.3f} should be {TRUE_B}")
    return dense


if __name__ == "__main__":
    main()
