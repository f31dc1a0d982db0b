"""Search for a goal: games of 45 minutes, no seat above 52 %; which knobs get there?

A bounded search that can be followed: every value is tried by itself, the best is kept, then every other knob is tried together with it,
and so on for a few rounds. All settings play the same deals, and all tries are shown with how far they are from the goal. The best of many
owes something to luck, so it is played once more, on other deals: what counts is what it does there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..rules.changes import with_change
from ..rules.errors import GameError
from ..rules.game import find_game
from .experiment import Experiment, Setting, shown
from .result import Result
from .running import Run

ROUNDS = 3
_GOAL = re.compile(r"(.+?)=(-?[0-9.]+)?\.\.(-?[0-9.]+)?")


class Goal(NamedTuple):
    """A measure that is to lie between two numbers; without one of them, only on one side."""

    measure: str
    low: float | None
    high: float | None

    def missed(self, value: float) -> float:
        """How far a value is from it, as a part of what is asked for; 0 if it is reached."""
        wanted = (
            self.low if self.low is not None and value < self.low else self.high if self.high is not None and value > self.high else None
        )
        return 0.0 if wanted is None else abs(value - wanted) / max(abs(wanted), 1e-9)

    def holds(self, figure: Mapping[str, float]) -> bool:
        """Whether the whole interval of a figure lies within it."""
        return (self.low is None or figure["low"] >= self.low) and (self.high is None or figure["high"] <= self.high)


class Try(NamedTuple):
    """What was tried: the changes, each goal's figure, and how far all of it is from the goal."""

    changes: dict[str, Any]
    figures: dict[str, dict[str, float]]
    missed: float

    @property
    def name(self) -> str:
        """The changes in one line."""
        return " ".join(f"{name}={shown(value)}" for name, value in self.changes.items()) or "default"


def read_goal(text: str) -> Goal:
    """`length.minutes=40..50`, `starter.wins=..0.52`."""
    found = _GOAL.fullmatch(text)
    try:
        bounds = [float(bound) if bound else None for bound in found.groups()[1:]] if found else [None, None]
    except ValueError:
        bounds = [None, None]
    if found is None or bounds == [None, None]:
        raise GameError(f"{text!r} is no goal: write MEASURE=LOW..HIGH, such as length.minutes=40..50 or starter.wins=..0.52")
    goal = Goal(found[1], *bounds)
    if goal.low is not None and goal.high is not None and goal.low > goal.high:
        raise GameError(f"{text!r} can never be reached: {goal.low:g} is more than {goal.high:g}; write the lower bound first")
    return goal


def search(
    game: str,
    goals: Sequence[Goal],
    knobs: Mapping[str, Sequence[Any]],
    *,
    players: Sequence[str] | None = None,
    deals: int = 100,
    processes: int | None = None,
    told: Callable[[Try], None] | None = None,
) -> list[Try]:
    """All tries, the nearest first; stops when a try reaches the goal, after a few rounds, or when nothing comes nearer."""
    who = tuple(players or ("greedy",) * find_game(game).players[0])
    tries: dict[str, Try] = {}

    def play(wanted: list[dict[str, Any]]) -> None:
        fresh = [changes for changes in wanted if Try(changes, {}, 0).name not in tries]
        settings = [_setting(game, who, changes) for changes in fresh]
        if not settings:
            return
        result = Run(Experiment(game, tuple(settings), deals), processes=processes).run()
        for n, changes in enumerate(fresh):
            made = _judged(result, n, changes, goals)
            tries[made.name] = made
            if told:
                told(made)

    play([{}, *({name: value} for name, values in knobs.items() for value in values)])
    for _ in range(ROUNDS - 1):
        best = min(tries.values(), key=lambda one: one.missed)
        if best.missed == 0:
            break
        play([{**best.changes, name: value} for name, values in knobs.items() if name not in best.changes for value in values])
        if min(tries.values(), key=lambda one: one.missed) is best:
            break
    return sorted(tries.values(), key=lambda one: (one.missed, len(one.changes)))


def confirmed(
    game: str, goals: Sequence[Goal], best: Try, *, players: Sequence[str] | None, deals: int, processes: int | None = None
) -> Try:
    """The best try on deals that it was not chosen by."""
    who = tuple(players or ("greedy",) * find_game(game).players[0])
    experiment = Experiment(game, (_setting(game, who, best.changes),), deals, seed=1 + deals)
    return _judged(Run(experiment, processes=processes).run(), 0, best.changes, goals)


def _setting(game: str, players: tuple[str, ...], changes: Mapping[str, Any]) -> Setting:
    options: dict[str, Any] = {}
    components: dict[str, Any] = {}
    for name, value in changes.items():
        options, components = with_change(find_game(game), options, components, name, value)
    return Setting(Try(dict(changes), {}, 0).name, players, options, components)


def _judged(result: Result, n: int, changes: dict[str, Any], goals: Sequence[Goal]) -> Try:
    for goal in goals:
        if goal.measure not in result.data["measures"]:
            raise GameError(f"there is no measure {goal.measure!r}; they are {', '.join(result.data['measures'])}")
    figures = {goal.measure: result.figure(n, goal.measure) for goal in goals}
    return Try(changes, figures, sum(goal.missed(figures[goal.measure]["mean"]) for goal in goals))


__all__ = ["Goal", "Try", "confirmed", "read_goal", "search"]
