"""Records what the original tells a monitor of the backward pass: the names of all values, inputs of operators too, and
which of the values that were told before each of them is.

    <python with mxnet 1.9.1> tests/module/record_backward.py

It crashes with some operators, so that children do the work, a new one after each crash. What differs between two
children is memory that nothing was written to: of that only the names are kept.
"""

import ctypes
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys

import numpy as np

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
sys.path.insert(0, str(GOLDEN.parent))

import record_names  # noqa: E402
from samples.common import find_function  # noqa: E402


def numbers(shape, seed):
    """Numbers without ties."""
    return np.random.RandomState(seed).uniform(0.25, 1.25, shape)


def told(mx, executor, given):
    """[name, what it equals] of everything told in a training step, and the values themselves."""
    found = []

    def callback(name, array):
        if not isinstance(array, mx.nd.NDArray):
            array = mx.nd.NDArray(ctypes.cast(array, mx.base.NDArrayHandle), writable=False)
        found.append([record_names.text(name), None])
        try:
            found[-1][1] = array.asnumpy().copy() if array.stype == "default" else None
        except mx.base.MXNetError:  # an operator that does not compute it after all: Embedding, for its indices
            found[-1][1] = None

    executor.set_monitor_callback(callback, monitor_all=True)
    outputs = executor.forward(is_train=True)
    mx.nd.waitall()
    forward = len(found)
    heads = [mx.nd.array(numbers(o.shape, 5 + i), dtype=o.dtype) for i, o in enumerate(outputs)] if given else []
    executor.backward(heads if given else None)
    mx.nd.waitall()
    known = {f"head{i}": head.asnumpy() for i, head in enumerate(heads)}
    known.update(found[:forward])
    result = []
    for name, value in found[forward:]:
        same = [] if value is None else sorted(n for n, v in known.items() if v is not None and _equal(v, value))
        if not same and value is not None and not value.any():
            same = ["zeros"]
        result.append([name, "|".join(same)])
        known.setdefault(f"{name}!" if name in known else name, value)
    return [name for name, _ in found[:forward]], result, [value for _, value in found[forward:]]


def _equal(a, b):
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return np.array_equal(a, b) or (a.dtype.kind == "f" and np.allclose(a, b, 1e-5, 1e-7, equal_nan=True))


def of_sample(mx, sample):
    """What is told of one operator, all inputs of which are learned; None if the symbol has other inputs."""
    names = [f"in{i}" for i in range(len(sample.inputs))]
    variables = [None if a is None else mx.sym.var(n) for n, a in zip(names, sample.inputs)]
    symbol = find_function(mx.sym, sample.op)(*variables, name="n", **sample.attrs)
    arrays = {n: mx.nd.array(a, dtype=a.dtype) for n, a in zip(names, sample.inputs) if a is not None}
    if set(symbol.list_inputs()) != set(arrays) or len(arrays) == 0:
        return None
    arguments, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    gradients = {n: mx.nd.zeros(arrays[n].shape, dtype=arrays[n].dtype) for n in arguments}
    executor = symbol.bind(
        mx.cpu(), {n: arrays[n] for n in arguments}, gradients, "write", {n: arrays[n] for n in states}
    )
    return told(mx, executor, True)[:2]


# ---- graphs: a symbol, the shapes of its inputs, are head gradients given?, grad_req ---------------------------------


def mlp(sym, x):
    net = sym.Activation(sym.FullyConnected(x, num_hidden=2, name="fc1"), act_type="tanh", name="act")
    net = sym.FullyConnected(net, num_hidden=3, name="fc2")
    return sym.SoftmaxOutput(net, name="softmax"), {"x": (3, 4)}, False


def mlp_without_data(sym, x):
    learned = {"fc1_weight": "write", "fc1_bias": "write", "fc2_weight": "add", "fc2_bias": "write"}
    return (*mlp(sym, x), learned)


def one_layer_learned(sym, x):
    return (*mlp(sym, x), {"fc2_weight": "write"})


def skip(sym, x):
    hidden = sym.Activation(sym.FullyConnected(x, num_hidden=4, name="fc1"), act_type="relu", name="relu1")
    short = sym.sin(sym.slice_axis(hidden, axis=1, begin=0, end=3, name="part"), name="s")
    net = sym.FullyConnected(hidden, num_hidden=3, name="fc2") + short
    return sym.SoftmaxOutput(net, name="softmax"), {"x": (2, 5)}, False


def residual(sym, x):
    net = sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=2, no_bias=True, name="conv1")
    net = sym.Activation(sym.BatchNorm(net, fix_gamma=False, name="bn1"), act_type="relu", name="relu1")
    net = sym.Convolution(net, kernel=(3, 3), pad=(1, 1), num_filter=2, name="conv2")
    net = sym.Activation(sym.elemwise_add(net, x, name="plus"), act_type="relu", name="relu2")
    net = sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="avg", name="pool")
    net = sym.FullyConnected(sym.Flatten(net, name="flat"), num_hidden=3, name="fc")
    return sym.SoftmaxOutput(net, name="softmax"), {"x": (2, 2, 4, 4)}, False


def shared_weight(sym, x):
    weight = sym.var("w")
    net = sym.FullyConnected(x, weight, no_bias=True, num_hidden=2, name="a")
    net = sym.FullyConnected(sym.tanh(net, name="t"), weight, no_bias=True, num_hidden=2, name="b")
    return net, {"x": (3, 2)}, True


def split(sym, x):  # not by SliceChannel, with which the original crashes
    parts = sym._internal._split_v2(sym.exp(x, name="e"), indices=(0, 1), axis=1, name="split")
    return sym.sin(parts[0], name="s"), {"x": (2, 4)}, True


def two_heads(sym, x):
    e = sym.exp(x, name="e")
    return sym.Group([sym.sin(e, name="s"), sym.cos(e, name="c"), x]), {"x": (2, 3)}, True


def seven_terms(sym, x):
    e = sym.exp(x, name="e")
    functions = "sin cos tanh sigmoid square sqrt log".split()
    return sym.Group([getattr(sym, name)(e, name=name) for name in functions]), {"x": (2, 3)}, True


def blocked(sym, x):
    e = sym.exp(x, name="e")
    net = sym.broadcast_mul(sym.BlockGrad(e, name="b"), sym.sin(e, name="s"), name="m")
    layer = sym.FullyConnected(sym.log(e, name="l"), num_hidden=2, name="fc")
    return sym.Group([net, sym.BlockGrad(layer, name="c")]), {"x": (2, 3)}, True


def zeros(sym, x):
    z = sym.var("z")
    net = sym.broadcast_mul(sym.floor(sym.exp(x, name="e"), name="f"), z, name="m")
    return sym.Group([net, sym.ceil(sym.broadcast_mul(x, z, name="k"), name="c")]), {"x": (2, 3), "z": (2, 3)}, True


def loss(sym, x):
    norm = sym.sum(sym.square(sym.FullyConnected(x, num_hidden=2, name="fc"), name="q"), name="sum")
    return sym.make_loss(norm, name="loss"), {"x": (2, 3)}, False


def recurrent(sym, x):
    inputs = [sym.var(name) for name in ("p", "h", "c")]
    net = sym.RNN(x, *inputs, state_size=2, num_layers=1, mode="lstm", state_outputs=True, name="rnn")
    return sym.Group(list(net)), {"x": (3, 2, 2)}, True


def recurrent_without_states(sym, x):
    net = sym.RNN(x, sym.var("p"), sym.var("h"), state_size=2, num_layers=1, mode="gru", name="rnn")
    return sym.sin(net, name="s"), {"x": (3, 2, 2)}, True


def words(sym, x):
    net = sym.Embedding(x, sym.var("w"), input_dim=5, output_dim=2, name="words")
    net = sym.Dropout(sym.LayerNorm(net, name="norm"), p=0.0, name="drop")
    return sym.softmax(net, name="soft"), {"x": (2, 3)}, True, {"w": "write", "norm_gamma": "write"}


def leaky(sym, x):
    for kind in ("selu", "prelu", "leaky", "elu", "gelu"):
        x = sym.LeakyReLU(x, act_type=kind, name=kind) - 0.9
    return x, {"x": (2, 3)}, True


def joined(sym, x):
    net = sym.Concat(sym.exp(x, name="e"), x, sym.sin(x, name="s"), dim=1, name="cat")
    return sym.stack(net, sym.tanh(net, name="t"), name="stack"), {"x": (2, 3)}, True


def added(sym, x):
    e = sym.exp(x, name="e")
    net = sym.add_n(e, x, sym.sin(e, name="s"), name="sum")
    return sym.elemwise_add(sym.elemwise_add(net, sym.var("y"), name="a"), sym.var("z"), name="b"), {"x": (2, 3)}, True


def of_numpy(sym, x):
    x, w = x.as_np_ndarray(), sym.var("w").as_np_ndarray()
    net = sym.np.tanh(sym.np.dot(x, w) - 0.5)
    net = sym.np.where(net > 0.1, sym.np.exp(net), net**2.5 / sym.np.sqrt(x))
    net = sym.np.concatenate([net, sym.np.transpose(sym.np.hypot(x, w))])
    parts = [sym.np.mean(net, axis=0), sym.np.prod(net, axis=0), sym.np.max(net, axis=0), sym.np.einsum("ij->j", net)]
    return sum(parts[1:], parts[0]), {"x": (3, 3), "w": (3, 3)}, True


GRAPHS = (
    *(mlp, mlp_without_data, one_layer_learned, skip, residual, shared_weight, split, two_heads, seven_terms, blocked),
    *(zeros, loss, recurrent, recurrent_without_states, words, leaky, joined, added, of_numpy),
)


def of_graph(mx, graph):
    """What is told of a graph, with a number for each value."""
    with mx.name.NameManager():
        symbol, shapes, given, *reqs = graph(mx.sym, mx.sym.var("x"))
    executor = symbol.simple_bind(mx.cpu(), grad_req=reqs[0] if reqs else "write", **shapes)
    arrays = [*executor.arg_dict.items(), *executor.aux_dict.items()]
    for i, (name, array) in enumerate(arrays):
        array[:] = numbers(array.shape, 50 + i) if "label" not in name else np.arange(array.size)
    forward, backward, values = told(mx, executor, given)
    return forward, backward, [None if v is None else float(np.abs(v).sum()) for v in values]


def cases():
    """(name, function of the package) of everything that is recorded. Optimizers have no gradient."""
    for key, sample in record_names.first_samples():
        if "update" not in key:
            yield key, lambda mx, sample=sample: of_sample(mx, sample)
    for graph in GRAPHS:
        yield f"graphs/{graph.__name__}", lambda mx, graph=graph: of_graph(mx, graph)


def work(path):
    """A child: what is not in the file yet."""
    done = [json.loads(line)[0] for line in path.read_text().splitlines()] if path.exists() else []
    with path.open("a") as file:
        for key, run in cases():
            if key not in done:
                print(json.dumps([key, None]), file=file, flush=True)
                signal.alarm(6)  # some do not crash but take all memory
                try:
                    print(json.dumps([key, run(mx)]), file=file, flush=True)
                except Exception as error:  # an operator that is not for symbols, or has no gradient
                    print(f"{key}: {type(error).__name__}")


def recorded(path, without=()):
    """The result of children that run one after the other until nothing is left, but for these."""
    path.write_text("".join(json.dumps([key, None]) + "\n" for key in without))
    while subprocess.run([sys.executable, __file__, str(path)]).returncode:
        pass
    found = dict(json.loads(line) for line in path.read_text().splitlines())
    path.unlink()
    return {key: value for key, value in found.items() if value is not None}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        work(pathlib.Path(sys.argv[1]))
        os._exit(0)
    first = recorded(GOLDEN / "backward.tmp")
    second = recorded(GOLDEN / "backward.tmp", [key for key, _ in cases() if key not in first])
    store = {}
    for key in sorted(first.keys() & second.keys()):
        (forward, told_first, *sums), (_, told_second, *others) = first[key], second[key]
        same = [[a, b] if b == c else [a, None] for (a, b), (_, c) in zip(told_first, told_second)]
        sums = [[a if a == b else None for a, b in zip(x, y)] for x, y in zip(sums, others)]
        store[key] = [forward, same, *sums]
    data = json.dumps(store, separators=(",", ":"), sort_keys=True)
    (GOLDEN / "backward.json.gz").write_bytes(gzip.compress(data.encode(), mtime=0))
    print(f"{len(store)} operators and graphs")
