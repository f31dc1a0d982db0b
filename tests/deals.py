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
        self._typed: int | None = None

    def __call__(self) -> Chance:
        if self._typed is not None:
            return Chance.from_seed(self._typed, BY_STEP)
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

    @contextlib.contextmanager
    def typed(self, number: int) -> Iterator[None]:
        """Inside, every deal is that of this number by the former derivation: recorded games were dealt so."""
        self._typed = number
        try:
            yield
        finally:
            self._typed = None


DEALS = Deals()
