"""Each seat's chance to win at a glance: by an outlook that people wrote down, or by what was learnt from played games.

What was learnt is a small network over a game's *columns* (`bots/<game>_columns.py`), with a straight way around its one hidden layer; with
no hidden cells it is a plain weighted sum. All of it is whole numbers, added up in one order, so every machine judges alike.
`training/judgement.py` plays the games and makes the file.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from ..rules.errors import GameError
from ..rules.game import Game, place_of, to_move
from ..rules.kernel import Grid, Record, Row, generic, rule
from .levels import judgement_path

# In which fractions weights are kept: sums of thousandths of log odds, cells, and what a cell hands on.
FINE, CELL, PASSED = 10, 20, 8
MOST_CELLS = 64
HEAD = 2  # of a mind: how many columns, how many cells; then what each cell gives, where it begins, and by column all weights


@generic
def outlook(s: Record, seat: int) -> int:
    """What a seat's own side of a position is worth; who is ahead shows in the difference."""
    raise NotImplementedError


@generic
def survey(s: Record, rows: Grid) -> None:
    """Count a position's columns for every seat."""
    raise NotImplementedError


@rule
def no_survey(s: Record, rows: Grid) -> None:
    """Of a game for which nothing can be learnt this way."""


@rule
def felt(row: Row, mind: Any, cells: Any) -> int:
    """What a seat's columns come to, in thousandths of log odds."""
    count = mind[1]
    for j in range(count):
        cells[j] = mind[HEAD + count + j]
    total = 0
    at = HEAD + 2 * count
    for i in range(mind[0]):
        found = row[i]
        if found != 0:
            total += found * mind[at]
            for j in range(count):
                cells[j] += found * mind[at + 1 + j]
        at += count + 1
    for j in range(count):
        if cells[j] > 0:
            total += (cells[j] >> (CELL - PASSED)) * mind[HEAD + j]
    return total >> FINE


@rule
def appraise(s: Record, seats: int, scale: float, tree: Any) -> None:
    """Each seat's chance to win, from 0 to 1: who is first if the game is over, else by the outlooks, or by a mind if there is one."""
    worth = tree.worth
    if to_move(s) < 0:
        first = 0
        for seat in range(seats):
            if place_of(s, seat) == 1:
                first += 1
        for seat in range(seats):
            worth[seat] = 1.0 / first if place_of(s, seat) == 1 else 0.0
        return
    learnt = len(tree.mind) > 0
    if learnt:
        survey(s, tree.columns)
    most = -1e18
    for seat in range(seats):
        worth[seat] = felt(tree.columns[seat], tree.mind, tree.cells) if learnt else outlook(s, seat)
        most = max(most, worth[seat])
    total = 0.0
    for seat in range(seats):
        worth[seat] = math.exp((worth[seat] - most) / scale)
        total += worth[seat]
    for seat in range(seats):
        worth[seat] /= total


def columns_of(game: type[Game]) -> ModuleType | None:
    """The file that says what can be counted in a game, if it has one."""
    name = f"{__package__}.{game.name}_columns"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


@dataclass(frozen=True)
class Judgement:
    """What was learnt of one game: a mind for each number of players, and how it came about."""

    game: str
    columns: tuple[str, ...]
    minds: Mapping[int, list[int]]
    made: Mapping[str, Any]

    @classmethod
    def read(cls, name: str) -> Judgement:
        """The judgement of that name in this house, or in the file at that path."""
        path = judgement_path(name)
        if not path.is_file():
            raise GameError(f"there is no judgement {name}")
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            minds = {int(seats): mind for seats, mind in told["minds"].items()}
            return cls(told["game"], tuple(told["columns"]), minds, told["made"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise GameError(f"{path} is no judgement that was learnt") from None

    def write(self, path: Path) -> None:
        """Keep it in a file, whole or not at all."""
        told = {"game": self.game, "made": self.made, "columns": self.columns, "minds": self.minds}
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(told, separators=(",", ":")) + "\n", encoding="utf-8")
        fresh.replace(path)

    def mind(self, game: type[Game], seats: int) -> list[int]:
        """The mind for so many players; an empty one, which leaves the word to the outlook, if nothing was learnt of such tables."""
        own = columns_of(game)
        if own is None or game.name != self.game or self.columns != own.NAMES:
            raise GameError(f"this judgement was learnt from other columns than {game.title} has now")
        return self.minds.get(seats, [])


def mind_of(straight: Any, into: Any, begin: Any, out: Any) -> list[int]:
    """A mind from a network's figures: straight weights by column, weights by column and cell, where cells begin, what they give."""
    import numpy as np

    count = len(begin)
    if count > MOST_CELLS:
        raise GameError(f"a mind has at most {MOST_CELLS} cells")
    by_column = np.concatenate([np.asarray(straight)[:, None] * 1000 * (1 << FINE), np.asarray(into) * (1 << CELL)], axis=1)
    given = np.asarray(out) * 1000 * (1 << (FINE - PASSED))
    parts = [[len(straight), count], np.rint(given), np.rint(np.asarray(begin) * (1 << CELL)), np.rint(by_column).ravel()]
    return [int(one) for part in parts for one in part]
