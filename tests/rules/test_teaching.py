"""Everything on a table explains itself, and the coach says only what can be said, in every language."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from drunemeton.lessons import begin, find_stage
from drunemeton.locales import LANGUAGES, catalogue, say
from drunemeton.rules.game import Game, find_game, playable
from drunemeton.rules.kernel import SPECTATOR
from drunemeton.rules.teaching import Advice, advise, explain, reflect, things
from tests.noninterference import twin_of

ROOT = Path(__file__).parents[2]
LINE = 20  # words: a coach says no more than a line
CARD = 36


def taught() -> list[type[Game]]:
    return [game for game in map(find_game, playable()) if game.explaining is not None]


def positions(game: type[Game], games: int = 3, moves: int = 60) -> Iterator[tuple[Game, int]]:
    """Random games, at each decision."""
    for seed in range(games):
        one, rng = game.new(seed=seed), random.Random(seed)
        for _ in range(moves):
            if one.to_move is None:
                break
            yield one, one.to_move
            one.play(rng.choice(one.actions()))


def check(game: type[Game], told: str, code: str, rule: str | None, params: dict[str, object], most: int) -> None:
    assert rule is not None
    assert f"**{rule}**" in (ROOT / f"docs/rules/en/{game.name}.md").read_text(encoding="utf-8"), rule
    assert code.startswith(f"{game.script.prefix}.")
    for language in LANGUAGES:
        assert f"{told}.{code}" in catalogue(language), f"{told}.{code}"
        text = say(language, f"{told}.{code}", **params)
        assert not re.search(r"[{}]|(?<=\w )\?", text), text
        assert len(text.split()) <= most, text


@pytest.mark.parametrize("game", taught(), ids=lambda game: game.name)
def test_everything_on_the_table_explains_itself(game: type[Game]) -> None:
    for number, (one, seat) in enumerate(positions(game)):
        if number % 9:
            continue
        for watcher in (seat, SPECTATOR):
            found = things(one, watcher)
            assert len(found) == len(set(found)) > 20
            for what in found:
                told = explain(one, watcher, what)
                assert told, what
                for reason in told:
                    check(game, "about", reason.code, reason.rule, reason.params, CARD)


@pytest.mark.parametrize("game", taught(), ids=lambda game: game.name)
def test_what_is_not_there_has_nothing_to_tell(game: type[Game]) -> None:
    one = game.new(seed=1)
    for what in ("", ":", "nothing", "place:99", "place:x", "cell:9,9", "board:S9", "player:nobody", "druid:", "card:", "card:9", "💥"):
        assert explain(one, 0, what) == []


@pytest.mark.parametrize("game", taught(), ids=lambda game: game.name)
def test_a_coach_says_a_line_before_and_after_a_decision(game: type[Game]) -> None:
    said = 0
    for one, seat in positions(game, games=2, moves=40):
        for alone in (True, False):
            for advice in advise(one, seat, alone=alone):
                assert isinstance(advice, Advice)
                assert set(advice.right) <= set(one.legal())
                check(game, "coach", advice.code, advice.rule, advice.params, LINE)
            for reason in reflect(one, seat, alone=alone):
                check(game, "coach", reason.code, reason.rule, reason.params, LINE)
                said += 1
        assert advise(one, (seat + 1) % one.seats, alone=True) == []
    assert said


@pytest.mark.parametrize("game", taught(), ids=lambda game: game.name)
def test_with_other_people_every_seat_is_told_what_everybody_may_see(game: type[Game]) -> None:
    """Whatever lies hidden from a spectator, the reminders are the same; only which moves are right differs, and nobody reads that."""
    for number, (one, seat) in enumerate(positions(game, games=2)):
        if number % 7:
            continue
        twin = twin_of(one, SPECTATOR, random.Random(number))
        assert said(one, seat) == said(twin, seat)


def said(game: Game, seat: int) -> object:
    before = [(advice.code, advice.params) for advice in advise(game, seat, alone=False)]
    return before, reflect(game, seat, alone=False)


@pytest.mark.parametrize(
    ("stage", "code"),
    [
        ("druidenwalzer/empty", "dw.fill"),
        ("druidenwalzer/contest", "dw.can_win"),
        ("druidenwalzer/ring", "dw.can_lose"),
        ("druidenwalzer/dance", "dw.dance"),
        ("celtica/ruin", "ce.ruin"),
        ("celtica/give", "ce.give"),
        ("celtica/parts", "ce.take"),
        ("celtica/amulet", "ce.trade"),
        ("daemonen/stone", "dd.stone_ready"),
        ("daemonen/convert", "dd.convert_ready"),
        ("daemonen/settle", "dd.settle"),
    ],
)
def test_what_matters_where_a_lesson_teaches_it(stage: str, code: str) -> None:
    """What a stage teaches is what the coach speaks of there, and its solution shows that one knows it."""
    taught_there = find_stage(*stage.split("/"))
    found = [one for one in advise(begin(taught_there), taught_there.seat, alone=True) if one.code == code]
    assert len(found) == 1
    assert taught_there.solution[0] in found[0].right
    assert len(found[0].right) < len(begin(taught_there).legal()) or code in {"ce.trade", "ce.give"}


def test_a_coach_says_what_is_barred_and_where_a_new_stone_comes_from() -> None:
    """DD-5.1, DD-5.4: words that a newcomer meets on the board are said at the first occasion."""
    choosing = begin(find_stage("daemonen", "convert"))
    barred = next(one for one in advise(choosing, 0, alone=True) if one.code == "dd.barred")
    assert barred.params == {"actions": [ban["action"] for ban in choosing.view(0)["banned"]]}
    assert len(barred.params["actions"]) == 2
    empty = find_game("daemonen").new(seed=1)
    while empty.view(0)["phase"] != "choose":
        empty.play(empty.legal()[0])
    nobody = advise(empty, empty.to_move or 0, alone=True)[0]
    assert (nobody.code, nobody.right) == ("dd.nobody", ["choose populate"])
    assert all(one.code != "dd.nobody" for one in advise(choosing, 0, alone=True)), "people stand there"
    building = begin(find_stage("daemonen", "temple"))
    building.play("stone 2,1/1")
    (reserve,) = advise(building, 0, alone=True)
    assert (reserve.code, reserve.right) == ("dd.reserve", ["from reserve"])
    assert len(building.legal()) > 1


def test_a_coach_does_not_advise_against_what_the_first_action_may_make_possible() -> None:
    """DD-5.2: the second action comes after the first: settling may make the light magic possible that is not yet."""
    game = begin(find_stage("daemonen", "game"))
    while game.view(0)["phase"] == "setup":
        game.carry_out(game.legal()[0])
    idle = next(advice for advice in advise(game, 0, alone=True) if advice.code == "dd.idle")
    assert "light" in idle.params["actions"]
    game.carry_out("choose populate")
    assert "dd.idle" not in [advice.code for advice in advise(game, 0, alone=True)]


def test_a_coach_counts_the_parts_once_all_are_taken() -> None:
    """CE-4.1: in the middle of a choice the count would be wrong a moment later."""
    game = begin(find_stage("celtica", "parts"))
    told = []
    for move in ("take star", "take oak"):
        game.play(move)
        told.append([(one.code, one.params["count"]) for one in reflect(game, 0, alone=True) if one.code == "ce.found_parts"])
    assert told == [[], [("ce.found_parts", 2)]]


@pytest.mark.parametrize("game", taught(), ids=lambda game: game.name)
@pytest.mark.parametrize("kind", ["about", "coach"])
def test_no_word_is_left_over(game: type[Game], kind: str) -> None:
    text = (ROOT / f"src/drunemeton/rules/{game.name}/{kind}.py").read_text(encoding="utf-8")
    written = set(re.findall(r'"([a-z_]+)"', text)) | {f"{name}{by}" for name in ("barred_",) for by in ("own", "previous")}
    made = {re.sub(r"\\?\{.*?\}", "[a-z]+", pattern) for pattern in re.findall(r'f"([a-z_{}\'\[\] ]+)"', text) if "_" in pattern}
    start = f"{kind}.{game.script.prefix}."
    for key in catalogue("en"):
        code = key.removeprefix(start)
        assert not key.startswith(start) or code in written or any(re.fullmatch(pattern, code) for pattern in made), key
