"""The greedy bot's judgement of Druiden und Dämonen."""

from __future__ import annotations

import pytest

from drunemeton.rules.daemonen import Daemonen
from drunemeton.rules.kernel import has_numba


@pytest.mark.skipif(not has_numba(), reason="Numba is not there")
@pytest.mark.proof
def test_greedy_reaches_the_points_in_a_fair_share_of_games() -> None:
    from drunemeton.bots.match import Match
    from drunemeton.bots.simulation import simulate

    for seats in (2, 3, 4):
        tally = simulate(Match(Daemonen, ["greedy"] * seats), 60, 1)
        assert tally.ends["points"] >= 24, (seats, tally.ends)
