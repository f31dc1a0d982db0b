"""What a game is: the few things that every other room may ask of one, and a pleasant object to play it with.

>>> from drunemeton.rules.druidenwalzer import Druidenwalzer
>>> game = Druidenwalzer.new(seed=7)
>>> game.legal()
['1<', '1>']
>>> game.play("1<")
>>> print(game)

It is long because it is what all other rooms import: the generic rules, the class that is described by them, and the registry.
"""

from __future__ import annotations

import functools
import importlib
import sys
import threading
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NamedTuple, Self, cast

from .because import Because, ToldStep
from .chance import Chance, FormerDeal, Orders
from .components import Components, completed, printed_in
from .errors import PROBLEMS, BadOption, GameError, IllegalMove, Reason
from .kernel import EV_KIND, EVERYBODY, FAULT_STORY, OPEN, PILES, SPECTATOR, Desk, Generic, Record, Row, generic
from .options import Option, Options, complete
from .preview import Foreseen, foresee
from .story import Event, EventRow, Script, Tally, orders_in, told_alike, told_to

View = dict[str, Any]

# --- Generic rules: filled in by each game, used by every driver ---------------------------------------------------


@generic
def start(s: Record, d: Desk) -> None:
    """From the prepared state to the first decision."""


@generic
def to_move(s: Record) -> int:
    """The seat that must decide, -1 when the game is over."""
    raise NotImplementedError


@generic
def legal(s: Record, d: Desk) -> int:
    """Write the legal actions to `d.moves` and answer how many there are."""
    raise NotImplementedError


@generic
def random_action(s: Record, d: Desk) -> int:
    """One of the legal actions, each as likely."""
    raise NotImplementedError


@generic
def apply(s: Record, d: Desk, action: int) -> None:
    """Carry out a legal action and all that follows, up to the next decision."""


@generic
def place_of(s: Record, seat: int) -> int:
    """A seat's final rank, 1 for the best."""
    raise NotImplementedError


@generic
def end_of(s: Record) -> int:
    """The kind of end, as an index into the game's `ends`."""
    raise NotImplementedError


@generic
def fold(k: Record, row: Row) -> int:
    """Take one event into a knowledge; 1 if it could not be foreseen."""
    raise NotImplementedError


@generic
def ponder(k: Record) -> None:
    """After the events of a step: find the question that is due."""


@generic
def sample(k: Record, d: Desk, s: Record) -> None:
    """Write into `s` one of the states that fit what was told, each as likely."""


def _fill_in(state: type[Record], knowledge: type[Record], play: ModuleType, knowing: ModuleType) -> None:
    """Fill the generic rules in with a game's own functions of the same names."""
    for rule in (start, to_move, legal, random_action, apply, place_of, end_of):
        cast(Generic, rule).bind(state, getattr(play, rule.__name__))
    for known in (fold, ponder, sample):
        cast(Generic, known).bind(knowledge, getattr(knowing, known.__name__))


_FOLD = cast(Generic, fold)
_desks = threading.local()
REPEATED = 10  # so many steps lie between two states that are kept

# --- A game in play ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """How a game ended: the kind of end, and each seat's rank (1 is best, ties share)."""

    end: str
    places: tuple[int, ...]

    def shown(self) -> dict[str, Any]:
        """As it is sent."""
        return {"end": self.end, "places": list(self.places)}

    @property
    def winners(self) -> list[int]:
        """The seats that share the first place: all of them where all tie."""
        return [seat for seat, place in enumerate(self.places) if place == 1]


class Laid(NamedTuple):
    """A game before its first shuffle: checked options and components, the prepared state, and what everybody knows of it, which is all."""

    options: Options
    components: Components
    state: Any
    knowledge: Any


class Step(NamedTuple):
    """One decision that was taken (none for set-up), and what happened."""

    seat: int
    action: int
    move: str
    rows: list[EventRow]


@dataclass(slots=True)
class Telling:
    """A step as some of its watchers were told it, and the reasons once somebody has asked for them."""

    rows: list[EventRow]
    because: list[Because] | None = None


class Moment(NamedTuple):
    """A game as it was after so many steps."""

    done: int
    state: Any
    shuffled: list[int]
    known: dict[int, Any]
    behind: int  # the first step that its spectators have not taken in
    free: int

    def copy(self) -> Moment:
        """Another, to be played on from."""
        return self._replace(state=self.state.copy(), known={watcher: one.copy() for watcher, one in self.known.items()})


def _age(steps: int) -> int:
    """Of moments that are about as old as each other one is kept."""
    return (steps // REPEATED).bit_length()


class Game(ABC):
    """A game being played. Class attributes describe the game itself; a subclass is all that another room needs to know."""

    name: ClassVar[str]  # that of its folder
    title: ClassVar[str]
    prefix: ClassVar[str]  # of its rules' numbers
    version: ClassVar[int] = 1  # of the rules; a record names the version it was played by
    players: ClassVar[tuple[int, int]]
    hidden: ClassVar[str]  # what a seat does not see, in one line
    described: ClassVar[tuple[Option, ...]]
    problems: ClassVar[Mapping[str, str]] = {}  # what can be wrong with its entries beyond `errors.PROBLEMS`, raised as PREFIX.CODE

    # Found in its folder, by `__init_subclass__`
    data: ClassVar[Path]  # the default components
    action_count: ClassVar[int]
    state_type: ClassVar[type[Record]]
    knowledge_type: ClassVar[type[Record]]
    script: ClassVar[Script]
    seat_names: ClassVar[tuple[str, ...]]
    ends: ClassVar[tuple[str, ...]]  # kinds of end, the first for a running game
    notation: ClassVar[ModuleType]  # with move_text, parse_move, refusal and order_cards
    showing: ClassVar[ModuleType]  # with view_of and draw
    same_for_all: ClassVar[bool]  # whether every watcher is shown the same
    reasons: ClassVar[ModuleType | None]  # with because, where events are told with their reasons
    following: ClassVar[ModuleType | None]  # with tally, COUNTED, rule_now: where a game tells what decided it, and which rule matters now
    explaining: ClassVar[ModuleType | None]  # with things and about, where the table explains itself
    coaching: ClassVar[ModuleType | None]  # with before and after, where whoever learns is coached
    handicap: ClassVar[ModuleType | None]  # with option_of, choices and given, where whoever keeps winning gives something up

    def __init_subclass__(cls) -> None:
        """A game is what stands in its folder; reasons, explanations, a coach and a handicap only where it has them."""
        if Game not in cls.__bases__:
            return
        folder = Path(cast(str, sys.modules[cls.__module__].__file__)).parent

        def part(name: str) -> ModuleType:
            return importlib.import_module(f"{cls.__module__}.{name}")

        def optional(name: str) -> ModuleType | None:
            return part(name) if (folder / f"{name}.py").exists() else None

        state, story, knowing = part("state"), part("story"), part("knowledge")
        cls.data = folder / "data" / "components.toml"
        cls.action_count, cls.state_type, cls.knowledge_type = state.ACTIONS, state.State, knowing.Knowledge
        cls.script, cls.seat_names, cls.ends = story.SCRIPT, story.SEAT_NAMES, story.END_NAMES
        cls.notation, cls.showing = part("notation"), part("view")
        cls.same_for_all = getattr(cls.showing, "SAME_FOR_ALL", False)
        cls.reasons, cls.following, cls.handicap = optional("reasons"), optional("following"), optional("handicap")
        cls.explaining, cls.coaching = optional("about"), optional("coach")
        PROBLEMS.update({f"{cls.script.prefix}.{code}": said for code, said in cls.problems.items()})
        _fill_in(cls.state_type, cls.knowledge_type, part("play"), knowing)

    seats: int
    options: Options
    components: Components
    state: Any

    # --- Beginning

    @classmethod
    def new(
        cls,
        *,
        seats: int | None = None,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        components: Mapping[str, Any] | None = None,
        chance: Chance | Orders | FormerDeal | None = None,
    ) -> Self:
        """Begin a game. With neither `seed` nor `chance`, the shuffle comes from a fresh secret."""
        if chance is None:
            chance = Chance.fresh() if seed is None else Chance.from_seed(seed)
        return cls(seats or cls.players[0], options, components, chance)

    def __init__(
        self,
        seats: int,
        options: Mapping[str, Any] | None,
        components: Mapping[str, Any] | None,
        chance: Chance | Orders | FormerDeal,
    ) -> None:
        laid = self.lay_out(seats, options, components)
        self.seats, self.options, self.components = seats, laid.options, laid.components
        self.chance = chance
        self.state = laid.state
        self.steps: list[Step] = []
        self._shuffled = [0] * PILES  # how often each pile was
        self._base = 0, self.state.copy(), self._shuffled  # so many steps led there; later ones can be played again from it
        self._free = 0  # how many of the last steps can be taken back
        self._told: Step | None = None  # the last step that was told, and what each watcher heard of it
        self._alike = False  # whether that is the same for all
        self._heard: dict[int, Telling] = {}
        self._known = {watcher: laid.knowledge.copy() for watcher in self.watchers}
        self._viewed: tuple[Step | None, View] = (None, {})  # the last view that was made, where all see the same
        self._behind = 0  # the first step that spectators have not taken in
        self._kept: list[Moment] = []  # from the beginning on; there are more only once something was taken back
        self._step(-1, -1, "")
        self._free = 0

    @classmethod
    def lay_out(cls, seats: int, options: Mapping[str, Any] | None = None, components: Mapping[str, Any] | None = None) -> Laid:
        """Check what a game is to be played with, and lay it out: every table, match and environment begins here."""
        low, high = cls.players
        for what, given in (("options", options), ("components", components)):
            if given is not None and not isinstance(given, Mapping):
                raise GameError(f"{what} are {given!r}, but should be a mapping of names to values, such as {{'NAME': 3}}")
        if not low <= seats <= high:
            raise BadOption("seats", "players", seats=seats, low=low, high=high)
        chosen = complete(cls.described, options)
        checked = cls.check_components(completed(cls.default_components(), components), chosen)
        state, knowledge = cls.state_type(), cls.knowledge_type()
        cls.prepare(state, seats, chosen, checked)
        knowledge.assign(state)
        cls.prepare_knowledge(knowledge)
        return Laid(chosen, checked, state, knowledge)

    @property
    def desk(self) -> Desk:
        """The desk at which this thread's games are played: it is cleared after every step, and large, so they share one."""
        found: Desk | None = getattr(_desks, "own", None)
        if found is None:
            found = _desks.own = Desk()
        return found

    # --- What a game fills in

    @classmethod
    @abstractmethod
    def prepare(cls, state: Any, seats: int, options: Options, components: Components) -> None:
        """Lay out options and components before the first shuffle; everybody knows what lies there."""

    @classmethod
    @abstractmethod
    def prepare_knowledge(cls, knowledge: Any) -> None:
        """Set what a knowledge has beyond the prepared state."""

    @classmethod
    @abstractmethod
    def check_components(cls, components: Components, options: Options) -> Components:
        """The components, checked; an error that names the entry otherwise."""

    @classmethod
    def order_text(cls, pile: str, card: int) -> str:
        """A card of a pile as shuffle orders write it."""
        return cls.script.card(card) or ""

    # --- What a game's modules say

    @classmethod
    def move_text(cls, position: Any, action: int) -> str:
        """A legal action as text."""
        return cls.notation.move_text(position, action)  # type: ignore[no-any-return]

    @classmethod
    def parse_move(cls, position: Any, text: str) -> int | Reason:
        """The action that a text names in this position, legal or not, or why it names none."""
        return cls.notation.parse_move(position, text)  # type: ignore[no-any-return]

    @classmethod
    def refusal(cls, position: Any, action: int) -> Reason:
        """Why an action is not legal now, from what the seat on turn knows."""
        return cls.notation.refusal(position, action)  # type: ignore[no-any-return]

    @classmethod
    def order_cards(cls, pile: str, texts: Sequence[str]) -> list[int]:
        """The cards of a shuffle order, from their texts."""
        return cls.notation.order_cards(pile, texts)  # type: ignore[no-any-return]

    @classmethod
    def view_of(cls, knowledge: Any, watcher: int, memory: bool) -> View:
        """What a watcher is shown."""
        return cls.showing.view_of(knowledge, watcher, memory)  # type: ignore[no-any-return]

    def draw(self, watcher: int) -> str:
        """The table in text, as a watcher sees it."""
        return self.showing.draw(self.view(watcher))  # type: ignore[no-any-return]

    # --- Describing

    @classmethod
    def points_of(cls, position: Any, seat: int) -> int | None:
        """What a seat has reached, as one number to compare: points, parts, trees; None where a game knows no such thing."""
        found = getattr(cls.showing, "points_of", None)
        return None if found is None else int(found(position, seat))

    @classmethod
    def default_components(cls) -> Components:
        """The components that come with the game."""
        return printed_in(cls.data)

    @classmethod
    def provenance(cls) -> dict[str, dict[str, str]]:
        """For each component entry whether it is sourced or reconstructed, with a note."""
        with cls.data.open("rb") as file:
            return dict(tomllib.load(file).get("provenance", {}))

    @property
    def watchers(self) -> list[int]:
        """Every seat, and the spectators."""
        return [*range(self.seats), SPECTATOR]

    # --- Asking

    @property
    def knowledge(self) -> dict[int, Any]:
        """What each watcher knows: every seat, and the spectators, who are brought up to date when somebody asks."""
        self._catch_up(self._known[SPECTATOR], self._behind, len(self.steps))
        self._behind = len(self.steps)
        return self._known

    def _catch_up(self, spectators: Any, since: int, count: int) -> None:
        for step in self.steps[since:count]:
            self._take_in(spectators, self._told_to(SPECTATOR, step).rows)

    def known_to(self, watcher: int) -> Any:
        """What one watcher knows."""
        return self.knowledge[watcher] if watcher == SPECTATOR else self._known[watcher]

    @property
    def to_move(self) -> int | None:
        """The seat that must decide; None when the game is over."""
        seat = int(to_move(self.state))
        return seat if seat >= 0 else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move is None

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        if not self.over:
            return None
        return Result(self.ends[end_of(self.state)], tuple(int(place_of(self.state, n)) for n in range(self.seats)))

    def has_decided(self, seat: int, since: int = 0) -> bool:
        """Whether a step from `since` on is a seat's decision; nearly always it is one of the last two."""
        for number in range(len(self.steps) - 1, since - 1, -1):
            if self.steps[number].seat == seat:
                return True
        return False

    def actions(self) -> list[int]:
        """The legal actions as integers."""
        if self.over:
            return []
        desk = self.desk
        return desk.moves[: legal(self.state, desk)]

    def legal(self) -> list[str]:
        """The legal moves as text."""
        return list(self.offered())

    def offered(self) -> dict[str, int]:
        """The legal moves as text, and the action that each one is."""
        text, state = self.notation.move_text, self.state
        return {text(state, action): action for action in self.actions()}

    def why_not(self, move: str | int) -> Reason | None:
        """Why a move is not legal now; None if it is."""
        if self.over:
            return Reason("over")
        action = self.parse_move(self.state, move) if isinstance(move, str) else move
        if isinstance(action, Reason):
            return action
        return None if action in self.actions() else self.refusal(self.state, action)

    def view(self, watcher: int = SPECTATOR, *, memory: bool = False) -> View:
        """What a watcher is shown: an allow-list, built from what that watcher knows. Nobody may change it: views share what is alike."""
        if watcher == OPEN:
            known = self.knowledge_type()
            known.assign(self.state)
            return self.view_of(known, OPEN, memory)
        if not self.same_for_all:
            return self.view_of(self.known_to(watcher), watcher, memory)
        if self._viewed[0] is not self.steps[-1]:
            self._viewed = self.steps[-1], self.view_of(self.known_to(watcher), watcher, memory)
        return self._viewed[1]

    def views(self, watcher: int, first: int, last: int) -> Iterator[View]:
        """What a watcher was shown before step `first` and after each up to `last`: folded anew from what he was told, and nothing else."""
        known = self.lay_out(self.seats, self.options, self.components).knowledge
        for number, step in enumerate(self.steps[: last + 1]):
            if number >= first:
                yield self.view_of(known, watcher, False)
            self._take_in(known, told_to(step.rows, watcher))
        yield self.view_of(known, watcher, False)

    def tally(self) -> Tally:
        """What the result is made of, from what everybody was told; nothing where a game does not say."""
        if self.following is None:
            return {"seats": [[] for _ in range(self.seats)], "game": []}
        counted = self.following.COUNTED
        rows = [row for step in self.steps for row in step.rows if row[EV_KIND] in counted]
        # Any seat's view will do, since only what lies open counts: spectators would have to take in the whole game first.
        return cast(Tally, self.following.tally(self.view(0), told_to(rows, SPECTATOR)))

    def rule_now(self, watcher: int) -> str | None:
        """The rule that matters for what is to be decided now, as a watcher knows it; none where a game does not say."""
        return None if self.following is None else str(self.following.rule_now(self.known_to(watcher)))

    def events(self, watcher: int = SPECTATOR, since: int = 0) -> list[Event]:
        """What a watcher was told, from step `since` on."""
        if since == len(self.steps) - 1:  # nearly always
            return self.script.events(self._told_to(watcher, self.steps[-1]).rows)
        return [event for step in self.steps[since:] for event in self.script.events(self._told_to(watcher, step).rows)]

    def because(self, watcher: int = SPECTATOR, since: int = 0) -> list[Because]:
        """Why what he was told happened, as far as a watcher can know: beside `events(watcher, since)`, by their places there."""
        found: list[Because] = []
        before = 0
        for step in self.steps[since:]:
            told = self._told_to(watcher, step)
            if told.because is None:
                told.because = self.reasons_of(told.rows, decided=step.seat >= 0)
            found += [reason._replace(at=before + reason.at) for reason in told.because] if before else told.because
            before += len(told.rows)
        return found

    def reasons_of(self, rows: Sequence[EventRow], *, decided: bool) -> list[Because]:
        """The reasons of one step from its rows as somebody was told them."""
        if self.reasons is None:
            return []
        told = ToldStep(self.script.prefix, rows, decided, self.options, self.components)
        self.reasons.because(told)
        told.found.sort(key=itemgetter(0))
        return told.found

    def _told_to(self, watcher: int, step: Step) -> Telling:
        """What a watcher was told of a step. Of the last one that was asked for it is kept, because it is asked for again."""
        if self._told is not step:
            self._told, self._alike, self._heard = step, told_alike(step.rows), {}
        ear = EVERYBODY if self._alike and watcher != OPEN else watcher
        told = self._heard.get(ear)
        if told is None:
            rows = told_to(step.rows, watcher)
            told = next((one for one in self._heard.values() if one.rows == rows), None) or Telling(rows)
            self._heard[ear] = told
        return told

    def telling(self, watcher: int) -> Telling:
        """The last step as a watcher was told it: the same object for all who were told the same."""
        return self._told_to(watcher, self.steps[-1])

    def preview(self, move: str | int, *, samples: int = 60, seed: int = 1) -> list[Foreseen]:
        """What a legal move will bring as far as the seat on turn can know, with percentages where it cannot."""
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMove(str(move), reason)
        action = self.parse_move(self.state, move) if isinstance(move, str) else move
        assert isinstance(action, int)
        assert self.to_move is not None

        def why(rows: list[EventRow]) -> list[Because]:
            return self.reasons_of(rows, decided=True)

        return foresee(type(self), self._known[self.to_move], action, why, samples=samples, number=seed)

    # --- Playing

    def play(self, move: str | int) -> list[Event]:
        """Carry out a legal move of the seat on turn; answers what that seat is told. Nothing changes if it is refused."""
        step = self.carry_out(move)
        return self.events(step.seat, since=len(self.steps) - 1)

    def carry_out(self, move: str | int) -> Step:
        """The same for who needs no answer in words."""
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMove(str(move), reason)
        action = self.parse_move(self.state, move) if isinstance(move, str) else move
        assert isinstance(action, int)
        return self.take(self.move_text(self.state, action), action)

    def take(self, text: str, action: int) -> Step:
        """Carry out one of the moves that are `offered`, without checking it again."""
        seat = self.to_move
        assert seat is not None
        return self._step(seat, action, text)

    def _step(self, seat: int, action: int, text: str) -> Step:
        done = len(self.steps)
        if done - self._base[0] >= REPEATED:
            self._base = done, self.state.copy(), self._shuffled
        desk = self.desk
        desk.told = 0
        desk.listening = 1
        try:
            self._shuffled = self._carry_on(self.state, done, self._shuffled, seat, action)
            if desk.fault == FAULT_STORY:
                raise GameError("more happened in one step than the story can hold")
        except GameError:
            desk.fault = 0
            self.state, self._shuffled = self._after(done)
            raise
        step = Step(seat, action, text, list(map(tuple, desk.events[: desk.told])))
        self.steps.append(step)
        self._free = 0 if self._learn(self._known, step) else self._free + 1
        return step

    def _carry_on(self, state: Any, number: int, shuffled: list[int], seat: int, action: int) -> list[int]:
        """One step, in a game in which each pile was shuffled so often; answers how often afterwards."""
        desk = self.desk
        self.chance.begin(desk, number, shuffled)
        if seat < 0:
            start(state, desk)
        else:
            apply(state, desk, action)
        shuffled = desk.shuffled
        self.chance.finish(desk)
        return shuffled

    def _after(self, count: int) -> tuple[Any, list[int]]:
        """The state after the first steps, and the shuffles so far, played again: a copy before every step would cost more."""
        done, state, shuffled = self._base[0], self._base[1].copy(), self._base[2]
        self.desk.listening = 0
        for number, step in enumerate(self.steps[done:count], done):
            shuffled = self._carry_on(state, number, shuffled, step.seat, step.action)
        return state, shuffled

    def _learn(self, known: dict[int, Any], step: Step) -> bool:
        """Let every seat take in a step; whether it told any of them something new.

        Spectators need not be asked: they are told nothing that every seat has known before.
        """
        news = 0
        for seat in range(self.seats):
            news |= self._take_in(known[seat], self._told_to(seat, step).rows)
        return news != 0

    @staticmethod
    def _take_in(knowledge: Any, rows: list[EventRow]) -> int:
        take_in = _FOLD.of(type(knowledge))
        news = 0
        for row in rows:
            news |= take_in(knowledge, row)
        ponder(knowledge)
        return news

    # --- Taking back

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take its last step back: nobody else has acted, and nobody was told anything new by it."""
        return self._free > 0 and self.steps[-1].seat == seat

    def undo(self, seat: int) -> None:
        """Take the last step back."""
        if not self.can_undo(seat):
            raise GameError("this step cannot be taken back: somebody has seen something, or has acted since")
        self.return_to(self.moment(len(self.steps) - 1))

    def moment(self, count: int) -> Moment:
        """The game as it was after its first steps, so many of them, the laying out among them."""
        *_, there = self.remember(count)
        return cast(Moment, there)

    def remember(self, count: int) -> Iterator[Moment | None]:
        """The same in small pieces, for who has other things to do meanwhile: None after each, and at last the moment.

        A long game is played again from its beginning only once: on the way moments are kept, the closer to the end the denser, and the
        next time the nearest of them will do. Most games are never taken back, and keep none.
        """
        if not self._kept:
            laid = self.lay_out(self.seats, self.options, self.components)
            self._kept = [Moment(0, laid.state, [0] * PILES, {watcher: laid.knowledge.copy() for watcher in self.watchers}, 0, 0)]
        first, *others = self._kept
        kept = {_age(count - one.done): one for one in others if one.done <= count}
        near = max(kept.values(), key=lambda one: one.done, default=first)
        if self._behind and near.behind < near.done:  # somebody watches by now: his knowledge is kept too from here on
            near = near.copy()._replace(behind=near.done)
            self._catch_up(near.known[SPECTATOR], kept[_age(count - near.done)].behind, near.done)
            kept[_age(count - near.done)] = near
        done, state, shuffled, known, behind, free = near.copy()
        for number in range(done, count):
            step = self.steps[number]
            self.desk.listening = 0
            shuffled = self._carry_on(state, number, shuffled, step.seat, step.action)
            free = 0 if self._learn(known, step) or number == 0 else free + 1
            if self._behind and behind == number:
                self._catch_up(known[SPECTATOR], number, number + 1)
                behind = number + 1
            left = count - number - 1
            if left and left % REPEATED == 0:
                kept[_age(left)] = Moment(number + 1, state, shuffled, known, behind, free).copy()
                yield None
        self._kept = [first, *kept.values()]
        yield Moment(count, state, shuffled, known, behind, free)

    def return_to(self, moment: Moment) -> None:
        """Take back what came after a moment of this game; nobody else may use it afterwards."""
        del self.steps[moment.done :]
        self._kept = [one for one in self._kept if one.done <= moment.done]
        _, self.state, self._shuffled, self._known, self._behind, self._free = moment
        self._base = moment.done, self.state.copy(), self._shuffled

    # --- Recording

    def orders(self) -> list[list[tuple[str, list[int]]]]:
        """The shuffles of each step: pile, and its cards in their new order."""
        return [[(self.script.piles[pile], cards) for pile, cards in orders_in(step.rows)] for step in self.steps]

    def __str__(self) -> str:
        return self.draw(self.to_move if self.to_move is not None else SPECTATOR)


# --- The registry --------------------------------------------------------------------------------------------------


@functools.cache
def playable() -> tuple[str, ...]:
    """The names of the games that are there: a folder with components in this room is one."""
    return tuple(sorted(path.parents[1].name for path in Path(__file__).parent.glob("*/data/components.toml")))


@functools.cache
def find_game(name: str) -> type[Game]:
    """The game of that name: the one kind of `Game` that its folder defines."""
    if name not in playable():
        raise GameError(f"there is no game {name!r}; the games are {', '.join(playable())}")
    module = importlib.import_module(f".{name}", __package__)
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Game) and kind is not Game]
    assert len(kinds) == 1, f"{name} defines {len(kinds)} games"
    return kinds[0]
