"""Sizes that follow those of the inputs: found by inferring the shapes of the graph for inputs of other sizes, too."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from ..error import MXNetError
from ..graph.infer import graph_shapes
from ..graph.node import Entry
from .tree import Value

Shapes = Mapping[Value, Any]


class Sizes:
    """Shapes of all values of a graph, and which of their sizes follow those of the inputs."""

    def __init__(self, outputs: Sequence[Entry], given: Mapping[str, Any], inputs: Sequence[str]):
        self._outputs, self._given, self._inputs = outputs, dict(given), list(inputs)
        self.shapes: Shapes = graph_shapes(outputs, given)

    @functools.cached_property
    def _others(self) -> list[Shapes]:
        """The shapes for inputs that are twice as long in one axis: in all inputs, or in one."""
        found = []
        groups = [self._inputs, *([[name] for name in self._inputs] if len(self._inputs) > 1 else [])]
        for axis in range(max((len(self._given[name]) for name in self._inputs), default=0)):
            for names in groups:
                other = {}
                for name in names:
                    shape = list(self._given[name])
                    if len(shape) > axis:
                        shape[axis] *= 2
                        other[name] = tuple(shape)
                try:
                    found.append(graph_shapes(self._outputs, self._given | other))
                except MXNetError:  # this size is fixed
                    continue
        return found

    def of(self, value: Value, axis: int) -> tuple[int, ...]:
        """The size of an axis for the inputs as they are, and for each of the other ones."""
        shapes = [self.shapes[value], *(other.get(value) for other in self._others)]
        return tuple(-1 if shape is None else shape[axis] for shape in shapes)

    def varies(self, value: Value, axis: int) -> bool:
        """Does the size of an axis follow the sizes of the inputs?"""
        return len(set(self.of(value, axis)) - {-1}) > 1

    def find(self, value: Value, axis: int, places: Sequence[Value]) -> tuple[Value, int] | None:
        """Where among other values there is an axis that always has the size of this one, this axis first."""
        wanted = self.of(value, axis)
        for place in places:
            count = len(self.shapes.get(place) or ())
            for other in sorted(range(count), key=lambda i: i != axis):
                if self.of(place, other) == wanted:
                    return place, other
        return None
