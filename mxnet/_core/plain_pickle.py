"""Reads untrusted pickles without an unpickler: nothing that a file names is ever called.

A pickle is a program: its stream may ask for any callable to be run, and callables that are harmless one by one can be
combined into an attack. So a stream is first parsed, as a whole, into a tree of plain data: numbers, text, containers,
and ``Call`` objects that merely describe what the stream asks for. Only then are values built from that tree, by
functions of a table, each of which checks its input. Time and memory are bounded by the size of the stream.
"""

from __future__ import annotations

import io
import pickletools
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ..error import MXNetError

__all__ = ["Builder", "Call", "Name", "Pairs", "load_npy", "loads", "parse"]


class Name(NamedTuple):
    """A global that the stream names: ``module.name``."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


class Pairs(list):
    """The keys and values of a dict, in turn."""


class Set(list):
    """The elements of a set."""


class FrozenSet(tuple):
    """The elements of a frozen set."""


class Call:
    """An object that the stream asks to be made by calling ``function``, then to be filled with items and a state."""

    __slots__ = ("arguments", "at", "function", "items", "pairs", "state")

    def __init__(self, function: Any, arguments: Any, at: int):
        self.function, self.arguments, self.at = function, arguments, at
        self.items: list[Any] = []
        self.pairs = Pairs()
        self.state: Any = None


# ---- from bytes to plain data --------------------------------------------------------------------------------------

#: What is allocated at most while a stream is parsed, beside eight times its size.
_MEMORY = 48 << 20
#: What opcodes allocate, roughly: an object, its place on the stack, in the memo or in a container.
_COST = {
    "EMPTY_LIST": 96,
    "EMPTY_DICT": 96,
    "EMPTY_SET": 96,
    "REDUCE": 320,
    "NEWOBJ": 320,
    "NEWOBJ_EX": 320,
    "INST": 400,
}
_COST |= dict.fromkeys(("OBJ", "GLOBAL", "STACK_GLOBAL"), 320)
_COST |= dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"), 128)
_OTHER_COST = 64

_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
#: Opcodes whose argument is the value.
_VALUES = frozenset(
    "INT LONG BININT BININT1 BININT2 LONG1 LONG4 FLOAT BINFLOAT STRING BINSTRING SHORT_BINSTRING BINBYTES "
    "SHORT_BINBYTES BINBYTES8 BYTEARRAY8 UNICODE SHORT_BINUNICODE BINUNICODE BINUNICODE8".split()
)
_EMPTY: dict[str, Callable[[], Any]] = {"EMPTY_LIST": list, "EMPTY_DICT": Pairs, "EMPTY_SET": Set}
#: Opcodes that take everything above the mark, and what they make of it.
_MARKED: dict[str, Callable[[list], Any]] = {"TUPLE": tuple, "LIST": list, "DICT": Pairs, "FROZENSET": FrozenSet}
_SMALL_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_IGNORED = frozenset(("PROTO", "FRAME"))
_NO_VALUE = "a key of a dict has no value"


def parse(data: Any, what: str) -> Any:
    """The plain data that a pickle consists of; ``what`` is what errors call the stream."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise MXNetError(f"{what}: expected bytes, got {type(data).__name__}")
    return _parse_stream(io.BytesIO(data), len(data), what)


def _parse_stream(stream: BinaryIO, size: int, what: str) -> Any:
    """The plain data of the pickle that begins here in a stream; reads no further than its end."""
    try:
        return _Parser(what, _MEMORY + 8 * size).run(pickletools.genops(stream))
    except (ValueError, OverflowError, Warning) as error:  # of genops: a stream that ends early, bad opcodes or text
        raise MXNetError(f"{what}: this is not a complete pickle: {error}") from error


class _Parser:
    """The stack machine of a pickle, over plain data."""

    def __init__(self, what: str, memory: int):
        self.what, self.memory = what, memory
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self.at = 0

    def error(self, reason: str) -> MXNetError:
        return MXNetError(f"{self.what}, at byte {self.at}: {reason}")

    def run(self, operations: Iterator[tuple[pickletools.OpcodeInfo, Any, int | None]]) -> Any:
        stack, memo, memory = self.stack, self.memo, self.memory
        for code, argument, at in operations:
            name, self.at = code.name, at or 0
            memory -= _COST.get(name, _OTHER_COST)
            if memory < 0:
                raise self.error("the pickle has too many parts for its size")
            if name in _VALUES:
                stack.append(argument)
            elif name == "MEMOIZE":
                memo[len(memo)] = self.top()
            elif name in ("BINPUT", "LONG_BINPUT", "PUT"):
                memo[argument] = self.top()
            elif name in ("BINGET", "LONG_BINGET", "GET"):
                if argument not in memo:
                    raise self.error(f"entry {argument} of the memo is used before it is set")
                stack.append(memo[argument])
            elif name in _CONSTANTS:
                stack.append(_CONSTANTS[name])
            elif name in _EMPTY:
                stack.append(_EMPTY[name]())
            elif name in _SMALL_TUPLES:
                stack.append(tuple(self.pop(_SMALL_TUPLES[name])))
            elif name == "MARK":
                self.marks.append(len(stack))
            elif name in _MARKED:
                values = self.pop_mark()
                if name == "DICT" and len(values) % 2:
                    raise self.error(_NO_VALUE)
                stack.append(_MARKED[name](values))
            elif name == "STOP":
                return self.pop(1)[0]
            elif name not in _IGNORED:
                self.structure(name, argument)
        raise self.error("the stream ends early")  # genops refuses that itself

    # ---- the stack -------------------------------------------------------------------------------------------------

    def top(self) -> Any:
        if len(self.stack) <= (self.marks[-1] if self.marks else 0):
            raise self.error("the stack is empty")
        return self.stack[-1]

    def pop(self, count: int) -> list[Any]:
        start = len(self.stack) - count
        if start < (self.marks[-1] if self.marks else 0):
            raise self.error("the stack is empty")
        values = self.stack[start:]
        del self.stack[start:]
        return values

    def pop_mark(self) -> list[Any]:
        if not self.marks:
            raise self.error("there is no mark on the stack")
        start = self.marks.pop()
        values = self.stack[start:]
        del self.stack[start:]
        return values

    # ---- containers and objects ------------------------------------------------------------------------------------

    def structure(self, name: str, argument: Any) -> None:
        """The opcodes that fill containers and ask for objects."""
        match name:
            case "APPEND" | "APPENDS":
                self.append(self.pop(1) if name == "APPEND" else self.pop_mark())
            case "SETITEM" | "SETITEMS":
                self.set_items(self.pop(2) if name == "SETITEM" else self.pop_mark())
            case "ADDITEMS":
                self.fill(self.pop_mark(), Set)
            case "POP":
                if self.marks and self.marks[-1] == len(self.stack):
                    self.marks.pop()
                else:
                    self.pop(1)
            case "POP_MARK":
                self.pop_mark()
            case "DUP":
                self.stack.append(self.top())
            case "GLOBAL":
                self.push_name(*argument.split(" ", 1))
            case "STACK_GLOBAL":
                self.push_name(*self.pop(2))
            case "REDUCE" | "NEWOBJ":
                self.push_call(*self.pop(2))
            case "NEWOBJ_EX":
                function, arguments, keywords = self.pop(3)
                if keywords:
                    raise self.error("an object is to be made with keyword arguments")
                self.push_call(function, arguments)
            case "INST":
                arguments = tuple(self.pop_mark())
                self.push_name(*argument.split(" ", 1))
                self.push_call(self.pop(1)[0], arguments)
            case "OBJ":
                function, *arguments = self.pop_mark() or [None]
                self.push_call(function, tuple(arguments))
            case "BUILD":
                (state,) = self.pop(1)
                call = self.top()
                if not isinstance(call, Call) or call.state is not None:
                    raise self.error("a state is given to something that has none")
                call.state = state
            case _:  # PERSID, EXT1, NEXT_BUFFER, ...: references to what is not in the stream
                raise self.error(f"the opcode {name} has no place in a file")

    def append(self, values: list[Any]) -> None:
        target = self.top()
        self.fill(values, list, target.items if isinstance(target, Call) else target)

    def set_items(self, values: list[Any]) -> None:
        if len(values) % 2:
            raise self.error(_NO_VALUE)
        target = self.top()
        self.fill(values, Pairs, target.pairs if isinstance(target, Call) else target)

    def fill(self, values: list[Any], kind: type[list], target: Any = None) -> None:
        target = self.top() if target is None else target
        if type(target) is not kind:
            raise self.error(f"items are added to a {type(target).__name__.lower()}")
        target.extend(values)

    def push_name(self, module: Any, name: Any = None) -> None:
        if not isinstance(module, str) or not isinstance(name, str):
            raise self.error("the name of a global is not text")
        self.stack.append(Name(module, name))

    def push_call(self, function: Any, arguments: Any) -> None:
        if type(arguments) is not tuple:
            raise self.error("the arguments of a call are not a tuple")
        if not isinstance(function, Name):
            raise self.error(f"a {type(function).__name__.lower()} is to be called")
        self.stack.append(Call(function, arguments, self.at))


# ---- from plain data to values -------------------------------------------------------------------------------------

#: A function that makes the value that a ``Call`` asks for.
Maker = Callable[["Builder", Call], Any]

_DEPTH = 100  # containers within containers
_PER_ITEM = 64  # bytes, for an element of a container
_PLAIN = frozenset((type(None), bool, int, float, str, bytes, bytearray))
_KEYS = (type(None), bool, int, float, str, bytes, np.integer, np.floating)  # few of each have the same hash
_BUILDING = object()


class Builder:
    """Makes values of plain data. ``find`` gives the maker for a name, or None if it has no place in such a file."""

    def __init__(self, what: str, find: Callable[[Name], Maker | None], size: int):
        self.what, self.find = what, find
        #: What may still be allocated for values: many calls can share one argument, and each makes a copy of it.
        self.memory = _MEMORY + 8 * size
        #: What was made of which part of the tree, so that what is shared in the stream is shared in the result.
        self.built: dict[int, Any] = {}
        self.depth = 0

    def error(self, reason: str, call: Call | None = None) -> MXNetError:
        """An error that names the stream and the place in it."""
        return MXNetError(f"{self.what}{f', at byte {call.at}' if call else ''}: {reason}")

    def spend(self, size: int, call: Call) -> None:
        """Takes so many bytes from what the values of this stream may need; refuses when nothing is left."""
        self.memory -= size
        if self.memory < 0:
            raise self.error("its values need too much memory for its size", call)

    def build(self, node: Any) -> Any:
        """The value of a part of the tree."""
        kind = type(node)
        if kind in _PLAIN:
            return node
        value = self.built.get(id(node), self)
        if value is _BUILDING:
            raise self.error("a value contains itself")
        if value is not self:
            return value
        self.depth += 1
        if self.depth > _DEPTH:
            raise self.error(f"containers are nested more than {_DEPTH} deep")
        self.built[id(node)] = _BUILDING
        value = self.built[id(node)] = self._make(node, kind)
        self.depth -= 1
        return value

    def _make(self, node: Any, kind: type) -> Any:
        if kind is Call:
            maker = self.find(node.function) or _MAKERS.get(node.function)
            if maker is None:
                raise self.error(f"found {node.function}, which has no place there", node)
            return maker(self, node)
        if kind is list:
            result = self.built[id(node)] = []  # a list may contain itself
            result.extend(map(self.build, node))
            return result
        if kind is Pairs:
            into = self.built[id(node)] = {}
            return self.mapping(node, into)
        if kind is tuple:
            return tuple(map(self.build, node))
        if kind is Set:
            return set(map(self.key, node))
        if kind is FrozenSet:
            return frozenset(map(self.key, node))
        scalar = _scalar_type(node)
        if scalar is None:
            raise self.error(f"found {node}, which has no place there")
        return scalar

    def key(self, node: Any) -> Any:
        """A value that may be a key: hashed in constant time, however many a hostile file has of them."""
        value = self.build(node)
        if not isinstance(value, _KEYS) or (isinstance(value, int) and value.bit_length() > 64):
            raise self.error(f"a {type(value).__name__} is used as a key")
        return value

    def mapping(self, pairs: Pairs, into: dict[Any, Any]) -> dict[Any, Any]:
        """The values of a dict, put into one."""
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            into[self.key(key)] = self.build(value)
        return into

    def check(self, holds: Any, call: Call) -> None:
        """Refuses a call whose arguments are not those that a pickle of such an object has."""
        if not holds:
            raise self.error(f"what {call.function} is given cannot be read", call)

    def raw(self, node: Any, call: Call) -> bytes:
        """Bytes, in any of the ways in which pickles hold them."""
        if type(node) is Call and _MAKERS.get(node.function) is _bytearray and len(node.arguments) == 1:
            node = node.arguments[0]  # spares a copy
        value = self.build(node)
        if isinstance(value, str):  # how Python 2 wrote them
            value = self.latin1(value, call)
        self.check(isinstance(value, bytes | bytearray), call)
        self.spend(len(value), call)
        return value

    def latin1(self, text: str, call: Call) -> bytes:
        """The bytes that a text stands for."""
        self.spend(len(text), call)
        try:
            return text.encode("latin-1")
        except UnicodeEncodeError:
            raise self.error("text that stands for bytes has other characters than those of Latin-1", call) from None


def loads(data: Any, what: str, find: Callable[[Name], Maker | None] = lambda name: None) -> Any:
    """The value of a pickle of numbers, text, containers, NumPy arrays and what ``find`` knows."""
    tree = parse(data, what)
    return Builder(what, find, len(data)).build(tree)


def load_npy(stream: BinaryIO) -> np.ndarray:
    """What ``np.load(stream, allow_pickle=True)`` reads from a stream of ``.npy``, but without an unpickler.

    >>> import io
    >>> from mxnet._core.plain_pickle import load_npy
    >>> stream = io.BytesIO()
    >>> np.save(stream, np.array([np.zeros(1), np.ones(2)], object))
    >>> _ = stream.seek(0)
    >>> load_npy(stream)
    array([array([0.]), array([1., 1.])], dtype=object)
    """
    start = stream.tell()
    size = stream.seek(0, io.SEEK_END) - start
    stream.seek(start)
    try:
        read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        header = read_header.get(np.lib.format.read_magic(stream))
        if header is None or not header(stream)[2].hasobject:
            stream.seek(start)
            return np.lib.format.read_array(stream, allow_pickle=False)
    except (ValueError, OSError) as error:
        raise MXNetError(f"an .npy file: {error}") from error
    what = "an .npy file"
    found = Builder(what, lambda name: None, size).build(_parse_stream(stream, size, what))
    if not isinstance(found, np.ndarray):
        raise MXNetError(f"{what}: expected an array, found {type(found).__name__}")
    return found


# ---- Python's and NumPy's own types --------------------------------------------------------------------------------


def _bytearray(builder: Builder, call: Call) -> bytearray:
    if not call.arguments:
        return bytearray()
    builder.check(len(call.arguments) <= 2 and call.arguments[1:] in ((), ("latin-1",), ("latin1",)), call)
    return bytearray(builder.raw(call.arguments[0], call))


def _bytes(builder: Builder, call: Call) -> bytes:
    builder.check(not call.arguments, call)  # how the older protocols write those without content
    return b""


def _encode(builder: Builder, call: Call) -> bytes:
    builder.check(len(call.arguments) == 2 and call.arguments[1] in ("latin1", "latin-1"), call)
    builder.check(isinstance(call.arguments[0], str), call)
    return builder.latin1(call.arguments[0], call)


def _set_of(kind: type) -> Maker:
    def make(builder: Builder, call: Call) -> Any:
        builder.check(len(call.arguments) == 1 and type(call.arguments[0]) is list, call)
        builder.spend(_PER_ITEM * len(call.arguments[0]), call)
        return kind(map(builder.key, call.arguments[0]))

    return make


def _ordered_dict(builder: Builder, call: Call) -> OrderedDict[Any, Any]:
    result: OrderedDict[Any, Any] = OrderedDict()
    if call.arguments:  # how Python 2 writes it
        pairs = call.arguments[0]
        builder.spend(2 * _PER_ITEM * len(pairs) if type(pairs) is list else 0, call)
        builder.check(type(pairs) is list and all(type(pair) is list and len(pair) == 2 for pair in pairs), call)
        builder.mapping(Pairs(part for pair in pairs for part in pair), result)
    builder.mapping(call.pairs, result)
    return result


_DTYPE = re.compile(r"b1|[iu][1248]|f[248]|c8|c16|O8?")
_SCALARS = frozenset(
    "bool_ bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
)


def _scalar_type(name: Any) -> type | None:
    """The type of NumPy's numbers that is named, which is a value like any other: ``dtype=np.float32``."""
    known = isinstance(name, Name) and name.module == "numpy" and name.name in _SCALARS
    return np.dtype(name.name.rstrip("_")).type if known else None


def _dtype(builder: Builder, call: Call) -> np.dtype:
    code, *_ = call.arguments or (None,)
    builder.check(isinstance(code, str) and _DTYPE.fullmatch(code), call)
    state = call.state or (3, "=", None, None, None)
    builder.check(type(state) is tuple and len(state) >= 5 and state[1] in ("<", ">", "|", "="), call)
    builder.check(all(part is None for part in state[2:5]), call)  # no fields
    return np.dtype(f"{state[1]}{code}")


def _elements(builder: Builder, call: Call, raw: Any, dtype: Any, shape: Any, order: Any) -> np.ndarray:
    kind = builder.build(dtype)
    builder.check(isinstance(kind, np.dtype) and type(shape) is tuple and len(shape) <= 32, call)
    builder.check(all(type(size) is int and 0 <= size < 1 << 31 for size in shape), call)
    builder.check(prod(size or 1 for size in shape) < 1 << 48, call)
    if kind.hasobject:
        builder.check(type(raw) is list and len(raw) == prod(shape), call)
        builder.spend(_PER_ITEM * len(raw), call)
        objects = np.empty(len(raw), kind)
        for i, part in enumerate(raw):
            objects[i] = builder.build(part)
        return objects.reshape(shape, order=order)
    values = builder.raw(raw, call)
    builder.check(prod(shape) * kind.itemsize == len(values), call)
    return np.frombuffer(values, kind).astype(kind.newbyteorder("=")).reshape(shape, order=order)


def _array(builder: Builder, call: Call) -> np.ndarray:
    builder.check(call.arguments[:1] == (Name("numpy", "ndarray"),), call)
    builder.check(type(call.state) is tuple and len(call.state) == 5, call)
    _, shape, dtype, fortran, raw = call.state
    return _elements(builder, call, raw, dtype, shape, "F" if fortran else "C")


def _array_from_buffer(builder: Builder, call: Call) -> np.ndarray:
    builder.check(len(call.arguments) == 4 and call.arguments[3] in ("C", "F"), call)
    return _elements(builder, call, *call.arguments)


def _scalar(builder: Builder, call: Call) -> Any:
    builder.check(len(call.arguments) == 2, call)
    return _elements(builder, call, call.arguments[1], call.arguments[0], (), "C")[()]


_MAKERS: Mapping[Name, Maker] = {
    Name(module, name): maker
    for modules, makers in (
        (
            ("builtins", "__builtin__"),
            {"bytearray": _bytearray, "bytes": _bytes, "set": _set_of(set), "frozenset": _set_of(frozenset)},
        ),
        (("_codecs",), {"encode": _encode}),
        (("collections",), {"OrderedDict": _ordered_dict}),
        (("numpy",), {"dtype": _dtype}),
        (("numpy.core.multiarray", "numpy._core.multiarray"), {"_reconstruct": _array, "scalar": _scalar}),
        (("numpy.core.numeric", "numpy._core.numeric"), {"_frombuffer": _array_from_buffer}),
    )
    for module in modules
    for name, maker in makers.items()
}
