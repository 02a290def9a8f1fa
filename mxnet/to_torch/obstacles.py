"""What a network has that cannot be written as PyTorch source, found before anything is translated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from ..error import MXNetNotImplementedError
from ..graph.node import Node
from . import kernels
from .build import is_written

#: Operators that are no operators but programs, or whose program is elsewhere.
_PROGRAMS = {
    "_foreach": "control flow",
    "_while_loop": "control flow",
    "_cond": "control flow",
    "Custom": "a custom operator, whose program is not in the file",
    "_CustomFunction": "a custom function",
    "_CachedOp": "a graph inside of the graph",
}


def obstacles(order: Sequence[Node], arrays: Mapping[str, torch.Tensor]) -> list[str]:
    """Everything that is known without shapes: operators by their nodes, and parameters of other types."""
    found = []
    for node in order:
        if node.op is None:
            continue
        name = node.op.name
        if name in _PROGRAMS:
            found.append(f"{node.name} ({name}): {_PROGRAMS[name]}")
        elif not is_written(name) and (reason := kernels.unclean(name)):
            found.append(f"{node.name} ({name}): {kernels.NO_COUNTERPART.format(reason)}")
    used = {n.name for n in order if n.is_variable}
    return found + [
        f"{name} is {str(array.dtype).removeprefix('torch.')}: parameters are translated in float32; convert them "
        "first, for example by net.cast('float32')"
        for name, array in arrays.items()
        if name in used and array.is_floating_point() and array.dtype != torch.float32
    ]


def refuse(problems: Iterable[str], *more: str) -> None:
    """One error that lists all problems, if there are any."""
    found = list(dict.fromkeys([*problems, *more]))
    if found:
        lines: Any = "\n  ".join(found)
        things = "1 thing" if len(found) == 1 else f"{len(found)} things"
        raise MXNetNotImplementedError(f"{things} of this network cannot be written as PyTorch source:\n  {lines}")
