"""Records what the original tells a monitor of the backward pass: the names of all values, inputs of operators too, and
which of the values that were told before each of them is.

    <python with mxnet 1.9.1> tests/golden/record_backward.py

It crashes with some operators, so that children do the work, a new one after each crash. What differs between two
children is memory that nothing was written to: of that only the names are kept.
"""

import ctypes
import gzip
import json
import pathlib
import subprocess
import sys

import mxnet as mx
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

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
