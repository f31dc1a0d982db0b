"""The record of Celtica: what lies on the table, and the names of small integers.

Colours of druids count from 0 (white, red, grey, brown, black), kinds of amulet part likewise (sun to centre). What lies in a pile is
one small integer: a card is `CARD + colour`, a part `PART + kind`, a seat `SEAT + number`; 0 is nothing. Druid cards and experience
cards are two *decks* that work alike: piles are indexed by deck, hands by `deck * SEATS + seat`.

>>> s.pile[deck][i], s.hand[seat][place], s.held[SEATS + seat][colour], s.parts[seat][kind]
"""

from __future__ import annotations

from ..kernel import Grid, Record, Row, i8, i64, rule

SEATS = 5
COLOURS = 5
KINDS = 9
DISPLAY = 9  # parts that lie open
DEAL = 5  # druid cards for each player and round
FIRST_PARTS = 2

# Limits of components (CE-8.1, and ours for the decks).
PLACES = 40
FEWEST_PLACES = 10
MOST_PARTS = 9  # at one place
DRUID_CARDS = 15  # of one colour
EXPERIENCE_CARDS = 7
PARTS = 14  # of one kind
CARDS = COLOURS * DRUID_CARDS
SUPPLY = KINDS * PARTS
HAND = DEAL + COLOURS * EXPERIENCE_CARDS  # CE-3.7: a turn never adds to a hand, so nobody holds more than after a deal

DRUID, EXPERIENCE = 0, 1
DECKS = 2

NO_CARD = 0
CARD = 1
PART = 6
SEAT = 15
HIDDEN = 32  # in a knowledge: HIDDEN + pool, a card of that pool nobody showed us

# Names of shuffles.
SEATS_PILE, DRUID_PILE, EXPERIENCE_PILE, PARTS_PILE = range(4)

# Kinds of place; from VILLAGE on they are find spots.
START, CULT, RUIN, VILLAGE, CASTLE, MONASTERY, GOAL = range(7)

# Phases: which decision is due.
PLAY, AT_CULT, TAKE, GIVE, TRADE, OVER = range(6)

# Kinds of end.
NOT_OVER, BY_GOAL, ALL_HOME, BY_PARTS = range(4)

# Actions. A play is colour << 7 | druid cards << 3 | experience cards.
COLOUR_SHIFT = 7
DRUID_SHIFT = 3
TAKE_PART = COLOURS << COLOUR_SHIFT  # + kind
GIVE_PART = TAKE_PART + KINDS  # + kind
DRAW_CARD = GIVE_PART + KINDS
DRAW_NONE = DRAW_CARD + 1
SWAP = DRAW_NONE + 1  # + own kind * 9 + the display's kind
STOP = SWAP + KINDS * KINDS
ACTIONS = STOP + 1


class State(Record):
    """Everything that lies on the table."""

    # Options and board, fixed for the game
    seats: int = i64(fits=1)
    first_player: int = i64(fits=1)  # CE-8.2; -1 is drawn
    ask_order: int = i64(fits=1)  # CE-8.3
    places: int = i64(fits=1)
    place_kind: Row = i8(PLACES)
    worth: Row = i8(PLACES)  # parts: to take, or negative to give up

    # Whose decision
    phase: int = i64(fits=1)
    turn: int = i64(fits=1)
    left: int = i64(fits=1)  # parts still to take or give up now
    round: int = i64(fits=2)
    starter: int = i64(fits=1)
    asked: int = i64(fits=1)  # the seat that was asked last
    last: int = i64(fits=1)  # who made the last play, once the play has ended (CE-6.3)
    end: int = i64(fits=1)

    # The path and the parts
    druid: Row = i8(COLOURS)  # place of each druid
    home: int = i64(fits=1)  # druids at the goal
    display: Row = i8(KINDS)
    shown: int = i64(fits=1)  # parts in the display
    supply: Row = i8(SUPPLY)  # parts supply_at up to supply_end, next first
    supply_at: int = i64(fits=1)
    supply_end: int = i64(fits=1)
    given: Row = i8(KINDS)
    given_size: int = i64(fits=1)
    parts: Grid = i8(SEATS, KINDS)
    parts_size: Row = i8(SEATS)

    # The cards, by deck
    pile: Grid = i8(DECKS, CARDS)  # cards pile_at up to pile_end, next first
    pile_at: Row = i8(DECKS)
    pile_end: Row = i8(DECKS)
    discard: Grid = i8(DECKS, COLOURS)
    discard_size: Row = i8(DECKS)

    # What each player holds, by deck * SEATS + seat: druid cards first, then experience cards
    hand: Grid = i8(DECKS * SEATS, HAND)  # by place; places are public, and close up
    hand_size: Row = i8(DECKS * SEATS)
    held: Grid = i8(DECKS * SEATS, COLOURS)  # the same cards, counted


@rule
def kinds_in(row: Row) -> int:
    """The kinds of which there is at least one, as bits."""
    kinds = 0
    for kind in range(KINDS):
        kinds |= int(row[kind] > 0) << kind
    return kinds
