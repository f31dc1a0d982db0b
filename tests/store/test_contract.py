"""What every store promises: numbered entries, group commit, passes, expiry; the same tests over SQLite and PostgreSQL."""

from __future__ import annotations

import json
from typing import Any

import pytest

from drunemeton.server.messages import encode
from drunemeton.store import Pass, Store, StoredEntry, StoreError, Summary
from drunemeton.store.base import CONFLICT
from drunemeton.store.writer import LENGTH, batch_of, named

from .writing import append, as_json, done, kinds, make, start_writer, writer_of


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


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
    writer = writer_of(store)
    batch = batch_of([StoredEntry("t", number, entry, epoch=1) for number, entry in enumerate(entries, 1)])
    assert all(entry in batch for entry in entries)
    assert writer.append([batch]) == [[]]
    assert writer.append([batch_of([StoredEntry("t", 9, entries[0], epoch=1), StoredEntry("t", 5, entries[2], epoch=1)])]) == [
        [CONFLICT, None]
    ]
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
    child = start_writer(store)
    assert child.stdin is not None
    assert child.stdout is not None
    sent = b""
    for number in range(1, 60):
        rows = batch_of([StoredEntry(f"t{n}", number + (number > 50 and n == 3), as_json(f"{n}.{number}"), epoch=1) for n in range(4)])
        sent += len(rows).to_bytes(LENGTH, "big") + rows
    for at in range(0, len(sent), 777):
        child.stdin.write(sent[at : at + 777])
        child.stdin.flush()
    answers = [json.loads(line) or [None] * 4 for line in child.communicate()[0].splitlines()]
    assert child.returncode == 0
    assert answers == [[None] * 4] * 50 + [[None, None, None, CONFLICT]] * 9
    for n in range(4):
        assert kinds(store, f"t{n}") == [f"{n}.{number}" for number in range(1, 51 if n == 3 else 60)]


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


@pytest.mark.slow
def test_only_time_in_which_a_server_ran_counts_for_expiry(store: Any) -> None:
    day, now = 24 * 3_600_000, 1000 * 24 * 3_600_000
    keep = {"running": 180 * day, "over": 60 * day, "pause": 2 * 3_600_000}
    make(store, summary=Summary(now, False, 0))
    for jump in (200 * day, -200 * day, 5000 * day, -1):
        now += jump
        assert done(store, "expire", now=now, **keep) == []
    writer = writer_of(store)
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


def test_what_was_promised_survives_kill_9(store: Any) -> None:
    make(store)
    child = start_writer(store)
    assert child.stdin is not None
    assert child.stdout is not None
    promised = 0
    for number in range(1, 400):
        rows = batch_of([StoredEntry("t", number, as_json("x" * 200), epoch=1)])
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
