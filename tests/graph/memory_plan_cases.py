"""Networks of many kinds with plans for them, and the megabytes that the original plans for their training.

<python with mxnet 1.9.1> tests/graph/memory_plan_cases.py  (writes memory_plans.json)

Only syntax that the original's Python understands.
"""

import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parents[1] / "golden" / "memory_plans.json"
CHEAP = {"Activation", "BatchNorm", "Pooling", "elemwise_add", "elemwise_mul", "Concat", "LeakyReLU", "_plus", "_mul"}


def mark(net, plan):
    """Sets ``force_mirroring`` by a plan: for all operators, for cheap ones, or for all but each n-th."""
    if plan == "plain":
        return net
    ops = {n["name"]: n["op"] for n in json.loads(net.tojson())["nodes"]}
    number = 0
    for part in net.get_internals():
        if ops[part.name] == "null":
            continue
        number += 1
        mirrored = plan == "all" or (ops[part.name] in CHEAP if plan == "cheap" else number % int(plan) != 0)
        part._set_attr(force_mirroring=str(mirrored))
    return net


def mlp(mx, act="relu", layers=4, hidden=1024, drop=0.0):
    x = mx.sym.var("data")
    for i in range(layers):
        x = mx.sym.FullyConnected(x, num_hidden=hidden, name=f"f{i}")
        x = mx.sym.Activation(x, act_type=act, name=f"a{i}")
        if drop:
            x = mx.sym.Dropout(x, p=drop, name=f"d{i}")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=10, name="last"), name="softmax")


def lenet(mx, act="tanh", drop=0.0):
    x = mx.sym.var("data")
    for i, n in enumerate((20, 50)):
        x = mx.sym.Convolution(x, kernel=(5, 5), num_filter=n, name=f"c{i}")
        x = mx.sym.Activation(x, act_type=act, name=f"a{i}")
        x = mx.sym.Pooling(x, pool_type="max", kernel=(2, 2), stride=(2, 2), name=f"p{i}")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flat"), num_hidden=500, name="f0")
    x = mx.sym.Activation(x, act_type=act, name="a2")
    if drop:
        x = mx.sym.Dropout(x, p=drop, name="d")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=10, name="f1"), name="softmax")


def conv(mx, x, name, filters, kernel=3, stride=1, act=True, groups=1):
    x = mx.sym.Convolution(
        x,
        kernel=(kernel, kernel),
        stride=(stride, stride),
        pad=(kernel // 2, kernel // 2),
        num_filter=filters,
        num_group=groups,
        no_bias=True,
        name=f"{name}_conv",
    )
    x = mx.sym.BatchNorm(x, fix_gamma=False, name=f"{name}_bn")
    return mx.sym.Activation(x, act_type="relu", name=f"{name}_relu") if act else x


def head(mx, x, n=10):
    x = mx.sym.Pooling(x, global_pool=True, kernel=(1, 1), pool_type="avg", name="gp")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flat"), num_hidden=n, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def resnet_v1(mx, units=(2, 2, 2)):
    x = conv(mx, mx.sym.var("data"), "stem", 16)
    for s, n in enumerate(units):
        for u in range(n):
            f, stride = 16 << s, 2 if s and not u else 1
            y = conv(mx, x, f"s{s}u{u}a", f, stride=stride)
            y = conv(mx, y, f"s{s}u{u}b", f, act=False)
            if u == 0:
                x = conv(mx, x, f"s{s}u{u}s", f, 1, stride, act=False)
            x = mx.sym.Activation(x + y, act_type="relu", name=f"s{s}u{u}_relu")
    return head(mx, x)


def resnet_v2(mx, units=(2, 4, 6, 2)):
    """Bottlenecks, batch norm and activation first."""
    x = mx.sym.BatchNorm(mx.sym.var("data"), fix_gamma=True, name="bn_data")
    x = conv(mx, x, "stem", 64, 7, 2)
    x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max", name="p0")
    for s, n in enumerate(units):
        for u in range(n):
            f, stride, name = 256 << s, 2 if s and not u else 1, f"s{s}u{u}"
            a = y = None
            for k, (filters, kernel, st) in enumerate(((f // 4, 1, 1), (f // 4, 3, stride), (f, 1, 1))):
                y = mx.sym.BatchNorm(x if y is None else y, fix_gamma=False, eps=2e-5, name=f"{name}_bn{k}")
                y = mx.sym.Activation(y, act_type="relu", name=f"{name}_relu{k}")
                a = y if a is None else a
                y = mx.sym.Convolution(
                    y,
                    kernel=(kernel, kernel),
                    stride=(st, st),
                    pad=(kernel // 2, kernel // 2),
                    num_filter=filters,
                    no_bias=True,
                    name=f"{name}_conv{k}",
                )
            if u == 0:
                x = mx.sym.Convolution(
                    a, kernel=(1, 1), stride=(stride, stride), num_filter=f, no_bias=True, name=f"{name}_sc"
                )
            x = x + y
    x = mx.sym.Activation(mx.sym.BatchNorm(x, fix_gamma=False, name="bn1"), act_type="relu", name="relu1")
    return head(mx, x, 1000)


def inception(mx, blocks=3):
    x = conv(mx, mx.sym.var("data"), "stem", 32)
    for i in range(blocks):
        a = conv(mx, x, f"b{i}a", 32, 1)
        b = conv(mx, conv(mx, x, f"b{i}b0", 24, 1), f"b{i}b1", 32)
        c = conv(mx, conv(mx, conv(mx, x, f"b{i}c0", 24, 1), f"b{i}c1", 32), f"b{i}c2", 32)
        d = mx.sym.Pooling(x, kernel=(3, 3), stride=(1, 1), pad=(1, 1), pool_type="avg", name=f"b{i}p")
        x = mx.sym.Concat(a, b, c, conv(mx, d, f"b{i}d", 16, 1), name=f"b{i}concat")
    return head(mx, x)


def vgg(mx):
    x = mx.sym.var("data")
    for s, (n, f) in enumerate(((1, 64), (1, 128), (2, 256), (2, 512))):
        for u in range(n):
            x = mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=f, name=f"c{s}{u}")
            x = mx.sym.Activation(x, act_type="relu", name=f"a{s}{u}")
        x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name=f"p{s}")
    x = mx.sym.Flatten(x, name="flat")
    for i in range(2):
        x = mx.sym.FullyConnected(x, num_hidden=1024, name=f"f{i}")
        x = mx.sym.Dropout(mx.sym.Activation(x, act_type="relu", name=f"fa{i}"), p=0.5, name=f"d{i}")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=1000, name="f2"), name="softmax")


def alexnet(mx):
    x = mx.sym.var("data")
    for i, (f, k, s) in enumerate(((96, 11, 4), (256, 5, 1))):
        x = mx.sym.Convolution(x, kernel=(k, k), stride=(s, s), pad=(k // 2, k // 2), num_filter=f, name=f"c{i}")
        x = mx.sym.Activation(x, act_type="relu", name=f"a{i}")
        x = mx.sym.LRN(x, nsize=5, name=f"n{i}")
        x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", name=f"p{i}")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flat"), num_hidden=512, name="f0")
    x = mx.sym.Dropout(mx.sym.Activation(x, act_type="relu", name="fa0"), p=0.5, name="d0")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=1000, name="f2"), name="softmax")


def recurrent(mx, kind="LSTM", length=10, layers=1, hidden=256, drop=0.0, vocabulary=1000, batch=0):
    x = mx.sym.Embedding(mx.sym.var("data"), input_dim=vocabulary, output_dim=hidden, name="embed")
    cell = mx.rnn.SequentialRNNCell()
    for i in range(layers):
        cell.add(getattr(mx.rnn, kind + "Cell")(hidden, prefix=f"l{i}_"))
        if drop:
            cell.add(mx.rnn.DropoutCell(drop, prefix=f"d{i}_"))
    states = cell.begin_state(func=lambda name, **_: mx.sym.zeros(shape=(batch, hidden), name=name))
    outputs, _ = cell.unroll(length, inputs=x, begin_state=states, merge_outputs=True)
    x = mx.sym.Reshape(outputs, shape=(-1, hidden), name="flat")
    x = mx.sym.FullyConnected(x, num_hidden=vocabulary, name="pred")
    label = mx.sym.Reshape(mx.sym.var("softmax_label"), shape=(-1,), name="labels")
    return mx.sym.SoftmaxOutput(x, label, name="softmax")


def old_lstm(mx, length=60, hidden=256, layers=1):
    """As in MXNet's first examples: separate weights of inputs and states, all outputs concatenated."""
    data = mx.sym.SliceChannel(mx.sym.var("data"), num_outputs=length, axis=1, squeeze_axis=True, name="steps")
    w = {k: mx.sym.var(f"{k}_{p}") for k in ("i2h", "h2h") for p in ("weight",)}
    b = {k: mx.sym.var(f"{k}_bias") for k in ("i2h", "h2h")}
    c, h = mx.sym.var("init_c"), mx.sym.var("init_h")
    out = []
    for t in range(length):
        i2h = mx.sym.FullyConnected(data[t], weight=w["i2h"], bias=b["i2h"], num_hidden=hidden * 4, name=f"t{t}_i2h")
        h2h = mx.sym.FullyConnected(h, weight=w["h2h"], bias=b["h2h"], num_hidden=hidden * 4, name=f"t{t}_h2h")
        parts = mx.sym.SliceChannel(i2h + h2h, num_outputs=4, name=f"t{t}_slice")
        i = mx.sym.Activation(parts[0], act_type="sigmoid", name=f"t{t}_i")
        g = mx.sym.Activation(parts[1], act_type="tanh", name=f"t{t}_g")
        f = mx.sym.Activation(parts[2], act_type="sigmoid", name=f"t{t}_f")
        o = mx.sym.Activation(parts[3], act_type="sigmoid", name=f"t{t}_o")
        c = (f * c) + (i * g)
        h = o * mx.sym.Activation(c, act_type="tanh", name=f"t{t}_c")
        out.append(h)
    x = mx.sym.FullyConnected(mx.sym.Concat(*out, dim=0, name="all"), num_hidden=100, name="pred")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def densenet(mx, layers=5):
    x = conv(mx, mx.sym.var("data"), "stem", 32)
    for i in range(layers):
        x = mx.sym.Concat(x, conv(mx, x, f"l{i}", 16), name=f"l{i}_concat")
    return head(mx, x)


def mobilenet(mx, layers=4):
    x = conv(mx, mx.sym.var("data"), "stem", 32)
    for i in range(layers):
        f = 32 << (i // 2)
        x = conv(mx, x, f"l{i}d", f if i % 2 or i == 0 else f // 2, groups=f if i % 2 or i == 0 else f // 2)
        x = conv(mx, x, f"l{i}p", 32 << ((i + 1) // 2), 1)
    return head(mx, x)


def autoencoder(mx):
    x = mx.sym.var("data")
    for i, f in enumerate((32, 64)):
        x = mx.sym.Convolution(x, kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=f, name=f"c{i}")
        x = mx.sym.LeakyReLU(x, act_type="leaky", slope=0.2, name=f"r{i}")
    for i, f in enumerate((32, 3)):
        x = mx.sym.Deconvolution(x, kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=f, name=f"u{i}")
        x = mx.sym.Activation(x, act_type="relu" if i == 0 else "sigmoid", name=f"v{i}")
    return mx.sym.LinearRegressionOutput(x, mx.sym.var("label"), name="loss")


def text_cnn(mx, length=40, width=128):
    x = mx.sym.Embedding(mx.sym.var("data"), input_dim=1000, output_dim=width, name="embed")
    x = mx.sym.Reshape(x, shape=(-1, 1, length, width), name="image")
    parts = []
    for k in (3, 4, 5):
        y = mx.sym.Convolution(x, kernel=(k, width), num_filter=100, name=f"c{k}")
        y = mx.sym.Activation(y, act_type="relu", name=f"a{k}")
        parts.append(mx.sym.Pooling(y, kernel=(length - k + 1, 1), pool_type="max", name=f"p{k}"))
    x = mx.sym.Reshape(mx.sym.Concat(*parts, dim=1, name="concat"), shape=(-1, 300), name="flat")
    x = mx.sym.FullyConnected(mx.sym.Dropout(x, p=0.5, name="d"), num_hidden=2, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def attention(mx, layers=2, width=128):
    x = mx.sym.var("data")
    for i in range(layers):
        q, k, v = (mx.sym.FullyConnected(x, num_hidden=width, flatten=False, name=f"l{i}{n}") for n in "qkv")
        scores = mx.sym.softmax(mx.sym.batch_dot(q, k, transpose_b=True, name=f"l{i}s") * 0.1, name=f"l{i}p")
        x = mx.sym.LayerNorm(x + mx.sym.batch_dot(scores, v, name=f"l{i}c"), name=f"l{i}n0")
        y = mx.sym.FullyConnected(x, num_hidden=4 * width, flatten=False, name=f"l{i}f0")
        y = mx.sym.LeakyReLU(y, act_type="gelu", name=f"l{i}g")
        y = mx.sym.FullyConnected(y, num_hidden=width, flatten=False, name=f"l{i}f1")
        x = mx.sym.LayerNorm(x + mx.sym.Dropout(y, p=0.1, name=f"l{i}d"), name=f"l{i}n1")
    x = mx.sym.FullyConnected(mx.sym.mean(x, axis=1, name="m"), num_hidden=10, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def unet(mx):
    x = conv(mx, mx.sym.var("data"), "d0", 16)
    y = conv(mx, mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="p0"), "d1", 32)
    z = mx.sym.UpSampling(y, scale=2, sample_type="nearest", name="up")
    z = conv(mx, mx.sym.Concat(x, z, name="skip"), "u0", 16)
    z = mx.sym.Convolution(z, kernel=(1, 1), num_filter=4, name="out")
    return mx.sym.SoftmaxOutput(z, multi_output=True, name="softmax")


NETS = {
    "mlp relu": (mlp, {}, {"data": (2048, 1024)}),
    "mlp sigmoid 10": (mlp, {"act": "sigmoid", "layers": 10, "hidden": 512}, {"data": (2048, 512)}),
    "mlp dropout": (mlp, {"drop": 0.5}, {"data": (2048, 1024)}),
    "lenet tanh": (lenet, {}, {"data": (512, 1, 28, 28)}),
    "lenet relu dropout": (lenet, {"act": "relu", "drop": 0.5}, {"data": (512, 1, 28, 28)}),
    "resnet v1": (resnet_v1, {}, {"data": (128, 3, 32, 32)}),
    "resnet v2 bottleneck": (resnet_v2, {}, {"data": (8, 3, 224, 224)}),
    "inception": (inception, {}, {"data": (64, 3, 32, 32)}),
    "vgg": (vgg, {}, {"data": (32, 3, 64, 64)}),
    "alexnet": (alexnet, {}, {"data": (16, 3, 224, 224)}),
    "lstm 10": (recurrent, {}, {"data": (256, 10), "softmax_label": (256, 10)}),
    "lstm 60": (recurrent, {"length": 60}, {"data": (32, 60), "softmax_label": (32, 60)}),
    "lstm 2x20 dropout": (
        recurrent,
        {"length": 20, "layers": 2, "drop": 0.3},
        {"data": (64, 20), "softmax_label": (64, 20)},
    ),
    "gru 20": (recurrent, {"kind": "GRU", "length": 20}, {"data": (128, 20), "softmax_label": (128, 20)}),
    "gru 50": (recurrent, {"kind": "GRU", "length": 50}, {"data": (64, 50), "softmax_label": (64, 50)}),
    "rnn 30": (recurrent, {"kind": "RNN", "length": 30}, {"data": (128, 30), "softmax_label": (128, 30)}),
    "old lstm 60": (old_lstm, {}, {"data": (32, 60, 128), "init_c": (32, 256), "init_h": (32, 256)}),
    "old lstm 15": (old_lstm, {"length": 15}, {"data": (128, 15, 128), "init_c": (128, 256), "init_h": (128, 256)}),
    "densenet": (densenet, {}, {"data": (64, 3, 32, 32)}),
    "mobilenet": (mobilenet, {}, {"data": (64, 3, 32, 32)}),
    "autoencoder": (autoencoder, {}, {"data": (64, 3, 64, 64), "label": (64, 3, 64, 64)}),
    "text cnn": (text_cnn, {}, {"data": (512, 40)}),
    "attention": (attention, {}, {"data": (64, 32, 128)}),
    "unet": (unet, {}, {"data": (32, 3, 64, 64)}),
}
PLANS = ("plain", "all", "cheap", "3", "7")


def bound(mx, name, plan):
    """The executor of a network."""
    build, options, shapes = NETS[name]
    if build is recurrent:
        options = {**options, "batch": shapes["data"][0]}
    with mx.name.NameManager():
        net = mark(build(mx, **options), plan)
    requests = {n: "null" if n in shapes or n.endswith("label") else "write" for n in net.list_arguments()}
    return net.simple_bind(mx.cpu(), grad_req=requests, **shapes)


def megabytes(mx, name, plan):
    """What memonger reads."""
    return int(bound(mx, name, plan).debug_str().split("\n")[-3].split()[1])


def main():
    import mxnet as mx

    found = {name: {plan: megabytes(mx, name, plan) for plan in PLANS} for name in NETS}
    FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
