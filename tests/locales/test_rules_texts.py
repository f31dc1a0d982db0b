"""The rules' texts: the same rules under the same numbers in every language, the same code and figures, and proper typography."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drunemeton.locales import LANGUAGES
from drunemeton.rules.game import playable

TEXTS = Path(__file__).parents[2] / "docs" / "rules"
CODE = re.compile(r"`[^`]*`|^ {4}.*$|!\[|\]\([^)]*\)|^\|[-|]+$", re.MULTILINE)


def text_of(language: str, game: str) -> str:
    return (TEXTS / language / f"{game}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", playable())
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_rules_code_and_figures(language: str, game: str) -> None:
    for pattern in (r"^\*\*([A-Z]{2}-[\d.]+)\*\*", r"\((\.\./figures/[\w-]+\.svg)\)"):
        ours, english = (re.findall(pattern, text_of(name, game), re.MULTILINE) for name in (language, "en"))
        assert ours == english
        assert ours
    ours_code, english_code = (
        {" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text_of(name, game))} for name in (language, "en")
    )
    assert ours_code == english_code


@pytest.mark.parametrize("game", playable())
@pytest.mark.parametrize("language", LANGUAGES)
def test_typography(language: str, game: str) -> None:
    text = CODE.sub(" ", text_of(language, game))
    assert re.findall(r".{0,20}['\"].{0,20}", text) == []
    if language == "fr":
        assert re.findall(r".{0,20}(?<!\u202f)[;:!?»].{0,20}", text) == []
        assert re.findall(r".{0,20}«(?!\u202f).{0,20}", text) == []
    else:
        assert re.findall(r".{0,20}\s[;!?].{0,20}", text) == []


@pytest.mark.parametrize(
    "path",
    [*(TEXTS / "de").glob("*.md"), *(TEXTS.parent / "how-to-play" / "de").glob("*.md")],
    ids=lambda path: path.parent.parent.name + path.stem,
)
def test_german_rules_say_du(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())
    assert re.findall(r".{0,40}(?:\b(?:Ihnen|Ihre[mnrs]?)\b|\w,? (?:Sie|Ihr)\b).{0,20}", text) == []
