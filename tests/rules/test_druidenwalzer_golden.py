"""Recorded games that never change: the same seeds and moves must give the same records, byte by byte.

After a deliberate change of rules, events or record format, write them anew and read the difference:

    DRUNEMETON_REGENERATE=1 python -m pytest tests/rules/test_druidenwalzer_golden.py
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.rules.druidenwalzer import Druidenwalzer

from .druidenwalzer_positions import check_invariants

FOLDER = Path(__file__).parents[1] / "golden" / "druidenwalzer"
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "default": (1999, {}),
    "variants": (2000, {"moon_row": "mirrored", "cover_protects": True, "conquered_cards": "tree_owner", "handicap_moon": ["2<", "3>"]}),
    "small": (2001, {"trees": 3, "stack": 2, "hand": 2, "tokens_to_conquer": 3, "trees_to_lose": 2, "draw_after": 20}),
}


def played(seed: int, options: dict[str, Any]) -> Druidenwalzer:
    """A game whose moves follow from the seed alone, by a checksum that no version of Python will change; waltzes are preferred."""
    game = Druidenwalzer.new(seed=seed, options=options)
    while not game.over:
        number = zlib.crc32(f"{seed} {len(game.steps)}".encode())
        waltzes = [move for move in game.legal() if move.startswith("W")]
        moves = waltzes if waltzes and number % 5 else game.legal()
        game.play(moves[number // 5 % len(moves)])
        check_invariants(game.state)
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
    unheard = {line[0] for line in Druidenwalzer.script.lines.values()} - told
    assert unheard <= {"passed"}, f"no golden game tells of {unheard}"
