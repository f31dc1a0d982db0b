"""Plain and compiled rules are the same, for every game: states, moves, events, what every watcher knows, and samples, field by field.

A game's `tests/rules/GAME/games.py` may say what is worth playing: `setup(rng)` (seats, options, components) and `eager(rng, texts, game)`.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from drunemeton.rules.drive import Engine
from drunemeton.rules.game import Game, find_game, playable
from drunemeton.rules.kernel import SPECTATOR, Desk, Record, has_numba
from drunemeton.rules.options import complete

pytestmark = pytest.mark.skipif(not has_numba(), reason="there is no Numba here")


def ways_of(name: str) -> Any:
    """What a game's own tests offer."""
    path = f"tests.rules.{name}"
    return importlib.import_module(f"{path}.games") if importlib.util.find_spec(path) else SimpleNamespace()


def prepared(game: type[Game], rng: random.Random) -> tuple[int, Record, Record]:
    """Seats, a set-up before its first shuffle, and what everybody knows of it."""
    setup: Callable[[random.Random], Any] = getattr(ways_of(game.name), "setup", lambda rng: (rng.randint(*game.players), {}, None))
    seats, options, components = setup(rng)
    chosen = complete(game.described, options)
    state, knowledge = game.state_type(), game.knowledge_type()
    game.prepare(state, seats, chosen, game.check_components(components or game.default_components(), chosen))
    knowledge.assign(state)
    game.prepare_knowledge(knowledge)
    return seats, state, knowledge


class Table:
    """One engine at work on one game: state, desk, and what each watcher knows."""

    def __init__(self, game: type[Game], plain: bool, number: int) -> None:
        self.game, self.engine = game, Engine(game, plain=plain)
        seats, state, knowledge = prepared(game, random.Random(number))
        self.watchers = [*range(seats), SPECTATOR]
        self.states, self.sampled = self.engine.box(state), self.engine.box(game.state_type())
        self.desks, self.dreams = self.engine.desk(number), self.engine.desk(number + 1)
        self.knows = {watcher: self.engine.box(knowledge) for watcher in self.watchers}

    def step(self, action: int | None) -> None:
        """Carry out an action (the start without one), and let everybody learn of it."""
        for name, value in (("listening", 1), ("told", 0)):
            if self.engine.compiled:
                self.desks[0][name] = value
            else:
                setattr(self.desks[0], name, value)
        if action is None:
            self.engine.start(self.states, self.desks)
        else:
            self.engine.apply(self.states, self.desks, action)
        for watcher, knows in self.knows.items():
            self.engine.learn(knows, self.desks, watcher)

    def shown(self, dreamer: int) -> dict[str, Any]:
        """Everything about this moment, as data."""
        count = max(0, int(self.engine.legal(self.states, self.desks))) if int(self.engine.to_move(self.states)) >= 0 else 0
        desk: Any = self.engine.read(Desk, self.desks)
        found = {"state": self.engine.read(self.game.state_type, self.states), "moves": list(desk.moves[:count])}
        found |= {"events": desk.events[: desk.told], "generator": desk.rng}
        for watcher, knows in self.knows.items():
            found[f"knowledge of {watcher}"] = self.engine.read(self.game.knowledge_type, knows)
        if count:
            self.engine.sample(self.knows[dreamer], self.dreams, self.sampled, 1)
            found["sample"] = self.engine.read(self.game.state_type, self.sampled)
        return found


def play_both(name: str, number: int, limit: int) -> int:
    """One game in both worlds; answers how many decisions were taken."""
    game, rng = find_game(name), random.Random(number)
    eager = getattr(ways_of(name), "eager", lambda rng, texts, _: rng.choice(texts))
    tables = [Table(game, plain, number) for plain in (True, False)]
    assert [table.engine.compiled for table in tables] == [False, True]
    action: int | None = None
    for taken in range(limit):
        for table in tables:
            table.step(action)
        dreamer = rng.choice(tables[0].watchers)
        one, other = (table.shown(dreamer) for table in tables)
        for what, value in one.items():
            assert value == other[what], f"{name} {number}, after {taken} decisions: {what}"
            assert not isinstance(value, Record) or value.out_of_range() == [], what
        moves = one["moves"]
        assert len(set(moves)) == len(moves)
        if not moves:
            return taken
        texts = [game.move_text(one["state"], move) for move in moves]
        action = moves[texts.index(eager(rng, texts, SimpleNamespace(state=one["state"])))]
    return limit


@pytest.mark.parametrize("name", playable())
def test_plain_and_compiled_are_the_same(name: str) -> None:
    assert sum(play_both(name, number, 250) for number in range(4)) > 60


@pytest.mark.proof
@pytest.mark.parametrize("name", playable())
def test_plain_and_compiled_are_the_same_at_length(name: str) -> None:
    for number in range(100, 150):
        play_both(name, number, 3000)
