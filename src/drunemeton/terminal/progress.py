"""Long work, told on standard error: a bar with the time that is left."""

from __future__ import annotations

import sys
import time
from types import TracebackType

BETWEEN = 0.1  # seconds between two pictures of the bar
BETWEEN_LINES = 30.0  # seconds between two lines where there is no terminal


class Progress:
    """Counts steps towards a total."""

    def __init__(self, label: str, total: int, done: int = 0) -> None:
        self.label, self.total, self.done = label, total, done
        self.watched = sys.stderr.isatty()
        self._began = self._shown = time.monotonic()
        self._before = done  # done in an earlier run: says nothing about how long the rest takes

    def __enter__(self) -> Progress:
        if self.watched:
            self._draw()
        else:
            print(f"{self.label}, {self.done} of {self.total}", file=sys.stderr, flush=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        if self.watched:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def step(self, label: str) -> None:
        """One more is done; the first one ends what had to be made ready."""
        now = time.monotonic()
        if self.done == self._before:
            self._began = now
        self.label = label
        self.done += 1
        if now - self._shown > (BETWEEN if self.watched else BETWEEN_LINES):
            self._shown = now
            if self.watched:
                self._draw()
            else:
                print(f"{self.label}, {self.done} of {self.total}, {self.left()}", file=sys.stderr, flush=True)

    def left(self) -> str:
        """How long the rest will take, if that can be said."""
        counted = self.done - self._before - 1
        if counted < 1:
            return "…"
        seconds = round((time.monotonic() - self._began) / counted * (self.total - self.done))
        hours, minutes = divmod(seconds // 60, 60)
        return (
            f"{hours} h {minutes:02} min left" if hours else f"{minutes} min {seconds % 60:02} s left" if minutes else f"{seconds} s left"
        )

    def _draw(self) -> None:
        filled = 30 * self.done // max(1, self.total)
        bar = "█" * filled + "·" * (30 - filled)
        print(f"\r\033[K{self.label} {bar} {self.done}/{self.total} {self.left()}", end="", file=sys.stderr, flush=True)
