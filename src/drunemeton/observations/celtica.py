"""What a learner sees of Celtica. Players are counted clockwise from the one who looks, himself first."""

from __future__ import annotations

from typing import Any

from ..rules.celtica.knowledge import Knowledge, leave_pool, ponder
from ..rules.celtica.state import (
    ACTIONS,
    CARD,
    CARDS,
    COLOUR_SHIFT,
    COLOURS,
    DECKS,
    DRAW_CARD,
    DRUID_SHIFT,
    GIVE_PART,
    HAND,
    HIDDEN,
    KINDS,
    MOST_PARTS,
    NO_CARD,
    OVER,
    PARTS,
    PLACES,
    SEATS,
    STOP,
    SUPPLY,
    SWAP,
    TAKE_PART,
    State,
)
from ..rules.celtica.story import COLOUR_NAMES, DEALT, DISCARDED, KIND_NAMES, LAID, PAID
from ..rules.kernel import EV_A, EV_B, EV_C, EV_KIND, EV_SECRET, EV_WHO, Grid, Record, Row, i8, may_see, rule
from .layout import Feature, Range, who_looks

VERSION = 1
MOST_DECISIONS = 5_000  # druids only walk on, so a game ends after at most 5 x 39 plays and what follows from each
AHEAD = 8  # places in front of each druid
ROUNDS = 300

ACTION_RANGES = (
    Range(
        "play",
        0,
        (COLOURS, 1 << (COLOUR_SHIFT - DRUID_SHIFT), 1 << DRUID_SHIFT),
        "CE-3.1: lead a druid, by colour, druid cards laid, experience cards laid (not every number can occur)",
    ),
    Range("take", TAKE_PART, (KINDS,), "CE-4.1, 6.3: take a part from the display, by kind"),
    Range("give", GIVE_PART, (KINDS,), "CE-4.2: give up a part, by kind"),
    Range("draw", DRAW_CARD, (2,), "CE-4.3: draw a card at the cult place, or decline"),
    Range("swap", SWAP, (KINDS, KINDS), "CE-6.3: swap a part, by own kind and the display's kind"),
    Range("stop", STOP, (ACTIONS - STOP,), "CE-6.3: end the own experience phase"),
)

AXES = {
    "player": "the one who looks, then round the table: entry i is seat (`seat` + i) modulo the number of players",
    "colour": ", ".join(COLOUR_NAMES),
    "kind of part": ", ".join(KIND_NAMES),
    "kind of card": "druid cards, experience cards",
    "place": "the nearest first",
}


def fields(seats: int) -> list[Feature]:
    """The fields of an observation, in order."""
    return [
        *who_looks(SEATS),
        Feature("phase", (1,), 0, OVER, "0 play, 1 cult place, 2 take, 3 give, 4 experience phase, 5 over"),
        Feature("left", (1,), 0, MOST_PARTS, "parts still to take or give up"),
        Feature("round", (1,), 0, ROUNDS, f"the round, counted up to {ROUNDS}"),
        Feature("home", (1,), 0, COLOURS, "druids at the goal"),
        Feature("to_goal", (COLOURS,), 0, PLACES, "places from each druid to the goal", ("colour",)),
        Feature(
            "ahead",
            (COLOURS, AHEAD),
            -MOST_PARTS,
            MOST_PARTS,
            f"the next {AHEAD} places before each druid: parts to take, negative to give up, 0 a cult place (or past the goal)",
            ("colour", "place"),
        ),
        Feature("display", (KINDS,), 0, PARTS, "open parts", ("kind of part",)),
        Feature("supply", (KINDS,), 0, PARTS, "parts hidden in the supply", ("kind of part",)),
        Feature("given", (KINDS,), 0, PARTS, "parts given up", ("kind of part",)),
        Feature("held", (DECKS, COLOURS), 0, HAND, "cards in the own hand", ("kind of card", "colour")),
        Feature("hand_size", (DECKS, seats), 0, HAND, "how many cards everybody holds", ("kind of card", "player")),
        Feature("parts", (seats, KINDS), 0, SUPPLY, "parts of each player", ("player", "kind of part")),
        Feature("pile", (DECKS,), 0, CARDS, "cards in the face-down piles", ("kind of card",)),
        Feature("discard", (DECKS, COLOURS), 0, CARDS, "discarded cards", ("kind of card", "colour")),
    ]


class Memory(Record):
    """What each player alone knows of one game: his hands, as in the state."""

    hand: Grid = i8(DECKS * SEATS, HAND)
    held: Grid = i8(DECKS * SEATS, COLOURS)


@rule
def keep(k: Knowledge, own: Memory, row: Row) -> None:
    """A player remembers the card that he was dealt, until he lays it down."""
    kind = row[EV_KIND]
    whose = row[EV_B] * SEATS + row[EV_A]
    place = row[EV_C]
    card = row[EV_SECRET]
    if kind == DEALT:
        if may_see(row[EV_WHO], row[EV_A]):
            own.hand[whose][place] = card
            own.held[whose][card - CARD] += 1
    elif kind in (LAID, PAID, DISCARDED):
        hand = own.hand[whose]
        last = k.hand_size[whose] - 1
        for i in range(place, last):
            hand[i] = hand[i + 1]
        hand[last] = NO_CARD
        own.held[whose][card - CARD] -= 1


@rule
def reflect(k: Knowledge) -> None:
    """At the end one sees who was asked last."""
    ponder(k)


@rule
def observe_on(k: Knowledge, own: Memory, seat: int, row: Row) -> int:
    """Write what a seat knows, all of it: it is little."""
    return observe(k, own, seat, row)


@rule
def observe(k: Knowledge, own: Knowledge | Memory, seat: int, row: Row) -> int:
    """Write what a seat knows; answers how many entries."""
    row[0] = seat
    row[1] = int(k.phase != OVER and k.turn == seat)
    row[2] = k.turn - seat if k.turn >= seat else k.turn - seat + k.seats
    row[3] = k.phase
    row[4] = k.left
    row[5] = min(k.round, ROUNDS)
    row[6] = k.home
    n = 7
    goal = k.places - 1
    for colour in range(COLOURS):
        here = k.druid[colour]
        row[n + colour] = goal - here
        ahead = n + COLOURS + colour * AHEAD
        for i in range(AHEAD):
            place = here + 1 + i
            row[ahead + i] = k.worth[place] if place <= goal else 0
    n += COLOURS * (1 + AHEAD)
    for kind in range(KINDS):
        row[n + kind] = k.display[kind]
        row[n + KINDS + kind] = k.supply_holds[kind]
        row[n + 2 * KINDS + kind] = k.given[kind]
    n += 3 * KINDS
    for colour in range(COLOURS):
        row[n + colour] = own.held[seat][colour]
        row[n + COLOURS + colour] = own.held[SEATS + seat][colour]
    n += 2 * COLOURS
    who = seat
    for i in range(k.seats):
        row[n + i] = k.hand_size[who]
        row[n + k.seats + i] = k.hand_size[SEATS + who]
        at = n + 2 * k.seats + i * KINDS
        for kind in range(KINDS):
            row[at + kind] = k.parts[who][kind]
        who = who + 1 if who + 1 < k.seats else 0
    n += k.seats * (2 + KINDS)
    for deck in range(DECKS):
        row[n + deck] = k.pile_end[deck] - k.pile_at[deck]
        at = n + DECKS + deck * COLOURS
        for colour in range(COLOURS):
            row[at + colour] = k.discard[deck][colour]
    return n + DECKS * (1 + COLOURS)


@rule
def see_hand(k: Knowledge, own: State | Memory, seat: int) -> None:
    """Make what everybody knows into what that seat knows: it has seen its own hand, and nothing else is private."""
    for deck in range(DECKS):
        row = deck * SEATS + seat
        for i in range(k.hand_size[row]):
            held = k.hand[row][i]
            if held >= HIDDEN:
                card = own.hand[row][i]
                k.hand[row][i] = card
                k.never[row][i] = 0
                k.held[row][card - CARD] += 1
                leave_pool(k, deck, held - HIDDEN, card)


def private(knowledge: Any, seat: int) -> list[int]:
    """What only that seat has seen of what lies on the table now: its hands, by place."""
    hands = knowledge["hand"]
    sizes = knowledge["hand_size"]
    return [*hands[seat][: sizes[seat]].tolist(), 0, *hands[SEATS + seat][: sizes[SEATS + seat]].tolist()]
