"""`drunemeton bench learnt`: how strong the players that taught themselves are, on deals that nobody learnt from.

Each deal is played once with the learnt player on every seat; all other seats are level 8's.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import Executor
from typing import Any

from drunemeton.bots import LEVELS, TAUGHT, learnt
from drunemeton.bots.arena import Player, shares, workers
from drunemeton.bots.ladder import arena_of, player_of
from drunemeton.bots.simulation import wilson
from drunemeton.rules.game import find_game, playable

from .rows import Measured, said

FIRST_DEAL = 3_000_000
GAMES = {2: 400}  # by number of players; 200 otherwise
BARS = {2: 1.8}  # of a fair share; twice as much otherwise
SLOWEST = 5.0  # milliseconds a decision


def play_deal(game: str, seats: int, deal: int) -> list[tuple[float, int, float]]:
    """A deal once from every seat: what the learnt player won, how often it decided, and how long it took over that."""
    arena, others = arena_of(game, seats), player_of(game, LEVELS[-1])
    told = []
    for seat in range(seats):
        timed = _Timed(player_of(game, TAUGHT))
        players: list[Player] = [timed if n == seat else others for n in range(seats)]
        _, places = arena.play(players, deal)
        told.append((shares(places)[seat], timed.decisions, timed.seconds))
    return told


class _Timed:
    def __init__(self, player: Player) -> None:
        self.player, self.decisions, self.seconds = player, 0, 0.0

    def choose_in(self, knows: Any, *, seed: int) -> int:
        began = time.process_time()
        action = self.player.choose_in(knows, seed=seed)
        self.seconds += time.process_time() - began
        self.decisions += 1
        return action


def measure(**_given: Any) -> list[Measured]:
    """All rows for the learnt players that are there."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one core a player: its processes share the others
    rows: list[Measured] = []
    with workers(os.cpu_count() or 1) as pool:
        for name in playable():
            how = learnt(find_game(name))
            for seats in how.seats if how else ():
                rows += _strength(pool, name, seats)
    return rows


def _strength(pool: Executor, game: str, seats: int) -> list[Measured]:
    games, bar = GAMES.get(seats, 200), BARS.get(seats, 2.0)
    deals = range(FIRST_DEAL, FIRST_DEAL + games // seats)
    told = [one for found in pool.map(play_deal, [game] * len(deals), [seats] * len(deals), deals) for one in found]
    won, decisions, seconds = (sum(column) for column in zip(*told, strict=True))
    share, (low, high), spent = won / len(told), wilson(won, len(told)), 1000 * seconds / decisions
    figure = f"{100 * share:.1f} % of {len(told)} ({100 * low:.1f} to {100 * high:.1f})"
    what = f"{game}, one {TAUGHT} among {seats - 1} of {LEVELS[-1]}"
    return [
        said(what, figure, peer=f"fair {100 / seats:.0f} %", bar=f">= {100 * bar / seats:.0f} %", holds=share * seats >= bar),
        said(f"{game} for {seats}, a decision", f"{spent:.2f} ms", bar=f"<= {SLOWEST} ms", holds=spent <= SLOWEST),
    ]
