"""Who sits where, and what a name may be."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..rules.errors import BadOption

SEAT_KINDS = ("person", "bot", "open")
NAME_LENGTH = 40
# Letters and signs that draw nothing: a name with them looks like no name, or like another's.
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0")
MARKS = {"Mn", "Me", "Zs"}  # what changes other letters, and draws nothing alone


@dataclass
class Seat:
    """Who sits there, and who plays for him."""

    kind: str  # whose seat it is: person, bot, or open
    name: str
    bot: str | None = None  # the bot that plays here now
    out: str | None = None  # resigned, or time: a person's seat that a bot plays to the end

    def describe(self) -> dict[str, Any]:
        """The seat as everybody may know it."""
        return {"kind": self.kind, "name": self.name, "bot": self.bot, "out": self.out}


def check_name(entry: str, name: Any) -> str:
    """A name that can be shown on one line."""
    if not isinstance(name, str) or len(name) > NAME_LENGTH or not name.isprintable() or not INVISIBLE.isdisjoint(name):
        raise BadOption(entry, "name", most=NAME_LENGTH)
    if name.strip() and all(unicodedata.category(letter) in MARKS for letter in name):
        raise BadOption(entry, "name", most=NAME_LENGTH)
    return name.strip()


def check_seat(number: int, seat: Mapping[str, Any]) -> Seat:
    """A seat as it was asked for, checked."""
    kind = seat.get("kind")
    if kind not in SEAT_KINDS:
        raise BadOption(f"seats.{number}.kind", "none_of", value=kind, known=list(SEAT_KINDS))
    bot = seat.get("bot") if kind == "bot" else None
    if kind == "bot" and (not isinstance(bot, str) or not bot):
        raise BadOption(f"seats.{number}.bot", "missing")
    return Seat(kind, check_name(f"seats.{number}.name", seat.get("name") or ""), bot)
