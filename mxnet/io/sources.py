"""The sources of ``MXDataIter``: batches made from files, and the parsing of their arguments."""

from __future__ import annotations

import dataclasses
import inspect
import typing
import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from ..error import MXNetTypeError, MXNetValueError
from ..ops.params import REQUIRED, Param, param

__all__ = ["Batch", "BatchSource", "new_source"]

# Arguments that MXDataIter itself takes, or that MXNet programs pass to iterators which do not need them.
_NOT_FOR_SOURCES = ("data_name", "label_name", "name", "input_shape", "ctx", "prefetch_buffer")


class Batch(NamedTuple):
    """What a source returns: arrays without other users, how many examples at the end are padding, row numbers."""

    data: np.ndarray
    label: np.ndarray
    pad: int
    rows: np.ndarray


class BatchSource(Protocol):
    """Gives batches until the data ends. The arguments of its constructor are those of the public function."""

    #: The name of the public function.
    name: ClassVar[str]

    def read(self) -> Batch | None:
        """The next batch, or None at the end."""

    def rewind(self) -> None:
        """Starts again."""


def _parameters(source: type[BatchSource]) -> dict[str, Param]:
    # of a dataclass the class is asked, since fields may come from a base in another module
    kinds = typing.get_type_hints(source if dataclasses.is_dataclass(source) else source.__init__)
    return {
        name: param(name, kinds[name], REQUIRED if p.default is p.empty else p.default)
        for name, p in inspect.signature(source.__init__).parameters.items()
        if name != "self"
    }


def new_source(source: type[BatchSource], given: Mapping[str, Any]) -> BatchSource:
    """A source made from arguments as MXNet takes them: values, or texts such as ``'(3, 2)'`` and ``'True'``."""
    known = _parameters(source)
    missing = [name for name, p in known.items() if p.default is REQUIRED and name not in given]
    if missing:
        first = known[missing[0]]
        raise MXNetTypeError(f"{source.name}: Required parameter {first.name} of {first.kind} is not presented")
    unknown = [name for name in given if name not in known and name not in _NOT_FOR_SOURCES]
    if unknown:
        warnings.warn(
            f"{source.name}: unknown argument {unknown[0]!r} is ignored; it takes {', '.join(known)}", stacklevel=3
        )
    parsed = {name: p.parse(given[name], source.name) for name, p in known.items() if name in given}
    if parsed.get("batch_size", 1) < 1:
        raise MXNetValueError(f"{source.name}: batch_size must be at least 1, got {parsed['batch_size']}")
    return source(**parsed)
