"""Recorded games that never change: the same seeds and moves must give the same records, byte by byte.

After a deliberate change of rules, events or record format, write them anew and read the difference:

    DRUNEMETON_REGENERATE=1 python -m pytest tests/rules/test_daemonen_golden.py
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.rules.daemonen import Daemonen

from .daemonen_games import at

FOLDER = Path(__file__).parents[1] / "golden" / "daemonen"
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
    game = Daemonen.new(seed=seed, seats=seats, options=options, components=components)
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


@pytest.mark.parametrize("name", GAMES)
def test_the_record_is_the_same_byte_by_byte(name: str) -> None:
    text = records.write(played(*GAMES[name]))
    path = FOLDER / f"{name}.txt"
    if os.environ.get("DRUNEMETON_REGENERATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("name", GAMES)
def test_the_record_verifies(name: str) -> None:
    record = records.read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    verdict = records.verify(record)
    assert verdict.result is not None
    assert verdict.shuffles == "seed"
    assert len(record.moves) == verdict.steps > 10


def test_the_records_tell_of_everything() -> None:
    told = {event["kind"] for name in GAMES for step in records.read((FOLDER / f"{name}.txt").read_text()).steps for event in step.told}
    unheard = {line[0] for line in Daemonen.script.lines.values()} - told
    assert unheard == set(), f"no golden game tells of {unheard}"
