"""What a position of Hazel is worth to a seat."""

from __future__ import annotations

from ..rules.hazel.state import HAND, OVER, SEATS, State
from ..rules.kernel import rule
from .levels import Strength

WIN = 10_000
SCALE = 400.0
BREADTH = 4
LEVELS = tuple(Strength(8 << n, horizon=2) for n in range(8))


@rule
def outlook(s: State, seat: int) -> int:
    """Tricks, and how high the cards are that are left."""
    worth = 300 * s.tricks[seat]
    for place in range(HAND):
        worth += 10 * s.hand[seat][place]
    return worth


@rule
def judge(s: State, seat: int) -> int:
    """The own outlook beside the best of the others."""
    best = -WIN
    for other in range(SEATS):
        if other != seat:
            best = max(best, outlook(s, other))
    ahead = outlook(s, seat) - best
    if s.phase == OVER:
        return WIN if ahead > 0 else ahead
    return ahead
