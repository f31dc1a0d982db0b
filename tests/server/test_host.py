"""The host's side: what lies in the current folder is not run, a store has one server, and damage stays where it is."""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import os
import re
import sqlite3
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from drunemeton.client import Client, ServerError, ask
from drunemeton.server import Settings, serve
from drunemeton.store import SqliteStore, StoreError
from drunemeton.store.base import StoredEntry
from drunemeton.store.processes import command_of
from drunemeton.store.writer import GONE, Writer, batch_of

from ..patience import PATIENCE
from .house import PERSON, House, play_on, rng

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("on_path", [False, True])
@pytest.mark.parametrize("module", ["drunemeton.store.writer", "drunemeton.bots.process"])
def test_what_lies_in_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any, on_path: Any) -> None:
    for name in ("dataclasses", "json", "sqlite3", "pickle", "select"):
        (tmp_path / f"{name}.py").write_text("from pathlib import Path; Path(__file__).with_name('was_run').touch()\n")
    monkeypatch.chdir(tmp_path)
    if on_path:  # as for a server that was itself started by `python -m` there
        monkeypatch.syspath_prepend(str(tmp_path))
    argument = str(tmp_path / "s.db") if module.endswith("writer") else "drunemeton.bots:make_bot"
    done = subprocess.run(command_of(module, argument), input=b"", capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "was_run").exists()


def test_a_second_server_by_another_name_is_refused(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.db")
    (tmp_path / "elsewhere").mkdir()
    soft, hard = tmp_path / "elsewhere" / "soft.db", tmp_path / "elsewhere" / "hard.db"
    soft.symlink_to(store.path)
    with pytest.raises(StoreError, match="another server"):
        SqliteStore(soft)
    os.link(store.path, hard)
    with pytest.raises(StoreError, match="second name"):
        SqliteStore(hard)
    hard.unlink()
    store.close()
    SqliteStore(soft).close()


def test_nothing_is_acknowledged_once_the_file_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    store = SqliteStore(folder / "tables.db")
    writer = Writer(store.path)
    made = {"do": "create", "table": ["t", "g", 1, [1, 0, 0]], "first": "{}", "passes": []}
    assert writer.do(json.dumps(made).encode()) == {"answer": None}
    assert writer.append([batch_of([StoredEntry("t", 1, b"{}")])]) == [[]]
    folder.rename(tmp_path / "moved")
    assert writer.append([batch_of([StoredEntry("t", 2, b"{}"), StoredEntry("t", 3, b"{}")])]) == [[GONE, GONE]]
    assert writer.do(json.dumps({"do": "delete", "table": "t"}).encode()) == {"problem": GONE}
    SqliteStore(folder / "tables.db").close()  # another file by that name is not ours either
    assert writer.append([batch_of([StoredEntry("t", 4, b"{}")])])[0] != []
    writer.close()
    store.close()


def test_players_are_told_when_the_file_is_gone(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    with House(replace(settings, store_path=settings.store_path.parent / "deep" / "tables.db")) as house:
        made = house.table()
        with house.players(made) as clients:
            play_on(clients, rng(), 2)
            house.settings.store_path.parent.rename(settings.store_path.parent / "away")
            mover = next(client for client in clients if client.my_turn)
            mover.send({"type": "move", "id": "x", "revision": mover.state["revision"], "move": mover.state["legal"][0]})
            with pytest.raises(ServerError, match="store"):
                hear_out(mover)
    assert "store_failed" in {record.getMessage() for record in caplog.records}


def hear_out(client: Any) -> None:
    while True:
        assert client.receive()["type"] != "ack"


def test_a_read_only_store_is_left_so(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    SqliteStore(path).close()
    path.chmod(0o400)
    with pytest.raises(StoreError, match="read-only"):
        SqliteStore(path)
    assert path.stat().st_mode & 0o777 == 0o400
    path.chmod(0o644)
    SqliteStore(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


DAMAGE = {
    "no json": "update entries set entry = '{' where table_id = ?",
    "no text": "update entries set entry = x'ff00ff' where table_id = ?",
    "another shape": "update entries set entry = '[1, 2]' where table_id = ?",
    "nothing in it": "update entries set entry = '{}' where table_id = ? and number = 0",
    "no such move": "update entries set entry = json_set(entry, '$.move', 'W 9<@9') where table_id = ? and entry like '%\"move\"%'",
    "no secret": "update entries set entry = json_remove(entry, '$.secret') where table_id = ? and number = 0",
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_table_is_set_aside_and_the_others_go_on(settings: Settings, caplog: pytest.LogCaptureFixture, how: Any) -> None:
    with House(settings) as house:
        bad, good = house.table([PERSON, {"kind": "open"}]), house.table()
        ask(f"{house.url}/api/tables/{bad['table']}/sit", "POST", {"name": "Bo"})
        with Client.join(bad["links"][0]) as client:
            session = client.session
            while client.state["waiting_for"]:
                client.receive()
            if client.my_turn:
                client.play(client.state["legal"][0])
        with house.players(good) as clients:
            play_on(clients, rng(), 3)
    connection = sqlite3.connect(settings.store_path)
    changed = connection.execute(DAMAGE[how], (bad["table"],)).rowcount
    connection.commit()
    connection.close()
    with House(settings) as house:
        if changed:
            for _ in range(2):
                with pytest.raises(ServerError) as refused:
                    ask(f"{house.url}/api/tables/{bad['table']}")
                assert (refused.value.status, refused.value.code) == (409, "damaged")
            with pytest.raises(ServerError, match="damaged"):
                Client(house.url, bad["table"], session)
            assert [record.getMessage() for record in caplog.records].count("table_damaged") == 1
        assert isinstance(ask(f"{house.url}/api/tables"), list)
        with house.players(good | {"links": [f"{house.url}/t/{good['table']}#{key}" for key in good["keys"]]}) as clients:
            play_on(clients, rng(), 3)


def test_a_file_that_is_no_store_is_named_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, content in enumerate((b"no database at all", b"SQLite format 3\x00" + b"x" * 5000)):
        path = tmp_path / f"{number}.db"
        path.write_bytes(content)
        assert serve("127.0.0.1", 0, None, path, False) == 1
        said = capsys.readouterr().err
        assert said.startswith("drunemeton: ")
        assert str(path) in said
        assert "Traceback" not in said
        assert path.read_bytes() == content
    (tmp_path / "folder.db").mkdir()
    assert serve("127.0.0.1", 0, None, tmp_path / "folder.db", False) == 1
    assert "is not a file" in capsys.readouterr().err


# --- What the container installs


def locked(name: str) -> dict[str, list[str]]:
    """What a lock file names, and the hashes of each."""
    text = (ROOT / name).read_text(encoding="utf-8").replace(" \\\n", " ")
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {one: hashes for one, *hashes in lines}


@pytest.mark.parametrize("name", ["run.lock", "build.lock"])
def test_every_file_that_the_container_installs_has_its_hash_and_the_tested_version(name: str) -> None:
    tested = {line.lower().replace("_", "-") for line in (ROOT / "constraints.txt").read_text().splitlines()}
    for one, hashes in locked(name).items():
        assert one in tested, f"{one} is not what was tested: run `make lock`"
        assert hashes
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", digest) for digest in hashes)


def test_the_lock_names_all_that_a_server_needs() -> None:
    named = {one.partition("==")[0] for one in locked("run.lock")}
    needed, seen = ["drunemeton"], set()
    while needed:
        one = needed.pop()
        if one in seen:
            continue
        seen.add(one)
        for text in importlib.metadata.requires(one) or []:
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate(
                {"extra": "", "python_version": "3.12", "python_full_version": "3.12.0"}
            ):
                needed.append(requirement.name.lower().replace("_", "-"))
    assert seen - {"drunemeton"} <= named, "run `make lock`"


def test_the_container_installs_nothing_without_a_hash() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    installs = re.findall(r"pip (?:install|wheel)[^&\n]*", text)
    assert len(installs) == 4
    for one in installs:
        assert "--require-hashes" in one or "--no-deps" in one
        assert "--require-hashes" in one or "--no-index" in one or "--no-build-isolation" in one


def test_a_server_warns_of_an_old_sqlite(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio.Runner, "run", lambda self, task: task.close())
    monkeypatch.setitem(serve.__globals__, "SqliteStore", lambda path: None)
    for safe in (True, False):
        monkeypatch.setitem(serve.__globals__, "is_safe", lambda safe=safe: safe)
        serve("127.0.0.1", 0, None, tmp_path / f"{safe}.db", False)
        assert ("Python's SQLite is" in capsys.readouterr().err) == (not safe)
