"""How to play: a page for each game that has a lesson, in every language, alike in its parts, short, with figures that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drunemeton.lessons import BadStage, figures, stages
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
    shown = re.findall(r"(?m)^!\[(.+)\]\(figure:(\w+)\)$", text)
    assert [name for _, name in shown] == [figure["name"] for figure in figures(game)], "every figure, in the order of the page"
    for (caption, name), figure in zip(shown, figures(game), strict=True):
        numbers = {int(number) for number in re.findall(r"\*\*(\d)\*\*", caption)}
        assert numbers == set(range(1, len(figure["marks"]) + 1)), f"{name}: the caption speaks of what is numbered"
    assert len(text.split()) < 460


@pytest.mark.parametrize("game", [game for game in playable() if stages(game)])
def test_a_figure_shows_a_position_and_what_the_move_in_it_would_bring(game: str) -> None:
    for figure in figures(game):
        assert figure["view"], figure["name"]
        if figure["show"] is not None:
            assert figure["show"] in figure["legal"]
            assert figure["foreseen"] or figure["show"].startswith(("choose", "give", "from")), figure["name"]


def test_a_figure_that_cannot_be_drawn_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "celtica").mkdir()
    monkeypatch.setattr("drunemeton.lessons.figure.FOLDER", tmp_path)
    for text, problem in (('stage = "walk"\nshow = "red 9"', "red 9 is not legal"), ('stage = "walk"\nmark = []', "unknown: mark")):
        figures.cache_clear()
        (tmp_path / "celtica" / "figures.toml").write_text(f"[one]\n{text}\n", encoding="utf-8")
        with pytest.raises(BadStage, match=problem):
            figures("celtica")
    figures.cache_clear()


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
