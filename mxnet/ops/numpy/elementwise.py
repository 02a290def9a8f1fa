"""Elementwise operators with NumPy's types: comparisons give booleans, quotients of integers are floats.

Which dtypes may meet is the original's own table, a rule for each family. A number takes the dtype of the array, so
that ``np.add(integers, 2.7)`` adds 2; of booleans and a number the result is int64.
"""

from collections.abc import Callable
from typing import Any

import torch

from .. import elementwise as classic
from ..gradients import own_gradient
from ..infer import same_shapes
from ..registry import OpDef, get, register
from ..types import Attrs, Dtype, Keywords
from ..unary import NO_BOOLEANS

Tensors = tuple[torch.Tensor, torch.Tensor]
Function = Callable[[torch.Tensor, Any], torch.Tensor]
_ALONE = torch.int16  # what torch makes of int8 and uint8, and MXNet has no name for


# ---- which dtypes may meet -------------------------------------------------------------------------------------------


def _cannot_combine(left: torch.dtype, right: torch.dtype) -> TypeError:
    names = " and ".join(str(d).removeprefix("torch.") for d in (left, right))
    return TypeError(f"arrays of {names} cannot be combined; convert one of them with astype()")


def any_types(left: torch.dtype, right: torch.dtype) -> torch.dtype:
    """All dtypes may meet, apart from int8 and uint8; the wider wins, and floats win over integers."""
    if (found := torch.promote_types(left, right)) is _ALONE:
        raise _cannot_combine(left, right)
    return found


def _not_only_booleans(left: torch.dtype, right: torch.dtype) -> torch.dtype:
    if left is right is torch.bool:
        raise _cannot_combine(left, right)
    return any_types(left, right)


def _quotient(left: torch.dtype, right: torch.dtype) -> torch.dtype:
    if left is not right and left.is_floating_point == right.is_floating_point:
        raise _cannot_combine(left, right)
    found = torch.promote_types(left, right)
    return found if found.is_floating_point else torch.float32


def _same(left: torch.dtype, right: torch.dtype) -> torch.dtype:
    if left is not right or left is torch.bool:
        raise _cannot_combine(left, right)
    return left


def _same_floats(left: torch.dtype, right: torch.dtype) -> torch.dtype:
    if left is not right or not left.is_floating_point:
        raise _cannot_combine(left, right)
    return left


def _same_integers(left: torch.dtype, right: torch.dtype) -> torch.dtype:
    if left is not right or left.is_floating_point:
        raise _cannot_combine(left, right)
    return left


def _equal_types(left: torch.dtype, right: torch.dtype) -> torch.dtype:
    if left is not right:
        raise _cannot_combine(left, right)
    return left


Rule = Callable[[torch.dtype, torch.dtype], torch.dtype]


def two_dtypes(opdef: OpDef, rule: Rule, result: Dtype = None) -> None:
    """The inference rule of an operator on two arrays: what the rule says, or always the same dtype."""

    @opdef.infer_dtype
    def _(dtypes: dict[str, Dtype], attrs: Attrs) -> list[Dtype]:
        left, right = dtypes.values()
        if left is None or right is None:
            return [result or left or right]
        found = rule(left, right)
        return [result or found]


def binary(
    name: str,
    function: Function,
    rule: Rule,
    doc: str,
    inputs: tuple[str, str] = ("lhs", "rhs"),
    result: Dtype = None,
    **facts: Any,
) -> OpDef:
    """An operator on two arrays that broadcasts; ``rule`` gives the dtype in which it is computed."""

    def kernel(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
        dtype = rule(lhs.dtype, rhs.dtype)
        if lhs.is_meta:
            return lhs.new_empty(classic.broadcast_shape(lhs.shape, rhs.shape), dtype=result or dtype)
        if lhs.dtype is not dtype:
            lhs = lhs.to(dtype)
        return function(lhs, rhs if rhs.dtype is dtype else rhs.to(dtype))

    opdef = register(name, kernel, inputs=inputs, doc=f"{doc} Dimensions broadcast.", **facts)
    opdef.infer_shape(lambda shapes, attrs: [classic.broadcast_shape(*shapes.values())])
    two_dtypes(opdef, rule, result)
    return opdef


def scalar(
    name: str,
    function: Function,
    doc: str,
    *,
    dtype_of: Callable[[torch.dtype], torch.dtype] | None = None,
    result: Dtype = None,
    **facts: Any,
) -> OpDef:
    """An operator on an array and a number, which takes the dtype that ``dtype_of`` makes of the array's."""
    choose = dtype_of or _count_dtype
    for_integers = choose in (_integers, _proper_integers)

    def compute_dtype(dtype: torch.dtype, is_int: bool) -> torch.dtype:
        chosen = choose(dtype)
        if chosen is torch.bool:
            return chosen
        return chosen if is_int or chosen.is_floating_point or for_integers else torch.float64

    def kernel(data: torch.Tensor, *, scalar: float = 1.0, is_int: bool = True) -> torch.Tensor:
        dtype = compute_dtype(data.dtype, is_int)
        if data.dtype is not dtype:
            data = data.to(dtype)
        return function(data, classic.as_dtype(float(scalar), dtype) if dtype is not torch.bool else bool(scalar))

    opdef = register(name, kernel, doc=f"{doc} The number takes the dtype of the array.", **facts)
    opdef.infer_back(same_shapes)

    @opdef.infer_dtype
    def _(dtypes: dict[str, Dtype], attrs: Attrs) -> list[Dtype]:
        given = dtypes["data"]
        return [result or (None if given is None else compute_dtype(given, attrs["is_int"]))]

    return opdef


def _count_dtype(dtype: torch.dtype) -> torch.dtype:
    return torch.int64 if dtype is torch.bool else dtype


def _floating(dtype: torch.dtype) -> torch.dtype:
    return dtype if dtype.is_floating_point else torch.float32


def _itself(dtype: torch.dtype) -> torch.dtype:
    return dtype


def _integers(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_floating_point:
        raise TypeError("it takes arrays of integers or booleans only")
    return dtype


def _proper_integers(dtype: torch.dtype) -> torch.dtype:
    if dtype is torch.bool:
        raise TypeError(NO_BOOLEANS)
    return _integers(dtype)


def swap_arguments(function: Function) -> Function:
    """The same with its arguments exchanged."""

    def call(data: torch.Tensor, number: Any) -> torch.Tensor:
        return function(_like(number, data), data)

    return call


# ---- the functions ---------------------------------------------------------------------------------------------------


def _power(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    if lhs.dtype is torch.bool:  # False only where False is raised to True
        return torch.logical_or(lhs, torch.logical_not(rhs))
    return classic.power(lhs, rhs)


def _like(value: Any, tensor: torch.Tensor) -> torch.Tensor:
    return (
        value
        if isinstance(value, torch.Tensor)
        else torch.scalar_tensor(value, dtype=tensor.dtype, device=tensor.device)
    )


def _by_way_of_double(function: Function) -> Function:
    """Integers are computed in double precision and truncated."""

    def call(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
        rhs = _like(rhs, lhs)
        if lhs.is_floating_point():
            return function(lhs, rhs)
        return function(lhs.to(torch.float64), rhs.to(torch.float64)).to(lhs.dtype)

    return call


def _ldexp(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
    return lhs * torch.pow(2.0, rhs)


def _lcm(lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    rhs = _like(rhs, lhs)
    return torch.logical_and(lhs, rhs) if lhs.dtype is torch.bool else torch.lcm(lhs, rhs).abs()


_ARITHMETIC: tuple[tuple[str, Function, Rule, Function | None, str], ...] = (
    ("add", torch.add, any_types, torch.add, "The sum, element by element."),
    ("subtract", torch.sub, _not_only_booleans, torch.sub, "The difference, element by element."),
    ("multiply", torch.mul, any_types, torch.mul, "The product, element by element."),
    ("mod", classic.modulo, _not_only_booleans, None, "The remainder, with the sign of the divisor."),
    ("power", _power, any_types, _power, "The first array to the power of the second, element by element."),
)
for _name, _function, _rule, _direct, _doc in _ARITHMETIC:
    binary(f"_npi_{_name}", _function, _rule, _doc, direct=_direct)
    scalar(f"_npi_{_name}_scalar", _function, _doc, direct=_direct)
    if _name not in ("add", "multiply"):
        scalar(f"_npi_r{_name}_scalar", swap_arguments(_function), f"{_doc} The number comes first.")

_DOC = "The quotient, element by element; of integers it is float32."
binary("_npi_true_divide", torch.div, _quotient, _DOC)
scalar("_npi_true_divide_scalar", torch.div, _DOC, dtype_of=_floating, direct=torch.div)
scalar(
    "_npi_rtrue_divide_scalar",
    swap_arguments(torch.div),
    f"{_DOC} The number comes first.",
    dtype_of=_floating,
)

_arctan2, _ldexp_of = _by_way_of_double(torch.arctan2), _by_way_of_double(_ldexp)


def _same_sign(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Where the original takes the signs for the same: -0.0 is not negative, and NaN has neither."""
    return ((x >= 0) & (y >= 0)) | ((x < 0) & (y < 0))


_copysign = _by_way_of_double(
    own_gradient(
        lambda x, y: torch.where(_same_sign(x, y), x, -x),
        lambda grad, x, y, result: (torch.where(_same_sign(x, y), grad, -grad), torch.zeros_like(y)),
    )
)
for _name, _function, _rule, _names, _doc in (
    ("arctan2", _arctan2, _same_floats, ("x1", "x2"), "The angle in radians of the point (x2, x1)."),
    ("copysign", _copysign, _same, ("lhs", "rhs"), "The first number with the sign of the second."),
    ("ldexp", _ldexp_of, _same, ("lhs", "rhs"), "``lhs * 2**rhs``."),
):
    binary(f"_npi_{_name}", _function, _rule, _doc, _names)
    scalar(f"_npi_{_name}_scalar", _function, _doc)
    _back = _by_way_of_double(swap_arguments(_function))
    scalar(f"_npi_r{_name}_scalar", _back, f"{_doc} The number comes first.")
binary("_npi_hypot", classic.hypot, _same_floats, "``sqrt(x1**2 + x2**2)``.", ("x1", "x2"))

_DOC = "The least common multiple of two integers."
binary("_npi_lcm", _lcm, _same_integers, _DOC)
scalar("_npi_lcm_scalar", _lcm, _DOC, dtype_of=_proper_integers)

for _name, _function in (("and", torch.bitwise_and), ("or", torch.bitwise_or), ("xor", torch.bitwise_xor)):
    _DOC = f"Bit by bit ``lhs {_name} rhs``, of integers or booleans."
    binary(f"_npi_bitwise_{_name}", _function, _same_integers, _DOC)
    scalar(f"_npi_bitwise_{_name}_scalar", _function, _DOC, dtype_of=_integers)

for _name, _function, _sign in (
    ("equal", torch.eq, "=="),
    ("not_equal", torch.ne, "!="),
    ("greater", torch.gt, ">"),
    ("greater_equal", torch.ge, ">="),
    ("less", torch.lt, "<"),
    ("less_equal", torch.le, "<="),
):
    _DOC = f"Where is ``lhs {_sign} rhs``?"
    _facts: Keywords = {"result": torch.bool, "direct": _function, "gradient": "zero"}
    binary(f"_npi_{_name}", _function, _equal_types, _DOC, **_facts)
    scalar(f"_npi_{_name}_scalar", _function, _DOC, dtype_of=_itself, **_facts)


# ---- one array -------------------------------------------------------------------------------------------------------

for (
    _name
) in """sign rint ceil floor trunc fix negative reciprocal square sqrt cbrt exp expm1 log log2 log10 log1p sin cos
    tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians""".split():
    _classic = get(_name)
    _facts = {"doc": _classic.doc, "gradient": _classic.gradient}
    _made = register(f"_npi_{_name}", _classic.kernel, inputs=("x",), **_facts)
    _made.infer_back(same_shapes)
_made = register("_npi_absolute", get("abs").kernel, aliases=("_npi_abs",), inputs=("x",), doc=get("abs").doc)
_made.infer_back(same_shapes)
for _name in ("relu", "sigmoid"):
    _classic = get(_name)
    _made = register(
        f"_npx_{_name}",
        _classic.kernel,
        inputs=("data",),
        doc=_classic.doc,
    )
    _made.infer_back(same_shapes)


def _question(name: str, function: Callable[[torch.Tensor], torch.Tensor], doc: str) -> None:
    def kernel(x: torch.Tensor) -> torch.Tensor:
        return function(x.detach())

    opdef = register(f"_npi_{name}", kernel, doc=doc, gradient="zero")
    opdef.infer_back(same_shapes)
    opdef.infer_dtype(lambda dtypes, attrs: [torch.bool])


_question("logical_not", torch.logical_not, "Where is the number 0?")
_question("isnan", torch.isnan, "Where is NaN?")
_question("isinf", torch.isinf, "Where is an infinity?")
_question("isfinite", torch.isfinite, "Where is neither NaN nor an infinity?")
_question("isposinf", torch.isposinf, "Where is the positive infinity?")
_question("isneginf", torch.isneginf, "Where is the negative infinity?")


def _bitwise_not(x: torch.Tensor) -> torch.Tensor:
    """Each bit inverted, of integers or booleans."""
    return torch.bitwise_not(x) if _integers(x.dtype) else x


register("_npi_bitwise_not", _bitwise_not).infer_back(same_shapes)
