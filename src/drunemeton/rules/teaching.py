"""What a game says of itself to who learns it: what a thing on the table is and does now, what matters before a decision, what came of one.

A game's `about.py` and `coach.py` work from views, legal moves, previews and told events alone, so nobody is told what he could not know.
The catalogues say it, under `about.CODE` and `coach.CODE`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import Reason
from .kernel import SPECTATOR
from .story import Event, told_to

if TYPE_CHECKING:
    from .game import Game
    from .preview import Foreseen

WORLDS = 6  # so many a coach looks at for each move: enough for what is nearly certain


class Saying(NamedTuple):
    """A sentence of a game's: its code within the game, the rule behind it, and its parameters."""

    code: str
    rule: str
    params: Mapping[str, Any] = MappingProxyType({})


class Advice(NamedTuple):
    """One thing that matters now, the rule behind it, and the moves that show that somebody knows it."""

    code: str
    rule: str
    params: dict[str, Any]
    right: list[str]


class Situation(NamedTuple):
    """A decision as a coach may see it: a view, what may be played, and whether it is meant for this seat alone."""

    view: Any
    seat: str
    legal: list[str]
    foresee: Callable[[str], list[Foreseen]]
    alone: bool


def explain(game: Game, watcher: int, what: str) -> list[Reason]:
    """What a thing on the table is, what it does now, and by which rule; nothing for what is not there."""
    return [] if game.explaining is None else _spoken(game, game.explaining.about(game.view(watcher), what))


def things(game: Game, watcher: int) -> list[str]:
    """Everything on the table that can be asked about."""
    return [] if game.explaining is None else list(game.explaining.things(game.view(watcher)))


def advise(game: Game, seat: int, *, alone: bool) -> list[Advice]:
    """What matters to the seat on turn, the most important first. With other people at the table it is what everybody may see."""
    if game.coaching is None or game.to_move != seat:
        return []

    @functools.cache
    def foresee(move: str) -> list[Foreseen]:
        return game.preview(move, samples=WORLDS)

    view = game.view(seat if alone else SPECTATOR)
    found = game.coaching.before(Situation(view, game.seat_names[seat], game.legal(), foresee, alone))
    return [one._replace(code=f"{game.script.prefix}.{one.code}") for one in found]


def reflect(game: Game, seat: int, *, alone: bool, since: int = 0) -> list[Reason]:
    """What came of the seat's last turn from step `since` on, as far as it has gone, and why; told alike to all where other people play."""
    if game.coaching is None:
        return []
    turn: list[Event] = []
    begun = False
    for step in reversed(game.steps[since:]):
        if begun and step.seat != seat:
            break
        if step.seat != seat:
            continue
        events = game.script.events(told_to(step.rows, seat if alone else SPECTATOR))
        if begun and any(event["kind"] == "turn" for event in events):
            break
        begun = True
        turn = [*events, *turn]
    return _spoken(game, game.coaching.after(turn, game.seat_names[seat]))


def _spoken(game: Game, sayings: Sequence[Saying]) -> list[Reason]:
    return [Reason(f"{game.script.prefix}.{code}", rule, dict(params)) for code, rule, params in sayings]
