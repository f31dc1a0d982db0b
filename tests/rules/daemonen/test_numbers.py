"""DD-5.3 to 5.7, 6.1, 6.3: the numbers within the actions are options, and what is printed is their default."""

from __future__ import annotations

import pytest

from drunemeton.rules.daemonen import NUMBERS, Daemonen
from drunemeton.rules.daemonen.pieces import allowance
from drunemeton.rules.daemonen.state import DARK, LIGHT, MOVE, POPULATE, SCOUT


def test_the_defaults_are_what_is_printed() -> None:
    """DD-5.3 to 5.7: two or three spells (dark magic one fewer with four), temples + 2 or twice that, eight or twelve draws and moves."""
    state = Daemonen.new(seed=1, seats=2).state
    assert [allowance(state, 0, action, 0) for action in (DARK, LIGHT, SCOUT, POPULATE, MOVE)] == [2, 2, 8, 2, 8]
    assert [allowance(state, 0, action, 1) for action in (DARK, LIGHT, SCOUT, POPULATE, MOVE)] == [3, 3, 12, 4, 12]
    four = Daemonen.new(seed=1, seats=4).state
    assert [allowance(four, 0, DARK, twice) for twice in (0, 1)] == [1, 2]


@pytest.mark.parametrize("number", NUMBERS)
def test_every_number_reaches_the_table(number: str) -> None:
    default = Daemonen.new(seed=1).options[number]
    value = 60 if number == "longest_game" else default + 1
    assert getattr(Daemonen.new(seed=1, options={number: value}).state, number) == value
    assert getattr(Daemonen.new(seed=1).state, number) == default


def test_a_game_ends_after_as_many_turns_as_are_asked_for() -> None:
    """DD-6.3."""
    game = Daemonen.new(seed=4, options={"longest_game": 4})
    while game.to_move is not None:
        moves = game.legal()
        game.play("end" if "end" in moves else "stop" if "stop" in moves else moves[-1])
    assert game.result is not None
    assert game.result.end == "guard"
    assert game.state.turns == 4
