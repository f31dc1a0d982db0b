"""A real server, a real Chromium, and pages that may not write a single error to the console."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from drunemeton.rules.game import playable

from .find_browser import ARGS, MISSING, find_browser
from .serving import serving

HOUSE = Path(__file__).parent.parent.parent

DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 60_000  # a busy machine is no error of the page
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server with the built page."""
    with serving(tmp_path_factory.mktemp("store")) as address:
        yield address


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

    def __call__(
        self,
        size: dict[str, int] = DESK,
        *,
        theme: str = "light",
        language: str = "en",
        touch: bool = False,
        known: bool = True,
        **settings: Any,
    ) -> Page:
        """A page, on a desk with or without a screen that feels fingers; `settings` are those of the front end (speed 0 unless told).

        `known`: all games have been played here before, so nobody offers a lesson.
        """
        phone = size["width"] < 500
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            color_scheme=theme,  # type: ignore[arg-type]
            locale=language,
            has_touch=phone or touch,
            is_mobile=phone,
            base_url=self.server,
        )
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        # Whoever plays whole games does not stop where nothing can be chosen, unless that is what is tested.
        chosen = json.dumps({"speed": 0, "explain": False, **settings})
        context.add_init_script(f"localStorage['drunemeton.settings'] ??= JSON.stringify({chosen})")
        if known:
            games = json.dumps({game: [] for game in playable()})
            context.add_init_script(f"localStorage['drunemeton.lessons'] ??= JSON.stringify({games})")
        page = context.new_page()
        page.on("console", lambda message: self.troubles.append(message.text) if message.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        return page


@contextlib.contextmanager
def opening(browser: Browser, server: str, expected: str = "") -> Iterator[Opener]:
    """Opens pages; at the end none of them may have complained, but of what was expected."""
    opener = Opener(browser, server)
    yield opener
    for context in opener.contexts:
        context.close()
    troubles = [line for line in opener.troubles if not (expected and re.search(expected, line))]
    assert not troubles, "the page wrote to its console: " + "; ".join(troubles)


@pytest.fixture
def opened(browser: Browser, server: str) -> Iterator[Opener]:
    """Opens pages; at the end none of them may have complained."""
    with opening(browser, server) as opener:
        yield opener


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server at which hundreds of moves may come at once."""
    with serving(tmp_path_factory.mktemp("patient"), messages_burst=100_000) as address:
        yield address


@pytest.fixture
def recalled(browser: Browser, patient: str) -> Iterator[Opener]:
    """Opens pages of the patient server; at the end none of them may have complained."""
    with opening(browser, patient) as opener:
        yield opener
