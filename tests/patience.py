"""How long tests wait for what must come: a busy machine is no error."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 60.0


def comes_true(fact: Callable[[], object], pause: Callable[[float], None] = time.sleep) -> bool:
    """Whether something is so, now or soon; `pause` is how the caller waits for some seconds."""
    latest = time.monotonic() + PATIENCE
    while not fact():
        if time.monotonic() > latest:
            return False
        pause(0.02)
    return True
