"""A finished game to be looked at again: for each step what one watcher was told, and how his view changed.

A seat's frames hold what that seat knew at the time and nothing else; `open` shows every card. Views are sent as changes, since a whole
view after each of a thousand steps is a thousand times the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from ..rules.game import Game
from ..rules.kernel import EV_KIND, EV_ORDER, OPEN, SPECTATOR
from ..rules.story import told_to
from . import BadRecord, GameRecord, audit, check_result, plays

Frame = dict[str, Any]
Patch = list[Any]  # [path, value], or [path] for what is gone; `length` as the last name of a path cuts a list


class ReplayTooLong(Exception):
    """Playing the game again takes longer than somebody wants to wait."""


def watcher_of(record: GameRecord, name: str, seat_names: tuple[str, ...]) -> int | None:
    """The watcher of that name: a seat's own, `public` or `open`; None if there is none."""
    seats = {seat: number for number, seat in enumerate(seat_names[: record.seats])}
    return {"public": SPECTATOR, "open": OPEN, **seats}.get(name)


def frame(game: Game, watcher: int, number: int = -1) -> Frame:
    """A step as a watcher was told it. The text of a move may name hidden cards, so it is for the mover and the open view."""
    step = game.steps[number]
    rows = told_to(step.rows, watcher)
    shown = [at for at, row in enumerate(rows) if row[EV_KIND] != EV_ORDER]
    reasons = game.reasons_of([rows[at] for at in shown], decided=step.seat >= 0)
    return {
        "seat": step.seat if step.seat >= 0 else None,
        "move": step.move if watcher in {OPEN, step.seat} else None,
        "events": game.script.events(rows[at] for at in shown),
        "because": [reason.describe() for reason in reasons],
    }


def frames(record: GameRecord, watcher: int, seconds: float | None = None) -> dict[str, Any]:
    """The whole game for one watcher: the view after set-up, and every step with the changes it brought to that view.

    Raises BadRecord where the record does not hold by the rules. Shuffles that do not follow from the secret are told, not raised:
    the game can be looked at all the same.
    """
    if record.result is None:
        raise BadRecord(0, "running")
    until = None if seconds is None else time.monotonic() + seconds

    def in_time() -> None:
        if until is not None and time.monotonic() > until:
            raise ReplayTooLong

    shown: list[Frame] = []
    first: dict[str, Any] = {}
    before: dict[str, Any] = {}
    game: Game | None = None
    for game in plays(record):
        view = game.view(watcher)
        first = first or view
        shown.append({**frame(game, watcher), "turn": game.to_move, "changes": list(changes(before, view)) if before else []})
        before = view
        in_time()
    assert game is not None
    check_result(record, game)
    return {"view": first, "frames": shown, "shuffles": _shuffles(record, game, in_time)}


def _shuffles(record: GameRecord, game: Game, in_time: Callable[[], None]) -> dict[str, Any]:
    try:
        return {"verdict": audit(record, game, in_time), "line": None}
    except BadRecord as problem:
        return {"verdict": problem.code, "line": problem.line}


def changes(old: Any, new: Any, path: tuple[str | int, ...] = ()) -> Iterator[Patch]:
    """What makes the old value the new one, in the order in which it is to be done. (A field keeps its type: 1 and true count as equal.)"""
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in old:
            if name not in new:
                yield [[*path, name]]
        for name, value in new.items():
            if name in old:
                yield from changes(old[name], value, (*path, name))
            else:
                yield [[*path, name], value]
    elif isinstance(old, list) and isinstance(new, list):
        if len(new) < len(old):
            yield [[*path, "length"], len(new)]
        for place, value in enumerate(new):
            if place < len(old):
                yield from changes(old[place], value, (*path, place))
            else:
                yield [[*path, place], value]
    else:
        yield [list(path), new]


def changed(value: Any, done: list[Patch]) -> Any:
    """The value with these changes made to it; what the page does too, and the tests hold the two together."""
    for path, *news in done:
        *way, last = path
        inside = value
        for name in way:
            inside = inside[name]
        if last == "length" and isinstance(inside, list):
            del inside[news[0] :]
        elif isinstance(inside, list) and last == len(inside):
            inside.append(news[0])
        elif news:
            inside[last] = news[0]
        else:
            del inside[last]
    return value
