"""NumPy's signatures of the functions of ``mx.np`` that are one operator each, and how functions are made of them.

A function is made twice from the same line: for arrays and for symbols. What differs between the two is a ``Backend``.
"""

from __future__ import annotations

import ast
import inspect
import operator as python_operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ...error import MXNetArgumentError, MXNetNotImplementedError, MXNetTypeError
from ...util import UFUNC_OPTIONS, np_ufunc_legal_option
from ..params import REQUIRED
from ..registry import OpDef, get

NUMBERS = (int, float, bool, np.generic)
#: What a function gives: an array, or a symbol, as its ``Backend`` has them.
Array = Any
#: What stands for an array: an array or symbol, a number, a sequence of them.
Operand = Any
#: ``bind(args, kwargs)`` gives the operator that a call means, its inputs and its attributes.
Bind = Callable[[Sequence[Any], Any], tuple[OpDef, Sequence[Any], dict[str, Any]]]
#: Gives the results of a call with these arguments, or None.
Sooner = Callable[[Sequence[Any], dict[str, Any]], Any]


class Backend(Protocol):
    """Arrays or symbols: what runs operators, and what can be an input of one."""

    module: str

    def run(self, op: OpDef, inputs: Sequence[Any], attrs: Mapping[str, Any], out: Any = None) -> Any:
        """Runs or composes an operator."""

    def is_array(self, value: Any) -> bool:
        """Can this be an input of an operator?"""

    def many(self, results: Any) -> Any:
        """The results of an operator with several as a tuple; symbols stay what they are."""

    def scalar(self, op: OpDef, value: Any, first: bool) -> dict[str, Any]:
        """The attributes of an operator of an array and a number, which may be the first of the two."""

    def specialize(self, op: OpDef) -> Callable[..., Any]:
        """A function that runs an operator on its one or two inputs."""

    def prepare(self, bind: Bind) -> Sooner | None:
        """What may give the results of a call sooner, or None; ``bind`` says which operator is meant."""


# name(signature) -> operator attribute=value ...; what is neither input nor attribute must keep its default
TABLE = """
all(a, axis=None, keepdims=False, out=None) -> _np_all
any(a, axis=None, keepdims=False, out=None) -> _np_any
sometrue(a, axis=None, keepdims=False, out=None) -> _np_any
max(a, axis=None, keepdims=False, out=None) -> _np_max
amax(a, axis=None, keepdims=False, out=None) -> _np_max
min(a, axis=None, keepdims=False, out=None) -> _np_min
amin(a, axis=None, keepdims=False, out=None) -> _np_min
sum(a, axis=None, dtype=None, keepdims=False, initial=None, out=None) -> _np_sum
prod(a, axis=None, dtype=None, out=None, keepdims=False) -> _np_prod
product(a, axis=None, dtype=None, out=None, keepdims=False) -> _np_prod
mean(a, axis=None, dtype=None, out=None, keepdims=False) -> _npi_mean
std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False) -> _npi_std
var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False) -> _npi_var
cumsum(a, axis=None, dtype=None, out=None) -> _np_cumsum
argmax(a, axis=None, out=None) -> _npi_argmax
argmin(a, axis=None, out=None) -> _npi_argmin
argsort(a, axis=-1, kind=None, order=None) -> _npi_argsort is_ascend=True dtype='int64'
sort(a, axis=-1, kind=None, order=None) -> _npi_sort is_ascend=True
copy(a, out=None) -> _np_copy
diag(array, k=0) -> _np_diag
diagflat(array, k=0) -> _np_diagflat
diagonal(a, offset=0, axis1=0, axis2=1) -> _np_diagonal
trace(a, offset=0, axis1=0, axis2=1, out=None) -> _np_trace
tril(m, k=0) -> _npi_tril
dot(a, b, out=None) -> _np_dot
matmul(a, b, out=None, **kwargs) -> _npi_matmul
expand_dims(a, axis) -> _npi_expand_dims
flip(m, axis=None, out=None) -> _npi_flip
fliplr(m) -> _npi_flip axis=1
flipud(m) -> _npi_flip axis=0
roll(a, shift, axis=None) -> _np_roll
rot90(m, k=1, axes=(0, 1)) -> _npi_rot90
moveaxis(a, source, destination) -> _np_moveaxis
transpose(a, axes=None) -> _np_transpose
squeeze(a, axis=None, out=None) -> _np_squeeze
reshape(a, newshape, order='C', out=None) -> _np_reshape
ravel(x, order='C') -> _np_reshape newshape=-1
repeat(a, repeats, axis=None) -> _np_repeat
tile(A, reps) -> _npi_tile
polyval(p, x) -> _npi_polyval
ones_like(a, dtype=None, order='C', ctx=None, out=None) -> _npi_full_like fill_value=1.0
zeros_like(a, dtype=None, order='C', ctx=None, out=None) -> _npi_full_like fill_value=0.0
empty_like(prototype, dtype=None, order='C', subok=False, shape=None) -> _npi_full_like fill_value=0.0
eye(N, M=None, k=0, dtype=None, **kwargs) -> _npi_eye
indices(dimensions, dtype='int32', ctx=None) -> _npi_indices
ones(shape, dtype=None, order='C', ctx=None) -> _npi_ones
zeros(shape, dtype=None, order='C', ctx=None) -> _npi_zeros
empty(shape, dtype=None, order='C', ctx=None) -> _npi_zeros
blackman(M, dtype=None, ctx=None) -> _npi_blackman
hamming(M, dtype=None, ctx=None) -> _npi_hamming
hanning(M, dtype=None, ctx=None) -> _npi_hanning
"""
#: Functions of the table that are NumPy's own where a number is given for the array.
OF_NUMBERS = frozenset(("flip", "ravel", "tile"))
LINALG = """
cholesky(a) -> _npi_cholesky
det(a) -> _npi_det
eigvals(a) -> _npi_eigvals
eigvalsh(a, UPLO='L') -> _npi_eigvalsh
inv(a) -> _npi_inv
slogdet(a) -> _npi_slogdet
solve(a, b) -> _npi_solve
tensorinv(a, ind=2) -> _npi_tensorinv
"""
#: Methods of arrays and symbols.
METHODS = """
all(self, axis=None, out=None, keepdims=False) -> _np_all
any(self, axis=None, out=None, keepdims=False) -> _np_any
max(self, axis=None, out=None, keepdims=False) -> _np_max
min(self, axis=None, out=None, keepdims=False) -> _np_min
sum(self, axis=None, dtype=None, out=None, keepdims=False) -> _np_sum
prod(self, axis=None, dtype=None, out=None, keepdims=False) -> _np_prod
mean(self, axis=None, dtype=None, out=None, keepdims=False) -> _npi_mean
std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False) -> _npi_std
var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False) -> _npi_var
cumsum(self, axis=None, dtype=None, out=None) -> _np_cumsum
argmax(self, axis=None, out=None) -> _npi_argmax
argmin(self, axis=None, out=None) -> _npi_argmin
argsort(self, axis=-1, kind=None, order=None) -> _npi_argsort is_ascend=True dtype='int64'
copy(self, order='C') -> _np_copy
dot(self, b, out=None) -> _np_dot
flatten(self, order='C') -> _np_reshape newshape=-1
repeat(self, repeats, axis=None) -> _np_repeat
round(self, decimals=0, out=None, **kwargs) -> _npi_around
squeeze(self, axis=None) -> _np_squeeze
broadcast_to(self, shape) -> _npi_broadcast_to
"""
#: Names of functions of one array that are not those of their operators.
UNARY = {
    **{
        name: f"_npi_{name}"
        for name in """absolute abs sign rint ceil floor trunc fix negative reciprocal square sqrt cbrt exp expm1 log
        log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians
        logical_not isnan isinf isfinite isposinf isneginf bitwise_not""".split()
    },
    "fabs": "_npi_absolute",
    "invert": "_npi_bitwise_not",
    "deg2rad": "_npi_radians",
    "rad2deg": "_npi_degrees",
}
#: name: for two arrays, for array and number, for number and array; a comparison is turned round.
BINARY = {
    **{
        name: (f"_npi_{name}", f"_npi_{name}_scalar", f"_npi_{name}_scalar")
        for name in "add multiply hypot lcm bitwise_and bitwise_or bitwise_xor equal not_equal maximum minimum".split()
    },
    **{
        name: (f"_npi_{name}", f"_npi_{name}_scalar", f"_npi_r{name}_scalar")
        for name in "subtract mod power true_divide arctan2 copysign ldexp".split()
    },
    "divide": ("_npi_true_divide", "_npi_true_divide_scalar", "_npi_rtrue_divide_scalar"),
    "remainder": ("_npi_mod", "_npi_mod_scalar", "_npi_rmod_scalar"),
    "greater": ("_npi_greater", "_npi_greater_scalar", "_npi_less_scalar"),
    "greater_equal": ("_npi_greater_equal", "_npi_greater_equal_scalar", "_npi_less_equal_scalar"),
    "less": ("_npi_less", "_npi_less_scalar", "_npi_greater_scalar"),
    "less_equal": ("_npi_less_equal", "_npi_less_equal_scalar", "_npi_greater_equal_scalar"),
}
#: Python operator: (operator for two arrays, for array and number, for number and array)
OPERATORS = {
    symbol: BINARY[name]
    for symbol, name in {
        "add": "add",
        "sub": "subtract",
        "mul": "multiply",
        "truediv": "true_divide",
        "mod": "mod",
        "pow": "power",
        "and": "bitwise_and",
        "or": "bitwise_or",
        "xor": "bitwise_xor",
    }.items()
}
COMPARISON = {
    symbol: BINARY[name][:2]
    for symbol, name in {
        "eq": "equal",
        "ne": "not_equal",
        "gt": "greater",
        "ge": "greater_equal",
        "lt": "less",
        "le": "less_equal",
    }.items()
}
_OMITTED = inspect.Parameter.empty


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Refuses keywords of NumPy's ufuncs that have no meaning here, unless they have their default."""
    for key, value in options.items():
        if key not in UFUNC_OPTIONS:
            raise MXNetTypeError(f"{key} is an invalid keyword to function {name!r}")
        if key == "dtype" and value is None:
            continue
        if not np_ufunc_legal_option(key, value) or key == "dtype":
            raise MXNetNotImplementedError(f"{key}={value!r} is not implemented yet for operator {name}")


def parse_signature(text: str) -> inspect.Signature:
    """``a, axis=None, **kwargs`` as a signature."""
    arguments = ast.parse(f"lambda {text}: 0", mode="eval").body.args  # type: ignore[attr-defined]
    P = inspect.Parameter
    defaults = [_OMITTED] * (len(arguments.args) - len(arguments.defaults))
    values = [*defaults, *map(ast.literal_eval, arguments.defaults)]
    found = [P(a.arg, P.POSITIONAL_OR_KEYWORD, default=v) for a, v in zip(arguments.args, values, strict=True)]
    if arguments.vararg:
        found.append(P(arguments.vararg.arg, P.VAR_POSITIONAL))
    if arguments.kwarg:
        found.append(P(arguments.kwarg.arg, P.VAR_KEYWORD))
    return inspect.Signature(found)


def name_function(function: Callable[..., Any], name: str, module: str, signature: inspect.Signature, doc: str) -> Any:
    """Dresses a function for ``help()``."""
    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__doc__ = doc
    return function


def from_table(backend: Backend, table: str = TABLE) -> dict[str, Callable[..., Any]]:
    """The functions of a table."""
    found = {}
    for line in table.strip().splitlines():
        call, _, target = line.partition(" -> ")
        name, _, arguments = call.strip().removesuffix(")").partition("(")
        op, *constants = target.split()
        fixed = {key: ast.literal_eval(value) for key, value in (c.split("=") for c in constants)}
        found[name] = _function(backend, name, parse_signature(arguments), get(op), fixed)
    return found


def _function(
    backend: Backend, name: str, signature: inspect.Signature, op: OpDef, fixed: Mapping[str, Any]
) -> Callable[..., Any]:
    parameters = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    names = [p.name for p in parameters]
    count = len(op.inputs)
    inputs, rest = names[:count], [p for p in parameters[count:] if p.name != "out"]
    required = [p.name for p in parameters if p.default is _OMITTED]
    attributes = frozenset(p.name for p in rest if p.name in op.params and p.name not in fixed)
    # Attributes whose default differs from the operator's are said in every call.
    spoken = {p.name: p.default for p in rest if p.name in attributes and p.default is not _OMITTED}
    spoken = {key: value for key, value in spoken.items() if not _means(op, key, value)}
    others = {p.name: p.default for p in rest if p.name not in op.params}
    options = len(parameters) < len(signature.parameters)
    run, is_array = backend.run, backend.is_array
    plain = getattr(np, name) if name in OF_NUMBERS else None

    def function(*args: Any, **kwargs: Any) -> Any:
        if sooner is not None:
            made = sooner(args, kwargs)
            if made is not None:
                return made
        given = read(args, kwargs)
        arrays = [given.pop(key) for key in inputs]
        for key, array in zip(inputs, arrays, strict=True):
            if not is_array(array):
                if plain is not None and isinstance(array, NUMBERS):
                    if given.get("order", "C") != "C":
                        raise MXNetNotImplementedError(
                            f"{name}: order {given['order']!r} is not supported, only 'C' is"
                        )
                    return plain(*args, **kwargs)
                array_argument(backend, name, key, array)
        out = given.pop("out", None)
        return run(op, arrays, attributes_of(given), out)

    def read(args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        given = dict(zip(names, args, strict=False))
        if kwargs or len(args) > len(names):
            _add_keywords(given, args, kwargs)
        for key in required:
            if key not in given:
                raise MXNetTypeError(f"{name}() misses the argument {key!r}; it takes {signature}")
        return given

    def attributes_of(given: Mapping[str, Any]) -> dict[str, Any]:
        attrs = {**fixed, **spoken}
        for key, value in given.items():
            if key in others:
                if value != others[key] and value not in _NO_DIFFERENCE.get(key, ()):
                    raise MXNetNotImplementedError(f"{name}: {key}={value!r} is not supported, only {others[key]!r} is")
            elif key not in fixed and not (value is None and key in ("dtype", "ctx")):
                attrs[key] = value
        return attrs

    def bind(args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[OpDef, list[Any], dict[str, Any]]:
        given = read(args, kwargs)
        if given.pop("out", None) is not None:
            raise MXNetTypeError(f"{name}: results are written to out= by the operator itself")
        arrays = [given.pop(key) for key in inputs]
        return op, arrays, attributes_of(given)

    def _add_keywords(given: dict[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        if len(args) > len(names):
            raise MXNetTypeError(f"{name}() takes at most {len(names)} positional arguments, {len(args)} were given")
        for key, value in kwargs.items():
            if key in given:
                raise MXNetTypeError(f"{name}() got multiple values for argument {key!r}")
            if key in names or (options and key == "ctx" and "ctx" in op.params):
                given[key] = value
            elif options:
                check_options(name, {key: value})
            else:
                raise MXNetTypeError(f"{name}() has no argument {key!r}; it takes {signature}")

    sooner = backend.prepare(bind)
    return name_function(function, name, backend.module, signature, op.doc)


def _means(op: OpDef, attribute: str, value: Any) -> bool:
    """Is this what the operator takes if the attribute is not said?"""
    default = op.params[attribute].default
    if default is REQUIRED or (value is None and attribute not in ("dtype", "ctx")):
        return default is None
    return value is None or op.params[attribute].parse(value, op.name) == default


def array_argument(backend: Backend, function: str, name: str, value: Any) -> Any:
    """An input of an operator, checked."""
    if not backend.is_array(value):
        raise MXNetArgumentError(
            f"{function}: argument {name} must be an array of mx.np, but got {value!r} of type {type(value).__name__}"
        )
    return value


#: Values of arguments that change nothing in the result: sorting is stable whatever its algorithm is.
_NO_DIFFERENCE = {"kind": ("quicksort", "mergesort", "heapsort", "stable")}

# ---- functions of one and two arrays, or numbers ---------------------------------------------------------------------


def unary_functions(backend: Backend) -> dict[str, Callable[..., Any]]:
    """The functions of one array; of a number they are NumPy's."""
    return {name: _unary(backend, name, get(op)) for name, op in UNARY.items()}


def _always_float(function: Callable[..., Any]) -> Callable[..., Any]:
    def of_float(x: Any) -> Any:
        if isinstance(x, bool | np.bool_):
            return function(np.float16(x))
        return function(float(x) if isinstance(x, int | np.integer) else x)

    return of_float


#: Where NumPy's function of this name gives something else: NumPy 2 leaves integers as they are.
_OF_A_NUMBER: dict[str, Callable[..., Any]] = {
    **{name: _always_float(getattr(np, name)) for name in ("ceil", "floor", "trunc", "fix")},
    "fabs": np.abs,
}
_ONE, _TWO = parse_signature("x, out=None, **kwargs"), parse_signature("x1, x2, out=None, **kwargs")


def _unary(backend: Backend, name: str, op: OpDef) -> Callable[..., Any]:
    run, quick, plain = backend.run, backend.specialize(op), _OF_A_NUMBER.get(name) or getattr(np, name)

    def function(x: Any, out: Any = None, **kwargs: Any) -> Any:
        if kwargs:
            check_options(name, kwargs)
        if backend.is_array(x):
            return quick(x) if out is None else run(op, (x,), {}, out)
        if isinstance(x, NUMBERS):
            return plain(x)
        raise _not_supported(x)

    return name_function(function, name, backend.module, _ONE, op.doc)


def _not_supported(value: Any) -> MXNetTypeError:
    return MXNetTypeError(f"type {type(value)} not supported: expected an array of mx.np or a number")


def binary_functions(backend: Backend) -> dict[str, Callable[..., Any]]:
    """The functions of two arrays or numbers; of two numbers they are NumPy's."""
    return {name: _binary(backend, name, *map(get, ops)) for name, ops in BINARY.items()}


def _binary(backend: Backend, name: str, both: OpDef, scalar: OpDef, reverse: OpDef) -> Callable[..., Any]:
    run, quick, plain, is_array = backend.run, backend.specialize(both), getattr(np, name), backend.is_array

    def function(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
        if kwargs:
            check_options(name, kwargs)
        if is_array(x1):
            if is_array(x2):
                return quick(x1, x2) if out is None else run(both, (x1, x2), {}, out)
            if isinstance(x2, NUMBERS):
                return run(scalar, (x1,), backend.scalar(scalar, x2, False), out)
            raise _not_supported(x2)
        if is_array(x2) and isinstance(x1, NUMBERS):
            return run(reverse, (x2,), backend.scalar(reverse, x1, True), out)
        if isinstance(x1, NUMBERS) and isinstance(x2, NUMBERS):
            return plain(x1, x2)
        raise _not_supported(x2 if isinstance(x1, NUMBERS) else x1)

    return name_function(function, name, backend.module, _TWO, both.doc)


def _run(F: Backend, op: str, *inputs: Any, out: Any = None, **attrs: Any) -> Any:
    """Runs an operator by its name."""
    return F.run(get(op), inputs, attrs, out)


def as_number(value: Any) -> float:
    """A number of Python's or NumPy's as an attribute."""
    return value if isinstance(value, int | float) else value.item()


def as_shape(value: Any) -> tuple[int, ...]:
    """A shape given as a number or a sequence of numbers."""
    if isinstance(value, int | np.integer):
        return (int(value),)
    return tuple([python_operator.index(n) for n in value])
