"""One WebSocket: messages queued on the way out, so that a slow client holds up nobody."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from .closings import CLOSINGS, BadMessage
from .limits import Bucket
from .messages import encode
from .websocket_protocol import EXTENSION, WebSocketProtocol


class Connection:
    """A client's socket, and the seat it speaks for once it has said hello."""

    def __init__(self, socket: WebSocket, client: str, bucket: Bucket, most_waiting: int, now: float) -> None:
        self.socket, self.client = socket, client
        self._protocol: WebSocketProtocol | None = socket.scope.get("extensions", {}).get(EXTENSION)
        self.seat: int | None = None
        self.seats: frozenset[int] = frozenset()  # the seats that are here by it: its own, and those of who sits beside
        self.greeted = False
        self.bucket = bucket
        self.heard = now
        self.since = now
        self._most_waiting = most_waiting
        self._waiting: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._away: str | None = None
        self.cut = False
        self._reader: asyncio.Task[Any] | None = asyncio.current_task()
        self._writer = asyncio.get_running_loop().create_task(self._write())

    def send(self, text: bytes) -> None:
        """Send a message at once if it can go, otherwise put it in the queue; whoever lets too many pile up is sent away."""
        if self._away is not None:
            return
        if self._protocol is not None and not self._waiting and self._protocol.push(text):
            return
        if len(self._waiting) >= self._most_waiting:
            self.send_away("slow")
            return
        self._waiting.append(text)
        self._wake.set()

    def send_message(self, message: dict[str, Any]) -> None:
        """The same for a message that is not text yet."""
        self.send(encode(message))

    def send_away(self, code: str) -> None:
        """Say why, and close."""
        if self._away is None:
            self._away = code
            if code == "slow":
                self._waiting.clear()
            self._waiting.append(encode({"type": "error", "code": code, "message": CLOSINGS[code].sentence}))
            self._wake.set()
            # A client that does not read must not keep us here either.
            asyncio.get_running_loop().call_later(2.0, self._cut)

    def _cut(self) -> None:
        if self._reader is not None and not self.cut:
            self.cut = True
            self._writer.cancel()
            self._reader.cancel()

    async def _write(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._waiting:
                    await self.socket.send_text(self._waiting[0].decode())
                    self._waiting.popleft()  # only now: while it waits, nothing may overtake it
                if self._away is not None:
                    return
        except (WebSocketDisconnect, RuntimeError, OSError):
            self._away = self._away or "gone"
        finally:
            if self._away is not None and self._away != "gone" and self.socket.application_state == WebSocketState.CONNECTED:
                with contextlib.suppress(Exception, asyncio.CancelledError):
                    await asyncio.wait_for(self.socket.close(CLOSINGS[self._away].code), 1.0)

    async def receive(self) -> str:
        """The next message; WebSocketDisconnect when there is none any more."""
        while True:
            message = await (self.socket.receive() if self._protocol is None else self._protocol.next())
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message.get("code", 1000))
            if self._away is not None:
                continue  # said too late
            text = message.get("text")
            if text is None:
                raise BadMessage("garbage")
            return str(text)

    @property
    def sent_away(self) -> bool:
        """Whether this connection is being closed by us."""
        return self._away is not None

    async def close(self) -> None:
        """Let the last words out, and stop."""
        self._reader = None
        if self._away is None:
            self._away = "gone"
            self._wake.set()
        with contextlib.suppress(asyncio.CancelledError, TimeoutError):
            await asyncio.wait_for(self._writer, 2.0)
