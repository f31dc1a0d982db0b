"""A tiny game for three, duck-typed: each in turn names a number, the highest sum after two rounds wins. Everything is open."""

from __future__ import annotations

from types import SimpleNamespace

from drunemeton.rules.errors import IllegalMove, Reason
from drunemeton.rules.game import Result, find_game


class Numbers:
    name, title, players, seat_names = "numbers", "Numbers", (2, 5), ("red", "blue", "green", "white", "black")
    described = ()
    version = 1

    def __init__(self, seats, options, components, chance):
        self.seats, self.options, self.components, self.chance = seats, dict(options or {}), {}, chance
        self.steps = [SimpleNamespace(seat=-1, move="")]
        self.sums = [0] * seats
        self.state = self

    @classmethod
    def check_components(cls, components, options):
        return {}

    @classmethod
    def default_components(cls):
        return {}

    @classmethod
    def provenance(cls):
        return {}

    @property
    def to_move(self):
        made = len(self.steps) - 1
        return None if made >= 2 * self.seats else made % self.seats

    @property
    def over(self):
        return self.to_move is None

    @property
    def result(self):
        return Result("counted", tuple(1 + sum(o > s for o in self.sums) for s in self.sums)) if self.over else None

    def offered(self):
        return {} if self.over else {"1": 1, "2": 2}

    def actions(self):
        return [] if self.over else [1, 2]

    def parse_move(self, position, text):
        return int(text) if text.isdigit() else Reason("unreadable")

    def move_text(self, position, action):
        return str(action)

    def why_not(self, move):
        return None if int(move) in self.actions() else Reason("unknown")

    def carry_out(self, move):
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMove(str(move), reason)
        self.take(str(move), int(move))

    def take(self, text, action):
        self.sums[self.to_move] += action
        self.steps.append(SimpleNamespace(seat=self.to_move, move=text))

    def known_to(self, watcher):
        return None

    def can_undo(self, seat):
        return False

    def view(self, watcher):
        return {"sums": list(self.sums)}

    def events(self, watcher, since=0):
        return [{"kind": "named", "number": step.move} for step in self.steps[since:]]


def find(name):
    return Numbers if name == "numbers" else find_game(name)
