"""A real server with the built page, in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import fcntl
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn

import hatch_build
from drunemeton.bots import ADVISER, make_bot
from drunemeton.rules.game import find_game, playable
from drunemeton.server.serve import config_for
from drunemeton.server.settings import Settings

from ..deals import DEALS


def prepare() -> None:
    """Build the page and compile what bots and advice need, if need be: no page should have to wait for that."""
    # One worker builds, and the others wait for it.
    with Path(hatch_build.__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if hatch_build.is_stale():
            hatch_build.build()
    for name in playable():
        game = find_game(name).new(seed=1)
        assert game.to_move is not None
        make_bot(type(game), "greedy", plain=False).choose(game.knowledge[game.to_move], seed=1)
        make_bot(type(game), ADVISER)  # the search of all levels


@contextlib.contextmanager
def serving(folder: Path, **changes: Any) -> Iterator[str]:
    """The address of a server that keeps its tables in a folder; deals and bots are the same every time. `changes`: other settings."""
    prepare()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(
        seeds_anywhere=True,
        address_messages_burst=10**6,
        port=port,
        store_path=folder / "tables.db",
        tables_burst=1000,
        requests_burst=5000,
        requests_per_second=1000.0,
        replays_burst=1000,
        bot_workers=1,
        bot_seconds=60.0,
        bot_seed=lambda: 1,
        chance=DEALS,
    )
    settings = dataclasses.replace(settings, **changes)
    running = uvicorn.Server(config_for(settings))

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            running.run()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    for _ in range(600):
        if running.started:
            break
        thread.join(0.1)
    assert running.started, "the server did not start"
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join(60)
