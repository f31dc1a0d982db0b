"""`make faults`: people and bots play while servers are killed, paused and cut off and the database is restarted and has no room; then
every history is held to the store.

Nothing that was acknowledged may be lost, nothing played twice; what each seat was shown and told must be what the rules show and tell it,
neither less nor more: a view that disagrees with the others' or tells another's secret differs from it.
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
from drunemeton.store import StoreError
from drunemeton.store.postgres import LEASE_SECONDS, PostgresStore
from drunemeton.table import Table

from ..postgres import Disk, PrivatePostgres
from .proxy import Proxy
from .servers import ServerProcess, free_ports
from .wires import Wires, allowed

GAMES = ("druidenwalzer", "celtica")
ADA, BO, BOT = {"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}, {"kind": "bot", "bot": "greedy"}
WITH_BOT = 1 / 6  # of the tables
PORT = 8137  # of a server at the end of a wire of its own
FAULTS = {"kill": 100, "pause": 30, "restart": 10, "cut": 10, "fill": 5}  # what `make faults` does, and how often
NEED_ROOT = {"cut", "fill"}
WAIT_SECONDS = 4.0  # for an answer; then one comes again
AWAY_SECONDS = 60.0  # a table that is away for longer counts with this
Found = dict[str, Any]
BROKEN = (OSError, EOFError, ConnectionClosed, InvalidHandshake, InvalidMessage, ServerError, TimeoutError)
WRONG = ("lost", "twice", "wrong views", "wrong events", "unplayable")
VIEWS = 25  # of each seat at each table that are held to the rules, drawn by lot


@dataclass
class History:
    """What one player was told."""

    table: str
    seat: int
    acknowledged: dict[int, str] = field(default_factory=dict)  # by revision
    sent: set[str] = field(default_factory=set)
    shown: dict[int, list[str]] = field(default_factory=dict)  # views by revision
    told: dict[int, str] = field(default_factory=dict)  # the events of a revision


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
            self._hear(client)

    def _hear(self, client: Client) -> Any:
        message = client.receive(WAIT_SECONDS)
        self._note()
        if message["type"] == "events":
            self.history.told[message["revision"]] = _text(message["events"])
        return message

    def _note(self) -> None:
        assert self.client is not None
        state = self.client.state
        text = _text(state["view"])
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
            message = self._hear(client)
            if message.get("id") != ident:
                continue
            if message["type"] == "ack":
                self.history.acknowledged[message["revision"]] = ident
                self.last_answer = time.monotonic()
            self.doing = None  # acknowledged, or refused because the table has moved on
            while message["type"] == "ack" and client.state["revision"] < message["revision"]:
                self._hear(client)
            return


def _text(shown: Any) -> str:
    return json.dumps(shown, sort_keys=True)


def differences(store: PostgresStore, histories: list[History], rng: random.Random) -> Counter[str]:
    """What is wrong: moves lost, played twice, and views that the rules do not show this seat."""
    found: Counter[str] = Counter(dict.fromkeys(("acknowledged", "views", "events", *WRONG), 0))
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
                table = Table.rebuild(ident, entries[: revision + 1])
                found["wrong views"] += one.shown[revision][0] != _text(table.seen_by(one.seat)["view"])
                if revision in one.told:
                    found["events"] += 1
                    found["wrong events"] += one.told[revision] != _text(table.events_since(revision - 1, one.seat))
    return found


class Faults:
    """A cluster under load, and what is done to it."""

    def __init__(self, servers: int, tables: int, *, pace: float = 0.2, planted: bool = False, rooted: bool = False, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.stop = threading.Event()
        self.closing = contextlib.ExitStack()
        try:
            folder = Path(self.closing.enter_context(tempfile.TemporaryDirectory()))
            self.wires = Wires(servers) if rooted else None
            if self.wires is not None:
                self.closing.callback(self.wires.close)
            host = self.wires.hub if self.wires is not None else "127.0.0.1"
            self.database = PrivatePostgres(durable=True, host=host, disk=Disk() if rooted else None)
            self.closing.callback(self.database.close)
            self.servers = self._started(servers, folder, planted=planted)
            self.proxy = Proxy([server.address for server in self.servers])
            self.closing.callback(self.proxy.close)
            self.watcher = PostgresStore(self.database.where, "127.0.0.1:1")
            self.closing.callback(self.watcher.close)
        except BaseException:
            self.closing.close()
            raise
        self.tables, self.pace = tables, pace
        self.histories: list[History] = []
        self.players: list[Player] = []
        self.away: dict[str, list[float]] = {}
        self.fill_up()

    def _started(self, count: int, folder: Path, *, planted: bool) -> list[ServerProcess]:
        if self.wires is None:
            places = [(f"127.0.0.1:{port}", list[str]()) for port in free_ports(count)]
        else:
            places = [(f"{host}:{PORT}", self.wires.within(number)) for number, host in enumerate(self.wires.hosts)]
        servers = [ServerProcess(self.database.where, address, folder, within=within, planted=planted) for address, within in places]
        for server in servers:
            self.closing.callback(server.close)
            server.start()
        for server in servers:
            server.wait()
        return servers

    def fill_up(self) -> None:
        """As many tables as there should be; those that are over are followed by new ones."""
        while len({one.history.table for one in self.players if not one.over}) < self.tables:
            seats = [ADA, BOT if self.rng.random() < WITH_BOT else BO]
            try:
                made = make_table(self.proxy.url, self.rng.choice(GAMES), seats)
            except BROKEN:
                time.sleep(0.1)
                continue
            for seat, key in enumerate(made["keys"]):
                if key is None:
                    continue
                history = History(made["table"], seat)
                player = Player(self.proxy.url, history, key, self.pace, self.stop)
                self.histories.append(history)
                self.players.append(player)
                player.start()

    def _hit(self, server: ServerProcess) -> dict[str, list[Player]]:
        """Who plays at the tables of a server, as the database has it."""
        rows = self.watcher._rows(
            "select table_id from owners join processes on id = owner where address = %s and until > now()", server.address
        )
        hit: dict[str, list[Player]] = {row[0]: [] for row in rows}
        for one in self.players:
            if not one.over and one.history.table in hit:
                hit[one.history.table].append(one)
        return hit

    def _until_back(self, what: str, hit: dict[str, list[Player]], began: float, on_the_way: float = 0.0) -> None:
        """Wait until somebody's move was acknowledged at each of these tables, and note how long that took.

        What is heard in the first seconds `on_the_way` was said before.
        """
        away = self.away.setdefault(what, [])
        waiting = {ident: players for ident, players in hit.items() if players}
        while waiting and time.monotonic() < began + AWAY_SECONDS:
            for ident, players in list(waiting.items()):
                answered = [one.last_answer for one in players if one.last_answer > began + on_the_way]
                if answered:
                    away.append(min(answered) - began)
                if answered or all(one.over for one in players):
                    del waiting[ident]
            time.sleep(0.02)
        away += [AWAY_SECONDS] * len(waiting)

    def playing(self, seconds: float) -> None:
        """Let them play for a while."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.fill_up()
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill a server as it is, and start it again; how long were its tables away?"""
        server = self.rng.choice(self.servers)
        hit, began = self._hit(server), time.monotonic()
        server.send(signal.SIGKILL)
        server.start()
        self._until_back("kill", hit, began)
        server.wait()

    def pause(self) -> None:
        """Let a server sleep longer than its lease, then go on as if nothing had been."""
        server = self.rng.choice(self.servers)
        hit, began = self._hit(server), time.monotonic()
        server.send(signal.SIGSTOP)
        self._until_back("pause", hit, began)
        self.playing(began + LEASE_SECONDS + 1.0 + self.rng.random() - time.monotonic())
        server.send(signal.SIGCONT)
        self.playing(0.5)

    def cut(self) -> None:
        """Cut a server off from everybody, the database too; it is healed after its lease has run out."""
        assert self.wires is not None
        number = self.rng.randrange(len(self.servers))
        hit = self._hit(self.servers[number])
        self.wires.cut(number)
        began = time.monotonic()
        self._until_back("cut", hit, began, on_the_way=0.5)
        self.playing(began + LEASE_SECONDS + 1.0 + 4.0 * self.rng.random() - time.monotonic())
        self.wires.heal(number)
        self.playing(0.5)
        self.servers[number].wait()

    def restart(self) -> None:
        """Restart the database, gently or not."""
        self.database.stop(self.rng.choice([signal.SIGINT, signal.SIGQUIT]))
        time.sleep(self.rng.random())
        self.database.start()

    def fill(self) -> None:
        """Let the database's disk be full for a while, now and then so that it must begin a new segment of its log, and cannot."""
        assert self.database.disk is not None
        self.database.disk.fill()
        if self.rng.random() < 0.5:
            with contextlib.suppress(StoreError):
                self.watcher._rows("select pg_switch_wal()")
        time.sleep(2.0 + self.rng.random())
        self.database.disk.clear()
        self.database.revive()

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


def run(faults: dict[str, int], *, servers: int = 3, tables: int = 6, planted: bool = False, told: bool = False, seed: int = 1) -> Found:
    """So many faults of each kind under load; answers what was found."""
    cluster = Faults(servers, tables, planted=planted, rooted=any(faults.get(what) for what in NEED_ROOT), seed=seed)
    try:
        plan = [what for what, count in faults.items() for _ in range(count)]
        cluster.rng.shuffle(plan)
        cluster.playing(1.0)
        for number, what in enumerate(plan, 1):
            getattr(cluster, what)()
            cluster.playing(0.3)
            if told:
                print(f"\r{number} of {len(plan)}: {what}   ", end="", file=sys.stderr, flush=True)
        cluster.playing(1.0)
        found = cluster.check()
    finally:
        cluster.close()
    return {
        **faults,
        **found,
        "tables": len({one.table for one in cluster.histories}),
        "away": {what: sorted(round(one, 2) for one in times) for what, times in cluster.away.items()},
    }


def away(found: Found) -> str:
    """How long tables were away, in words."""
    times = found["away"].items()
    return "; ".join(f"{what}: median {statistics.median(one):.2f} s, worst {one[-1]:.2f} s of {len(one)}" for what, one in times if one)


def together(parts: list[Found]) -> Found:
    """What was found in several runs, as one."""
    names = [name for name in parts[0] if name != "away"]
    times = {what for part in parts for what in part["away"]}
    sums: Found = {name: sum(part.get(name, 0) for part in parts) for name in names}
    return sums | {"away": {what: sorted(one for part in parts for one in part["away"].get(what, [])) for what in sorted(times)}}


def main() -> int:
    """From the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.faults", description=__doc__)
    for what, count in FAULTS.items():
        parser.add_argument(f"--{what}", type=int, default=count, metavar="N", help=f"how often (default {count})")
    parser.add_argument("--parts", type=int, default=5, metavar="N", help="in so many runs, each with a cluster of its own (default 5)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep what each run found there, and go on from what it holds")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no further run after so long (default 60)")
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--planted", action="store_true", help="with a writer that looks neither at epochs nor at numbers: must be found")
    given = parser.parse_args()
    wanted = {what: getattr(given, what) for what in FAULTS}
    if any(wanted[what] for what in NEED_ROOT) and not allowed():
        print("cutting wires and filling disks needs root and `ip`: neither is done", file=sys.stderr)
        wanted |= dict.fromkeys(NEED_ROOT, 0)
    began, parts = time.monotonic(), []
    if given.keep is not None and given.keep.exists():
        parts = [json.loads(line) for line in given.keep.read_text(encoding="utf-8").splitlines()]
    for part in range(len(parts), given.parts):
        if time.monotonic() - began > given.minutes * 60:
            break
        share = {what: (part + 1) * count // given.parts - part * count // given.parts for what, count in wanted.items()}
        parts.append(run(share, servers=given.servers, tables=given.tables, planted=given.planted, told=True, seed=part + 1))
        if given.keep is not None:
            with given.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(parts[-1]) + "\n")
    found = together(parts)
    print("\n" + json.dumps({**found, "away": away(found), "parts": f"{len(parts)} of {given.parts}"}, indent=2))
    wrong = sum(found[what] for what in WRONG)
    return 0 if bool(wrong) == given.planted else 1


if __name__ == "__main__":
    sys.exit(main())
