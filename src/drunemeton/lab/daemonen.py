"""What an action of Druiden und Dämonen uses: which of the five actions is chosen, which small step is made, which land field is laid, and
by what the place lies on which something is put."""

from __future__ import annotations

from ..rules.daemonen.state import (
    ACTION_KINDS,
    ANCHOR,
    CHOOSE,
    DEMON,
    DISCARD,
    DRAW,
    END,
    FOREST,
    FROM,
    FROM_POOL,
    FROM_RESERVE,
    LAY,
    LAY_PORTAL,
    REMOVE,
    SETTLE,
    SETUP,
    SLOTS,
    STONE,
    STONE_FROM,
    STOP,
    TEMPLE_FROM,
    TO,
    WORDS,
    State,
)
from ..rules.kernel import Row, bit_has, rule

SMALL = (DRAW, STOP, DISCARD, END, FROM_RESERVE, FROM_POOL)
CAPTURE = ACTION_KINDS + len(SMALL)
FORESTS = CAPTURE + 1
SIDES = 6
BY_CENTRE = FORESTS + SIDES + 1  # then by a portal, by a demon field
OPEN = BY_CENTRE + 3
THINGS = (
    "dark magic",
    "light magic",
    "scouting",
    "new populations",
    "moving",
    "draw",
    "stop drawing",
    "discard",
    "end an action",
    "stone from the reserve",
    "temple from the pool",
    "capture",
    *(f"{count}-forest field" for count in range(SIDES + 1)),
    "place by the centre",
    "place by a portal",
    "place by a demon field",
    "open place",
)


@rule
def forests(card: int) -> int:
    """The forest sides of a land field."""
    found = 0
    for side in range(SIDES):
        found += int(((card >> (2 * side)) & 3) == FOREST)
    return found


@rule
def lies_by(s: State, slot: int) -> int:
    """By what a field lies, as bits: the centre, a portal, a demon field."""
    centre = 0
    demon = 0
    for word in range(WORDS):
        centre |= s.near[word][slot] & ~s.land[word]
        demon |= s.near[word][slot] & s.land[word] & s.demons[word]
    return int(centre != 0) | int(bit_has(s.gate, slot)) << 1 | int(demon != 0) << 2


@rule
def places(found: int, row: Row, count: int) -> int:
    """Write the names of places after those that are written; answers how many there are then."""
    for kind in range(OPEN - BY_CENTRE):
        if found >> kind & 1:
            row[count] = BY_CENTRE + kind
            count += 1
    if found == 0:
        row[count] = OPEN
        count += 1
    return count


@rule
def things_of(s: State, action: int, row: Row) -> int:
    """Choices by name, a move onto an enemy, the field that is laid, and where something comes to lie or stand; not where it leaves."""
    row[0] = CAPTURE
    if action < CHOOSE + ACTION_KINDS:
        row[0] = action - CHOOSE
        return 1
    if action < DEMON:
        row[0] = ACTION_KINDS + action - DRAW
        return 0 if s.phase == SETUP or action > FROM_POOL else 1
    if action < REMOVE or ANCHOR <= action < TEMPLE_FROM or SETTLE <= action < FROM:
        return places(lies_by(s, (action - DEMON) % SLOTS), row, 0)
    if TO <= action < STONE:
        return places(lies_by(s, action - TO), row, int(s.owner[action - TO] >= 0))
    if STONE <= action < STONE_FROM:
        site = action - STONE
        return places(lies_by(s, s.site_slot[0][site]) | lies_by(s, s.site_slot[1][site]) | lies_by(s, s.site_slot[2][site]), row, 0)
    if LAY <= action < LAY_PORTAL:
        row[0] = FORESTS + forests(s.hand)
        return 1
    return 0
