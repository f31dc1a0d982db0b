"""kill -9 under load, again and again on the same store: what was acknowledged or shown is there, whole, and the games go on."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from drunemeton.client import Client, ServerError, ask, make_table
from drunemeton.store import SqliteStore
from drunemeton.table import Table

from ..patience import PATIENCE, comes_true
from .house import TWO

TABLES = 6
SERVE = """
import sys
from pathlib import Path
from drunemeton.server import serve
sys.exit(serve("127.0.0.1", int(sys.argv[1]), None, Path(sys.argv[2]), False))
"""
BROKEN = (OSError, EOFError, ConnectionClosed, InvalidHandshake, ServerError, TimeoutError)


class Promise:
    """What the server promised of one table: the id that each acknowledged revision had, and the newest revision shown."""

    def __init__(self, made: Any) -> None:
        self.made, self.sessions = made, [None, None]
        self.acknowledged: dict[int, str] = {}
        self.shown = 0


def start(port: int, path: Any) -> Any:
    server = subprocess.Popen([sys.executable, "-c", SERVE, str(port), str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + PATIENCE
    while True:
        try:
            ask(f"http://127.0.0.1:{port}/api/health")
            return server
        except ServerError:
            assert server.poll() is None
            assert time.monotonic() < until
            time.sleep(0.03)


def play(url: str, promise: Any, rng: random.Random) -> None:
    """Two players at a table, until the server dies."""
    clients = []
    try:
        for seat in (0, 1):
            if promise.sessions[seat] is None:
                ident, key = promise.made["table"], promise.made["keys"][seat]
                promise.sessions[seat] = ask(f"{url}/api/tables/{ident}/session", "POST", token=key)["session"]
            clients.append(Client(url, promise.made["table"], promise.sessions[seat]))
        while clients[0].state["waiting_for"]:
            clients[0].receive(PATIENCE)
        while not clients[0].over:
            for client in clients:
                promise.shown = max(promise.shown, client.state["revision"])
            turn = clients[0].state["turn"]
            mover = clients[turn]
            ident = f"{rng.random()}"
            mover.send({"type": "move", "id": ident, "revision": mover.state["revision"], "move": rng.choice(mover.state["legal"])})
            while True:
                message = mover.receive(PATIENCE)
                if message["type"] == "ack":
                    promise.acknowledged[message["revision"]] = ident
                    revision = message["revision"]
                    break
            for client in clients:
                while client.state["revision"] < revision:
                    client.receive(PATIENCE)
    except BROKEN:
        return
    finally:
        for client in clients:
            with contextlib.suppress(*BROKEN):
                client.close()


def check(path: Any, promises: Any) -> Any:
    store = SqliteStore(path)
    try:
        kept = 0
        for promise in promises:
            entries = [json.loads(entry) for entry in store.entries(promise.made["table"])]
            for revision, ident in promise.acknowledged.items():
                assert entries[revision]["client"][1] == ident
                kept += 1
            assert promise.shown < len(entries)
            table = Table.rebuild(promise.made["table"], entries)
            assert table.revision == len(entries) - 1
        return kept
    finally:
        store.close()


def wait_for_a_promise(promises: list[Promise]) -> None:
    def promised() -> int:
        return sum(len(promise.acknowledged) for promise in promises)

    before = promised()
    assert comes_true(lambda: promised() > before)


def kill_again_and_again(times: int, path: Any) -> Any:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url, rng = f"http://127.0.0.1:{port}", random.Random(times)
    promises: list[Any] = []
    all_promises: list[Any] = []
    acknowledged = 0
    for _ in range(times):
        server = start(port, path)
        try:
            running = [promise for promise in promises if not ask(f"{url}/api/tables/{promise.made['table']}")["over"]]
            fresh = [Promise(make_table(url, "druidenwalzer", TWO)) for _ in range(TABLES - len(running))]
            promises = running + fresh
            all_promises += fresh
            threads = [threading.Thread(target=play, args=(url, promise, random.Random(rng.random()))) for promise in promises]
            for thread in threads:
                thread.start()
            wait_for_a_promise(all_promises)
            time.sleep(rng.uniform(0.0, 0.35))
        finally:
            server.kill()
            server.wait()
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        acknowledged = check(path, all_promises)
    assert acknowledged > times
    return acknowledged


def test_six_kills(tmp_path: Path) -> None:
    kill_again_and_again(6, tmp_path / "tables.db")


@pytest.mark.proof
def test_two_hundred_kills(tmp_path: Path) -> None:
    print(kill_again_and_again(200, tmp_path / "tables.db"), "acknowledged moves, all kept")
