from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drunemeton.server import Settings

from ..deals import DEALS
from .house import House


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Any]:
    # In memory where there is such a folder: what these tests ask does not depend on the disk. The kill tests use a real one.
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as folder:
        yield _settings(Path(folder))


def _settings(folder: Path) -> Any:
    limits: dict[str, Any] = {"tables_burst": 10_000, "requests_burst": 100_000, "messages_burst": 100_000, "sweep_seconds": 0.1}
    return Settings(store_path=folder / "tables.db", assets=folder / "assets", chance=DEALS, **limits)


@pytest.fixture
def house(settings: Settings, caplog: pytest.LogCaptureFixture) -> Iterator[Any]:
    caplog.set_level(logging.INFO, logger="drunemeton.server")
    with House(settings) as running:
        yield running
    # Nothing went wrong that nobody was told of.
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # FastAPI silences this one itself while it builds routes, but that does not hold while a server runs in another thread.
    for item in items:
        if "/tests/server/" in str(item.path):
            item.add_marker(pytest.mark.filterwarnings("ignore::pydantic.warnings.UnsupportedFieldAttributeWarning"))
