"""PostgreSQL's schema, version by version, as `migrations.py` has SQLite's. Every server that starts brings the database up to date."""

from __future__ import annotations

from typing import Any

from .base import TooNew

LOCK = 0x6472756E  # of all who migrate or expire, one at a time

_FIRST = """
create table tables (
    id text primary key, game text not null, made bigint not null,
    touched bigint not null, over boolean not null, open_seats integer not null
);
create index tables_touched on tables (touched);
create index tables_lobby on tables (made) where open_seats > 0 and not over;
create table entries (
    table_id text not null references tables (id), number integer not null, entry text not null, primary key (table_id, number)
);
create table passes (
    number bigint generated always as identity primary key, digest bytea not null unique, table_id text not null references tables (id),
    seat integer, made bigint not null, session boolean not null
);
create index passes_table on passes (table_id, session, seat, number);
create table life (one integer primary key check (one = 0), alive bigint not null, secret text not null);
insert into life values (0, 0, gen_random_uuid()::text || gen_random_uuid()::text);
create table processes (id text primary key, address text not null, until timestamptz not null);
create table owners (
    table_id text primary key references tables (id), owner text not null, epoch bigint not null, clock boolean not null default false
);
create index owners_clock on owners (owner) where clock;
"""

# What servers know together of those who come: forgotten when it no longer matters, and when the database breaks down. Addresses are
# digests here, keyed by the secret of these servers.
_SECOND = """
create unlogged table limits (what text not null, who bytea not null, full_at timestamptz not null, primary key (what, who));
create unlogged table makers (table_id text primary key, who bytea not null);
"""

STEPS = (_FIRST, _SECOND)
VERSION = len(STEPS)


def migrate(connection: Any) -> None:
    """Bring a database to this version, all of it or nothing."""
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        connection.execute("create table if not exists drunemeton (version integer not null)")
        found = connection.execute("select max(version) from drunemeton").fetchone()[0] or 0
        if found > VERSION:
            raise TooNew(f"this database was written by a newer version (schema {found}, this one knows {VERSION})")
        for number in range(found, VERSION):
            connection.execute(STEPS[number])
            connection.execute("insert into drunemeton values (%s)", (number + 1,))
