"""onnx's own tests of single operators (they come with the package): which of them imported models pass.

``PYTHONPATH=tests python tests/deploy/test_onnx_nodes.py`` writes the list of the others, with the reasons.
"""

import collections
import re
import warnings

import numpy as np
import pytest
from paths import GOLDEN

import mxnet as mx

onnx = pytest.importorskip("onnx")

RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
LIST = GOLDEN / "onnx_nodes.txt"


def cases():
    """The test cases of the package: models with their inputs and outputs."""
    from onnx.backend.test.case.node import collect_testcases
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        load_model_tests(kind="node")
        return sorted(collect_testcases(None), key=lambda case: case.name)


def with_constants(case, inputs):
    """The model with its inputs but the first as constants: axes and shapes, which MXNet has as attributes."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    for info, value in list(zip(model.graph.input, inputs, strict=True))[1:]:
        model.graph.initializer.append(onnx.numpy_helper.from_array(value, info.name))
    return model


def as_array(value):
    shape = value.shape or (1,)
    if value.dtype.name == "bfloat16":
        return mx.nd.array(value.astype("float32")).reshape(shape).astype("bfloat16")
    return mx.nd.array(value, dtype=value.dtype).reshape(shape)


def as_numpy(array):
    """The numbers of an array, those of bfloat16 as float32."""
    return (array.astype("float32") if array.dtype == np.dtype([("bfloat16", np.uint16)]) else array).asnumpy()


def run_case(case, model, inputs):
    symbol, args, aux = mx.onnx.import_model(model)
    given = {i.name: a for i, a in zip(case.model.graph.input, inputs, strict=True)}
    wanted = [n for n in symbol.list_inputs() if n not in args and n not in aux]
    feeds = {n: as_array(given[n]) for n in wanted}
    states = {n: feeds.pop(n) for n in symbol.list_auxiliary_states() if n in feeds}
    executor = symbol.bind(mx.cpu(), {**feeds, **args}, grad_req="null", aux_states={**aux, **states})
    return [as_numpy(o) for o in executor.forward(is_train=False)]


def as_given(value):
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def outcome(case):
    """'' if a case passes, 'constants' if it does with constants, else why not."""
    inputs, outputs = case.data_sets[0]
    if not all(isinstance(a, np.ndarray | np.generic | onnx.TensorProto) for a in (*inputs, *outputs)):
        return "sequences and optional values"
    inputs, outputs = [as_given(a) for a in inputs], [as_given(a) for a in outputs]
    kinds = {a.dtype.name for a in (*inputs, *outputs)}
    strange = kinds - {"bool", "float16", "float32", "float64", "bfloat16", "int8", "uint8", "int32", "int64", "object"}
    if strange:
        return f"MXNet has no {', '.join(sorted(strange))}"
    if any(node.op_type in RANDOM for node in case.model.graph.node):
        return "random numbers, which are other ones by their nature"
    reason = ""
    for model, passed in ((case.model, ""), (None, "constants")):
        try:
            found = run_case(case, model or with_constants(case, inputs), inputs)
        except (mx.MXNetError, NotImplementedError) as error:
            reason = str(error)
            if not passed and ("only known when" in reason or "open" in reason):
                continue
            return short(reason)
        except (KeyError, TypeError, ValueError) as error:
            return f"not run: {type(error).__name__} of {', '.join(sorted(kinds))}"
        return passed if all(map(equal, found, outputs, [case] * len(found))) else "other numbers"
    return short(reason)


def equal(found, wanted, case):
    if found.shape != wanted.shape and not (not wanted.shape and found.shape == (1,)):
        return False
    if wanted.dtype == np.float16:  # of which the last digits depend on the order of sums
        return found.dtype == np.float16 and np.allclose(
            found.reshape(wanted.shape), wanted, rtol=1e-2, atol=2e-3, equal_nan=True
        )
    if wanted.dtype.name == "bfloat16":
        return np.allclose(found.reshape(wanted.shape), wanted.astype("float32"), rtol=1e-2, atol=1e-2, equal_nan=True)
    if found.dtype != wanted.dtype:
        return False
    return np.allclose(found.reshape(wanted.shape), wanted, rtol=max(case.rtol, 1e-3), atol=1e-5, equal_nan=True)


def short(reason):
    """A reason without what is particular to the case."""
    reason = reason.split("\n")[0]
    if "cannot be resolved" in reason:
        return "its body as a function cannot be had without the shapes of all values"
    match = re.search(r"no converter for the operators (.*)", reason)
    if match:
        return f"no operator {match[1]}"
    reason = re.sub(r"^node '.*?' \((\w+)\): ", r"\1: ", reason)
    reason = re.sub(r"(tensor|input|output|attribute) '.*?'", r"\1", reason)
    return re.sub(r"[.:] Given.*", "", re.sub(r"\d[\d., ]*", "# ", reason))[:110].strip()


def outcomes():
    found = collections.defaultdict(list)
    for case in cases():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[outcome(case)].append(case.name)
    return found


def read_list():
    listed = {}
    for line in LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(": ")
            listed[name] = reason
    return listed


def test_node_tests_of_onnx(capsys):
    found = outcomes()
    total = sum(map(len, found.values()))
    passed, fixed = len(found.pop("", ())), len(found.pop("constants", ()))
    with capsys.disabled():
        print(f"\nonnx's node tests: {passed} of {total} pass, {fixed} more with shapes and axes as constants")
    failing = {name: reason for reason, names in found.items() for name in names}
    listed = read_list()
    assert sorted(set(failing) - set(listed)) == [], "these passed before"
    assert sorted(set(listed) - set(failing)) == [], "these pass now: write the list anew"


def write_list():
    found = outcomes()
    total = sum(map(len, found.values()))
    passed, fixed = found.pop("", ()), found.pop("constants", ())
    lines = [
        "# The node tests of onnx that imported models do not pass, and why. Written by test_onnx_nodes.py.",
        f"# onnx {onnx.__version__}: {len(passed)} of {total} pass, "
        f"{len(fixed)} more with shapes and axes as constants.",
        "",
    ]
    for reason in sorted(found):
        lines += [f"{name}: {reason}" for name in sorted(found[reason])]
    LIST.write_text("\n".join(lines) + "\n")
    return lines[1]


if __name__ == "__main__":
    print(write_list())
