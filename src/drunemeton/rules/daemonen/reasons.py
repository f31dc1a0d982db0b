"""Why something happened in Druiden und Dämonen."""

from __future__ import annotations

from ..because import ToldStep
from ..kernel import EV_A, EV_B, EV_KIND
from .state import GUARD, PILE, POINTS
from .story import (
    ACTION_BEGUN,
    ACTION_NAMES,
    ANCHOR_REMOVED,
    BEGUN_STEP,
    CAPTURED,
    CHOSEN,
    DEMON_REMOVED,
    DISCARDED,
    DRAWN,
    ENDED,
    LAID,
    MOVED,
    POPULATION_LOST,
    PORTAL_LAID,
    STONE_LOST,
    STONE_PLACED,
    TEMPLE_PLACED,
    TURN_BEGUN,
)

ALWAYS = {POPULATION_LOST: "demon_on_it", STONE_LOST: "two_demons", CAPTURED: "three_support"}
CUT = {DEMON_REMOVED: "demon_cut", ANCHOR_REMOVED: "anchor_cut"}
ENDS = {POINTS: "enough_points", PILE: "pile_empty", GUARD: "turn_limit"}
SECOND_HALVES = {STONE_PLACED: "only_source", TEMPLE_PLACED: "only_source", MOVED: "only_target"}


def because(told: ToldStep) -> None:
    """All reasons of one step."""
    for at, row in enumerate(told.rows):
        kind, a, b, c = row[EV_KIND], *row[EV_A : EV_A + 3]
        if kind in ALWAYS:
            told.say(at, ALWAYS[kind])
        elif kind in CUT and c:
            told.say(at, CUT[kind])
        elif kind == DISCARDED and not b:
            told.say(at, "fits_nowhere", forced=True)
        elif kind == ENDED:
            told.say(at, ENDS[a], turns=c)
    _forced(told)
    _actions(told)


def _forced(told: ToldStep) -> None:
    """DD-5.2: what was carried out without asking: the only place, source, target or action that was left."""
    for at in told.places(CHOSEN):
        if at or not told.decided:
            told.say(at, "only_action", forced=True)
    for at, row in enumerate(told.rows):
        kind, before = row[EV_KIND], told.rows[at - 1][EV_KIND] if at else 0
        if kind in (LAID, PORTAL_LAID) and before == DRAWN:
            told.say(at, "only_place", forced=True)
        elif kind in SECOND_HALVES and BEGUN_STEP in (before, told.rows[at - 2][EV_KIND] if before == CAPTURED else 0):
            told.say(at, SECOND_HALVES[kind], forced=True)


def _actions(told: ToldStep) -> None:
    """DD-5.2: an action that did nothing because nothing could be done."""
    for at in told.places(ACTION_BEGUN):
        if told.rows[at + 1 : at + 2] and told.rows[at + 1][EV_KIND] in (ACTION_BEGUN, TURN_BEGUN, ENDED):
            told.say(at, "nothing_possible", forced=True, action=ACTION_NAMES[told.rows[at][EV_B]])
