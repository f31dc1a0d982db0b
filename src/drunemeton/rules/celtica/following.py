"""What a finished game of Celtica is made of, and which rule matters now: for whoever follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..kernel import EV_A, EV_KIND
from ..story import EventRow, Tally, share
from .knowledge import Knowledge
from .state import KINDS
from .story import GIVEN, PLAYED
from .view import CelticaView

RULES = ("CE-3.1", "CE-4.3", "CE-4.1", "CE-4.2", "CE-6.3", "CE-6.4")
"""By phase: the rule that says what is to be done."""
COUNTED = frozenset((GIVEN, PLAYED))
"""The events that a tally counts: no others are looked for."""


def rule_now(k: Knowledge) -> str:
    """The rule that matters now."""
    return RULES[k.phase]


def tally(view: CelticaView, told: Sequence[EventRow]) -> Tally:
    """Of each player: complete amulets, parts of the next, all parts, and what ruins took (CE-6.4)."""
    given = Counter(row[EV_A] for row in told if row[EV_KIND] == GIVEN)
    seats = [
        [
            share("amulets", player["complete"]),
            share("next", max((size for size in player["amulets"] if size < KINDS), default=0), of=KINDS),
            share("parts", sum(player["parts"].values())),
            share("ruins", given[number]),
        ]
        for number, player in enumerate(view["players"])
    ]
    return {"seats": seats, "game": [share("turns", sum(row[EV_KIND] == PLAYED for row in told))]}
