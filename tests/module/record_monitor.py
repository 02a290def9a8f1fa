"""Records what the original's Monitor finds in a small network, into monitor.json.

    <python with mxnet 1.9.1> tests/module/record_monitor.py

The tests build the same network (``executor``) with this package.
"""

import json
import pathlib

import numpy as np

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

# Arguments of Monitor, as text.
CASES = (
    "interval=2",
    "interval=1, pattern='.*weight', sort=True",
    "interval=1, sort=True",
    "interval=3, pattern='fc1_(output|weight|bias)$'",
    "interval=1, stat_func=lambda x: [x.max(), x.min()], pattern='fc.*_(output|bias)$'",
    "interval=1, stat_func=lambda x: x.sum(axis=0), pattern='fc1_(output|bias)$'",
    "interval=1, stat_func=lambda x: [], pattern='fc1_output'",
    "interval=1, pattern='nothing'",
)


def executor(mx):
    """Two layers with fixed numbers."""
    sym = mx.sym
    net = sym.FullyConnected(sym.Variable("data"), num_hidden=2, name="fc1")
    net = sym.Activation(net, act_type="tanh", name="act")
    net = sym.FullyConnected(net, num_hidden=3, name="fc2")
    net = sym.SoftmaxOutput(net, name="softmax")
    bound = net.simple_bind(mx.cpu(), data=(3, 4), softmax_label=(3,))
    for i, name in enumerate(net.list_arguments()):
        array = bound.arg_dict[name]
        array[:] = np.cos(np.arange(array.size) + i).reshape(array.shape)
    bound.arg_dict["softmax_label"][:] = np.arange(3)
    return bound


def run(mx, text):
    """What toc() returns for four batches."""
    monitor = eval("Monitor(%s)" % text, dict(vars(mx.monitor)))
    bound = executor(mx)
    monitor.install(bound)
    found = []
    for _ in range(4):
        monitor.tic()
        bound.forward(is_train=True)
        bound.backward()
        found.append([list(entry) for entry in monitor.toc()])
    return found


def hidden(mx, inputs):
    """Names and numbers that a callback gets of a network with statistics and masks, in training and prediction.

    Not of random masks, of a workspace that nothing is written to, and of the zeros that the original makes for it.
    With ``inputs`` the original crashes in backward.
    """
    sym = mx.sym
    x = sym.Convolution(sym.Variable("data"), num_filter=2, kernel=(3, 3), name="conv")
    x = sym.BatchNorm(x, fix_gamma=False, name="bn")
    x = sym.Activation(x, act_type="relu", name="relu")
    x = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool")
    x = sym.LayerNorm(x, name="ln")
    x = sym.SliceChannel(x, num_outputs=2, name="split")
    x = sym.tanh(x[0], name="tanh") * x[1] + 1
    x = sym.Dropout(sym.FullyConnected(x, num_hidden=3, name="fc"), p=0.0, name="drop")
    net = sym.SoftmaxOutput(x, name="softmax")
    requests = {name: "null" if name == "data" else "write" for name in net.list_arguments()}
    bound = net.simple_bind(mx.cpu(), grad_req=requests, data=(2, 1, 8, 8))
    for i, (name, array) in enumerate([*bound.arg_dict.items(), *bound.aux_dict.items()]):
        array[:] = np.cos(np.arange(array.size) + i).reshape(array.shape) + name.endswith("var")
    bound.arg_dict["softmax_label"][:] = np.arange(2)
    monitor = mx.monitor.Monitor(1, pattern="(?!zeros_)", monitor_all=inputs, stat_func=lambda x: x.asnumpy().ravel())
    monitor.install(bound)
    monitor.tic()
    bound.forward(is_train=True)
    if not inputs:
        bound.backward()
    bound.forward(is_train=False)
    found = []
    for _, name, array in monitor.queue:
        known = not name.endswith(("_workspace", "_mask")) and name != "conv_backward_output0"
        found.append([name, [round(float(v), 6) for v in array] if known else None])
    return found


if __name__ == "__main__":
    import mxnet

    hidden_ones = {str(inputs): hidden(mxnet, inputs) for inputs in (False, True)}
    (GOLDEN / "monitor_hidden.json").write_text(json.dumps(hidden_ones) + "\n")
    lines = ["  %s: %s" % (json.dumps(text), json.dumps(run(mxnet, text))) for text in CASES]
    (GOLDEN / "monitor.json").write_text("{\n%s\n}\n" % ",\n".join(lines))
