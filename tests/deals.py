"""Deals for servers in tests: as secret to their players as real ones, and the same whenever a test runs, whatever ran before it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Sequence

from drunemeton.rules.chance import BY_STEP, Chance
from drunemeton.rules.kernel import ASKED, STREAM, Desk, Row, mix, seed


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


class FormerDeal:
    """A deal as matches had it before shuffles followed from pile and count: what was measured then was measured with these."""

    auditable = False

    def __init__(self, number: int) -> None:
        self.number, self.step = number, 0

    def begin(self, desk: Desk, step: int, shuffled: Sequence[int]) -> None:
        """Prepare the desk for one step."""
        desk.source, desk.dealer = ASKED, self
        seed(desk, self.number, step, 0xDEA1)

    def lay(self, d: Desk, name: int, pile: Row, n: int) -> None:
        """Mix the first n cards of a pile."""
        mix(d, pile, n)

    def finish(self, desk: Desk) -> None:
        """Clear the desk."""
        desk.source, desk.dealer = STREAM, None
