"""Between the event loop and the store's writer, a process of its own: what several tables write at the same time goes to disk together."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
import time
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..store import Pass, Store, StoredEntry, StoredTable, StoreError
from ..store.writer import LENGTH, batch_of, named
from .logs import log
from .messages import encode
from .metrics import Timing

HANDFUL = 8  # so many entries are handed over although the writer is busy
STOP_SECONDS = 5.0


class Unwritten(NamedTuple):
    """An entry on its way to disk, who waits for it, and since when."""

    entry: StoredEntry
    done: asyncio.Future[None]
    since: float


Batch = list[Unwritten]


class WriterClient(asyncio.SubprocessProtocol):
    """Those who wait in one event loop for the store's writer."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.durable, self.failures = Timing(), 0  # how long entries took until they were on disk, and how many were not
        self._loop = asyncio.get_running_loop()
        self._next: Batch = []
        self._under_way: deque[tuple[Batch, asyncio.Future[Any] | None]] = deque()
        self._early: list[tuple[bytes, asyncio.Future[Any]]] = []  # asked before the writer was there
        self._read = b""
        self._writer: asyncio.SubprocessTransport | None = None
        self._gone: asyncio.Future[None] | None = None
        self._starting: asyncio.Task[None] | None = self._loop.create_task(self._start())

    # --- What is written

    def append(self, entry: StoredEntry) -> asyncio.Future[None]:
        """Done when the entry is on disk. While the writer is busy, the next batch gathers."""
        mine: asyncio.Future[None] = self._loop.create_future()
        self._next.append(Unwritten(entry, mine, time.perf_counter()))
        if self._is_there() and (not self._under_way or len(self._next) >= HANDFUL):
            self._hand_over()
        return mine

    def create(self, table: StoredTable, first: str, passes: Sequence[Pass]) -> asyncio.Future[None]:
        """A new table with its first entry and its keys."""
        return self._ask("create", table=[*table[:3], list(table.summary)], first=first, passes=named(passes))

    def add_passes(self, passes: Sequence[Pass], *, keep: int = 0) -> asyncio.Future[None]:
        """More keys or sessions; with `keep`, older ones of the same kind and seat beyond that many go."""
        return self._ask("add_passes", passes=named(passes), keep=keep)

    def delete(self, table: str) -> asyncio.Future[None]:
        """A table with everything that belongs to it."""
        return self._ask("delete", table=table)

    def expire(self, now: int, running: int, over: int, pause: int) -> asyncio.Future[list[str]]:
        """Delete what nobody has touched for so many milliseconds in which a server ran; answers which tables."""
        return self._ask("expire", now=now, running=running, over=over, pause=pause)

    def _ask(self, do: str, **given: Any) -> asyncio.Future[Any]:
        mine: asyncio.Future[Any] = self._loop.create_future()
        request = encode({"do": do, **given})
        if self._is_there():
            if self._next:
                self._hand_over()
            self._send(request, [], mine)
        else:
            self._early.append((request, mine))
        return mine

    # --- The writer

    def _is_there(self) -> bool:
        """Whether there is a writer; if not, one is started."""
        if self._writer is None and self._starting is None:
            self._starting = self._loop.create_task(self._start())
        return self._writer is not None

    async def _start(self) -> None:
        command, files, environment = self._store.writer()
        inherited: dict[str, Any] = {} if sys.platform == "win32" else {"pass_fds": files}
        inherited["env"] = {**os.environ, **environment}
        try:
            transport, _ = await self._loop.subprocess_exec(lambda: self, *command, stderr=None, **inherited)
        except OSError as problem:
            self._fail(f"the store's writer cannot be started: {problem.strerror}")
        else:
            self._writer, self._gone = transport, self._loop.create_future()
            early, self._early = self._early, []
            for request, mine in early:
                self._send(request, [], mine)
            if self._next:
                self._hand_over()
        finally:
            self._starting = None

    def _hand_over(self) -> None:
        batch, self._next = self._next, []
        self._send(batch_of([one.entry for one in batch]), batch, None)

    def _send(self, request: bytes, batch: Batch, mine: asyncio.Future[Any] | None) -> None:
        assert self._writer is not None
        self._under_way.append((batch, mine))
        pipe: Any = self._writer.get_pipe_transport(0)
        pipe.write(len(request).to_bytes(LENGTH, "big") + request)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """The writer says what is on disk."""
        *lines, self._read = (self._read + data).split(b"\n")
        done = [(*self._under_way.popleft(), json.loads(line)) for line in lines]
        if self._next and not self._under_way:
            self._hand_over()
        for batch, mine, said in done:
            if mine is not None:
                _answer(mine, said.get("answer"), said.get("problem"))
            else:
                self._written(batch, said or [None] * len(batch))

    def _written(self, batch: Batch, problems: Sequence[str | None]) -> None:
        now = time.perf_counter()
        for one, problem in zip(batch, problems, strict=True):
            if problem is None:
                self.durable.note(now - one.since)
            else:
                self.failures += 1
            _answer(one.done, None, problem)

    def connection_lost(self, problem: Exception | None) -> None:
        """The writer has ended. Nobody knows what it still wrote: who waits is told so, and the next request starts another."""
        assert self._writer is not None
        assert self._gone is not None
        self._writer.close()
        self._writer = None
        if self._under_way or self._next:
            log("writer_ended", level=logging.ERROR)
        self._fail("the store's writer has ended")
        self._gone.set_result(None)

    def _fail(self, why: str) -> None:
        entries = [one for batch, _ in self._under_way for one in batch] + self._next
        asked = [one for _, one in self._under_way if one is not None] + [one for _, one in self._early]
        self._under_way.clear()
        self._next, self._early, self._read = [], [], b""
        self._written(entries, [why] * len(entries))
        for one in asked:
            _answer(one, None, why)

    async def close(self) -> None:
        """Let the writer finish."""
        if self._starting is not None:
            await self._starting
        if self._writer is not None and self._gone is not None:
            pipe: Any = self._writer.get_pipe_transport(0)
            pipe.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._gone), STOP_SECONDS)


def _answer(waiting: asyncio.Future[Any], answer: Any, problem: str | None) -> None:
    if waiting.done():
        return  # whoever waited has gone
    if problem is None:
        waiting.set_result(answer)
    else:
        waiting.set_exception(StoreError(problem))
