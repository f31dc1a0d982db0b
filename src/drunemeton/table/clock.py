"""Clocks: none, so many seconds for each decision, or so many for the whole game. Time is handed in, in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..rules.errors import BadOption

KINDS = ("none", "move", "game")
LONGEST = 30 * 24 * 3600  # a month: correspondence


@dataclass(frozen=True)
class ClockRules:
    """What kind of clock a table has."""

    kind: str = "none"
    seconds: int = 0

    @classmethod
    def check(cls, given: dict[str, Any] | None) -> ClockRules:
        """The clock that was asked for, checked."""
        if not given:
            return cls()
        kind, seconds = given.get("kind", "none"), given.get("seconds", 0)
        if kind not in KINDS:
            raise BadOption("clock.kind", "none_of", value=kind, known=list(KINDS))
        if kind == "none":
            return cls()
        if not isinstance(seconds, int) or isinstance(seconds, bool) or not 1 <= seconds <= LONGEST:
            raise BadOption("clock.seconds", "range", value=seconds, low=1, high=LONGEST)
        return cls(kind, seconds)

    def describe(self) -> dict[str, Any]:
        """The clock as data."""
        return {"kind": self.kind, "seconds": self.seconds}


class Clock:
    """The time that each seat has left; at most one seat's runs."""

    def __init__(self, rules: ClockRules, seats: int) -> None:
        self.rules = rules
        self.left = [rules.seconds * 1000] * seats
        self.running: int | None = None
        self.since = 0

    def run(self, seat: int | None, now: int, *, fresh: bool, again: int | None = None) -> None:
        """Charge whoever was running, and let a seat's time run from now on.

        `fresh`: a new decision begins. `again`: the seat is back at a decision for which it had so much left.
        """
        if self.rules.kind == "none":
            return
        self.left = self.left_at(now)
        if fresh and self.rules.kind == "move":
            self.left = [self.rules.seconds * 1000] * len(self.left)
        if seat is not None and again is not None and self.rules.kind == "move":
            self.left[seat] = again
        self.running = seat
        self.since = now

    def resume(self, now: int) -> None:
        """Go on after a time when nobody could play: nobody is charged for it."""
        self.since = now

    def left_at(self, now: int) -> list[int]:
        """Milliseconds left to each seat."""
        spent = max(0, now - self.since)
        return [max(0, left - spent) if seat == self.running else left for seat, left in enumerate(self.left)]

    @property
    def deadline(self) -> int | None:
        """When the running seat's time is up."""
        return None if self.running is None else self.since + self.left[self.running]
