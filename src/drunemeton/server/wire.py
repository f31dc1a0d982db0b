"""One WebSocket: messages checked on the way in, queued on the way out so that a slow client holds up nobody."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from .limits import Bucket
from .line import LINE, Line

ID_LENGTH = 64
MOVE_LENGTH = 200
MOST_BESIDE = 8

MESSAGES = {
    "session": "this session is not known here; open the link again",
    "garbage": "this message cannot be read",
    "too_fast": "too many messages",
    "too_big": "this message is too long",
    "slow": "messages pile up; the connection is too slow",
    "idle": "nothing was heard for a long time",
    "replaced": "this seat is open in too many places",
    "hello_first": "the first message must be hello",
    "no_table": "there is no such table",
    "store": "the table cannot be written to disk; nothing was changed",
    "stopping": "the server stops",
    "deleted": "the table was deleted",
}
CLOSING = {"too_big": 1009, "stopping": 1012, "store": 1013, "slow": 1013}


try:
    import orjson

    encode: Callable[[Any], bytes] = orjson.dumps  # a message as it is sent and stored
    decode: Callable[[str], Any] = orjson.loads
except ImportError:  # slower, and the same bytes

    def encode(message: Any) -> bytes:
        """A message as it is sent and stored."""
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()

    decode = json.loads


class BadMessage(Exception):
    """A message that no client of ours would send; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Said(NamedTuple):
    """A checked message from a client."""

    type: str
    id: str = ""
    revision: int | None = None
    move: str = ""
    agree: bool = False
    seat: int | None = None
    session: str = ""
    build: str | None = None
    beside: tuple[str, ...] = ()


# For each type: fields that must be there, and fields that may.
FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "hello": (("session",), ("build", "revision", "beside")),
    "move": (("id", "revision", "move"), ()),
    "preview": (("id", "revision", "move"), ()),
    "hint": (("id", "revision"), ()),
    "undo": (("id",), ()),
    "undo_answer": (("id", "agree"), ()),
    "resign": (("id",), ()),
    "bot_takes": (("id",), ("seat",)),
    "bot_returns": (("id",), ()),
    "ping": (("id",), ()),
}


def parse(text: str, limit: int) -> Said:
    """A client's message, checked; what is not named is not read."""
    if len(text) > limit:
        raise BadMessage("too_big")
    try:
        data = decode(text)
    except (ValueError, RecursionError):
        raise BadMessage("garbage") from None
    if not isinstance(data, dict) or not isinstance(data.get("type"), str) or data["type"] not in FIELDS:
        raise BadMessage("garbage")
    needed, possible = FIELDS[data["type"]]
    fields: dict[str, Any] = {"type": data["type"]}
    for name in (*needed, *possible):
        value = data.get(name)
        if value is None and name not in needed:
            continue
        if not _fits(name, value):
            raise BadMessage("garbage")
        fields[name] = tuple(value or ()) if name == "beside" else value
    return Said(**fields)


def _fits(name: str, value: Any) -> bool:
    if name in {"revision", "seat"}:
        return type(value) is int and -1 <= value < 2**31
    if name == "agree":
        return type(value) is bool
    if name == "beside":
        return type(value) is list and len(value) <= MOST_BESIDE and all(_fits("session", one) for one in value)
    longest = ID_LENGTH if name == "id" else MOVE_LENGTH
    return type(value) is str and len(value) <= longest and (name != "id" or value != "") and _is_unicode(value)


def _is_unicode(text: str) -> bool:
    """Half a surrogate pair can be written in JSON, but not to a socket or a file."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


class Connection:
    """A client's socket, and the seat it speaks for once it has said hello."""

    def __init__(self, socket: WebSocket, bucket: Bucket, most_waiting: int, now: float) -> None:
        self.socket = socket
        self._line: Line | None = socket.scope.get("extensions", {}).get(LINE)
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
        if self._line is not None and not self._waiting and self._line.push(text):
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
            self._waiting.append(encode({"type": "error", "code": code, "message": MESSAGES[code]}))
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
                    await asyncio.wait_for(self.socket.close(CLOSING.get(self._away, 1008)), 1.0)

    async def receive(self) -> str:
        """The next message; WebSocketDisconnect when there is none any more."""
        while True:
            message = await self.socket.receive()
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
