"""Whole games on a GPU: the deals of `match`, one thread a game, thousands of threads.

The drivers are rules like any other, so that the processor can play them too; the kernels below them only share out the deals.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, cast

from ..rules.chance import deal_of
from ..rules.cuda import Slim, kernel, on_device, own_room, simulated, toolkit
from ..rules.digest import digest_of
from ..rules.drive import Round, begin, go_on
from ..rules.errors import GameError
from ..rules.game import Game, Laid, random_action, to_move
from ..rules.kernel import CHOICES, DEALT, EV_WIDTH, MOVES, Desk, Generic, Record, generic, rule, seed, set_record
from . import SIMPLE
from .arena import LIMIT
from .greedy import WORLDS, prepare_judge
from .match import RANDOM, Match, Outcome, Players, play_game, report_game


@generic
def digest(s: Record, before: int) -> int:
    """A number that stands for a state, and for what came before."""
    raise NotImplementedError


@rule
def open_deal(s: Record, d: Desk, deal: int) -> None:
    """Deal a prepared game to random players, who choose by the same desk: a deal's shuffles leave its generator alone."""
    seed(d, deal, 1, CHOICES)
    begin(s, d, deal)


@rule
def play_randomly(s: Record, d: Desk, deal: int, limit: int, report: Any) -> None:
    """A prepared game from its deal to its end, every decision at random."""
    open_deal(s, d, deal)
    decisions = 0
    turns = 0
    last = -1
    seat = to_move(s)
    while seat >= 0 and decisions < limit:
        turns += int(seat != last)
        last = seat
        go_on(s, d, random_action(s, d))
        decisions += 1
        seat = to_move(s)
    report_game(s, decisions, turns, len(report) - 3, report)


@rule
def digest_events(d: Desk, before: int) -> int:
    """A number that stands for what the desk was told, and for what came before."""
    found = before
    for n in range(d.told):
        for part in range(EV_WIDTH):
            found = ((found ^ d.events[n][part]) * 0x5851F42D4C957F2D + 1) & 0x7FFFFFFFFFFFFFFF
    return found


@rule
def play_digested(s: Record, d: Desk, deal: int, limit: int) -> int:
    """The same game; answers a number that stands for its state after every decision, and for every event if the desk listens."""
    open_deal(s, d, deal)
    found = digest_events(d, digest(s, 1))
    decisions = 0
    while to_move(s) >= 0 and decisions < limit:
        go_on(s, d, random_action(s, d))
        decisions += 1
        found = digest_events(d, digest(s, found))
    return found


@rule
def digests_in(prepared: Any, states: Any, desks: Any, first: int, limit: int, digests: Any) -> None:
    """The digests of as many deals as there is room for."""
    for i in range(len(digests)):
        set_record(states, 0, prepared, 0)
        digests[i] = play_digested(states[0], desks[0], first + i, limit)


# --- Kernels: names in capitals, and `cuda`, are filled in when they are made --------------------------------------

cuda: Any = None
own_states: Any = None
own_desks: Any = None


@rule
def clear_desk(d: Desk) -> None:
    """Memory of a thread holds anything at first."""
    d.listening = 0
    d.told = 0
    d.fault = 0
    d.tape_at = 0
    d.tape_end = 0


def random_games(prepared: Any, first: int, count: int, limit: int, reports: Any) -> None:
    """Games at random, one after the other in every thread, each in the thread's own memory."""
    states, desks = own_states(), own_desks()
    fill(desks)
    clear_desk(desks[0])
    for number in range(cuda.grid(1), count, cuda.gridsize(1)):
        set_record(states, 0, prepared, 0)
        play_randomly(states[0], desks[0], first + number, limit, reports[number])


def digested_games(prepared: Any, first: int, count: int, limit: int, digests: Any, listening: int) -> None:
    """The same games, with their digests."""
    states, desks = own_states(), own_desks()
    fill(desks)
    clear_desk(desks[0])
    desks[0].listening = listening
    for number in range(cuda.grid(1), count, cuda.gridsize(1)):
        set_record(states, 0, prepared, 0)
        digests[number] = play_digested(states[0], desks[0], first + number, limit)


def bots_games(boxes: Round, players: Players, first: int, count: int, limit: int, reports: Any) -> None:
    """Games between bots; every thread has its part of the boxes and rows."""
    i = cuda.grid(1)
    seats = len(players.policies)
    states = boxes.states[3 * i : 3 * i + 3]
    knows = boxes.knows[seats * i : seats * i + seats]
    desks = boxes.desks[2 * i : 2 * i + 2]
    for number in range(i, count, cuda.gridsize(1)):
        table = Round(boxes.prepared, boxes.known, states, knows, desks)
        own = Players(players.policies, players.moves[i], players.sums[i], players.worlds)
        play_game(table, own, reports[number], first + number, limit)


@rule
def fill(desks: Any) -> None:
    """Where the simulator has no desk yet, it puts one; a GPU's memory is there."""


def _fill(desks: Any) -> None:
    desks[0] = Desk()


# --- Tables --------------------------------------------------------------------------------------------------------

BLOCK = 64  # threads
RESIDENT = 512  # threads a multiprocessor for random games, in their own memory; 128 for bots, who need far more of it
THINKING = 128
LONG = 8192  # bytes of a state: larger games are long enough that every one gets a thread, and the next block begins where one has ended
FEW = 4 if simulated() else 1024  # deals that are played ahead at first
CHUNK = 1 << 20  # games a launch, so that their reports stay small
KEPT_CHUNK = 1 << 13  # where decisions are kept
QUIET = {"listening": 0, "tape_end": 0, "source": DEALT}  # what never changes on a desk to which nobody listens


class DeviceTable:
    """Where random and greedy play on a GPU: as many deals at once as there are."""

    def __init__(self, game: type[Game], seats: int, laid: Laid, instead: Any = None) -> None:
        self.cuda = toolkit()
        self._instead = instead  # rules in place of others: how a test plants a difference
        self.game, self.seats = game, seats
        prepare_judge(game)
        self._wide = laid.knowledge.to_box()
        self._records = (game.state_type, game.knowledge_type)
        self._state, self._knowledge = (Slim(record) for record in self._records)
        self._resident = RESIDENT if self._state.bytes <= LONG else CHUNK
        self._prepared = on_device(self._state, laid.state.to_box())
        self._known = on_device(self._knowledge, self._wide)
        self._kernels: dict[tuple[Any, int], Any] = {}
        self.seconds = 0.0  # that the GPU has played

    def _kernel(self, fn: Any, desk: Slim) -> Any:
        key = fn, desk.bytes
        if key not in self._kernels:
            names: dict[str, Any] = {"own_states": own_room(self._state.type, 1), "own_desks": own_room(desk.type, 1)}
            if simulated():
                names["fill"] = _fill
            self._kernels[key] = kernel(fn, self._records, names, self._instead)
        return self._kernels[key]

    def _shape(self, count: int, resident: int) -> tuple[int, int]:
        """Blocks and threads: no more than there are games."""
        if simulated():
            return 1, min(count, 4)
        processors = self.cuda.get_current_device().MULTIPROCESSOR_COUNT
        block = max(1, min(BLOCK, -(-count // processors)))  # few games: each has little beside it that goes another way
        return max(1, min(processors * resident // block, -(-count // block))), block

    def play(self, seated: Sequence[str], first: int, count: int, kept: int = 0) -> Any:
        """Deals from `first` on with these players, by seat; a row for each: decisions, turns, kind of end, places.

        So many decisions are `kept` behind them: seat and action in turn.
        """
        import numpy as np

        parts = []
        for begun in range(0, count, CHUNK):
            games = min(CHUNK, count - begun)
            reports = self.cuda.to_device(np.zeros((games, 3 + self.seats + 2 * kept), np.int32))
            self.cuda.synchronize()
            began = time.perf_counter()
            if not kept and all(name == SIMPLE[RANDOM] for name in seated):
                run = self._kernel(random_games, Slim(Desk, QUIET, {"tape": 1, "events": 1}))
                run[self._shape(games, self._resident)](self._prepared, first + begun, games, LIMIT, reports)
            else:
                self._think(seated, first + begun, games, reports)
            self.cuda.synchronize()
            self.seconds += time.perf_counter() - began
            parts.append(reports.copy_to_host())
        return np.concatenate(parts)

    def _think(self, seated: Sequence[str], first: int, games: int, reports: Any) -> None:
        import numpy as np

        shape = self._shape(games, THINKING)
        threads = shape[0] * shape[1]
        desk = Slim(Desk, None, {"tape": 1})
        run = self._kernel(bots_games, desk)
        put = self.cuda.to_device
        boxes = Round(
            self._prepared,
            self._known,
            on_device(self._state, self.game.state_type.box(), 3 * threads),
            on_device(self._knowledge, self._wide, self.seats * threads),
            on_device(desk, Desk.box(), 2 * threads),
        )
        rows = [put(np.zeros((threads, MOVES), np.int64)) for _ in range(2)]
        policies = put(np.array([SIMPLE.index(name) for name in seated]))
        run[shape](boxes, Players(policies, rows[0], rows[1], WORLDS), first, games, LIMIT, reports)

    def digests(self, first: int, count: int, *, events: bool = False, limit: int = LIMIT) -> Any:
        """A number for each random game that stands for its state after every decision, and for its events if asked."""
        import numpy as np

        cast(Generic, digest).bind(self.game.state_type, digest_of(self.game.state_type))
        found = self.cuda.to_device(np.zeros(count, np.int64))
        desk = Slim(Desk, None, {"tape": 1}) if events else Slim(Desk, QUIET, {"tape": 1, "events": 1})
        run = self._kernel(digested_games, desk)
        run[self._shape(count, self._resident)](self._prepared, first, count, limit, found, int(events))
        return found.copy_to_host()


class Ahead:
    """Games on a GPU, deal by deal: when a deal is asked for, those after it are played as well, more each time."""

    def __init__(self, game: type[Game], seats: int, laid: Laid, kept: int = 0) -> None:
        self._table = DeviceTable(game, seats, laid)
        self._kept = kept
        self._most = KEPT_CHUNK if kept else CHUNK
        self._played: dict[tuple[str, ...], tuple[int, Any]] = {}  # by who sits where: the first deal, and the reports

    def report(self, seated: Sequence[str], deal: int) -> list[int]:
        """One deal with these players, by seat, as `DeviceTable.play` reports it."""
        first, reports = self._played.get(tuple(seated), (deal, []))
        if not first <= deal < first + len(reports):
            ahead = min(max(FEW, 2 * len(reports)), self._most)
            first, reports = deal, self._table.play(seated, deal_of(deal), ahead, self._kept)
            if not self._kept:
                reports = reports.tolist()
            self._played[tuple(seated)] = first, reports
        found = reports[deal - first]
        return found if isinstance(found, list) else found.tolist()


class AheadTable:
    """Where a match is played on a GPU."""

    def __init__(self, match: Match) -> None:
        if not match.simple:
            raise GameError("on a GPU random and greedy play; levels think on the processor")
        self.ends = match.game.ends
        self._ahead = Ahead(match.game, len(match.players), match.laid)

    def warm(self) -> None:
        """Nothing is compiled before it is played."""

    def last(self) -> None:
        """Nothing more than the outcome comes back from there."""

    def play(self, seated: Sequence[str], deal: int) -> Outcome:
        """One deal with these players, by seat."""
        decisions, turns, end, *places = self._ahead.report(seated, deal)
        return decisions, turns, self.ends[end] if end >= 0 else "unfinished", places
