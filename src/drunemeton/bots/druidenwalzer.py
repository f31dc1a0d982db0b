"""What a position of Druidenwalzer is worth to a seat, at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rules.druidenwalzer.state import ACTIONS, HAND, JUMP, NO_CARD, OVER, RETREAT_HAND, RETREAT_TREE, TREES, WALTZ, State
from ..rules.kernel import rule
from .levels import Strength

WIN = 1_000_000

# For the search. Outlooks are in thousandths of log odds, as a logistic regression found them over 11,000 positions (docs/bots.md).
SCALE = 600.0  # how far one outlook must be ahead of another for odds of e to 1; players who do not blunder win more surely
SEEN = 512  # how many different actions can be seen
BREADTH = 8  # nodes that a simulation adds at most, on average
TOKENS = (0, 140, 370, 610, 815, 1940, 1940)  # what so many tokens cost a tree
HEIGHTS = (1130, 595, 190)  # what it costs to have no more cards than that on a tree
LOST = 2730
CARD = 50  # a card in hand, pile or cult board
TOP = 30  # each point of a top card that a druid fights with

MATTERS = ("ended", "tree_lost", "token", "danced")  # events that are reasons for a move, the weightiest first


def gain_and_loss(event: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The seat that gains by an event that matters, and the one that loses by it, where it says so."""
    if event["kind"] in ("tree_lost", "token"):
        return None, {"S": "sun", "M": "moon"}[event["tree"][0]]
    return event.get("winner"), None


LEVELS = (
    Strength(4, overlook=800, horizon=6),
    Strength(6, overlook=700, horizon=6),
    Strength(10, overlook=520, horizon=6),
    Strength(22, overlook=320, horizon=6),
    Strength(60, overlook=140, horizon=6),
    Strength(160, overlook=40, horizon=6),
    Strength(350, horizon=6),
    Strength(40_000, threads=2, ripe=6, horizon=6),
)


@rule
def outlook(s: State, seat: int) -> int:
    """Lost trees, tokens, low stacks, what the druids fight with, and cards of which more stacks can be made."""
    worth = (s.cult_size[seat] + s.pile_end[seat] - s.pile_at[seat]) * CARD
    for i in range(HAND):
        if s.hand[seat][i] != NO_CARD:
            worth += CARD
    for n in range(s.trees):
        tree = seat * TREES + n
        if s.lost[tree]:
            worth -= LOST
        else:
            worth -= TOKENS[s.tokens[tree]]
            if s.height[tree] < 3:
                worth -= HEIGHTS[s.height[tree]]
            if s.druid_on[tree] >= 0:
                worth += TOP * s.worth[tree]
    return worth


@rule
def seen_as(s: State, action: int) -> int:
    """A card from the hand is seen as that card, whatever its place."""
    if WALTZ <= action < JUMP:
        return ACTIONS + s.hand[s.turn][(action - WALTZ) // TREES] * 8 + (action - WALTZ) % TREES
    if RETREAT_HAND <= action < RETREAT_TREE:
        return ACTIONS + s.hand[s.turn][action - RETREAT_HAND] * 8 + TREES
    return action


@rule
def judge(s: State, seat: int) -> int:
    """Trees, tokens (the later ones weigh more), who would win the next contests, cards to play with, no empty tree."""
    if s.phase == OVER:
        if s.winner < 0:
            return 0
        return WIN if s.winner == seat else -WIN
    return side(s, seat) - side(s, 1 - seat) + next_contests(s, seat)


@rule
def side(s: State, seat: int) -> int:
    """What one player's side is worth: standing trees with few tokens, cards on every tree, good tops."""
    worth = 0
    for n in range(s.trees):
        tree = seat * TREES + n
        if s.lost[tree]:
            worth -= 4000
        else:
            worth -= 100 * s.tokens[tree] + 40 * s.tokens[tree] * s.tokens[tree]
            worth += 8 * s.worth[tree]
            if s.height[tree] == 0:
                worth -= 250 if s.turn == seat else 450
            elif s.height[tree] == 1:
                worth -= 40
    for i in range(HAND):
        if s.hand[seat][i] != NO_CARD:
            worth += 15
    return worth


@rule
def next_contests(s: State, seat: int) -> int:
    """How the contests would end with the tops now lying; the player on turn can still change them."""
    worth = 0
    for colour in range(s.trees - 1):
        if s.druid_at[0][colour] >= 0 and s.druid_at[1][colour] >= 0:
            own = s.worth[seat * TREES + s.druid_at[seat][colour]]
            other = s.worth[(1 - seat) * TREES + s.druid_at[1 - seat][colour]]
            if own > other:
                worth += 60
            elif own < other:
                worth -= 60
    return worth
