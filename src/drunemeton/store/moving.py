"""All tables from one store into another: from a file into a database, or back."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .base import StoreError
from .sqlite import SqliteStore, connect

DATABASES = ("postgresql://", "postgres://")
TABLES = "id, game, made, touched, over, open_seats"
PASSES = "digest, table_id, seat, made, session"  # in the order in which they came


def move(source: str, target: str, told: Callable[[int, int], None] = lambda done, of: None) -> int:
    """Copy everything into an empty store, in one transaction; answers how many tables."""
    with _read(source) as read, _write(target) as write:
        if write("select count(*) from tables")[0][0]:
            raise StoreError(f"there are tables in {_shown(target)} already: name an empty store")
        tables = read(f"select {TABLES} from tables order by made, id")
        for done, table in enumerate(tables, 1):
            ident = table[0]
            write(f"insert into tables ({TABLES}) values (%s, %s, %s, %s, %s, %s)", (*table[:4], bool(table[4]), table[5]))
            for row in read("select table_id, number, entry from entries where table_id = %s order by number", (ident,)):
                write("insert into entries (table_id, number, entry) values (%s, %s, %s)", row)
            told(done, len(tables))
        order = "number" if source.startswith(DATABASES) else "rowid"
        for digest, *rest, session in read(f"select {PASSES} from passes order by {order}"):
            write(f"insert into passes ({PASSES}) values (%s, %s, %s, %s, %s)", (bytes(digest), *rest, bool(session)))
        alive = read("select max(alive) from life")[0][0]
        if alive:
            write("update life set alive = %s" if target.startswith(DATABASES) else "insert into life values (0, %s)", (alive,))
    return len(tables)


Query = Callable[..., list[Any]]


@contextlib.contextmanager
def _read(where: str) -> Iterator[Query]:
    """A store that nobody plays on."""
    if where.startswith(DATABASES):
        from .postgres import connect as connect_database

        with connect_database(where) as connection, connection.transaction():
            connection.execute("set transaction isolation level repeatable read, read only")
            if connection.execute("select count(*) from processes where until > now()").fetchone()[0]:
                raise StoreError(f"a server is running on {_shown(where)}: stop it first")
            yield _postgres(connection)
        return
    if not Path(where).is_file():
        raise StoreError(f"there is no store {where}")
    store = SqliteStore(Path(where))  # which keeps servers out
    try:
        with contextlib.closing(connect(Path(where))) as connection:
            yield _sqlite(connection)
    finally:
        store.close()


@contextlib.contextmanager
def _write(where: str) -> Iterator[Query]:
    """An empty store, filled whole or not at all."""
    if where.startswith(DATABASES):
        from .postgres import connect as connect_database
        from .postgres_schema import migrate

        with connect_database(where) as connection:
            migrate(connection)
            with connection.transaction():
                yield _postgres(connection)
        return
    store = SqliteStore(Path(where))
    try:
        with contextlib.closing(connect(Path(where))) as connection:
            connection.execute("begin immediate")
            try:
                yield _sqlite(connection)
                connection.execute("commit")
            except BaseException:
                connection.execute("rollback")
                raise
    finally:
        store.close()


def _postgres(connection: Any) -> Query:
    def query(text: str, values: tuple[Any, ...] = ()) -> list[Any]:
        cursor = connection.execute(text, values)
        return list(cursor.fetchall()) if cursor.description else []

    return query


def _sqlite(connection: sqlite3.Connection) -> Query:
    def query(text: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return connection.execute(text.replace("%s", "?"), values).fetchall()

    return query


def _shown(where: str) -> str:
    """A store as it may be told to anybody: without a password."""
    return where.rsplit("@", 1)[-1] if where.startswith(DATABASES) else where
