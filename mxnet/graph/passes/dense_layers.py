"""Dense layers for prediction: the product adds the bias and applies the activation, on a weight packed once.

oneDNN does that where it is the one that multiplies (``ops/products.py``), elsewhere MKL. Small layers keep their plain
steps. What oneDNN gives does not depend on whether the weight is packed. What MKL gives does, in the last bits: there
it is packed from the first run on. Where the number of rows changes from run to run, that takes as long as it saves.
"""

from __future__ import annotations

import torch

from ... import native
from ..._core.memory import Snapshot
from ...ops import products
from ...ops.nn import direct
from ..patterns import Apply, Match
from ..step import Plan, Step
from .rules import Rule, apply_rules

#: With more rows, reading the weight takes little of the time: not worth the memory of a second one.
_MOST_ROWS = 255
#: oneDNN packs a weight in one way for all numbers of rows but the smallest.
_PACKED_FOR = 64
#: What oneDNN calls the activations that it has here. Its relu makes NaN 0: that comes after the product.
_ONEDNN = {"gelu": "gelu", "leaky": "leaky_relu", "relu": "none", "sigmoid": "sigmoid", "tanh": "tanh"}
#: How many multiplications make our own kernel worthwhile for one row: smaller weights are in a cache.
_SMALLEST_OF_ONE = 1 << 17
#: What a kernel raises for inputs that do not fit.
_WRONG = RuntimeError, TypeError, ValueError, IndexError
_linear = torch.nn.functional.linear
#: Activations that may overwrite a product; others are computed as they are in the graph.
_IN_PLACE = {"relu": torch.relu_, "sigmoid": torch.sigmoid_, "tanh": torch.tanh_}


def _is_on_cpu(step: Step) -> bool:
    return not step.context.is_gpu


DENSE = Apply("FullyConnected", weights=True, where=_is_on_cpu)
ACTIVATED = Apply(" ".join(_ONEDNN), DENSE)


def fuse_dense_layers(plan: Plan) -> Plan:
    """Dense layers with the activation that follows as one step. For predictions on the CPU."""
    return apply_rules(plan, Rule(ACTIVATED, _fuse), Rule(DENSE, _fuse))


def _fuse(match: Match) -> Step:
    dense, activation = match[DENSE], match.get(ACTIVATED)
    reads = (*dense.reads, -1)[:3]
    return dense.fuse(match.operators, DenseLayer(dense, activation), reads)


class DenseLayer:
    """The kernel of a dense layer and what follows it. Inputs that do not fit are left to the parts."""

    def __init__(self, dense: Step, activation: Step | None):
        found = None if activation is None else activation.activation()
        name, self._numbers = ("none", ()) if found is None else found
        self._relu = name == "relu"
        self._in_place = _IN_PLACE.get(name)
        self._name = _ONEDNN.get(name, "none")
        self._kernel, self._attrs, self._after = dense.kernel, dense.predict, activation
        self._flatten, self._hidden = dense.attribute("flatten"), dense.attribute("num_hidden")
        self._has_bias = not dense.attribute("no_bias")
        self._smallest = min(products.SMALLEST, products.SMALLEST_PACKED)
        self._by_onednn = products.uses_onednn()
        self._packed: tuple[Snapshot, torch.Tensor | None] | None = None
        #: A weight and a bias that are what such a layer has: for these small products take the shortest way.
        self._fitting: tuple[torch.Tensor | None, torch.Tensor | None] = (None, None)
        #: What MKL has packed, for so many rows.
        self._packed_rows: tuple[Snapshot, int, torch.Tensor] | None = None

    def __call__(self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor | None:
        if self._flatten and data.dim() > 2:
            data = data.flatten(1)
        if data.dim() == 2 and data.shape[0] == 1 and data.shape[1] * self._hidden >= _SMALLEST_OF_ONE:
            found = self._multiply_one(data, weight, bias)
            if found is not None:
                return found
        if data.numel() * self._hidden < self._smallest:
            known = self._fitting
            if data.dim() == 2 and known[0] is weight and known[1] is bias:
                return self._run_small(data, weight, bias)
            if weight.__class__ is torch.Tensor and weight.is_cpu and weight.dim() == 2 and self._fits(weight, bias):
                self._fitting = weight, bias
            return self._run_parts(data, weight, bias)
        if data.dim() < 2 or not self._fits(weight, bias):
            return None
        if not self._by_onednn:
            return self._multiply_by_mkl(data, weight, bias)
        if not products.wants_onednn(data, weight, bias):
            return None
        matrix = data.reshape(-1, data.shape[-1])
        if not products.is_large(matrix.shape[0], *weight.shape):
            return None
        found = products.multiply(matrix, self._weight(weight, matrix.shape[0]), bias, self._name, self._numbers)
        if self._relu:
            found.relu_()
        return found if data.dim() == 2 else found.view(*data.shape[:-1], self._hidden)

    def _multiply_one(self, row: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor | None:
        """The layer for one row by a kernel of our own, which reads the weight once, at the speed of memory."""
        if not direct.is_available() or row.dtype is not torch.float32 or not row.is_cpu or not weight.is_cpu:
            return None
        if not self._fits(weight, bias) or weight.shape[1] != row.shape[1] or not weight.is_contiguous():
            return None
        found = torch.empty((1, self._hidden))
        bias = None if bias is None else bias.contiguous()
        call = weight, row.contiguous(), bias, found, *weight.shape, native.threads(weight.numel())
        native.kernels().dense_of_one(*call)
        if self._in_place is not None:
            return self._in_place(found)
        return found if self._after is None else self._after.kernel(found, **self._after.predict)

    def _run_small(self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor | None:
        """A product that takes less time than checks do; what does not fit is left to the parts."""
        try:
            found = _linear(data, weight, bias)
        except _WRONG:
            return None
        if self._in_place is not None:
            return self._in_place(found)
        return found if self._after is None else self._after.kernel(found, **self._after.predict)

    def _multiply_by_mkl(
        self, rows: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None
    ) -> torch.Tensor | None:
        inner = weight.shape[1]
        if rows.shape[-1] != inner or rows.dtype is not torch.float32 or not (rows.is_cpu and weight.is_cpu):
            return None
        count = rows.numel() // inner
        worthwhile = count * weight.numel() >= self._smallest and min(inner, self._hidden) >= products.FEWEST
        packed = None
        if worthwhile and products.FEWEST <= count <= _MOST_ROWS:
            packed = self._packed_weight(weight, count)
        if packed is None:
            return self._run_parts(rows, weight, bias)
        found = products.multiply_packed(rows.reshape(count, inner), packed, weight, bias)
        found = found if rows.dim() == 2 else found.view(*rows.shape[:-1], self._hidden)
        return found if self._after is None else self._after.kernel(found, **self._after.predict)

    def _packed_weight(self, weight: torch.Tensor, rows: int) -> torch.Tensor | None:
        """The weight as MKL wants it for so many rows; None if it may change unseen."""
        known = self._packed_rows  # read once: other threads may exchange it
        if known is None or known[1] != rows or not known[0].holds([weight]):
            sources = Snapshot.of([weight])
            if sources is None:
                return None
            known = self._packed_rows = sources, rows, products.pack(weight, rows)
        return known[2]

    def _fits(self, weight: torch.Tensor, bias: torch.Tensor | None) -> bool:
        """Are they what such a layer has?"""
        if weight.dtype is not torch.float32 or weight.dim() != 2 or weight.shape[0] != self._hidden:
            return False
        if bias is None:
            return not self._has_bias
        return self._has_bias and bias.dtype is torch.float32 and bias.shape == (self._hidden,)

    def _run_parts(self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor | None:
        """The layer as it is in the graph, in less time than a step takes for its parts: small layers need that."""
        try:
            found = self._kernel(data, weight, bias, **self._attrs)
        except _WRONG:
            return None  # the parts fail again, and say where
        return found if self._after is None else self._after.kernel(found, **self._after.predict)

    def _weight(self, weight: torch.Tensor, rows: int) -> torch.Tensor:
        """The weight as oneDNN wants it, from the second run on with the same numbers in it."""
        if rows > _MOST_ROWS:
            return weight
        packed = self._packed  # read once: other threads may exchange it
        if packed is None or not packed[0].holds([weight]):
            sources = Snapshot.of([weight])
            self._packed = None if sources is None else (sources, None)
            return weight
        if packed[1] is None:
            with torch.no_grad():
                made = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), _PACKED_FOR)
            packed = self._packed = packed[0], made
        assert packed[1] is not None
        return packed[1]
