"""Tables in one SQLite file: WAL, every commit on disk, and one writer thread that puts all that is waiting into one commit.

Entries are appended by a process of its own (`writer.py`).
"""

from __future__ import annotations

import contextlib
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Any

from .base import Mark, Pass, StoredTable, StoreError, TooNew
from .migrations import VERSION, migrate

BATCH = 512
BUSY_MS = 10_000
LOCK_SECONDS = 2.0  # for the writer of a server that was killed to finish

Work = Callable[[sqlite3.Connection], Any]


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose commits are on disk when they are done."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("pragma foreign_keys = on")
    return connection


class SqliteStore:
    """A store in one file. A second server on the same file is refused, and a process that dies leaves no lock behind."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._lock = _lock(path)
        try:
            self._prepare()
        except BaseException:
            self._lock.close()
            raise
        self._reader = connect(path)
        self._reading = threading.Lock()
        self._queue: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self._closed = False
        self._writer = threading.Thread(target=self._write, name="store", daemon=True)
        self._writer.start()

    def _prepare(self) -> None:
        with contextlib.closing(connect(self.path)) as connection:
            version = connection.execute("pragma user_version").fetchone()[0]
            if version > VERSION:
                raise TooNew(f"{self.path} was written by a newer version (schema {version}, this one knows {VERSION})")
            if 0 < version < VERSION:
                backup(self.path, self.path.with_name(f"{self.path.name}.v{version}"))
            migrate(connection)
        with contextlib.suppress(OSError):
            self.path.chmod(0o600)

    # --- Writing

    def _write(self) -> None:
        connection = connect(self.path)
        going = True
        while going:
            batch = [self._queue.get()]
            while len(batch) < BATCH:
                try:
                    batch.append(self._queue.get_nowait())
                except queue.Empty:
                    break
            work = [item for item in batch if item is not None]
            going = len(work) == len(batch)
            if work:
                self._commit(connection, work)
        connection.close()

    def _commit(self, connection: sqlite3.Connection, work: list[tuple[Work, Future[Any]]]) -> None:
        """All in one transaction; if one fails, each in its own, so that only the one at fault is told so."""
        try:
            answers = _in_transaction(connection, [do for do, _ in work])
        except Exception as problem:
            if len(work) == 1:
                work[0][1].set_exception(problem if isinstance(problem, StoreError) else StoreError(str(problem)))
                return
            for one in work:
                self._commit(connection, [one])
            return
        for (_, future), answer in zip(work, answers, strict=True):
            future.set_result(answer)

    def _later(self, work: Work) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # who stops waiting does not stop the write
        if self._closed:
            future.set_exception(StoreError("the store is closed"))
        else:
            self._queue.put((work, future))
        return future

    def create(self, table: StoredTable, first: str, passes: Sequence[Pass]) -> Future[None]:
        """A new table with its first entry and its keys."""

        def work(connection: sqlite3.Connection) -> None:
            mark = table.mark
            connection.execute(
                "insert into tables (id, game, made, touched, over, open_seats) values (?, ?, ?, ?, ?, ?)",
                (table.ident, table.game, table.made, mark.touched, mark.over, mark.open_seats),
            )
            connection.execute("insert into entries values (?, 0, ?)", (table.ident, first))
            _insert_passes(connection, passes)

        return self._later(work)

    def writer(self) -> tuple[list[str], tuple[int, ...]]:
        """The command of a process that appends entries, and the lock, which it keeps until its last word is on disk."""
        return [sys.executable, "-m", "drunemeton.store.writer", str(self.path)], (self._lock.fileno(),)

    def add_passes(self, passes: Sequence[Pass], *, keep: int = 0) -> Future[None]:
        """More keys or sessions; with `keep`, older ones of the same kind and seat beyond that many go."""

        def work(connection: sqlite3.Connection) -> None:
            _insert_passes(connection, passes)
            for one in passes if keep else ():
                same = (one.table, one.session, one.seat)
                connection.execute(
                    "delete from passes where table_id = ?1 and session = ?2 and seat is ?3 and digest not in (select digest from passes"
                    " where table_id = ?1 and session = ?2 and seat is ?3 order by made desc, rowid desc limit ?4)",
                    (*same, keep),
                )

        return self._later(work)

    def delete(self, table: str) -> Future[None]:
        """A table with everything that belongs to it."""
        return self._later(lambda connection: _delete(connection, table))

    def expire(self, running_before: int, over_before: int) -> Future[list[str]]:
        """Delete what nobody has touched since; answers which tables."""

        def work(connection: sqlite3.Connection) -> list[str]:
            found = connection.execute(
                "select id from tables where touched < ? or (over and touched < ?) limit 1000", (running_before, over_before)
            )
            gone = [row[0] for row in found.fetchall()]
            for table in gone:
                _delete(connection, table)
            return gone

        return self._later(work)

    # --- Reading

    def _read(self, query: str, *values: Any) -> list[Any]:
        with self._reading:
            return self._reader.execute(query, values).fetchall()

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
        return [StoredTable(ident, game, made, Mark(touched, bool(over), seats)) for ident, game, made, touched, over, seats in rows]

    def backup(self, target: Path) -> None:
        """A consistent copy, while everything runs."""
        backup(self.path, target)

    def close(self) -> None:
        """Finish what was begun."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        self._writer.join()
        with self._reading:
            self._reader.close()
        self._lock.close()


def backup(path: Path, target: Path) -> None:
    """Copy a store, also while a server runs on it; the copy appears whole or not at all."""
    if not path.is_file():
        raise StoreError(f"there is no store {path}")
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path, timeout=BUSY_MS / 1000)) as source, contextlib.closing(sqlite3.connect(part)) as copy:
        with contextlib.suppress(OSError):
            part.chmod(0o600)
        source.backup(copy)
    part.replace(target)


def _in_transaction(connection: sqlite3.Connection, work: Sequence[Work]) -> list[Any]:
    connection.execute("begin immediate")
    try:
        answers = [do(connection) for do in work]
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    return answers


def _insert_passes(connection: sqlite3.Connection, passes: Sequence[Pass]) -> None:
    connection.executemany(
        "insert into passes (digest, table_id, seat, made, session) values (?, ?, ?, ?, ?)",
        [(one.digest, one.table, one.seat, one.made, one.session) for one in passes],
    )


def _delete(connection: sqlite3.Connection, table: str) -> None:
    for where in ("passes where table_id", "entries where table_id", "tables where id"):
        connection.execute(f"delete from {where} = ?", (table,))


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
