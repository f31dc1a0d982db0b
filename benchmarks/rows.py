"""What all benches share: rows with their bars, rounds in which everybody has a turn, and peers that may be missing."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

Measured = dict[str, Any]
Job = Callable[[], float]


def row(what: str, figure: float, *, peer: float | None = None, at_least: float | None = None, below: float | None = None) -> Measured:
    """One line of the table: `what`, `figure`, the peer's figure if there is one, and the bar; without a bar it is a report."""
    holds = None if at_least is None and below is None else (at_least is None or figure >= at_least) and (below is None or figure < below)
    bar = f">= {at_least:.4g}" if at_least is not None else f"< {below:.4g}" if below is not None else None
    return {"what": what, "figure": float(f"{figure:.5g}"), "peer": peer and float(f"{peer:.5g}"), "bar": bar, "holds": holds}


def said(what: str, figure: Any, *, peer: Any = None, bar: str | None = None, holds: bool | None = None) -> Measured:
    """A line whose figure and bar are words."""
    return {"what": what, "figure": figure, "peer": peer, "bar": bar, "holds": holds}


def rate(play: Callable[[int], int], seconds: float = 0.1) -> Job:
    """Decisions a second of CPU time; `play` plays so many games, for so long at a time, and answers how many decisions they took."""

    def timed(games: int) -> tuple[int, float]:
        began = time.process_time()
        return play(games), time.process_time() - began

    games = 1
    while timed(games)[1] < seconds:
        games *= 2

    def job() -> float:
        taken, spent = timed(games)
        return taken / spent

    return job


def interleaved(jobs: dict[str, Job], rounds: int = 5) -> dict[str, float]:
    """The best rate of each job over rounds in which all take their turn."""
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(rounds):
        for name, job in jobs.items():
            best[name] = max(best[name], job())
    return best


def peer(module: str) -> Any:
    """A library that we compare with; says how to get it where it is not there."""
    try:
        return importlib.import_module(module)
    except ImportError as problem:
        raise SystemExit(f"the peer {module} is missing: run `make bench`, which installs the peers") from problem
