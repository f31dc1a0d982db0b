"""One word for each thing: the words of a game's glossary are those of its rules, its board, its story and its lessons, and no others."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from drunemeton import locales
from drunemeton.locales import LANGUAGES, glossary
from drunemeton.rules.game import find_game

DOCS = Path(__file__).parents[2] / "docs"
GAMES = sorted(path.stem.removeprefix("glossary_") for path in (locales.FOLDER / "en").glob("glossary_*.json"))
# What such things were called before, or might be called by who has not looked.
OTHERWISE = {
    ("druidenwalzer", "en"): r"withdraw|\bduels?\b|discard pile",
    ("druidenwalzer", "de"): r"Wettstreit|Kraftprobe|\bDuell|Ablagestapel",
    ("druidenwalzer", "nl"): r"cultusbord|\bduel|aflegstapel|wedstrijd",
    ("druidenwalzer", "fr"): r"plateau de culte|\bduels?\b|\bjetons?\b|anneau magique",
    ("celtica", "en"): r"cult site|amulet pieces?|market",
    ("celtica", "de"): r"Kultort|Kultstätte|Amulettst|\bRunde\b|\bMarkt\b",
    ("celtica", "nl"): r"cultusplek|\bmarkt\b|amuletstuk",
    ("celtica", "fr"): r"site de culte|\bpièces? d’amulette|\bmarché\b",
    ("daemonen", "en"): r"\*\*New populations|Choose new populations|\bmenhir|\bsettlers?\b|\bgates?\b",
    ("daemonen", "de"): r"\*\*Neue Populationen|neues Volk|Landschaft erkunden|Populationen bewegen\b(?! sich)|\bTor(e|en)?\b|Menhir",
    ("daemonen", "nl"): r"\*\*Nieuwe populaties|\bomzetten\b|\bvestigen\b|\bpoort",
    ("daemonen", "fr"): r"\*\*Nouvelles populations|\bcoloni|\bporte magique|case démon",
}


def stem(term: str) -> re.Pattern[str]:
    """A term as it stands in a sentence, whatever its ending."""
    parts = [re.escape(part[: len(part) - max(2, len(part) // 3)] if len(part) > 5 else part) + r"\w*" for part in term.lower().split()]
    return re.compile(r"\s+".join(parts))


def written(language: str, game: str) -> dict[str, str]:
    """What is told of a game: its rules, and its catalogues with how to play it."""
    told = []
    for path in sorted((locales.FOLDER / language).glob(f"*{game}.json")):
        if not path.name.startswith("glossary_"):
            told += list(json.loads(path.read_text(encoding="utf-8")).values())
    text = json.dumps(told, ensure_ascii=False)
    short = DOCS / "how-to-play" / language / f"{game}.md"
    rules = DOCS / "rules" / language / f"{game}.md"
    return {"rules": rules.read_text(encoding="utf-8"), "catalogues": text + (short.read_text(encoding="utf-8") if short.exists() else "")}


def test_every_game_of_the_house_has_one() -> None:
    assert {"celtica", "daemonen", "druidenwalzer"} <= set(GAMES)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_and_catalogues_use_its_words(language: str, game: str) -> None:
    prefix = find_game(game).script.prefix
    terms = {key: text for key, text in locales.catalogue(language).items() if key.startswith(f"gloss.{prefix}.") and key.count(".") == 2}
    assert len(terms) >= 8
    for where, text in written(language, game).items():
        missing = {key: term for key, term in terms.items() if not stem(str(term)).search(" ".join(text.lower().split()))}
        assert missing == {}, where


@pytest.mark.parametrize(("game", "language"), sorted(OTHERWISE))
def test_and_no_others(language: str, game: str) -> None:
    for where, text in written(language, game).items():
        assert re.findall(rf".{{0,30}}(?:{OTHERWISE[game, language]}).{{0,30}}", text, re.IGNORECASE) == [], where


def test_a_planted_synonym_is_found() -> None:
    assert re.search(OTHERWISE["druidenwalzer", "en"], "Withdraw a card", re.IGNORECASE)
    assert not stem("retreat").search("you withdraw a card")
    assert stem("dunkler Zauber").search("zwei dunkle zauber")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_can_be_read(language: str) -> None:
    for game in GAMES:
        lines = glossary(language, find_game(game).script.prefix)
        assert all(re.fullmatch(r"[^:]+: .{8,}", line) for line in lines)
        assert len(lines) >= 8
