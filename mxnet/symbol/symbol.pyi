# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from numpy.typing import DTypeLike
from typing import Literal, SupportsFloat, SupportsIndex

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ctypes import c_void_p
from typing import Any, Protocol
from .. import _binding
from .._binding import GradReq
from .._core.dtypes import FLAG_OF, NUMPY_OF, torch_dtype
from .._core.files import reading, writing
from .._core.signature import takes
from ..attribute import AttrScope
from ..base import NotImplementedForSymbol, c_array, c_array_buf, c_handle_array, c_str, c_str_array, check_call, numpy_mode, py_str
from ..context import Context, current_context
from ..error import MXNetArgumentError, MXNetAssertionError, MXNetError, MXNetIndexError, MXNetTypeError, MXNetValueError
from ..executor import Executor
from ..graph import json as graph_json
from ..graph.backends import BACKENDS, check_backend, no_backend, operators_of
from ..graph.infer import graph_dtypes, graph_shapes
from ..graph.node import Entry, Graph, Node, initial_values, rebuild
from ..name import NameManager
from ..ndarray.ndarray import NDArray
from ..ops.infer import format_shape, is_known, read_shape
from ..ops.messages import display_name
from ..ops.params import format_value
from ..ops.registry import OpDef
from ..ops.types import Attrs, DtypeLike, Keywords, OpenShape
from ..util import is_np_shape
from .attributes import attribute_text, check_key, hidden_key, match_inputs, remove_amp_casts, visible_attributes
handles: dict[int, Sequence[Entry]]
_NOT_YET: dict[Any, Any]
class _Dumps(Protocol):
    """An initializer."""
    def dumps(self) -> str: ...
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __subclasshook__(other) -> Any: ...
    _is_protocol: Any
class _OutputNames:
    """The names of a graph's outputs, and the numbers of those that each name has."""
    def __init__(self, graph: Graph) -> None: ...
    names: Any
    places: dict[str, list[int]]
class Symbol:
    """One or more outputs of a graph of operators and variables. Compose symbols by calling operators on them."""
    __array_priority__: float
    __hash__: Any
    _numpy: bool
    def __init__(self, outputs: Sequence[Entry] | None) -> None: ...
    @property
    def name(self) -> Any:
        """The name of the symbol; None for a group."""
    @property
    def handle(self) -> Symbol:
        """The symbol itself; the original has a pointer here."""
    def __repr__(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Symbol]: ...
    def _each(self) -> list[Symbol]:
        """A symbol for each output."""
    def __getattr__(self, name: str) -> Any: ...
    def __bool__(self) -> bool: ...
    def __getitem__(self, index: int | str | slice) -> Symbol:
        """One output by number or name, or several by a slice."""
    def list_arguments(self) -> list[str]:
        """The names of all inputs that are not auxiliary states."""
    def list_auxiliary_states(self) -> list[str]:
        """The names of the states that operators update, such as moving averages."""
    def list_inputs(self) -> list[str]:
        """The names of all variables, arguments and auxiliary states."""
    def list_outputs(self) -> list[str]:
        """The names of the outputs."""
    def get_internals(self) -> Symbol:
        """A group of the outputs of every node: pick inner layers by name, ``sym.get_internals()['fc1_output']``."""
    def get_children(self) -> Any:
        """A group of the direct inputs, None for a variable."""
    def attr(self, key: str) -> str | None:
        """An attribute of this symbol as text, or None."""
    def list_attr(self, recursive: bool=False) -> dict[str, str]:
        """All attributes of this symbol."""
    def attr_dict(self) -> dict[str, dict[str, str]]:
        """The attributes of every node that has any, by name."""
    def _set_attr(self, **kwargs: str) -> None: ...
    def __call__(self, *args: Symbol, **kwargs: Any) -> Symbol:
        """The same graph with variables replaced by other symbols, by name."""
    def _apply_to(self, args: Sequence[Symbol], kwargs: Mapping[str, Symbol], name: str | None) -> Symbol:
        """An operator without inputs, applied to symbols."""
    def _gen_atomic_symbol(self) -> Symbol:
        """The operator of this symbol with its attributes, without inputs: call it with others."""
    def __copy__(self) -> Symbol: ...
    def __deepcopy__(self, memo: object) -> Symbol: ...
    def __reduce__(self) -> Any: ...
    def __setstate__(self, state: Mapping[str, str]) -> None: ...
    def infer_shape(self, /, *args: OpenShape, **kwargs: OpenShape) -> tuple[Any, Any, Any]:
        """Shapes of arguments, outputs and auxiliary states from those given, by position or name."""
    def infer_shape_partial(self, /, *args: OpenShape, **kwargs: OpenShape) -> tuple[list, list, list]:
        """The same, as far as it can be told; ``()`` is an unknown shape and 0 an unknown dimension."""
    def _shapes(self, args: Sequence[OpenShape], kwargs: Mapping[str, OpenShape]) -> tuple[list, list, list]: ...
    def _parts(self, known: Mapping[tuple[Node, int], object]) -> tuple[list, list, list]:
        """What is known of arguments, outputs and auxiliary states."""
    def infer_type(self, /, *args: DtypeLike, **kwargs: DtypeLike) -> tuple[Any, Any, Any]:
        """dtypes of arguments, outputs and auxiliary states from those given; all None if not all can be told."""
    def infer_type_partial(self, /, *args: DtypeLike, **kwargs: DtypeLike) -> tuple[list, list, list]:
        """The same, as far as it can be told; None is an unknown dtype."""
    def _name_values(self, args: Sequence[object], kwargs: Mapping[str, object], what: str) -> Keywords: ...
    def bind(self, ctx: Context, args: Any, args_grad: Any = None, grad_req: GradReq = 'write', aux_states: Any = None, group2ctx: Mapping[str, Context] | None = None, shared_exec: Executor | None = None) -> Executor:
        """Binds the symbol to arrays of yours, by list or by name, and returns an Executor."""
    def simple_bind(self, ctx: Context, grad_req: GradReq='write', type_dict: Mapping[str, DtypeLike] | None=None, stype_dict: Mapping[str, str] | None=None, group2ctx: Mapping[str, Context] | None=None, shared_arg_names: Sequence[str] | None=None, shared_exec: Executor | None=None, shared_buffer: dict[str, NDArray] | None=None, **kwargs: OpenShape) -> Executor:
        """Infers all shapes from those of the inputs, makes the arrays and returns an Executor."""
    def eval(self, ctx: Context | None=None, **kwargs: NDArray) -> list[NDArray]:
        """Binds the arrays given by name, runs forward once and returns the outputs."""
    def gradient(self, wrt: Sequence[str]) -> Symbol:
        """Not available, as in the original: bind the symbol and call ``Executor.backward``."""
    def get_backend_symbol(self, backend: str) -> Symbol:
        """The symbol as a backend would run it."""
    def _for_backend(self, backend: str) -> Symbol: ...
    def optimize_for(self, backend: str, args: Sequence[NDArray] | Mapping[str, NDArray] | None=None, aux: Sequence[NDArray] | Mapping[str, NDArray] | None=None, ctx: Context | None=None, shape_dict: Mapping[str, OpenShape] | None=None, type_dict: Mapping[str, DtypeLike] | None=None, stype_dict: Mapping[str, str] | None=None, skip_infer: bool=False, **kwargs: object) -> Symbol:
        """The symbol optimized for a backend, see ``get_backend_symbol``; unchanged, if there is no such backend."""
    def as_nd_ndarray(self) -> Symbol:
        """The symbol for classic arrays: itself."""
    def as_np_ndarray(self) -> Symbol:
        """The symbol for ``mx.np`` arrays."""
    def tojson(self, remove_amp_cast: bool=True) -> str:
        """The graph as JSON text, as MXNet 1.9.1 writes it."""
    def save(self, fname: str, remove_amp_cast: bool=True) -> None:
        """Writes the graph as JSON to a file (or any path fsspec understands)."""
    def debug_str(self) -> str:
        """A text that lists every node with its inputs and attributes."""
    _outputs: Any
    def __abs__(self) -> Any: ...
    def __add__(self, other: Any) -> Symbol: ...
    def __eq__(self, other: Any) -> Symbol: ...  # type: ignore[override]
    def __ge__(self, other: Any) -> Symbol: ...
    def __gt__(self, other: Any) -> Symbol: ...
    def __le__(self, other: Any) -> Symbol: ...
    def __lt__(self, other: Any) -> Symbol: ...
    def __mod__(self, other: Any) -> Symbol: ...
    def __mul__(self, other: Any) -> Symbol: ...
    def __ne__(self, other: Any) -> Symbol: ...  # type: ignore[override]
    def __neg__(self) -> Any: ...
    def __pow__(self, other: Any) -> Symbol: ...
    def __radd__(self, other: Any) -> Symbol: ...
    def __rmod__(self, other: Any) -> Symbol: ...
    def __rmul__(self, other: Any) -> Symbol: ...
    def __rpow__(self, other: Any) -> Symbol: ...
    def __rsub__(self, other: Any) -> Symbol: ...
    def __rtruediv__(self, other: Any) -> Symbol: ...
    def __setitem__(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``__setitem__`` needs values, which only an NDArray has."""
    def __sub__(self, other: Any) -> Symbol: ...
    def __truediv__(self, other: Any) -> Symbol: ...
    def abs(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The absolute value."""
    def arccos(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The angle in [0, pi] with that cosine."""
    def arccosh(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The inverse of the hyperbolic cosine, for x >= 1."""
    def arcsin(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The angle in [-pi/2, pi/2] with that sine."""
    def arcsinh(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The inverse of the hyperbolic sine."""
    def arctan(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The angle in [-pi/2, pi/2] with that tangent."""
    def arctanh(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The inverse of the hyperbolic tangent, for -1 < x < 1."""
    def argmax(self, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The index of the largest element along ``axis`` (or in the flattened array), the first one of equals, as the dtype of the array."""
    def argmax_channel(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The index of the largest element along axis 1."""
    def argmin(self, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The index of the smallest element along ``axis`` (or in the flattened array), the first one of equals, as the dtype of the array."""
    def argsort(self, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, dtype: DTypeLike | None = ..., out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
    def as_in_context(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``as_in_context`` needs values, which only an NDArray has."""
    def as_in_ctx(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``as_in_ctx`` needs values, which only an NDArray has."""
    def asnumpy(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``asnumpy`` needs values, which only an NDArray has."""
    def asscalar(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``asscalar`` needs values, which only an NDArray has."""
    def astype(self: Symbol, dtype: DtypeLike) -> Symbol:
        """The same values in another type: ``x.astype('float16')``."""
    def attach_grad(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``attach_grad`` needs values, which only an NDArray has."""
    def backward(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``backward`` needs values, which only an NDArray has."""
    def broadcast_axes(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The array with the axes ``axis``, which must have size 1, repeated ``size`` times."""
    def broadcast_like(self, rhs: Symbol | None = None, lhs_axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, rhs_axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """``lhs`` repeated along its dimensions of size 1 to the shape of ``rhs``."""
    def broadcast_to(self: Symbol, shape: OpenShape) -> Symbol:
        """Repeats axes of size 1 until the result has this shape."""
    def cbrt(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The cube root."""
    def ceil(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The smallest whole number not below x. Its gradient is zero."""
    def clip(self, a_min: float | SupportsFloat, a_max: float | SupportsFloat, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The numbers limited to the interval from ``a_min`` to ``a_max``."""
    def copy(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``copy`` needs values, which only an NDArray has."""
    def cos(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The cosine of an angle in radians."""
    def cosh(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The hyperbolic cosine."""
    def degrees(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """An angle in radians as degrees."""
    def depth_to_space(self, block_size: int | SupportsIndex, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Moves channels of an NCHW array into blocks of ``block_size`` x ``block_size`` pixels."""
    def detach(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``detach`` needs values, which only an NDArray has."""
    def diag(self, k: int | SupportsIndex = 0, axis1: int | SupportsIndex = 0, axis2: int | SupportsIndex = 1, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The k-th diagonal of the planes of ``axis1`` and ``axis2``; of a vector, the matrix that has it as diagonal."""
    def exp(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """e to the power of the number."""
    def expand_dims(self: Symbol, *args: object, inplace: bool = False, **kwargs: Any) -> Symbol:
        """Inserts a dimension of size 1 before position ``axis``."""
    def expm1(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """``exp(x) - 1``, exact for small x."""
    def fix(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The nearest whole number towards zero. Its gradient is zero."""
    def flatten(self: Symbol, *args: object, inplace: bool = False, **kwargs: Any) -> Symbol:
        """Collapses all dimensions but the first into one."""
    def flip(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Reverses the order of elements along each given axis."""
    def floor(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The largest whole number not above x. Its gradient is zero."""
    def log(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The natural logarithm."""
    def log10(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The logarithm to base 10."""
    def log1p(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """``log(1 + x)``, exact for small x."""
    def log2(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The logarithm to base 2."""
    def log_softmax(self, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The logarithm of the softmax of ``data / temperature`` along ``axis``. ``dtype`` is the dtype of the result."""
    def max(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The largest element along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def mean(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The mean along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def min(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The smallest element along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def nanprod(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The product, with NaN as 1, along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def nansum(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The sum, with NaN as 0, along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def norm(self, ord: int | SupportsIndex = 2, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out_dtype: DTypeLike | None = None, keepdims: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The L1 (``ord=1``) or L2 norm along ``axis``; without one, of the whole array."""
    def one_hot(self, depth: int | SupportsIndex, on_value: float | SupportsFloat = 1.0, off_value: float | SupportsFloat = 0.0, dtype: DTypeLike | None = ..., out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Adds a dimension of size ``depth`` that has ``on_value`` at the index and ``off_value`` elsewhere."""
    def ones_like(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Ones of the array's shape and dtype."""
    def pad(self, mode: Literal['constant', 'edge', 'reflect'] | str, pad_width: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, constant_value: float | SupportsFloat = 0.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Pads the last dimensions of a 4-D or 5-D array."""
    def pick(self, index: Symbol | None = None, axis: int | SupportsIndex | None = -1, keepdims: bool | int = False, mode: Literal['clip', 'wrap'] | str = 'clip', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """One element along ``axis`` for every other position, by its index. Indices outside are clipped or wrapped."""
    def prod(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The product along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def radians(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """An angle in degrees as radians."""
    def rcbrt(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """One over the cube root."""
    def reciprocal(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """One over the number."""
    def relu(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """``max(x, 0)``."""
    def repeat(self, repeats: int | SupportsIndex, axis: int | SupportsIndex | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Repeats each element ``repeats`` times along ``axis``; without an axis the array is flattened first."""
    def reshape(self: Symbol, *args: object, **kwargs: Any) -> Symbol:
        """The same as the operator ``reshape``; the shape may be given as a tuple or as several numbers."""
    def reshape_like(self, rhs: Symbol | None = None, lhs_begin: int | SupportsIndex | None = None, lhs_end: int | SupportsIndex | None = None, rhs_begin: int | SupportsIndex | None = None, rhs_end: int | SupportsIndex | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Gives ``lhs`` the shape of ``rhs``, or replaces its dimensions [begin, end) by those of ``rhs``."""
    def rint(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The nearest whole number; n.5 becomes n. Its gradient is zero."""
    def round(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The nearest whole number, halves away from zero. Its gradient is zero."""
    def rsqrt(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """One over the square root."""
    def shape_array(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The size of each dimension, as int64."""
    def sigmoid(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """``1 / (1 + exp(-x))``."""
    def sign(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
    def sin(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The sine of an angle in radians."""
    def sinh(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The hyperbolic sine."""
    def size_array(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The number of elements, as int64."""
    def slice(self, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
    def slice_axis(self, axis: int | SupportsIndex, begin: int | SupportsIndex, end: int | SupportsIndex | None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The part [begin, end) along one axis; negative positions count from the end, ``end=None`` means to the border."""
    def slice_like(self, shape_like: Symbol | None = None, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Cuts ``data`` to the size of ``shape_like``, along all axes or those in ``axes``."""
    def softmax(self, length: Symbol | None = None, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The softmax of ``data / temperature`` along ``axis``."""
    def softmin(self, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The softmax of ``-data / temperature`` along ``axis``. ``dtype`` is the dtype of the result."""
    def sort(self, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Sorts along ``axis``; None sorts the flattened array. Equal elements keep their order."""
    def space_to_depth(self, block_size: int | SupportsIndex, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Moves blocks of height and width of an NCHW array into channels, the inverse of ``depth_to_space``."""
    def split(self, num_outputs: int | SupportsIndex, axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Splits an array into ``num_outputs`` equal parts along ``axis``."""
    def split_v2(self: Symbol, indices_or_sections: int | Sequence[int], axis: int = 0, squeeze_axis: bool = False) -> Symbol:
        """Splits into equal sections (a number) or at indices (a tuple)."""
    def sqrt(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The square root."""
    def square(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The square."""
    def squeeze(self: Symbol, *args: object, inplace: bool = False, **kwargs: Any) -> Symbol:
        """Removes dimensions of size 1: all of them, or those in ``axis``. One dimension always stays."""
    def sum(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The sum along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def swapaxes(self, dim1: int | SupportsIndex = 0, dim2: int | SupportsIndex = 0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Exchanges two dimensions."""
    def take(self, indices: Symbol | None = None, axis: int | SupportsIndex = 0, mode: Literal['clip', 'raise', 'wrap'] | str = 'clip', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The slices of ``a`` at ``indices`` along ``axis``; the result has the shape of the indices in place of that axis."""
    def tan(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The tangent of an angle in radians."""
    def tanh(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The hyperbolic tangent."""
    def tile(self, reps: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Repeats the whole array ``reps`` times along each dimension, from the last one on if there are fewer numbers."""
    def topk(self, axis: int | SupportsIndex | None = -1, k: int | SupportsIndex = 1, ret_typ: Literal['both', 'indices', 'mask', 'value'] | str = 'indices', is_ascend: bool | int = False, dtype: DTypeLike | None = ..., out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The ``k`` largest elements along ``axis`` (smallest if ``is_ascend``), in order; all of them if ``k`` < 1."""
    def transpose(self, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Permutes the dimensions by ``axes``; by default it reverses their order."""
    def trunc(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """The number without its fraction. Its gradient is zero."""
    def wait_to_read(self: Symbol, *args: object, **kwargs: Any) -> object:
        """Not available: ``wait_to_read`` needs values, which only an NDArray has."""
    def zeros_like(self, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
        """Zeros of the array's shape and dtype."""
SymbolBase = Symbol
def compose(op: OpDef, inputs: Sequence[object], attrs: Attrs, out: object=None, name: str | None=None, attr: Mapping[str, str] | None=None, hint: str | None=None, kind: type[Symbol] | None=None) -> Symbol:
    """Applies an operator to symbols. Inputs that were not given become variables named after the new symbol."""
Change: Any
_interceptors: list[Change]
def intercept(change: Change) -> Callable[[], None]:
    """Lets ``change(op, attributes, inputs)`` say what operators are composed with, until the result is called."""
def _joint_kind(op: OpDef, value: Symbol, kind: type[Symbol] | None) -> type[Symbol] | None:
    """What comes of symbols of both kinds, where they may meet: see ``ndarray/kinds.py``."""
def var(name: str, attr: Mapping[str, str] | None=None, shape: OpenShape=None, lr_mult: float | None=None, wd_mult: float | None=None, dtype: DtypeLike=None, init: str | _Dumps | None=None, stype: str | None=None, **kwargs: str) -> Symbol:
    """A variable: an input of graphs. Its shape, dtype, multipliers and initializer may be told here."""
Variable = var
def Group(symbols: Sequence[Symbol], create_fn: type[Symbol]=...) -> Symbol:
    """One symbol with the outputs of several."""
def load_json(json_str: str) -> Symbol:
    """A symbol from JSON text, of this or any older version."""
def load(fname: str) -> Symbol:
    """A symbol from a JSON file."""
__all__ = ['Group', 'Symbol', 'Variable', 'load', 'load_json', 'var']
