"""The greedy bot's judgement of Celtica: it avoids ruins without need, collects what it lacks, and lets experience pay."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from drunemeton.bots import GreedyBot
from drunemeton.bots.match import Match
from drunemeton.bots.simulation import simulate
from drunemeton.rules.celtica import Celtica
from drunemeton.rules.celtica.state import SEATS
from drunemeton.rules.kernel import has_numba

from .games import dealt, play

pytestmark = pytest.mark.skipif(not has_numba(), reason="thinking in plain Python takes its time")


@functools.cache
def bot() -> Any:
    return GreedyBot(Celtica)


def choice(game: Any) -> Any:
    return game.move_text(game.state, bot().choose(game.knowledge[game.to_move], seed=1))


@pytest.mark.parametrize("ruin", ["r1", "r2"])  # of two parts: he would be asked which, or both would go at once
def test_does_not_walk_into_ruins_without_need(ruin: Any) -> None:
    """No other druid's card has to enter the ruin: if three had to, it could pay to lose everything first."""
    hands = "white white white white white / grey grey grey brown brown"
    game = dealt(f"{ruin} v2 v1 v1 v1 v1 v1 v1 1", hands, parts="sun moon / oak oak")
    assert choice(game) == "white 2"


def test_takes_what_its_amulet_lacks() -> None:
    game = dealt(
        "v1 " * 8 + "1",
        "white red black grey grey / grey brown brown brown brown",
        parts="sun moon / oak oak",
        display="sun moon " * 4 + "stag",
    )
    play(game, "white 1")
    assert choice(game) == "take stag"


def test_gives_up_what_it_has_twice() -> None:
    game = dealt("r1 " + "v1 " * 7 + "1", "white red black grey grey / grey brown brown brown brown", parts="sun moon / oak oak")
    play(game, "white 1")
    game.state.parts[0] = [1, 3, 1, 1, 1, 1, 1, 1, 0]
    game.knowledge[0].parts[0] = [1, 3, 1, 1, 1, 1, 1, 1, 0]
    assert choice(game) == "give moon"


def test_keeps_experience_cards_that_would_bring_nothing() -> None:
    game = dealt("v1 " * 8 + "1", "white red red red red / grey grey grey grey grey")
    for record in (game.state, game.knowledge[0]):
        record.hand[SEATS][0] = record.hand_size[SEATS] = record.held[SEATS][0] = 1
        record.druid[0], record.home = 9, 1
    assert "white 0+1" in game.legal()
    assert choice(game).startswith("red")


def test_a_useful_trade_is_made_and_a_useless_one_is_not() -> None:
    def trade(own: Any) -> Any:
        game = dealt(hands="white red red red red / grey grey grey grey grey", parts="wave wave / sun moon / centre")
        for record in (game.state, *game.knowledge.values()):
            record.druid, record.home = [8, 9, 9, 9, 9], 4
            record.hand[SEATS + 1][0] = record.hand_size[SEATS + 1] = record.held[SEATS + 1][0] = 1
            record.parts[1], record.parts_size[1] = list(own), sum(own)
        return play(game, "white 1", "take sun")

    assert choice(trade([2, 1, 1, 1, 1, 1, 1, 1, 0])) == "swap sun centre"
    assert choice(trade([1, 1, 1, 1, 1, 1, 1, 1, 1])) == "stop"


@pytest.mark.parametrize("others", [1, 4])
def test_beats_random_players(others: Any) -> None:
    tally = simulate(Match(Celtica, ["greedy", *["random"] * others]), 60, 1)
    assert tally.wins[0] > 45
