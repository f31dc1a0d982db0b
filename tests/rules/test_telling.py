"""Who is told what is decided in one place, for plain and compiled rules alike."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import drunemeton
from drunemeton.rules import drive
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import EV_SECRET, EV_WHO, EVERYBODY, NOBODY, OPEN, SPECTATOR, Desk, may_see
from drunemeton.rules.story import told_alike, told_to

SOURCES = sorted(Path(drunemeton.__file__).parent.rglob("*.py"))


def test_a_secret_is_for_those_whose_bit_is_set() -> None:
    assert [watcher for watcher in (0, 1, 2, SPECTATOR) if may_see(0b101, watcher)] == [0, 2]
    assert all(may_see(EVERYBODY, watcher) for watcher in range(SPECTATOR + 1))


def test_nobody_else_decides_it() -> None:
    """Whoever shifts the mask of an event himself has a copy of the rule, and a leak waiting."""
    found = {path.name for path in SOURCES if re.search(r"(EV_WHO\]|\bwho) ?\)? ?>>", path.read_text(encoding="utf-8"))}
    assert found == {"kernel.py"}


def test_what_generators_are_for_is_said_once() -> None:
    found = {path.name for path in SOURCES if re.search(r"0xDEA1|0xB07", path.read_text(encoding="utf-8"))}
    assert found == {"kernel.py"}


@pytest.mark.parametrize("name", playable())
def test_seats_and_spectators_learn_the_same_by_name_and_in_compiled_drivers(name: str) -> None:
    """`Game` tells rows; drivers tell from the desk. Both lead to the same knowledge, and leave the desk's rows as they were."""
    game_type = find_game(name)
    game, laid = game_type.new(seed=3), game_type.lay_out(game_type.players[0])
    known = {watcher: laid.knowledge.copy() for watcher in game.watchers}
    rng, told = random.Random(1), 0
    while not game.over and len(game.steps) < 120:
        d = Desk()
        rows = game.steps[-1].rows
        d.told = len(rows)
        d.events[: len(rows)] = [list(row) for row in rows]
        for watcher, knowledge in known.items():
            drive.learn(knowledge, d, watcher)
            assert knowledge == game.known_to(watcher)
        assert [tuple(row) for row in d.events[: d.told]] == rows
        told += len(rows)
        game.play(rng.choice(game.actions()))
    assert told > 100


def test_what_is_for_nobody_is_not_heard_and_a_mask_never_is() -> None:
    row = (9, 0b10, 1, 2, 3, 4, 77)
    for_nobody = (9, NOBODY, 0, 0, 0, 0, 5)
    rows = [row, for_nobody]
    assert [told_to(rows, watcher)[0][EV_SECRET] for watcher in (0, 1)] == [0, 77]
    assert all(len(told_to(rows, watcher)) == 1 and told_to(rows, watcher)[0][EV_WHO] == 0 for watcher in (0, 1, SPECTATOR))


def test_rows_are_told_alike_unless_some_may_see_what_others_may_not() -> None:
    open_row, for_nobody, for_one = (9, EVERYBODY, 1, 2, 3, 4, 77), (9, NOBODY, 0, 0, 0, 0, 5), (9, 0b10, 1, 2, 3, 4, 77)
    assert told_alike([open_row, for_nobody, (*for_one[:-1], 0)])
    assert not told_alike([open_row, for_one])


@pytest.mark.parametrize("name", playable())
def test_what_is_told_alike_is_worked_out_once_and_the_rest_for_each(name: str) -> None:
    game = find_game(name).new(seed=5)
    rng, shared, own = random.Random(2), 0, 0
    while not game.over and len(game.steps) < 200:
        game.play(rng.choice(game.actions()))
        step, last = game.steps[-1], len(game.steps) - 1
        for watcher in rng.sample([*game.watchers, OPEN], len(game.watchers) + 1):  # whoever is told first
            rows = told_to(step.rows, watcher)
            assert game.events(watcher, last) == game.script.events(rows)
            assert game.because(watcher, last) == game.reasons_of(rows, decided=True)
        for watcher in game.watchers:
            assert (game.telling(watcher) is game.telling(0)) == (told_to(step.rows, watcher) == told_to(step.rows, 0))
        assert not told_alike(step.rows) or len({id(game.telling(watcher)) for watcher in game.watchers}) == 1
        shared += told_alike(step.rows)
        own += not told_alike(step.rows)
    assert shared
    assert game.same_for_all or own
