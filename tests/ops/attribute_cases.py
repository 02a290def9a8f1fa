"""Values of operators' attributes, good and bad, and what an MXNet says to them when a graph is made. Pure Python."""

import json
import re

import samples

NUMBERS = ["-2147483648", "-1", "0", "1", "2", "4", "1000", "2147483647", "0.5", "1.5", "-0.1", "1e30", "-1e30"]
OTHERS = ["x", "None", "True", "3L"]
TUPLES = [
    "()",
    "(0,)",
    "(0,0)",
    "(-1,-1)",
    "(1,)",
    "(1,1)",
    "(2,2)",
    "(1,1,1)",
    "(1,1,1,1)",
    "(1.5,1)",
    "x",
    "None",
    "2",
    "(1,",
    "[1,1]",
]
# What the original makes room for when it reads the attributes: the largest values take all memory.
COUNTS = {"num_outputs", "num_args", "num_weights", "num_tensors", "num_arrays", "num_graphs"}


def _values(attribute, kind):
    """Text to try for an attribute of that kind, as its documentation names it."""
    if re.match(r"int|long|float|double", kind):
        large = ("2147483647", "1000", "1e30")
        return [v for v in NUMBERS + OTHERS if attribute not in COUNTS or v not in large]
    if re.match(r"Shape|tuple", kind):
        return TUPLES
    if kind.startswith("boolean"):
        return ["true", "TRUE", "2", "yes", "None", "0"]
    if kind.startswith("{"):
        return ["nonsense", "None", "0"]
    return []


def cases(arguments):
    """Triples of an operator, its attributes and the one that is tried.

    ``arguments`` gives names and kinds for an operator's name. The other attributes are those of a sample that works.
    """
    seen = set()
    for family in samples.families():
        for _, sample in samples.load(family):
            if sample.error or sample.op in seen:
                continue
            seen.add(sample.op)
            given = {key: str(value) for key, value in sample.attrs.items() if value is not None}
            names, kinds = arguments(sample.op)
            for name, kind in zip(names, kinds):
                for value in _values(name, kind):
                    yield sample.op, {**given, name: value}, name


def compose(mx, op, attrs):
    """Makes a graph of one operator, as a file has it, without inputs."""
    node = {"op": op, "name": "x", "attrs": attrs, "inputs": []}
    graph = {"nodes": [node], "arg_nodes": [], "node_row_ptr": [0, 1], "heads": [[0, 0, 0]]}
    graph["attrs"] = {"mxnet_version": ["int", 10901]}
    return mx.sym.load_json(json.dumps(graph))
