from __future__ import annotations

from collections.abc import Iterator

import pytest

from .deals import DEALS


@pytest.fixture(autouse=True)
def deals_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """A failure that hangs on a deal must come again when its test is run alone."""
    with DEALS.of(request.node.nodeid):
        yield
