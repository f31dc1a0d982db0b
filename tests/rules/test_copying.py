"""A knowledge is copied into a state by a rule made from the description: every field, in plain and in compiled form."""

from __future__ import annotations

import random
from typing import Any

import pytest

from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import Record, has_numba, native

knowings = pytest.mark.parametrize("name", playable())


def filled(record: type[Record], rng: random.Random) -> Any:
    """A record with a small number in every place."""
    made = record()

    def fill(value: Any) -> Any:
        return [fill(inner) for inner in value] if isinstance(value, list) else rng.randint(-9, 99)

    for field in record.fields:
        setattr(made, field, fill(getattr(made, field)))
    return made


@pytest.mark.slow
@knowings
def test_every_field_of_a_state_is_copied(name: str) -> None:
    game = find_game(name)
    knowledge: Any = __import__(f"{game.__module__}.knowledge", fromlist=["copy_known"])
    known, state = filled(game.knowledge_type, random.Random(1)), game.state_type()
    knowledge.copy_known(known, state)
    for field in game.state_type.fields:
        assert getattr(state, field) == getattr(known, field), field
    if has_numba():
        box = game.state_type.box()
        native(knowledge.copy_known)(known.to_box()[0], box[0])
        assert bytes(box.tobytes()) == bytes(state.to_box().tobytes())
