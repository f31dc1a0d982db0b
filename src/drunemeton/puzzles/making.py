"""Makes a set of puzzles: deal after deal, side by side, into a file of lines that says how far it is, so that it can be gone on with."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from ..bots.arena import workers
from ..rules.errors import GameError
from ..rules.game import Game
from .finding import find_in, mark_of_finder
from .puzzle import Puzzle, is_like

FIRST_DEAL = 7_000_000  # of seed 0
SEEDED = 100_000  # deals of each seed


@dataclass(frozen=True)
class Looked:
    """A deal that was looked at, and what it added to the set."""

    deal: int
    new: int
    puzzles: int


class Making:
    """A set in the making. Its file has a line for each deal, in their order, with the puzzles that it added."""

    def __init__(self, game: type[Game], path: Path, *, seats: int = 2, seed: int = 0) -> None:
        self.game, self.path, self.seats, self.seed = game, path, seats, seed
        self.next = FIRST_DEAL + SEEDED * seed
        self.head = {"game": game.name, "seats": seats, "seed": seed, "finder": mark_of_finder(game.name)}
        self.puzzles: list[Puzzle] = []
        self._read()

    def _read(self) -> None:
        if not self.path.is_file():
            return
        whole = [line for line in self.path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
        for line in whole:
            told = json.loads(line)
            if {name: told.get(name) for name in self.head} != self.head:
                raise GameError(f"{self.path} holds puzzles of another game, number of seats, seed or finder: name another file")
            self.puzzles += [Puzzle.read(one) for one in told["puzzles"]]
            self.next = told["deal"] + 1
        if sum(map(len, whole)) < len(self.path.read_text(encoding="utf-8")):  # it was killed while it wrote
            self.path.write_text("".join(whole), encoding="utf-8")

    def run(self, count: int, *, processes: int = 1, minutes: float | None = None) -> Iterator[Looked]:
        """Look at deals until there are so many puzzles, or time is over; what was found is in the file whenever this stops."""
        until = None if minutes is None else time.monotonic() + 60 * minutes
        if len(self.puzzles) >= count:
            return
        waiting: deque[tuple[int, Future[list[str]]]] = deque()
        pool, ahead = workers(processes, _undisturbed), self.next
        with self.path.open("a", encoding="utf-8") as file:
            try:
                while len(self.puzzles) < count and (until is None or time.monotonic() < until):
                    while len(waiting) < 2 * processes:
                        waiting.append((ahead, pool.submit(find_in, self.game.name, self.seats, ahead)))
                        ahead += 1
                    deal, found = waiting.popleft()
                    added = self._take(Puzzle.read(line) for line in found.result())
                    file.write(json.dumps(self.head | {"deal": deal, "puzzles": [one.written() for one in added]}) + "\n")
                    file.flush()
                    os.fsync(file.fileno())
                    self.next = deal + 1
                    yield Looked(deal, len(added), len(self.puzzles))
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def _take(self, found: Iterator[Puzzle]) -> list[Puzzle]:
        """Those that are like none that we have."""
        added: list[Puzzle] = []
        for puzzle in found:
            if not any(is_like(puzzle, other) for other in self.puzzles):
                self.puzzles.append(puzzle)
                added.append(puzzle)
        return added


def _undisturbed() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who started us
