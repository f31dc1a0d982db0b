"""Experiments that a page asks for: one at a time, bounded, each in a process of its own that gives way to everybody's moves.

On a public server there is no laboratory unless the host allows it (`DRUNEMETON_LAB=1`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from ..bots import names
from ..lab.experiment import Experiment, made
from ..lab.tables import read_player
from ..rules.errors import GameError
from ..store.processes import command_of
from .limits import Buckets
from .settings import Settings

KEPT = 8  # runs that are remembered
LONGEST = 1 << 23  # a line at most
PATIENCE = 300.0  # seconds of silence after which a process is given up; the first run ever has to compile, behind everybody else
LEAVE = 3.0  # seconds in which a run that is ended may tell what it knows
BOTS = ("random", "greedy", "level-1", "level-2", "level-3", "level-4", "level-5")


class NoLaboratory(Exception):
    """There is no laboratory here."""


class Busy(Exception):
    """Somebody else's experiment is running."""


@dataclass
class LabRun:
    """One experiment: what was said of it last, and whoever listens."""

    ident: str
    client: str
    experiment: Experiment
    asked: dict[str, Any]
    said: list[dict[str, Any]] = field(default_factory=list)  # the last picture, or the end
    over: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    process: Process | None = None

    def say(self, what: dict[str, Any]) -> None:
        """Something new is known."""
        self.said = [what]
        self.over = what["kind"] != "progress"
        self.changed.set()
        self.changed = asyncio.Event()


class Laboratory:
    """Runs experiments for one server."""

    def __init__(self, settings: Settings, home: str = "") -> None:
        self.settings, self._home = settings, home
        self.buckets = Buckets(settings.lab_per_minute / 60, settings.lab_burst)
        self._runs: OrderedDict[str, LabRun] = OrderedDict()
        self._ready: Process | None = None
        self._starting = asyncio.Lock()
        self._closed = False
        self._processes: set[Process] = set()  # all that may still run
        self._compiled: list[str] = []  # games that were run here, the last one first: to load them takes a moment, not a minute

    @property
    def open(self) -> bool:
        """Whether experiments can be asked for here."""
        return self.settings.lab if self.settings.lab is not None else self.settings.reach != "public"

    def describe(self) -> dict[str, Any]:
        """What is allowed."""
        return {"open": self.open, "deals": self.settings.lab_deals, "settings": self.settings.lab_settings, "bots": list(BOTS)}

    async def prepare(self) -> None:
        """Have a process at hand, so that the next run begins at once."""
        async with self._starting:
            if self.open and not self._closed and (self._ready is None or self._ready.returncode is not None):
                command = command_of("drunemeton.lab.process")
                self._ready = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST)
                self._processes = {one for one in self._processes if one.returncode is None} | {self._ready}
                assert self._ready.stdin is not None
                self._ready.stdin.write(json.dumps({"warm": self._compiled}).encode() + b"\n")

    async def begin(self, asked: dict[str, Any], client: str) -> LabRun:
        """Begin an experiment; an error if it cannot be played, is too large, or another is running."""
        if not self.open:
            raise NoLaboratory
        experiment = await asyncio.to_thread(self._checked, asked)
        if any(not run.over for run in self._runs.values()):
            raise Busy
        run = LabRun(self._home + self.settings.token(), client, experiment, asked)
        self._runs[run.ident] = run
        while len(self._runs) > KEPT:
            self._runs.popitem(last=False)
        run.task = asyncio.create_task(self._run(run))
        return run

    def _checked(self, asked: dict[str, Any]) -> Experiment:
        experiment = made(asked)
        most, settings = self.settings.lab_deals, self.settings.lab_settings
        games = experiment.deals * (experiment.seats if experiment.mirrored else 1)
        if games > most or len(experiment.settings) > settings:
            raise GameError(f"here an experiment has at most {most} games of each of {settings} settings")
        known = set(names(experiment.game_type)) & set(BOTS)
        for setting in experiment.settings:
            for player in setting.players:
                if read_player(player).bot not in known:  # nobody's module is imported for a page
                    raise GameError(f"{player!r} does not play here; who does: {', '.join(BOTS)}")
        return experiment

    async def _run(self, run: LabRun) -> None:
        try:
            async for said in self._hear({"experiment": run.asked, "seconds": self.settings.lab_seconds}, run):
                run.say(said)
                game = run.experiment.game
                self._compiled = [game, *(name for name in self._compiled if name != game)]
        finally:
            if not run.over:
                run.say({"kind": "failed", "problem": "stopped"})

    async def _hear(self, asked: dict[str, Any], run: LabRun | None = None) -> AsyncGenerator[dict[str, Any], None]:
        """What a process says to a question, until it has said all; it ends with whoever listens."""
        await self.prepare()
        process, self._ready = self._ready, None
        assert process is not None
        if run is not None:
            run.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            while line := await asyncio.wait_for(process.stdout.readline(), PATIENCE):
                said = json.loads(line)
                if said["kind"] != "ready":
                    yield said
        except (TimeoutError, OSError, ValueError):
            return
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def find(self, ident: str) -> LabRun | None:
        """The run of that name."""
        return self._runs.get(ident)

    async def listen(self, run: LabRun) -> AsyncIterator[bytes]:
        """What is known of a run, as server-sent events, until it is over."""
        while True:
            changed, said = run.changed, run.said
            for what in said:
                yield f"event: {what['kind']}\ndata: {json.dumps(what, separators=(',', ':'))}\n\n".encode()
            if run.over:
                return
            try:
                await asyncio.wait_for(changed.wait(), 15)
            except TimeoutError:
                yield b": still there\n\n"

    async def cancel(self, run: LabRun) -> None:
        """Whoever began it has seen enough: it ends with the deal that is being played, and tells what is known; or else at once."""
        if run.task is None or run.over:
            return
        if run.process is not None and run.process.stdin is not None:
            with contextlib.suppress(OSError):
                run.process.stdin.write(b"stop\n")
            await asyncio.wait([run.task], timeout=LEAVE)
        run.task.cancel()

    async def record(self, asked: dict[str, Any]) -> str:
        """The record of one game."""
        deal = asked.pop("deal")
        await asyncio.to_thread(self._checked, {**asked, "deals": 2})
        async with contextlib.aclosing(self._hear({"experiment": asked, "deal": deal})) as told:
            async for said in told:
                if said["kind"] == "game":
                    return str(said["record"])
                raise GameError(str(said["problem"]))
        raise GameError("this game takes too long to be played again")

    async def close(self) -> None:
        """End everything."""
        for run in self._runs.values():
            if run.task is not None and not run.task.done():
                run.task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await run.task
        async with self._starting:  # who looks at the page lets a process start, and may be doing so just now
            self._closed = True
            for process in self._processes:  # also those whose run was ended while it waited for them to end
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


__all__ = ["Busy", "LabRun", "Laboratory", "NoLaboratory"]
