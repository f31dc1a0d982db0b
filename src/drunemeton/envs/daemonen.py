"""What a learner sees of Druiden und Dämonen: the whole table, for only the order of the pile is hidden.

Fields of the map are listed by *slot* (the order in which they were laid, the centre first) and corners by *site* (the order in which they
came about), because actions are numbered by slots and sites too. Players are counted clockwise from the one who looks, himself first.
"""

from __future__ import annotations

from typing import Any

from ..rules.daemonen.knowledge import Knowledge
from ..rules.daemonen.state import (
    ACTION_KINDS,
    ANCHOR,
    CELLS,
    CHOOSE,
    CONVERT,
    DEMON,
    DRAW,
    FROM,
    GUARD_TURNS,
    HALF_MOVE,
    LAND,
    LAY,
    LAY_PORTAL,
    OVER,
    PORTAL,
    RADIUS,
    REMOVE,
    SEATS,
    SETTLE,
    SITES,
    SLOTS,
    STONE,
    STONE_FROM,
    TEMPLE,
    TEMPLE_FROM,
    TO,
    WIDTH,
    WORDS,
    State,
)
from ..rules.kernel import WORD, Row, count_bits, lowest_bit, rule
from .layout import Field, Range

VERSION = 1
MOST_DECISIONS = 20_000  # 200 turns (DD-6.3) of two actions, each of far fewer than fifty decisions
MANY = 9999

SLOT = 15  # entries of a field of the map
KIND, Q, R, SIDES, POPULATION, DEMONS, ANCHORS, TEMPLES, STONES, MOVED = 0, 1, 2, 3, 9, 10, 11, 12, 13, 14
SITE = 4  # entries of a corner
PLAYER = 7 + ACTION_KINDS

ACTION_RANGES = (
    Range("choose", CHOOSE, (ACTION_KINDS,), "DD-5.1: dark magic, light magic, scout, populate, move"),
    Range(
        "simple", DRAW, (DEMON - DRAW,), "draw, stop, discard, end, from the reserve, from the pool; the rest of these numbers is unused"
    ),
    Range("demon", DEMON, (SLOTS,), "DD-5.3a: a demon field, by slot"),
    Range("remove", REMOVE, (SLOTS,), "DD-5.3a: take a demon field or an own anchor away, by slot"),
    Range("anchor", ANCHOR, (SLOTS,), "DD-5.3b: anchor a demon field under an own population, by slot"),
    Range("temple", TEMPLE, (SLOTS,), "DD-5.4b: where a temple shall stand, by slot"),
    Range("temple_from", TEMPLE_FROM, (SLOTS,), "DD-5.4b: the temple that is moved there, by slot"),
    Range("settle", SETTLE, (SLOTS,), "DD-5.6: a new population, by slot"),
    Range("from", FROM, (SLOTS,), "DD-5.7: which population moves, by slot"),
    Range("to", TO, (SLOTS,), "DD-5.7: where it goes, by slot"),
    Range("stone", STONE, (SITES,), "DD-5.4a: where a stone shall stand, by site"),
    Range("stone_from", STONE_FROM, (SITES,), "DD-5.4a: the stone that is moved there, by site"),
    Range("convert", CONVERT, (SITES,), "DD-5.4c: convert an enemy stone, by site"),
    Range("lay", LAY, (CELLS, 6), f"DD-3.1: lay the land field in hand, by cell (r + 16) * {WIDTH} + q + 16 and rotation"),
    Range("lay_portal", LAY_PORTAL, (CELLS,), "DD-3.2: lay the portal in hand, by cell"),
)


def fields(seats: int) -> list[Field]:
    """The fields of an observation, in order."""
    return [
        Field("seat", (1,), 0, SEATS - 1, "who sees this"),
        Field("on_turn", (1,), 0, 1, "whether it is this seat's decision"),
        Field("turn", (1,), 0, SEATS - 1, "whose decision it is (or was, when the game is over), counted from the one who looks"),
        Field("phase", (1,), 0, OVER, "0 dark magic, 1 light magic, 2 scout, 3 populate, 4 move, 5 set-up, 6 choosing actions, 7 over"),
        Field("turns", (1,), 0, GUARD_TURNS, "turns of single players so far"),
        Field("win", (1,), 1, MANY, "points that win"),
        Field("chosen", (2,), 0, ACTION_KINDS, "the actions chosen in this turn, 0 for none yet"),
        Field("second", (1,), 0, 1, "whether the second of them is being carried out"),
        Field("banned", (ACTION_KINDS,), 0, 1, "actions that may not be chosen"),
        Field("left", (1,), 0, SLOTS, "steps or draws left in this action"),
        Field("half", (1,), 0, HALF_MOVE, "a half-made step: 0 none, 1 stone, 2 temple, 3 move"),
        Field("half_at", (1,), 0, SITES, "the site or slot of that step, from 1"),
        Field("spells", (3,), 0, 1, "light spells cast in this action: stone, temple, conversion"),
        Field("exchanged", (1,), 0, SLOTS, "populations bought with trophies in this action"),
        Field("hand", (7,), 0, 3, "the card drawn: 0 none, 1 portal, 2 land; then its sides (1 forest, 2 water, 3 mountain)"),
        Field("pools", (2,), 0, SLOTS, "demon fields and temples in the pool"),
        Field("pile", (5,), 0, 6 * SLOTS, "unseen cards, portals among them, and how many forest, water and mountain sides they show"),
        Field(
            "players",
            (seats, PLAYER),
            0,
            MANY,
            "points, reserve, lost populations, stones in reserve, lost stones, trophies, trophies spent, actions chosen last turn",
        ),
        Field(
            "map",
            (SLOTS, SLOT),
            -RADIUS,
            RADIUS,
            "by slot: kind (0 none, 1 centre, 2 portal, 3 land), q, r, six sides, population (1 own, 2 the next player's, ...), "
            "demon field, anchor (whose, likewise), temple, stones around it, whether its population has moved",
        ),
        Field(
            "corners",
            (SITES, SITE),
            0,
            SLOTS,
            "by site: stone (1 own, 2 the next player's, ...), and the slots around it",
        ),
    ]


@rule
def eyes_of(seat: int, seats: int) -> int:
    """The players as the one at `seat` counts them, four bits each: 0 for nobody, then who is 1 (himself), 2 (the next) and so on."""
    eyes = 0
    for who in range(seats):
        eyes |= (1 + who - seat if who >= seat else 1 + who - seat + seats) << (4 * who + 4)
    return eyes


@rule
def seen_by(eyes: int, who: int) -> int:
    """A player (-1: nobody) as those eyes see him."""
    return (eyes >> (4 * who + 4)) & 15


@rule
def mark(row: Row, at: int, words: Row, what: int) -> None:
    """Note something on every slot of a set."""
    for w in range(WORDS):
        rest = words[w]
        while rest:
            row[at + (w * WORD + lowest_bit(rest)) * SLOT] = what
            rest &= rest - 1


@rule
def observe(k: Knowledge, own: State, seat: int, row: Row) -> int:
    """Write what a seat knows; answers how many entries."""
    over = k.phase == OVER
    eyes = eyes_of(seat, k.seats)
    row[0] = seat
    row[1] = int(not over and k.turn == seat)
    row[2] = seen_by(eyes, k.turn) - 1
    row[3] = k.phase
    row[4] = k.turns
    row[5] = k.win
    row[6] = 1 + k.chosen[0] if k.chosen_count > 0 else 0
    row[7] = 1 + k.chosen[1] if k.chosen_count > 1 else 0
    row[8] = k.doing
    for kind in range(ACTION_KINDS):
        row[9 + kind] = (k.banned >> kind) & 1
    n = 9 + ACTION_KINDS
    row[n] = k.left
    row[n + 1] = k.half
    row[n + 2] = 1 + k.half_at if k.half else 0
    for i in range(3):
        row[n + 3 + i] = (k.spells >> i) & 1
    row[n + 6] = k.exchanged
    n += 7
    row[n] = 2 if k.hand >= LAND else (1 if k.hand == PORTAL else 0)
    for i in range(6):
        row[n + 1 + i] = (k.hand >> (2 * i)) & 3 if k.hand >= LAND else 0
    row[n + 7] = k.demon_pool
    row[n + 8] = k.temple_pool
    n += 9
    portals = 0
    forest = 0
    water = 0
    mountain = 0
    for i in range(k.pile_at, k.pile_end):
        card = k.pile[i]
        if card == PORTAL:
            portals += 1
        else:
            low = card & 0x555
            high = (card >> 1) & 0x555
            forest += count_bits(low & ~high)
            water += count_bits(high & ~low)
            mountain += count_bits(low & high)
    row[n] = k.pile_end - k.pile_at
    row[n + 1] = portals
    row[n + 2] = forest
    row[n + 3] = water
    row[n + 4] = mountain
    n += 5
    who = seat
    for _ in range(k.seats):
        row[n] = k.points[who]
        row[n + 1] = k.reserve[who]
        row[n + 2] = k.lost[who]
        row[n + 3] = k.stone_reserve[who]
        row[n + 4] = k.stones_lost[who]
        row[n + 5] = k.trophies[who]
        row[n + 6] = k.spent[who]
        for kind in range(ACTION_KINDS):
            row[n + 7 + kind] = (k.last[who] >> kind) & 1
        n += PLAYER
        who = who + 1 if who + 1 < k.seats else 0
    return observe_map(k, eyes, row, n)


@rule
def observe_map(k: Knowledge, eyes: int, row: Row, n: int) -> int:
    """Write the map from entry n on, as far as it grew or changed; answers how many entries the observation has."""
    for slot in range(k.laid):
        at = n + slot * SLOT
        if row[at + KIND] == 0:
            describe_slot(k, slot, row, at)
        row[at + POPULATION] = seen_by(eyes, k.owner[slot])
        row[at + DEMONS] = 0
        row[at + ANCHORS] = 0
        row[at + TEMPLES] = 0
        row[at + STONES] = k.stones_at[slot]
        row[at + MOVED] = 0
    mark(row, n + DEMONS, k.demons, 1)
    mark(row, n + TEMPLES, k.temples, 1)
    mark(row, n + MOVED, k.moved, 1)
    for who in range(k.seats):
        mark(row, n + ANCHORS, k.anchors[who], seen_by(eyes, who))
    n += SLOTS * SLOT
    for site in range(k.sites):
        at = n + site * SITE
        row[at] = seen_by(eyes, k.stone[site])
        if row[at + 1] == 0:
            for j in range(3):
                row[at + 1 + j] = 1 + k.site_slot[j][site]
    return n + SITES * SITE


@rule
def describe_slot(k: Knowledge, slot: int, row: Row, at: int) -> None:
    """What never changes about a field that was laid."""
    cell = k.cell[slot]
    sides = k.sides[slot]
    r = cell // WIDTH
    row[at + KIND] = 3 if sides >= LAND else 1 + sides
    row[at + Q] = cell - r * WIDTH - RADIUS - 1
    row[at + R] = r - RADIUS - 1
    if sides >= LAND:
        for i in range(6):
            row[at + SIDES + i] = (sides >> (2 * i)) & 3


@rule
def see_hand(k: Knowledge, s: State, seat: int) -> None:
    """Make what everybody knows into what that seat knows: nothing is private."""


def private(knowledge: Any, seat: int) -> list[int]:
    """What only that seat has seen: nothing."""
    return []
