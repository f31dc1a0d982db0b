"""Bots: they play legally from knowledge alone, repeatably, and greedy beats random."""

from __future__ import annotations

import threading

import pytest

from drunemeton.bots import SIMPLE, EagerBot, SearchBot, make_bot, names, offered, strength_of
from drunemeton.bots.levels import Strength
from drunemeton.bots.match import Match
from drunemeton.bots.search import Searcher
from drunemeton.bots.simulation import Gap, shares, simulate, wilson
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import has_numba


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


@pytest.mark.parametrize("name", ["greedy", "level-5"])
def test_nobody_waits_until_a_bot_is_compiled(name: str) -> None:
    game_type = find_game("druidenwalzer")
    bot = make_bot(game_type, name)
    assert isinstance(bot, EagerBot)
    bot.ready = threading.Event()
    game = game_type.new(seed=4)
    assert game.to_move is not None
    known = game.knowledge[game.to_move]
    answer = make_bot(game_type, name, plain=True).choose(known, seed=1)
    assert (bot.choose(known, seed=1), bot.quick) == (answer, None)
    bot.ready.set()
    assert bot.choose(known, seed=1) == answer
    assert bot.quick is not None


@pytest.mark.parametrize("plain", [None, True, False])
def test_a_level_is_never_anybody_else(plain: bool | None) -> None:
    bot = make_bot(find_game("druidenwalzer"), "level-3", plain=plain)
    assert isinstance(bot, SearchBot)
    assert bot.searcher.strength == strength_of(find_game("druidenwalzer"), "level-3")


def test_the_first_levels_never_wait_for_a_compiler() -> None:
    for name in playable():
        bot = make_bot(find_game(name), "level-1")
        assert isinstance(bot, SearchBot)
        assert not bot.searcher.engine.compiled


def test_without_numba_levels_that_think_long_are_missing_rather_than_played_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRUNEMETON_PLAIN", "1")
    game_type = find_game("druidenwalzer")
    there = (*SIMPLE, *(f"level-{level}" for level in range(1, 5)))
    assert names(game_type) == there
    assert [entry["name"] for entry in offered(game_type)] == list(there)
    bot = make_bot(game_type, "level-3")
    assert isinstance(bot, SearchBot)
    for plain in (None, True, False):
        with pytest.raises(GameError, match="no bot 'level-5'"):
            make_bot(game_type, "level-5", plain=plain)


@pytest.mark.skipif(not has_numba(), reason="there is nothing to compare with")
@pytest.mark.parametrize("name", playable())
def test_a_level_in_plain_python_plays_the_moves_of_its_compiled_self(name: str) -> None:
    """Also where a tree is kept for the next decision (no level that overlooks moves does that)."""
    game_type = find_game(name)
    for strength in (strength_of(game_type, "level-1"), strength_of(game_type, "level-4"), Strength(20, horizon=4)):
        plain, compiled = Searcher(game_type, strength, plain=True), Searcher(game_type, strength)
        game, kept = game_type.new(seed=7), 0
        while game.to_move is not None and len(game.steps) < 60:
            known = game.knowledge[game.to_move]
            found = compiled.consider(known, seed=len(game.steps))
            assert [(one.action, one.visits) for one in plain.consider(known, seed=len(game.steps))] == [
                (one.action, one.visits) for one in found
            ]
            kept += compiled.expected
            game.play(found[0].action)
        assert strength.overlook or kept


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
    gap = Gap()
    for places in ([1, 2], [2, 1], [1, 2], [1, 1]):
        gap.add(shares("x", places)[0], shares("x", [2, 1])[0])
    mean, below, above = gap.interval()
    assert mean == pytest.approx(-0.625)
    assert below < mean < above


def test_levels_can_be_simulated_side_by_side_and_from_every_seat() -> None:
    game = find_game("druidenwalzer")
    match = Match(game, ["level-1", "random"])
    alone: list[tuple[tuple[int, int], object]] = []
    tally = simulate(match, 8, 3, lambda *told: alone.append(told), rotate=True)
    assert [deal for (deal, _), _ in alone] == [3, 3, 4, 4, 5, 5, 6, 6]
    assert sum(tally.wins) == pytest.approx(8)
    # A deal from the other seat is the other seating's game, told by player.
    decisions, turns, end, places = Match(game, ["random", "level-1"]).play(3)
    assert alone[1][1] == [(decisions, turns, end, places[::-1])]
    together: list[tuple[tuple[int, int], object]] = []
    simulate(match, 8, 3, lambda *told: together.append(told), rotate=True, processes=2)
    assert together == alone
    with pytest.raises(GameError, match="evenly"):
        simulate(match, 7, 3, rotate=True)


def test_rotation_gives_compiled_players_every_seat() -> None:
    game = find_game("celtica")
    match = Match(game, ["greedy", "random", "random"])
    places = match.play(5, 2)[3]
    assert [places[player] for player in (1, 2, 0)] == Match(game, ["random", "random", "greedy"]).play(5)[3]
