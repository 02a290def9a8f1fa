"""Large arrays get their memory from a pool without holes; a program that runs again faults in few new pages."""

import ctypes
import gc
import itertools
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.native import allocator

PROGRAM = """
import resource, sys
import mxnet as mx
from mxnet.native.allocator import keep_freed_memory
x = mx.sym.var("data")
net = mx.sym.tanh(mx.sym.exp(mx.sym.tanh(x * 2) + 1))
executor = net.simple_bind(mx.cpu(), data=(48, 1 << 18), grad_req="null")
for _ in range(6):
    executor.forward()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    executor.forward()
print(keep_freed_memory(), resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
needs_pool = pytest.mark.skipif(not allocator.install_pool(), reason="there is no pool on this system")
glibc = pytest.mark.skipif(
    not allocator.keep_freed_memory(), reason="this C library cannot be told, or was told otherwise"
)
MB = 1 << 20


def untuned():
    return {k: v for k, v in os.environ.items() if not k.startswith("MALLOC_") and k != "GLIBC_TUNABLES"}


def output_of(code, **variables):
    return subprocess.check_output([sys.executable, "-c", code], env={**untuned(), **variables}, text=True).split()


def faults(**variables):
    kept, number = output_of(PROGRAM, **variables)
    return kept == "True", int(number)


@glibc
def test_a_second_run_finds_its_memory():
    # 48 MiB for each value: as glibc does it, each is new memory, 12288 pages of 4 KiB.
    kept, usual = faults(MALLOC_ARENA_MAX="8")
    assert not kept and usual > 50000
    for pool in "01":
        kept, number = faults(MXNET_MEMORY_POOL=pool)
        assert kept and number < usual / 2


def test_what_the_user_has_set_stays(monkeypatch):
    for decide in (allocator.keep_freed_memory.__wrapped__, allocator.install_pool.__wrapped__):
        monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "1000000")
        assert not decide()
        monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_")
        monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=1")
        assert not decide()
        monkeypatch.delenv("GLIBC_TUNABLES")
        monkeypatch.setattr(allocator.sys, "platform", "darwin")
        assert not decide()
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("limit", "kept"),
    [
        (None, 4 << 30),
        (1 << 50, 4 << 30),
        (16 << 30, 2 << 30),
        (2 << 30, 512 << 20),
        (1 << 30, 256 << 20),
        (4096, 1024),
    ],
)
def test_what_is_kept_fits_the_container(monkeypatch, limit, kept):
    monkeypatch.setattr(allocator.os, "sysconf", {"SC_PHYS_PAGES": 32 << 18, "SC_PAGE_SIZE": 4096}.get)
    assert allocator._kept(limit) == kept


@needs_pool
def test_a_small_container_keeps_little():
    """Freed memory goes back to the system as soon as it is more than a quarter of what the container may use."""
    code = (
        "from mxnet._core import cgroup\ncgroup.memory_limit = lambda: 256 << 20\n"
        "import torch, mxnet as mx\nfrom mxnet.native import allocator\nmx.nd\nallocator.keep_freed_memory()\n"
        "arrays = [torch.ones(4 << 20) for _ in range(10)]\nmost = 0\n"
        "while arrays:\n    arrays.pop()\n    most = max(most, allocator.pool_state()['cached'])\nprint(most >> 20)"
    )
    assert 0 < int(output_of(code)[0]) <= 64


LARGE_PAGES = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")


@glibc
@pytest.mark.skipif(not LARGE_PAGES.exists() or "[never]" in LARGE_PAGES.read_text(), reason="there are no large pages")
@pytest.mark.parametrize("pool", "01")
def test_large_pages_are_asked_for(pool):
    code = (
        "import mxnet as mx\nfrom mxnet.native import allocator\n"
        "mx.nd.ones((1 << 20,)).wait_to_read()\nallocator.keep_freed_memory()\n"
        "print(open('/proc/self/smaps').read())"
    )
    areas = subprocess.check_output(
        [sys.executable, "-c", code], env={**untuned(), "MXNET_MEMORY_POOL": pool}, text=True
    )
    sizes, flags = re.findall(r"^Size: +(\d+) kB", areas, re.M), re.findall(r"^VmFlags: (.*)", areas, re.M)
    advised = [int(size) for size, names in zip(sizes, flags, strict=True) if "hg" in names.split()]
    assert sum(advised) > 300 << 10


@needs_pool
def test_large_arrays_are_in_the_pool():
    before = allocator.pool_state()
    large, small = torch.empty(MB), torch.empty(100)
    during = allocator.pool_state()
    assert during["blocks"] == before["blocks"] + 1 and during["used"] == before["used"] + 4 * MB
    assert large.data_ptr() % 4096 == 0 and small.data_ptr() % 64 == 0
    del large
    after = allocator.pool_state()
    assert after["used"] == before["used"] and after["blocks"] == before["blocks"]
    assert torch.empty(0).numel() == 0


@needs_pool
def test_random_sizes_do_not_overlap_and_keep_their_numbers():
    random = np.random.RandomState(3)
    gc.collect()
    before = allocator.pool_state()["blocks"]
    arrays, most, used = {}, 0, 0
    for turn in range(3000):
        if len(arrays) == 40 or (arrays and random.rand() < 0.45):
            key = list(arrays)[random.randint(len(arrays))]
            array = arrays.pop(key)
            assert array[0] == array[-1] == key
            used -= array.nbytes
        else:
            arrays[turn] = torch.full((random.randint(1 << 13, 1 << 17),), turn, dtype=torch.int64)
            used += arrays[turn].nbytes
            most = max(most, used)
    assert all(bool((array == key).all()) for key, array in arrays.items())
    ranges = sorted((a.data_ptr(), a.data_ptr() + a.nbytes) for a in arrays.values())
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ranges))
    arrays.clear()
    del array
    assert allocator.pool_state()["blocks"] == before


@needs_pool
def test_holes_are_filled():
    """What is freed in pieces is found again in others: with glibc's posix_memalign the peak grows by half."""
    code = (
        "import torch, mxnet as mx\nfrom mxnet.native import allocator\nmx.nd\n"
        "for turn in range(20):\n"
        "    kept = [torch.empty((turn % 3 + 1) << 18) for _ in range(30)]\n"
        "    del kept[::2]\n"
        "    kept += [torch.empty((turn % 3 + 1) << 17) for _ in range(30)]\n"
        "    need = sum(a.nbytes for a in kept)\n"
        "    del kept\n"
        "print(allocator.pool_state()['end'])"
    )
    assert int(output_of(code)[0]) <= 95 * MB


@needs_pool
def test_cached_memory_can_be_given_back():
    mx.nd.ones((64 * MB // 4,)).wait_to_read()
    assert allocator.pool_state()["cached"] >= 32 * MB
    kept = mx.nd.ones((MB,))
    mx.cpu().empty_cache()
    assert allocator.pool_state()["cached"] == 0
    assert kept.sum().asscalar() == MB
    assert mx.nd.zeros((8 * MB,)).asnumpy().max() == 0


@needs_pool
def test_threads_share_the_pool():
    wrong = []

    def work(number):
        for turn in range(300):
            array = torch.full(((turn % 7 + 1) << 14,), number, dtype=torch.int64)
            if not bool((array == number).all()):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _in_child(array, pipe):
    made = [torch.full((MB,), float(n)) for n in range(4)]
    pipe.send((float(array.sum()), [float(a.sum()) for a in made]))


@needs_pool
def test_a_forked_child_allocates_while_threads_of_the_parent_do():
    stop = threading.Event()

    def work():
        while not stop.is_set():
            torch.empty(MB)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        array = torch.ones(MB)
        for _ in range(10):
            ours, theirs = multiprocessing.get_context("fork").Pipe()
            child = multiprocessing.get_context("fork").Process(target=_in_child, args=(array, theirs))
            child.start()
            assert ours.poll(60), "the child waits for a lock"
            assert ours.recv() == (MB, [0.0, MB, 2.0 * MB, 3.0 * MB])
            child.join()
    finally:
        stop.set()
        thread.join()


@needs_pool
def test_memory_that_others_gave_or_take_is_left_alone():
    given = np.arange(MB, dtype="float32")
    tensor = torch.from_numpy(given)
    shared = torch.ones(MB).share_memory_()
    taken = torch.ones(MB).numpy()  # NumPy holds the tensor
    grown = torch.ones(MB)
    grown.untyped_storage().resize_(8 * MB)
    assert grown.sum() == MB
    del tensor
    gc.collect()
    assert given[-1] == MB - 1 and shared.sum() == MB and taken.sum() == MB


@needs_pool
@pytest.mark.parametrize("variable", ["MXNET_MEMORY_POOL", "MXNET_NATIVE"])
def test_it_can_be_turned_off(variable):
    code = (
        "import mxnet as mx\nfrom mxnet.native import allocator\n"
        "print(int(mx.nd.ones((1 << 20,)).sum().asscalar()), allocator.pool_state(), mx.cpu().empty_cache())"
    )
    assert output_of(code, **{variable: "0"}) == ["1048576", "None", "None"]


@needs_pool
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
def test_an_allocator_that_was_preloaded_stays(tmp_path):
    source, library = tmp_path / "other.c", tmp_path / "other.so"
    source.write_text(
        "#include <stddef.h>\nextern void *__libc_memalign(size_t, size_t);\n"
        "int posix_memalign(void **p, size_t a, size_t n) { *p = __libc_memalign(a, n); return *p ? 0 : 12; }\n"
    )
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
    code = (
        "import mxnet as mx\nfrom mxnet.native import allocator\n"
        "print(mx.nd.ones(3).sum().asscalar(), allocator.install_pool())"
    )
    assert output_of(code, LD_PRELOAD=str(library)) == ["3.0", "False"]


@needs_pool
@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="there are not enough addresses")
def test_limited_addresses_are_not_reserved():
    code = (
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 36, 1 << 36))\n"
        "import mxnet as mx\nfrom mxnet.native import allocator\n"
        "print(int(mx.nd.ones(1 << 20).sum().asscalar()), allocator.install_pool())"
    )
    assert output_of(code) == ["1048576", "False"]


@needs_pool
def test_diagnose_tells_of_it():
    text = subprocess.check_output([sys.executable, "-m", "mxnet.tools.diagnose"], env=untuned(), text=True)
    assert "memory pool True" in text
