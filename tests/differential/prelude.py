"""What every generated program starts with: below it, a shrunk program can be pasted and run."""

import collections
import pickle
import re
import zlib

import numpy as np
from samples.common import find_function

import mxnet as mx
from mxnet import autograd, gluon, nd, np as mnp, npx

JITTER = 0.0  # how far numbers may be off: shows what depends on rounding


def val(shape, seed=0, scale=8.0):
    """Numbers of both signs that are exact in float32, so that rounding does not add up."""
    size = int(np.prod(shape))
    numbers = (np.arange(size) * 37 + seed * 11 + 5) % 31 - 15.0
    noise = 8 * JITTER * np.sin(np.arange(size) + seed)
    return (numbers + noise).reshape(shape) / scale


def fill(arrays, seed=0, scale=8.0):
    """Writes such numbers to arrays, given as a dict; variances get positive ones."""
    for i, name in enumerate(sorted(arrays)):
        numbers = val(arrays[name].shape, seed + i, scale)
        arrays[name][:] = abs(numbers) + 0.5 if name.endswith(("var", "gamma")) else numbers


class Square(autograd.Function):
    """A function of the user's that keeps its input."""

    def forward(self, x):
        self.save_for_backward(x)
        return x * x

    def backward(self, dy):
        (x,) = self.saved_tensors
        return 2 * x * dy


class Mix(autograd.Function):
    """Two inputs, two outputs."""

    def forward(self, x, y):
        return x + y, x - y

    def backward(self, da, db):
        return da + db, da - db


class Residual(gluon.HybridBlock):
    """x + dense(x), with a parameter of its own."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner = gluon.nn.Dense(units, in_units=units, flatten=False, prefix="inner_")
            self.scale = self.params.get("scale", shape=(1, units), init="ones")

    def hybrid_forward(self, F, x, scale):
        return F.broadcast_mul(x, scale) + self.inner(x)


class Plain(gluon.Block):
    """A block that cannot be hybridized, around one that can."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner = Residual(units, prefix="residual_")

    def forward(self, x):
        return self.inner(x * 0.5) * 2


def thin(numbers, step):
    """Numbers with rows and elements that are zero, as sparse arrays have them."""
    numbers = np.array(numbers)
    numbers[1::step] = 0
    numbers[..., ::step] *= numbers[..., ::step] > 0
    return numbers


def everything(result):
    """All arrays in nested lists."""
    return [a for part in result for a in everything(part)] if isinstance(result, (list, tuple)) else [result]


def first(result):
    """The first of them."""
    return everything(result)[0]


symbols = everything


def told(seen):
    """What a Monitor has seen, in the order of the names: these as numbers, and the values.

    Without what the original also shows: head gradients, sums of gradients, and the inputs of backward; and without the
    masks of Dropout, which nobody writes to where nothing is dropped.
    """
    hidden = re.compile("_head_grad_|sum_grad|_backward_(input|lhs|rhs)|_mask$")
    named = [(name.replace("_backward", ""), text) for _, name, text in seen if not hidden.search(name)]
    return [(zlib.crc32(name.encode()), float(text.split()[0])) for name, text in sorted(named)]


def plain(values):
    """Arrays in nested lists and dictionaries as NumPy's: how they are stored does not matter."""
    if isinstance(values, dict):
        return {key: plain(value) for key, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [plain(value) for value in values]
    return values.asnumpy() if hasattr(values, "asnumpy") else values


class NumpyScale(gluon.HybridBlock):
    """x times a parameter of its own, plus one, in the style of mx.np."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.scale = self.params.get("scale", shape=(1,), init="ones")

    def hybrid_forward(self, F, x, scale):
        return F.npx.relu(x) * scale + 1


class _Weighted(gluon.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.weight = self.params.get("weight", shape=(units,))


class Looped(_Weighted):
    """A loop over rows."""

    def hybrid_forward(self, F, x, weight):
        out, state = F.contrib.foreach(lambda d, t: (d * weight + t, t + d), x, weight)
        return F.broadcast_add(out, F.reshape(state, shape=(1, -1)))


class Whiled(_Weighted):
    """A loop with an end that depends on numbers."""

    def hybrid_forward(self, F, x, weight):
        outs, (_, last) = F.contrib.while_loop(
            cond=lambda i, v: i < 3,
            func=lambda i, v: (v * weight, [i + 1, v + 1]),
            loop_vars=[F.zeros((1,)), F.sum(x, axis=0)],
            max_iterations=4,
        )
        return F.slice_axis(outs, axis=0, begin=0, end=3).sum(axis=0) + last


class Guarded(_Weighted):
    """One of two branches."""

    def hybrid_forward(self, F, x, weight):
        return F.contrib.cond(F.sum(x) > 0, lambda: F.broadcast_mul(x, F.reshape(weight, shape=(1, -1))), lambda: x * 2)


class Customized(_Weighted):
    """A custom operator among others."""

    def hybrid_forward(self, F, x, weight):
        return F.broadcast_mul(F.Custom(x * 2, op_type="keeps"), F.reshape(weight, shape=(1, -1)))


class _Twice(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * 2)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * 2)


class _InPlace(mx.operator.CustomOp):
    """Writes to its outputs by itself; uses its output in backward."""

    def forward(self, is_train, req, in_data, out_data, aux):
        out_data[0][:] = in_data[0]
        out_data[0][:] += 1 if is_train else 2

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * out_data[0])


class _Pair(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] + in_data[1])
        self.assign(out_data[1], req[1], in_data[0] * in_data[1])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] + out_grad[1] * in_data[1])
        self.assign(in_grad[1], req[1], out_grad[0] + out_grad[1] * in_data[0])


class _Counting(mx.operator.CustomOp):
    """Has a state that is written in training."""

    def forward(self, is_train, req, in_data, out_data, aux):
        if is_train:
            aux[0][:] += 1
        self.assign(out_data[0], req[0], in_data[0] * aux[0].asnumpy()[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * aux[0].asnumpy()[0])


class _Keeps(mx.operator.CustomOp):
    """Keeps an input for backward, as it was."""

    def forward(self, is_train, req, in_data, out_data, aux):
        self.kept = in_data[0].copy()
        self.assign(out_data[0], req[0], mx.nd.square(in_data[0]))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 2 * self.kept * out_grad[0])


class _Scaled(mx.operator.CustomOp):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * in_data[1] * self.factor)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * in_data[1] * self.factor)
        self.assign(in_grad[1], req[1], out_grad[0] * in_data[0] * self.factor)


def _register(name, operator, arguments=("data",), outputs=("output",), states=()):
    @mx.operator.register(name)
    class Prop(mx.operator.CustomOpProp):
        def __init__(self, **given):
            super().__init__(need_top_grad=True)
            self.given = {key: float(value) for key, value in given.items()}

        def list_arguments(self):
            return list(arguments)

        def list_outputs(self):
            return list(outputs)

        def list_auxiliary_states(self):
            return list(states)

        def infer_shape(self, in_shape):
            return [in_shape[0]] * len(arguments), [in_shape[0]] * len(outputs), [[1]] * len(states)

        def create_operator(self, ctx, shapes, dtypes):
            return operator(**self.given)


_register("twice", _Twice)
_register("inplace", _InPlace)
_register("pair", _Pair, ("first", "second"), ("sum", "product"))
_register("counting", _Counting, states=("count",))
_register("keeps", _Keeps)
_register("scaled", _Scaled, ("first", "second"))


# ---- single calls ----------------------------------------------------------------------------------------------------


def whole(shape, low, high, seed, dtype):
    """Whole numbers."""
    size = int(np.prod(shape))
    return ((np.arange(size) * 7 + seed * 3) % (high - low) + low).reshape(shape).astype(dtype)


def odd(shape, special, seed, dtype):
    """Numbers with special ones among them."""
    numbers = val(shape, seed).ravel()
    for i, value in enumerate(special):
        numbers[i * 3 + seed % 2 :: 7 + i] = value
    with np.errstate(over="ignore"):
        return numbers.reshape(shape).astype(dtype)


def _outputs(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _like(array):
    return nd.zeros(array.shape, dtype=array.dtype)


def _head(array, extra=0):
    shape = (*array.shape[:-1], array.shape[-1] + extra) if array.shape else array.shape
    ones = (mnp if type(array).__name__ == "ndarray" else nd).array(val(shape, 3), dtype=array.dtype)
    return ones


def backward_of(value):
    """Backward from all results of floating numbers."""
    results = [v for v in _outputs(value) if hasattr(v, "asnumpy") and "float" in str(np.dtype(v.dtype))]
    if results:
        autograd.backward(results, [_head(r) for r in results])


def heads(executor, extra=0):
    """Head gradients for all outputs."""
    return [_head(output, extra) for output in executor.outputs]


def bound(symbol, values, request):
    """An executor with these values; arguments and states that the operator adds itself start with small numbers."""
    shapes = {k: v.shape for k, v in values.items()}
    types = {k: v.dtype for k, v in values.items()}
    stypes = {k: v.stype for k, v in values.items() if v.stype != "default"}
    known = {k: shapes[k] for k in shapes if k in symbol.list_inputs()}
    executor = symbol.simple_bind(
        mx.cpu(),
        grad_req=request,
        type_dict={k: types[k] for k in known},
        **({"stype_dict": {k: stypes[k] for k in stypes if k in known}} if stypes else {}),
        **known,
    )
    for name, array in [*executor.arg_dict.items(), *executor.aux_dict.items()]:
        if name in values:
            values[name].copyto(array)
        else:
            array[:] = abs(val(array.shape, 1)) + 0.5
    return executor


def storage(value):
    """What the results are stored as, as numbers."""
    return [{"default": 0, "row_sparse": 1, "csr": 2}[v.stype] for v in _outputs(value) if hasattr(v, "stype")]


def letters(words):
    """Words as numbers, which are compared."""
    return [list(word.encode()) for word in words]


def kinds_of(value):
    """What the results are: arrays of ``mx.np``, NumPy's, numbers of Python."""
    return [_kind_of(value), *(_kind_of(v) for v in _outputs(value))]


def _kind_of(value):
    known = {float: 2, int: 3, bool: 4, tuple: 6, list: 7}  # NumPy 2 has a type of the name bool, too
    return known.get(type(value)) or {"ndarray": 1, "NDArray": 5}.get(type(value).__name__, 9)


class Call(gluon.HybridBlock):
    """One operator as a block."""

    def __init__(self, name, attributes):
        super().__init__()
        self._call = name, attributes

    def hybrid_forward(self, F, *inputs):
        name, attributes = self._call
        return find_function(F, name)(*inputs, **attributes)
