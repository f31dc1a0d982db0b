"""Driving a game from outside: entry points that take boxes, so that calls from Python into compiled rules stay cheap.

A box is an array of records (or, in plain mode, a list of them). Whoever plays games in compiled rules, one or thousands, begins them with
`begin`, goes on with `go_on` and lets seats know with `hear`, as `Game` does for people.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .game import Game, Laid, apply, fold, legal, ponder, random_action, sample, start, to_move
from .kernel import EV_SECRET, EV_WHO, NOBODY, Desk, Row, deal_out, has_numba, may_see, native, rule, seed, set_record
from .kernel import plain as in_plain


@rule
def begin(s: Any, d: Desk, number: int) -> None:
    """Deal: a prepared state becomes the beginning of the deal of this number."""
    deal_out(d, number)
    d.told = 0
    start(s, d)


@rule
def go_on(s: Any, d: Desk, action: int) -> None:
    """Carry out a legal action; afterwards the desk holds what there is to tell of it."""
    d.told = 0
    apply(s, d, action)


@rule
def hear(k: Any, row: Row, watcher: int) -> None:
    """Let one watcher take in one event, without a secret that is not his."""
    who = row[EV_WHO]
    if who != NOBODY:
        secret = row[EV_SECRET]
        if not may_see(who, watcher):
            row[EV_SECRET] = 0
        fold(k, row)
        row[EV_SECRET] = secret


@rule
def learn(k: Any, d: Desk, watcher: int) -> None:
    """Let one watcher take in everything the desk has told."""
    for i in range(d.told):
        hear(k, d.events[i], watcher)
    ponder(k)


@rule
def tell_seats(knows: Any, d: Desk, seats: int) -> None:
    """Let every seat take in what the desk has told."""
    for seat in range(seats):
        learn(knows[seat], d, seat)


class Round(NamedTuple):
    """The boxes of a table at which one game is played after the other: as it is laid out, and as it stands."""

    prepared: Any
    known: Any
    states: Any
    knows: Any  # by seat
    desks: Any  # the first is the table's; nobody thinks there


@rule
def lay_out(table: Round) -> None:
    """Everything as before the deal."""
    set_record(table.states, 0, table.prepared, 0)
    for seat in range(len(table.knows)):
        set_record(table.knows, seat, table.known, 0)


@rule
def begin_round(table: Round, number: int) -> int:
    """Deal, and tell every seat; answers who must decide."""
    lay_out(table)
    table.desks[0].listening = 1
    begin(table.states[0], table.desks[0], number)
    tell_seats(table.knows, table.desks[0], len(table.knows))
    return to_move(table.states[0])


@rule
def play_round(table: Round, action: int) -> int:
    """Carry out a legal action, and tell every seat; answers who must decide."""
    go_on(table.states[0], table.desks[0], action)
    tell_seats(table.knows, table.desks[0], len(table.knows))
    return to_move(table.states[0])


@rule
def start_in(states: Any, desks: Any) -> None:
    """Begin the prepared game."""
    start(states[0], desks[0])


@rule
def legal_in(states: Any, desks: Any) -> int:
    """Write the legal actions to the desk."""
    return legal(states[0], desks[0])


@rule
def apply_in(states: Any, desks: Any, action: int) -> None:
    """Carry out a legal action."""
    go_on(states[0], desks[0], action)


@rule
def to_move_in(states: Any) -> int:
    """The seat that must decide, -1 when the game is over."""
    return to_move(states[0])


@rule
def sample_in(knows: Any, desks: Any, states: Any, times: int) -> None:
    """Sample a state, `times` over (for measuring)."""
    for _ in range(times):
        sample(knows[0], desks[0], states[0])


@rule
def seed_in(desks: Any, a: int, b: int, c: int) -> None:
    """Set the desk's generator."""
    seed(desks[0], a, b, c)


@rule
def learn_in(knows: Any, desks: Any, watcher: int) -> None:
    """Let the watcher in a box take in what the desk has told."""
    learn(knows[0], desks[0], watcher)


@rule
def random_games(prepared: Any, states: Any, desks: Any, games: int, limit: int) -> int:
    """Play whole games at random from the prepared state; answers how many decisions were taken."""
    decisions = 0
    for _ in range(games):
        set_record(states, 0, prepared, 0)
        s = states[0]
        d = desks[0]
        start(s, d)
        taken = 0
        while to_move(s) >= 0 and taken < limit:
            go_on(s, d, random_action(s, d))
            taken += 1
        decisions += taken
    return decisions


class Engine:
    """A game's rules as callables over boxes, compiled where Numba is there."""

    def __init__(self, game: type[Game], *, plain: bool = False) -> None:
        self.game = game
        self.compiled = has_numba() and not plain
        self.start = self.twin(start_in)
        self.legal = self.twin(legal_in)
        self.apply = self.twin(apply_in)
        self.to_move = self.twin(to_move_in)
        self.sample = self.twin(sample_in)
        self.learn = self.twin(learn_in)
        self.seed = self.twin(seed_in)
        self.random_games = self.twin(random_games)

    def twin(self, fn: Any) -> Any:
        """A rule with its generics filled in for this game, compiled where Numba is there."""
        choose = native if self.compiled else in_plain
        return choose(fn, self.game.state_type, self.game.knowledge_type)

    def box(self, record: Any, count: int = 1) -> Any:
        """A box with so many copies of the record."""
        if not self.compiled:
            return [record.copy() for _ in range(count)]
        box = record.to_box(type(record).box(count))
        box[1:] = box[0]
        return box

    def desk(self, number: int = 0) -> Any:
        """A box with a desk whose generator is set."""
        return self.desks(number)

    def desks(self, *numbers: int) -> Any:
        """A box with desks whose generators are set by these numbers."""
        made: Any = Desk.box(len(numbers)) if self.compiled else [Desk() for _ in numbers]  # boxing a plain desk takes milliseconds
        for at, number in enumerate(numbers):
            self.seed(made[at : at + 1], number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF, 0x5EED)
        return made

    def round(self, laid: Laid, seats: int) -> Round:
        """A table for so many, with a second desk to think at."""
        boxes = self.box(laid.state), self.box(laid.knowledge), self.box(laid.state, 3), self.box(laid.knowledge, seats)
        return Round(*boxes, self.desks(0, 0))

    def row(self, length: int) -> Any:
        """A row of whole numbers."""
        if not self.compiled:
            return [0] * length
        import numpy as np

        return np.zeros(length, np.int64)

    def offered(self, desk: Any, count: int) -> list[int]:
        """The actions that `legal` has written to a desk."""
        moves = desk["moves"][0].tolist() if self.compiled else desk[0].moves
        return moves[:count]  # type: ignore[no-any-return]

    def listen(self, desk: Any) -> None:
        """From now on a desk keeps what is told."""
        if self.compiled:
            desk["told"], desk["listening"] = 0, 1
        else:
            desk[0].told, desk[0].listening = 0, 1

    def alike(self, box: Any, other: Any) -> bool:
        """Whether two boxes hold the same."""
        return bool(box.tobytes() == other.tobytes() if self.compiled else box == other)

    def copy(self, box: Any, source: Any) -> None:
        """Make a box hold what another does."""
        if self.compiled:
            box.view("u1")[:] = source.view("u1")
        else:
            box[0] = source[0].copy()

    def read(self, record: Any, box: Any) -> Any:
        """The plain record in a box."""
        return record.from_box(box) if self.compiled else box[0]
