"""Records what the original's Monitor finds in a small network, into monitor.json.

    <python with mxnet 1.9.1> tests/golden/record_monitor.py

The tests build the same network (``executor``) with this package.
"""

import json
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent

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
    """What toc() returns for four batches. The original also shows gradients, by operator: those are left out."""
    monitor = eval("Monitor(%s)" % text, dict(vars(mx.monitor)))
    bound = executor(mx)
    monitor.install(bound)
    found = []
    for _ in range(4):
        monitor.tic()
        bound.forward(is_train=True)
        bound.backward()
        found.append([list(entry) for entry in monitor.toc() if "_backward_" not in entry[1]])
    return found


if __name__ == "__main__":
    import mxnet

    lines = ["  %s: %s" % (json.dumps(text), json.dumps(run(mxnet, text))) for text in CASES]
    (HERE / "monitor.json").write_text("{\n%s\n}\n" % ",\n".join(lines))
