"""What a finished game of Druiden und Dämonen is made of, and which rule matters now: for whoever follows it."""

from __future__ import annotations

from ..story import Event, Tally, share
from .knowledge import Knowledge
from .state import OVER, PORTAL
from .view import DaemonenView

RULES = ("DD-5.3", "DD-5.4", "DD-5.5", "DD-5.6", "DD-5.7", "DD-4.1", "DD-5.1", "DD-6.1")
"""By phase: the rule that says what is to be done."""


def rule_now(k: Knowledge) -> str:
    """The rule that matters now; whoever holds a field has to lay it (DD-3.1, 3.2)."""
    if k.phase != OVER and k.hand:
        return "DD-3.2" if k.hand == PORTAL else "DD-3.1"
    return RULES[k.phase]


def tally(view: DaemonenView, events: list[Event]) -> Tally:
    """Of each player: the points, what they are made of (DD-6.1), and the populations that were captured."""
    seats = [
        [
            share("points", player["points"], of=view["win"]),
            *(share(what, player[what], points=player["points_from"][what]) for what in ("populations", "stones", "temples")),
            share("captured", sum(event["kind"] == "captured" and event["seat"] == player["seat"] for event in events)),
        ]
        for player in view["players"]
    ]
    return {"seats": seats, "game": [share("turns", view["turns"]), share("fields", sum(cell["kind"] == "land" for cell in view["cells"]))]}
