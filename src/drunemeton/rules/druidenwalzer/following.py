"""What a finished game of Druidenwalzer is made of, and which rule matters now: for whoever follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..kernel import EV_A, EV_KIND
from ..story import EventRow, Share, Tally, share
from .knowledge import Knowledge
from .state import TREES, TURN
from .story import DANCED, MET, SEAT_NAMES, TOKEN, TURN_BEGUN
from .view import DruidenwalzerView

RULES = ("DW-2.1", "DW-2.4", "DW-3.0", "DW-5.2", "DW-6.1")
"""By phase: the rule that says what is to be done."""
COUNTED = frozenset((DANCED, MET, TOKEN, TURN_BEGUN))
"""The events that a tally counts: no others are looked for."""


def rule_now(k: Knowledge) -> str:
    """The rule that matters now; an empty tree comes before everything else (DW-7.1)."""
    return "DW-7.1" if k.phase == TURN and k.must_fill else RULES[k.phase]


def tally(view: DruidenwalzerView, told: Sequence[EventRow]) -> Tally:
    """Of each side: the other's trees that are lost, the tokens on those that stand, and the contests that it won."""
    happened = Counter([row[EV_KIND] for row in told])
    tokens_on = Counter([row[EV_A] // TREES for row in told if row[EV_KIND] == TOKEN])
    sides: list[list[Share]] = []
    for number, seat in enumerate(SEAT_NAMES):
        theirs = [tree for tree in view["trees"] if tree["seat"] != seat]
        sides.append(
            [
                share("trees", sum(tree["lost"] for tree in theirs), of=view["to_lose"]),
                share("tokens", sum(tree["tokens"] for tree in theirs if not tree["lost"])),
                share("contests", tokens_on[1 - number], of=happened[MET]),
            ]
        )
    return {"seats": sides, "game": [share("turns", happened[TURN_BEGUN]), share("dances", happened[DANCED])]}
