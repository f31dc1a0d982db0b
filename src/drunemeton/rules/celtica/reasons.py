"""Why something happened in Celtica."""

from __future__ import annotations

from collections import Counter

from ..because import ToldStep
from ..kernel import EV_A, EV_B, EV_KIND, EV_SHUFFLED
from .state import DRUID, EXPERIENCE
from .story import (
    BOUGHT,
    DEALT,
    DECLINED,
    GIVEN,
    NOTHING_LEFT,
    PLAYED,
    RANKED,
    ROUND_BEGUN,
    SKIPPED,
    STOPPED,
    SWAPPED,
    TAKEN,
    TURN_BEGUN,
    WALKED,
)

DECISIONS = (PLAYED, TAKEN, GIVEN, DECLINED, SWAPPED, BOUGHT, STOPPED)


def because(told: ToldStep) -> None:
    """All reasons of one step."""
    _places(told)
    _draws(told)
    _ranks(told)
    _forced(told)


def _places(told: ToldStep) -> None:
    """CE-3.3, 4.1 to 4.3: what the place where a druid stops brings."""
    for at in told.places(WALKED):
        _, _, to, lost = told.rows[at][EV_A : EV_A + 4]
        place = told.components["places"][to]
        told.say(at, f"at_{place['kind']}", parts=abs(place["parts"]))
        if lost:
            told.say(at, "steps_lost", steps=lost)


def _draws(told: ToldStep) -> None:
    """CE-4.2 to 4.4: where a card comes from outside a deal, and why a pile is shuffled anew."""
    dealing = False
    for at, row in enumerate(told.rows):
        kind = row[EV_KIND]
        dealing = (dealing or kind == ROUND_BEGUN) and kind != TURN_BEGUN
        if kind == DEALT and not dealing:
            told.say(at, "drawn_at_cult" if row[EV_B] == DRUID else "drawn_at_ruin")
        elif kind == EV_SHUFFLED and told.decided:
            told.say(at, "renewed")
        elif kind == NOTHING_LEFT and row[EV_A] == EXPERIENCE:
            told.say(at, "nothing_at_ruin")


def _ranks(told: ToldStep) -> None:
    """CE-6.4: who shares a rank."""
    ranks = Counter(told.rows[at][EV_B] for at in told.places(RANKED))
    for at in told.places(RANKED):
        if ranks[told.rows[at][EV_B]] > 1:
            told.say(at, "equal")


def _forced(told: ToldStep) -> None:
    """CE-3.0: what was carried out without asking."""
    # A card from the cult place is a decision as well; nobody is ever dealt one otherwise at the beginning of a step.
    asked = not told.decided or told.rows[0][EV_KIND] == DEALT
    run = range(0)
    for at in told.places(*DECISIONS, NOTHING_LEFT, SKIPPED):
        kind = told.rows[at][EV_KIND]
        if kind == SKIPPED:
            told.say(at, "cannot_trade", forced=True)
        elif kind == NOTHING_LEFT:
            if told.rows[at][EV_A] == DRUID:
                told.say(at, "nothing_at_cult", forced=True)
        elif not asked:
            asked = True
        elif kind == PLAYED:
            told.say(at, "last_card", forced=True)
        elif kind in (TAKEN, GIVEN) and at not in run:
            run = _run_from(told, at)
            what = "taken" if kind == TAKEN else "given"
            one = len({told.rows[n][EV_B] for n in run}) == 1
            told.say(at, f"one_kind_{what}" if one else f"all_{what}", forced=True)


def _run_from(told: ToldStep, at: int) -> range:
    """The parts that go one after the other without a question."""
    end = at
    while end < len(told.rows) and told.rows[end][EV_KIND] == told.rows[at][EV_KIND]:
        end += 1
    return range(at, end)
