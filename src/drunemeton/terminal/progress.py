"""A progress bar for long work, on standard error, and only where somebody is watching."""

from __future__ import annotations

import sys
import time
from types import TracebackType


class Progress:
    """Counts steps towards a total."""

    def __init__(self, label: str, total: int) -> None:
        self.label, self.total, self.done = label, total, 0
        self.shown = 0.0
        self.watched = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        self._show()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        if self.watched:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def step(self, label: str) -> None:
        """One more is done."""
        self.label = label
        self.done += 1
        if time.monotonic() - self.shown > 0.1:
            self._show()

    def _show(self) -> None:
        if self.watched:
            self.shown = time.monotonic()
            filled = 30 * self.done // self.total
            bar = "█" * filled + "·" * (30 - filled)
            print(f"\r\033[K{self.label} {bar} {self.done}/{self.total}", end="", file=sys.stderr, flush=True)
