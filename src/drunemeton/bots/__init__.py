"""Players. A bot receives what its seat knows, never the state, and answers with an action."""

from __future__ import annotations

import functools
import threading
from typing import Any, Protocol

from ..rules.drive import Engine
from ..rules.errors import GameError
from ..rules.game import Game, legal, to_move
from ..rules.kernel import MOVES, Desk, Record, below, has_numba, seed
from .greedy import WORLDS, greedy_action, prepare_judge
from .search import Considered, Searcher, Strength

SIMPLE = ("random", "greedy")
LEVELS: dict[str, Strength] = {
    "level-1": Strength(10, horizon=2, overlook=450),
    "level-2": Strength(24, horizon=2, overlook=300),
    "level-3": Strength(60, horizon=4, overlook=150),
    "level-4": Strength(160, horizon=6),
    "level-5": Strength(500, horizon=6),
    "level-6": Strength(1_600, horizon=6),
    "level-7": Strength(6_000, horizon=6, threads=2),
    "level-8": Strength(24_000, horizon=6, threads=2),
}
BOTS = (*SIMPLE, *LEVELS)


def names(game: type[Game]) -> tuple[str, ...]:
    """The bots that a game has: the levels need a scale for its judge."""
    return BOTS if hasattr(prepare_judge(game), "SCALE") else SIMPLE


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


class SearchBot:
    """Many sampled worlds ahead."""

    def __init__(self, game: type[Game], name: str) -> None:
        self.name = name
        self.searcher = Searcher(game, LEVELS[name])

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The action that the search went for most often."""
        return self.consider(knowledge, seed=seed)[0].action

    def consider(self, knowledge: Record, *, seed: int) -> list[Considered]:
        """All actions with what the search found."""
        return self.searcher.consider(knowledge, seed=seed)


class PatientBot:
    """A bot at a table with people: until its rules are compiled in the background, the same seat is played by plain Python."""

    def __init__(self, game: type[Game], name: str) -> None:
        self.name = name
        self.game = game
        self.plain = GreedyBot(game, plain=True)
        self.ready = warm(game, name in LEVELS)
        self.quick: Bot | None = None

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The compiled bot's answer once it is there, greedy's until then."""
        if self.quick is None and self.ready.is_set():
            self.quick = make_bot(self.game, self.name, plain=False)
        return (self.quick or self.plain).choose(knowledge, seed=seed)


@functools.cache
def warm(game: type[Game], searching: bool) -> threading.Event:
    """Compile a game's bots in the background; the event is set when they are ready, and never if that fails."""
    ready = threading.Event()

    def work() -> None:
        bot = make_bot(game, "level-1" if searching else "greedy", plain=False)
        start = game.new(seed=1)
        assert start.to_move is not None
        bot.choose(start.knowledge[start.to_move], seed=1)
        ready.set()

    threading.Thread(target=work, name=f"compile {game.name}", daemon=True).start()
    return ready


def counting_rows(compiled: bool) -> tuple[Any, Any]:
    """Two rows as long as any list of moves."""
    if not compiled:
        return [0] * MOVES, [0] * MOVES
    import numpy as np

    return np.zeros(MOVES, np.int64), np.zeros(MOVES, np.int64)


def make_bot(game: type[Game], name: str, *, plain: bool | None = None) -> Bot:
    """The bot of that name for a game.

    `plain=False` compiles at the first question if it must; `plain=None` never makes anybody wait: plain Python answers until the compiled
    bot is ready. Without Numba everything is plain, and the levels play like greedy.
    """
    if name not in names(game):
        raise GameError(f"there is no bot {name!r} for {game.title}; the bots are {', '.join(names(game))}")
    if name == "random":
        return RandomBot()
    if plain or not has_numba():
        return GreedyBot(game, plain=True)
    if plain is None:
        return PatientBot(game, name)
    return SearchBot(game, name) if name in LEVELS else GreedyBot(game)


def _set(desk: Desk, number: int) -> None:
    seed(desk, number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF, 0xB07)
