"""Two implementations of one game, played side by side: legal moves, state and result must agree after every decision."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from drunemeton.rules.game import Game

Canonical = Callable[[Any], dict[str, Any]]


def assert_agree(
    game_type: type[Game],
    reference_type: Any,
    canonical: Canonical,
    *,
    seed: int,
    setup: tuple[int, dict[str, Any], dict[str, Any]],
    choose: Callable[[random.Random, list[str], Game], str] | None = None,
    limit: int = 5000,
) -> Game:
    """Play one random game of these seats, options and components on both; the fast one shuffles, the reference is handed its orders."""
    rng = random.Random(seed)
    seats, options, components = setup
    game = game_type.new(seats=seats, seed=seed, options=options, components=components)
    orders: list[tuple[str, list[str]]] = []

    def take_orders() -> None:
        for pile, cards in game.orders()[-1]:
            orders.append((pile, [game.order_text(pile, card) for card in cards]))

    def shuffle(name: str, cards: list[str]) -> list[str]:
        pile, order = orders.pop(0)
        assert pile == name, f"seed {seed}: shuffled {pile}, the reference shuffles {name}"
        assert sorted(order) == sorted(cards), f"seed {seed}: the piles to be shuffled differ"
        return order

    take_orders()
    reference = reference_type(options, game.components, seats, shuffle)
    moves: list[str] = []
    while True:
        where = f"seed {seed}, options {options}, after {moves[-5:]} ({len(moves)} moves)"
        assert not orders, f"{where}: the reference did not shuffle"
        assert game.to_move == reference.to_move(), where
        ours, theirs = canonical(game), reference.state()
        for key in theirs:
            assert ours[key] == theirs[key], f"{where}: {key} is {ours[key]}, the reference says {theirs[key]}"
        assert ours.keys() == theirs.keys(), where
        legal = game.legal()
        assert set(legal) == reference.legal(), where
        assert len(set(legal)) == len(legal), where
        if game.over or len(moves) == limit:
            break
        move = choose(rng, legal, game) if choose else rng.choice(legal)
        moves.append(move)
        game.play(move)
        take_orders()
        reference.play(move)
    if game.over:
        assert game.result is not None
        assert reference.result() == {"end": game.result.end, "places": list(game.result.places)}, f"seed {seed}"
    return game
