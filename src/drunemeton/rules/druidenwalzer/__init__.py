"""Druidenwalzer (Michael Rieneck, 1999): spirits dance around an oval of trees, and druids measure their strength. Two players."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from ..components import Components
from ..errors import BadComponents, BadOption
from ..game import Game
from ..options import Option, Options
from . import knowledge as knowing
from . import notation, play
from .knowledge import Knowledge
from .state import MOON, SUN, State
from .story import SEAT_NAMES

DECK_LIMIT = 60
_CARD = re.compile(r"[1-9][<>]")


class Druidenwalzer(Game):
    """A game of Druidenwalzer. Seat 0 is Sun, seat 1 is Moon; Moon begins."""

    name = "druidenwalzer"
    title = "Druidenwalzer"
    prefix = "DW"
    players = (2, 2)
    hidden = "the other hand, face-down cards, two draw piles"
    described = (
        Option("moon_row", "rotated", "how Moon's row lies on the oval", "DW-1.1", choices=("rotated", "mirrored")),
        Option(
            "conquered_cards",
            "by_sign",
            "where the cards of a lost tree go: to the cult whose sign each bears, or to the tree's owner",
            "DW-6.3",
            choices=("by_sign", "tree_owner"),
        ),
        Option(
            "draw_after",
            60,
            "turns in a row without token or lost tree that end in a draw; 0 is off",
            "DW-6.5",
            0,
            1000,
        ),
        Option("cover_protects", False, "a dancer that is covered before its turn stays", "DW-8.2"),
        Option("handicap_sun", [], "cards taken out of Sun's deck, such as 2<", "DW-8.1", example="2< 3>"),
        Option("handicap_moon", [], "cards taken out of Moon's deck, such as 2<", "DW-8.1", example="2< 3>"),
        Option("trees", 4, "trees a side", "DW-8.3", 2, 4),
        Option("stack", 5, "cards on each tree at the start", "DW-8.3", 1, 5),
        Option("hand", 3, "cards in a full hand", "DW-8.3", 1, 3),
        Option("tokens_to_conquer", 6, "tokens that conquer a tree", "DW-8.3", 1, 6),
        Option("trees_to_lose", 2, "lost trees that lose the game", "DW-8.3", 1, 2),
    )
    problems: ClassVar = {
        "card": "a card is a value from 1 to 9 and an arrow, such as 5<",
        "too_many_cards": "{cards} cards, at most {most} can be used",
        "too_few_cards": "{cards} cards are left, {needed} are needed",
        "no_card": "there is no (further) {card} in the deck",
        "no_one": "no 1 is left to lay on the cult board",
        "streak": "after this streak the values {values} are left out, not {cards}",
    }

    @classmethod
    def check_components(cls, components: Components, options: Options) -> Components:
        """DW-1.3, 8.1: decks with known cards, large enough after the handicap, with a 1 to lay down."""
        for entry in components:
            if entry not in SEAT_NAMES:
                raise BadComponents(entry, "unknown", known=list(SEAT_NAMES))
        for seat in SEAT_NAMES:
            if seat not in components:
                raise BadComponents(seat, "missing")
            if not isinstance(components[seat], dict):
                raise BadComponents(seat, "not_parts", value=components[seat], example=f"{seat}.2< = 4")
            _check_deck(seat, components[seat], options)
        return {seat: {card: components[seat][card] for card in sorted(components[seat])} for seat in SEAT_NAMES}

    @classmethod
    def prepare(cls, state: State, seats: int, options: Options, components: Components) -> None:
        """DW-1, 2: the oval, and both decks face up before the first shuffle."""
        state.trees = options["trees"]
        state.stack_size = options["stack"]
        state.hand_size = options["hand"]
        state.to_conquer = options["tokens_to_conquer"]
        state.to_lose = options["trees_to_lose"]
        state.draw_after = options["draw_after"]
        state.by_sign = int(options["conquered_cards"] == "by_sign")
        state.cover = int(options["cover_protects"])
        play.lay_oval(state, int(options["moon_row"] == "mirrored"))
        state.ring = -1
        state.winner = -1
        state.druid_at = [[-1] * 3, [-1] * 3]
        state.druid_on = [-1] * 8
        for seat, name in ((SUN, "sun"), (MOON, "moon")):
            counts = dict(components[name])
            for card in options[f"handicap_{name}"]:
                counts[card] -= 1
            deck = [notation.parse_card(card, seat) for card in sorted(counts) for _ in range(counts[card])]
            state.pile[seat][: len(deck)] = deck
            state.pile_end[seat] = len(deck)

    @classmethod
    def prepare_knowledge(cls, knowledge: Knowledge) -> None:
        """No pile was shuffled yet, and Moon is asked first."""
        knowledge.pile_pool = [-1, -1]
        knowledge.turn = MOON
        knowing.ponder(knowledge)


def _check_deck(seat: str, deck: dict[str, Any], options: Options) -> None:
    for card, count in deck.items():
        if not _CARD.fullmatch(card):
            raise BadComponents(f"{seat}.{card}", "dw.card")
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= DECK_LIMIT:
            raise BadComponents(f"{seat}.{card}", "range", value=count, low=0, high=DECK_LIMIT)
    if sum(deck.values()) > DECK_LIMIT:
        raise BadComponents(seat, "dw.too_many_cards", cards=sum(deck.values()), most=DECK_LIMIT)
    left = dict(deck)
    entry = f"handicap_{seat}"
    for card in options[entry]:
        if left.get(card, 0) == 0:
            raise BadOption(entry, "dw.no_card", card=card)
        left[card] -= 1
    needed = 1 + options["trees"] * options["stack"] + options["hand"]
    # Without a handicap it is the deck that is at fault.
    bad, at = (BadOption, entry) if options[entry] else (BadComponents, seat)
    if sum(left.values()) < needed:
        raise bad(at, "dw.too_few_cards", cards=sum(left.values()), needed=needed)
    if left.get("1<", 0) + left.get("1>", 0) == 0:
        raise bad(at, "dw.no_one")
