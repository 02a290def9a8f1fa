"""Passes: functions that make a program's steps fewer or faster without changing its results."""

from __future__ import annotations

import os

from ..step import Plan
from .fuse import fuse_convolutions
from .inplace import relu_in_place
from .mirror import Mirror, mirrored_steps
from .simplify import merge_common, remove_identities

__all__ = [
    "Mirror",
    "fuse_convolutions",
    "for_prediction",
    "for_training",
    "merge_common",
    "mirrored_steps",
    "relu_in_place",
    "remove_identities",
]


def _writes_to_inputs(plan: Plan) -> bool:
    """Does some operator write to its inputs, so that the order of the steps must stay?"""
    return any(step.op.mutates for step in plan.steps)


def _wanted() -> bool:
    return os.environ.get("MXNET_SUBGRAPH_BACKEND", "").upper() != "NONE"


def for_prediction(plan: Plan) -> Plan:
    """The steps for runs without gradients in prediction mode. ``MXNET_SUBGRAPH_BACKEND=NONE`` leaves them as is."""
    if _writes_to_inputs(plan) or not _wanted():
        return plan
    for transform in (remove_identities, merge_common, fuse_convolutions):
        plan = transform(plan)
    return plan.planned()


def for_training(plan: Plan) -> Plan:
    """The steps for training. Mirrored values must not be overwritten, so that such programs stay as they are."""
    if _writes_to_inputs(plan) or not _wanted() or mirrored_steps(plan):
        return plan
    return relu_in_place(plan)
