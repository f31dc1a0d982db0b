"""Why something happened in Druidenwalzer."""

from __future__ import annotations

from ..because import ToldStep
from ..kernel import EV_A, EV_KIND, EV_SECRET, EV_SHUFFLED
from ..story import EventRow
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
    for at in told.places(PLAYED):
        _waltz(told, at)
    for at in told.places(MET):
        _contest(told, at)
    _losses(told)
    _cards(told)
    _forced(told)


def _waltz(told: ToldStep, at: int) -> None:
    """DW-4.3, 4.5, 5.1: who dances and how far, or that nobody does; whom the ring keeps apart."""
    row = told.rows[at]
    value, tree = value_of(row[EV_SECRET]), row[EV_A + 2]
    end = next((turn for turn in told.places(TURN_BEGUN) if turn > at), len(told.rows))
    if any(at < other < end for other in told.places(DANCED, STAYED)):
        told.say(at, "dance", value=value, steps=tree % TREES + 1, tree=tree % TREES + 1)
    else:
        told.say(at, "nobody_dances", value=value)
    for back in told.places(RING_BACK):
        if at < back < end:
            met = {told.rows[other][EV_A] for other in told.places(MET) if at < other < end}
            for colour in sorted(set(range(told.options["trees"] - 1)) - met):
                told.say(back, "ring", colour=COLOUR_NAMES[colour], tree=board_text(tree))


def _contest(told: ToldStep, at: int) -> None:
    """DW-5.3: who wins, or that nobody does."""
    _, sun, moon, _ = told.rows[at][EV_A : EV_A + 4]
    if sun == moon:
        told.say(at, "tie", value=sun)
    else:
        told.say(at, "wins", seat=SEAT_NAMES[sun < moon], high=max(sun, moon), low=min(sun, moon))


def _losses(told: ToldStep) -> None:
    """DW-6, 7.2: why a tree is lost, why its druid moves, why the game ends."""
    for at in told.places(TREE_LOST):
        if told.rows[at][EV_A + 1] == CONQUEST:
            told.say(at, "conquered", tokens=told.options["tokens_to_conquer"])
        else:
            told.say(at, "stayed_empty")
    for at in told.places(DRUID_MOVED):
        if _after(told, at, TREE_LOST):
            told.say(at, "driven")
    for at in told.places(ENDED):
        how, _, quiet = told.rows[at][EV_A : EV_A + 3]
        if how != DRAW:
            told.say(at, "trees_lost", trees=told.options["trees_to_lose"])
        elif told.options["draw_after"] and quiet >= told.options["draw_after"]:
            told.say(at, "quiet", turns=quiet)


def _cards(told: ToldStep) -> None:
    """DW-7.1, 7.3: why cards are drawn, why a pile is made anew, what an empty tree asks for."""
    if not told.places(STACKED):
        for at in told.places(DRAWN):
            if told.rows[at][EV_A + 1] == 0:
                told.say(at, "hand_empty")
        for at in told.places(EV_SHUFFLED):
            told.say(at, "pile_renewed")
    for at in told.places(TURN_BEGUN):
        trees = [n + 1 for n in range(TREES) if told.rows[at][EV_A + 1] >> n & 1]
        if trees:
            told.say(at, "must_fill", trees=trees)


def _forced(told: ToldStep) -> None:
    """DW-10.2: what was carried out without asking."""
    own = not told.decided or told.places(MET)[:1] == [0]  # the decision was which colour meets
    for at in told.places(ARROW_LAID, DRUID_SET, PLAYED, RETREATED, DRUID_MOVED, PASSED):
        kind = told.rows[at][EV_KIND]
        if kind == DRUID_MOVED and _after(told, at, TREE_LOST):
            continue
        if own:
            told.say(at, "only_arrow" if kind == ARROW_LAID else "nothing_else", forced=True)
        own = True


def _after(told: ToldStep, at: int, kind: int) -> bool:
    before: EventRow | None = told.rows[at - 1] if at else None
    return before is not None and before[EV_KIND] == kind
