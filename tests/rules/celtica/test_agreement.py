"""Celtica against its independent reference."""

from __future__ import annotations

import functools
import random
from collections import Counter
from typing import Any

import pytest

from drunemeton.bots.greedy import Mind, greedy_action, prepare_judge
from drunemeton.rules.celtica import Celtica
from drunemeton.rules.celtica.state import State
from drunemeton.rules.drive import Engine
from drunemeton.rules.kernel import MOVES, has_numba
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
    game = assert_agree(Celtica, Reference, canonical, seed=number, setup=(seats, options, components), choose=choose, limit=3000)
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
