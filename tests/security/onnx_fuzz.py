"""Imports damaged ONNX files: ``python onnx_fuzz.py <count> <seed>``. Each must be read, or refused with a text.

Prints how many were read and refused, and by how much the peak of resident memory grew, in MB.
"""

import random
import resource
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import mxnet as mx

F, I64 = TensorProto.FLOAT, TensorProto.INT64


def info(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, constants=(), opset=17):
    stored = [numpy_helper.from_array(np.asarray(v), n) for n, v in constants]
    graph = helper.make_graph(nodes, "g", inputs, outputs, stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def seeds():
    """Small models with as many kinds of content as possible."""
    node = helper.make_node
    rand = np.random.RandomState(0)

    def floats(*shape):
        return rand.rand(*shape).astype("f")

    yield model(
        [node("Conv", ["x", "w", "b"], ["c"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]), node("Relu", ["c"], ["r"]),
         node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]), node("Flatten", ["p"], ["f"]),
         node("Gemm", ["f", "v"], ["y"], transB=1)],
        [info("x", F, ["n", 3, 8, 8])], [info("y", F, ["n", 5])],
        [("w", floats(4, 3, 3, 3)), ("b", floats(4)), ("v", floats(5, 64))],
    )  # fmt: skip
    yield model(
        [node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"]), node("Unsqueeze", ["n", "axis"], ["nn"]),
         node("Concat", ["nn", "minus"], ["t"], axis=0), node("Reshape", ["x", "t"], ["r"]),
         node("Slice", ["r", "axis", "two", "one"], ["y"]), node("Pad", ["y", "pads"], ["z"]),
         node("Tile", ["z", "reps"], ["u"]), node("Transpose", ["u"], ["o"], perm=[1, 0])],
        [info("x", F, ["n", 2, 3])], [info("o", F, None)],
        [("zero", np.int64(0)), ("axis", np.array([0])), ("minus", np.array([-1])), ("two", np.array([2])),
         ("one", np.array([1])), ("pads", np.array([0, 1, 0, 1])), ("reps", np.array([2, 2]))],
    )  # fmt: skip
    branch = [
        helper.make_graph([node(op, ["x"], [f"{op}o"])], op, [], [info(f"{op}o", F, [2])]) for op in ("Exp", "Neg")
    ]
    body = helper.make_graph(
        [node("Add", ["v", "x"], ["vo"]), node("Identity", ["go"], ["goo"])], "body",
        [info("i", I64, []), info("go", TensorProto.BOOL, []), info("v", F, [2])],
        [info("goo", TensorProto.BOOL, []), info("vo", F, [2])],
    )  # fmt: skip
    yield model(
        [node("ReduceSum", ["x"], ["t"], keepdims=0), node("Greater", ["t", "zero"], ["c"]),
         node("If", ["c"], ["a"], then_branch=branch[0], else_branch=branch[1]),
         node("Loop", ["count", "true", "a"], ["y"], body=body)],
        [info("x", F, [2])], [info("y", F, [2])],
        [("zero", np.float32(0)), ("count", np.int64(3)), ("true", np.bool_(True))],
    )  # fmt: skip
    yield model(
        [node("LSTM", ["x", "W", "R", "B"], ["y", "h", "c"], hidden_size=3), node("Softmax", ["h"], ["s"], axis=-1),
         node("BatchNormalization", ["s", "g", "g", "g", "g"], ["z"]), node("TopK", ["z", "k"], ["v", "i"]),
         node("Cast", ["i"], ["f"], to=F), node("Where", ["m", "v", "f"], ["o"])],
        [info("x", F, [4, 2, 5])], [info("o", F, None)],
        [("W", floats(1, 12, 5)), ("R", floats(1, 12, 3)), ("B", floats(1, 24)), ("g", floats(2)), ("k", np.array([2])),
         ("m", np.array([True, False]))],
    )  # fmt: skip
    yield model(
        [node("ConstantOfShape", ["s"], ["a"]), node("Expand", ["x", "s"], ["b"]), node("Add", ["a", "b"], ["c"]),
         node("Range", ["lo", "hi", "step"], ["r"]), node("Mul", ["c", "r"], ["d"]),
         node("OneHot", ["r", "depth", "vals"], ["e"]), node("Resize", ["i", "", "scales"], ["f"], mode="nearest"),
         node("Einsum", ["d", "d"], ["g"], equation="ij,kj->ik")],
        [info("x", F, [1, 4]), info("i", F, [1, 1, 2, 2])], [info(name, F, None) for name in "gef"],
        [("s", np.array([3, 4])), ("lo", np.float32(0)), ("hi", np.float32(4)), ("step", np.float32(1)),
         ("depth", np.int64(5)), ("vals", np.array([0, 1], "f")), ("scales", np.array([1, 1, 2, 2], "f"))],
    )  # fmt: skip
    yield model(
        [node("NonMaxSuppression", ["b", "s", "most", "overlap", "least"], ["k"]),
         node("Gather", ["k", "two"], ["i"], axis=1), node("Squeeze", ["i", "one"], ["p"]),
         node("Squeeze", ["b", "zero"], ["all"]), node("Gather", ["all", "p"], ["y"]),
         node("GatherND", ["b", "pairs"], ["g"], batch_dims=1),
         node("ScatterND", ["g", "at", "new"], ["u"], reduction="add"), node("NonZero", ["s"], ["n"]),
         node("SplitToSequence", ["u"], ["q"], axis=1), node("SequenceAt", ["q", "last"], ["e"]),
         node("QuantizeLinear", ["e", "scale", "point"], ["z"])],
        [info("b", F, [1, 6, 4]), info("s", F, [1, 1, 6])],
        [info("y", F, None), info("n", I64, None), info("z", TensorProto.UINT8, None)],
        [("most", np.array([4])), ("overlap", np.array([0.5], "f")), ("least", np.array([0.1], "f")),
         ("two", np.array([2])),
         ("one", np.array([1])), ("zero", np.array([0])), ("pairs", np.array([[[0], [3], [5]]])),
         ("at", np.array([[0, 1]])), ("new", floats(1, 4)), ("last", np.int64(-1)),
         ("scale", np.float32(0.1)), ("point", np.uint8(3))],
    )  # fmt: skip


NUMBERS = [0, 1, -1, 2, 7, 255, 2**15, 2**31 - 1, -(2**31), 2**33, 2**62, -(2**63)]


def by_bytes(data, chance):
    """Some bytes changed, cut out or put in."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(data))
        kind = chance.randrange(5)
        if kind == 0:
            data[place] = chance.randrange(256)
        elif kind == 1:
            del data[place : place + chance.randint(1, 16)]
        elif kind == 2:
            data[place:place] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 8)))
        elif kind == 3:
            data[place] ^= 1 << chance.randrange(8)
        else:
            data = data[: max(place, 1)]
        if not data:
            data = bytearray(b"\0")
    return bytes(data)


def by_fields(data, chance):
    """A sound file whose fields say something else."""
    proto = onnx.ModelProto.FromString(data)
    for _ in range(chance.randint(1, 3)):
        message = proto.graph
        while True:
            fields = [(f, v) for f, v in message.ListFields()]
            if not fields:
                break
            field, value = chance.choice(fields)
            items = value if hasattr(value, "__len__") and not isinstance(value, str | bytes) else None
            if field.message_type is not None:
                message = chance.choice(list(items)) if items is not None else value
                if chance.random() < 0.1 and items is not None and hasattr(items, "pop"):
                    items.pop()
                    break
                continue
            change(message, field, value, items, chance)
            break
    return proto.SerializeToString()


def change(message, field, value, items, chance):
    if items is not None:
        place = chance.randrange(len(items))
        sample = items[place]
    else:
        sample = value
    if isinstance(sample, str):
        new = chance.choice(["", "x", "y", "nothing", sample[::-1], "Add", "Reshape", "Loop", "Tile", "\0"])
    elif isinstance(sample, bytes):
        new = sample[: chance.randrange(len(sample) + 1)]
    elif isinstance(sample, float):
        new = chance.choice([0.0, -1.0, float("nan"), float("inf"), 1e30])
    else:
        new = chance.choice(NUMBERS)
    try:
        if items is not None:
            items[place] = new
        else:
            setattr(message, field.name, new)
    except (ValueError, TypeError):  # the field does not take it
        pass


def main(count, seed):
    mx.onnx.import_model(next(seeds()))
    start = [m.SerializeToString() for m in seeds()]
    for data in start:
        mx.onnx.import_model(data)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    good = refused = 0
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        data = chance.choice([by_bytes, by_fields])(chance.choice(start), chance)
        try:
            mx.onnx.import_model(data)
            good += 1
        except mx.MXNetError as error:
            assert str(error).strip(), number
            refused += 1
        except Exception as error:
            raise SystemExit(f"number {number} of seed {seed}: {type(error).__name__}: {error}") from error
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    print(good, refused, grown)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
