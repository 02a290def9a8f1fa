"""Requests that arrive at about the same time, run as one batch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class BusyError(Exception):
    """More requests wait than are allowed to."""


class Batcher:
    """Gives items to ``run(items) -> results`` in batches, each result to the one who asked for it.

    A batch starts when ``largest`` items wait, or ``delay`` seconds after its first came; while it runs, in a thread,
    the next one gathers. So a lonely request waits ``delay`` at most, and under load batches grow by themselves. If
    ``waiting`` items wait already, another one is refused with ``BusyError``.
    """

    def __init__(
        self, run: Callable[[list[Any]], Sequence[Any]], largest: int = 32, delay: float = 0.002, waiting: int = 256
    ):
        self._run, self._largest, self._delay = run, largest, delay
        self._queue: asyncio.Queue[tuple[Any, asyncio.Future]] = asyncio.Queue(waiting)
        self._thread = ThreadPoolExecutor(1, "batches")
        self.sizes: dict[int, int] = {}
        """How many batches of each size were run."""

    async def __call__(self, item: Any) -> Any:
        """The result for one item."""
        answer = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait((item, answer))
        except asyncio.QueueFull:
            raise BusyError(f"{self._queue.maxsize} requests wait already") from None
        return await answer

    async def _gather(self) -> list[tuple[Any, asyncio.Future]]:
        batch = [await self._queue.get()]
        clock = asyncio.get_running_loop().time
        end = clock() + self._delay
        while len(batch) < self._largest:
            try:
                batch.append(self._queue.get_nowait())
            except asyncio.QueueEmpty:
                try:
                    batch.append(await asyncio.wait_for(self._queue.get(), max(end - clock(), 0)))
                except TimeoutError:
                    break
        return [(item, answer) for item, answer in batch if not answer.done()]  # who has gone needs none

    async def serve(self) -> None:
        """Runs batches until it is cancelled. If ``run`` fails, those of its batch are told, and it goes on."""
        loop = asyncio.get_running_loop()
        while True:
            batch = await self._gather()
            if not batch:
                continue
            try:
                results = await loop.run_in_executor(self._thread, self._run, [item for item, _ in batch])
                if len(results) != len(batch):
                    raise RuntimeError(f"{len(batch)} items gave {len(results)} results")
            except Exception as error:
                results = [error] * len(batch)
            self.sizes[len(batch)] = self.sizes.get(len(batch), 0) + 1
            for (_, answer), result in zip(batch, results, strict=True):
                if answer.done():
                    continue
                if isinstance(result, Exception):
                    answer.set_exception(result)
                else:
                    answer.set_result(result)
