"""The ladder: strengths from games, a file that can be gone on with, figures that say how sure they are."""

from __future__ import annotations

import json
import math
import random
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from drunemeton.bots import LEVELS, REFERENCE, make_bot
from drunemeton.bots.arena import LIMIT
from drunemeton.bots.ladder import Ladder, Played, fit, marked, play_mirrored, publish, ratings, read_games, table
from drunemeton.rules.chance import FormerDeal
from drunemeton.rules.game import find_game
from drunemeton.rules.options import recorded

KEPT = Path(__file__).parents[2] / "benchmarks" / "ladder"


def games_between(one: str, other: str, apart: float, count: int, rng: random.Random) -> list[Played]:
    chance = 1 / (1 + 10 ** (-apart / 400))
    return [Played(n, (one, other), "x", (1, 2) if rng.random() < chance else (2, 1), 0.1) for n in range(count)]


def test_the_fit_finds_strengths_and_how_sure_they_are() -> None:
    rng = random.Random(5)
    games = games_between("a", "b", 100, 2000, rng) + games_between("b", "c", -200, 2000, rng)
    found = fit(("a", "b", "c"), games)
    assert found.rating("a", "b").elo == pytest.approx(100, abs=found.within("a", "b"))
    assert found.rating("c", "b").elo == pytest.approx(200, abs=found.within("c", "b"))
    assert found.rating("c", "a").elo == pytest.approx(100, abs=found.within("c", "a"))
    assert found.within("a", "c") > found.within("a", "b") > 10
    # One pair alone: the textbook interval of log odds.
    chance = 0.64
    lone = fit(("a", "b"), games_between("a", "b", 400 * math.log10(chance / (1 - chance)), 140, rng))
    assert lone.within("a", "b") == pytest.approx(1.96 * 173.7 / math.sqrt(140 * chance * (1 - chance)), rel=0.1)


def test_shared_wins_are_half_and_a_clean_sweep_stays_finite() -> None:
    even = fit(("a", "b"), [Played(1, ("a", "b"), "x", (1, 1), 0.1)] * 10)
    assert even.rating("a", "b").elo == pytest.approx(0, abs=1e-6)
    sweep = fit(("a", "b"), [Played(1, ("a", "b"), "x", (1, 2), 0.1)] * 10)
    assert 300 < sweep.rating("a", "b").elo < 2000


def test_a_ladder_is_written_game_by_game_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "dw.jsonl"
    game = find_game("druidenwalzer")
    ladder = Ladder(game, path)
    first = list(islice(ladder.run(1), 6))
    assert len(read_games(path, game)[0]) == 6
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0]["ladder"] == "druidenwalzer"
    assert lines[1]["seats"] == list(reversed(lines[2]["seats"]))
    assert lines[1]["deal"] == lines[2]["deal"]
    again = Ladder(game, path)
    assert [played.places for played in again.games] == [played.places for played in first]
    assert [one.places for one in play_mirrored(game.name, first[0].seats, first[0].deal)] == [one.places for one in first[:2]]  # type: ignore[arg-type]
    # What another level played under that name does not count.
    with path.open("a") as file:
        file.write(json.dumps({**lines[1], "seats": ["level-1#000000", "level-2"]}) + "\n")
    assert read_games(path, game)[1] == 1
    assert any("level" in line for line in table(again))


def test_a_ladder_ends_when_every_pair_is_known(tmp_path: Path) -> None:
    ladder = Ladder(find_game("druidenwalzer"), tmp_path / "dw.jsonl")
    rng = random.Random(1)
    for one, other in ladder.pairs:
        ladder.games += games_between(one, other, -120 if one != REFERENCE else 30, 200, rng)
    while ladder.open_pairs():
        _, one, other = ladder.open_pairs()[0]
        ladder.games += games_between(one, other, -120, 20, rng)
    assert list(ladder.run(1)) == []
    told = ratings(ladder)
    assert told[REFERENCE]["elo"] == 1500
    assert [told[level]["elo"] for level in LEVELS] == sorted(told[level]["elo"] for level in LEVELS)
    assert told["level-3"]["mark"] in marked(ladder.game, "level-3")
    publish(ladder, tmp_path / "measured.json", tmp_path / "ladder.svg")
    assert json.loads((tmp_path / "measured.json").read_text())["druidenwalzer"] == told
    picture = ET.fromstring((tmp_path / "ladder.svg").read_text())
    assert len(picture.findall(".//{http://www.w3.org/2000/svg}circle")) == 8


def test_games_side_by_side_are_the_same_games(tmp_path: Path) -> None:
    game = find_game("druidenwalzer")
    played = list(islice(Ladder(game, tmp_path / "dw.jsonl").run(1, processes=2), 6))
    for one, other in zip(played[::2], played[1::2], strict=True):
        again = play_mirrored(game.name, one.seats, one.deal)  # type: ignore[arg-type]
        assert [(found.seats, found.end, found.places) for found in again] == [(x.seats, x.end, x.places) for x in (one, other)]
    assert read_games(tmp_path / "dw.jsonl", game)[0][:6] == [replace(one, cpu=round(one.cpu, 3)) for one in played]


@pytest.mark.parametrize("name", sorted(path.stem for path in KEPT.glob("*.jsonl")))
def test_a_game_of_the_kept_ladder_can_be_played_again(name: str) -> None:
    """Its line names deal and marks, and was written before deals followed from the pile: deals and levels are still those."""
    game = find_game(name)
    games, others = read_games(KEPT / f"{name}.jsonl", game)
    assert len(games) > 1000
    assert others == 0
    played = next(one for one in games if set(one.seats) == {"level-1", "level-2"})
    bots = [make_bot(game, seat, plain=False) for seat in played.seats]
    again = game(2, recorded(game.described, {}), None, FormerDeal(played.deal))
    while again.to_move is not None:
        again.play(bots[again.to_move].choose(again.known_to(again.to_move), seed=played.deal * LIMIT + len(again.steps) - 1))
    assert again.result is not None
    assert (again.result.end, again.result.places) == (played.end, played.places)
