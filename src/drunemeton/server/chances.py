"""The chances of a running game, for everybody alike: from what all can see, and only where no person plays who has not agreed.

What is handed to the bots' processes is the story as a spectator was told it, and nothing else: no hand, no pile, no shuffle. Whoever looks
asks again and again; when nobody has asked for a while, the work rests.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from ..bots.arena import shares
from ..rules.game import Game
from ..rules.kernel import SPECTATOR
from ..rules.story import told_to
from ..table import Table
from .bot_pool import BotPool, GivenUp
from .dependencies import problem
from .live_table import LiveTable

KEPT = 24  # tables that are looked at, or were lately
PATIENCE = 20.0  # seconds: who has not asked for so long has left
AT_ONCE = 16  # steps that one question asks for; a process stops when its time is over
Chances = list[float]


def may_be_shown(table: Table, agreed: Collection[int]) -> bool:
    """Whether the chances of a game may be shown: at tables of bots alone, when every person has agreed or is out, and after the end."""
    if table.waiting_for or table.lesson is not None:
        return False
    return table.over or all(
        seat.kind == "bot" or (seat.kind == "person" and (seat.out is not None or number in agreed))
        for number, seat in enumerate(table.seats)
    )


def public_story(game: Game) -> dict[str, Any]:
    """A game as those who only watch were told it: how it was laid out, and step by step what happened."""
    story = [told_to(step.rows, SPECTATOR) for step in game.steps]
    return {"seats": game.seats, "options": game.options, "components": game.components, "story": story}


def marks_of(story: list[Any]) -> list[bytes]:
    """A mark for each step that hangs on all that was told up to there: what was taken back and played otherwise has another one."""
    marks, so_far = list[bytes](), hashlib.sha256()
    for rows in story:
        so_far.update(repr(rows).encode())
        marks.append(so_far.digest())
    return marks


def _open_steps(table: Table) -> int:
    """After how many steps something was still to be decided: what comes after the last needs no appraisal."""
    return len(table.game.steps) - (table.game.to_move is None)


def reached_at(table: Table) -> list[int]:
    """For each step that stands: the revision that brought it."""
    reached = [0] * table.begun
    for revision, entry in enumerate(table.entries):
        if entry["kind"] == "move":
            reached.append(revision)
        elif entry["kind"] == "undo":
            del reached[entry["steps"] :]
    return reached


@dataclass
class Graph:
    """The chances of one table, as far as they are known."""

    asked: float
    client: str
    points: dict[bytes, Chances] = field(default_factory=dict)  # by the mark of the step
    task: asyncio.Task[None] | None = None


class Graphs:
    """The chances of running games on one server."""

    def __init__(self, pool: BotPool, clock: Callable[[], float] = time.monotonic) -> None:
        self.pool, self._clock = pool, clock
        self._graphs: OrderedDict[str, Graph] = OrderedDict()

    def of_table(self, live: LiveTable, client: str) -> dict[str, Any]:
        """The chances after each step from set-up on, as far as they are known; where nobody may know, the same refusal for everybody."""
        table = live.table
        if not may_be_shown(table, live.agreed):
            raise problem(409, "playing", "while somebody plays who has not agreed, nobody is told what a position is worth")
        graph = self._graphs.setdefault(table.ident, Graph(self._clock(), client))
        graph.asked, graph.client = self._clock(), client
        self._graphs.move_to_end(table.ident)
        while len(self._graphs) > KEPT:
            self._graphs.popitem(last=False)
        marks = marks_of(public_story(table.game)["story"])
        known = list(itertools.takewhile(bool, (graph.points.get(mark, []) for mark in marks)))
        if len(known) < _open_steps(table) and (graph.task is None or graph.task.done()):
            graph.task = asyncio.get_running_loop().create_task(self._work(graph, live))
        if table.result is not None and len(known) == _open_steps(table) < len(marks):
            known.append(shares(table.result.places))
        return {"steps": len(marks) - 1, "points": known, "revisions": reached_at(table)[: len(known)]}

    async def _work(self, graph: Graph, live: LiveTable) -> None:
        """Appraise what has not been, from the beginning on, as long as somebody wants to know and may."""
        table = live.table
        while not live.gone and may_be_shown(table, live.agreed) and self._clock() - graph.asked < PATIENCE:
            told = public_story(table.game)
            marks = marks_of(told["story"])
            graph.points = {mark: graph.points[mark] for mark in marks if mark in graph.points}
            missing = [step for step, mark in enumerate(marks[: _open_steps(table)]) if mark not in graph.points][:AT_ONCE]
            if not missing:
                return
            try:
                found = await self.pool.review(table.game_type, ("", "public", {**told, "steps": missing}), client=graph.client)
            except GivenUp:
                return  # whoever asks next has it tried again
            for step, chances in zip(missing, found["chances"], strict=False):
                graph.points[marks[step]] = chances

    async def close(self) -> None:
        """Stop working."""
        tasks = [graph.task for graph in self._graphs.values() if graph.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
