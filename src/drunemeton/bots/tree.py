"""The rows that a search grows its tree in: flat ones for compiled rules, nested lists for plain ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..rules.drive import Engine
from .judgement import MOST_CELLS
from .levels import LONGEST

# Columns of a node in the row of whole numbers, and in the row of sums.
KEY, ACTION, CHILD, NEXT, VISITS, OFFERED, MOVER = range(7)
WIDTH = 7
SUM, PRIOR = range(2)
MOST_SEATS = 8
MOST_NODES = 1_500_000  # of one tree: 60 MB


class Rows(NamedTuple):
    """What a tree grows in: its nodes and their sums, the child of each thing that can be seen, the way down, each seat's chances.

    And what it judges with, if that was learnt: the mind, what it counts by seat, and its cells.
    """

    nodes: Any
    sums: Any
    slots: Any
    path: Any
    worth: Any
    gains: Any
    mind: Any
    columns: Any
    cells: Any


def rows_of(engine: Engine, whole: bool, length: int, width: int) -> Any:
    """So many rows of zeros."""
    if not engine.compiled:
        return [[0 if whole else 0.0] * width for _ in range(length)]
    import numpy as np

    return np.zeros((length, width), np.int32 if whole else np.float64)


def wide_rows(engine: Engine, length: int, width: int) -> Any:
    """So many rows of zeros, in which sets of fields have a place."""
    if not engine.compiled:
        return [[0] * width for _ in range(length)]
    import numpy as np

    return np.zeros((length, width), np.int64)


class Tree:
    """The rows that one search grows in."""

    def __init__(self, engine: Engine, seen: int, capacity: int, width: int) -> None:
        self.engine, self.capacity = engine, capacity
        self.nodes, self.sums = self._fresh()
        self.slots = rows_of(engine, True, 1, seen)[0]
        self.slots[:] = [-1] * seen
        self.path = rows_of(engine, True, 1, LONGEST + 1)[0]
        self.worth, self.gains = rows_of(engine, False, 2, MOST_SEATS)  # gains: by seat, summed over all simulations since `clear`
        self.columns, self.cells = wide_rows(engine, MOST_SEATS, width), engine.row(MOST_CELLS)
        self.states = engine.box(engine.game.state_type(), 2)
        # A root that was kept has children of many worlds, more than any one world has moves; but no two that are seen alike.
        self.found = rows_of(engine, True, seen, 3)
        self.totals = rows_of(engine, False, 1, seen)[0]
        self.spare: tuple[Any, Any] | None = None
        self.clear()

    def _fresh(self) -> tuple[Any, Any]:
        return rows_of(self.engine, True, self.capacity, WIDTH), rows_of(self.engine, False, self.capacity, 2)

    def rows(self, mind: Any) -> Rows:
        """The rows as the search takes them."""
        return Rows(self.nodes, self.sums, self.slots, self.path, self.worth, self.gains, mind, self.columns, self.cells)

    def clear(self) -> None:
        """Nothing but the root."""
        self.nodes[0][:] = [0, -1, -1, -1, 0, 0, -1]
        self.gains[:] = [0.0] * MOST_SEATS
        self.used = 1

    def children(self, count: int) -> Iterator[tuple[int, int, int, float]]:
        """Key, action, visits and sum of so many children that `root_children` has found."""
        found, totals = self.found[:count], self.totals[:count]
        if self.engine.compiled:
            found, totals = found.tolist(), totals.tolist()
        for (key, action, times), total in zip(found, totals, strict=True):
            yield key, action, times, total

    def spare_rows(self) -> tuple[Any, Any]:
        """A second set of rows, made when first needed."""
        if self.spare is None:
            self.spare = self._fresh()
        return self.spare
