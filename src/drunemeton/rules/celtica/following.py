"""What a finished game of Celtica is made of, and which rule matters now: for whoever follows it."""

from __future__ import annotations

from ..story import Event, Tally, share
from .knowledge import Knowledge
from .state import KINDS
from .view import CelticaView

RULES = ("CE-3.1", "CE-4.3", "CE-4.1", "CE-4.2", "CE-6.3", "CE-6.4")
"""By phase: the rule that says what is to be done."""


def rule_now(k: Knowledge) -> str:
    """The rule that matters now."""
    return RULES[k.phase]


def tally(view: CelticaView, events: list[Event]) -> Tally:
    """Of each player: complete amulets, parts of the next, all parts, and what ruins took (CE-6.4)."""
    seats = [
        [
            share("amulets", player["complete"]),
            share("next", max((size for size in player["amulets"] if size < KINDS), default=0), of=KINDS),
            share("parts", sum(player["parts"].values())),
            share("ruins", sum(event["kind"] == "given" and event["seat"] == player["seat"] for event in events)),
        ]
        for player in view["players"]
    ]
    return {"seats": seats, "game": [share("turns", sum(event["kind"] == "played" for event in events))]}
