"""Information-set Monte Carlo tree search, one source for every game.

Each simulation samples a world that fits what the seat knows, walks down the tree along actions that are legal in that world, plays on a
little where the tree ends, and takes the outlook there for each seat's chance to win. A node that has been visited often enough opens:
each of its actions becomes a child that begins with the outlook one step on, worth a few visits, so that poor actions of a broad question
are hardly ever tried. Nodes are named by what everybody at the table sees of an action (`seen_as`), so that the worlds share one tree.

The tree is a handful of flat rows, compiled. Two threads grow two trees and add them up, which gives the same answer on any machine. What
was grown is kept for the next small decision of the same turn, if that decision is the one that was foreseen.
"""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from ..rules.drive import Engine
from ..rules.errors import GameError
from ..rules.game import Game, apply, legal, random_action, sample, to_move
from ..rules.kernel import MOVES, Desk, Generic, Record, below, generic, rule, set_record
from .greedy import prepare_judge
from .judgement import Judgement, appraise, columns_of, no_survey, outlook, survey
from .levels import LONGEST, Strength
from .tree import ACTION, CHILD, KEY, MOST_NODES, MOVER, NEXT, OFFERED, PRIOR, SUM, VISITS, WIDTH, Rows, Tree


@generic
def seen_as(s: Record, action: int) -> int:
    """What everybody sees of an action: a small number, the same in all worlds in which it looks the same."""
    raise NotImplementedError


@generic
def follow(s: Record, d: Desk) -> int:
    """The action with which a simulation goes on beyond the tree."""
    raise NotImplementedError


class How(NamedTuple):
    """How a search goes about it, as `Strength` says, and how much of an outlook decides a game."""

    simulations: int
    horizon: int
    ripe: int
    overlook: int
    deepest: int
    scale: float
    explore: float
    trust: float


@rule
def search(knows: Any, seats: int, desks: Any, states: Any, tree: Rows, how: How, used: int, stop: Any) -> int:
    """Grow the tree from what the seat knows until its root has been visited often enough; answers how many nodes there are.

    Node 0 is the root. `stop[0]` ends the search at once.
    """
    k = knows[0]
    d = desks[0]
    nodes = tree.nodes
    path = tree.path
    blind = below(d, 1 << 30)
    while nodes[0][CHILD] < 0 or (nodes[0][VISITS] < how.simulations and stop[0] == 0):
        sample(k, d, states[0])
        s = states[0]
        node = 0
        depth = 0
        path[0] = 0
        mover = to_move(s)
        while mover >= 0 and depth < how.deepest and (node == 0 or nodes[node][VISITS] >= how.ripe):
            count = legal(s, d)
            used = spread(states, d, tree, node, count, used, seats, how.scale)
            at = pick(s, d, tree, node, count, blind, how)
            while at < 0 and node == 0 and used < len(nodes):
                # Everything was overlooked: look again.
                blind = below(d, 1 << 30)
                at = pick(s, d, tree, node, count, blind, how)
            chosen = tree.slots[seen_as(s, d.moves[at])] if at >= 0 else -1
            gather(tree, node)
            if chosen < 0:
                break
            apply(s, d, d.moves[at])
            mover = to_move(s)
            depth += 1
            path[depth] = chosen
            node = chosen
        left = how.horizon
        while left > 0 and mover >= 0:
            apply(s, d, follow(s, d))
            mover = to_move(s)
            left -= 1
        appraise(s, seats, how.scale, tree)
        give_back(tree, depth, seats)
    return used


@rule
def spread(states: Any, d: Desk, tree: Rows, node: int, count: int, used: int, seats: int, scale: float) -> int:
    """Lay a node's children out by what is seen of them, with new ones for actions of this world that have none; answers how many nodes."""
    nodes = tree.nodes
    slots = tree.slots
    child = nodes[node][CHILD]
    while child >= 0:
        slots[nodes[child][KEY]] = child
        child = nodes[child][NEXT]
    for i in range(count):
        if slots[seen_as(states[0], d.moves[i])] < 0:
            return open_node(states, d, tree, node, count, used, seats, scale)
    return used


@rule
def gather(tree: Rows, node: int) -> None:
    """Clear away what `spread` has laid out."""
    nodes = tree.nodes
    child = nodes[node][CHILD]
    while child >= 0:
        tree.slots[nodes[child][KEY]] = -1
        child = nodes[child][NEXT]


@rule
def pick(s: Record, d: Desk, tree: Rows, node: int, count: int, blind: int, how: How) -> int:
    """Which of the legal actions to follow: the most promising for how seldom it was tried; -1 if none is seen.

    Every action that is seen counts as offered.
    """
    nodes = tree.nodes
    sums = tree.sums
    trust = how.trust
    explore = how.explore
    overlook = how.overlook if node == 0 and count > 1 else 0
    at = -1
    best = -1.0
    times = 0  # the children of a node are mostly offered equally often, and a logarithm is dear
    lure = 0.0
    for i in range(count):
        key = seen_as(s, d.moves[i])
        found = tree.slots[key]
        if found < 0 or (overlook > 0 and overlooked(key, blind, overlook)):
            continue
        nodes[found][OFFERED] += 1
        if nodes[found][OFFERED] != times:
            times = nodes[found][OFFERED]
            lure = math.log(times)
        weight = nodes[found][VISITS] + trust
        value = (sums[found][SUM] + trust * sums[found][PRIOR]) / weight + explore * math.sqrt(lure / weight)
        if value > best:
            best = value
            at = i
    return at


@rule
def give_back(tree: Rows, depth: int, seats: int) -> None:
    """Count what a simulation came to along its way."""
    nodes = tree.nodes
    for seat in range(seats):
        tree.gains[seat] += tree.worth[seat]
    for i in range(depth + 1):
        node = tree.path[i]
        nodes[node][VISITS] += 1
        if i > 0:
            tree.sums[node][SUM] += tree.worth[nodes[node][MOVER]]


@rule
def open_node(states: Any, d: Desk, tree: Rows, node: int, count: int, used: int, seats: int, scale: float) -> int:
    """Give a node a child for each action of this world that has none, with the outlook one step on; answers how many nodes there are."""
    nodes = tree.nodes
    slots = tree.slots
    worth = tree.worth
    mover = to_move(states[0])
    for i in range(count):
        action = d.moves[i]
        key = seen_as(states[0], action)
        if slots[key] < 0 and used < len(nodes):
            set_record(states, 1, states, 0)
            apply(states[1], d, action)
            appraise(states[1], seats, scale, tree)
            slots[key] = used
            row = nodes[used]
            row[KEY] = key
            row[ACTION] = action
            row[CHILD] = -1
            row[NEXT] = nodes[node][CHILD]
            row[VISITS] = 0
            row[OFFERED] = 1
            row[MOVER] = mover
            tree.sums[used][SUM] = 0.0
            tree.sums[used][PRIOR] = worth[mover]
            nodes[node][CHILD] = used
            used += 1
    return used


@rule
def overlooked(key: int, blind: int, overlook: int) -> bool:
    """Whether this search does not see that action: a fixed toss per search and action."""
    mixed = ((key + 1) * 2654435761 + blind) & 0xFFFFFFFF
    mixed = (mixed ^ (mixed >> 15)) * 2246822519 & 0xFFFFFFFF
    return (mixed >> 13) % 1000 < overlook


@rule
def root_children(nodes: Any, sums: Any, found: Any, totals: Any) -> int:
    """List the root's children: key, action, visits, and sum of values (a child without visits: its first outlook); answers how many."""
    count = 0
    child = nodes[0][CHILD]
    while child >= 0:
        found[count][0] = nodes[child][KEY]
        found[count][1] = nodes[child][ACTION]
        found[count][2] = nodes[child][VISITS]
        totals[count] = sums[child][SUM] if nodes[child][VISITS] > 0 else sums[child][PRIOR]
        count += 1
        child = nodes[child][NEXT]
    return count


@rule
def replant(nodes: Any, sums: Any, key: int, old_nodes: Any, old_sums: Any) -> int:
    """Copy what hangs on a child of the old root into new rows, where it is the root; answers how many nodes that are."""
    child = old_nodes[0][CHILD]
    while child >= 0 and old_nodes[child][KEY] != key:
        child = old_nodes[child][NEXT]
    if child < 0:
        return 0
    nodes[0][CHILD] = old_nodes[child][CHILD]
    nodes[0][VISITS] = old_nodes[child][VISITS]
    used = 1
    at = 0
    # Children of a copied node still name old rows; they are copied side by side when their parent's turn comes.
    while at < used:
        old = nodes[at][CHILD]
        nodes[at][CHILD] = used if old >= 0 else -1
        while old >= 0:
            for column in range(WIDTH):
                nodes[used][column] = old_nodes[old][column]
            sums[used][SUM] = old_sums[old][SUM]
            sums[used][PRIOR] = old_sums[old][PRIOR]
            old = old_nodes[old][NEXT]
            nodes[used][NEXT] = used + 1 if old >= 0 else -1
            used += 1
        at += 1
    return used


@dataclass(frozen=True)
class Considered:
    """What a search thinks of one action: how often it went there, its value to the seat from 0 to 1, and the standard error of that."""

    action: int
    visits: int
    value: float
    error: float


def pooled(found: Sequence[tuple[int, float]]) -> tuple[int, float, float]:
    """Visits, mean and standard error of what several trees found, each told as visits and mean.

    A tree's simulations are not independent, but trees are: what lies between them shows how sure the mean is. It is taken for no surer
    than as many tosses of a coin would be.
    """
    visits = sum(times for times, _ in found)
    if visits == 0:
        return 0, sum(value for _, value in found) / len(found), 0.5
    mean = sum(times * value for times, value in found) / visits
    error = math.sqrt(max(mean * (1 - mean), 0.01) / visits)
    visited = [(times, value) for times, value in found if times]
    if len(visited) > 1:
        between = sum(times * (value - mean) ** 2 for times, value in visited) / visits / (len(visited) - 1)
        error = max(error, math.sqrt(between))
    return visits, mean, error


def prepare_search(game: type[Game]) -> Any:
    """Fill in what a search asks of a game; answers the game's file in this room."""
    own = prepare_judge(game)
    cast(Generic, outlook).bind(game.state_type, own.outlook)
    counted = columns_of(game)
    cast(Generic, survey).bind(game.state_type, counted.survey if counted else no_survey)
    cast(Generic, seen_as).bind(game.state_type, getattr(own, "seen_as", action_itself))
    at_random = cast(Generic, random_action).table[game.state_type]
    cast(Generic, follow).bind(game.state_type, getattr(own, "follow", at_random))
    return own


class Searcher:
    """A search for one game. Not for two threads at once: each call uses the same rows."""

    def __init__(self, game: type[Game], strength: Strength, *, plain: bool = False) -> None:
        own = prepare_search(game)
        self.engine = Engine(game, plain=plain)
        if not plain and not self.engine.compiled:
            raise GameError("thinking long needs Numba")
        self.game, self.strength = game, strength
        seen = int(getattr(own, "SEEN", game.action_count))
        self.each = max(1, strength.simulations // strength.threads)
        capacity = min(MOST_NODES, self.each * int(own.BREADTH) + 2 * MOVES)
        counted = columns_of(game)
        self.trees = [Tree(self.engine, seen, capacity, counted.WIDTH if counted else 0) for _ in range(strength.threads)]
        self.judgement = Judgement.read(strength.judgement) if strength.judgement else None
        self.minds: dict[int, Any] = {}
        deepest = min(strength.deepest, LONGEST)
        whole = self.each, strength.horizon, strength.ripe, strength.overlook, deepest
        self.how = How(*whole, float(own.SCALE), float(strength.explore), float(strength.trust))
        self.stop_flag = self.engine.row(1)
        self.foretold = self.engine.box(game.knowledge_type())
        self.expected = False
        self._search = self.engine.twin(search)
        self._children = self.engine.twin(root_children)
        self._replant = self.engine.twin(replant)

    def consider(self, knowledge: Record, *, seed: int) -> list[Considered]:
        """Every action of the seat on turn with what the search found, the most visited first."""
        return self.consider_in(self.engine.box(knowledge), seed=seed)

    def consider_in(self, knows: Any, *, seed: int) -> list[Considered]:
        """The same for a knowledge in a box."""
        kept = self.expected and self.engine.alike(knows, self.foretold)
        for tree in self.trees:
            if not kept or tree.used + MOVES > len(tree.nodes):
                tree.clear()
        desks = [self.engine.desk(seed * 64 + n) for n in range(len(self.trees))]
        count = self.engine.legal(knows, desks[0])
        possible = self.engine.offered(desks[0], count)
        if count == 1:  # forced, and free
            self.expected = False
            return [Considered(possible[0], 0, 0.5, 0.5)]
        self._grow(knows, desks)
        considered, keys = self._count(set(possible))
        self._look_ahead(knows, desks[0], considered[0].action, keys[considered[0].action])
        return considered

    def seats_in(self, knows: Any) -> int:
        """How many play."""
        if "seats" not in self.game.knowledge_type.fields:
            return self.game.players[0]
        return int(knows["seats"][0]) if self.engine.compiled else int(knows[0].seats)

    def _grow(self, knows: Any, desks: list[Any]) -> None:
        seats = self.seats_in(knows)
        mind = self._mind(seats)
        self.stop_flag[0] = 0

        def work(tree: Tree, desk: Any) -> None:
            tree.used = int(self._search(knows, seats, desk, tree.states, tree.rows(mind), self.how, tree.used, self.stop_flag))

        threads = [threading.Thread(target=work, args=job) for job in list(zip(self.trees, desks, strict=True))[1:]]
        for thread in threads:
            thread.start()
        work(self.trees[0], desks[0])
        for thread in threads:
            thread.join()

    def _mind(self, seats: int) -> Any:
        if seats not in self.minds:
            mind = self.judgement.mind(self.game, seats) if self.judgement else []
            self.minds[seats] = self.engine.row(len(mind))
            self.minds[seats][:] = mind
        return self.minds[seats]

    def _count(self, possible: set[int]) -> tuple[list[Considered], dict[int, int]]:
        """What all trees found together, the most visited action first; and how each action is seen.

        A tree that was kept also has actions of worlds that did not come true: those are left out.
        """
        found: dict[int, list[tuple[int, float]]] = defaultdict(list)
        keys: dict[int, int] = {}
        for tree in self.trees:
            count = self._children(tree.nodes, tree.sums, tree.found, tree.totals)
            for key, action, times, total in tree.children(count):
                if action in possible:
                    keys[action] = key
                    found[action].append((times, total / max(times, 1)))
        considered = [Considered(action, *pooled(trees)) for action, trees in found.items()]
        return sorted(considered, key=lambda one: (-one.visits, -one.value, one.action)), keys

    def value_in(self, knows: Any, seat: int, *, seed: int) -> tuple[float, float]:
        """A seat's chance to win with its standard error, from what it knows, whoever is on turn."""
        return self.chances_in(knows, seed=seed)[seat]

    def chances_in(self, knows: Any, *, seed: int) -> list[tuple[float, float]]:
        """Every seat's chance to win with its standard error, from one knowledge, whoever is on turn."""
        self.forget()
        self._grow(knows, [self.engine.desk(seed * 64 + n) for n in range(len(self.trees))])
        visits = [int(tree.nodes[0][VISITS]) for tree in self.trees]
        each = [
            [(times, float(tree.gains[seat]) / times) for tree, times in zip(self.trees, visits, strict=True)]
            for seat in range(self.seats_in(knows))
        ]
        return [pooled(found)[1:] for found in each]

    def forget(self) -> None:
        """Keep nothing of what was thought before, so that the same question has the same answer."""
        for tree in self.trees:
            tree.clear()
        self.expected = False

    def _look_ahead(self, knows: Any, desk: Any, action: int, key: int) -> None:
        """Keep what hangs on the chosen action, if the same seat goes on; it serves if everything comes as foretold in one world."""
        self.expected = False
        if self.strength.overlook:
            return  # what was overlooked once may be seen next time
        engine, states = self.engine, self.trees[0].states
        seat = engine.to_move(knows)
        engine.sample(knows, desk, states, 1)
        engine.listen(desk)
        engine.apply(states, desk, action)
        if engine.to_move(states) != seat:
            return
        engine.copy(self.foretold, knows)
        engine.learn(self.foretold, desk, seat)
        self.expected = True
        for tree in self.trees:
            nodes, sums = tree.spare_rows()
            used = int(self._replant(nodes, sums, key, tree.nodes, tree.sums))
            tree.spare = (tree.nodes, tree.sums)
            tree.nodes, tree.sums, tree.used = nodes, sums, used
            if used == 0:
                tree.clear()

    def stop(self) -> None:
        """End the search that is running, at once; it answers with what it has."""
        self.stop_flag[0] = 1


@rule
def action_itself(s: Record, action: int) -> int:
    """In most games an action says all that can be seen of it."""
    return action
