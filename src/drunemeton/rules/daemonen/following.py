"""What a finished game of Druiden und Dämonen is made of, and which rule matters now: for whoever follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..kernel import EV_A, EV_KIND
from ..story import EventRow, Tally, share
from .knowledge import Knowledge
from .state import OVER, PORTAL
from .story import CAPTURED
from .view import DaemonenView

RULES = ("DD-5.3", "DD-5.4", "DD-5.5", "DD-5.6", "DD-5.7", "DD-4.1", "DD-5.1", "DD-6.1")
"""By phase: the rule that says what is to be done."""
COUNTED = frozenset((CAPTURED,))
"""The events that a tally counts: no others are looked for."""


def rule_now(k: Knowledge) -> str:
    """The rule that matters now; whoever holds a field has to lay it (DD-3.1, 3.2)."""
    if k.phase != OVER and k.hand:
        return "DD-3.2" if k.hand == PORTAL else "DD-3.1"
    return RULES[k.phase]


def tally(view: DaemonenView, told: Sequence[EventRow]) -> Tally:
    """Of each player: the points, what they are made of (DD-6.1), and the populations that were captured."""
    captured = Counter(row[EV_A] for row in told if row[EV_KIND] == CAPTURED)
    seats = [
        [
            share("points", player["points"], of=view["win"]),
            *(share(what, player[what], points=player["points_from"][what]) for what in ("populations", "stones", "temples")),
            share("captured", captured[number]),
        ]
        for number, player in enumerate(view["players"])
    ]
    return {"seats": seats, "game": [share("turns", view["turns"]), share("fields", sum(cell["kind"] == "land" for cell in view["cells"]))]}
