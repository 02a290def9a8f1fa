"""Networks that are summarized and drawn by the original and by this package; read by record_visualization.py and the
tests. Only syntax that the original's Python understands.
"""

import contextlib
import io


def mlp(sym):
    net = sym.Variable("data")
    net = sym.FullyConnected(net, num_hidden=128, name="fc1")
    net = sym.Activation(net, act_type="relu", name="relu1")
    net = sym.FullyConnected(net, num_hidden=10, no_bias=True, name="fc2")
    return sym.SoftmaxOutput(net, name="softmax")


def lenet(sym):
    net = sym.Variable("data")
    for i, filters in enumerate((20, 50), 1):
        net = sym.Convolution(net, kernel=(5, 5), num_filter=filters, name="conv%d" % i)
        net = sym.Activation(net, act_type="tanh", name="tanh%d" % i)
        net = sym.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2), name="pool%d" % i)
    net = sym.Flatten(net, name="flatten")
    net = sym.FullyConnected(net, num_hidden=500, name="fc1")
    net = sym.Activation(net, act_type="tanh", name="tanh3")
    net = sym.Dropout(net, p=0.5, name="dropout")
    net = sym.FullyConnected(net, num_hidden=10, name="fc2")
    return sym.SoftmaxOutput(net, name="softmax")


def resnet(sym):
    net = sym.Variable("data")
    net = sym.BatchNorm(net, fix_gamma=True, name="bn_data")
    net = sym.Convolution(net, kernel=(3, 3), pad=(1, 1), num_filter=16, no_bias=True, name="conv0")
    for i, (filters, stride) in enumerate(((16, 1), (32, 2)), 1):
        name = "unit%d_" % i
        act = sym.Activation(sym.BatchNorm(net, name=name + "bn1"), act_type="relu", name=name + "relu1")
        how = {"stride": (stride, stride), "num_filter": filters, "no_bias": True}
        body = sym.Convolution(act, kernel=(3, 3), pad=(1, 1), name=name + "conv1", **how)
        body = sym.Activation(sym.BatchNorm(body, name=name + "bn2"), act_type="relu", name=name + "relu2")
        body = sym.Convolution(body, kernel=(3, 3), pad=(1, 1), num_filter=filters, no_bias=True, name=name + "conv2")
        if stride > 1:
            net = sym.Convolution(act, kernel=(1, 1), name=name + "shortcut", **how)
        net = sym.elemwise_add(body, net, name=name + "plus")
    net = sym.Pooling(net, global_pool=True, kernel=(7, 7), pool_type="avg", name="pool1")
    net = sym.FullyConnected(sym.Flatten(net, name="flatten"), num_hidden=10, name="fc1")
    return sym.SoftmaxOutput(net, name="softmax")


def branches(sym):
    x, y = sym.Variable("x"), sym.Variable("y")
    left = sym.LeakyReLU(x, act_type="leaky", name="leaky")
    right = sym.LeakyReLU(x, act_type="prelu", name="prelu")
    net = sym.Concat(left, right, y, dim=1, name="concat")
    net = sym.Reshape(net, shape=(0, -1), name="reshape")
    parts = sym.SliceChannel(net, num_outputs=3, name="parts")
    net = sym.elemwise_add(parts[0], parts[2], name="sum")
    wide = sym.FullyConnected(net, num_hidden=4, name="a_layer_with_a_name_that_is_much_longer_than_its_column_is_wide")
    return sym.Group([sym.softmax(wide, name="probability"), sym.LinearRegressionOutput(net, name="regression")])


def layers(sym):
    net = sym.Variable("data")
    net = sym.Convolution(net, kernel=(3,), num_filter=8, num_group=2, dilate=(2,), name="conv1d")
    net = sym.Pooling(net, kernel=(2,), pool_type="sum", name="pool1d")
    net = sym.LayerNorm(net, name="layer_norm")
    net = sym.LeakyReLU(net, name="leaky")
    return sym.FullyConnected(net, num_hidden=3, flatten=False, name="dense")


def words(sym):
    net = sym.Embedding(sym.Variable("ids"), input_dim=30, output_dim=4, name="embed")
    net = sym.dot(sym.mean(net, axis=1, name="mean"), sym.Variable("table"), name="dot")
    return sym.BlockGrad(net, name="block")


NETS = {f.__name__: f for f in (mlp, lenet, resnet, branches, layers, words)}
SHAPES = {
    "mlp": {"data": (1, 784)},
    "lenet": {"data": (64, 1, 28, 28)},
    "resnet": {"data": (2, 3, 32, 32)},
    "branches": {"x": (2, 3, 4), "y": (2, 3, 4)},
    "layers": {"data": (2, 4, 20)},
    "words": {"ids": (2, 5), "table": (4, 7)},
}

# What print_summary and plot_network are called with, as text; "shape" stands for the shapes above.
SUMMARIES = (
    "",
    "shape=shape",
    "shape=shape, line_length=80",
    "shape=shape, line_length=90, positions=[30, 50, 60, 90]",
)
DRAWINGS = (
    "",
    "shape=shape",
    "shape=shape, hide_weights=False",
    "title='net', save_format='svg', dtype=dtype",
    "shape=shape, dtype=dtype, node_attrs={'shape': 'hexagon', 'fixedsize': 'false', 'color': 'red'}",
)


def arguments(name, text):
    dtype = "float32" if name == "words" else "float16"
    return eval("dict(%s)" % text, {"shape": SHAPES[name], "dtype": dict.fromkeys(SHAPES[name], dtype)})


def summary(mx, name, text):
    """What is printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        mx.viz.print_summary(NETS[name](mx.sym), **arguments(name, text))
    return printed.getvalue()


def drawing(mx, name, text):
    """The calls that make the drawing, which do not depend on the version of the library, and where it would go."""
    import graphviz

    calls = []

    class Recorder(graphviz.Digraph):
        def node(self, name, label=None, _attributes=None, **attrs):
            calls.append(["node", name, label, attrs])

        def edge(self, tail_name, head_name, label=None, _attributes=None, **attrs):
            calls.append(["edge", tail_name, head_name, label, attrs])

    plain, graphviz.Digraph = graphviz.Digraph, Recorder
    try:
        dot = mx.viz.plot_network(NETS[name](mx.sym), **arguments(name, text))
    finally:
        graphviz.Digraph = plain
    return [dot.name, dot.format, calls]
