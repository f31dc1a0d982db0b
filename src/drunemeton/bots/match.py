"""Many games between bots, in compiled code: what `simulate` runs, and what designers and researchers count."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..rules.drive import Engine, learn
from ..rules.errors import GameError
from ..rules.game import Game, apply, end_of, place_of, random_action, start, to_move
from ..rules.kernel import rule, seed, set_record
from ..rules.options import complete
from . import SIMPLE, counting_rows
from .greedy import WORLDS, greedy_action, prepare_judge

LIMIT = 20_000  # decisions; only a game whose draw rule is switched off can get here
RANDOM, GREEDY = 0, 1


@rule
def play_game(
    prepared: Any,
    known: Any,
    states: Any,
    knows: Any,
    desks: Any,
    policies: Any,
    moves: Any,
    sums: Any,
    report: Any,
    deal: int,
    limit: int,
    worlds: int,
) -> None:
    """One game from the prepared state. `report`: decisions, turns (changes of seat), kind of end, then each seat's place.

    Desk 0 deals: its generator depends on the deal and the step alone, so that the same deal meets different players alike.
    Desk 1 thinks.
    """
    seats = len(policies)
    set_record(states, 0, prepared, 0)
    s = states[0]
    table = desks[0]
    thinking = 0
    for seat in range(seats):
        set_record(knows, seat, known, seat)
        thinking |= policies[seat]
    table.listening = thinking
    table.told = 0
    seed(table, deal, 0, 0xDEA1)
    seed(desks[1], deal, 1, 0xB07)
    start(s, table)
    decisions = 0
    turns = 0
    last = -1
    seat = to_move(s)
    while seat >= 0 and decisions < limit:
        if thinking:
            for other in range(seats):
                if policies[other] == GREEDY:
                    learn(knows[other], table, other)
        if seat != last:
            turns += 1
            last = seat
        action = 0
        if policies[seat] == GREEDY:
            action = greedy_action(knows, seat, seat, desks, 1, states, 1, moves, sums, worlds)
        else:
            action = random_action(s, desks[1])
        decisions += 1
        table.told = 0
        seed(table, deal, decisions, 0xDEA1)
        apply(s, table, action)
        seat = to_move(s)
    report[0] = decisions
    report[1] = turns
    report[2] = end_of(s) if seat < 0 else -1
    for other in range(seats):
        report[3 + other] = place_of(s, other)


class Match:
    """Players at a table, ready to play any number of deals."""

    def __init__(
        self,
        game: type[Game],
        players: Sequence[str],
        options: Mapping[str, Any] | None = None,
        components: Mapping[str, Any] | None = None,
        *,
        plain: bool = False,
    ) -> None:
        low, high = game.players
        if not low <= len(players) <= high:
            raise GameError(f"{game.title} is played by {low} to {high}, not by {len(players)}")
        for name in players:
            if name not in SIMPLE:
                raise GameError(f"{name!r} cannot be simulated; the bots for that are {', '.join(SIMPLE)}")
        prepare_judge(game)
        self.game, self.players = game, list(players)
        self.options = complete(game.described, options)
        self.components = game.check_components(dict(components) if components is not None else game.default_components(), self.options)
        engine = Engine(game, plain=plain)
        state = game.state_type()
        game.prepare(state, len(players), self.options, self.components)
        knowledge = game.knowledge_type()
        knowledge.assign(state)
        game.prepare_knowledge(knowledge)
        self._prepared = engine.box(state)
        self._known: Any
        self._states: Any
        self._knows: Any
        self._desks: Any
        if engine.compiled:
            import numpy as np

            self._known = np.concatenate([knowledge.to_box() for _ in players])
            self._states, self._knows = game.state_type.box(3), game.knowledge_type.box(len(players))
            self._desks = np.concatenate([engine.desk(), engine.desk()])
            self._policies: Any = np.array([SIMPLE.index(name) for name in players], np.int64)
            self._report: Any = np.zeros(3 + len(players), np.int64)
        else:
            self._known = [knowledge.copy() for _ in players]
            self._states = [state.copy() for _ in range(3)]
            self._knows = [knowledge.copy() for _ in players]
            self._desks = [engine.desk()[0], engine.desk()[0]]
            self._policies = [SIMPLE.index(name) for name in players]
            self._report = [0] * (3 + len(players))
        self._play: Any = engine.twin(play_game)
        self._moves, self._sums = counting_rows(engine.compiled)

    def play(self, deal: int) -> tuple[int, int, str, list[int]]:
        """Play one deal: decisions, turns, kind of end (`unfinished` at the limit), places."""
        boxes = (self._prepared, self._known, self._states, self._knows, self._desks, self._policies, self._moves, self._sums)
        self._play(*boxes, self._report, deal, LIMIT, WORLDS)
        decisions, turns, end, *places = (int(n) for n in self._report)
        return decisions, turns, self.game.ends[end] if end >= 0 else "unfinished", places


# --- Counting ------------------------------------------------------------------------------------------------------


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if games == 0:
        return 0.0, 1.0
    z = 1.959964
    share = wins / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


@dataclass
class Tally:
    """What many games came to."""

    players: list[str]
    wins: list[float] = field(default_factory=list)  # a shared first place counts its part
    turns: list[int] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    shares: list[list[float]] = field(default_factory=list)  # by game and seat, for paired comparison

    def add(self, decisions: int, turns: int, end: str, places: Sequence[int]) -> None:
        """Count one game."""
        first = [seat for seat, place in enumerate(places) if place == 1]
        share = [1 / len(first) if seat in first and end != "unfinished" else 0.0 for seat in range(len(places))]
        self.wins = [a + b for a, b in zip(self.wins or [0.0] * len(places), share, strict=True)]
        self.shares.append(share)
        self.turns.append(turns)
        self.decisions.append(decisions)
        self.ends[end] += 1

    def summary(self) -> dict[str, Any]:
        """The figures in the form that `simulate --json` prints."""
        games = len(self.turns)
        seats = []
        for name, wins in zip(self.players, self.wins, strict=True):
            low, high = wilson(wins, games)
            seats.append({"bot": name, "wins": round(wins, 3), "share": wins / games, "low": low, "high": high})
        return {
            "games": games,
            "seats": seats,
            "turns": _spread(self.turns),
            "decisions": _spread(self.decisions),
            "ends": dict(sorted(self.ends.items())),
        }


def _spread(counts: Sequence[int]) -> dict[str, float]:
    return {"mean": sum(counts) / len(counts), "min": min(counts), "max": max(counts)}


def simulate(match: Match, games: int, first: int, each: Callable[[int, tuple[int, int, str, list[int]]], None] | None = None) -> Tally:
    """Play deals `first` to `first + games - 1`; `each` is told every game as it ends."""
    tally = Tally(match.players)
    for deal in range(first, first + games):
        outcome = match.play(deal)
        tally.add(*outcome)
        if each:
            each(deal, outcome)
    return tally


def difference(one: Tally, other: Tally, seat: int) -> tuple[float, float, float]:
    """How much a seat's share rises from `one` to `other` on the same deals, with its 95 % interval."""
    gaps = [b[seat] - a[seat] for a, b in zip(one.shares, other.shares, strict=True)]
    mean = sum(gaps) / len(gaps)
    if len(gaps) < 2:
        return mean, -1.0, 1.0
    deviation = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1))
    half = 1.959964 * deviation / math.sqrt(len(gaps))
    return mean, mean - half, mean + half
