"""Small ONNX models whose graphs, with the names in them, were recorded from the original's import.

Needs the package onnx, of any version: the original is recorded with an old one. Initializers are inputs, too,
since the original finds no others.
"""

import json

import numpy as np
from onnx import TensorProto, helper, numpy_helper

node = helper.make_node


def weights(*shape, positive=False):
    """Numbers that are the same everywhere."""
    count = int(np.prod(shape))
    values = ((np.arange(count) * 37 + 11) % 101 / 101 - 0.5).reshape(shape).astype("float32")
    return values + 1 if positive else values


def model(nodes, shape, outputs=("y",), constants=None, opset=9, data="x"):
    constants = constants or {}
    types = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64}
    inputs = [helper.make_tensor_value_info(data, TensorProto.FLOAT, shape)]
    inputs += [helper.make_tensor_value_info(k, types[str(v.dtype)], v.shape) for k, v in constants.items()]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    stored = [numpy_helper.from_array(v, k) for k, v in constants.items()]
    graph = helper.make_graph(nodes, "cases", inputs, results, stored)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made.ir_version = 4
    return made


IMAGE, ROWS = (2, 4, 4, 4), (2, 6)
#: Operator -> shape of the input, constants, attributes. Each is recorded without a name and with one.
SINGLE = {
    **{op: (IMAGE, {}, {}) for op in (
        "Relu Sigmoid Tanh Softsign Softplus Exp Neg Abs Ceil Floor Reciprocal Sin Cos Tan Atan Identity Selu Elu "
        "LeakyRelu HardSigmoid GlobalAveragePool GlobalMaxPool GlobalLpPool Flatten"
    ).split()},
    **{op: (IMAGE, {}, {"axes": [1, 2], "keepdims": 1}) for op in (
        "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare"
    ).split()},
    "Log": ((1, 3), {}, {}), "Sqrt": ((1, 3), {}, {}), "Asin": ((1, 3), {}, {}), "Acos": ((1, 3), {}, {}),
    "Conv": (IMAGE, {"w": weights(2, 4, 3, 3), "b": weights(2)}, {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
    "Conv_no_bias": (IMAGE, {"w": weights(2, 4, 3, 3)}, {"kernel_shape": [3, 3], "strides": [2, 2]}),
    "Conv_group": (IMAGE, {"w": weights(4, 1, 3, 3)}, {"kernel_shape": [3, 3], "group": 4, "dilations": [1, 1]}),
    "Conv_uneven": (IMAGE, {"w": weights(2, 4, 3, 3)}, {"kernel_shape": [3, 3], "pads": [0, 0, 1, 1]}),
    "ConvTranspose": (IMAGE, {"w": weights(4, 2, 3, 3)}, {"kernel_shape": [3, 3], "strides": [2, 2]}),
    "BatchNormalization": (IMAGE, {k: weights(4, positive=True) for k in ("g", "b", "m", "v")}, {"epsilon": 1e-3}),
    "InstanceNormalization": (IMAGE, {"g": weights(4), "b": weights(4)}, {}),
    "LRN": (IMAGE, {}, {"size": 3, "alpha": 1e-3, "beta": 0.5, "bias": 2.0}),
    "Gemm": (ROWS, {"w": weights(5, 6), "b": weights(5)}, {"transB": 1}),
    "Gemm_plain": (ROWS, {"w": weights(6, 5), "b": weights(5)}, {}),
    "Gemm_scaled": (ROWS, {"w": weights(5, 6), "b": weights(5)}, {"transB": 1, "alpha": 2.0, "beta": 0.5}),
    "Gemm_image": (IMAGE, {"w": weights(5, 64), "b": weights(5)}, {"transB": 1}),
    "MatMul": (ROWS, {"w": weights(6, 5)}, {}),
    "MatMul_batch": ((2, 3, 4), {"w": weights(2, 4, 5)}, {}),
    "MaxPool": (IMAGE, {}, {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "AveragePool": (IMAGE, {}, {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "LpPool": (IMAGE, {}, {"kernel_shape": [2, 2]}),
    "MaxPool_padded": (IMAGE, {}, {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
    "Dropout": (IMAGE, {}, {"ratio": 0.25}),
    "Softmax": (ROWS, {}, {"axis": 1}),
    "LogSoftmax": (ROWS, {}, {"axis": 1}),
    "PRelu": ((2, 3, 4, 4), {"s": weights(3, 1, 1)}, {}),
    "Clip": (IMAGE, {}, {"min": -0.25, "max": 0.25}),
    "Cast": (IMAGE, {}, {"to": 1}),
    "ArgMax": (ROWS, {}, {"axis": 1, "keepdims": 1}),
    "ArgMin": (ROWS, {}, {"axis": 1, "keepdims": 0}),
    "Transpose": (IMAGE, {}, {"perm": [0, 2, 3, 1]}),
    "Reshape": (IMAGE, {"s": np.array([0, -1])}, {}),
    "Squeeze": ((1, 3, 4), {}, {"axes": [0]}),
    "Unsqueeze": ((3, 4), {}, {"axes": [0]}),
    "Slice": (IMAGE, {}, {"axes": [1], "starts": [1], "ends": [3]}),
    "Pad": (IMAGE, {}, {"pads": [0, 0, 1, 1, 0, 0, 1, 1]}),
    "Gather": (IMAGE, {"k": np.array([1, 0])}, {"axis": 1}),
    "DepthToSpace": (IMAGE, {}, {"blocksize": 2}),
    "SpaceToDepth": (IMAGE, {}, {"blocksize": 2}),
    **{op: (ROWS, {"w": weights(2, 6, positive=True)}, {}) for op in (
        "Add Sub Mul Div Sum Mean Max Min Concat"
    ).split()},
    "Pow": (ROWS, {"w": weights(2, 6, positive=True) * 0 + 2}, {}),
    "Add_channels": (IMAGE, {"w": weights(4, 1, 1)}, {}),
    "Mul_number": (IMAGE, {"w": weights(1)}, {}),
}  # fmt: skip


def single(key, name=None):
    shape, constants, attrs = SINGLE[key]
    attrs = {**attrs, "axis": 1} if key == "Concat" else attrs
    return model([node(key.split("_")[0], ["x", *constants], ["y"], name=name, **attrs)], shape, ("y",), constants)


def network(named):
    def n(op, inputs, output, name=None, **attrs):
        return node(op, inputs, [output], name=name if named else None, **attrs)

    nodes = [
        n("Conv", ["x", "w1", "b1"], "c1", "conv1", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        n("BatchNormalization", ["c1", "g", "b", "m", "v"], "n1", "norm1", epsilon=1e-3),
        n("Relu", ["n1"], "r1", "relu1"),
        n("MaxPool", ["r1"], "p1", "pool1", kernel_shape=[2, 2], strides=[2, 2]),
        n("Conv", ["p1", "w2"], "c2", "conv2", kernel_shape=[1, 1]),
        n("Relu", ["c2"], "r2"),
        n("Add", ["r2", "p1"], "a", "plus"),
        n("Concat", ["a", "p1"], "k", "joined", axis=1),
        n("Reshape", ["k", "s"], "f", "flat"),
        n("Gemm", ["f", "w3", "b3"], "g1", "dense1", transB=1),
        n("Tanh", ["g1"], "t", "tanh"),
        n("Dropout", ["t"], "d", "drop"),
        n("Gemm", ["d", "w4", "b4"], "g2", "dense2", transB=1),
        n("Softmax", ["g2"], "y", "soft", axis=1),
    ]
    constants = {
        "w1": weights(4, 4, 3, 3), "b1": weights(4), **{k: weights(4, positive=True) for k in ("g", "b", "m", "v")},
        "w2": weights(4, 4, 1, 1), "s": np.array([0, -1]), "w3": weights(5, 32), "b3": weights(5),
        "w4": weights(3, 5), "b4": weights(3),
    }  # fmt: skip
    return model(nodes, IMAGE, ("y",), constants)


def cases():
    """Name -> model."""
    found = {key: single(key) for key in SINGLE}
    found |= {f"{key} named": single(key, "given") for key in SINGLE}
    found["network"], found["network named"] = network(False), network(True)
    found["numbers"] = model(
        [node("Conv", ["1", "2", "3"], ["4"], kernel_shape=[3, 3]), node("Relu", ["4"], ["5"])],
        (1, 3, 4, 4), ("5",), {"2": weights(2, 3, 3, 3), "3": weights(2)}, data="1",
    )  # fmt: skip
    chain = [node("Relu", ["x"], ["r"]), node("Exp", ["r"], ["e"])]
    found["two outputs"], found["outputs in another order"] = (model(chain, ROWS, o) for o in (("r", "e"), ("e", "r")))
    found["paths as names"] = model(
        [node("Relu", ["x"], ["/a/relu_output_0"], name="/a/relu")], ROWS, ["/a/relu_output_0"]
    )
    found["a name twice"] = model([node("Relu", ["x"], ["r"], name="n"), node("Exp", ["r"], ["y"], name="n")], ROWS)
    found["a weight twice"] = model(
        [node("MatMul", ["x", "w"], ["a"]), node("MatMul", ["a", "w"], ["y"])], (2, 3), ("y",), {"w": weights(3, 3)}
    )
    found["split"] = model([node("Split", ["x"], ["a", "y"], name="parts", axis=1, split=[3, 3])], ROWS, ("a", "y"))
    found["newer opset"] = model([node("Relu", ["x"], ["r"]), node("Sigmoid", ["r"], ["y"], name="s")], ROWS, opset=13)
    return found


def described(mx, path):
    """What the import of a file gives: nodes with names and inputs, parameters with shapes, and what it computes."""
    with mx.name.NameManager():
        symbol, args, aux = mx.contrib.onnx.import_model(path)
    graph = json.loads(symbol.tojson())
    names: list = []
    for n in graph["nodes"]:
        names.append(names[n["inputs"][0][0]] if nothing(n) else n["name"])
    nodes = [[n["op"], n["name"], [names[i[0]] for i in n["inputs"]]] for n in graph["nodes"] if not nothing(n)]
    data = next(n for n in symbol.list_arguments() if n not in args)
    return {
        "nodes": nodes,
        "heads": [names[h[0]] for h in graph["heads"]],
        "outputs": symbol.list_outputs(),
        "args": {k: list(v.shape) for k, v in args.items()},
        "aux": {k: list(v.shape) for k, v in aux.items()},
        "data": data,
    }, (symbol, args, aux)


def nothing(n):
    """Is it the border of width 0 that the original puts around whatever is pooled?"""
    return n["op"] == "Pad" and not set(n["attrs"]["pad_width"]) - set("(0, )")


def computed(mx, imported, data, shape):
    """The outputs for fixed numbers."""
    symbol, args, aux = imported
    feed = {data: mx.nd.array(weights(*shape, positive=min(shape) == 1))}
    executor = symbol.bind(mx.cpu(), {**feed, **args}, grad_req="null", aux_states=aux)
    return [o.asnumpy() for o in executor.forward(is_train=False)]
