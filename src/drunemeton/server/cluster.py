"""Several servers on one database: any of them takes any connection, and passes it through to the one that plays the table.

A request for a table that another server plays goes on to that server's own address, with the caller's address and the cluster's secret in
two headers; nobody else's word about who called is believed. A server that refuses connections is dead: its table is taken over at once.
One that hangs is left to its lease, and what was passed to it is cut when that has run out, so that clients come again. A review of a
record and an experiment live in the server that began them: their names begin with its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from ..store import Owner, StoreError
from .limits import PASSED, client_of
from .logs import log
from .pages import error
from .registry import TableRegistry
from .settings import Settings

SECRET, CLIENT = "x-drunemeton-secret", "x-drunemeton-client"
TABLE = re.compile(r"^/api/tables/([A-Za-z0-9_-]{1,64})(?:/|$)")
WORK = re.compile(r"^/api/(?:reviews|lab)/([0-9a-f]{16})-")
CONNECT_SECONDS = 3.0  # longer than a lease: who does not take a connection in that time is dead
PASS_SECONDS = 10.0  # for the head of an answer
PIECE = 1 << 16
WATCH_SECONDS = 0.5
HOP_BY_HOP = {
    "connection",
    "expect",
    "keep-alive",
    "transfer-encoding",
    "te",
    "trailer",
    "upgrade",
    "host",
    "content-length",
    SECRET,
    CLIENT,
}
RESTART = 1012  # a WebSocket's closing code: come again

GetRegistry = Callable[[], TableRegistry]


class Recognise:
    """Requests that another server of the cluster has passed on count for who made them; whoever only says so is refused."""

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self.app, self.secret = app, secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] in {"http", "websocket"}:
            headers = Headers(scope=scope)
            said = headers.get(SECRET)
            if said is not None:
                if not hmac.compare_digest(said.encode(), self.secret):
                    if scope["type"] == "http":
                        await error(403, "secret", "this is for the servers of a cluster among themselves")(scope, receive, send)
                    else:
                        await send({"type": "websocket.close", "code": 1008})
                    return
                scope = {**scope, "client": (headers.get(CLIENT, "?"), 0), PASSED: True}
        await self.app(scope, receive, send)


class Passage:
    """Requests for a table that another server plays go there."""

    def __init__(self, app: ASGIApp, settings: Settings, registry: GetRegistry, secret: str) -> None:
        self.app, self.settings, self.registry, self.secret = app, settings, registry, secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] not in {"http", "websocket"} or scope.get(PASSED):
            await self.app(scope, receive, send)
        elif found := TABLE.match(scope["path"]):
            await self._pass_on(scope, receive, send, self.registry().locate(found[1]), found[1])
        elif scope["type"] == "http" and (named := WORK.match(scope["path"])):
            await self._pass_on(scope, receive, send, self.registry().neighbour(named[1]), None)
        else:
            await self.app(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send, whose: Awaitable[Owner | None], ident: str | None) -> None:
        """To whoever plays a table (`ident`) or works at something of its own; what is nobody else's is answered here."""
        try:
            owner = await whose
        except StoreError as problem:
            log("locate_failed", level=logging.ERROR, problem=problem, table=ident)
            await self._come_again(scope, receive, send)
            return
        if owner is None:
            await self.app(scope, receive, send)
        elif ident is None or scope["type"] == "http":
            await self._pass_request(scope, receive, send, ident, owner)
        else:
            await self._pass_socket(scope, receive, send, ident, owner)

    async def _come_again(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await error(503, "store", "the table is changing hands; try again")(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": RESTART})

    def _headers(self, scope: Scope) -> dict[str, str]:
        kept = {name: value for name, value in Headers(scope=scope).items() if name not in HOP_BY_HOP and not name.startswith("sec-")}
        return {**kept, SECRET: self.secret, CLIENT: client_of(scope)}

    # --- HTTP

    async def _pass_request(self, scope: Scope, receive: Receive, send: Send, ident: str | None, owner: Owner) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if message["type"] == "http.disconnect":
                return
            if not message.get("more_body"):
                break
        passed, writer = self.registry().passed, None
        try:
            reader, writer = await asyncio.wait_for(asyncio.open_connection(*_place(owner.address), limit=PIECE), CONNECT_SECONDS)
            passed[writer] = owner.process
            writer.write(_request(scope, body, self._headers(scope)))
            status, headers = await asyncio.wait_for(_opening(reader), PASS_SECONDS)
        except ConnectionRefusedError:
            if ident is not None:
                await self.registry().take_from(ident, owner)
            await self.app(scope, _again(receive, {"type": "http.request", "body": body, "more_body": False}), send)
            return
        except (OSError, ValueError, EOFError, asyncio.LimitOverrunError) as problem:
            log("pass_failed", level=logging.WARNING, problem=problem, table=ident)
            await error(503, "store", "the table is changing hands; try again")(scope, receive, send)
            return
        else:
            kept = [(name, value) for name, value in headers.items() if name.decode("latin-1") not in HOP_BY_HOP - {"content-length"}]
            await send({"type": "http.response.start", "status": status, "headers": kept})
            leaving = asyncio.create_task(_cut_when_gone(receive, writer))
            try:
                if scope["method"] != "HEAD" and status not in {204, 304}:
                    async for piece in _body(reader, headers):
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
            except (OSError, EOFError, ValueError) as problem:  # then the caller's answer breaks off too
                log("pass_broken", level=logging.WARNING, problem=problem, table=ident)
            finally:
                leaving.cancel()
        finally:
            if writer is not None:
                passed.pop(writer, None)
                writer.transport.abort()

    # --- WebSockets

    async def _pass_socket(self, scope: Scope, receive: Receive, send: Send, ident: str, owner: Owner) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        opening = await receive()
        if not self.settings.host_is_ours(host) or not self.settings.origin_is_ours(headers.get("origin"), host):
            await send({"type": "websocket.close", "code": 1008})
            return
        address = f"ws://{owner.address}{scope['raw_path'].decode()}"
        told = {SECRET: self.secret, CLIENT: client_of(scope)}
        try:
            there = await connect(
                address,
                additional_headers=told,
                compression=None,
                max_size=1 << 22,
                open_timeout=CONNECT_SECONDS,
                ping_interval=None,
                proxy=None,
            )
        except ConnectionRefusedError:
            await self.registry().take_from(ident, owner)
            await self.app(scope, _again(receive, opening), send)
            return
        except (OSError, TimeoutError, InvalidHandshake, InvalidMessage, ConnectionClosed) as problem:
            log("pass_failed", level=logging.WARNING, problem=problem, table=ident)
            await send({"type": "websocket.close", "code": RESTART})
            return
        await send({"type": "websocket.accept"})
        passed = self.registry().passed
        passed[there] = owner.process
        try:
            await _between(receive, send, there)
        finally:
            passed.pop(there, None)
            await there.close()


def _again(receive: Receive, first: Message) -> Receive:
    """Hear a message once more."""
    waiting = [first]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed


async def _between(receive: Receive, send: Send, there: ClientConnection) -> None:
    """Carry messages to and fro until either side goes."""

    async def up() -> None:
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            said: Any = message.get("text")
            await there.send(message.get("bytes") or b"" if said is None else said)

    async def down() -> None:
        async for said in there:
            await send({"type": "websocket.send", **({"text": said} if isinstance(said, str) else {"bytes": said})})

    ways = [asyncio.create_task(up()), asyncio.create_task(down())]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        ended = await asyncio.gather(*ways, return_exceptions=True)
    for problem in ended:
        if isinstance(problem, Exception) and not isinstance(problem, ConnectionClosed | RuntimeError | OSError):
            raise problem
    if ways[1].done() and not ways[1].cancelled():
        with contextlib.suppress(RuntimeError, OSError):
            await send({"type": "websocket.close", "code": _code(there.close_code)})


def _code(code: int | None) -> int:
    """A code that may be sent: a connection that broke has none, and then one comes again."""
    return code if code is not None and code not in {1004, 1005, 1006, 1015} else RESTART


# --- An answer of another server


def _place(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def _request(scope: Scope, body: bytes, headers: dict[str, str]) -> bytes:
    target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    told = {**headers, "host": Headers(scope=scope).get("host", ""), "content-length": str(len(body)), "connection": "close"}
    lines = [
        b"%b %b HTTP/1.1" % (scope["method"].encode(), target),
        *(f"{name}: {value}".encode("latin-1") for name, value in told.items()),
    ]
    return b"\r\n".join([*lines, b"", body])


async def _opening(reader: asyncio.StreamReader) -> tuple[int, dict[bytes, bytes]]:
    """How an answer begins: its status and its headers."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
    return int(first.split()[1]), {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}


async def _body(reader: asyncio.StreamReader, headers: dict[bytes, bytes]) -> AsyncIterator[bytes]:
    """What follows, piece by piece as it comes."""
    if headers.get(b"transfer-encoding") == b"chunked":
        while size := int(await reader.readline(), 16):
            yield await reader.readexactly(size)
            await reader.readline()
        return
    left = int(headers.get(b"content-length", 0))
    while left:
        piece = await reader.read(min(left, PIECE))
        if not piece:
            raise EOFError
        left -= len(piece)
        yield piece


async def _cut_when_gone(receive: Receive, writer: asyncio.StreamWriter) -> None:
    """Nobody reads on: then nothing more is to be said."""
    while (await receive())["type"] != "http.disconnect":
        pass
    writer.transport.abort()


async def watch(registry: TableRegistry) -> None:
    """See who of the others lives: cut what was passed to the dead, take over tables whose clocks run, and leave those that were taken."""
    shared = registry.shared
    assert shared is not None
    lapses = shared.lapses
    while True:
        await asyncio.sleep(WATCH_SECONDS)
        try:
            if shared.lapses != lapses:
                lapses = shared.lapses
                log("lease_lapsed", level=logging.WARNING, tables=len(registry.tables))
                for live in list(registry.tables.values()):
                    live.drop("stopping")
            for there, process in list(registry.passed.items()):
                if shared.peers and process not in shared.peers:
                    there.transport.abort()
            for ident in await asyncio.to_thread(shared.abandoned):
                if await registry.locate(ident) is None:
                    await registry.find(ident)
        except Exception as problem:  # whatever it is, the next look may do better
            log("watch_failed", level=logging.ERROR, problem=problem)
