"""What a watcher of Hazel is shown: an allow-list, field by field."""

from __future__ import annotations

from typing import TypedDict

from .knowledge import Knowledge
from .state import HIDDEN, OVER, SEATS
from .story import END_NAMES, SEAT_NAMES


class Player(TypedDict):
    """One seat: its hand by place, the card before it, its tricks."""

    seat: str
    hand: list[str | None]
    table: str | None
    tricks: int


class HazelView(TypedDict):
    """The table as a watcher sees it."""

    game: str
    phase: str
    turn: str | None
    round: int
    rounds: int
    players: list[Player]
    end: str | None


def _card(card: int) -> str | None:
    return "?" if card == HIDDEN else str(card) if card else None


def view_of(k: Knowledge, _watcher: int, _memory: bool) -> HazelView:
    """The view of a watcher: his knowledge hides what he may not see."""
    over = k.phase == OVER
    return {
        "game": "hazel",
        "phase": "over" if over else "lay",
        "turn": None if over else SEAT_NAMES[k.turn],
        "round": k.round,
        "rounds": k.rounds,
        "players": [
            {
                "seat": SEAT_NAMES[seat],
                "hand": [_card(card) for card in k.hand[seat][: k.held]],
                "table": _card(k.table[seat]),
                "tricks": k.tricks[seat],
            }
            for seat in range(SEATS)
        ],
        "end": END_NAMES[1] if over else None,
    }


def draw(view: HazelView) -> str:
    """The table in text."""
    lines = [f"round {view['round']} of {view['rounds']}"]
    for player in view["players"]:
        hand = " ".join(card or "." for card in player["hand"])
        mark = "*" if player["seat"] == view["turn"] else " "
        lines.append(f"{mark} {player['seat']:6} {hand:14} table {player['table'] or '-':3} tricks {player['tricks']}")
    return "\n".join(lines)
