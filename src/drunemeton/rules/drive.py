"""Driving a game from outside: entry points that take boxes, so that calls from Python into compiled rules stay cheap.

A box is a one-element array of records (or, in plain mode, a list with one record).
"""

from __future__ import annotations

from typing import Any

from .game import Game, apply, fold, legal, ponder, random_action, sample, start, to_move
from .kernel import EV_SECRET, EV_WHO, NOBODY, Desk, deal_out, has_numba, native, rule, seed, set_record
from .kernel import plain as in_plain


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
    apply(states[0], desks[0], action)


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
def deal_in(desks: Any, number: int) -> None:
    """From now on the desk's shuffles are those of a deal."""
    deal_out(desks[0], number)


@rule
def learn(k: Any, d: Desk, watcher: int) -> None:
    """Let one watcher take in everything the desk has told, without the secrets that are not his."""
    for i in range(d.told):
        row = d.events[i]
        who = row[EV_WHO]
        if who != NOBODY:
            secret = row[EV_SECRET]
            if (who >> watcher) & 1 == 0:
                row[EV_SECRET] = 0
            fold(k, row)
            row[EV_SECRET] = secret
    ponder(k)


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
            apply(s, d, random_action(s, d))
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
        self.deal_out = self.twin(deal_in)
        self.random_games = self.twin(random_games)

    def twin(self, fn: Any) -> Any:
        """A rule with its generics filled in for this game, compiled where Numba is there."""
        choose = native if self.compiled else in_plain
        return choose(fn, self.game.state_type, self.game.knowledge_type)

    def box(self, record: Any) -> Any:
        """A box with a copy of the record."""
        return record.to_box() if self.compiled else [record.copy()]

    def desk(self, number: int = 0) -> Any:
        """A box with a desk whose generator is set."""
        desk: Any = Desk.box() if self.compiled else [Desk()]  # filling a box from a plain desk takes milliseconds
        self.seed(desk, number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF, 0x5EED)
        return desk

    def read(self, record: Any, box: Any) -> Any:
        """The plain record in a box."""
        return record.from_box(box) if self.compiled else box[0]
