"""How long tests wait for what must come: a busy machine is no error."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

PATIENCE = 150.0


def comes_true(fact: Callable[[], object], pause: Callable[[float], None] = time.sleep) -> bool:
    """Whether something is so, now or soon; `pause` is how the caller waits for some seconds."""
    latest = time.monotonic() + PATIENCE
    while not fact():
        if time.monotonic() > latest:
            return False
        pause(0.02)
    return True


def in_a_loop(work: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine answers, run in a thread of its own: where a browser was tested before, this one has a loop that never ends."""
    answers: list[Any] = []
    problems: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(asyncio.run(work))
        except BaseException as problem:
            problems.append(problem)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if problems:
        raise problems[0]
    return answers[0]
