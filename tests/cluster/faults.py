"""`make faults`: people play while servers are killed and paused and the database is restarted; then every history is held to the store.

Nothing that was acknowledged may be lost, nothing played twice; what each seat was shown must be what the rules show it, neither less nor
more: a view that disagrees with the others' or tells another's secret differs from it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import signal
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from drunemeton.client import Client, ServerError, make_table
from drunemeton.rules.errors import GameError
from drunemeton.store.postgres import LEASE_SECONDS, PostgresStore
from drunemeton.table import Table

from ..postgres import PrivatePostgres
from .proxy import Proxy
from .servers import ServerProcess, free_ports

GAMES = ("druidenwalzer", "celtica")
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]
WAIT_SECONDS = 4.0  # for an answer; then one comes again
BROKEN = (OSError, EOFError, ConnectionClosed, InvalidHandshake, InvalidMessage, ServerError, TimeoutError)
WRONG = ("lost", "twice", "wrong views", "unplayable")
VIEWS = 25  # of each seat at each table that are held to the rules, drawn by lot


@dataclass
class History:
    """What one player was told."""

    table: str
    seat: int
    acknowledged: dict[int, str] = field(default_factory=dict)  # by revision
    sent: set[str] = field(default_factory=set)
    shown: dict[int, list[str]] = field(default_factory=dict)  # views by revision


class Player(threading.Thread):
    """A person at a seat, who comes again whenever the connection breaks, and repeats what was not acknowledged."""

    def __init__(self, url: str, history: History, key: str, pace: float, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.url, self.history, self.key, self.pace, self.stop = url, history, key, pace, stop
        self.rng = random.Random(history.seat)
        self.last_answer = time.monotonic()
        self.over = False
        self.client: Client | None = None
        self.doing: tuple[str, str, int] | None = None  # id, move, revision

    def run(self) -> None:
        while not (self.stop.is_set() or self.over):
            try:
                self._turn()
            except BROKEN:
                self._leave()
                time.sleep(0.1)
        self._leave()

    def _leave(self) -> None:
        if self.client is not None:
            with contextlib.suppress(*BROKEN):
                self.client.close()
            self.client = None

    def _turn(self) -> None:
        if self.client is None:
            self.client = Client.join(f"{self.url}/t/{self.history.table}#{self.key}")
            self._note()
        client = self.client
        if client.over:
            self.over = True
        elif self.doing is not None or (client.my_turn and not client.state["waiting_for"]):
            self._move(client)
        else:
            client.receive(WAIT_SECONDS)
            self._note()

    def _note(self) -> None:
        assert self.client is not None
        state = self.client.state
        text = json.dumps(state["view"], sort_keys=True)
        known = self.history.shown.setdefault(state["revision"], [])
        if text not in known:
            known.append(text)

    def _move(self, client: Client) -> None:
        if self.doing is None:
            time.sleep(self.pace * self.rng.random())
            self.doing = (uuid.uuid4().hex, self.rng.choice(client.state["legal"]), client.state["revision"])
            self.history.sent.add(self.doing[0])
        ident, move, revision = self.doing
        client.send({"type": "move", "id": ident, "revision": revision, "move": move})
        while True:
            message = client.receive(WAIT_SECONDS)
            self._note()
            if message.get("id") != ident:
                continue
            if message["type"] == "ack":
                self.history.acknowledged[message["revision"]] = ident
                self.last_answer = time.monotonic()
            self.doing = None  # acknowledged, or refused because the table has moved on
            while message["type"] == "ack" and client.state["revision"] < message["revision"]:
                client.receive(WAIT_SECONDS)
                self._note()
            return


def differences(store: PostgresStore, histories: list[History], rng: random.Random) -> Counter[str]:
    """What is wrong: moves lost, played twice, and views that the rules do not show this seat."""
    found: Counter[str] = Counter({"acknowledged": 0, "lost": 0, "twice": 0, "wrong views": 0, "views": 0, "unplayable": 0})
    for ident in {one.table for one in histories}:
        entries = [json.loads(entry) for entry in store.entries(ident)]
        try:
            Table.rebuild(ident, entries)
        except GameError:
            found["unplayable"] += 1
            continue
        ids = Counter(entry["client"][1] for entry in entries if entry.get("client"))
        found["twice"] += sum(count - 1 for count in ids.values())
        for one in (one for one in histories if one.table == ident):
            found["acknowledged"] += len(one.acknowledged)
            for revision, said in one.acknowledged.items():
                there = entries[revision].get("client") if revision < len(entries) else None
                found["lost"] += not there or there[1] != said
            found["wrong views"] += sum(len(views) > 1 for views in one.shown.values())
            for revision in rng.sample(sorted(one.shown), min(VIEWS, len(one.shown))):
                found["views"] += 1
                if revision >= len(entries):
                    found["wrong views"] += 1
                    continue
                view = Table.rebuild(ident, entries[: revision + 1]).seen_by(one.seat)["view"]
                found["wrong views"] += one.shown[revision][0] != json.dumps(view, sort_keys=True)
    return found


class Faults:
    """A cluster under load, and what is done to it."""

    def __init__(self, servers: int, tables: int, *, pace: float = 0.2, planted: bool = False, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.stop = threading.Event()
        self.closing = contextlib.ExitStack()
        folder = Path(self.closing.enter_context(tempfile.TemporaryDirectory()))
        self.database = PrivatePostgres(durable=True)
        self.closing.callback(self.database.close)
        ports = free_ports(servers)
        self.servers = [ServerProcess(self.database.where, port, folder, planted=planted) for port in ports]
        for server in self.servers:
            self.closing.callback(server.close)
            server.start()
        for server in self.servers:
            server.wait()
        self.proxy = Proxy(ports)
        self.closing.callback(self.proxy.close)
        self.watcher = PostgresStore(self.database.where, "127.0.0.1:1")
        self.closing.callback(self.watcher.close)
        self.tables, self.pace = tables, pace
        self.histories: list[History] = []
        self.players: list[Player] = []
        self.away: list[float] = []
        self.fill()

    def fill(self) -> None:
        """As many tables as there should be; those that are over are followed by new ones."""
        while len([one for one in self.players if not one.over]) < 2 * self.tables:
            try:
                made = make_table(self.proxy.url, self.rng.choice(GAMES), PEOPLE)
            except BROKEN:
                time.sleep(0.1)
                continue
            for seat, key in enumerate(made["keys"]):
                history = History(made["table"], seat)
                player = Player(self.proxy.url, history, key, self.pace, self.stop)
                self.histories.append(history)
                self.players.append(player)
                player.start()

    def owned(self, server: ServerProcess) -> set[str]:
        """The tables that a server plays, as the database has it."""
        address = f"127.0.0.1:{server.port}"
        rows = self.watcher._rows("select table_id from owners join processes on id = owner where address = %s and until > now()", address)
        return {row[0] for row in rows}

    def playing(self, seconds: float) -> None:
        """Let them play for a while."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.fill()
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill a server as it is, and start it again; how long were its tables away?"""
        server = self.rng.choice(self.servers)
        hit = [one for one in self.players if not one.over and one.history.table in self.owned(server)]
        began = time.monotonic()
        server.send(signal.SIGKILL)
        server.start()
        by_table: dict[str, list[Player]] = {}
        for one in hit:
            by_table.setdefault(one.history.table, []).append(one)
        until = began + 60
        while by_table and time.monotonic() < until:
            for ident, players in list(by_table.items()):
                answered = [one.last_answer for one in players if one.last_answer > began]
                if answered:
                    self.away.append(min(answered) - began)
                if answered or all(one.over for one in players):
                    del by_table[ident]
            time.sleep(0.02)
        self.away += [60.0] * len(by_table)
        server.wait()

    def pause(self) -> None:
        """Let a server sleep longer than its lease, then go on as if nothing had been."""
        server = self.rng.choice(self.servers)
        server.send(signal.SIGSTOP)
        self.playing(LEASE_SECONDS + 1.0 + self.rng.random())
        server.send(signal.SIGCONT)
        self.playing(0.5)

    def restart(self) -> None:
        """Restart the database, gently or not."""
        self.database.stop(self.rng.choice([signal.SIGINT, signal.SIGQUIT]))
        time.sleep(self.rng.random())
        self.database.start()

    def check(self) -> Counter[str]:
        """Stop playing, and hold every history to the store."""
        self.stop.set()
        for player in self.players:
            player.join(30)
        return differences(self.watcher, self.histories, self.rng)

    def close(self) -> None:
        """End everything."""
        self.stop.set()
        self.closing.close()


def run(
    kills: int, pauses: int, restarts: int, *, servers: int = 3, tables: int = 6, planted: bool = False, told: bool = False
) -> dict[str, Any]:
    """So many faults under load; answers what was found."""
    faults = Faults(servers, tables, planted=planted)
    try:
        plan = ["kill"] * kills + ["pause"] * pauses + ["restart"] * restarts
        faults.rng.shuffle(plan)
        faults.playing(1.0)
        for number, what in enumerate(plan, 1):
            getattr(faults, what)()
            faults.playing(0.3)
            if told:
                print(f"\r{number} of {len(plan)}: {what}   ", end="", file=sys.stderr, flush=True)
        faults.playing(1.0)
        found = faults.check()
    finally:
        faults.close()
    away = sorted(faults.away)
    return {
        **found,
        "tables": len({one.table for one in faults.histories}),
        "away median": round(statistics.median(away), 2) if away else None,
        "away worst": round(away[-1], 2) if away else None,
        "away counted": len(away),
    }


def main() -> int:
    """From the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--pauses", type=int, default=30)
    parser.add_argument("--restarts", type=int, default=10)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--planted", action="store_true", help="with a writer that looks neither at epochs nor at numbers: must be found")
    given = parser.parse_args()
    found = run(given.kills, given.pauses, given.restarts, servers=given.servers, tables=given.tables, planted=given.planted, told=True)
    print("\n" + json.dumps(found, indent=2))
    wrong = sum(found[what] for what in WRONG)
    return 0 if bool(wrong) == given.planted else 1


if __name__ == "__main__":
    sys.exit(main())
