"""Memory that workers of one host share: here each worker is a thread, so that any order of events can be tried."""

import contextlib
import os
import random
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from mxnet.kvstore import shared_memory
from mxnet.kvstore.shared_memory import _Meeting, share

SLOT = 1 << 12
TYPES = (torch.float32, torch.float64, torch.float16, torch.int32, torch.int64, torch.uint8)


class Adder:
    """Sums tensors over threads, as gloo does over processes."""

    def __init__(self, size):
        self._barrier, self._lock, self._total = threading.Barrier(size, timeout=30), threading.Lock(), None

    def __call__(self, tensor):
        with self._lock:
            self._total = tensor.clone() if self._total is None else self._total + tensor
        self._barrier.wait()
        tensor.copy_(self._total)
        if self._barrier.wait() == 0:
            self._total = None
        self._barrier.wait()


def run(size, function, seconds=20.0):
    """What a function gives for each of some workers, with what they share."""
    add = Adder(size)

    def work(rank):
        memory = share(rank, size, SLOT, seconds, add)
        try:
            return function(rank, memory)
        finally:
            if memory is not None:
                memory.close()

    with ThreadPoolExecutor(size) as pool:
        return [future.result() for future in [pool.submit(work, rank) for rank in range(size)]]


def plan(seed, size):
    """Operations, and what each worker has for them."""
    rng = random.Random(seed)
    made = []
    for number in range(60):
        dtype, shapes = rng.choice(TYPES), [(rng.randint(0, 9), rng.randint(1, 9)) for _ in range(rng.randint(1, 4))]
        generator = torch.Generator().manual_seed(1000 * seed + number)
        sources = [
            [(torch.randn(shape, generator=generator) * 50).abs().to(dtype) for shape in shapes] for _ in range(size)
        ]
        made.append((rng.choice(["sum", "sum", "copy", "tell"]), rng.randrange(size), sources))
    return made


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [2, 3, 5])
def test_random_operations(size, seed):
    """In the same order, each at its own pace; what is given is changed at once, what is got is kept to the end."""
    operations = plan(seed, size)

    def work(rank, memory):
        rng, flying, results = random.Random(f"{seed} {rank}"), [], []

        def land():
            exchange, result = flying.pop(0)
            exchange.wait()
            results.append(result if isinstance(result, torch.Tensor) else exchange.numbers)

        for number, (kind, root, sources) in enumerate(operations):
            mine = [source.clone() for source in sources[rank]]
            flat = torch.cat([source.reshape(-1) for source in mine])
            if kind == "sum":
                target = torch.empty_like(flat)
                flying.append((memory.start_sum(target, mine), target))
            elif kind == "copy":
                target = flat if rank == root else torch.empty_like(flat)
                flying.append((memory.start_copy(root, target), target))
                target = target.clone()  # who gives may change it afterwards; who gets may not
                if rank == root:
                    flying[-1] = flying[-1][0], target
                    flat.fill_(1)
            else:
                flying.append((memory.exchange([number, rank]), None))
            for source in mine:
                source.fill_(1)
            if rng.random() < 0.3:
                time.sleep(rng.random() * 0.003)
            while len(flying) > rng.choice([0, 1, 3]):
                land()
        while flying:
            land()
        return results

    for rank, results in enumerate(run(size, work)):
        for number, ((kind, root, sources), result) in enumerate(zip(operations, results, strict=True)):
            if kind == "tell":
                assert result == [(number, each) for each in range(size)]
                continue
            flats = [torch.cat([source.reshape(-1) for source in each]) for each in sources]
            expected = flats[root]
            if kind == "sum":
                expected = flats[0].clone()
                for flat in flats[1:]:
                    expected += flat
            assert torch.equal(result, expected), (rank, number, kind)


def test_room_is_made_without_waiting():
    seen = threading.Event()

    def work(rank, memory):
        if rank == 1:
            assert seen.wait(30)
        totals = [torch.zeros(4), torch.zeros(4)]
        assert memory.has_room()
        first = memory.start_sum(totals[0], [torch.ones(4)])
        if rank == 0:
            assert not memory.has_room()  # the other has not come
            seen.set()
            while not memory.has_room():
                time.sleep(0.001)
        memory.start_sum(totals[1], [torch.ones(4) * 2]).wait()
        first.wait()
        return [total.tolist() for total in totals]

    assert run(2, work) == [[[2.0] * 4, [4.0] * 4]] * 2


def test_who_is_gone_is_noticed_at_once():
    def work(rank, memory):
        if rank == 1:
            memory.close()
            gone.set()
            return None
        gone.wait(30)
        begin = time.monotonic()
        with pytest.raises(RuntimeError, match=r"closed its connection|cannot be reached"):
            memory.start_sum(torch.zeros(3), [torch.ones(3)]).wait()
        return time.monotonic() - begin

    gone = threading.Event()
    assert run(3, work)[0] < 5


def test_who_does_something_else_is_noticed():
    def work(rank, memory):
        target = torch.zeros(3 + rank)
        with pytest.raises(RuntimeError, match=r"different data; .*\(12, -1\), \(16, -1\)"):
            memory.start_sum(target, [torch.ones(3 + rank)]).wait()
        with pytest.raises(RuntimeError, match="different data"):  # and it does not get better
            memory.start_copy(0, target)
        return target.tolist()

    assert run(2, work) == [[0.0] * 3, [0.0] * 4]


def test_who_does_not_come_is_waited_for_no_longer_than_said():
    def work(rank, memory):
        if rank == 1:
            assert failed.wait(30)
            return
        with pytest.raises(RuntimeError, match="timed out"):
            memory.exchange([1]).wait()
        failed.set()

    failed = threading.Event()
    run(2, work, seconds=0.2)


# ---- who shares nothing ----------------------------------------------------------------------------------------------


def nothing_shared(size=2):
    before = set(os.listdir("/proc/self/fd"))
    assert run(size, lambda rank, memory: memory) == [None] * size
    assert set(os.listdir("/proc/self/fd")) <= before  # nothing is left open


def test_too_many_processes():
    nothing_shared(shared_memory._MOST_PROCESSES + 1)


def test_it_can_be_refused(monkeypatch):
    monkeypatch.setenv("MXNET_KVSTORE_SHARED_MEMORY", "0")
    nothing_shared()


@pytest.mark.parametrize("part", ["__init__", "call", "answer", "listen"])
def test_one_who_cannot_means_that_none_does(part, monkeypatch):
    """No memory, another host, ...: all find out, and nobody waits."""
    does = getattr(_Meeting, part)
    count = iter(range(1000))

    def fails(self, *args):
        if next(count) == 1:
            raise OSError("not here")
        return does(self, *args)

    monkeypatch.setattr(_Meeting, part, fails)
    nothing_shared(3)


@pytest.mark.parametrize("lie", ["short", "unsealed", "name", "user", "pipe"])
def test_what_is_not_such_memory_is_not_taken(lie, monkeypatch):
    if lie == "user":
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    give = _Meeting._give

    def lies(self, line):
        if self._rank != 1 or lie == "user":
            return give(self, line)
        files = list(os.pipe()) if lie == "pipe" else [os.memfd_create("lie", os.MFD_ALLOW_SEALING)]
        try:
            if lie != "pipe":
                os.truncate(files[0], self._count // (2 if lie == "short" else 1))
            name = b"x" * len(self.name) if lie == "name" else self.name
            socket.send_fds(line, [name], files[:1])
        finally:
            for file in files:
                os.close(file)

    monkeypatch.setattr(_Meeting, "_give", lies)
    nothing_shared()


def test_a_stranger_who_calls_gets_nothing(monkeypatch):
    """The names of doors can be seen by everybody on a host."""
    call = _Meeting.call
    strangers = []

    def after_a_stranger(self):
        for name in self.names:
            stranger = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stranger.connect(b"\0mxnet" + name)
            stranger.send(b"hello")
            strangers.append(stranger)
        return call(self)

    monkeypatch.setattr(_Meeting, "call", after_a_stranger)
    try:
        assert run(2, lambda rank, memory: memory) == [None] * 2
        for stranger in strangers:
            stranger.settimeout(5)
            with contextlib.suppress(ConnectionResetError):
                assert stranger.recv(100) == b""
    finally:
        for stranger in strangers:
            stranger.close()
