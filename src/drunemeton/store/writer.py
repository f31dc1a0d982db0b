"""The one process that writes to a store for a server: `python -m drunemeton.store.writer FILE`, or without a file for a database.

In a process of its own, because a thread would take turns with the event loop at running Python: several times for each commit, which
cost a busy server a fifth of its time.

Requests come in on standard input, each a length and JSON; for each a line goes out when it is on disk. Nearly all are batches of entries:
an array of `[table, number, entry, touched, over, open_seats, epoch]`, those before the epoch null unless the table's summary has
changed (the epoch counts only where several processes write, `postgres.py`). Batches that wait together share a commit, and the answer is
an array that says for each entry what is wrong with it, or is empty if all is well. The others are objects that name what to `do`, one of
the methods of `Writer`; the answer is `{"answer": ...}` or `{"problem": ...}`. When the input ends, so does the process.
"""

from __future__ import annotations

import functools
import json
import os
import select
import signal
import sqlite3
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from .base import CONFLICT, Pass, StoredEntry
from .sqlite import connect

LENGTH = 4
WORK = ("create", "add_passes", "delete", "expire")  # what can be asked beside entries
MOST = 1 << 20  # bytes in one commit
GONE = "the store's file is no longer there"

# Many entries with all that belongs to them are one statement: it is a transaction by itself, and leaves nothing half done. They come as
# rows through `intake`; a temporary view is the only thing in SQLite that takes rows and does several things with each.
_INTAKE = (
    "create temp view intake as select '' as id, 0 as next, '' as entry, 0 as touched, 0 as over, 0 as open_seats",
    """create temp trigger take_in instead of insert on intake begin
        select raise(abort, 'conflict') where new.next is not (select max(number) + 1 from entries where table_id = new.id);
        insert into entries values (new.id, new.next, new.entry);
        update tables set touched = new.touched, over = new.over, open_seats = new.open_seats
            where id = new.id and new.touched is not null;
    end""",
)
_COLUMNS = ", ".join(f"json_extract(value, '$[{n}]')" for n in range(6))
_APPEND = f"insert into intake select {_COLUMNS} from json_each(?)"


Values = tuple[Any, ...]


def batch_of(entries: Sequence[StoredEntry]) -> bytes:
    """Entries as the writer takes them: each is JSON already, and put into its place as it is."""
    return b"[" + b",".join(map(_row_of, entries)) + b"]"


def _row_of(stored: StoredEntry) -> bytes:
    table, number, entry, summary, epoch = stored
    last = b"null,null,null" if summary is None else b"%d,%d,%d" % summary
    return b"[%b,%d,%b,%b,%d]" % (_quoted(table), number, entry, last, epoch)


@functools.lru_cache(4096)
def _quoted(table: str) -> bytes:
    return json.dumps(table).encode()


def named(passes: Sequence[Pass]) -> list[Values]:
    """Passes as a request has them."""
    return [(one.digest.hex(), one.table, one.seat, one.made, one.session) for one in passes]


def work_of(writer: Any, request: bytes) -> Callable[[], Any]:
    """What a request that is no batch of entries asks of a writer."""
    given = json.loads(request)
    name = given.pop("do")
    if name not in WORK:
        raise KeyError(name)
    return functools.partial(getattr(writer, name), **given)


class Writer:
    """Writes to a store."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        self._path, self._file = path, _identity(path)
        for statement in _INTAKE:
            self._connection.execute(statement)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    # --- Entries

    def append(self, batches: Sequence[bytes]) -> list[list[str | None]]:
        """Batches in one commit; for each what is wrong with its entries. One that does not fit does not spoil the others."""
        try:
            self._insert(b"[" + b",".join(batch[1:-1] for batch in batches) + b"]")
        except sqlite3.Error:
            return [[self._alone(row) or self._gone() for row in json.loads(batch)] for batch in batches]
        gone = self._gone()
        return [[gone] * len(json.loads(batch)) if gone else [] for batch in batches]

    def _gone(self) -> str | None:
        """What is wrong if the file in which we write has been removed or replaced: nobody would find it again."""
        return None if _identity(self._path) == self._file else GONE

    def _alone(self, row: list[Any]) -> str | None:
        try:
            self._insert(json.dumps([row], ensure_ascii=False, separators=(",", ":")).encode())
        except sqlite3.IntegrityError:
            return CONFLICT
        except sqlite3.Error as problem:
            return str(problem)
        return None

    def _insert(self, rows: bytes) -> None:
        self._connection.execute(_APPEND, (rows.decode(),))

    # --- Everything else, each in a transaction of its own

    def do(self, request: bytes) -> dict[str, Any]:
        """Carry out a request that is no batch of entries."""
        work = work_of(self, request)
        try:
            self._connection.execute("begin immediate")
            answer = work()
            self._connection.execute("commit")
        except sqlite3.Error as problem:
            if self._connection.in_transaction:
                self._connection.execute("rollback")
            return {"problem": str(problem)}
        gone = self._gone()
        return {"problem": gone} if gone else {"answer": answer}

    def create(self, table: list[Any], first: str, passes: list[Values]) -> None:
        """A new table with its first entry and its keys."""
        ident, game, made, summary = table
        self._connection.execute(
            "insert into tables (id, game, made, touched, over, open_seats) values (?, ?, ?, ?, ?, ?)", (ident, game, made, *summary)
        )
        self._connection.execute("insert into entries values (?, 0, ?)", (ident, first))
        self.add_passes(passes)

    def add_passes(self, passes: list[Values], keep: int = 0) -> None:
        """More keys or sessions; with `keep`, older ones of the same kind and seat beyond that many go."""
        for digest, table, seat, made, session in passes:
            self._connection.execute("insert into passes values (?, ?, ?, ?, ?)", (bytes.fromhex(digest), table, seat, made, session))
            if keep:
                self._connection.execute(
                    "delete from passes where table_id = ? and session = ? and seat is ? and digest not in (select digest from passes"
                    " where table_id = ? and session = ? and seat is ? order by rowid desc limit ?)",
                    (table, session, seat, table, session, seat, keep),
                )

    def delete(self, table: str) -> None:
        """A table with everything that belongs to it."""
        for where in ("passes where table_id", "entries where table_id", "tables where id"):
            self._connection.execute(f"delete from {where} = ?", (table,))

    def expire(self, now: int, running: int, over: int, pause: int) -> list[str]:
        """Delete what nobody has touched for so long; answers which tables.

        Only time in which a server ran counts: nobody could touch a table in the rest, and a clock that was set wrong must not delete
        anything. A longer pause than a running server makes between two of these requests moves all tables on by itself.
        """
        alive = self._connection.execute("select coalesce((select alive from life), (select max(touched) from tables), ?)", (now,))
        gap = now - int(alive.fetchone()[0])
        if abs(gap) > pause:
            self._connection.execute("update tables set touched = touched + ?", (gap,))
        self._connection.execute("insert or replace into life values (0, ?)", (now,))
        found = self._connection.execute(
            "select id from tables where touched < ? or (over and touched < ?) limit 1000", (now - running, now - over)
        )
        gone = [str(row[0]) for row in found.fetchall()]
        for table in gone:
            self.delete(table)
        return gone


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file goes by that name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _more() -> bool:
    """Whether something waits in the input; Windows cannot tell."""
    return os.name == "posix" and bool(select.select([0], [], [], 0)[0])


def _writer() -> Any:
    if sys.argv[1:]:
        return Writer(Path(sys.argv[1]))
    from .postgres import DATABASE, PROCESS
    from .postgres_writer import PostgresWriter

    return PostgresWriter(os.environ[DATABASE], os.environ[PROCESS])


def main() -> None:
    """Write until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who writes to us; our input ends then
    writer = _writer()
    read = b""
    while True:
        arrived = os.read(0, MOST)
        if not arrived:
            break
        read += arrived
        while len(read) < MOST and _more() and (arrived := os.read(0, MOST)):
            read += arrived
        requests = []
        while len(read) >= LENGTH and len(read) >= (end := LENGTH + int.from_bytes(read[:LENGTH], "big")):
            requests.append(read[LENGTH:end])
            read = read[end:]
        for is_batch, group in groupby(requests, lambda request: request.startswith(b"[")):
            some = list(group)
            answers: list[Any] = writer.append(some) if is_batch else [writer.do(request) for request in some]
            os.write(1, b"".join(json.dumps(answer).encode() + b"\n" for answer in answers))
    writer.close()


if __name__ == "__main__":
    main()
