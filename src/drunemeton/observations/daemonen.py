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
    SITE_WORDS,
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
from ..rules.daemonen.story import BEGUN_STEP, CHOSEN, DISCARDED, DRAWN, SCORED
from ..rules.kernel import EV_KIND, WORD, Grid, Record, Row, count_bits, i64, lowest_bit, rule
from .layout import Feature, Range, who_looks

VERSION = 1
MOST_DECISIONS = 20_000  # 200 turns (DD-6.3) of two actions, each of far fewer than fifty decisions
MANY = 9999

SLOT = 15  # entries of a field of the map
KIND, Q, R, SIDES, POPULATION, DEMONS, ANCHORS, TEMPLES, STONES, MOVED = 0, 1, 2, 3, 9, 10, 11, 12, 13, 14
SITE = 4  # entries of a corner
PILE_AT = 9 + ACTION_KINDS + 7 + 9  # where the field `pile` begins
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

AXES = {
    "player": "the one who looks, then round the table: entry i is seat (`seat` + i) modulo the number of players",
    "action": "dark magic, light magic, scout, populate, move",
    "slot": "fields of the map in the order in which they were laid, the centre first",
    "site": "corners where a stone can stand, in the order in which they came about",
    "entry": "as the meaning lists them; sides by direction 0 to 5 (DD-1.1)",
}


def fields(seats: int) -> list[Feature]:
    """The fields of an observation, in order; long because there are so many."""
    return [
        *who_looks(SEATS),
        Feature("phase", (1,), 0, OVER, "0 dark magic, 1 light magic, 2 scout, 3 populate, 4 move, 5 set-up, 6 choosing actions, 7 over"),
        Feature("turns", (1,), 0, GUARD_TURNS, "turns of single players so far"),
        Feature("win", (1,), 1, MANY, "points that win"),
        Feature(
            "chosen",
            (2,),
            0,
            ACTION_KINDS,
            "the first and the second action chosen in this turn: 0 none yet, 1 dark magic to 5 move",
            ("entry",),
        ),
        Feature("second", (1,), 0, 1, "whether the second of them is being carried out"),
        Feature("banned", (ACTION_KINDS,), 0, 1, "actions that may not be chosen", ("action",)),
        Feature("left", (1,), 0, SLOTS, "steps or draws left in this action"),
        Feature("half", (1,), 0, HALF_MOVE, "a half-made step: 0 none, 1 stone, 2 temple, 3 move"),
        Feature("half_at", (1,), 0, SITES, "the site or slot of that step, from 1"),
        Feature("spells", (3,), 0, 1, "light spells cast in this action: stone, temple, conversion", ("entry",)),
        Feature("exchanged", (1,), 0, SLOTS, "populations bought with trophies in this action"),
        Feature(
            "hand",
            (7,),
            0,
            3,
            "the card drawn: 0 none, 1 portal, 2 land; then its six sides as printed (0 none, 1 forest, 2 water, 3 mountain)",
            ("entry",),
        ),
        Feature("pools", (2,), 0, SLOTS, "demon fields and temples in the pool", ("entry",)),
        Feature(
            "pile",
            (5,),
            0,
            6 * SLOTS,
            "unseen cards, portals among them, and how many forest, water and mountain sides they show",
            ("entry",),
        ),
        Feature(
            "players",
            (seats, PLAYER),
            0,
            MANY,
            "points, reserve, lost populations, stones in reserve, lost stones, trophies, trophies spent, "
            "then for each action whether it was chosen in the last turn",
            ("player", "entry"),
        ),
        Feature(
            "map",
            (SLOTS, SLOT),
            -RADIUS,
            RADIUS,
            "kind (0 none, 1 centre, 2 portal, 3 land), q, r, six sides as they lie, population (1 own, 2 the next player's, ...), "
            "demon field, anchor (whose, likewise), temple, stones around it, whether its population has moved",
            ("slot", "entry"),
        ),
        Feature(
            "corners",
            (SITES, SITE),
            0,
            SLOTS,
            "stone (0 none, 1 own, 2 the next player's, ...), and the three slots around it, from 1",
            ("site", "entry"),
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
def mark(row: Row, at: int, w: int, slots: int, what: int) -> None:
    """Note something on every slot of one word of a set."""
    while slots:
        row[at + (w * WORD + lowest_bit(slots)) * SLOT] = what
        slots &= slots - 1


class Memory(Record):
    """What an observation of one game last said; nothing is private."""

    seat: int = i64()
    stale: int = i64()  # whether pieces may have come or gone since
    laid: int = i64()
    sites: int = i64()
    unseen: int = i64()  # 1 + cards in the pile
    people: Grid = i64(SEATS, WORDS)
    anchors: Grid = i64(SEATS, WORDS)
    demons: Row = i64(WORDS)
    temples: Row = i64(WORDS)
    moved: Row = i64(WORDS)
    stones: Grid = i64(SEATS, SITE_WORDS)


@rule
def keep(k: Knowledge, own: Memory, row: Row) -> None:
    """Nothing is told to single seats; but after many events no piece lies elsewhere than before."""
    if row[EV_KIND] not in (BEGUN_STEP, CHOSEN, DRAWN, DISCARDED, SCORED):
        own.stale = 1


@rule
def reflect(k: Knowledge) -> None:
    """The options of a question, which `ponder` would find, are not observed."""


@rule
def see_hand(k: Knowledge, own: State | Memory, seat: int) -> None:
    """Make what everybody knows into what that seat knows: nothing is private."""


@rule
def observe(k: Knowledge, own: Knowledge, seat: int, row: Row) -> int:
    """Write what a seat knows; answers how many entries."""
    eyes = eyes_of(seat, k.seats)
    n = observe_course(k, eyes, seat, row)
    observe_pile(k, row)
    for slot in range(k.laid):
        at = n + slot * SLOT
        describe_slot(k, slot, row, at)
        row[at + POPULATION] = seen_by(eyes, k.owner[slot])
        row[at + STONES] = k.stones_at[slot]
    for w in range(WORDS):
        mark(row, n + DEMONS, w, k.demons[w], 1)
        mark(row, n + TEMPLES, w, k.temples[w], 1)
        mark(row, n + MOVED, w, k.moved[w], 1)
        for who in range(k.seats):
            mark(row, n + ANCHORS, w, k.anchors[who][w], seen_by(eyes, who))
    n += SLOTS * SLOT
    for site in range(k.sites):
        describe_site(k, site, row, n + site * SITE)
        row[n + site * SITE] = seen_by(eyes, k.stone[site])
    return n + SITES * SITE


@rule
def observe_on(k: Knowledge, own: Memory, seat: int, row: Row) -> int:
    """Write what has changed since the memory's observation, and what another seat sees otherwise."""
    eyes = eyes_of(seat, k.seats)
    n = observe_course(k, eyes, seat, row)
    corners = n + SLOTS * SLOT
    unseen = 1 + k.pile_end - k.pile_at
    if own.unseen != unseen:
        own.unseen = unseen
        observe_pile(k, row)
    for slot in range(own.laid, k.laid):
        describe_slot(k, slot, row, n + slot * SLOT)
    own.laid = k.laid
    for site in range(own.sites, k.sites):
        describe_site(k, site, row, corners + site * SITE)
    own.sites = k.sites
    if own.stale or own.seat != seat:
        renew_map(k, own, eyes, -1 if own.seat != seat else 0, row, n)
        own.seat = seat
        own.stale = 0
    return corners + SITES * SITE


@rule
def renew_map(k: Knowledge, own: Memory, eyes: int, turned: int, row: Row, n: int) -> None:
    """Write which pieces came and went; if the row is `turned` to another seat (-1), whatever has an owner."""
    corners = n + SLOTS * SLOT
    for w in range((k.laid - 1) // WORD + 1):
        mend(row, n + DEMONS, w, own.demons, k.demons)
        mend(row, n + TEMPLES, w, own.temples, k.temples)
        mend(row, n + MOVED, w, own.moved, k.moved)
        peopled = 0
        for who in range(k.seats):
            peopled |= (own.people[who][w] ^ k.people[who][w]) | (k.people[who][w] & turned)
            own.people[who][w] = k.people[who][w]
            mark(row, n + ANCHORS, w, own.anchors[who][w] & ~k.anchors[who][w], 0)
        while peopled:
            slot = w * WORD + lowest_bit(peopled)
            peopled &= peopled - 1
            row[n + slot * SLOT + POPULATION] = seen_by(eyes, k.owner[slot])
        # An anchor of one player may have taken the place of another's: all go before any come.
        for who in range(k.seats):
            mark(row, n + ANCHORS, w, k.anchors[who][w] & (turned | ~own.anchors[who][w]), seen_by(eyes, who))
            own.anchors[who][w] = k.anchors[who][w]
    for w in range((k.sites - 1) // WORD + 1):
        marked = 0
        for who in range(k.seats):
            marked |= (own.stones[who][w] ^ k.stones[who][w]) | (k.stones[who][w] & turned)
            own.stones[who][w] = k.stones[who][w]
        while marked:
            site = w * WORD + lowest_bit(marked)
            marked &= marked - 1
            row[corners + site * SITE] = seen_by(eyes, k.stone[site])
            for j in range(3):
                slot = k.site_slot[j][site]
                row[n + slot * SLOT + STONES] = k.stones_at[slot]


@rule
def mend(row: Row, at: int, w: int, before: Row, now: Row) -> None:
    """Note on the slots of one word of a set what has changed there."""
    mark(row, at, w, before[w] & ~now[w], 0)
    mark(row, at, w, now[w] & ~before[w], 1)
    before[w] = now[w]


@rule
def observe_course(k: Knowledge, eyes: int, seat: int, row: Row) -> int:
    """Write the course of the game and what the players have; answers where the map begins."""
    over = k.phase == OVER
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
    n = PILE_AT + 5
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
    return n


@rule
def observe_pile(k: Knowledge, row: Row) -> None:
    """Write which cards are still to come."""
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
    row[PILE_AT] = k.pile_end - k.pile_at
    row[PILE_AT + 1] = portals
    row[PILE_AT + 2] = forest
    row[PILE_AT + 3] = water
    row[PILE_AT + 4] = mountain


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
def describe_site(k: Knowledge, site: int, row: Row, at: int) -> None:
    """What never changes about a corner where a stone can stand."""
    for j in range(3):
        row[at + 1 + j] = 1 + k.site_slot[j][site]


def private(knowledge: Any, seat: int) -> list[int]:
    """What only that seat has seen: nothing."""
    return []
