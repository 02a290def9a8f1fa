"""The likelihood of marked self-exciting point processes."""

import torch

from ..registry import op
from ..support import without_data
from ..types import Attrs, Dtypes, Shapes
from .loss import LossHead

_INPUTS = ("lda", "alpha", "beta", "state", "lags", "marks", "valid_length", "max_time")


@op("_contrib_hawkesll", outputs=2, output_names=("output", "out_state"))
def hawkesll(
    lda: torch.Tensor,
    alpha: torch.Tensor,
    beta: torch.Tensor,
    state: torch.Tensor,
    lags: torch.Tensor,
    marks: torch.Tensor,
    valid_length: torch.Tensor,
    max_time: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The log likelihood of K independent Hawkes processes with exponential decay, and their memory at ``max_time``.

    ``lda`` (N, K) is the background intensity, ``alpha`` and ``beta`` (K,) branching ratio and decay, ``state`` (N, K)
    the memory at the beginning. ``lags`` (N, T) are the times between events, ``marks`` (N, T) say which process each
    belongs to, ``valid_length`` (N,) how many are valid. Gradients go from the likelihood to lda, alpha and beta.
    """
    _check(lda, alpha, beta, state, lags, marks, valid_length, max_time)
    if lda.is_meta:
        return without_data(lda, lda.shape[:1]), without_data(lda)
    processes, steps = lda.shape[1], lags.shape[1]
    valid = torch.arange(steps, device=lags.device) < valid_length.unsqueeze(1)
    lags = lags.detach().masked_fill(~valid, 0.0)
    events = marks.unsqueeze(2) == torch.arange(processes, device=marks.device)
    events = (events & valid.unsqueeze(2)).to(lda.dtype)  # (N, T, K): 1 where a process has an event
    # The memory of each process just before each event: it decays over the lag, and an event adds 1 to it.
    decay = torch.exp(-beta * lags.unsqueeze(2))
    memory, before = state.detach(), []
    for t in range(steps):
        now = memory * decay[:, t]
        before.append(now)
        memory = now + events[:, t]
    if steps:
        intensity = ((lda.unsqueeze(1) + alpha * beta * torch.stack(before, 1)) * events).sum(2)
        points = torch.where(valid, intensity, 1.0).log().sum(1)
    else:
        points = lda.new_zeros(lda.shape[0])
    # How many events were to be expected: one at time t had 1 - exp(-beta * (max_time - t)) of its influence ahead.
    end = max_time.detach().unsqueeze(1)
    left = memory * torch.exp(-beta * (end - lags.sum(1, keepdim=True)))
    influence = state.detach() + events.sum(1) - left
    loglike = points - (lda * end + alpha * influence).sum(1)
    # As in MXNet nothing flows back from the memory, though it may be among the heads of a backward pass.
    return loglike, LossHead.apply(left, torch.clone, lambda head, output: None)


def _check(lda: torch.Tensor, *others: torch.Tensor) -> None:
    if lda.dim() != 2 or others[3].dim() != 2:
        raise ValueError("lda must have shape (N, K) and lags (N, T)")
    (n, k), t = lda.shape, others[3].shape[1]
    shapes = [(k,), (k,), (n, k), (n, t), (n, t), (n,), (n,)]
    for name, tensor, shape in zip(_INPUTS[1:], others, shapes, strict=True):
        if tensor.shape != shape:
            raise ValueError(f"{name} has shape {tuple(tensor.shape)}, expected {shape}")
        # Shapes may be asked for before dtypes are known.
        if not lda.is_meta and tensor.dtype is not (torch.int32 if name == "marks" else lda.dtype):
            raise TypeError(f"{name} must be {'int32' if name == 'marks' else 'of the dtype of lda'}")


@hawkesll.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    lda, times = shapes["lda"], shapes["lags"] or shapes["marks"]
    if lda is not None and len(lda) == 2:
        shapes.update(alpha=lda[1:], beta=lda[1:], state=lda, valid_length=lda[:1], max_time=lda[:1])
    if times is not None:
        shapes.update(lags=times, marks=times)


@hawkesll.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list:
    common = next((d for name, d in dtypes.items() if d is not None and name != "marks"), None)
    for name in dtypes:
        dtypes[name] = torch.int32 if name == "marks" else common
    return [common, common]
