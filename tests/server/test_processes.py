"""Processes of the server and of simulations: where they look for what they run, and on which event loop the server runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drunemeton.bots.arena import workers
from drunemeton.rules.game import find_game, playable
from drunemeton.server import Settings
from drunemeton.server.bot_pool import BotPool
from drunemeton.server.serve import config_for
from drunemeton.store import SqliteStore

from ..patience import in_a_loop


@pytest.fixture
def trapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which files lie that are named like modules that we import."""
    for name in ("dataclasses", "json", "multiprocessing", "runpy", "drunemeton", "sqlite3"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run by mistake')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_writer_runs_nothing_from_the_current_folder(trapped: Path) -> None:
    store = SqliteStore(trapped / "store.db")
    command, files, _ = store.writer()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False, pass_fds=files)
    store.close()
    assert (done.returncode, done.stderr) == (0, b"")


def test_bots_run_nothing_from_the_current_folder(trapped: Path) -> None:
    game = find_game(playable()[0]).new(seed=1)
    assert game.to_move is not None
    known = game.knowledge[game.to_move]

    async def ask() -> int:
        pool = BotPool(1, 60.0)
        try:
            return await pool.choose(type(game), "random", known, 1)
        finally:
            await pool.close()

    assert in_a_loop(ask()) in game.actions()


def test_simulations_run_nothing_from_the_current_folder(trapped: Path) -> None:
    with workers(1) as pool:
        assert pool.submit(os.getcwd).result(60) == str(trapped)


def test_the_server_runs_on_uvloop_where_it_is_installed(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from drunemeton.server import serve
loops = []
def watched(self, task, **more):
    loops.append(type(self.get_loop()).__module__)
    task.close()
asyncio.Runner.run = watched
serve(port=0, store=sys.argv[1], open_browser=False)
print(loops)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "t.db")], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip().endswith("['uvloop']"), done.stderr
    factory = config_for(Settings(store_path=tmp_path / "s.db", assets=tmp_path)).get_loop_factory()
    assert factory is not None
