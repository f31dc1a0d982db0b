"""The record of Hazel. A card is its value, 0 is none; `HIDDEN` stands in a knowledge for a card that was not shown."""

from __future__ import annotations

from ..kernel import Grid, Record, Row, i8, i64

SEATS = 3
CARDS = 12
HAND = CARDS // SEATS
NO_CARD = 0
HIDDEN = 32
ACTIONS = HAND  # the place in hand from which a card is laid

LAY, OVER = range(2)
NOT_OVER, DONE = range(2)


class State(Record):
    """Everything that lies on the table."""

    rounds: int = i64()
    cards: int = i64()
    held: int = i64()  # cards in a full hand
    phase: int = i64()
    turn: int = i64()
    round: int = i64()
    laid: int = i64()  # cards in this trick
    left: int = i64()  # tricks still to come in this round
    hand: Grid = i8(SEATS, HAND)
    table: Row = i8(SEATS)  # the card before each seat
    tricks: Row = i8(SEATS)
    pile: Row = i8(CARDS)
