"""Moves of Hazel as text, and why one is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import Reason
from .state import ACTIONS, HAND, NO_CARD, State

_LAY = re.compile(r"lay (\d+)")


def move_text(s: State, action: int) -> str:
    """`lay 7`."""
    return f"lay {s.hand[s.turn][action]}"


def parse_move(s: State, text: str) -> int | Reason:
    """The action that a text names, or why it names none."""
    found = _LAY.fullmatch(" ".join(text.lower().split()))
    if not found:
        return Reason("hz.unreadable", "HZ-2.2")
    card = int(found[1])
    if card == NO_CARD or card not in s.hand[s.turn]:
        return Reason("hz.not_in_hand", "HZ-2.2", {"card": card})
    return s.hand[s.turn].index(card)


def refusal(s: State, action: int) -> Reason:
    """Why an action is not legal."""
    if not 0 <= action < ACTIONS:
        return Reason("hz.no_such_place", "HZ-2.2", {"places": HAND})
    return Reason("hz.empty_place", "HZ-2.2", {"place": action + 1})


def order_cards(pile: str, texts: Sequence[str]) -> list[int]:
    """The cards of a shuffle order."""
    return [int(text) for text in texts]
