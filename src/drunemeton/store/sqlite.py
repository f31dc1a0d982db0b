"""Tables in one SQLite file: WAL, every commit on disk. The server reads here; its writer is a process of its own (`writer.py`)."""

from __future__ import annotations

import contextlib
import sqlite3
import stat
import threading
import time
from pathlib import Path
from typing import IO, Any

from .base import Pass, StoredTable, StoreError, Summary, TooNew, WriterStart
from .migrations import VERSION, migrate
from .processes import command_of

BUSY_MS = 10_000
LOCK_SECONDS = 2.0  # for the writer of a server that was killed to finish


# From these on, SQLite does not lose what a checkpoint has copied while another connection begins the log anew (sqlite.org/wal.html).
SAFE = ((3, 44, 6), (3, 50, 7), (3, 51, 3))


def is_safe(version: tuple[int, int, int] = sqlite3.sqlite_version_info) -> bool:
    """Whether a version of SQLite is one in which the WAL-reset fault is mended."""
    return version >= SAFE[-1] or any(version[:2] == safe[:2] and version >= safe for safe in SAFE)


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose commits are on disk when they are done."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000)
    try:
        for setting in ("journal_mode = wal", "synchronous = full", "foreign_keys = on"):
            connection.execute(f"pragma {setting}")
    except BaseException:
        connection.close()
        raise
    return connection


class SqliteStore:
    """A store in one file. A second server on the same file is refused, and a process that dies leaves no lock behind."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path = path.resolve()  # whatever links lead there, the lock is one
        _check_file(path)
        self._lock = _lock(path)
        try:
            self._prepare()
            self._reader = connect(path)
        except sqlite3.Error as problem:
            self._lock.close()
            raise StoreError(f"{path} cannot be opened as a store: {problem}") from problem
        except BaseException:
            self._lock.close()
            raise
        self._reading = threading.Lock()
        self._closed = False

    def _prepare(self) -> None:
        with contextlib.closing(connect(self.path)) as connection:
            version = connection.execute("pragma user_version").fetchone()[0]
            if version > VERSION:
                raise TooNew(f"{self.path} was written by a newer version (schema {version}, this one knows {VERSION})")
            if 0 < version < VERSION:
                backup(self.path, self.path.with_name(f"{self.path.name}.v{version}"))
            migrate(connection)
        with contextlib.suppress(OSError):
            self.path.chmod(stat.S_IMODE(self.path.stat().st_mode) & 0o700)  # for its owner alone

    def writer(self) -> WriterStart:
        """How to start the process that writes; it keeps the lock until its last word is on disk."""
        return WriterStart(command_of("drunemeton.store.writer", str(self.path)), (self._lock.fileno(),))

    def _read(self, query: str, *values: Any) -> list[Any]:
        try:
            with self._reading:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as problem:
            raise StoreError(f"{self.path} cannot be read: {problem}") from problem

    def entries(self, table: str) -> list[str]:
        """All entries of a table, in order; empty if there is none."""
        return [row[0] for row in self._read("select entry from entries where table_id = ? order by number", table)]

    def find_pass(self, digest: bytes, *, session: bool) -> Pass | None:
        """What a digest opens."""
        rows = self._read("select digest, table_id, seat, made, session from passes where digest = ? and session = ?", digest, session)
        return next((Pass(found, table, seat, made, bool(kind)) for found, table, seat, made, kind in rows), None)

    def lobby(self, limit: int) -> list[StoredTable]:
        """Running tables with an open seat, newest first."""
        rows = self._read(
            "select id, game, made, touched, over, open_seats from tables where open_seats > 0 and not over order by made desc, id limit ?",
            limit,
        )
        return [StoredTable(ident, game, made, Summary(touched, bool(over), seats)) for ident, game, made, touched, over, seats in rows]

    def backup(self, target: Path) -> None:
        """A consistent copy, while everything runs."""
        backup(self.path, target)

    def close(self) -> None:
        """Let go of the file."""
        if not self._closed:
            self._closed = True
            with self._reading:
                self._reader.close()
            self._lock.close()


def backup(path: Path, target: Path) -> None:
    """Copy a store, also while a server runs on it; the copy appears whole or not at all."""
    if not path.is_file():
        raise StoreError(f"there is no store {path}")
    if target.exists() and target.samefile(path):
        raise StoreError(f"{target} is the store itself: name another file")
    if not target.parent.is_dir():
        raise StoreError(f"there is no folder {target.parent}")
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=BUSY_MS / 1000)) as source, contextlib.closing(sqlite3.connect(part)) as copy:
            with contextlib.suppress(OSError):
                part.chmod(0o600)
            source.backup(copy)
        part.replace(target)
    except sqlite3.DatabaseError as problem:
        raise StoreError(f"{path} cannot be copied: {problem}") from problem
    finally:
        part.unlink(missing_ok=True)


def _check_file(path: Path) -> None:
    """A store that was made read-only is left so, and one with a second name is refused: under each, SQLite would keep a log of its own."""
    if not path.exists():
        return
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not a file")
    if not found.st_mode & stat.S_IWUSR:
        raise StoreError(f"{path} is read-only")
    if found.st_nlink > 1:
        raise StoreError(f"{path} has a second name (a hard link), under which another server could spoil it: remove that name")


def _lock(path: Path) -> IO[bytes]:
    """An open file that keeps other servers out for as long as this process and its writer live."""
    handle = path.with_name(path.name + ".lock").open("ab")
    try:
        import fcntl
    except ImportError:
        return handle  # Windows: SQLite's own locks keep the file whole, and numbered entries keep the tables whole
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except OSError as problem:
            if time.monotonic() > until:
                handle.close()
                raise StoreError(f"another server is running on {path}") from problem
        time.sleep(0.02)
