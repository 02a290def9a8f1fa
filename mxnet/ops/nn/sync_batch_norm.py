"""Batch norm with the statistics of a batch that is shared by several devices and processes.

Those who share it meet twice in a forward pass, for the mean and the variance, and once in backward. Devices of one
process run in threads of their own; processes meet through what a distributed store has put into ``processes``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import torch

from ..._core import config
from ..types import Ctx, Gradients
from ..wide import FINITE, leaves

__all__ = ["Processes", "processes", "shared_batch_norm"]


class Processes:
    """The processes that train together: how many they are, and what sums a tensor over them in place."""

    count = 1
    sum: Callable[[str, torch.Tensor], None] | None = None


processes = Processes()


class _Meeting:
    """Where the devices of this process that share a layer bring their numbers and get the sum."""

    def __init__(self, devices: int):
        self._devices = devices
        self._condition = threading.Condition()
        self._round = 0
        self._given: list[torch.Tensor] = []
        self._total: torch.Tensor | None = None

    def sum(self, what: str, numbers: torch.Tensor, across: int) -> torch.Tensor:
        """The sum over all devices and processes."""
        if self._devices == 1:
            return _over_processes(what, numbers.clone(), across)
        with self._condition:
            mine = self._round
            self._given.append(numbers.detach().cpu())
            if len(self._given) == self._devices:
                self._total = _over_processes(what, torch.stack(self._given).sum(0), across)
                self._given, self._round = [], mine + 1
                self._condition.notify_all()
            else:
                others = [t for t in threading.enumerate() if not t.name.startswith("mxnet-kvstore-")]
                if len(others) == 1:  # this thread
                    self._given = []
                    raise self._alone(what)
                patience = config.KVSTORE_TIMEOUT.get()
                if not self._condition.wait_for(lambda: self._round != mine, patience):
                    self._given = []
                    raise self._alone(what)
            assert self._total is not None
            return self._total.to(numbers.device, copy=True)

    def _alone(self, what: str) -> NotImplementedError:
        return NotImplementedError(
            f"{what} shares its batch with several devices, {self._devices} in this process, which must run at the "
            "same time: each in a thread of its own, forward and backward. One after the other they cannot know the "
            "batch of those that come later; use one process for each device, or ndev=1"
        )


def _over_processes(what: str, numbers: torch.Tensor, across: int) -> torch.Tensor:
    if across > 1 and processes.sum is not None:
        processes.sum(what, numbers)
    return numbers


_meetings: dict[tuple[str, int], _Meeting] = {}
_lock = threading.Lock()


def _meeting(key: str, ndev: int) -> tuple[_Meeting, int]:
    """Where those who share a layer meet, and over how many processes."""
    across = processes.count
    if ndev % across:
        raise ValueError(
            f"ndev={ndev} devices cannot share a batch over {across} workers: it counts the devices of all of them"
        )
    with _lock:
        return _meetings.setdefault((key, ndev), _Meeting(ndev // across)), across


class _SharedBatchNorm(torch.autograd.Function):
    """The result, the mean and the inverse standard deviation of the whole batch."""

    @staticmethod
    def forward(ctx: Ctx, data: Any, gamma: Any, beta: Any, eps: float, fix_gamma: bool, key: str, ndev: int) -> Any:
        meeting, across = _meeting(key, ndev)
        what = f"SyncBatchNorm {key!r}"
        wide = data.to(gamma.dtype)
        dims = [0, *range(2, data.dim())]
        view = [1, -1] + [1] * (data.dim() - 2)
        own = wide.new_tensor([data.numel() / data.shape[1]])
        first = meeting.sum(what, torch.cat([wide.sum(dims), own]), across)
        count, mean = first[-1], first[:-1] / first[-1]
        centered = wide - mean.view(view)
        variance = meeting.sum(what, centered.square().sum(dims), across) / count
        if leaves(variance, FINITE):  # of all devices, so that all of them meet again
            squares = centered.double().square().sum(dims)
            variance = meeting.sum(what, squares, across) / count
        inv_std = (variance + eps).rsqrt().to(wide.dtype)
        scaled = centered * inv_std.view(view)
        ctx.save_for_backward(scaled, gamma, inv_std, count)
        ctx.rest = fix_gamma, meeting, across, what, dims, view, data.dtype
        out = (scaled if fix_gamma else scaled * gamma.view(view)) + beta.view(view)
        ctx.mark_non_differentiable(mean, inv_std)
        return out.to(data.dtype), mean, inv_std

    @staticmethod
    def backward(ctx: Ctx, grad: Any, *_: Any) -> Gradients:  # type: ignore[override]
        scaled, gamma, inv_std, count = ctx.saved_tensors
        fix_gamma, meeting, across, what, dims, view, dtype = ctx.rest
        grad = grad.to(gamma.dtype)
        own = torch.stack([grad.sum(dims), (grad * scaled).sum(dims)])
        both = meeting.sum(f"gradient of {what}", own, across) / count
        factor = inv_std if fix_gamma else inv_std * gamma
        data = (grad - both[0].view(view) - scaled * both[1].view(view)) * factor.view(view)
        # those of gamma and beta are of this device's part: the trainer sums them, as all gradients
        return data.to(dtype), torch.zeros_like(gamma) if fix_gamma else own[1], own[0], None, None, None, None


def shared_batch_norm(
    data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float, fix_gamma: bool, key: str, ndev: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Normalizes by the batch of all devices and processes that share the layer ``key``."""
    return _SharedBatchNorm.apply(data, gamma, beta, eps, fix_gamma, key, ndev)
