"""Before a learner plays against itself it watches others: games of a bot, decision by decision, with how they ended.

From nothing, two who know nothing teach each other little: in Celtica nobody ever completes an amulet by chance, so nothing tells a
learner which part to take. A few hundred games of greedy players are enough to begin where the game begins.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bots.arena import shares
from ..bots.ladder import arena_of, player_of
from ..bots.reflex import encoding_of
from ..observations.layout import file_of, layout_of
from ..rules.game import find_game, to_move

FIRST_DEAL = 50_000_000
AT_ONCE = 10  # games that one process plays before it tells


class Watched(NamedTuple):
    """Decisions of others: what was seen (spread observations), what was done, and what each player, counted from there, won."""

    rows: npt.NDArray[np.int16]
    actions: npt.NDArray[np.int64]
    won: npt.NDArray[np.float32]
    seats: npt.NDArray[np.int64]


class _Watcher:
    """A bot that is watched."""

    def __init__(self, game: str, bot: Any) -> None:
        self.game, self.bot = find_game(game), bot
        self.observe = file_of(self.game).observe
        self.seen: list[tuple[list[int], int, int]] = []

    def choose_in(self, knows: Any, *, seed: int) -> int:
        action: int = self.bot.choose_in(knows, seed=seed)
        knowledge: Any = self.game.knowledge_type.from_box(knows)
        seat = to_move(knowledge)
        row = [0] * layout_of(self.game.name, getattr(knowledge, "seats", self.game.players[0])).size
        self.observe(knowledge, knowledge, seat, row)
        self.seen.append((row, action, seat))
        return action


def watch_some(game: str, teacher: str, seats: int, first: int) -> Watched:
    """A few games, from a deal on, all seats played by the teacher."""
    encoding = encoding_of(game)
    parts: list[Watched] = []
    for deal in range(first, first + AT_ONCE):
        watcher = _Watcher(game, player_of(game, teacher))
        _, places = arena_of(game, seats).play([watcher] * seats, deal)
        won = shares(places)
        rows, actions, movers = zip(*watcher.seen, strict=True)
        turned = [[won[(mover + i) % seats] if i < seats else 0.0 for i in range(encoding.most)] for mover in movers]
        parts.append(
            Watched(
                encoding.spread(np.array(rows, np.int16), seats),
                np.array(actions, np.int64),
                np.array(turned, np.float32),
                np.full(len(rows), seats, np.int64),
            )
        )
    return Watched(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def watch(pool: Executor, game: str, teacher: str, seats: tuple[int, ...], games: int) -> Watched:
    """So many games of each number of players, in the processes of a pool."""
    jobs = [(count, first) for first in range(FIRST_DEAL, FIRST_DEAL + games, AT_ONCE) for count in seats]
    counts, firsts = zip(*jobs, strict=True)
    parts = pool.map(watch_some, [game] * len(jobs), [teacher] * len(jobs), counts, firsts)
    return Watched(*(np.concatenate(column) for column in zip(*parts, strict=True)))
