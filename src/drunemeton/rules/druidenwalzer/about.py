"""What the things on Druidenwalzer's table are, and what they do now."""

from __future__ import annotations

import re

from ..teaching import Saying
from .story import COLOUR_NAMES, SEAT_NAMES
from .view import DruidenwalzerView, Tree

_CARD = re.compile(r"[sm]?(\d)[<>]")


def things(view: DruidenwalzerView) -> list[str]:
    """All that can be asked about."""
    return [
        "ring",
        *(f"arrow:1{arrow}" for arrow in "<>"),
        *(f"setting:{colour}" for colour in COLOUR_NAMES),
        *(f"contest:{colour}" for colour in COLOUR_NAMES),
        *(f"board:{board}" for board in view["oval"] if board),
        *(f"druid:{tree['seat']}-{tree['druid']}" for tree in view["trees"] if tree["druid"]),
        *(f"card:{card}" for card in sorted({"?", *(card for cards in view["hand"].values() for card in cards if card)})),
        *(f"hand:{seat}" for seat in SEAT_NAMES),
    ]


def about(view: DruidenwalzerView, what: str) -> list[Saying]:
    """What it is, and what it does now."""
    kind, _, name = what.partition(":")
    trees = {tree["name"]: tree for tree in view["trees"]}
    if kind == "ring":
        return _ring(view)
    if kind == "board" and name in trees:
        return _tree(view, trees[name])
    if kind == "board" and name in {"SC", "MC"}:
        seat = SEAT_NAMES["SM".index(name[0])]
        return [
            Saying("cult", "DW-4.7", {"cards": len(view["cult"][seat])}),
            Saying("pile", "DW-7.3", {"cards": view["pile"][seat]}),
        ]
    if kind == "druid":
        return [told for tree in view["trees"] if f"{tree['seat']}-{tree['druid']}" == name for told in _druid(view, tree)]
    if kind == "card":
        return _card(view, name)
    if kind == "hand" and name in SEAT_NAMES:
        return [Saying("hand", "DW-9.2", {"seat": name, "cards": sum(card is not None for card in view["hand"][name])})]
    plain = {"arrow": ("arrow", "DW-2.1"), "setting": ("setting", "DW-2.4"), "contest": ("contest", "DW-5.2")}
    return [Saying(*plain[kind])] if kind in plain else []


def _ring(view: DruidenwalzerView) -> list[Saying]:
    told = [Saying("ring", "DW-4.2")]
    if view["resting"]:
        told.append(Saying("resting", "DW-5.1", {"colour": view["resting"]}))
    return told


def _tree(view: DruidenwalzerView, tree: Tree) -> list[Saying]:
    if tree["lost"]:
        return [Saying("tree_lost", "DW-6.2")]
    told = [Saying("tree", "DW-4.5", {"tree": tree["number"]})]
    if tree["must_fill"] and not tree["top"]:
        told.append(Saying("tree_fill", "DW-7.2"))
    elif not tree["top"]:
        told.append(Saying("tree_empty", "DW-7.1"))
    elif found := _CARD.fullmatch(tree["top"]):
        told.append(Saying("top", "DW-4.3", {"value": int(found[1])}))
    return [*told, Saying("tokens", "DW-5.5", {"left": view["to_conquer"] - tree["tokens"]})]


def _druid(view: DruidenwalzerView, tree: Tree) -> list[Saying]:
    told = [Saying("druid", "DW-5.3", {"colour": tree["druid"]})]
    if view["resting"] == tree["druid"]:
        told.append(Saying("resting", "DW-5.1", {"colour": tree["druid"]}))
    free = view["jump_to"][tree["seat"]]
    if free is not None:
        told.append(Saying("jump", "DW-3.2", {"tree": free}))
    return told


def _card(view: DruidenwalzerView, card: str) -> list[Saying]:
    found = _CARD.fullmatch(card)
    if found is None:
        return [Saying("card_hidden", "DW-9.2")] if card == "?" else []
    value = int(found[1])
    tops = [_CARD.fullmatch(tree["top"] or "") for tree in view["trees"]]
    open_now = sum(top is not None and int(top[1]) == value for top in tops)
    return [
        Saying("card", "DW-4.1", {"value": value}),
        Saying("card_now", "DW-4.3", {"value": value, "count": open_now}),
    ]
