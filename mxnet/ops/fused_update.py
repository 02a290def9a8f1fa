"""SGD and Adam by torch's fused kernels, which pass over memory once, for one weight or for many.

Each function updates the weights it can and returns the positions of those that are left for the ordinary kernels.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import torch
from torch.autograd.graph import increment_version

Tensor = torch.Tensor
Tensors = Sequence[torch.Tensor]

_fused_sgd = getattr(torch, "_fused_sgd_", None)
_fused_adam = getattr(torch, "_fused_adam_", None)
_DTYPES = (torch.float32, torch.float64)
#: As a step number it makes torch's bias correction vanish: MXNet has its own, in the learning rate.
_FAR: dict[torch.device, torch.Tensor] = {}


def round_to(number: float, dtype: torch.dtype) -> float:
    """A number as arrays of this type hold it. MXNet computes with such: 1 - 0.999 is 0.00100005 in float32."""
    # 0.0 and -0.0 are equal, and yet not the same: they must not meet in a cache
    return _round_to(number, dtype) if number else torch.tensor(number, dtype=dtype).item()


@functools.lru_cache(1024)
def _round_to(number: float, dtype: torch.dtype) -> float:
    return torch.tensor(number, dtype=dtype).item()


def prepare(grad: Tensor, rescale: float, clip: float, weight: Tensor | None = None, wd: float = 0.0) -> Tensor:
    """The gradient rescaled, with weight decay added if a weight is given, then clipped. Never the same memory."""
    if grad.dtype is torch.float16:  # rounded after each step, as MXNet does
        grad = grad * round_to(rescale, grad.dtype)
        if weight is not None and wd != 0.0:
            grad.add_(weight * round_to(wd, grad.dtype))
    elif weight is not None and wd != 0.0:
        grad = torch.add(grad * rescale, weight, alpha=wd)
    else:
        grad = grad * rescale
    return grad.clamp_(-clip, clip) if clip >= 0 else grad


def _fits(tensors: Tensors) -> bool:
    """May these go to a kernel that walks through memory in order, without a look at strides?"""
    weight = tensors[0]
    dtype, shape = weight.dtype, weight.shape
    if dtype not in _DTYPES or not (weight.is_cpu or weight.is_cuda):
        return False
    plain = weight.is_contiguous()
    if not plain and not torch.ops.aten.is_non_overlapping_and_dense(weight):
        return False
    for other in tensors[1:]:
        if other.dtype is not dtype or other.shape != shape:
            return False
        if not other.is_contiguous() if plain else other.stride() != weight.stride():
            return False
    return True


def _groups(
    rows: Sequence[Tensors], lrs: Sequence[float], wds: Sequence[float]
) -> tuple[dict[tuple, list[Tensors]], list[int]]:
    """Rows (weight, gradient, states) by dtype and rates, and the positions of rows that do not fit."""
    groups: dict[tuple, list[Tensors]] = {}
    left = []
    for i, row in enumerate(rows):
        if _fits(row):
            groups.setdefault((row[0].dtype, lrs[i], wds[i]), []).append(row)
        else:
            left.append(i)
    return groups, left


def _announce_writes(rows: list[Tensors]) -> None:
    """The kernels do not tell torch that they have written: programs look at the versions of parameters."""
    tensors = (tensor for weight, _, *states in rows for tensor in (weight, *states))
    increment_version([tensor for tensor in tensors if not tensor.is_inference()])


def sgd(
    rows: Sequence[Tensors], lrs: Sequence[float], wds: Sequence[float], momentum: float, rescale: float, clip: float
) -> Sequence[int]:
    """Gradient descent on rows (weight, gradient) or, with momentum, (weight, gradient, momentum)."""
    with_moments = len(rows[0]) > 2
    if _fused_sgd is None or (rescale == 0.0 and any(wds)) or (with_moments and momentum == 0.0):
        return range(len(rows))
    if with_moments and min(map(abs, lrs)) * abs(rescale) < 1e-9:  # 1 + rate would have too few digits of the rate
        return range(len(rows))
    groups, left = _groups(rows, lrs, wds)
    for (_, lr, wd), group in groups.items():
        weights, grads, *moments = zip(*group, strict=True)
        if clip >= 0:
            grads, scale = tuple(prepare(g, rescale, clip) for g in grads), 1.0
        else:
            scale = rescale
        # torch keeps momentum apart from the learning rate. Its "dampening" can play the rate's part instead:
        # m = momentum * m + (1 - dampening) * (g + weight_decay * w), w -= -1 * m
        _fused_sgd(
            weights,
            grads,
            moments[0] if moments else [],
            weight_decay=wd / scale if wd else 0.0,
            momentum=momentum if moments else 0.0,
            lr=-1.0 if moments else lr * scale,
            dampening=1.0 + lr * scale if moments else 0.0,
            nesterov=False,
            maximize=False,
            is_first_step=False,
        )
        _announce_writes(group)
    return left


def _far(device: torch.device) -> torch.Tensor:
    known = _FAR.get(device)
    if known is None:
        known = torch.tensor(1e30, device=device)
        if type(known) is torch.Tensor:  # else it belongs to a mode (of fake tensors, say) that ends
            _FAR[device] = known
    return known


def adam(
    rows: Sequence[Tensors],
    lrs: Sequence[float],
    wds: Sequence[float],
    beta1: float,
    beta2: float,
    epsilon: float,
    rescale: float,
    clip: float,
) -> Sequence[int]:
    """Adam on rows (weight, gradient, mean, variance); the rates hold the bias correction already."""
    if _fused_adam is None or not (0 <= beta1 < 1 and 0 <= beta2 < 1):
        return range(len(rows))
    groups, left = _groups(rows, lrs, wds)
    for (dtype, lr, wd), group in groups.items():
        betas = {"beta1": round_to(beta1, dtype), "beta2": round_to(beta2, dtype)}
        # A gradient to be rescaled or clipped first is: one at a time, so that there is only one copy.
        apart = rescale != 1.0 or clip >= 0
        for part in ([row] for row in group) if apart else [group]:
            weights, grads, means, variances = zip(*part, strict=True)
            if clip >= 0:
                grads, decay = (prepare(grads[0], rescale, clip, weights[0], wd),), 0.0
            elif apart:
                grads, decay = (grads[0] * rescale,), wd
            else:
                decay = wd
            _fused_adam(
                weights,
                grads,
                means,
                variances,
                [],
                [_far(weights[0].device)] * len(weights),
                lr=lr,
                **betas,
                weight_decay=decay,
                eps=epsilon,
                amsgrad=False,
                maximize=False,
            )
        _announce_writes(group)
    return left
