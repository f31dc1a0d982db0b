"""A real server, a real Chromium, and pages that may not write a single error to the console."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import socket
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

HOUSE = Path(__file__).parent.parent.parent
sys.path.insert(0, str(HOUSE))

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright  # noqa: E402

import hatch_build  # noqa: E402

from .find_browser import ARGS, MISSING, find_browser  # noqa: E402

DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server with the built page."""
    import uvicorn

    from drunemeton.bots import make_bot
    from drunemeton.rules.game import find_game
    from drunemeton.server.serve import config_for
    from drunemeton.server.settings import Settings

    # One worker builds the page, if need be, and the others wait for it.
    with (HOUSE / "hatch_build.py").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if hatch_build.is_stale():
            hatch_build.build()
    # Compile what the bot needs now: a page should not have to wait for that.
    game = find_game("druidenwalzer").new(seed=1)
    assert game.to_move is not None
    make_bot(type(game), "greedy").choose(game.knowledge[game.to_move], seed=1)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(
        port=port,
        store_path=tmp_path_factory.mktemp("store") / "tables.db",
        tables_burst=1000,
        requests_burst=5000,
        requests_per_second=1000.0,
        bot_workers=1,
        bot_seconds=60.0,
    )
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
    thread.join(10)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium."""
    try:
        path = find_browser()
    except SystemExit:
        pytest.fail(MISSING)
    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path=path, args=ARGS)
        yield chromium
        chromium.close()


@dataclass
class Opener:
    """Opens pages, each in a browser context of its own, and remembers what went wrong in them."""

    browser: Browser
    server: str
    contexts: list[BrowserContext] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def __call__(self, size: dict[str, int] = DESK, *, theme: str = "light", language: str = "en", **settings: Any) -> Page:
        """A page; `settings` are those of the front end (speed 0 unless told)."""
        phone = size["width"] < 500
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            color_scheme=theme,  # type: ignore[arg-type]
            locale=language,
            has_touch=phone,
            is_mobile=phone,
            base_url=self.server,
        )
        context.set_default_timeout(30_000)
        self.contexts.append(context)
        chosen = {"speed": 0, **settings}
        words = ", ".join(f"{name}: {str(value).lower() if isinstance(value, bool) else value!r}" for name, value in chosen.items())
        context.add_init_script(f"localStorage['drunemeton.settings'] ??= JSON.stringify({{{words}}})")
        page = context.new_page()
        page.on("console", lambda message: self.troubles.append(message.text) if message.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        return page


@pytest.fixture
def opened(browser: Browser, server: str) -> Iterator[Opener]:
    """Opens pages; at the end none of them may have complained."""
    opener = Opener(browser, server)
    yield opener
    for context in opener.contexts:
        context.close()
    assert not opener.troubles, "the page wrote to its console: " + "; ".join(opener.troubles)
