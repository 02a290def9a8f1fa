"""Attributes of operators: from a kernel's annotations to parsing, checking and documenting.

The annotation of a keyword argument is its attribute type: ``int``, ``float``, ``bool``, ``str``, ``Literal["a",
"b"]``, ``torch.dtype``, ``Context``, ``tuple[int, ...]``, ``tuple[float, ...]``, ``tuple[int | None, ...]``, and any
of them ``| None``. Values arrive as Python objects or as the text that Symbol files hold; both give the same parsed
value. Which values are allowed is declared by ``Annotated[int, Bound(1)]``; see ``Count``, ``Fraction``, ``Lengths``.
"""

from __future__ import annotations

import operator
import types
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union

import numpy as np
import torch

from .._core.dtypes import NAME_OF, TORCH_OF_NAME, torch_dtype
from .._core.literals import parse_literal, shorten
from ..context import Context
from ..error import MXNetTypeError, MXNetValueError
from .messages import display_name


class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED = _Required()
_TRUE, _FALSE = {"true", "1"}, {"false", "0"}


class OutOfBounds(ValueError):
    """Says of a value of the right type what it should be."""


@dataclass(frozen=True)
class Bound:
    """The least and the greatest value of a number that are allowed. A nan is neither too small nor too large."""

    low: float | None = None
    high: float | None = None

    def __call__(self, value: Any) -> None:
        """Refuses a value outside."""
        low, high = self.low, self.high
        below, above = low is not None and value < low, high is not None and value > high
        if not (below or above):
            return
        if low is not None and high is not None:
            raise OutOfBounds(f"is out of bounds [{low}, {high}]")
        raise OutOfBounds(f"should be greater equal to {low}" if below else f"should be smaller equal to {high}")


@dataclass(frozen=True)
class NoZeros:
    """A tuple of lengths, of which none is 0; ``rank`` of them, if that is given."""

    rank: int | None = None

    def __call__(self, value: tuple[int, ...]) -> None:
        """Refuses a tuple of another kind."""
        if self.rank is not None and len(value) != self.rank:
            raise OutOfBounds(f"has wrong dimensions, expected {self.rank}")
        if 0 in value:
            raise OutOfBounds("must be nonzero in all dimensions")


_NONE_IS_EMPTY = object()

#: How many of something there are: at least one.
Count = Annotated[int, Bound(1)]
#: A number that may be zero.
NotNegative = Annotated[int, Bound(0)]
#: A number to multiply by.
Factor = Annotated[float, Bound(0)]
#: A part of the whole.
Fraction = Annotated[float, Bound(0, 1)]
#: The sides of a window.
Lengths = Annotated[tuple[int, ...], NoZeros()]
#: The two sides of a picture, or of what is made of a part of it.
TwoLengths = Annotated[tuple[int, ...], NoZeros(2)]
#: Axes, or numbers for them, of which there are none if None is given.
AnyAxes = Annotated[tuple[int, ...], _NONE_IS_EMPTY]


def element(value: Any) -> Any:
    """The number in an array without axes (of NumPy, of mx.np), which counts as that number; all else unchanged."""
    return value.item() if getattr(value, "shape", None) == () else value


def _int(value: Any) -> int:
    return int(value) if isinstance(value, str) else operator.index(element(value))


def _float(value: Any) -> float:
    value = element(value)
    if isinstance(value, str | float | int | np.generic):
        return float(value)
    raise TypeError


def _bool(value: Any) -> bool:
    if value is True or value is False:
        return value
    text = str(value).lower()
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if isinstance(value, int | np.integer):
        return bool(value)
    raise ValueError


def _str(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise TypeError


def _dtype(value: Any) -> torch.dtype:
    return torch_dtype(value)


def _context(value: Any) -> Context:
    return value if isinstance(value, Context) else Context.from_str(_str(value))


def _tuple_of(element: Callable[[Any], Any]) -> Callable[[Any], tuple]:
    def parse(value: Any) -> tuple:
        if isinstance(value, str):
            value = parse_literal(value) if value.strip() else ()
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if isinstance(value, list | tuple | torch.Size):
            return tuple([element(v) for v in value])
        return (element(value),)

    return parse


def _or_none(element: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        return None if value is None or (isinstance(value, str) and value in ("None", "")) else element(value)

    return parse


_SIMPLE: dict[Any, tuple[Callable[[Any], Any], str]] = {
    int: (_int, "int"),
    float: (_float, "float"),
    bool: (_bool, "boolean"),
    str: (_str, "string"),
    torch.dtype: (_dtype, "{" + ", ".join(repr(n) for n in TORCH_OF_NAME) + "}"),
    Context: (_context, "Context"),
    tuple[int, ...]: (_tuple_of(_int), "Shape(tuple)"),
    tuple[float, ...]: (_tuple_of(_float), "tuple of <float>"),
    tuple[int | None, ...]: (_tuple_of(_or_none(_int)), "Shape(tuple)"),
    tuple[str, ...]: (_tuple_of(_str), "tuple of <string>"),
    tuple[tuple[int, ...], ...]: (_tuple_of(_tuple_of(_int)), "tuple of <Shape(tuple)>"),
}


@dataclass(frozen=True)
class Param:
    """One attribute: its name, how to parse it, its default and how to describe it to people."""

    name: str
    convert: Callable[[Any], Any]
    kind: str
    default: Any = REQUIRED
    #: Its type as the kernel has it, for the signatures that type checkers and editors show.
    annotation: Any = str

    def parse(self, value: Any, op_name: str) -> Any:
        """The canonical value, or an error that names operator, attribute, what was given and what is expected."""
        try:
            return self.convert(value)
        except OutOfBounds as error:
            shown = shorten(value).strip("'") if isinstance(value, str) else value
            raise MXNetValueError(f"{display_name(op_name)}: value {shown} for Parameter {self.name} {error}") from None
        except (ValueError, TypeError, OverflowError) as error:
            kind = MXNetTypeError if isinstance(error, TypeError) else MXNetValueError
            shown = shorten(value) if isinstance(value, str) else repr(value)
            raise kind(f"{display_name(op_name)}: attribute {self.name!r} expects {self.kind}, got {shown}") from None

    def describe(self) -> str:
        """E.g. ``int, required`` or ``boolean, optional, default=False``."""
        if self.default is REQUIRED:
            return f"{self.kind}, required"
        return f"{self.kind}, optional, default={format_value(self.default)!s}"


def param(name: str, annotation: Any, default: Any = REQUIRED) -> Param:
    """The Param for a keyword argument of a kernel."""
    convert, kind = _converter(annotation, name)
    if name in _COUNTS:
        convert = _with_checks(convert, [_refuse_many])
    return Param(name, convert, kind, default, annotation)


#: An operator has at most so many inputs, outputs or layers: what a file says must not keep a program busy for minutes.
MAX_COUNT = 1 << 16
_COUNTS = frozenset(
    "num_args num_arrays num_weights num_tensors num_outputs num_out_data num_layers sections num_hops".split()
)


def _refuse_many(value: Any) -> None:
    if value is not None and value > MAX_COUNT:
        raise OutOfBounds(f"should be smaller equal to {MAX_COUNT}")


def _converter(annotation: Any, name: str) -> tuple[Callable[[Any], Any], str]:
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        inner, *checks = typing.get_args(annotation)
        convert, kind = _converter(inner, name)
        if checks == [_NONE_IS_EMPTY]:
            convert_given = _or_none(convert)
            return (lambda value: () if (given := convert_given(value)) is None else given), kind
        return _with_checks(convert, checks), kind
    if origin is Literal:
        choices = typing.get_args(annotation)
        by_text = {str(choice): choice for choice in choices}

        def choose(value: Any) -> Any:
            return by_text[str(value)] if str(value) in by_text else _reject()

        return choose, "{" + ", ".join(repr(c) for c in choices) + "}"
    if origin in (Union, types.UnionType):
        others = [a for a in typing.get_args(annotation) if a is not type(None)]
        if len(others) == 1:
            convert, kind = _converter(others[0], name)
            return _or_none(convert), f"{kind} or None"
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    raise TypeError(f"attribute {name!r} has no attribute type: {annotation!r}")


def _with_checks(convert: Callable[[Any], Any], checks: Sequence[Callable[[Any], None]]) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        parsed = convert(value)
        for check in checks:
            check(parsed)
        return parsed

    return parse


def _reject() -> typing.NoReturn:
    raise ValueError


def format_value(value: Any) -> str:
    """The text by which an attribute's value is stored in Symbol files."""
    if isinstance(value, torch.dtype):
        return NAME_OF[value]
    if isinstance(value, type) and issubclass(value, np.generic):
        return np.dtype(value).name
    if isinstance(value, np.ndarray) and value.ndim:
        value = value.tolist()
    if isinstance(value, list | tuple):
        return str(tuple([plain_numbers(item) for item in value]))
    return str(value)


def plain_numbers(item: Any) -> Any:
    """Numbers of NumPy's, also in tuples, as Python's: NumPy 2 writes ``np.int64(1)`` for one inside of a tuple."""
    if isinstance(item, list | tuple):
        return tuple([plain_numbers(part) for part in item])
    return item.item() if isinstance(item, np.generic) else item
