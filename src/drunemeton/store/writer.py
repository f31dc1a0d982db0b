"""The process that appends entries to a store: `python -m drunemeton.store.writer FILE`.

In a process of its own, because a thread would take turns with the event loop at running Python: several times for each commit, which
cost a busy server a fifth of its time.

Batches come in on standard input, each a length and a JSON array of entries `[table, number, text, touched, over, open_seats]`, the last
three null unless the table's mark has changed. For each batch a line goes out when it is on disk: a JSON array that says for each entry
what is wrong with it, or nothing at all (`[]`) if all is well. Batches that wait together share a commit. When the input ends, so does
the process.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .base import Entry
from .sqlite import connect

LENGTH = 4
MOST = 1 << 20  # bytes in one commit
CONFLICT = "not the next entry of its table"

# Many entries with all that belongs to them are one statement: it is a transaction by itself, and leaves nothing half done. They come as
# rows through a door; a temporary view is the only thing in SQLite that takes rows and does several things with each.
_DOOR = (
    "create temp view door as select '' as id, 0 as next, '' as entry, 0 as touched, 0 as over, 0 as open_seats",
    """create temp trigger through_the_door instead of insert on door begin
        select raise(abort, 'conflict') where new.next is not (select max(number) + 1 from entries where table_id = new.id);
        insert into entries values (new.id, new.next, new.entry);
        update tables set touched = new.touched, over = new.over, open_seats = new.open_seats
            where id = new.id and new.touched is not null;
    end""",
)
_COLUMNS = ", ".join(f"json_extract(value, '$[{n}]')" for n in range(6))
_APPEND = f"insert into door select {_COLUMNS} from json_each(?)"
_NO_MARK = (None, None, None)


def rows_of(entries: Sequence[Entry]) -> list[tuple[Any, ...]]:
    """Entries as a batch has them."""
    return [(table, number, text, *(mark or _NO_MARK)) for table, number, text, mark in entries]


class Writer:
    """Appends entries to a store."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        for statement in _DOOR:
            self._connection.execute(statement)

    def append(self, batches: Sequence[bytes]) -> list[list[str | None]]:
        """Batches in one commit; for each what is wrong with its entries. One that does not fit does not spoil the others."""
        try:
            self._insert(b"[" + b",".join(batch[1:-1] for batch in batches) + b"]")
        except sqlite3.Error:
            return [[self._alone(row) for row in json.loads(batch)] for batch in batches]
        return [[] for _ in batches]

    def _alone(self, row: list[Any]) -> str | None:
        try:
            self._insert(json.dumps([row]).encode())
        except sqlite3.IntegrityError:
            return CONFLICT
        except sqlite3.Error as problem:
            return str(problem)
        return None

    def _insert(self, rows: bytes) -> None:
        self._connection.execute(_APPEND, (rows.decode(),))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _more() -> bool:
    """Whether something waits in the input; Windows cannot tell."""
    return os.name == "posix" and bool(select.select([0], [], [], 0)[0])


def main() -> None:
    """Append until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who writes to us; our input ends then
    writer = Writer(Path(sys.argv[1]))
    read = b""
    while True:
        arrived = os.read(0, MOST)
        if not arrived:
            break
        read += arrived
        while len(read) < MOST and _more() and (arrived := os.read(0, MOST)):
            read += arrived
        batches = []
        while len(read) >= LENGTH and len(read) >= (end := LENGTH + int.from_bytes(read[:LENGTH], "big")):
            batches.append(read[LENGTH:end])
            read = read[end:]
        if batches:
            answers = writer.append(batches)
            os.write(1, b"".join(json.dumps(answer).encode() + b"\n" for answer in answers))
    writer.close()


if __name__ == "__main__":
    main()
