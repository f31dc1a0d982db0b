"""How to play: a page for each game that has a lesson, in every language, alike in its parts, short, with figures that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drunemeton.lessons import stages
from drunemeton.locales import LANGUAGES, catalogue, say
from drunemeton.rules.game import playable

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "how-to-play"
FRONTEND = ROOT / "frontend" / "src" / "lessons"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [game for game in playable() if stages(game)])
def test_a_page_tells_all_parts_with_figures_and_fits_a_sheet(game: str, language: str) -> None:
    text, english = ((PAGES / one / f"{game}.md").read_text(encoding="utf-8") for one in (language, "en"))
    parts = [re.findall(pattern, text) for pattern in (r"(?m)^## .+$", r"!\[([^\]]+)\]", r"(?m)^[1-5]\. ")]
    assert [len(found) for found in parts] == [len(re.findall(p, english)) for p in (r"(?m)^## .+$", r"!\[([^\]]+)\]", r"(?m)^[1-5]\. ")]
    assert len(parts[0]) >= 5
    assert len(parts[2]) == 5, "five things that beginners overlook"
    assert all("\n" not in block or block.startswith("1. ") for block in text.strip().split("\n\n")), (
        "the page's Markdown needs blank lines"
    )
    for figure in re.findall(r"\]\(([^)]+\.svg)\)", text):
        assert (PAGES / language / figure).resolve().is_file(), figure
    assert len(text.split()) < 400


def test_what_the_pages_of_lessons_say_is_in_the_catalogue_and_nothing_else_is() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in [*FRONTEND.rglob("*.svelte"), *FRONTEND.rglob("*.ts")])
    written = set(re.findall(r"'(learn\.[a-z_.]*[a-z_])'", text))
    made = {"learn.about", "learn.win", "learn.turn"}
    assert written | made == {key for key in catalogue("en") if key.startswith("learn.")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_card_calls_actions_as_the_board_does(language: str) -> None:
    told = say(language, "how.dd.turn").lower()
    for action in ("scout", "populate", "move", "light", "dark"):
        assert say(language, f"web.dd.action.{action}").lower() in told, action
