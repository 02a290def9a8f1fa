"""Elementwise operators on two arrays, or on an array and a number: arithmetic, comparing and logical.

They come in families: one function gives the operator on two arrays of one shape, the one that broadcasts, and the one
with a number. Both arrays must have one dtype, the result has it too, and a number is converted to it, as in C. An
integer divided by zero, and its remainder, is zero.
"""

import functools
import math
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np
import torch

from .gradients import constant_in, indicator, own_gradient
from .infer import UNKNOWN, Shape, same_shapes
from .integers import for_integers_too, in_graph, to_integers, without_graph
from .registry import OpDef, op, register
from .types import Attrs, Ctx, Dtypes, Gradients, Keywords
from .unary import NO_BOOLEANS

Number = int | float
BinaryFunction = Callable[[torch.Tensor, Any], torch.Tensor]
Names = tuple[str, ...]


def _check_dtypes(lhs: torch.Tensor, rhs: torch.Tensor) -> None:
    if lhs.dtype is not rhs.dtype:
        raise TypeError("both inputs must have the same dtype; convert one of them with astype()")
    if lhs.dtype is torch.bool:
        raise TypeError(NO_BOOLEANS)


def broadcast_shape(left: Shape, right: Shape) -> Shape:
    """The shape of a result; what an unknown dimension comes to is unknown, as in MXNet, also beside a known one."""
    pairs = list(zip_longest(reversed(left), reversed(right), fillvalue=1))
    if any(m != n and not {m, n} & {1, UNKNOWN} for m, n in pairs):
        raise ValueError(f"shapes {left} and {right} cannot be broadcast to one shape")
    return tuple(UNKNOWN if UNKNOWN in (m, n) else n if m == 1 else m for m, n in reversed(pairs))


# ---- the forms of a family -------------------------------------------------------------------------------------------


def broadcast(names: Names, function: BinaryFunction, doc: str, **facts: Any) -> OpDef:
    """A binary operator that broadcasts dimensions of size 1."""

    def kernel(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
        _check_dtypes(lhs, rhs)
        if lhs.is_meta:
            return lhs.new_empty(broadcast_shape(lhs.shape, rhs.shape))
        return function(lhs, rhs)

    text = f"{doc} Dimensions of size 1 broadcast."
    opdef = register(names[0], kernel, aliases=names[1:], doc=text, **facts)
    opdef.infer_shape(lambda shapes, attrs: [broadcast_shape(shapes["lhs"], shapes["rhs"])])
    return opdef


def elemwise(names: Names, function: BinaryFunction, doc: str, **facts: Any) -> OpDef:
    """A binary operator on two arrays of one shape."""

    def kernel(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
        _check_dtypes(lhs, rhs)
        if lhs.shape != rhs.shape:
            raise ValueError("both inputs must have the same shape; the broadcast_ operators combine different ones")
        return function(lhs, rhs)

    text = f"{doc} Both arrays must have the same shape."
    opdef = register(names[0], kernel, aliases=names[1:], doc=text, **facts)
    opdef.infer_back(same_shapes)
    return opdef


def scalar(names: Names, function: BinaryFunction, doc: str, **facts: Any) -> OpDef:
    """An operator on an array and a number, which takes the array's dtype."""

    def kernel(data: torch.Tensor, *, scalar: float = 1.0, is_int: bool = True) -> torch.Tensor:
        dtype = data.dtype
        if dtype is torch.float64 or (dtype is torch.float32 and -3.4e38 < scalar < 3.4e38):
            return function(data, scalar)
        result_dtype = _dtype_with_scalar(dtype, is_int)
        if result_dtype is not dtype:
            data = data.to(result_dtype)
        return function(data, as_dtype(scalar, result_dtype))

    text = (
        f"{doc} The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."
    )
    opdef = register(names[0], kernel, aliases=names[1:], doc=text, **facts)
    opdef.infer_back(same_shapes)

    @opdef.infer_dtype
    def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
        given = dtypes["data"]
        return [None if given is None else _dtype_with_scalar(given, attrs["is_int"])]

    return opdef


def _dtype_with_scalar(dtype: torch.dtype, is_int: bool) -> torch.dtype:
    if dtype.is_floating_point:
        return dtype
    if not is_int:
        return torch.float64
    return torch.int64 if dtype is torch.bool else dtype


def as_dtype(number: float, dtype: torch.dtype) -> Number:
    """The number that C's conversion to ``dtype`` gives: rounded, truncated, wrapped around."""
    if not number:  # 0.0 and -0.0 are equal, and yet not the same: they must not meet in a cache
        return float(number) if dtype.is_floating_point else 0
    return _as_dtype(number, dtype)


@functools.lru_cache(maxsize=4096)
def _as_dtype(number: float, dtype: torch.dtype) -> Number:
    if dtype.is_floating_point:
        if dtype is torch.float32:  # not by torch, which may be recording what is done
            with np.errstate(over="ignore"):
                return float(np.float32(number))
        return torch.tensor(number, dtype=torch.float64).to(dtype).item()
    # As the processors do it: what does not fit the word converted to becomes its smallest number.
    word = 64 if dtype is torch.int64 else 32
    lowest = -(1 << (word - 1))
    whole = int(number) if math.isfinite(number) and lowest <= number < -lowest else lowest
    limits = torch.iinfo(dtype)
    return (whole - limits.min) % (1 << limits.bits) + limits.min


# ---- the functions: of two tensors of one dtype, or of a tensor and a number converted to its dtype ------------------


def _refuse_booleans(tensor: torch.Tensor) -> None:
    if tensor.dtype is torch.bool:
        # An operator's direct function may fail with RuntimeError: the general path then says what is wrong.
        raise RuntimeError(NO_BOOLEANS)


def _integer_quotient(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
    left, right = without_graph(lhs), without_graph(rhs)
    quotient = _whole_quotient(left, right)
    if not (lhs.requires_grad or rhs.requires_grad) or not torch.is_grad_enabled():
        return quotient
    wide = right.long()  # the derivatives are cut to whole numbers as well, 1 / rhs to 0 beyond 1
    slopes = _whole_quotient(torch.ones_like(wide), wide), -_whole_quotient(left.long(), wide * wide)
    place = in_graph(lhs) * slopes[0].double() + in_graph(rhs) * slopes[1].double()
    return to_integers(place, quotient.dtype, rounded=quotient)


def _whole_quotient(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
    zero = rhs == 0
    if lhs.dtype is torch.uint8:
        return torch.div(lhs, rhs.masked_fill(zero, 1), rounding_mode="trunc").masked_fill_(zero, 0)
    # The smallest number divided by -1 does not fit its type, and traps in the processor.
    minus = rhs == -1
    quotient = torch.div(lhs, rhs.masked_fill(zero | minus, 1), rounding_mode="trunc")
    return torch.where(minus, -quotient, quotient).masked_fill_(zero, 0)


def divide(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    """The quotient; of integers, it is truncated."""
    if lhs.is_floating_point():
        return torch.div(lhs, rhs)
    _refuse_booleans(lhs)
    if isinstance(rhs, torch.Tensor):
        return _integer_quotient(lhs, rhs)
    if rhs == 0:
        return torch.zeros_like(lhs)
    if rhs == -1:
        return torch.neg(lhs)
    quotient = torch.div(without_graph(lhs), rhs, rounding_mode="trunc")
    return to_integers(in_graph(lhs) / rhs, lhs.dtype, rounded=quotient) if lhs.requires_grad else quotient


def _float_remainder(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
    # In float64: torch's functions give NaN where the quotient is infinite.
    divisor = rhs.double()
    rest = torch.fmod(lhs.double(), divisor)
    other_sign = (rest != 0) & ((rest < 0) != (divisor < 0))
    return torch.where(other_sign, rest + divisor, rest).masked_fill_(divisor == 0, 0).to(lhs.dtype)


# The gradient is that of the plain formula, also where the divisor is zero, and where torch rounds the quotient
# otherwise: infinities, and quotients next to a whole number.
_remainder = own_gradient(_float_remainder, lambda grad, lhs, rhs, result: (grad, grad * torch.floor(lhs / rhs).neg_()))


def modulo(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    """The remainder, with the sign of the divisor; zero for a zero divisor. That of integers has no gradient."""
    if not lhs.is_floating_point():
        if not isinstance(rhs, torch.Tensor):
            return constant_in(torch.remainder(lhs, rhs) if rhs else torch.zeros_like(lhs))
        return constant_in(torch.remainder(lhs, rhs.masked_fill(rhs == 0, 1)))
    if not isinstance(rhs, torch.Tensor):
        rhs = torch.scalar_tensor(rhs, dtype=lhs.dtype, device=lhs.device)
    return _remainder(lhs, rhs)


def power(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    """``lhs ** rhs``; of integers, in single precision and truncated."""
    if lhs.is_floating_point():
        return torch.pow(lhs, rhs)
    _refuse_booleans(lhs)
    exponent = rhs.to(torch.float64) if isinstance(rhs, torch.Tensor) else float(rhs)
    # Double precision rounded to single is single precision without its error, which truncation would show.
    return to_integers(torch.pow(lhs.to(torch.float64), exponent).to(torch.float32), lhs.dtype)


def _part(side: torch.Tensor, whole: torch.Tensor) -> torch.Tensor:
    return torch.where(whole == 0, 0, side / whole)


#: At the origin, where torch divides by zero, the gradient is 0, as that of ``norm``.
hypot = own_gradient(torch.hypot, lambda grad, x, y, result: (grad * _part(x, result), grad * _part(y, result)))


def hypotenuse(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    """``sqrt(lhs**2 + rhs**2)``."""
    if not isinstance(rhs, torch.Tensor):
        rhs = torch.scalar_tensor(rhs, dtype=lhs.dtype)
    if lhs.is_floating_point():
        return hypot(lhs, rhs)
    return torch.hypot(lhs.to(torch.float64), rhs.to(torch.float64)).to(lhs.dtype)


# In a tie the whole gradient goes to the first array; torch would share it out.
_larger = own_gradient(
    torch.maximum, lambda grad, a, b, result: (grad * indicator(torch.ge, a, b), grad * indicator(torch.lt, a, b))
)
_smaller = own_gradient(
    torch.minimum, lambda grad, a, b, result: (grad * indicator(torch.le, a, b), grad * indicator(torch.gt, a, b))
)


class _BoundedByNumber(torch.autograd.Function):
    """The array gets the gradient of a tie, too; what torch's clamp_min and clamp_max give depends on the version."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, number: Number, bound: Callable, passes: Callable) -> torch.Tensor:
        ctx.number, ctx.passes = number, passes
        ctx.save_for_backward(data)
        return bound(data, number)

    @staticmethod
    def backward(ctx: Ctx, *grads: torch.Tensor) -> Gradients:
        return grads[0] * indicator(ctx.passes, ctx.saved_tensors[0], ctx.number), None, None, None


_bounded = for_integers_too(_BoundedByNumber.apply)


def maximum(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    """The larger of two numbers; NaN if one is NaN."""
    if isinstance(rhs, torch.Tensor):
        return _larger(lhs, rhs)
    return _bounded(lhs, rhs, torch.clamp_min, torch.ge) if lhs.requires_grad else torch.clamp_min(lhs, rhs)


def minimum(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    """The smaller of two numbers; NaN if one is NaN."""
    if isinstance(rhs, torch.Tensor):
        return _smaller(lhs, rhs)
    return _bounded(lhs, rhs, torch.clamp_max, torch.le) if lhs.requires_grad else torch.clamp_max(lhs, rhs)


def _swap_arguments(function: BinaryFunction) -> BinaryFunction:
    def run(data: torch.Tensor, number: Number) -> torch.Tensor:
        return function(torch.scalar_tensor(number, dtype=data.dtype), data)

    return run


def _number_divided(data: torch.Tensor, number: Number) -> torch.Tensor:
    if data.is_floating_point():
        return _swap_arguments(divide)(data, number)
    # Unlike the other quotients this one is a float that is cut off: by zero it is what processors make of no number.
    lowest = torch.iinfo(data.dtype).min if data.dtype in (torch.int32, torch.int64) else 0
    return _swap_arguments(divide)(data, number).masked_fill(data == 0, lowest)


def _power_of_number(data: torch.Tensor, number: Number) -> torch.Tensor:
    return torch.pow(number, data) if data.is_floating_point() else _swap_arguments(power)(data, number)


def _condition(torch_function: Callable[..., torch.Tensor]) -> BinaryFunction:
    """A comparing or logical torch function that gives 1 and 0 in the dtype of its first argument."""

    def compare(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
        _refuse_booleans(lhs)
        result = indicator(torch_function, lhs, rhs)
        return constant_in(result, lhs, rhs) if isinstance(rhs, torch.Tensor) else constant_in(result, lhs)

    return compare


def _logical(combine: BinaryFunction) -> BinaryFunction:
    """A function of truths: of 1 for what is not zero, and of 0 for zero."""

    def holds(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
        truth = indicator(torch.ne, lhs, 0)
        if not isinstance(rhs, torch.Tensor):
            return constant_in(combine(truth, int(rhs != 0)), lhs)
        return constant_in(combine(truth, indicator(torch.ne, rhs, 0)), lhs, rhs)

    return holds


# ---- arithmetic ------------------------------------------------------------------------------------------------------

_SUM: Keywords = {"function": torch.add, "doc": "The sum, element by element."}
elemwise(("elemwise_add", "_add", "_plus", "_Plus"), **_SUM)
elemwise(("_grad_add",), **_SUM)
broadcast(("broadcast_add", "broadcast_plus"), **_SUM, direct=torch.add)
scalar(("_plus_scalar", "_PlusScalar"), torch.add, "Adds a number to each element.", direct=torch.add)
scalar(("_scatter_plus_scalar",), torch.add, "Adds a number to each stored element.")

_DOC = "The difference, element by element."
elemwise(("elemwise_sub", "_sub", "_minus", "_Minus"), torch.sub, _DOC)
broadcast(("broadcast_sub", "broadcast_minus"), torch.sub, _DOC, direct=torch.sub)
scalar(("_minus_scalar", "_MinusScalar"), torch.sub, "Subtracts a number from each element.", direct=torch.sub)
scalar(("_rminus_scalar", "_RMinusScalar"), torch.rsub, "Subtracts each element from a number.", direct=torch.rsub)
scalar(("_scatter_minus_scalar",), torch.sub, "Subtracts a number from each stored element.")

_DOC = "The product, element by element."
elemwise(("elemwise_mul", "_mul", "_Mul"), torch.mul, _DOC)
broadcast(("broadcast_mul",), torch.mul, _DOC, direct=torch.mul)
scalar(("_mul_scalar", "_MulScalar"), torch.mul, "Multiplies each element by a number.", direct=torch.mul)

_DOC = "The quotient, element by element; of integers it is truncated."
elemwise(("elemwise_div", "_div", "_Div"), divide, _DOC)
elemwise(("_scatter_elemwise_div",), divide, _DOC)
broadcast(("broadcast_div",), divide, _DOC, direct=divide)
scalar(("_div_scalar", "_DivScalar"), divide, "Divides each element by a number.", direct=torch.div)
scalar(("_rdiv_scalar", "_RDivScalar"), _number_divided, "Divides a number by each element.")

_DOC = "The remainder of a division, element by element, with the sign of the divisor."
elemwise(("_mod", "_Mod"), modulo, _DOC)
broadcast(("broadcast_mod",), modulo, _DOC)
scalar(("_mod_scalar", "_ModScalar"), modulo, "The remainder of dividing each element by a number.")
scalar(
    ("_rmod_scalar", "_RModScalar"),
    _swap_arguments(modulo),
    "The remainder of dividing a number by each element.",
)

_DOC = "The first array to the power of the second, element by element."
elemwise(("_power", "_Power"), power, _DOC)
broadcast(("broadcast_power",), power, _DOC, direct=power)
scalar(("_power_scalar", "_PowerScalar"), power, "Each element to the power of a number.", direct=torch.pow)
scalar(
    ("_rpower_scalar", "_RPowerScalar"),
    _power_of_number,
    "A number to the power of each element.",
)

for _name, _function, _DOC in (
    ("maximum", maximum, "The larger number, element by element."),
    ("minimum", minimum, "The smaller number, element by element."),
    ("hypot", hypotenuse, "``sqrt(lhs**2 + rhs**2)``, element by element."),
):
    elemwise((f"_{_name}", f"_{_name.title()}"), _function, _DOC)
    broadcast((f"broadcast_{_name}",), _function, _DOC)
    scalar((f"_{_name}_scalar", f"_{_name.title()}Scalar"), _function, _DOC)

# ---- conditions: 1 where they hold, else 0, in the dtype of the arrays; their gradient is zero -----------------------

for _name, _torch_function, _sign in (
    ("equal", torch.eq, "=="),
    ("not_equal", torch.ne, "!="),
    ("greater", torch.gt, ">"),
    ("greater_equal", torch.ge, ">="),
    ("lesser", torch.lt, "<"),
    ("lesser_equal", torch.le, "<="),
):
    _compare, _DOC, _title = _condition(_torch_function), f"1 where ``lhs {_sign} rhs``, else 0.", _name.title()
    elemwise((f"_{_name}", f"_{_title}"), _compare, _DOC, gradient="zero")
    broadcast((f"broadcast_{_name}",), _compare, _DOC, direct=_compare, gradient="zero")
    scalar(
        (f"_{_name}_scalar", f"_{_title.replace('_', '')}Scalar"),
        _compare,
        _DOC,
        direct=_compare,
        gradient="zero",
    )

_COMBINE: tuple[tuple[str, BinaryFunction], ...] = (
    ("and", torch.mul),
    ("or", maximum),
    ("xor", functools.partial(indicator, torch.ne)),
)
for _name, _combine in _COMBINE:
    _holds, _DOC = _logical(_combine), f"1 where ``lhs {_name} rhs`` holds, else 0; 0 counts as false."
    elemwise((f"_logical_{_name}", f"_Logical_{_name.title()}"), _holds, _DOC, gradient="zero")
    broadcast((f"broadcast_logical_{_name}",), _holds, _DOC, gradient="zero")
    scalar((f"_logical_{_name}_scalar", f"_Logical{_name.title()}Scalar"), _holds, _DOC, gradient="zero")


# ---- many arrays -----------------------------------------------------------------------------------------------------


@op("add_n", aliases=("ElementWiseSum",), count="num_args")
def add_n(*args: torch.Tensor, num_args: int) -> torch.Tensor:
    """The sum of arrays that all have one shape and dtype."""
    if not args:
        raise ValueError("at least one array is expected")
    first = args[0]
    for other in args:
        _check_dtypes(first, other)
        if other.shape != first.shape:
            raise ValueError("all inputs must have the same shape")
    if len(args) == 1:
        return first.clone()
    total = torch.add(first, args[1])
    for other in args[2:]:
        # integers in a graph have a place of their own for each result
        total = total.add_(other) if total.is_floating_point() else torch.add(total, other)
    return total


add_n.infer_back(same_shapes)
