"""Random symbols with parts of their shapes unknown, and what the original infers of them.

python tests/graph/infer_graph_cases.py make 600            (with ours: writes the symbols and what is given)
<python with mxnet 1.9.1> tests/graph/infer_graph_cases.py  (adds what the original finds)
"""

import gzip
import json
import pathlib
import random
import sys

import mxnet as mx

FILE = pathlib.Path(__file__).resolve().parents[1] / "golden" / "infer_graphs.json.gz"

# Rank of the data (None: any), and the symbol: x is the data, y an array of its shape, b one with some dimensions 1.
TEMPLATES = [
    (None, "FullyConnected(x, num_hidden=3)"),
    (None, "FullyConnected(x, num_hidden=2, no_bias=True, flatten=False)"),
    (3, "Convolution(x, kernel=(2,), num_filter=2)"),
    (4, "Convolution(x, kernel=(3, 2), num_filter=4, stride=(1, 2), pad=(1, 1), num_group=2)"),
    (4, "Convolution(x, kernel=(1, 1), num_filter=4, no_bias=True)"),
    (4, "Deconvolution(x, kernel=(2, 3), num_filter=2, stride=(2, 1), no_bias=False)"),
    (4, "Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type='avg')"),
    (4, "Pooling(x, kernel=(2, 2), global_pool=True)"),
    (None, "BatchNorm(x)"),
    (None, "BatchNorm(x, axis=-1)"),
    (None, "LayerNorm(x)"),
    (None, "Activation(x, act_type='relu')"),
    (None, "LeakyReLU(x, act_type='prelu')"),
    (None, "Dropout(x)"),
    (None, "log_softmax(x)"),
    (None, "SoftmaxOutput(x)"),
    (None, "SoftmaxOutput(x, multi_output=True)"),
    (None, "LinearRegressionOutput(x)"),
    (None, "Embedding(x, input_dim=5, output_dim=3)"),
    (None, "one_hot(x, depth=3)"),
    (None, "Reshape(x, shape=(0, -1))"),
    (None, "Reshape(x, shape=(-1,))"),
    (None, "Reshape(x, shape=(-3, -2))"),
    (None, "Reshape(x, shape=(0, -4, 1, -1, -2))"),
    (None, "Flatten(x)"),
    (None, "transpose(x)"),
    (None, "expand_dims(x, axis=1)"),
    (None, "squeeze(x)"),
    (None, "SwapAxis(x, dim1=0, dim2=1)"),
    (None, "tile(x, reps=(2, 1))"),
    (None, "repeat(x, repeats=2, axis=0)"),
    (None, "slice(x, begin=(0,), end=(2,))"),
    (None, "slice_axis(x, axis=-1, begin=0, end=1)"),
    (None, "SliceChannel(x, num_outputs=2, axis=1)[1]"),
    (None, "sum(x, axis=0)"),
    (None, "mean(x, axis=(0, 1), keepdims=True)"),
    (None, "max(x, axis=1)"),
    (None, "norm(x)"),
    (None, "argmax(x, axis=-1)"),
    (None, "elemwise_add(x, y)"),
    (None, "add_n(x, y, x)"),
    (None, "Concat(x, y, dim=1)"),
    (None, "stack(x, y)"),
    (None, "where(x, y, x)"),
    (None, "broadcast_add(x, b)"),
    (None, "broadcast_greater(b, x)"),
    (None, "take(x, y)"),
    (None, "pick(x, b, axis=-1, keepdims=True)"),
    (2, "dot(x, y, transpose_b=True)"),
    (3, "batch_dot(x, y, transpose_a=True)"),
    (3, "SequenceLast(x)"),
    (3, "SequenceMask(x, use_sequence_length=True)"),
    (3, "RNN(x, state_size=2, num_layers=1, mode='lstm')"),
    (None, "zeros(shape=(0,) * {rank}) + x"),
]
#: In graphs with these the original may take an unknown size for a number, or tell less than can be told.
TOLD_OTHERWISE = {"RNN", "Reshape"}


class Graph:
    """Grows a symbol by operators that fit. ``values`` are symbols with their shapes, ``shapes`` those of variables."""

    def __init__(self, dice):
        self.dice, self.values, self.shapes = dice, [], {}

    def variable(self, shape):
        """A variable, which may know a part of its shape."""
        name = f"v{len(self.shapes)}"
        self.shapes[name] = shape
        own = self.holes(shape) if self.dice.random() < 0.2 else None
        value = mx.sym.var(name, shape=own)
        self.values.append((value, shape))
        return value

    def holes(self, shape):
        """The shape with some dimensions unknown."""
        return tuple(0 if self.dice.random() < 0.4 else n for n in shape)

    def pick(self, rank, shape=None):
        fitting = [v for v in self.values if (v[1] == shape if shape else rank in (None, len(v[1])))]
        if fitting and self.dice.random() < 0.75:
            return self.dice.choice(fitting[-3:])
        shape = shape or tuple(self.dice.choice((1, 2, 3, 4, 6)) for _ in range(rank or self.dice.choice((2, 3, 4))))
        return self.variable(shape), shape

    def grow(self):
        """One more operator, if the one that was drawn fits."""
        rank, text = self.dice.choice(TEMPLATES)
        x, shape = self.pick(rank)
        operands = {"x": x}
        if "y" in text:
            operands["y"] = self.pick(None, shape)[0]
        if "b)" in text or "(b" in text or "b," in text:
            operands["b"] = self.pick(None, tuple(self.dice.choice((1, n)) for n in shape))[0]
        try:
            made = eval("sym." + text.format(rank=len(shape)), {"sym": mx.sym, **operands})
            given = {n: s for n, s in self.shapes.items() if n in made.list_arguments()}
            arguments, outputs, states = made.infer_shape(**given)
        except mx.MXNetError:
            return None
        if outputs is None or len(outputs) != 1:
            return None
        self.shapes.update(zip(made.list_arguments() + made.list_auxiliary_states(), arguments + states, strict=True))
        self.values.append((made, outputs[0]))
        return made


def make(count):
    """Symbols as JSON, each with the shapes to give."""
    dice, cases = random.Random(7), []
    while len(cases) < count:
        graph, made = Graph(dice), None
        with mx.name.NameManager():
            for _ in range(dice.choice((1, 1, 2, 3, 5))):
                grown = graph.grow()
                made = made if grown is None else grown
        if made is None:
            continue
        given = {}
        for name in made.list_inputs():
            if "convolution" in name:  # what they tell of data with unknown channels, we do not use
                continue
            chance, often = dice.random(), 0.7 if name.startswith("v") else 0.15
            if chance < often:
                given[name] = graph.shapes[name]
            elif chance < often + 0.2:
                given[name] = graph.holes(graph.shapes[name])
        cases.append([made.tojson(), given])
    return cases


def infer(mx, text, given):
    """What is known of arguments, outputs and states; None if that raises."""
    try:
        return mx.sym.load_json(text).infer_shape_partial(**{name: tuple(shape) for name, shape in given.items()})
    except mx.MXNetError:
        return None


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        found = make(int(sys.argv[2]))
    else:
        found = [
            [text, given, infer(mx, text, given)] for text, given, *_ in json.loads(gzip.decompress(FILE.read_bytes()))
        ]
        print(sum(case[2] is None for case in found), "raise of", len(found))
    FILE.write_bytes(gzip.compress(json.dumps(found).encode(), 9, mtime=0))
