"""Elementwise operators on one array: mathematical functions, rounding, conversions and copies.

Integers are computed in double precision and truncated, as in MXNet; booleans must be converted first.
"""

import math
from collections.abc import Callable
from typing import Any, Literal

import torch

from .._core.dtypes import FLOATS
from .gradients import constant_in, indicator, own_gradient
from .infer import Shape, same_shapes, unify
from .integers import for_integers_too, to_integers, with_whole_slope, without_graph
from .registry import OpDef, op, register
from .sparse_values import from_dense
from .types import Attrs, Ctx, Dtypes, Gradients, Keywords, Shapes
from .wide import FINITE, in_float64, leaves

TensorFunction = Callable[[torch.Tensor], torch.Tensor]
NO_BOOLEANS = "boolean arrays are not supported; convert them with astype()"


def unary(
    name: str, function: TensorFunction, doc: str, *, integers: TensorFunction | None = None, **facts: Any
) -> OpDef:
    """An operator on each element of an array; ``integers`` is its form for integers, if they need one of their own."""

    def by_way_of_double(data: torch.Tensor) -> torch.Tensor:
        values = to_integers(function(without_graph(data).to(torch.float64)), data.dtype)
        return with_whole_slope(function, data, values)

    with_integers = integers or by_way_of_double

    def kernel(data: torch.Tensor) -> torch.Tensor:
        if data.is_floating_point():
            return function(data)
        if data.dtype is torch.bool:
            raise TypeError(NO_BOOLEANS)
        return with_integers(data)

    opdef = register(name, kernel, doc=doc, **facts)
    opdef.infer_back(same_shapes)
    return opdef


# ---- functions that torch does not have, or has with another meaning -------------------------------------------------


def _constant(function: TensorFunction) -> TensorFunction:
    """The function without torch's gradient of zeros, which would go on and meet infinite derivatives."""
    return lambda data: constant_in(function(data.detach()), data) if data.requires_grad else function(data)


def _rint(data: torch.Tensor) -> torch.Tensor:
    numbers = data.detach()
    nearest = torch.round(numbers)  # halves go to the even number: one too far where that is the one above
    return constant_in(nearest.sub_(indicator(torch.eq, nearest - numbers, 0.5)), data)


def _round(data: torch.Tensor) -> torch.Tensor:
    numbers = data.detach()
    whole = torch.trunc(numbers)
    is_away = indicator(torch.ge, (numbers - whole).abs_(), 0.5)
    return constant_in(whole.add_(is_away.mul_(torch.sign(numbers))), data)


def _cube_root(data: torch.Tensor) -> torch.Tensor:
    return torch.copysign(data.abs().pow(1 / 3), data)


def _gamma(data: torch.Tensor) -> torch.Tensor:
    # In double precision, because exp() magnifies the rounding of a large logarithm.
    magnitude = torch.exp(torch.lgamma(data.to(torch.float64))).to(data.dtype)
    floor = torch.floor(data)
    half = floor * 0.5
    is_odd = indicator(torch.ne, half, torch.floor(half))
    is_negative = indicator(torch.lt, data, 0)
    # -1 between the poles where the function is negative; 0 at the poles, which makes NaN of the infinity there
    sign = (1 - 2 * is_odd * is_negative) * (1 - indicator(torch.eq, data, floor) * is_negative)
    return torch.where(data == 0, torch.reciprocal(data), magnitude * sign)  # the infinity of a negative zero


def _integer_erfinv(data: torch.Tensor) -> torch.Tensor:
    # What is not defined is 0 here, not the integer that NaN would become.
    return torch.erfinv(data.to(torch.float64)).nan_to_num(0.0, math.inf, -math.inf).to(data.dtype)


def _exact(function: TensorFunction) -> TensorFunction:
    """For integers: a result that rounding kept from a whole number becomes that number before it is truncated."""

    def kernel(data: torch.Tensor) -> torch.Tensor:
        value = function(without_graph(data).to(torch.float64))
        whole = torch.round(value)
        values = to_integers(torch.where((value - whole).abs() <= 1e-12 * whole.abs(), whole, value), data.dtype)
        return with_whole_slope(function, data, values)

    return kernel


def _without_overflow(function: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    """A function that torch computes by way of ``exp(x)``, which is infinite before half of it is."""

    def kernel(data: torch.Tensor) -> torch.Tensor:
        found = function(data)
        return in_float64(function, data) if leaves(found, FINITE) else found

    return kernel


exponential_minus_one = own_gradient(torch.expm1, lambda grad, data, result: grad * torch.exp(data))
inverse_sinh = own_gradient(
    torch.arcsinh,
    lambda grad, data, result: grad / torch.hypot(data, torch.ones((), dtype=data.dtype, device=data.device)),
)
inverse_cosh = own_gradient(  # by two roots: the square of the data may overflow
    torch.arccosh,
    lambda grad, data, result: grad / (torch.sqrt(torch.abs(data) - 1) * torch.sqrt(torch.abs(data) + 1)),
)
cube_root = own_gradient(_cube_root, lambda grad, data, result: grad / (3 * result * result))
reciprocal_cube_root = own_gradient(
    lambda data: _cube_root(data).reciprocal(), lambda grad, data, result: grad * result / (-3 * data)
)


def _digamma(data: torch.Tensor) -> torch.Tensor:
    """With positive infinity at all poles."""
    return torch.where((data <= 0) & (data == torch.floor(data)), math.inf, torch.digamma(data))


gamma_function = own_gradient(_gamma, lambda grad, data, result: grad * result * _digamma(data))
log_gamma = own_gradient(torch.lgamma, lambda grad, data, result: grad * _digamma(data))
# torch's own gradient, of a quotient, is NaN at the infinities.
softsign = own_gradient(
    torch.nn.functional.softsign, lambda grad, data, result: grad / torch.square(torch.abs(data) + 1)
)


def _is_zero(data: torch.Tensor) -> torch.Tensor:
    return constant_in(indicator(torch.eq, data, 0), data)


# ---- the table -------------------------------------------------------------------------------------------------------

unary("abs", torch.abs, "The absolute value.", integers=torch.abs)
unary("negative", torch.neg, "The number with the opposite sign.", integers=torch.neg)
unary("sign", torch.sign, "-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero.", integers=torch.sign)
unary("square", torch.square, "The square.", integers=torch.square)
unary("sqrt", torch.sqrt, "The square root.")
unary("rsqrt", torch.rsqrt, "One over the square root.")
unary("cbrt", cube_root, "The cube root.", integers=_exact(_cube_root))
unary("rcbrt", reciprocal_cube_root, "One over the cube root.")
unary("reciprocal", torch.reciprocal, "One over the number.")

unary("exp", torch.exp, "e to the power of the number.")
unary("expm1", exponential_minus_one, "``exp(x) - 1``, exact for small x.")
unary("log", torch.log, "The natural logarithm.")
unary("log10", torch.log10, "The logarithm to base 10.")
unary("log2", torch.log2, "The logarithm to base 2.")
unary("log1p", torch.log1p, "``log(1 + x)``, exact for small x.")

unary("sin", torch.sin, "The sine of an angle in radians.")
unary("cos", torch.cos, "The cosine of an angle in radians.")
unary("tan", torch.tan, "The tangent of an angle in radians.")
unary("arcsin", torch.arcsin, "The angle in [-pi/2, pi/2] with that sine.")
unary("arccos", torch.arccos, "The angle in [0, pi] with that cosine.")
unary("arctan", torch.arctan, "The angle in [-pi/2, pi/2] with that tangent.")
unary("sinh", _without_overflow(torch.sinh), "The hyperbolic sine.")
unary("cosh", _without_overflow(torch.cosh), "The hyperbolic cosine.")
unary("tanh", torch.tanh, "The hyperbolic tangent.")
unary("arcsinh", inverse_sinh, "The inverse of the hyperbolic sine.")
unary("arccosh", inverse_cosh, "The inverse of the hyperbolic cosine, for x >= 1.")
unary("arctanh", torch.arctanh, "The inverse of the hyperbolic tangent, for -1 < x < 1.")
unary("degrees", torch.rad2deg, "An angle in radians as degrees.")
unary("radians", torch.deg2rad, "An angle in degrees as radians.")

unary("erf", torch.erf, "The Gauss error function.")
unary(
    "erfinv",
    torch.erfinv,
    "The inverse of the Gauss error function, for -1 < x < 1.",
    integers=_integer_erfinv,
)
unary("gamma", gamma_function, "The gamma function.", integers=_exact(_gamma))
unary("gammaln", log_gamma, "The logarithm of the absolute value of the gamma function.")

# Of integers they change nothing.
_WHOLE: Keywords = {"integers": _constant(torch.clone), "gradient": "zero"}
unary("ceil", _constant(torch.ceil), "The smallest whole number not below x. Its gradient is zero.", **_WHOLE)
unary("floor", _constant(torch.floor), "The largest whole number not above x. Its gradient is zero.", **_WHOLE)
unary("trunc", _constant(torch.trunc), "The number without its fraction. Its gradient is zero.", **_WHOLE)
unary("fix", _constant(torch.trunc), "The nearest whole number towards zero. Its gradient is zero.", **_WHOLE)
unary("rint", _rint, "The nearest whole number; n.5 becomes n. Its gradient is zero.", **_WHOLE)
unary("round", _round, "The nearest whole number, halves away from zero. Its gradient is zero.", **_WHOLE)

unary("relu", torch.relu, "``max(x, 0)``.", integers=torch.relu)
unary("sigmoid", torch.sigmoid, "``1 / (1 + exp(-x))``.")
unary("softsign", softsign, "``x / (1 + |x|)``.")
unary(
    "logical_not",
    _is_zero,
    "1 where the number is 0, else 0, in the dtype of the array.",
    integers=_is_zero,
    gradient="zero",
)


# ---- with attributes -------------------------------------------------------------------------------------------------


@op("hard_sigmoid")
def hard_sigmoid(data: torch.Tensor, *, alpha: float = 0.2, beta: float = 0.5) -> torch.Tensor:
    """``max(0, min(1, alpha * x + beta))``, for arrays of a floating type."""
    if not data.is_floating_point():
        raise TypeError("it takes arrays of a floating type only")
    return own_gradient(
        lambda x: (alpha * x + beta).clamp_(0, 1),
        # unlike clamp's, zero at the very edges
        lambda grad, x, result: grad * indicator(torch.gt, result - result * result, 0) * alpha,
    )(data)


@op("smooth_l1")
def smooth_l1(data: torch.Tensor, *, scalar: float = 1.0) -> torch.Tensor:
    """``(scalar * x)**2 / 2`` where ``|x| < 1 / scalar**2``, else ``|x| - 0.5 / scalar**2``.

    Of integers it is computed in float32, with the scalar cut to an integer.
    """
    if data.dtype is torch.bool:
        raise TypeError(NO_BOOLEANS)
    values = data
    if not data.is_floating_point():
        values, scalar = data.to(torch.float32), int(scalar)
    beta = 1 / (scalar * scalar) if scalar else math.inf
    zero = torch.zeros((), dtype=values.dtype, device=values.device).expand(values.shape)
    loss = torch.nn.functional.smooth_l1_loss(values, zero, reduction="none", beta=beta)
    return loss if data.is_floating_point() else to_integers(loss, data.dtype)


class _Clip(torch.autograd.Function):
    """The bounds themselves, and NaN, get their gradient; what torch's clamp gives them depends on the version."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, low: float | None, high: float | None) -> torch.Tensor:
        ctx.bounds = low, high
        ctx.save_for_backward(data)
        return torch.clamp(data, low, high)

    @staticmethod
    def backward(ctx: Ctx, *grads: torch.Tensor) -> Gradients:
        (data,), (low, high) = ctx.saved_tensors, ctx.bounds
        data = data.detach()
        outside = data > high if low is None else data < low
        if low is not None and high is not None:
            outside.logical_or_(data > high)
        return grads[0].masked_fill(outside, 0), None, None


_clip = for_integers_too(_Clip.apply)


def clamp(data: torch.Tensor, low: float | None, high: float | None) -> torch.Tensor:
    """``torch.clamp``, with MXNet's gradient; ``low`` must not be above ``high``."""
    return _clip(data, low, high) if data.requires_grad else torch.clamp(data, low, high)


@op("clip")
def clip(data: torch.Tensor, *, a_min: float, a_max: float) -> torch.Tensor:
    """The numbers limited to the interval from ``a_min`` to ``a_max``."""
    if data.is_floating_point():
        if a_min <= a_max:
            return clamp(data, a_min, a_max)
        # The upper bound is looked at first; torch would give a_max everywhere. Only NaN is inside.
        return torch.where(data > a_max, a_max, torch.where(data < a_min, a_min, data)).to(data.dtype)
    if data.dtype is torch.bool:
        raise TypeError(NO_BOOLEANS)
    limits = torch.iinfo(data.dtype)
    low, high = (int(min(max(bound, limits.min), limits.max)) for bound in (a_min, a_max))
    return clamp(data, low, high) if low <= high else torch.where(data > high, high, torch.clamp(data, min=low))


for _definition in (hard_sigmoid, smooth_l1, clip):
    _definition.infer_back(same_shapes)


# ---- copies and constants --------------------------------------------------------------------------------------------


def _ones(grad: torch.Tensor, data: torch.Tensor, result: torch.Tensor) -> torch.Tensor:
    return torch.ones_like(data)


_ones.ignores_head_gradient = True  # type: ignore[attr-defined]


def copying(name: str, kernel: TensorFunction, doc: str, aliases: tuple[str, ...] = (), **facts: Any) -> OpDef:
    """An operator that gives an array of the input's shape and dtype, for every dtype."""

    def copy(data: torch.Tensor) -> torch.Tensor:
        return kernel(data)

    opdef = register(name, copy, aliases=aliases, doc=doc, **facts)
    opdef.infer_back(same_shapes)
    return opdef


copying("_copy", torch.clone, "A copy.", ("identity",))
copying(
    "BlockGrad",
    lambda data: constant_in(data.detach().clone(), data),
    "A copy through which no gradient flows back.",
    ("stop_gradient",),
    gradient="stops",
)
copying(
    "make_loss",
    own_gradient(torch.clone, _ones),
    "A copy that is the end of a graph: its gradient is one, whatever gradient comes from above.",
    output_names=("loss",),
    gradient="loss",
)
copying(
    "zeros_like",
    lambda data: constant_in(torch.zeros_like(data), data),
    "Zeros of the array's shape and dtype.",
    gradient="zero",
)
copying(
    "ones_like",
    lambda data: constant_in(torch.ones_like(data), data),
    "Ones of the array's shape and dtype.",
    gradient="zero",
)


@op("_identity_with_attr_like_rhs")
def identity_like(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
    """A copy of ``lhs``, which must have the shape and dtype of ``rhs``."""
    if lhs.shape != rhs.shape:
        raise ValueError("both inputs must have the same shape")
    if lhs.dtype is not rhs.dtype:
        raise TypeError("both inputs must have the same dtype")
    return constant_in(lhs.clone(), rhs) if lhs.is_floating_point() else lhs.clone()


identity_like.infer_back(same_shapes)


@op("cast_storage")
def cast_storage(data: torch.Tensor, *, stype: Literal["default", "row_sparse", "csr"]) -> Any:
    """A copy of the array in the storage type ``stype``."""
    return data.clone() if data.is_meta else from_dense(data, stype)


cast_storage.infer_back(same_shapes)


# ---- conversions -----------------------------------------------------------------------------------------------------


@op("Cast", aliases=("cast",))
def cast(data: torch.Tensor, *, dtype: torch.dtype) -> torch.Tensor:
    """A copy converted to ``dtype``. Fractions are cut off; integers that do not fit wrap around."""
    if data.is_floating_point() and (dtype is torch.uint8 or (data.requires_grad and not dtype.is_floating_point)):
        return to_integers(data, dtype)
    return data.to(dtype, copy=True)


cast.infer_back(same_shapes)


@cast.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return [attrs["dtype"]]


# What automatic mixed precision converts between; all other types are left alone.
_MIXED = FLOATS - {torch.float64}


def _mixed_cast(given: torch.dtype | None, wanted: torch.dtype | None) -> torch.dtype | None:
    return wanted if given in _MIXED else given


def _to_range(data: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The data rounded to whole numbers of ``dtype``, in float64, which has all of int32's."""
    limits = torch.iinfo(dtype)
    rounded = data.double().round_()
    return rounded.clamp_(limits.min, limits.max) if limits.bits < 64 else rounded


@op("amp_cast")
def amp_cast(data: torch.Tensor, *, dtype: torch.dtype) -> torch.Tensor:
    """Converts float16, bfloat16 and float32 to ``dtype``, for mixed precision; other arrays are copied as they are.

    From float32 to integers, numbers are rounded, halves to the even one, and limited to the range of ``dtype``.
    """
    if dtype is torch.bool:
        raise TypeError("dtype must be a type of numbers, got bool")
    if data.dtype in _MIXED and not dtype.is_floating_point:
        rounded = _to_range(data.detach(), dtype) if data.dtype is torch.float32 else None
        return to_integers(data, dtype, rounded)
    return data.to(dtype if data.dtype in _MIXED else data.dtype, copy=True)


amp_cast.infer_back(same_shapes)


@amp_cast.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return [_mixed_cast(dtypes["data"], attrs["dtype"])]


def _common_type(dtypes: list[torch.dtype | None], narrow: bool) -> torch.dtype | None:
    mixed = [d for d in dtypes if d in _MIXED]
    low = [d for d in mixed if d is not torch.float32]
    if narrow or len(low) == len(mixed):
        return low[0] if low else torch.float32
    return torch.float32


@op("amp_multicast", count="num_outputs", outputs=lambda attrs: attrs["num_outputs"])
def amp_multicast(
    *data: torch.Tensor, num_outputs: int, cast_narrow: bool = False
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """Converts the float16, bfloat16 and float32 arrays among the inputs to the widest type among them.

    With ``cast_narrow`` it is the narrowest. Arrays of other types are copied as they are.
    """
    wanted = _common_type([d.dtype for d in data], cast_narrow)
    found = tuple(d.to(_mixed_cast(d.dtype, wanted), copy=True) for d in data)
    return found[0] if num_outputs == 1 else found


@amp_multicast.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    wanted = _common_type(list(dtypes.values()), attrs["cast_narrow"])
    return [_mixed_cast(d, wanted) for d in dtypes.values()]


@amp_multicast.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    for name, output in zip(shapes, outputs, strict=True):
        shapes[name] = unify(shapes[name], output, name)
