"""Passes: functions that make a program's steps fewer or faster without changing its results."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..._core import config
from ..._core.garbage import without_collection
from ..step import Plan
from .attention import fuse_attention
from .batch_norm_relu import fuse_batch_norms
from .concat_chains import grow_concatenations
from .convolutions import fuse_convolutions
from .cross_entropy import fuse_cross_entropy
from .deconvolutions import fuse_deconvolutions
from .dense_layers import fuse_dense_layers
from .device_copies import insert_copies
from .inplace_relu import relu_in_place
from .mirroring import Mirror, mirrored_steps
from .pooling_before_activation import pool_before_activation
from .recurrent_cells import fuse_recurrent_cells
from .redundant_steps import merge_common, remove_identities
from .rnn_weights import separate_weights
from .zero_gradients import drop_zero_gradients

__all__ = [
    "Mirror",
    "drop_zero_gradients",
    "fuse_attention",
    "fuse_batch_norms",
    "fuse_convolutions",
    "fuse_cross_entropy",
    "fuse_deconvolutions",
    "fuse_dense_layers",
    "fuse_recurrent_cells",
    "for_prediction",
    "for_training",
    "grow_concatenations",
    "insert_copies",
    "merge_common",
    "mirrored_steps",
    "pool_before_activation",
    "relu_in_place",
    "remove_identities",
    "separate_weights",
]


#: Verify each plan that a pass gives. Tests do.
verifying = False


def _after(plan: Plan, *passes: Callable[[Plan], Plan]) -> Plan:
    """What a series of passes makes of a plan."""
    for change in passes:
        plan = change(plan)
        if verifying:
            plan.verify()
    return plan


def _is_fixed(plan: Plan) -> bool:
    """Must the steps stay as they are: because some operator writes to its inputs, or because the user says so?"""
    if config.SUBGRAPH_BACKEND.get().upper() == "NONE":
        return True
    return any(step.op.mutates for step in plan.steps)


@without_collection
def for_prediction(plan: Plan) -> Plan:
    """The steps for runs without gradients in prediction mode. ``MXNET_SUBGRAPH_BACKEND=NONE`` leaves them as is."""
    if _is_fixed(plan):
        return plan
    return _after(
        plan,
        remove_identities,
        merge_common,
        fuse_convolutions,
        fuse_deconvolutions,
        grow_concatenations,
        pool_before_activation,
        fuse_recurrent_cells,
        fuse_dense_layers,
        fuse_attention,
        separate_weights,
        relu_in_place,
    )


@without_collection
def for_training(plan: Plan) -> Plan:
    """The steps for training. Of mirrored ones only those are fused that are mirrored together."""
    if _is_fixed(plan):
        return plan
    mirrored = mirrored_steps(plan)
    if mirrored:
        return _after(
            plan,
            partial(fuse_batch_norms, mirrored=mirrored),
            partial(relu_in_place, mirrored=mirrored),
        )
    return _after(
        plan,
        drop_zero_gradients,
        pool_before_activation,
        fuse_batch_norms,
        fuse_cross_entropy,
        fuse_recurrent_cells,
        separate_weights,
        relu_in_place,
    )
