"""Options: described once, with type, default, bounds and words; forms, `--help` and checks come from the description.

A changed ruling is a new value, or a new option with a `former` value: what was recorded before it came is played as it was then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from .errors import BadOption, reach

Options = dict[str, Any]
AS_NOW = object()


@dataclass(frozen=True)
class Option:
    """One option of a game."""

    name: str
    default: Any
    help: str
    rule: str
    low: int = 0
    high: int = 0
    choices: Sequence[str] = ()
    example: str = ""
    """How cards are written, where it is a list of cards."""
    seat: bool = False
    """Its value is a seat; the default stands for none of them."""
    former: Any = AS_NOW
    """What games were played by before this option came, where that is not the default."""

    @property
    def kind(self) -> str:
        """`choice`, `bool`, `cards` or `int`."""
        if self.choices:
            return "choice"
        return {bool: "bool", int: "int", list: "cards"}[type(self.default)]

    def values(self) -> str:
        """The values in one line, the default first."""
        if self.kind == "choice":
            return " | ".join([str(self.default), *(choice for choice in self.choices if choice != self.default)])
        if self.kind == "int":
            return f"{self.default} ({reach(self.low, self.high)})"
        return {"bool": str(self.default).lower(), "cards": "[]"}[self.kind]

    def check(self, value: Any) -> Any:
        """The value if it is one of this option's; an error that names the option otherwise."""
        if self.kind == "choice":
            if value not in self.choices:
                raise BadOption(self.name, "none_of", value=value, known=list(self.choices))
        elif self.kind == "bool":
            if not isinstance(value, bool):
                raise BadOption(self.name, "not_bool", value=value)
        elif self.kind == "int":
            if not isinstance(value, Integral) or value is True or value is False or not self.low <= int(value) <= self.high:
                raise BadOption(self.name, "range", value=value, low=self.low, high=self.high)
            return int(value)  # NumPy's numbers, too
        elif not isinstance(value, list) or not all(isinstance(card, str) for card in value):
            raise BadOption(self.name, "not_cards", value=value, example=self.example)
        return value

    def describe(self) -> dict[str, Any]:
        """This option as data, for forms."""
        described: dict[str, Any] = {"name": self.name, "kind": self.kind, "default": self.default, "rule": self.rule}
        if self.kind == "int":
            described |= {"low": self.low, "high": self.high}
        if self.kind == "choice":
            described["choices"] = list(self.choices)
        if self.kind == "cards":
            described["example"] = self.example
        if self.seat:
            described["seat"] = True
        return described


def complete(described: Sequence[Option], given: Mapping[str, Any] | None) -> Options:
    """All options of a new game with their values: those given, checked, and the defaults for the rest."""
    by_name = {option.name: option for option in described}
    for name in given or {}:
        if name not in by_name:
            raise BadOption(name, "unknown", known=list(by_name))
    return {name: option.check((given or {}).get(name, option.default)) for name, option in by_name.items()}


def recorded(described: Sequence[Option], named: Mapping[str, Any]) -> Options:
    """All options of a game that was begun before: those that its record or table names, and the former values of the rest."""
    formers = {option.name: option.default if option.former is AS_NOW else option.former for option in described}
    return complete(described, {**formers, **named})
