from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from .deals import DEALS

# Tests run as on a machine that has just started: a monotonic clock counts from boot, so only differences of it mean anything.
_monotonic, _began = time.monotonic, time.monotonic()
time.monotonic = lambda: _monotonic() - _began


@pytest.fixture(autouse=True)
def deals_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """A failure that hangs on a deal must come again when its test is run alone."""
    with DEALS.of(request.node.nodeid):
        yield
