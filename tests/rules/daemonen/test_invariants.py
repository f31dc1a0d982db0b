"""Druiden und Dämonen: what holds after every step, with components at their limits too."""

from __future__ import annotations

import random
from typing import Any

import pytest

from drunemeton.rules.daemonen import Daemonen
from drunemeton.rules.kernel import MOVES
from tests.rules.daemonen.games import assert_sound, assert_tables, canonical, eager, random_setup


@pytest.mark.parametrize("number", range(5))
def test_invariants_after_every_step(number: int) -> None:
    """Golden case 3, conservation; connection; limits; and the tables kept incrementally."""
    rng = random.Random(number)
    seats, options, components = random_setup(rng)
    game = Daemonen.new(seats=seats, seed=number, options=options, components=components)
    for step in range(220):
        if game.over:
            break
        game.play(eager(rng, game.legal(), game))
        assert game.state.out_of_range() == []
        assert len(game.actions()) <= MOVES
        if step % 4 == 0:
            assert_sound(game)
    assert_sound(game)


@pytest.mark.proof
def test_invariants_over_whole_games() -> None:
    for number in range(50, 75):
        rng = random.Random(number)
        seats, options, components = random_setup(rng)
        game = Daemonen.new(seats=seats, seed=number, options=options, components=components)
        while not game.over:
            game.play(eager(rng, game.legal(), game))
            assert_sound(game)


def maxima(centre: int) -> dict[str, Any]:
    """As many cells as the table holds, of forest alone, and full supplies."""
    land = 128 - (7 if centre else 1)
    return {
        "portals": 0,
        "setup_fields": land // 4 - 1,
        "populations_per_player": 128,
        "stones_per_player": 128,
        "temples": 128,
        "demons": 128,
        "win": 9999,
        "fields": {"FFFFFF": land - 60, "FFFFFW": 60},
    }


def distance(move: str) -> float:
    q, r = map(int, move.split()[1].split(","))
    return max(abs(q), abs(r), abs(q + r)) + (abs(q) + abs(r)) / 100


@pytest.mark.parametrize("centre", [0, 1])
def test_component_file_at_its_maxima(centre: int) -> None:
    """DD-7: 128 cells laid as densely as they can be, all of them usable for stones."""
    for dense in (True, False):
        rng = random.Random(centre)
        game = Daemonen.new(seats=4, seed=centre, options={"centre_radius": centre}, components=maxima(centre))
        steps = 0
        while not game.over and steps < 900:
            legal = game.legal()
            lays = [move for move in legal if move.startswith("lay")]
            if lays and dense:
                game.play(min(lays, key=distance))
            elif "draw" in legal:
                game.play("draw")
            elif "choose scout" in legal:
                game.play("choose scout")
            else:
                game.play(eager(rng, legal, game))
            steps += 1
            assert game.state.out_of_range() == []
        assert game.state.laid + game.state.discards + len(canonical(game)["pile"]) == 128
        assert_tables(game.state)
        if dense:
            assert game.state.sites > 100


def test_many_portals_keep_within_the_list_of_moves() -> None:
    """A file with sixty portals: the list of moves, the frontier and the tables hold."""
    components = {**Daemonen.default_components(), "portals": 60, "setup_fields": 5, "fields": {"FFFFFW": 61}}
    game = Daemonen.new(seats=2, seed=3, components=components)
    rng = random.Random(1)
    most = 0
    for _ in range(400):
        if game.over:
            break
        legal = game.legal()
        portals = [move for move in legal if move.startswith("portal")]
        most = max(most, len(legal))
        if portals:
            game.play(max(portals, key=distance))
        else:
            game.play("draw" if "draw" in legal else "choose scout" if "choose scout" in legal else rng.choice(legal))
    assert most < MOVES
    assert_tables(game.state)
