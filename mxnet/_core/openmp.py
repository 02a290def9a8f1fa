"""How torch's threads wait for work, and how many there are: chosen before torch is loaded, which reads it then.

A thread of GNU's OpenMP that has nothing to do spins for some milliseconds before it sleeps. Beside other busy
processes it takes the processor from the thread that it waits for. A short spin is enough to be ready for the next
operator. And torch counts processors, where a container may only use a part of one.
"""

from __future__ import annotations

import os
import sys

from . import cgroup, config

#: How often a waiting thread looks before it sleeps: some microseconds.
SPINS = "1000"


def choose() -> dict[str, str]:
    """What to add to the environment before torch is loaded; what a user has set stays."""
    if not config.OPENMP.get() or "torch" in sys.modules:
        return {}
    found = {}
    if not os.environ.keys() & {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}:
        found["GOMP_SPINCOUNT"] = SPINS
    allowed = cgroup.processors()
    if allowed is not None and "OMP_NUM_THREADS" not in os.environ:
        affinity = getattr(os, "sched_getaffinity", None)
        processors = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
        if allowed < processors:
            found["OMP_NUM_THREADS"] = str(max(1, int(allowed)))  # one more would be stopped again and again
    return found


def install() -> None:
    """Puts the choice into the environment, where processes that are started later find it, too."""
    os.environ.update(choose())
