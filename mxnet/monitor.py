"""The Monitor: statistics of what flows through executors, to find out where numbers explode or vanish."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from math import sqrt

from .error import MXNetTypeError
from .executor import Executor
from .ndarray import NDArray

__all__ = ["Monitor"]

Statistic = NDArray | Sequence[NDArray]


def _root_mean_square(x: NDArray) -> NDArray:
    return x.norm() / sqrt(x.size)


class Monitor:
    """Collects a statistic of outputs, arguments and states whose names match a pattern, every ``interval`` batches.

    ``stat_func`` takes an NDArray and returns an NDArray or a list of them; it is the root mean square by default.
    ``sort`` orders the results by name; ``monitor_all`` also looks at the inputs of operators.
    """

    def __init__(
        self,
        interval: int,
        stat_func: Callable[[NDArray], Statistic] | None = None,
        pattern: str = ".*",
        sort: bool = False,
        monitor_all: bool = False,
    ):
        self.stat_func = stat_func or _root_mean_square
        self.interval = interval
        self.activated = False
        self.queue: list[tuple[int, str, Statistic]] = []
        self.step = 0
        self.exes: list[Executor] = []
        self.re_prog = re.compile(pattern)
        self.sort = sort
        self.monitor_all = monitor_all

    def stat_helper(self, name: str, array: NDArray) -> None:
        """Takes the statistic of one array, if it is time and the name fits."""
        if self.activated and self.re_prog.match(name):
            self.queue.append((self.step, name, self.stat_func(array)))

    def install(self, exe: Executor) -> None:
        """Watches an executor; several may be watched."""
        exe.set_monitor_callback(self.stat_helper, self.monitor_all)
        self.exes.append(exe)

    def tic(self) -> None:
        """Begins a batch: call it before ``forward``."""
        if self.step % self.interval == 0:
            self.queue = []
            self.activated = True
        self.step += 1

    def toc(self) -> list[tuple[int, str, str]]:
        """Ends a batch: returns (number of the batch, name, statistic as text) of all that was seen."""
        if not self.activated:
            return []
        for exe in self.exes:
            for names, arrays in (
                (exe._symbol.list_arguments(), exe.arg_arrays),
                (exe._symbol.list_auxiliary_states(), exe.aux_arrays),
            ):
                for name, array in zip(names, arrays, strict=True):
                    self.stat_helper(name, array)
        self.activated = False
        queue = sorted(self.queue, key=lambda entry: entry[1]) if self.sort else self.queue
        self.queue = []
        return [(step, name, _text(name, found)) for step, name, found in queue]

    def toc_print(self) -> None:
        """Ends a batch: logs what ``toc`` returns."""
        for step, name, found in self.toc():
            logging.info("Batch: %7d %-30s %s", step, name, found)


def _text(name: str, found: object) -> str:
    arrays = [found] if isinstance(found, NDArray) else found
    if not isinstance(arrays, list) or not all(isinstance(a, NDArray) for a in arrays):
        raise MXNetTypeError(f"stat_func must return an NDArray or a list of them, for {name} it gave {found!r}")
    return "".join(str(a.asscalar() if a.shape in ((), (1,)) else a.asnumpy()) + "\t" for a in arrays)
