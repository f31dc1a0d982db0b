"""The stores that are tested."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from drunemeton.store import SqliteStore
from drunemeton.store.postgres import PostgresStore

from ..postgres import PrivatePostgres


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "store.db")
    yield opened
    opened.close()


@pytest.fixture
def postgres(database: PrivatePostgres) -> Iterator[PostgresStore]:
    opened = PostgresStore(database.fresh(), "127.0.0.1:1")
    yield opened
    opened.close()
