"""`drunemeton bench cluster`: tables in PostgreSQL beside those in a file, several servers beside one, and what dying costs.

Everything runs on this machine, the database included. In each round everybody has his turn; the median of the rounds counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvloop

from tests.cluster.faults import WRONG, away, run
from tests.postgres import PrivatePostgres

from .bench_server import GAMES_PER_SECOND, Server, load, p99
from .rows import Measured, said

ROUNDS, SECONDS, TABLES = 3, 5.0, 30
KILLS = 12


@contextlib.contextmanager
def servers(count: int, store: str | None = None) -> Iterator[list[Server]]:
    """So many servers on one store, warm."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        found = []
        for _ in range(count):
            found.append(Server(Path(folder), store))
            stack.callback(found[-1].close)
        for server in found:
            uvloop.run(load(server, 2, 1.0))
        yield found


def rate(found: list[Server]) -> float:
    """Durable moves a second of all servers together."""
    each = TABLES // len(found)

    async def all_of_them() -> list[Any]:
        games = int(SECONDS * GAMES_PER_SECOND / len(found))
        return await asyncio.gather(*(load(server, each, SECONDS, games=games) for server in found))

    return float(sum(one[0] for one in uvloop.run(all_of_them())))


def passed(first: Server, second: Server) -> tuple[float, float]:
    """p99 in milliseconds of a move at the server that plays the table, and of one that is passed through to it."""
    own = p99(uvloop.run(load(first, 2, SECONDS, pause=0.01, games=8))[1])
    second.maker = first.url
    return own, p99(uvloop.run(load(second, 2, SECONDS, pause=0.01, games=8))[1])


def measure(**_given: Any) -> list[Measured]:
    """The rows of the table of bars."""
    rates: dict[str, list[float]] = {"file": [], "database": [], "three": []}
    ways: list[tuple[float, float]] = []
    with contextlib.ExitStack() as stack:
        database = PrivatePostgres(durable=True)
        stack.callback(database.close)
        for _ in range(ROUNDS):
            with servers(1) as found:
                rates["file"].append(rate(found))
            with servers(1, database.fresh()) as found:
                rates["database"].append(rate(found))
            with servers(3, database.fresh()) as found:
                rates["three"].append(rate(found))
                ways.append(passed(*found[:2]))
            # Said at once: a busy machine may be needed for something else before all is measured.
            print(
                {name: round(one[-1]) for name, one in rates.items()}, "own and passed through, ms:", ways[-1], file=sys.stderr, flush=True
            )
    file, one, three = (statistics.median(rates[name]) for name in ("file", "database", "three"))
    own, through = (statistics.median(way[n] for way in ways) for n in (0, 1))
    faults = run({"kill": KILLS, "pause": 2, "restart": 1})
    killed = faults["away"]["kill"]
    wrong = sum(faults[what] for what in WRONG)
    return [
        said("durable moves/s, PostgreSQL, one server", f"{one:.0f}", peer=f"SQLite {file:.0f}", bar=">= 0.6 x", holds=one >= 0.6 * file),
        said("three servers on two cores", f"{three:.0f}", peer=f"one {one:.0f}", bar=">= 0.9 x", holds=three >= 0.9 * one),
        said(
            "p99 of a move that is passed through",
            f"{through:.1f} ms",
            peer=f"own {own:.1f} ms",
            bar="<= own + 10 ms",
            holds=through <= own + 10,
        ),
        said(
            "a table is away after its server was killed",
            away(faults),
            bar="median <= 3 s",
            holds=statistics.median(killed) <= 3,
        ),
        said(f"wrong in {faults['acknowledged']} acknowledged moves under faults", wrong, bar="0", holds=wrong == 0),
    ]
