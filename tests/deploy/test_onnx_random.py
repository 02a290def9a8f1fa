"""Exported operators with attributes, types, shapes and opsets drawn at random: what onnxruntime gives, against ours.

``PYTHONPATH=tests python tests/deploy/test_onnx_random.py 200`` draws that many calls of each operator.
"""

import collections
import random
import re
import sys
import tempfile

import numpy as np
import pytest
import samples
from compare import load_golden
from paths import GOLDEN

import mxnet as mx
from mxnet.ops import registry

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from test_onnx_export import NEEDS, RANDOM, export_sample, outcome, run_model, same_numbers

SIGNATURES = load_golden("signatures.json")
TYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")
#: Attributes that say nothing about the result, or that are counted by the call.
FIXED = {"ctx", "num_args", "cudnn_tune", "cudnn_off", "workspace"}
#: What the message of a refusal says, and why it is right.
REFUSED = (
    "output_mean_var", "projection_size", "a clipped state", "position_sensitive", "needs opset", "without elements",
    "cannot be inferred", "very large length", "one per dimension of the kernel", "has no input 'like'",
)  # fmt: skip
#: Operators with what onnxruntime and onnx's reference do otherwise: see also DIFFERENT in test_onnx_export.py.
OTHERWISE = {
    "LRN": "alpha and beta must be positive there",
    "RNN": "no kernel for float64 there",
    "ROIPooling": "no kernel for other types, nor for regions beside the images",
    "UpSampling": "inputs of different sizes",
    "_contrib_box_nms": "boxes of the same score come in another order; thresholds from 0 to 1 only",
    "_split_v2": "sections below 0 mean nothing",
    "argmax": "NaN is not the largest number there", "argmin": "the same", "max": "NaN is not kept", "min": "the same",
    "log2": "rounding before a conversion to integers",
    "sum": "a sum of int32 beyond its range", "prod": "the same",
}  # fmt: skip


class Call:
    """A sample with some of it changed."""

    def __init__(self, sample, draw):
        self.op, self.attrs = sample.op, dict(sample.attrs)
        self.inputs = [None if a is None else np.array(a) for a in sample.inputs]
        if draw.random() < 0.2:
            dtype = draw.choice(TYPES)
            self.inputs = [a if a is None or a.dtype.kind != "f" else a.astype(dtype) for a in self.inputs]
        if draw.random() < 0.25:
            self._resize(draw)
        self._redraw(draw)

    def _resize(self, draw):
        first = self.inputs[0] if self.inputs else None
        if first is None or not first.ndim or not first.size:
            return
        axis, size = draw.randrange(first.ndim), draw.choice([1, 2, 3, 5, 7])
        self.inputs = [
            np.resize(a, (*a.shape[:axis], size, *a.shape[axis + 1 :]))
            if a is not None and a.shape == first.shape
            else a
            for a in self.inputs
        ]

    def _redraw(self, draw):
        definition = registry.get(self.op)
        known = SIGNATURES.get(definition.name, {}).get("attrs", {})
        params = {k: p for k, p in definition.params.items() if k in known and k not in FIXED}
        if not params or draw.random() < 0.2:
            return
        ndim = self.inputs[0].ndim if self.inputs and self.inputs[0] is not None else 2
        for key in draw.sample(sorted(params), min(len(params), draw.choice([1, 1, 2, 3]))):
            self.attrs[key] = drawn(draw, params[key], ndim)

    def fresh_inputs(self):
        return [None if a is None else a.copy() for a in self.inputs]

    def __str__(self):
        return f"{self.op} of {[None if a is None else (a.shape, str(a.dtype)) for a in self.inputs]} with {self.attrs}"


def drawn(draw, param, ndim):
    """A value of an attribute, by its declared type."""
    kind = param.kind
    if kind.endswith(" or None") and draw.random() < 0.3:
        return None
    kind = kind.removesuffix(" or None")
    if kind.startswith("{"):
        return draw.choice([k for k in re.findall(r"'([^']*)'", kind) if k != "bfloat16"] or ["float32"])
    if kind == "boolean":
        return draw.choice([True, False])
    if kind == "int":
        return draw.choice([-3, -2, -1, 0, 1, 2, 3, 4])
    if kind == "float":
        return draw.choice([-1.5, -1.0, 0.0, 0.1, 0.5, 1.0, 2.0, 3.5, 1e-5])
    if "float" in kind:
        return tuple(draw.choice([0.1, 0.5, 1.0, 2.0]) for _ in range(draw.randint(1, 4)))
    if "Shape" in kind or "int" in kind:
        count = draw.choice([ndim, ndim, max(ndim - 2, 1), 1, 2, draw.randint(0, 4)])
        return tuple(draw.choice([-1, 0, 1, 1, 2, 3]) for _ in range(count))
    return param.default


def sampled():
    """The operators that the original exports, with accepted calls of each."""
    text = (GOLDEN / "onnx_operators.txt").read_text()
    wanted = {registry.get(n).name for n in text.partition("export: ")[2].partition("import: ")[0].split()}
    found = collections.defaultdict(list)
    for family in samples.families():
        for _, sample in samples.load(family):
            name = registry.get(sample.op).name
            if name in wanted and not sample.error and not sample.train:
                found[name].append(sample)
    return dict(sorted(found.items()))


SAMPLES = sampled()


def compare(name, number, path):
    """Compares one call: 'same', 'invalid' if ours refuses it as well, 'refused' by the export; else an error."""
    draw = random.Random(f"{name} {number}")
    call = Call(draw.choice(SAMPLES[name]), draw)
    opset = max(draw.choice([13, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]), NEEDS.get(name, 0))
    try:
        wanted = outcome(call)
    except (mx.MXNetError, ValueError, TypeError, OverflowError):
        return "invalid"
    try:
        feeds = export_sample(call, path, opset_version=opset)
    except (mx.MXNetError, ValueError) as error:
        if any(reason in str(error) for reason in REFUSED):
            return "refused"
        raise AssertionError(f"{call}, opset {opset}: {error}") from error
    try:
        for want, got in zip(wanted, run_model(path, feeds), strict=False):
            if name in RANDOM:
                assert got.shape == want.shape and got.dtype == want.dtype
            else:
                same_numbers(got, want)
    except Exception as error:  # of the runtime's own kinds, too
        raise AssertionError(f"{call}, opset {opset}: {error}") from error
    return "same"


@pytest.mark.filterwarnings("ignore")
def test_random_attributes(tmp_path):
    found = collections.Counter()
    for name in SAMPLES:
        if name not in OTHERWISE:
            found.update(compare(name, number, str(tmp_path / "op.onnx")) for number in range(5))
    assert found["same"] > 450 and found["refused"] < 40


def main(count):
    found = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name in SAMPLES:
            for number in range(count):
                try:
                    found[compare(name, number, f"{folder}/op.onnx")] += 1
                except AssertionError as error:
                    found["otherwise" if name in OTHERWISE else "different"] += 1
                    if name not in OTHERWISE:
                        print(error)
    print(dict(found))
    return found["different"] > 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
