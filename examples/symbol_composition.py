"""Symbols step by step: names, composition, shapes, binding and running.

python examples/symbol_composition.py --batch-size 100
"""

import argparse

import mxnet as mx


def names():
    """Inputs that are not given become variables, named after the layer; or one gives them names."""
    net = mx.symbol.Variable("data")
    net = mx.symbol.FullyConnected(data=net, name="fc1", num_hidden=128)
    net = mx.symbol.Activation(data=net, name="relu1", act_type="relu")
    net = mx.symbol.FullyConnected(data=net, name="fc2", num_hidden=64)
    net = mx.symbol.SoftmaxOutput(data=net, name="out")
    print("arguments made by themselves:", net.list_arguments())
    weight = mx.symbol.Variable("myweight")
    mine = mx.symbol.FullyConnected(data=mx.symbol.Variable("data"), weight=weight, name="fc1", num_hidden=128)
    print("arguments with a name of one's own:", mine.list_arguments())


def composition():
    """Symbols can be added like numbers, and a symbol can take the place of another's variable."""
    lhs, rhs = mx.symbol.Variable("data1"), mx.symbol.Variable("data2")
    net = mx.symbol.FullyConnected(data=lhs + rhs, name="fc1", num_hidden=128)
    print("a sum as input:", net.list_arguments())
    net = mx.symbol.FullyConnected(data=mx.symbol.Variable("data"), name="fc1", num_hidden=128)
    below = mx.symbol.FullyConnected(data=mx.symbol.Variable("data2"), name="net2", num_hidden=128)
    composed = net(data=below, name="compose")
    print("one network in another:", composed.list_arguments())


def shapes(batch_size):
    """From the shape of the input follow those of all else."""
    net = mx.symbol.FullyConnected(data=mx.symbol.Variable("data"), name="fc1", num_hidden=10)
    arg_shapes, out_shapes, _ = net.infer_shape(data=(batch_size, 100))
    print("shapes of arguments:", dict(zip(net.list_arguments(), arg_shapes, strict=True)))
    print("shapes of outputs:", out_shapes)


def run():
    """A symbol is bound to arrays and then computes."""
    A, B = mx.symbol.Variable("A"), mx.symbol.Variable("B")
    executor = (A * B).bind(ctx=mx.cpu(), args={"A": mx.nd.ones(3) * 4, "B": mx.nd.ones(3) * 2})
    executor.forward()
    print("4 * 2 =", executor.outputs[0].asnumpy())
    hidden = mx.sym.tanh(mx.sym.dot(mx.sym.var("X"), mx.sym.var("W")))
    print("tanh(X W) =", hidden.eval(X=mx.nd.ones((1, 2)), W=mx.nd.ones((2, 2)) / 4)[0].asnumpy())


def gradients(batch_size):
    """``simple_bind`` makes all arrays from the shapes of the inputs; ``backward`` fills those of the gradients."""
    net = mx.symbol.FullyConnected(data=mx.symbol.Variable("data"), name="fc1", num_hidden=10)
    executor = mx.symbol.SoftmaxOutput(net, name="out").simple_bind(mx.cpu(), data=(batch_size, 100))
    executor.arg_dict["data"][:] = 1
    executor.forward(is_train=True)
    executor.backward()
    for name, gradient in executor.grad_dict.items():
        print(f"gradient of {name}: {gradient.shape}, norm {gradient.norm().asscalar():.3f}")


def main():
    """Runs all steps."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch-size", type=int, default=100)
    args = parser.parse_args()
    names()
    composition()
    shapes(args.batch_size)
    run()
    gradients(args.batch_size)


if __name__ == "__main__":
    main()
