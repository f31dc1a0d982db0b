"""Many games between bots: what `simulate` runs, and what designers and researchers count.

Random and greedy play whole games in compiled code. A table with searching bots plays in the arena, and several such games go side by side
in processes of their own. Deals are the same either way.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ..rules.drive import Engine, learn
from ..rules.errors import GameError
from ..rules.game import Game, apply, end_of, find_game, legal, place_of, random_action, start, to_move
from ..rules.kernel import below, deal_out, rule, seed, set_record
from ..rules.options import complete
from . import REFERENCE, SIMPLE, counting_rows, make_bot, names
from .arena import LIMIT, Arena, Player, workers
from .greedy import WORLDS, greedy_action, prepare_judge

Outcome = tuple[int, int, str, list[int]]  # decisions, turns, kind of end, places
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

    Desk 0 deals, desk 1 thinks and draws at random.
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
    deal_out(table, deal)
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
            if name not in (*names(game), REFERENCE):
                raise GameError(f"there is no bot {name!r} for {game.title}; the bots are {', '.join((*names(game), REFERENCE))}")
        self.game, self.players = game, list(players)
        self.options = complete(game.described, options)
        self.components = game.check_components(dict(components) if components is not None else game.default_components(), self.options)
        self.simple = all(name in SIMPLE for name in players)
        self._table: CompiledTable | SearchTable
        if self.simple:
            self._table = CompiledTable(self, plain)
        else:
            self._table = SearchTable(self)

    def play(self, deal: int, turned: int = 0) -> Outcome:
        """Play one deal, everybody so many seats further on: decisions, turns, kind of end (`unfinished` at the limit), players' places."""
        seats = len(self.players)
        seated = [self.players[(seat - turned) % seats] for seat in range(seats)]
        decisions, turns, end, places = self._table.play(seated, deal)
        return decisions, turns, end, [places[(player + turned) % seats] for player in range(seats)]


class CompiledTable:
    """Where random and greedy play: a whole game in one call."""

    def __init__(self, match: Match, plain: bool) -> None:
        game, seats = match.game, len(match.players)
        prepare_judge(game)
        self.game = game
        engine = Engine(game, plain=plain)
        state = game.state_type()
        game.prepare(state, seats, match.options, match.components)
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

            self._known = np.concatenate([knowledge.to_box() for _ in range(seats)])
            self._states, self._knows = game.state_type.box(3), game.knowledge_type.box(seats)
            self._desks = np.concatenate([engine.desk(), engine.desk()])
            self._policies: Any = np.zeros(seats, np.int64)
            self._report: Any = np.zeros(3 + seats, np.int64)
        else:
            self._known = [knowledge.copy() for _ in range(seats)]
            self._states = [state.copy() for _ in range(3)]
            self._knows = [knowledge.copy() for _ in range(seats)]
            self._desks = [engine.desk()[0], engine.desk()[0]]
            self._policies = [0] * seats
            self._report = [0] * (3 + seats)
        self._play: Any = engine.twin(play_game)
        self._moves, self._sums = counting_rows(engine.compiled)

    def play(self, seated: Sequence[str], deal: int) -> Outcome:
        """One deal with these players, by seat."""
        self._policies[:] = [SIMPLE.index(name) for name in seated]
        boxes = (self._prepared, self._known, self._states, self._knows, self._desks, self._policies, self._moves, self._sums)
        self._play(*boxes, self._report, deal, LIMIT, WORLDS)
        decisions, turns, end, *places = (int(n) for n in self._report)
        return decisions, turns, self.game.ends[end] if end >= 0 else "unfinished", places


@rule
def any_action(knows: Any, desks: Any) -> int:
    """Any legal action of the seat on turn, each as likely."""
    d = desks[0]
    count = legal(knows[0], d)
    return int(d.moves[below(d, count)])


class RandomPlayer:
    """Random, from a knowledge in a box."""

    def __init__(self, game: type[Game]) -> None:
        self.engine = Engine(game)
        self.act: Any = self.engine.twin(any_action)

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """Any legal action."""
        return int(self.act(knows, self.engine.desk(seed)))


class SearchTable:
    """Where searching bots play, and anybody with them."""

    def __init__(self, match: Match) -> None:
        self.arena = Arena(match.game, len(match.players), match.options, match.components)
        self.bots: dict[str, Player] = {
            name: RandomPlayer(match.game) if name == "random" else cast(Player, make_bot(match.game, name, plain=False))
            for name in match.players
        }

    def play(self, seated: Sequence[str], deal: int) -> Outcome:
        """One deal with these players, by seat."""
        end, places = self.arena.play([self.bots[name] for name in seated], deal)
        return self.arena.decisions, self.arena.turns, end, places


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


def simulate(
    match: Match,
    games: int,
    first: int,
    each: Callable[[int, Outcome], None] | None = None,
    *,
    rotate: bool = False,
    processes: int = 1,
) -> Tally:
    """Play deals from `first` on; `each` is told every game as it ends, in order.

    With `rotate` a deal is played as often as there are seats, everybody one seat further on each time: what the cards give to one player
    they give to all.
    """
    seats = len(match.players)
    if rotate and games % seats:
        raise GameError(f"{games} games cannot be rotated evenly among {seats} seats")
    jobs = [(first + number // seats, number % seats) if rotate else (first + number, 0) for number in range(games)]
    tally = Tally(match.players)

    def count(job: tuple[int, int], outcome: Outcome) -> None:
        tally.add(*outcome)
        if each:
            each(job[0], outcome)

    if processes == 1:
        for job in jobs:
            count(job, match.play(*job))
        return tally
    with workers(processes, _sit_down, match.game.name, match.players, match.options, match.components) as pool:
        for job, outcome in zip(jobs, pool.map(_play_there, jobs), strict=True):
            count(job, outcome)
    return tally


_there: list[Match] = []  # in a process of its own: the match that is played there


def _sit_down(game: str, players: list[str], options: Mapping[str, Any], components: Mapping[str, Any]) -> None:
    _there[:] = [Match(find_game(game), players, options, components)]


def _play_there(job: tuple[int, int]) -> Outcome:
    return _there[0].play(*job)


def difference(one: Tally, other: Tally, seat: int) -> tuple[float, float, float]:
    """How much a seat's share rises from `one` to `other` on the same deals, with its 95 % interval."""
    gaps = [b[seat] - a[seat] for a, b in zip(one.shares, other.shares, strict=True)]
    mean = sum(gaps) / len(gaps)
    if len(gaps) < 2:
        return mean, -1.0, 1.0
    deviation = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1))
    half = 1.959964 * deviation / math.sqrt(len(gaps))
    return mean, mean - half, mean + half
