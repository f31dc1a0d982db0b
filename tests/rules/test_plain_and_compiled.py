"""Plain and compiled rules are the same, for every game: states, moves, events, what every watcher knows, and samples, field by field.

A game's `tests/rules/GAME/games.py` may say what is worth playing: `setup(rng)` (seats, options, components) and `eager(rng, texts, game)`.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
from collections.abc import Callable, Sequence
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
        self.prepared = self.engine.box(state)
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

    def play_at_random(self, games: int, limit: int) -> tuple[int, Record, Any]:
        """Whole games from the set-up, by the driver that plays them: the decisions taken, the last state and the generator."""
        decisions = int(self.engine.random_games(self.prepared, self.states, self.desks, games, limit))
        desk: Any = self.engine.read(Desk, self.desks)
        return decisions, self.engine.read(self.game.state_type, self.states), desk.rng

    def shown(self, dreamer: int) -> dict[str, Any]:
        """Everything about this moment, as data."""
        mover = int(self.engine.to_move(self.states))
        count = max(0, int(self.engine.legal(self.states, self.desks))) if mover >= 0 else 0
        assert (count > 0) == (mover >= 0), "somebody may move, or the game is over"
        desk: Any = self.engine.read(Desk, self.desks)
        found = {"state": self.engine.read(self.game.state_type, self.states), "moves": list(desk.moves[:count])}
        found |= {"events": desk.events[: desk.told], "generator": desk.rng}
        for watcher, knows in self.knows.items():
            found[f"knowledge of {watcher}"] = self.engine.read(self.game.knowledge_type, knows)
        if count:
            self.engine.sample(self.knows[dreamer], self.dreams, self.sampled, 1)
            found["sample"] = self.engine.read(self.game.state_type, self.sampled)
        return found


def play(name: str, number: int, limit: int, worlds: Sequence[bool] = (True, False)) -> int:
    """One game in plain and in compiled code, or in one of them; answers how many decisions were taken."""
    game, rng = find_game(name), random.Random(number)
    eager = getattr(ways_of(name), "eager", lambda rng, texts, _: rng.choice(texts))
    tables = [Table(game, plain, number) for plain in worlds]
    assert [table.engine.compiled for table in tables] == [not plain for plain in worlds]
    action: int | None = None
    for taken in range(limit):
        for table in tables:
            table.step(action)
        dreamer = rng.choice(tables[0].watchers)
        one, *others = (table.shown(dreamer) for table in tables)
        for what, value in one.items():
            assert all(value == other[what] for other in others), f"{name} {number}, after {taken} decisions: {what}"
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
    assert sum(play(name, number, 250) for number in range(4)) > 60


@pytest.mark.parametrize("name", playable())
def test_whole_random_games_are_the_same(name: str) -> None:
    """`random_action` finds the n-th option in the order of `legal`, in both worlds."""
    for number in range(3):
        plain, compiled = (Table(find_game(name), plain, number).play_at_random(2, 1000) for plain in (True, False))
        assert plain[0] > 0
        assert plain == compiled


@pytest.mark.proof
@pytest.mark.parametrize("name", playable())
def test_plain_and_compiled_are_the_same_at_length(name: str) -> None:
    for number in range(100, 150):
        play(name, number, 3000)
