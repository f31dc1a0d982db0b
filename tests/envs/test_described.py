"""An observation is what its description says: field by field, entry by entry, it is compared with what the table shows."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from drunemeton.observations.layout import layout_of
from drunemeton.rules.game import Game, find_game

from .test_spaces import seen

KINDS = ("sun", "moon", "star", "oak", "stag", "raven", "wave", "flame", "centre")
COLOURS = ("white", "red", "grey", "brown", "black")
DECKS = (("druid", "hand"), ("experience", "experience"))
ACTIONS = ("dark", "light", "scout", "populate", "move")


def celtica(game: Game, seat: int, view: dict[str, Any]) -> dict[str, Any]:
    """What the fields of an observation must hold, read off a view."""
    players = [view["players"][(seat + i) % game.seats] for i in range(game.seats)]
    goal = len(view["places"]) - 1
    parts = [place["parts"] for place in view["places"]]
    out = Counter({kind: view["display"].get(kind, 0) + view["given"].get(kind, 0) for kind in KINDS})
    for player in players:
        out.update(player["parts"])
    ahead = layout_of("celtica", game.seats).fields["ahead"].shape[1]
    return {
        "phase": [("play", "cult", "take", "give", "experience", "over").index(view["phase"])],
        "round": [view["round"]],
        "home": [sum(at == goal for at in view["druids"].values())],
        "to_goal": [goal - view["druids"][colour] for colour in COLOURS],
        "ahead": [(parts[view["druids"][colour] + 1 :] + [0] * ahead)[:ahead] for colour in COLOURS],
        "display": [view["display"].get(kind, 0) for kind in KINDS],
        "given": [view["given"].get(kind, 0) for kind in KINDS],
        "supply": [game.components["parts_per_kind"] - out[kind] for kind in KINDS],
        "held": [[players[0][cards].count(colour) for colour in COLOURS] for _, cards in DECKS],
        "hand_size": [[len(player[cards]) for player in players] for _, cards in DECKS],
        "parts": [[player["parts"].get(kind, 0) for kind in KINDS] for player in players],
        "pile": [view["pile"][deck] for deck, _ in DECKS],
        "discard": [[view["discard"][deck].get(colour, 0) for colour in COLOURS] for deck, _ in DECKS],
    }


def daemonen(game: Game, seat: int, view: dict[str, Any]) -> dict[str, Any]:
    """What the fields of an observation must hold, read off a view."""
    players = [view["players"][(seat + i) % game.seats] for i in range(game.seats)]
    seen_as = {None: 0, **{player["seat"]: i + 1 for i, player in enumerate(players)}}
    slots, slot = layout_of("daemonen", game.seats).fields["map"].shape
    sites, site = layout_of("daemonen", game.seats).fields["corners"].shape
    land = [[0] * slot for _ in range(slots)]
    for i, cell in enumerate(view["cells"]):
        sides = ["FWM".index(side) + 1 for side in cell["sides"]] if cell["sides"] else [0] * 6
        pieces = [cell["demon"], seen_as[cell["population"]] * cell["anchor"], cell["temple"], cell["stones"], cell["moved"]]
        kind = (None, "centre", "portal", "land").index(cell["kind"])
        land[i] = [kind, cell["q"], cell["r"], *sides, seen_as[cell["population"]], *map(int, pieces)]
    at = {cell["cell"]: i + 1 for i, cell in enumerate(view["cells"])}
    corners = [[0] * site for _ in range(sites)]
    for i, corner in enumerate(view["corners"]):
        corners[i] = [seen_as[corner["stone"]], *sorted(at[cell] for cell in corner["cells"])]
    unseen = Counter[str]()
    for field, count in view["unseen"].items():
        unseen.update({side: count * field.count(side) for side in "FWM"})
    counts = ("points", "reserve", "lost", "stone_reserve", "stones_lost", "trophies", "trophies_spent")
    banned = {one["action"] for one in view["banned"]}
    return {
        "turns": [view["turns"]],
        "win": [view["win"]],
        "chosen": ([ACTIONS.index(action) + 1 for action in view["chosen"]] + [0, 0])[:2],
        "banned": [int(action in banned) for action in ACTIONS],
        "pools": [view["demon_pool"], view["temple_pool"]],
        "pile": [view["pile"], view["unseen"].get("portal", 0), *(unseen[side] for side in "FWM")],
        "players": [
            [*(player[count] for count in counts), *(int(action in player["last_chosen"]) for action in ACTIONS)] for player in players
        ],
        "map": land,
        "corners": corners,
    }


@pytest.mark.parametrize(("expected", "seats", "steps"), [(celtica, 2, 220), (celtica, 4, 220), (daemonen, 2, 420), (daemonen, 3, 420)])
def test_every_entry_is_what_the_table_shows(expected: Any, seats: int, steps: int) -> None:
    name, rng = expected.__name__, random.Random(7)
    layout, apart = layout_of(name, seats), dict[str, set[str]]()
    for number in range(3):
        game = find_game(name).new(seats=seats, seed=number)
        for step in range(steps):
            if game.over:
                break
            if step % 12 == 0:
                for seat in range(seats):
                    row = np.array(seen(game, seat)[0])
                    for field, wanted in expected(game, seat, game.view(seat)).items():
                        told = layout.read(row, field)
                        if field == "corners":
                            told[:, 1:].sort(axis=1)
                        assert told.ravel().tolist() == np.array(wanted).ravel().tolist(), (field, step, seat)
                        apart.setdefault(field, set()).add(str(wanted))
            game.play(rng.choice(game.actions()))
    assert {field for field, values in apart.items() if len(values) == 1} <= {"win"}
