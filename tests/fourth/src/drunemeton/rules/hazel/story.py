"""What happens in Hazel, event by event."""

from __future__ import annotations

from ..kernel import FIRST_KIND
from ..story import Script, Told

(
    ROUND_BEGUN,  # A round, B who leads
    DEALT,  # A seat, B place in hand, SECRET card
    LAID,  # A seat, B place in hand, SECRET card
    TAKEN,  # A seat, B its tricks now
    ENDED,  # A kind of end
) = range(FIRST_KIND, FIRST_KIND + 5)

SEAT_NAMES = ("oak", "birch", "pine")
END_NAMES = ("", "rounds")


def card_text(card: int) -> str | None:
    """Its value; nothing for what was not told."""
    return str(card) if card > 0 else None


def _seat(value: int) -> Told:
    return SEAT_NAMES[value]


def _place(value: int) -> Told:
    return value + 1


SCRIPT = Script(
    prefix="hz",
    piles=("nuts",),
    card=card_text,
    lines={
        ROUND_BEGUN: ("round", {"round": int, "seat": _seat}, None, "HZ-1.2"),
        DEALT: ("dealt", {"seat": _seat, "place": _place}, "card", "HZ-1.2"),
        LAID: ("laid", {"seat": _seat, "place": _place}, "card", "HZ-2.2"),
        TAKEN: ("taken", {"seat": _seat, "tricks": int}, None, "HZ-2.3"),
        ENDED: ("ended", {"how": lambda how: END_NAMES[how]}, None, "HZ-3.2"),
    },
)
