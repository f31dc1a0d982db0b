"""What a review says, as data: the form in which page, terminal and Python get it. `docs/review.md` describes every field.

Chances are from 0 to 1; a *point* is a hundredth of one. Steps are numbered as in the record: 0 is set-up, and step n leads to position n.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

FORMAT = 3  # since 2 the decision of a moment tells of every legal move, since 3 of open cards, and luck of chance alone
DIGITS = 4


@dataclass(frozen=True)
class Point:
    """The chances of all seats after a step, from what the seat on turn knew; after the end, what each has won."""

    step: int
    seat: int | None  # who decided in this step; none for set-up
    turn: int | None  # whose decision comes next; none when the game is over
    values: tuple[float, ...]
    within: float  # half-width of the 95 % interval of the chance of the seat on turn
    decided: tuple[float, ...] | None = (
        None  # after the decision, before chance spoke; none where chance said nothing, and in a first graph
    )
    chance: bool = False  # whether the step brought something that nobody could foresee


@dataclass(frozen=True)
class Thought:
    """What is thought of one move: the chance to win after it, and the half-width of its 95 % interval."""

    move: str
    value: float
    within: float


@dataclass(frozen=True)
class Why:
    """One reason for or against a move: what it wins, threatens, saves or leaves open.

    `code` is a key of the catalogues (`why.CODE`); `event` is what would happen, in the game's own words (`event.PREFIX.KIND`), in `share`
    of the worlds that the seat had to reckon with, and `instead` how often the other move brings the same.
    """

    code: str
    event: dict[str, Any] | None = None
    share: float = 1.0
    instead: float = 0.0
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Decision:
    """A decision and what it gave away, against the best one on the same knowledge."""

    step: int
    seat: int
    kind: str  # the kind of decision, as the game's description of actions names it
    move: str
    best: str
    given: float  # 0 if it was as good as the best
    within: float
    stake: float  # by how much the best move is better than any move at random
    moves: tuple[Thought, ...]  # the best first; the played one is always among them, and every legal one at a moment
    better: tuple[Why, ...] = ()  # at a moment: for the best move beside the played one
    had_known: Thought | None = (
        None  # at a moment: what would have been best with every card open, if somebody saw any alone; judged by it is nobody
    )


@dataclass(frozen=True)
class Posting:
    """What one step did to one seat's chance, on that seat's own knowledge: `value` is what it came to."""

    step: int
    value: float
    own: float = 0.0  # never above 0: what the seat's own decision gave away
    others: float = 0.0
    luck: float = 0.0
    rest: float = 0.0

    @property
    def before(self) -> float:
        """What the seat's chance was before the step."""
        return self.value - self.own - self.others - self.luck - self.rest


@dataclass(frozen=True)
class Balance:
    """The account of one seat: `start + own + others + luck + rest == end`."""

    seat: int
    start: float
    own: float
    others: float
    luck: float
    rest: float
    end: float
    accuracy: float | None  # of 100: what it kept of what its decisions could have given away; none if nothing was at stake
    decisions: int
    kinds: dict[str, Kind]
    entries: tuple[Posting, ...]


@dataclass(frozen=True)
class Kind:
    """How a seat decided in one kind of decision."""

    count: int
    slips: int  # decisions that gave something away: 5 points or more
    given: float


@dataclass(frozen=True)
class Moment:
    """One of the few steps that decided the game. `what`: `mistake` or `luck` (good or bad)."""

    step: int
    seat: int  # whose chance is meant
    what: str
    points: float  # by how much that chance changed
    before: float
    after: float
    decision: int | None = None  # the place in `decisions`, where it was one
    events: tuple[dict[str, Any], ...] = ()  # of luck: what chance told the seat


@dataclass(frozen=True)
class Review:
    """A finished game, appraised. `lines`, `decisions` and `moments` are empty in a first graph (`whole` is false)."""

    game: str
    seats: int
    seat_names: tuple[str, ...]
    end: str
    places: tuple[int, ...]
    whole: bool
    graph: tuple[Point, ...]
    lines: tuple[Balance, ...] = ()
    decisions: tuple[Decision, ...] = ()
    moments: tuple[Moment, ...] = ()
    simulations: int = 0
    worlds: int = 0
    format: int = FORMAT

    def describe(self) -> dict[str, Any]:
        """As JSON has it."""
        return _plain(dataclasses.asdict(self))  # type: ignore[no-any-return]


def is_current(review: str) -> bool:
    """Whether a review that was kept as JSON says all that one says today: its form is the last that it tells."""
    return review.endswith(f'"format": {FORMAT}}}')


def _plain(value: Any) -> Any:
    """Lists for tuples, and no more digits than mean something."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
