"""The same seed is the same game: at a table, in the terminal, in a record, in PettingZoo, in Gymnasium, in `simulate`, on the ladder."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from drunemeton import records, terminal
from drunemeton.bots.arena import Arena
from drunemeton.bots.match import Match
from drunemeton.envs.gym import SeatEnv
from drunemeton.rules.game import Game, find_game, playable, random_action
from drunemeton.rules.kernel import CHOICES, Desk, seed
from drunemeton.table.table import Table, made

SEED = 12


def components_of(name: str) -> dict[str, Any]:
    components = find_game(name).default_components()
    if name == "daemonen":
        components["win"] = 2  # a short game: the terminal draws the map for every move
    return components


def reference(name: str) -> Game:
    """A whole game, as `Game` plays it."""
    rng = random.Random(SEED)
    game = find_game(name).new(seed=SEED, components=components_of(name))
    while not game.over:
        game.play(rng.choice(game.actions()))
    return game


def same(box: Any, game: Game) -> bool:
    return bool(game.state_type.from_box(box) == game.state)


@pytest.mark.parametrize("name", playable())
def test_the_same_seed_is_the_same_game_everywhere(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    game = reference(name)
    steps = game.steps[1:]
    components = components_of(name)

    people = [{"kind": "person", "name": f"p{seat}"} for seat in range(game.seats)]
    table = Table("t", made(name, people, now=0, chance=SEED, components=components))
    for now, step in enumerate(steps):
        table.move(step.seat, step.move, now=now)
    assert table.game.state == game.state
    assert [step.rows for step in table.game.steps] == [step.rows for step in game.steps]

    typed = iter([step.move for step in steps])
    monkeypatch.setattr(builtins, "input", lambda prompt="": next(typed) if prompt.endswith("> ") else "")
    saved = tmp_path / "record.txt"
    assert terminal.play(name, ",".join(["human"] * game.seats), SEED, None, components, "en", saved) == 0
    assert saved.read_text(encoding="utf-8") == records.write(game)

    record = records.read(saved.read_text(encoding="utf-8"))
    assert records.verify(record).shuffles == "seed"
    assert records.replay(record).state == game.state

    env = importlib.import_module(f"drunemeton.envs.{name}_v0").raw_env(components=components)
    env.reset(seed=SEED)
    for step in steps:
        assert env.agent_selection == f"player_{step.seat}"
        env.step(step.action)
    assert same(env.world.states, game)

    single = SeatEnv(name, seat=1, components=components)
    script = iter([step.action for step in steps if step.seat != 1])

    class Scripted:
        name = "scripted"

        def choose(self, knowledge: Any, *, seed: int) -> int:
            return next(script)

    single.bot = Scripted()
    single.reset(seed=SEED)
    for step in steps:
        if step.seat == 1:
            single.step(step.action)
    assert same(single.world.states, game)


class Repeating:
    """A player that does what was done in another game."""

    def __init__(self, actions: list[int]) -> None:
        self.actions = iter(actions)

    def choose_in(self, knows: Any, *, seed: int) -> int:
        return next(self.actions)


@pytest.mark.parametrize("name", playable())
def test_the_same_seed_is_the_same_game_between_bots(name: str) -> None:
    game = reference(name)
    arena = Arena(type(game), game.seats, None, components_of(name))
    repeating = Repeating([step.action for step in game.steps[1:]])
    arena.play([repeating] * game.seats, SEED)
    assert same(arena.table.states, game)


@pytest.mark.parametrize("name", playable())
def test_the_same_seed_is_the_same_game_in_simulate(name: str) -> None:
    """What random plays there is played again at a table, with a generator of one's own that is set alike."""
    match = Match(find_game(name), ["random"] * find_game(name).players[0])
    decisions, _, end, places = match.play(SEED)
    game, desk = find_game(name).new(seed=SEED), Desk()
    seed(desk, SEED, 1, CHOICES)
    while not game.over:
        game.play(random_action(game.state, desk))
    assert game.result is not None
    assert (len(game.steps) - 1, game.result.end, list(game.result.places)) == (decisions, end, places)
    assert same(match._table.table.states, game)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", playable())
def test_paired_games_stay_paired_after_the_first_difference(name: str) -> None:
    """Two games of one deal that part at the first choice: the n-th shuffle of a pile turns the same places of it into the same order."""
    compared = 0
    for number in range(6):
        notes: list[dict[tuple[str, int], Shuffled]] = []
        for way in range(2):
            rng = random.Random(way)
            with watched(find_game(name)) as laid:
                game = find_game(name).new(seed=number)
                dealt = set(laid)
                while not game.over:
                    choices = game.actions()
                    game.play(choices[way % len(choices)] if len(game.steps) == 1 else rng.choice(choices))
            assert dealt or name == "druidenwalzer"  # whose decks are shuffled when their owners have set up
            assert laid.keys() == dealt or name != "daemonen"  # whose pile is never renewed: all its shuffles come before the first choice
            notes.append(laid)
        for key in notes[0].keys() & notes[1].keys():
            one, two = notes[0][key], notes[1][key]
            assert one.as_many == two.as_many
            assert one.places == two.places or len(one.places) != len(two.places)
            compared += key not in dealt or name == "daemonen"
    assert compared >= 6


class Shuffled(NamedTuple):
    """Which place each card of a pile came from; and would have, had there been as many in it as in every other: piles part too."""

    places: list[int]
    as_many: list[int]


@contextlib.contextmanager
def watched(game: type[Game]) -> Iterator[dict[tuple[str, int], Shuffled]]:
    """Note every shuffle, by its pile and how often that was shuffled before."""
    rules = importlib.import_module(f"{game.__module__}.play")
    before = rules.shuffle
    laid: dict[tuple[str, int], Shuffled] = {}

    def noting(d: Desk, name: int, pile: list[int], n: int) -> None:
        def shuffled(cards: int) -> list[int]:
            places = list(range(cards))
            twin = d.copy()
            twin.listening, twin.dealer = 0, d.dealer
            before(twin, name, places, cards)
            return places

        laid[game.script.piles[name], d.shuffled[name]] = Shuffled(shuffled(n), shuffled(60))
        before(d, name, pile, n)

    rules.shuffle = noting  # type: ignore[attr-defined]
    try:
        yield laid
    finally:
        rules.shuffle = before  # type: ignore[attr-defined]
