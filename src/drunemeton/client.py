"""A seat at a table of a server, from Python: for bots, for tests, and for the terminal.

>>> with Client.join("http://localhost:8137/t/ID#KEY") as table:
...     for state in table.turns():
...         table.play(state["legal"][0])
"""

from __future__ import annotations

import contextlib
import http.client
import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import SplitResult, urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from .locales import tell_reason
from .rules.errors import GameError, Reason

Message = dict[str, Any]

TRIES = 8  # to come back after the connection broke: about a minute
HAIR = 0.01  # of a message more than is needed: server and client round differently
SHOWN = {"welcome", "state", "events"}
COME_AGAIN = {"idle", "stopping"}  # sent away for these, one may come back
LEAVING = 1.0  # seconds to say goodbye: what is still unread may stand in the way of the answer
PING_SECONDS = 20.0  # silence after which we say that we are still here


def parts_of(link: str) -> SplitResult:
    """A link, taken apart."""
    try:
        return urlsplit(link)
    except ValueError as problem:
        raise ServerError("link", f"this is no link: {problem}") from problem


def fetch_record(link: str) -> str:
    """The record of a finished game, by the link to its table or to its replay."""
    parts = parts_of(link)
    folder, _, ident = parts.path.rstrip("/").rpartition("/")
    way = next((one for one in ("/t", "/replay", "/api/tables") if folder.endswith(one)), None)
    if parts.scheme not in {"http", "https"} or not ident or way is None:
        raise ServerError("link", "a link to a game looks like http://HOST/t/TABLE or http://HOST/replay/TABLE")
    return str(ask(f"{parts.scheme}://{parts.netloc}{folder.removesuffix(way)}/api/tables/{ident}/record"))


class ServerError(Exception):
    """The server answered with an error, or sent us away."""

    def __init__(self, code: str, message: str, status: int = 0) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.status = code, status


class Interrupted(ServerError):
    """The server has closed the connection, and one may come again."""


class MoveRefused(GameError):
    """The table does not do that now; nothing has changed."""

    def __init__(self, reason: Reason) -> None:
        code = f"{reason.code}, {reason.rule}" if reason.rule else reason.code
        super().__init__(f"{tell_reason('en', reason.code, reason.params)} ({code})")
        self.reason = reason


class Stale(MoveRefused):
    """The table has changed since the move was thought of: look again."""


BROKEN = (ConnectionClosed, Interrupted)


def ask(url: str, method: str = "GET", body: Any = None, token: str | None = None) -> Any:
    """One HTTP request; answers what the JSON says."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers={"content-type": "application/json"})
    if token:
        request.add_header("authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
            return json.loads(text) if "json" in answer.headers.get("content-type", "") else text
    except urllib.error.HTTPError as problem:
        with problem:
            try:
                found = json.loads(problem.read())["error"]
            except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
                found = {"code": "http", "message": problem.reason}
        raise ServerError(found["code"], found["message"], problem.code) from None
    except urllib.error.URLError as problem:
        raise ServerError("unreachable", getattr(problem.reason, "strerror", None) or str(problem.reason)) from None
    except (OSError, http.client.HTTPException) as problem:  # it broke off in the middle of its answer
        raise ServerError("unreachable", str(problem)) from None


def make_table(server: str, game: str, seats: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """Make a table; answers what the server says, and the links to its seats."""
    made: dict[str, Any] = ask(f"{server}/api/tables", "POST", {"game": game, "seats": list(seats), **more})
    made["links"] = [None if key is None else f"{server}/t/{made['table']}#{key}" for key in made["keys"]]
    made["watch_link"] = f"{server}/t/{made['table']}#{made['watch']}"
    return made


class Pace:
    """How much a client may say, never counted as more than the server counts.

    The server hears a message at some time between its sending and its answer, and what it would have filled up by then is lost if it was
    full. So a message is counted when its answer has come: then the server has at least as much left as we believe.
    """

    def __init__(self, allowance: Message, clock: Callable[[], float] = time.monotonic) -> None:
        self.a_second, self.at_once = float(allowance["a_second"]), float(allowance["at_once"])
        self.costs: dict[str, int] = allowance["costs"]
        self.clock = clock
        self._left, self._counted = self.at_once, clock()

    def wait(self, kind: str) -> float:
        """In how many seconds a message of that kind may be sent."""
        return max(0.0, (self.costs.get(kind, 1) + HAIR - self._now()) / self.a_second)

    def heard(self, kind: str) -> None:
        """The server has heard such a message by now."""
        self._left, self._counted = self._now() - self.costs.get(kind, 1), self.clock()

    def _now(self) -> float:
        return min(self.at_once, self._left + (self.clock() - self._counted) * self.a_second)


class Client:
    """One connection to a table. What was last shown is in `state`, what was told since in `told`."""

    def __init__(self, server: str, table: str, session: str) -> None:
        self.server, self.table_id, self.session = server.rstrip("/"), table, session
        self.seat: int | None = None
        self.table: Message = {}
        self.state: Message = {}
        self.told: list[Message] = []  # events not yet taken by `news`
        self.notes: list[Message] = []
        self.words: list[Message] = []  # what others have said
        self._socket: ClientConnection | None = None
        self._open = contextlib.ExitStack()
        self._pace = Pace({"a_second": 1.0, "at_once": 1.0, "costs": {}})  # until we are welcomed
        self._spoke = 0.0
        self.connect()

    @classmethod
    def join(cls, link: str, name: str | None = None, beside: str | None = None) -> Self:
        """Come to a table by the link to a seat, or to watch; `beside` is a session of who sits at this device already."""
        parts = parts_of(link)
        folder, _, ident = parts.path.rpartition("/")
        if parts.scheme not in {"http", "https"} or not parts.fragment or not ident or not folder.endswith("/t"):
            raise ServerError("link", "a link to a seat looks like http://HOST/t/TABLE#KEY")
        server = f"{parts.scheme}://{parts.netloc}{folder.removesuffix('/t')}"
        body = {key: value for key, value in (("name", name), ("beside", beside)) if value} or None
        made = ask(f"{server}/api/tables/{ident}/session", "POST", body, token=parts.fragment)
        return cls(server, ident, made["session"])

    # --- The connection

    def connect(self) -> None:
        """Open the connection, or open it anew; what was missed is told."""
        self.close()
        address = "ws" + self.server.removeprefix("http") + f"/api/tables/{self.table_id}/play"
        self._socket = self._open.enter_context(
            connect(address, max_size=2**22, compression=None, proxy=None, ping_interval=None, close_timeout=LEAVING)
        )
        with contextlib.suppress(ConnectionClosed):  # sent away at once: why is still to be read
            self.send({"type": "hello", "session": self.session, "build": None, "revision": self.state.get("revision")})
        while self.receive()["type"] != "welcome":
            pass

    def come_back(self) -> None:
        """Connect again after the connection broke, with patience."""
        for number in range(TRIES):
            try:
                self.connect()
                return
            except (OSError, ConnectionClosed, InvalidHandshake, ServerError) as problem:
                if isinstance(problem, ServerError) and problem.code in {"session", "no_table"}:
                    raise
                time.sleep(min(10.0, 0.2 * 2**number))
        raise ServerError("unreachable", "the server does not answer")

    def send(self, message: Message | str) -> None:
        """Send a message as it is."""
        assert self._socket is not None
        self._spoke = time.monotonic()
        self._socket.send(message if isinstance(message, str) else json.dumps(message))

    def stay(self) -> None:
        """Say that we are still here, if nothing was said for long: a server sends those away who seem to sleep."""
        if time.monotonic() - self._spoke >= PING_SECONDS:
            self.send({"type": "ping", "id": "alive"})
            self._pace.heard("ping")

    def _read(self, text: str | bytes) -> Message:
        return cast(Message, json.loads(text))

    def receive(self, timeout: float | None = 60) -> Message:
        """The next message; what it shows is taken in. An error that the server tells is raised."""
        assert self._socket is not None
        message = self._read(self._socket.recv(timeout))
        kind = message["type"]
        if kind in SHOWN:
            self.state = message
            self.told += message.get("events") or message.get("missed") or []
            if message.get("note"):
                self.notes.append(message["note"])
        if kind == "said" and message["seat"] != self.seat:
            self.words.append(message)
        if kind == "welcome":
            self.seat, self.table, self._pace = message["seat"], message["table"], Pace(message["allowance"])
            self._pace.heard("hello")
        if kind == "error":
            raise (Interrupted if message["code"] in COME_AGAIN else ServerError)(message["code"], message["message"])
        return message

    def close(self) -> None:
        """Leave; the seat stays ours."""
        self._socket = None
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- Asking and playing

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state["result"] is not None

    @property
    def my_turn(self) -> bool:
        """Whether this seat must decide, and no bot decides for it."""
        return self.seat is not None and self.state["turn"] == self.seat and self.state["presence"][self.seat] != "bot"

    def news(self) -> list[Message]:
        """The events since this was last asked."""
        told, self.told = self.told, []
        return told

    def do(self, kind: str, *, ident: str | None = None, **fields: Any) -> Message:
        """Send a request, and wait for its answer and for what it changed.

        If the connection breaks, it is sent again: the server carries it out once.
        """
        ident = ident or uuid.uuid4().hex
        message = {"type": kind, "id": ident, **fields}
        while True:
            time.sleep(self._pace.wait(kind))
            try:
                self.send(message)
                while True:
                    answer = self.receive()
                    if answer.get("id") == ident:
                        break
                self._pace.heard(kind)
            except BROKEN:
                self.come_back()
                continue
            if answer["type"] == "refused":
                reason = Reason(**answer["reason"])
                raise (Stale if reason.code == "stale" else MoveRefused)(reason)
            while answer["type"] == "ack" and self.state["revision"] < answer["revision"]:
                self.receive()
            return answer

    def play(self, move: str) -> int:
        """Play a move; answers the revision at which it is durable, with the new state taken in.

        If the others have only come, gone or asked for something since, it is played all the same; if the position has changed, `Stale` is
        raised, and `turns` asks again if it is still our turn.
        """
        while True:
            seen = self.state
            try:
                return int(self.do("move", revision=seen["revision"], move=move)["revision"])
            except Stale:
                same = all(self.state[part] == seen[part] for part in ("view", "legal", "turn"))
                if self.state["revision"] == seen["revision"] or not same:
                    raise

    def preview(self, move: str) -> list[Message]:
        """What a move would bring, as far as this seat can know."""
        return list(self.do("preview", revision=self.state["revision"], move=move)["foreseen"])

    def hint(self) -> list[Message]:
        """The best moves for this seat, each with its chance to win and how sure that is; only where nobody else is a person."""
        return list(self.do("hint", revision=self.state["revision"])["moves"])

    def undo(self) -> None:
        """Take back the own last step, or ask the others to agree."""
        self.do("undo")

    def resign(self) -> None:
        """Give up."""
        self.do("resign")

    def turns(self) -> Iterator[Message]:
        """The state each time this seat must decide, until the game is over."""
        while not self.over:
            if self.my_turn:
                yield self.state
                continue
            try:
                with contextlib.suppress(TimeoutError):
                    self.receive(timeout=PING_SECONDS)
                self.stay()
            except BROKEN:
                self.come_back()

    def record(self) -> str:
        """The record of the finished game."""
        return str(ask(f"{self.server}/api/tables/{self.table_id}/record"))
