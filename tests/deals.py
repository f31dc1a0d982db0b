"""Deals for servers in tests: as secret to their players as real ones, and the same whenever a test runs, whatever ran before it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator

from drunemeton.rules.chance import BY_STEP, Chance


class Deals:
    """The next deal of the test that is running."""

    def __init__(self) -> None:
        self._name, self._count = "", 0

    def __call__(self) -> Chance:
        self._count += 1
        # By the former derivation: what tests of pages come across is what they were written for.
        return Chance(hashlib.sha256(f"{self._name} {self._count}".encode()).digest(), derivation=BY_STEP)

    @contextlib.contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Inside, deals are those of this name, from the first one on."""
        before = self._name, self._count
        self._name, self._count = name, 0
        try:
            yield
        finally:
            self._name, self._count = before


DEALS = Deals()
