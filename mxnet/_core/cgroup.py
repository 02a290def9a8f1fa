"""How much of the machine a container may use: processors and memory, from control groups of both versions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["memory_limit", "processors"]

ROOT, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def _groups(controller: str, root: Path, own: Path) -> Iterator[Path]:
    """The folders of this process's control groups with a controller, of either version, up to the root.

    A limit of any of them holds. In a container its own group usually is the root.
    """
    lines = []
    with suppress(OSError):
        lines = own.read_text().splitlines()
    for version, base in (("", root), (controller, root / controller)):
        paths = [path for _, names, path in (line.split(":", 2) for line in lines) if version in names.split(",")]
        place = base / paths[0].lstrip("/") if paths else base
        while place != base and base in place.parents:
            yield place
            place = place.parent
        yield base


def memory_limit(root: Path = ROOT, own: Path = OWN) -> int | None:
    """How many bytes of memory this process may use together with the others of its container; None: all there are."""
    limits = []
    for group in _groups("memory", root, own):
        for name in ("memory.max", "memory.high", "memory.limit_in_bytes"):
            with suppress(OSError, ValueError):  # not there, or "max"
                limits.append(int((group / name).read_text()))
    smallest = min((limit for limit in limits if limit > 0), default=1 << 62)
    return smallest if smallest < 1 << 60 else None  # what version 1 says where there is no limit


def processors(root: Path = ROOT, own: Path = OWN) -> float | None:
    """How many processors a container may use at a time; None: all of them."""
    quotas = []
    for group in _groups("cpu", root, own):
        for names in (("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
            with suppress(OSError, ValueError, ZeroDivisionError):  # not there, or "max"
                limit, period = " ".join((group / name).read_text() for name in names).split()[:2]
                quotas.append(int(limit) / int(period))
    return min((quota for quota in quotas if quota > 0), default=None)
