"""What matters now in Druidenwalzer, and what came of a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..story import Event
from ..teaching import Advice, Saying, Situation
from .story import SEAT_NAMES
from .view import DruidenwalzerView

SURE = 0.9  # of the worlds: what happens in so many counts as known


def before(now: Situation) -> Iterator[Advice]:
    """What matters before a decision, the most important first."""
    view: DruidenwalzerView = now.view
    if view["phase"] == "arrow":
        yield Advice("arrow", "DW-2.1", {}, now.legal)
    elif view["phase"] == "druids":
        yield Advice("druids", "DW-2.4", {}, now.legal)
    elif view["phase"] == "contest":
        yield Advice("order", "DW-5.2", {}, now.legal)
    elif view["phase"] == "turn":
        yield from _turn(now, view)


def _turn(now: Situation, view: DruidenwalzerView) -> Iterator[Advice]:
    waltzes = [move for move in now.legal if move.startswith("W")]
    for tree in view["trees"]:
        if tree["must_fill"] and not tree["top"]:
            filling = [move for move in waltzes if move.endswith(f"@{tree['number']}")]
            yield Advice("fill", "DW-7.2", {"seat": tree["seat"], "tree": tree["number"]}, filling)
    weak = [tree for tree in view["trees"] if tree["seat"] == now.seat and not tree["lost"] and tree["tokens"] + 1 >= view["to_conquer"]]
    safe = [move for move in now.legal if move not in waltzes or not _tokens(now, move, now.seat)] if now.alone else now.legal
    for tree in weak:
        yield Advice("last_token", "DW-5.5", {"seat": tree["seat"], "tree": tree["number"]}, safe)
    if now.alone:
        winning = [move for move in waltzes if _tokens(now, move, _other(now.seat)) and move in safe]
        if winning:
            yield Advice("can_win", "DW-5.3", {}, winning)
        losing = [move for move in waltzes if move not in safe]
        if losing and safe:
            yield Advice("can_lose", "DW-5.3", {}, safe)
        dancing = [move for move in waltzes if any(one.event["kind"] == "danced" for one in now.foresee(move))]
        if dancing:
            yield Advice("dance", "DW-4.3", {}, dancing)
    yield Advice("rest", "DW-5.1", {}, waltzes)


def _other(seat: str) -> str:
    return SEAT_NAMES[1 - SEAT_NAMES.index(seat)]


def _tokens(now: Situation, move: str, on: str) -> bool:
    """Whether a move surely puts a token on a tree of this side."""
    sign = on[0].upper()
    return any(one.event["kind"] == "token" and str(one.event["tree"]).startswith(sign) and one.share >= SURE for one in now.foresee(move))


def after(events: Sequence[Event], seat: str) -> Iterator[Saying]:
    """What came of a decision, the most important first."""
    kinds = [event["kind"] for event in events]
    for event in events:
        if event["kind"] == "tree_lost":
            own = str(event["tree"]).startswith(seat[0].upper())
            yield Saying(f"{'own' if own else 'their'}_tree_{event['how']}", event["rule"], {"tree": event["tree"]})
    for event in events:
        if event["kind"] == "met" and event["sun"] != event["moon"]:
            won = (event["sun"] > event["moon"]) == (seat == "sun")
            high, low = max(event["sun"], event["moon"]), min(event["sun"], event["moon"])
            yield Saying("won" if won else "lost", "DW-5.4", {"colour": event["colour"], "high": high, "low": low})
    if "played" in kinds and "danced" not in kinds and "stayed" not in kinds:
        yield Saying("nobody_danced", "DW-4.9", {})
    elif "played" in kinds and "met" not in kinds:
        yield Saying("no_contest", "DW-5.3", {})
    elif "played" not in kinds and ("druid_moved" in kinds or "retreated" in kinds):
        yield Saying("quiet_turn", "DW-3.3", {})
