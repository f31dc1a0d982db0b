"""What a seat of Druiden und Dämonen knows: everything but the order of the pile."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from drunemeton.rules.daemonen import Daemonen
from drunemeton.rules.daemonen.state import SETUP, State
from drunemeton.rules.game import sample
from drunemeton.rules.kernel import Desk, seed
from tests.rules.daemonen.games import eager, random_setup


def assert_true(game: Daemonen, order: list[int]) -> None:
    """Everybody knows everything but the order of the pile; what is left of it lies as it was prepared."""
    s = game.state
    for known in game.knowledge.values():
        for name in State.fields:
            truth, belief = getattr(s, name), getattr(known, name)
            if name == "pile":
                assert belief[s.pile_at : s.pile_end] == sorted(truth[s.pile_at : s.pile_end], key=order.index)
                assert belief[: s.pile_at] == truth[: s.pile_at]
            else:
                assert truth == belief, name


@pytest.mark.parametrize("number", range(6))
def test_knowledge_is_the_truth_but_for_the_pile(number: int) -> None:
    rng = random.Random(number)
    seats, options, components = random_setup(rng)
    game = Daemonen.new(seats=seats, seed=number, options=options, components=components)
    desk, world, prepared = Desk(), State(), State()
    seed(desk, number, 2, 3)
    Daemonen.prepare(prepared, seats, game.options, game.components)
    order = list(dict.fromkeys(prepared.pile[: prepared.pile_end]))
    for step in range(300):
        assert_true(game, order)
        if step % 10 == 0:
            sample(game.knowledge[0], desk, world)
            for name in State.fields:
                if name != "pile":
                    assert getattr(world, name) == getattr(game.state, name), name
            assert sorted(world.pile) == sorted(game.state.pile)
        if game.over:
            break
        game.play(eager(rng, game.legal(), game))


def test_sampling_is_uniform_over_the_pile() -> None:
    """Every order of the cards still to come is as likely as any other."""
    components = {**Daemonen.default_components(), "fields": {"FFFFFF": 1, "WWWWWW": 1, "FFFFFW": 1}, "portals": 1, "setup_fields": 0}
    game = Daemonen.new(seed=4, components=components)
    desk, world = Desk(), State()
    seed(desk, 1, 2, 3)
    rounds = 2400
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(rounds):
        sample(game.knowledge[1], desk, world)
        orders[tuple(world.pile[:4])] += 1
    assert set(orders) == set(itertools.permutations(game.state.pile[:4]))
    expected = rounds / 24
    assert sum((count - expected) ** 2 / expected for count in orders.values()) < 49.7, "chi square, 23 degrees, one in a thousand"


def test_undo_until_a_draw() -> None:
    """Nothing but a draw brings something hidden to light."""
    game = Daemonen.new(seed=3, options={"first_player": 0})
    while game.state.phase == SETUP:
        game.play(game.actions()[0])
    before = game.state.copy()
    game.play("choose populate")
    game.play("choose scout")
    game.play(next(move for move in game.legal() if move.startswith("settle")))
    assert game.can_undo(0)
    for _ in range(3):
        game.undo(0)
    assert game.state == before
    for move in ("choose scout", "choose scout", "draw"):
        game.play(move)
    assert not game.can_undo(0)
