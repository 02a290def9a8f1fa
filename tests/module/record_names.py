"""Records what the original tells op hooks and executors' monitors of each operator: the names of inputs and outputs.

<python with mxnet 1.9.1> tests/module/record_names.py
"""

import gzip
import json
import pathlib
import sys

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
sys.path.insert(0, str(GOLDEN.parent))

import samples  # noqa: E402
from samples.common import find_function  # noqa: E402


def text(name):
    return name if isinstance(name, str) else name.decode()


def told(mx, cached_op, sample):
    """The names that an op hook and an executor's monitor are told, inputs too; None if the symbol has more inputs."""
    names = [f"in{i}" for i in range(len(sample.inputs))]
    variables = [None if a is None else mx.sym.var(n) for n, a in zip(names, sample.inputs)]
    with mx.name.NameManager():
        symbol = find_function(mx.sym, sample.op)(*variables, **sample.attrs)
    arrays = {n: mx.nd.array(a, dtype=a.dtype) for n, a in zip(names, sample.inputs) if a is not None}
    states = symbol.list_auxiliary_states()
    if set(symbol.list_inputs()) != set(arrays):
        return None
    hooked, watched = [], []
    cached = cached_op(symbol)
    cached._register_op_hook(lambda name, op, array: hooked.append(text(name)), True)
    cached(*[arrays[n] for n in symbol.list_inputs()])
    mx.nd.waitall()
    given = {n: arrays[n] for n in symbol.list_arguments()}
    executor = symbol.bind(mx.cpu(), given, aux_states={n: arrays[n] for n in states}, grad_req="null")
    executor.set_monitor_callback(lambda name, array: watched.append(text(name)), monitor_all=True)
    executor.forward(is_train=False)
    mx.nd.waitall()
    return hooked, watched


def first_samples():
    """The first sample of each operator, with its name."""
    seen = set()
    for family in samples.families():
        for name, sample in samples.load(family):
            if not sample.error and not sample.into and sample.op not in seen:
                seen.add(sample.op)
                yield f"{family}/{name}", sample


if __name__ == "__main__":
    store = {}
    for key, sample in first_samples():
        try:
            names = told(mx, mx.nd.CachedOp, sample)
        except Exception as error:  # an operator that is not for symbols
            print(f"{key}: {type(error).__name__}")
            continue
        if names is not None:
            store[key] = names
    data = json.dumps(store, separators=(",", ":"), sort_keys=True)
    (GOLDEN / "names.json.gz").write_bytes(gzip.compress(data.encode(), mtime=0))
    print(f"{len(store)} operators")
