"""The plainest proxy there is: each connection goes to the next server that is well. Any proxy will do; nothing has to be sticky."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Sequence

LOOK_SECONDS, ANSWER_SECONDS = 0.3, 1.5
HEALTH = b"GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"


class Proxy:
    """In a thread of its own, on a port of this machine."""

    def __init__(self, servers: Sequence[str], port: int = 0) -> None:
        self.servers = list(servers)  # their addresses
        self.well = set(servers)
        self.port = port
        self._turn = 0
        self._open: dict[asyncio.StreamWriter, str] = {}
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait()

    @property
    def url(self) -> str:
        """Where the cluster is."""
        return f"http://127.0.0.1:{self.port}"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._take, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        looks = [asyncio.create_task(self._look(server)) for server in self.servers]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for look in looks:
            look.cancel()
        for writer in list(self._open):
            writer.transport.abort()
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _look(self, server: str) -> None:
        """See whether a server answers; what goes to one that does not is cut, so that clients come again."""
        while True:
            try:
                answered = await asyncio.wait_for(self._ask(server), ANSWER_SECONDS)
            except (OSError, TimeoutError, asyncio.IncompleteReadError):
                answered = False
            if answered:
                self.well.add(server)
            else:
                self.well.discard(server)
                for writer in [one for one, there in self._open.items() if there == server]:
                    writer.transport.abort()
            await asyncio.sleep(LOOK_SECONDS)

    async def _ask(self, server: str) -> bool:
        reader, writer = await asyncio.open_connection(*server.split(":"))
        try:
            writer.write(HEALTH)
            return (await reader.readline()).startswith(b"HTTP/1.1 200")
        finally:
            writer.transport.abort()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in self.servers:
            self._turn += 1
            server = self.servers[self._turn % len(self.servers)]
            if server not in self.well:
                continue
            try:
                there = await asyncio.wait_for(asyncio.open_connection(*server.split(":")), ANSWER_SECONDS)
            except (OSError, TimeoutError):
                self.well.discard(server)
                continue
            self._open[writer] = self._open[there[1]] = server
            try:
                await asyncio.gather(_carry(reader, there[1]), _carry(there[0], writer))
            finally:
                for one in (writer, there[1]):
                    self._open.pop(one, None)
                    one.close()
            return
        writer.transport.abort()

    def close(self) -> None:
        """Stop it."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while said := await reader.read(65536):
            writer.write(said)
            await writer.drain()
    writer.transport.abort() if reader.exception() else writer.close()
