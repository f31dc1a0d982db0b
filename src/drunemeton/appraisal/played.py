"""A recorded game played again, with what every seat knew after every step, and what each two seats knew together.

What two know together is what neither of them can be surprised by: whatever else a decision of one brings the other is chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from ..bots.arena import close, shares
from ..records import BadRecord, GameRecord, check_result, plays
from ..rules.drive import Engine
from ..rules.errors import GameError
from ..rules.game import Game
from ..rules.kernel import EV_KIND, EV_ORDER, EV_WHO, SPECTATOR, Record, has_numba, may_see
from ..rules.story import Event, told_to

CHANCE_WORLDS = 12  # in which what a step told is held against what it might have told
SHARED = 13  # a watcher that no table has: it is told what either of two seats is told
Box = Any


NO_REVIEW = {
    "running": "this game has not ended: nobody is told what a position is worth while somebody plays",
    "left": "this game was left after too few decisions to say anything about it",
    "rules": "this game was played by rules that are no longer here",
    "numba": "a review needs Numba, which is not installed here",
    "long": "this game has too many decisions to be reviewed",
}


class NoReview(GameError):
    """A game that cannot be reviewed; the code says why, and the catalogues say it under `review.no.CODE`."""

    def __init__(self, code: str) -> None:
        super().__init__(NO_REVIEW[code])
        self.code = code


LEAST = 2  # decisions
MOST = 3000


class Branch(NamedTuple):
    """One way in which a decision may turn out: what a seat would know then, how often, and what all have won if the game is over."""

    knows: Box
    weight: float
    won: tuple[float, ...] | None


@dataclass(frozen=True)
class Taken:
    """A decision that was taken."""

    seat: int
    action: int
    move: str


class PlayedGame:
    """A finished game with all that anybody knew, in boxes for compiled rules."""

    def __init__(self, record: GameRecord) -> None:
        if record.result is None:
            raise NoReview("running")
        if not LEAST < len(record.steps) <= MOST:
            raise NoReview("left" if len(record.steps) <= LEAST else "long")
        if not has_numba():
            raise NoReview("numba")
        self.record, self.seats = record, record.seats
        try:
            *_, self.game = plays(record)
            check_result(record, self.game)
        except BadRecord as problem:
            if problem.code == "rules":
                raise NoReview("rules") from problem
            raise
        self.kind: type[Game] = type(self.game)
        self.engine = Engine(self.kind)
        self.taken = [Taken(step.seat, step.action, step.move) for step in self.game.steps]
        self.known: list[dict[int, Box]] = []  # after each step, by seat
        self.shared: list[dict[int, Box]] = []  # after each step, by seat: what it and the seat on turn know together
        self.turns: list[int | None] = []  # after each step: who decides next
        self._listen()
        self.won = shares(record.result.places)

    def _listen(self) -> None:
        """Let every seat, and each two together, take in what was told, step by step."""
        engine, laid = self.engine, self.kind.lay_out(self.seats, self.game.options, self.game.components)
        pairs = [(one, other) for one in range(self.seats) for other in range(one)]
        now: dict[tuple[int, ...], Box] = {(seat,): engine.box(laid.knowledge) for seat in range(self.seats)}
        now |= {pair: engine.box(laid.knowledge) for pair in pairs}
        desk = engine.desk()
        for step in self.game.steps:
            for who, box in now.items():
                _tell(desk, step.rows, who)
                engine.learn(box, desk, SHARED)
            self.known.append({seat: copied(now[seat,]) for seat in range(self.seats)})
            turn = int(engine.to_move(now[0,]))
            self.turns.append(turn if turn >= 0 else None)
            together = (
                {} if turn < 0 else {seat: copied(now[max(seat, turn), min(seat, turn)]) for seat in range(self.seats) if seat != turn}
            )
            self.shared.append(together if turn < 0 else together | {turn: self.known[-1][turn]})


class Trials:
    """Tries actions in sampled worlds. Not for two threads at once."""

    def __init__(self, played: PlayedGame) -> None:
        self.played, self.engine = played, played.engine
        self._states = self.engine.box(played.kind.state_type())
        self._close = self.engine.twin(close)
        self._report = self.engine.row(played.seats)
        # Every game has worlds of its own: with the same few in all of them, what these few have too much of would be everybody's luck.
        moves = "\n".join(taken.move for taken in played.taken)
        self._salt = int.from_bytes(blake2b(moves.encode(), digest_size=4).digest(), "big")

    def outcomes(self, step: int, seat: int, action: int, worlds: int) -> list[Branch]:
        """How an action instead of the one at a step may turn out for a seat, in worlds sampled from what it and the mover know together.

        The same worlds and the same chance for every action: differences between actions are theirs.
        """
        engine = self.engine
        found: dict[tuple[bytes, tuple[float, ...] | None], tuple[Box, int]] = {}
        before = self.played.known[step - 1][seat]
        for world in range(worlds):
            desk = self._tried(step, seat, action, world)
            knows = copied(before)
            engine.learn(knows, desk, seat)
            won = self._won() if int(engine.to_move(self._states)) < 0 else None
            box, times = found.get((knows.tobytes(), won), (knows, 0))
            found[knows.tobytes(), won] = box, times + 1
        return [Branch(box, times / worlds, won) for (_, won), (box, times) in found.items()]

    def _tried(self, step: int, seat: int, action: int, world: int) -> Box:
        """An action in one world: what happens lies on the desk that is answered."""
        desk = self.engine.desk((self._salt + step) * 4096 + world)
        self.engine.sample(self.played.shared[step - 1][seat], desk, self._states, 1)
        self.engine.listen(desk)
        self.engine.apply(self._states, desk, action)
        return desk

    def is_foreseen(self, step: int, seat: int, outcomes: list[Branch]) -> bool:
        """Whether a step could turn out in one way only, and did: it told the seat nothing but the decision."""
        return len(outcomes) == 1 and outcomes[0].knows.tobytes() == self.played.known[step][seat].tobytes()

    def chance_in(self, step: int, seat: int) -> list[Event]:
        """What a seat was told in a step that might have come otherwise; all of it, where that was nothing in particular."""
        told = self._told_in(self.played.game.steps[step].rows, seat)
        sure = Counter(told)
        for world in range(CHANCE_WORLDS):
            desk = self._tried(step, seat, self.played.taken[step].action, world)
            sure &= Counter(self._told_in([tuple(int(one) for one in row) for row in desk["events"][0][: int(desk["told"][0])]], seat))
        chance = []
        for row in told:
            sure[row] -= 1
            chance += [row] if sure[row] < 0 else []
        return self.played.kind.script.events(chance or told)

    def _told_in(self, rows: Sequence[tuple[int, ...]], seat: int) -> list[tuple[int, ...]]:
        """The rows that a seat is told, without the order of shuffles."""
        return [tuple(row) for row in told_to(rows, seat) if row[EV_KIND] != EV_ORDER]

    def _won(self) -> tuple[float, ...]:
        self._close(self._states, self._report, self.played.seats)
        return tuple(shares([int(place) for place in self._report]))


def listened(engine: Engine, knowledge: Record, story: Iterable[list[tuple[int, ...]]]) -> Iterator[Box]:
    """What somebody who only watches knows after each step of a story that was told to him."""
    box, desk = engine.box(knowledge), engine.desk()
    for rows in story:
        # A row as it was told says to nobody who else was told it: here it is for him, with what it says and nothing more.
        _lay(desk, [[*row[:EV_WHO], 1 << SPECTATOR, *row[EV_WHO + 1 :]] for row in rows])
        engine.learn(box, desk, SPECTATOR)
        yield box


def copied(box: Box) -> Box:
    """A copy with the bytes between the fields, too: boxes are compared whole."""
    return box.view("u1").copy().view(box.dtype)


def _tell(desk: Box, rows: list[tuple[int, ...]], who: tuple[int, ...]) -> None:
    """Put a step's events on a desk, with the secrets of these seats for `SHARED`."""
    told = [list(row) for row in rows]
    for row in told:
        if any(may_see(row[EV_WHO], seat) for seat in who):
            row[EV_WHO] |= 1 << SHARED
        elif row[EV_WHO]:
            row[EV_WHO] &= ~(1 << SHARED)
    _lay(desk, told)


def _lay(desk: Box, told: list[list[int]]) -> None:
    desk["told"] = len(told)
    if told:
        desk["events"][0][: len(told)] = told
