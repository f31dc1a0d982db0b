"""What happens in Druidenwalzer, event by event: what the log says, what is animated, what a seat learns."""

from __future__ import annotations

from ..kernel import EV_A, FIRST_KIND
from ..story import Script, Told
from .state import COLOURS, CULT, TREES

(
    ARROW_LAID,  # A seat, SECRET card
    STACKED,  # A tree, B cards, SECRET the top one
    DRAWN,  # A seat, B place in hand, SECRET card
    DRUID_SET,  # A seat, B colour, C tree number
    TURN_BEGUN,  # A seat, B tree numbers that must be filled, as bits
    PLAYED,  # A seat, B place in hand, C tree, SECRET card
    DANCED,  # A from tree, B to board, C +1 clockwise or -1, D how deep it lay, SECRET card
    STAYED,  # A tree whose dancer was covered (DW-8.2)
    TURNED,  # A tree, SECRET card
    MET,  # A colour, B Sun's value, C Moon's value, D Sun's tree | Moon's tree << 4
    TOKEN,  # A tree, B tokens there now
    CARD_WON,  # A tree, B cult it goes to, SECRET card
    TREE_LOST,  # A tree, B kind of end, C trees that seat has lost
    SCATTERED,  # A tree, B cult it goes to, SECRET card
    DRUID_MOVED,  # A seat, B colour, C from tree, D to tree
    RETREATED,  # A seat, B place in hand or -1, C tree or -1, SECRET card
    RING_BACK,
    PASSED,  # A seat
    ENDED,  # A kind of end, B winner or -1, C turns in a row without token or lost tree
) = range(FIRST_KIND, FIRST_KIND + 19)

COLOUR_NAMES = ("orange", "purple", "black")
SEAT_NAMES = ("sun", "moon")
END_NAMES = ("", "conquest", "empty", "draw")


_CARDS = tuple(f"{'sm'[card >> 5]}{card & 15}{'<>'[card >> 4 & 1]}" for card in range(64))
_BOARDS = (*(f"{'SM'[board // TREES]}{board % TREES + 1}" for board in range(CULT)), "SC", "MC")


def card_text(card: int) -> str | None:
    """`s5<`: sign, value, arrow; nothing for an untold or missing card."""
    return _CARDS[card] if card > 0 else None


def board_text(board: int) -> str | None:
    """`S4`, `M1`, `SC`, `MC`."""
    return _BOARDS[board] if board >= 0 else None


def _seat(value: int) -> Told:
    return SEAT_NAMES[value] if value >= 0 else None


def _colour(value: int) -> Told:
    return COLOUR_NAMES[value % COLOURS]


def _place(value: int) -> Told:
    return value + 1 if value >= 0 else None


def _numbers(mask: int) -> Told:
    return [n + 1 for n in range(TREES) if mask >> n & 1]


def _way(value: int) -> Told:
    return "<" if value > 0 else ">"


SCRIPT = Script(
    prefix="dw",
    piles=SEAT_NAMES,
    card=card_text,
    lines={
        ARROW_LAID: ("arrow_laid", {"seat": _seat}, "card", "DW-2.1"),
        STACKED: ("stacked", {"tree": board_text, "cards": int}, "card", "DW-2.2"),
        DRAWN: ("drawn", {"seat": _seat, "place": _place}, "card", "DW-7.3"),
        DRUID_SET: ("druid_set", {"seat": _seat, "colour": _colour, "tree": _place}, None, "DW-2.4"),
        TURN_BEGUN: ("turn", {"seat": _seat, "must_fill": _numbers}, None, "DW-3.0"),
        PLAYED: ("played", {"seat": _seat, "place": _place, "tree": board_text}, "card", "DW-4.1"),
        DANCED: ("danced", {"from": board_text, "to": board_text, "way": _way, "depth": int}, "card", "DW-4.5"),
        STAYED: ("stayed", {"tree": board_text}, None, "DW-8.2"),
        TURNED: ("turned", {"tree": board_text}, "card", "DW-4.8"),
        MET: (
            "met",
            {
                "colour": _colour,
                "sun": int,
                "moon": int,
                "trees": lambda both: [board_text(both & 15), board_text(both >> 4)],
            },
            None,
            "DW-5.3",
        ),
        TOKEN: ("token", {"tree": board_text, "tokens": int}, None, "DW-5.4"),
        CARD_WON: ("card_won", {"tree": board_text, "cult": _seat}, "card", "DW-5.4"),
        TREE_LOST: ("tree_lost", {"tree": board_text, "how": lambda how: END_NAMES[how], "lost": int}, None, "DW-6.2"),
        SCATTERED: ("scattered", {"tree": board_text, "cult": _seat}, "card", "DW-6.3"),
        DRUID_MOVED: (
            "druid_moved",
            {"seat": _seat, "colour": _colour, "from": board_text, "to": board_text},
            None,
            "DW-3.2",
        ),
        RETREATED: ("retreated", {"seat": _seat, "place": _place, "tree": board_text}, "card", "DW-3.1"),
        RING_BACK: ("ring_back", {}, None, "DW-5.5"),
        PASSED: ("passed", {"seat": _seat}, None, "DW-3.4"),
        ENDED: (
            "ended",
            {"how": lambda how: END_NAMES[how], "winner": _seat},
            None,
            lambda row: ("", "DW-6.1", "DW-7.2", "DW-6.5")[row[EV_A]],
        ),
    },
)
