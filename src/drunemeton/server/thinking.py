"""Where bots think: a few threads beside the event loop, first come first served, at most one job per table.

A bot that fails, stalls or answers nonsense never hangs a table: after a time limit its job is given up, a fresh thread takes the place of
the stuck one, and the caller plays any legal move instead.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..bots import make_bot
from ..rules.game import Game
from .logs import log

LOST = 16  # so many stuck threads, and bots are no longer asked


class GivenUp(Exception):
    """The bot has no answer."""


@dataclass
class Job:
    """One question to a bot."""

    game: type[Game]
    bot: str
    knowledge: Any
    seed: int
    answer: asyncio.Future[int]
    timer: asyncio.TimerHandle | None = None
    given_up: bool = False


class Worker(threading.Thread):
    """A thread with bots of its own, since a bot thinks in buffers that it keeps."""

    def __init__(self, thinkers: Thinkers) -> None:
        super().__init__(name="bot", daemon=True)
        self.thinkers = thinkers
        self.given_up = False

    def run(self) -> None:
        """Answer until told to stop, or given up."""
        bots: dict[tuple[str, str], Any] = {}
        while not self.given_up:
            job = self.thinkers.waiting.get()
            if job is None:
                return
            problem: BaseException | None = None
            action = -1
            try:
                key = (job.game.name, job.bot)
                if key not in bots:  # may compile: not charged to the bot's time
                    bots[key] = self.thinkers.make(job.game, job.bot)
                self.thinkers.call(self.thinkers.started, job, self)
                action = int(bots[key].choose(job.knowledge, seed=job.seed))
            except BaseException as found:
                problem = found
            self.thinkers.call(self.thinkers.answered, job, action, problem)


class Thinkers:
    """The threads in which bots think."""

    def __init__(self, workers: int, seconds: float, make: Callable[[type[Game], str], Any] = make_bot) -> None:
        self.seconds = seconds
        self.make = make
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.loop = asyncio.get_running_loop()
        self.lost = 0
        self.workers = [Worker(self) for _ in range(workers)]
        for worker in self.workers:
            worker.start()

    async def choose(self, game: type[Game], bot: str, knowledge: Any, seed: int) -> int:
        """A bot's answer; GivenUp if it has none in time."""
        if self.lost >= LOST:
            raise GivenUp("too many bots are stuck")
        job = Job(game, bot, knowledge, seed, self.loop.create_future())
        self.waiting.put(job)
        return await job.answer

    def call(self, function: Callable[..., None], *values: Any) -> None:
        """Go on in the event loop, if there still is one."""
        try:
            self.loop.call_soon_threadsafe(function, *values)
        except RuntimeError:
            return

    def started(self, job: Job, worker: Worker) -> None:
        """A bot begins to think."""
        if not job.answer.done():
            job.timer = self.loop.call_later(self.seconds, self.give_up, job, worker)

    def give_up(self, job: Job, worker: Worker) -> None:
        """A bot thinks too long: its thread is left to itself, and another takes its place."""
        log("bot_stalled", level=logging.WARNING, game=job.game.name, bot=job.bot, seconds=self.seconds)
        worker.given_up = job.given_up = True
        self.lost += 1
        if worker in self.workers and self.lost < LOST:
            self.workers.remove(worker)
            fresh = Worker(self)
            self.workers.append(fresh)
            fresh.start()
        if not job.answer.done():
            job.answer.set_exception(GivenUp("stalled"))

    def answered(self, job: Job, action: int, problem: BaseException | None) -> None:
        """A bot has an answer, or failed."""
        if job.timer is not None:
            job.timer.cancel()
        if problem is not None:
            log("bot_failed", level=logging.WARNING, problem=problem, game=job.game.name, bot=job.bot)
        if job.given_up:
            self.lost -= 1  # it was stuck, and is not any more
        elif job.answer.done():
            return  # nobody waits for it any more
        elif problem is None:
            job.answer.set_result(action)
        else:
            job.answer.set_exception(GivenUp(type(problem).__name__))

    def close(self) -> None:
        """Let the threads go when they are done."""
        for _ in self.workers:
            self.waiting.put(None)
