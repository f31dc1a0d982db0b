"""Trying a move in a stage: it is played out on a board of its own, with what the others reply, and judged by what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from ..rules.chance import Chance
from ..rules.game import Game
from ..rules.story import Event
from .arrangement import Arrangement, arrange
from .goals import fitting, holds
from .stage import Stage


@dataclass(frozen=True)
class Tried:
    """What a try comes to: `done`, `on` (on the way) or `wrong`; for a wrong one what is said, and what would have happened."""

    kind: str
    say: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    would: list[Event] = field(default_factory=list)


def judge(stage: Stage, played: Sequence[str], move: str, plan: Arrangement | None = None) -> Tried:
    """Judge a legal move after the moves `played` since the stage's position. Nothing happens at the table."""
    plan = plan or arrange(stage)
    game = stage.game_type(stage.seats, stage.options, stage.components, plan.chance(Chance.from_seed(0)))
    plan.lead(game)
    begun = len(game.steps)
    for earlier in played:
        game.carry_out(earlier)
    before = len(game.steps)
    own = sum(step.seat == stage.seat for step in game.steps[begun:])
    game.carry_out(move)
    if _reached(stage, game, begun, move):
        return Tried("done")
    while (answer := reply(stage, game, begun)) is not None:
        game.carry_out(answer)
        if _reached(stage, game, begun, move):
            return Tried("done")
    if _expected(stage, own, move) and game.to_move == stage.seat:
        return Tried("on")
    return _answer(stage, game, before, move)


def _expected(stage: Stage, own: int, move: str) -> bool:
    """Whether a move is on the way as the stage draws it."""
    return own < len(stage.way) and any(fnmatchcase(move, pattern) for pattern in stage.way[own])


def _reached(stage: Stage, game: Game, begun: int, move: str) -> bool:
    told, view = game.events(stage.seat, since=begun), game.view(stage.seat)
    return all(holds(condition, told, view, move) for condition in stage.goal)


def reached(stage: Stage, game: Game, begun: int) -> bool:
    """Whether the goal is reached at the table, after the moves since step `begun`."""
    own = [step.move for step in game.steps[begun:] if step.seat == stage.seat]
    return bool(own) and _reached(stage, game, begun, own[-1])


def reply(stage: Stage, game: Game, begun: int) -> str | None:
    """What another seat plays now by the stage; None if the learner is on turn, or the replies are used up or do not fit."""
    if game.to_move is None or game.to_move == stage.seat:
        return None
    said = sum(step.seat != stage.seat for step in game.steps[begun:])
    if said >= len(stage.replies) or stage.replies[said] not in game.offered():
        return None
    return stage.replies[said]


def _answer(stage: Stage, game: Game, before: int, move: str) -> Tried:
    would, view = game.events(stage.seat, since=before), game.view(stage.seat)
    for answer in stage.wrong:
        if all(holds(condition, would, view, move) for condition in answer.when):
            named = [event for condition in answer.when if "event" in condition for event in fitting(condition, would)[:1]]
            params = {name: value for event in named for name, value in event.items() if name not in {"kind", "rule"}}
            return Tried("wrong", answer.say, params, would)
    return Tried("wrong", "other", {}, would)
