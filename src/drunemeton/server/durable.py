"""Between the event loop and the store's thread: what several tables write at the same time goes to disk, and comes back, together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ..store import Entry, Store

Batch = list[tuple[Entry, "asyncio.Future[None]"]]


HANDFUL = 8  # so many entries are handed over although the store is busy: it must not wait for a busy event loop


class Durable:
    """Those who wait in one event loop for what the store does."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._next: Batch = []
        self._under_way = 0  # batches

    def append(self, entry: Entry) -> asyncio.Future[None]:
        """Done when the entry is on disk. While the store is busy, the next batch gathers."""
        mine: asyncio.Future[None] = self._loop.create_future()
        self._next.append((entry, mine))
        if self._under_way == 0 or len(self._next) >= HANDFUL:
            self._hand_over()
        return mine

    def _hand_over(self) -> None:
        batch, self._next = self._next, []
        self._under_way += 1
        written = self._store.append([entry for entry, _ in batch])
        written.add_done_callback(lambda done: self._wake(self._written, batch, done))

    def _written(self, batch: Batch, done: Future[list[Any]]) -> None:
        self._under_way -= 1
        if self._next and self._under_way == 0:
            self._hand_over()
        failed = done.exception()
        for (_, mine), problem in zip(batch, [failed] * len(batch) if failed else done.result(), strict=True):
            if not mine.done():
                if problem is None:
                    mine.set_result(None)
                else:
                    mine.set_exception(problem)

    def on(self, written: Future[Any]) -> asyncio.Future[Any]:
        """A future of this event loop that is done when the store's is."""
        mine: asyncio.Future[Any] = self._loop.create_future()
        written.add_done_callback(lambda done: self._wake(_copy, mine, done))
        return mine

    def _wake(self, tell: Callable[[Any, Future[Any]], None], whom: Any, done: Future[Any]) -> None:
        """In the store's thread."""
        with contextlib.suppress(RuntimeError):  # the event loop has ended, and nobody waits
            self._loop.call_soon_threadsafe(tell, whom, done)


def _copy(mine: asyncio.Future[Any], done: Future[Any]) -> None:
    if not mine.done():
        problem = done.exception()
        if problem is None:
            mine.set_result(done.result())
        else:
            mine.set_exception(problem)
