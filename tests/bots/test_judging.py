"""What greedy makes of a position, in every game."""

from __future__ import annotations

import importlib
import random

import pytest

from drunemeton.rules.game import find_game, playable


@pytest.mark.parametrize("name", playable())
def test_judging_changes_nothing_and_ends_are_judged_by_rank(name: str) -> None:
    judge = importlib.import_module(f"drunemeton.bots.{name}").judge
    rng, different = random.Random(8), 0
    for seats in find_game(name).players:
        game = find_game(name).new(seed=8 + seats, seats=seats)
        while not game.over:
            if len(game.steps) % 7 == 0:
                before = game.state.copy()
                worth = [judge(game.state, seat) for seat in range(seats)]
                assert game.state == before
                assert worth == [judge(game.state, seat) for seat in range(seats)]
                different += len(set(worth)) > 1
            game.play(rng.choice(game.actions()))
        assert game.result is not None
        places, worth = game.result.places, [judge(game.state, seat) for seat in range(seats)]
        assert [worth[a] > worth[b] for a in range(seats) for b in range(seats) if places[a] < places[b]].count(False) == 0
    assert different > 0
