"""What a finished game of Druidenwalzer is made of, and which rule matters now: for whoever follows it."""

from __future__ import annotations

from ..story import Event, Share, Tally, share
from .knowledge import Knowledge
from .state import TURN
from .story import SEAT_NAMES
from .view import DruidenwalzerView

RULES = ("DW-2.1", "DW-2.4", "DW-3.0", "DW-5.2", "DW-6.1")
"""By phase: the rule that says what is to be done."""


def rule_now(k: Knowledge) -> str:
    """The rule that matters now; an empty tree comes before everything else (DW-7.1)."""
    return "DW-7.1" if k.phase == TURN and k.must_fill else RULES[k.phase]


def tally(view: DruidenwalzerView, events: list[Event]) -> Tally:
    """Of each side: the other's trees that are lost, the tokens on those that stand, and the contests that it won."""
    met = sum(event["kind"] == "met" for event in events)
    sides: list[list[Share]] = []
    for seat in SEAT_NAMES:
        theirs = [tree for tree in view["trees"] if tree["seat"] != seat]
        names = {tree["name"] for tree in theirs}
        won = sum(event["kind"] == "token" and event["tree"] in names for event in events)
        sides.append(
            [
                share("trees", sum(tree["lost"] for tree in theirs), of=view["to_lose"]),
                share("tokens", sum(tree["tokens"] for tree in theirs if not tree["lost"])),
                share("contests", won, of=met),
            ]
        )
    dances = sum(event["kind"] == "danced" for event in events)
    return {"seats": sides, "game": [share("turns", sum(event["kind"] == "turn" for event in events)), share("dances", dances)]}
