"""What an action of Celtica uses: the druid, the place to which he is led, experience cards, the kind of part."""

from __future__ import annotations

from ..rules.celtica.state import (
    COLOUR_SHIFT,
    COLOURS,
    DRAW_CARD,
    DRUID_SHIFT,
    GIVE_PART,
    KINDS,
    PLACES,
    STOP,
    SWAP,
    TAKE_PART,
    State,
)
from ..rules.celtica.story import COLOUR_NAMES, KIND_NAMES
from ..rules.kernel import Row, rule

PLACE = COLOURS
EXPERIENCE = PLACE + PLACES
PARTS = EXPERIENCE + 1
THINGS = (
    *(f"{colour} druid" for colour in COLOUR_NAMES),
    *(f"place {number}" for number in range(PLACES)),
    "experience card",
    *(f"part {kind}" for kind in KIND_NAMES),
)


@rule
def things_of(s: State, action: int, row: Row) -> int:
    """By the ranges of actions; a place is the one that a play leads to."""
    if action < TAKE_PART:
        colour = action >> COLOUR_SHIFT
        cards = ((action >> DRUID_SHIFT) & 15) + (action & 7)
        row[0] = colour
        row[1] = PLACE + min(s.druid[colour] + cards, s.places - 1)
        row[2] = EXPERIENCE
        return 3 if action & 7 else 2
    if action < GIVE_PART:
        row[0] = PARTS + action - TAKE_PART
        return 1
    if action < DRAW_CARD:
        row[0] = PARTS + action - GIVE_PART
        return 1
    if SWAP <= action < STOP:
        row[0] = PARTS + (action - SWAP) % KINDS
        return 1
    return 0
