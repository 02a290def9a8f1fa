"""Deconvolutions of images for prediction: batch norm folded in, on a weight in the order that oneDNN wants.

The weight is brought into that order once and kept while the parameters stay: for one image that takes as long as the
products. Where torch has no such calls, programs keep their plain steps.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import torch

from ..._core.memory import Snapshot
from ...ops.nn.convolution import deconvolution_plan, is_trap
from ...ops.nn.im2col import has_few_channels, has_few_pixels
from ...ops.nn.layout import for_cpu
from ..patterns import Apply, Either, Match
from ..step import Plan, Step
from .convolutions import Folded, is_norm_of_channels, per_channel, scale_and_shift
from .rules import Rule, apply_rules

#: What may overwrite the result; other activations keep their own step.
_ACTIVATIONS = {"relu": torch.relu_, "sigmoid": torch.sigmoid_, "tanh": torch.tanh_}
#: From here on a weight that is to be packed makes no difference.
_LARGE_BATCH = 32


@functools.cache
def is_available() -> bool:
    """Does this torch have oneDNN's deconvolutions with packed weights, in the form that is used here?"""
    if not torch.backends.mkldnn.is_available():
        return False
    data, weight = torch.ones(1, 2, 3, 3), torch.ones(2, 4, 1, 1)
    options = [0, 0], [0, 0], [1, 1], [1, 1], 1
    try:
        packed = torch.ops.mkldnn._reorder_convolution_transpose_weight(weight, *options, list(data.shape))
        made = torch.ops.mkldnn._convolution_transpose_pointwise(data, packed, torch.ones(4), *options, "none", [], "")
    except (AttributeError, RuntimeError, TypeError):
        return False
    return made.shape == (1, 4, 3, 3) and bool((made == 3).all())


def _is_plain(step: Step) -> bool:
    attribute = step.attribute
    is_image = len(attribute("kernel")) == 2 and attribute("layout") in (None, "NCHW")
    return is_image and attribute("num_group") == 1 and not step.context.is_gpu


DECONVOLUTION = Apply("Deconvolution", weights=True, where=_is_plain)
NORM = Apply("BatchNorm", DECONVOLUTION, weights=True, where=is_norm_of_channels)
ACTIVATION = Apply(" ".join(_ACTIVATIONS), Either(NORM, DECONVOLUTION))


def fuse_deconvolutions(plan: Plan) -> Plan:
    """Deconvolution, then possibly BatchNorm and activation, as one step. For predictions on the CPU."""
    if not any(step.op.name == "Deconvolution" for step in plan.steps) or not is_available():
        return plan
    return apply_rules(plan, *[Rule(chain, _fuse) for chain in (ACTIVATION, NORM, DECONVOLUTION)])


def _fuse(match: Match) -> Step:
    activation = match.operators[-1].activation()
    kernel = FusedDeconvolution(match[DECONVOLUTION], match.get(NORM), activation and _ACTIVATIONS[activation[0]])
    return kernel.step(match.operators)


def _wants_products(batch: int, pixels: int, weight: torch.Size) -> bool:
    """Are products of matrices, which the plain steps may consist of, faster even than with a packed weight?"""
    return has_few_channels(pixels, weight) or (batch >= _LARGE_BATCH and has_few_pixels(pixels, weight, True))


class FusedDeconvolution:
    """The kernel of a deconvolution and what follows it. Inputs that oneDNN does not take are left to the parts."""

    def __init__(self, deconvolution: Step, norm: Step | None, activation: Any):
        self._deconvolution, self._norm, self._activation = deconvolution, norm, activation
        names = "kernel", "stride", "dilate", "pad", "adj", "target_shape", "num_filter"
        self._options = tuple(deconvolution.attribute(n) for n in names)
        self._fixed_gamma = norm is not None and norm.attribute("fix_gamma")
        self._folded: Folded | None = None

    def step(self, parts: Sequence[Step]) -> Step:
        """The step that stands for the parts. It reads: data, the weight and the bias, and what the norm has."""
        weights = self._deconvolution.reads[1:]
        norm = () if self._norm is None else self._norm.reads[1:]
        return parts[-1].fuse(parts, self, [parts[0].reads[0], *weights, *[-1] * (2 - len(weights)), *norm])

    def __call__(
        self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, *norm: torch.Tensor | None
    ) -> torch.Tensor | None:
        sources = [weight, bias, *norm]
        if self._fixed_gamma:
            sources[2] = None
        folded = self._folded  # read once: other threads may exchange it
        if folded is None or not folded.sources.holds(sources):
            folded = self._folded = self._fold(sources)
        if folded is None or data.dtype is not torch.float32 or not data.is_cpu or not data.numel():
            return None
        shapes = data.shape, weight.shape, None if bias is None else bias.shape
        try:
            stride, pad, adj, dilate, _ = deconvolution_plan(*shapes, *self._options, 1, None)
        except ValueError:
            return None
        pixels = data.shape[0] * math.prod(data.shape[2:])
        if is_trap(self._options[0], stride, dilate, pad) or _wants_products(data.shape[0], pixels, weight.shape):
            return None
        options = pad, adj, stride, dilate, 1
        call: tuple[Any, ...] = folded.packed(data.shape, *options), folded.bias, *options, "none", [], ""
        made = torch.ops.mkldnn._convolution_transpose_pointwise(for_cpu(data), *call)
        return made if self._activation is None else self._activation(made)

    def _fold(self, sources: list[Any]) -> Folded | None:
        """One weight and bias for all parameters; None if they do not fit, or may change unseen."""
        weight, bias, *norm = sources
        filters = self._options[-1]
        if (bias is None) is not self._deconvolution.attribute("no_bias") or weight.dim() != 4:
            return None
        for place, tensor in enumerate(sources):
            if tensor is None:
                continue
            if tensor.dtype is not torch.float32 or not tensor.is_cpu or (place and tensor.shape != (filters,)):
                return None
        snapshot = Snapshot.of(sources)
        if snapshot is None:
            return None
        shift, factors = None if bias is None else bias.clone(), []
        with torch.no_grad():
            if self._norm is not None:
                scale, offset = scale_and_shift(self._norm, *norm)
                shift = offset if shift is None else offset.add_(scale * shift)
                factors.append(per_channel(scale, 2))
        return Folded(snapshot, weight.detach(), factors, None if shift is None else shift.float(), transposed=True)
