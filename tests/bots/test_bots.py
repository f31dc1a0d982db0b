"""Bots: they play legally from knowledge alone, repeatably, and greedy beats random."""

from __future__ import annotations

import random
import threading

import pytest

from drunemeton.bots import SIMPLE, PatientBot, make_bot, names
from drunemeton.bots.match import Match, Tally, difference, simulate, wilson
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game, playable
from tests.noninterference import twin_of


@pytest.mark.parametrize("game_name", playable())
@pytest.mark.parametrize("name", SIMPLE)
def test_a_bot_plays_legally(name: str, game_name: str) -> None:
    game_type = find_game(game_name)
    bot = make_bot(game_type, name, plain=True)
    game = game_type.new(seed=6)
    for _ in range(60):
        if game.to_move is None:
            break
        game.play(bot.choose(game.knowledge[game.to_move], seed=len(game.steps)))
    assert len(game.steps) > 20


@pytest.mark.parametrize("name", ["level-1", "level-4", "level-6"])
def test_a_level_plays_a_whole_game_and_repeats_itself(name: str) -> None:
    game_type = find_game("druidenwalzer")
    bot = make_bot(game_type, name, plain=False)
    game = game_type.new(seed=6)
    while game.to_move is not None:
        known = game.knowledge[game.to_move]
        action = bot.choose(known, seed=len(game.steps))
        assert action == bot.choose(known, seed=len(game.steps))
        game.play(action)


def test_searching_beats_greedy() -> None:
    """Level 6 against greedy, both seats, the same deals; measured 82 % over 60 games."""
    game_type = find_game("druidenwalzer")
    strong, weak = make_bot(game_type, "level-6", plain=False), make_bot(game_type, "greedy", plain=False)
    wins = 0
    for deal in range(1000, 1012):
        for seat in (0, 1):
            game = game_type.new(seed=deal)
            while game.to_move is not None:
                bot = strong if game.to_move == seat else weak
                game.play(bot.choose(game.knowledge[game.to_move], seed=deal * 1000 + len(game.steps)))
            assert game.result is not None
            wins += game.result.winners == [seat]
    assert wins >= 15  # of 24


def test_a_search_knows_nothing_but_the_knowledge() -> None:
    """Non-interference at a fixed number of simulations."""
    game_type = find_game("druidenwalzer")
    bot = make_bot(game_type, "level-5", plain=False)
    game = game_type.new(seed=4)
    for _ in range(12):
        game.play(game.actions()[-1])
    seat = game.to_move
    assert seat is not None
    for number in range(5):
        twin = twin_of(game, seat, random.Random(number))
        assert bot.choose(game.knowledge[seat], seed=1) == bot.choose(twin.knowledge[seat], seed=1)


def test_nobody_waits_for_the_compiler() -> None:
    game_type = find_game("druidenwalzer")
    bot = PatientBot(game_type, "level-3")
    bot.ready = threading.Event()
    game = game_type.new(seed=4)
    assert game.to_move is not None
    known = game.knowledge[game.to_move]
    assert bot.choose(known, seed=1) == make_bot(game_type, "greedy", plain=True).choose(known, seed=1)
    bot.ready.set()
    assert bot.choose(known, seed=1) == make_bot(game_type, "level-3", plain=False).choose(known, seed=1)


def test_levels_are_offered_only_where_they_are_there() -> None:
    assert "level-8" in names(find_game("druidenwalzer"))
    with pytest.raises(GameError, match="level-1"):
        make_bot(find_game("celtica"), "level-1")


def test_the_same_knowledge_and_seed_give_the_same_answer_plain_and_compiled() -> None:
    game_type = find_game("druidenwalzer")
    game = game_type.new(seed=9)
    plain, compiled = make_bot(game_type, "greedy", plain=True), make_bot(game_type, "greedy", plain=False)
    while game.to_move is not None:
        known = game.knowledge[game.to_move]
        action = plain.choose(known, seed=5)
        assert action == compiled.choose(known, seed=5)
        game.play(action)


def test_thinking_leaves_knowledge_alone() -> None:
    game_type = find_game("druidenwalzer")
    game = game_type.new(seed=9)
    assert game.to_move is not None
    before = game.knowledge[game.to_move].copy()
    make_bot(game_type, "greedy", plain=True).choose(game.knowledge[game.to_move], seed=1)
    assert game.knowledge[game.to_move] == before


@pytest.mark.parametrize("seats", [["greedy", "random"], ["random", "greedy"]])
def test_greedy_beats_random(seats: list[str]) -> None:
    tally = simulate(Match(find_game("druidenwalzer"), seats), 200, 1)
    assert tally.wins[seats.index("greedy")] >= 180


def test_plain_and_compiled_matches_agree() -> None:
    game = find_game("druidenwalzer")
    for seats in (["random", "random"], ["greedy", "random"]):
        one, other = Match(game, seats, plain=True), Match(game, seats)
        assert [one.play(deal) for deal in range(6)] == [other.play(deal) for deal in range(6)]


def test_an_unknown_bot_is_named() -> None:
    with pytest.raises(GameError, match="merlin"):
        make_bot(find_game("druidenwalzer"), "merlin")


def test_intervals() -> None:
    low, high = wilson(50, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert wilson(0, 0) == (0.0, 1.0)
    one, other = Tally(["a", "b"]), Tally(["a", "b"])
    for places in ([1, 2], [2, 1], [1, 2], [1, 1]):
        one.add(1, 1, "x", places)
        other.add(1, 1, "x", [2, 1])
    mean, below, above = difference(one, other, 0)
    assert mean == pytest.approx(-0.625)
    assert below < mean < above
