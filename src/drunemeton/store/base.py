"""What a store must do.

Entries, which are nearly all that is ever written, go through a process of their own; the rest is written by the store itself, which
answers with futures, so that many writes can share one commit. A database over the network fits as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol


class StoreError(Exception):
    """The store cannot do that; the sentence says why."""


class TooNew(StoreError):
    """The store was written by a newer version."""


class Mark(NamedTuple):
    """What can be asked of tables without reading their entries."""

    touched: int  # milliseconds
    over: bool
    open_seats: int


class Entry(NamedTuple):
    """The next entry of a table."""

    table: str
    number: int
    text: str
    mark: Mark | None = None  # if it has changed


@dataclass(frozen=True)
class StoredTable:
    """A table as the list of tables has it."""

    ident: str
    game: str
    made: int
    mark: Mark


@dataclass(frozen=True)
class Pass:
    """What a key or a session opens: a seat of one table, or (None) a spectator's place there. Only its digest is kept."""

    digest: bytes
    table: str
    seat: int | None
    made: int
    session: bool = False


class Store(Protocol):
    """Where tables live. Futures are done when what they stand for is on disk."""

    def create(self, table: StoredTable, first: str, passes: Sequence[Pass]) -> Future[None]:
        """A new table with its first entry and its keys."""

    def writer(self) -> tuple[list[str], tuple[int, ...]]:
        """The command of a process that appends entries (`writer.py` says how to talk to it), and the open files that it needs."""

    def add_passes(self, passes: Sequence[Pass], *, keep: int = 0) -> Future[None]:
        """More keys or sessions; with `keep`, older ones of the same kind and seat beyond that many go."""

    def delete(self, table: str) -> Future[None]:
        """A table with everything that belongs to it."""

    def expire(self, running_before: int, over_before: int) -> Future[list[str]]:
        """Delete what nobody has touched since; answers which tables."""

    def entries(self, table: str) -> list[str]:
        """All entries of a table, in order; empty if there is none."""

    def find_pass(self, digest: bytes, *, session: bool) -> Pass | None:
        """What a digest opens."""

    def lobby(self, limit: int) -> list[StoredTable]:
        """Running tables with an open seat, newest first."""

    def backup(self, target: Path) -> None:
        """A consistent copy, while everything runs."""

    def close(self) -> None:
        """Finish what was begun."""
