"""A level is what it says: level 8 plays the same moves in `simulate`, in `play`, and at a server where nothing is compiled yet."""

from __future__ import annotations

import contextlib
import io
import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.bots.arena import LIMIT
from drunemeton.bots.match import Match, SearchTable
from drunemeton.client import Client
from drunemeton.rules.chance import Chance
from drunemeton.rules.game import find_game, playable
from drunemeton.server import bot_pool
from drunemeton.terminal import local

from ..rules.test_plain_and_compiled import ways_of
from .house import House

PLAYERS = ["level-8", "greedy"]


def short_game(name: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Options and changed components with which a game is soon over; its own, unless it says more."""
    found: tuple[dict[str, Any] | None, dict[str, Any]] = getattr(ways_of(name), "SHORT", (None, {}))
    return found


def components_of(name: str, changed: dict[str, Any]) -> dict[str, Any]:
    return {**find_game(name).default_components(), **changed}


def simulated(name: str, options: Any, components: Any, deal: int) -> list[int]:
    """The actions of a game of `simulate`."""
    table = Match(find_game(name), PLAYERS, options, components)._table
    assert isinstance(table, SearchTable)
    actions: list[int] = []
    table.bots = {player: Noting(bot, actions) for player, bot in table.bots.items()}
    table.play(PLAYERS, deal)
    return actions


class Noting:
    """A player whose actions are noted."""

    def __init__(self, player: Any, actions: list[int]) -> None:
        self.player, self.actions = player, actions

    def choose_in(self, knows: Any, *, seed: int) -> int:
        self.actions.append(self.player.choose_in(knows, seed=seed))
        return self.actions[-1]


def seeds(deal: int) -> Any:
    """What bots are given to think by: in `simulate` it follows from the deal and the decision's number."""
    return itertools.count(deal * LIMIT)


def typed(name: str, options: Any, components: Any, deal: int, saved: Path) -> list[int]:
    """The actions of a game of `play`."""
    with contextlib.redirect_stdout(io.StringIO()):
        assert local.play(name, ",".join(PLAYERS), deal, options, components, "en", saved) == 0
    return actions_in(saved.read_text(encoding="utf-8"))


def served(name: str, options: Any, components: Any, deal: int, settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The actions of a game of bots alone at a server, which waits for what must be compiled, however busy the machine is."""
    numbers = seeds(deal)
    monkeypatch.setattr(bot_pool, "START_SECONDS", 3600.0)
    only = {"chance": lambda: Chance.from_seed(deal), "bot_seed": lambda: next(numbers), "bot_seconds": 3600.0, "bot_workers": 1}
    with House(replace(settings, **only)) as house:
        made = house.table([{"kind": "bot", "bot": bot} for bot in PLAYERS], name, options=options, components=components)
        with Client.join(made["watch_link"]) as watcher:
            while not watcher.over:
                watcher.receive(3600)
        return [step.action for step in house.registry.tables[made["table"]].table.game.steps[1:]]


def actions_in(text: str) -> list[int]:
    game = records.replay(records.read(text))
    return [step.action for step in game.steps[1:]]


@pytest.mark.parametrize("name", playable())
def test_level_8_plays_the_same_moves_everywhere(name: str, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options, changed = short_game(name)
    components = components_of(name, changed)
    actions = simulated(name, options, components, 5)
    assert len(actions) > 4
    assert typed(name, options, components, 5, tmp_path / "record") == actions
    if name == "druidenwalzer":
        monkeypatch.setenv("DRUNEMETON_CACHE", str(tmp_path / "cold"))
    assert served(name, options, components, 5, settings, monkeypatch) == actions


@pytest.mark.proof
@pytest.mark.parametrize("name", playable())
def test_level_8_plays_the_same_moves_in_twenty_games(name: str, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    components = components_of(name, {})
    for deal in range(20):
        actions = simulated(name, None, components, deal)
        assert typed(name, None, components, deal, tmp_path / "record") == actions
        with monkeypatch.context() as patched:
            patched.setenv("DRUNEMETON_CACHE", str(tmp_path / "cold"))
            assert served(name, None, components, deal, settings, patched) == actions
