"""Information-set Monte Carlo tree search, one source for every game.

Each simulation samples a world that fits what the seat knows, walks down the tree along actions that are legal in that world, adds one
node, plays on a little, and judges where that leads. Nodes are named by what everybody at the table sees of an action (`seen_as`), so that
the worlds share one tree. The tree is a handful of flat rows, compiled; two threads grow two trees and add them up.
"""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, cast

from ..rules.drive import Engine
from ..rules.errors import GameError
from ..rules.game import Game, apply, legal, place_of, random_action, sample, to_move
from ..rules.kernel import MOVES, Generic, Record, below, generic, rule
from .greedy import judge, prepare_judge


@generic
def seen_as(s: Record, action: int) -> int:
    """What everybody sees of an action: a small number, the same in all worlds in which it looks the same."""
    raise NotImplementedError


# Columns of a node in the row of whole numbers.
KEY, CHILD, NEXT, VISITS, OFFERED, MOVER = range(6)
WIDTH = 6


@rule
def search(
    knows: Any,
    seat: int,
    seats: int,
    desks: Any,
    states: Any,
    nodes: Any,
    sums: Any,
    slots: Any,
    path: Any,
    worth: Any,
    simulations: int,
    horizon: int,
    scale: float,
    explore: float,
    overlook: int,
    stop: Any,
) -> int:
    """Grow the tree from what the seat knows; answers how many simulations were made. Node 0 is the root.

    `horizon`: how many random decisions follow before the position is judged; a finished game is worth its place. `overlook`: of 1000, how
    often an action of the root is not even considered. `stop[0]` ends the search at once.
    """
    k = knows[0]
    d = desks[0]
    nodes[0][CHILD] = -1
    nodes[0][VISITS] = 0
    used = 1
    capacity = len(nodes)
    blind = below(d, 1 << 30)
    done = 0
    while done < simulations and stop[0] == 0:
        sample(k, d, states[0])
        s = states[0]
        node = 0
        depth = 0
        path[0] = 0
        mover = to_move(s)
        while mover >= 0:
            count = legal(s, d)
            child = nodes[node][CHILD]
            while child >= 0:
                slots[nodes[child][KEY]] = child
                child = nodes[child][NEXT]
            chosen = -1
            best = -1.0
            action = -1
            fresh = 0
            for i in range(count):
                key = seen_as(s, d.moves[i])
                if node == 0 and overlook > 0 and overlooked(key, blind, overlook) and count > 1:
                    continue
                found = slots[key]
                if found < 0:
                    # Each untried action is kept with the same chance.
                    fresh += 1
                    if below(d, fresh) == 0:
                        action = d.moves[i]
                elif fresh == 0:
                    nodes[found][OFFERED] += 1
                    visits = nodes[found][VISITS]
                    value = sums[found] / visits + explore * math.sqrt(math.log(nodes[found][OFFERED]) / visits)
                    if value > best:
                        best = value
                        chosen = found
                        action = d.moves[i]
                else:
                    nodes[found][OFFERED] += 1
            child = nodes[node][CHILD]
            while child >= 0:
                slots[nodes[child][KEY]] = -1
                child = nodes[child][NEXT]
            if action < 0:
                # Everything was overlooked: look again.
                blind = below(d, 1 << 30)
                continue
            if fresh > 0 and used < capacity:
                chosen = used
                used += 1
                nodes[chosen][KEY] = seen_as(s, action)
                nodes[chosen][CHILD] = -1
                nodes[chosen][NEXT] = nodes[node][CHILD]
                nodes[chosen][VISITS] = 0
                nodes[chosen][OFFERED] = 1
                nodes[chosen][MOVER] = mover
                sums[chosen] = 0.0
                nodes[node][CHILD] = chosen
            elif fresh > 0:
                chosen = -1
            apply(s, d, action)
            mover = to_move(s)
            if chosen < 0:
                break
            depth += 1
            path[depth] = chosen
            node = chosen
            if fresh > 0 or depth + 1 >= len(path):
                break
        left = horizon
        while left > 0 and to_move(s) >= 0:
            apply(s, d, random_action(s, d))
            left -= 1
        appraise(s, seats, scale, worth)
        for i in range(depth + 1):
            nodes[path[i]][VISITS] += 1
            if i > 0:
                sums[path[i]] += worth[nodes[path[i]][MOVER]]
        done += 1
    return done


@rule
def overlooked(key: int, blind: int, overlook: int) -> bool:
    """Whether this search does not see that action: a fixed toss per search and action."""
    mixed = ((key + 1) * 2654435761 + blind) & 0xFFFFFFFF
    mixed = (mixed ^ (mixed >> 15)) * 2246822519 & 0xFFFFFFFF
    return (mixed >> 13) % 1000 < overlook


@rule
def appraise(s: Record, seats: int, scale: float, worth: Any) -> None:
    """What a position is worth to each seat, from 0 to 1: its place if the game is over, else the judge's opinion."""
    if to_move(s) < 0:
        first = 0
        for seat in range(seats):
            if place_of(s, seat) == 1:
                first += 1
        for seat in range(seats):
            worth[seat] = 1.0 / first if place_of(s, seat) == 1 else 0.0
        return
    total = 0
    for seat in range(seats):
        total += judge(s, seat)
    for seat in range(seats):
        opinion = judge(s, seat)
        ahead = opinion - (total - opinion) / (seats - 1)
        worth[seat] = 1.0 / (1.0 + math.exp(-ahead / scale))


@rule
def root_children(nodes: Any, sums: Any, keys: Any, visits: Any, totals: Any) -> int:
    """List the root's children: key, visits, sum of values; answers how many."""
    count = 0
    child = nodes[0][CHILD]
    while child >= 0:
        keys[count] = nodes[child][KEY]
        visits[count] = nodes[child][VISITS]
        totals[count] = sums[child]
        count += 1
        child = nodes[child][NEXT]
    return count


@rule
def name_actions(knows: Any, desks: Any, states: Any, keys: Any, actions: Any) -> int:
    """The legal actions of the seat on turn and how they look to everybody."""
    sample(knows[0], desks[0], states[0])
    count = legal(states[0], desks[0])
    for i in range(count):
        actions[i] = desks[0].moves[i]
        keys[i] = seen_as(states[0], desks[0].moves[i])
    return count


class Tree:
    """The rows that one search grows in."""

    def __init__(self, engine: Engine, seen: int, capacity: int) -> None:
        import numpy as np

        self.nodes = np.zeros((capacity, WIDTH), np.int32)
        self.sums = np.zeros(capacity, np.float64)
        self.slots = np.full(seen, -1, np.int32)
        self.path = np.zeros(256, np.int32)
        self.worth = np.zeros(8, np.float64)
        self.states = engine.game.state_type.box(1)
        self.keys = np.zeros(MOVES, np.int64)
        self.visits = np.zeros(MOVES, np.int64)
        self.totals = np.zeros(MOVES, np.float64)
        self.actions = np.zeros(MOVES, np.int64)


@dataclass(frozen=True)
class Strength:
    """How a search thinks: so many simulations, so far ahead, with which blind spots."""

    simulations: int
    horizon: int = 12
    explore: float = 0.7
    overlook: int = 0  # of 1000
    threads: int = 1


@dataclass(frozen=True)
class Considered:
    """What a search thinks of one action: how often it went there, and its value to the seat from 0 to 1."""

    action: int
    visits: int
    value: float

    @property
    def error(self) -> float:
        """The standard error of the value, as if the simulations were independent."""
        return math.sqrt(max(self.value * (1 - self.value), 0.01) / max(self.visits, 1))


class Searcher:
    """A search for one game. Not for two threads at once: each call uses the same rows."""

    def __init__(self, game: type[Game], strength: Strength) -> None:
        own = prepare_judge(game)
        self.engine = Engine(game)
        if not self.engine.compiled:
            raise GameError("searching bots need Numba")
        self.game, self.strength = game, strength
        self.scale = float(own.SCALE)
        seen = int(getattr(own, "SEEN", game.action_count))
        cast(Generic, seen_as).bind(game.state_type, getattr(own, "seen_as", action_itself))
        self.simulations = max(8, int(strength.simulations * getattr(own, "PACE", 1.0)))
        each = max(1, self.simulations // strength.threads)
        self.trees = [Tree(self.engine, seen, each + 2) for _ in range(strength.threads)]
        self._search = self.engine.twin(search)
        self._children = self.engine.twin(root_children)
        self._name = self.engine.twin(name_actions)

    def consider(self, knowledge: Record, *, seed: int) -> list[Considered]:
        """Every action of the seat on turn with what the search found, the most visited first."""
        import numpy as np

        seat = int(to_move(knowledge))
        seats = self.game.seats_of(knowledge)
        knows = self.engine.box(knowledge)
        desks = [self.engine.desk(seed * 64 + n) for n in range(len(self.trees))]
        self.stop_flag = np.zeros(1, np.int64)
        first = self.trees[0]
        count = self._name(knows, desks[0], first.states, first.keys, first.actions)
        names = {int(key): int(action) for key, action in zip(first.keys[:count], first.actions[:count], strict=True)}
        if count == 1:
            return [Considered(next(iter(names.values())), 1, 0.5)]
        each = max(1, self.simulations // len(self.trees))
        way = (each, self.strength.horizon, self.scale, self.strength.explore, self.strength.overlook, self.stop_flag)
        jobs = [
            (knows, seat, seats, desk, tree.states, tree.nodes, tree.sums, tree.slots, tree.path, tree.worth, *way)
            for tree, desk in zip(self.trees, desks, strict=True)
        ]
        threads = [threading.Thread(target=self._search, args=job) for job in jobs[1:]]
        for thread in threads:
            thread.start()
        self._search(*jobs[0])
        for thread in threads:
            thread.join()
        visits: dict[int, int] = defaultdict(int)
        totals: dict[int, float] = defaultdict(float)
        for tree in self.trees:
            found = self._children(tree.nodes, tree.sums, tree.keys, tree.visits, tree.totals)
            for i in range(found):
                visits[int(tree.keys[i])] += int(tree.visits[i])
                totals[int(tree.keys[i])] += float(tree.totals[i])
        considered = [Considered(names[key], visits[key], totals[key] / visits[key]) for key in visits]
        return sorted(considered, key=lambda one: (-one.visits, -one.value, one.action))

    def stop(self) -> None:
        """End the search that is running, at once; it answers with what it has."""
        self.stop_flag[0] = 1


@rule
def action_itself(s: Record, action: int) -> int:
    """In most games an action says all that can be seen of it."""
    return action
