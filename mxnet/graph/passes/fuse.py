"""Convolutions for prediction: batch norm folded into the weight, sum and activation done by the convolution itself.

oneDNN does that with its post-operations, on weights in an order of its own, made once and kept while the
parameters stay. torch has these calls for its own compiler, under names that may change: where they are
missing, programs keep their plain steps.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch

from ..._core.memory import Snapshot
from ...ops.nn.convolution import convolution_plan, has_windows_of_padding
from ...ops.nn.layout import for_cpu
from ...ops.nn.winograd import convolve, tile_size, transformed_weight
from ..step import Plan, Step, is_private
from .patterns import SUMS, is_relu

_BATCH_NORMS = ("BatchNorm", "_contrib_BatchNormWithReLU")
_KEPT_PACKINGS = 4
#: What oneDNN calls the activations that it can do.
_ACTIVATIONS = {"relu": "relu", "leaky": "leaky_relu", "clip": "hardtanh"}


@functools.cache
def is_available() -> bool:
    """Does this torch have oneDNN's fused convolutions, in the form that is used here?"""
    if not torch.backends.mkldnn.is_available():
        return False
    data, weight = torch.ones(1, 2, 3, 3), torch.ones(2, 2, 1, 1)
    try:
        packed = torch.ops.mkldnn._reorder_convolution_weight(weight, [0, 0], [1, 1], [1, 1], 1, list(data.shape))
        call = packed, weight[0, :, 0, 0], [0, 0], [1, 1], [1, 1], 1
        one = torch.ops.mkldnn._convolution_pointwise(data, *call, "relu", [], "")
        two = torch.ops.mkldnn._convolution_pointwise.binary(data, data, *call, "add", 1.0, "relu", [], "")
        torch.ops.mkldnn._convolution_pointwise_.binary(data, data.clone(), *call, "add", 1.0, "relu", [], "")
    except (AttributeError, RuntimeError, TypeError):
        return False
    return bool((one == 3).all() and (two == 4).all() and (data == 4).all())


def fuse_convolutions(plan: Plan) -> Plan:
    """Convolution, then possibly BatchNorm, addition and activation, as one step. For predictions on the CPU."""
    if not any(_is_convolution(step, plan) for step in plan.steps) or not is_available():
        return plan
    readers, writers = plan.readers(), plan.writers()
    #: The chains by the slot of their last result.
    chains: dict[int, FusedConvolution] = {}
    #: For each last step of a chain, the chain.
    ends: dict[int, FusedConvolution] = {}
    inside: set[int] = set()

    def grow(chain: FusedConvolution, step: Step) -> None:
        ends.pop(id(chain.parts[-1]))
        inside.add(id(chain.parts[-1]))
        del chains[chain.parts[-1].writes[0]]
        chain.parts.append(step)
        ends[id(step)] = chain
        chains[step.writes[0]] = chain

    for step in plan.steps:
        if _is_convolution(step, plan):
            before = _norm_and_relu_before(step, plan, readers, writers)
            if any(id(part) in ends or id(part) in inside for part in before):
                before = ()  # an earlier convolution has them
            inside.update(id(part) for part in before)
            chain = FusedConvolution(step, before)
            ends[id(step)] = chain
            chains[step.writes[0]] = chain
            continue
        if len(step.writes) != 1:
            continue
        candidates = [chains[s] for s in step.reads if s in chains and is_private(plan, s, readers)]
        # Of two convolutions that are added, the later one takes the sum.
        for chain in reversed(candidates):
            if chain.accepts(step, plan):
                grow(chain, step)
                break
    steps: list[Step] = []
    for step in plan.steps:
        fused = ends.get(id(step))
        if fused is not None:
            steps.append(fused.step())
        elif id(step) not in inside:
            steps.append(step)
    return _reuse_sums(plan.with_steps(steps))


def _is_convolution(step: Step, plan: Plan) -> bool:
    if step.op.name != "Convolution" or len(step.attribute("kernel")) != 2 or step.context.is_gpu:
        return False
    return step.attribute("layout") in (None, "NCHW") and all(s < plan.inputs for s in step.reads[1:])


def _has_norm_of_channels(step: Step, plan: Plan) -> bool:
    return (
        step.op.name in _BATCH_NORMS
        and step.attribute("axis") in (1, -3)
        and all(s < plan.inputs for s in step.reads[1:])
    )


def _norm_and_relu_before(
    convolution: Step, plan: Plan, readers: dict[int, list[Step]], writers: dict[int, Step]
) -> tuple[Step, ...]:
    """BatchNorm and relu (or both in one) that only a 1x1 convolution reads. Others pad with zeros in between."""
    attribute = convolution.attribute
    if any(k != 1 for k in attribute("kernel")) or any(attribute("pad")) or attribute("num_group") != 1:
        return ()
    found: list[Step] = []
    slot = convolution.reads[0]
    while is_private(plan, slot, readers) and len(found) < 2:
        step = writers[slot]
        if step.context.is_gpu or len(step.writes) != 1:
            break
        found.insert(0, step)
        if step.op.name == ("BatchNorm" if len(found) == 2 else "_contrib_BatchNormWithReLU"):
            return tuple(found) if _has_norm_of_channels(step, plan) else ()
        if not is_relu(step):
            break
        slot = step.reads[0]
    return ()


def _reuse_sums(plan: Plan) -> Plan:
    """Lets a convolution add into the other summand where that is a fused result which nobody needs afterwards."""
    planned, readers, writers = plan.planned(), plan.readers(), plan.writers()
    for step, drops in zip(plan.steps, [s.drops for s in planned.steps], strict=True):
        fused = step.kernel
        if isinstance(fused, FusedConvolution) and fused.other is not None and fused.other in drops:
            source = writers.get(fused.other)
            once = step.reads.count(fused.other) == 1  # else the convolution reads what it would overwrite
            if once and source is not None and isinstance(source.kernel, FusedConvolution):
                fused.overwrite = not any(r.op.view or r.node.subgraphs for r in readers[fused.other])
    return plan


class FusedConvolution:
    """The kernel of a fused step: a convolution and what follows it, possibly after a batch norm and relu.

    ``relu(scale * x + shift)`` is ``scale * max(x, -shift / scale) + shift``, or with ``min`` for a negative scale. So
    what comes before a 1x1 convolution is one pass that limits x; scale and shift go into the convolution.

    Inputs that oneDNN does not take (other dtypes, devices, shapes that do not fit) are left to the parts.
    """

    def __init__(self, convolution: Step, before: tuple[Step, ...] = ()):
        self.parts = [convolution]
        self.before = before
        self.norm: Step | None = None
        self.other: int | None = None
        self.overwrite = False
        self.activation: tuple[str, list[float]] = ("none", [])
        self._folded: _Folded | None = None

    def accepts(self, step: Step, plan: Plan) -> bool:
        """Can the step join this chain? Then notes what it is."""
        if self.activation[0] != "none" or step.context.is_gpu:
            return False
        last = self.parts[-1].writes[0]
        if step.op.name in _BATCH_NORMS:
            if self.norm is not None or self.other is not None or step.reads[0] != last:
                return False
            if not _has_norm_of_channels(step, plan):
                return False
            self.norm = step
            if step.op.name == "_contrib_BatchNormWithReLU":
                self.activation = "relu", []
            return True
        if step.op.name in SUMS and self.other is None:
            self.other = next(slot for slot in step.reads if slot != last)
            return True
        kind, numbers = step.activation() or ("", ())
        if kind not in _ACTIVATIONS or (self.other is not None and kind != "relu"):
            return False
        self.activation = _ACTIVATIONS[kind], list(numbers)
        return True

    def step(self) -> Step:
        """The step that stands for the whole chain. It reads: data, the parameters, and the other summand."""
        first, last = self.parts[0], self.parts[-1]
        data = self.before[0].reads[0] if self.before else first.reads[0]
        reads = [data, first.reads[1], first.reads[2] if len(first.reads) > 2 else -1]
        for norm in (self.norm, *self.before[:1]):
            reads += norm.reads[1:] if norm is not None else [-1] * 4
        reads.append(-1 if self.other is None else self.other)
        # Where in the weight's sources a gamma is that makes no difference.
        norms = ((2, self.norm), (6, self.before[0] if self.before else None))
        self._unused = [place for place, norm in norms if norm is not None and norm.attribute("fix_gamma")]
        self._options = tuple(first.attribute(n) for n in ("kernel", "stride", "dilate", "pad", "num_filter"))
        self._groups: int = first.attribute("num_group")
        return last.fused([*self.before, *self.parts], self, reads)

    def __call__(
        self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, *rest: torch.Tensor | None
    ) -> torch.Tensor | None:
        *norms, other = rest
        sources = [weight, bias, *norms]
        for place in self._unused:
            sources[place] = None
        folded = self._folded  # read once: other threads may exchange it
        if folded is None or not folded.sources.holds(sources):
            folded = self._folded = self._fold(sources)
        if folded is None or data.dtype is not torch.float32 or not data.is_cpu or not data.numel():
            return None
        shapes = data.shape, weight.shape, None if bias is None else bias.shape
        try:
            stride, pad, dilate, _ = convolution_plan(*shapes, *self._options, self._groups, None)
        except ValueError:
            return None
        if has_windows_of_padding(self._options[0], dilate, pad):
            return None
        options = pad, stride, dilate, self._groups
        name, numbers = self.activation
        if other is not None:
            sizes = zip(data.shape[2:], self._options[0], stride, pad, dilate, strict=True)
            found = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in sizes]
            if other.shape != (data.shape[0], weight.shape[0], *found):
                return None
            if other.dtype is not torch.float32 or not other.is_cpu:
                return None
        if folded.limits is not None:
            data = folded.limits(data)
        if self._groups == 1 and weight.shape[2:] == (3, 3) and name in ("none", "relu"):
            m = tile_size(data.shape[0], *weight.shape[1::-1], *data.shape[2:], stride, pad, dilate, True)
            if m:
                relu = name == "relu"
                return convolve(data, folded.transformed(m), m, folded.bias, other, relu, self.overwrite)
        call = folded.packed(data.shape, *options), folded.bias, *options
        if other is None:
            return torch.ops.mkldnn._convolution_pointwise(for_cpu(data), *call, name, numbers, "")
        tail: tuple[Any, ...] = "add", 1.0, None if name == "none" else "relu", [], ""
        if self.overwrite and other.is_contiguous(memory_format=torch.channels_last):
            return torch.ops.mkldnn._convolution_pointwise_.binary(other, for_cpu(data), *call, *tail)
        return torch.ops.mkldnn._convolution_pointwise.binary(for_cpu(data), for_cpu(other), *call, *tail)

    def _fold(self, sources: list[Any]) -> _Folded | None:
        """One convolution's weight and bias for all parameters; None if they do not fit, or may change unseen."""
        weight, bias = sources[:2]
        filters = self._options[-1]
        if weight.dim() != 4 or weight.shape[0] != filters or (bias is None) is not self.parts[0].attribute("no_bias"):
            return None
        for place, tensor in enumerate(sources):
            if tensor is None:
                continue
            if tensor.dtype is not torch.float32 or not tensor.is_cpu:
                return None
            if place and tensor.shape != (filters if place < 6 else weight.shape[1],):
                return None
        snapshot = Snapshot.of(sources)
        if snapshot is None:
            return None
        plain, shift, limits = weight.detach(), None if bias is None else bias.clone(), None
        factors: list[torch.Tensor] = []
        with torch.no_grad():
            if self.before:
                scale, offset = _scale_and_shift(self.before[0], *sources[6:10])
                limits, scale, offset = _limits(scale, offset)
                shift = (plain[:, :, 0, 0].double() @ offset).add_(0 if shift is None else shift)
                factors.append(scale[:, None, None])
            if self.norm is not None:
                scale, offset = _scale_and_shift(self.norm, *sources[2:6])
                shift = offset if shift is None else offset.add_(scale * shift)
                factors.append(scale[:, None, None, None])
        return _Folded(snapshot, plain, factors, None if shift is None else shift.float(), limits)


def _scale_and_shift(
    norm: Step, gamma: torch.Tensor, beta: torch.Tensor, mean: torch.Tensor, var: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """What a batch norm multiplies by and then adds, in float64."""
    scale = (var.double() + norm.attribute("eps")).rsqrt_()
    if not norm.attribute("fix_gamma"):
        scale *= gamma
    return scale, beta - mean * scale


class _Limits:
    """Cuts each channel at a smallest or a largest value."""

    def __init__(self, low: torch.Tensor, high: torch.Tensor):
        self._low = low.float()[:, None, None]
        self._high = high.float()[:, None, None] if bool((high < torch.inf).any()) else None

    def __call__(self, data: torch.Tensor) -> torch.Tensor:
        return torch.maximum(data, self._low) if self._high is None else torch.clamp(data, self._low, self._high)


def _limits(scale: torch.Tensor, shift: torch.Tensor) -> tuple[_Limits, torch.Tensor, torch.Tensor]:
    """Limits, scale and shift that are together ``relu(scale * x + shift)``."""
    turn = -shift / scale
    constant = ~(turn.abs() < 1e30)  # a scale of next to nothing: x makes no difference
    scale, shift = scale.masked_fill(constant, 0), torch.where(constant, shift.clamp(min=0), shift)
    low = turn.masked_fill(constant | (scale < 0), -torch.inf)
    high = turn.masked_fill(constant | (scale > 0), torch.inf)
    return _Limits(low, high), scale, shift


class _Folded:
    """A weight and a bias made of parameters, and the parameters they were made of."""

    def __init__(
        self,
        sources: Snapshot,
        weight: torch.Tensor,
        factors: Sequence[torch.Tensor],
        bias: torch.Tensor | None,
        limits: _Limits | None,
    ):
        self.sources = sources
        self._plain, self._factors = weight, factors
        self.bias = bias
        #: What comes first: it cuts the data.
        self.limits = limits
        self._packed: dict[torch.Size, torch.Tensor] = {}
        self._transformed: tuple[int, torch.Tensor] | None = None

    def _weight(self) -> torch.Tensor:
        """The weight times its factors: made whenever it is to be packed, since only what is packed is kept."""
        made = self._plain
        with torch.no_grad():
            for factor in self._factors:
                made = made * factor
        return made.float()

    def transformed(self, m: int) -> torch.Tensor:
        """The weight for tiles of m x m."""
        known = self._transformed  # read once: other threads may need it for other tiles
        if known is None or known[0] != m:
            known = self._transformed = m, transformed_weight(self._weight(), m)
        return known[1]

    def packed(self, shape: torch.Size, *options: Any) -> torch.Tensor:
        """The weight in the order that oneDNN wants for data of such a shape."""
        found = self._packed.get(shape)
        if found is None:
            found = torch.ops.mkldnn._reorder_convolution_weight(self._weight(), *options, list(shape))
            kept = {} if len(self._packed) >= _KEPT_PACKINGS else self._packed
            self._packed = {**kept, shape: found}
        return found
