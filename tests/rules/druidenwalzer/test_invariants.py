"""Druidenwalzer: what holds after every step, and in whatever a watcher thinks possible."""

from __future__ import annotations

import random

from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.druidenwalzer.state import TURN, State
from drunemeton.rules.game import sample
from drunemeton.rules.kernel import Desk, seed

from .games import random_setup
from .positions import check_invariants


def test_invariants_after_every_step() -> None:
    """Cards are neither made nor lost, tokens and druids stay within bounds, every field in range, over many options."""
    decisions = 0
    desk, dream = Desk(), State()
    seed(desk, 1, 2, 3)
    for number in range(20):
        rng = random.Random(number)
        options, components = random_setup(rng)
        game = Druidenwalzer.new(seed=number, options=options, components=components)
        cards = check_invariants(game.state)
        while not game.over and len(game.steps) < 250:
            game.play(rng.choice(game.actions()))
            check_invariants(game.state, cards)
            assert [name for known in game.knowledge.values() for name in known.out_of_range()] == []
            if game.state.phase >= TURN:
                sample(game.knowledge[rng.choice(game.watchers)], desk, dream)
                check_invariants(dream, cards)
        decisions += len(game.steps)
    assert decisions > 500
