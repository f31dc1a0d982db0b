"""The reasons that people are told: what `because.py` finds, less what says nothing to them; where that is nothing, a slighter reason.

A game's file among the bots says what is no reason by itself (`SILENT`: that an action is chosen next), and what is told only where
nothing weightier differs (`SLIGHT`: that a card is drawn).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..bots.greedy import prepare_judge
from ..rules.game import Game
from .because import SAID, Explainer
from .shape import Why

MANY = 12  # reasons that are looked at, since some of them say nothing


class Reasons:
    """Finds what is told of moves of one game. Not for two threads at once."""

    def __init__(self, game: type[Game]) -> None:
        own = prepare_judge(game)
        self._silent: tuple[str, ...] = getattr(own, "SILENT", ())
        slight: tuple[str, ...] = getattr(own, "SLIGHT", ())
        self._weighty = Explainer(game)
        self._slight = Explainer(game) if slight else None
        if self._slight is not None:
            self._slight.matters = slight

    def box(self, knowledge: Any) -> Any:
        """What a seat knows, for compiled rules."""
        return self._weighty.engine.box(knowledge)

    def why(self, knows: Any, better: int, other: int | None, *, seed: int) -> tuple[Why, ...]:
        """Reasons for an action on what the seat on turn knows, beside another; without another, beside doing nothing of the kind."""
        found = self._weighty.why(knows, better, other, seed=seed, most=MANY)
        told = [one for one in found if one.event is None or one.event["kind"] not in self._silent]
        if not told and self._slight is not None and other is not None:
            told = [_unseen(one) for one in self._slight.why(knows, better, other, seed=seed, most=MANY)]
        return tuple(told[:SAID])


def _unseen(why: Why) -> Why:
    """Without the card: it is another one in every world."""
    return replace(why, event=why.event | {"card": None}) if why.event and "card" in why.event else why
