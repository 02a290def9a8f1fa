"""Sums and copies among processes, by torch's gloo and NCCL, with errors that say who is missing."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist

from ..error import MXNetError, MXNetValueError
from .cluster import Environment, Member
from .health import Health

__all__ = ["Collective", "own_address"]

#: Larger arrays are summed in pieces of so many bytes: these stay in the processor's cache.
PIECE = 4 << 20
_IN_FLIGHT = 4


def own_address(env: Environment) -> str:
    """The address by which others reach this host: ``DMLC_NODE_HOST``, or that of the way to the job's store."""
    given = os.environ.get("DMLC_NODE_HOST")
    if given:
        return given
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(env.host, env.port, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind, protocol) as probe:  # nothing is sent: the system only looks for the way
            probe.connect(address)
            return probe.getsockname()[0]
    except OSError as error:
        raise MXNetError(f"no way to {env.address}, where the job's store is, was found: {error}") from error


class Collective:
    """Processes that do the same operations in the same order. All operations are on tensors, in place."""

    def __init__(self, member: Member, health: Health, name: str, rank: int, size: int, limit: timedelta | None = None):
        self.rank, self.size = rank, size
        self._member, self._health, self._name = member, health, name
        #: How long one operation may take.
        self.timeout = timedelta(seconds=0.85 * member.env.timeout)
        self._groups: dict[str, Any] = {}
        self._disagreements = 0
        if size > 1:
            self._group(torch.device("cpu"))

    # ---- groups ----------------------------------------------------------------------------------------------------

    def _group(self, device: torch.device) -> Any:
        """Torch's group for tensors of a device; NCCL's is made when the first of them comes."""
        group = self._groups.get(device.type)
        if group is None:
            store = dist.PrefixStore(f"{self._name} {device.type}", self._member.another_store())
            self._health.begin(f"meeting the other {self._name}")
            try:
                group = self._gloo(store) if device.type == "cpu" else self._nccl(store)
            except RuntimeError as error:
                raise self._health.diagnose(f"meeting the other {self._name}", error) from error
            self._groups[device.type] = group
        return group

    def _gloo(self, store: Any) -> Any:
        options = dist.ProcessGroupGloo._Options()
        options._timeout = self.timeout
        interface = os.environ.get("DMLC_INTERFACE") or os.environ.get("GLOO_SOCKET_IFNAME")
        where = {"interface": interface} if interface else {"hostname": own_address(self._member.env)}
        options._devices = [dist.ProcessGroupGloo.create_device(**where)]
        options._threads = 2
        return dist.ProcessGroupGloo(store, self.rank, self.size, options)

    def _nccl(self, store: Any) -> Any:
        if not dist.is_nccl_available():
            raise MXNetError("arrays on GPUs are summed among processes by NCCL, which this build of torch has not")
        options = dist.ProcessGroupNCCL.Options()
        options._timeout = self.timeout
        return dist.ProcessGroupNCCL(store, self.rank, self.size, options)

    @property
    def gloo(self) -> Any:
        """Torch's group for the host, to send messages by."""
        return self._group(torch.device("cpu"))

    def close(self) -> None:
        """Ends the connections and their threads."""
        for group in self._groups.values():
            group.shutdown()
        self._groups.clear()

    # ---- operations ------------------------------------------------------------------------------------------------

    def run(self, what: str, start: Callable[[], Iterable[Any]]) -> None:
        """Starts operations of torch's and waits until all are done."""
        self._health.begin(what)
        try:
            for work in start():
                work.wait()
        except MXNetError:
            raise
        except (RuntimeError, ValueError) as error:
            raise self._health.diagnose(what, error) from error

    @staticmethod
    def number(what: str, details: str) -> int:
        """The number by which processes see whether they are about to do the same."""
        return int.from_bytes(hashlib.sha256(f"{what}\0{details}".encode()).digest()[:7], "big")

    def agree(self, what: str, details: str, number: int | None = None) -> None:
        """Makes sure that all processes are about to do the same; also a barrier."""
        if self.size == 1:
            self._health.begin(what)
            return
        number = self.number(what, details) if number is None else number
        both = torch.tensor([number, -number])
        options = dist.AllreduceOptions()
        options.reduceOp = dist.ReduceOp.MAX
        group = self._group(both.device)
        self.run(what, lambda: [group.allreduce([both], options)])
        if both[0] != -both[1]:
            raise self._disagreement(what, details)

    def _disagreement(self, what: str, details: str) -> MXNetError:
        """Who does what, told by everybody."""
        store, self._disagreements = self._member.another_store(), self._disagreements + 1
        prefix = f"disagreement {self._name} {self._disagreements}"
        store.set(f"{prefix} {self.rank}", json.dumps([what, details]))
        told: dict[tuple[str, str], list[int]] = {}
        for rank in range(self.size):
            try:
                key = f"{prefix} {rank}"
                store.wait([key], self.timeout)
                said = json.loads(store.get(key))
            except RuntimeError as error:
                raise self._health.diagnose(what, error) from error
            told.setdefault((said[0], said[1]), []).append(rank)
        parts = [
            f"worker{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks[:8]))}{'...' if len(ranks) > 8 else ''}: "
            f"{name} {text[:300]}"
            for (name, text), ranks in told.items()
        ]
        fault = "workers do different things, where all must do the same in the same order. " + "; ".join(parts)
        self._health.declare(fault)
        return self._health.error(what)

    def sum(self, what: str, tensors: Sequence[torch.Tensor], sources: Sequence[torch.Tensor] | None = None) -> None:
        """Sums contiguous tensors over all processes, in place; large ones in pieces.

        With ``sources`` these are what is summed, and the tensors are where the sums go.
        """
        sources = tensors if sources is None else sources

        def start() -> Iterable[Any]:
            flying: list[Any] = []
            for tensor, source in zip(tensors, sources, strict=True):
                pieces = self._pieces(tensor)
                for piece, given in zip(pieces, pieces if source is tensor else self._pieces(source), strict=True):
                    if given is not piece:
                        piece.copy_(given)  # just before it is needed, so that it is still in the cache then
                    if self.size == 1:
                        continue
                    group = self._group(piece.device)
                    flying.append(group.allreduce([piece], dist.AllreduceOptions()))
                    if len(flying) > _IN_FLIGHT:
                        yield flying.pop(0)
            yield from flying

        self.run(what, start)

    @staticmethod
    def _pieces(tensor: torch.Tensor) -> Sequence[torch.Tensor]:
        flat = tensor.contiguous().view(-1)
        return flat.split(max(1, PIECE // flat.element_size())) if flat.numel() else ()

    def copy(self, what: str, tensors: Sequence[tuple[int, torch.Tensor]]) -> None:
        """Gives all processes the tensors of one of them: pairs of its number and the tensor, which all have."""
        if self.size == 1:
            return

        def start() -> Iterable[Any]:
            works = []
            for root, tensor in tensors:
                if tensor.numel() and not tensor.is_contiguous():
                    raise MXNetValueError("only contiguous tensors travel")
                if tensor.numel():
                    options = dist.BroadcastOptions()
                    options.rootRank, options.rootTensor = root, 0
                    works.append(self._group(tensor.device).broadcast([tensor], options))
            return works

        self.run(what, start)

    def gather(self, what: str, tensor: torch.Tensor) -> list[torch.Tensor]:
        """The tensors of all processes; they may differ in their first dimension."""
        if self.size == 1:
            return [tensor]
        counts = torch.zeros(self.size, dtype=torch.int64)
        counts[self.rank] = tensor.shape[0]
        self.sum(what, [counts])
        all_of_them = [
            tensor.contiguous() if rank == self.rank else tensor.new_empty((int(count), *tensor.shape[1:]))
            for rank, count in enumerate(counts)
        ]
        self.copy(what, list(enumerate(all_of_them)))
        return all_of_them
