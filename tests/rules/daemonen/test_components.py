"""Components and options of Druiden und Dämonen."""

from __future__ import annotations

from typing import Any

import pytest

from drunemeton.rules.daemonen import Daemonen
from drunemeton.rules.errors import BadComponents, BadOption


def test_default_components() -> None:
    """DD-7: three printed figures, all else reconstructed, and the file says so."""
    components = Daemonen.default_components()
    assert sum(components["fields"].values()) == 96
    status = {entry: note["status"] for entry, note in Daemonen.provenance().items()}
    assert status.keys() == components.keys()
    assert {entry for entry in status if status[entry] == "sourced"} == {"portals", "setup_fields", "win"}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"portals": -1}, "portals"),
    ({"win": 0}, "win"),
    ({"demons": 12.5}, "demons"),
    ({"temples": True}, "temples"),
    ({"stones_per_player": "nine"}, "stones_per_player"),
    ({"setup_fields": 26}, "setup_fields"),
    ({"fields": 96}, "fields"),
    ({"fields": {"FFFFF": 96}}, "fields.FFFFF"),
    ({"fields": {"FFFFFX": 96}}, "fields.FFFFFX"),
    ({"fields": {"FFFFFF": -1}}, "fields.FFFFFF"),
    ({"fields": {"FFFFFF": 117}}, "fields"),
    ({"druids": 3}, "druids"),
]


@pytest.mark.parametrize(("change", "entry"), WRONG)
def test_wrong_components_name_the_entry(change: dict[str, Any], entry: str) -> None:
    with pytest.raises(BadComponents) as problem:
        Daemonen.new(seed=1, components={**Daemonen.default_components(), **change})
    assert problem.value.entry == entry


def test_an_entry_that_is_not_named_stays_as_printed() -> None:
    for entry in Daemonen.default_components():
        components = Daemonen.default_components()
        del components[entry]
        assert Daemonen.new(seed=1, components=components).components == Daemonen.new(seed=1).components


def test_wrong_options_name_the_option() -> None:
    wrong = (("jump", "far"), ("centre_radius", 2), ("first_player", 3), ("light_repeat", 1), ("colour", "red"))
    for option, value in wrong:
        with pytest.raises(BadOption) as problem:
            Daemonen.new(seed=1, options={option: value})
        assert problem.value.entry == option
    with pytest.raises(BadOption):
        Daemonen.new(seats=5, seed=1)
