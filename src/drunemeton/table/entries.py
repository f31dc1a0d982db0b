"""What each kind of entry does to a table: the same for a new one and for one that was stored. Checked before, in `table.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..rules.game import Result
from ..rules.kernel import EV_SECRET, EV_WHO, SPECTATOR, may_see

if TYPE_CHECKING:
    from .table import Table

Entry = dict[str, Any]


class Change(NamedTuple):
    """What an entry changed: new steps from `since` on, or a note for everything that is not a move.

    `gone`: by watcher, how many of the events that he was told are taken back.
    """

    revision: int
    since: int | None = None
    note: dict[str, Any] | None = None
    gone: dict[int, int] | None = None


CarryOut = Callable[["Table", Entry], dict[str, Any] | None]
"""Carry an entry out; answers what everybody is told of it, if it is not a move."""


@dataclass
class Ask:
    """Somebody asks to take back, down to so many steps; those who must agree, and have not yet."""

    seat: int
    steps: int
    waiting: set[int] = field(default_factory=set)


def told_since(table: Table, steps: int) -> dict[int, int]:
    """By watcher: how many events he was told after so many steps."""
    return {watcher: len(table.game.events(watcher, since=steps)) for watcher in (*range(len(table.seats)), SPECTATOR)}


def _move(table: Table, entry: Entry) -> None:
    table.game.carry_out(entry["move"])
    table.ask = None


def _undo(table: Table, entry: Entry) -> dict[str, Any]:
    taken = len(table.game.steps) - entry["steps"]
    if entry["seen"]:
        secrets = [row for step in table.game.steps[entry["steps"] :] for row in step.rows if row[EV_SECRET]]
        table.seen = [before + sum(may_see(row[EV_WHO], seat) for row in secrets) for seat, before in enumerate(table.seen)]
    table.go_back(entry["steps"])
    table.ask = None
    return {"seat": entry["seat"], "steps": taken, "seen": entry["seen"]}


def _undo_asked(table: Table, entry: Entry) -> dict[str, Any]:
    table.ask = Ask(entry["seat"], entry["steps"], table.must_agree(entry["seat"], entry["steps"]))
    return {"seat": entry["seat"], "steps": len(table.game.steps) - entry["steps"]}


def _undo_answered(table: Table, entry: Entry) -> dict[str, Any]:
    assert table.ask is not None
    if entry["agree"]:
        table.ask.waiting.discard(entry["seat"])
    else:
        table.ask = None
    return {"seat": entry["seat"], "agree": entry["agree"]}


def _resigned(table: Table, entry: Entry) -> dict[str, Any]:
    return _leave(table, entry, "resigned")


def _flagged(table: Table, entry: Entry) -> dict[str, Any]:
    return _leave(table, entry, "time")


def _leave(table: Table, entry: Entry, how: str) -> dict[str, Any]:
    seat = table.seats[entry["seat"]]
    seat.out = how
    table.ask = None
    if len(table.seats) == 2:
        table.ended = Result(how, tuple(2 if n == entry["seat"] else 1 for n in range(2)))
    elif seat.bot is None:
        seat.bot = entry["bot"]
    return {"seat": entry["seat"]}


def _bot_takes(table: Table, entry: Entry) -> dict[str, Any]:
    table.seats[entry["seat"]].bot = entry["bot"]
    table.ask = None
    return {"seat": entry["seat"], "bot": entry["bot"], "by": entry["by"]}


def _bot_returns(table: Table, entry: Entry) -> dict[str, Any]:
    table.seats[entry["seat"]].bot = None
    return {"seat": entry["seat"]}


def _sat(table: Table, entry: Entry) -> dict[str, Any]:
    seat = table.seats[entry["seat"]]
    seat.kind, seat.name = "person", entry["name"]
    table.waiting_for = [other for other in table.waiting_for if other != entry["seat"]]
    return {"seat": entry["seat"], "name": entry["name"]}


def _entered(table: Table, entry: Entry) -> dict[str, Any]:
    table.waiting_for = [other for other in table.waiting_for if other != entry["seat"]]
    return {"seat": entry["seat"]}


def _resumed(table: Table, entry: Entry) -> dict[str, Any]:
    return {}


def _rematch(table: Table, entry: Entry) -> dict[str, Any]:
    table.rematch_id = entry["table"]
    return {"table": entry["table"]}


def _reviewed(table: Table, entry: Entry) -> dict[str, Any]:
    table.review = entry["review"]
    return {}


KINDS: dict[str, CarryOut] = {
    "move": _move,
    "undo": _undo,
    "undo_asked": _undo_asked,
    "undo_answered": _undo_answered,
    "resigned": _resigned,
    "flagged": _flagged,
    "bot_takes": _bot_takes,
    "bot_returns": _bot_returns,
    "sat": _sat,
    "entered": _entered,
    "resumed": _resumed,
    "rematch": _rematch,
    "reviewed": _reviewed,
}
