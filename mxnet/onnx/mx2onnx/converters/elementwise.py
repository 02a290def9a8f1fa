"""Arithmetic, comparing and logical operators, on one array, two, or an array and a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from ....ops.elementwise import as_dtype
from ..graph import Call, Graph, converter

Function = Callable[[Graph, str, torch.dtype], str]
Binary = Callable[[Graph, str, str, torch.dtype], str]

# ---- one array -------------------------------------------------------------------------------------------------------

#: The operators that ONNX has under another name, for floating types.
_SAME = {
    "abs": "Abs", "arccos": "Acos", "arccosh": "Acosh", "arcsin": "Asin", "arcsinh": "Asinh", "arctan": "Atan",
    "arctanh": "Atanh", "ceil": "Ceil", "cos": "Cos", "cosh": "Cosh", "erf": "Erf", "exp": "Exp", "floor": "Floor",
    "log": "Log", "negative": "Neg", "reciprocal": "Reciprocal", "relu": "Relu", "sigmoid": "Sigmoid", "sign": "Sign",
    "sin": "Sin", "sinh": "Sinh", "softsign": "Softsign", "sqrt": "Sqrt", "tan": "Tan", "tanh": "Tanh",
}  # fmt: skip


def _same(op: str) -> Function:
    return lambda g, x, dtype: g.add(op, x)


def number(g: Graph, value: float, dtype: torch.dtype) -> str:
    """A number as a constant without dimensions."""
    return g.const(torch.tensor(as_dtype(value, dtype), dtype=dtype))


def _scale_by(op: str | None, factor: float) -> Function:
    return lambda g, x, dtype: g.add("Mul", g.add(op, x) if op else x, number(g, factor, dtype))


def _cube_root(g: Graph, x: str, dtype: torch.dtype) -> str:
    return g.add("Mul", g.add("Sign", x), g.add("Pow", g.add("Abs", x), number(g, 1 / 3, dtype)))


def truncate(g: Graph, x: str, dtype: torch.dtype) -> str:
    return g.add("Mul", g.add("Sign", x), g.add("Floor", g.add("Abs", x)))


def _round(g: Graph, x: str, dtype: torch.dtype) -> str:
    whole = truncate(g, x, dtype)
    away = g.add("GreaterOrEqual", g.add("Abs", g.add("Sub", x, whole)), number(g, 0.5, dtype))
    return g.add("Add", whole, g.add("Mul", g.add("Sign", x), g.cast(away, dtype)))


def _nearest(g: Graph, x: str, dtype: torch.dtype) -> str:
    nearest = g.add("Round", x)  # halves go to the even number: one too far where that is the one above
    above = g.add("Equal", g.add("Sub", nearest, x), number(g, 0.5, dtype))
    return g.add("Sub", nearest, g.cast(above, dtype))


def _near_zero(g: Graph, x: str, dtype: torch.dtype, near: str, far: str) -> str:
    return g.add("Where", g.add("Less", g.add("Abs", x), number(g, 0.5, dtype)), near, far)


def _log1p(g: Graph, x: str, dtype: torch.dtype) -> str:
    """Small numbers would be lost beside 1: what of them was lost is put right by a factor."""
    one = number(g, 1, dtype)
    more = g.add("Add", x, one)
    log = g.add("Log", more)
    kept = g.add("Div", g.add("Mul", log, x), g.add("Sub", more, one))
    near = g.add("Where", g.add("Equal", more, one), x, kept)
    return _near_zero(g, x, dtype, near, log)


def _expm1(g: Graph, x: str, dtype: torch.dtype) -> str:
    """Near 0 by the hyperbolic tangent of one half, which keeps small numbers."""
    half = g.add("Tanh", g.add("Mul", x, number(g, 0.5, dtype)))
    near = g.add("Div", g.add("Add", half, half), g.add("Sub", number(g, 1, dtype), half))
    return _near_zero(g, x, dtype, near, g.add("Sub", g.add("Exp", x), number(g, 1, dtype)))


_UNARY: dict[str, Function] = {
    **{name: _same(op) for name, op in _SAME.items()},
    "square": lambda g, x, dtype: g.add("Mul", x, x),
    "rsqrt": lambda g, x, dtype: g.add("Reciprocal", g.add("Sqrt", x)),
    "cbrt": _cube_root,
    "rcbrt": lambda g, x, dtype: g.add("Reciprocal", _cube_root(g, x, dtype)),
    "log2": _scale_by("Log", 1 / math.log(2)),
    "log10": _scale_by("Log", 1 / math.log(10)),
    "log1p": _log1p,
    "expm1": _expm1,
    "degrees": _scale_by(None, 180 / math.pi),
    "radians": _scale_by(None, math.pi / 180),
    "trunc": truncate,
    "fix": truncate,
    "round": _round,
    "rint": _nearest,
}
#: Which of them ONNX has for integers as well, and which leave integers as they are.
_INTEGER = {"abs", "negative", "sign", "square"}
_WHOLE = {"ceil", "floor", "trunc", "fix", "round", "rint"}


def _unary(name: str, function: Function) -> None:
    @converter(name)
    def convert(g: Graph, n: Call) -> str:
        if n.dtype.is_floating_point or name in _INTEGER:
            return function(g, n.x, n.dtype)
        if name in _WHOLE:
            return n.x
        return g.cast(function(g, g.cast(n.x, torch.float64), torch.float64), n.dtype)  # as MXNet does


for _name, _function in _UNARY.items():
    _unary(_name, _function)


@converter("_copy", "BlockGrad", "make_loss", "MakeLoss", "_contrib_gradientmultiplier", "Dropout", "cast_storage",
           "_identity_with_attr_like_rhs", "IdentityAttachKLSparseReg")  # fmt: skip
def identity(g: Graph, n: Call) -> str:
    """What just passes its input on in prediction is not in the model."""
    if n.attrs.get("mode") == "always" and n.attrs.get("p"):
        return g.add("Dropout", n.x, g.const(n.attrs["p"], n.dtype), g.const(torch.tensor(True)))
    return n.x


@converter("logical_not")
def logical_not(g: Graph, n: Call) -> str:
    return g.cast(g.add("Not", g.as_bool(n.x, n.dtype)), n.dtype, torch.bool)


@converter("_contrib_round_ste")
def round_ste(g: Graph, n: Call) -> str:
    return _round(g, n.x, n.dtype)


@converter("_contrib_sign_ste")
def sign_ste(g: Graph, n: Call) -> str:
    return g.add("Sign", n.x)


@converter("_contrib_quadratic")
def quadratic(g: Graph, n: Call) -> str:
    kind = n.dtype if n.dtype.is_floating_point else torch.float32
    x = g.cast(n.x, kind, n.dtype)
    a, b, c = (number(g, n.attrs[k], kind) for k in "abc")
    return g.cast(g.add("Add", g.add("Mul", g.add("Add", g.add("Mul", x, a), b), x), c), n.dtype, kind)


@converter("Cast", "amp_cast")
def cast(g: Graph, n: Call) -> str:
    source = n.dtype
    if source.is_floating_point and not n.out_dtypes[0].is_floating_point and n.out_dtypes[0] is not torch.bool:
        inner = g._uncast(n.x, n.out_dtypes[0])
        if inner is not None:
            return inner
    return g.cast(n.x, n.out_dtypes[0], source)


@converter("amp_multicast")
def amp_multicast(g: Graph, n: Call) -> list[str]:
    return [g.cast(x, to, source) for x, to, source in zip(n.inputs, n.out_dtypes, n.dtypes, strict=True)]


@converter("clip")
def clip(g: Graph, n: Call) -> str:
    low, high = n.attrs["a_min"], n.attrs["a_max"]
    if low > high:  # the upper bound is looked at first
        if not n.dtype.is_floating_point:
            limits = torch.iinfo(n.dtype)
            low, high = (min(max(v, limits.min), limits.max) for v in (low, high))
        least, most = number(g, low, n.dtype), number(g, high, n.dtype)
        raised = g.add("Where", g.add("Less", n.x, least), least, n.x)
        return g.add("Where", g.add("Greater", n.x, most), most, raised)
    return g.add("Clip", n.x, _bound(g, low, n.dtype), _bound(g, high, n.dtype))


def _bound(g: Graph, value: float, dtype: torch.dtype) -> str | None:
    if math.isinf(value):
        return None
    if not dtype.is_floating_point:
        limits = torch.iinfo(dtype)
        value = min(max(value, limits.min), limits.max)
    return number(g, value, dtype)


@converter("hard_sigmoid")
def hard_sigmoid(g: Graph, n: Call) -> str:
    return g.add("HardSigmoid", n.x, alpha=n.attrs["alpha"], beta=n.attrs["beta"])


@converter("smooth_l1")
def smooth_l1(g: Graph, n: Call) -> str:
    dtype, scalar = n.dtype, n.attrs["scalar"]
    if not dtype.is_floating_point:  # as the operator: the scalar is cut to an integer
        dtype, scalar = torch.float32, int(scalar)
    x, square = g.cast(n.x, dtype, n.dtype), scalar * scalar
    if not square:
        return g.add("Mul", n.x, number(g, 0, n.dtype))
    size = g.add("Abs", x)
    inner = g.add("Mul", g.add("Mul", x, x), number(g, square / 2, dtype))
    outer = g.add("Sub", size, number(g, 0.5 / square, dtype))
    found = g.add("Where", g.add("Less", size, number(g, 1 / square, dtype)), inner, outer)
    return g.cast(found, n.dtype, dtype)


# ---- two arrays ------------------------------------------------------------------------------------------------------


def _plain(op: str) -> Binary:
    return lambda g, a, b, dtype: g.add(op, a, b)


def _nonzero(g: Graph, b: str, dtype: torch.dtype) -> tuple[str, str | None]:
    """A divisor without zeros, and where they were; None if there are none."""
    value = g.value(b)
    if value is not None and bool((value != 0).all()):
        return b, None
    zero = g.add("Equal", b, number(g, 0, dtype))
    return g.add("Where", zero, number(g, 1, dtype), b), zero


def _divide(g: Graph, a: str, b: str, dtype: torch.dtype) -> str:
    if dtype.is_floating_point:
        return g.add("Div", a, b)
    divisor, zero = _nonzero(g, b, dtype)
    quotient = g.add("Div", a, divisor)
    return quotient if zero is None else g.add("Where", zero, number(g, 0, dtype), quotient)


def _remainder(g: Graph, a: str, b: str, dtype: torch.dtype) -> str:
    if dtype.is_floating_point:  # ONNX has only C's, with the sign of the dividend
        none, rest = number(g, 0, dtype), g.add("Mod", a, b, fmod=1)
        other = g.add("Xor", g.add("Less", rest, none), g.add("Less", b, none))
        other = g.add("And", other, g.add("Not", g.add("Equal", rest, none)))
        found = g.add("Where", other, g.add("Add", rest, b), rest)
        return g.add("Where", g.add("Equal", b, none), none, found)
    divisor, zero = _nonzero(g, b, dtype)
    rest = g.add("Mod", a, divisor)
    return rest if zero is None else g.add("Where", zero, number(g, 0, dtype), rest)


def _power(g: Graph, a: str, b: str, dtype: torch.dtype) -> str:
    if dtype.is_floating_point:
        return g.add("Pow", a, b)
    found = g.add("Pow", g.cast(a, torch.float64), g.cast(b, torch.float64))
    return g.cast(found, dtype)


def _hypotenuse(g: Graph, a: str, b: str, dtype: torch.dtype) -> str:
    if not dtype.is_floating_point:
        a, b = g.cast(a, torch.float64), g.cast(b, torch.float64)
    found = g.add("Sqrt", g.add("Add", g.add("Mul", a, a), g.add("Mul", b, b)))
    return found if dtype.is_floating_point else g.cast(found, dtype)


def _condition(op: str, negated: bool = False) -> Binary:
    def compare(g: Graph, a: str, b: str, dtype: torch.dtype) -> str:
        found = g.add(op, a, b)
        return g.cast(g.add("Not", found) if negated else found, dtype, torch.bool)

    return compare


def _logical(op: str) -> Binary:
    def combine(g: Graph, a: str, b: str, dtype: torch.dtype) -> str:
        return g.cast(g.add(op, g.as_bool(a, dtype), g.as_bool(b, dtype)), dtype, torch.bool)

    return combine


#: Name -> how to write it; each is an operator on two arrays, one that broadcasts, and one with a number.
_BINARY: dict[str, Binary] = {
    "add": _plain("Add"), "sub": _plain("Sub"), "mul": _plain("Mul"), "div": _divide, "mod": _remainder,
    "power": _power, "maximum": _plain("Max"), "minimum": _plain("Min"), "hypot": _hypotenuse,
    "equal": _condition("Equal"), "not_equal": _condition("Equal", True), "greater": _condition("Greater"),
    "greater_equal": _condition("GreaterOrEqual"), "lesser": _condition("Less"),
    "lesser_equal": _condition("LessOrEqual"),
    "logical_and": _logical("And"), "logical_or": _logical("Or"), "logical_xor": _logical("Xor"),
}  # fmt: skip
_ELEMWISE = {"add", "sub", "mul", "div"}
_SCALAR = {"add": "plus", "sub": "minus"}


def _binary(name: str, function: Binary) -> None:
    @converter(f"elemwise_{name}" if name in _ELEMWISE else f"_{name}", f"broadcast_{name}")
    def convert(g: Graph, n: Call) -> str:
        return function(g, n.inputs[0], n.inputs[1], n.dtype)

    short = _SCALAR.get(name, name)
    _with_number(f"_{short}_scalar", function, reflected=False)
    if name in ("sub", "div", "mod", "power"):
        _with_number(f"_r{short}_scalar", function, reflected=True)


def _with_number(name: str, function: Binary, reflected: bool) -> None:
    @converter(name)
    def convert(g: Graph, n: Call) -> str:
        dtype = n.out_dtypes[0]
        x = g.cast(n.x, dtype, n.dtype)
        scalar = n.attrs["scalar"]
        if name == "_power_scalar" and scalar == 2 and dtype.is_floating_point:
            return g.add("Mul", x, x)
        constant = number(g, scalar, dtype)
        if name == "_rdiv_scalar" and not dtype.is_floating_point:
            lowest = torch.iinfo(dtype).min if dtype in (torch.int32, torch.int64) else 0
            zero = g.add("Equal", x, number(g, 0, dtype))
            return g.add("Where", zero, number(g, lowest, dtype), _divide(g, constant, x, dtype))
        return function(g, constant, x, dtype) if reflected else function(g, x, constant, dtype)


for _name, _binary_function in _BINARY.items():
    _binary(_name, _binary_function)


@converter("_grad_add")
def grad_add(g: Graph, n: Call) -> str:
    return g.add("Add", *n.inputs)


@converter("_scatter_plus_scalar", "_scatter_minus_scalar")
def scatter_scalar(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    op = "Add" if "plus" in n.node.op.name else "Sub"
    return g.add(op, n.x, number(g, n.attrs["scalar"], n.dtype))


@converter("_scatter_elemwise_div")
def scatter_div(g: Graph, n: Call) -> str:
    return _divide(g, n.inputs[0], n.inputs[1], n.dtype)


@converter("add_n")
def add_n(g: Graph, n: Call) -> str:
    if n.dtype.is_floating_point:
        return g.add("Sum", *n.inputs) if len(n.inputs) > 1 else n.x
    total: Any = n.x
    for other in n.inputs[1:]:
        total = g.add("Add", total, other)
    return total
