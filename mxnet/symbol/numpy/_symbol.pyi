# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.context import Context
from numpy.typing import DTypeLike
from typing import Any, SupportsIndex, overload

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
_PREFIXES: tuple[Any, ...]
_HINTS: dict[Any, Any]
class _Symbols:
    """The backend of functions on symbols: see ``ops/numpy/signatures.py``."""
    module: str
    def run(self, op: OpDef, inputs: Sequence[object], attrs: Attrs, out: object=None) -> _Symbol:
        """Composes an operator of symbols."""
    def is_array(self, value: object) -> bool:
        """Is it a symbol? A classic one goes on to the operator, which refuses it with a reason."""
    def many(self, results: _Symbol) -> _Symbol:
        """The symbol itself."""
    def scalar(self, op: OpDef, value: object, first: bool) -> Keywords:
        """The number, and that it is an integer if it is and comes second: otherwise integers become float64."""
    def specialize(self, op: OpDef) -> Callable[..., object]:
        """Composes an operator of one or two symbols."""
    def prepare(self, bind: Bind) -> None:
        """Each call makes a node of its own."""
def hint(op: OpDef) -> str:
    """What symbols made by an operator are called, without their number."""
symbols: Any
class _Symbol(Symbol):
    """A symbol whose arrays are those of ``mx.np``. Make one by ``mx.sym.var('x').as_np_ndarray()``."""
    __module__: str
    _numpy: bool
    def __getitem__(self, key: object) -> Symbol:
        """Of several outputs one, by number or name; of a single one a part, by numbers and slices."""
    def as_np_ndarray(self) -> _Symbol:
        """The symbol itself."""
    def as_nd_ndarray(self) -> Symbol:
        """The same symbol for classic arrays."""
    @property
    def T(self) -> _Symbol:
        """The array with its axes in reverse order."""
    def transpose(self, *axes: object) -> _Symbol:
        """The array with its axes in another order, the reverse one if none is given."""
    def reshape(self, *args: object, **kwargs: object) -> _Symbol:
        """The array with another shape; -1 stands for what is left over."""
    def astype(self, dtype: DtypeLike, order: str='K', casting: str='unsafe', subok: bool=True, copy: bool=True) -> _Symbol:
        """The array converted to a dtype."""
    def swapaxes(self, axis1: int, axis2: int) -> _Symbol:
        """The array with two axes exchanged."""
    def clip(self, min: float | None=None, max: float | None=None, out: object=None) -> _Symbol:
        """The numbers limited to an interval, of which one end may be None."""
    def take(self, indices: object, axis: int | None=None, mode: str='raise') -> _Symbol:
        """The elements at indices along an axis, or of the flattened array."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Symbol]: ...
    def __neg__(self) -> _Symbol: ...
    def __abs__(self) -> _Symbol: ...
    def __invert__(self) -> _Symbol: ...
    def __matmul__(self, other: object) -> _Symbol: ...
    def __add__(self, other: Any) -> _Symbol: ...
    def __and__(self, other: Any) -> _Symbol: ...
    def __eq__(self, other: Any) -> _Symbol: ...  # type: ignore[override]
    def __ge__(self, other: Any) -> _Symbol: ...
    def __gt__(self, other: Any) -> _Symbol: ...
    __hash__: Any
    def __le__(self, other: Any) -> _Symbol: ...
    def __lt__(self, other: Any) -> _Symbol: ...
    def __mod__(self, other: Any) -> _Symbol: ...
    def __mul__(self, other: Any) -> _Symbol: ...
    def __ne__(self, other: Any) -> _Symbol: ...  # type: ignore[override]
    def __or__(self, other: Any) -> _Symbol: ...
    def __pow__(self, other: Any) -> _Symbol: ...
    def __radd__(self, other: Any) -> _Symbol: ...
    def __rand__(self, other: Any) -> _Symbol: ...
    def __rmod__(self, other: Any) -> _Symbol: ...
    def __rmul__(self, other: Any) -> _Symbol: ...
    def __ror__(self, other: Any) -> _Symbol: ...
    def __rpow__(self, other: Any) -> _Symbol: ...
    def __rsub__(self, other: Any) -> _Symbol: ...
    def __rtruediv__(self, other: Any) -> _Symbol: ...
    def __rxor__(self, other: Any) -> _Symbol: ...
    def __sub__(self, other: Any) -> _Symbol: ...
    def __truediv__(self, other: Any) -> _Symbol: ...
    def __xor__(self, other: Any) -> _Symbol: ...
    @property
    def abs(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of abs."""
    def all(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
        """Are all numbers other than 0 along ``axis``, or of the whole array?"""
    def any(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
        """Is any number other than 0 along ``axis``, or of the whole array?"""
    @property
    def arccos(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of arccos."""
    @property
    def arccosh(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of arccosh."""
    @property
    def arcsin(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of arcsin."""
    @property
    def arcsinh(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of arcsinh."""
    @property
    def arctan(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of arctan."""
    @property
    def arctanh(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of arctanh."""
    def argmax(self, axis: int | SupportsIndex | None = None, out: _Symbol | None = None) -> _Symbol:
        """The place of the largest element along ``axis``, or in the flattened array."""
    @property
    def argmax_channel(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of argmax_channel."""
    def argmin(self, axis: int | SupportsIndex | None = None, out: _Symbol | None = None) -> _Symbol:
        """The place of the smallest element along ``axis``, or in the flattened array."""
    def argsort(self, axis: int | SupportsIndex | None = -1, kind: Any = None, order: Any = None) -> _Symbol:
        """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
    @property
    def broadcast_axes(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of broadcast_axes."""
    @property
    def broadcast_like(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of broadcast_like."""
    def broadcast_to(self, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex) -> _Symbol:
        """The array repeated along dimensions of size 1, and along new ones in front; -2 keeps a size."""
    @property
    def cbrt(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of cbrt."""
    @property
    def ceil(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of ceil."""
    def copy(self, order: Any = 'C') -> _Symbol:
        """A copy."""
    @property
    def cos(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of cos."""
    @property
    def cosh(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of cosh."""
    def cumsum(self, axis: int | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None) -> _Symbol:
        """Running sums along ``axis``, or over the flattened array if none is given."""
    @property
    def degrees(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of degrees."""
    @property
    def depth_to_space(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of depth_to_space."""
    @property
    def diag(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of diag."""
    def dot(self, b: _Symbol, out: _Symbol | None = None) -> _Symbol:
        """The dot product: the last axis of ``a`` with the last but one of ``b``; a number multiplies the array."""
    @property
    def exp(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of exp."""
    @property
    def expand_dims(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of expand_dims."""
    @property
    def expm1(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of expm1."""
    @property
    def fix(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of fix."""
    def flatten(self, order: str = 'C') -> _Symbol:
        """The array with another shape; -1 stands for what is left over."""
    @property
    def flip(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of flip."""
    @property
    def floor(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of floor."""
    @property
    def log(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of log."""
    @property
    def log10(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of log10."""
    @property
    def log1p(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of log1p."""
    @property
    def log2(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of log2."""
    @property
    def log_softmax(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of log_softmax."""
    def max(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
        """The largest element along ``axis``, or of the whole array."""
    def mean(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
        """The mean along ``axis``, or of the whole array."""
    def min(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
        """The smallest element along ``axis``, or of the whole array."""
    @property
    def nanprod(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of nanprod."""
    @property
    def nansum(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of nansum."""
    @property
    def norm(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of norm."""
    @property
    def one_hot(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of one_hot."""
    @property
    def ones_like(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of ones_like."""
    @property
    def pad(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of pad."""
    @property
    def pick(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of pick."""
    def prod(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
        """The product along ``axis``, or of the whole array."""
    @property
    def radians(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of radians."""
    @property
    def rcbrt(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of rcbrt."""
    @property
    def reciprocal(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of reciprocal."""
    @property
    def relu(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of relu."""
    def repeat(self, repeats: int | SupportsIndex, axis: int | SupportsIndex | None = None) -> _Symbol:
        """Repeats each element ``repeats`` times along ``axis``; without an axis the array is flattened first."""
    @property
    def reshape_like(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of reshape_like."""
    @property
    def rint(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of rint."""
    def round(self, decimals: int | SupportsIndex = 0, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
        """The numbers rounded to so many decimals, halves to the even number. The gradient is zero."""
    @property
    def rsqrt(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of rsqrt."""
    @property
    def shape_array(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of shape_array."""
    @property
    def sigmoid(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of sigmoid."""
    @property
    def sign(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of sign."""
    @property
    def sin(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of sin."""
    @property
    def sinh(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of sinh."""
    @property
    def size_array(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of size_array."""
    @property
    def slice(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of slice."""
    @property
    def slice_axis(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of slice_axis."""
    @property
    def slice_like(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of slice_like."""
    @property
    def softmax(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of softmax."""
    @property
    def softmin(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of softmin."""
    @property
    def sort(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of sort."""
    @property
    def space_to_depth(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of space_to_depth."""
    @property
    def sqrt(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of sqrt."""
    @property
    def square(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of square."""
    def squeeze(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None) -> _Symbol:
        """The array without axes of size 1: all of them, or those given."""
    def std(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False) -> _Symbol:
        """The standard deviation along ``axis``, or of the whole array, divided by ``n - ddof``."""
    def sum(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
        """The sum along ``axis``, or of the whole array."""
    @property
    def tan(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of tan."""
    @property
    def tanh(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of tanh."""
    @property
    def tile(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of tile."""
    @property
    def topk(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of topk."""
    @property
    def trunc(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of trunc."""
    def var(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False) -> _Symbol:
        """The variance along ``axis``, or of the whole array, divided by ``n - ddof``."""
    @property
    def zeros_like(self) -> Any:
        """Not available: use the function of mx.sym.np or mx.sym.npx instead of zeros_like."""
def _binary(both: str, scalar: str, first: bool=False) -> Callable[[_Symbol, object], _Symbol]: ...
def _reflect(both: str, scalar: str) -> Callable[[_Symbol, object], _Symbol]: ...
def _absent(name: str) -> property: ...
def _install() -> None: ...
def shares_memory(a: _Symbol, b: _Symbol, max_work: object=None) -> _Symbol:
    """Do two arrays share memory?"""
def may_share_memory(a: _Symbol, b: _Symbol, max_work: object=None) -> _Symbol:
    """Might two arrays share memory?"""
_FUNCTIONS: dict[Any, Any]
_NOT_HERE: tuple[Any, ...]
_OPERATORS: list[Any]
_MORE: dict[Any, Any]
@overload
def abs(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The absolute value."""
@overload
def abs(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The absolute value."""
@overload
def absolute(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The absolute value."""
@overload
def absolute(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The absolute value."""
@overload
def add(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The sum, element by element. Dimensions broadcast."""
@overload
def add(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The sum, element by element. Dimensions broadcast."""
@overload
def add(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The sum, element by element. Dimensions broadcast."""
def append(arr: Any, values: Any, axis: int | None = None) -> _Symbol:
    """The array with another at its end along an axis; both flattened, if it is None."""
def arange(start: float | None, stop: float | None = None, step: float | None = 1, dtype: DtypeLike = None, ctx: Any = None) -> _Symbol:
    """Numbers from ``start`` up to but without ``stop``, float32 if no dtype is given; a single number is the stop."""
@overload
def arccos(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The angle in [0, pi] with that cosine."""
@overload
def arccos(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The angle in [0, pi] with that cosine."""
@overload
def arccosh(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The inverse of the hyperbolic cosine, for x >= 1."""
@overload
def arccosh(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The inverse of the hyperbolic cosine, for x >= 1."""
@overload
def arcsin(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The angle in [-pi/2, pi/2] with that sine."""
@overload
def arcsin(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The angle in [-pi/2, pi/2] with that sine."""
@overload
def arcsinh(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The inverse of the hyperbolic sine."""
@overload
def arcsinh(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The inverse of the hyperbolic sine."""
@overload
def arctan(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The angle in [-pi/2, pi/2] with that tangent."""
@overload
def arctan(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The angle in [-pi/2, pi/2] with that tangent."""
@overload
def arctan2(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The angle in radians of the point (x2, x1). Dimensions broadcast."""
@overload
def arctan2(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The angle in radians of the point (x2, x1). Dimensions broadcast."""
@overload
def arctan2(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The angle in radians of the point (x2, x1). Dimensions broadcast."""
@overload
def arctanh(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The inverse of the hyperbolic tangent, for -1 < x < 1."""
@overload
def arctanh(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The inverse of the hyperbolic tangent, for -1 < x < 1."""
def argmax(a: _Symbol, axis: int | SupportsIndex | None = None, out: _Symbol | None = None) -> _Symbol:
    """The place of the largest element along ``axis``, or in the flattened array."""
def argmin(a: _Symbol, axis: int | SupportsIndex | None = None, out: _Symbol | None = None) -> _Symbol:
    """The place of the smallest element along ``axis``, or in the flattened array."""
def argsort(a: _Symbol, axis: int | SupportsIndex | None = -1, kind: Any = None, order: Any = None) -> _Symbol:
    """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
def around(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """The numbers rounded to so many decimals, halves to the even number."""
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The array cut along an axis into parts as equal as can be (a number), or at indices (a tuple)."""
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, out: Any = None) -> Any:
    """The mean, each number with its weight; with ``returned`` also the sum of the weights."""
def bincount(x: Any, weights: Any = None, minlength: int = 0) -> _Symbol:
    """How often each number from 0 on occurs, or the sum of the weights where it does."""
@overload
def bitwise_and(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Bit by bit ``lhs and rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_and(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Bit by bit ``lhs and rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_and(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Bit by bit ``lhs and rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_not(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Each bit inverted, of integers or booleans."""
@overload
def bitwise_not(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Each bit inverted, of integers or booleans."""
@overload
def bitwise_or(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Bit by bit ``lhs or rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_or(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Bit by bit ``lhs or rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_or(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Bit by bit ``lhs or rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_xor(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_xor(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_xor(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. Dimensions broadcast."""
def blackman(M: int | SupportsIndex | None, dtype: DTypeLike | None = None, ctx: Context | str | None = None) -> _Symbol:
    """The Blackman window of M points."""
def broadcast_to(array: Any, shape: Any) -> Any:
    """The array, or a number, repeated along dimensions of size 1 and along new ones in front."""
@overload
def cbrt(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The cube root."""
@overload
def cbrt(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The cube root."""
@overload
def ceil(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The smallest whole number not below x. Its gradient is zero."""
@overload
def ceil(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The smallest whole number not below x. Its gradient is zero."""
def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    """The numbers limited to an interval, of which one end may be None."""
def column_stack(tup: Any) -> _Symbol:
    """The arrays joined as columns."""
def concatenate(seq: Any, axis: int | None = 0, out: Any = None) -> _Symbol:
    """The arrays joined along an axis; flattened first, if it is None."""
@overload
def copysign(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The first number with the sign of the second. Dimensions broadcast."""
@overload
def copysign(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The first number with the sign of the second. Dimensions broadcast."""
@overload
def copysign(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The first number with the sign of the second. Dimensions broadcast."""
@overload
def cos(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The cosine of an angle in radians."""
@overload
def cos(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The cosine of an angle in radians."""
@overload
def cosh(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The hyperbolic cosine."""
@overload
def cosh(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The hyperbolic cosine."""
@overload
def deg2rad(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """An angle in degrees as radians."""
@overload
def deg2rad(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """An angle in degrees as radians."""
@overload
def degrees(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """An angle in radians as degrees."""
@overload
def degrees(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """An angle in radians as degrees."""
def delete(arr: Any, obj: Any, axis: int | None = None) -> _Symbol:
    """The array without the places that a number, a slice or an array names, along an axis or flattened."""
def diag_indices_from(arr: Any) -> Any:
    """The indices of the main diagonal of an array whose dimensions are all equal."""
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> _Symbol:
    """The differences of neighbors along an axis, ``n`` times."""
@overload
def divide(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def divide(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def divide(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """The array cut along its third axis."""
def dstack(arrays: Any) -> _Symbol:
    """The arrays joined along the third axis."""
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> _Symbol:
    """The differences of neighbors in the flattened array, with numbers put before and after them."""
def einsum(*operands: Any, **kwargs: Any) -> _Symbol:
    """Sums of products in Einstein's notation: ``einsum('ij,jk->ik', a, b)``."""
def empty_like(prototype: _Symbol, dtype: DTypeLike | None = None, order: Any = 'C', subok: Any = False, shape: Any = None) -> _Symbol:
    """An array of one number with the shape, and if none is given the dtype, of another."""
@overload
def equal(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs == rhs``? Dimensions broadcast."""
@overload
def equal(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs == rhs``? Dimensions broadcast."""
@overload
def equal(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs == rhs``? Dimensions broadcast."""
@overload
def exp(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """e to the power of the number."""
@overload
def exp(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """e to the power of the number."""
def expand_dims(a: _Symbol, axis: int | SupportsIndex) -> _Symbol:
    """Inserts a dimension of size 1 before position ``axis``."""
@overload
def expm1(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """``exp(x) - 1``, exact for small x."""
@overload
def expm1(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """``exp(x) - 1``, exact for small x."""
def eye(N: int | SupportsIndex, M: int | SupportsIndex | None = None, k: int | SupportsIndex = 0, dtype: DTypeLike | None = None, **kwargs: Any) -> _Symbol:
    """A matrix of N rows and M columns with ones on its k-th diagonal."""
@overload
def fabs(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The absolute value."""
@overload
def fabs(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The absolute value."""
@overload
def fix(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The nearest whole number towards zero. Its gradient is zero."""
@overload
def fix(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The nearest whole number towards zero. Its gradient is zero."""
def flip(m: Any, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None) -> _Symbol:
    """The array with the order along some axes, or for None along all, reversed."""
def fliplr(m: _Symbol) -> _Symbol:
    """The array with the order along some axes, or for None along all, reversed."""
def flipud(m: _Symbol) -> _Symbol:
    """The array with the order along some axes, or for None along all, reversed."""
@overload
def floor(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The largest whole number not above x. Its gradient is zero."""
@overload
def floor(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The largest whole number not above x. Its gradient is zero."""
def full(shape: Any, fill_value: Any, dtype: DtypeLike = None, order: str = 'C', ctx: Any = None, out: Any = None) -> _Symbol:
    """An array in which every element is ``fill_value``, a number or an array that broadcasts; float32 or bool."""
def full_like(a: Any, fill_value: Any, dtype: DtypeLike = None, order: str = 'C', ctx: Any = None, out: Any = None) -> Any:
    """An array of one number with the shape, and if none is given the dtype, of another."""
@overload
def greater(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs > rhs``? Dimensions broadcast."""
@overload
def greater(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs > rhs``? Dimensions broadcast."""
@overload
def greater(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs > rhs``? Dimensions broadcast."""
@overload
def greater_equal(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs >= rhs``? Dimensions broadcast."""
@overload
def greater_equal(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs >= rhs``? Dimensions broadcast."""
@overload
def greater_equal(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs >= rhs``? Dimensions broadcast."""
def hamming(M: int | SupportsIndex | None, dtype: DTypeLike | None = None, ctx: Context | str | None = None) -> _Symbol:
    """The Hamming window of M points."""
def hanning(M: int | SupportsIndex | None, dtype: DTypeLike | None = None, ctx: Context | str | None = None) -> _Symbol:
    """The Hann window of M points."""
def histogram(a: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None) -> Any:
    """How many numbers lie in each bin, and the edges of the bins."""
def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """The array cut along its second axis, or its only one."""
def hstack(arrays: Any) -> _Symbol:
    """The arrays joined along the second axis; those of one dimension along that."""
@overload
def hypot(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """``sqrt(x1**2 + x2**2)``. Dimensions broadcast."""
@overload
def hypot(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """``sqrt(x1**2 + x2**2)``. Dimensions broadcast."""
@overload
def hypot(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """``sqrt(x1**2 + x2**2)``. Dimensions broadcast."""
def identity(n: int, dtype: DtypeLike = None, ctx: Any = None) -> _Symbol:
    """A square matrix with ones on its diagonal."""
def indices(dimensions: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = 'int32', ctx: Context | str | None = None) -> _Symbol:
    """The index of each element of a grid, one array for each of its dimensions."""
def inner(a: Any, b: Any) -> _Symbol:
    """The products of two arrays summed over their last axes."""
def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> _Symbol:
    """The array with values put before the places that a number, a slice or an array names."""
@overload
def invert(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Each bit inverted, of integers or booleans."""
@overload
def invert(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Each bit inverted, of integers or booleans."""
@overload
def isfinite(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is neither NaN nor an infinity?"""
@overload
def isfinite(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is neither NaN nor an infinity?"""
@overload
def isinf(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is an infinity?"""
@overload
def isinf(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is an infinity?"""
@overload
def isnan(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is NaN?"""
@overload
def isnan(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is NaN?"""
@overload
def isneginf(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is the negative infinity?"""
@overload
def isneginf(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is the negative infinity?"""
@overload
def isposinf(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is the positive infinity?"""
@overload
def isposinf(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is the positive infinity?"""
@overload
def lcm(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The least common multiple of two integers. Dimensions broadcast."""
@overload
def lcm(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The least common multiple of two integers. Dimensions broadcast."""
@overload
def lcm(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The least common multiple of two integers. Dimensions broadcast."""
@overload
def ldexp(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """``lhs * 2**rhs``. Dimensions broadcast."""
@overload
def ldexp(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """``lhs * 2**rhs``. Dimensions broadcast."""
@overload
def ldexp(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """``lhs * 2**rhs``. Dimensions broadcast."""
@overload
def less(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs < rhs``? Dimensions broadcast."""
@overload
def less(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs < rhs``? Dimensions broadcast."""
@overload
def less(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs < rhs``? Dimensions broadcast."""
@overload
def less_equal(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs <= rhs``? Dimensions broadcast."""
@overload
def less_equal(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs <= rhs``? Dimensions broadcast."""
@overload
def less_equal(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs <= rhs``? Dimensions broadcast."""
def linspace(start: float, stop: float, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: DtypeLike = None, axis: int = 0, ctx: Any = None) -> Any:
    """``num`` evenly spaced numbers from ``start`` to ``stop``; with ``retstep`` also the space between them."""
@overload
def log(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The natural logarithm."""
@overload
def log(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The natural logarithm."""
@overload
def log10(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The logarithm to base 10."""
@overload
def log10(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The logarithm to base 10."""
@overload
def log1p(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """``log(1 + x)``, exact for small x."""
@overload
def log1p(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """``log(1 + x)``, exact for small x."""
@overload
def log2(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The logarithm to base 2."""
@overload
def log2(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The logarithm to base 2."""
@overload
def logical_not(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is the number 0?"""
@overload
def logical_not(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is the number 0?"""
def logspace(start: float, stop: float, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: DtypeLike = None, axis: int = 0, ctx: Any = None) -> _Symbol:
    """``num`` numbers evenly spaced on a logarithmic scale, from ``base**start`` to ``base**stop``."""
def matmul(a: _Symbol, b: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The product of matrices in the last two axes; the other axes broadcast."""
@overload
def maximum(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
@overload
def maximum(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
@overload
def maximum(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
def mean(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
    """The mean along ``axis``, or of the whole array."""
@overload
def minimum(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
@overload
def minimum(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
@overload
def minimum(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
@overload
def mod(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def mod(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def mod(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def multiply(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The product, element by element. Dimensions broadcast."""
@overload
def multiply(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The product, element by element. Dimensions broadcast."""
@overload
def multiply(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The product, element by element. Dimensions broadcast."""
def nan_to_num(x: Any, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, **kwargs: Any) -> Any:
    """The array with numbers in the place of NaN and the infinities; without ``copy`` they are written into it."""
@overload
def negative(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The number with the opposite sign."""
@overload
def negative(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The number with the opposite sign."""
@overload
def not_equal(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs != rhs``? Dimensions broadcast."""
@overload
def not_equal(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """Where is ``lhs != rhs``? Dimensions broadcast."""
@overload
def not_equal(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs != rhs``? Dimensions broadcast."""
def ones(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None) -> _Symbol:
    """An array of ones."""
def ones_like(a: _Symbol, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None, out: _Symbol | None = None) -> _Symbol:
    """An array of one number with the shape, and if none is given the dtype, of another."""
def outer(a: Any, b: Any) -> _Symbol:
    """The products of each element of one flattened array with each of another."""
def pad(x: Any, pad_width: Any = None, mode: str = 'constant', **kwargs: Any) -> _Symbol:
    """The array with a border of so many elements before and after along each axis."""
def percentile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = None, interpolation: str = 'linear', keepdims: bool = False) -> _Symbol:
    """The q-th percentiles along axes, or of the whole array; one for each number of ``q``, in front."""
def polyval(p: _Symbol, x: _Symbol) -> _Symbol:
    """The values of a polynomial, whose coefficients begin with that of the highest power."""
@overload
def power(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The first array to the power of the second, element by element. Dimensions broadcast."""
@overload
def power(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The first array to the power of the second, element by element. Dimensions broadcast."""
@overload
def power(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The first array to the power of the second, element by element. Dimensions broadcast."""
def quantile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = None, interpolation: str = 'linear', keepdims: bool = False) -> _Symbol:
    """The quantiles along axes, or of the whole array; one for each number of ``q``, in front."""
@overload
def rad2deg(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """An angle in radians as degrees."""
@overload
def rad2deg(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """An angle in radians as degrees."""
@overload
def radians(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """An angle in degrees as radians."""
@overload
def radians(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """An angle in degrees as radians."""
def ravel(x: Any, order: str = 'C') -> _Symbol:
    """The array with another shape; -1 stands for what is left over."""
@overload
def reciprocal(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """One over the number."""
@overload
def reciprocal(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """One over the number."""
@overload
def remainder(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def remainder(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def remainder(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
def resize(a: Any, new_shape: Any) -> _Symbol:
    """The elements in another shape: as often repeated, or so many left out, as it takes."""
@overload
def rint(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The nearest whole number; n.5 becomes n. Its gradient is zero."""
@overload
def rint(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The nearest whole number; n.5 becomes n. Its gradient is zero."""
def rot90(m: _Symbol, k: int | SupportsIndex = 1, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (0, 1)) -> _Symbol:
    """The array turned by 90 degrees ``k`` times in the plane of two axes."""
def round(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """The numbers rounded to so many decimals, halves to the even number."""
def round_(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """The numbers rounded to so many decimals, halves to the even number."""
def row_stack(arrays: Any) -> _Symbol:
    """The arrays joined as rows."""
@overload
def sign(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
@overload
def sign(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
@overload
def sin(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The sine of an angle in radians."""
@overload
def sin(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The sine of an angle in radians."""
@overload
def sinh(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The hyperbolic sine."""
@overload
def sinh(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The hyperbolic sine."""
def sort(a: _Symbol, axis: int | SupportsIndex | None = -1, kind: Any = None, order: Any = None) -> _Symbol:
    """Sorts along ``axis``; None sorts the flattened array. Equal elements keep their order."""
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The array cut along an axis into equal parts (a number), or at indices (a tuple)."""
@overload
def sqrt(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The square root."""
@overload
def sqrt(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The square root."""
@overload
def square(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The square."""
@overload
def square(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The square."""
def stack(arrays: Any, axis: int = 0, out: Any = None) -> _Symbol:
    """The arrays joined along a new axis."""
def std(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False) -> _Symbol:
    """The standard deviation along ``axis``, or of the whole array, divided by ``n - ddof``."""
@overload
def subtract(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The difference, element by element. Dimensions broadcast."""
@overload
def subtract(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The difference, element by element. Dimensions broadcast."""
@overload
def subtract(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The difference, element by element. Dimensions broadcast."""
def swapaxes(a: Any, axis1: int, axis2: int) -> _Symbol:
    """The array with two axes exchanged."""
def take(a: Any, indices: Any, axis: int | None = None, mode: str = 'raise', out: Any = None) -> _Symbol:
    """The elements at indices along an axis, or of the flattened array; ``mode`` is for those that do not exist."""
@overload
def tan(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The tangent of an angle in radians."""
@overload
def tan(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The tangent of an angle in radians."""
@overload
def tanh(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The hyperbolic tangent."""
@overload
def tanh(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The hyperbolic tangent."""
def tensordot(a: Any, b: Any, axes: Any = 2) -> _Symbol:
    """The products of two arrays summed over axes: the last of one and the first of the other, or pairs."""
def tile(A: Any, reps: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None) -> _Symbol:
    """Repeats the whole array ``reps`` times along each dimension, from the last one on if there are fewer numbers."""
def tril(m: _Symbol, k: int | SupportsIndex = 0) -> _Symbol:
    """The matrices in the last two axes with zeros above the k-th diagonal."""
@overload
def true_divide(x1: _Symbol, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def true_divide(x1: Any, x2: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def true_divide(x1: Any, x2: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def trunc(x: _Symbol, out: _Symbol | None = None, **kwargs: Any) -> _Symbol:
    """The number without its fraction. Its gradient is zero."""
@overload
def trunc(x: Any, out: _Symbol | None = None, **kwargs: Any) -> Any:
    """The number without its fraction. Its gradient is zero."""
def unique(ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None) -> Any:
    """The sorted elements, each once; also where each is first, which of them each element is, how many there are."""
def unravel_index(indices: Any, shape: Any, order: str = 'C') -> Any:
    """Indices into a flat array as indices into one of this shape, an array for each dimension."""
def var(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False) -> _Symbol:
    """The variance along ``axis``, or of the whole array, divided by ``n - ddof``."""
def vdot(a: Any, b: Any) -> _Symbol:
    """The dot product of two flattened arrays."""
def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """The array cut along its first axis."""
def vstack(arrays: Any, out: Any = None) -> _Symbol:
    """The arrays joined as rows."""
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """The elements of ``x`` where the condition holds, else those of ``y``; without them, the places where it holds."""
def zeros(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None) -> _Symbol:
    """An array of zeros."""
def zeros_like(a: _Symbol, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None, out: _Symbol | None = None) -> _Symbol:
    """An array of one number with the shape, and if none is given the dtype, of another."""
__all__ = ['shares_memory', 'may_share_memory', 'mean', 'std', 'var', 'argmax', 'argmin', 'argsort', 'sort', 'tril', 'matmul', 'expand_dims', 'flip', 'fliplr', 'flipud', 'rot90', 'ravel', 'tile', 'polyval', 'ones_like', 'zeros_like', 'empty_like', 'eye', 'indices', 'ones', 'zeros', 'blackman', 'hamming', 'hanning', 'absolute', 'abs', 'sign', 'rint', 'ceil', 'floor', 'trunc', 'fix', 'negative', 'reciprocal', 'square', 'sqrt', 'cbrt', 'exp', 'expm1', 'log', 'log2', 'log10', 'log1p', 'sin', 'cos', 'tan', 'arcsin', 'arccos', 'arctan', 'sinh', 'cosh', 'tanh', 'arcsinh', 'arccosh', 'arctanh', 'degrees', 'radians', 'logical_not', 'isnan', 'isinf', 'isfinite', 'isposinf', 'isneginf', 'bitwise_not', 'fabs', 'invert', 'deg2rad', 'rad2deg', 'add', 'multiply', 'hypot', 'lcm', 'bitwise_and', 'bitwise_or', 'bitwise_xor', 'equal', 'not_equal', 'maximum', 'minimum', 'subtract', 'mod', 'power', 'true_divide', 'arctan2', 'copysign', 'ldexp', 'divide', 'remainder', 'greater', 'greater_equal', 'less', 'less_equal', 'arange', 'full', 'full_like', 'broadcast_to', 'identity', 'linspace', 'logspace', 'concatenate', 'append', 'stack', 'vstack', 'row_stack', 'hstack', 'dstack', 'column_stack', 'split', 'array_split', 'vsplit', 'hsplit', 'dsplit', 'where', 'clip', 'take', 'unique', 'bincount', 'histogram', 'delete', 'insert', 'diag_indices_from', 'unravel_index', 'tensordot', 'inner', 'outer', 'vdot', 'einsum', 'average', 'percentile', 'quantile', 'diff', 'ediff1d', 'around', 'round', 'round_', 'nan_to_num', 'swapaxes', 'pad', 'resize']
