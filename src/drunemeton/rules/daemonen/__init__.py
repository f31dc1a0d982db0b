"""Druiden und Dämonen (Monsieur Bernard, 2024): peoples, stones and temples on a land that grows around a great demon field."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from ..components import Components
from ..errors import BadComponents, BadOption
from ..game import Game
from ..options import Option, Options
from . import land
from .knowledge import Knowledge
from .state import CELLS, EMPTY, GUARD_TURNS, MIDDLE, OUT, PORTAL, SEAT_CARD, SEATS, SETUP, SITES, SLOTS, STEP, State
from .story import card_of, card_text, cell_of

JUMPS = ("chain", "line", "none")
SUPPORTS = ("able", "adjacent")
NUMBERS = (
    "dark_spells",
    "light_spells",
    "scout_draws",
    "new_people",
    "move_steps",
    "spells_twice",
    "steps_twice",
    "capture_needs",
    "exchange_price",
    "stone_points",
    "temple_points",
    "longest_game",
)
_FIELD = re.compile(r"[FWM]{6}")

# What a component file holds beside [fields]: the least and the greatest number.
COUNTS = {
    "portals": (0, SLOTS - 1),
    "setup_fields": (0, SLOTS // 4),
    "populations_per_player": (0, SLOTS),
    "stones_per_player": (0, SLOTS),
    "temples": (0, SLOTS),
    "demons": (0, SLOTS),
    "win": (1, 9999),
}


class Daemonen(Game):
    """A game of Druiden und Dämonen."""

    name = "daemonen"
    title = "Druiden und Dämonen"
    prefix = "DD"
    players = (2, 4)
    hidden = "the order of the pile"
    described = (
        Option("centre_radius", 1, "size of the great demon field: 1 is a flower of seven hexagons, 0 a single one", "DD-1.4", 0, 1),
        Option("portals_conduct_demons", True, "demon fields hang together through portals", "DD-2.2"),
        Option("may_decline", False, "a drawn land field may be discarded when scouting", "DD-3.3"),
        Option("light_repeat", True, "the same light spell may be cast more than once in one action", "DD-5.4"),
        Option("one_exchange", False, "trophies buy at most one population in one action", "DD-5.6"),
        Option("jump", "chain", "how a moving population jumps over own ones", "DD-5.7", choices=JUMPS),
        Option("capture_support", "able", "which own populations support a capture", "DD-5.7", choices=SUPPORTS),
        Option("temples_return", True, "fallen temples return to the pool; otherwise they are out of the game", "DD-5.8"),
        Option("demons_return", True, "removed demon fields return to the pool; otherwise they are out of the game", "DD-5.8"),
        Option("first_player", -1, "the seat that begins; -1 is drawn", "DD-4.1", -1, SEATS - 1, seat=True),
        Option("dark_spells", 2, "spells of dark magic in one action; one fewer with four players", "DD-5.3", 1, 9),
        Option("light_spells", 2, "spells of light magic in one action", "DD-5.4", 1, 9),
        Option("scout_draws", 8, "fields that scouting may draw", "DD-5.5", 1, 32),
        Option("new_people", 2, "new populations in one action, beside one for each own temple", "DD-5.6", 0, 24),
        Option("move_steps", 8, "populations that one action may move", "DD-5.7", 1, 64),
        Option("spells_twice", 1, "spells more if magic was chosen twice", "DD-5.1", 0, 9),
        Option("steps_twice", 4, "draws or moves more if the action was chosen twice", "DD-5.1", 0, 32),
        Option("capture_needs", 3, "own populations that a capture needs, the mover among them", "DD-5.7", 1, 6),
        Option("exchange_price", 2, "trophies that buy one population", "DD-5.6", 1, 9),
        Option("stone_points", 3, "points for each stone", "DD-6.1", 0, 20),
        Option("temple_points", 5, "points for each temple", "DD-6.1", 0, 20),
        Option("longest_game", GUARD_TURNS, "turns of single players after which most points win", "DD-6.3", 4, GUARD_TURNS),
    )
    problems: ClassVar = {
        "field": "a field has six sides, each F, W or M, such as FFWWMM",
        "cells": "centre, land and portals are {cells} cells, at most {most} can be used",
        "pile": "the pile of {pile} must hold more than 4 x {fields}",
    }

    @classmethod
    def check_components(cls, components: Components, options: Options) -> Components:
        """DD-7: known entries within their bounds, a map that fits the table, a pile that outlasts the set-up."""
        for entry in components:
            if entry != "fields" and entry not in COUNTS:
                raise BadComponents(entry, "unknown", known=[*COUNTS, "fields"])
        for entry, (low, high) in COUNTS.items():
            if entry not in components:
                raise BadComponents(entry, "missing")
            _check_count(entry, components[entry], low, high)
        if "fields" not in components:
            raise BadComponents("fields", "missing")
        fields = components["fields"]
        if not isinstance(fields, dict):
            raise BadComponents("fields", "not_parts", value=fields, example="fields.FFWWMM = 3")
        for sides, count in fields.items():
            if not _FIELD.fullmatch(sides):
                raise BadComponents(f"fields.{sides}", "dd.field")
            _check_count(f"fields.{sides}", count, 0, SLOTS)
        pile = sum(fields.values()) + components["portals"]
        centre = 7 if options["centre_radius"] else 1
        if centre + pile > SLOTS:
            raise BadComponents("fields", "dd.cells", cells=centre + pile, most=SLOTS)
        if pile <= 4 * components["setup_fields"]:
            raise BadComponents("setup_fields", "dd.pile", pile=pile, fields=components["setup_fields"])
        return {**{entry: components[entry] for entry in COUNTS}, "fields": {sides: fields[sides] for sides in sorted(fields)}}

    @classmethod
    def prepare(cls, state: State, seats: int, options: Options, components: Components) -> None:
        """DD-4: the centre on an empty table, supplies, and the pile in sorted order before it is shuffled."""
        if options["first_player"] >= seats:
            raise BadOption("first_player", "no_seat", value=options["first_player"], seats=seats, last=seats - 1)
        state.seats = seats
        state.radius = options["centre_radius"]
        state.conduct = int(options["portals_conduct_demons"])
        state.may_decline = int(options["may_decline"])
        state.light_repeat = int(options["light_repeat"])
        state.one_exchange = int(options["one_exchange"])
        state.temples_return = int(options["temples_return"])
        state.demons_return = int(options["demons_return"])
        state.jump = JUMPS.index(options["jump"])
        state.support = SUPPORTS.index(options["capture_support"])
        state.first = options["first_player"]
        for number in NUMBERS:
            setattr(state, number, options[number])
        state.phase = SETUP
        state.winner = -1
        state.setup_fields = components["setup_fields"]
        state.win = components["win"]
        state.demon_pool = components["demons"]
        state.temple_pool = components["temples"]
        for seat in range(seats):
            state.reserve[seat] = components["populations_per_player"]
            state.stone_reserve[seat] = components["stones_per_player"]
            state.lots[seat] = SEAT_CARD + seat
        fields = components["fields"]
        cards = [card_of(text) for text in sorted(fields) for _ in range(fields[text])] + [PORTAL] * components["portals"]
        state.pile[: len(cards)] = cards
        state.pile_end = len(cards)
        _lay_table(state)

    @classmethod
    def prepare_knowledge(cls, knowledge: Knowledge) -> None:
        """Nothing beyond the prepared state: the pile lies sorted."""

    @classmethod
    def order_text(cls, pile: str, card: int) -> str:
        """A card of a pile as shuffle orders write it."""
        return card_text(card) or ""


def _check_count(entry: str, count: Any, low: int, high: int) -> None:
    if not isinstance(count, int) or isinstance(count, bool) or not low <= count <= high:
        raise BadComponents(entry, "range", value=count, low=low, high=high)


def _lay_table(state: State) -> None:
    """DD-1.4, 1.5: an empty table with its rim, and the centre on it."""
    state.at = [OUT] * CELLS
    for q in range(-15, 16):
        for r in range(-15, 16):
            if cell_of(q, r) >= 0:
                state.at[cell_of(q, r)] = EMPTY
    state.owner = [-1] * SLOTS
    state.stone = [-1] * SITES
    state.site_of = [[-1] * SLOTS for _ in range(6)]
    land.lay(state, MIDDLE, 0)
    for k in range(6 if state.radius else 0):
        land.lay(state, MIDDLE + STEP[k], 0)
