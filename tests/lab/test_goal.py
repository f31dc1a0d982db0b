"""A search for a goal, and changes that are planted."""

from __future__ import annotations

import pytest

from benchmarks.planted import false_findings, found, plantings
from drunemeton.lab.goal import confirmed, read_goal, search
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game

GAME = find_game("druidenwalzer")


def test_a_goal_is_searched_for_and_all_tries_are_shown() -> None:
    knobs = {"trees_to_lose": [1], "tokens_to_conquer": [1, 2, 3]}
    tries = search(GAME.name, [read_goal("length.turns=5..9")], knobs, players=["random", "random"], deals=40, processes=1)
    assert tries[0].missed == 0
    assert 5 <= tries[0].figures["length.turns"]["mean"] <= 9
    names = {one.name for one in tries}
    assert {"default", "trees_to_lose=1", "tokens_to_conquer=1", "tokens_to_conquer=2", "tokens_to_conquer=3"} <= names
    assert len(names) == len(tries)
    assert [one.missed for one in tries] == sorted(one.missed for one in tries)


def test_the_best_try_is_played_again_on_other_deals() -> None:
    goal = read_goal("length.turns=5..9")
    players = ["random", "random"]
    best = search(GAME.name, [goal], {"trees_to_lose": [1], "tokens_to_conquer": [1, 2]}, players=players, deals=40, processes=1)[0]
    again = confirmed(GAME.name, [goal], best, players=players, deals=40, processes=1)
    assert again.changes == best.changes
    assert again.figures != best.figures
    assert goal.holds({"low": 5.5, "high": 8.9})
    assert not goal.holds({"low": 4.9, "high": 8})
    assert not goal.holds({"low": 6, "high": 9.1})


def test_what_is_no_goal_is_refused() -> None:
    assert read_goal("starter.wins=..0.52") == ("starter.wins", None, 0.52)
    assert read_goal("length.minutes=40..50").missed(60) == pytest.approx(0.2)
    for text in ("length.turns", "length.turns=5", "length.turns=..", "length.turns=1.2.3..4"):
        with pytest.raises(GameError):
            read_goal(text)
    with pytest.raises(GameError, match="there is no measure"):
        search(GAME.name, [read_goal("length.dances=1..2")], {}, players=["random", "random"], deals=4, processes=1)


@pytest.mark.parametrize("number", [4, 15])
def test_a_planted_change_is_found_by_its_name(number: int) -> None:
    assert found(GAME, plantings(GAME)[number], 150, 1 + 10_000 * number)


def test_where_nothing_is_planted_nothing_is_found() -> None:
    assert [false_findings(GAME, 150, 1 + 10_000 * n, n + 1) for n in range(2)] == [0, 0]


@pytest.mark.proof
def test_all_of_twenty_plantings_are_found_and_none_of_twenty_without() -> None:
    planted = plantings(GAME)
    assert len(planted) == 20
    assert [n for n, one in enumerate(planted) if not found(GAME, one, 150, 1 + 10_000 * n)] == []
    assert sum(false_findings(GAME, 150, 1 + 10_000 * n, n + 1) for n in range(20)) == 0
