"""From rows of integers to events with names: the form in which the log, the browser and records tell a game."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from .kernel import EV_A, EV_B, EV_KIND, EV_ORDER, EV_SECRET, EV_SHUFFLED, EV_WHO, EVERYBODY, NOBODY, OPEN, may_see

NAMED = 20_000  # so many events are kept by name: the same few thousand happen again and again

Told = str | int | list[Any] | None
Event = dict[str, Any]
EventRow = tuple[int, ...]
EventForm = tuple[str, Mapping[str, Callable[[int], Told]], str | None, str | Callable[[EventRow], str]]
"""An event's name, its fields in the order A to D, the name of its secret, and the rule it carries out, which may depend on the row."""


class Share(TypedDict):
    """One thing that a seat's result is made of; the first of a seat's shares is what decides."""

    code: str
    count: int
    of: int | None  # out of so many
    points: int | None  # that it counts for


class Tally(TypedDict):
    """What a result is made of: seat by seat, and of the game as a whole."""

    seats: list[list[Share]]
    game: list[Share]


def share(code: str, count: int, *, of: int | None = None, points: int | None = None) -> Share:
    """A share in what a seat has reached."""
    return {"code": code, "count": count, "of": of, "points": points}


@dataclass(frozen=True)
class Script:
    """How one game's events read."""

    prefix: str
    piles: Sequence[str]
    card: Callable[[int], str | None]
    lines: Mapping[int, EventForm]
    _named: dict[tuple[int, ...], Event] = dataclasses.field(default_factory=dict, init=False, compare=False, repr=False)

    def event(self, row: EventRow) -> Event:
        """One row as a named event. The same row always is the same object, so nobody may change it."""
        event = self._named.get(row)
        if event is None:
            if len(self._named) >= NAMED:
                self._named.clear()
            event = self._named[row] = self._name(row)
        return event

    def _name(self, row: EventRow) -> Event:
        kind = row[EV_KIND]
        if kind == EV_SHUFFLED:
            return {"kind": "shuffled", "pile": self.piles[row[EV_A]], "cards": row[EV_B]}
        if kind == EV_ORDER:
            return {"kind": "order", "place": row[EV_A] + 1, "card": self.card(row[EV_SECRET])}
        name, fields, secret, rule = self.lines[kind]
        event: Event = {"kind": name, "rule": rule if isinstance(rule, str) else rule(row)}
        for offset, (field, read) in enumerate(fields.items()):
            event[field] = read(row[EV_A + offset])
        if secret is not None:
            event[secret] = self.card(row[EV_SECRET])
        return event

    def events(self, rows: Iterable[EventRow]) -> list[Event]:
        """Rows as named events."""
        named = self._named
        return [named.get(row) or self.event(row) for row in rows]


def told_to(rows: Sequence[Sequence[int]], watcher: int) -> list[EventRow]:
    """The rows as one watcher is told them: secrets of others blanked, what is for nobody left out.

    A row told to a watcher never says who else knows: two watchers are told the same rows, but for what they may not see.
    """
    if watcher == OPEN:
        return [tuple(row) for row in rows]
    return [
        (kind, 0, a, b, c, d, secret if secret and may_see(who, watcher) else 0) for kind, who, a, b, c, d, secret in rows if who != NOBODY
    ]


def told_alike(rows: Sequence[Sequence[int]]) -> bool:
    """Whether all watchers are told the same: whoever is told a row is told what it says of a card."""
    for row in rows:
        if row[EV_SECRET] and row[EV_WHO] != EVERYBODY and row[EV_WHO] != NOBODY:
            return False
    return True


def orders_in(rows: Sequence[Sequence[int]]) -> list[tuple[int, list[int]]]:
    """The shuffles among the rows: pile, and its cards in the order in which they will be drawn."""
    orders: list[tuple[int, list[int]]] = []
    for row in rows:
        if row[EV_KIND] == EV_SHUFFLED:
            orders.append((row[EV_A], []))
        elif row[EV_KIND] == EV_ORDER:
            orders[-1][1].append(row[EV_SECRET])
    return orders
