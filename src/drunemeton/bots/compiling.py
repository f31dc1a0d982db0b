"""Who has to wait for the compiler is told so on standard error."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import TracebackType

from ..rules.kernel import compile_watchers

PATIENCE = 2.0  # seconds; what lies compiled in the cache is loaded sooner than that
COMPILING = "compiling the rules, once on this machine"


class Compiling:
    """Says once that rules are being compiled, and where somebody is watching, which; nothing if all of them lie ready."""

    def __init__(self, sentence: str = COMPILING) -> None:
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


@contextlib.contextmanager
def ending_at_once() -> Iterator[None]:
    """Inside, Ctrl+C ends the process as it stands: for who has nothing to lose yet.

    Otherwise it waits for the rule that is being compiled, and with a whole search that is half a minute.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
