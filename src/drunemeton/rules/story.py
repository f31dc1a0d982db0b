"""From rows of integers to events with names: the form in which the log, the browser and records tell a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .kernel import EV_A, EV_KIND, EV_ORDER, EV_SECRET, EV_SHUFFLED, EV_WHO, NOBODY, OPEN

Told = str | int | list[Any] | None
Event = dict[str, Any]
EventRow = list[int]
Line = tuple[str, Mapping[str, Callable[[int], Told]], str | None, str | Callable[[EventRow], str]]
"""An event's name, its fields in the order A to D, the name of its secret, and the rule it carries out, which may depend on the row."""


@dataclass(frozen=True)
class Script:
    """How one game's events read."""

    prefix: str
    piles: Sequence[str]
    card: Callable[[int], str | None]
    lines: Mapping[int, Line]

    def event(self, row: EventRow) -> Event:
        """One row as a named event."""
        kind = row[EV_KIND]
        if kind == EV_SHUFFLED:
            return {"kind": "shuffled", "pile": self.piles[row[EV_A]], "cards": row[EV_A + 1]}
        if kind == EV_ORDER:
            return {"kind": "order", "place": row[EV_A] + 1, "card": self.card(row[EV_SECRET])}
        name, fields, secret, rule = self.lines[kind]
        event: Event = {"kind": name, "rule": rule if isinstance(rule, str) else rule(row)}
        for offset, (field, read) in enumerate(fields.items()):
            event[field] = read(row[EV_A + offset])
        if secret is not None:
            event[secret] = self.card(row[EV_SECRET])
        return event

    def events(self, rows: Sequence[EventRow]) -> list[Event]:
        """Rows as named events."""
        return [self.event(row) for row in rows]


def told_to(rows: Sequence[EventRow], watcher: int) -> list[EventRow]:
    """The rows as one watcher is told them: secrets of others blanked, what is for nobody left out.

    A row told to a watcher never says who else knows: two watchers are told the same rows, but for what they may not see.
    """
    if watcher == OPEN:
        return [list(row) for row in rows]
    told = []
    for row in rows:
        if row[EV_WHO] == NOBODY:
            continue
        copy = list(row)
        if not row[EV_WHO] >> watcher & 1:
            copy[EV_SECRET] = 0
        copy[EV_WHO] = 0
        told.append(copy)
    return told


def orders_in(rows: Sequence[EventRow]) -> list[tuple[int, list[int]]]:
    """The shuffles among the rows: pile, and its cards in the order in which they will be drawn."""
    orders: list[tuple[int, list[int]]] = []
    for row in rows:
        if row[EV_KIND] == EV_SHUFFLED:
            orders.append((row[EV_A], []))
        elif row[EV_KIND] == EV_ORDER:
            orders[-1][1].append(row[EV_SECRET])
    return orders
