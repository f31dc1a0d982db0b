"""What can go wrong, typed: every refusal says what and why, and names the rule or the entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class GameError(ValueError):
    """Something a caller handed in cannot be used; the sentence says what."""


def reach(low: int, high: int) -> str:
    """What may stand between two bounds, as it is said: a single number where they are one."""
    return str(low) if low == high else f"{low} to {high}"


# What can be wrong with an entry of any game; each adds its own (`Game.problems`). The catalogues say it to readers, under `problem.CODE`.
PROBLEMS = {
    "range": "{value!r} is not a whole number from {low} to {high}",
    "range_one": "{value!r} cannot stand here; only {low} can",
    "none_of": "{value!r} is none of {known}",
    "not_bool": "{value!r} is neither true nor false",
    "not_cards": "{value!r} is not a list of cards, which are written like {example}",
    "unknown": "unknown; what can stand here: {known}",
    "missing": "is missing",
    "not_parts": "{value!r} cannot stand for the whole: this entry has parts of its own, such as {example}",
    "no_entry": "there is no such entry to change",
    "no_seat": "{value} is no seat; with {seats} players they are 0 to {last}",
    "players": "{seats} cannot play this game, it takes {low} to {high}",
    "players_one": "{seats} cannot play this game, it takes {low}",
    "file": "cannot be read: {problem}",
    "not_toml": "is not TOML: {problem}",
    "name": "a name has at most {most} printable characters",
    "open_seats": "whoever types a seed knows every card: not at a table with open seats",
}


class BadEntry(GameError):
    """Something within options or components is wrong: which entry, a code, and its parameters for the catalogues."""

    said = ""

    def __init__(self, entry: str, code: str, **params: Any) -> None:
        if f"{code}_one" in PROBLEMS and params.get("low") == params.get("high"):
            code = f"{code}_one"
        shown = {name: ", ".join(map(str, value)) if name == "known" else value for name, value in params.items()}
        super().__init__(f"{self.said} {entry}: {PROBLEMS[code].format(**shown)}")
        self.entry, self.code, self.params = entry, code, params


class BadOption(BadEntry):
    """An option is unknown or out of bounds."""

    said = "option"


class BadComponents(BadEntry):
    """A component file holds something that the game cannot be played with."""

    said = "components,"


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
