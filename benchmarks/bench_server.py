"""How fast the server is, beside boardgame.io's server in the same run (`drunemeton bench server`).

Our server runs in a process of its own, with a real store on disk and real sockets; so does the peer, in Node, in memory. A move counts
when the mover has its acknowledgement (ours: it is on disk) and both players hold the update.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import uvloop
from orjson import loads

from drunemeton.client import ServerError, ask, make_table

from .bars import ANY_GAME
from .rows import Measured, said

ROUNDS, SECONDS = 5, 5.0
AHEAD = 1.3
GAMES_PER_SECOND = 6  # a random game has about eighteen moves: so many tables are laid out for each slot before the time runs

PEER = Path(__file__).parent / "server_peer"
SERVE = """
import asyncio, sys
from pathlib import Path
import uvicorn
from drunemeton.server import Settings
from drunemeton.server.serve import config_for
most = 10**6
from drunemeton.server.app import create_app
from drunemeton.server.serve import open_store
settings = Settings(
    store_path=Path(sys.argv[2]), port=int(sys.argv[1]), tables_burst=most, requests_burst=most, requests_per_second=most, connections=most,
    connections_total=most, messages_burst=most, messages_per_second=most, address_messages_burst=most, address_messages_per_second=most,
    arrivals_burst=most, arrivals_per_second=most,
)
store = open_store(sys.argv[2], f"127.0.0.1:{sys.argv[1]}")
uvicorn.Server(config_for(settings, create_app(settings, store))).run()
"""
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]
GREEDY = [{"kind": "bot", "bot": "greedy"}] * 2


class Server:
    """Our server in a process of its own, on a file in that folder or on a database."""

    def __init__(self, folder: Path, store: str | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = self.maker = f"http://127.0.0.1:{port}"  # where one plays, and where tables are made
        self.process = subprocess.Popen([sys.executable, "-c", SERVE, str(port), store or str(folder / "tables.db")])
        for _ in range(600):
            with contextlib.suppress(ServerError):
                ask(f"{self.url}/api/health")
                return
            time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def close(self) -> None:
        """Stop it."""
        self.process.terminate()
        self.process.wait()

    def memory(self) -> int:
        """Bytes that it occupies."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    def processor(self) -> float:
        """Seconds of processor time that it and its processes (the store's writer, bots) have used."""
        own = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="utf-8").split()
        ticks = 0
        for pid in (self.process.pid, *own):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """A fresh server on a fresh store."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            yield server
        finally:
            server.close()


class Seat(asyncio.Protocol):
    """A player's WebSocket, as lean as it can be: the load must not cost more than what is measured."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {"revision": -1}
        self.transport: Any = None
        self._read = b""
        self.upgraded = asyncio.Event()
        self._waiting: tuple[int, asyncio.Future[None]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way out."""
        self.transport = transport

    def connection_lost(self, problem: Exception | None) -> None:
        """Nobody waits for a server that has gone."""
        if self._waiting is not None and not self._waiting[1].done():
            self._waiting[1].set_exception(problem or ConnectionError("the server has closed the connection"))

    def data_received(self, data: bytes) -> None:
        """Take whole frames off what was read."""
        read = self._read + data
        if not self.upgraded.is_set():
            head, end, read_on = read.partition(b"\r\n\r\n")
            if end:
                if not head.startswith(b"HTTP/1.1 101"):
                    raise RuntimeError(head.decode())
                self.upgraded.set()
                read = read_on
        while self.upgraded.is_set() and len(read) >= 2:
            size, begin = read[1], 2
            if size >= 126:
                begin = 4 if size == 126 else 10
                size = int.from_bytes(read[2:begin], "big")
            if len(read) < begin + size:
                break
            if read[0] == 0x81:
                self._heard(read[begin : begin + size])
            read = read[begin + size :]
        self._read = read

    def _heard(self, text: bytes) -> None:
        message = loads(text)
        if message["type"] in {"welcome", "events", "state"}:
            self.state = message
            if self._waiting is not None and message["revision"] >= self._waiting[0]:
                self._waiting[1].set_result(None)
                self._waiting = None
        elif message["type"] not in {"ack", "pong"}:
            raise RuntimeError(text.decode())

    def send(self, message: dict[str, Any]) -> None:
        """One frame, masked with zeros."""
        text = json.dumps(message).encode()
        size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0xFE]) + len(text).to_bytes(2, "big")
        self.transport.write(b"\x81" + size + b"\0\0\0\0" + text)

    async def until(self, revision: int) -> None:
        """Listen until this revision is shown."""
        if self.state["revision"] < revision:
            self._waiting = revision, asyncio.get_running_loop().create_future()
            await self._waiting[1]


@contextlib.asynccontextmanager
async def open_table(server: Server) -> AsyncIterator[list[Seat]]:
    """A new table, and both its players."""
    made = await asyncio.to_thread(make_table, server.maker, ANY_GAME, PEOPLE)
    found: list[Seat] = []
    host, port = server.url.removeprefix("http://").split(":")
    for key in made["keys"]:
        session = (await asyncio.to_thread(ask, f"{server.url}/api/tables/{made['table']}/session", "POST", None, key))["session"]
        _, seat = await asyncio.get_running_loop().create_connection(Seat, host, int(port))
        request = [f"GET /api/tables/{made['table']}/play HTTP/1.1", f"Host: {host}:{port}", "Connection: Upgrade", "Upgrade: websocket"]
        request += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""]
        seat.transport.write("\r\n".join(request).encode())
        await seat.upgraded.wait()
        seat.send({"type": "hello", "session": session})
        await seat.until(0)
        found.append(seat)
    for seat in found:
        await seat.until(len(found))  # everybody has come, and the cards are dealt
    try:
        yield found
    finally:
        for seat in found:
            seat.transport.close()


async def play_tables(server: Server, slot: Slot) -> None:
    """Games one after another, as fast as they go; how long each move took is noted."""
    rng = random.Random(slot.number)
    async with contextlib.AsyncExitStack() as stack:
        # Tables are made and joined before the time runs, so that only moves are measured.
        waiting = [await stack.enter_async_context(open_table(server)) for _ in range(slot.games)]
        await slot.ready.wait()
        await slot.ready.wait()
        while time.perf_counter() < slot.end[0]:
            players = waiting.pop() if waiting else await stack.enter_async_context(open_table(server))
            while players[0].state["result"] is None and time.perf_counter() < slot.end[0]:
                mover = players[players[0].state["turn"]]
                revision = mover.state["revision"]
                move = rng.choice(mover.state["legal"])
                began = time.perf_counter()
                mover.send({"type": "move", "id": f"{revision}", "revision": revision, "move": move})
                for player in players:
                    await player.until(revision + 1)
                slot.times.append(time.perf_counter() - began)
                if slot.pause:
                    await asyncio.sleep(rng.uniform(0.5, 1.5) * slot.pause)
        await slot.ready.wait()


@dataclass
class Slot:
    """A place where one game after another is played."""

    number: int
    games: int
    pause: float
    ready: asyncio.Barrier
    end: list[float]
    times: list[float] = field(default_factory=list)


async def load(server: Server, tables: int, seconds: float, pause: float = 0.0, games: int = 1) -> tuple[float, list[float], float]:
    """So many tables at once; answers moves a second, each move's time, and the server's processor time for each move in microseconds."""
    ready, end = asyncio.Barrier(tables + 1), [0.0]
    slots = [Slot(n, games, pause, ready, end) for n in range(tables)]
    async with asyncio.TaskGroup() as group:  # who cannot play ends the bench, and is not waited for
        for slot in slots:
            group.create_task(play_tables(server, slot))
        await ready.wait()
        began, processor = time.perf_counter(), server.processor()
        end[0] = began + seconds
        await ready.wait()
        await ready.wait()
        took, processor = time.perf_counter() - began, server.processor() - processor
    times = [one for slot in slots for one in slot.times]
    return len(times) / took, times, processor / len(times) * 1e6


def p99(times: list[float]) -> float:
    """The time that one in a hundred exceeds, in milliseconds."""
    return statistics.quantiles(times, n=100)[98] * 1000 if len(times) > 1 else float("nan")


# --- What is measured ----------------------------------------------------------------------------------------------


class Busy(NamedTuple):
    """A server with 32 busy tables: moves a second, p99 in milliseconds, microseconds of processor time for each move."""

    rate: float
    p99: float
    cost: float


def busy_tables(seconds: float = SECONDS) -> Busy:
    """Our server, with its store on disk."""
    with running() as server:
        uvloop.run(load(server, 4, 1.0))
        rate, times, cost = uvloop.run(load(server, 32, seconds, games=int(seconds * GAMES_PER_SECOND)))
        return Busy(rate, p99(times), cost)


def beside_bots(seconds: float = 5.0) -> tuple[float, float]:
    """p99 of a move between two people: alone, and with ten tables at which bots play without a pause."""
    with running() as server:
        uvloop.run(load(server, 1, 1.0))
        _, alone, _ = uvloop.run(load(server, 1, seconds, pause=0.01, games=8))
        tables = [make_table(server.url, ANY_GAME, GREEDY)["table"] for _ in range(10)]

        async def beside() -> list[float]:
            going = asyncio.create_task(keep_bots_busy(server, tables))
            try:
                return (await load(server, 1, seconds, pause=0.01, games=8))[1]
            finally:
                going.cancel()

        return p99(alone), p99(uvloop.run(beside()))


async def keep_bots_busy(server: Server, tables: list[str]) -> None:
    """Whenever bots have finished a game, another begins."""
    while True:
        for number, ident in enumerate(tables):
            if (await asyncio.to_thread(ask, f"{server.url}/api/tables/{ident}"))["over"]:
                tables[number] = (await asyncio.to_thread(make_table, server.url, ANY_GAME, GREEDY))["table"]
        await asyncio.sleep(0.05)


def many_tables(tables: int = 1000, active: int = 50, seconds: float = 5.0) -> tuple[float, float, float]:
    """So many tables in memory, some of them active: kilobytes for each table, moves a second, p99."""
    with running() as server:
        uvloop.run(load(server, 2, 1.0))
        before = server.memory()
        for _ in range(tables - active):
            make_table(server.url, ANY_GAME, PEOPLE)
        each = (server.memory() - before) / (tables - active) / 1024
        # People think: each table moves about ten times a second.
        rate, times, _ = uvloop.run(load(server, active, seconds, pause=0.1, games=2))
        return each, rate, p99(times)


def install_peer(source: Path) -> Path | None:
    """A copy of a folder of `benchmarks/` with what its package.json names; None if that cannot be had here."""
    npm = shutil.which("npm")
    if shutil.which("node") is None or npm is None or not source.is_dir():
        return None
    folder = Path(tempfile.gettempdir()) / f"drunemeton-bench-{source.name}"
    shutil.copytree(source, folder, dirs_exist_ok=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--silent"]
    if not (folder / "node_modules").is_dir() and subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
        return None
    return folder


def peer(folder: Path, seconds: float) -> Busy:
    """boardgame.io's server in memory, 32 matches of its tic-tac-toe."""
    for _ in range(5):
        done = subprocess.run(["node", "run.js", str(seconds)], cwd=folder, capture_output=True, text=True, check=False, timeout=180)
        if done.returncode == 0 and done.stdout.strip():
            found = json.loads(done.stdout.strip().splitlines()[-1])
            return Busy(found["rate"], found["p99"], found["cost"])
    raise RuntimeError(done.stderr)  # the port that it draws may be taken, but not five times


def _middle(rounds: list[Busy]) -> Busy:
    return Busy(*(statistics.median(getattr(one, name) for one in rounds) for name in ("rate", "p99", "cost")))


def measure() -> list[Measured]:
    """The rows of the table of bars: ours and the peer's turn by turn, the median of each."""
    folder = install_peer(PEER)
    ours: list[Busy] = []
    theirs: list[Busy] = []
    for _ in range(ROUNDS):
        ours.append(busy_tables())
        if folder is not None:
            theirs.append(peer(folder, SECONDS))
    own, other = _middle(ours), _middle(theirs) if theirs else None
    ratio = statistics.median(one.rate / their.rate for one, their in zip(ours, theirs, strict=True)) if theirs else 0.0
    alone, beside = beside_bots()
    each, rate_many, slow_many = many_tables()
    return [
        said(
            "durable moves/s, 32 tables, both hold the update",
            f"{own.rate:.0f}",
            peer=other and f"{other.rate:.0f} ({ratio:.2f} x)",
            bar=f">= {AHEAD} x boardgame.io, in the median of {ROUNDS} runs",
            holds=ratio >= AHEAD if other else None,
        ),
        said("  processor time of the server for a move", f"{own.cost:.0f} us", peer=other and f"{other.cost:.0f} us"),
        said(
            "p99 at 32 tables",
            f"{own.p99:.1f} ms",
            peer=other and f"{other.p99:.1f} ms",
            bar="<= boardgame.io's",
            holds=own.p99 <= other.p99 if other else None,
        ),
        said("p99 of a human move, ten bots thinking", f"{beside:.1f} ms (idle {alone:.1f})", bar="<= 3 x idle", holds=beside <= 3 * alone),
        said(
            "1,000 open tables, 50 active",
            f"{each:.0f} kB a table, p99 {slow_many:.1f} ms at {rate_many:.0f}/s",
            bar="reported",
        ),
    ]
