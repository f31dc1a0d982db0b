"""Makes a set of puzzles: deal after deal, side by side, into a file of lines that says how far it is, so that it can be gone on with."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

from ..appraisal.value import SURE
from ..bots.arena import workers
from ..bots.kept import alone_at
from ..bots.search import Considered
from ..rules import game as rules
from ..rules.errors import GameError
from ..rules.game import Game
from ..rules.kernel import Desk
from .check import holds
from .finding import Finder, find_in, mark_of_finder
from .puzzle import Puzzle, is_like, knowledge_of, made_of, puzzles, shipped, write_set

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
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        unlike = f"{self.path} holds no puzzles in the making: name another file, or one that is not there yet"
        for line in whole:
            try:
                told = json.loads(line)
                ours = {name: told.get(name) for name in self.head} == self.head
                found = [Puzzle.read(one) for one in told["puzzles"]] if ours else []
                self.next = told["deal"] + 1 if ours else self.next
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise GameError(unlike) from None
            if not ours:
                raise GameError(f"{self.path} holds puzzles of another game, number of seats, seed or finder: name another file")
            self.puzzles += found
        if len(whole) < len(lines):  # it was killed while it wrote, or this is somebody's file of another kind
            begins = json.dumps(self.head)[:-1]
            if not lines[-1].startswith(begins) and not begins.startswith(lines[-1]):
                raise GameError(unlike)
            self.path.write_text("".join(whole), encoding="utf-8")

    def run(self, count: int, *, processes: int = 1, minutes: float | None = None) -> Iterator[Looked]:
        """Look at deals until there are so many puzzles, or time is over; what was found is in the file whenever this stops."""
        until = None if minutes is None else time.monotonic() + 60 * minutes
        if len(self.puzzles) >= count:
            return
        waiting: deque[tuple[int, Future[list[str]]]] = deque()
        ahead = self.next
        with self.path.open("a", encoding="utf-8") as file, workers(processes) as pool:
            alone_at(file, self.path)
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
            pool.shutdown(wait=False, cancel_futures=True)

    def _take(self, found: Iterator[Puzzle]) -> list[Puzzle]:
        """Those that are like none that we have."""
        added: list[Puzzle] = []
        for puzzle in found:
            if not any(is_like(puzzle, other) for other in self.puzzles):
                self.puzzles.append(puzzle)
                added.append(puzzle)
        return added


def told_again(finder: Finder, puzzle: Puzzle) -> Puzzle | None:
    """A puzzle with the reasons that are found today, its search as it was; None if a person could not see why any more."""
    known, desk = knowledge_of(finder.game, puzzle.knows), Desk()
    actions = {finder.game.move_text(known, action): action for action in desk.moves[: rules.legal(known, desk)]}
    thought = [Considered(actions[one.move], 0, one.value, one.within / SURE) for one in puzzle.moves]
    again = finder.puzzle_of(finder.engine.box(known), thought, puzzle.missed)
    return again and replace(puzzle, theme=again.theme, moves=again.moves)


def explain_anew(game: type[Game], added: Making) -> list[Puzzle]:
    """Tell the reasons of a game's puzzles anew and make what is left of them, with what was added, the puzzles of the page."""
    finder = Finder(game)
    kept = [again for one in puzzles(game.name) if (again := told_again(finder, one))]
    kept += [one for one in added.puzzles if not any(is_like(one, other) for other in kept) and holds(one)]
    more = {"explained": mark_of_finder(game.name)} | ({"added": added.head} if added.puzzles else {})
    write_set(shipped(game.name), kept, made_of(game.name) | more)
    return kept
