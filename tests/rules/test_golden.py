"""Recorded games that never change: the same seeds and moves must give the same records, byte by byte.

After a deliberate change of rules, events or record format, write them anew and read the difference:

    DRUNEMETON_REGENERATE=1 python -m pytest tests/rules/test_golden.py

What is played, and how, stands in `tests/rules/GAME/golden.py`: `GAMES`, `played`, and `UNTOLD`, what no golden game comes across.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.rules.game import find_game

FOLDER = Path(__file__).parents[1] / "golden"
HERE = Path(__file__).parent
PLAYED: dict[str, Any] = {
    path.parent.name: importlib.import_module(f"tests.rules.{path.parent.name}.golden") for path in HERE.glob("*/golden.py")
}
NAMES = [(game, name) for game, module in PLAYED.items() for name in module.GAMES]


def path_of(game: str, name: str) -> Path:
    """Where a game's record lies."""
    return FOLDER / game / f"{name}.txt"


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_the_record_is_the_same_byte_by_byte(game: str, name: str) -> None:
    module = PLAYED[game]
    text = records.write(module.played(*module.GAMES[name]))
    path = path_of(game, name)
    if os.environ.get("DRUNEMETON_REGENERATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_the_record_verifies(game: str, name: str) -> None:
    record = records.read(path_of(game, name).read_text(encoding="utf-8"))
    verdict = records.verify(record)
    assert verdict.result is not None
    assert verdict.shuffles == "seed"
    assert len(record.moves) == verdict.steps > 10


@pytest.mark.parametrize("game", PLAYED)
def test_the_records_tell_of_everything(game: str) -> None:
    texts = [path_of(game, name).read_text(encoding="utf-8") for name in PLAYED[game].GAMES]
    told = {event["kind"] for text in texts for step in records.read(text).steps for event in step.told}
    unheard = {line[0] for line in find_game(game).script.lines.values()} - told
    assert unheard <= PLAYED[game].UNTOLD, f"no golden game tells of {unheard}"
