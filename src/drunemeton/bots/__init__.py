"""Players. A bot receives what its seat knows, never the state, and answers with an action."""

from __future__ import annotations

from typing import Any, Protocol

from ..rules.drive import Engine
from ..rules.errors import GameError
from ..rules.game import Game, legal, to_move
from ..rules.kernel import MOVES, Desk, Record, below, has_numba, seed
from .greedy import WORLDS, greedy_action, prepare_judge

BOTS = ("random", "greedy")


class Bot(Protocol):
    """A player."""

    name: str

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The action of the seat that is on turn and knows this; the same seed gives the same answer."""


class RandomBot:
    """Any legal action, each as likely."""

    name = "random"

    def __init__(self) -> None:
        self.desk = Desk()

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """One of the legal actions."""
        _set(self.desk, seed)
        count = legal(knowledge, self.desk)
        return self.desk.moves[below(self.desk, count)]


class GreedyBot:
    """One step ahead, as far as its seat can know."""

    name = "greedy"

    def __init__(self, game: type[Game], *, plain: bool = False) -> None:
        prepare_judge(game)
        self.engine = Engine(game, plain=plain)
        self.act: Any = self.engine.twin(greedy_action)
        self.states = game.state_type.box(2) if self.engine.compiled else [game.state_type(), game.state_type()]
        self.moves, self.sums = counting_rows(self.engine.compiled)

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The action that leads to the best positions."""
        desks = self.engine.desk(seed)
        knows = self.engine.box(knowledge)
        seat = to_move(knowledge)
        return int(self.act(knows, 0, seat, desks, 0, self.states, 0, self.moves, self.sums, WORLDS))


def counting_rows(compiled: bool) -> tuple[Any, Any]:
    """Two rows as long as any list of moves."""
    if not compiled:
        return [0] * MOVES, [0] * MOVES
    import numpy as np

    return np.zeros(MOVES, np.int64), np.zeros(MOVES, np.int64)


def make_bot(game: type[Game], name: str, *, plain: bool | None = None) -> Bot:
    """The bot of that name for a game; compiled where Numba is there, unless `plain` says otherwise."""
    if name == "random":
        return RandomBot()
    if name == "greedy":
        return GreedyBot(game, plain=not has_numba() if plain is None else plain)
    raise GameError(f"there is no bot {name!r}; the bots are {', '.join(BOTS)}")


def _set(desk: Desk, number: int) -> None:
    seed(desk, number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF, 0xB07)
