"""Outputs that users do not see: Symbol files count them, and monitors get those that can be computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from ..ops.nn.ctc import ctc_loss
from ..ops.nn.normalization import local_scale, squares_over
from ..ops.nn.spatial import best_places
from ..ops.ordering import argsort, topk
from ..ops.registry import Attrs, OpDef

Inputs = Sequence[Any]
#: ``rule(inputs, result, attrs, training)`` returns the hidden results by name.
_Rule = Callable[[Inputs, torch.Tensor, Attrs, bool], dict[str, torch.Tensor]]


def has_workspace(attrs: Mapping[str, Any]) -> bool:
    """Has MXNet a workspace for this pooling, which Symbol files count?"""
    return attrs["pool_type"] == "max" and bool(attrs["kernel"]) and (attrs["layout"] or "NC")[1] == "C"


_TOTALS: dict[str, int | Callable[[Mapping[str, Any]], int]] = {
    **dict.fromkeys(
        """
        BilinearSampler CTCLoss Dropout GridGenerator L2Normalization LRN ROIPooling
        _contrib_DeformablePSROIPooling _contrib_MultiProposal _contrib_Proposal _contrib_box_nms _npi_average sort
        """.split(),
        2,
    ),
    **dict.fromkeys(
        """
        BatchNorm BatchNorm_v1 Correlation GroupNorm InstanceNorm LayerNorm SpatialTransformer
        _contrib_SyncBatchNorm _linalg_det _npi_det
        """.split(),
        3,
    ),
    **dict.fromkeys(("_contrib_BatchNormWithReLU", "_linalg_slogdet", "_npi_norm", "_npi_slogdet"), 4),
    "Pooling": lambda attrs: 2 if has_workspace(attrs) else 1,
    "topk": lambda attrs: 2 if attrs["ret_typ"] in ("both", "value") else 1,
}


def num_total_outputs(op: OpDef, parsed: Mapping[str, Any]) -> int:
    """The number of outputs that Symbol files count for such a node: the visible and the hidden ones."""
    total = _TOTALS.get(op.name)
    if total is None:
        return op.num_outputs(parsed)
    return total if isinstance(total, int) else total(op.with_defaults(parsed))


def hidden_outputs(
    op: OpDef, inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool
) -> dict[str, torch.Tensor]:
    """The hidden results of a call by name, as far as they can be computed."""
    rule = _RULES.get(op.name)
    return {} if rule is None else rule(inputs, result, attrs, training)


def _ctc_gradient(inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool) -> dict[str, torch.Tensor]:
    """The gradient of the data, which the original computes at once."""
    with torch.enable_grad():
        data = inputs[0].detach().requires_grad_()
        loss = ctc_loss.kernel(data, *inputs[1:], **attrs)
        (gradient,) = torch.autograd.grad(loss.sum(), data)
    return {"output1": gradient}


def _dropout_mask(inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool) -> dict[str, torch.Tensor]:
    """What the data was multiplied by."""
    data = inputs[0]
    if not training and attrs["mode"] != "always":
        return {"mask": torch.ones_like(data)}
    if attrs["p"] == 1:
        return {"mask": torch.full_like(data, float("nan"))}
    scale = 1.0 / (1.0 - attrs["p"])
    return {"mask": torch.where(data == 0, scale, (result / data).nan_to_num(0.0))}


def _instance_statistics(inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool) -> dict[str, torch.Tensor]:
    variance, mean = torch.var_mean(inputs[0].flatten(2), 2, correction=0)
    return {"mean": mean, "var": variance}


def _l2_norm(inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool) -> dict[str, torch.Tensor]:
    norm = (squares_over(inputs[0], attrs["mode"]) + attrs["eps"]).sqrt()
    return {"norm": norm.reshape(norm.shape[: {"instance": 1, "spatial": 2}.get(attrs["mode"], norm.dim())])}


def _lrn_scale(inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool) -> dict[str, torch.Tensor]:
    return {"tmp_norm": local_scale(inputs[0], attrs["alpha"], attrs["knorm"], attrs["nsize"])}


def _roi_places(inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool) -> dict[str, torch.Tensor]:
    """Where the maxima are; -1 in empty cells."""
    data, rois = inputs
    if not rois.shape[0]:
        return {"maxidx": torch.zeros_like(result)}
    places, empty = best_places(data, rois, attrs["pooled_size"], attrs["spatial_scale"])
    return {"maxidx": places.masked_fill(empty, -1).to(data.dtype)}


def _sort_indices(inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool) -> dict[str, torch.Tensor]:
    return {"output1": argsort(inputs[0], axis=attrs["axis"], is_ascend=attrs["is_ascend"], dtype=torch.int32)}


def _top_indices(inputs: Inputs, result: torch.Tensor, attrs: Attrs, training: bool) -> dict[str, torch.Tensor]:
    return {"output1": topk(inputs[0], **{**attrs, "ret_typ": "indices", "dtype": torch.int32})}


_RULES: dict[str, _Rule] = {
    "CTCLoss": _ctc_gradient,
    "Dropout": _dropout_mask,
    "InstanceNorm": _instance_statistics,
    "L2Normalization": _l2_norm,
    "LRN": _lrn_scale,
    "Pooling": lambda inputs, result, attrs, training: {"workspace": inputs[0].new_zeros([1] * inputs[0].dim())},
    "ROIPooling": _roi_places,
    "sort": _sort_indices,
    "topk": _top_indices,
}
