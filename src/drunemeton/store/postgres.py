"""Tables in PostgreSQL, for any number of server processes on any number of machines.

One process plays a table at a time: it *owns* it, by a row with its name and an *epoch*. Every append names the epoch, and the row is
locked while it is written; whoever takes a table over raises the epoch. So a process that was paused, cut off or thought dead cannot write
once another has taken over, whatever any clock says. Leases (`processes.until`, by the database's clock) only say when to take over.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import threading
import time
from pathlib import Path
from typing import Any

from .base import Owner, Pass, StoredTable, StoreError, Summary, WriterStart
from .postgres_schema import migrate
from .processes import command_of

try:
    import psycopg
except ImportError:  # an extra
    psycopg = None  # type: ignore[assignment]

DATABASE, PROCESS = "DRUNEMETON_DATABASE", "DRUNEMETON_PROCESS"  # what the writer finds in its environment
LEASE_SECONDS, RENEW_SECONDS = 2.5, 0.5
TIDY_SECONDS = 60.0
PATIENCE_SECONDS = 5
# A connection whose wire was cut hears of nothing: both ends give it up by themselves, and the database lets go of what was locked by it.
_WIRE: Any = {"tcp_user_timeout": PATIENCE_SECONDS * 1000, "keepalives_idle": 1, "keepalives_interval": 1, "keepalives_count": 5}
_SETTINGS = {
    "statement_timeout": f"{PATIENCE_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{PATIENCE_SECONDS}s",
    "tcp_user_timeout": f"{PATIENCE_SECONDS}s",
    "tcp_keepalives_idle": 1,
    "tcp_keepalives_interval": 1,
    "tcp_keepalives_count": 5,
    "synchronous_commit": "on",
    "default_transaction_isolation": "read\\ committed",
}

_CLAIM = """
insert into owners (table_id, owner, epoch) select id, %(me)s, 1 from tables where id = %(table)s
on conflict (table_id) do update set owner = excluded.owner, epoch = owners.epoch + 1
    where owners.owner = excluded.owner or owners.epoch = %(over)s
        or not exists (select 1 from processes where id = owners.owner and until > now())
returning epoch
"""
_OWNER = """
select owner, epoch, address from owners join processes on processes.id = owner
where table_id = %s and owner <> %s and until > now()
"""
_RENEW = """
update processes set until = now() + make_interval(secs => %s) where id = %s and until > now() returning id
"""
_ENTER = """
insert into processes values (%s, %s, now() + make_interval(secs => %s)) on conflict (id) do update set until = excluded.until
"""
# A bucket as one time: when all that was taken will have been filled up again.
_TAKE = """
insert into limits values (%(what)s, %(who)s, now() + make_interval(secs => %(seconds)s))
on conflict (what, who) do update set full_at = greatest(limits.full_at, now()) + make_interval(secs => %(seconds)s)
    where greatest(limits.full_at, now()) + make_interval(secs => %(seconds)s) <= now() + make_interval(secs => %(burst)s)
returning 1
"""
_TIDY = (
    "delete from processes where until < now() - interval '1 hour'",
    "delete from limits where full_at < now()",
    "delete from makers where table_id not in (select id from tables where open_seats > 0 and not over)",
)


def connect(where: str) -> Any:
    """A connection whose commits are on disk when they are done, and that does not wait for ever."""
    if psycopg is None:
        raise StoreError("tables in PostgreSQL need psycopg: pip install 'drunemeton[postgres]'")
    try:
        options = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())
        return psycopg.connect(where, autocommit=True, connect_timeout=PATIENCE_SECONDS, options=options, prepare_threshold=2, **_WIRE)
    except psycopg.Error as problem:
        raise StoreError(f"the database cannot be reached: {str(problem).strip().splitlines()[0]}") from None


class PostgresStore:
    """A database that several servers share."""

    def __init__(self, where: str, address: str) -> None:
        self.where, self.address = where, address
        self.process = secrets.token_hex(8)
        self._connection: Any = connect(where)
        self._reading = threading.Lock()
        migrate(self._connection)
        self.secret = str(self._rows("select secret from life")[0][0])
        self.peers: dict[str, str] = {}  # who is alive: names and addresses
        self.lapses = 0  # how often others had to think us dead
        self._stop, self._closed = threading.Event(), False
        self._rows(_ENTER, self.process, address, LEASE_SECONDS)
        self._renewer = threading.Thread(target=self._renew, daemon=True)
        self._renewer.start()

    # --- Asking the database

    def _rows(self, query: str, *values: Any, **named: Any) -> list[Any]:
        """What a query answers; a connection that broke is opened anew, once."""
        with self._reading:
            for last in (False, True):
                try:
                    if self._connection.closed:
                        self._connection = connect(self.where)
                    cursor = self._connection.execute(query, named or values)
                    return list(cursor.fetchall()) if cursor.description else []
                except psycopg.OperationalError as problem:
                    self._connection.close()
                    if last:
                        raise StoreError("the database does not answer") from problem
                except psycopg.Error as problem:
                    raise StoreError(f"the database cannot be read: {str(problem).strip().splitlines()[0]}") from problem
        raise AssertionError

    def writer(self) -> WriterStart:
        """How to start the process that writes. Where the database is may hold a password, which no command line shows."""
        return WriterStart(command_of("drunemeton.store.writer"), environment={DATABASE: self.where, PROCESS: self.process})

    def entries(self, table: str) -> list[str]:
        """All entries of a table, in order; empty if there is none."""
        return [row[0] for row in self._rows("select entry from entries where table_id = %s order by number", table)]

    def length(self, table: str) -> int:
        """How many entries a table has."""
        return int(self._rows("select count(*) from entries where table_id = %s", table)[0][0])

    def find_pass(self, digest: bytes, *, session: bool) -> Pass | None:
        """What a digest opens."""
        rows = self._rows("select digest, table_id, seat, made, session from passes where digest = %s and session = %s", digest, session)
        return next((Pass(bytes(found), table, seat, made, kind) for found, table, seat, made, kind in rows), None)

    def lobby(self, limit: int) -> list[StoredTable]:
        """Running tables with an open seat, newest first."""
        rows = self._rows(
            "select id, game, made, touched, over, open_seats from tables"
            " where open_seats > 0 and not over order by made desc, id limit %s",
            limit,
        )
        return [StoredTable(ident, game, made, Summary(touched, over, seats)) for ident, game, made, touched, over, seats in rows]

    def backup(self, target: Path) -> None:
        """PostgreSQL has tools of its own for that."""
        raise StoreError("a database is copied with pg_dump, also while servers run (docs/hosting.md)")

    # --- What one address may do at all servers together

    def _digest(self, client: str) -> bytes:
        return hashlib.blake2b(client.encode(), key=self.secret.encode()[:64], digest_size=16).digest()

    def take(self, what: str, client: str, seconds: float, at_once: int) -> bool:
        """Whether a client may do something once more that he may do every so many seconds, and so often at once."""
        return bool(self._rows(_TAKE, what=what, who=self._digest(client), seconds=seconds, burst=at_once * seconds))

    def note_maker(self, table: str, client: str) -> None:
        """Remember from where a table with open seats was made, as long as it has them."""
        self._rows("insert into makers values (%s, %s) on conflict do nothing", table, self._digest(client))

    def makers(self) -> dict[str, bytes]:
        """From where tables of the lobby were made: the same bytes for the same address."""
        return {table: bytes(who) for table, who in self._rows("select table_id, who from makers")}

    # --- Who plays which table

    def claim(self, table: str, over: int = 0) -> int | Owner | None:
        """Take a table: answers the epoch by which it is ours, or who plays it, or None if there is no such table.

        One whose owner lives is left to him, unless he has it by the epoch `over`: then whoever asks knows that he is dead.
        """
        for _ in range(3):
            if found := self._rows(_CLAIM, me=self.process, table=table, over=over):
                return int(found[0][0])
            if owner := self.owner(table):
                return owner
            if not self._rows("select 1 from tables where id = %s", table):
                return None
        raise StoreError("this table changes hands too fast")

    def owner(self, table: str) -> Owner | None:
        """Another living process that plays a table."""
        return next((Owner(*row) for row in self._rows(_OWNER, table, self.process)), None)

    def address_of(self, process: str) -> str | None:
        """Where a living process is reached."""
        return next((str(found) for (found,) in self._rows("select address from processes where id = %s and until > now()", process)), None)

    def note_clock(self, table: str, clock: bool) -> None:
        """Say whether a table of ours must go on by itself, also if we die."""
        self._rows("update owners set clock = %s where table_id = %s and owner = %s", clock, table, self.process)

    def abandoned(self, limit: int = 20) -> list[str]:
        """Tables with a running clock that nobody plays."""
        rows = self._rows(
            "select table_id from owners where clock and not exists (select 1 from processes where id = owner and until > now()) limit %s",
            limit,
        )
        return [row[0] for row in rows]

    def _renew(self) -> None:
        """Say again and again that we live, on a connection of its own: no long query may stand in the way."""
        connection: Any = None
        tidied = time.monotonic()
        while not self._stop.wait(RENEW_SECONDS):
            try:
                if connection is None:
                    connection = connect(self.where)
                if not connection.execute(_RENEW, (LEASE_SECONDS, self.process)).fetchall():
                    connection.execute(_ENTER, (self.process, self.address, LEASE_SECONDS))
                    self.lapses += 1  # others may have taken our tables
                self.peers = dict(connection.execute("select id, address from processes where until > now()").fetchall())
                if time.monotonic() - tidied > TIDY_SECONDS:
                    tidied = time.monotonic()
                    for statement in _TIDY:
                        connection.execute(statement)
            except (StoreError, psycopg.Error):
                if connection is not None:
                    connection.close()
                connection = None
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Let go: from now on others may take our tables."""
        if self._closed:
            return
        self._closed = True
        self._stop.set()
        self._renewer.join()
        with contextlib.suppress(StoreError):  # then the lease runs out
            self._rows("delete from processes where id = %s", self.process)
        with self._reading:
            self._connection.close()
