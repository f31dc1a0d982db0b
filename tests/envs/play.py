"""Random play for the tests of environments."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

SETTINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("druidenwalzer", 2, {}),
    ("druidenwalzer", 2, {"moon_row": "mirrored", "trees": 3, "stack": 2}),
    ("celtica", 2, {}),
    ("celtica", 5, {}),
    ("daemonen", 2, {}),
    ("daemonen", 4, {"may_decline": True}),
]

NO_ACTIONS = (-1, -2, -3, -(1 << 70), 1 << 20, 1 << 63, 1 << 70)  # numbers that are no action of any game


def pick(rng: random.Random, mask: Any) -> int:
    """One of the actions that a mask allows."""
    return int(rng.choice(np.flatnonzero(mask)))
