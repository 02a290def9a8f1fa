"""Passes: functions that make a program's steps fewer or faster without changing its results."""

from __future__ import annotations

import os

from ..step import Plan
from .cross_entropy import fuse_cross_entropy
from .fuse import fuse_convolutions
from .grow import grow_concatenations
from .inplace import relu_in_place
from .mirror import Mirror, mirrored_steps
from .normalize import fuse_batch_norms
from .recurrent import fuse_lstm_cells
from .reorder import pool_before_activation
from .rnn import separate_weights
from .simplify import merge_common, remove_identities

__all__ = [
    "Mirror",
    "fuse_batch_norms",
    "fuse_convolutions",
    "fuse_cross_entropy",
    "fuse_lstm_cells",
    "for_prediction",
    "for_training",
    "grow_concatenations",
    "merge_common",
    "mirrored_steps",
    "pool_before_activation",
    "relu_in_place",
    "remove_identities",
    "separate_weights",
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
    for transform in (
        remove_identities,
        merge_common,
        fuse_convolutions,
        grow_concatenations,
        pool_before_activation,
        fuse_lstm_cells,
        separate_weights,
    ):
        plan = transform(plan)
    return relu_in_place(plan.planned())


def for_training(plan: Plan) -> Plan:
    """The steps for training. Of mirrored ones only those are fused that are mirrored together."""
    if _writes_to_inputs(plan) or not _wanted():
        return plan
    mirrored = mirrored_steps(plan)
    if mirrored:
        return relu_in_place(fuse_batch_norms(plan, mirrored).planned(), mirrored)
    for transform in (pool_before_activation, fuse_batch_norms, fuse_cross_entropy, fuse_lstm_cells, separate_weights):
        plan = transform(plan)
    return relu_in_place(plan.planned())
