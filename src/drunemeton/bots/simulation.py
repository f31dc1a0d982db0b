"""Many games between bots, counted: what `simulate` runs, and what designers and researchers count.

Memory does not grow with the games: what is kept of a game is what is added up. Several settings are played on the same deals, deal by
deal, so that their differences can be told from the luck of the cards, and what was played before an interruption still pairs.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from .. import records
from ..rules.chance import Chance
from ..rules.errors import GameError
from ..rules.game import find_game
from .arena import workers
from .details import Detail
from .match import Match, Outcome

Job = tuple[int, int]  # a deal, and how many seats further on everybody sits
PlayedJob = tuple[list[Outcome], list[Detail | None]]
Each = Callable[[Job, list[Outcome]], None]
SURE = 1.959964  # standard errors to either side of a 95 % interval
AHEAD = 4  # games that each process may have waiting


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    middle = share + SURE * SURE / (2 * games)
    spread = SURE * math.sqrt(share * (1 - share) / games + SURE * SURE / (4 * games * games))
    scale = 1 + SURE * SURE / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def shares(end: str, places: Sequence[int]) -> list[float]:
    """What each player has won of a game: a shared first place counts its part, an unfinished game nothing."""
    first = [seat for seat, place in enumerate(places) if place == 1]
    return [1 / len(first) if seat in first and end != "unfinished" else 0.0 for seat in range(len(places))]


@dataclass
class Spread:
    """Mean, least and greatest of many counts."""

    count: int = 0
    total: int = 0
    least: int = 0
    most: int = 0

    def add(self, number: int) -> None:
        """One more."""
        self.least = number if not self.count else min(self.least, number)
        self.most = max(self.most, number)
        self.count += 1
        self.total += number

    def describe(self) -> dict[str, float]:
        """As data."""
        return {"mean": self.total / self.count if self.count else 0.0, "min": self.least, "max": self.most}


@dataclass
class Tally:
    """What many games came to."""

    players: list[str]
    games: int = 0
    wins: list[float] = field(default_factory=list)
    turns: Spread = field(default_factory=Spread)
    decisions: Spread = field(default_factory=Spread)
    ends: Counter[str] = field(default_factory=Counter)

    def add(self, decisions: int, turns: int, end: str, places: Sequence[int]) -> None:
        """Count one game."""
        self.wins = [a + b for a, b in zip(self.wins or [0.0] * len(places), shares(end, places), strict=True)]
        self.games += 1
        self.turns.add(turns)
        self.decisions.add(decisions)
        self.ends[end] += 1

    def summary(self) -> dict[str, Any]:
        """The figures in the form that `simulate --json` prints."""
        seats = []
        for name, wins in zip(self.players, self.wins or [0.0] * len(self.players), strict=True):
            low, high = wilson(wins, self.games)
            seats.append({"bot": name, "wins": round(wins, 3), "share": wins / max(1, self.games), "low": low, "high": high})
        return {
            "games": self.games,
            "seats": seats,
            "turns": self.turns.describe(),
            "decisions": self.decisions.describe(),
            "ends": dict(sorted(self.ends.items())),
        }


@dataclass
class Gap:
    """How much a seat's share rises from one setting to another on the same deals."""

    games: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, one: float, other: float) -> None:
        """One deal."""
        self.games += 1
        self.total += other - one
        self.squares += (other - one) ** 2

    def interval(self) -> tuple[float, float, float]:
        """The mean, and its 95 % interval."""
        if self.games < 2:
            return self.total / max(1, self.games), -1.0, 1.0
        mean = self.total / self.games
        deviation = math.sqrt(max(0.0, self.squares - self.games * mean * mean) / (self.games - 1))
        half = SURE * deviation / math.sqrt(self.games)
        return mean, mean - half, mean + half


class Simulation:
    """Settings that are played on the same deals; the first is the one that others are compared with."""

    def __init__(self, matches: Sequence[Match], games: int, first: int, *, rotate: bool = False, detailed: bool = False) -> None:
        seats = len(matches[0].players)
        if rotate and games % seats:
            raise GameError(f"{games} games cannot be rotated evenly among {seats} seats")
        self.matches, self.games, self.first, self.rotate = matches, games, first, rotate
        self.tallies = [Tally(match.players) for match in matches]
        self.gaps = [[Gap() for _ in range(seats)] for _ in matches[1:]]
        self.detailed = detailed
        self.details: Sequence[Detail | None] = [None] * len(matches)  # of the deal that was counted last, if they are wanted

    def jobs(self) -> Iterator[Job]:
        """What is played, in order. With `rotate` a deal is played as often as there are seats: what the cards give one they give all."""
        seats = len(self.matches[0].players) if self.rotate else 1
        return ((self.first + number // seats, number % seats) for number in range(self.games))

    def count(self, outcomes: Sequence[Outcome]) -> None:
        """Count one deal in all settings."""
        for tally, outcome in zip(self.tallies, outcomes, strict=True):
            tally.add(*outcome)
        won = [shares(outcome[2], outcome[3]) for outcome in outcomes]
        for gaps, other in zip(self.gaps, won[1:], strict=True):
            for gap, one, more in zip(gaps, won[0], other, strict=True):
                gap.add(one, more)

    def run(self, each: Each | None = None, *, processes: int = 1, folder: Path | None = None) -> None:
        """Play what has not been counted yet; `each` is told every deal as it ends, in order. `folder` is where records go."""
        jobs = islice(self.jobs(), self.tallies[0].games, None)
        for job, (outcomes, details) in self._here(jobs, folder) if processes == 1 else self._side_by_side(jobs, processes, folder):
            self.details = details
            self.count(outcomes)
            if each:
                each(job, outcomes)

    def _here(self, jobs: Iterator[Job], folder: Path | None) -> Iterator[tuple[Job, PlayedJob]]:
        tables = _tables(self.matches, folder)
        for job in jobs:
            yield job, _played(tables, job, self.detailed)

    def _side_by_side(self, jobs: Iterator[Job], processes: int, folder: Path | None) -> Iterator[tuple[Job, PlayedJob]]:
        for match in self.matches:
            match.warm()  # here, where it can be told: the others find it on disk
        settings = [(match.game.name, match.players, match.options, match.components) for match in self.matches]
        with workers(processes, _sit_down, settings, folder) as pool:
            waiting = deque((job, pool.submit(_play_there, job, self.detailed)) for job in islice(jobs, AHEAD * processes))
            while waiting:
                job, played = waiting.popleft()
                yield job, played.result()
                waiting.extend((later, pool.submit(_play_there, later, self.detailed)) for later in islice(jobs, 1))

    def summary(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """The figures of all settings, with the differences from the first."""
        found = [{"options": name, "asked": self.games, **tally.summary()} for name, tally in zip(names, self.tallies, strict=True)]
        for one, gaps in zip(found[1:], self.gaps, strict=True):
            one["against"] = names[0]
            one["differences"] = [dict(zip(("mean", "low", "high"), gap.interval(), strict=True)) for gap in gaps]
        return found


def simulate(match: Match, games: int, first: int, each: Each | None = None, *, rotate: bool = False, processes: int = 1) -> Tally:
    """One setting alone: deals from `first` on."""
    simulation = Simulation([match], games, first, rotate=rotate)
    simulation.run(each, processes=processes)
    return simulation.tallies[0]


class RecordedMatch:
    """A match of which every game is written down: its decisions are carried out again at a table in Python, which keeps a record."""

    def __init__(self, match: Match, folder: Path, label: str) -> None:
        self.match, self.folder, self.label = match, folder, label

    def play(self, deal: int, turned: int = 0) -> Outcome:
        """Play one deal, everybody so many seats further on, and write its record."""
        match = self.match
        outcome = match.play(deal, turned)
        game = match.game(len(match.players), match.options, match.components, Chance.from_seed(deal))
        for _, action in match.taken():
            game.carry_out(action)
        path = self.folder / f"{match.game.name}{self.label}-{deal}-{turned}.txt"
        fresh = path.with_suffix(".new")  # whoever is ended while he writes leaves no half of a record
        fresh.write_text(records.write(game), encoding="utf-8")
        fresh.replace(path)
        return outcome

    def detail(self) -> Detail | None:
        """More of the game that was played last."""
        return self.match.detail()


def _tables(matches: Sequence[Match], folder: Path | None) -> Sequence[Match | RecordedMatch]:
    if folder is None:
        return matches
    return [RecordedMatch(match, folder, f"-{n + 1}" if len(matches) > 1 else "") for n, match in enumerate(matches)]


_there: list[Match | RecordedMatch] = []  # in a process of its own: the tables that are played at there


def _sit_down(settings: list[tuple[str, list[str], Mapping[str, Any], Mapping[str, Any]]], folder: Path | None) -> None:
    _there[:] = _tables([Match(find_game(game), players, options, components) for game, players, options, components in settings], folder)


def _play_there(job: Job, detailed: bool) -> PlayedJob:
    return _played(_there, job, detailed)


def _played(tables: Sequence[Match | RecordedMatch], job: Job, detailed: bool) -> PlayedJob:
    outcomes, details = [], []
    for table in tables:
        outcomes.append(table.play(*job))
        details.append(table.detail() if detailed else None)
    return outcomes, details
