"""Several servers on one database: any of them takes any connection, and passes it through to the one that plays the table.

A request for a table that another server plays goes on to that server's own address, with the caller's address and the cluster's secret in
two headers; nobody else's word about who called is believed. A server that refuses connections is dead: its table is taken over at once.
One that hangs is left to its lease, and what was passed to it is cut when that has run out, so that clients come again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import http.client
import logging
import re
from collections.abc import Callable
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
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
PASS_SECONDS = 10.0
WATCH_SECONDS = 0.5
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "host", "content-length", SECRET, CLIENT}
RESTART = 1012  # a WebSocket's closing code: come again

InRegistry = Callable[[], TableRegistry]


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

    def __init__(self, app: ASGIApp, settings: Settings, registry: InRegistry, secret: str) -> None:
        self.app, self.settings, self.registry, self.secret = app, settings, registry, secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        found = TABLE.match(scope["path"]) if scope["type"] in {"http", "websocket"} and not scope.get(PASSED) else None
        if found is None:
            await self.app(scope, receive, send)
            return
        try:
            owner = await self.registry().locate(found[1])
        except StoreError as problem:
            log("locate_failed", level=logging.ERROR, problem=problem, table=found[1])
            await self._come_again(scope, receive, send)
            return
        if owner is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._pass_request(scope, receive, send, found[1], owner)
        else:
            await self._pass_socket(scope, receive, send, found[1], owner)

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

    async def _pass_request(self, scope: Scope, receive: Receive, send: Send, ident: str, owner: Owner) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if message["type"] == "http.disconnect":
                return
            if not message.get("more_body"):
                break
        target = scope["raw_path"].decode() + (f"?{scope['query_string'].decode()}" if scope["query_string"] else "")
        try:
            answer = await asyncio.to_thread(_ask, owner.address, scope["method"], target, body, self._headers(scope))
        except ConnectionRefusedError:
            await self.registry().take_from(ident, owner)
            await self.app(scope, _again(receive, {"type": "http.request", "body": body, "more_body": False}), send)
            return
        except (OSError, http.client.HTTPException) as problem:
            log("pass_failed", level=logging.WARNING, problem=problem, table=ident)
            answer = error(503, "store", "the table is changing hands; try again")
        await answer(scope, receive, send)

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
                open_timeout=PASS_SECONDS,
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


def _ask(address: str, method: str, target: str, body: bytes, headers: dict[str, str]) -> Response:
    """The answer of another server."""
    host, _, port = address.rpartition(":")
    with contextlib.closing(http.client.HTTPConnection(host.strip("[]"), int(port), timeout=PASS_SECONDS)) as there:
        there.request(method, target, body or None, headers)
        answer = there.getresponse()
        kept = {name.lower(): value for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP}
        return Response(answer.read(), answer.status, kept)


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
