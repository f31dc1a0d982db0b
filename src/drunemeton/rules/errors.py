"""What can go wrong, typed: every refusal says what and why, and names the rule or the entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class GameError(ValueError):
    """Something a caller handed in cannot be used; the sentence says what."""


class BadOption(GameError):
    """An option is unknown or out of bounds."""

    def __init__(self, entry: str, problem: str) -> None:
        super().__init__(f"option {entry}: {problem}")
        self.entry = entry


class BadComponents(GameError):
    """A component file holds something that the game cannot be played with."""

    def __init__(self, entry: str, problem: str) -> None:
        super().__init__(f"components, {entry}: {problem}")
        self.entry = entry


class BadOrder(GameError):
    """A shuffle order handed in does not fit the pile."""


@dataclass(frozen=True)
class Reason:
    """Why an action is refused: a code with parameters for the catalogues, and the rule."""

    code: str
    rule: str | None = None
    params: dict[str, Any] = field(default_factory=dict)


class IllegalMove(GameError):
    """A move is not legal now."""

    def __init__(self, move: str, reason: Reason) -> None:
        super().__init__(f"{move}: {reason.code}" + (f" ({reason.rule})" if reason.rule else ""))
        self.move = move
        self.reason = reason


class NotYourTurn(GameError):
    """Another seat must decide, or the game is over."""
