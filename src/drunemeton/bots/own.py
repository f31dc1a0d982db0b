"""Bots of your own: `my.module:Bot` wherever a bot is named on this machine, and callables in Python.

What a name or an argument may stand for, the simplest first (docs/own-bots.md builds one of each):

- a function that is asked with a `Position` and answers with an action, or with a move's text;
- a class that is made with the game (or with nothing) and has `choose(knowledge, *, seed)`, as the bots of the house have;
- a function marked with `@rule`: `choose(k, d, states, seat)`, which is compiled, and plays thousands of games a second;
- weights that `drunemeton train` has made, by their file: `run/weights.npz`;
- a judgement that `python -m drunemeton.training.judgement` has learnt, likewise: a short search plays by it.

Servers never come here: names that come over a network must not import anything.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import random
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from ..rules.drive import Engine
from ..rules.errors import GameError, Reason
from ..rules.game import Game, View, apply, legal, sample, to_move
from ..rules.kernel import CHOICES, Desk, Generic, Record, generic, has_numba, is_rule, native, plain, rule, seed
from . import REFERENCE, Bot, GreedyBot, SearchBot, make_bot, names
from .judgement import Judgement
from .levels import Strength
from .reflex import LearntBot, Reflex

Answer = int | str
Own = Callable[..., Any]
Who = str | Own | Bot
"""A bot of the house by its name, `my.module:Bot`, a file that was learnt, or the thing itself."""
WEIGHTS, JUDGEMENT = ".npz", ".json"
BY_JUDGEMENT = Strength(30, explore=0.1, trust=1.0)  # how whoever is a judgement thinks


class Position:
    """What a bot is asked: what its seat knows, and what it takes to think about that."""

    def __init__(self, game: type[Game], knowledge: Record, desk: Desk, number: int) -> None:
        self.game, self.knowledge, self._desk = game, knowledge, desk
        self.seat = int(to_move(knowledge))
        self.rng = random.Random(number)
        seed(desk, number, number >> 32, CHOICES)

    def actions(self) -> list[int]:
        """The legal actions."""
        return self._desk.moves[: legal(self.knowledge, self._desk)]

    def text(self, action: int) -> str:
        """An action as it is written in records."""
        return self.game.move_text(self.knowledge, action)

    def view(self) -> View:
        """What the seat is shown, as data (docs/games.md names every field)."""
        return self.game.view_of(self.knowledge, self.seat, False)

    def world(self) -> Any:
        """A state that fits all that the seat was told, each as likely."""
        made = self.game.state_type()
        sample(self.knowledge, self._desk, made)
        return made

    def after(self, world: Any, action: int) -> Any:
        """The state that an action leads to in a world; the world stays as it is."""
        found = world.copy()
        apply(found, self._desk, action)
        return found


# --- The three forms as bots ---------------------------------------------------------------------------------------


class OwnBot:
    """A bot from outside: what it answers is checked, and what goes wrong in it is told with its line."""

    def __init__(self, game: type[Game], name: str) -> None:
        self.game, self.name = game, name
        self._desk = Desk()

    def ask(self, knowledge: Any, number: int) -> Answer:
        """What it answers."""
        raise NotImplementedError

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The action of the seat that is on turn and knows this."""
        try:
            answer = self.ask(knowledge, seed)
        except GameError:
            raise  # a rule that cannot be compiled says so itself
        except (Exception, SystemExit) as problem:
            place = traceback.extract_tb(problem.__traceback__)[-1]
            where = f"{Path(place.filename).name}, line {place.lineno}"
            raise GameError(f"{self.name} failed with {type(problem).__name__}: {problem} ({where})") from problem
        return self.checked(knowledge, answer)

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """The same for a knowledge in a box."""
        return self.choose(self.game.knowledge_type.from_box(knows), seed=seed)

    def checked(self, knowledge: Any, answer: Answer) -> int:
        """Its answer as a legal action."""
        action = self.game.parse_move(knowledge, answer) if isinstance(answer, str) else answer
        legals = self._desk.moves[: legal(knowledge, self._desk)]
        if isinstance(action, Reason) or not hasattr(action, "__index__") or action not in legals:
            offered = ", ".join(f"{n} ({self.game.move_text(knowledge, n)})" for n in legals[:8])
            raise GameError(f"{self.name} answered {answer!r}, which is no legal action; legal are {offered}{', ...' * (len(legals) > 8)}")
        return int(action)


class AskedBot(OwnBot):
    """A function that is asked with a `Position`."""

    def __init__(self, game: type[Game], name: str, fn: Own) -> None:
        super().__init__(game, name)
        self.fn = fn

    def ask(self, knowledge: Any, number: int) -> Answer:
        """What the function says."""
        return cast(Answer, self.fn(Position(self.game, knowledge, self._desk, number)))


class MadeBot(OwnBot):
    """An object that has `choose`, as the bots of the house have."""

    def __init__(self, game: type[Game], name: str, bot: Bot) -> None:
        super().__init__(game, name)
        self.bot = bot

    def ask(self, knowledge: Any, number: int) -> Answer:
        """What the object says."""
        return self.bot.choose(knowledge, seed=number)


@generic
def own_action(k: Record, d: Desk, states: Any, seat: int) -> int:
    """The action of a compiled bot from outside: what its seat knows, a desk to think at, two states to overwrite, its seat."""
    raise NotImplementedError


@rule
def nobodys_action(k: Record, d: Desk, states: Any, seat: int) -> int:
    """Where no such bot plays, nobody asks."""
    return 0


@rule
def own_action_in(knows: Any, desks: Any, states: Any) -> int:
    """Its action, for boxes."""
    return own_action(knows[0], desks[0], states, to_move(knows[0]))


@functools.cache
def stand_in(fn: Own) -> type[Record]:
    """A kind of record that stands for a compiled bot when generics are filled in."""
    made: type[Record] = type("StandIn", (Record,), {"guest": True})
    cast(Generic, own_action).bind(made, fn)
    return made


def twin_for(game: type[Game], fn: Any, bot: Own, *, compiled: bool = True) -> Any:
    """The twin of a rule in which `own_action` is that bot's."""
    return (native if compiled else plain)(fn, game.state_type, game.knowledge_type, stand_in(bot))


class RuleBot(OwnBot):
    """A rule: compiled where Numba is there, and plain Python for who wants to look inside (`plain`)."""

    def __init__(self, game: type[Game], name: str, fn: Own, *, plain: bool = False) -> None:
        super().__init__(game, name)
        self.rule = fn
        self.engine = Engine(game, plain=plain)
        self._act = twin_for(game, own_action_in, fn, compiled=self.engine.compiled)
        self._states = self.engine.box(game.state_type(), 2)
        self._thinking = self.engine.desk()

    def ask(self, knowledge: Any, number: int) -> Answer:
        """What the rule says."""
        return self._ask(self.engine.box(knowledge), number)

    def _ask(self, knows: Any, number: int) -> Answer:
        self.engine.seed(self._thinking, number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF, CHOICES)
        return cast(Answer, self._act(knows, self._thinking, self._states))

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """The same for a knowledge in a box, checked there."""
        if not self.engine.compiled:
            return super().choose_in(knows, seed=seed)
        action = self._ask(knows, seed)
        count = self.engine.legal(knows, self._thinking)
        if not isinstance(action, int) or action not in self._thinking["moves"][0, :count]:
            return self.checked(self.game.knowledge_type.from_box(knows), action)
        return action


# --- Finding them --------------------------------------------------------------------------------------------------


def is_own(name: str) -> bool:
    """Whether a name is that of a bot from outside, `my.module:Bot` or a file that was learnt."""
    return ":" in name or name.endswith((WEIGHTS, JUDGEMENT))


def load(name: str) -> Any:
    """What `my.module:Bot` or a file that was learnt names; modules are also looked for in the folder we are in."""
    if name.endswith(WEIGHTS):
        return _weights(name)
    if name.endswith(JUDGEMENT):
        return Judgement.read(name)
    module, _, inside = name.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), *inside.split("."))):
        raise GameError(f"{name!r} names no bot: write module:Name, such as my.module:Bot")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # behind everything else: no file here takes the place of a module that others mean
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as problem:
        if problem.name is None or not f"{module}.".startswith(f"{problem.name}."):
            raise GameError(f"{module} cannot be imported: {problem}") from problem
        raise GameError(f"there is no module {module!r}, neither installed nor in {here}") from problem
    except (Exception, SystemExit) as problem:
        raise GameError(f"{module} cannot be imported: {type(problem).__name__}: {problem}") from problem
    try:
        return functools.reduce(getattr, inside.split("."), found)
    except AttributeError as problem:
        raise GameError(f"{module} has no {inside!r}") from problem


def _weights(path: str) -> Reflex:
    try:
        return Reflex.load(Path(path))
    except OSError as problem:
        raise GameError(f"there are no weights at {path}: {problem.strerror}") from problem


def mark_of_own(name: str) -> str:
    """A short name for what the bot is now, by its source: games are counted together only while that stays."""
    thing = load(name)
    source = (
        name if isinstance(thing, Reflex | Judgement) else inspect.getsourcefile(inspect.unwrap(thing) if callable(thing) else type(thing))
    )
    assert source is not None
    return hashlib.blake2b(Path(source).read_bytes(), digest_size=3).hexdigest()


def own_bot(game: type[Game], thing: Any, name: str | None = None, *, plain: bool = False) -> OwnBot | GreedyBot | SearchBot:
    """A bot from outside, in whichever form it comes."""
    if isinstance(thing, OwnBot | GreedyBot | SearchBot):
        return thing
    name = str(name or getattr(thing, "name", None) or getattr(thing, "__name__", type(thing).__name__))
    if isinstance(thing, Reflex):
        if thing.game is not game:
            raise GameError(f"{name} has learnt {thing.game.title}, not {game.title}")
        thing = LearntBot(game, name, thing)
    if isinstance(thing, Judgement):
        thing.mind(game, game.players[0])  # refuses what was learnt of another game
        return SearchBot(game, name, strength=replace(BY_JUDGEMENT, judgement=name), plain=plain)
    if is_rule(thing):
        _check_arguments(name, thing, "choose(k, d, states, seat)", 4)
        return RuleBot(game, name, thing, plain=plain or not has_numba())
    if isinstance(thing, type):
        try:
            thing = thing(game) if inspect.signature(thing).parameters else thing()
        except Exception as problem:
            raise GameError(f"{name} cannot be made for {game.title}: {type(problem).__name__}: {problem}") from problem
    if callable(getattr(thing, "choose", None)):
        return MadeBot(game, name, thing)
    if callable(thing):
        _check_arguments(name, thing, "choose(position)", 1)
        return AskedBot(game, name, thing)
    raise GameError(f"{name} is no bot: a function, or something that has choose(knowledge, *, seed)")


def _check_arguments(name: str, fn: Own, form: str, count: int) -> None:
    """Refuse a function that cannot be asked as bots are, before it is."""
    later = inspect.isgeneratorfunction(fn) or inspect.iscoroutinefunction(fn)
    try:
        inspect.signature(fn).bind(*range(count))
    except (TypeError, ValueError) as problem:
        raise GameError(f"{name} cannot be asked as {form}: {problem}") from problem
    if later:
        raise GameError(f"{name} cannot be asked as {form}: it must answer with an action, and neither await nor yield")


def find_bot(game: type[Game], who: Who, *, plain: bool | None = None) -> Any:
    """Whoever is meant: a bot of the house, `my.module:Bot`, or a bot itself."""
    if not isinstance(who, str):
        return own_bot(game, who)
    if not is_own(who):
        if who not in (*names(game), REFERENCE):
            raise no_such_bot(game, who)
        return make_bot(game, who, plain=plain)
    return own_bot(game, load(who), who, plain=bool(plain))


def check_names(game: type[Game], players: Sequence[str]) -> None:
    """Refuse players that there are not, before anything is compiled or played."""
    for name in players:
        if name.endswith((WEIGHTS, JUDGEMENT)):
            find_bot(game, name)
        elif is_own(name):
            load(name)
        elif name not in (*names(game), REFERENCE):
            raise no_such_bot(game, name)


def no_such_bot(game: type[Game], name: str, *more: str) -> GameError:
    """That nobody has this name, and who there is."""
    here = ", ".join((*more, *names(game), REFERENCE))
    return GameError(
        f"there is no bot {name!r} for {game.title}; the bots are {here}, and your own as module:Name or as a file that was learnt"
    )
