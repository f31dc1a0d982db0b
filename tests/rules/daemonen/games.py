"""Games of Druiden und Dämonen for tests: the state in canonical form, random set-ups, weighted choice, built positions."""

from __future__ import annotations

import random
from typing import Any

from drunemeton.rules.daemonen import Daemonen, land, pieces
from drunemeton.rules.daemonen.notation import corner_name
from drunemeton.rules.daemonen.play import go_on
from drunemeton.rules.daemonen.state import (
    CHOOSE_ACTIONS,
    LAND,
    MOVE,
    OVER,
    PORTAL,
    SCOUT,
    SETUP,
    State,
)
from drunemeton.rules.daemonen.story import ACTION_NAMES, card_of, card_text, cell_of, cell_text, corner_text, sides_of, sides_text

PHASES = (*ACTION_NAMES, "setup", "choose", "over")

SHORT = (None, {"win": 1})  # options and components of a game that is soon over


def members(words: list[int]) -> list[int]:
    return [w * 63 + i for w, word in enumerate(words) for i in range(63) if word >> i & 1]


def cells(s: State, words: list[int]) -> list[str]:
    return sorted(cell_text(s.cell[slot]) for slot in members(words))


def canonical(game: Daemonen) -> dict[str, Any]:
    """The true state as `tests/reference/README.md` writes it."""
    s = game.state
    seats = range(s.seats)
    acting = s.phase not in (SETUP, CHOOSE_ACTIONS, OVER)
    kinds = {}
    for slot in range(s.laid):
        sides = s.sides[slot]
        kinds[cell_text(s.cell[slot])] = sides_text(sides) if sides >= LAND else "portal" if sides == PORTAL else "centre"
    return {
        "cells": kinds,
        "demons": cells(s, s.demons),
        "anchors": {cell: seat for seat in seats for cell in cells(s, s.anchors[seat])},
        "populations": {cell: seat for seat in seats for cell in cells(s, s.people[seat])},
        "stones": {corner_text(s.site_name[site]): s.stone[site] for site in range(s.sites) if s.stone[site] >= 0},
        "temples": cells(s, s.temples),
        "pile": [card_text(card) for card in s.pile[s.pile_at : s.pile_end]],
        "in_hand": card_text(s.hand),
        "discarded": sorted(map(card_text, s.discarded[: s.discards])),
        "demon_pool": s.demon_pool,
        "demons_out": s.demons_out,
        "temple_pool": s.temple_pool,
        "temples_out": s.temples_out,
        "population_reserve": s.reserve[: s.seats],
        "populations_lost": s.lost[: s.seats],
        "stone_reserve": s.stone_reserve[: s.seats],
        "stones_lost": s.stones_lost[: s.seats],
        "trophies": s.trophies[: s.seats],
        "trophies_spent": s.spent[: s.seats],
        "points": s.points[: s.seats],
        "turn": s.asked if s.phase == OVER else s.turn,
        "turns": s.turns,
        "chosen": [ACTION_NAMES[action] for action in s.chosen[: s.chosen_count]],
        "banned": sorted(name for n, name in enumerate(ACTION_NAMES) if s.banned >> n & 1),
        "phase": PHASES[s.phase],
        "left": s.left if acting else 0,
        "moved": cells(s, s.moved) if s.phase == MOVE else [],
    }


OPTIONS: dict[str, list[Any]] = {
    "centre_radius": [1, 1, 0],
    "portals_conduct_demons": [True, False],
    "may_decline": [False, True],
    "light_repeat": [True, False],
    "one_exchange": [False, True],
    "temples_return": [True, False],
    "demons_return": [True, False],
    "jump": ["chain", "line", "none"],
    "capture_support": ["able", "adjacent"],
    "first_player": [-1, -1, 0, 1],
    "dark_spells": [2, 2, 1, 4],
    "light_spells": [2, 2, 1, 3],
    "scout_draws": [8, 8, 3, 12],
    "new_people": [2, 2, 0, 5],
    "move_steps": [8, 8, 2, 20],
    "spells_twice": [1, 1, 0, 3],
    "steps_twice": [4, 4, 0, 9],
    "capture_needs": [3, 3, 1, 2, 5],
    "exchange_price": [2, 2, 1, 3],
    "stone_points": [3, 3, 0, 2],
    "temple_points": [5, 5, 0, 8],
    "longest_game": [200, 200, 200, 12],
}


def random_setup(rng: random.Random) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Seats, options and components: forest-rich fields, many demons and portals, or a low win in part of them."""
    options: dict[str, Any] = {name: rng.choice(values) for name, values in OPTIONS.items()} if rng.random() < 0.7 else {}
    components = Daemonen.default_components()
    kind = rng.random()
    if kind < 0.5:
        components["fields"] = {"FFFFFW": 20, "FFFFFF": 20, "FFFFWW": 14, "FFFFMM": 6, "FWWFMM": 3, "FFWFFW": 3, "WWWWWW": 2}
    if kind < 0.35:
        components["populations_per_player"] = rng.choice([24, 40, 6])
        components["win"] = rng.choice([36, 60, 200])
        components["demons"] = rng.choice([12, 24, 40, 3])
        components["temples"] = rng.choice([12, 2, 1])
        components["stones_per_player"] = rng.choice([9, 3, 15])
        components["portals"] = rng.choice([5, 0, 12])
    if rng.random() < 0.15:
        components["win"] = rng.choice([10, 15, 20])
    if rng.random() < 0.1:
        components["setup_fields"] = rng.choice([0, 1, 8])
    return rng.choice([2, 2, 3, 4]), options, components


# How gladly each kind of move is made. Random play hardly ever builds, so building is preferred, and ending is not.
EAGERNESS = {
    "end": 0.1,
    "stop": 0.3,
    "demon": 0.15,
    "remove": 0.2,
    "anchor": 1.5,
    "stone": 8.0,
    "temple": 30.0,
    "convert": 8.0,
    "settle": 3.0,
    "choose light": 3.0,
    "choose populate": 3.0,
}


def eager(rng: random.Random, legal: list[str], game: Any) -> str:
    """A random move, building ones preferred; populations gather where stones could stand."""
    weights = []
    for move in legal:
        word = move.split()[0]
        weight = EAGERNESS.get(move, EAGERNESS.get(word, 1.0))
        if word in ("settle", "to"):
            s = game.state
            slot = s.at[at(move.split()[1])]
            for k in range(6):
                site = s.site_of[k][slot]
                if site >= 0:
                    weight *= 1.5 + 2 * sum(s.owner[s.site_slot[j][site]] == s.turn for j in range(3))
        weights.append(weight)
    return rng.choices(legal, weights)[0]


def assert_sound(game: Daemonen) -> None:
    """Conservation and connection: what must hold after every step, counted again from the bare position."""
    s = game.state
    c = game.components
    counts = canonical(game)
    where = {name: kind for name, kind in counts["cells"].items() if kind not in ("centre", "portal")}
    for seat in range(s.seats):
        on_board = sum(owner == seat for owner in counts["populations"].values())
        assert on_board + s.reserve[seat] + s.lost[seat] == c["populations_per_player"]
        standing = sum(owner == seat for owner in counts["stones"].values())
        assert standing + s.stone_reserve[seat] + s.stones_lost[seat] == c["stones_per_player"]
        assert min(s.reserve[seat], s.stone_reserve[seat], s.trophies[seat]) >= 0
        owned = [cell for cell in counts["temples"] if stones_around(counts, cell).count(seat) >= 2]
        assert s.points[seat] == on_board + s.stone_points * standing + s.temple_points * len(owned)
    assert sum(s.trophies) + sum(s.spent) <= sum(s.lost)
    assert len(counts["demons"]) + len(counts["anchors"]) + s.demon_pool + s.demons_out == c["demons"]
    assert len(counts["temples"]) + s.temple_pool + s.temples_out == c["temples"]
    drawn = s.laid - (7 if s.radius else 1) + s.discards
    assert len(counts["pile"]) + (counts["in_hand"] is not None) + drawn == sum(c["fields"].values()) + c["portals"]
    for cell, owner in counts["populations"].items():
        assert sum(side != "M" for side in where[cell]) >= 2
        assert cell not in counts["demons"]
        assert counts["anchors"].get(cell, owner) == owner
    assert set(counts["anchors"]) <= set(counts["populations"])
    assert set(counts["demons"]) <= set(where)
    at_stones = [stones_around(counts, cell) for cell in where]
    assert max((len(stones) for stones in at_stones), default=0) <= 3
    for name in counts["stones"]:
        assert sum(len(stones_around(counts, cell)) == 3 for cell in corner_cells(name)) <= 1
        assert sum(cell in counts["demons"] for cell in corner_cells(name)) <= 1
    for cell in counts["temples"]:
        assert len(stones_around(counts, cell)) == 3
    portals = [name for name, kind in counts["cells"].items() if kind == "portal"]
    gates = {near for name in portals for near in touching(name) if counts["cells"].get(near, "portal") != "portal"}
    for seat in range(s.seats):
        own = {cell for cell, owner in counts["populations"].items() if owner == seat}
        start = {cell for name, owner in counts["stones"].items() if owner == seat for cell in corner_cells(name)} & own
        hanging = flood(start, own, gates)
        assert {cell for cell, owner in counts["anchors"].items() if owner == seat} <= hanging
    centre = {name for name, kind in counts["cells"].items() if kind == "centre"}
    reached = flood(centre | set(counts["anchors"]), set(counts["demons"]), gates if s.conduct else set())
    assert set(counts["demons"]) <= reached
    assert_tables(s)


def assert_tables(s: State) -> None:
    """The tables kept incrementally say what a map looked at afresh says."""
    for slot in range(s.laid):
        near = {s.at[at(name)] for name in touching(cell_text(s.cell[slot]))}
        solid = {n for n in near if n >= 0 and s.sides[n] != PORTAL}
        if s.sides[slot] != PORTAL:
            assert set(members([s.near[w][slot] for w in range(3)])) == solid
            assert (slot in members(s.gate)) == any(n >= 0 and s.sides[n] == PORTAL for n in near)
        assert s.stones_at[slot] == sum(s.site_of[k][slot] >= 0 and s.stone[s.site_of[k][slot]] >= 0 for k in range(6))
    front = set()
    for slot in range(s.laid):
        front |= {at(name) for name in touching(cell_text(s.cell[slot])) if at(name) >= 0 and s.at[at(name)] < 0}
    assert front == set(s.front[: s.front_count])
    for i in range(s.front_count):
        assert s.at[s.front[i]] == -2 - i
        for k, name in enumerate(neighbours(cell_text(s.front[i]))):
            n = s.at[at(name)] if at(name) >= 0 else -1
            assert (s.front_by[i] >> k & 1) == (n >= 0)
            assert (s.front_dark[i] >> k & 1) == (n >= 0 and n in members(s.demons))
            for terrain in (1, 2, 3):
                shows = n >= 0 and s.sides[n] >= LAND and s.sides[n] >> 2 * ((k + 3) % 6) & 3 == terrain
                assert (s.front_need[i] >> ((terrain - 1) * 6 + k) & 1) == shows


DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def neighbours(name: str) -> list[str]:
    """The six cells around a cell, by direction."""
    q, r = map(int, name.split(","))
    return [f"{q + dq},{r + dr}" for dq, dr in DIRECTIONS]


def touching(name: str) -> list[str]:
    return [near for near in neighbours(name) if at(near) >= 0]


def corner_cells(name: str) -> list[str]:
    cell, k = name.split("/")
    around = neighbours(cell)
    return [cell, around[int(k)], around[(int(k) + 1) % 6]]


def stones_around(counts: dict[str, Any], cell: str) -> list[int]:
    """The owners of the stones at a field's corners."""
    return [owner for name, owner in counts["stones"].items() if cell in corner_cells(name)]


def flood(start: set[str], within: set[str], gates: set[str]) -> set[str]:
    """Everything of `within` that hangs on the start, and the start."""
    done, new = set(start), set(start)
    while new:
        near = {name for cell in new for name in touching(cell)} | (gates if new & gates else set())
        new = (near & within) - done
        done |= new
    return done


# --- Built positions -----------------------------------------------------------------------------------------------


class Builder:
    """A position put together by hand, in which a test asks what is legal."""

    def __init__(self, seats: int = 2, components: dict[str, Any] | None = None, **options: Any) -> None:
        options.setdefault("first_player", 0)
        self.game = Daemonen.new(seats=seats, seed=1, options=options, components={**Daemonen.default_components(), **(components or {})})
        fresh = State()
        Daemonen.prepare(fresh, seats, self.game.options, self.game.components)
        fresh.first = 0
        self.game.state = fresh
        self.s = fresh
        self.game._free = 0
        self.game._base = len(self.game.steps), self.game.state.copy(), self.game._base[2]

    def land(self, *names: str, sides: str = "FFFFFF") -> Builder:
        for name in names:
            land.lay(self.s, at(name), sides_of(sides))
        return self

    def portal(self, *names: str) -> Builder:
        for name in names:
            land.lay(self.s, at(name), PORTAL)
        return self

    def people(self, seat: int, *names: str) -> Builder:
        for name in names:
            self.s.reserve[seat] -= 1
            pieces.put_population(self.s, seat, self.slot(name))
        return self

    def demons(self, *names: str) -> Builder:
        for name in names:
            pieces.darken(self.s, self.slot(name))
        return self

    def anchors(self, seat: int, *names: str) -> Builder:
        for name in names:
            pieces.fasten(self.s, seat, self.slot(name))
        return self

    def stones(self, seat: int, *names: str) -> Builder:
        for name in names:
            site = self.site(name)
            assert site >= 0, f"{name} is no site"
            self.s.stone_reserve[seat] -= 1
            pieces.put_stone(self.s, seat, site)
        return self

    def temples(self, *names: str) -> Builder:
        for name in names:
            self.s.temple_pool -= 1
            self.s.temples[self.slot(name) // 63] |= 1 << self.slot(name) % 63
        return self

    def slot(self, name: str) -> int:
        return self.s.at[at(name)]

    def site(self, name: str) -> int:
        cell, k = name.split("/")
        return land.site_at(self.s, corner_name(at(cell), int(k)))

    def choose(self, *actions: str) -> Daemonen:
        """Begin the first turn, and carry out these actions."""
        game = self.ready()
        for action in actions or ():
            game.play(f"choose {action}")
        return game

    def hold(self, card: str, left: int = 3) -> Daemonen:
        """The game with the first player scouting, and a card in hand."""
        s = self.s
        s.phase = SETUP
        pieces.new_turn(s, 0)
        s.chosen[:] = [SCOUT, SCOUT]
        s.chosen_count = 2
        s.phase = SCOUT
        s.left = left
        s.hand = card_of(card)
        return self._asked()

    def ready(self) -> Daemonen:
        """The game with the first player to choose actions; everybody knows the position."""
        self.s.phase = SETUP
        pieces.new_turn(self.s, 0)
        return self._asked()

    def _asked(self) -> Daemonen:
        s = self.s
        self.game.desk.told = 0
        for seat in range(s.seats):
            s.points[seat] = pieces.score(s, seat)
        go_on(s, self.game.desk)
        for knowledge in self.game.knowledge.values():
            knowledge.assign(s)
            knowledge.pile[s.pile_at : s.pile_end] = sorted(s.pile[s.pile_at : s.pile_end])
        return self.game


def at(name: str) -> int:
    q, r = name.split(",")
    return cell_of(int(q), int(r))


setup = random_setup
