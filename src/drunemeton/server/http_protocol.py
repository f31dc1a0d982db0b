"""uvicorn's HTTP with an end to waiting: a request must have come whole within some seconds, or its connection is closed."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class HttpProtocol(HttpToolsProtocol):
    """A connection that speaks HTTP. Who sends half a request, or none, does not hold it for long."""

    seconds = 20.0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
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
        self._expect()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._expect()

    def on_message_complete(self) -> None:
        """All of it is here."""
        super().on_message_complete()
        self._is_done()

    def handle_websocket_upgrade(self) -> None:
        """It becomes a WebSocket, which has its own time to say hello."""
        self._is_done()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """He has gone."""
        self._is_done()
        super().connection_lost(exc)
