"""Games whose records never change (test_golden.py): what is played, and how."""

from __future__ import annotations

import zlib
from typing import Any

from drunemeton.rules.celtica import Celtica
from drunemeton.rules.chance import BY_STEP, Chance

from .games import path

POOR = {
    **Celtica.default_components(),
    "places": path("c r2 v1 c r3 v2 c v1 1"),
    "parts_per_kind": 4,
    "druid_cards": 2,
    "experience_cards": 1,
}
GAMES: dict[str, tuple[int, int, dict[str, Any], dict[str, Any] | None]] = {
    "default": (2006, 2, {}, None),
    "bought": (2010, 3, {}, None),
    "home": (2044, 3, {}, None),
    "five": (2007, 5, {"first_player": 3}, None),
    "before": (2008, 3, {"ask_order": True}, None),
    "poor": (2023, 3, {}, POOR),
}
UNTOLD: set[str] = set()


def played(seed: int, seats: int, options: dict[str, Any], components: dict[str, Any] | None) -> Celtica:
    """A game whose moves follow from the seed alone, by a checksum that no version of Python will change."""
    game = Celtica.new(chance=Chance.from_seed(seed, BY_STEP), seats=seats, options=options, components=components)
    while not game.over:
        moves = game.legal()
        game.play(moves[zlib.crc32(f"{seed} {len(game.steps)}".encode()) % len(moves)])
    return game
