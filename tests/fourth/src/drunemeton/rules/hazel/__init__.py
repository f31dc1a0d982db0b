"""Hazel: three squirrels with hidden hands; the highest nut takes the trick."""

from __future__ import annotations

from ..components import Components
from ..errors import BadComponents
from ..game import Game
from ..options import Option, Options
from .knowledge import Knowledge
from .state import CARDS, HAND, SEATS, State


class Hazel(Game):
    """A game of Hazel."""

    name = "hazel"
    title = "Hazel"
    prefix = "HZ"
    players = (SEATS, SEATS)
    hidden = "the other hands"
    described = (Option("rounds", 6, "how many rounds are played", "HZ-3.2", 1, 9),)

    @classmethod
    def check_components(cls, components: Components, options: Options) -> Components:
        """HZ-1.1: nuts from 1 on, as many for each."""
        for entry in components:
            if entry != "cards":
                raise BadComponents(entry, "unknown", known=["cards"])
        cards = components.get("cards")
        if not isinstance(cards, int) or isinstance(cards, bool) or cards not in range(SEATS * 2, CARDS + 1, SEATS):
            raise BadComponents("cards", "none_of", value=cards, known=list(range(SEATS * 2, CARDS + 1, SEATS)))
        return {"cards": cards}

    @classmethod
    def prepare(cls, state: State, seats: int, options: Options, components: Components) -> None:
        """HZ-1.1: the nuts lie in order."""
        state.rounds = options["rounds"]
        state.cards = components["cards"]
        state.held = components["cards"] // SEATS
        state.pile[: components["cards"]] = list(range(1, components["cards"] + 1))
        assert state.held <= HAND

    @classmethod
    def prepare_knowledge(cls, knowledge: Knowledge) -> None:
        """Nothing is hidden before the first deal."""
