"""Tables that begin at an arranged position: to play on from there, or as a stage of a lesson, where tries are judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..lessons import Arrangement, Stage, arrange, find_stage, judge, reply
from ..lessons.attempt import reached
from ..rules.errors import GameError
from ..rules.game import Game
from .errors import Refused


def begun_at(opening: Mapping[str, Any], stage: Stage, *, lesson: bool) -> dict[str, Any]:
    """The first entry of a table that begins at a stage's position: such a shuffle is not auditable, whatever comes later."""
    entry = dict(opening)
    if not stage.closing:
        entry |= {"arranged": arrange(stage).describe(), "auditable": False}
    return entry | ({"lesson": stage.name} if lesson else {})


def seats_of(stage: Stage, name: str) -> list[dict[str, Any]]:
    """Who sits where in a lesson: the learner, and bots that play what the stage says or, in the closing game, for themselves."""
    others = {"kind": "bot", "bot": stage.bot or "greedy"}
    return [{"kind": "person", "name": name} if seat == stage.seat else dict(others) for seat in range(stage.seats)]


class Lesson:
    """A stage being played at a table."""

    def __init__(self, stage: Stage, plan: Arrangement) -> None:
        self.stage, self.plan = stage, plan
        self.begun = len(plan.moves) + 1  # steps of the arrangement, set-up among them

    @classmethod
    def at(cls, opening: Mapping[str, Any], plan: Arrangement | None) -> Lesson | None:
        """The stage that a table's first entry names; none if it is no longer there: then the table is an arranged one."""
        try:
            return cls(find_stage(opening["game"], opening["lesson"]), plan or Arrangement([], [])) if "lesson" in opening else None
        except GameError:
            return None

    def check(self, game: Game, move: str) -> None:
        """Refuse a legal move that does not lead to the goal, and say what it would bring; it is tried on a board of its own."""
        if self.stage.closing:
            return
        if self.done(game):
            raise Refused("lesson_done")
        played = [step.move for step in game.steps[self.begun :]]
        verdict = judge(self.stage, played, move, self.plan)
        if verdict.kind == "wrong":
            rule = self.stage.rules[0] if self.stage.rules else None
            raise Refused(self.stage.key(f"wrong.{verdict.say}"), rule, **verdict.params)

    def done(self, game: Game) -> bool:
        """Whether the goal is reached, or the closing game over."""
        return game.over if self.stage.closing else reached(self.stage, game, self.begun)

    def reply(self, game: Game) -> str | None:
        """What another seat plays now by the stage."""
        return None if self.done(game) else reply(self.stage, game, self.begun)

    def describe(self) -> dict[str, Any]:
        """The stage as the page needs it."""
        stage = self.stage
        return {**stage.describe(), "solution": list(stage.solution), "point": list(stage.point), "asks": list(stage.asks)}
