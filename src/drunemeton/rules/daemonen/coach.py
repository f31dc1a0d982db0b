"""What matters now in Druiden und Dämonen, and what came of a decision. Everything lies open here, so all may be told the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..story import Event
from ..teaching import Advice, Saying, Situation
from .view import DaemonenView, Player


def before(now: Situation) -> Iterator[Advice]:
    """What matters before a decision, the most important first."""
    view: DaemonenView = now.view

    def moves(*verbs: str) -> list[str]:
        return [move for move in now.legal if move.startswith(verbs)]

    if view["in_hand"] == "portal":
        yield Advice("portal", "DD-3.2", {}, moves("portal"))
    elif view["in_hand"]:
        yield Advice("lay", "DD-3.1", {}, moves("lay"))
    elif view["phase"] == "choose":
        yield from _choose(now, view)
    elif view["phase"] == "light" and view["half"]:
        if moves("from reserve"):
            yield Advice("reserve", "DD-5.4", {}, moves("from reserve"))
    elif view["phase"] == "light":
        if moves("temple"):
            yield Advice("temple", "DD-5.4", {}, moves("temple"))
        if moves("stone", "convert"):
            yield Advice("stone", "DD-5.4", {}, moves("stone", "convert"))
    elif view["phase"] == "dark":
        yield Advice("dark", "DD-5.3", {}, moves("demon", "remove", "anchor"))
    elif view["phase"] == "populate":
        yield Advice("trophies" if view["left"] == 0 else "settle", "DD-5.6", {}, moves("settle"))
    elif view["phase"] == "move" and not view["half"]:
        yield Advice("move", "DD-5.7", {}, moves("from"))
    elif view["phase"] == "scout":
        yield Advice("scout", "DD-3.3", {}, moves("draw", "stop", "end"))


def _choose(now: Situation, view: DaemonenView) -> Iterator[Advice]:
    """Which action is worth choosing, and which is not."""
    own = next(player for player in view["players"] if player["seat"] == now.seat)
    chosen = {f"choose {prospect['action']}": prospect for prospect in view["prospects"]}
    if now.alone and own["populations"] == 0 and "choose populate" in chosen and "populate" not in view["chosen"]:
        yield Advice("nobody", "DD-5.6", {}, ["choose populate"])
    light = chosen.get("choose light")
    if now.alone and light is not None and "light" not in view["chosen"]:
        if light["places"]["temple"]:
            yield Advice("temple_ready", "DD-5.4", {}, ["choose light"])
        if light["places"]["stone"]:
            yield Advice("stone_ready", "DD-5.4", {"count": light["places"]["stone"]}, ["choose light"])
        if light["places"]["convert"]:
            yield Advice("convert_ready", "DD-5.4", {}, ["choose light"])
    if now.alone and "choose move" in chosen and "move" not in view["chosen"]:
        if own["next"]["captures"]:
            yield Advice("capture_ready", "DD-5.7", {"count": len(own["next"]["captures"])}, ["choose move"])
        if endangered := _endangered(view, own):
            yield Advice("within_reach", "DD-5.3", {"count": endangered}, ["choose move"])
    if view["banned"]:
        yield Advice("barred", "DD-5.1", {"actions": [ban["action"] for ban in view["banned"]]}, now.legal)
    # A second action comes after the first has changed things: nobody can say yet that it does nothing.
    idle = [prospect["action"] for prospect in view["prospects"] if prospect["possible"] == 0 and not view["chosen"]]
    if idle:
        yield Advice("idle", "DD-5.2", {"actions": idle}, [move for move in now.legal if move.removeprefix("choose ") not in idle])
    yield Advice("bars", "DD-5.1", {}, now.legal)


def _endangered(view: DaemonenView, own: Player) -> int:
    """How many of a player's populations the next demon field of somebody else could swallow."""
    homes = {cell["cell"] for cell in view["cells"] if cell["population"] == own["seat"] and not cell["anchor"]}
    others = [player for player in view["players"] if player is not own]
    return len({threat["cell"] for player in others for threat in player["next"]["demons"] if threat["steps"] == 1} & homes)


GAINS = {
    "temple_placed": ("built", "DD-6.1"),
    "stone_placed": ("set_stone", "DD-6.1"),
    "converted": ("turned_stone", "DD-5.4"),
    "captured": ("took", "DD-5.7"),
    "settled": ("settled", "DD-6.1"),
    "portal_laid": ("opened", "DD-2.1"),
}


def after(events: Sequence[Event], seat: str) -> Iterator[Saying]:
    """What came of a decision, the most important first."""
    for event in events:
        if event["kind"] == "population_lost":
            yield Saying("own_swallowed" if event["seat"] == seat else "swallowed", "DD-5.3", {})
        elif event["kind"] == "stone_lost":
            yield Saying("stone_fell", "DD-5.8", {})
        elif event["kind"] == "temple_lost":
            yield Saying("temple_fell", "DD-5.8", {})
        elif event["kind"] == "discarded":
            yield Saying("did_not_fit", "DD-3.3", {})
    for kind, (code, rule) in GAINS.items():
        if any(event["kind"] == kind and event.get("seat") == seat for event in events):
            yield Saying(code, rule, {})
    if sum(event["kind"] == "demon_removed" for event in events) > 1:
        yield Saying("fell_together", "DD-5.8", {})
    for one, next_one in pairwise(events):
        if one["kind"] == "action" and one["seat"] == seat and next_one["kind"] in {"action", "turn", "ended"}:
            yield Saying("nothing_done", "DD-5.2", {})
