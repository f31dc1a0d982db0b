"""Records that somebody forged, cut off or filled up, handed in for a review: a sentence, no error of the server, and nothing kept."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from drunemeton import records
from drunemeton.appraisal import NoReview
from drunemeton.appraisal.played import PlayedGame
from drunemeton.locales import LANGUAGES, catalogue
from drunemeton.rules.chance import Chance
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import Result, find_game, playable
from drunemeton.server import Settings

from ..patience import comes_true
from .house import House
from .test_review import fetch

MOVES = 6
ODD = ["", "-1", "0", "3", "99999999", "null", "{}", "[]", '"x"', "true", "1e999", "NaN", "\0", "ä", "sun", "red", "  shuffle", "  told {}"]


@cache
def given_up(name: str) -> str:
    """The record of a game that one of two gave up after some moves."""
    game, chooser = find_game(name).new(seed=4, seats=2), random.Random(4)
    for _ in range(MOVES):
        game.play(chooser.choice(game.legal()))
    return records.write(game, Result("resigned", (1, 2)))


def forged(text: str) -> dict[str, str]:
    """What a cheat or a broken disk may hand in, and by which code it is refused."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("1 "))
    moves = [n for n, line in enumerate(lines) if line[:1].isdigit()]
    shuffle = next(n for n, line in enumerate(lines) if line.startswith("  shuffle"))
    dealt = lines[shuffle].split(" ")

    def with_line(n: int, line: str) -> str:
        return "\n".join([*lines[:n], line, *lines[n + 1 :]])

    return {
        "breaks_off": "\n".join(lines[:5]),
        "beginning": "<html>" + text,
        "format": text.replace("record 1", "record 2", 1),
        "rules": text.replace("\nrules ", "\nrules 9", 1),
        "game": text.replace(f"game {lines[1].split()[1]}", "game chess", 1),
        "number": text.replace("seats 2", "seats two", 1),
        "set_up": text.replace("seats 2", "seats 77", 1),
        "braces": with_line(5, "components [1, 2]"),
        "move": with_line(first, " ".join([*lines[first].split(" ")[:2], "fly"])),
        "whose_turn": with_line(moves[-1], lines[moves[-1]].replace(lines[moves[-1]].split(" ")[1], "nobody", 1)),
        "story": with_line(shuffle, " ".join([*dealt[:4], *sorted(dealt[4:])])),
        "result": text.replace("result resigned 1 2", "result resigned 1 1", 1),
        "step": with_line(moves[-1], lines[moves[-1]].replace(str(MOVES), "4", 1)),
        "pile": with_line(shuffle, "  shuffle nowhere 1 2 3"),
        "hexadecimal": "\n".join([*(line for line in lines if not line.startswith("secret")), "secret of the druids"]),
    }


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that never has enough."""
    settings = Settings(
        store_path=tmp_path_factory.mktemp("store") / "tables.db", reviews_burst=1000, requests_burst=5000, record_bytes=30_000
    )
    with House(settings) as running:
        yield running


def outcome(house: House, text: str) -> str:
    """By which code a record is refused; `working` if it is looked at."""
    status, answer = fetch(house, "/api/review", text)
    if status == 200:
        path = f"/api/reviews/{answer['id']}"
        told: list[Any] = [answer]

        def decided() -> bool:
            told.append(fetch(house, path)[1])
            return told[-1]["state"] != "working" or told[-1]["review"] is not None

        assert comes_true(decided)
        return str(told[-1]["problem"] or "working")
    assert status in {409, 413, 422}, answer
    return str(answer["params"]["code"] if answer["code"] == "bad_record" else answer["code"])


def test_each_forgery_is_refused_by_a_sentence_and_nothing_is_kept(patient: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="drunemeton.server")
    text = given_up("druidenwalzer")
    for code, bad in forged(text).items():
        found = outcome(patient, bad)
        assert found in {code, "record"}, (code, found)
        for language in LANGUAGES:
            words = catalogue(language)
            assert any(key in words for key in (f"web.record.{found}", f"reviews.no.{found}")), (language, found)
    assert outcome(patient, text[: text.index("\nresult")] + "\n") == "running"
    assert outcome(patient, text + "\n" * (patient.settings.record_bytes + 1)) in {"too_big", "too_long"}
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING], "somebody's record is no trouble of the server's"
    assert not patient.registry.tables
    kept = b"".join(file.read_bytes() for file in patient.settings.store_path.parent.glob("tables.db*"))
    assert kept
    assert b"result resigned" not in kept
    assert b"fly" not in kept


@pytest.mark.parametrize("name", playable())
def test_whatever_stands_in_a_record_it_is_laid_out_or_refused(name: str) -> None:
    """Before anything is thought of: what plays a record again raises nothing but errors that say what is wrong."""
    lines, chooser, refused = given_up(name).splitlines(), random.Random(7), 0
    for _ in range(150):
        mangled = list(lines)
        at = chooser.choice([chooser.randrange(8), chooser.randrange(len(lines))])
        words = mangled[at].split(" ")
        words[chooser.randrange(len(words))] = chooser.choice(ODD)
        mangled[at] = " ".join(words)
        try:
            record = records.read("\n".join(mangled))
            records.game_of(record)
            PlayedGame(record)
        except (GameError, NoReview):
            refused += 1
    assert refused > 50


def test_a_game_with_other_components_is_reviewed_and_impossible_ones_are_refused(patient: House) -> None:
    game_type = find_game("druidenwalzer")
    sun, moon = game_type.default_components().values()
    chooser, game = random.Random(1), game_type(2, None, {"sun": sun | {"5<": 4}, "moon": moon}, Chance(b"f" * 32))
    for _ in range(MOVES):
        game.play(chooser.choice(game.legal()))
    text = records.write(game, Result("resigned", (2, 1)))
    assert outcome(patient, text) == "working"
    for other in ('"5<": -4', '"5<": 4000000', '"5<": "four"', '"9<": 4'):
        assert outcome(patient, text.replace('"5<": 4', other)) == "record"


def test_a_planted_crash_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What keeps the mangled from raising anything else is checked above: without it the test fails."""
    monkeypatch.setattr(records, "_orders", lambda record, game_type: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        PlayedGame(records.read(given_up("druidenwalzer")))
