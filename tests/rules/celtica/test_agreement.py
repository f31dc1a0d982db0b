"""Celtica against its independent reference, plain against compiled, and what never changes."""

from __future__ import annotations

import functools
import random
from collections import Counter
from typing import Any

import pytest

from drunemeton.bots.greedy import Mind, greedy_action, prepare_judge
from drunemeton.rules.celtica import Celtica
from drunemeton.rules.celtica.knowledge import Knowledge
from drunemeton.rules.celtica.state import State
from drunemeton.rules.chance import BY_STEP, Chance
from drunemeton.rules.drive import Engine
from drunemeton.rules.game import random_action
from drunemeton.rules.kernel import MOVES, SPECTATOR, Desk, has_numba, seed
from drunemeton.rules.story import told_to
from tests.agreement import assert_agree
from tests.reference.celtica import Reference

from .games import assert_conserved, canonical, random_setup


@functools.cache
def mind() -> Any:
    """The greedy bot's compiled thought, with one desk for all of it."""
    prepare_judge(Celtica)
    engine = Engine(Celtica)
    return engine, engine.twin(greedy_action), engine.desk(), (State.box(2), engine.row(MOVES), engine.row(MOVES))


def thinking(seats: Any) -> Any:
    """Choose as the greedy bot would, at the given seats; at random elsewhere."""

    def choose(rng: random.Random, moves: Any, game: Any) -> Any:
        seat = game.to_move
        if seat not in seats:
            return rng.choice(moves)
        engine, act, desks, rows = mind()
        engine.seed(desks, rng.getrandbits(32), 1, 2)
        return game.move_text(game.state, int(act(Mind(engine.box(game.knowledge[seat]), desks, *rows), 0, seat, 0, 0, 4)))

    return choose


def agree(number: int) -> Any:
    """One game: every second on the default components' decks or boards, every second with some thinking seats."""
    rng = random.Random(number)
    seats = 2 + number % 4
    options, components = random_setup(rng, seats)
    minds = {seat for seat in range(seats) if rng.random() < 0.7} if has_numba() and number % 2 else set()
    choose = thinking(minds) if minds else None
    game = assert_agree(
        Celtica, Reference, canonical, seed=number, seats=seats, options=options, components=components, choose=choose, limit=3000
    )
    assert game.over
    assert_conserved(game.state, components)
    assert game.result is not None
    return game.result.end


@pytest.mark.parametrize("tens", range(15))
def test_agrees_with_the_reference(tens: Any) -> None:
    for number in range(tens * 10, tens * 10 + 10):
        agree(number)


@pytest.mark.proof
def test_agrees_with_the_reference_in_2000_games() -> None:
    ends = Counter(agree(number) for number in range(1000, 3000))
    assert set(ends) == {"goal", "all_home", "parts"}


def test_random_actions_are_legal_and_each_as_likely() -> None:
    """What `random_action` picks is what `legal` lists."""
    rng = random.Random(3)
    desk = Desk()
    seed(desk, 5, 6, 7)
    for number in range(16):
        game = Celtica.new(chance=Chance.from_seed(number, BY_STEP), seats=2 + number % 4)
        for _ in range(rng.randint(0, 150)):
            if game.over:
                break
            game.play(rng.choice(game.legal()))
        if game.over:
            continue
        actions = game.actions()
        picked = Counter(random_action(game.state, desk) for _ in range(60 * len(actions)))
        assert set(picked) <= set(actions)
        assert min(picked[action] for action in actions) > 20


def test_cards_and_parts_are_conserved() -> None:
    """60 + 20 cards and 90 parts, after every move, with any decks."""
    rng = random.Random(9)
    for number in range(8):
        seats = 2 + number % 4
        options, components = random_setup(rng, seats)
        game = Celtica.new(seed=number, seats=seats, options=options, components=components)
        assert_conserved(game.state, components)
        while not game.over:
            game.play(rng.choice(game.actions()))
            assert_conserved(game.state, components)


def test_a_replay_from_orders_and_moves_is_the_same_game() -> None:
    from drunemeton.rules.chance import Orders

    game = Celtica.new(seed=4, seats=3)
    rng = random.Random(4)
    while not game.over:
        game.play(rng.choice(game.legal()))
    orders = [[game.order_cards(pile, [game.order_text(pile, card) for card in cards]) for pile, cards in step] for step in game.orders()]
    again = Celtica.new(seats=3, chance=Orders(orders))
    for step in game.steps[1:]:
        again.play(step.move)
    assert again.state == game.state
    assert again.events(SPECTATOR) == game.events(SPECTATOR)
    for watcher in game.watchers:
        assert isinstance(game.knowledge[watcher], Knowledge)
        assert again.knowledge[watcher] == game.knowledge[watcher]
        assert told_to(game.steps[0].rows, watcher)
