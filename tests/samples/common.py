"""The Sample record and helpers to write tables of them."""

import zlib
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Sample:
    """One call of an operator: ``nd.<op>(*inputs, **attrs)``.

    ``grad``     compare gradients of all floating inputs with the original's (or a tuple of input indices)
    ``numeric``  also check them numerically in double precision (off for loss heads and kinks)
    ``train``    run in training mode
    ``error``    the original refuses this call, and so must we
    ``into``     the indices of the inputs that are also given as ``out=`` (multi-tensor updates need them)
    """

    op: str
    inputs: list
    attrs: dict = field(default_factory=dict)
    grad: object = True
    numeric: bool = True
    train: bool = False
    error: bool = False
    rtol: float = 1e-5
    atol: float = 1e-6
    into: tuple = ()

    def fresh_inputs(self):
        """Copies of the inputs, since some operators write to them."""
        return [None if a is None else a.copy() for a in self.inputs]

    def grad_indices(self):
        """Which inputs are differentiated."""
        if self.grad is False or self.error:
            return []
        floating = [i for i, a in enumerate(self.inputs) if a is not None and a.dtype.kind == "f"]
        return floating if self.grad is True else [i for i in floating if i in self.grad]

    def checksum(self):
        """A number that changes when the sample does, to notice golden files that are out of date."""
        text = repr((self.op, sorted(self.attrs.items(), key=lambda kv: kv[0]), self.train, self.grad_indices()))
        code = zlib.crc32((text + repr(self.into) if self.into else text).encode())
        for a in self.inputs:
            code = zlib.crc32(b"none" if a is None else np.ascontiguousarray(a).tobytes(), code)
        return code


def S(op, *inputs, grad=True, numeric=True, train=False, error=False, rtol=1e-5, atol=1e-6, into=(), **attrs):
    """A Sample in one line; attributes are keyword arguments (one with a reserved name: ``attrs_=dict(...)``)."""
    attrs.update(attrs.pop("attrs_", {}))
    return Sample(op, list(inputs), attrs, grad, numeric, train, error, rtol, atol, into)


def rand(*shape, low=-1.0, high=1.0, seed=0, dtype="float32"):
    """Reproducible uniform numbers; the same shape and seed give the same numbers on every NumPy."""
    code = zlib.crc32(repr((shape, seed)).encode())
    values = np.random.RandomState(code).uniform(low, high, size=shape)
    return np.asarray(values).astype(dtype)


def ints(*shape, low=0, high=10, seed=0, dtype="int32"):
    """Reproducible integers in [low, high)."""
    code = zlib.crc32(repr((shape, seed)).encode())
    return np.asarray(np.random.RandomState(code).randint(low, high, size=shape)).astype(dtype)


def head_gradient(shape, dtype):
    """The head gradient used when comparing gradients: fixed, not constant."""
    return np.cos(np.arange(int(np.prod(shape)))).reshape(shape).astype(dtype)


_PREFIXES = [
    ("_contrib_", "contrib"),
    ("_linalg_", "linalg"),
    ("_random_", "random"),
    ("_sample_", "random"),
    ("_image_", "image"),
    ("_sparse_", "sparse"),
]


def find_function(root, name):
    """The public function of an operator in ``mx.nd`` or ``mx.sym``."""
    for module in (root, getattr(root, "_internal", None), getattr(root, "op", None)):
        if module is not None and hasattr(module, name):
            return getattr(module, name)
    for prefix, short in _PREFIXES:
        if name.startswith(prefix) and hasattr(getattr(root, short, None), name[len(prefix) :]):
            return getattr(getattr(root, short), name[len(prefix) :])
    raise AttributeError(f"no function for operator {name}")


def run(mx, sample):
    """Runs a sample on an MXNet (theirs or ours): outputs, gradients by input index, inputs changed by the call."""
    function = find_function(mx.nd, sample.op)
    given = sample.fresh_inputs()
    arrays = [None if a is None else mx.nd.array(a, dtype=a.dtype) for a in given]
    wanted = sample.grad_indices()
    for i in wanted:
        arrays[i].attach_grad()
    attrs = dict(sample.attrs, out=[arrays[i] for i in sample.into]) if sample.into else sample.attrs
    if wanted:
        with mx.autograd.record(train_mode=sample.train):
            result = function(*arrays, **attrs)
    elif sample.train:
        with mx.autograd.train_mode():
            result = function(*arrays, **attrs)
    else:
        result = function(*arrays, **attrs)
    outputs = list(result) if isinstance(result, (list, tuple)) else [result]
    values = [o.asnumpy() for o in outputs]
    gradients = {}
    if wanted:
        heads = [o for o, v in zip(outputs, values) if v.dtype.kind == "f"]
        mx.autograd.backward(heads, [mx.nd.array(head_gradient(o.shape, o.dtype), dtype=o.dtype) for o in heads])
        gradients = {i: arrays[i].grad.asnumpy() for i in wanted}
    changed = {}
    for i, (array, before) in enumerate(zip(arrays, given)):
        if array is not None and not np.array_equal(array.asnumpy(), before, equal_nan=before.dtype.kind == "f"):
            changed[i] = array.asnumpy()
    return values, gradients, changed


def describe_symbol(mx, np, sample):
    """What an MXNet's ``mx.sym`` makes of a sample: file text, names, inferred shapes and types."""
    function = find_function(mx.sym, sample.op)
    names = [f"in{i}" for i in range(len(sample.inputs))]
    variables = [None if a is None else mx.sym.var(n) for n, a in zip(names, sample.inputs)]
    with mx.name.NameManager():
        symbol = function(*variables, **sample.attrs)
    shapes = {n: a.shape for n, a in zip(names, sample.inputs) if a is not None}
    types = {n: a.dtype for n, a in zip(names, sample.inputs) if a is not None}
    inferred = symbol.infer_shape(**shapes)
    kinds = symbol.infer_type(**types)
    try:
        partial = symbol.infer_shape_partial(in0=shapes["in0"])
    except (KeyError, mx.MXNetError):  # no input, or one that the operator cannot do without
        partial = None
    return {
        "json": symbol.tojson(),
        "arguments": symbol.list_arguments(),
        "aux": symbol.list_auxiliary_states(),
        "outputs": symbol.list_outputs(),
        "shapes": None if inferred[1] is None else [list(s) for s in inferred[1]],
        "types": None if kinds[1] is None else [np.dtype(t).name for t in kinds[1]],
        "partial": None if partial is None else [[list(s) for s in part] for part in partial],
    }
