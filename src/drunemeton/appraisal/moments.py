"""The few steps that decided a game: the dearest slips and the greatest strokes of luck, no two of them the same story."""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.story import told_to
from .account import Judged
from .played import PlayedGame
from .shape import Entry, Moment

FEWEST, MOST = 3, 5
WORTH_TELLING = 0.04
APART = 2  # steps between two moments of one seat


def moments_of(played: PlayedGame, entries: Sequence[Sequence[Entry]], judged: Sequence[Judged]) -> tuple[Moment, ...]:
    """Three to five moments in the order of the game; fewer in a game in which hardly anything happened."""
    found: list[Moment] = []
    for one in judged:
        mover, step = played.taken[one.step].seat, one.step
        own, before = entries[mover][step - 1].own, entries[mover][step - 1].before
        if own < 0:
            found.append(Moment(step, mover, "mistake", own, before, before + own, step - 1))
        for seat, lines in enumerate(entries):
            stroke = lines[step - 1].luck
            if stroke:
                events = tuple(_told(played, step, seat))
                found.append(Moment(step, seat, "luck", stroke, lines[step - 1].value - stroke, lines[step - 1].value, None, events))
    found.sort(key=lambda moment: (-abs(moment.points), moment.step, moment.seat))
    chosen: list[Moment] = []
    for moment in found:
        told = any(abs(other.step - moment.step) < (APART if other.seat == moment.seat else 1) for other in chosen)
        if len(chosen) < MOST and not told and (len(chosen) < FEWEST or abs(moment.points) >= WORTH_TELLING):
            chosen.append(moment)
    return tuple(sorted(chosen, key=lambda moment: moment.step))


def _told(played: PlayedGame, step: int, seat: int) -> list[dict[str, object]]:
    """What a seat was told in a step, without the order of shuffles."""
    game = played.game
    return [event for event in game.script.events(told_to(game.steps[step].rows, seat)) if event["kind"] != "order"]
