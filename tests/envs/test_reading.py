"""What a field of an observation is called, and what it is made of, read from both sides.

`observe` is run with a knowledge that notices what is read of it before each entry is written. For every field of the description the parts
of the knowledge that its entries are made of are written down in `tests/golden/envs/GAME.txt`: whoever moves an entry without its
description, or the other way round, changes that page. After a deliberate change, write it anew and read the difference:

    DRUNEMETON_REGENERATE=1 python -m pytest tests/envs/test_reading.py
"""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from drunemeton.observations.layout import file_of, layout_of
from drunemeton.rules.game import Game, find_game

PAGES = Path(__file__).parents[1] / "golden" / "envs"
NAMES = sorted(path.stem for path in PAGES.glob("*.txt"))


class Noticed:
    """A record that notes what is read of it."""

    def __init__(self, record: Any, note: set[str]) -> None:
        object.__setattr__(self, "_record", record)
        object.__setattr__(self, "_note", note)

    def __getattr__(self, name: str) -> Any:
        self._note.add(name)
        return getattr(self._record, name)


class Entries(list[int]):
    """A row that keeps, for each entry, what was read since the last one was written."""

    def __init__(self, size: int, note: set[str]) -> None:
        super().__init__([0] * size)
        self.note, self.made_of = note, [set[str]() for _ in range(size)]
        self.written = [0] * size

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value)
        self.made_of[index] |= self.note
        self.written[index] += 1
        self.note.clear()


def moments(game_type: type[Game], seats: int) -> list[Game]:
    """Games at all sorts of moments."""
    found = []
    for number in range(10):
        rng = random.Random(number)
        game = game_type.new(seats=seats, seed=number)
        for _ in range(rng.randint(1, 250)):
            if not game.over:
                game.play(rng.choice(game.actions()))
        found.append(game)
    return found


def page_of(name: str) -> str:
    game_type = find_game(name)
    seats = game_type.players[0]
    layout = layout_of(name, seats)
    made_of: dict[str, set[str]] = {field: set() for field in layout.fields}
    written = dict.fromkeys(layout.fields, 0)
    for game in moments(game_type, seats):
        for seat in range(seats):
            note: set[str] = set()
            row = Entries(layout.size, note)
            known = Noticed(game.knowledge[seat], note)
            assert file_of(game_type).observe(known, known, seat, row) == layout.size, "so many entries are described"
            for field in layout.fields:
                written[field] += sum(row.written[layout.at[field]])
                for entry in row.made_of[layout.at[field]]:
                    made_of[field] |= entry
    assert min(written.values()) > 0, "every field is written"
    return "".join(f"{field}: {', '.join(sorted(parts))}\n" for field, parts in made_of.items())


@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_made_of_what_its_description_says(name: str) -> None:
    page = page_of(name)
    if os.environ.get("DRUNEMETON_REGENERATE"):
        (PAGES / f"{name}.txt").write_text(page, encoding="utf-8")
    assert (PAGES / f"{name}.txt").read_text(encoding="utf-8") == page


def test_all_three_are_there() -> None:
    assert len(NAMES) >= 3
