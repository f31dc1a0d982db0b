"""Tables that were stored while they ran, by a released version: they go on with the cards that would have come then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from drunemeton.rules.game import playable
from drunemeton.table import Table

RELEASED = sorted((Path(__file__).parent / "released").glob("*.json"))


def test_a_table_of_every_game_was_kept() -> None:
    assert {path.stem.split("-")[0] for path in RELEASED} >= set(playable())


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_a_running_table_goes_on_as_it_would_have(path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    table = Table.rebuild("kept", kept["entries"])
    for move in kept["moves"]:
        assert table.turn is not None
        table.move(table.turn, move, now=table.entries[-1]["at"] + 1)
    assert table.game.orders() == [[(pile, cards) for pile, cards in step] for step in kept["shuffles"]]
    assert table.result is not None
    assert [table.result.end, list(table.result.places)] == kept["result"]
