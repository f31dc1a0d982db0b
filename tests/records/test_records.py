"""Records: written, read, replayed, verified; and every damage is found and named."""

from __future__ import annotations

import dataclasses
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drunemeton import records
from drunemeton.locales import LANGUAGES, catalogue
from drunemeton.records import PROBLEMS, BadRecord
from drunemeton.rules.celtica import Celtica
from drunemeton.rules.chance import BY_PILE, BY_STEP, Chance
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.game import Game, Result, find_game, playable
from tests.rules.druidenwalzer.games import random_setup

RELEASED = sorted((Path(__file__).parent / "released").glob("*.txt"))


def finished(seed: int = 1, *, auditable: bool = True) -> Game:
    rng = random.Random(seed)
    chance = Chance(rng.randbytes(32)) if auditable else Chance.from_seed(seed)
    options, components = random_setup(rng) if seed % 2 else (None, None)
    game = Druidenwalzer(2, options, components, chance)
    while not game.over:
        game.play(rng.choice(game.actions()))
    return game


TEXT = records.write(finished(2))


def test_a_record_reads_back_as_it_was_written() -> None:
    game = finished(3)
    record = records.read(records.write(game))
    assert record.options == game.options
    assert record.components == game.components
    assert record.moves == [step.move for step in game.steps[1:]]
    again = records.replay(record)
    assert again.state == game.state
    assert again.result == game.result


def test_a_mark_that_an_editor_put_before_a_record_changes_nothing() -> None:
    assert records.read("\ufeff" + TEXT) == records.read(TEXT)


@pytest.mark.parametrize("name", playable())
def test_every_game_can_be_recorded_and_verified(name: str) -> None:
    game_type = find_game(name)
    rng = random.Random(5)
    game = game_type(game_type.players[1], None, None, Chance(b"r" * 32))
    while not game.over:
        game.play(rng.choice(game.actions()))
    verdict = records.verify(records.read(records.write(game)))
    assert (verdict.result, verdict.shuffles) == (game.result, "audited")


def test_verify_checks_shuffles_against_the_commitment() -> None:
    assert records.verify(records.read(TEXT)).shuffles == "audited"
    assert records.verify(records.read(records.write(finished(4, auditable=False)))).shuffles == "seed"
    without = "\n".join(line for line in TEXT.splitlines() if not line.startswith("secret"))
    assert records.verify(records.read(without)).shuffles == "unknown"


@pytest.mark.parametrize("auditable", [True, False])
def test_a_record_names_how_its_shuffles_follow(auditable: bool) -> None:
    chance = Chance(b"d" * 32) if auditable else Chance.from_seed(8)
    texts = []
    for derivation in (BY_PILE, BY_STEP):
        rng = random.Random(4)
        game = Druidenwalzer(2, None, None, dataclasses.replace(chance, derivation=derivation))
        while not game.over:
            game.play(rng.choice(game.actions()))
        texts.append(records.write(game))
        record = records.read(texts[-1])
        assert record.derivation == derivation
        assert records.verify(record).shuffles == ("audited" if auditable else "seed")
    assert "\nderivation pile\n0\n" in texts[0]
    assert "derivation" not in texts[1]
    # Named wrongly, or not named where it must be: no shuffle follows any more.
    for text in (texts[0].replace("derivation pile\n", ""), texts[1].replace("\n0\n", "\nderivation pile\n0\n", 1)):
        with pytest.raises(BadRecord, match="does not follow from the secret"):
            records.verify(records.read(text))
    with pytest.raises(BadRecord, match="'cards'"):
        records.read(texts[0].replace("derivation pile", "derivation cards"))
    with pytest.raises(BadRecord, match="whole number"):
        records.read(texts[0].replace("\n1 moon", "\nderivation step\n1 moon"))


def left(end: str, *places: int) -> str:
    """The record of a game that one of two players left after eight moves; the clock can only run out for Moon."""
    rng = random.Random(6)
    game = Druidenwalzer(2, None, None, Chance(b"l" * 32))
    for _ in range(8):
        game.play(rng.choice(game.actions()))
    assert game.to_move == 1
    return records.write(game, Result(end, places))


@pytest.mark.parametrize(("end", "places"), [("resigned", (1, 2)), ("resigned", (2, 1)), ("time", (1, 2))])
def test_a_table_that_was_left_early_has_events_result_and_secret(end: str, places: tuple[int, int]) -> None:
    text = left(end, *places)
    assert text.count("told {") > 8
    assert records.verify(records.read(text)) == records.Verdict("druidenwalzer", 8, Result(end, places), "audited")


@pytest.mark.parametrize(
    ("end", "places"), [("resigned", (1, 1)), ("resigned", (1, 2, 3)), ("time", (2, 1)), ("conquest", (1, 2)), ("left", (1, 2))]
)
def test_nobody_can_have_left_like_that(end: str, places: tuple[int, ...]) -> None:
    with pytest.raises(BadRecord, match="the result is open"):
        records.verify(records.read(left(end, *places)))


@pytest.mark.parametrize("end", ["resigned", "time"])
def test_of_three_nobody_ends_a_game_by_leaving(end: str) -> None:
    game = Celtica.new(seats=3, seed=1)
    while game.to_move != 2:
        game.play(game.actions()[0])
    with pytest.raises(BadRecord, match="the result is open"):
        records.verify(records.read(records.write(game, Result(end, (1, 2)))))


def test_nobody_leaves_a_game_that_is_over() -> None:
    end = TEXT.splitlines()[-2]
    with pytest.raises(BadRecord, match="the result is"):
        records.verify(records.read(changed(end, "result resigned 1 2")))


def test_a_running_game_has_neither_events_nor_secret() -> None:
    game = Druidenwalzer.new(seed=1)
    game.play("1<")
    text = records.write(game)
    assert "secret" not in text
    assert "told" not in text
    assert records.replay(records.read(text)).state == game.state


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.strip().startswith(start))


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def forged_shuffle() -> str:
    lines = TEXT.splitlines()
    at = line_of(TEXT, "shuffle moon") - 1
    word, pile, *cards = lines[at].split()
    first, last = cards[-1], cards[-2]
    other = next(i for i, card in enumerate(cards) if card != cards[-1] and i >= 23)
    cards[other], cards[-1] = cards[-1], cards[other]
    assert first != last or cards
    lines[at] = "  " + " ".join([word, pile, *cards])
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "drunemeton record"),
        ("hello\n", 1, "drunemeton record"),
        (changed("record 1", "record 2"), 1, "format 2"),
        (changed("game druidenwalzer", "game chess"), 2, "chess"),
        (changed("rules 1", "rules 7"), 3, "version 7"),
        (changed("seats 2", "seats two"), 4, "whole number"),
        (changed("options {", "options {{"), 5, "cannot be read"),
        (changed('"trees": 4', '"trees": 9'), line_of(TEXT, "0"), "trees"),
        (changed('"1<": 3', '"1<": -3'), line_of(TEXT, "0"), "1<"),
        (changed("\n1 moon ", "\n1 sun "), line_of(TEXT, "1 moon"), "decision"),
        (changed("\n1 moon 1", "\n1 moon 7"), line_of(TEXT, "1 moon"), "7"),
        (changed("\n1 moon", "\n3 moon"), line_of(TEXT, "1 moon"), "step 1"),
        (changed("  told {", "  sold {"), line_of(TEXT, "told"), "sold"),
        (TEXT + "9 moon J black\n", TEXT.count("\n") + 1, "nothing but the secret"),
        ("\n".join(TEXT.splitlines()[:6]), 0, "auditable"),
        ("\n".join(TEXT.splitlines()[:8]), 8, "step 0"),
        (changed('"kind": "druid_set"', '"kind": "druid_sat"'), line_of(TEXT, "3 moon"), "by the rules"),
    ],
)
def test_damage_is_named_with_its_line(text: str, line: int, says: str) -> None:
    with pytest.raises(BadRecord, match=says) as found:
        records.verify(records.read(text))
    assert found.value.line == line


def test_every_problem_has_words_in_every_language() -> None:
    for language in LANGUAGES:
        words = {key.removeprefix("web.record."): str(text) for key, text in catalogue(language).items() if key.startswith("web.record.")}
        assert words.keys() == PROBLEMS.keys()
        for code, text in words.items():
            assert set(re.findall(r"\{(\w+)", text)) <= set(re.findall(r"\{(\w+)", PROBLEMS[code])), f"{language} {code}"


def test_a_forged_result_secret_or_commitment_is_found() -> None:
    end = TEXT.splitlines()[-2]
    swapped = end[:-3] + end[-3:][::-1]
    for text, says in [
        (changed(end, swapped), "the result is"),
        (changed("\nsecret ", "\nsecret 00"), "committed"),
        (changed("commitment ", "commitment 0"), "committed"),
        (changed("\nsecret ", "\nsecret zz"), "hexadecimal"),
    ]:
        with pytest.raises(BadRecord, match=says):
            records.verify(records.read(text))


def test_a_shuffle_that_does_not_follow_from_the_secret_is_found() -> None:
    other = Chance(b"o" * 32)
    text = TEXT.replace(TEXT.splitlines()[-1].split()[1], other.secret.hex())
    text = "\n".join(f"commitment {other.commitment}" if line.startswith("commitment") else line for line in text.splitlines())
    with pytest.raises(BadRecord, match="does not follow") as found:
        records.verify(records.read(text))
    assert found.value.line == line_of(TEXT, "2 sun")  # the decks are shuffled once both arrows lie


def test_a_forged_shuffle_is_found() -> None:
    with pytest.raises(BadRecord):
        records.verify(records.read(forged_shuffle()))


@given(st.integers(0, TEXT.count("\n") - 1), st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_changed_line_is_an_error_or_changes_nothing(at: int, line: str) -> None:
    lines = TEXT.splitlines()
    lines[at] = line
    try:
        verdict = records.verify(records.read("\n".join(lines)))
    except BadRecord:
        return
    # What still verifies must tell the same game: an empty line in place of the secret, say.
    assert verdict.result == finished(2).result or verdict.result is None


@pytest.mark.parametrize("name", ["druidenwalzer", "celtica", "daemonen"])
def test_there_are_released_records_of_every_game(name: str) -> None:
    seats = {records.read(path.read_text(encoding="utf-8")).seats for path in RELEASED if path.stem.startswith(name)}
    few, many = find_game(name).players
    assert seats == set(range(few, many + 1))


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_released_records_replay_forever(path: Path) -> None:
    record = records.read(path.read_text(encoding="utf-8"))
    verdict = records.verify(record)
    if path.stem.endswith("-running"):
        assert (verdict.result, verdict.shuffles, verdict.steps) == (None, "unknown", len(record.moves))
    else:
        assert verdict.result is not None
        assert verdict.shuffles == ("audited" if record.auditable else "seed")
