"""Every operator with sparse inputs, for the recorder and the test: what comes out of a sample if one input is sparse.

A case is ``(mode, family, sample id, storage types)``. Storage types are one letter per input: ``d`` dense, ``c`` csr,
``r`` row_sparse, ``-`` not given. The modes are ``call`` (the function on arrays), ``grad`` (the same, recorded, with
gradients) and ``bind`` (an executor whose variables have these storage types).
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import samples
from samples.common import find_function, head_gradient

LETTERS = {"d": "default", "c": "csr", "r": "row_sparse"}
MODES = ("call", "grad", "bind")
#: Samples per operator; the first ones are the plainest.
PER_OPERATOR = 2
#: Rows and elements stay as they are where zeros would make the input something else: a matrix that is not positive.
UNMASKED = ("linalg", "boxes", "roi", "image")


def all_samples():
    """The samples that are run, by (family, id)."""
    chosen = {}
    for family in samples.families():
        counts = {}
        for name, sample in samples.load(family):
            if sample.error or not any(fits(a, "r") for a in sample.inputs):
                continue
            if any(a is not None and (a.dtype.kind not in "fi" or a.size > 4000) for a in sample.inputs):
                continue
            # a matrix among the first: csr arrays have two dimensions
            matrix = any(fits(a, "c") for a in sample.inputs)
            if counts.get((sample.op, matrix), 0) < PER_OPERATOR:
                counts[sample.op, matrix] = counts.get((sample.op, matrix), 0) + 1
                chosen[family, name] = sample
    return chosen


def fits(a, letter):
    """Can the array be stored so?"""
    if a is None or not a.size or a.dtype == np.float16:
        return False
    return a.ndim == 2 if letter == "c" else a.ndim >= 1


def cases():
    """All cases, in order."""
    found = []
    for (family, name), sample in all_samples().items():
        plain = "".join("-" if a is None else "d" for a in sample.inputs)
        layouts = {}
        for letter in "cr":
            places = [i for i, a in enumerate(sample.inputs) if fits(a, letter)]
            for i in places[:6]:
                layouts[plain[:i] + letter + plain[i + 1 :]] = 1
            if len(places) > 1:
                layouts["".join(letter if i in places else p for i, p in enumerate(plain))] = 1
        for layout in layouts:
            found += [(mode, family, name, layout) for mode in MODES]
    return found


def masked(a, letter):
    """The input with some zeros: every other row, and in csr matrices every third element."""
    a = a.copy()
    if a.shape[0] > 1:
        a[1::2] = 0
    if letter == "c":
        a.reshape(-1)[2::3] = 0
    return a


def inputs_of(family, sample, layout):
    """The inputs as NumPy arrays."""
    given = sample.fresh_inputs()
    if family in UNMASKED:
        return given
    return [masked(a, letter) if letter in "cr" else a for a, letter in zip(given, layout)]


def run(mx, mode, sample, given, layout):
    """Outputs and gradients by input number, as arrays."""
    mx.random.seed(7)
    if mode == "bind":
        return run_bound(mx, sample, given, layout)
    function = find_function(mx.nd, sample.op)
    arrays = [None if a is None else mx.nd.array(a, dtype=a.dtype).tostype(LETTERS[k]) for a, k in zip(given, layout)]
    if mode == "call":
        result = function(*arrays, **sample.attrs)
        return (list(result) if isinstance(result, (list, tuple)) else [result]), {}
    wanted = sample.grad_indices()
    for i in wanted:
        arrays[i].attach_grad()
    with mx.autograd.record(train_mode=sample.train):
        result = function(*arrays, **sample.attrs)
    outputs = list(result) if isinstance(result, (list, tuple)) else [result]
    heads = [o for o in outputs if np.dtype(o.dtype).kind == "f"]
    mx.autograd.backward(heads, [mx.nd.array(head_gradient(o.shape, o.dtype), dtype=o.dtype) for o in heads])
    return outputs, {i: arrays[i].grad for i in wanted}


def run_bound(mx, sample, given, layout):
    """The same by an executor."""
    function = find_function(mx.sym, sample.op)
    names = [None if a is None else f"in{i}" for i, a in enumerate(given)]
    variables = [
        None if a is None else mx.sym.var(n, stype=LETTERS[k], dtype=a.dtype, shape=a.shape)
        for n, a, k in zip(names, given, layout)
    ]
    symbol = function(*variables, **sample.attrs)
    wanted = sample.grad_indices()
    known = symbol.list_arguments() + symbol.list_auxiliary_states()
    requests = {n: "write" if i in wanted else "null" for i, n in enumerate(names) if n in known}
    executor = symbol.simple_bind(
        mx.cpu(),
        grad_req={n: requests.get(n, "null") for n in symbol.list_arguments()},
        **{n: a.shape for n, a in zip(names, given) if n in known},
    )
    held = dict(executor.arg_dict, **executor.aux_dict)
    for n, a, k in zip(names, given, layout):
        if n in held:
            source = mx.nd.array(a, dtype=a.dtype)
            held[n][:] = source.tostype(LETTERS[k]) if held[n].stype != "default" else source
    outputs = executor.forward(is_train=bool(wanted) or sample.train)
    gradients = {}
    if wanted:
        heads = [mx.nd.array(head_gradient(o.shape, o.dtype), dtype=o.dtype) for o in outputs]
        executor.backward(heads)
        gradients = {i: executor.grad_dict[names[i]] for i in wanted if executor.grad_dict.get(names[i]) is not None}
    return list(outputs), gradients


def outcome(mx, mode, family, name, layout, table={}):  # noqa: B006  (made once)
    """What is recorded: storage types, and values only where they are not those of the dense call."""
    if not table:
        table.update(all_samples())
    sample = table[family, name]
    given = inputs_of(family, sample, layout)
    plain = layout.replace("c", "d").replace("r", "d")
    try:
        outputs, gradients = run(mx, mode, sample, given, layout)
        values = [o.asnumpy() for o in outputs], {i: g.asnumpy() for i, g in gradients.items()}
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error).strip().split("\n")[0][:160]}
    found = {"out": [o.stype for o in outputs], "grad": {str(i): g.stype for i, g in gradients.items()}}
    try:
        whole, slopes = run(mx, mode, sample, [None if a is None else a.copy() for a in given], plain)
        dense = [o.asnumpy() for o in whole], {i: g.asnumpy() for i, g in slopes.items()}
    except Exception:
        dense = [], {}
    if not alike(values[0], dense[0], sample):
        found["values"] = [v.astype(np.float64).ravel().tolist() for v in values[0]]
    if values[1] and not alike(list(values[1].values()), list(dense[1].values()), sample):
        found["slopes"] = {str(i): v.astype(np.float64).ravel().tolist() for i, v in values[1].items()}
    return found


def alike(mine, theirs, sample):
    """Are the arrays the same up to rounding?"""
    if len(mine) != len(theirs):
        return False
    return all(
        a.shape == b.shape and np.allclose(a, b, max(sample.rtol, 1e-4), max(sample.atol, 1e-5), equal_nan=True)
        for a, b in zip(mine, theirs)
    )
