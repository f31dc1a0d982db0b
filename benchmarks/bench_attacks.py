"""`drunemeton bench attacks`: what others notice while one address attacks a server with its ordinary limits.

Honest players move at a calm pace at a few tables, first undisturbed, then beside each attack, which comes from a process of its own and
from another address (as a proxy on this machine would tell it). Measured are the p99 of a durable move until both hold the update, and how
much the server's memory has grown.
"""

from __future__ import annotations

import contextlib
import functools
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from drunemeton import client as client_room
from drunemeton.client import Client, ServerError, ask, make_table
from drunemeton.rules.errors import GameError

from .bars import ANY_GAME, LONG_GAME
from .rows import Measured, said

SERVE = """
import sys
from pathlib import Path
from drunemeton.server import serve
sys.exit(serve("127.0.0.1", int(sys.argv[1]), None, Path(sys.argv[2]), False))
"""
FOE = {"x-forwarded-for": "198.51.100.9"}
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]
TABLES, PAUSE, SECONDS = 4, 0.05, 6.0
TIMES_QUIET, MOST_MS, MOST_MB = 5.0, 250.0, 50.0
LONG = 200  # revisions
HEAD_START = {"undos": 20.0, "strong_bots": 5.0}  # seconds until an attack is under way
PING, BEGUN, PART = (bytes((head, 0x80, 0, 0, 0, 0)) for head in (0x89, 0x01, 0x00))


# --- Attacks: each goes on until its process is ended -----------------------------------------------------------------


def _address(url: str, table: str = "nowhere") -> str:
    return url.replace("http", "ws") + f"/api/tables/{table}/play"


def _frames(url: str, first: bytes, again: bytes) -> None:
    while True:
        with (
            contextlib.suppress(OSError, WebSocketException),
            connect(_address(url), proxy=None, additional_headers=FOE, ping_interval=None) as raw,
        ):
            raw.socket.sendall(first + again * 10_000)
            while True:
                raw.socket.sendall(again * 10_000)


def pings(url: str) -> None:
    """Ping frames as fast as they go, without a session."""
    _frames(url, b"", PING)


def empty_parts(url: str) -> None:
    """Empty parts of a message that never ends."""
    _frames(url, BEGUN, PART)


def heads(url: str) -> None:
    """Request headers without end, over many connections."""
    host, port = url.removeprefix("http://").split(":")

    def send() -> None:
        while True:
            with contextlib.suppress(OSError), socket.create_connection((host, int(port))) as raw:
                raw.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n")
                while True:
                    raw.sendall(b"x: " + b"y" * 60_000 + b"\r\n")

    _at_once([send] * 8)


def slow_readers(url: str) -> None:
    """Requests whose answers nobody reads."""
    host, port = url.removeprefix("http://").split(":")
    opened: list[socket.socket] = []
    while True:
        with contextlib.suppress(OSError):
            raw = socket.socket()
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            raw.connect((host, int(port)))
            raw.sendall(b"GET /api/games HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 198.51.100.9\r\n\r\n" * 20)
            opened = [*opened[-200:], raw]
        time.sleep(0.02)


def hellos(url: str) -> None:
    """Greetings over and over, by many connections."""
    made = _make(url, PEOPLE)
    session = _post(f"{url}/api/tables/{made['table']}/session", made["watch"])["session"]
    hello = json.dumps({"type": "hello", "session": session, "revision": 0})

    def greet() -> None:
        while True:
            with (
                contextlib.suppress(OSError, WebSocketException),
                connect(_address(url, made["table"]), proxy=None, additional_headers=FOE) as raw,
            ):
                while True:
                    raw.send(hello)
                    raw.recv()

    _at_once([greet] * 32)


def undos(url: str) -> None:
    """Long games against bots; once they are long, whatever is played is taken back."""

    def play() -> None:
        made = _make(url, [PEOPLE[0], {"kind": "bot", "bot": "random"}], LONG_GAME)
        rng = random.Random(made["table"])
        while True:
            with (
                contextlib.suppress(OSError, WebSocketException, ServerError, GameError),
                Client.join(f"{url}/t/{made['table']}#{made['keys'][0]}") as client,
            ):
                for state in client.turns():
                    client.play(rng.choice(state["legal"]))
                    if state["revision"] > LONG:
                        client.undo()

    _at_once([play] * 12)


def strong_bots(url: str) -> None:
    """Forty tables at which strong bots play, watched so that they think."""

    def watch() -> None:
        while True:
            with contextlib.suppress(OSError, WebSocketException, ServerError):
                made = _make(url, [{"kind": "bot", "bot": "level-8"}] * 2)
                with Client.join(f"{url}/t/{made['table']}#{made['watch']}") as client:
                    while not client.over:
                        client.receive(timeout=600)
            time.sleep(1)

    _at_once([watch] * 40)


def coaches(url: str) -> None:
    """Learners who ask the coach again and again."""

    def learn() -> None:
        while True:
            with contextlib.suppress(OSError, WebSocketException, ServerError, GameError):
                made = _make(url, [PEOPLE[0], {"kind": "bot", "bot": "random"}])
                with Client.join(f"{url}/t/{made['table']}#{made['keys'][0]}") as client:
                    rng = random.Random(made["table"])
                    for state in client.turns():
                        for _ in range(5):
                            client.do("coach", revision=state["revision"])
                        client.play(rng.choice(state["legal"]))

    _at_once([learn] * 12)


ATTACKS: dict[str, Callable[[str], None]] = {
    one.__name__: one for one in (pings, empty_parts, heads, slow_readers, hellos, undos, coaches, strong_bots)
}


def _at_once(jobs: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=job, daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _post(url: str, token: str | None = None, body: Any = None) -> Any:
    headers = {"content-type": "application/json", **FOE} | ({"authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(url, json.dumps(body or {}).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def _make(url: str, seats: list[dict[str, str]], game: str = ANY_GAME) -> Any:
    return _post(f"{url}/api/tables", body={"game": game, "seats": seats})


# --- What others notice ----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _server() -> Iterator[tuple[str, int]]:
    """A server with its ordinary limits: its address, and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", SERVE, str(port), str(Path(folder) / "tables.db")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                with contextlib.suppress(ServerError):
                    ask(f"{url}/api/health")
                    break
                time.sleep(0.1)
            yield url, process.pid
        finally:
            process.terminate()
            process.wait()


def _moves(url: str, seconds: float) -> list[float]:
    """How long moves took at a few tables, each played at a calm pace; a connection that breaks counts as a second."""
    times: list[float] = []

    def play(number: int) -> None:
        rng, until = random.Random(number), time.perf_counter() + seconds
        made = make_table(url, ANY_GAME, PEOPLE)
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(Client.join(link)) for link in made["links"]]
            while time.perf_counter() < until and not clients[0].over:
                newest = max(client.state["revision"] for client in clients)
                for client in clients:
                    while client.state["revision"] < newest or client.state["waiting_for"]:
                        client.receive()
                mover = clients[clients[0].state["turn"]]
                began = time.perf_counter()
                revision = mover.play(rng.choice(mover.state["legal"]))
                for client in clients:
                    while client.state["revision"] < revision:
                        client.receive()
                times.append(time.perf_counter() - began)
                time.sleep(PAUSE * rng.uniform(0.5, 1.5))

    def guarded(number: int) -> None:
        try:
            play(number)
        except (OSError, ServerError, WebSocketException):
            times.append(1.0)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(TABLES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def _reply(url: str) -> float:
    """How long a weak bot takes to answer a person, in the median of a few moves."""
    made = make_table(url, ANY_GAME, [PEOPLE[0], {"kind": "bot", "bot": "level-1"}])
    times = []
    with Client.join(made["links"][0]) as client:
        for state in client.turns():
            began = time.perf_counter()
            client.play(state["legal"][0])
            while not client.my_turn and not client.over:
                client.receive(timeout=600)  # the search may have to be compiled first
            times.append(time.perf_counter() - began)
            if len(times) >= 9:
                break
    return statistics.median(times)


def _memory(pid: int) -> float:
    status = Path(f"/proc/{pid}/status")
    return int(status.read_text().split("VmRSS:")[1].split()[0]) / 1024 if status.exists() else 0.0


def _p99(times: list[float]) -> float:
    return 1000 * statistics.quantiles(times, n=100)[98]


def measure(seconds: float = SECONDS, **_: Any) -> list[Measured]:
    """A row for what others notice of each attack, and one for the memory that it takes."""
    rows: list[Measured] = []
    with _server() as (url, pid):
        _moves(url, 2.0)
        quiet, reply = _p99(_moves(url, seconds)), _reply(url)
    rows.append(said("p99 of a move, undisturbed, ms", round(quiet, 2)))
    bar = min(MOST_MS, TIMES_QUIET * quiet)
    for name in ATTACKS:
        with _server() as (url, pid):
            _moves(url, 2.0)
            before = _memory(pid)
            attack = subprocess.Popen([sys.executable, "-m", "benchmarks.bench_attacks", name, url], stderr=subprocess.DEVNULL)
            try:
                time.sleep(HEAD_START.get(name, 1.0))
                p99 = _p99(_moves(url, seconds))
                grown = _memory(pid) - before
                if name == "strong_bots":
                    late = _reply(url)
                    rows.append(
                        said(
                            "reply of level 1 beside forty tables of strong bots, s",
                            round(late, 3),
                            bar=f"quiet {reply:.3f} + one thought",
                            holds=late < reply + 3.0,
                        )
                    )
            finally:
                attack.kill()
                attack.wait()
        words = name.replace("_", " ")
        rows.append(said(f"p99 of a move beside {words}, ms", round(p99, 2), bar=f"<= {bar:.1f}", holds=p99 <= bar))
        rows.append(said(f"memory taken by {words}, MB", round(grown, 1), bar=f"< {MOST_MB:g}", holds=grown < MOST_MB))
    return rows


def _come_from_elsewhere() -> None:
    """Let everything that our client says come from the attacker's address: its requests as well as its WebSockets."""
    vars(client_room)["connect"] = functools.partial(connect, additional_headers=FOE)
    opener = urllib.request.build_opener()
    opener.addheaders = list(FOE.items())
    urllib.request.install_opener(opener)


if __name__ == "__main__":
    _come_from_elsewhere()
    ATTACKS[sys.argv[1]](sys.argv[2])
