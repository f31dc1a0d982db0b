"""The store: numbered entries, group commit, passes, expiry, backup while writing, migration with running games."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.server.messages import encode
from drunemeton.store import Pass, SqliteStore, Store, StoredEntry, StoreError, Summary, TooNew, backup
from drunemeton.store.migrations import VERSION, migrate
from drunemeton.store.sqlite import is_safe
from drunemeton.store.writer import CONFLICT, LENGTH, Writer, batch_of, named
from drunemeton.table import Table, made

OLD = Path(__file__).parent / "v1.sql"
RUNNING = sorted((Path(__file__).parent / "running").glob("*.sql"))
SUMMARY = Summary(5, False, 0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Any]:
    opened = SqliteStore(tmp_path / "store.db")
    yield opened
    opened.close()


def make(store: Any, ident: str = "t", *, summary: Any = SUMMARY, passes: Any = ()) -> None:
    done(store, "create", table=[ident, "druidenwalzer", summary.touched, summary], first="first", passes=named(passes))


def done(store: Any, what: Any, **given: Any) -> Any:
    """One request to the writer; an error if it is refused."""
    writer = Writer(store.path)
    said = writer.do(json.dumps({"do": what, **given}).encode())
    writer.close()
    if "problem" in said:
        raise StoreError(said["problem"])
    return said["answer"]


def _json(value: Any) -> Any:
    return json.dumps({"kind": value}, ensure_ascii=False, separators=(",", ":")).encode()


def kinds(store: Any, table: Any) -> Any:
    """The entries after the first, as they were handed in."""
    return [json.loads(entry)["kind"] for entry in store.entries(table)[1:]]


def append(store: Any, *entries: Any) -> Any:
    """Entries in one batch; what is wrong with each."""
    writer = Writer(store.path)
    stored = [StoredEntry(table, number, _json(entry), *summary) for table, number, entry, *summary in entries]
    answers = writer.append([batch_of(stored)])[0]
    writer.close()
    return answers or [None] * len(entries)


def test_entries_come_back_in_order_and_numbers_are_held_to(store: Store) -> None:
    make(store)
    for number in range(1, 20):
        assert append(store, ("t", number, f"e{number}")) == [None]
    for wrong in (0, 5, 19, 21):
        assert append(store, ("t", wrong, "x")) == [CONFLICT]
    assert append(store, ("nowhere", 0, "x")) == [CONFLICT]
    assert kinds(store, "t") == [f"e{n}" for n in range(1, 20)]
    assert store.entries("nowhere") == []


def test_an_entry_is_on_disk_as_it_was_encoded(store: Any) -> None:
    make(store)
    entries = [
        encode({"kind": "sat", "at": 2**53 + 1, "name": name, "left": [1.5, -0.25, None, True]})
        for name in ('ü " \\ / [', "\u2028\t\x7f", "日本 🌳", "")
    ]
    writer = Writer(store.path)
    batch = batch_of([StoredEntry("t", number, entry) for number, entry in enumerate(entries, 1)])
    assert all(entry in batch for entry in entries)
    assert writer.append([batch]) == [[]]
    assert writer.append([batch_of([StoredEntry("t", 9, entries[0]), StoredEntry("t", 5, entries[2])])]) == [[CONFLICT, None]]
    writer.close()
    assert store.entries("t")[1:] == [entry.decode() for entry in (*entries, entries[2])]


def test_one_that_fails_does_not_spoil_the_commit_of_the_others(store: Any) -> None:
    make(store)
    make(store, "u")
    outcome = append(store, *(("t", number, f"e{number}") for number in (1, 2, 7, 3, 3, 4)))
    assert outcome == [None, None, CONFLICT, None, CONFLICT, None]
    mixed = [("u", 1, "u1"), ("t", 5, "e5"), ("u", 3, "u3"), ("nowhere", 0, "x"), ("t", 6, "e6", Summary(9, True, 0))]
    assert append(store, *mixed) == [None, None, CONFLICT, CONFLICT, None]
    assert append(store, ("u", 2, 'ü " [2], ['), ("t", 7, "e7")) == [None, None]
    assert kinds(store, "t") == [f"e{n}" for n in range(1, 8)]
    assert kinds(store, "u") == ["u1", 'ü " [2], [']
    with pytest.raises(StoreError):
        make(store)
    assert done(store, "expire", now=100, running=100, over=0, pause=1000) == ["t"]  # its summary came with the entry


def test_the_writer_takes_batches_until_its_input_ends(store: Any) -> None:
    for n in range(4):
        make(store, f"t{n}")
    command, files = store.writer()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=files)
    assert child.stdin is not None
    assert child.stdout is not None
    sent = b""
    for number in range(1, 60):
        rows = batch_of([StoredEntry(f"t{n}", number + (number > 50 and n == 3), _json(f"{n}.{number}")) for n in range(4)])
        sent += len(rows).to_bytes(LENGTH, "big") + rows
    for at in range(0, len(sent), 777):
        child.stdin.write(sent[at : at + 777])
        child.stdin.flush()
    answers = [json.loads(line) or [None] * 4 for line in child.communicate()[0].splitlines()]
    assert child.returncode == 0
    assert answers == [[None] * 4] * 50 + [[None, None, None, CONFLICT]] * 9
    for n in range(4):
        assert kinds(store, f"t{n}") == [f"{n}.{number}" for number in range(1, 51 if n == 3 else 60)]


def test_a_writer_that_outlives_its_server_keeps_others_out(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    command, files = store.writer()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=files)
    assert child.stdin is not None
    assert child.stdout is not None
    store.close()
    with pytest.raises(StoreError, match="another server"):
        SqliteStore(store.path)
    child.communicate()
    SqliteStore(store.path).close()


def test_passes(store: Any) -> None:
    make(store, passes=[Pass(b"k0", "t", 0, 1), Pass(b"kw", "t", None, 1)])
    assert store.find_pass(b"k0", session=False) == Pass(b"k0", "t", 0, 1)
    assert store.find_pass(b"k0", session=True) is None
    assert store.find_pass(b"kw", session=False).seat is None
    for n in range(5):
        done(
            store,
            "add_passes",
            passes=named([Pass(b"s%d" % n, "t", 0, n, session=True), Pass(b"w%d" % n, "t", None, n, session=True)]),
            keep=3,
        )
    kept = [n for n in range(5) if store.find_pass(b"s%d" % n, session=True)]
    assert kept == [2, 3, 4]
    assert [n for n in range(5) if store.find_pass(b"w%d" % n, session=True)] == kept
    with pytest.raises(StoreError):
        done(store, "add_passes", passes=named([Pass(b"x", "nowhere", 0, 1)]))


def test_only_time_in_which_a_server_ran_counts_for_expiry(store: Any) -> None:
    day, now = 24 * 3_600_000, 1000 * 24 * 3_600_000
    keep = {"running": 180 * day, "over": 60 * day, "pause": 2 * 3_600_000}
    make(store, summary=Summary(now, False, 0))
    for jump in (200 * day, -200 * day, 5000 * day, -1):
        now += jump
        assert done(store, "expire", now=now, **keep) == []
    writer = Writer(store.path)
    hours = 0
    while not (gone := writer.do(json.dumps({"do": "expire", "now": now, **keep}).encode())["answer"]):
        now, hours = now + 3_600_000, hours + 1
        assert hours <= 181 * 24
    writer.close()
    assert gone == ["t"]
    assert hours >= 180 * 24


def test_passes_are_ordered_by_when_they_came_not_by_what_a_clock_said(store: Any) -> None:
    make(store, passes=[Pass(b"maker", "t", 1, 5000)])
    done(store, "add_passes", passes=named([Pass(b"sitter", "t", 1, 100)]), keep=1)
    assert store.find_pass(b"maker", session=False) is None
    assert store.find_pass(b"sitter", session=False) is not None


def test_lobby_expiry_and_deletion(store: Any) -> None:
    make(store, "old", summary=Summary(10, False, 1), passes=[Pass(b"k", "old", 0, 1)])
    make(store, "over", summary=Summary(500, True, 1))
    make(store, "new", summary=Summary(1000, False, 1))
    make(store, "full", summary=Summary(1000, False, 0))
    assert [table.ident for table in store.lobby(10)] == ["new", "old"]
    append(store, ("full", 1, "e", Summary(2000, False, 2)))
    assert {table.ident for table in store.lobby(10)} == {"new", "full", "old"}
    assert len(store.lobby(1)) == 1
    assert sorted(done(store, "expire", now=2000, running=1900, over=1400, pause=10_000)) == ["old", "over"]
    assert store.entries("old") == []
    assert store.find_pass(b"k", session=False) is None
    done(store, "delete", table="new")
    assert [table.ident for table in store.lobby(10)] == ["full"]
    assert append(store, ("new", 1, "late")) == [CONFLICT]


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
            assert entries == ["first", *(_json(f"e{number}").decode() for number in range(1, len(entries)))]
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


def test_a_second_server_on_the_same_file_is_refused(store: Any) -> None:
    with pytest.raises(StoreError, match="another server"):
        SqliteStore(store.path)


def test_what_was_promised_survives_kill_9(store: Any) -> None:
    make(store)
    command, files = store.writer()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=files)
    assert child.stdin is not None
    assert child.stdout is not None
    promised = 0
    for number in range(1, 400):
        rows = batch_of([StoredEntry("t", number, _json("x" * 200))])
        child.stdin.write(len(rows).to_bytes(LENGTH, "big") + rows)
        child.stdin.flush()
        if number > 100:
            assert child.stdout.readline() == b"[]\n"
            promised += 1
    child.kill()
    promised += len(child.communicate()[0].splitlines())
    entries = store.entries("t")
    assert promised >= 299
    assert len(entries) - 1 >= promised
    assert kinds(store, "t") == ["x" * 200] * (len(entries) - 1)


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
