"""Between the event loop and the store: entries go to the store's writer, a process of its own, in batches; the rest to its thread."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections import deque
from concurrent.futures import Future
from typing import Any

from ..store import Entry, Store, StoreError
from ..store.writer import LENGTH, rows_of
from .logs import log
from .wire import encode

HANDFUL = 8  # so many entries are handed over although the writer is busy
STOP_SECONDS = 5.0

Batch = list[tuple[Entry, "asyncio.Future[None]"]]


class Durable(asyncio.SubprocessProtocol):
    """Those who wait in one event loop for what the store does."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._next: Batch = []
        self._under_way: deque[Batch] = deque()
        self._read = b""
        self._writer: asyncio.SubprocessTransport | None = None
        self._gone: asyncio.Future[None] | None = None
        self._starting: asyncio.Task[None] | None = self._loop.create_task(self._start())

    # --- Entries

    def append(self, entry: Entry) -> asyncio.Future[None]:
        """Done when the entry is on disk. While the writer is busy, the next batch gathers."""
        mine: asyncio.Future[None] = self._loop.create_future()
        self._next.append((entry, mine))
        if self._writer is None:
            if self._starting is None:
                self._starting = self._loop.create_task(self._start())
        elif not self._under_way or len(self._next) >= HANDFUL:
            self._hand_over()
        return mine

    async def _start(self) -> None:
        command, files = self._store.writer()
        paths = os.pathsep.join(path for path in sys.path if path)
        inherited: dict[str, Any] = {} if sys.platform == "win32" else {"pass_fds": files}
        try:
            transport, _ = await self._loop.subprocess_exec(
                lambda: self, *command, stderr=None, env={**os.environ, "PYTHONPATH": paths}, **inherited
            )
        except OSError as problem:
            self._fail(f"the store's writer cannot be started: {problem.strerror}")
        else:
            self._writer, self._gone = transport, self._loop.create_future()
            if self._next:
                self._hand_over()
        finally:
            self._starting = None

    def _hand_over(self) -> None:
        assert self._writer is not None
        batch, self._next = self._next, []
        self._under_way.append(batch)
        rows = encode(rows_of([entry for entry, _ in batch]))
        pipe: Any = self._writer.get_pipe_transport(0)
        pipe.write(len(rows).to_bytes(LENGTH, "big") + rows)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """The writer says what is on disk."""
        *lines, self._read = (self._read + data).split(b"\n")
        done = [(self._under_way.popleft(), line) for line in lines]
        if self._next and not self._under_way:
            self._hand_over()
        for batch, line in done:
            for (_, mine), problem in zip(batch, json.loads(line) or [None] * len(batch), strict=True):
                if not mine.done():
                    if problem is None:
                        mine.set_result(None)
                    else:
                        mine.set_exception(StoreError(problem))

    def connection_lost(self, problem: Exception | None) -> None:
        """The writer has ended. Nobody knows what it still wrote: who waits is told so, and the next entry starts another."""
        assert self._writer is not None
        assert self._gone is not None
        self._writer.close()
        self._writer = None
        if self._under_way or self._next:
            log("writer_ended", level=logging.ERROR)
        self._fail("the store's writer has ended")
        self._gone.set_result(None)

    def _fail(self, why: str) -> None:
        batches, self._next = [*self._under_way, self._next], []
        self._under_way.clear()
        self._read = b""
        for batch in batches:
            for _, mine in batch:
                if not mine.done():
                    mine.set_exception(StoreError(why))

    async def close(self) -> None:
        """Let the writer finish."""
        if self._starting is not None:
            await self._starting
        if self._writer is not None and self._gone is not None:
            writer: Any = self._writer
            writer.get_pipe_transport(0).close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._gone), STOP_SECONDS)

    # --- Everything else

    def on(self, written: Future[Any]) -> asyncio.Future[Any]:
        """A future of this event loop that is done when the store's is."""
        return asyncio.wrap_future(written, loop=self._loop)
