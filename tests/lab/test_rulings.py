"""Every ruling that has an option is an experiment, and a study becomes the tables of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from drunemeton import lab
from drunemeton.lab import pages, rulings
from drunemeton.lab.experiment import made
from drunemeton.lab.study import read_study, run_study
from drunemeton.locales import catalogue
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game, playable

PAGE = Path(__file__).parents[2] / "docs" / "rulings.md"
SMALL: dict[str, Any] = {"trees": 2, "stack": 2, "hand": 2, "tokens_to_conquer": 2, "trees_to_lose": 1}


def test_every_option_that_the_page_names_is_tried() -> None:
    named = rulings.options_in(PAGE.read_text(encoding="utf-8"))
    for name, experiment in rulings.experiments("random", 10, named=named).items():
        tried = {setting.name.partition("=")[0] for setting in experiment.settings[1:]}
        assert named[name] <= tried
        assert {option.name for option in find_game(name).described if option.kind in ("choice", "bool")} <= tried


def test_what_was_measured_is_in_the_page_and_is_handed_out() -> None:
    """Whoever measures anew writes both; the page is as the data make it."""
    text = PAGE.read_text(encoding="utf-8")
    told = rulings.handed_out()
    assert set(told) == set(playable())
    assert rulings.into_page(text, told) == text
    assert text.count(rulings.MARK) == sum(len(options) for options in rulings.options_in(text).values())


def test_what_another_reading_does_becomes_a_sentence() -> None:
    result = lab.run(
        made(
            {
                "game": "druidenwalzer",
                "options": SMALL,
                "players": ["random"] * 2,
                "deals": 60,
                "vary": [{"set": "tokens_to_conquer", "to": [6]}],
            }
        ),
        processes=1,
    )
    told = rulings.effects({"random": {"druidenwalzer": result}})
    effect = told["druidenwalzer"]["tokens_to_conquer"]["6"]["random"]
    assert effect["length"]["certain"]
    assert effect["length"]["mean"] > 0.2
    assert "longer" in rulings.sentence("x", {"random": effect})
    shares = {one["end"]: one for one in effect["ends"]}
    assert sum(one["now"] for end, one in shares.items() if end != "shared") == pytest.approx(1, abs=0.001)
    assert "no certain change of how games end (by " in rulings.sentence(
        "x", {"random": effect | {"ends": [shares["conquest"] | {"certain": False}]}}
    )
    certain = rulings.sentence("x", {"random": effect | {"ends": [{**shares["conquest"], "certain": True, "now": 0.25, "base": 0.5}]}})
    assert "ends by conquest 25.0 % instead of 50.0 % (" in certain
    page = "### DW-6.5 A draw\n- **Option:** `tokens_to_conquer` (6).\n"
    once = rulings.into_page(page, told)
    assert once.count(rulings.MARK) == 1
    assert rulings.into_page(once, told) == once


@pytest.mark.parametrize("game", playable())
def test_the_studies_that_come_with_the_games_can_be_played(game: str) -> None:
    study = read_study(game)
    assert len(study) >= 5


def test_a_study_becomes_tables(tmp_path: Path) -> None:
    base = {"game": "druidenwalzer", "options": SMALL, "deals": 40}
    study = {
        "numbers-random": made({**base, "players": ["random"] * 2, "vary": [{"set": "tokens_to_conquer", "to": [6]}]}),
        "held-random": made(
            {**base, "players": ["random"] * 2, "mirrored": True, "vary": [{"players": [["random only waltz", "random"]]}]}
        ),
        "depth": made({**base, "players": ["greedy", "random"], "mirrored": True}),
    }
    found = run_study(study, tmp_path, processes=1)
    made_page = pages.page(found, catalogue("en"))
    for heading in ("The game as it is", "Which actions are used", "| random only waltz (against random) |", "| greedy against random |"):
        assert heading in made_page
    assert "**" in made_page
    assert "| counter-clockwise cards |" in made_page
    assert "| card 7 |" not in made_page  # nobody has one
    written = (tmp_path / "depth.json").stat().st_mtime_ns
    run_study(study, tmp_path, processes=1)
    assert (tmp_path / "depth.json").stat().st_mtime_ns == written
    text = f"before\n{pages.BEGIN}\nold\n{pages.END}\nafter\n"
    once = pages.into(text, made_page)
    assert once.startswith("before\n")
    assert once.endswith("\nafter\n")
    assert "old" not in once.split()
    assert pages.into(once, made_page) == once
    with pytest.raises(GameError):
        pages.into("no marks", made_page)
