"""Notes of what was recorded: the operator behind each array, as nodes of a graph, for ``autograd.get_symbol``.

torch records how to differentiate, not which operators were called. While ``tape.noting`` is set, each recorded call
leaves a node, which keeps those of its inputs but no arrays. It is set by whoever asks for a symbol first, by
``MXNET_AUTOGRAD_SYMBOL=1``, or because a program that mentions ``autograd.get_symbol`` begins to record.
"""

from __future__ import annotations

import itertools
import linecache
import weakref
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from .._core import config
from ..graph.node import Entry, Graph, Node, rebuild
from ..ops.params import format_value
from ..ops.registry import OpDef, get
from .tape import noting

if TYPE_CHECKING:
    from .ndarray import NDArray

_variables, _nodes = itertools.count(), itertools.count()
#: The files that were looked at.
_read: set[str] = set()


class Unnoted(Node):
    """Stands for something that was recorded without a note."""

    __slots__ = ()


def start() -> None:
    """From now on every recorded call is noted."""
    if not noting:
        noting.append(True)


if config.AUTOGRAD_SYMBOL.get():
    start()


def look(frame: FrameType) -> None:
    """Starts if the code that begins to record, or the file it is in, mentions ``autograd.get_symbol``."""
    code = frame.f_code
    if "get_symbol" in code.co_names:
        start()
    elif code.co_filename not in _read:
        _read.add(code.co_filename)
        text = "".join(linecache.getlines(code.co_filename))
        if "autograd.get_symbol" in text or ("get_symbol(" in text and "autograd import" in text):
            start()


def entry_of(array: NDArray) -> Entry:
    """What an array is in the graph that is noted."""
    place, note = array._var, array._note
    inner = place is not None and place.grad_fn is not None
    if note is not None and (note[1]() is place if inner and note[1] is not None else not inner and note[1] is None):
        return note[0]
    if inner:
        return Entry(Unnoted(None, f"unnoted{next(_nodes)}"))
    kind = "null" if array._grad is None else "var"
    made = Entry(Node(None, f"{kind}{next(_variables)}"))
    array._note = made, None
    return made


def _new_name() -> str:
    return f"node_{next(_nodes)}"


def _mark(arrays: Sequence[NDArray], entries: Sequence[Entry]) -> None:
    for array, entry in zip(arrays, entries, strict=True):
        if array._var is not None:
            array._note = entry, weakref.ref(array._var)


def note(op: OpDef, inputs: Sequence[Any], attrs: Mapping[str, Any], results: Sequence[NDArray]) -> None:
    """An operator was applied to arrays."""
    if all(array._var is None for array in results):
        return  # nothing to differentiate: constants from here on
    text = {k: v if isinstance(v, str) else format_value(v) for k, v in attrs.items() if k in op.params}
    if "scalar" in text:
        text["scalar"] = str(float(attrs["scalar"]))
    node = Node(op, _new_name(), text, [entry_of(array) for array in inputs if array is not None])
    _mark(results, [Entry(node, i) for i in range(len(results))])


def note_call(name: str, array: NDArray, attrs: Mapping[str, object], result: NDArray) -> None:
    """The same for an operator of one array, by name."""
    note(get(name), (array,), attrs, (result,))


def note_part(array: NDArray, key: object, result: NDArray) -> None:
    """``array[key]`` was read, by numbers and slices; other keys leave no note."""
    keys = key if isinstance(key, tuple) else (key,)
    if result._var is None or len(keys) > array.ndim or not all(isinstance(k, int | slice) for k in keys):
        return
    bounds = [(k.start, k.stop, k.step) if isinstance(k, slice) else (k, k + 1 or None, None) for k in keys]
    begin, end, step = zip(*bounds, strict=True)
    attrs: dict[str, Any] = {"begin": begin, "end": end}
    if any(value is not None for value in step):
        attrs["step"] = step
    part = Node(get("slice"), _new_name(), {k: format_value(v) for k, v in attrs.items()}, [entry_of(array)])
    if any(isinstance(k, int) for k in keys):
        part = Node(get("Reshape"), _new_name(), {"shape": format_value(result.shape or (1,))}, [Entry(part)])
    _mark((result,), (Entry(part),))


def note_graph(
    outputs: Sequence[Entry], variables: Sequence[Node], inputs: Sequence[NDArray], results: Sequence[Any], inline: bool
) -> None:
    """A graph was run: it is one node, or those of a small graph are ``inline``."""
    if all(array._var is None for array in results):
        return
    given = [entry_of(array) for array in inputs]
    if inline:
        places = dict(zip(variables, given, strict=True))

        def rename(node: Node, sources: list[Entry]) -> Node | Sequence[Entry]:
            if node in places:
                return [places[node]]
            return Node(node.op, _new_name(), dict(node.attrs), sources, node.subgraphs)

        entries = rebuild(outputs, rename)
    else:
        attrs = {"num_args": str(len(given)), "num_outputs": str(len(outputs))}
        node = Node(get("_CachedOp"), _new_name(), attrs, given, [tuple(outputs)])
        entries = Graph(Entry(node, i) for i in range(len(outputs)))
    _mark(results, entries)
