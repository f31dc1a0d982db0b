"""The record of Druidenwalzer: what lies on the table, and the names of small integers.

Seats: Sun (Sonnenkult) is 0, Moon (Mondkult) is 1. A *tree* (Baum) is `seat * 4 + number - 1`; the cult boards (Kulttafeln) follow as
8 and 9, so a *board* is any of the ten. A *card* (Baumgeist) is one small integer, `value | arrow << 4 | sign << 5`; 0 is no card.
"""

from __future__ import annotations

from ..kernel import Grid, Record, Row, i8, i64, rule

SUN, MOON = 0, 1
TREES = 4  # a side
BOARDS = 10
CULT = 8  # board of Sun's cult; Moon's follows
COLOURS = 3  # orange, purple, black
HAND = 3
CARDS = 120  # two decks of sixty at most

CLOCKWISE, COUNTER = 0, 1
NO_CARD = 0
HIDDEN = 64  # in a knowledge: HIDDEN + pool, a card of that pool nobody showed us

# Phases: whose decision of which kind is due.
ARROW, DRUIDS, TURN, CONTEST, OVER = range(5)

# Kinds of end.
NOT_OVER, CONQUEST, EMPTY, DRAW = range(4)

# Actions, all below 32, so that a set of them is one word.
LAY_ARROW = 0  # + arrow
SET_DRUID = 2  # + tree number
WALTZ = 6  # + place in hand * 4 + tree number
JUMP = 18  # + colour
RETREAT_HAND = 21  # + place in hand
RETREAT_TREE = 24  # + tree number
MEET = 28  # + colour
PASS = 31
ACTIONS = 32

FORCED = 60  # so many decisions in a row without a choice end the game (DW-6.5)


class State(Record):
    """Everything that lies on the table."""

    # Options, fixed for the game
    trees: int = i64(fits=1)  # trees a side, 2 to 4
    stack_size: int = i64(fits=1)
    hand_size: int = i64(fits=1)
    to_conquer: int = i64(fits=1)  # tokens
    to_lose: int = i64(fits=1)  # trees
    draw_after: int = i64(fits=2)
    by_sign: int = i64(fits=1)  # DW-6.3: cards of a lost tree go by sign, otherwise to the tree's owner
    cover: int = i64(fits=1)  # DW-8.2
    at: Row = i8(BOARDS)  # the oval clockwise: place -> board
    place: Row = i8(BOARDS)  # board -> place on the oval

    # Whose decision
    phase: int = i64(fits=1)
    turn: int = i64(fits=1)
    setting: int = i64(fits=1)  # colour whose druid is set next
    options: int = i64()  # legal actions, as bits

    # The boards
    stack: Grid = i8(8, CARDS)  # cards by tree, bottom first
    height: Row = i8(8)
    worth: Row = i8(8)  # value of the top card, 0 for a tree without cards (DW-5.3)
    down: Row = i8(8)  # how many of them, from the bottom, lie face down
    tokens: Row = i8(8)
    standing: Row = i64(2, fits=1)  # tree numbers of each seat that are not lost, as bits
    filled: Row = i64(2, fits=1)  # those where cards lie, as bits
    lost: Row = i8(8)
    lost_trees: Row = i8(2)
    druid_at: Grid = i8(2, COLOURS)  # tree number of each druid, -1 before set-up
    druid_on: Row = i8(8)  # colour on each tree, -1 for none
    ring: int = i64(fits=1)  # tree under the ban ring (Bannring), -1 in the middle
    cult: Grid = i8(2, CARDS)
    cult_size: Row = i8(2)
    pile: Grid = i8(2, CARDS)  # draw pile: cards pile_at up to pile_end, next first
    pile_at: Row = i8(2)
    pile_end: Row = i8(2)
    hand: Grid = i8(2, HAND)  # by place; places are public

    # Within a turn, and towards the end
    meeting: int = i64(fits=1)  # colours that have still to meet, as bits
    must_fill: int = i64(fits=1)  # own tree numbers that were empty when the turn began (DW-7.1), as bits
    stirred: int = i64(fits=1)  # a token was placed or a tree lost this turn (DW-6.5)
    quiet: int = i64(fits=4)  # turns in a row without
    end: int = i64(fits=1)
    winner: int = i64(fits=1)  # seat; -1 for none


@rule
def value_of(card: int) -> int:
    """The printed value; 0 for no card (DW-5.3)."""
    return card & 15


@rule
def arrow_of(card: int) -> int:
    """CLOCKWISE or COUNTER."""
    return (card >> 4) & 1


@rule
def sign_of(card: int) -> int:
    """The cult whose sign the card bears."""
    return (card >> 5) & 1
