"""How a command ends before its time: Ctrl+C, and `kill`, which is heard in the same way, so that nothing that was done is lost."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

INTERRUPTED = 130  # the exit status after Ctrl+C
HEARD = ("SIGTERM", "SIGHUP")  # by `kill`, `timeout` and batch systems; when the terminal is closed


@contextlib.contextmanager
def kill_as_ctrl_c() -> Iterator[list[int]]:
    """Inside, what asks the process to end is heard like Ctrl+C; a second one ends it at once. Lists the signals that came."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def heard(number: int, _frame: object) -> None:
        came.append(number)
        signal.signal(number, signal.SIG_DFL)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in what a shell begins with &
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.raise_signal(signal.SIGINT)

    numbers = [getattr(signal, name) for name in HEARD if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers if signal.getsignal(number) is signal.SIG_DFL}
    for number in before:
        signal.signal(number, heard)
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def status_after(status: int, came: list[int]) -> int:
    """What the caller is told: after `kill`, that it was that."""
    return 128 + came[0] if came and status == INTERRUPTED else status
