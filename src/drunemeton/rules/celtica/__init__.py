"""Celtica (Wolfgang Kramer and Michael Kiesling, 2006): five druids lead two to five players to ninety parts of amulets."""

from __future__ import annotations

from typing import Any, ClassVar

from ..components import Components
from ..errors import BadComponents, BadOption
from ..game import Game
from ..options import Option, Options
from .knowledge import Knowledge
from .state import (
    CARD,
    COLOURS,
    CULT,
    DRUID,
    DRUID_CARDS,
    EXPERIENCE,
    EXPERIENCE_CARDS,
    FEWEST_PLACES,
    GOAL,
    KINDS,
    MOST_PARTS,
    PART,
    PARTS,
    PLACES,
    RUIN,
    SEATS,
    START,
    State,
)
from .story import PLACE_NAMES

_COUNTS = {"druid_cards": (1, DRUID_CARDS), "experience_cards": (0, EXPERIENCE_CARDS), "parts_per_kind": (1, PARTS)}


class Celtica(Game):
    """A game of Celtica. Seats sit clockwise."""

    name = "celtica"
    title = "Celtica"
    prefix = "CE"
    players = (2, SEATS)
    hidden = "other hands, two piles, the order of the supply"
    described = (
        Option("first_player", -1, "the seat that begins, counted from 0; -1 draws it", "CE-8.2", -1, SEATS - 1, seat=True),
        Option("ask_order", False, "the order of parts is asked even where all of them go", "CE-8.3", former=True),
    )
    problems: ClassVar = {
        "path": "{places} places; a path has {low} to {high} with start and goal",
        "place": "{value!r} is not a place with kind and parts",
        "start": "the start comes first, and only there",
        "goal": "the goal comes last, and only there",
    }

    @classmethod
    def check_components(cls, components: Components, options: Options) -> Components:
        """CE-8.1: a path that can be walked, and decks that can be dealt."""
        for entry in components:
            if entry != "places" and entry not in _COUNTS:
                raise BadComponents(entry, "unknown", known=["places", *_COUNTS])
        for entry, (low, high) in _COUNTS.items():
            if entry not in components:
                raise BadComponents(entry, "missing")
            _check_number(entry, components[entry], low, high)
        if "places" not in components:
            raise BadComponents("places", "missing")
        places = components["places"]
        if not isinstance(places, list):
            raise BadComponents("places", "not_parts", value=places, example="places.4.parts = -1")
        if not FEWEST_PLACES <= len(places) <= PLACES:
            raise BadComponents("places", "ce.path", places=len(places), low=FEWEST_PLACES, high=PLACES)
        checked = [_check_place(n, place, len(places)) for n, place in enumerate(places)]
        return {"places": checked, **{entry: components[entry] for entry in _COUNTS}}

    @classmethod
    def prepare(cls, state: State, seats: int, options: Options, components: Components) -> None:
        """CE-1, 2.1: the path with all druids on the start, and the piles before the first shuffle."""
        if options["first_player"] >= seats:
            raise BadOption("first_player", "no_seat", value=options["first_player"], seats=seats, last=seats - 1)
        state.seats = seats
        state.first_player = options["first_player"]
        state.ask_order = int(options["ask_order"])
        state.places = len(components["places"])
        for n, place in enumerate(components["places"]):
            state.place_kind[n] = PLACE_NAMES.index(place["kind"])
            state.worth[n] = place["parts"]
        for deck, entry in ((DRUID, "druid_cards"), (EXPERIENCE, "experience_cards")):
            cards = [CARD + colour for colour in range(COLOURS) for _ in range(components[entry])]
            state.pile[deck][: len(cards)] = cards
            state.pile_end[deck] = len(cards)
        parts = [PART + kind for kind in range(KINDS) for _ in range(components["parts_per_kind"])]
        state.supply[: len(parts)] = parts
        state.supply_end = len(parts)

    @classmethod
    def prepare_knowledge(cls, knowledge: Knowledge) -> None:
        """No pile was shuffled yet."""
        knowledge.pile_pool = [-1, -1]


def _check_number(entry: str, value: Any, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadComponents(entry, "range", value=value, low=low, high=high)


def _check_place(n: int, place: Any, count: int) -> Components:
    entry = f"places.{n}"
    if not isinstance(place, dict):
        raise BadComponents(entry, "ce.place", value=place)
    for field in place:
        if field not in {"kind", "parts"}:
            raise BadComponents(f"{entry}.{field}", "unknown", known=["kind", "parts"])
    if place.get("kind") not in PLACE_NAMES:
        raise BadComponents(f"{entry}.kind", "none_of", value=place.get("kind"), known=list(PLACE_NAMES))
    kind = PLACE_NAMES.index(place["kind"])
    if (kind == START) != (n == 0):
        raise BadComponents(f"{entry}.kind", "ce.start")
    if (kind == GOAL) != (n == count - 1):
        raise BadComponents(f"{entry}.kind", "ce.goal")
    low, high = (0, 0) if kind in {START, CULT} else (-MOST_PARTS, -1) if kind == RUIN else (1, MOST_PARTS)
    _check_number(f"{entry}.parts", place.get("parts", 0), low, high)
    return {"kind": place["kind"], "parts": place.get("parts", 0)}
