"""Calls that are wrong or unusual, made from the samples by changing one thing. Pure NumPy, for the recorder, too."""

import numpy as np
import samples
from samples.common import find_function


def _inputs(sample):
    """Other ranks, sizes and dtypes of one array, and one array less."""
    given = sample.inputs
    for i, array in enumerate(given):
        if array is None:
            continue
        others = {"one dimension more": array[None], "one dimension more at the end": array[..., None]}
        if array.ndim and array.size:
            others["one dimension less"] = array[0] if array.ndim > 1 else array[:1]
        for axis, size in enumerate(array.shape):
            if size > 1:
                others[f"shorter along {axis}"] = np.take(array, range(size - 1), axis)
            if size:
                others[f"longer along {axis}"] = np.concatenate([array, np.take(array, [0], axis)], axis)
        with np.errstate(all="ignore"):
            others.update((d, array.astype(d)) for d in ("float16", "float64", "int32", "uint8") if array.dtype != d)
        for what, other in others.items():
            yield f"input {i}: {what}", [*given[:i], other, *given[i + 1 :]]
    if len(given) > 1:
        yield "last input missing", given[:-1]


def _values(value):
    """Other values for an attribute."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [-value - 1 if isinstance(value, int) else -value, value + 1, 0, 100, -100, "abc", None]
    if isinstance(value, (tuple, list)):
        value = tuple(value)
        numbers = all(isinstance(n, (int, float)) for n in value)
        changed = [tuple(n * a + b for n in value) for a, b in ((0, 0), (-1, -1), (1, 50))] if numbers else []
        return [value[:-1], (*value, 1), *changed]
    return ["nonsense"] if isinstance(value, str) else []


def calls(family):
    """Names and calls ``(sample, inputs, attributes)`` for the first sample of each operator that works."""
    seen = set()
    for name, sample in samples.load(family):
        if sample.error or sample.op in seen:
            continue
        seen.add(sample.op)
        for what, inputs in _inputs(sample):
            yield f"{name}, {what}", (sample, inputs, sample.attrs)
        for key, value in sample.attrs.items():
            for other in _values(value):
                yield f"{name}, {key}={other!r}", (sample, sample.inputs, dict(sample.attrs, **{key: other}))
            yield f"{name}, no {key}", (sample, sample.inputs, {k: v for k, v in sample.attrs.items() if k != key})


def outcome(mx, call, errors=(AssertionError, LookupError, TypeError, ValueError)):
    """Shapes and dtypes of what an MXNet gives for a call, or "refused", which may also be told by ``errors``."""
    sample, inputs, attrs = call
    arrays = [None if a is None else mx.nd.array(a, dtype=a.dtype) for a in inputs]
    if sample.into:
        attrs = dict(attrs, out=[arrays[i] for i in sample.into if i < len(arrays)])
    try:
        with mx.autograd.train_mode() if sample.train else mx.autograd.predict_mode():
            found = find_function(mx.nd, sample.op)(*arrays, **attrs)
        values = [o.asnumpy() for o in (found if isinstance(found, (list, tuple)) else [found])]
    except (mx.MXNetError, *errors):
        return "refused"
    return [[list(v.shape), v.dtype.name] for v in values]
