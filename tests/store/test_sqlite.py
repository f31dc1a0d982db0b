"""The store in one file: backup while writing, one server at a time, migration with running games."""

from __future__ import annotations

import json
import random
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.store import Pass, SqliteStore, StoredEntry, StoreError, Summary, TooNew, backup
from drunemeton.store.migrations import VERSION, migrate
from drunemeton.store.sqlite import is_safe
from drunemeton.store.writer import batch_of
from drunemeton.table import Table, made

from .writing import append, as_json, done, kinds, make, start_writer, writer_of

OLD = Path(__file__).parent / "v1.sql"
RUNNING = sorted((Path(__file__).parent / "running").glob("*.sql"))


@pytest.fixture
def store(sqlite: SqliteStore) -> Any:
    return sqlite


def test_a_writer_that_outlives_its_server_keeps_others_out(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    child = start_writer(store)
    assert child.stdin is not None
    assert child.stdout is not None
    store.close()
    with pytest.raises(StoreError, match="another server"):
        SqliteStore(store.path)
    child.communicate()
    SqliteStore(store.path).close()


def test_a_copy_taken_while_writing_is_whole(store: Any, tmp_path: Path) -> None:
    make(store)
    stop = threading.Event()

    def write() -> None:
        number = 1
        while not stop.is_set():
            append(store, ("t", number, f"e{number}"))
            number += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        counts = []
        for n in range(5):
            target = tmp_path / f"copy{n}.db"
            store.backup(target)
            copy = SqliteStore(target)
            entries = copy.entries("t")
            copy.close()
            assert entries == ["first", *(as_json(f"e{number}").decode() for number in range(1, len(entries)))]
            counts.append(len(entries))
    finally:
        stop.set()
        thread.join()
    assert counts == sorted(counts)
    for source, target, why in (
        (tmp_path / "nothing.db", tmp_path / "x.db", "no store"),
        (store.path, store.path, "the store itself"),
        (store.path, tmp_path / "nowhere" / "x.db", "no folder"),
        (Path(__file__), tmp_path / "x.db", "cannot be copied"),
    ):
        with pytest.raises(StoreError, match=why):
            backup(source, target)
    assert not list(tmp_path.glob("*.part"))


def test_a_full_disk_is_told_and_nothing_that_was_acknowledged_is_lost(store: Any) -> None:
    make(store)
    writer = writer_of(store)

    def write(number: int) -> str | None:
        answer = writer.append([batch_of([StoredEntry("t", number, as_json("x" * 3000))])])[0]
        return answer[0] if answer else None

    pages = writer._connection.execute("pragma page_count").fetchone()[0]
    writer._connection.execute(f"pragma max_page_count={pages + 8}")
    kept = next(number for number in range(1, 100) if write(number))
    assert kept > 3
    assert "full" in (write(kept) or "")
    assert len(kinds(store, "t")) == kept - 1
    writer._connection.execute("pragma max_page_count=100000")  # there is room again
    assert write(kept) is None
    assert len(kinds(store, "t")) == kept
    writer.close()


def test_a_second_server_on_the_same_file_is_refused(store: Any) -> None:
    with pytest.raises(StoreError, match="another server"):
        SqliteStore(store.path)


def test_a_store_from_the_future_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    connection = sqlite3.connect(path)
    connection.execute(f"pragma user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(TooNew):
        SqliteStore(path)
    with pytest.raises(TooNew):
        SqliteStore(path)


def old_store(path: Any) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(OLD.read_text(encoding="utf-8"))
    connection.close()


def test_an_old_store_with_running_games_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    old_store(path)
    store = SqliteStore(path)
    tables = {}
    assert [table.ident for table in store.lobby(10)] == ["open"]
    for ident in ("running", "open", "resigned"):
        entries = [json.loads(entry) for entry in store.entries(ident)]
        tables[ident] = table = Table.rebuild(ident, entries)
        assert store.find_pass(ident.encode() + b" key 0", session=False) == Pass(ident.encode() + b" key 0", ident, 0, 1000)
        watching = store.find_pass(ident.encode() + b" watch", session=False)
        assert watching is not None
        assert watching.seat is None
        assert table.over == (ident == "resigned")
    # The running one goes on: the next entry follows, and is durable.
    table = tables["running"]
    table.move(table.turn, table.legal(table.turn)[0], now=99_000)
    append(store, ("running", table.revision, json.dumps(table.entries[-1]), Summary(99_000, False, 0)))
    assert len(store.entries("running")) == len(table.entries)
    assert done(store, "expire", now=100_000, running=50_000, over=50_000, pause=100_000) == ["open", "resigned"]
    store.close()
    # What was there before is kept beside it.
    kept = sqlite3.connect(tmp_path / "old.db.v1")
    assert kept.execute("pragma user_version").fetchone() == (1,)
    kept.close()


@pytest.mark.parametrize("path", RUNNING, ids=lambda path: path.stem)
def test_tables_of_all_games_go_on_as_they_were_left(path: Any, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "old.db")
    connection.executescript(path.read_text(encoding="utf-8"))
    connection.close()
    store = SqliteStore(tmp_path / "old.db")
    for name in ("celtica", "daemonen", "druidenwalzer"):
        table = Table.rebuild(name, [json.loads(entry) for entry in store.entries(name)])
        recorded = records.read(path.with_name(f"{path.stem}-{name}.txt").read_text(encoding="utf-8"))
        again = records.read(records.write(table.game))
        # Moves, and the shuffles that followed from the table's secret: a table keeps the derivation that it was begun with.
        assert [(step.seat, step.move, step.shuffles) for step in again.steps] == [
            (step.seat, step.move, step.shuffles) for step in recorded.steps
        ]
        assert recorded.options.items() <= again.options.items()
        assert {"made", "sat", "move", "bot_takes"} <= {entry["kind"] for entry in table.entries}
        play_to_the_end(table)
        assert records.verify(records.read(records.write(table.game))).shuffles == "audited"
    store.close()


def play_to_the_end(table: Any) -> None:
    rng = random.Random(2)
    while not table.over:
        seat = table.turn
        if table.seats[seat].bot:
            table.move_by_bot(seat, rng.choice(table.game.actions()), now=41_000)
        else:
            table.move(seat, rng.choice(table.legal(seat)), now=41_000)


def test_a_game_of_three_goes_on_after_the_migration_though_one_has_resigned(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "old.db", isolation_level=None)
    migrate(connection, until=1)
    seats = [{"kind": "person"}, {"kind": "open"}, {"kind": "open"}]
    connection.execute("insert into tables values ('three', 'celtica', 1000)")
    entries: list[dict[str, Any]] = [{"kind": "made", "seats": seats}, {"kind": "sat", "seat": 2}, {"kind": "resigned", "seat": 0}]
    for number, entry in enumerate(entries):
        connection.execute("insert into entries values ('three', ?, ?)", (number, json.dumps({**entry, "at": number})))
    migrate(connection)
    assert connection.execute("select touched, over, open_seats from tables").fetchone() == (2, 0, 1)
    connection.close()


def test_a_migration_that_breaks_leaves_the_old_version(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    old_store(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("create table passes (x)")
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection)
    assert connection.execute("pragma user_version").fetchone() == (1,)
    assert connection.execute("select count(*) from keys").fetchone() == (6,)
    connection.close()


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 9), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 53, 0), True),
    ],
)
def test_versions_of_sqlite_in_which_the_log_can_be_trusted(version: Any, safe: Any) -> None:
    assert is_safe(version) == safe


def write_fixture() -> None:
    """How v1.sql was made, in the days of schema 1."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, until=1)
    people = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]
    for ident in ("running", "open", "resigned"):
        seats = [people[0], {"kind": "open"}] if ident == "open" else people
        table, rng = Table(ident, made("druidenwalzer", seats, now=1000, chance=11)), random.Random(1)
        for n in range(12):
            table.move(table.turn, rng.choice(table.legal(table.turn)), now=2000 + n, ident=f"m{n}")
        if ident == "resigned":
            table.resign(0, now=3000, bot="random")
        connection.execute("insert into tables values (?, 'druidenwalzer', 1000)", (ident,))
        for number, entry in enumerate(table.entries):
            connection.execute("insert into entries values (?, ?, ?)", (ident, number, json.dumps(entry)))
        for seat, name in ((0, "key 0"), (None, "watch")):
            connection.execute("insert into keys values (?, ?, ?)", (f"{ident} {name}".encode(), ident, seat))
    OLD.write_text("\n".join(["pragma user_version = 1;", *connection.iterdump()]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_fixture()
