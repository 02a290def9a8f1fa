"""Loss layers: what they give, and the loss whose gradient theirs is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .expressions import Expression, number
from .layers import Site

HEADS = (
    "SoftmaxOutput",
    "LinearRegressionOutput",
    "LogisticRegressionOutput",
    "MAERegressionOutput",
    "SVMOutput",
    "MakeLoss",
    "make_loss",
)
#: Which of them have a label as their second input.
LABELLED = HEADS[:5]


@dataclass(eq=False)
class Loss:
    """The loss of one output: an expression with {output} and {label}, and the variable that is the label."""

    text: str
    place: int
    label: str | None
    needs: tuple[str, ...] = ()


def is_head(site: Site) -> bool:
    """Is this the end of a network, with a gradient of its own?"""
    return site.op in HEADS


def head(site: Site, labels: Mapping[Any, Any]) -> Expression:
    """What a loss layer gives."""
    a = site.attrs
    if site.op == "SoftmaxOutput":
        if a["out_grad"]:
            raise site.refuse("out_grad=True, whose gradient is not that of a loss")
        if a["multi_output"]:
            return Expression("{0}.softmax(dim=1)", [0], hint="probabilities")
        if a["preserve_shape"] or site.ndim == 2:
            return Expression(f"{{0}}.softmax(dim={-1 if a['preserve_shape'] else 1})", [0], hint="probabilities")
        return Expression("{0}.flatten(1).softmax(dim=1).view_as({0})", [0], hint="probabilities")
    if site.op == "LogisticRegressionOutput":
        return Expression("{0}.sigmoid()", [0], hint="probabilities")
    return Expression("{0}", [0])


def loss_of(site: Site, place: int, labels: Mapping[Any, Any]) -> Loss | None:
    """The loss that belongs to a head; None if its label is computed by the network itself."""
    a, op = site.attrs, site.op
    scale = number(a.get("grad_scale", 1.0))
    if op in ("MakeLoss", "make_loss"):
        text = "{output}.sum()"
        if a.get("normalization") == "batch":
            size = math.prod(site.shape()[:-1])
            text = "{output}.sum() / {output}[..., 0].numel()" if size > 1 else text
        elif a.get("normalization") == "valid":
            text = f"{{output}}.sum() / ({{output}} > {number(a['valid_thresh'])}).sum().clamp(min=1)"
        return Loss(_scale(text, scale), place, None)
    variable = site.node.inputs[1].node
    label = variable.name if variable in labels else None
    if label is None:
        return None
    if op == "SoftmaxOutput":
        more = []
        if a["multi_output"] or a["preserve_shape"]:
            more.append(f"dim={1 if a['multi_output'] else -1}")
        if a["use_ignore"]:
            more.append(f"ignore={number(a['ignore_label'])}")
        if a["normalization"] != "null":
            more.append(f'normalization="{a["normalization"]}"')
        if a["smooth_alpha"] and not a["multi_output"]:
            more.append(f"smoothing={number(a['smooth_alpha'])}")
        call = ", ".join(["{output}", "{label}", *more])
        return Loss(_scale(f"softmax_loss({call})", scale), place, label, ("softmax_loss",))
    if op == "SVMOutput":
        more = [f"margin={number(a['margin'])}"] if a["margin"] != 1 else []
        if a["use_linear"]:
            more.append("squared=False")
        call = ", ".join(["{output}", "{label}", *more])
        return Loss(_scale(f"svm_loss({call})", number(a["regularization_coefficient"])), place, label, ("svm_loss",))
    name = {"LinearRegressionOutput": "squared_loss", "MAERegressionOutput": "absolute_loss"}.get(op, "logistic_loss")
    return Loss(_scale(f"{name}({{output}}, {{label}})", scale), place, label, (name,))


def _scale(text: str, scale: object) -> str:
    return text if scale == 1 else f"{scale} * {text}"
