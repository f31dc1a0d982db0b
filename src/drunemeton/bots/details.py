"""What a game was like beyond its end: who began, what everybody had at the end, and which actions he took. `simulate --csv` writes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..observations.layout import file_of
from ..rules.game import Game

Decisions = Sequence[tuple[int, int]]  # every decision of a game: seat, action


class Detail(NamedTuple):
    """By player, except who began, which is a seat."""

    began: int
    points: list[int | None]
    decisions: list[int]
    actions: list[dict[str, int]]


def kinds_of(game: type[Game]) -> list[str]:
    """The kinds of action that a game has, as the description of its actions names them."""
    return [kind.name for kind in file_of(game).ACTION_RANGES]


def detail_of(game: type[Game], state: Any, taken: Decisions, seats: int, turned: int) -> Detail:
    """What became of a game in which everybody sat so many seats further on."""
    ranges = file_of(game).ACTION_RANGES
    counts: list[Counter[str]] = [Counter() for _ in range(seats)]
    for seat, action in taken:
        counts[seat][next(kind.name for kind in reversed(ranges) if action >= kind.first)] += 1
    seat_of = [(player + turned) % seats for player in range(seats)]
    points = [game.points_of(state, seat) for seat in seat_of]
    return Detail(
        taken[0][0] if taken else -1, points, [counts[seat].total() for seat in seat_of], [dict(counts[seat]) for seat in seat_of]
    )
