"""Where bots think: a few processes of their own, first come first served, at most one question per table.

A bot that fails, stalls, dies or answers nonsense never hangs a table: its process is ended, the caller plays any legal move instead, and
the next question starts a fresh one. In processes of their own, because a thread would take turns with the event loop at running Python.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from typing import Any

from ..bots.process import question
from ..rules.game import Game
from .logs import log

START_SECONDS = 180.0  # to start Python, load the rules and make a bot; the first advice ever may have to compile the search
LONGEST_ANSWER = 1 << 22  # an answer's length at most: all moves of a large game with what the bot thinks of each
MAKER = "drunemeton.bots:make_bot"


class GivenUp(Exception):
    """The bot has no answer."""


class BotProcess:
    """A process that answers one question at a time; it is started by the first."""

    def __init__(self, maker: str) -> None:
        self.maker = maker
        self.process: Process | None = None
        self._ended: Process | None = None

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
        paths = os.pathsep.join(path for path in sys.path if path)
        command = (sys.executable, "-P", "-m", "drunemeton.bots.process", self.maker)  # -P: nothing is run from the folder we are in
        return await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONPATH": paths}, limit=LONGEST_ANSWER
        )

    async def _hear(self, seconds: float) -> dict[str, Any]:
        assert self.process is not None
        assert self.process.stdout is not None
        async with asyncio.timeout(seconds):
            line = await self.process.stdout.readline()
        said: dict[str, Any] = json.loads(line)
        return said

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


class BotPool:
    """The processes in which bots think."""

    def __init__(self, processes: int, seconds: float, maker: str = MAKER) -> None:
        self.seconds = seconds
        self.processes = [BotProcess(maker) for _ in range(processes)]
        self._idle = list(self.processes)  # the last to finish is the first to go on: its bots are warm
        # Who waits for a move comes before who waits for advice, each first come first served.
        self._waiting: tuple[deque[asyncio.Future[BotProcess]], ...] = (deque(), deque())

    async def choose(self, game: type[Game], bot: str, knowledge: Any, seed: int) -> int:
        """The action that a bot chooses; GivenUp if it has none in time."""
        return int(await self.ask(game, bot, knowledge, seed, "choose"))

    async def ask(self, game: type[Game], bot: str, knowledge: Any, seed: int, what: str) -> Any:
        """A bot's answer to what it is asked to do; GivenUp if it has none in time."""
        text = question(game.name, bot, knowledge, seed, what)
        process = await self._free(self._waiting[what != "choose"])
        try:
            return await process.ask(text, self.seconds)
        except GivenUp as problem:
            log("bot_failed", level=logging.WARNING, game=game.name, bot=bot, why=str(problem))
            raise
        finally:
            self._release(process)

    async def _free(self, queue: deque[asyncio.Future[BotProcess]]) -> BotProcess:
        if self._idle:
            return self._idle.pop()
        turn: asyncio.Future[BotProcess] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(turn.result())
            raise

    def _release(self, process: BotProcess) -> None:
        for queue in self._waiting:
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    turn.set_result(process)
                    return
        self._idle.append(process)

    async def close(self) -> None:
        """End the processes."""
        for process in self.processes:
            process.end()
        for process in self.processes:
            await process.gone()
