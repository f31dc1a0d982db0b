"""What matters now in Celtica, and what came of a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..story import Event
from ..teaching import Advice, Saying, Situation
from .view import CelticaView, Player

RISK = 40  # of a hundred: from here on a card from the cult place is a gamble


def before(now: Situation) -> Iterator[Advice]:
    """What matters before a decision, the most important first."""
    view: CelticaView = now.view
    phase = view["phase"]
    if phase == "play":
        yield from _play(now, view)
    elif phase == "cult":
        wise = "no" if view["ruin_risk"] >= RISK else "draw"
        code = "cult_risk" if view["ruin_risk"] >= RISK else "cult"
        yield Advice(code, "CE-4.3", {"risk": view["ruin_risk"]} if wise == "no" else {}, [move for move in now.legal if move == wise])
    elif phase == "take":
        own = _player(view, now.seat)
        right = [move for move in now.legal if move.removeprefix("take ") in own["lacking"]]
        yield Advice("take", "CE-1.4", {}, right)
    elif phase == "give":
        most = max(_player(view, now.seat)["parts"].values(), default=0)
        right = [move for move in now.legal if _player(view, now.seat)["parts"].get(move.removeprefix("give "), 0) == most]
        yield Advice("give", "CE-4.2", {}, right)
    elif phase == "experience":
        yield Advice("trade", "CE-6.3", {}, [move for move in now.legal if move != "stop"])


def _play(now: Situation, view: CelticaView) -> Iterator[Advice]:
    ruins = [move for move in now.legal if _stops_at(now, move) == "ruin"]
    passing = [move for move in now.legal if move not in ruins]
    if view["before_ruin"]:
        yield Advice("ruin", "CE-4.2", {"colours": view["before_ruin"]}, passing)
    if view["last_round"]:
        yield Advice("last_round", "CE-6.1", {}, now.legal)
    finds = [move for move in now.legal if _stops_at(now, move) in {"village", "castle", "monastery", "goal"}]
    yield Advice("stop", "CE-3.3", {}, finds)
    yield Advice("one_colour", "CE-3.1", {}, now.legal)


def _stops_at(now: Situation, move: str) -> str:
    """The kind of place where a play ends; nothing for a druid who stays."""
    for one in now.foresee(move):
        if one.event["kind"] == "walked":
            return str(now.view["places"][one.event["to"]]["kind"])
    return ""


def _player(view: CelticaView, seat: str) -> Player:
    return next(player for player in view["players"] if player["seat"] == seat)


def after(events: Sequence[Event], seat: str) -> Iterator[Saying]:
    """What came of a decision, the most important first."""
    own = [event for event in events if event.get("seat") == seat]
    given = sum(event["kind"] == "given" for event in own)
    taken = [event for event in own if event["kind"] == "taken"]
    drawn = [event["deck"] for event in own if event["kind"] == "dealt"]
    kinds = [event["kind"] for event in events]
    if "last_round" in kinds:
        yield Saying("began_last_round", "CE-6.1", {})
    if given and "walked" in kinds:
        yield Saying("lost_parts", "CE-4.2", {"count": given})
    if taken and "walked" in kinds and not taken[-1]["left"]:
        yield Saying("found_parts", "CE-4.1", {"count": len(taken)})
    if "stayed" in kinds:
        yield Saying("stayed", "CE-3.4", {})
    if "walked" in kinds and not given and drawn[:1] == ["experience"]:
        yield Saying("empty_ruin", "CE-4.2", {})
    if "swapped" in kinds or "bought" in kinds:
        yield Saying("traded", "CE-6.3", {})
