"""Sums and copies among processes, by torch's gloo and NCCL, with errors that say who is missing.

Processes of one host do the work in memory that they share, see ``shared_memory.py``.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Protocol, TypeVar

import torch
import torch.distributed as dist

from .._core import config
from ..error import MXNetError, MXNetValueError
from .cluster import Environment, Member
from .connection import another_connection, within
from .health import Health
from .shared_memory import SharedMemory, pack, share
from .signed_store import SignedStore

__all__ = ["Collective", "Transfer", "Work", "own_address"]

#: Larger arrays are summed in pieces of so many bytes, which stay in the processor's cache; on many workers in larger
#: ones, since each piece goes around all of them in as many parts.
PIECE = 4 << 20
_PIECE_OF_WORKER = 1 << 18
_IN_FLIGHT = 4
T = TypeVar("T")


class Work(Protocol):
    """An operation that has started."""

    def wait(self) -> object:
        """Waits until it is done."""


#: Operations of torch's, in the order in which they must be started; see ``Collective.run``.
Transfer = Iterator[Sequence[Work]]


def own_address(env: Environment) -> str:
    """The address by which others reach this host: ``DMLC_NODE_HOST``, or that of the way to the job's store."""
    given = config.DMLC_NODE_HOST.get()
    if given:
        return given
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(env.host, env.port, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind, protocol) as probe:  # nothing is sent: the system only looks for the way
            probe.connect(address)
            return probe.getsockname()[0]
    except OSError as error:
        raise MXNetError(f"no route to {env.address}, where the job's store is, was found: {error}") from error


class Pending:
    """The numbers that processes tell each other over the network; see ``shared_memory.News``."""

    def __init__(self, told: torch.Tensor, work: Work):
        self._numbers, self.wait = told, work.wait

    @property
    def numbers(self) -> list[list[int]]:
        """The numbers of each process."""
        return self._numbers.tolist()


class Collective:
    """Processes that do the same operations in the same order. All operations are on tensors, in place."""

    def __init__(self, member: Member, health: Health, name: str, rank: int, size: int):
        self.rank, self.size = rank, size
        self._member, self._health, self._name = member, health, name
        #: How long one operation may take.
        self.timeout = timedelta(seconds=0.85 * member.env.timeout)
        self._groups: dict[str, Any] = {}
        self._memory: SharedMemory | None = None
        self._memory_known = size == 1
        #: How many bytes are sent at once.
        self.piece = max(PIECE, _PIECE_OF_WORKER * size)
        self._disagreements = 0
        self._doing = f"an operation of {name}"
        if size > 1:
            self._group(torch.device("cpu"))

    # ---- groups ----------------------------------------------------------------------------------------------------

    def _group(self, device: torch.device) -> Any:
        """Torch's group for tensors of a device; NCCL's is made when the first of them comes."""
        group = self._groups.get(device.type)
        if group is None:
            store = self._member.store.over(another_connection(self._member.env), f"{self._name} {device.type}")
            what, make = f"meeting the other {self._name}", self._gloo if device.type == "cpu" else self._nccl
            self._health.begin(what)
            try:  # torch's gloo tries to connect several times, for several times as long as its timeout
                seconds = self.timeout.total_seconds()
                group = within(seconds, lambda: make(store), lambda: self._health.fault is not None)
            except MXNetError:
                raise
            except (RuntimeError, TimeoutError) as error:
                raise self._health.diagnose(what, error) from error
            self._groups[device.type] = group
        return group

    def _gloo(self, store: SignedStore) -> Any:
        options = dist.ProcessGroupGloo._Options()  # type: ignore[attr-defined]
        options._timeout = self.timeout
        interface = config.DMLC_INTERFACE.get() or config.GLOO_SOCKET_IFNAME.get()
        where = {"interface": interface} if interface else {"hostname": own_address(self._member.env)}
        options._devices = [dist.ProcessGroupGloo.create_device(**where)]
        options._threads = 2
        group = dist.ProcessGroupGloo(store, self.rank, self.size, options)
        self._prove(group)
        return group

    def _prove(self, group: Any) -> None:
        """Makes sure that each connection is with a process of the job: gloo accepts the first caller.

        Both sides show that they know the job's secret, each by a proof that is good for this connection only.
        """
        proofs, works = {}, []
        for other in (rank for rank in range(self.size) if rank != self.rank):
            own = torch.frombuffer(bytearray(self._proof(self.rank, other)), dtype=torch.uint8)
            proofs[other] = torch.zeros_like(own)
            works += [group.send([own], other, 0), group.recv([proofs[other]], other, 0)]
        for work in works:
            work.wait(self.timeout)
        for other, given in proofs.items():
            if not hmac.compare_digest(given.numpy().tobytes(), self._proof(other, self.rank)):
                raise RuntimeError(f"the connection to number {other} of {self._name} is not to a process of the job")

    def _proof(self, sender: int, receiver: int) -> bytes:
        return self._member.store.proof(f"gloo {self._name}", str(sender), str(receiver))

    def _nccl(self, store: SignedStore) -> Any:
        if not dist.is_nccl_available():
            raise MXNetError(
                "arrays on GPUs are summed among processes by NCCL, which this build of PyTorch does not have"
            )
        options = dist.ProcessGroupNCCL.Options()
        options._timeout = self.timeout
        return dist.ProcessGroupNCCL(store, self.rank, self.size, options)

    @property
    def gloo(self) -> Any:
        """Torch's group for the host, to send messages by."""
        return self._group(torch.device("cpu"))

    def meet(self) -> None:
        """Waits for the others and finds out what all share, which the first operation would do."""
        self._run(self._doing, self._shared_memory)

    def _shared_memory(self) -> SharedMemory | None:
        """What the processes share if all are on one host; found out when it is first needed, by all of them."""
        if not self._memory_known:
            group, options = self.gloo, dist.AllreduceOptions()
            seconds = self.timeout.total_seconds()
            self._memory = share(
                self.rank, self.size, self.piece, seconds, lambda numbers: group.allreduce([numbers], options).wait()
            )
            self._memory_known = True
        return self._memory

    def close(self) -> None:
        """Ends the connections and their threads."""
        if self._memory is not None:
            self._memory.close()
        for group in self._groups.values():
            group.shutdown()
        self._groups.clear()

    # ---- operations ------------------------------------------------------------------------------------------------

    def run(self, what: str, transfers: Iterable[Transfer]) -> None:
        """Runs transfers, several at a time: while the first wait for the network, the next ones start.

        A transfer starts torch operations, yields them and resumes when they are done; it may start others then. The
        order of operations depends on the transfers alone, not on timing, so it is the same in all processes.
        """
        self._health.begin(what)
        in_flight: deque[tuple[Transfer, Sequence[Work]]] = deque()

        def advance(transfer: Transfer) -> None:
            works = next(transfer, None)
            if works is not None:
                in_flight.append((transfer, works))

        def finish_oldest() -> None:
            transfer, works = in_flight.popleft()
            for work in works:
                self._run(what, work.wait)
            advance(transfer)

        self._doing = what
        for transfer in transfers:
            advance(transfer)
            if len(in_flight) > _IN_FLIGHT:
                finish_oldest()
        while in_flight:
            finish_oldest()

    def _run(self, what: str, function: Callable[..., T], *args: Any) -> T:
        """Calls a torch function; if it fails, raises an error that names the process at fault."""
        try:
            return function(*args)
        except MXNetError:
            raise
        except (RuntimeError, ValueError) as error:
            raise self._health.diagnose(what, error) from error

    @staticmethod
    def number(what: str, details: str) -> int:
        """Hashes an operation, so that processes can check that they run the same one."""
        return int.from_bytes(hashlib.sha256(f"{what}\0{details}".encode()).digest()[:7], "big")

    def agree(self, what: str, details: str, number: int | None = None) -> None:
        """Checks that all processes run the same operation; also a barrier."""
        self.ask(what, details, number)()

    def ask(self, what: str, details: str, number: int | None = None, raised: bool = False) -> Callable[[], bool]:
        """Starts to check that all processes run the same operation, without waiting.

        The function that it returns waits for the result, and returns whether any process passed ``raised``.
        """
        told = self._compare(what, details, self.number(what, details) if number is None else number, int(raised))
        return lambda: any(told())

    def least(self, what: str, details: str, number: int, count: int) -> int:
        """The smallest of the counts of all processes, which run the operation with this number."""
        return min(self._compare(what, details, number, count)())

    def _compare(self, what: str, details: str, number: int, second: int) -> Callable[[], list[int]]:
        """Starts to check that all processes run the operation with this number, and to tell them a second number.

        The function that it returns waits for the result, and returns the second numbers of all.
        """
        self._health.begin(what)
        if self.size == 1:
            return lambda: [second]
        pending = self._run(what, self._exchange, [number, second])

        def wait() -> list[int]:
            self._run(what, pending.wait)
            if any(told != number for told, _ in pending.numbers):
                raise self._disagreement(what, details)
            return [told for _, told in pending.numbers]

        return wait

    def _exchange(self, numbers: list[int]) -> Any:
        """Starts to exchange numbers with all processes."""
        memory = self._shared_memory()
        if memory is not None:
            return memory.exchange(numbers)
        told = torch.zeros((self.size, len(numbers)), dtype=torch.int64)
        told[self.rank] = torch.tensor(numbers)
        return Pending(told, self.gloo.allreduce([told], dist.AllreduceOptions()))

    def _disagreement(self, what: str, details: str) -> MXNetError:
        """Returns the error that lists which worker runs which operation."""
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

    def pieces_of(self, tensor: torch.Tensor) -> Sequence[torch.Tensor]:
        """Splits a contiguous tensor into flat views, each sent at once."""
        flat = tensor.view(-1)
        return flat.split(max(1, self.piece // flat.element_size())) if flat.numel() else ()

    def start_sum(self, tensor: torch.Tensor, sources: Sequence[torch.Tensor] | None = None) -> list[Work]:
        """Starts to sum a contiguous tensor over all processes, in place: one step of a transfer.

        With ``sources`` these, one after another, are what is summed; they may be changed when this returns.
        """
        return [start() for start in self.sum_starts(tensor, sources)]

    def sum_starts(
        self, tensor: torch.Tensor, sources: Sequence[torch.Tensor] | None = None
    ) -> list[Callable[[], Work]]:
        """``start_sum`` by steps, for callers that must not block: see ``has_room``."""
        pieces = self.pieces_of(tensor)
        memory = None if tensor.is_cuda else self._run(self._doing, self._shared_memory)
        if sources is not None and (memory is None or len(pieces) > 1 < len(sources)):
            pack(sources, tensor.view(-1))
            sources = None
        if self.size == 1:
            return []
        if memory is None:
            allreduce, options = self._group(tensor.device).allreduce, dist.AllreduceOptions()
            return [partial(self._run, self._doing, allreduce, [piece], options) for piece in pieces]
        if sources is not None and len(pieces) == 1:
            given: Sequence[Sequence[torch.Tensor]] = [sources]
        else:
            given = [[piece] for piece in (pieces if sources is None else self.pieces_of(sources[0].contiguous()))]
        pairs = zip(pieces, given, strict=True)
        return [partial(self._run, self._doing, memory.start_sum, piece, each) for piece, each in pairs]

    def has_room(self) -> bool:
        """Can a sum be started without waiting for other processes?"""
        return self._memory is None or self._run(self._doing, self._memory.has_room)

    def start_copy(self, root: int, tensor: torch.Tensor) -> list[Work]:
        """Starts to give all processes the contiguous tensor of the process ``root``: one step of a transfer."""
        if self.size == 1:
            return []
        if not tensor.is_contiguous():
            raise MXNetValueError("only contiguous tensors can be sent")
        pieces = self.pieces_of(tensor)
        memory = None if tensor.is_cuda else self._run(self._doing, self._shared_memory)
        if memory is not None:
            return [self._run(self._doing, memory.start_copy, root, piece) for piece in pieces]
        group, options = self._group(tensor.device), dist.BroadcastOptions()
        options.rootRank, options.rootTensor = root, 0
        return [self._run(self._doing, group.broadcast, [piece], options) for piece in pieces]

    def sum(self, what: str, tensors: Sequence[torch.Tensor], sources: Sequence[torch.Tensor] | None = None) -> None:
        """Sums contiguous tensors over all processes, in place; large ones in pieces.

        With ``sources`` these are what is summed, and the tensors are where the sums go.
        """
        sources = tensors if sources is None else sources
        pairs = zip(tensors, sources, strict=True)
        self.run(what, (transfer for tensor, source in pairs for transfer in self.sum_transfers(tensor, source)))

    def sum_transfers(
        self, tensor: torch.Tensor, source: torch.Tensor, target: torch.Tensor | None = None
    ) -> Iterable[Transfer]:
        """Sums a source over all processes into a tensor, and copies that to a target if there is one, in pieces.

        Each piece is copied just before and just after it is sent, while it is in the cache.
        """

        def transfer(piece: torch.Tensor, given: torch.Tensor, wanted: torch.Tensor | None) -> Transfer:
            yield self.start_sum(piece, None if given is piece else [given])
            if wanted is not None:
                wanted.copy_(piece)

        pieces = self.pieces_of(tensor)
        givens = pieces if source is tensor else self.pieces_of(source.contiguous())
        wanteds = [None] * len(pieces) if target is None else self.pieces_of(target)
        return (transfer(*each) for each in zip(pieces, givens, wanteds, strict=True))

    def copy(self, what: str, tensors: Sequence[tuple[int, torch.Tensor]]) -> None:
        """Gives all processes the tensors of one of them: pairs of its number and the tensor, which all have."""

        def transfer(root: int, tensor: torch.Tensor) -> Transfer:
            yield self.start_copy(root, tensor)

        if self.size > 1:
            self.run(what, (transfer(*each) for each in tensors))

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
