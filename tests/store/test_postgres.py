"""Tables that several processes may play: who owns one, what a process that was thought dead can still do, and what survives a restart."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from drunemeton.store import Owner, StoredEntry, StoreError
from drunemeton.store import postgres as room
from drunemeton.store.base import CONFLICT
from drunemeton.store.postgres import PostgresStore
from drunemeton.store.writer import batch_of

from ..patience import PATIENCE
from ..postgres import PrivatePostgres
from .writing import as_json, kinds, make, writer_of


def append(store: PostgresStore, number: int, epoch: int) -> str | None:
    """What is wrong with an entry of table t that is written by that epoch."""
    writer = writer_of(store)
    said: list[str | None] = writer.append([batch_of([StoredEntry("t", number, as_json(f"{store.address} {number}"), epoch=epoch)])])[0]
    writer.close()
    return said[0] if said else None


def killed(store: PostgresStore) -> None:
    """It says no more that it lives, and its lease has run out."""
    store._stop.set()
    store._renewer.join()
    store._rows("update processes set until = now() - interval '1 second' where id = %s", store.process)


@pytest.fixture
def two(database: PrivatePostgres) -> Any:
    where = database.fresh()
    stores = [PostgresStore(where, f"127.0.0.1:{port}") for port in (1, 2)]
    yield stores
    for store in stores:
        store.close()


def test_one_process_plays_a_table_and_the_others_are_told_which(two: Any) -> None:
    first, second = two
    make(first)
    assert second.claim("t") == Owner(first.process, 1, "127.0.0.1:1")
    assert second.owner("t") == second.claim("t")
    assert first.owner("t") is None
    assert append(second, 1, 1) == CONFLICT
    assert append(first, 1, 1) is None
    assert second.claim("nowhere") is None
    assert first.claim("t") == 2, "whoever takes it up anew leaves behind what may still be under way"
    assert append(first, 2, 1) == CONFLICT
    assert append(first, 2, 2) is None


def test_who_was_thought_dead_cannot_write_any_more(two: Any) -> None:
    first, second = two
    make(first)
    assert append(first, 1, 1) is None
    killed(first)
    assert second.claim("t") == 2
    assert append(first, 2, 1) == CONFLICT
    assert append(second, 2, 2) is None
    assert kinds(second, "t") == ["127.0.0.1:1 1", "127.0.0.1:2 2"]


def test_without_the_epoch_it_could(two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: the test above fails if the epoch is not looked at."""
    from drunemeton.store import postgres_writer

    open_door = postgres_writer._APPEND.replace("and held.epoch = given.epoch", "").replace("owner = %(me)s and", "%(me)s <> '' and")
    assert open_door != postgres_writer._APPEND
    monkeypatch.setattr(postgres_writer, "_APPEND", open_door)
    first, second = two
    make(first)
    killed(first)
    assert second.claim("t") == 2
    assert append(first, 1, 1) is None


def test_a_table_is_taken_over_at_once_only_by_who_knows_that_its_owner_is_dead(two: Any) -> None:
    first, second = two
    make(first)
    assert second.claim("t", over=7) == Owner(first.process, 1, "127.0.0.1:1")
    assert second.claim("t", over=1) == 2
    assert first.claim("t", over=1) == Owner(second.process, 2, "127.0.0.1:2"), "who comes second finds the other there"


def test_of_many_who_take_over_one_succeeds(database: PrivatePostgres) -> None:
    where = database.fresh()
    dead, *others = (PostgresStore(where, f"127.0.0.1:{port}") for port in range(1, 7))
    make(dead)
    killed(dead)
    ready, found = threading.Barrier(len(others)), {}

    def take(store: PostgresStore) -> None:
        ready.wait()
        found[store.address] = store.claim("t")

    threads = [threading.Thread(target=take, args=(store,)) for store in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    epochs = [one for one in found.values() if isinstance(one, int)]
    assert epochs == [2]
    assert len({one for one in found.values() if isinstance(one, Owner)}) == 1
    for store in (dead, *others):
        store.close()


def test_who_lives_says_so_and_who_goes_leaves_his_tables(two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = two
    make(first)
    first.note_clock("t", True)
    until = time.monotonic() + PATIENCE
    while set(second.peers.values()) != {"127.0.0.1:1", "127.0.0.1:2"}:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert second.abandoned() == []
    first.close()
    assert second.abandoned() == ["t"]
    assert second.claim("t") == 2


def test_a_process_that_overslept_its_lease_notices(two: Any) -> None:
    first, _ = two
    lapses = first.lapses
    until = time.monotonic() + PATIENCE
    while first.lapses == lapses:
        first._rows("update processes set until = now() - interval '1 second' where id = %s", first.process)
        assert time.monotonic() < until
        time.sleep(0.05)


def test_it_goes_on_after_the_database_was_away() -> None:
    server = PrivatePostgres()
    try:
        store = PostgresStore(server.fresh(), "127.0.0.1:1")
        make(store)
        writer = writer_of(store)
        rows = [batch_of([StoredEntry("t", number, as_json(number), epoch=1)]) for number in (1, 2)]
        assert writer.append(rows[:1]) == [[]]
        server.stop()
        assert "database" in (writer.append(rows[1:])[0][0] or "")
        with pytest.raises(StoreError, match="database"):
            store.entries("t")
        server.start()
        assert writer.append(rows[1:]) == [[]]
        assert kinds(store, "t") == [1, 2]
        writer.close()
        store.close()
    finally:
        server.close()


def test_bad_addresses_are_a_sentence(database: PrivatePostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError, match="cannot be reached"):
        PostgresStore("postgresql://nobody@127.0.0.1:1/nothing", "x")
    monkeypatch.setattr(room, "psycopg", None)
    with pytest.raises(StoreError, match="pip install"):
        PostgresStore(database.where, "x")
