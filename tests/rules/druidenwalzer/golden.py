"""Games whose records never change (test_golden.py): what is played, and how."""

from __future__ import annotations

import zlib
from typing import Any

from drunemeton.rules.chance import BY_STEP, Chance
from drunemeton.rules.druidenwalzer import Druidenwalzer

from .positions import check_invariants

GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "default": (1999, {}),
    "variants": (2000, {"moon_row": "mirrored", "cover_protects": True, "conquered_cards": "tree_owner", "handicap_moon": ["2<", "3>"]}),
    "small": (2001, {"trees": 3, "stack": 2, "hand": 2, "tokens_to_conquer": 3, "trees_to_lose": 2, "draw_after": 20}),
}
UNTOLD = {"passed"}


def played(seed: int, options: dict[str, Any]) -> Druidenwalzer:
    """A game whose moves follow from the seed alone, by a checksum that no version of Python will change; waltzes are preferred."""
    game = Druidenwalzer.new(chance=Chance.from_seed(seed, BY_STEP), options=options)
    while not game.over:
        number = zlib.crc32(f"{seed} {len(game.steps)}".encode())
        waltzes = [move for move in game.legal() if move.startswith("W")]
        moves = waltzes if waltzes and number % 5 else game.legal()
        game.play(moves[number // 5 % len(moves)])
        check_invariants(game.state)
    return game
