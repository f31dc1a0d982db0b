"""Chances at a glance: every seat's outlook with all cards open, and no search.

The map that makes chances of outlooks is fitted to games as the search's is (`fitting.py --glance`), and kept beside it. Whoever looks at
hundreds of thousands of positions, as the laboratory does, can afford no more.
"""

from __future__ import annotations

from typing import Any, cast

from ..bots.greedy import prepare_judge
from ..bots.judgement import outlook
from ..rules.game import Game
from ..rules.kernel import Generic, rule
from .calibration import calibration_of

GLANCE = "glance"  # where the map stands in the data


@rule
def outlooks(states: Any, row: Any) -> None:
    """Write every seat's outlook."""
    for seat in range(len(row)):
        row[seat] = outlook(states[0], seat)


def prepare_outlook(game: type[Game]) -> float:
    """Fill `outlook` in with the game's own; answers how far one must be ahead for odds of e to 1, by the word of the game's file."""
    own = prepare_judge(game)
    cast(Generic, outlook).bind(game.state_type, own.outlook)
    return float(own.SCALE)


def at_a_glance(game: type[Game], seats: int) -> tuple[float, float]:
    """How far an outlook must really be ahead for odds of e to 1 at a table of so many, and how much being on turn adds to one."""
    found = calibration_of(game.name, seats, GLANCE)
    scale = prepare_outlook(game) / found.sharpness
    return scale, found.turn * scale
