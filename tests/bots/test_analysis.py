"""Analysis: values and best moves from what a seat knows, with uncertainty that means something."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from drunemeton import records
from drunemeton.bots import ADVISER, make_bot
from drunemeton.bots.analysis import analyse
from drunemeton.bots.search import pooled
from drunemeton.cli import main
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import Game, find_game
from tests.noninterference import twin_of


def play_on(game: Game, steps: int) -> None:
    rng = random.Random(3)
    while not game.over and len(game.steps) < steps:
        game.play(rng.choice(game.actions()))


def test_an_analysis_names_every_move_and_knows_no_more_than_the_seat() -> None:
    game = find_game("celtica").new(seed=4, seats=3)
    play_on(game, 30)
    seat = game.to_move
    assert seat is not None
    found = analyse(game, simulations=400)
    assert sorted(one.move for one in found.moves) == sorted(game.legal())
    assert [one.visits for one in found.moves] == sorted((one.visits for one in found.moves), reverse=True)
    assert sum(one.visits for one in found.moves) == 400
    assert found.value == found.moves[0].value
    assert found.of(found.moves[1].move) == found.moves[1]
    for number in range(3):
        assert analyse(twin_of(game, seat, random.Random(number)), simulations=400) == found
    other = (seat + 1) % 3
    waiting = analyse(game, other, simulations=400)
    assert waiting.moves == ()
    assert 0 < waiting.value < 1
    assert analyse(twin_of(game, other, random.Random(1)), other, simulations=400) == waiting


def test_a_length_of_time_serves_whoever_is_not_on_turn_too() -> None:
    game = find_game("druidenwalzer").new(seed=4)
    play_on(game, 6)
    seat = game.to_move
    assert seat is not None
    found = analyse(game, 1 - seat, seconds=0.1)
    assert found.seat == 1 - seat
    assert found.moves == ()
    assert 0 < found.value < 1
    assert found.within > 0


def test_a_won_game_is_seen_as_won() -> None:
    """Where the last move wins for who plays it, the position before it is seen as his."""
    game_type = find_game("druidenwalzer")
    strong = make_bot(game_type, "level-5", plain=False)
    for number in range(11, 30):
        game = game_type.new(seed=number)
        mover = -1
        while not game.over:
            assert game.to_move is not None
            mover = game.to_move
            moves = [step.action for step in game.steps[1:]]
            game.play(strong.choose(game.knowledge[mover], seed=len(game.steps)))
        assert game.result is not None
        if game.result.winners == [mover]:
            break
    assert game.result is not None
    assert game.result.winners == [mover]
    before = game_type.new(seed=number)
    for action in moves:
        before.play(action)
    assert analyse(before, simulations=800).value > 0.8
    with pytest.raises(GameError, match="over"):
        analyse(game)


def test_uncertainty_is_what_lies_between_trees_and_never_less_than_tosses() -> None:
    visits, value, error = pooled([(100, 0.5), (100, 0.5)])
    assert (visits, value) == (200, 0.5)
    assert error == pytest.approx(0.0354, abs=1e-3)
    visits, value, error = pooled([(100, 0.2), (100, 0.8)])
    assert (visits, value) == (200, 0.5)
    assert error == pytest.approx(0.3)
    assert pooled([(0, 0.4), (0, 0.6)]) == (0, 0.5, 0.5)


def test_the_adviser_answers_as_the_server_asks_him() -> None:
    game = find_game("druidenwalzer").new(seed=4)
    play_on(game, 12)
    assert game.to_move is not None
    found = make_bot(type(game), ADVISER).consider(game.knowledge[game.to_move], seed=1)  # type: ignore[attr-defined]
    assert {one.action for one in found} == set(game.actions())


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = find_game("druidenwalzer").new(seed=4)
    play_on(game, 400)
    path = tmp_path / "game.txt"
    path.write_text(records.write(game), encoding="utf-8")
    assert main(["analyse", str(path), "--move", "12", "--simulations", "200", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["position"] == 12
    assert told["played"] in {one["move"] for one in told["moves"]}
    assert main(["analyse", str(path), "--simulations", "100", "--best", "2"]) == 0
    assert "played" in capsys.readouterr().out
    for seat in game.seat_names:
        assert main(["analyse", str(path), "--move", "12", "--seat", seat, "--simulations", "100"]) == 0
        assert f"{seat}: " in capsys.readouterr().out
    assert main(["analyse", str(path), "--seat", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert main(["analyse", str(path), "--move", "9999"]) == 2
    assert "9999" in capsys.readouterr().err
    assert main(["analyse", str(tmp_path / "none.txt")]) == 1
