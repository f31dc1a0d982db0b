"""What an action of Druiden und Dämonen uses: which of the five actions is chosen, and which small step is made."""

from __future__ import annotations

from ..rules.daemonen.state import ACTION_KINDS, CHOOSE, DEMON, DISCARD, DRAW, END, FROM_POOL, FROM_RESERVE, SETUP, STOP, TO, State
from ..rules.kernel import Row, rule

SMALL = (DRAW, STOP, DISCARD, END, FROM_RESERVE, FROM_POOL)
CAPTURE = ACTION_KINDS + len(SMALL)
STEPS = 128  # slots: a move leads to one of them
THINGS = (
    "dark magic",
    "light magic",
    "scouting",
    "new populations",
    "moving",
    "draw",
    "stop drawing",
    "discard",
    "end an action",
    "stone from the reserve",
    "temple from the pool",
    "capture",
)


@rule
def things_of(s: State, action: int, row: Row) -> int:
    """Choices by name, and a move onto an enemy."""
    if action < CHOOSE + ACTION_KINDS:
        row[0] = action - CHOOSE
        return 1
    if action < DEMON:
        row[0] = ACTION_KINDS + action - DRAW
        return 0 if s.phase == SETUP or action > FROM_POOL else 1
    if TO <= action < TO + STEPS and s.owner[action - TO] >= 0:
        row[0] = CAPTURE
        return 1
    return 0
