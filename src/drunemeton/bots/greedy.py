"""One step ahead: every legal action is tried in a few worlds that fit what the seat knows, and the position it leads to is judged."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any, NamedTuple, cast

from ..rules.game import Game, apply, legal, sample
from ..rules.kernel import Generic, Record, below, generic, rule, set_record

WORLDS = 12


@generic
def judge(s: Record, seat: int) -> int:
    """What a position is worth to a seat; each game's file in this room says."""
    raise NotImplementedError


def prepare_judge(game: type[Game]) -> ModuleType:
    """Fill `judge` in with the game's own; answers the game's file in this room."""
    own = importlib.import_module(f".{game.name}", __package__)
    cast(Generic, judge).bind(game.state_type, own.judge)
    return own


class Mind(NamedTuple):
    """What greedy thinks with: knowledge, desks, states that are overwritten, and two rows to count in."""

    knows: Any
    desks: Any
    states: Any
    moves: Any
    sums: Any


@rule
def best_of(d: Any, moves: Any, sums: Any, count: int) -> int:
    """The action with the highest sum; each of equally good ones with the same chance."""
    best = 0
    ties = 0
    for i in range(count):
        if sums[i] > sums[best]:
            best = i
            ties = 1
        elif sums[i] == sums[best]:
            ties += 1
            if below(d, ties) == 0:
                best = i
    return int(moves[best])


@rule
def greedy_action(mind: Mind, who: int, seat: int, desk: int, at: int, worlds: int) -> int:
    """The action of the seat whose knowledge is `knows[who]`, at `desks[desk]`; `states[at]` and the one after it are overwritten."""
    k = mind.knows[who]
    d = mind.desks[desk]
    states = mind.states
    moves = mind.moves
    sums = mind.sums
    count = 0
    for world in range(worlds):
        sample(k, d, states[at])
        if world == 0:
            count = legal(states[at], d)
            for i in range(count):
                moves[i] = d.moves[i]
                sums[i] = 0
        for i in range(count):
            set_record(states, at + 1, states, at)
            apply(states[at + 1], d, moves[i])
            sums[i] += judge(states[at + 1], seat)
    return best_of(d, moves, sums, count)
