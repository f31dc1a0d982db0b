"""Luck is fair: it is nothing on average, whatever the appraiser thinks and however well anybody plays; and a biased one is found."""

from __future__ import annotations

import math

import pytest

from drunemeton import records
from drunemeton.appraisal.account import Depth, Judge
from drunemeton.appraisal.played import PlayedGame, Trials
from drunemeton.appraisal.value import Valued
from drunemeton.rules.chance import Chance
from drunemeton.rules.game import Result, find_game, playable

from .test_review import GAMES, played

DEPTH = Depth(simulations=16, deciding=16, worlds=6)


def lucks(name: str, judge: type[Judge] = Judge, steps: int = 200) -> list[float]:
    """The luck of the mover in steps that told somebody something."""
    game = PlayedGame(records.read(played(name, 2)))
    judging = judge(game, DEPTH)
    found = (judging.judge(step) for step in range(1, min(steps, len(game.taken))))
    return [one.luck[one.decision.seat] for one in found if one.chance]


def far_from_nothing(found: list[float]) -> bool:
    """Whether a mean is further from 0 than three standard errors."""
    mean = sum(found) / len(found)
    error = math.sqrt(sum((one - mean) ** 2 for one in found) / (len(found) - 1) / len(found))
    return abs(mean) > 3 * error


class Biased(Judge):
    """Thinks better of what came about than of what might have."""

    def value(self, step: int, seat: int) -> Valued:
        """Ten points too much."""
        found = super().value(step, seat)
        return found if self.played.turns[step] is None else Valued(tuple(min(1.0, one + 0.1) for one in found.chances), found.within)


@pytest.mark.proof
def test_a_biased_appraisal_is_found() -> None:
    name = playable()[0]
    assert not far_from_nothing(lucks(name))
    assert far_from_nothing(lucks(name, Biased))


def test_every_game_has_worlds_of_its_own() -> None:
    """Where games are still alike, at set-up, the same few sampled worlds in all of them would make a luck that is not 0 on average."""
    kind, met = find_game("druidenwalzer"), list[set[bytes]]()
    for deal in range(2):
        game = kind.new(chance=Chance.from_seed(0))
        while len(game.steps) < 6:
            game.carry_out(game.actions()[0 if len(game.steps) < 4 else deal])
        trials = Trials(PlayedGame(records.read(records.write(game, Result("resigned", (1, 2))))))
        met.append({one.knows.tobytes() for step in (1, 2) for one in trials.outcomes(step, 0, trials.played.taken[step].action, 8)})
    assert len(met[0]) > 8
    assert len(met[0] & met[1]) < len(met[0]) / 2


@pytest.mark.parametrize("name", GAMES)
def test_a_decision_that_told_nothing_new_was_no_luck(name: str) -> None:
    game = PlayedGame(records.read(played(name, 2)))
    judge = Judge(game, DEPTH)
    for step in range(1, min(12, len(game.taken))):
        found = judge.judge(step)
        for seat in range(2):
            outcomes = judge.trials.outcomes(step, seat, game.taken[step].action, DEPTH.worlds)
            if judge.trials.is_foreseen(step, seat, outcomes):
                assert found.luck[seat] == 0.0


@pytest.mark.parametrize("name", GAMES)
def test_a_seats_account_follows_from_what_it_knew(name: str) -> None:
    """Other cards where a seat cannot see them change nothing of what a position is worth to it."""
    game = PlayedGame(records.read(played(name, 2)))
    judge = Judge(game, DEPTH)
    step = min(25, len(game.taken) - 2)
    before = [judge.value(step, seat) for seat in range(2)]
    game.game.state = find_game(name).state_type()  # the truth is gone: nobody who appraises ever looks at it
    assert [Judge(game, DEPTH).value(step, seat) for seat in range(2)] == before
