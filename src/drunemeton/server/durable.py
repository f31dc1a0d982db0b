"""Waiting for the store: its thread finishes many writes at once, and wakes the event loop once for all of them."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from concurrent.futures import Future
from typing import Any


class Waiting:
    """Those who wait in one event loop for what the store's thread does."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._done: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._is_woken = False

    def on(self, written: Future[Any]) -> asyncio.Future[Any]:
        """A future of this event loop that is done when the store's is."""
        mine: asyncio.Future[Any] = self._loop.create_future()
        written.add_done_callback(lambda done: self._finished(mine, done))
        return mine

    def _finished(self, mine: asyncio.Future[Any], done: Future[Any]) -> None:
        """In the store's thread. Who finds it woken may rely on it: the loop forgets that before it looks at what is done."""
        self._done.append((mine, done))
        if not self._is_woken:
            self._is_woken = True
            with contextlib.suppress(RuntimeError):  # the event loop has ended, and nobody waits
                self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        self._is_woken = False
        while self._done:
            mine, done = self._done.popleft()
            if not mine.done():
                problem = done.exception()
                if problem is None:
                    mine.set_result(done.result())
                else:
                    mine.set_exception(problem)
