"""DW-8.1: whoever keeps winning leaves out cards, and the owner of a deck chooses their arrows."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadOption
from ..options import Options
from .story import SEAT_NAMES

ARROWS = "<>"


def option_of(seat: int) -> str:
    """The option that holds what a seat gives up."""
    return f"handicap_{SEAT_NAMES[seat]}"


def values_after(streak: int) -> list[int]:
    """The values that are left out after so many wins in a row."""
    return [2, 3][: min(streak, 2)]


def choices(streak: int) -> list[list[str]]:
    """What the owner of a deck may leave out after so many wins in a row: one card of each list."""
    return [[f"{value}{arrow}" for arrow in ARROWS] for value in values_after(streak)]


def given(components: Options, seat: int, agreed: Sequence[str], streak: int, wanted: Sequence[str] | None) -> list[str]:
    """One card of each value, beside what was agreed on freely: the one the owner names, or the arrow he has more of."""
    offered = choices(streak)
    if wanted is not None:
        if sorted(card[:1] for card in wanted) != [cards[0][:1] for cards in offered]:
            raise BadOption("cards", "dw.streak", values=values_after(streak), cards=list(wanted))
        return list(wanted)
    left = dict(components[SEAT_NAMES[seat]])
    for card in agreed:
        left[card] = left.get(card, 0) - 1
    return [max(cards, key=lambda card: left.get(card, 0)) for cards in offered]
