"""What happens in Celtica, event by event: what the log says, what is animated, what a seat learns."""

from __future__ import annotations

from ..kernel import FIRST_KIND
from ..story import Script, Told
from .state import CARD, COLOURS, KINDS, PART, SEAT, SEATS

(
    ROUND_BEGUN,  # A round, B starting player
    DEALT,  # A seat, B deck, C place in hand, SECRET card: in a deal, or from a cult place or ruin
    PART_SHOWN,  # A kind: from the supply into the display
    PART_DEALT,  # A seat, B kind: from the supply
    TURN_BEGUN,  # A seat
    PLAYED,  # A seat, B colour, C druid cards, D experience cards
    LAID,  # A seat, B deck, C place in hand, SECRET card: one card of a play, the highest place first
    WALKED,  # A colour, B from place, C to place, D steps lost
    STAYED,  # A colour: he is at the goal already
    LAST_ROUND,  # A colour: the first druid at the goal
    TAKEN,  # A seat, B kind, C still to take
    GIVEN,  # A seat, B kind, C still to give up
    DECLINED,  # A seat: no card at the cult place
    NOTHING_LEFT,  # A deck: no card can be drawn
    PLAY_ENDED,  # A kind of end, B who made the last play
    DISCARDED,  # A seat, B deck, C place in hand, SECRET card: when the play ends at once
    TRADE_BEGUN,  # A seat
    SKIPPED,  # A seat: he can do nothing in the experience phase
    PAID,  # A seat, B deck, C place in hand, SECRET card
    SWAPPED,  # A seat, B own kind, C kind from the display
    BOUGHT,  # A seat, B kind
    STOPPED,  # A seat
    RANKED,  # A seat, B rank, C complete amulets, D parts of the largest incomplete one
    ENDED,  # A kind of end
) = range(FIRST_KIND, FIRST_KIND + 24)

COLOUR_NAMES = ("white", "red", "grey", "brown", "black")
KIND_NAMES = ("sun", "moon", "star", "oak", "stag", "raven", "wave", "flame", "centre")
SEAT_NAMES = ("ulster", "connacht", "leinster", "munster", "meath")
PLACE_NAMES = ("start", "cult", "ruin", "village", "castle", "monastery", "goal")
DECK_NAMES = ("druid", "experience")
PILE_NAMES = ("seats", "druid", "experience", "parts")
END_NAMES = ("", "goal", "all_home", "parts")


def card_text(card: int) -> str | None:
    """`red` for a card, `moon` for a part, `2` for a seat; nothing for what was not told."""
    if CARD <= card < CARD + COLOURS:
        return COLOUR_NAMES[card - CARD]
    if PART <= card < PART + KINDS:
        return KIND_NAMES[card - PART]
    return str(card - SEAT) if SEAT <= card < SEAT + SEATS else None


def _seat(value: int) -> Told:
    return SEAT_NAMES[value]


def _colour(value: int) -> Told:
    return COLOUR_NAMES[value]


def _part(value: int) -> Told:
    return KIND_NAMES[value]


def _deck(value: int) -> Told:
    return DECK_NAMES[value]


def _place(value: int) -> Told:
    return value + 1


def _end(value: int) -> Told:
    return END_NAMES[value]


_CARD_MOVED = {"seat": _seat, "deck": _deck, "place": _place}

SCRIPT = Script(
    prefix="ce",
    piles=PILE_NAMES,
    card=card_text,
    lines={
        ROUND_BEGUN: ("round", {"round": int, "starter": _seat}, None, "CE-5.2"),
        DEALT: ("dealt", _CARD_MOVED, "card", "CE-2.2"),
        PART_SHOWN: ("part_shown", {"part": _part}, None, "CE-4.1"),
        PART_DEALT: ("part_dealt", {"seat": _seat, "part": _part}, None, "CE-2.2"),
        TURN_BEGUN: ("turn", {"seat": _seat}, None, "CE-3.6"),
        PLAYED: ("played", {"seat": _seat, "colour": _colour, "druid": int, "experience": int}, None, "CE-3.1"),
        LAID: ("laid", _CARD_MOVED, "card", "CE-3.5"),
        WALKED: ("walked", {"colour": _colour, "from": int, "to": int, "lost": int}, None, "CE-3.3"),
        STAYED: ("stayed", {"colour": _colour}, None, "CE-3.4"),
        LAST_ROUND: ("last_round", {"colour": _colour}, None, "CE-6.1"),
        TAKEN: ("taken", {"seat": _seat, "part": _part, "left": int}, None, "CE-4.1"),
        GIVEN: ("given", {"seat": _seat, "part": _part, "left": int}, None, "CE-4.2"),
        DECLINED: ("declined", {"seat": _seat}, None, "CE-4.3"),
        NOTHING_LEFT: ("nothing_left", {"deck": _deck}, None, "CE-4.4"),
        PLAY_ENDED: ("play_ended", {"how": _end, "last": _seat}, None, "CE-6.2"),
        DISCARDED: ("discarded", _CARD_MOVED, "card", "CE-6.2"),
        TRADE_BEGUN: ("trade", {"seat": _seat}, None, "CE-6.3"),
        SKIPPED: ("skipped", {"seat": _seat}, None, "CE-6.3"),
        PAID: ("paid", _CARD_MOVED, "card", "CE-6.3"),
        SWAPPED: ("swapped", {"seat": _seat, "own": _part, "part": _part}, None, "CE-6.3"),
        BOUGHT: ("bought", {"seat": _seat, "part": _part}, None, "CE-6.3"),
        STOPPED: ("stopped", {"seat": _seat}, None, "CE-6.3"),
        RANKED: ("ranked", {"seat": _seat, "rank": int, "complete": int, "largest": int}, None, "CE-6.4"),
        ENDED: ("ended", {"how": _end}, None, "CE-6.4"),
    },
)
