"""The rules and the plain reference, written independently of each other, agree after every decision of random games."""

from __future__ import annotations

import random

import pytest

from drunemeton.rules.druidenwalzer import Druidenwalzer
from tests.agreement import assert_agree
from tests.reference.druidenwalzer import Reference

from .druidenwalzer_games import canonical, random_setup
from .druidenwalzer_positions import check_invariants


def agree(seed: int) -> Druidenwalzer:
    """One random game over random options on both."""
    options, components = random_setup(random.Random(seed))
    game = assert_agree(Druidenwalzer, Reference, canonical, seed=seed, seats=2, options=options, components=components, limit=1500)
    assert isinstance(game, Druidenwalzer)
    check_invariants(game.state)
    return game


def test_150_games_agree() -> None:
    ends = {game.result.end if game.result else "" for game in map(agree, range(150))}
    assert ends >= {"conquest", "empty", "draw"}, "all kinds of end occur"


@pytest.mark.proof
@pytest.mark.parametrize("block", range(20))
def test_2000_games_agree(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        agree(seed)
