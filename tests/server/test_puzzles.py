"""Puzzles over HTTP: a list without solutions, and each with all that it takes to answer every try."""

from __future__ import annotations

import pytest

from drunemeton.client import ServerError, ask
from drunemeton.puzzles import puzzles
from drunemeton.rules.game import playable

from .house import House


@pytest.mark.parametrize("game", playable())
def test_puzzles_are_listed_and_told(house: House, game: str) -> None:
    found = ask(f"{house.url}/api/puzzles/{game}")
    assert [one["id"] for one in found] == [one.ident for one in puzzles(game)]
    assert all(set(one) == {"id", "kind", "theme", "grade", "missed"} for one in found)
    described = {one["name"]: one["puzzles"] for one in ask(f"{house.url}/api/games")}
    assert described[game] == len(found)
    told = ask(f"{house.url}/api/puzzles/{game}/{found[0]['id']}")
    assert told == puzzles(game)[0].shown()
    assert len(told["moves"]) == len(told["legal"]) >= 3
    assert "knows" not in told


@pytest.mark.parametrize("path", ["chess", "chess/aaaaaaaa", "celtica/aaaaaaaa", "celtica/index"])
def test_what_is_not_there(house: House, path: str) -> None:
    with pytest.raises(ServerError) as refused:
        ask(f"{house.url}/api/puzzles/{path}")
    assert refused.value.code == "not_found"
