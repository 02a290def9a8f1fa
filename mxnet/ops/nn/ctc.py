"""Connectionist temporal classification loss."""

import math
from typing import Literal

import torch

from ..registry import op
from ..types import Attrs, Dtypes, Shapes

#: Stands for the infinite logarithm of a class that cannot be: still a number, with which one can compute.
_IMPOSSIBLE = 1e30


def _inputs(attrs: Attrs) -> tuple[str, ...]:
    lengths = ("data_lengths",) if attrs["use_data_lengths"] else ()
    return ("data", "label", *lengths, *(("label_lengths",) if attrs["use_label_lengths"] else ()))


@op("CTCLoss", aliases=("ctc_loss", "_contrib_CTCLoss", "_contrib_ctc_loss"), active=_inputs)
def ctc_loss(
    data: torch.Tensor,
    label: torch.Tensor,
    data_lengths: torch.Tensor | None = None,
    label_lengths: torch.Tensor | None = None,
    *,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: Literal["first", "last"] = "first",
) -> torch.Tensor:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length).

    The blank is class 0 (``blank_label='first'``, labels are padded with 0) or the last class (padded with -1). Lengths
    come from ``data_lengths`` and ``label_lengths`` if the ``use_`` attributes are set; else all steps count and labels
    end at the padding. A label that cannot fit into its steps has loss 0 and no gradient.
    """
    if use_label_lengths and not use_data_lengths and label_lengths is None:
        data_lengths, label_lengths = None, data_lengths  # without data_lengths, label_lengths come third
    _check(data, label, data_lengths, label_lengths, use_data_lengths, use_label_lengths)
    steps, batch, classes = data.shape
    if data.is_meta:
        return data.new_empty(batch)
    targets = label.detach().to(torch.int64)
    first = blank_label == "first"
    if label_lengths is not None:
        target_lengths = label_lengths.detach().to(torch.int64)
    else:
        # A label ends at the first padding.
        target_lengths = (targets >= (1 if first else 0)).to(torch.int64).cumprod(1).sum(1)
    if data_lengths is not None:
        input_lengths = data_lengths.detach().to(torch.int64)
    else:
        input_lengths = torch.full((batch,), steps, dtype=torch.int64, device=data.device)
    _check_values(targets, target_lengths, input_lengths, steps, classes)
    # Half precision has no kernel, and would not do for sums over paths.
    log_probs = data.log_softmax(2, dtype=torch.float32 if data.dtype is not torch.float64 else None)
    # A class that is impossible (minus infinity) would make the gradient of its step NaN.
    log_probs = log_probs.clamp(min=-_IMPOSSIBLE)
    loss = torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, 0 if first else classes - 1, 0, True)
    hopeless = loss.detach() > 0.1 * _IMPOSSIBLE
    if hopeless.any():  # every path has such a class: infinite, with the gradient of a label that was not seen at all
        within = torch.arange(steps, device=data.device).unsqueeze(1) < input_lengths
        total = (data.to(loss.dtype).logsumexp(2) * within).sum(0)
        loss = torch.where(hopeless, total + math.inf, loss)
    return loss.to(data.dtype)


def _check(
    data: torch.Tensor,
    label: torch.Tensor,
    data_lengths: torch.Tensor | None,
    label_lengths: torch.Tensor | None,
    use_data_lengths: bool,
    use_label_lengths: bool,
) -> None:
    if data.dim() != 3 or not data.is_floating_point():
        raise ValueError("data must be floating and have 3 dimensions: steps, batch, classes")
    if label.dim() != 2 or label.shape[0] != data.shape[1]:
        raise ValueError(
            f"label has shape {tuple(label.shape)}, expected ({data.shape[1]}, length): one row per example"
        )
    if label.shape[1] > data.shape[0]:
        raise ValueError(f"labels of length {label.shape[1]} are longer than the data, which has {data.shape[0]} steps")
    for name, lengths, used in [
        ("data_lengths", data_lengths, use_data_lengths),
        ("label_lengths", label_lengths, use_label_lengths),
    ]:
        if (lengths is not None) != used:
            raise ValueError(f"{name} is an input if, and only if, use_{name} is true")
        if lengths is not None and lengths.shape != (data.shape[1],):
            raise ValueError(f"{name} has shape {tuple(lengths.shape)}, expected {(data.shape[1],)}")


def _check_values(
    targets: torch.Tensor, target_lengths: torch.Tensor, input_lengths: torch.Tensor, steps: int, classes: int
) -> None:
    # The kernel reads out of bounds if these are wrong. It needs the lengths on the host, so the transfer costs little.
    within = torch.arange(targets.shape[1], device=targets.device) < target_lengths.unsqueeze(1)
    bad = torch.stack(
        [
            (within & ((targets < 0) | (targets >= classes))).any(),
            ((target_lengths < 0) | (target_lengths > targets.shape[1])).any(),
            ((input_lengths < 0) | (input_lengths > steps)).any(),
        ]
    ).tolist()
    if bad[0]:
        raise ValueError(f"label has a class outside of 0..{classes - 1}")
    if bad[1]:
        raise ValueError(f"label_lengths must be between 0 and {targets.shape[1]}")
    if bad[2]:
        raise ValueError(f"data_lengths must be between 0 and {steps}")


@ctc_loss.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if data is None or len(data) != 3:
        return
    for name in ("data_lengths", "label_lengths"):
        if name in shapes:
            shapes[name] = (data[1],)


@ctc_loss.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list:
    for name, dtype in dtypes.items():
        dtypes[name] = dtype or dtypes["data"]
    return [dtypes["data"]]
