"""The catalogues: the same keys, placeholders and plural forms in every language, and words for everything the games can say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from drunemeton import locales
from drunemeton.locales import Entry, catalogue, say, tell_event
from drunemeton.rules.game import find_game, playable

OTHERS = [language for language in locales.available() if language != "en"]
SOURCE = Path(locales.__file__).parent.parent


def placeholders(entry: Entry) -> set[str]:
    texts = [entry] if isinstance(entry, str) else [text for form, text in entry.items() if form != "plural"]
    return {name for text in texts for name in re.findall(r"\{(\w+)\}", text)}


def test_english_and_german_are_there() -> None:
    assert {"en", "de"} <= set(locales.available())


@pytest.mark.parametrize("language", OTHERS)
def test_no_key_is_missing_and_none_is_unknown(language: str) -> None:
    english, other = set(catalogue("en")), set(catalogue(language))
    assert sorted(english - other) == []
    assert sorted(other - english) == []


@pytest.mark.parametrize("language", OTHERS)
def test_placeholders_and_plurals_match(language: str) -> None:
    for key, entry in catalogue("en").items():
        other = catalogue(language)[key]
        assert isinstance(entry, dict) == isinstance(other, dict), key
        assert placeholders(entry) == placeholders(other), key
        if isinstance(entry, dict) and isinstance(other, dict):
            assert entry["plural"] == other["plural"], key
            assert {"one", "other"} <= set(other), key


@pytest.mark.parametrize("language", locales.available())
def test_no_key_stands_twice(language: str) -> None:
    seen: set[str] = set()
    for path in sorted((locales.FOLDER / language).glob("*.json")):
        pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=lambda pairs: [key for key, _ in pairs])
        keys = set(pairs)
        assert len(keys) == len(pairs), path.name
        assert not keys & seen, path.name
        seen |= keys


@pytest.mark.parametrize("name", playable())
def test_every_event_that_the_log_tells_has_words(name: str) -> None:
    script = find_game(name).script
    for line in script.lines.values():
        assert f"event.{script.prefix}.{line[0]}" in catalogue("en"), line[0]


@pytest.mark.parametrize("name", playable())
def test_every_reason_has_words(name: str) -> None:
    game = find_game(name)
    codes = set()
    for path in (SOURCE / "rules" / name).glob("*.py"):
        codes |= set(re.findall(rf'"({game.script.prefix}\.[a-z_]+)"', path.read_text(encoding="utf-8")))
    assert codes
    assert sorted(code for code in codes if f"reason.{code}" not in catalogue("en")) == []


def test_counts_take_their_plural_form() -> None:
    assert say("en", "event.dw.token", tree="M1", tokens=1) == "M1 receives a token, its first."
    assert say("en", "event.dw.token", tree="M1", tokens=3) == "M1 receives a token and now bears 3."
    assert say("de", "event.dw.token", tree="M1", tokens=1) == "M1 erhält sein erstes Kultzeichen."


def test_words_of_the_game_are_translated_within_sentences() -> None:
    event = {"kind": "passed", "seat": "moon"}
    assert tell_event("en", "dw", event) == "Moon can do nothing and passes."
    assert tell_event("de", "dw", event) == "Mond kann nichts tun und setzt aus."


def test_a_hidden_card_is_told_without_the_card() -> None:
    event = {"kind": "drawn", "seat": "sun", "place": 2, "card": None}
    assert tell_event("en", "dw", event) == "Sun draws a card (place 2)."
    assert tell_event("en", "dw", {**event, "card": "s5<"}) == "Sun draws s5< (place 2)."
