"""What a seat of Druiden und Dämonen knows: a fold over the events that it was told.

Only the order of the pile is hidden, and it is hidden from everybody alike. So a knowledge is a state whose pile lies in sorted order:
the cards that are still to come, each arrangement of them as likely as any other.
"""

from __future__ import annotations

from ..copying import copier
from ..kernel import EV_A, EV_B, EV_C, EV_KIND, EV_SECRET, EV_SHUFFLED, Desk, Row, below, rule
from . import story
from .land import discard, put_card, site_at, take_card, turned
from .pieces import capture, clear_action, fold_dark, fold_light, go, new_turn, settle
from .play import begin, clear_options, find_options
from .state import (
    HALF_STONE,
    OVER,
    PORTAL,
    WHOLE,
    State,
)


class Knowledge(State):
    """A state as everybody knows it: the pile lies sorted."""


copy_known = copier(State, globals())


@rule
def fold(k: Knowledge, row: Row) -> int:
    """Take in one event. Answers 1 if it told this watcher something that could not be foreseen."""
    kind = row[EV_KIND]
    a = row[EV_A]
    b = row[EV_B]
    c = row[EV_C]
    card = row[EV_SECRET]
    if kind == story.DRAWN:
        sink(k, card)
        take_card(k, a, card)
        return 1
    if kind == EV_SHUFFLED:
        return 1
    if kind == story.LAID:
        put_card(k, b, turned(card, c))
    elif kind == story.PORTAL_LAID:
        put_card(k, b, PORTAL)
    elif kind == story.DISCARDED:
        discard(k)
    elif kind >= story.DEMON_PLACED and kind < story.STONE_PLACED:
        fold_dark(k, kind, a, k.at[b], c)
    elif kind >= story.STONE_PLACED and kind < story.SETTLED:
        fold_light(k, kind, a, b, c)
    elif kind == story.SETTLED:
        settle(k, a, k.at[b], c)
    elif kind == story.CAPTURED:
        capture(k, a, k.at[b])
    elif kind == story.MOVED:
        go(k, a, k.at[b], k.at[c])
    else:
        fold_course(k, kind, a, b, c)
    return 0


@rule
def fold_course(k: Knowledge, kind: int, a: int, b: int, c: int) -> None:
    """The course of turns."""
    if kind == story.SCORED:
        k.points[a] = b
    elif kind == story.BEGUN_STEP:
        k.half = b
        k.half_at = site_at(k, -1 - c) if b == HALF_STONE else k.at[c]
    elif kind == story.TURN_BEGUN:
        new_turn(k, a)
    elif kind == story.CHOSEN:
        k.chosen[c] = b
        k.chosen_count = c + 1
    elif kind == story.ACTION_BEGUN:
        k.doing = int(b != k.chosen[0])
        k.phase = b
        clear_action(k, c)
    elif kind == story.FIRST_PLAYER:
        begin(k, a)
    elif kind == story.ENDED:
        k.phase = OVER
        k.end = a
        k.winner = b
        k.turns = c
        k.half = WHOLE
        k.half_at = 0


@rule
def sink(k: Knowledge, card: int) -> None:
    """A card of the sorted pile is the next one; those below it stay sorted."""
    i = k.pile_at
    while k.pile[i] != card:
        i += 1
    while i > k.pile_at:
        k.pile[i] = k.pile[i - 1]
        i -= 1
    k.pile[i] = card


@rule
def ponder(k: Knowledge) -> None:
    """All events of a step are told: find the question that is due, and its options."""
    if k.phase == OVER:
        clear_options(k)
    else:
        find_options(k)
        k.asked = k.turn


@rule
def sample(k: Knowledge, d: Desk, s: State) -> None:
    """Write into `s` a state that may be the true one: every order of the pile is as likely as any other."""
    copy_known(k, s)
    for i in range(s.pile_end - 1, s.pile_at, -1):
        j = s.pile_at + below(d, i - s.pile_at + 1)
        card = s.pile[i]
        s.pile[i] = s.pile[j]
        s.pile[j] = card
