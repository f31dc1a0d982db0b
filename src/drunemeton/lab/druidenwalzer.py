"""What an action of Druidenwalzer uses: the card by value and arrow, the own tree, the druid; and how long a turn takes people."""

from __future__ import annotations

from ..rules.druidenwalzer.state import (
    COLOURS,
    HAND,
    JUMP,
    LAY_ARROW,
    MEET,
    PASS,
    RETREAT_HAND,
    RETREAT_TREE,
    SET_DRUID,
    TREES,
    WALTZ,
    State,
)
from ..rules.druidenwalzer.story import COLOUR_NAMES
from ..rules.kernel import Row, rule

VALUES = 9
TREE = VALUES
DRUID = TREE + TREES
ARROWS = DRUID + COLOURS
THINGS = (
    *(f"card {value}" for value in range(1, VALUES + 1)),
    *(f"tree {number}" for number in range(1, TREES + 1)),
    *(f"{colour} druid" for colour in COLOUR_NAMES),
    "clockwise",
    "counter-clockwise",
)
# A waltz is worked out for ten stacks and danced by hand, then three pairs of druids are compared: 30 to 40 minutes for some 30 turns.
PACE = 60.0


@rule
def card_things(card: int, row: Row) -> int:
    """The things of a card that its holder sees."""
    row[0] = (card & 15) - 1
    row[1] = ARROWS + ((card >> 4) & 1)
    return 2


@rule
def things_of(s: State, action: int, row: Row) -> int:
    """By the ranges of actions."""
    if action < SET_DRUID:
        row[0] = ARROWS + action - LAY_ARROW
        return 1
    if action < WALTZ:
        row[0] = TREE + action - SET_DRUID
        row[1] = DRUID + s.setting
        return 2
    if action < JUMP:
        n = card_things(s.hand[s.turn][(action - WALTZ) // TREES], row)
        row[n] = TREE + (action - WALTZ) % TREES
        return n + 1
    if action < RETREAT_HAND:
        row[0] = DRUID + action - JUMP
        return 1
    if action < RETREAT_HAND + HAND:
        return card_things(s.hand[s.turn][action - RETREAT_HAND], row)
    if action < MEET:
        row[0] = TREE + action - RETREAT_TREE
        return 1
    if action < PASS:
        row[0] = DRUID + action - MEET
        return 1
    return 0
