"""What can be counted of a position of Druidenwalzer: a row of whole numbers for each seat, from which a judgement is learnt."""

from __future__ import annotations

from ..rules.druidenwalzer.state import COLOURS, CONTEST, HAND, TREES, TURN, State, value_of
from ..rules.kernel import Grid, rule

MOST = 6  # tokens, or cards, that are told apart on a tree

NAMES = (
    *(f"trees that lack {n}" for n in range(1, MOST + 1)),
    *(f"trees of height {n}" for n in range(MOST)),
    *("lost trees", "cards on trees", "cards in hand", "cards in pile", "cards on the cult board"),
    *("values in hand", "highest in hand", "tops under druids", "other tops", "druids without cards", "ring"),
    *("contests won", "contests lost", "contests won by", "won where one lacks", "lost where one lacks", "lost where two lack"),
    *("on turn", "contests lost on turn", "lost where one lacks on turn", "must fill", "contest"),
)
COLUMNS = len(NAMES)
LACK, HEIGHT = 0, MOST
LOST, CARDS, HELD, PILE, CULT, VALUES, HIGHEST, FIGHTING, RESTING, BARE, RING = range(2 * MOST, 2 * MOST + 11)
(WON, BEATEN, AHEAD, FELLED, DOOMED, ENDANGERED, ON_TURN, BEATEN_ON_TURN, DOOMED_ON_TURN, MUST_FILL, MEETING) = range(
    2 * MOST + 11, COLUMNS
)
WIDTH = COLUMNS


@rule
def survey(s: State, rows: Grid) -> None:
    """Count what there is, for both seats."""
    for seat in range(2):
        row = rows[seat]
        for i in range(COLUMNS):
            row[i] = 0
        count_cards(s, seat, rows)
        count_trees(s, seat, rows)
    for seat in range(2):
        count_contests(s, seat, rows)


@rule
def count_cards(s: State, seat: int, rows: Grid) -> None:
    """Cards to play with."""
    row = rows[seat]
    for place in range(HAND):
        value = value_of(s.hand[seat][place])
        row[HELD] += int(value > 0)
        row[VALUES] += value
        row[HIGHEST] = max(row[HIGHEST], value)
    row[PILE] = s.pile_end[seat] - s.pile_at[seat]
    row[CULT] = s.cult_size[seat]


@rule
def count_trees(s: State, seat: int, rows: Grid) -> None:
    """Trees by what they lack to be lost, and by what lies on them."""
    row = rows[seat]
    row[LOST] = s.lost_trees[seat]
    for number in range(s.trees):
        tree = seat * TREES + number
        if not s.lost[tree]:
            row[LACK + min(lacking(s, tree), MOST) - 1] += 1
            if s.height[tree] < MOST:
                row[HEIGHT + s.height[tree]] += 1
            row[CARDS] += s.height[tree]
            if s.druid_on[tree] < 0:
                row[RESTING] += s.worth[tree]
            else:
                row[FIGHTING] += s.worth[tree]
                row[BARE] += int(s.height[tree] == 0)
    row[RING] = int(s.ring >= seat * TREES and s.ring < (seat + 1) * TREES)
    row[ON_TURN] = int(s.turn == seat)
    if s.turn == seat:
        row[MEETING] = int(s.phase == CONTEST)
        if s.phase == TURN:
            for number in range(s.trees):
                row[MUST_FILL] += (s.must_fill >> number) & 1


@rule
def lacking(s: State, tree: int) -> int:
    """How many tokens a standing tree is from being lost."""
    return max(1, s.to_conquer - s.tokens[tree])


@rule
def count_contests(s: State, seat: int, rows: Grid) -> None:
    """Who would win each contest as the tops lie, and what hangs on it."""
    row = rows[seat]
    for colour in range(COLOURS):
        if s.druid_at[0][colour] >= 0 and s.druid_at[1][colour] >= 0:
            own = seat * TREES + s.druid_at[seat][colour]
            other = (1 - seat) * TREES + s.druid_at[1 - seat][colour]
            ahead = s.worth[own] - s.worth[other]
            if ahead > 0:
                row[WON] += 1
                row[AHEAD] += ahead
                row[FELLED] += int(lacking(s, other) == 1)
            elif ahead < 0:
                row[BEATEN] += 1
                row[DOOMED] += int(lacking(s, own) == 1)
                row[ENDANGERED] += int(lacking(s, own) == 2)
    if s.turn == seat:
        row[BEATEN_ON_TURN] = row[BEATEN]
        row[DOOMED_ON_TURN] = row[DOOMED]
