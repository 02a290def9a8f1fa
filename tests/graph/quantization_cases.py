"""Networks that are quantized here and by the original, MXNet or ours; ``describe`` gives what must be the same."""

import json

import numpy as np


class Builder:
    """Layers with names that count."""

    def __init__(self, mx):
        self.sym, self.count = mx.sym, 0

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def conv(self, x, filters=4, kernel=(3, 3), **attrs):
        attrs = {"pad": tuple(k // 2 for k in kernel), "no_bias": True, **attrs}
        return self.sym.Convolution(x, kernel=kernel, num_filter=filters, name=self.name("conv"), **attrs)

    def dense(self, x, units=4, **attrs):
        return self.sym.FullyConnected(x, num_hidden=units, name=self.name("fc"), **attrs)

    def bn(self, x, **attrs):
        return self.sym.BatchNorm(x, name=self.name("bn"), **{"fix_gamma": False, **attrs})

    def act(self, x, kind="relu"):
        return self.sym.Activation(x, act_type=kind, name=self.name(kind))

    def tanh(self, x):
        return self.sym.tanh(x, name=self.name("tanh"))

    def pool(self, x, **attrs):
        return self.sym.Pooling(x, name=self.name("pool"), **{"kernel": (2, 2), "stride": (2, 2), **attrs})

    def add(self, x, y):
        return self.sym.elemwise_add(x, y, name=self.name("add"))

    def concat(self, *x):
        return self.sym.Concat(*x, name=self.name("concat"))

    def flatten(self, x):
        return self.sym.Flatten(x, name=self.name("flatten"))

    def softmax(self, x):
        return self.sym.SoftmaxOutput(x, name="softmax")


def lenet(b, x):
    x = b.pool(b.act(b.conv(x, 8, (5, 5), no_bias=False)))
    x = b.pool(b.act(b.conv(x, 6, no_bias=False)), pool_type="avg")
    return b.softmax(b.dense(b.act(b.dense(b.flatten(x), 10), "tanh"), 5))


def residual(b, x):
    x = b.act(b.bn(b.conv(x, 4)))
    y = b.bn(b.conv(b.act(b.bn(b.conv(x, 4))), 4))
    x = b.act(b.add(y, x))
    y = b.bn(b.conv(b.act(b.bn(b.conv(x, 6, stride=(2, 2)))), 6))
    x = b.act(b.add(y, b.bn(b.conv(x, 6, (1, 1), stride=(2, 2)))))
    return b.softmax(b.dense(b.pool(x, global_pool=True, pool_type="avg"), 5))


def inverted(b, x):
    """Blocks as in MobileNetV2: wide, depthwise, narrow."""

    def relu6(y):
        return b.sym.clip(y, a_min=0, a_max=6, name=b.name("relu6_"))

    x = relu6(b.bn(b.conv(x, 4)))
    y = relu6(b.bn(b.conv(x, 8, (1, 1))))
    y = relu6(b.bn(b.conv(y, 8, num_group=8)))
    x = b.add(b.bn(b.conv(y, 4, (1, 1))), x)
    return b.softmax(b.dense(b.pool(x, global_pool=True, pool_type="avg"), 5))


def attention(b, x):
    """Dense layers around a product that stays float."""
    s = b.sym
    x = b.dense(x, 12, flatten=False)
    qk = s.batch_dot(x, x, transpose_b=True, name="scores")
    x = s.batch_dot(s.softmax(qk, axis=-1, name="weights"), x, name="mixed")
    x = b.act(b.dense(x, 8, flatten=False))
    return b.dense(s.LayerNorm(x, name="norm"), 5)


def selfatt(b, x):
    """Attention of interleaved projections, twice."""
    s = b.sym
    for _ in range(2):
        x = b.dense(x, 24, flatten=False)
        qk = s.contrib.interleaved_matmul_selfatt_qk(x, heads=2, name=b.name("qk"))
        weights = s.softmax(qk, axis=-1, name=b.name("active_weights"))
        x = s.contrib.interleaved_matmul_selfatt_valatt(x, weights, heads=2, name=b.name("va"))
    return b.dense(x, 5, flatten=False)


def heads(b, x):
    """Feature maps of two sizes with heads for classes and boxes, joined as in SSD."""
    s = b.sym

    def flat(y):
        return b.flatten(s.transpose(y, axes=(0, 2, 3, 1), name=b.name("transpose")))

    x = b.act(b.bn(b.conv(x, 6)))
    y = b.pool(x)
    y = b.act(b.conv(y, 6, no_bias=False))
    classes = b.concat(*[flat(b.conv(each, 6, no_bias=False)) for each in (x, y)])
    boxes = b.concat(*[flat(b.conv(each, 4, no_bias=False)) for each in (x, y)])
    return s.Group([b.act(classes, "sigmoid"), boxes])


def joined(b, x):
    """Branches of which some are quantized: two readers, concatenation, product."""
    x = b.conv(x)
    y = b.act(x)
    z = b.concat(b.pool(y, stride=(1, 1), pad=(1, 1), kernel=(3, 3)), b.conv(y), b.tanh(y))
    product = b.sym.elemwise_mul(z, z, name="product")
    return b.sym.Group([b.conv(product), b.tanh(b.pool(z))])


def embedded(b, x):
    x = b.sym.Embedding(x, input_dim=7, output_dim=6, name="embedding")
    return b.dense(b.act(b.dense(x, 6)), 3)


SHAPES = {"attention": (2, 4, 6), "selfatt": (4, 2, 6), "embedded": (2, 4)}
NETWORKS = {f.__name__: f for f in (lenet, residual, inverted, attention, selfatt, heads, joined, embedded)}
#: How each is quantized: mode, type, names and operators that are left out.
WAYS = {
    "full int8": ("full", "int8", [], []),
    "smart auto": ("smart", "auto", [], []),
    "full uint8": ("full", "uint8", [], []),
    "full uint8 without": ("full", "uint8", ["conv1", "fc1"], ["Pooling"]),
}


def build(mx, network):
    """The symbol, its parameters and a batch."""
    builder = Builder(mx)
    symbol = NETWORKS[network](builder, mx.sym.var("data"))
    shape = SHAPES.get(network, (2, 3, 12, 12))
    random = np.random.RandomState(3)
    data = random.uniform(-1, 1, shape) if network != "embedded" else random.randint(0, 7, shape)
    arguments, _, states = symbol.infer_shape(data=shape)
    arrays = {}
    for names, shapes in ((symbol.list_arguments(), arguments), (symbol.list_auxiliary_states(), states)):
        for name, each in zip(names, shapes):
            if name not in ("data", "softmax_label"):
                low = 0.5 if name.endswith(("gamma", "var")) else -0.5
                arrays[name] = mx.nd.array(random.uniform(low, low + 1, each))
    args = {n: arrays[n] for n in symbol.list_arguments() if n in arrays}
    return symbol, args, {n: arrays[n] for n in symbol.list_auxiliary_states()}, mx.nd.array(data)


def thresholds(layers):
    """Ranges to calibrate with, the same for both: from zero behind an activation."""
    found = {}
    for i, name in enumerate(layers):
        low = 0.0 if "act" in name or "relu" in name else -0.5 - 0.25 * (i % 5)
        found[name] = (low, 0.75 + 0.25 * (i % 7))
    return found


def run(mx, symbol, args, states, data):
    """The outputs of a symbol."""
    given = {**args, "data": data}
    if "softmax_label" in symbol.list_arguments():
        given["softmax_label"] = mx.nd.zeros((data.shape[0],))
    executor = symbol.bind(mx.cpu(), {n: given[n] for n in symbol.list_arguments()}, aux_states=states, grad_req="null")
    return [o.asnumpy() for o in executor.forward(is_train=False)]


def outputs(mx, *network):
    """The first numbers of each output; None where the original cannot run what it made (int8 into a convolution)."""
    try:
        return [o.ravel()[:40].tolist() for o in run(mx, *network)]
    except mx.MXNetError:
        return None


def nodes(symbol):
    """What a file of the symbol says of its nodes."""
    graph = json.loads(symbol.tojson())
    return [[n["op"], n["name"], n.get("attrs", {}), n["inputs"]] for n in graph["nodes"]] + [graph["heads"]]


#: How each is fused and quantized: mode, type, names that are left out, granularity.
FUSED = {
    "full auto": ("full", "auto", [], "tensor-wise"),
    "smart int8": ("smart", "int8", ["conv1", "fc1"], "tensor-wise"),
    "full auto by channel": ("full", "auto", [], "channel-wise"),
}


def describe_fused(mx, network, way):
    """The same by the backend that fuses layers: before and after quantization, and when ranges have been entered."""
    q = mx.contrib.quantization
    symbol, args, states, data = build(mx, network)
    mode, dtype, names, granularity = FUSED[way]
    fused = symbol.get_backend_symbol("MKLDNN_QUANTIZE")
    found, layers = q._quantize_symbol(
        fused,
        mx.cpu(),
        excluded_symbols=names,
        offline_params=list(args),
        quantized_dtype=dtype,
        quantize_mode=mode,
        quantize_granularity=granularity,
    )
    text = found.tojson()
    done = q._calibrate_quantized_sym(found, thresholds(layers)).get_backend_symbol("MKLDNN_QUANTIZE")
    parameters = q._quantize_params(done, args, {})
    return {
        "fused": fused.tojson(),
        "float": symbol.get_backend_symbol("MKLDNN").tojson(),
        "quantized": text,
        "layers": layers,
        "done": done.tojson(),
        "outputs": outputs(mx, done, parameters, states, data),
        "parameters": {n: [v.dtype.__name__, v.asnumpy().ravel()[:8].tolist()] for n, v in parameters.items()},
    }


def describe(mx, network, way):
    """The quantized graph, what it wants to know, and the calibrated one with its parameters."""
    q = mx.contrib.quantization
    symbol, args, states, data = build(mx, network)
    mode, dtype, names, operators = WAYS[way]
    found, layers = q._quantize_symbol(
        symbol,
        mx.cpu(),
        excluded_symbols=names,
        excluded_operators=operators,
        offline_params=list(args),
        quantized_dtype=dtype,
        quantize_mode=mode,
    )
    before = nodes(found)
    calibrated = q._calibrate_quantized_sym(found, thresholds(layers))
    parameters = q._quantize_params(calibrated, args, {})
    return {
        "graph": before,
        "layers": layers,
        "calibrated": nodes(calibrated),
        "json": calibrated.tojson(),
        "outputs": outputs(mx, calibrated, parameters, states, data),
        "parameters": {n: [v.dtype.__name__, v.asnumpy().ravel()[:8].tolist()] for n, v in parameters.items()},
    }


#: Ways in which a product of self-attention is called, with the attributes of its node.
PRODUCTS = {
    "float": {},
    "integers to floats": {"quantized": "True", "enable_float_output": "True"},
    "integers to integers": {"quantized": "True", "min_calib_range": "-3.1", "max_calib_range": "2.5"},
    "positive range": {"quantized": "True", "min_calib_range": "0.0", "max_calib_range": "2.5"},
    "sums": {"quantized": "True"},
}


def product_inputs(name, quantized, length=5, batch=2, heads=2, size=8):
    """Projections, with attention for the second product, and their ranges if they are integers."""
    random = np.random.RandomState(5)
    values = [random.randint(-128, 128, (length, batch, heads * 3 * size)).astype("int8")]
    limits = [[-1.7], [2.0]]
    if name == "valatt":
        values.append(random.randint(0, 256, (batch * heads, length, length)).astype("uint8"))
        limits += [[0.0], [0.9]]
    if not quantized:
        return [v.astype("float32") / 50 for v in values]
    return [*values, *np.array(limits, "float32")]


def product_symbol(mx, name, attrs, heads=2):
    """A graph of one node, ``_sg_mkldnn_selfatt_qk`` or ``_sg_mkldnn_selfatt_valatt``, as a file has it."""
    count = 1 if name == "qk" else 2

    def variable(label):
        return {"op": "null", "name": label, "inputs": []}

    inner = {
        "op": f"_contrib_interleaved_matmul_selfatt_{name}",
        "name": name,
        "attrs": {"heads": str(heads)},
        "inputs": [[i, 0, 0] for i in range(count)],
    }
    subgraph = {
        "nodes": [*[variable(f"in{i}") for i in range(count)], inner],
        "arg_nodes": list(range(count)),
        "node_row_ptr": list(range(count + 2)),
        "heads": [[count, 0, 0]],
    }
    quantized = attrs.get("quantized") == "True"
    places = range(3 * count if quantized else count)
    outputs = 3 if quantized and attrs.get("enable_float_output") != "True" else 1
    node = {
        "op": f"_sg_mkldnn_selfatt_{name}",
        "name": "product",
        "attrs": {"heads": str(heads), **attrs},
        "inputs": [[i, 0, 0] for i in places],
        "subgraphs": [subgraph],
    }
    graph = {
        "nodes": [*[variable(f"x{i}") for i in places], node],
        "arg_nodes": list(places),
        "node_row_ptr": list(range(len(places) + 2)),
        "heads": [[len(places), i, 0] for i in range(outputs)],
        "attrs": {"mxnet_version": ["int", 10901]},
    }
    return mx.sym.load_json(json.dumps(graph))


def describe_product(mx, name, way):
    """Names, inferred shapes and types, and numbers of such a node."""
    attrs = PRODUCTS[way]
    symbol = product_symbol(mx, name, attrs)
    given = {f"x{i}": v for i, v in enumerate(product_inputs(name, "quantized" in attrs))}
    arrays = {n: mx.nd.array(v, dtype=v.dtype) for n, v in given.items()}
    return {
        "outputs": symbol.list_outputs(),
        "shapes": symbol.infer_shape(**{n: v.shape for n, v in given.items()})[:2],
        "types": [
            [np.dtype(t).name for t in each] for each in symbol.infer_type(**{n: v.dtype for n, v in given.items()})
        ],
        "results": [[np.dtype(r.dtype).name, r.asnumpy().tolist()] for r in symbol.bind(mx.cpu(), arrays).forward()],
    }
