"""Convolutions for prediction: batch norm folded in, sum and activation done by oneDNN too.

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
from ...ops.infer import Shape
from ...ops.nn import direct
from ...ops.nn.convolution import convolution_plan, has_windows_of_padding
from ...ops.nn.layout import CHANNELS_LAST, for_cpu, window_counts
from ...ops.nn.winograd import convolve, tile_size, transformed_weight
from ..patterns import SUM, Apply, Dataflow, Either, Match, Value
from ..step import Plan, Step
from .rules import Rule, apply_rules

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


def _is_plain_convolution(step: Step) -> bool:
    layouts = {1: (None, "NCW"), 2: (None, "NCHW"), 3: (None, "NCDHW")}
    return not step.context.is_gpu and step.attribute("layout") in layouts.get(len(step.attribute("kernel")), ())


def _fits(norm: Step | None, convolution: Step) -> bool:
    """Does the norm count its axis from the front? From behind, channels of sequences are elsewhere than of images."""
    return norm is None or norm.attribute("axis") == 1 or len(convolution.attribute("kernel")) == 2


def is_norm_of_channels(step: Step) -> bool:
    return step.attribute("axis") in (1, -3) and len(step.writes) == 1 and not step.context.is_gpu


def _is_pointwise(step: Step) -> bool:
    """Is it a fused convolution of one pixel each? Others pad with zeros what comes before."""
    if not isinstance(step.kernel, FusedConvolution):
        return False
    attribute = step.parts[0].attribute
    return all(k == 1 for k in attribute("kernel")) and not any(attribute("pad")) and attribute("num_group") == 1


OTHER = Value()
CONVOLUTION = Apply("Convolution", weights=True, where=_is_plain_convolution)
NORM = Apply("BatchNorm", CONVOLUTION, weights=True, where=is_norm_of_channels)
NORM_RELU = Apply("_contrib_BatchNormWithReLU", CONVOLUTION, weights=True, where=is_norm_of_channels)
#: Of two convolutions that are added, the second one takes the sum.
TOTAL = Apply(SUM, OTHER, Either(NORM, CONVOLUTION), any_order=True)
TOTAL_RELU = Apply("relu", TOTAL)
ACTIVATION = Apply(" ".join(_ACTIVATIONS), Either(NORM, CONVOLUTION))

NORM_BEFORE = Apply("BatchNorm", weights=True, where=is_norm_of_channels)
NORM_RELU_BEFORE = Apply("_contrib_BatchNormWithReLU", weights=True, where=is_norm_of_channels)
POINTWISE = Apply("", Either(NORM_RELU_BEFORE, Apply("relu", NORM_BEFORE)), where=_is_pointwise)


def fuse_convolutions(plan: Plan) -> Plan:
    """Convolution, then possibly BatchNorm, addition and activation, as one step. For predictions on the CPU.

    BatchNorm and relu that only a 1x1 convolution reads enter it, unless an earlier convolution has them.
    """
    if not any(step.op.name == "Convolution" for step in plan.steps) or not is_available():
        return plan
    chains = TOTAL_RELU, TOTAL, ACTIVATION, NORM_RELU, NORM, CONVOLUTION
    plan = apply_rules(plan, *[Rule(chain, _fuse_chain) for chain in chains])
    return _reuse_sums(apply_rules(plan, Rule(POINTWISE, _prepend_norm)))


def _fuse_chain(match: Match) -> Step | None:
    norm, last = match.get(NORM) or match.get(NORM_RELU), match.operators[-1]
    if not _fits(norm, match[CONVOLUTION]):
        return None
    kind, numbers = last.activation() or ("relu" if match.get(NORM_RELU) else "none", ())
    activation = _ACTIVATIONS.get(kind, kind), list(numbers)
    return FusedConvolution(match[CONVOLUTION], norm, match.get(OTHER), activation).step(match.operators)


def _prepend_norm(match: Match) -> Step | None:
    *before, step = match.operators
    old: FusedConvolution = step.kernel
    if not _fits(before[0], old.convolution):
        return None
    kernel = FusedConvolution(old.convolution, old.norm, old.other, old.activation, before[0])
    return kernel.step([*before, step])


def _reuse_sums(plan: Plan) -> Plan:
    """Lets a convolution add into the other summand where that is a fused result which nobody needs afterwards."""
    flow = Dataflow.of_plan(plan)
    for step, drops in zip(plan.steps, plan.drops, strict=True):
        fused = step.kernel
        if isinstance(fused, FusedConvolution) and fused.other is not None and fused.other in drops:
            source = flow.writers.get(fused.other)
            once = step.reads.count(fused.other) == 1  # else the convolution reads what it would overwrite
            if once and source is not None and isinstance(source.kernel, FusedConvolution):
                fused.overwrite = not any(r.op.view or r.node.subgraphs for r in flow.readers[fused.other])
    return plan


class FusedConvolution:
    """The kernel of a fused step: a convolution and what follows it, possibly after a batch norm and relu.

    ``relu(scale * x + shift)`` is ``scale * max(x, -shift / scale) + shift``, or with ``min`` for a negative scale. So
    what comes before a 1x1 convolution is one pass that limits x; scale and shift go into the convolution.

    Inputs that oneDNN does not take (other dtypes, devices, shapes that do not fit) are left to the parts.
    """

    def __init__(
        self,
        convolution: Step,
        norm: Step | None,
        other: int | None,
        activation: tuple[str, list[float]],
        norm_before: Step | None = None,
    ):
        self.convolution, self.norm, self.norm_before = convolution, norm, norm_before
        #: The slot of the other summand, and may it be overwritten?
        self.other, self.overwrite = other, False
        self.activation = activation
        # Where in the weight's sources a gamma is that makes no difference.
        norms = ((2, norm), (6, norm_before))
        self._unused = [place for place, norm in norms if norm is not None and norm.attribute("fix_gamma")]
        self._options = tuple(convolution.attribute(n) for n in ("kernel", "stride", "dilate", "pad", "num_filter"))
        self._groups: int = convolution.attribute("num_group")
        #: Sequences are images of height 1.
        self._sequences = len(self._options[0]) == 1
        self._dims = max(2, len(self._options[0]))
        self._folded: Folded | None = None
        #: The kernel of our own for images like the last ones, if there is one.
        self._direct: tuple[Folded, Shape, Shape, direct.Kernel] | None = None

    def step(self, parts: Sequence[Step]) -> Step:
        """The step that stands for the parts. It reads: data, the parameters, and the other summand."""
        weights = self.convolution.reads[1:]
        reads = [parts[0].reads[0], *weights, *[-1] * (2 - len(weights))]
        reads += self.norm.reads[1:] if self.norm is not None else [-1] * 4
        reads += self.norm_before.reads[1:] if self.norm_before is not None else []
        reads.append(-1 if self.other is None else self.other)
        return parts[-1].fuse(parts, self, reads)

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
        if folded.limits is not None:
            data = folded.limits(data)
        if other is None and not self._sequences:
            known = self._direct  # read once, too
            if known is not None and known[0] is folded and known[1] == data.shape and known[2] == data.stride():
                return known[3](data, folded.weight_for_kernel(self._groups), folded.bias)
        shapes = data.shape, weight.shape, None if bias is None else bias.shape
        try:
            stride, pad, dilate, _ = convolution_plan(*shapes, *self._options, self._groups, None)
        except ValueError:
            return None
        if has_windows_of_padding(self._options[0], dilate, pad):
            return None
        if other is not None:
            found = window_counts(data.shape[2:], self._options[0], stride, pad, dilate)
            if other.shape != (data.shape[0], weight.shape[0], *found):
                return None
            if other.dtype is not torch.float32 or not other.is_cpu:
                return None
        if not self._sequences:
            return self._convolve(data, weight, other, folded, pad, stride, dilate)
        images = data.unsqueeze(2), weight.unsqueeze(2), None if other is None else other.unsqueeze(2)
        return self._convolve(*images, folded, (0, *pad), (1, *stride), (1, *dilate)).squeeze(2)

    def _convolve(
        self,
        data: torch.Tensor,
        weight: torch.Tensor,
        other: torch.Tensor | None,
        folded: Folded,
        pad: Shape,
        stride: Shape,
        dilate: Shape,
    ) -> torch.Tensor:
        options = pad, stride, dilate, self._groups
        name, numbers = self.activation
        if self._groups == 1 and weight.shape[2:] == (3, 3) and name in ("none", "relu"):
            m = tile_size(data.shape[0], *weight.shape[1::-1], *data.shape[2:], stride, pad, dilate, True)
            if m:
                relu = name == "relu"
                return convolve(data, folded.transformed(m), m, folded.bias, other, relu, self.overwrite)
        if data.dim() == 4:
            result = self._convolve_directly(data, weight, other, folded, pad, stride, dilate)
            if result is not None:
                return result
        call = folded.packed(data.shape, *options), folded.bias, *options
        if other is None:
            return torch.ops.mkldnn._convolution_pointwise(for_cpu(data), *call, name, numbers, "")
        tail: tuple[Any, ...] = "add", 1.0, None if name == "none" else "relu", [], ""
        if self.overwrite and other.is_contiguous(memory_format=CHANNELS_LAST[other.dim()]):
            return torch.ops.mkldnn._convolution_pointwise_.binary(other, for_cpu(data), *call, *tail)
        return torch.ops.mkldnn._convolution_pointwise.binary(for_cpu(data), for_cpu(other), *call, *tail)

    def _convolve_directly(
        self,
        data: torch.Tensor,
        weight: torch.Tensor,
        other: torch.Tensor | None,
        folded: Folded,
        pad: Shape,
        stride: Shape,
        dilate: Shape,
    ) -> torch.Tensor | None:
        """The result by a kernel of our own, where that is the fastest."""
        if data.stride(1) != 1 and data.shape[1] > direct.FEW_CHANNELS:
            data = for_cpu(data)
        sizes = window_counts(data.shape[2:], tuple(weight.shape[2:]), stride, pad, dilate)
        like = data.shape, data.stride(), weight.shape, sizes, (stride, pad, dilate), self._groups
        name, numbers = self.activation
        kernel = direct.convolution(*like, name, tuple(numbers), other is not None)
        if kernel is None:
            return None
        packed = folded.weight_for_kernel(self._groups)
        if other is None:
            self._direct = folded, data.shape, data.stride(), kernel
            return kernel(data, packed, folded.bias)
        dense = other.is_contiguous(memory_format=torch.channels_last)
        other = other if dense else other.contiguous(memory_format=torch.channels_last)
        return kernel(data, packed, folded.bias, other, self.overwrite and dense)

    def _fold(self, sources: list[Any]) -> Folded | None:
        """One convolution's weight and bias for all parameters; None if they do not fit, or may change unseen."""
        weight, bias = sources[:2]
        filters = self._options[-1]
        if (
            weight.dim() != len(self._options[0]) + 2
            or weight.shape[0] != filters
            or (bias is None) is not self.convolution.attribute("no_bias")
        ):
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
        weight = weight.unsqueeze(2) if self._sequences else weight
        plain, shift, limits = weight.detach(), None if bias is None else bias.clone(), None
        factors: list[torch.Tensor] = []
        with torch.no_grad():
            if self.norm_before is not None:
                scale, offset = scale_and_shift(self.norm_before, *sources[6:10])
                limits, scale, offset = _limits(scale, offset, self._dims)
                shift = (plain.flatten(1).double() @ offset).add_(0 if shift is None else shift)
                factors.append(per_channel(scale, self._dims))
            if self.norm is not None:
                scale, offset = scale_and_shift(self.norm, *sources[2:6])
                shift = offset if shift is None else offset.add_(scale * shift)
                factors.append(per_channel(scale, self._dims + 1))
        return Folded(snapshot, plain, factors, None if shift is None else shift.float(), limits)


def scale_and_shift(
    norm: Step, gamma: torch.Tensor, beta: torch.Tensor, mean: torch.Tensor, var: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """What a batch norm multiplies by and then adds, in float64."""
    scale = (var.double() + norm.attribute("eps")).rsqrt_()
    if not norm.attribute("fix_gamma"):
        scale *= gamma
    return scale, beta - mean * scale


def per_channel(values: torch.Tensor, dims: int) -> torch.Tensor:
    """Values for the first of dims + 1 dimensions, to broadcast."""
    return values.view(-1, *[1] * dims)


class _Limits:
    """Cuts each channel at a smallest or a largest value."""

    def __init__(self, low: torch.Tensor, high: torch.Tensor, dims: int):
        self._low = per_channel(low.float(), dims)
        self._high = per_channel(high.float(), dims) if bool((high < torch.inf).any()) else None

    def __call__(self, data: torch.Tensor) -> torch.Tensor:
        return torch.maximum(data, self._low) if self._high is None else torch.clamp(data, self._low, self._high)


def _limits(scale: torch.Tensor, shift: torch.Tensor, dims: int) -> tuple[_Limits, torch.Tensor, torch.Tensor]:
    """Limits, scale and shift that are together ``relu(scale * x + shift)``."""
    turn = -shift / scale
    constant = ~(turn.abs() < 1e30)  # a scale of next to nothing: x makes no difference
    scale, shift = scale.masked_fill(constant, 0), torch.where(constant, shift.clamp(min=0), shift)
    low = turn.masked_fill(constant | (scale < 0), -torch.inf)
    high = turn.masked_fill(constant | (scale > 0), torch.inf)
    return _Limits(low, high, dims), scale, shift


class Folded:
    """A weight and a bias made of parameters, and the parameters they were made of."""

    def __init__(
        self,
        sources: Snapshot,
        weight: torch.Tensor,
        factors: Sequence[torch.Tensor],
        bias: torch.Tensor | None,
        limits: _Limits | None = None,
        transposed: bool = False,
    ):
        self.sources = sources
        self._kind = "convolution_transpose" if transposed else "convolution"
        self._plain, self._factors = weight, factors
        self.bias = bias
        #: What comes first: it cuts the data.
        self.limits = limits
        self._packed: dict[torch.Size, torch.Tensor] = {}
        self._transformed: tuple[int, torch.Tensor] | None = None
        self._for_kernel: torch.Tensor | None = None

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

    def weight_for_kernel(self, groups: int) -> torch.Tensor:
        """The weight as kernels of our own read it, for any data."""
        known = self._for_kernel
        if known is None:
            known = self._for_kernel = direct.packed(self._weight(), groups)
        return known

    def packed(self, shape: torch.Size, *options: Any) -> torch.Tensor:
        """The weight in the order that oneDNN wants for data of such a shape."""
        found = self._packed.get(shape)
        if found is None:
            reorder = getattr(torch.ops.mkldnn, f"_reorder_{self._kind}_weight")
            found = reorder(self._weight(), *options, list(shape))
            kept = {} if len(self._packed) >= _KEPT_PACKINGS else self._packed
            self._packed = {**kept, shape: found}
        return found
