"""The same seed is the same game: at a table, in the terminal, in a record, in PettingZoo and in Gymnasium."""

from __future__ import annotations

import builtins
import importlib
import random
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records, terminal
from drunemeton.envs.gym import SeatEnv
from drunemeton.rules.game import Game, find_game, playable
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
    table = Table("t", made(name, people, now=0, seed=SEED, components=components))
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
