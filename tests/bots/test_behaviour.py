"""Measured strengths hold as long as the search does the same: what it does in fixed positions is written down."""

from __future__ import annotations

import json
import os

import pytest

from drunemeton.bots import level_names, offered
from drunemeton.bots import search as thinking
from drunemeton.bots.behaviour import behaviour, positions
from drunemeton.bots.levels import PLAYS, measured
from drunemeton.rules.game import find_game

MEASURED = sorted(json.loads(PLAYS.read_text(encoding="utf-8")))  # a game whose levels nobody has measured has nothing to keep


@pytest.mark.parametrize("name", MEASURED)
def test_the_search_does_what_it_did_when_it_was_measured(name: str) -> None:
    kept = json.loads(PLAYS.read_text(encoding="utf-8"))
    found = behaviour(find_game(name))
    if os.environ.get("DRUNEMETON_REGENERATE"):
        kept[name] = found
        PLAYS.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    assert kept[name] == found


@pytest.mark.parametrize("name", MEASURED)
def test_every_level_that_was_measured_is_shown_with_its_strength(name: str) -> None:
    game = find_game(name)
    assert len(positions(game)) >= 2
    shown = {entry["name"]: entry["elo"] for entry in offered(game)}
    assert {level: shown[level] for level in level_names(game)} == {level: measured(name)[level].elo for level in level_names(game)}


def test_another_way_to_think_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = behaviour(find_game("druidenwalzer"))
    real = thinking.pooled
    monkeypatch.setattr(thinking, "pooled", lambda found: (real(found)[0] + 1, *real(found)[1:]))
    assert behaviour(find_game("druidenwalzer")) != before
