"""Hazel against its reference, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest
from drunemeton.rules.hazel import Hazel
from tests.reference.hazel import Reference

from drunemeton.rules.errors import BadComponents
from tests.agreement import assert_agree


def canonical(game: Hazel) -> dict[str, Any]:
    s = game.state
    return {
        "hands": [[str(card) for card in hand if card] for hand in s.hand],
        "tricks": list(s.tricks),
        "round": s.round,
        "table": {seat: str(card) for seat, card in enumerate(s.table) if card},
    }


@pytest.mark.parametrize("seed", range(20))
def test_hazel_agrees_with_its_reference(seed: int) -> None:
    """HZ-1.2, HZ-2.1, HZ-2.2, HZ-2.3, HZ-2.4, HZ-3.2, HZ-3.3: deal, lead, lay, take, the last card, rounds and ranks."""
    options, components = {"rounds": 1 + seed % 5}, {"cards": (6, 9, 12)[seed % 3]}
    assert_agree(Hazel, Reference, canonical, seed=seed, setup=(3, options, components))


def test_hazel_refuses_odd_decks() -> None:
    """HZ-1.1: as many for each."""
    with pytest.raises(BadComponents):
        Hazel.new(components={"cards": 7})
