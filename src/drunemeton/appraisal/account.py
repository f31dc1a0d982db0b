"""The honest account: what each step did to a seat's chance, on what that seat knew. `docs/review.md` has the mathematics.

Between two positions lie a decision and what chance made of it. Luck is the value after a step less the mean of the values after it over
sampled worlds, from one appraiser with the same seeds. At its own decisions a seat's chance is what its best move is worth there; elsewhere
it is what the appraiser says.

A seat's luck in another's step is the one figure of its line that does not follow from its own knowledge: the mean is taken over worlds
that fit what both know together, since the other decided on his cards. Over worlds that fit the seat's knowledge alone, whatever the
other does because of his cards would be the seat's luck, and its mean would hang on how well he plays instead of being nothing. All
this is told after the game, when the cards are open; what a seat's own decisions are measured by is not touched by it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..bots.search import Considered
from ..observations.layout import file_of
from ..records import plays
from .played import Branch, PlayedGame, Trials
from .reasons import Reasons
from .shape import Decision, Posting, Thought, Why
from .value import SURE, Appraiser, Valued

NAMED = 5  # moves that a decision tells of
ALIKE = 0.01  # moves whose chances differ by no more are as good as each other


@dataclass(frozen=True)
class Depth:
    """How much is thought: simulations for a value and for a decision, and worlds in which a decision is tried."""

    simulations: int = 200
    deciding: int = 800
    worlds: int = 12


@dataclass(frozen=True)
class Judged:
    """What a step came to. `values`, `luck` and `gifts` are by seat, each on its own knowledge; the rest is on that of one seat."""

    step: int
    values: tuple[float, ...]  # after the step
    luck: tuple[float, ...]
    gifts: tuple[float, ...]  # what the mover's slip gave the others, as the mover could know it
    decision: Decision
    decided: tuple[float, ...]  # all chances between decision and chance, on the mover's knowledge
    chance: bool  # whether anybody was told what could not be foreseen
    seen: Valued  # all chances after the step, on the knowledge of who is then on turn


class Chanced(NamedTuple):
    """What chance made of a step; the fields are those of `Judged`, where `news` is called `chance`."""

    values: tuple[float, ...]
    luck: tuple[float, ...]
    decided: tuple[float, ...]
    news: bool


class Judge:
    """Judges the steps of one played game. Not for two threads at once."""

    def __init__(self, played: PlayedGame, depth: Depth) -> None:
        self.played, self.depth, self.trials = played, depth, Trials(played)
        self.few_worlds = max(2, depth.worlds // 2)
        self.quick = Appraiser(played.kind, depth.simulations)
        self.slow = Appraiser(played.kind, depth.deciding, trees=2)
        self.fine = Appraiser(played.kind, depth.deciding)
        self._kinds = file_of(played.kind).ACTION_RANGES
        self._reasons: Reasons | None = None
        self._step, self._answers = -1, dict[tuple[Appraiser, bytes], Valued]()

    def value(self, step: int, seat: int) -> Valued:
        """All seats' chances after a step, from what one seat knew; what they have won if the game is over."""
        if self.played.turns[step] is None:
            return Valued(tuple(self.played.won), (0.0,) * self.played.seats)
        return self._appraised(self.quick, self.played.known[step][seat], step)

    def expected(self, step: int, outcomes: Sequence[Branch], appraiser: Appraiser) -> tuple[float, ...]:
        """All seats' chances before anybody is told which of these came about."""
        each = [[weight * one for one in valued.chances] for weight, valued in self._valued(step, outcomes, appraiser)]
        return tuple(map(sum, zip(*each, strict=True)))

    def _valued(self, step: int, outcomes: Sequence[Branch], appraiser: Appraiser) -> list[tuple[float, Valued]]:
        """Each of these with its weight and what it is worth."""
        sure = (0.0,) * self.played.seats
        return [(weight, Valued(won, sure) if won else self._appraised(appraiser, knows, step)) for knows, weight, won in outcomes]

    def _appraised(self, appraiser: Appraiser, knows: Any, step: int) -> Valued:
        """What a knowledge is worth; within a step the same question is asked often, and where little is hidden for every seat."""
        if step != self._step:
            self._step, self._answers = step, {}
        key = appraiser, knows.tobytes()
        if key not in self._answers:
            self._answers[key] = appraiser.value(knows, seed=step)
        return self._answers[key]

    def judge(self, step: int) -> Judged:
        """The decision of a step, and what it and its chance did to every seat."""
        played, chanced = self.played, self.chance(step)
        decision, gifts = self.decide(step)
        turn = played.turns[step]
        seen = self.value(step, played.taken[step].seat if turn is None else turn)
        return Judged(step, chanced.values, chanced.luck, gifts, decision, chanced.decided, chanced.news, seen)

    def chance(self, step: int) -> Chanced:
        """What chance made of the decision of a step."""
        taken, news = self.played.taken[step], False
        values, luck = [], []
        decided: tuple[float, ...] = ()
        for seat in range(self.played.seats):
            valued = self.value(step, seat)
            outcomes = self.trials.outcomes(step, seat, taken.action, self.depth.worlds)
            foreseen = self.trials.is_foreseen(step, seat, outcomes)
            expected = valued.chances if foreseen else self.expected(step, outcomes, self.quick)
            news |= not foreseen
            values.append(valued.chances[seat])
            luck.append(valued.chances[seat] - expected[seat])
            if seat == taken.seat:
                decided = expected
        return Chanced(tuple(values), tuple(luck), decided, news)

    def decide(self, step: int) -> tuple[Decision, tuple[float, ...]]:
        """A decision beside the best one on the same knowledge, in the same worlds, and what it gave to each of the others."""
        played, taken = self.played, self.played.taken[step]
        knows = played.known[step - 1][taken.seat]
        thought = self.slow.moves(knows, seed=step)
        best, gifts = self._best(step, thought)
        given = -gifts[taken.seat]
        chosen = next(one for one in thought if one.action == taken.action)
        first = next(one for one in thought if one.action == best)
        mean = sum(one.value for one in thought) / len(thought)
        named = [first, *(one for one in thought if one is not first)][:NAMED]
        named += [chosen] if chosen not in named else []
        position, text = played.kind.knowledge_type.from_box(knows), played.kind.move_text
        decision = Decision(
            step,
            taken.seat,
            next(kind.name for kind in reversed(self._kinds) if taken.action >= kind.first),
            taken.move,
            taken.move if best == taken.action else text(position, best),
            given,
            SURE * (first.error**2 + chosen.error**2) ** 0.5 if given else 0.0,
            max(given, first.value - mean, 0.0),
            tuple(Thought(text(position, one.action), one.value, SURE * one.error) for one in named),
        )
        return decision, gifts

    def options(self, step: int) -> dict[str, int]:
        """Every legal move of a decision, as text and as action; of look-alikes one."""
        played, engine = self.played, self.trials.engine
        knows, desk = played.known[step - 1][played.taken[step].seat], engine.desk()
        position = played.kind.knowledge_type.from_box(knows)
        return {played.kind.move_text(position, action): action for action in engine.offered(desk, engine.legal(knows, desk))}

    def weigh(self, step: int, move: str) -> Thought:
        """What any legal move of a decision is worth to its player, in the same worlds as every other."""
        seat = self.played.taken[step].seat
        outcomes = self.trials.outcomes(step, seat, self.options(step)[move], self.few_worlds)
        each = self._valued(step, outcomes, self.quick)
        value = sum(weight * valued.chances[seat] for weight, valued in each)
        return Thought(move, value, math.hypot(*(weight * valued.within[seat] for weight, valued in each)))

    def why(self, step: int, better: str) -> tuple[Why, ...]:
        """What speaks for another move beside the one that was played."""
        taken = self.played.taken[step]
        self._reasons = self._reasons or Reasons(self.played.kind)
        return self._reasons.why(self.played.known[step - 1][taken.seat], self.options(step)[better], taken.action, seed=step)

    def had_known(self, step: int) -> Thought | None:
        """What would have been best with every card open, and what it would have been worth. No decision is judged by it.

        Nothing where all seats know the same: a search shuffles what nobody has seen, so open cards would not have told it more.
        """
        played = self.played
        if len({known.tobytes() for known in played.known[step - 1].values()}) == 1:
            return None
        *_, before = plays(played.record, until=step - 1)
        everything = played.kind.knowledge_type()
        everything.assign(before.state)
        found = self.slow.moves(self.trials.engine.box(everything), seed=step)[0]
        return Thought(played.kind.move_text(before.state, found.action), found.value, SURE * found.error)

    def _best(self, step: int, thought: Sequence[Considered]) -> tuple[int, tuple[float, ...]]:
        """The better of the played action and the search's favourite, tried in the same worlds; and what the played one gave everybody."""
        taken, favourite = self.played.taken[step], thought[0].action
        if favourite != taken.action:
            tried = (self.trials.outcomes(step, taken.seat, action, self.few_worlds) for action in (taken.action, favourite))
            decided, better = (self.expected(step, outcomes, self.fine) for outcomes in tried)
            if better[taken.seat] > decided[taken.seat] + ALIKE:
                return favourite, tuple(after - before for after, before in zip(decided, better, strict=True))
        return taken.action, (0.0,) * self.played.seats


def entries_of(played: PlayedGame, seat: int, appraised: float, judged: Sequence[Judged]) -> tuple[float, list[Posting]]:
    """What a seat began with, and its account step by step, from what the steps came to; `appraised` is its chance after set-up.

    What a decision gave away is cut to what was there: nobody has more than a whole game to give.
    """
    luck = [0.0, *(one.luck[seat] for one in judged)]
    given = [0.0, *(one.decision.given if one.decision.seat == seat else 0.0 for one in judged)]
    worth = [appraised, *(one.values[seat] for one in judged)]
    for step in range(len(judged), 0, -1):  # at its own decision a seat has what the best move leads to
        if played.taken[step].seat == seat:
            decided = min(1.0, max(0.0, worth[step] - luck[step]))
            given[step] = min(given[step], 1.0 - decided)
            worth[step - 1] = decided + given[step]
    entries = []
    for one in judged:
        step = one.step
        left = worth[step] - worth[step - 1] + given[step] - luck[step]
        mine = played.taken[step].seat == seat
        entries.append(Posting(step, worth[step], -given[step], 0.0 if mine else left, luck[step], left if mine else 0.0))
    return worth[0], entries
