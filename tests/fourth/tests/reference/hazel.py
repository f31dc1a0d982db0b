"""A plain reference for Hazel, written from its rules (HZ-...) alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Shuffle = Callable[[str, list[str]], list[str]]


class Reference:
    """One game of Hazel."""

    def __init__(self, options: dict[str, Any], components: dict[str, Any], seats: int, shuffle: Shuffle) -> None:
        self.shuffle = shuffle
        self.rounds = options.get("rounds", 6)
        self.nuts = [str(n + 1) for n in range(components["cards"])]
        self.round = 0
        self.tricks = [0, 0, 0]
        self.leader = 0
        self.hands: list[list[str]] = [[], [], []]
        self.trick: list[tuple[int, str]] = []
        self.deal()

    def deal(self) -> None:
        """HZ-1.2."""
        self.round += 1
        order = self.shuffle("nuts", self.nuts)
        each = len(order) // 3
        self.hands = [order[seat * each : (seat + 1) * each] for seat in range(3)]

    def on_turn(self) -> int:
        """HZ-2.1, 2.2: clockwise from the leader."""
        return (self.leader + len(self.trick)) % 3

    def over(self) -> bool:
        """HZ-3.2."""
        return self.round == self.rounds and not any(self.hands) and not self.trick

    def to_move(self) -> int | None:
        """Who decides."""
        return None if self.over() else self.on_turn()

    def legal(self) -> set[str]:
        """HZ-2.2."""
        return set() if self.over() else {f"lay {card}" for card in self.hands[self.on_turn()]}

    def play(self, move: str) -> None:
        """HZ-2.2, 2.4."""
        self.lay(move.split()[1])
        while not self.over() and len(self.hands[self.on_turn()]) == 1:
            self.lay(self.hands[self.on_turn()][0])

    def lay(self, card: str) -> None:
        """HZ-2.2, 2.3."""
        seat = self.on_turn()
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == 3:
            self.leader = max(self.trick, key=lambda one: int(one[1]))[0]
            self.tricks[self.leader] += 1
            self.trick = []
            if not any(self.hands) and self.round < self.rounds:
                self.deal()

    def state(self) -> dict[str, Any]:
        """The whole state as plain data."""
        return {"hands": self.hands, "tricks": self.tricks, "round": self.round, "table": dict(self.trick)}

    def result(self) -> dict[str, Any] | None:
        """HZ-3.3."""
        if not self.over():
            return None
        return {"end": "rounds", "places": [1 + sum(other > mine for other in self.tricks) for mine in self.tricks]}
