"""Work that is repeated leaves nothing behind: no memory, files, threads or processes."""

import os
import sys
import time

import pytest
import soak
import torch

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts with /proc and glibc's mallinfo2")


def assert_leaves_nothing(step, seconds=0.25):
    step()
    start = time.perf_counter()
    step()
    steps = max(5, min(300, int(seconds / (time.perf_counter() - start))))
    left = soak.growth(step, steps)
    assert left["bytes"] < 512, left
    assert left["blocks"] < 10, left
    assert left["files"] <= 0, left
    assert left["threads"] <= 0, left
    assert left["processes"] <= 0, left


@pytest.mark.parametrize("name", soak.KINDS)
def test_repeated_work(name, tmp_path):
    assert_leaves_nothing(soak.KINDS[name](tmp_path))


def leaks():
    kept = []
    return {
        "memory of C": lambda: kept.append(torch.empty(1024, dtype=torch.uint8)),
        "memory of Python": lambda: kept.append([object() for _ in range(20)]),
        "files": lambda: os.dup(1),  # a few, until the process ends
    }


@pytest.mark.parametrize("name", ["memory of C", "memory of Python", "files"])
def test_leaks_are_noticed(name):
    """The instrument itself: a kilobyte for each step is enough."""
    with pytest.raises(AssertionError):
        assert_leaves_nothing(leaks()[name], seconds=0.001)
