"""The greedy bot's judgement of Druiden und Dämonen."""

from __future__ import annotations

import random

import pytest

from drunemeton.bots.daemonen import judge
from drunemeton.rules.daemonen import Daemonen
from drunemeton.rules.daemonen.knowledge import Knowledge
from drunemeton.rules.kernel import has_numba
from tests.rules.daemonen.games import eager

compiled = pytest.mark.skipif(not has_numba(), reason="Numba is not there")


def test_judgement_changes_nothing_and_likes_points() -> None:
    """The bot looks at a position without touching it, and prefers to have a stone."""
    rng = random.Random(8)
    game = Daemonen.new(seats=2, seed=8, components={**Daemonen.default_components(), "fields": {"FFFFFF": 90}})
    for _ in range(250):
        if game.over:
            break
        before = game.state.copy()
        worth = [judge(game.state, seat) for seat in range(2)]
        assert game.state == before
        assert worth == [judge(game.state, seat) for seat in range(2)]
        game.play(eager(rng, game.legal(), game))
    assert isinstance(game.knowledge[0], Knowledge)


@compiled
@pytest.mark.proof
def test_greedy_reaches_the_points_in_a_fair_share_of_games() -> None:
    from drunemeton.bots.match import Match
    from drunemeton.bots.simulation import simulate

    for seats in (2, 3, 4):
        tally = simulate(Match(Daemonen, ["greedy"] * seats), 60, 1)
        assert tally.ends["points"] >= 24, (seats, tally.ends)
