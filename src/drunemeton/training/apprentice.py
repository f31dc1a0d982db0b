"""Before a learner plays against itself it watches greedy: many games side by side, decision by decision, with how they ended.

From nothing, two who know nothing teach each other little: in Celtica nobody ever completes an amulet by chance, so nothing tells a
learner which part to take. A few hundred games of greedy players are enough to begin where the game begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bots.reflex import encoding_of
from ..envs.many import NEVER, Many
from ..envs.world import Setting
from ..observations.layout import file_of

FIRST_DEAL = 50_000_000
OFFERED = 96  # legal actions among which a learner chooses; there are hardly ever more, and then it leaves the last ones out
AT_ONCE = 10  # games that one process plays before it tells


class Examples(NamedTuple):
    """Decisions of others: what was seen (spread observations), what was done, and what each player, counted from there, won."""

    rows: npt.NDArray[np.int16]
    offered: npt.NDArray[np.int16]  # what was done, and then what else was legal
    counts: npt.NDArray[np.int64]
    won: npt.NDArray[np.float32]
    seats: npt.NDArray[np.int64]


def watch_some(game: str, options: Mapping[str, Any], seats: int, first: int) -> Examples:
    """A few games, from a deal on, all seats played by greedy."""
    setting, encoding = Setting(game, seats, options), encoding_of(game)
    many = Many(setting, AT_ONCE, "self", None, file_of(setting.game).MOST_DECISIONS)
    many.deal(first + np.arange(AT_ONCE), np.ones(AT_ONCE, np.bool_))
    actions = np.zeros(AT_ONCE, np.int64)
    seen: list[tuple[Any, ...]] = []
    while (going := many.courses["mover"] >= 0).any():
        at = np.flatnonzero(going)
        many.greedy_actions(actions)
        offered = many.offered[at, :OFFERED]
        offered[np.arange(len(at)), (offered == actions[at, None]).argmax(1)] = offered[:, 0]
        offered[:, 0] = actions[at]
        seen.append((encoding.spread(many.rows[at], seats), offered, many.courses["offered"][at], many.seats[at], at))
        many.step(actions, NEVER, going)
    rows, offered, counts, movers, games = (np.concatenate(column) for column in zip(*seen, strict=True))
    first_places = many.shares == many.shares.max(1, keepdims=True)
    won = np.zeros((len(rows), encoding.most), np.float32)
    won[:, :seats] = (first_places / first_places.sum(1, keepdims=True))[games[:, None], (movers[:, None] + np.arange(seats)) % seats]
    return Examples(rows, offered, np.minimum(counts, OFFERED), won, np.full(len(rows), seats, np.int64))


def watch(pool: Executor, game: str, options: Mapping[str, Any], seats: tuple[int, ...], games: int) -> Examples:
    """So many games of each number of players, in the processes of a pool."""
    jobs = [(count, first) for first in range(FIRST_DEAL, FIRST_DEAL + games, AT_ONCE) for count in seats]
    counts, firsts = zip(*jobs, strict=True)
    parts = pool.map(watch_some, [game] * len(jobs), [options] * len(jobs), counts, firsts)
    return Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))
