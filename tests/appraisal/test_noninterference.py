"""Non-interference of reviews: open cards speak in `had_known` alone.

Two games have the same moves and differ only in what one seat could not know. All that a review says on that seat's knowledge is the same
for both: its chances, its decisions with every legal move and the reasons, its accuracy, its slips and the luck of its own steps. Not
the same is what it says had all been known; and, rightly, the luck of the steps of others, who decided on cards of their own, and
which few of all seats' moments are told (`account.py`, `moments.py`): these speak of a game that is over, and judge no decision.
"""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import replace
from typing import Any

import pytest

from drunemeton import records
from drunemeton.appraisal import Depth, Reviewer, account, played
from drunemeton.appraisal.account import Judge
from drunemeton.appraisal.moments import worth_telling
from drunemeton.appraisal.shape import Decision, Moment
from drunemeton.rules.game import Result, find_game, playable

from ..server.test_noninterference import played as game_of
from ..server.test_noninterference import twin_games

QUICK = Depth(simulations=24, deciding=48, worlds=4)
LENGTHS = (14, 10, 8, 6)  # in Celtica hidden cards are soon told: then the game is a shorter one


def twins(name: str, seat: int) -> list[str]:
    """The records of two games that a seat cannot tell apart."""
    kind = find_game(name)
    for length, seed in itertools.product(LENGTHS, range(3, 6)):
        with contextlib.suppress(AssertionError):  # there is none of this length
            moves, *deals = twin_games(kind, seat, seed, length)
            if any(step.seat == seat for step in game_of(kind, deals[0], moves).steps):
                break
    return [records.write(game_of(kind, orders, moves), Result("resigned", (1, 2))) for orders in deals]


def said(text: str, seat: int) -> tuple[dict[str, Any], list[Any]]:
    """What a review says on a seat's own knowledge, part by part; and apart from that what it says had all been known."""
    reviewer = Reviewer(records.read(text), QUICK)
    judged = [reviewer.judge(step) for step in reviewer.steps]
    own = [one for one in judged if one.decision.seat == seat]
    postings = reviewer._account(judged).entries
    weighed = [
        reviewer.weigh(one.step, first, one.decision.best) for one in own for first in range(0, len(reviewer._judge().options(one.step)), 8)
    ]
    told = reviewer.whole(judged, weighed)
    line, decisions = told.lines[seat], [one for one in told.decisions if one.seat == seat]
    mine = {one.step for one in own}

    def is_own(one: Moment) -> bool:
        return one.what == "mistake" or one.step in mine

    parts = {
        "first graph": [point for point in reviewer.first().graph if point.turn == seat],
        "graph": [(point.step, point.values, point.within) for point in told.graph if point.turn == seat],
        "decided": [point.decided for point in told.graph if point.seat == seat],
        "decisions": [replace(one, had_known=None) for one in decisions],
        "accuracy": (line.accuracy, line.kinds, line.own, line.start, line.end),
        "values": [entry.value for entry in line.entries],
        "account of own steps": [entry for entry in line.entries if entry.step in mine],
        "moves": [one.moves for one in weighed],
        "slips and own luck": [one for one in worth_telling(reviewer.played, postings, judged) if one.seat == seat and is_own(one)],
        "reasons": [one.better for one in weighed],
    }
    return parts, [one.had_known for one in decisions]


def leaks(texts: list[str], seat: int) -> set[str]:
    """The parts of a review that tell two games apart which the seat cannot."""
    (one, _), (other, _) = (said(text, seat) for text in texts)
    return {part for part in one if one[part] != other[part]}


@pytest.mark.parametrize("name", playable())
@pytest.mark.parametrize("seat", [0, 1])
def test_a_review_judges_by_what_a_seat_knew(name: str, seat: int) -> None:
    (one, open_one), (other, open_other) = (said(text, seat) for text in twins(name, seat))
    for part in one:
        assert one[part] == other[part], part
    assert one["moves"]
    if name == "daemonen":  # nobody holds a card there, and the order of the pile is not opened
        assert not any(open_one)
    else:
        assert open_one != open_other, "with open cards it is told apart: that is what it is for"


def test_planted_leaks_of_a_review_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = twins("druidenwalzer", 0)
    assert not leaks(texts, 0)
    with monkeypatch.context() as planted:  # everybody hears everything
        planted.setattr(played, "may_see", lambda who, seat: True)
        assert {"graph", "first graph", "decisions", "moves", "values"} <= leaks(texts, 0)
    decide = Judge.decide

    def with_open_cards(self: Judge, step: int) -> tuple[Decision, tuple[float, ...]]:
        decision, gifts = decide(self, step)
        known = self.had_known(step)
        return replace(decision, given=decision.given + (known.value / 100 if known else 0.0)), gifts

    with monkeypatch.context() as planted:  # a decision is judged by what nobody could know
        planted.setattr(account.Judge, "decide", with_open_cards)
        assert {"decisions", "accuracy", "slips and own luck"} <= leaks(texts, 0)
