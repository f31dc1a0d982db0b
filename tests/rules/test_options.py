"""Options: new games have the default, what was begun before an option came has its former value."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drunemeton import records
from drunemeton.rules.chance import Chance
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.errors import BadOption
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.options import Option, complete, recorded
from drunemeton.table import Table, made

from .anything import anything, calmly
from .test_numbers import numbered

HAND = Option("hand", 3, "", "", low=1, high=5, former=2)
ROW = Option("row", "straight", "", "", choices=("straight", "bent"))
DESCRIBED = (HAND, ROW)


def test_a_new_game_has_the_defaults() -> None:
    assert complete(DESCRIBED, None) == {"hand": 3, "row": "straight"}
    assert complete(DESCRIBED, {"row": "bent"}) == {"hand": 3, "row": "bent"}


def test_numbers_of_numpy_are_numbers() -> None:
    chosen = complete(DESCRIBED, {"hand": np.int64(4)})
    assert chosen["hand"] == 4
    assert type(chosen["hand"]) is int
    for wrong in (np.int64(9), np.float64(4), True):
        with pytest.raises(BadOption):
            complete(DESCRIBED, {"hand": wrong})


def test_what_is_recorded_without_an_option_has_its_former_value() -> None:
    assert recorded(DESCRIBED, {}) == {"hand": 2, "row": "straight"}
    assert recorded(DESCRIBED, {"hand": 4, "row": "bent"}) == {"hand": 4, "row": "bent"}
    with pytest.raises(BadOption):
        recorded(DESCRIBED, {"hand": 9})
    with pytest.raises(BadOption):
        recorded(DESCRIBED, {"feet": 2})


@pytest.mark.parametrize("name", playable())
def test_options_are_described(name: str) -> None:
    """Each has words, a rule of its game, and a default that it accepts."""
    for option in find_game(name).described:
        assert option.help
        assert option.rule in numbered(name)
        assert option.check(option.default) == option.default
        assert option.describe()["name"] == option.name


@pytest.mark.parametrize("name", playable())
@calmly
@given(data=st.data())
def test_options_that_cannot_be_used_are_named(name: str, data: st.DataObject) -> None:
    """Any option, any value; the error names one of those given."""
    game_type = find_game(name)
    names = st.sampled_from([option.name for option in game_type.described]) | st.text(max_size=8)
    options: dict[str, Any] = data.draw(st.dictionaries(names, anything, max_size=3))
    try:
        game = game_type.new(seed=1, options=options)
    except BadOption as error:
        named, words = error.entry, str(error)
    else:
        assert options.items() <= game.options.items()
        return
    assert named in options
    assert named in words


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> type[Druidenwalzer]:
    """Druidenwalzer as if `hand` were an option that came after hands of two."""
    described = tuple(
        dataclasses.replace(option, default=3, former=2) if option.name == "hand" else option for option in Druidenwalzer.described
    )
    monkeypatch.setattr(Druidenwalzer, "described", described)
    return Druidenwalzer


def test_records_and_tables_of_before_keep_the_former_value(later: type[Druidenwalzer]) -> None:
    game = later(2, {"hand": 2}, None, Chance(b"f" * 32))
    named = records.read(records.write(game))
    unnamed = dataclasses.replace(named, options={name: value for name, value in named.options.items() if name != "hand"})
    assert records.replay(unnamed).options == game.options
    assert later.new(seed=1).options["hand"] == 3
    first = made("druidenwalzer", [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}], now=0)
    assert Table("t", first).describe()["options"]["hand"] == 3
    first["options"] = {name: value for name, value in first["options"].items() if name != "hand"}
    assert Table("t", first).describe()["options"]["hand"] == 2
