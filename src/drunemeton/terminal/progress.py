"""Long work, told on standard error: a bar, where somebody is watching, and what is being compiled."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from ..rules.kernel import compile_watchers

PATIENCE = 2.0  # seconds; what lies compiled in the cache is loaded sooner than that


class Compiling:
    """Says once that rules are being compiled, and where somebody is watching, which; nothing if all of them lie ready."""

    def __init__(self, sentence: str) -> None:
        self.sentence, self.count, self.said = sentence, 0, False
        self.began = time.monotonic()
        self.watched = sys.stderr.isatty()

    def __enter__(self) -> Compiling:
        compile_watchers.append(self.rule)
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        compile_watchers.remove(self.rule)
        if self.said and self.watched:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def rule(self, name: str) -> None:
        """The next rule is at hand."""
        self.count += 1
        if time.monotonic() - self.began < PATIENCE:
            return
        if not self.said:
            self.said = True
            print(f"\r\033[K{self.sentence}" if self.watched else self.sentence, file=sys.stderr, flush=True)
        if self.watched:
            print(f"\r\033[K  {self.count}: {name}", end="", file=sys.stderr, flush=True)


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
