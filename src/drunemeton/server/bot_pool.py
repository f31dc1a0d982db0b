"""Where bots think: a few processes of their own, at most one question per table.

A bot that fails, stalls, dies or answers nonsense never hangs a table: its process is ended, the caller plays any legal move instead, and
the next question starts a fresh one. In processes of their own, because a thread would take turns with the event loop at running Python.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..appraisal.thinking import REVIEWER
from ..bots.process import question
from ..rules.game import Game
from ..store.processes import command_of
from .limits import Buckets
from .logs import log

START_SECONDS = 180.0  # to start Python, load the rules and make a bot; the first advice ever may have to compile the search
# A process says every few seconds that it lives: one that does not, and does not work either, is ended. Who compiles cannot speak
# meanwhile, and on a busy machine that takes long.
FROZEN_SECONDS = 10.0
FIRST_SECONDS = 60.0  # until it first says so: Python must start, on a machine that may be busy
WATCHED, ADVICE, ALONE, REVIEW = range(4)  # who is asked first
REMEMBERED = 1000
# What one client's tables may think that nobody looks at: so long at once, and such a share of the time in the long run.
ALONE_SECONDS, ALONE_SHARE = 30.0, 0.05
LONGEST_ANSWER = 1 << 22  # an answer's length at most: all moves of a large game with what the bot thinks of each
MAKER = "drunemeton.appraisal.thinking:make"


class GivenUp(Exception):
    """The bot has no answer."""


class BotProcess:
    """A process that answers one question at a time; it is started by the first."""

    def __init__(self, maker: str) -> None:
        self.maker = maker
        self.process: Process | None = None
        self._ended: Process | None = None
        self._has_spoken = False

    async def ask(self, text: bytes, seconds: float) -> Any:
        """A bot's answer; GivenUp if it has none in time."""
        try:
            if self.process is None:
                self.process = await self._start()
            assert self.process.stdin is not None
            self.process.stdin.write(text)
            said = await self._hear(START_SECONDS)
            if "begun" in said:
                said = await self._hear(seconds)
        except BaseException as problem:  # whoever stops waiting, too: the next question must not get this answer
            self.end()
            if isinstance(problem, TimeoutError | OSError | ValueError):
                raise GivenUp("stalled" if isinstance(problem, TimeoutError) else "died") from problem
            raise
        if "problem" in said:
            raise GivenUp(f"{said['problem']} at {said['where']}")
        return said["answer"]

    async def _start(self) -> Process:
        await self.gone()
        self._has_spoken = False
        command = command_of("drunemeton.bots.process", self.maker)
        return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=LONGEST_ANSWER)

    async def _hear(self, seconds: float) -> dict[str, Any]:
        async with asyncio.timeout(seconds):
            while True:
                said: dict[str, Any] = json.loads(await self._line())
                self._has_spoken = True
                if "alive" not in said:
                    return said

    async def _line(self) -> bytes:
        """What the process says next; TimeoutError if it neither speaks nor works."""
        assert self.process is not None
        assert self.process.stdout is not None
        reading = asyncio.ensure_future(self.process.stdout.readline())
        try:
            before = processor_time(self.process.pid)
            while not (await asyncio.wait({reading}, timeout=FROZEN_SECONDS if self._has_spoken else FIRST_SECONDS))[0]:
                now = processor_time(self.process.pid)
                if now == before:
                    raise TimeoutError
                before = now
            return reading.result()
        finally:
            reading.cancel()

    def end(self) -> None:
        """End the process, whatever it does."""
        if self.process is not None:
            assert self.process.stdin is not None
            self.process.stdin.close()
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self._ended, self.process = self.process, None

    async def gone(self) -> None:
        """Wait until a process that was ended is no more."""
        if self._ended is not None:
            await self._ended.wait()
            self._ended = None


def processor_time(pid: int) -> int | None:
    """How long a process has worked, in ticks; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except OSError:
        return None


class Waiting(NamedTuple):
    """Somebody who waits for a process."""

    rank: Callable[[], int]  # people before advice before tables that nobody looks at; somebody may come or go meanwhile
    client: str
    turn: asyncio.Future[BotProcess]


class BotPool:
    """The processes in which bots think, and who is next.

    A table at which somebody waits for the bot comes before advice, and a table that nobody looks at comes last, and has little time. Among
    equals the client whose bots have thought least of late is next: who has forty tables gets as much as who has one. Time that is long
    past counts less.
    """

    def __init__(self, processes: int, seconds: float, maker: str = MAKER, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.processes = [BotProcess(maker) for _ in range(processes)]
        self._idle = list(self.processes)  # the last to finish is the first to go on: its bots are warm
        self._waiting: list[Waiting] = []
        self._clock = clock
        self._thought: dict[str, tuple[float, float]] = {}  # by client: seconds of thinking, and as of when
        self._alone = Buckets(ALONE_SHARE, ALONE_SECONDS, clock)

    async def choose(
        self, game: type[Game], bot: str, knowledge: Any, seed: int, *, client: str = "", rank: Callable[[], int] = lambda: WATCHED
    ) -> int:
        """The action that a bot chooses; GivenUp if it has none in time."""
        text = question(game.name, bot, knowledge, seed, "choose")
        return int(await self._ask(game, bot, text, client, rank))

    async def advise(self, game: type[Game], bot: str, knowledge: Any, seed: int, *, client: str) -> Any:
        """What a bot thinks of every move; GivenUp if it does not know in time."""
        text = question(game.name, bot, knowledge, seed, "consider")
        return await self._ask(game, bot, text, client, lambda: ADVICE)

    async def review(self, game: type[Game], asked: tuple[str, str, Any], *, client: str) -> Any:
        """A piece of a review, behind everything that is played; GivenUp if it does not come in time."""
        return await self._ask(game, REVIEWER, question(game.name, REVIEWER, asked, 0, "review"), client, lambda: REVIEW)

    async def reasons(self, game: type[Game], asked: tuple[Any, int, int | None], seed: int, *, client: str) -> Any:
        """Why one action is better than another, from what a seat knows; GivenUp if nobody can say in time."""
        text = question(game.name, REVIEWER, ("", "why", asked), seed, "review")
        return (await self._ask(game, REVIEWER, text, client, lambda: ADVICE))["why"]

    def rest(self, client: str) -> float:
        """How many seconds a client's bots are to wait where nobody looks at them."""
        return self._alone.owe(client, 0.0)

    async def _ask(self, game: type[Game], bot: str, text: bytes, client: str, rank: Callable[[], int]) -> Any:
        process = await self._free(rank, client)
        began, alone = self._clock(), rank() == ALONE
        try:
            return await process.ask(text, self.seconds)
        except GivenUp as problem:
            log("bot_failed", level=logging.WARNING, game=game.name, bot=bot, why=str(problem))
            raise
        finally:
            took = self._clock() - began
            self._charge(client, took)
            if alone:
                self._alone.owe(client, took)
            self._release(process)

    def _charge(self, client: str, seconds: float) -> None:
        self._thought[client] = (self.thought(client) + seconds, self._clock())
        if len(self._thought) > REMEMBERED:
            self._thought = {one: kept for one, kept in self._thought.items() if self.thought(one) > 0.1}

    def thought(self, client: str) -> float:
        """How much a client's bots have thought of late, in seconds; half of it is forgotten every minute."""
        seconds, at = self._thought.get(client, (0.0, 0.0))
        return float(seconds * 0.5 ** ((self._clock() - at) / 60.0))

    async def _free(self, rank: Callable[[], int], client: str) -> BotProcess:
        if self._idle:
            return self._idle.pop()
        mine = Waiting(rank, client, asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        try:
            return await mine.turn
        except asyncio.CancelledError:
            if mine.turn.done() and not mine.turn.cancelled():
                self._release(mine.turn.result())
            elif mine in self._waiting:
                self._waiting.remove(mine)
            raise

    def _release(self, process: BotProcess) -> None:
        self._waiting = [one for one in self._waiting if not one.turn.done()]
        if self._waiting:
            chosen = min(self._waiting, key=lambda one: (one.rank(), self.thought(one.client)))  # the first of equals has waited longest
            self._waiting.remove(chosen)
            chosen.turn.set_result(process)
        else:
            self._idle.append(process)

    async def close(self) -> None:
        """End the processes."""
        for process in self.processes:
            process.end()
        for process in self.processes:
            await process.gone()
