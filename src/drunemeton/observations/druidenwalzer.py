"""What a learner sees of Druidenwalzer. Own things come first, the opponent's second; trees are numbered as each player counts them."""

from __future__ import annotations

from types import FunctionType
from typing import Any, cast

from ..rules.druidenwalzer.knowledge import POOLS, Knowledge, leave_pool, ponder
from ..rules.druidenwalzer.state import (
    CARDS,
    COLOURS,
    CONTEST,
    CULT,
    DRUIDS,
    HAND,
    HIDDEN,
    JUMP,
    LAY_ARROW,
    MEET,
    NO_CARD,
    OVER,
    PASS,
    RETREAT_HAND,
    RETREAT_TREE,
    SET_DRUID,
    TREES,
    WALTZ,
    State,
    arrow_of,
    sign_of,
    value_of,
)
from ..rules.druidenwalzer.story import COLOUR_NAMES, DRAWN
from ..rules.kernel import CUDA, EV_A, EV_B, EV_KIND, EV_SECRET, EV_WHO, Grid, Record, Row, i8, may_see, native_form, rule
from .entries import table_of, write_eight, write_nine, write_three
from .layout import Feature, Range

VERSION = 1
MOST_DECISIONS = 20_000  # a game with the draw rule ends long before
VALUES = 9
WIDE = 64  # places that are counted at once
DEEP = 1  # cards under the top one
QUIET = 1000  # counted no further
HIDDEN_BIT = HIDDEN.bit_length() - 1

_CARD = "value, arrow (1 clockwise, 2 counter), sign (1 own cult, 2 the other); all 0 for no card, all -1 for an unknown one"

ACTION_RANGES = (
    Range("lay_arrow", LAY_ARROW, (2,), "DW-2.1: the 1 for the own cult board, by arrow (clockwise, counter)"),
    Range("set_druid", SET_DRUID, (TREES,), "DW-2.4: the next druid, by own tree"),
    Range("waltz", WALTZ, (HAND, TREES), "DW-4.1: play a card, by place in hand and own tree"),
    Range("jump", JUMP, (COLOURS,), "DW-3.2: move a druid, by colour"),
    Range("retreat_hand", RETREAT_HAND, (HAND,), "DW-3.1: lay down a card, by place in hand"),
    Range("retreat_tree", RETREAT_TREE, (TREES,), "DW-3.1: lay down the top card of an own tree"),
    Range("meet", MEET, (COLOURS,), "DW-5.2: which druids measure their strength next, by colour"),
    Range("pass", PASS, (1,), "DW-3.4"),
)

AXES = {
    "player": "the one who looks, then the opponent; so too whose deck, piles and trees they are",
    "tree": "1 to 4, as their owner counts them; entries of trees that are not in the game are 0",
    "board": "a player's trees, then his cult board",
    "colour": ", ".join(COLOUR_NAMES),
    "value": "1 to 9",
    "depth": "the top card, then the one under it",
    "place": "of a hand, 1 to 3",
    "entry": "as the meaning lists them",
}


def fields(seats: int) -> list[Feature]:
    """The fields of an observation, in order."""
    two, trees = (2,), (2, TREES)
    return [
        Feature("seat", (1,), 0, 1, "who sees this: 0 Sun, 1 Moon"),
        Feature("on_turn", (1,), 0, 1, "whether it is this seat's decision"),
        Feature("phase", (1,), 0, OVER, "0 arrow, 1 druids, 2 turn, 3 contest, 4 over"),
        Feature("quiet", (1,), 0, QUIET, f"turns in a row without token or lost tree, counted up to {QUIET}"),
        Feature("options", (5,), 0, QUIET, "draw_after, tokens_to_conquer, trees_to_lose, hand, trees (DW-8.3)", ("entry",)),
        Feature("ring", (1,), 0, 2 * TREES, "where the ban ring lies: 0 in the middle, 1 to 4 own trees, 5 to 8 the opponent's"),
        Feature("meeting", (COLOURS,), 0, 1, "which colours have still to meet, in a contest", ("colour",)),
        Feature(
            "setting",
            (1,),
            0,
            COLOURS,
            "which druid is set next, in the set-up: 0 orange, 1 purple, 2 black (3 does not occur, and `druid` counts otherwise); "
            "0 in every other phase",
        ),
        Feature(
            "must_fill",
            (TREES,),
            0,
            1,
            "trees of the player on turn that stood empty when his turn began, and that he must fill (DW-7.1); "
            "marked until the next turn begins, so also once they are filled, and after the end of the game",
            ("tree",),
        ),
        Feature("lost_trees", two, 0, TREES, "trees lost", ("player",)),
        Feature("pile", two, 0, 120, "cards in the draw pile; in the phase of the arrows the whole deck lies there", ("player",)),
        Feature("cult", (2, VALUES), 0, 120, "open cards on the cult board", ("player", "value")),
        Feature(
            "unseen",
            (2, VALUES),
            0,
            120,
            "cards that were shuffled (DW-2.2) and that this seat has not seen since: in piles, in the other hand, face down on trees; "
            "0 in the phase of the arrows, before anything is shuffled, when everybody knows what lies in a deck",
            ("player", "value"),
        ),
        Feature(
            "place",
            (2, TREES + 1),
            0,
            2 * TREES + 1,
            "steps clockwise from the own cult board to each tree of a player, and to his cult board",
            ("player", "board"),
        ),
        Feature("lost", trees, 0, 1, "whether a tree is lost", ("player", "tree")),
        Feature("tokens", trees, 0, 6, "tokens on each tree", ("player", "tree")),
        Feature("height", trees, 0, 120, "cards on each tree", ("player", "tree")),
        Feature("down", trees, 0, 120, "how many of them lie face down", ("player", "tree")),
        Feature("druid", trees, 0, COLOURS, "druid on each tree: 0 none, 1 orange, 2 purple, 3 black", ("player", "tree")),
        Feature("top", (2, TREES, 1 + DEEP, 3), -1, VALUES, _CARD, ("player", "tree", "depth", "entry")),
        Feature("hand", (2, HAND, 3), -1, VALUES, _CARD, ("player", "place", "entry")),
    ]


class Memory(Record):
    """What each player alone knows of one game."""

    hand: Grid = i8(2, HAND)  # the card last drawn to each place: whether it is still there, everybody knows


@rule
def keep(k: Knowledge, own: Memory, row: Row) -> None:
    """A player remembers the card that he drew."""
    if row[EV_KIND] == DRAWN and may_see(row[EV_WHO], row[EV_A]):
        own.hand[row[EV_A]][row[EV_B]] = row[EV_SECRET]


@rule
def reflect(k: Knowledge) -> None:
    """The phase may be a contest."""
    ponder(k)


def entries_of(card: int, seat: int) -> int:
    """Value, arrow and sign of a card, sixteen bits each."""
    if card >= HIDDEN:
        return -1
    if card == NO_CARD:
        return 0
    return value_of(card) | 1 + arrow_of(card) << 16 | 1 + (sign_of(card) ^ seat) << 32


@native_form(entries_of)
def _entries_of() -> Any:
    """Looked up: which cards are hidden is hard to foretell, for a processor too."""
    return table_of(entries_of, HIDDEN + POOLS, 2)


@rule
def write_card(row: Row, n: int, card: int, seat: int) -> int:
    """Value, arrow and sign of a card; answers where the next entry goes."""
    return write_three(row, n, entries_of(card, seat))


def count_from(cards: Row, at: int, skip: int) -> int:
    """How many of 64 places hold a card of each value, seven bits a value, without the first few of them."""
    packed = 0
    for card in cards[at + skip : at + WIDE]:
        packed += 1 << (7 * ((card & 15) - 1)) if card else 0
    return packed


@native_form(count_from)
def _count_from() -> Any:
    """All places at once: a loop over so many cards as there are ends where no processor can foretell it."""
    from llvmlite import ir
    from numba import int64
    from numba.extending import intrinsic
    from numba.np import arrayobj

    arrays: Any = arrayobj

    def typed(_context: Any, cards: Any, at: Any, skip: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = arrays.make_array(signature.args[0])(context, builder, arguments[0])
            byte, word = ir.IntType(8), ir.IntType(64)
            lanes = ir.VectorType(byte, WIDE)
            first = builder.gep(builder.bitcast(array.data, byte.as_pointer()), [arguments[1]])
            found = builder.load(builder.bitcast(first, lanes.as_pointer()), align=1)
            values = builder.and_(found, ir.Constant(lanes, [15] * WIDE))
            packed = ir.Constant(word, 0)
            for value in range(1, VALUES + 1):
                same = builder.icmp_unsigned("==", values, ir.Constant(lanes, [value] * WIDE))
                places = builder.lshr(builder.bitcast(same, word), arguments[2])
                packed = builder.or_(packed, builder.shl(builder.ctpop(places), ir.Constant(word, 7 * (value - 1))))
            return packed

        return int64(cards, int64, int64), code

    return intrinsic(typed)


@rule
def count_values(cards: Row, size: int) -> int:
    """How many cards of each value, seven bits a value: there are 120 cards at most, and nothing lies behind the last."""
    if size == 0:
        return 0
    packed = count_from(cards, 0, 0)
    if size > WIDE:
        packed += count_from(cards, CARDS - WIDE, 2 * WIDE - CARDS)
    return packed


@rule
def count_one_by_one(cards: Row, size: int) -> int:
    """The same card by card: on a GPU the last one costs no more than the first."""
    packed = 0
    for place in range(size):
        packed += 1 << (7 * ((cards[place] & 15) - 1))
    return packed


@native_form(count_values, CUDA)
def _count_values() -> Any:
    from ..rules.cuda import compile_rule

    return compile_rule(cast(FunctionType, count_one_by_one))


@rule
def count_hidden(hand: Row, own: Row) -> int:
    """How many cards of each value somebody holds whose hand this watcher does not see."""
    packed = 0
    for place in range(HAND):
        packed += (hand[place] >> HIDDEN_BIT) << (7 * max((own[place] & 15) - 1, 0))
    return packed


@rule
def observe_on(k: Knowledge, own: Memory, seat: int, row: Row) -> int:
    """Write what a seat knows, all of it: it is little."""
    return observe(k, own, seat, row)


@rule
def observe(k: Knowledge, own: Knowledge | Memory, seat: int, row: Row) -> int:
    """Write what a seat knows; answers how many entries. Long because `fields` is, whose order it keeps."""
    row[0] = seat
    row[1] = int(k.phase != OVER and k.turn == seat)
    row[2] = k.phase
    row[3] = min(k.quiet, QUIET)
    row[4] = k.draw_after
    row[5] = k.to_conquer
    row[6] = k.to_lose
    row[7] = k.hand_size
    row[8] = k.trees
    row[9] = 0 if k.ring < 0 else 1 + (k.ring ^ (seat << 2))
    n = 10
    for colour in range(COLOURS):
        row[n + colour] = int(k.phase == CONTEST) & (k.meeting >> colour)
    n += COLOURS
    row[n] = k.setting if k.phase == DRUIDS else 0
    n += 1
    for tree in range(TREES):
        row[n + tree] = (k.must_fill >> tree) & 1
    n += TREES
    for i in range(2):
        whose = seat ^ i
        row[n + i] = k.lost_trees[whose]
        row[n + 2 + i] = k.pile_end[whose] - k.pile_at[whose]
    n += 4
    for i in range(2):
        whose = seat ^ i
        n = write_nine(row, n, count_values(k.cult[whose], k.cult_size[whose]))
    for i in range(2):
        deal = 3 * (seat ^ i)
        hidden = count_values(k.pool[deal], k.pool_size[deal])
        hidden += count_values(k.pool[deal + 1], k.pool_size[deal + 1])
        hidden += count_values(k.pool[deal + 2], k.pool_size[deal + 2])
        if i == 0:
            hidden -= count_hidden(k.hand[seat], own.hand[seat])
        n = write_nine(row, n, hidden)
    round_trip = 2 * k.trees + 2
    for i in range(2):
        whose = seat ^ i
        for tree in range(TREES + 1):
            board = CULT + whose if tree == TREES else whose * TREES + tree
            steps = k.place[board] - k.place[CULT + seat]
            row[n] = 0 if tree < TREES and tree >= k.trees else (steps + round_trip if steps < 0 else steps)
            n += 1
    turned = seat * TREES
    write_eight(row, n, k.lost, turned, 0)
    write_eight(row, n + 8, k.tokens, turned, 0)
    write_eight(row, n + 16, k.height, turned, 0)
    write_eight(row, n + 24, k.down, turned, 0)
    write_eight(row, n + 32, k.druid_on, turned, 1)
    n += 10 * TREES
    for i in range(2 * TREES):
        tree = i ^ (seat << 2)
        for depth in range(1 + DEEP):
            at = k.height[tree] - 1 - depth
            n = write_card(row, n, k.stack[tree][max(at, 0)] * int(at >= 0), seat)
    for place in range(HAND):
        n = write_card(row, n, own.hand[seat][place] * int(k.hand[seat][place] != NO_CARD), seat)
    for place in range(HAND):
        n = write_card(row, n, k.hand[seat ^ 1][place], seat)
    return n


@rule
def see_hand(k: Knowledge, own: State | Memory, seat: int) -> None:
    """Make what everybody knows into what that seat knows: it has seen its own hand, and nothing else is private."""
    for place in range(HAND):
        held = k.hand[seat][place]
        if held >= HIDDEN:
            card = own.hand[seat][place]
            k.hand[seat][place] = card
            k.never[seat][place] = 0
            leave_pool(k, held - HIDDEN, card)


def private(knowledge: Any, seat: int) -> list[int]:
    """What only that seat has seen of what lies on the table now: its hand, by place."""
    return knowledge["hand"][seat].tolist()  # type: ignore[no-any-return]
