"""Components in part: one number is one line, and what is complete stays as it is."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drunemeton import records
from drunemeton.rules.changes import read_change, with_change
from drunemeton.rules.components import at, completed
from drunemeton.rules.errors import BadComponents, BadOption, GameError
from drunemeton.rules.game import find_game, playable

from .anything import anything, calmly


def laid(name: str, components: dict[str, Any] | None) -> dict[str, Any]:
    game = find_game(name)
    return game.lay_out(game.players[0], None, components).components


def other(name: str, entry: str, value: int) -> int:
    """Another number that the game takes there."""
    for found in (value + 1, value - 1, value + 3, value - 3):
        with contextlib.suppress(BadComponents):
            laid(name, {entry: found})
            return found
    raise AssertionError(f"{entry} takes no other number")


@pytest.mark.parametrize("name", playable())
def test_every_number_can_be_changed_by_its_path_alone(name: str) -> None:
    printed = find_game(name).default_components()
    for entry, value in printed.items():
        if isinstance(value, int):
            changed = other(name, entry, value)
            assert laid(name, {entry: changed})[entry] == changed
        elif isinstance(value, dict):
            part = next(iter(value))
            found = laid(name, {f"{entry}.{part}": value[part] + 1})
            assert found[entry] == {**value, part: value[part] + 1}
    assert laid(name, {}) == laid(name, None)


def test_what_is_complete_stays_as_it_is() -> None:
    """A deck that is named as a whole replaces the printed one, so that records replay whatever is printed later."""
    deck = {"1<": 20, "3>": 10}
    whole = laid("druidenwalzer", {"sun": deck})
    assert whole["sun"] == deck
    assert laid("druidenwalzer", whole) == whole
    game = find_game("druidenwalzer").new(seed=3, components={"sun": deck})
    assert records.replay(records.read(records.write(game))).components == game.components


def test_a_place_of_a_path_and_a_part_of_it() -> None:
    assert laid("celtica", {"places.4.parts": -1})["places"][4] == {"kind": "ruin", "parts": -1}
    assert laid("celtica", {"places.4": {"kind": "castle", "parts": 2}})["places"][4] == {"kind": "castle", "parts": 2}
    for path in ("places.19.parts", "places.x.parts", "places.-1", "places.4.parts.more", "places.\u00b2.parts", "trees.4"):
        with pytest.raises(BadComponents) as problem:
            laid("celtica", {path: 1})
        assert problem.value.entry == path


def test_what_is_printed_is_not_changed_by_changes() -> None:
    printed = find_game("celtica").default_components()
    found = completed(printed, {"places.4.parts": -9})
    assert at(found, "places.4.parts") == -9
    assert at(printed, "places.4.parts") == -2
    assert find_game("celtica").default_components() == printed


def test_a_change_is_one_line() -> None:
    daemonen, walzer = find_game("daemonen"), find_game("druidenwalzer")
    assert read_change(daemonen, "demons=6,12,24") == ("demons", [6, 12, 24])
    assert read_change(daemonen, "jump=line,none") == ("jump", ["line", "none"])
    assert read_change(daemonen, "may_decline=true") == ("may_decline", [True])
    assert read_change(walzer, "sun.5<=4") == ("sun.5<", [4])
    assert read_change(walzer, "handicap_sun=2<+3>") == ("handicap_sun", [["2<", "3>"]])
    assert with_change(daemonen, {"jump": "line"}, {"demons": 6}, "win", 30) == ({"jump": "line"}, {"demons": 6, "win": 30})
    assert with_change(walzer, None, {"sun.5<": 1}, "sun", {"1<": 30}) == ({}, {"sun": {"1<": 30}})
    with pytest.raises(BadOption):
        read_change(daemonen, "dragons=3")
    for text in ("demons", "demons=", "=6"):
        with pytest.raises(GameError):
            read_change(daemonen, text)


def meddled(printed: Any) -> st.SearchStrategy[Any]:
    """Something in the place of what is printed there: of the same kind with other content, or whatever else."""
    if isinstance(printed, dict):
        return (
            st.dictionaries(st.sampled_from(sorted(printed)) | st.text(max_size=3), st.integers(-1, 20) | anything, max_size=8) | anything
        )
    if isinstance(printed, list):
        return st.lists(st.sampled_from(printed).flatmap(meddled) | st.sampled_from(printed), max_size=len(printed) + 2) | anything
    return st.integers(-1, 120) | anything


@pytest.mark.parametrize("name", playable())
@calmly
@given(data=st.data())
def test_components_that_cannot_be_used_are_named(name: str, data: st.DataObject) -> None:
    """Any entry, any value; the error names what was given, a part of it, or the printed entry beside which it does not fit."""
    printed = find_game(name).default_components()
    entries = data.draw(st.lists(st.sampled_from(sorted(printed)) | st.text(max_size=4), max_size=3, unique=True))
    components = {entry: data.draw(meddled(printed.get(entry))) for entry in entries}
    try:
        found = laid(name, components)
    except BadComponents as error:
        named, words = error.entry, str(error)
    else:
        assert found.keys() == printed.keys()
        return
    assert named in words
    assert any(named == entry or named.startswith(f"{entry}.") for entry in {*components, *printed})
