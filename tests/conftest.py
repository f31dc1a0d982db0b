from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .deals import DEALS
from .postgres import PrivatePostgres

collect_ignore = ["fourth"]  # another house: test_fourth.py builds it

# Tests run as on a machine that has just started: a monotonic clock counts from boot, so only differences of it mean anything.
_monotonic, _began = time.monotonic, time.monotonic()
time.monotonic = lambda: _monotonic() - _began

# A shell begins background jobs with Ctrl+C ignored, and what tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Left out of `make quick`: rooms whose tests compile, open a browser, or wait for sockets and processes for many seconds.
SLOW = (
    "appraisal", "bots", "browser", "envs", "gpu", "lab", "lessons", "puzzles", "test_fourth", "test_local", "training",
    "cli/test_settings", "rules/test_kernel", "rules/test_noninterference", "rules/test_plain_and_compiled",
    "rules/test_bounds", "rules/celtica/test_bot", "rules/celtica/test_knowledge", "rules/druidenwalzer/test_knowledge",
    "server/test_attacks", "server/test_chances", "server/test_cluster", "server/test_games", "server/test_kill",
    "server/test_laboratory", "server/test_levels", "server/test_noninterference", "server/test_other_language", "server/test_replay",
)  # fmt: skip


# What compiles comes first, and so goes to the first worker: the others would only wait for it. The last one begins with servers, and
# finds compiled what the pages' bots need. At the end every worker has pages to go through, the long ones first.
FIRST, LAST = ("bots", "envs", "rules"), ("server", "lessons", "cli", "locales", "browser")
LONG = ("test_together", "test_daemonen", "test_celtica", "test_laptops", "test_games")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes long, and put the rooms into an order that keeps the workers busy."""

    def place(item: pytest.Item) -> tuple[int, bool]:
        room = item.path.relative_to(Path(__file__).parent).parts[0]
        order = FIRST.index(room) if room in FIRST else len(FIRST) + (1 + LAST.index(room) if room in LAST else 0)
        return order, room == "browser" and item.path.stem not in LONG

    for item in items:
        here = item.path.relative_to(Path(__file__).parent).as_posix()
        if here.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
    items.sort(key=place)


@pytest.fixture(scope="session")
def database() -> Iterator[PrivatePostgres]:
    """A PostgreSQL of this process's own; every test asks it for a fresh database."""
    server = PrivatePostgres()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def deals_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """A failure that hangs on a deal must come again when its test is run alone."""
    with DEALS.of(request.node.nodeid):
        yield
