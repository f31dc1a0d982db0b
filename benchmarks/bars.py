"""What is asked of single games, as data: the one file here that names them. A game without a bar is measured and reported."""

from __future__ import annotations

from typing import Any, NamedTuple

ANY_GAME = "druidenwalzer"
"""Where what is measured is not the game: short, and for two."""
LONG_GAME = "daemonen"
"""Where what is measured grows with the length of a game."""

COMPILED_BY_HEARTS = {"druidenwalzer": 1.5, "celtica": 0.7}
"""Random decisions a second, compiled: as many times those of OpenSpiel's hearts."""
COMPILED = {"daemonen": 400_000.0}
"""The same where it is a number."""
PLAIN = {"druidenwalzer": 100_000.0}
"""In plain Python; hearts driven from Python stand beside it, to tell a slow machine from slow rules."""
PLAIN_GAME = {"daemonen": 1.0}
"""Seconds for a random game in plain Python."""

FIRST_STEP = {"druidenwalzer": 3.0}
"""Seconds from the import of the environment to its first step."""
FIRST_MOVE_COLD = {"druidenwalzer": 15.0, "celtica": 25.0, "daemonen": 40.0}
"""Seconds from the start of Python to level 8's first answer, with nothing compiled."""

TURN = {"druidenwalzer": {5: 0.5, 8: 2.0}, "celtica": {5: 0.5, 8: 2.0}, "daemonen": {5: 0.5, 8: 5.0}}
"""Seconds for a turn of a level."""

KNOBS: dict[str, list[Any]] = {
    "hand": [2],
    "tokens_to_conquer": [5],
    "trees_to_lose": [1],
    "conquered_cards": ["tree_owner"],
    "cover_protects": [True],
}
"""Options of `ANY_GAME` that the laboratory turns, one at a time."""


class OnGpu(NamedTuple):
    """How a game is measured on a GPU: its bars, Pgx's games that it is held beside, environments side by side, games in a batch."""

    games: float | None = None
    env: float | None = None
    peers: tuple[str, ...] = ("hex",)
    side_by_side: int = 32768
    batch: int = 1 << 17


GPU = {
    "druidenwalzer": OnGpu(800e6, 50e6, side_by_side=65536, batch=1 << 20),
    "celtica": OnGpu(800e6, 50e6, side_by_side=65536, batch=1 << 20),
    "daemonen": OnGpu(100e6, 10e6, peers=("backgammon", "sparrow_mahjong"), batch=1 << 18),
}
