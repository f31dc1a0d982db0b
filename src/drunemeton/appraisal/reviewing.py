"""A whole review: a first graph at once, then step by step; in pieces, so that whoever has little time can do it bit by bit.

>>> from drunemeton.appraisal import review
>>> told = review(text)
>>> told.lines[0].luck, told.moments[0].what
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import local
from typing import NamedTuple

from .. import records
from .account import Depth, Judge, Judged, entries_of
from .moments import moments_of
from .played import PlayedGame
from .shape import Balance, Decision, Kind, Moment, Point, Posting, Review, Thought, Why
from .value import Appraiser, Valued

FIRST = 60  # simulations for each point of a first graph
SLIP = 0.05
SOME = 8  # moves that are weighed at a time
Advance = Callable[[int, int], None]


class Weighed(NamedTuple):
    """Some of the legal moves of a step, and what each is worth in the same worlds; the rest comes with the first of them."""

    step: int
    moves: tuple[Thought, ...]
    better: tuple[Why, ...] = ()  # reasons for the best
    had_known: Thought | None = None  # the best with open cards


class Account(NamedTuple):
    """What the judged steps come to: what each seat began with, as appraised and as its own first decision shows, and how it went on."""

    starts: list[Valued]
    begun: tuple[float, ...]
    entries: tuple[list[Posting], ...]
    moments: tuple[Moment, ...]


class Reviewer:
    """Reviews one record."""

    def __init__(self, record: records.GameRecord, depth: Depth | None = None) -> None:
        self.played = PlayedGame(record)
        self.depth = depth or Depth()
        self._judges = local()

    @property
    def steps(self) -> range:
        """The steps that are judged, one by one and in any order."""
        return range(1, len(self.played.taken))

    def first(self) -> Review:
        """The graph alone, quickly and roughly."""
        played, appraiser = self.played, Appraiser(self.played.kind, FIRST)
        points = []
        for step, taken in enumerate(played.taken):
            turn = played.turns[step]
            seat = taken.seat if taken.seat >= 0 else None
            if turn is None:
                points.append(Point(step, seat, None, tuple(played.won), 0.0))
            else:
                valued = appraiser.value(played.known[step][turn], seed=step)
                points.append(Point(step, seat, turn, valued.chances, valued.within[turn]))
        return self._head(points)

    def judge(self, step: int) -> Judged:
        """One step, judged."""
        return self._judge().judge(step)

    def _judge(self) -> Judge:
        """Each thread has a judge of its own."""
        if not hasattr(self._judges, "own"):
            self._judges.own = Judge(self.played, self.depth)
        return self._judges.own  # type: ignore[no-any-return]

    def tries(self, judged: Sequence[Judged]) -> list[tuple[int, int, str]]:
        """What is left to weigh: at each moment in which its player decided every move that was legal, a few at a time.

        Told as step, from which of its moves on, and the best of them.
        """
        judge, taken = self._judge(), self.played.taken
        own = {moment.step for moment in self._account(judged).moments if taken[moment.step].seat == moment.seat}
        best = {one.step: one.decision.best for one in judged}
        return [(step, first, best[step]) for step in sorted(own) for first in range(0, len(judge.options(step)), SOME)]

    def weigh(self, step: int, first: int, best: str) -> Weighed:
        """Some of the moves of a moment, and with the first of them why the best is better than the played one, and had all been known."""
        judge = self._judge()
        moves = tuple(judge.weigh(step, move) for move in sorted(judge.options(step))[first : first + SOME])
        if first:
            return Weighed(step, moves)
        return Weighed(step, moves, judge.why(step, best) if best != self.played.taken[step].move else (), judge.had_known(step))

    def whole(self, judged: Sequence[Judged], weighed: Sequence[Weighed] = ()) -> Review:
        """The review, from all steps in their order, and with every move of the moments as far as they were weighed."""
        played, (starts, begun, entries, moments) = self.played, self._account(judged)
        first = played.turns[0]
        assert first is not None
        points = [Point(0, None, first, _with(starts[first].chances, first, begun[first]), starts[first].within[first])]
        for one in judged:
            turn = played.turns[one.step]
            chances = one.seen.chances if turn is None else _with(one.seen.chances, turn, entries[turn][one.step - 1].value)
            within = 0.0 if turn is None else one.seen.within[turn]
            points.append(
                Point(one.step, played.taken[one.step].seat, turn, chances, within, one.decided if one.chance else None, one.chance)
            )
        settled = [_settled(one.decision, entries[one.decision.seat][one.step - 1]) for one in judged]
        tried = {step: [one for one in weighed if one.step == step] for step in {one.step for one in weighed}}
        decisions = tuple(_with_tries(one, tried[one.step]) if one.step in tried else one for one in settled)
        lines = tuple(_line(seat, begun[seat], entries[seat], decisions) for seat in range(played.seats))
        return replace(self._head(points), whole=True, lines=lines, decisions=decisions, moments=moments)

    def _account(self, judged: Sequence[Judged]) -> Account:
        played, judge, seats = self.played, self._judge(), range(self.played.seats)
        starts = [judge.value(0, seat) for seat in seats]
        begun, entries = zip(*(entries_of(played, seat, starts[seat].chances[seat], judged) for seat in seats), strict=True)
        return Account(starts, begun, entries, moments_of(played, judge.trials, entries, judged))

    def _head(self, points: Sequence[Point]) -> Review:
        played, result, depth = self.played, self.played.record.result, self.depth
        assert result is not None
        return Review(
            played.kind.name,
            played.seats,
            played.kind.seat_names[: played.seats],
            result.end,
            tuple(result.places),
            False,
            tuple(points),
            simulations=depth.simulations,
            worlds=depth.worlds,
        )


def review(text: str, *, depth: Depth | None = None, threads: int = 2, progress: Advance | None = None) -> Review:
    """Review the record of a finished game; NoReview where that is not possible."""
    reviewer = Reviewer(records.read(text), depth)
    reviewer.judge(1)  # whatever must be compiled is, before several threads want it
    judged: list[Judged] = []
    with ThreadPoolExecutor(threads) as beside:
        for one in beside.map(reviewer.judge, reviewer.steps):
            judged.append(one)
            if progress:
                progress(len(judged), len(reviewer.steps))
        weighed = list(beside.map(lambda some: reviewer.weigh(*some), reviewer.tries(judged)))
    return reviewer.whole(judged, weighed)


def _with(chances: Sequence[float], seat: int, value: float) -> tuple[float, ...]:
    """These chances with another for one seat; the others share the rest as before."""
    others = sum(chances) - chances[seat]
    return tuple(value if n == seat else one * (1 - value) / max(others, 1e-9) for n, one in enumerate(chances))


def _settled(decision: Decision, entry: Posting) -> Decision:
    """A decision with what the account found it to have given away; where that is nothing, no move was better.

    The search hardly looks at a move that it dislikes, the account has tried it: the best move is worth what the account says that the
    seat had, the played one what it kept of that, and the others as much less than the best as the search says.
    """
    given = -entry.own
    if decision.given and not given:
        played_first = tuple(sorted(decision.moves, key=lambda one: one.move != decision.move))
        decision = replace(decision, best=decision.move, within=0.0, moves=played_first)
    high = decision.moves[0].value

    def worth(one: Thought) -> float:
        less = given if one.move == decision.move else max(0.0, high - one.value)
        return min(1.0, max(0.0, entry.before - less))

    return replace(decision, given=given, moves=tuple(replace(one, value=worth(one)) for one in decision.moves))


def _with_tries(decision: Decision, weighed: Sequence[Weighed]) -> Decision:
    """A decision with every move that was legal: what it gives away beside the best one, as they were weighed side by side, and why.

    The best stays the best: none of many that were weighed a little is better because it had the luck of the draw.
    """
    tried = [move for one in weighed for move in one.moves]
    better = tuple(why for one in weighed for why in one.better) if decision.given else ()
    had_known = next((one.had_known for one in weighed if one.had_known), None)
    kept = {one.move: one for one in decision.moves if one.move in (decision.best, decision.move)}
    most, best = kept[decision.best].value, next(one.value for one in tried if one.move == decision.best)
    moves = [kept.get(one.move) or replace(one, value=max(0.0, most - max(0.0, best - one.value))) for one in tried]
    ordered = tuple(sorted(moves, key=lambda one: (one.move != decision.best, -one.value)))
    return replace(decision, better=better, had_known=had_known, moves=ordered)


def _line(seat: int, start: float, entries: Sequence[Posting], decisions: Sequence[Decision]) -> Balance:
    taken = [one for one in decisions if one.seat == seat]
    stake, given = sum(one.stake for one in taken), sum(one.given for one in taken)
    by_kind: dict[str, list[Decision]] = defaultdict(list)
    for one in taken:
        by_kind[one.kind].append(one)
    kinds = {
        kind: Kind(len(found), sum(one.given >= SLIP for one in found), sum(one.given for one in found)) for kind, found in by_kind.items()
    }
    own, others, luck, rest = (sum(getattr(entry, part) for entry in entries) for part in ("own", "others", "luck", "rest"))
    accuracy = 100 * (1 - given / stake) if stake else None
    return Balance(seat, start, own, others, luck, rest, entries[-1].value, accuracy, len(taken), kinds, tuple(entries))
