"""The schema, version by version. A store file says its version in `user_version`; each step below takes it one further.

1: tables, entries, keys.
2: sessions beside the keys (both are passes), and summaries for the lobby and for expiry.
3: when a server was last alive, by its own clock.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

_FIRST = """
create table tables (id text primary key, game text not null, made integer not null) without rowid;
create table entries (
    table_id text not null references tables (id), number integer not null, entry text not null, primary key (table_id, number)
) without rowid;
create table keys (digest blob primary key, table_id text not null references tables (id), seat integer);
"""

_SECOND = """
alter table tables add column touched integer not null default 0;
alter table tables add column over integer not null default 0;
alter table tables add column open_seats integer not null default 0;
create index tables_touched on tables (touched);
create index tables_lobby on tables (made) where open_seats > 0 and not over;
create table passes (
    digest blob primary key, table_id text not null references tables (id), seat integer, made integer not null, session integer not null
);
create index passes_table on passes (table_id, session, seat);
insert into passes (digest, table_id, seat, made, session)
    select digest, table_id, seat, (select made from tables where id = table_id), 0 from keys;
drop table keys;
update tables set
    touched = (select json_extract(entry, '$.at') from entries where table_id = id order by number desc limit 1),
    over = (select json_array_length(entry, '$.seats') from entries where table_id = id and number = 0) = 2
        and exists (select 1 from entries where table_id = id and json_extract(entry, '$.kind') in ('resigned', 'flagged')),
    open_seats = (
        select count(*) from entries, json_each(entry, '$.seats') as seat
        where table_id = tables.id and number = 0 and json_extract(seat.value, '$.kind') = 'open' and seat.key not in (
            select json_extract(entry, '$.seat') from entries where table_id = tables.id and json_extract(entry, '$.kind') = 'sat'
        )
    );
"""


_THIRD = """
create table life (one integer primary key check (one = 0), alive integer not null);
"""


def _script(text: str) -> Callable[[sqlite3.Connection], None]:
    def run(connection: sqlite3.Connection) -> None:
        for statement in text.split(";\n"):
            if statement.strip():
                connection.execute(statement)

    return run


STEPS = (_script(_FIRST), _script(_SECOND), _script(_THIRD))
VERSION = len(STEPS)


def migrate(connection: sqlite3.Connection, *, until: int = VERSION) -> None:
    """Bring a store to a version, each step in its own transaction."""
    for number in range(1, until + 1):
        connection.execute("begin immediate")
        try:
            # Asked within the transaction: another process may have been faster.
            if connection.execute("pragma user_version").fetchone()[0] < number:
                STEPS[number - 1](connection)
                connection.execute(f"pragma user_version = {number}")
            connection.execute("commit")
        except BaseException:
            connection.execute("rollback")
            raise
