"""Why something happened in Druidenwalzer."""

from __future__ import annotations

from collections.abc import Callable

from ..because import ToldStep
from ..kernel import EV_A, EV_B, EV_C, EV_KIND, EV_SECRET, EV_SHUFFLED
from .state import CONQUEST, DRAW, TREES, value_of
from .story import (
    ARROW_LAID,
    COLOUR_NAMES,
    DANCED,
    DRAWN,
    DRUID_MOVED,
    DRUID_SET,
    ENDED,
    MET,
    PASSED,
    PLAYED,
    RETREATED,
    RING_BACK,
    SEAT_NAMES,
    STACKED,
    STAYED,
    TREE_LOST,
    TURN_BEGUN,
    board_text,
)


def because(told: ToldStep) -> None:
    """All reasons of one step."""
    # What the step began with was the decision: a contest's was which colour meets.
    own = not told.decided or (bool(told.rows) and told.rows[0][EV_KIND] == MET)
    for at, row in enumerate(told.rows):
        kind = row[EV_KIND]
        explain = REASONS.get(kind)
        if explain is not None:
            explain(told, at)
        if kind in DECISIONS and not (kind == DRUID_MOVED and _after_loss(told, at)):
            if own:
                told.say(at, "only_arrow" if kind == ARROW_LAID else "nothing_else", forced=True)  # DW-10.2: nobody was asked
            own = True


def _waltz(told: ToldStep, at: int) -> None:
    """DW-4.3, 4.5, 5.1: who dances and how far, or that nobody does; whom the ring keeps apart."""
    row = told.rows[at]
    value, tree = value_of(row[EV_SECRET]), row[EV_C]
    danced, met = False, set()
    for back, other in enumerate(told.rows[at + 1 :], at + 1):
        kind = other[EV_KIND]
        if kind == TURN_BEGUN:
            break
        if kind in (DANCED, STAYED):
            danced = True
        elif kind == MET:
            met.add(other[EV_A])
        elif kind == RING_BACK:
            for colour in range(told.options["trees"] - 1):
                if colour not in met:
                    told.say(back, "ring", colour=COLOUR_NAMES[colour], tree=board_text(tree))
    if danced:
        told.say(at, "dance", value=value, steps=tree % TREES + 1, tree=tree % TREES + 1)
    else:
        told.say(at, "nobody_dances", value=value)


def _contest(told: ToldStep, at: int) -> None:
    """DW-5.3: who wins, or that nobody does."""
    _, sun, moon, _ = told.rows[at][EV_A : EV_A + 4]
    if sun == moon:
        told.say(at, "tie", value=sun)
    else:
        told.say(at, "wins", seat=SEAT_NAMES[sun < moon], high=max(sun, moon), low=min(sun, moon))


def _tree_lost(told: ToldStep, at: int) -> None:
    """DW-6.1, 7.2: why a tree is lost."""
    if told.rows[at][EV_B] == CONQUEST:
        told.say(at, "conquered", tokens=told.options["tokens_to_conquer"])
    else:
        told.say(at, "stayed_empty")


def _driven(told: ToldStep, at: int) -> None:
    """DW-6.2: why the druid of a lost tree moves."""
    if _after_loss(told, at):
        told.say(at, "driven")


def _after_loss(told: ToldStep, at: int) -> bool:
    return at > 0 and told.rows[at - 1][EV_KIND] == TREE_LOST


def _ended(told: ToldStep, at: int) -> None:
    """DW-6.1, 6.5: why the game ends."""
    how, _, quiet = told.rows[at][EV_A : EV_A + 3]
    if how != DRAW:
        told.say(at, "trees_lost", trees=told.options["trees_to_lose"])
    elif told.options["draw_after"] and quiet >= told.options["draw_after"]:
        told.say(at, "quiet", turns=quiet)


def _drawn(told: ToldStep, at: int) -> None:
    """DW-7.3: why cards are drawn; at set-up they are simply dealt."""
    if told.rows[at][EV_B] == 0 and not _dealt(told):
        told.say(at, "hand_empty")


def _renewed(told: ToldStep, at: int) -> None:
    """DW-7.3: why a pile is made anew; at set-up it is simply shuffled."""
    if not _dealt(told):
        told.say(at, "pile_renewed")


def _dealt(told: ToldStep) -> bool:
    return any(row[EV_KIND] == STACKED for row in told.rows)


def _must_fill(told: ToldStep, at: int) -> None:
    """DW-7.1: what an empty tree asks for."""
    empty = told.rows[at][EV_B]
    if empty:
        told.say(at, "must_fill", trees=[n + 1 for n in range(TREES) if empty >> n & 1])


REASONS: dict[int, Callable[[ToldStep, int], None]] = {
    PLAYED: _waltz,
    MET: _contest,
    TREE_LOST: _tree_lost,
    DRUID_MOVED: _driven,
    ENDED: _ended,
    DRAWN: _drawn,
    EV_SHUFFLED: _renewed,
    TURN_BEGUN: _must_fill,
}
"""What explains an event of each kind."""
DECISIONS = frozenset((ARROW_LAID, DRUID_SET, PLAYED, RETREATED, DRUID_MOVED, PASSED))
