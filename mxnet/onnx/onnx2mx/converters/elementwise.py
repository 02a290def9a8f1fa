"""Arithmetic, comparing and logical operators."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import torch

from ....error import MXNetNotImplementedError
from ...package import torch_type
from ..graph import Builder, OnnxNode, Value, importer

# ---- one input -------------------------------------------------------------------------------------------------------

_UNARY = {
    "Abs": "abs", "Acos": "arccos", "Acosh": "arccosh", "Asin": "arcsin", "Asinh": "arcsinh", "Atan": "arctan",
    "Atanh": "arctanh", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Exp": "exp", "Floor": "floor",
    "Log": "log", "Neg": "negative", "Reciprocal": "reciprocal", "Relu": "relu", "Sigmoid": "sigmoid", "Sign": "sign",
    "Sin": "sin", "Sinh": "sinh", "Softsign": "softsign", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh",
}  # fmt: skip


def _unary(name: str, op: str) -> None:
    @importer(name)
    def convert(b: Builder, n: OnnxNode) -> Value:
        return b.call(op, n.x)


for _name, _op in _UNARY.items():
    _unary(_name, _op)


@importer("Identity")
def identity(b: Builder, n: OnnxNode) -> Value:
    if n.x.constant or not isinstance(n.x, Value):
        return n.x
    return b.call("_copy", n.x, truth=n.x.truth)


@importer("Dropout")
def dropout(b: Builder, n: OnnxNode) -> list[Value]:
    training = n.optional(2)
    if training is not None and training.number() != 0:
        raise MXNetNotImplementedError("Dropout in training")
    ratio = n.get("ratio", 0.5)
    given = n.optional(1)
    if given is not None:
        ratio = given.number() or 0.0
    ones = b.truth(b.call("ones_like", n.x)) if len(n.outputs) > 1 and n.outputs[1] else None
    if n.x.constant or n.x.scalar or not 0 < ratio < 1:
        return [n.x] if ones is None else [n.x, ones]
    found = b.call("Dropout", n.x, p=ratio)
    return [found] if ones is None else [found, ones]


@importer("Not")
def logical_not(b: Builder, n: OnnxNode) -> Value:
    return b.call("logical_not", n.x, truth=True)


@importer("IsNaN")
def is_nan(b: Builder, n: OnnxNode) -> Value:
    return b.truth(b.binary("broadcast_not_equal", n.x, n.x))


@importer("IsInf")
def is_inf(b: Builder, n: OnnxNode) -> Value:
    x = n.x
    above, below = n.get("detect_positive", 1), n.get("detect_negative", 1)
    if above and below:
        return b.truth(b.call("_equal_scalar", b.call("abs", x), scalar=math.inf))
    if not above and not below:
        return b.truth(b.call("zeros_like", x))
    return b.truth(b.call("_equal_scalar", x, scalar=math.inf if above else -math.inf))


@importer("Round")
def round_even(b: Builder, n: OnnxNode) -> Value:
    """Halves to the even number, which MXNet has not."""
    down = b.call("floor", n.x)
    part = b.binary("broadcast_sub", n.x, down)
    above = b.call("_greater_scalar", part, scalar=0.5)
    odd = b.call("_not_equal_scalar", b.call("_mod_scalar", down, scalar=2.0), scalar=0.0)
    up = b.binary("broadcast_add", above, b.binary("broadcast_mul", b.call("_equal_scalar", part, scalar=0.5), odd))
    return b.binary("broadcast_add", down, up)


@importer("Cast", "CastLike")
def cast(b: Builder, n: OnnxNode) -> Value:
    if n.op == "CastLike":
        like = n.need(1)
        if like.truth:
            return _as_truth(b, n.x)
        return b.cast(_number(n.x), like.dtype)
    dtype = torch_type(n.get("to"), "the result")
    if dtype is torch.bool:
        return _as_truth(b, n.x)
    return b.call("Cast", _number(n.x), dtype=dtype)  # also to the same type: it has a name


def _number(value: Value) -> Value:
    return replace(value, truth=False) if value.truth else value


def _as_truth(b: Builder, value: Value) -> Value:
    return value if value.truth else b.truth(b.call("_not_equal_scalar", value, scalar=0.0))


@importer("Clip")
def clip(b: Builder, n: OnnxNode) -> Value:
    x = n.x
    limits = torch.finfo(x.dtype) if x.dtype.is_floating_point else torch.iinfo(x.dtype)
    bounds: list[Any] = [n.get("min"), n.get("max")]
    for i in (1, 2):
        given = n.optional(i)
        if given is not None:
            bounds[i - 1] = given if given.number() is None else given.number()
    low, high = bounds
    if isinstance(low, Value) or isinstance(high, Value):
        if low is not None:
            x = b.binary("broadcast_maximum", x, low if isinstance(low, Value) else b.const(low, x.dtype))
        if high is not None:
            x = b.binary("broadcast_minimum", x, high if isinstance(high, Value) else b.const(high, x.dtype))
        return x
    if low is None and high is None:
        return x
    if low is not None and high is not None and low > high:
        low = high  # ONNX looks at the upper bound last
    return b.call("clip", x, a_min=limits.min if low is None else low, a_max=limits.max if high is None else high)


# ---- activations -----------------------------------------------------------------------------------------------------


@importer("LeakyRelu")
def leaky_relu(b: Builder, n: OnnxNode) -> Value:
    return b.call("LeakyReLU", n.x, act_type="leaky", slope=n.get("alpha", 0.01))


@importer("Elu")
def elu(b: Builder, n: OnnxNode) -> Value:
    return b.call("LeakyReLU", n.x, act_type="elu", slope=n.get("alpha", 1.0))


def scale_shift(b: Builder, value: Value, factor: float, shift: float = 0.0) -> Value:
    """``factor * value + shift``."""
    if factor != 1:
        value = b.call("_mul_scalar", value, scalar=factor)
    return b.call("_plus_scalar", value, scalar=shift) if shift else value


@importer("Celu")
def celu(b: Builder, n: OnnxNode) -> Value:
    alpha = n.get("alpha", 1.0)
    inner = b.call("LeakyReLU", scale_shift(b, n.x, 1 / alpha), act_type="elu", slope=1.0)
    return scale_shift(b, inner, alpha)


@importer("Selu")
def selu(b: Builder, n: OnnxNode) -> Value:
    alpha, gamma = n.get("alpha", 1.67326319217681884765625), n.get("gamma", 1.05070102214813232421875)
    if abs(alpha - 1.6732632) < 1e-6 and abs(gamma - 1.050701) < 1e-6:
        return b.call("LeakyReLU", n.x, act_type="selu")
    return scale_shift(b, b.call("LeakyReLU", n.x, act_type="elu", slope=alpha), gamma)


@importer("Gelu")
def gelu(b: Builder, n: OnnxNode) -> Value:
    if n.get("approximate", "none") == "none":
        return b.call("LeakyReLU", n.x, act_type="gelu")
    x = n.x
    cube = b.binary("broadcast_mul", b.call("square", x), x)
    inner = scale_shift(b, b.binary("broadcast_add", x, scale_shift(b, cube, 0.044715)), math.sqrt(2 / math.pi))
    return b.binary("broadcast_mul", x, scale_shift(b, b.call("tanh", inner), 0.5, 0.5))


@importer("HardSigmoid")
def hard_sigmoid(b: Builder, n: OnnxNode) -> Value:
    return b.call("hard_sigmoid", n.x, alpha=n.get("alpha", 0.2), beta=n.get("beta", 0.5))


@importer("HardSwish")
def hard_swish(b: Builder, n: OnnxNode) -> Value:
    return b.binary("broadcast_mul", n.x, b.call("hard_sigmoid", n.x, alpha=1 / 6, beta=0.5))


@importer("Swish")
def swish(b: Builder, n: OnnxNode) -> Value:
    return b.binary("broadcast_mul", n.x, b.call("sigmoid", scale_shift(b, n.x, n.get("alpha", 1.0))))


@importer("Softplus")
def softplus(b: Builder, n: OnnxNode) -> Value:
    return b.call("Activation", n.x, act_type="softrelu")


@importer("Mish")
def mish(b: Builder, n: OnnxNode) -> Value:
    return b.binary("broadcast_mul", n.x, b.call("tanh", softplus(b, n)))


@importer("ThresholdedRelu")
def thresholded_relu(b: Builder, n: OnnxNode) -> Value:
    above = b.call("_greater_scalar", n.x, scalar=n.get("alpha", 1.0))
    return b.call("where", above, n.x, b.call("zeros_like", n.x))


@importer("Shrink")
def shrink(b: Builder, n: OnnxNode) -> Value:
    bias, edge = n.get("bias", 0.0), n.get("lambd", 0.5)
    above, below = b.call("_greater_scalar", n.x, scalar=edge), b.call("_lesser_scalar", n.x, scalar=-edge)
    left = b.call("where", below, b.call("_plus_scalar", n.x, scalar=bias), b.call("zeros_like", n.x))
    return b.call("where", above, b.call("_minus_scalar", n.x, scalar=bias), left)


@importer("PRelu")
def prelu(b: Builder, n: OnnxNode) -> Value:
    x, slope = n.x, n.need(1)
    shape = slope.shape
    channels = len(shape) == x.ndim - 1 and all(d == 1 for d in shape[1:]) and shape[:1] == x.shape[1:2]
    if slope.constant and x.ndim > 1 and (channels or slope.number() is not None):
        flat = b.reshape(slope, [(t.numel(),) for t in slope.trials])
        return b.call("LeakyReLU", x, flat, act_type="prelu")
    negative = b.binary("broadcast_mul", b.call("_minimum_scalar", x, scalar=0.0), slope)
    return b.binary("broadcast_add", b.call("_maximum_scalar", x, scalar=0.0), negative)


# ---- two inputs ------------------------------------------------------------------------------------------------------

#: ONNX's name -> MXNet's for two arrays, for a number on the right, and for one on the left.
_BINARY = {
    "Add": ("broadcast_add", "_plus_scalar", "_plus_scalar"),
    "Sub": ("broadcast_sub", "_minus_scalar", "_rminus_scalar"),
    "Mul": ("broadcast_mul", "_mul_scalar", "_mul_scalar"),
    "Div": ("broadcast_div", "_div_scalar", "_rdiv_scalar"),
    "Pow": ("broadcast_power", "_power_scalar", "_rpower_scalar"),
}
_COMPARE = {
    "Equal": ("broadcast_equal", "_equal_scalar", "_equal_scalar"),
    "Greater": ("broadcast_greater", "_greater_scalar", "_lesser_scalar"),
    "GreaterOrEqual": ("broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar"),
    "Less": ("broadcast_lesser", "_lesser_scalar", "_greater_scalar"),
    "LessOrEqual": ("broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar"),
}


def _operands(b: Builder, n: OnnxNode) -> tuple[Value, Value]:
    """Both inputs; before opset 7 the second one could begin at another axis than the last ones."""
    x, y = n.need(0), n.need(1)
    if n.opset < 7 and n.get("broadcast") and "axis" in n.attrs:
        axis = n.get("axis") % x.ndim
        y = b.reshape(y, [(*s, *[1] * (x.ndim - axis - len(s))) for s in y.shapes])
    return x, y


def apply(b: Builder, names: tuple[str, str, str], x: Value, y: Value) -> Value:
    """A binary operator, with a number as an attribute where there is one."""
    both, right, left = names
    exact = x.dtype.is_floating_point
    if not x.constant and y.number() is not None and y.ndim <= x.ndim and exact:
        return b.call(right, x, scalar=float(y.number() or 0), hint=both)
    if not y.constant and x.number() is not None and x.ndim <= y.ndim and exact:
        return b.call(left, y, scalar=float(x.number() or 0), hint=both)
    return b.binary(both, x, y)


def _binary(name: str) -> None:
    @importer(name)
    def convert(b: Builder, n: OnnxNode) -> Value:
        x, y = _operands(b, n)
        if name == "Pow" and y.dtype is not x.dtype:
            wide = torch.promote_types(x.dtype, y.dtype)
            return b.cast(apply(b, _BINARY[name], b.cast(x, wide), b.cast(y, wide)), x.dtype)
        return apply(b, _BINARY[name], x, y)


def _compare(name: str) -> None:
    @importer(name)
    def convert(b: Builder, n: OnnxNode) -> Value:
        return b.truth(apply(b, _COMPARE[name], *_operands(b, n)))


for _name in _BINARY:
    _binary(_name)
for _name in _COMPARE:
    _compare(_name)


def _logical(name: str, op: str) -> None:
    @importer(name)
    def convert(b: Builder, n: OnnxNode) -> Value:
        return b.binary(op, *_operands(b, n), truth=True)


for _name in ("And", "Or", "Xor"):
    _logical(_name, f"broadcast_logical_{_name.lower()}")


for _name, _op in (("BitwiseAnd", "_npi_bitwise_and"), ("BitwiseOr", "_npi_bitwise_or"),
                   ("BitwiseXor", "_npi_bitwise_xor")):  # fmt: skip

    @importer(_name)
    def bitwise(b: Builder, n: OnnxNode, op: str = _op) -> Value:
        return b.binary(op, n.need(0), n.need(1))


@importer("BitwiseNot")
def bitwise_not(b: Builder, n: OnnxNode) -> Value:
    return b.call("_npi_bitwise_not", n.x)


@importer("BitShift")
def bit_shift(b: Builder, n: OnnxNode) -> Value:
    """As a product with a power of two, or as a quotient; beyond the number of bits, nothing but the sign is left."""
    x, shift = n.need(0), n.need(1)
    limits = torch.iinfo(x.dtype)
    right = n.attrs["direction"] == "RIGHT"
    bits = limits.bits - (1 if right and limits.min < 0 else 0)  # of signed numbers, the last power is negative
    powers = b.const((torch.ones(bits, dtype=torch.int64) << torch.arange(bits)).to(x.dtype))
    power = b.call("take", powers, shift, axis=0, mode="clip", bare=shift.scalar)
    below, above = _below(b, shift), b.call("_greater_equal_scalar", shift, scalar=float(bits))
    inside = b.cast(b.call("_rminus_scalar", b.binary("broadcast_add", below, above), scalar=1.0), x.dtype)
    if not right:
        return b.binary("broadcast_mul", b.binary("broadcast_mul", x, power), inside)
    quotient = b.binary("broadcast_sub", x, b.binary("broadcast_mod", x, power))
    quotient = b.binary("broadcast_mul", b.binary("broadcast_div", quotient, power), inside)
    outside = b.call("_rminus_scalar", inside, scalar=1.0)
    return b.binary("broadcast_sub", quotient, b.binary("broadcast_mul", _below(b, x), outside))


@importer("Mod")
def mod(b: Builder, n: OnnxNode) -> Value:
    x, y = n.need(0), n.need(1)
    rest, signed = b.binary("broadcast_mod", x, y), n.get("fmod", 0)
    if not x.dtype.is_floating_point:
        if not signed:
            return rest
        above = [b.call("_greater_scalar", v, scalar=0.0) for v in (x, y)]
        other = b.binary(
            "broadcast_add",
            b.binary("broadcast_mul", _below(b, x), above[1]),
            b.binary("broadcast_mul", above[0], _below(b, y)),
        )
        other = b.binary("broadcast_mul", other, b.call("_not_equal_scalar", rest, scalar=0.0))
        return b.binary("broadcast_sub", rest, b.binary("broadcast_mul", other, y))
    x, y = (_like(b, v, rest) for v in (x, y))
    if signed:  # with the sign of the dividend
        other = b.binary("broadcast_not_equal", _below(b, rest), _below(b, x))
        other = b.binary("broadcast_mul", other, b.call("_not_equal_scalar", rest, scalar=0.0))
        found = b.call("where", other, b.binary("broadcast_sub", rest, y), rest)
        rest = b.call("where", b.call("_equal_scalar", b.call("abs", y), scalar=math.inf), x, found)
    # what is divided by 0, or infinite, has no remainder; in MXNet it is 0
    zero = b.call("zeros_like", rest)
    infinite = b.call("_equal_scalar", b.call("abs", x), scalar=math.inf)
    lost = b.binary("broadcast_add", b.call("_equal_scalar", y, scalar=0.0), infinite)
    return b.call("where", lost, b.binary("broadcast_div", zero, zero), rest)


def _below(b: Builder, value: Value) -> Value:
    return b.call("_lesser_scalar", value, scalar=0.0)


#: Of arrays of the same shape, the original takes others.
_ELEMENTWISE = {"broadcast_maximum": "_maximum", "broadcast_minimum": "_minimum"}


def _many(name: str, broadcast: str) -> None:
    @importer(name)
    def convert(b: Builder, n: OnnxNode) -> Value:
        values = [n.need(i) for i in range(len(n.inputs))]
        same = all(v.shapes == values[0].shapes for v in values)
        if name == "Sum" and same and len(values) > 1:
            return b.call("add_n", *values)
        if name == "Mean" and same and not values[0].scalar:
            rows = b.call("Concat", *[b.running_call("expand_dims", v, axis=0) for v in values], dim=0)
            return b.call("mean", rows, axis=0, bare=False)
        op = _ELEMENTWISE.get(broadcast, broadcast) if same else broadcast
        total = values[0]
        for other in values[1:]:
            total = b.binary(op, total, other)
        return scale_shift(b, total, 1 / len(values)) if name == "Mean" else total


for _name, _op in (("Sum", "broadcast_add"), ("Mean", "broadcast_add"), ("Max", "broadcast_maximum"),
                   ("Min", "broadcast_minimum")):  # fmt: skip
    _many(_name, _op)


def joint_shapes(values: list[Value]) -> list[tuple[int, ...]]:
    """The shape that values broadcast to, in each trial."""
    return [tuple(torch.broadcast_shapes(*shapes)) for shapes in zip(*[v.shapes for v in values], strict=True)]


@importer("Where")
def where(b: Builder, n: OnnxNode) -> Value:
    condition, x, y = n.need(0), n.need(1), n.need(2)
    targets = joint_shapes([condition, x, y])
    if all(v.shapes == targets for v in (condition, x, y)):
        return b.call("where", condition, x, y)
    if x.truth:
        x, y = _number(x), _number(y)
    if not x.dtype.is_floating_point and not condition.constant:
        mask = b.cast(_number(condition), x.dtype)
    elif condition.has_fixed_shape and x.has_fixed_shape and y.has_fixed_shape:
        return b.call("where", *[b.broadcast(v, targets) for v in (condition, x, y)])
    else:
        full = next((v for v in (condition, x, y) if v.shapes == targets), None)
        if full is None:
            raise MXNetNotImplementedError("values that broadcast to dynamic dimensions: import it with input_shapes=")
        parts = [v if v is full else _like(b, v, full) for v in (condition, x, y)]
        return b.call("where", *parts, bare=False)
    kept = b.binary("broadcast_mul", mask, x)
    return b.binary("broadcast_add", kept, b.binary("broadcast_mul", b.call("_rminus_scalar", mask, scalar=1.0), y))


def _like(b: Builder, value: Value, other: Value) -> Value:
    """The value repeated to the shape of another."""
    if value.shapes == other.shapes:
        return value
    return b.call("broadcast_like", b.expand_to(value, other.ndim), other, truth=value.truth, bare=False)
