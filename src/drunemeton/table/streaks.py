"""Who keeps winning among the same players, and what that may cost in the next game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rules.game import Game, Result


def streaks_after(series: Mapping[str, Any], result: Result) -> list[int]:
    """How many games in a row each seat's player has won; a loss ends it, and a first place that all share."""
    seats = len(result.places)
    before = series.get("streaks", [0] * seats)
    won = set(result.winners) if len(result.winners) < seats else set()
    return [before[seat] + 1 if seat in won else 0 for seat in range(seats)]


def left_out(game_type: type[Game], series: Mapping[str, Any], result: Result | None) -> list[list[list[str]]]:
    """Of each seat: what its player leaves out in a rematch with a handicap, one of each list; nothing before the end."""
    if result is None or game_type.handicap is None:
        return []
    return [game_type.handicap.choices(streak) for streak in streaks_after(series, result)]
