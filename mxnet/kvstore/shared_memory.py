"""Messages, sums and copies among processes of one host, through shared memory.

Over network sockets each byte is copied several times, and a message takes a third of a millisecond.
Processes of one host can read each other's memory instead: each has some slots, writes what it contributes to the next
of them, and reads those of all. Only the notice that all have written is sent, by local sockets.

Two slots are enough, one for every other operation, since operations are in the same order in all processes. Before a
process begins one, it has finished the last. So it knows that all have begun the last, and that all have finished the
last but one, which was in the slot that it is about to write to.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import secrets
import select
import socket
import stat
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import torch

from .._core import config

T = TypeVar("T")

__all__ = ["SharedMemory", "pack", "share"]

#: Each process reads what all have written: with more of them it is less work to pass sums around.
_MOST_PROCESSES = 8
_NAME = 24


def pack(sources: Sequence[torch.Tensor], flat: torch.Tensor) -> None:
    """Copies tensors to flat memory, one after another."""
    if len(sources) == 1:
        flat.copy_(sources[0].reshape(-1))
    else:
        torch.cat([source if source.dim() == 1 else source.reshape(-1) for source in sources], out=flat)


class Pending:
    """The numbers that processes exchange in one round."""

    def __init__(self, memory: SharedMemory):
        self._memory = memory
        #: The numbers of each process, once they have arrived.
        self.numbers: list[tuple[int, ...]] = []

    def wait(self) -> None:
        """Waits for the numbers of all processes."""
        with self._memory.lock:
            self._memory.receive(self)


class Exchange:
    """An operation that has begun. It can be waited for, as torch's can."""

    def __init__(self, memory: SharedMemory, pending: Pending, finish: Callable[[], None]):
        self._memory, self._numbers_of_all = memory, pending
        self._finish: Callable[[], None] | None = finish

    def wait(self) -> None:
        """Waits until all have written, then reads the result."""
        with self._memory.lock:
            if self._finish is not None:
                self._memory.receive(self._numbers_of_all)
                if len(set(self._numbers_of_all.numbers)) > 1:
                    raise RuntimeError(
                        f"workers exchange different data; bytes and source of each: {self._numbers_of_all.numbers}"
                    )
                with torch.no_grad():
                    self._finish()
                self._finish = None

    def can_finish(self) -> bool:
        """Have all written?"""
        return self._finish is None or self._memory.poll(self._numbers_of_all)


class SharedMemory:
    """The slots of all processes and the sockets between them. All run the same operations in the same order."""

    def __init__(self, rank: int, memories: list[torch.Tensor], peers: dict[int, socket.socket], seconds: float):
        """``memories`` are the bytes of each process; a round of messages may take so many seconds."""
        self.lock = threading.RLock()
        self._rank, self._peers, self._seconds = rank, peers, seconds
        self._arrivals = select.poll()
        for peer in peers.values():
            self._arrivals.register(peer, select.POLLIN)
        #: The slots of all processes for this operation and for the next.
        self._now, self._next = zip(*(memory.chunk(2) for memory in memories), strict=True)
        self._last: Exchange | None = None
        self._pending: deque[tuple[Pending, bytes]] = deque()

    def close(self) -> None:
        """Ends the connections."""
        for peer in self._peers.values():
            peer.close()

    def exchange(self, numbers: Sequence[int]) -> Pending:
        """Sends numbers to all processes; the result waits for theirs."""
        message = struct.pack(f"<i{len(numbers)}q", self._rank, *numbers)
        with self.lock:
            self._in_time(lambda peer: peer.send(message))
            pending = Pending(self)
            self._pending.append((pending, message))
            return pending

    def receive(self, pending: Pending) -> None:
        """Waits for the numbers of a round and of those before it. The caller has the lock."""
        while not pending.numbers:
            self._receive_oldest()

    def poll(self, pending: Pending) -> bool:
        """Whether the numbers of a round have arrived. The caller has the lock."""
        while not pending.numbers:
            if len(self._arrivals.poll(0)) < len(self._peers):
                return False
            self._receive_oldest()
        return True

    def _receive_oldest(self) -> None:
        """Waits for the numbers of the oldest pending round."""
        first, own = self._pending[0]
        received = self._in_time(lambda peer: peer.recv(len(own) + 1)) | {self._rank: own}
        for rank, message in received.items():
            if len(message) != len(own):
                problem = "sent something else" if message else "has closed its connection"
                raise RuntimeError(f"worker {rank}, of this host, {problem}")
        layout = f"<i{(len(own) - 4) // 8}q"
        first.numbers = [struct.unpack(layout, message)[1:] for _, message in sorted(received.items())]
        self._pending.popleft()

    def _in_time(self, function: Callable[[socket.socket], T]) -> dict[int, T]:
        """Calls a function for each socket, all within the time that a round may take."""
        limit = time.monotonic() + self._seconds
        results = {}
        for rank, peer in self._peers.items():
            try:
                peer.settimeout(max(limit - time.monotonic(), 0.001))
                results[rank] = function(peer)
            except OSError as error:
                raise RuntimeError(f"worker {rank}, of this host, cannot be reached: {error}") from error
        return results

    def start_sum(self, target: torch.Tensor, sources: Sequence[torch.Tensor]) -> Exchange:
        """Starts to sum tensors, one after another in flat memory, over all processes into a flat tensor.

        The sources may be changed when this returns. All processes add in the same order, and have the same sums.
        """

        def finish(parts: list[torch.Tensor]) -> None:
            torch.add(parts[0], parts[1], out=target)
            for part in parts[2:]:
                target.add_(part)

        return self._start(target, sources, finish, -1)

    def start_copy(self, root: int, tensor: torch.Tensor) -> Exchange:
        """Starts to give all processes the flat tensor of one of them."""

        def finish(parts: list[torch.Tensor]) -> None:
            if root != self._rank:
                tensor.copy_(parts[root])

        return self._start(tensor, [tensor] if root == self._rank else [], finish, root)

    def _start(
        self,
        like: torch.Tensor,
        given: Sequence[torch.Tensor],
        finish: Callable[[list[torch.Tensor]], None],
        root: int,
    ) -> Exchange:
        with self.lock, torch.no_grad():
            if self._last is not None:
                self._last.wait()
            size = like.numel() * like.element_size()
            parts = [slot[:size].view(like.dtype) for slot in self._now]
            self._now, self._next = self._next, self._now
            if given:
                pack(given, parts[self._rank])
            self._last = Exchange(self, self.exchange([size, root]), partial(finish, parts))
            return self._last

    def has_room(self) -> bool:
        """Can an operation be started without waiting for other processes?"""
        with self.lock:
            return self._last is None or self._last.can_finish()


# ---- how processes find out that they are on one host ----------------------------------------------------------------


def share(rank: int, size: int, slot: int, seconds: float, add: Callable[[torch.Tensor], None]) -> SharedMemory | None:
    """Memory of slots of so many bytes; None, for all processes, if they are too many or not all are on one host.

    ``add`` sums a tensor over all processes, in place.
    """

    def all_can(can: bool) -> bool:
        answer = torch.tensor([int(can)])
        add(answer)
        return int(answer) == size

    wanted = size <= _MOST_PROCESSES and config.KVSTORE_SHARED_MEMORY.get()
    meeting = None
    with contextlib.ExitStack() as opened:
        with contextlib.suppress(OSError, AttributeError, ImportError):  # only Linux has what is needed
            meeting = _Meeting(rank, 2 * slot, seconds, opened) if wanted else None
        if not all_can(meeting is not None):
            return None
        assert meeting is not None
        names = torch.zeros((size, _NAME), dtype=torch.uint8)
        names[rank] = torch.frombuffer(bytearray(meeting.name), dtype=torch.uint8)
        add(names)
        meeting.names = [bytes(row.tolist()) for row in names]
        for part in (meeting.call, meeting.answer, meeting.listen):  # nobody waits for a process that has not called
            done = False
            with contextlib.suppress(OSError):
                done = part()
            if not all_can(done):
                return None
        opened.pop_all()
    meeting.done()
    memories = [meeting.memories[each] for each in range(size)]
    return SharedMemory(rank, memories, meeting.peers, seconds)


class _Meeting:
    """A process that others of its host and its user can call, by a name that they get, to give it memory."""

    def __init__(self, rank: int, count: int, seconds: float, opened: contextlib.ExitStack):
        import fcntl

        self._rank, self._count, self._seconds, self._opened = rank, count, seconds, opened
        self.name, self.names = secrets.token_bytes(_NAME), [b""]
        self.peers: dict[int, socket.socket] = {}
        self.memories: dict[int, torch.Tensor] = {}
        self._seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
        self._told_seals = lambda file: fcntl.fcntl(file, fcntl.F_GET_SEALS)
        self._door = opened.enter_context(self._socket())
        self._door.bind(b"\0mxnet" + self.name)  # a name that is in no directory, and is gone with the process
        self._door.listen(_MOST_PROCESSES)
        # memory that never shrinks, so that reading it cannot fail, and is there: a promise would be broken by a signal
        self._file = os.memfd_create("mxnet-kvstore", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        opened.callback(os.close, self._file)
        os.posix_fallocate(self._file, 0, count)
        fcntl.fcntl(self._file, fcntl.F_ADD_SEALS, self._seals)
        self.memories[rank] = torch.frombuffer(mmap.mmap(self._file, count), dtype=torch.uint8)

    def _socket(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        made.settimeout(self._seconds)
        return made

    def call(self) -> bool:
        """Calls those before this one; who is on another host cannot be called."""
        for rank in range(self._rank):
            peer = self.peers[rank] = self._opened.enter_context(self._socket())
            peer.connect(b"\0mxnet" + self.names[rank])
            self._give(peer)
        return True

    def answer(self) -> bool:
        """Answers those after this one, who have called."""
        while len(self.peers) < len(self.names) - 1:
            peer = self._opened.enter_context(self._door.accept()[0])
            if self._user(peer) != os.geteuid():  # whoever has read the name in /proc may call
                peer.close()
                continue
            peer.settimeout(self._seconds)
            rank = self._take(peer)
            if rank is None or rank <= self._rank or rank in self.peers:
                return False
            self.peers[rank] = peer
            self._give(peer)
        return True

    def listen(self) -> bool:
        """Hears the answers."""
        return all(self._take(self.peers[rank]) == rank for rank in range(self._rank))

    @staticmethod
    def _user(peer: socket.socket) -> int:
        """The user of the process at the other end."""
        return struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))[1]

    def _give(self, peer: socket.socket) -> None:
        socket.send_fds(peer, [self.name], [self._file])

    def _take(self, peer: socket.socket) -> int | None:
        """Takes the memory that is given by a process; its number, or None if it is not what it should be."""
        name, files, _, _ = socket.recv_fds(peer, _NAME, 1)
        try:
            if self._user(peer) != os.geteuid() or name not in self.names or len(files) != 1:
                return None
            problem = os.fstat(files[0])
            if not stat.S_ISREG(problem.st_mode) or problem.st_size != self._count:
                return None
            if self._told_seals(files[0]) & self._seals != self._seals:
                return None
            rank = self.names.index(name)
            self.memories[rank] = torch.frombuffer(mmap.mmap(files[0], self._count), dtype=torch.uint8)
            return rank
        finally:
            for file in files:
                os.close(file)

    def done(self) -> None:
        """Needs no calls any more; memory stays while it is mapped."""
        self._door.close()
        os.close(self._file)
