"""The symbol that stands for arrays of ``mx.np``: NumPy's operators and methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...error import MXNetIndexError, MXNetTypeError
from ...ops.messages import display_name
from ...ops.methods import FLUENT
from ...ops.numpy import functions as shared, signatures
from ...ops.numpy.signatures import COMPARISON, METHODS, NUMBERS, OPERATORS, Bind, as_number, as_shape
from ...ops.registry import OpDef, get
from ...ops.types import Attrs, DtypeLike, Keywords
from ..symbol import Symbol, compose

_PREFIXES = ("_npi_random_", "_npi_", "_npx_", "_np_")
#: What symbols are called that are made by a second name of a classic operator.
_HINTS = {get(name): name for name in ("_npi_split", "_npi_cast", "_npi_swapaxes", "_npi_take", "_npi_clip")}


class _Symbols:
    """The backend of functions on symbols: see ``ops/numpy/signatures.py``."""

    module = "mxnet.symbol.numpy"

    def run(self, op: OpDef, inputs: Sequence[object], attrs: Attrs, out: object = None) -> _Symbol:
        """Composes an operator of symbols."""
        if out is not None:
            raise MXNetTypeError(f"{display_name(op.name)}: a symbol has no memory to write to; out= is for arrays")
        given = {key: value for key, value in attrs.items() if value is not None or key != "ctx"}
        return compose(op, inputs, given, hint=hint(op), kind=_Symbol)

    def is_array(self, value: object) -> bool:
        """Is it a symbol? A classic one goes on to the operator, which refuses it with a reason."""
        return isinstance(value, Symbol)

    def many(self, results: _Symbol) -> _Symbol:
        """The symbol itself."""
        return results

    def scalar(self, op: OpDef, value: object, first: bool) -> Keywords:
        """The number, and that it is an integer if it is and comes second: otherwise integers become float64."""
        attrs: Keywords = {"scalar": float(as_number(value))}
        if "is_int" in op.params:
            attrs["is_int"] = isinstance(value, int | np.integer) and not first
        return attrs

    def specialize(self, op: OpDef) -> Callable[..., object]:
        """Composes an operator of one or two symbols."""
        return lambda *inputs: self.run(op, inputs, {})

    def prepare(self, bind: Bind) -> None:
        """Each call makes a node of its own."""


def hint(op: OpDef) -> str:
    """What symbols made by an operator are called, without their number."""
    name = _HINTS.get(op, op.name)
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name.lower()


symbols = _Symbols()


class _Symbol(Symbol):
    """A symbol whose arrays are those of ``mx.np``. Make one by ``mx.sym.var('x').as_np_ndarray()``."""

    __slots__ = ()
    __module__ = "mxnet.symbol.numpy"
    _numpy = True

    def __getitem__(self, key: object) -> Symbol:
        """Of several outputs one, by number or name; of a single one a part, by numbers and slices."""
        if len(self._outputs) != 1 or isinstance(key, str):
            return super().__getitem__(key)
        parts = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(p, int | slice) and not isinstance(p, bool) for p in parts):
            raise MXNetIndexError(f"Only integer, slice, or tuple of these types are supported! Received key={key!r}")
        if all(p == slice(None) for p in parts):
            return self
        found = [
            (p, None if p == -1 else p + 1, None) if isinstance(p, int) else (p.start, p.stop, p.step) for p in parts
        ]
        begin, end, step = (tuple(column) for column in zip(*found, strict=True))
        cut = symbols.run(get("_npi_slice"), (self,), {"begin": begin, "end": end, "step": step})
        if not any(isinstance(p, int) for p in parts):
            return cut
        shape = tuple([-3 if isinstance(p, int) else -2 for p in parts])
        return symbols.run(get("_npi_reshape"), (cut,), {"newshape": (*shape, -4)})

    def as_np_ndarray(self) -> _Symbol:
        """The symbol itself."""
        return self

    def as_nd_ndarray(self) -> Symbol:
        """The same symbol for classic arrays."""
        return Symbol(self._outputs)

    @property
    def T(self) -> _Symbol:
        """The array with its axes in reverse order."""
        return self.transpose()

    def transpose(self, *axes: object) -> _Symbol:
        """The array with its axes in another order, the reverse one if none is given."""
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], list | tuple)):
            axes = tuple(axes[0] or ())
        return symbols.run(get("_np_transpose"), (self,), {"axes": axes or None})

    def reshape(self, *args: object, **kwargs: object) -> _Symbol:
        """The array with another shape; -1 stands for what is left over."""
        shape = as_shape(args[0]) if len(args) == 1 else as_shape(args)
        return symbols.run(get("_np_reshape"), (self,), {"newshape": shape, **kwargs})

    def astype(
        self, dtype: DtypeLike, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> _Symbol:
        """The array converted to a dtype."""
        return symbols.run(get("_npi_cast"), (self,), {"dtype": dtype})

    def swapaxes(self, axis1: int, axis2: int) -> _Symbol:
        """The array with two axes exchanged."""
        return symbols.run(get("_npi_swapaxes"), (self,), {"dim1": axis1, "dim2": axis2})

    def clip(self, min: float | None = None, max: float | None = None, out: object = None) -> _Symbol:
        """The numbers limited to an interval, of which one end may be None."""
        return shared.clip(symbols, self, min, max, out)

    def take(self, indices: object, axis: int | None = None, mode: str = "raise") -> _Symbol:
        """The elements at indices along an axis, or of the flattened array."""
        return shared.take(symbols, self, indices, axis, mode)

    def __len__(self) -> int:
        if len(self._outputs) == 1:
            raise MXNetTypeError(f"{self!r} is not a list and does not support len(): its array is not there yet")
        return len(self._outputs)

    def __iter__(self) -> Iterator[Symbol]:
        if len(self._outputs) == 1:
            raise MXNetTypeError(f"{self!r} is not iterable: its array is not there yet")
        return super().__iter__()

    def __neg__(self) -> _Symbol:
        return symbols.run(get("_npi_multiply_scalar"), (self,), {"scalar": -1.0, "is_int": False})

    def __abs__(self) -> _Symbol:
        return symbols.run(get("_npi_absolute"), (self,), {})

    def __invert__(self) -> _Symbol:
        return symbols.run(get("_npi_bitwise_not"), (self,), {})

    def __matmul__(self, other: object) -> _Symbol:
        return symbols.run(get("_npi_matmul"), (self, other), {})


def _binary(both: str, scalar: str, first: bool = False) -> Callable[[_Symbol, object], _Symbol]:
    def operator(self: _Symbol, other: object) -> _Symbol:
        if isinstance(other, Symbol):
            return symbols.run(get(both), (self, other), {})
        if isinstance(other, NUMBERS):
            return symbols.run(get(scalar), (self,), symbols.scalar(get(scalar), other, first))
        raise MXNetTypeError(f"type {type(other)} not supported: expected a number or a symbol of mx.sym.np")

    return operator


def _reflect(both: str, scalar: str) -> Callable[[_Symbol, object], _Symbol]:
    forward = _binary(both, scalar, first=both != "_npi_add")

    def operator(self: _Symbol, other: object) -> _Symbol:
        # A classic symbol on the left leaves it to this class, where the two may meet.
        return symbols.run(get(both), (other, self), {}) if isinstance(other, Symbol) else forward(self, other)

    return operator


def _absent(name: str) -> property:
    def missing(self: _Symbol) -> object:
        raise AttributeError(f"_Symbol object has no attribute {name}")

    return property(missing, doc=f"Not available: use the function of mx.sym.np or mx.sym.npx instead of {name}.")


def _install() -> None:
    for name, method in signatures.from_table(symbols, METHODS).items():
        method.__qualname__ = f"_Symbol.{name}"
        setattr(_Symbol, name, method)
    for name in set(FLUENT) - set(vars(_Symbol)):
        setattr(_Symbol, name, _absent(name))
    for symbol, (both, scalar, reflected) in OPERATORS.items():
        setattr(_Symbol, f"__{symbol}__", _binary(both, scalar))
        setattr(_Symbol, f"__r{symbol}__", _reflect(both, reflected))
    for symbol, (both, scalar) in COMPARISON.items():
        setattr(_Symbol, f"__{symbol}__", _binary(both, scalar))
    _Symbol.__hash__ = None  # type: ignore[assignment]


_install()


def shares_memory(a: _Symbol, b: _Symbol, max_work: object = None) -> _Symbol:
    """Do two arrays share memory?"""
    return symbols.run(get("_npi_share_memory"), (a, b), {})


def may_share_memory(a: _Symbol, b: _Symbol, max_work: object = None) -> _Symbol:
    """Might two arrays share memory?"""
    return shares_memory(a, b, max_work)


_FUNCTIONS = {
    "shares_memory": shares_memory,
    "may_share_memory": may_share_memory,
    **signatures.from_table(symbols),
    **signatures.unary_functions(symbols),
    **signatures.binary_functions(symbols),
    **shared.for_backend(symbols),
}
_NOT_HERE = ("meshgrid", "broadcast_arrays", "empty", "nonzero")
_OPERATORS = """all amax amin any atleast_1d atleast_2d atleast_3d copy cumsum diag diagflat diagonal dot max min
moveaxis prod product repeat reshape roll sometrue squeeze sum trace transpose""".split()
#: Functions that are operators as they are, which the original keeps elsewhere.
_MORE = {name: _FUNCTIONS[name] for name in _OPERATORS}
__all__ = [name for name in _FUNCTIONS if name not in (*_NOT_HERE, *_OPERATORS)]
globals().update({name: _FUNCTIONS[name] for name in __all__})
