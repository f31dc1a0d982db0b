"""What happens in Druiden und Dämonen, event by event: what the log says, what is animated, what a seat learns."""

from __future__ import annotations

import functools

from ..kernel import FIRST_KIND
from ..story import Script, Told
from .state import ACTION_KINDS, HALF_MOVE, HALF_STONE, MIDDLE, PORTAL, RADIUS, SEAT_CARD, SEATS, WIDTH

(
    FIRST_PLAYER,  # A seat
    DRAWN,  # A seat, B cards left in the pile, SECRET card
    LAID,  # A seat, B cell, C rotation, SECRET card
    PORTAL_LAID,  # A seat, B cell
    DISCARDED,  # A seat, B 1 if it could have been laid, SECRET card
    TURN_BEGUN,  # A seat, B banned actions as bits, C turns completed
    CHOSEN,  # A seat, B action, C 0 first or 1 second
    ACTION_BEGUN,  # A seat, B action, C steps or draws
    BEGUN_STEP,  # A seat, B which half, C cell or corner
    DEMON_PLACED,  # A seat, B cell
    DEMON_REMOVED,  # A seat, B cell, C 1 if it was cut off
    ANCHORED,  # A seat, B cell
    ANCHOR_REMOVED,  # A owner, B cell, C 1 if it was cut off
    POPULATION_LOST,  # A owner, B cell
    STONE_PLACED,  # A seat, B corner, C corner it came from or -1
    STONE_LOST,  # A owner, B corner
    TEMPLE_PLACED,  # A seat, B cell, C cell it came from or -1
    TEMPLE_LOST,  # A cell
    CONVERTED,  # A seat, B corner, C former owner
    SETTLED,  # A seat, B cell, C trophies paid
    CAPTURED,  # A seat, B cell, C former owner
    MOVED,  # A seat, B from cell, C to cell
    SCORED,  # A seat, B points
    ENDED,  # A kind of end, B winner or -1, C turns completed
) = range(FIRST_KIND, FIRST_KIND + 24)

SEAT_NAMES = ("red", "blue", "yellow", "green")
ACTION_NAMES = ("dark", "light", "scout", "populate", "move")
END_NAMES = ("", "points", "pile", "guard")
PILES = ("seats", "pile")
TERRAINS = ".FWM"


@functools.cache
def cell_text(cell: int) -> str:
    """`q,r`."""
    row, column = divmod(cell, WIDTH)
    return f"{column - RADIUS - 1},{row - RADIUS - 1}"


def cell_of(q: int, r: int) -> int:
    """The cell at these coordinates; -1 beyond the rim (DD-1.5)."""
    if max(abs(q), abs(r), abs(q + r)) > RADIUS:
        return -1
    return MIDDLE + r * WIDTH + q


@functools.cache
def corner_text(name: int) -> str:
    """`q,r/0` or `q,r/1` (DD-1.2)."""
    return f"{cell_text(name >> 1)}/{name & 1}"


@functools.cache
def sides_text(sides: int) -> str:
    """Six letters, directions 0 to 5."""
    return "".join(TERRAINS[sides >> 2 * k & 3] for k in range(6))


def sides_of(text: str) -> int:
    """The sides that six letters name."""
    return sum(TERRAINS.index(letter) << 2 * k for k, letter in enumerate(text))


@functools.cache
def card_text(card: int) -> str | None:
    """`FFWWMM`, `portal`; a seat's number in the draw for the first player; nothing for no card."""
    if card == PORTAL:
        return "portal"
    if SEAT_CARD <= card < SEAT_CARD + SEATS:
        return str(card - SEAT_CARD)
    return sides_text(card) if card > 0 else None


def card_of(text: str) -> int:
    """The card of the pile that a text names."""
    return PORTAL if text == "portal" else sides_of(text)


def _seat(value: int) -> Told:
    return SEAT_NAMES[value] if value >= 0 else None


def _cell(value: int) -> Told:
    return cell_text(value) if value >= 0 else None


def _corner(value: int) -> Told:
    return corner_text(value) if value >= 0 else None


def _action(value: int) -> Told:
    return ACTION_NAMES[value]


def _actions(mask: int) -> Told:
    return [name for n, name in enumerate(ACTION_NAMES) if mask >> n & 1]


def _flag(value: int) -> Told:
    return bool(value)


def _half(value: int) -> Told:
    return {HALF_STONE: "stone", HALF_MOVE: "move"}.get(value, "temple")


def _place(value: int) -> Told:
    """What a half-made step is about: a corner is told as its name below zero."""
    return corner_text(-value - 1) if value < 0 else cell_text(value)


def _which(value: int) -> Told:
    return value + 1


assert len(ACTION_NAMES) == ACTION_KINDS

SCRIPT = Script(
    prefix="dd",
    piles=PILES,
    card=card_text,
    lines={
        FIRST_PLAYER: ("first_player", {"seat": _seat}, None, "DD-4.1"),
        DRAWN: ("drawn", {"seat": _seat, "left": int}, "card", "DD-3.3"),
        LAID: ("laid", {"seat": _seat, "cell": _cell, "rotation": int}, "card", "DD-3.1"),
        PORTAL_LAID: ("portal_laid", {"seat": _seat, "cell": _cell}, None, "DD-3.2"),
        DISCARDED: ("discarded", {"seat": _seat, "declined": _flag}, "card", "DD-3.3"),
        TURN_BEGUN: ("turn", {"seat": _seat, "banned": _actions, "turns": int}, None, "DD-5.1"),
        CHOSEN: ("chosen", {"seat": _seat, "action": _action, "which": _which}, None, "DD-5.1"),
        ACTION_BEGUN: ("action", {"seat": _seat, "action": _action, "left": int}, None, "DD-5.2"),
        BEGUN_STEP: ("begun", {"seat": _seat, "what": _half, "place": _place}, None, "DD-5.2"),
        DEMON_PLACED: ("demon_placed", {"seat": _seat, "cell": _cell}, None, "DD-5.3"),
        DEMON_REMOVED: ("demon_removed", {"seat": _seat, "cell": _cell, "cut": _flag}, None, "DD-5.8"),
        ANCHORED: ("anchored", {"seat": _seat, "cell": _cell}, None, "DD-5.3"),
        ANCHOR_REMOVED: ("anchor_removed", {"seat": _seat, "cell": _cell, "cut": _flag}, None, "DD-5.8"),
        POPULATION_LOST: ("population_lost", {"seat": _seat, "cell": _cell}, None, "DD-5.3"),
        STONE_PLACED: ("stone_placed", {"seat": _seat, "corner": _corner, "from": _corner}, None, "DD-5.4"),
        STONE_LOST: ("stone_lost", {"seat": _seat, "corner": _corner}, None, "DD-5.8"),
        TEMPLE_PLACED: ("temple_placed", {"seat": _seat, "cell": _cell, "from": _cell}, None, "DD-5.4"),
        TEMPLE_LOST: ("temple_lost", {"cell": _cell}, None, "DD-5.8"),
        CONVERTED: ("converted", {"seat": _seat, "corner": _corner, "owner": _seat}, None, "DD-5.4"),
        SETTLED: ("settled", {"seat": _seat, "cell": _cell, "paid": int}, None, "DD-5.6"),
        CAPTURED: ("captured", {"seat": _seat, "cell": _cell, "owner": _seat}, None, "DD-5.7"),
        MOVED: ("moved", {"seat": _seat, "from": _cell, "to": _cell}, None, "DD-5.7"),
        SCORED: ("scored", {"seat": _seat, "points": int}, None, "DD-6.1"),
        ENDED: ("ended", {"how": lambda how: END_NAMES[how], "winner": _seat, "turns": int}, None, "DD-6.2"),
    },
)
