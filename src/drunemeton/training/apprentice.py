"""Before a learner plays against itself it watches others: games of a bot, decision by decision, with how they ended.

From nothing, two who know nothing teach each other little: in Celtica nobody ever completes an amulet by chance, so nothing tells a
learner which part to take. A few hundred games of greedy players are enough to begin where the game begins.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bots.arena import Player, shares
from ..bots.ladder import arena_of, player_of
from ..bots.reflex import encoding_of
from ..rules.game import legal, to_move
from ..rules.kernel import Desk

FIRST_DEAL = 50_000_000
OFFERED = 96  # legal actions among which a learner chooses; there are hardly ever more, and then it leaves the last ones out
AT_ONCE = 10  # games that one process plays before it tells


class Watched(NamedTuple):
    """Decisions of others: what was seen (spread observations), what was done, and what each player, counted from there, won."""

    rows: npt.NDArray[np.int16]
    offered: npt.NDArray[np.int16]  # what was done, and then what else was legal
    counts: npt.NDArray[np.int64]
    won: npt.NDArray[np.float32]
    seats: npt.NDArray[np.int64]


class _Watched:
    """A bot that is watched."""

    def __init__(self, game: str, bot: Player) -> None:
        self.encoding, self.bot = encoding_of(game), bot
        self.seen: list[tuple[npt.NDArray[np.int16], list[int], int]] = []
        self.desk = Desk()

    def choose_in(self, knows: Any, *, seed: int) -> int:
        action = self.bot.choose_in(knows, seed=seed)
        knowledge = self.encoding.game.knowledge_type.from_box(knows)
        seat = to_move(knowledge)
        others = [other for other in self.desk.moves[: legal(knowledge, self.desk)] if other != action]
        self.seen.append((self.encoding.seen(knowledge, seat), [action, *others][:OFFERED], seat))
        return action


def watch_some(game: str, teacher: str, seats: int, first: int) -> Watched:
    """A few games, from a deal on, all seats played by the teacher."""
    encoding = encoding_of(game)
    parts: list[Watched] = []
    for deal in range(first, first + AT_ONCE):
        bot = _Watched(game, player_of(game, teacher))
        _, places = arena_of(game, seats).play([bot] * seats, deal)
        won = shares(places)
        rows, offered, movers = zip(*bot.seen, strict=True)
        turned = [[won[(mover + i) % seats] if i < seats else 0.0 for i in range(encoding.most)] for mover in movers]
        parts.append(
            Watched(
                np.array(rows, np.int16),
                np.array([one + [0] * (OFFERED - len(one)) for one in offered], np.int16),
                np.array([len(one) for one in offered], np.int64),
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
