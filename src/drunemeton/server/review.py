"""Reviews of finished games, of this server's tables and of records that somebody hands in.

The bots' processes do the work, a fraction of a second at a time and behind every move, hint and table; the server only hands pieces
around, which it does not open. Whoever wants a review asks again and again: when nobody has asked for a while, the work rests. A table
keeps its review; of a record that was handed in nothing is kept but, for a while, the answer in memory.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import records
from ..appraisal.shape import is_current
from ..rules.game import Game
from ..table import Table
from .bot_pool import BotPool, GivenUp
from .dependencies import problem
from .limits import Buckets
from .live_table import Gone, LiveTable
from .settings import Settings

KEPT = 24  # games that are worked at, or were lately
PATIENCE = 45.0  # seconds: who has not asked for so long has left
AT_ONCE = 16  # steps that one question asks for; a process stops when its time is over
TRIES = 3


@dataclass
class ReviewJob:
    """A review in the making."""

    ident: str
    text: str
    game: type[Game]
    client: str
    keep: Callable[[str], Awaitable[None]] | None  # how it is kept, if it is
    asked: float
    steps: int = 0
    review: str = ""  # JSON: the graph alone, then the whole
    whole: bool = False
    kept: bool = False
    problem: str | None = None
    pieces: dict[int, str] = field(default_factory=dict)  # by step
    weighed: dict[tuple[int, int, str], str] = field(default_factory=dict)  # some moves of a moment
    task: asyncio.Task[None] | None = None

    def told(self) -> bytes:
        """How far it is."""
        state = "failed" if self.problem else "ready" if self.whole else "working"
        return shown(self.ident, state, len(self.pieces), self.steps, self.problem, self.review)


def may_be_told(table: Table) -> bool:
    """Whether anybody may be told what the positions of a game are worth: not while somebody plays it."""
    return bool(table.over)


def shown(ident: str, state: str, done: int, steps: int, problem: str | None, review: str) -> bytes:
    """The answer; the review in it is JSON already."""
    head = json.dumps({"id": ident, "state": state, "done": done, "steps": steps, "problem": problem})
    return f'{head[:-1]}, "review": {review or "null"}}}'.encode()


class Reviews:
    """The reviews of one server."""

    def __init__(self, pool: BotPool, settings: Settings, home: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        self.pool, self._home, self._clock = pool, home, clock
        self.buckets = Buckets(settings.reviews_per_hour / 3600, settings.reviews_burst)
        self._jobs: OrderedDict[str, ReviewJob] = OrderedDict()

    async def of_table(self, live: LiveTable, client: str) -> bytes:
        """The review of a table's game, from the table if it has one."""
        table = live.table
        if not may_be_told(table):
            raise problem(409, "running", "while somebody plays, nobody is told what a position is worth")
        whole = "" if table.review is None else gzip.decompress(base64.b64decode(table.review)).decode()
        if is_current(whole):
            return shown(table.ident, "ready", len(table.game.steps) - 1, len(table.game.steps) - 1, None, whole)

        async def keep(review: str) -> None:
            packed = base64.b64encode(gzip.compress(review.encode(), 6, mtime=0)).decode()
            await live.change(lambda one, now: one.note_review(packed, now=now))

        job = self._jobs.get(table.ident)
        if job is not None:
            job.keep = keep  # whoever reads a review sits at no table, which may have left memory and come back since
            if job.whole:
                await self._keep(job)
        text = job.text if job else records.write(table.game, table.result)
        return self._asked(table.ident, text, table.game_type, client, keep)

    async def of_text(self, text: str, client: str) -> bytes:
        """The review of a record that is handed in."""
        ident = self._home + hashlib.sha256(text.encode()).hexdigest()[:40]
        return self._asked(ident, text, records.game_of(records.read(text)), client, None)

    def again(self, ident: str) -> bytes | None:
        """The review of a record that was handed in before; None if it is not known any more."""
        job = self._jobs.get(ident)
        if job is None or job.keep is not None:
            return None
        return self._asked(ident, job.text, job.game, job.client, None)

    def _asked(self, ident: str, text: str, game: type[Game], client: str, keep: Callable[[str], Awaitable[None]] | None) -> bytes:
        job = self._jobs.get(ident)
        if job is None:
            if not self.buckets.take(client) or not self._make_room():
                raise problem(429, "too_fast", "too many games are reviewed now; wait a while")
            job = self._jobs[ident] = ReviewJob(ident, text, game, client, keep, self._clock())
        job.asked = self._clock()
        self._jobs.move_to_end(ident)
        if not job.whole and job.problem is None and (job.task is None or job.task.done()):
            job.task = asyncio.get_running_loop().create_task(self._work(job))
        return job.told()

    def _make_room(self) -> bool:
        """Forget what was asked for longest ago, and is not being worked at."""
        resting = [ident for ident, job in self._jobs.items() if job.task is None or job.task.done()]
        while len(self._jobs) >= KEPT and resting:
            del self._jobs[resting.pop(0)]
        return len(self._jobs) < KEPT

    async def _work(self, job: ReviewJob) -> None:
        try:
            if not job.steps:
                first = await self._piece(job, "first", None)
                if "problem" in first:
                    job.problem = first["problem"]
                    return
                job.steps, job.review = first["steps"], first["review"]
            # The first piece alone: whatever must still be compiled is compiled once.
            await self._pieces(job, "judge", deque([1]), job.pieces)
            if not await self._all(job, "judge", range(1, job.steps + 1), job.pieces):
                return
            judged = list(job.pieces.values())
            tries = (await self._piece(job, "tries", (judged,)))["tries"]
            if not await self._all(job, "weigh", list(map(tuple, tries)), job.weighed):
                return
            whole = await self._piece(job, "whole", (judged, list(job.weighed.values())))
            job.review, job.whole = whole["review"], True
            await self._keep(job)
        except GivenUp:
            job.problem = "failed"

    async def _keep(self, job: ReviewJob) -> None:
        """Have a whole review kept, once; where its table has left memory, whoever asks next has it kept."""
        if job.keep is None or job.kept:
            return
        job.kept = True
        try:
            await job.keep(job.review)
        except Gone:
            job.kept = False

    async def _all(self, job: ReviewJob, what: str, asked: Sequence[Any], into: dict[Any, str]) -> bool:
        """Have all of it worked at, by all processes; false if nobody has asked for a while."""
        ahead = deque(one for one in asked if one not in into)
        await asyncio.gather(*(self._pieces(job, what, ahead, into) for _ in self.pool.processes))
        return len(into) >= len(asked)

    async def _pieces(self, job: ReviewJob, what: str, ahead: deque[Any], into: dict[Any, str]) -> None:
        """Work as long as there is something to do, and somebody wants to know."""
        while ahead and self._clock() - job.asked < PATIENCE:
            some = [ahead.popleft() for _ in range(min(AT_ONCE, len(ahead)))]
            found = (await self._piece(job, what, some))["pieces"]
            into.update(zip(some, found, strict=False))
            ahead.extendleft(reversed(some[len(found) :]))

    async def _piece(self, job: ReviewJob, what: str, more: Any) -> Any:
        for left in reversed(range(TRIES)):
            try:
                return await self.pool.review(job.game, (job.text, what, more), client=job.client)
            except GivenUp:  # the process may have been ended for another reason, or the machine is busy
                if not left:
                    raise
        raise AssertionError

    async def close(self) -> None:
        """Stop working."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
