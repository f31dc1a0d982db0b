"""Druiden und Dämonen against its independent reference."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from drunemeton.rules.daemonen import Daemonen
from tests.agreement import assert_agree
from tests.reference.daemonen import Reference
from tests.rules.daemonen.games import canonical, eager, random_setup


def agree(number: int, limit: int = 5000) -> Daemonen:
    """One game on both implementations: three in four build eagerly, the others move at random."""
    choose = eager if number % 4 else None
    game = assert_agree(Daemonen, Reference, canonical, seed=number, setup=random_setup(random.Random(number)), choose=choose, limit=limit)
    assert isinstance(game, Daemonen)
    return game


@pytest.mark.parametrize("number", range(20))
def test_agrees_with_the_reference(number: int) -> None:
    agree(number, limit=350)


@pytest.mark.proof
def test_agrees_with_the_reference_at_length() -> None:
    """500 whole games over 2 to 4 players and all options; everything that can happen does."""
    ends: Counter[str] = Counter()
    happened: Counter[str] = Counter()
    for number in range(1000, 1500):
        game = agree(number)
        assert game.result is not None
        ends[game.result.end] += 1
        happened.update(event["kind"] for event in game.events())
    assert set(ends) == {"points", "pile", "guard"}
    assert all(happened[line[0]] >= 20 for line in Daemonen.script.lines.values()), happened
