"""Graphs that no machine could run are refused before memory is asked for, which the system may grant and not have."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from .._core import cgroup
from ..error import MXNetValueError
from ..ops.infer import Shape, is_known
from .infer import graph_dtypes
from .node import Entry, Graph, Node
from .storage import variable_storage

_WIDEST = 8  # bytes of the largest kind of number


def refuse_too_large(outputs: Sequence[Entry], known: Mapping[tuple[Node, int], Shape | None]) -> None:
    """Refuses a graph of which one array, or all dense variables together, need more memory than there is."""
    available = memory_size()
    counts = {
        key: math.prod(shape)  # type: ignore[arg-type]
        for key, shape in known.items()
        if is_known(shape) and not (key[0].is_variable and variable_storage(key[0]) != "default")
    }
    total = sum(count for (node, _), count in counts.items() if node.is_variable)
    if max(total, *counts.values(), 0) * _WIDEST <= available:
        return
    dtypes = graph_dtypes(outputs, {}, strict=False)
    total = 0
    for key, count in counts.items():
        node, index = key
        dtype = dtypes.get(key)
        size = count * (dtype.itemsize if dtype is not None else 4)
        total += size if node.is_variable else 0
        if size > available or total > available:
            what = f"{node.name!r}" + (f" (output {index})" if index else "")
            raise MXNetValueError(
                f"{what} of shape {known[key]} needs {size >> 20} MB"
                + (f", with the variables before it {total >> 20} MB" if size <= available else "")
                + f"; this machine has {available >> 20} MB of memory"
            )


def refuse_large_constants(outputs: Sequence[Entry]) -> None:
    """The same for what a graph makes from nothing, where not all shapes are known."""
    made = [n for n in Graph.of(outputs).order if n.op is not None and not n.inputs]
    shapes = {(n, 0): shape for n in made if isinstance(shape := n.parsed().get("shape"), tuple)}
    if shapes:
        refuse_too_large(outputs, shapes)


def refuse_large_array(name: str, shape: Shape, itemsize: int) -> None:
    """Refuses an array that needs more memory than there is."""
    size, available = math.prod(shape) * itemsize, memory_size()
    if size > available:
        raise MXNetValueError(
            f"{name!r} of shape {tuple(shape)} needs {size >> 20} MB; this machine has {available >> 20} MB of memory"
        )


@functools.cache
def memory_size() -> int:
    """Bytes of memory that this process may use at most: of the machine with its swap space, or of its container."""
    size = 1 << 62
    with suppress(OSError, ValueError, IndexError):
        with open("/proc/meminfo") as file:
            lines = dict(line.split(":", 1) for line in file)
        size = sum(int(lines[name].split()[0]) << 10 for name in ("MemTotal", "SwapTotal") if name in lines)
    if size == 1 << 62:
        with suppress(AttributeError, OSError, ValueError):
            size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min(size, cgroup.memory_limit() or size)
