"""The few steps that decided a game: the dearest slips and the greatest strokes of luck, no two of them the same story.

What is worth telling of a seat's own slips follows from what it knew. Which of them are among the few does not: they stand beside the
slips and the luck of everybody else, and what happened to the others is known after the game alone. Nor does its luck in others' steps
(`account.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .account import Judged
from .played import PlayedGame, Trials
from .shape import Moment, Posting

FEWEST, MOST = 3, 5
WORTH_TELLING = 0.04
APART = 2  # steps between two moments of one seat


def moments_of(played: PlayedGame, trials: Trials, entries: Sequence[Sequence[Posting]], judged: Sequence[Judged]) -> tuple[Moment, ...]:
    """Three to five moments in the order of the game; fewer in a game in which hardly anything happened."""
    found = worth_telling(played, entries, judged)
    chosen = [replace(one, events=tuple(trials.chance_in(one.step, one.seat))) if one.what == "luck" else one for one in _chosen(found)]
    return tuple(sorted(chosen, key=lambda moment: moment.step))


def worth_telling(played: PlayedGame, entries: Sequence[Sequence[Posting]], judged: Sequence[Judged]) -> list[Moment]:
    """Every slip and every stroke of luck of every seat."""
    found: list[Moment] = []
    for one in judged:
        mover, step = played.taken[one.step].seat, one.step
        own, before = entries[mover][step - 1].own, entries[mover][step - 1].before
        if own < 0:
            found.append(Moment(step, mover, "mistake", own, before, before + own, step - 1))
        for seat, lines in enumerate(entries):
            stroke = lines[step - 1].luck
            if stroke:
                found.append(Moment(step, seat, "luck", stroke, lines[step - 1].value - stroke, lines[step - 1].value))
    return found


def _chosen(found: Sequence[Moment]) -> list[Moment]:
    """The greatest, and then of seats that nothing has been told of: each asks what became of it."""
    left = sorted(found, key=lambda moment: (-abs(moment.points), moment.step, moment.seat))
    chosen: list[Moment] = []
    while len(chosen) < MOST:
        seats = {one.seat for one in chosen} if len(chosen) >= FEWEST else set()
        worth = [one for one in left if len(chosen) < FEWEST or abs(one.points) >= WORTH_TELLING]
        new = [one for one in worth if all(abs(one.step - other.step) >= (APART if one.seat == other.seat else 1) for other in chosen)]
        if not new:
            break
        chosen.append(next((one for one in new if one.seat not in seats), new[0]))
    return chosen
