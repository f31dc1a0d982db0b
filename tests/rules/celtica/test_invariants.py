"""Celtica: what holds after every step."""

from __future__ import annotations

import random
from collections import Counter

from drunemeton.rules.celtica import Celtica
from drunemeton.rules.celtica.knowledge import Knowledge
from drunemeton.rules.chance import BY_STEP, Chance
from drunemeton.rules.game import random_action
from drunemeton.rules.kernel import SPECTATOR, Desk, seed
from drunemeton.rules.story import told_to

from .games import assert_conserved, random_setup


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
