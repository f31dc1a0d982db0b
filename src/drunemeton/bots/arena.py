"""Games between any bots, with compiled rules: what ladders, matches and experiments are played in.

A deal is a number. What it shuffles depends on the number, the pile and how often that was shuffled, so the same deal meets different
players alike, and a deal played once from each seat (mirrored) gives nobody an advantage.
"""

from __future__ import annotations

import contextlib
import json
import math
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from ..rules.cache import stopping_between_rules
from ..rules.chance import deal_of
from ..rules.drive import Engine, begin_round, play_round
from ..rules.errors import GameError
from ..rules.game import Game, end_of, place_of
from ..rules.kernel import copy_box, rule

SAFE = "PYTHONSAFEPATH"  # a variable of Python's
LIMIT = 20_000  # decisions; only a game whose draw rule is switched off can get here


class Player(Protocol):
    """A bot that answers from a knowledge in a box."""

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """The action of the seat that is on turn and knows this."""


class Noted:
    """A player whose knowledge is noted before each of its decisions."""

    def __init__(self, player: Player, seen: list[tuple[Any, int]], seat: int) -> None:
        self.player, self.seen, self.seat = player, seen, seat

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """What the player chooses."""
        self.seen.append((copy_box(knows), self.seat))
        return self.player.choose_in(knows, seed=seed)


@rule
def close(states: Any, report: Any, seats: int) -> int:
    """Write each seat's place, and answer the kind of end."""
    for seat in range(seats):
        report[seat] = place_of(states[0], seat)
    return end_of(states[0])


class Arena:
    """A table at which bots play one deal after the other."""

    def __init__(
        self, game: type[Game], seats: int, options: Mapping[str, Any] | None = None, components: Mapping[str, Any] | None = None
    ) -> None:
        self.game, self.seats = game, seats
        self.engine = Engine(game)
        if not self.engine.compiled:
            raise GameError("an arena needs Numba")
        self.table = self.engine.round(game.lay_out(seats, options, components), seats)
        self.knows = [self.table.knows[seat : seat + 1] for seat in range(seats)]
        self.report = self.engine.row(seats)
        self.decisions = self.turns = 0  # of the last game; a turn is a change of seat
        self.taken: list[tuple[int, int]] = []  # its decisions: seat, action
        self._begin = self.engine.twin(begin_round)
        self._play = self.engine.twin(play_round)
        self._close = self.engine.twin(close)

    def play(self, players: Sequence[Player], deal: int, *, limit: int = LIMIT) -> tuple[str, list[int]]:
        """Play one deal; answers the kind of end (`unfinished` at the limit) and each seat's place."""
        step = turns = 0
        last = -1
        self.taken = []
        seat = int(self._begin(self.table, deal_of(deal)))
        while seat >= 0 and step < limit:
            turns += seat != last
            last = seat
            action = players[seat].choose_in(self.knows[seat], seed=deal * LIMIT + step)
            step += 1
            self.taken.append((seat, action))
            seat = int(self._play(self.table, action))
        self.decisions, self.turns = step, turns
        end = int(self._close(self.table.states, self.report, self.seats))
        return self.game.ends[end] if seat < 0 else "unfinished", [int(place) for place in self.report]


def shares(places: Sequence[int]) -> list[float]:
    """What each seat has won: first places are shared."""
    first = sum(place == 1 for place in places)
    return [1 / first if place == 1 else 0.0 for place in places]


# --- Side by side --------------------------------------------------------------------------------------------------


_where: ContextVar[str] = ContextVar("where", default="")


@contextlib.contextmanager
def playing_on(where: str) -> Iterator[None]:
    """Let workers be those of a Ray cluster (`on_ray.py`) instead of this machine's; what they play is the same."""
    token = _where.set(where if where.startswith("ray") else "")
    try:
        yield
    finally:
        _where.reset(token)


def workers(processes: int, prepare: Callable[..., None] | None = None, *args: Any) -> Executor:
    """Processes in which games go side by side, each prepared once."""
    if where := _where.get():
        from .on_ray import RayPool

        return RayPool(where, processes, prepare, args)
    with _safe():  # one process that cleans up is begun here
        return _Processes(processes, multiprocessing.get_context("spawn"), _begin, (prepare, *args))


class _Processes(ProcessPoolExecutor):
    """Processes that do not hear Ctrl+C, which is for who started them, and that do not play on when he leaves."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A piece of work; it may take one more process, and that inherits what is not heard here."""
        with stopping_between_rules(), _deaf(), _safe():  # the first for this process, the others for the new one
            return super().submit(fn, *args, **kwargs)

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        begun = list((self._processes or {}).values())
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)
        if kind is not None:
            for process in begun:
                process.terminate()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Inside, processes are begun that never hear Ctrl+C. (Here another thread may.)"""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _safe() -> Iterator[None]:
    """Inside, processes are begun that take no module from the folder we are in, where `python -c` would look first."""
    before = os.environ.get(SAFE)
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(SAFE, None)
        else:
            os.environ[SAFE] = before


def deal_by_deal(
    job: Callable[[int], Any], deals: Iterable[int], processes: int, *, minutes: float = math.inf, into: Path | None = None
) -> dict[int, Any]:
    """What a job answers for each deal, side by side; when the time is over, what is there has to do.

    Answers can be written as JSON. `into` keeps them as they come, and the next run with that file goes on from there.
    """
    kept = into.read_text(encoding="utf-8").splitlines() if into is not None and into.is_file() else []
    found: dict[int, Any] = dict(json.loads(line) for line in kept)
    until = time.monotonic() + 60 * minutes
    with workers(processes) as pool:
        waiting = {pool.submit(job, deal): deal for deal in deals if deal not in found}
        for future in as_completed(waiting):
            deal = waiting[future]
            found[deal] = future.result()
            if into is not None:
                with into.open("a", encoding="utf-8") as file:
                    print(json.dumps([deal, found[deal]]), file=file)
            if time.monotonic() > until:
                pool.shutdown(cancel_futures=True)
                break
    return found


def _begin(prepare: Callable[..., None] | None, *args: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it could not be inherited
    # Whoever is killed cannot tell his workers to end.
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if prepare:
        prepare(*args)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)
