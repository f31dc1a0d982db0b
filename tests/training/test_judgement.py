"""A judgement: what is counted, whole numbers that come to the same in plain Python and compiled, a fit that finds what decides."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drunemeton.bots import daemonen_columns as dd
from drunemeton.bots import druidenwalzer_columns as dw
from drunemeton.bots import make_bot
from drunemeton.bots.judgement import Judgement, felt, mind_of
from drunemeton.bots.levels import Strength, mark_of
from drunemeton.bots.search import Searcher, prepare_search
from drunemeton.rules.daemonen.state import DARK
from drunemeton.rules.drive import Engine
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import Game, find_game
from drunemeton.rules.kernel import native
from drunemeton.training.fitting import fit
from drunemeton.training.judgement import fit_sheets, main, write_judgement
from drunemeton.training.positions import play_sheet, read_sheets, survey_in

DAEMONEN = find_game("daemonen")


def positions(seats: int, steps: tuple[int, ...]) -> list[Game]:
    """Some way into games of greedy, who alone raises stones, with an error in every third decision."""
    found = []
    greedy = make_bot(DAEMONEN, "greedy", plain=False)
    for number in steps:
        rng = random.Random(number)
        game = DAEMONEN.new(seed=number, seats=seats)
        while not game.over and (len(game.steps) < number or len(game.actions()) < 2):
            assert game.to_move is not None
            erring = rng.randrange(3) == 0
            game.play(rng.choice(game.actions()) if erring else greedy.choose(game.knowledge[game.to_move], seed=number))
        if not game.over:
            found.append(game)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_plain_and_compiled_count_alike(seats: int) -> None:
    prepare_search(DAEMONEN)
    engine = Engine(DAEMONEN)
    count_in = engine.twin(survey_in)
    used = set()
    for game in positions(seats, (40, 90, 160, 230, 300)):
        plain = [[0] * dd.WIDTH for _ in range(seats)]
        dd.survey(game.state, plain)  # type: ignore[arg-type]
        rows = np.zeros((seats, dd.WIDTH), np.int64)
        count_in(engine.box(game.state), rows)
        assert rows.tolist() == plain
        used |= {dd.NAMES[i] for row in plain for i in range(dd.COLUMNS) if row[i]}
    assert len(used) > 45


def test_druidenwalzer_is_counted_alike_and_counts_what_lies_there() -> None:
    game_type = find_game("druidenwalzer")
    prepare_search(game_type)
    engine = Engine(game_type)
    count_in = engine.twin(survey_in)
    used = set()
    for number in range(12):
        rng, game = random.Random(number), game_type.new(seed=number)
        while not game.over and len(game.steps) < 12 + 3 * number:
            game.play(rng.choice(game.actions()))
        state: Any = game.state
        plain = [[0] * dw.WIDTH for _ in range(2)]
        dw.survey(state, plain)  # type: ignore[arg-type]
        rows = np.zeros((2, dw.WIDTH), np.int64)
        count_in(engine.box(state), rows)
        assert rows.tolist() == plain
        used |= {dw.NAMES[i] for row in plain for i in range(dw.COLUMNS) if row[i]}
        for seat, row in enumerate(plain):
            assert sum(row[dw.LACK : dw.LACK + dw.MOST]) == state.trees - state.lost_trees[seat]
            assert row[dw.WON] == plain[1 - seat][dw.BEATEN]
            assert row[dw.FELLED] == plain[1 - seat][dw.DOOMED]
            assert row[dw.CARDS] == sum(state.height[tree] for tree in range(4 * seat, 4 * seat + 4) if not state.lost[tree])
    assert len(used) > 25


def test_columns_say_what_lies_on_the_table() -> None:
    for game in positions(3, (120, 200, 280)):
        state: Any = game.state
        rows = [[0] * dd.WIDTH for _ in range(3)]
        dd.survey(state, rows)
        for seat, row in enumerate(rows):
            assert row[dd.PEOPLE] + 3 * row[dd.STONES] + 5 * row[dd.TEMPLES] == state.points[seat] == row[dd.POINTS]
            assert row[dd.RESERVE] == state.reserve[seat]
            assert row[dd.EXPOSED] + row[dd.NEAR] + row[dd.ANCHORS] <= row[dd.PEOPLE]
            assert row[dd.EXPOSED_OPEN] <= row[dd.EXPOSED]
            assert row[dd.ON_TURN] == (state.turn == seat)
            assert row[dd.LEAD] == max(0, state.points[seat] - max(state.points[other] for other in range(3) if other != seat))
            if not any(dd.may_do(state, other, DARK) for other in range(3) if other != seat):
                assert row[dd.EXPOSED_OPEN] == row[dd.DOOMED_OPEN] == 0


def test_a_mind_is_the_network_it_was_made_from() -> None:
    rng = np.random.default_rng(1)
    straight, into = rng.normal(0, 0.1, 9), rng.normal(0, 0.2, (9, 5))
    begin, out = rng.normal(0, 1, 5), rng.normal(0, 0.5, 5)
    mind = mind_of(straight, into, begin, out)
    compiled: Any = native(felt)
    for _ in range(50):
        row = rng.integers(-3, 40, 9)
        expected = 1000 * (row @ straight + np.maximum(row @ into + begin, 0) @ out)
        plain = felt(row.tolist(), mind, [0] * 5)
        assert abs(plain - expected) < 5
        assert compiled(row, np.array(mind, np.int64), np.zeros(5, np.int64)) == plain


def made_up(games: int) -> dict[str, Any]:
    """Positions in which the second column decides, and the third only when the first is set."""
    rng = np.random.default_rng(3)
    columns = rng.integers(0, 6, (games, 2, 3)).astype(np.int16)
    columns[:, :, 0] = rng.integers(0, 2, games)[:, None]
    lead = columns[:, :, 1] + 3.0 * columns[:, :, 0] * columns[:, :, 2]
    chance = 1 / (1 + np.exp(lead[:, 1] - lead[:, 0]))
    first = (rng.random(games) < chance).astype(np.float32)
    won = np.stack([first, 1 - first], 1)
    nothing = np.zeros((games, 2, 3), np.float32)
    blank = np.full((games, 2), np.nan, np.float32)
    return {"columns": columns, "won": won, "searched": blank, "handicap": nothing, "game": np.arange(games), "over": np.zeros(games)}


def test_a_fit_finds_what_decides_and_cells_find_what_no_sum_can_say() -> None:
    data = made_up(16_000)
    linear, network = fit(data, 0, 20), fit(data, 8, 60)
    assert linear.even == pytest.approx(np.log(2))
    assert linear.loss < 0.55
    assert network.loss < linear.loss - 0.05
    weights = linear.mind[2:]
    assert weights[1] > 0
    assert abs(weights[0]) < weights[1] / 20


@pytest.mark.slow
def test_a_judgement_is_learnt_from_sheets_and_plays(tmp_path: Path) -> None:
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    played = [play_sheet("daemonen", 2, number, [], str(sheets), 0.0) for number in range(2, 5)]
    assert [games for games, _ in played] == [1] * 3
    data = read_sheets(sheets, 2)
    assert len(data["game"]) == sum(count for _, count in played) > 40
    assert np.allclose(data["won"].sum(1), 1)
    path = tmp_path / "judgement.json"
    found = [fit_sheets(str(sheets), seats, 4, 3, 0.3, 0) for seats in (2, 3)]
    assert found[1] == (3, None)
    assert "2 players" in write_judgement(path, "daemonen", found, cells=4)
    judged = Strength(40, judgement=str(path))
    game = positions(2, (120,))[0]
    assert game.to_move is not None
    knowledge = game.knowledge[game.to_move]
    answers = [Searcher(DAEMONEN, judged).consider(knowledge, seed=1) for _ in range(2)]
    assert answers[0] == answers[1] != Searcher(DAEMONEN, Strength(40)).consider(knowledge, seed=1)
    few = Strength(5, judgement=str(path))
    assert Searcher(DAEMONEN, few, plain=True).consider(knowledge, seed=1) == Searcher(DAEMONEN, few).consider(knowledge, seed=1)
    three = positions(3, (120,))[0]
    assert three.to_move is not None
    knowledge = three.knowledge[three.to_move]
    # Of three players it has learnt nothing: the outlook judges.
    assert Searcher(DAEMONEN, judged).consider(knowledge, seed=1) == Searcher(DAEMONEN, Strength(40)).consider(knowledge, seed=1)
    assert mark_of("daemonen", judged) != mark_of("daemonen", Strength(40))
    # Players of a sheet judge with it, and their searches' findings are noted.
    play_sheet("daemonen", 2, 9, [str(path)], str(sheets), 0.0)
    assert np.isfinite(read_sheets(sheets, 2, since=9)["searched"]).any()


def test_a_judgement_fits_the_columns_it_was_learnt_from(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    Judgement("daemonen", ("people",), {2: mind_of([1.0], np.zeros((1, 0)), [], [])}, {}).write(path)
    with pytest.raises(GameError, match="other columns"):
        Judgement.read(str(path)).mind(DAEMONEN, 2)
    with pytest.raises(GameError, match="no judgement"):
        Judgement.read("nothing")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["celtica", "learn", "--out", "run"], "choose from"),
        (["druidenwalzer", "judge", "--judgement", "nowhere.json"], "no judgement nowhere.json"),
        (["druidenwalzer", "judge", "--seats", "3"], "--seats may be 2\n"),
        (["druidenwalzer", "learn", "--out", "/dev/null"], "/dev/null/sheets: Not a directory"),
        (["druidenwalzer", "--processes", "0", "judge"], "not a whole number from 1 on"),
        (["druidenwalzer", "judge", "--games", "-3"], "not a whole number from 0 on"),
    ],
)
def test_what_it_cannot_do_it_says_in_a_sentence(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told
