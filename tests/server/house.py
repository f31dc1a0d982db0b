"""A server over real sockets, in a thread of this process, for tests; time and tokens can be handed in."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

import uvicorn
from pydantic import Field, TypeAdapter

from drunemeton.client import Client, make_table
from drunemeton.rules.game import find_game
from drunemeton.server import Settings
from drunemeton.server.app import create_app
from drunemeton.server.protocol import ServerMessage
from drunemeton.server.serve import config_for
from drunemeton.store.postgres import PostgresStore

from ..patience import PATIENCE, comes_true

PERSON = {"kind": "person"}
BOT = {"kind": "bot", "bot": "random"}
TWO = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]
PEOPLE = [*TWO, {"kind": "person", "name": "Cy"}]


def _told_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs), f"a field is told twice: {pairs}"
    return dict(pairs)


sent: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


class CheckedClient(Client):
    """A client that holds everything it is sent against the protocol's description, and takes no field twice."""

    def _read(self, text: str | bytes) -> Any:
        return json.loads(text, object_pairs_hook=_told_once)

    def receive(self, timeout: float | None = 60) -> Any:
        message = super().receive(timeout)
        sent.validate_python(message)
        return message


class House:
    """A running server."""

    def __init__(self, settings: Settings, *, small_buffers: bool = False, database: str | None = None) -> None:
        self.listening = socket.socket()
        if small_buffers:
            self.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
        self.listening.bind(("127.0.0.1", 0))
        self.settings = replace(settings, port=self.listening.getsockname()[1])
        self.store = PostgresStore(database, f"127.0.0.1:{self.settings.port}") if database else None
        self.app = create_app(self.settings, self.store)
        self.server = uvicorn.Server(config_for(self.settings, self.app))
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.url = f"http://127.0.0.1:{self.settings.port}"

    def _run(self) -> None:
        asyncio.run(self.server.serve(sockets=[self.listening]))

    def __enter__(self) -> House:
        self.thread.start()
        assert comes_true(lambda: self.server.started)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        self.listening.close()
        assert not self.thread.is_alive()

    @property
    def registry(self) -> Any:
        return self.app.state.registry

    def table(self, seats: Any = None, game: str = "druidenwalzer", **more: Any) -> Any:
        return make_table(self.url, game, seats or PEOPLE[: find_game(game).players[0]], **more)

    @contextlib.contextmanager
    def players(self, made: Any) -> Iterator[Any]:
        clients: list[Client] = []
        with contextlib.ExitStack() as stack:
            for link in filter(None, made["links"]):
                beside = clients[0].session if clients else None
                clients.append(stack.enter_context(CheckedClient.join(link, beside=beside)))
            settle(clients, max(client.state["revision"] for client in clients))
            yield clients


def listen(client: Any) -> None:
    """Take in whatever comes, until the server closes the connection."""
    while True:
        client.receive()


def settle(clients: Any, revision: Any = None) -> None:
    """Let everybody take in what the server has said."""
    revision = max(client.state["revision"] for client in clients) if revision is None else revision
    for client in clients:
        while client.state["revision"] < revision:
            client.receive()


def play_on(clients: Any, rng: random.Random, moves: int = 10_000) -> None:
    """Play at random for so many moves; everybody holds every update."""
    for _ in range(moves):
        settle(clients)
        mover = next((client for client in clients if client.my_turn), None)
        if mover is None or mover.over:
            return
        mover.play(rng.choice(mover.state["legal"]))
    settle(clients)


def rng(seed: int = 1) -> Any:
    return random.Random(seed)
