"""What a store must do. One process writes (`writer.py`), the server reads; a database over the network fits as well."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol


class StoreError(Exception):
    """The store cannot do that; the sentence says why."""


def told(problem: Exception) -> str:
    """What went wrong with a store, in words."""
    if isinstance(problem, OSError) and problem.filename is not None:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)


class TooNew(StoreError):
    """The store was written by a newer version."""


class Summary(NamedTuple):
    """What can be asked of tables without reading their entries."""

    touched: int  # milliseconds
    over: bool
    open_seats: int


class StoredEntry(NamedTuple):
    """The next entry of a table."""

    table: str
    number: int
    entry: bytes  # JSON
    summary: Summary | None = None  # if it has changed
    epoch: int = 0  # by which the table is ours, where several processes write


class StoredTable(NamedTuple):
    """A table as the list of tables has it."""

    ident: str
    game: str
    made: int
    summary: Summary


class Pass(NamedTuple):
    """What a key or a session opens: a seat of one table, or (None) a spectator's place there. Only its digest is kept."""

    digest: bytes
    table: str
    seat: int | None
    made: int
    session: bool = False


CONFLICT = "not the next entry of its table, or not ours to write"


class Owner(NamedTuple):
    """Another process that plays a table."""

    process: str
    epoch: int
    address: str  # host:port at which the other servers reach it


class WriterStart(NamedTuple):
    """How the process that writes is started (`writer.py` says how to talk to it)."""

    command: list[str]
    files: tuple[int, ...] = ()  # open ones that it needs
    environment: Mapping[str, str] = {}


class Store(Protocol):
    """Where tables live: what can be read, and how to start the one process that writes for this server."""

    def writer(self) -> WriterStart:
        """How to start the process that writes."""

    def entries(self, table: str) -> list[str]:
        """All entries of a table, in order; empty if there is none."""

    def find_pass(self, digest: bytes, *, session: bool) -> Pass | None:
        """What a digest opens."""

    def lobby(self, limit: int) -> list[StoredTable]:
        """Running tables with an open seat, newest first."""

    def backup(self, target: Path) -> None:
        """A consistent copy, while everything runs."""

    def close(self) -> None:
        """Let go of the store."""
