"""Whole networks against the API that both MXNets have, each with the shapes of its inputs.

``describe`` tells all that is compared: JSON, names, shapes, types, and for some outputs and gradients. Everything here
is run by the recorder (with the original) and by the tests (without it).
"""

import re
import zlib

import numpy as np


class Case(object):
    """A network: ``build(mx)`` gives the symbol, ``shapes`` its inputs.

    ``values`` tells inputs that are not just small numbers: ``("index", n)`` for whole numbers below n, or an array;
    they get no gradient. ``run`` asks for outputs and gradients as well, ``run="forward"`` only for outputs.
    """

    def __init__(self, build, shapes, run=False, values=None):
        self.build, self.shapes, self.run, self.values = build, shapes, run, values or {}


def pair(*parts):
    """Several dicts as one."""
    whole = {}
    for part in parts:
        whole.update(part)
    return whole


def value(name, shape, how=None):
    """A reproducible array for an input, a parameter or an auxiliary state."""
    random = np.random.RandomState(zlib.crc32(name.encode()) % (2**31))
    if isinstance(how, np.ndarray):
        return how.astype("float32")
    if how is not None and how[0] == "index":
        return random.randint(0, how[1], shape).astype("float32")
    if name.endswith("_var") or name.endswith("gamma"):
        return random.uniform(0.5, 1.5, shape).astype("float32")
    wide = 1.0 if len(shape) < 2 else min(1.0, 1.7 / np.sqrt(np.prod(shape[1:])))
    return random.uniform(-wide, wide, shape).astype("float32")


def _shapes(parts):
    return None if parts[0] is None else [[list(s) for s in part] for part in parts]


def _types(parts):
    return None if parts[0] is None else [[np.dtype(t).name if t is not None else None for t in part] for part in parts]


def build(mx, case):
    """The symbol, with names counted from zero."""
    with mx.name.NameManager():
        return case.build(mx)


def plain(text):
    """Subgraphs are numbered through for the whole process; here from zero in each text."""
    seen = {}

    def number(match):
        return match.group(1) + "subgraph%d" % seen.setdefault(match.group(2), len(seen))

    return re.sub(r'("?__subgraph_name__"?: ")([^"]+)', number, text)


def describe(mx, case, symbol=None):
    """All that is compared, as JSON can hold it."""
    symbol = build(mx, case) if symbol is None else symbol
    inner = symbol.get_internals()
    found = {
        "json": plain(symbol.tojson()),
        "arguments": symbol.list_arguments(),
        "aux": symbol.list_auxiliary_states(),
        "outputs": symbol.list_outputs(),
        "inputs": symbol.list_inputs(),
        "internals": inner.list_outputs(),
        "attributes": symbol.attr_dict(),
        "shapes": _shapes(symbol.infer_shape(**case.shapes)),
        "inner_shapes": _shapes(inner.infer_shape(**case.shapes)),
        "types": _types(symbol.infer_type(**dict.fromkeys(case.shapes, "float32"))),
    }
    if case.run:
        found.update(run(mx, case, symbol))
    return found


def run(mx, case, symbol):
    """Outputs in prediction and training, auxiliary states after training, and what the gradients sum up to."""
    arg_shapes, _, aux_shapes = symbol.infer_shape(**case.shapes)
    arg_types, _, _ = symbol.infer_type(**dict.fromkeys(case.shapes, "float32"))
    names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    arg_types = arg_types or ["float32"] * len(names)
    if arg_shapes is None:  # the original cannot tell shapes after loops and branches
        arg_shapes, aux_shapes = [case.shapes[n] for n in names], []
    args = {n: mx.nd.array(value(n, s, case.values.get(n)), dtype=t) for n, s, t in zip(names, arg_shapes, arg_types)}
    aux = {n: mx.nd.array(value(n, s)) for n, s in zip(states, aux_shapes)}
    floats = [n for n, t in zip(names, arg_types) if np.dtype(t).kind == "f" and n not in case.values]
    floats = [] if case.run == "forward" else floats
    grads = {n: mx.nd.zeros(args[n].shape, dtype=args[n].dtype) for n in floats}
    executor = symbol.bind(mx.cpu(), args, args_grad=grads, grad_req="write" if grads else "null", aux_states=aux)
    predicted = [o.asnumpy() for o in executor.forward(is_train=False)]
    if case.run == "forward":
        return {"predicted": [_few(o) for o in predicted]}
    trained = [o.asnumpy() for o in executor.forward(is_train=True)]
    outputs = symbol.list_outputs()
    heads = []
    for i, o in enumerate(trained):
        # Of several gradients for one output the original takes the last, we take their sum: all but one are zero.
        last = outputs[i] not in outputs[i + 1 :]
        heads.append(mx.nd.array(value("head%d" % i, o.shape) * last, dtype=o.dtype))
    executor.backward(heads)
    sums = {}
    for name in floats:
        gradient = grads[name].asnumpy().astype("float64")
        weights = value("weights of " + name, (gradient.size,)).astype("float64")
        sums[name] = [float((gradient.ravel() * weights).sum()), float(np.abs(gradient).sum())]
    return {
        "predicted": [_few(o) for o in predicted],
        "trained": [_few(o) for o in trained],
        "gradients": sums,
        "states": {n: _few(a.asnumpy()) for n, a in aux.items()},
    }


def _few(array):
    """The shape, two sums over all elements and the first ones."""
    flat = array.ravel().astype("float64")
    weights = value("all", (flat.size,)).astype("float64")
    first = [float("%.7g" % v) for v in flat[:24]]
    return [list(array.shape), float((flat * weights).sum()), float(np.abs(flat).sum()), first]


# ---- classic stacks ------------------------------------------------------------------------------------------------


def mlp(mx):
    data = mx.sym.Variable("data")
    fc1 = mx.sym.FullyConnected(data, name="fc1", num_hidden=16)
    act1 = mx.sym.Activation(fc1, name="relu1", act_type="relu")
    fc2 = mx.sym.FullyConnected(act1, name="fc2", num_hidden=8)
    act2 = mx.sym.Activation(fc2, name="tanh2", act_type="tanh")
    fc3 = mx.sym.FullyConnected(act2, name="fc3", num_hidden=5, no_bias=True)
    return mx.sym.SoftmaxOutput(fc3, name="softmax")


def mlp_unnamed(mx):
    net = mx.sym.var("data")
    for size in (6, 4):
        net = mx.sym.Activation(mx.sym.FullyConnected(net, num_hidden=size), act_type="sigmoid")
    return mx.sym.softmax(mx.sym.FullyConnected(net, num_hidden=3, flatten=False), axis=-1)


def lenet(mx):
    data = mx.sym.var("data")
    conv1 = mx.sym.Convolution(data=data, kernel=(5, 5), num_filter=8)
    pool1 = mx.sym.Pooling(mx.sym.Activation(conv1, act_type="tanh"), pool_type="max", kernel=(2, 2), stride=(2, 2))
    conv2 = mx.sym.Convolution(data=pool1, kernel=(5, 5), num_filter=12)
    pool2 = mx.sym.Pooling(mx.sym.Activation(conv2, act_type="tanh"), pool_type="max", kernel=(2, 2), stride=(2, 2))
    fc1 = mx.sym.FullyConnected(mx.sym.flatten(pool2), num_hidden=20)
    fc2 = mx.sym.FullyConnected(mx.sym.Activation(fc1, act_type="tanh"), num_hidden=10)
    return mx.sym.SoftmaxOutput(data=fc2, name="softmax")


def alexnet(mx):
    net = mx.sym.Variable(name="data")
    net = mx.sym.Convolution(name="conv1", data=net, kernel=(11, 11), stride=(4, 4), num_filter=96)
    net = mx.sym.LRN(mx.sym.Activation(net, act_type="relu"), alpha=0.0001, beta=0.75, knorm=2, nsize=5)
    net = mx.sym.Pooling(net, kernel=(3, 3), stride=(2, 2), pool_type="max")
    net = mx.sym.Convolution(name="conv2", data=net, kernel=(5, 5), pad=(2, 2), num_filter=256, num_group=2)
    net = mx.sym.LRN(mx.sym.Activation(net, act_type="relu"), nsize=5)
    net = mx.sym.Pooling(net, kernel=(3, 3), stride=(2, 2), pool_type="max")
    for i, filters in enumerate((384, 384, 256)):
        net = mx.sym.Convolution(name="conv%d" % (i + 3), data=net, kernel=(3, 3), pad=(1, 1), num_filter=filters)
        net = mx.sym.Activation(net, act_type="relu")
    net = mx.sym.Flatten(mx.sym.Pooling(net, kernel=(3, 3), stride=(2, 2), pool_type="max"))
    for name in ("fc1", "fc2"):
        net = mx.sym.FullyConnected(name=name, data=net, num_hidden=4096)
        net = mx.sym.Dropout(mx.sym.Activation(net, act_type="relu"), p=0.5)
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(name="fc3", data=net, num_hidden=1000), name="softmax")


def vgg(layers, filters, batch_norm):
    def make(mx):
        net = mx.sym.Variable(name="data")
        for i, count in enumerate(layers):
            for j in range(count):
                name = "conv%d_%d" % (i + 1, j + 1)
                net = mx.sym.Convolution(net, kernel=(3, 3), pad=(1, 1), num_filter=filters[i], name=name)
                if batch_norm:
                    net = mx.sym.BatchNorm(data=net, name="bn%d_%d" % (i + 1, j + 1))
                net = mx.sym.Activation(net, act_type="relu", name="relu%d_%d" % (i + 1, j + 1))
            net = mx.sym.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2), name="pool%d" % (i + 1))
        net = mx.sym.flatten(data=net, name="flatten")
        for i in (6, 7):
            net = mx.sym.FullyConnected(data=net, num_hidden=32, name="fc%d" % i)
            net = mx.sym.Dropout(mx.sym.Activation(net, act_type="relu", name="relu%d" % i), p=0.5, name="drop%d" % i)
        return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data=net, num_hidden=10, name="fc8"), name="softmax")

    return make


def residual_unit(mx, data, filters, stride, same, name, bottleneck, version):
    """One unit of a residual network: version 2 normalizes before the convolutions, version 1 after them."""

    def norm(x, n):
        return mx.sym.BatchNorm(x, fix_gamma=False, eps=2e-5, momentum=0.9, name=n)

    def conv(x, count, kernel, step, n):
        pad = ((kernel - 1) // 2,) * 2
        size, steps = (kernel, kernel), (step, step)
        return mx.sym.Convolution(
            x, num_filter=count, kernel=size, stride=steps, pad=pad, no_bias=True, workspace=256, name=n
        )

    plan = [(filters // 4, 1, 1), (filters // 4, 3, stride), (filters, 1, 1)]
    if not bottleneck:
        plan = [(filters, 3, stride), (filters, 3, 1)]
    net, short = data, data
    for i, (count, kernel, step) in enumerate(plan):
        number = str(i + 1)
        if version == 2:
            net = mx.sym.Activation(norm(net, name + "_bn" + number), act_type="relu", name=name + "_relu" + number)
            if i == 0 and not same:
                short = conv(net, filters, 1, stride, name + "_sc")
            net = conv(net, count, kernel, step, name + "_conv" + number)
        else:
            net = norm(conv(net, count, kernel, step, name + "_conv" + number), name + "_bn" + number)
            if i < len(plan) - 1:
                net = mx.sym.Activation(net, act_type="relu", name=name + "_relu" + number)
    if version == 1 and not same:
        short = norm(conv(data, filters, 1, stride, name + "_sc"), name + "_sc_bn")
    net = net + short
    return net if version == 2 else mx.sym.Activation(net, act_type="relu", name=name + "_relu")


def resnet(units, filters, bottleneck, version, classes=10):
    def make(mx):
        net = mx.sym.identity(data=mx.sym.Variable(name="data"), name="id")
        if version == 2:
            net = mx.sym.BatchNorm(data=net, fix_gamma=True, eps=2e-5, momentum=0.9, name="bn_data")
        net = mx.sym.Convolution(
            net, num_filter=filters[0], kernel=(7, 7), stride=(2, 2), pad=(3, 3), no_bias=True, name="conv0"
        )
        net = mx.sym.BatchNorm(net, fix_gamma=False, eps=2e-5, momentum=0.9, name="bn0")
        net = mx.sym.Activation(net, act_type="relu", name="relu0")
        net = mx.sym.Pooling(net, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
        for i, count in enumerate(units):
            for j in range(count):
                name = "stage%d_unit%d" % (i + 1, j + 1)
                stride = 2 if i > 0 and j == 0 else 1
                same = j > 0 or (stride == 1 and filters[i] == filters[i + 1])
                net = residual_unit(mx, net, filters[i + 1], stride, same, name, bottleneck, version)
        if version == 2:
            net = mx.sym.BatchNorm(net, fix_gamma=False, eps=2e-5, momentum=0.9, name="bn1")
            net = mx.sym.Activation(net, act_type="relu", name="relu1")
        net = mx.sym.Flatten(mx.sym.Pooling(net, global_pool=True, kernel=(7, 7), pool_type="avg", name="pool1"))
        net = mx.sym.FullyConnected(net, num_hidden=classes, name="fc1")
        return mx.sym.SoftmaxOutput(data=net, name="softmax")

    return make


def conv_factory(mx, data, filters, kernel, stride=(1, 1), pad=(0, 0), name=None, suffix="", **more):
    net = mx.sym.Convolution(
        data=data, num_filter=filters, kernel=kernel, stride=stride, pad=pad, name="conv_%s%s" % (name, suffix), **more
    )
    net = mx.sym.BatchNorm(data=net, fix_gamma=False, name="bn_%s%s" % (name, suffix))
    return mx.sym.Activation(data=net, act_type="relu", name="relu_%s%s" % (name, suffix))


def inception_bn(mx):
    net = mx.sym.Variable("data")
    net = conv_factory(mx, net, 8, (7, 7), (2, 2), (3, 3), "1")
    net = mx.sym.Pooling(net, kernel=(3, 3), stride=(2, 2), name="pool1", pool_type="max")
    for name, pool in (("3a", "avg"), ("3b", "max")):
        one = conv_factory(mx, net, 4, (1, 1), name=name + "_1x1")
        three = conv_factory(mx, net, 4, (1, 1), name=name + "_3x3", suffix="_reduce")
        three = conv_factory(mx, three, 6, (3, 3), pad=(1, 1), name=name + "_3x3")
        double = conv_factory(mx, net, 4, (1, 1), name=name + "_double_3x3", suffix="_reduce")
        double = conv_factory(mx, double, 6, (3, 3), pad=(1, 1), name=name + "_double_3x3_0")
        double = conv_factory(mx, double, 6, (3, 3), pad=(1, 1), name=name + "_double_3x3_1")
        pooled = mx.sym.Pooling(
            net, kernel=(3, 3), stride=(1, 1), pad=(1, 1), pool_type=pool, name="%s_pool_%s_pool" % (pool, name)
        )
        pooled = conv_factory(mx, pooled, 4, (1, 1), name=name + "_proj")
        net = mx.sym.Concat(one, three, double, pooled, name="ch_concat_%s_chconcat" % name)
    three = conv_factory(mx, net, 6, (3, 3), (2, 2), (1, 1), "3c_3x3")
    pooled = mx.sym.Pooling(net, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max", name="max_pool_3c_pool")
    net = mx.sym.Concat(*[three, pooled], name="ch_concat_3c_chconcat")
    net = mx.sym.Pooling(net, kernel=(7, 7), stride=(1, 1), name="global_pool", pool_type="avg", global_pool=True)
    net = mx.sym.FullyConnected(mx.sym.Flatten(net, name="flatten"), num_hidden=10, name="fc1")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def inception_v3(mx):
    net = mx.sym.Variable("data")
    net = conv_factory(mx, net, 8, (3, 3), (2, 2), name="conv", no_bias=True)
    tower = conv_factory(mx, net, 4, (1, 1), name="mixed_6_tower", suffix="_conv", no_bias=True)
    tower = conv_factory(mx, tower, 4, (1, 7), pad=(0, 3), name="mixed_6_tower", suffix="_conv_1", no_bias=True)
    tower = conv_factory(mx, tower, 6, (7, 1), pad=(3, 0), name="mixed_6_tower", suffix="_conv_2", no_bias=True)
    pooled = mx.sym.Pooling(
        net, kernel=(3, 3), stride=(1, 1), pad=(1, 1), pool_type="avg", pooling_convention="full", name="p"
    )
    pooled = conv_factory(mx, pooled, 6, (1, 1), name="mixed_6_tower_2", suffix="_conv", no_bias=True)
    plain = conv_factory(mx, net, 6, (1, 1), name="mixed_6_conv", no_bias=True)
    net = mx.sym.Concat(*[plain, tower, pooled], name="mixed_6_concat", dim=1)
    reduced = mx.sym.Pooling(net, kernel=(3, 3), stride=(2, 2), pool_type="max", name="max_pool_8_pool")
    strided = conv_factory(mx, net, 6, (3, 3), (2, 2), name="mixed_8", no_bias=True)
    net = mx.sym.concat(reduced, strided, dim=1)
    net = mx.sym.Pooling(net, kernel=(1, 1), global_pool=True, pool_type="avg", name="global_pool")
    net = mx.sym.LeakyReLU(mx.sym.Dropout(mx.sym.flatten(net), p=0.0, mode="always"), act_type="elu", slope=0.7)
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data=net, num_hidden=10, name="fc1"), name="softmax")


def densenet(mx):
    net = mx.sym.Variable("data")
    net = mx.sym.Convolution(net, num_filter=8, kernel=(3, 3), pad=(1, 1), no_bias=True, name="conv0")
    for block in range(2):
        for layer in range(3):
            name = "dense%d_%d" % (block, layer)
            new = mx.sym.BatchNorm(net, name=name + "_bn1", use_global_stats=False)
            new = mx.sym.relu(new)
            new = mx.sym.Convolution(new, num_filter=8, kernel=(1, 1), no_bias=True, name=name + "_conv1")
            new = mx.sym.relu(mx.sym.BatchNorm(new, name=name + "_bn2"))
            new = mx.sym.Convolution(new, num_filter=4, kernel=(3, 3), pad=(1, 1), no_bias=True, name=name + "_conv2")
            net = mx.sym.concat(net, new, dim=1, name=name + "_concat")
        net = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="avg")
    net = mx.sym.mean(net, axis=(2, 3))
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(net, num_hidden=10), name="softmax")


def mobilenet(mx):
    net = conv_factory(mx, mx.sym.Variable("data"), 8, (3, 3), (2, 2), (1, 1), "1", no_bias=True)
    for i, (filters, stride) in enumerate(((16, 1), (24, 2), (24, 1))):
        channels = (8, 16, 24)[i]
        name = "%d_dw" % (i + 2)
        net = conv_factory(mx, net, channels, (3, 3), (stride,) * 2, (1, 1), name, num_group=channels, no_bias=True)
        net = conv_factory(mx, net, filters, (1, 1), name="%d_pw" % (i + 2), no_bias=True)
    net = mx.sym.clip(net, a_min=0, a_max=6)
    net = mx.sym.Pooling(net, global_pool=True, pool_type="avg", kernel=(1, 1))
    return mx.sym.SoftmaxOutput(mx.sym.Flatten(mx.sym.Convolution(net, num_filter=10, kernel=(1, 1))), name="softmax")


def group_conv(mx):
    net = mx.sym.var("data")
    net = mx.sym.Convolution(net, kernel=(3, 3), num_filter=8, num_group=4, dilate=(2, 2), pad=(2, 2), name="gc1")
    net = mx.sym.reshape(net, shape=(0, -4, 4, -1, -2))
    net = mx.sym.reshape(mx.sym.transpose(net, axes=(0, 2, 1, 3, 4)), shape=(0, -3, -2))
    net = mx.sym.Convolution(net, kernel=(1, 1), num_filter=8, num_group=2, name="gc2", no_bias=True)
    return mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="sum")


def squeeze_excite(mx):
    body = mx.sym.Convolution(mx.sym.var("data"), num_filter=8, kernel=(3, 3), pad=(1, 1), name="body")
    squeeze = mx.sym.Pooling(data=body, global_pool=True, kernel=(7, 7), pool_type="avg", name="squeeze")
    squeeze = mx.sym.Flatten(data=squeeze, name="flatten")
    excite = mx.sym.FullyConnected(data=squeeze, num_hidden=2, name="excitation1")
    excite = mx.sym.Activation(data=excite, act_type="relu", name="excitation1_relu")
    excite = mx.sym.FullyConnected(data=excite, num_hidden=8, name="excitation2")
    excite = mx.sym.Activation(data=excite, act_type="sigmoid", name="excitation2_sigmoid")
    return mx.sym.broadcast_mul(body, mx.sym.reshape(data=excite, shape=(-1, 8, 1, 1)))


CASES = {
    "mlp": Case(mlp, {"data": (4, 12)}, run=True, values={"softmax_label": ("index", 5)}),
    "mlp_unnamed": Case(mlp_unnamed, {"data": (4, 12)}, run=True),
    "lenet": Case(lenet, {"data": (2, 1, 28, 28)}, run=True, values={"softmax_label": ("index", 10)}),
    "alexnet": Case(alexnet, {"data": (1, 3, 224, 224)}),
    "vgg11": Case(vgg([1, 1, 2, 2, 2], [8, 16, 32, 32, 32], False), {"data": (1, 3, 64, 64)}),
    "vgg13_bn": Case(vgg([2, 2, 2, 2, 2], [8, 16, 32, 32, 32], True), {"data": (1, 3, 64, 64)}),
    "resnet18_v2": Case(resnet([2, 2, 2, 2], [64, 64, 128, 256, 512], False, 2, 1000), {"data": (2, 3, 224, 224)}),
    "resnet50_v2": Case(resnet([3, 4, 6, 3], [64, 256, 512, 1024, 2048], True, 2, 1000), {"data": (1, 3, 224, 224)}),
    "resnet50_v1": Case(resnet([3, 4, 6, 3], [64, 256, 512, 1024, 2048], True, 1, 1000), {"data": (1, 3, 224, 224)}),
    "resnet_small_v1": Case(
        resnet([2, 1], [4, 4, 8], False, 1), {"data": (3, 3, 32, 32)}, True, {"softmax_label": ("index", 10)}
    ),
    "resnet_small_v2": Case(
        resnet([1, 2], [4, 16, 32], True, 2), {"data": (3, 3, 32, 32)}, True, {"softmax_label": ("index", 10)}
    ),
    "inception_bn": Case(inception_bn, {"data": (2, 3, 32, 32)}, True, {"softmax_label": ("index", 10)}),
    "inception_v3": Case(inception_v3, {"data": (2, 3, 31, 31)}, True, {"softmax_label": ("index", 10)}),
    "densenet": Case(densenet, {"data": (2, 3, 16, 16)}, True, {"softmax_label": ("index", 10)}),
    "mobilenet": Case(mobilenet, {"data": (2, 3, 32, 32)}, True, {"softmax_label": ("index", 10)}),
    "group_conv": Case(group_conv, {"data": (2, 8, 9, 9)}, True),
    "squeeze_excite": Case(squeeze_excite, {"data": (2, 3, 8, 8)}, True),
}
