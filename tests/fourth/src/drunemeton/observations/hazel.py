"""What a learner sees of Hazel. Players are counted from the one who looks, himself first."""

from __future__ import annotations

from typing import Any

from ..rules.hazel.knowledge import Knowledge
from ..rules.hazel.state import ACTIONS, CARDS, HAND, HIDDEN, NO_CARD, OVER, SEATS, State
from ..rules.hazel.story import DEALT, LAID
from ..rules.kernel import EV_A, EV_KIND, EV_SECRET, EV_WHO, Grid, Record, Row, i8, rule
from .layout import Feature, Range

VERSION = 1
MOST_DECISIONS = 200
TRICKS = 9 * HAND

ACTION_RANGES = (Range("lay", 0, (ACTIONS,), "HZ-2.2: lay a card, by its place in hand"),)
AXES = {"player": "the one who looks, then round the table", "place": "places in hand"}


def fields(seats: int) -> list[Feature]:
    """The fields of an observation, in order."""
    return [
        Feature("seat", (1,), 0, SEATS - 1, "who sees this"),
        Feature("on_turn", (1,), 0, 1, "whether it is this seat's decision"),
        Feature("round", (1,), 0, 9, "the round"),
        Feature("hand", (HAND,), 0, CARDS, "the own hand", ("place",)),
        Feature("table", (seats,), 0, CARDS, "the card before each player", ("player",)),
        Feature("tricks", (seats,), 0, TRICKS, "tricks of each player", ("player",)),
    ]


class Memory(Record):
    """What each player alone knows: his hand."""

    hand: Grid = i8(SEATS, HAND)


@rule
def keep(k: Knowledge, own: Memory, row: Row) -> None:
    """A player remembers the card that he was dealt, until he lays it down."""
    if row[EV_KIND] == DEALT:
        if (row[EV_WHO] >> row[EV_A]) & 1:
            own.hand[row[EV_A]][row[EV_A + 1]] = row[EV_SECRET]
    elif row[EV_KIND] == LAID:
        own.hand[row[EV_A]][row[EV_A + 1]] = NO_CARD


@rule
def reflect(k: Knowledge) -> None:
    """There is nothing to find."""


@rule
def observe_on(k: Knowledge, own: Memory, seat: int, row: Row) -> int:
    """Write what a seat knows, all of it: it is little."""
    return observe(k, own, seat, row)


@rule
def observe(k: Knowledge, own: Knowledge | Memory, seat: int, row: Row) -> int:
    """Write what a seat knows; answers how many entries."""
    row[0] = seat
    row[1] = int(k.phase != OVER and k.turn == seat)
    row[2] = k.round
    n = 3
    for place in range(HAND):
        row[n + place] = own.hand[seat][place]
    n += HAND
    who = seat
    for i in range(SEATS):
        row[n + i] = k.table[who]
        row[n + SEATS + i] = k.tricks[who]
        who = who + 1 if who + 1 < SEATS else 0
    return n + 2 * SEATS


@rule
def see_hand(k: Knowledge, own: State | Memory, seat: int) -> None:
    """Make what everybody knows into what that seat knows: it has seen its own hand."""
    for place in range(HAND):
        if k.hand[seat][place] == HIDDEN:
            card = own.hand[seat][place]
            k.hand[seat][place] = card
            k.seen |= 1 << card


def private(knowledge: Any, seat: int) -> list[int]:
    """What only that seat has seen: its hand, by place."""
    hand: list[int] = knowledge["hand"][seat].tolist()
    return hand
