"""All tables from a file into a database and back, running games included."""

from __future__ import annotations

from pathlib import Path

import pytest

from drunemeton.cli import main
from drunemeton.client import Client
from drunemeton.server import Settings
from drunemeton.store import Pass, SqliteStore, StoreError
from drunemeton.store.moving import move
from drunemeton.store.postgres import PostgresStore

from ..postgres import PrivatePostgres
from ..server.house import House, play_on, rng, settle
from .writing import append, kinds, make


def test_there_and_back(database: PrivatePostgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, where = tmp_path / "a.db", database.fresh()
    store = SqliteStore(file)
    for ident in ("t", "u"):
        make(store, ident, passes=[Pass(ident.encode(), ident, 0, 1), Pass(b"w" + ident.encode(), ident, None, 1)])
        append(store, (ident, 1, "ü 日本"), (ident, 2, "two"))
    before = {ident: store.entries(ident) for ident in ("t", "u")}
    with pytest.raises(StoreError, match="another server"):
        move(str(file), where)
    store.close()
    assert main(["move", str(file), where]) == 0
    assert "2 tables" in capsys.readouterr().out
    shared = PostgresStore(where, "127.0.0.1:1")
    with pytest.raises(StoreError, match="running"):
        move(where, str(tmp_path / "b.db"))
    shared.close()
    assert main(["move", str(file), where]) == 1
    assert "empty" in capsys.readouterr().err
    assert move(where, str(tmp_path / "b.db")) == 2
    back = SqliteStore(tmp_path / "b.db")
    assert {ident: back.entries(ident) for ident in before} == before
    assert back.find_pass(b"t", session=False) == Pass(b"t", "t", 0, 1)
    assert append(back, ("t", 3, "three")) == [None]
    assert kinds(back, "t") == ["ü 日本", "two", "three"]
    back.close()
    assert main(["move", str(tmp_path / "nothing.db"), where]) == 1
    assert "no store" in capsys.readouterr().err


def test_a_running_game_goes_on(database: PrivatePostgres, tmp_path: Path) -> None:
    settings = Settings(store_path=tmp_path / "a.db", assets=tmp_path, messages_burst=100_000)
    with House(settings) as house:
        made = house.table()
        with house.players(made) as clients:
            play_on(clients, rng(), 8)
            sessions, revision = [client.session for client in clients], clients[0].state["revision"]
    where = database.fresh()
    assert move(str(tmp_path / "a.db"), where) == 1
    with House(settings, database=where) as house:
        clients = [Client(house.url, made["table"], session) for session in sessions]
        assert clients[0].state["revision"] == revision
        settle(clients)
        play_on(clients, rng(2))
        assert clients[0].over
        for client in clients:
            client.close()
