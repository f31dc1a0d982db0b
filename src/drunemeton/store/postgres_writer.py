"""What the store's writer (`writer.py`) does in PostgreSQL: a batch is one statement, and so one commit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import psycopg

from .base import CONFLICT, StoreError
from .postgres import connect
from .postgres_schema import LOCK
from .writer import work_of

# All of it or nothing: the rows must be ours by their epoch, and the next of their tables. Who owns them is locked until the commit, so
# that nobody takes a table over between the look and the writing.
_APPEND = """
with given as materialized (
    select one ->> 0 as id, (one ->> 1)::int as next, (one -> 2)::text as entry, (one ->> 3)::bigint as touched, (one ->> 4)::int as over,
        (one ->> 5)::int as open_seats, (one ->> 6)::bigint as epoch, row_number() over (partition by one ->> 0 order by place) as turn
    from json_array_elements(%(rows)s::json) with ordinality as list (one, place)
), held as materialized (
    select table_id, epoch from owners where owner = %(me)s and table_id in (select id from given) for share
), fitting as materialized (
    select given.* from given join held on table_id = id and held.epoch = given.epoch
    where next = (select max(number) from entries where entries.table_id = id) + turn
), put as (
    insert into entries select id, next, entry from fitting
    where (select count(*) from fitting) = (select count(*) from given) returning table_id
), told as (
    update tables set touched = fitting.touched, over = fitting.over <> 0, open_seats = fitting.open_seats
    from fitting where tables.id = fitting.id and fitting.touched is not null and exists (select 1 from put)
)
select count(*) from put
"""
Values = tuple[Any, ...]


class PostgresWriter:
    """Writes to a database, for one server process."""

    def __init__(self, where: str, process: str) -> None:
        self._where, self._process = where, process
        self._connection: Any = None

    def _open(self) -> Any:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._where)
        return self._connection

    def close(self) -> None:
        """Let go of the database."""
        if self._connection is not None:
            self._connection.close()

    # --- Entries

    def append(self, batches: Sequence[bytes]) -> list[list[str | None]]:
        """Batches in one commit; for each what is wrong with its entries. One that does not fit does not spoil the others."""
        rows = [json.loads(batch) for batch in batches]
        try:
            if self._insert(b"[" + b",".join(batch[1:-1] for batch in batches) + b"]") == sum(map(len, rows)):
                return [[] for _ in batches]
            return [[self._alone(row) for row in batch] for batch in rows]
        except (psycopg.Error, StoreError) as problem:
            # Nobody knows whether it was written: who waits is told that it failed, and reads what is there.
            self.close()
            why = f"the database failed: {str(problem).strip().splitlines()[0]}"
            return [[why] * len(batch) for batch in rows]

    def _alone(self, row: list[Any]) -> str | None:
        return None if self._insert(json.dumps([row], ensure_ascii=False, separators=(",", ":")).encode()) else CONFLICT

    def _insert(self, rows: bytes) -> int:
        return int(self._open().execute(_APPEND, {"rows": rows.decode(), "me": self._process}).fetchone()[0])

    # --- Everything else, each in a transaction of its own

    def do(self, request: bytes) -> dict[str, Any]:
        """Carry out a request that is no batch of entries."""
        work = work_of(self, request)
        try:
            with self._open().transaction():
                return {"answer": work()}
        except (psycopg.Error, StoreError) as problem:
            if isinstance(problem, psycopg.OperationalError):
                self.close()
            return {"problem": str(problem).strip().splitlines()[0]}

    def create(self, table: list[Any], first: str, passes: list[Values]) -> None:
        """A new table with its first entry and its keys; it is ours."""
        ident, game, made, (touched, over, open_seats) = table
        self._connection.execute(
            "insert into tables (id, game, made, touched, over, open_seats) values (%s, %s, %s, %s, %s, %s)",
            (ident, game, made, touched, bool(over), open_seats),
        )
        self._connection.execute("insert into entries values (%s, 0, %s)", (ident, first))
        self._connection.execute("insert into owners (table_id, owner, epoch) values (%s, %s, 1)", (ident, self._process))
        self.add_passes(passes)

    def add_passes(self, passes: list[Values], keep: int = 0) -> None:
        """More keys or sessions; with `keep`, older ones of the same kind and seat beyond that many go."""
        for digest, table, seat, made, session in passes:
            # Whoever adds to the same table at the same time waits, so that two never keep one too many.
            self._connection.execute("select 1 from tables where id = %s for no key update", (table,))
            self._connection.execute(
                "insert into passes (digest, table_id, seat, made, session) values (%s, %s, %s, %s, %s)",
                (bytes.fromhex(digest), table, seat, made, session),
            )
            if keep:
                self._connection.execute(
                    "delete from passes where table_id = %(table)s and session = %(session)s and seat is not distinct from %(seat)s"
                    " and number not in (select number from passes where table_id = %(table)s and session = %(session)s"
                    " and seat is not distinct from %(seat)s order by number desc limit %(keep)s)",
                    {"table": table, "session": session, "seat": seat, "keep": keep},
                )

    def delete(self, table: str) -> None:
        """A table with everything that belongs to it."""
        for where in ("owners where table_id", "passes where table_id", "entries where table_id", "tables where id"):
            self._connection.execute(f"delete from {where} = %s", (table,))

    def expire(self, now: int, running: int, over: int, pause: int) -> list[str]:
        """Delete what nobody has touched for so long; answers which tables. As in SQLite, only time in which a server ran counts."""
        self._connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        alive = self._connection.execute(
            "select coalesce(nullif((select alive from life), 0), (select max(touched) from tables), %s)", (now,)
        ).fetchone()[0]
        gap = now - int(alive)
        if abs(gap) > pause:
            self._connection.execute("update tables set touched = touched + %s", (gap,))
        self._connection.execute("update life set alive = %s", (now,))
        found = self._connection.execute(
            "select id from tables where touched < %s or (over and touched < %s) limit 1000", (now - running, now - over)
        )
        gone = [str(row[0]) for row in found.fetchall()]
        for table in gone:
            self.delete(table)
        return gone
