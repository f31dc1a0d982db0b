"""Games of Druiden und Dämonen for tests: the state in canonical form, random set-ups over all options, weighted choice, built positions."""

from __future__ import annotations

import random
from typing import Any

from drunemeton.rules.daemonen import Daemonen, land, pieces
from drunemeton.rules.daemonen.play import count_points, go_on
from drunemeton.rules.daemonen.state import (
    CHOOSE_ACTIONS,
    LAND,
    MOVE,
    OVER,
    PORTAL,
    SETUP,
    State,
)
from drunemeton.rules.daemonen.story import ACTION_NAMES, card_text, cell_of, cell_text, corner_text, sides_of, sides_text

PHASES = (*ACTION_NAMES, "setup", "choose", "over")


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


OPTIONS = {
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
}


def random_setup(rng: random.Random) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Seats, options and components: forest-rich fields, many demons and portals, or a low win in part of them."""
    options = {name: rng.choice(values) for name, values in OPTIONS.items()} if rng.random() < 0.7 else {}
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
    "end": 0.15,
    "stop": 0.3,
    "demon": 0.15,
    "remove": 0.2,
    "anchor": 1.5,
    "stone": 8.0,
    "temple": 20.0,
    "convert": 8.0,
    "settle": 3.0,
}


def eager(rng: random.Random, legal: list[str], _game: Any = None) -> str:
    """A random move, building ones preferred."""
    weights = [EAGERNESS.get(move.split()[0], 1.0) for move in legal]
    return rng.choices(legal, weights)[0]


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
        self.game._undo.clear()

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
        return land.site_at(self.s, at(cell) * 2 + int(k))

    def choose(self, *actions: str) -> Daemonen:
        """Begin the first turn, and carry out these actions."""
        game = self.ready()
        for action in actions or ():
            game.play(f"choose {action}")
        return game

    def ready(self) -> Daemonen:
        """The game with the first player to choose actions; everybody knows the position."""
        s = self.s
        s.phase = SETUP
        pieces.new_turn(s, 0)
        self.game.desk.told = 0
        for seat in range(s.seats):
            s.points[seat] = pieces.score(s, seat)
        go_on(s, self.game.desk)
        for knowledge in self.game.knowledge.values():
            knowledge.assign(s)
            knowledge.pile = sorted(s.pile[: s.pile_end]) + s.pile[s.pile_end :]
        return self.game


def at(name: str) -> int:
    q, r = name.split(",")
    return cell_of(int(q), int(r))


def total(game: Daemonen) -> None:
    """Count everything again and compare (used by invariants)."""
    count_points(game.state, game.desk)
