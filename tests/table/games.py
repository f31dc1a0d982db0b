"""A tiny game for three, duck-typed: each in turn names a number, the highest sum after two rounds wins. Everything is open."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from drunemeton.rules.errors import IllegalMove, Reason
from drunemeton.rules.game import Result, find_game


class Numbers:
    name, title, players, seat_names = "numbers", "Numbers", (2, 5), ("red", "blue", "green", "white", "black")
    described = ()
    version = 1

    def __init__(self, seats: Any, options: Any, components: Any, chance: Any) -> None:
        self.seats, self.options, self.chance = seats, dict(options or {}), chance
        self.components: dict[str, Any] = {}
        self.steps = [SimpleNamespace(seat=-1, move="")]
        self.sums = [0] * seats
        self.state = self

    @classmethod
    def check_components(cls, components: Any, options: Any) -> Any:
        return {}

    @classmethod
    def default_components(cls) -> Any:
        return {}

    @classmethod
    def provenance(cls) -> Any:
        return {}

    @property
    def to_move(self) -> Any:
        made = len(self.steps) - 1
        return None if made >= 2 * self.seats else made % self.seats

    @property
    def over(self) -> Any:
        return self.to_move is None

    @property
    def result(self) -> Any:
        return Result("counted", tuple(1 + sum(o > s for o in self.sums) for s in self.sums)) if self.over else None

    def offered(self) -> Any:
        return {} if self.over else {"1": 1, "2": 2}

    def actions(self) -> Any:
        return [] if self.over else [1, 2]

    def parse_move(self, position: Any, text: str) -> Any:
        return int(text) if text.isdigit() else Reason("unreadable")

    def move_text(self, position: Any, action: int) -> Any:
        return str(action)

    def why_not(self, move: str) -> Any:
        return None if int(move) in self.actions() else Reason("unknown")

    def carry_out(self, move: str) -> None:
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMove(str(move), reason)
        self.take(str(move), int(move))

    def take(self, text: str, action: int) -> None:
        self.sums[self.to_move] += action
        self.steps.append(SimpleNamespace(seat=self.to_move, move=text))

    def known_to(self, watcher: int) -> None:
        return None

    def has_decided(self, seat: int, since: int = 0) -> Any:
        return any(step.seat == seat for step in self.steps[since:])

    def can_undo(self, seat: int) -> Any:
        return False

    def rule_now(self, watcher: int) -> None:
        return None

    def tally(self) -> Any:
        return {"seats": [[] for _ in range(self.seats)], "game": []}

    def view(self, watcher: int) -> Any:
        return {"sums": list(self.sums)}

    def events(self, watcher: int, since: int = 0) -> Any:
        return [{"kind": "named", "number": step.move} for step in self.steps[since:]]


def find(name: str) -> Any:
    return Numbers if name == "numbers" else find_game(name)
