"""Players. A bot receives what its seat knows, never the state, and answers with an action."""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from ..rules.drive import Engine
from ..rules.errors import GameError
from ..rules.game import Game, legal
from ..rules.kernel import CHOICES, MOVES, Desk, Record, below, has_numba, seed
from .greedy import WORLDS, Mind, greedy_action, prepare_judge
from .levels import Learnt, Strength, mark_of, measured
from .reflex import LearntBot, Reflex
from .search import Considered, Searcher

SIMPLE = ("random", "greedy")
ADVISER = "adviser"  # sits at no table: it tells people what it thinks
REFERENCE = "greedy@1"  # greedy as it was when strengths were first measured; a better one would be greedy@2
OPINIONS = 4  # of the adviser
LEVELS = tuple(f"level-{n}" for n in range(1, 9))  # they search
TAUGHT = "level-9"  # has taught itself
QUICK = 30  # simulations that plain Python has done before anybody notices: compiling for these would be a waste
PATIENT = 160  # simulations that plain Python can do while somebody waits
BOTS = (*SIMPLE, *LEVELS, TAUGHT)
Asked = TypeVar("Asked")


def level_names(game: type[Game]) -> tuple[str, ...]:
    """The levels that a game has: its file in this room says how strong each is, and whether somebody has learnt it."""
    return (*LEVELS[: len(prepare_judge(game).LEVELS)], *((TAUGHT,) if learnt(game) else ()))


def level_of(name: str) -> int | None:
    """The number of a level; None for other bots."""
    return int(name.removeprefix("level-")) if name in (*LEVELS, TAUGHT) else None


def learnt(game: type[Game]) -> Learnt | None:
    """The player of a game that taught itself, if there is one."""
    return cast("Learnt | None", getattr(prepare_judge(game), "LEARNT", None))


def seated(
    game: type[Game], who: Asked, seats: int, options: Mapping[str, Any] | None, components: Mapping[str, Any] | None
) -> Asked | str:
    """Who sits down when that bot is asked to: itself, or the strongest search where it has not learnt what is played here."""
    how = learnt(game) if isinstance(who, str) and who == TAUGHT else None
    if how is None:
        return who
    if seats not in how.seats:
        return LEVELS[-1]
    here, usual = game.lay_out(seats, options, components), game.lay_out(seats, None, None)
    changed = [option for option, value in here.options.items() if option not in how.anyhow and value != usual.options[option]]
    return LEVELS[-1] if changed or here.components != usual.components else who


def strength_of(game: type[Game], name: str) -> Strength:
    """How a level thinks, and how the adviser does: as level 6, in several trees, so that he can tell how sure he is."""
    if name == ADVISER:
        good = strength_of(game, LEVELS[5])
        return replace(good, simulations=OPINIONS * good.simulations, threads=OPINIONS)
    return cast(Strength, prepare_judge(game).LEVELS[LEVELS.index(name)])


def way_of(game: type[Game], name: str) -> Strength | Learnt:
    """How a level comes to its decisions."""
    found = learnt(game) if name == TAUGHT else None
    return found or strength_of(game, name)


def names(game: type[Game]) -> tuple[str, ...]:
    """The bots that a game has here: without Numba only the levels that think little."""
    levels = level_names(game)
    return (*SIMPLE, *(name for name in levels if has_numba() or name == TAUGHT or strength_of(game, name).simulations <= QUICK))


def offered(game: type[Game]) -> list[dict[str, Any]]:
    """The bots that a game has, as a menu shows them: level, and what was measured of its strength."""
    found = measured(game.name)
    menu: list[dict[str, Any]] = []
    for name in names(game):
        level = level_of(name)
        rating = found.get(REFERENCE if name == "greedy" else name)
        if level and rating and rating.mark != mark_of(game.name, way_of(game, name)):
            rating = None  # changed since it was measured
        menu.append({"name": name, "level": level, "elo": rating and rating.elo, "within": rating and rating.within})
    return menu


class Bot(Protocol):
    """A player."""

    name: str

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The action of the seat that is on turn and knows this."""


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
        self.rows = self.engine.box(game.state_type(), 2), self.engine.row(MOVES), self.engine.row(MOVES)

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The action that leads to the best positions."""
        return self.choose_in(self.engine.box(knowledge), seed=seed)

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """The same for a knowledge in a box."""
        seat = self.engine.to_move(knows)
        return int(self.act(Mind(knows, self.engine.desk(seed), *self.rows), 0, seat, 0, 0, WORLDS))

    def consider(self, knowledge: Record, *, seed: int) -> list[Considered]:
        """Its choice alone, with no idea of what that is worth: where nothing can be compiled, this has to do for advice."""
        return [Considered(self.choose(knowledge, seed=seed), 0, 0.5, 0.5)]


class SearchBot:
    """Many sampled worlds ahead, as strong as the level of that name unless a strength is given."""

    def __init__(self, game: type[Game], name: str, *, strength: Strength | None = None, plain: bool = False) -> None:
        self.name = name
        self.searcher = Searcher(game, strength or strength_of(game, name), plain=plain)

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The action that the search went for most often."""
        return self.consider(knowledge, seed=seed)[0].action

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """The same for a knowledge in a box."""
        return self.searcher.consider_in(knows, seed=seed)[0].action

    def consider(self, knowledge: Record, *, seed: int) -> list[Considered]:
        """All actions with what the search found."""
        return self.searcher.consider(knowledge, seed=seed)


class EagerBot:
    """A bot at a table with people: plain Python answers until its rules are compiled in the background, and answers the same."""

    def __init__(self, game: type[Game], name: str) -> None:
        self.game, self.name = game, name
        self.plain = _made(game, name, plain=True)
        self.ready = warm(game, name)
        self.quick: Bot | None = None

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """What the bot of this name chooses."""
        if self.quick is None and self.ready.is_set():
            self.quick = _made(self.game, self.name, plain=False)
        return (self.quick or self.plain).choose(knowledge, seed=seed)


def _made(game: type[Game], name: str, *, plain: bool) -> Bot:
    return GreedyBot(game, plain=plain) if name == "greedy" else SearchBot(game, name, plain=plain)


@functools.cache
def warm(game: type[Game], name: str) -> threading.Event:
    """Compile a bot for a game in the background; the event is set when it is ready, and never if that fails."""
    ready = threading.Event()

    def work() -> None:
        ask_once(_made(game, name, plain=False), game)
        ready.set()

    threading.Thread(target=work, name=f"compile {game.name}", daemon=True).start()
    return ready


def make_bot(game: type[Game], name: str, *, plain: bool | None = None) -> Bot:
    """The bot of that name for a game; greedy@1 is greedy, as long as there is no other. Nobody ever plays in another's name.

    `plain=False` compiles at the first question if it must. `plain=None` hands out a bot that answers at once: in plain Python, until its
    compiled twin is ready where that is worth it; only who thinks too long for that is compiled first, however long that takes.
    """
    if name == REFERENCE:
        name = "greedy"
    if name not in (*names(game), ADVISER):
        raise GameError(f"there is no bot {name!r} for {game.title}; the bots are {', '.join(names(game))}")
    if name == "random":
        return RandomBot()
    if name == TAUGHT:
        return LearntBot(game, name, reflex_of(game))
    if not has_numba():
        return _made(game, "greedy" if name == ADVISER else name, plain=True)  # greedy's choice is all the advice there is then
    if plain is not None:
        return _made(game, name, plain=plain)
    strength = None if name == "greedy" else strength_of(game, name)
    if strength and strength.simulations <= QUICK:
        return _made(game, name, plain=True)
    # Who overlooks nothing keeps trees between decisions, and those are not handed from plain to compiled.
    if strength is None or (strength.simulations <= PATIENT and strength.overlook):
        return EagerBot(game, name)
    bot = _made(game, name, plain=False)
    ask_once(bot, game)
    return bot


@functools.cache
def reflex_of(game: type[Game]) -> Reflex:
    """What the player of a game that taught itself has learnt."""
    how = learnt(game)
    assert how is not None
    return Reflex.load(how.path)


def ask_once(bot: Bot, game: type[Game]) -> None:
    """Let a bot answer some question, so that what it needs is compiled."""
    start = game.new(seed=1)
    assert start.to_move is not None
    bot.choose(start.knowledge[start.to_move], seed=1)


def _set(desk: Desk, number: int) -> None:
    seed(desk, number, number >> 32, CHOICES)
