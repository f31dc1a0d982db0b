"""Games whose records never change (test_golden.py): what is played, and how."""

from __future__ import annotations

import zlib
from typing import Any

from drunemeton.rules.chance import BY_STEP, Chance
from drunemeton.rules.daemonen import Daemonen

from .games import at

WOODS = {"FFFFFF": 30, "FFFFFW": 20, "FFFFWW": 10, "FFFFMM": 6, "WWWWMM": 4, "MMMMMF": 4}
CROWDED = {**Daemonen.default_components(), "fields": WOODS, "demons": 20, "win": 60, "populations_per_player": 30}
GAMES: dict[str, tuple[int, int, dict[str, Any], dict[str, Any] | None]] = {
    "default": (2024, 2, {}, None),
    "woods": (2033, 3, {"may_decline": True}, CROWDED),
    "variants": (
        2025,
        4,
        {
            "centre_radius": 0,
            "portals_conduct_demons": False,
            "light_repeat": False,
            "one_exchange": True,
            "jump": "line",
            "capture_support": "adjacent",
            "temples_return": False,
            "demons_return": False,
            "first_player": 2,
        },
        {**CROWDED, "portals": 10},
    ),
}
UNTOLD: set[str] = set()
WEIGHTS = {
    "end": 1,
    "stop": 2,
    "demon": 2,
    "remove": 2,
    "anchor": 10,
    "stone": 60,
    "temple": 200,
    "convert": 80,
    "settle": 10,
    "discard": 1,
}


def weight(game: Daemonen, move: str) -> int:
    """How gladly a move is made: building is preferred, and populations gather around forest corners."""
    word, *rest = move.split()
    worth = WEIGHTS.get(word, 20 if move in ("choose light", "choose populate") else 8)
    if word in ("settle", "to"):
        s = game.state
        for k in range(6):
            site = s.site_of[k][s.at[at(rest[0])]]
            if site >= 0:
                worth += 12 * sum(s.owner[s.site_slot[j][site]] == s.turn for j in range(3)) ** 2
    return worth


def played(seed: int, seats: int, options: dict[str, Any], components: dict[str, Any] | None) -> Daemonen:
    """A game whose moves follow from the seed alone, by a checksum that no version of Python will change."""
    game = Daemonen.new(chance=Chance.from_seed(seed, BY_STEP), seats=seats, options=options, components=components)
    while not game.over:
        moves = game.legal()
        weights = [weight(game, move) for move in moves]
        number = zlib.crc32(f"{seed} {len(game.steps)}".encode()) % sum(weights)
        i = 0
        while number >= weights[i]:
            number -= weights[i]
            i += 1
        game.play(moves[i])
    return game
