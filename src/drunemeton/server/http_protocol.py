"""uvicorn's HTTP with an end to waiting: a request must have come whole within some seconds, its head must fit a limit, and what is
answered must be read, or the connection is closed.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class HeadTooLong(Exception):
    """A request's line and headers are longer than any browser's."""


class HttpProtocol(HttpToolsProtocol):
    """A connection that speaks HTTP. Who sends half a request, or none, or does not read, does not hold it for long."""

    seconds = 20.0
    head_bytes = 32 * 1024
    most = 5000  # connections of all kinds: the process needs open files for other things too

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._head: int | None = 0  # bytes of the head that is coming; None while none does
        self._unread: asyncio.TimerHandle | None = None
        self._alarm: asyncio.TimerHandle | None = None

    def _expect(self) -> None:
        if self._alarm is None:
            self._alarm = self.loop.call_later(self.seconds, self._give_up)

    def _is_done(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _give_up(self) -> None:
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes, and is to say what he wants."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
            return
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Some of a request arrives."""
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > self.head_bytes and not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.abort()

    def on_headers_complete(self) -> None:
        """The head is here."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        self._head = None
        if size > self.head_bytes:
            raise HeadTooLong  # answered with 400 by who feeds the parser
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """What we answer is not read."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.seconds, self._give_up)

    def resume_writing(self) -> None:
        """It is."""
        super().resume_writing()
        self._is_read()

    def _is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._expect()

    def on_message_complete(self) -> None:
        """All of it is here."""
        super().on_message_complete()
        self._head = 0
        self._is_done()

    def handle_websocket_upgrade(self) -> None:
        """It becomes a WebSocket, which has its own time to say hello."""
        self._is_done()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it points back at us, and only the garbage collector would find us

    def connection_lost(self, exc: Exception | None) -> None:
        """He has gone."""
        self._is_done()
        self._is_read()
        super().connection_lost(exc)
