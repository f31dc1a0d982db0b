"""What the things on Celtica's table are, and what they do now."""

from __future__ import annotations

from ..teaching import Saying
from .story import COLOUR_NAMES, DECK_NAMES, KIND_NAMES
from .view import CelticaView

PLACES = {
    "start": "CE-2.1",
    "cult": "CE-4.3",
    "ruin": "CE-4.2",
    "village": "CE-4.1",
    "castle": "CE-4.1",
    "monastery": "CE-4.1",
    "goal": "CE-6.1",
}
PLAIN = {
    "display": "CE-4.1",
    "supply": "CE-4.1",
    "given": "CE-4.4",
    "pile_druid": "CE-4.4",
    "pile_experience": "CE-4.4",
    "card_druid": "CE-3.1",
    "card_experience": "CE-3.2",
    "move_take": "CE-4.1",
    "move_give": "CE-4.2",
    "move_swap": "CE-6.3",
    "move_buy": "CE-6.3",
    "move_stop": "CE-6.3",
    "move_draw": "CE-4.3",
    "move_no": "CE-4.3",
    "round": "CE-5.1",
    "last_round": "CE-6.1",
}


def things(view: CelticaView) -> list[str]:
    """All that can be asked about."""
    seats = [player["seat"] for player in view["players"]]
    return [
        *PLAIN,
        *(f"place:{place['number']}" for place in view["places"]),
        *(f"druid:{colour}" for colour in COLOUR_NAMES),
        *(f"part:{kind}" for kind in KIND_NAMES),
        *(f"{what}:{seat}" for what in ("player", "cards") for seat in seats),
    ]


def about(view: CelticaView, what: str) -> list[Saying]:
    """What it is, and what it does now."""
    kind, _, name = what.partition(":")
    if kind in PLAIN:
        return [Saying(f"{kind}", PLAIN[kind])]
    if kind == "place":
        return _place(view, name)
    if kind == "druid" and name in view["druids"]:
        return _druid(view, name)
    if kind == "part" and name in KIND_NAMES:
        return _part(view, name)
    return _player(view, kind, name)


def _place(view: CelticaView, name: str) -> list[Saying]:
    found = [place for place in view["places"] if str(place["number"]) == name]
    if not found:
        return []
    place = found[0]
    told = [Saying(f"{place['kind']}", PLACES[place["kind"]], {"parts": abs(place["parts"])})]
    if place["kind"] == "cult" and view["ruin_risk"]:
        told.append(Saying("cult_risk", "CE-4.3", {"risk": view["ruin_risk"]}))
    near = [colour for colour, stops in view["stops"].items() if any(stop["place"] == place["number"] for stop in stops)]
    if near:
        told.append(Saying("within_reach", "CE-3.3", {"colours": near}))
    return told


def _druid(view: CelticaView, colour: str) -> list[Saying]:
    told = [Saying("druid", "CE-3.3")]
    if view["druids"][colour] == len(view["places"]) - 1:
        told.append(Saying("druid_home", "CE-3.4"))
    elif colour in view["before_ruin"]:
        told.append(Saying("druid_ruin", "CE-4.2"))
    unseen = {deck: view["unseen"][deck].get(colour, 0) for deck in DECK_NAMES}
    return [*told, Saying("unseen", "CE-7.2", unseen)]


def _part(view: CelticaView, kind: str) -> list[Saying]:
    told = [Saying("part", "CE-1.4")]
    if kind in view["wanted"]:
        told.append(Saying("part_wanted", "CE-6.4"))
    return told


def _player(view: CelticaView, what: str, seat: str) -> list[Saying]:
    found = [player for player in view["players"] if player["seat"] == seat]
    if not found or what not in {"player", "cards"}:
        return []
    player = found[0]
    if what == "cards":
        return [Saying("cards", "CE-5.1", {"druid": len(player["hand"]), "experience": len(player["experience"])})]
    return [
        Saying("player", "CE-6.4", {"complete": player["complete"], "rank": player["rank"]}),
        Saying("lacking", "CE-1.4", {"parts": player["lacking"]}),
    ]
