"""uvicorn's WebSocket with a shorter way for the many small messages of a game.

What is said within one turn of the event loop leaves in one write, without a task of its own; and reading pauses only when messages pile
up, not after each one. Everything else (handshake, pings, closing, a client that reads too slowly) stays uvicorn's.

Every frame costs, also one that carries no message (pings, empty parts of a message): taking them apart is work, and whoever sends too many
is cut off. What arrives is read in small slices, so that he is noticed before the rest is taken apart.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from .limits import Bucket

EXTENSION = "drunemeton.websocket"  # where a scope's extensions have it
AHEAD = 16  # so many messages are read before they are taken
SLICE = 2048  # bytes
POLICY = 1008  # the WebSocket's code for who does not keep to the rules


class Inbox:
    """What the application has not taken yet: as much of asyncio's queue as one reader needs."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: deque[Any] = deque()
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, event: Any) -> None:
        """An event arrives."""
        self._events.append(event)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """The next event; only one may wait for it at a time."""
        while not self._events:
            self._reader = self._loop.create_future()
            await self._reader
        return self._events.popleft()

    def empty(self) -> bool:
        """Whether there is none."""
        return not self._events

    def qsize(self) -> int:
        """How many there are."""
        return len(self._events)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that can be written to at once."""

    frames_per_second = 60.0
    frames_burst = 240.0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._allowed = Bucket(self.frames_per_second, self.frames_burst, self.loop.time())
        self.queue: Any = Inbox(self.loop)
        self._out: list[bytes] = []  # frames that leave at the end of this turn

    def handle_connect(self, event: Request) -> None:
        """Let the application find this way out."""
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """He has gone. What points back at us is let go, else only the garbage collector would find us, and it seldom looks."""
        super().connection_lost(exc)
        self.conn.parser.close()
        if self.handshake_initiated:
            extensions: dict[str, Any] = getattr(self, "scope", {}).get("extensions", {})
            extensions.pop(EXTENSION, None)

    def data_received(self, data: bytes) -> None:
        """Take apart what has arrived, a slice at a time."""
        for at in range(0, len(data), SLICE):
            super().data_received(data[at : at + SLICE])
            if self.close_sent or self.transport.is_closing():
                return

    def handle_events(self) -> None:
        """Count the frames of a slice, and hand them on."""
        events = self.conn.events_received()
        if self.handshake_initiated and not self._allowed.take(self.loop.time(), len(events)):
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": POLICY})
            self.transport.abort()
            return
        self.conn.events = events
        super().handle_events()

    def send_receive_event_to_app(self) -> None:
        """Hand a message to the application, and read on unless it has fallen behind."""
        paused, self.read_paused = self.read_paused, True  # else it would pause at every message
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= AHEAD:
            self.read_paused = True
            self.transport.pause_reading()

    def pause_writing(self) -> None:
        """Who does not read what we send is not read either: else his pings would pile up as our pongs."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on, unless the application is behind."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()

    async def next(self) -> Any:
        """The next event for the application, without the layers between."""
        event = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        return event

    def push(self, text: bytes) -> bool:
        """Send a message at the end of this turn of the event loop; False if it cannot go yet, or never will."""
        if self.disconnected or self.close_sent or not self.handshake_complete or not self.writable.is_set() or self.transport.is_closing():
            return False
        if not self._out:
            self.loop.call_soon(self._flush)
        self._out += (_head(len(text)), text)
        return True

    def _flush(self) -> None:
        out, self._out = self._out, []
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(out))


def _head(size: int) -> bytes:
    """What stands before a whole message of text from a server (RFC 6455, 5.2): we agree to no extension that would change it."""
    if size < 126:
        return bytes((0x81, size))
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")
