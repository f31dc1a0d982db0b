from __future__ import annotations

import logging

import pytest

from drunemeton.server import Settings

from .house import House


@pytest.fixture
def settings(tmp_path):
    return Settings(
        store_path=tmp_path / "tables.db", tables_burst=10_000, requests_burst=100_000, sweep_seconds=0.1, assets=tmp_path / "assets"
    )


@pytest.fixture
def house(settings, caplog):
    caplog.set_level(logging.INFO, logger="drunemeton.server")
    with House(settings) as running:
        yield running
    # Nothing went wrong that nobody was told of.
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
