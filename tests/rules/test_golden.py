"""Recorded games that never change: the same seeds and moves must give the same records, byte by byte.

After a deliberate change of rules, events or record format, write them anew and read the difference:

    DRUNEMETON_REGENERATE=1 python -m pytest tests/rules/test_golden.py

Celtica's are digests, in test_celtica_agreement.py.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drunemeton import records
from drunemeton.rules.game import find_game

from . import daemonen_golden, druidenwalzer_golden

FOLDER = Path(__file__).parents[1] / "golden"
PLAYED = {"druidenwalzer": druidenwalzer_golden, "daemonen": daemonen_golden}
NAMES = [(game, name) for game, module in PLAYED.items() for name in module.GAMES]
UNTOLD = {"druidenwalzer": {"passed"}, "daemonen": set()}  # what no golden game comes across


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
    assert unheard <= UNTOLD[game], f"no golden game tells of {unheard}"
