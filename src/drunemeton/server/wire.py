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


def parse(text: str, limit: int) -> Said:
    """A client's message, checked; what is not named is not read."""
    if len(text) > limit:
        raise BadMessage("too_big")
    try:
        data = decode(text)
    except (ValueError, RecursionError):
        raise BadMessage("garbage") from None
    kind = data.get("type") if type(data) is dict else None
    fields = FIELDS.get(kind) if type(kind) is str else None
    if fields is None:
        raise BadMessage("garbage")
    said: dict[str, Any] = {"type": kind}
    for name, is_needed, fits in fields:
        value = data.get(name)
        if value is None and not is_needed:
            continue
        if not fits(value):
            raise BadMessage("garbage")
        said[name] = tuple(value) if name == "beside" else value
    return Said(**said)


def _is_number(value: Any) -> bool:
    return type(value) is int and -1 <= value < 2**31


def _is_text(value: Any, longest: int = MOVE_LENGTH) -> bool:
    return type(value) is str and len(value) <= longest and _is_unicode(value)


def _is_id(value: Any) -> bool:
    return _is_text(value, ID_LENGTH) and value != ""


def _is_yes_or_no(value: Any) -> bool:
    return type(value) is bool


def _are_texts(value: Any) -> bool:
    return type(value) is list and len(value) <= MOST_BESIDE and all(_is_text(one) for one in value)


def _is_unicode(text: str) -> bool:
    """Half a surrogate pair can be written in JSON, but not to a socket or a file."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


# For each type its fields: the name, whether it must be there, and what fits.
_ID = ("id", True, _is_id)
_AT = ("revision", True, _is_number)
_MOVE = ("move", True, _is_text)
FIELDS: dict[str, tuple[tuple[str, bool, Callable[[Any], bool]], ...]] = {
    "hello": (("session", True, _is_text), ("build", False, _is_text), ("revision", False, _is_number), ("beside", False, _are_texts)),
    "move": (_ID, _AT, _MOVE),
    "preview": (_ID, _AT, _MOVE),
    "hint": (_ID, _AT),
    "undo": (_ID,),
    "undo_answer": (_ID, ("agree", True, _is_yes_or_no)),
    "resign": (_ID,),
    "bot_takes": (_ID, ("seat", False, _is_number)),
    "bot_returns": (_ID,),
    "ping": (_ID,),
}


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
            message = await (self.socket.receive() if self._line is None else self._line.next())
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
