"""Freed memory is kept for the next run: a program that runs again faults in few new pages."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from mxnet.graph import malloc

PROGRAM = """
import resource, sys
import mxnet as mx
from mxnet.graph.malloc import keep_freed_memory
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


def faults(**variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MALLOC_") and k != "GLIBC_TUNABLES"}
    run = [sys.executable, "-c", PROGRAM]
    kept, number = subprocess.check_output(run, env={**environment, **variables}, text=True).split()
    return kept == "True", int(number)


@pytest.mark.skipif(not malloc.keep_freed_memory(), reason="this C library cannot be told, or was told otherwise")
def test_a_second_run_finds_its_memory():
    # 48 MiB for each value: as glibc does it, each is new memory, 12288 pages of 4 KiB.
    kept, usual = faults(MALLOC_ARENA_MAX="8")
    assert not kept and usual > 50000
    kept, number = faults()
    assert kept and number < usual / 2


def test_what_the_user_has_set_stays(monkeypatch):
    decide = malloc.keep_freed_memory.__wrapped__
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "1000000")
    assert not decide()
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_")
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=1")
    assert not decide()
    monkeypatch.delenv("GLIBC_TUNABLES")
    monkeypatch.setattr(malloc.sys, "platform", "darwin")
    assert not decide()


LARGE_PAGES = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")


@pytest.mark.skipif(not malloc.keep_freed_memory(), reason="this C library cannot be told, or was told otherwise")
@pytest.mark.skipif(not LARGE_PAGES.exists() or "[never]" in LARGE_PAGES.read_text(), reason="there are no large pages")
def test_large_pages_are_asked_for():
    areas = pathlib.Path("/proc/self/smaps").read_text()
    sizes, flags = re.findall(r"^Size: +(\d+) kB", areas, re.M), re.findall(r"^VmFlags: (.*)", areas, re.M)
    advised = [int(size) for size, names in zip(sizes, flags, strict=True) if "hg" in names.split()]
    assert sum(advised) > 300 << 10
