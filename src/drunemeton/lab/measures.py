"""What is measured: a row of whole numbers that was kept of a game becomes figures with names.

A name has two parts: `length.turns`, `end.points`, `seat.sun`, `use.card 5`. Nothing here knows a game: kinds of end, seats, things and
points are what the game itself names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..rules.game import Game
from .things import Things
from .watch import BEGAN, BITS, DECISIONS, DRAMA, END, HEAD, LEADS, NARROW, OPEN, OPTIONS, TURNS

SECONDS, PER_BIT = 2.0, 1.5  # that a person takes for a decision: reading what there is, and each halving of the options (Hick's law)
MINUTE = 60.0
SHARES = ("end", "seat", "player", "starter", "luck")


class Measurable(NamedTuple):
    """Who is measured: the game, how many seats, whether players differ, and what can be named."""

    game: type[Game]
    seats: int
    players: tuple[str, ...]
    things: Things

    @property
    def unlike(self) -> bool:
        """Whether it matters who sits where."""
        return len(set(self.players)) > 1


def names(shape: Measurable) -> list[str]:
    """The names of all measures, in order."""
    game = shape.game
    seats = [game.seat_names[seat] for seat in range(shape.seats)]
    return [
        "length.turns",
        "length.decisions",
        "length.minutes",
        *(f"end.{end}" for end in game.ends if end),
        "end.unfinished",
        "end.shared",
        *(f"seat.{seat}" for seat in seats),
        "starter.wins",
        *(f"player.{n + 1}" for n in range(shape.seats) if shape.unlike),
        "points.winner",
        "points.margin",
        "open.until",
        "open.lead changes",
        "open.drama",
        "choice.options",
        "choice.narrow",
        *(f"use.{thing}" for thing in shape.things.names),
        *(f"pays.{thing}" for thing in shape.things.names),
    ]


def values(shape: Measurable, row: Sequence[int], turned: int) -> list[float]:
    """The measures of one game."""
    game, seats = shape.game, shape.seats
    places = row[HEAD : HEAD + seats]
    points = row[HEAD + seats : HEAD + 2 * seats]
    uses = row[HEAD + 2 * seats :]
    over = row[END] >= 0
    winners = [seat for seat in range(seats) if places[seat] == 1] if over else []
    won = [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
    decisions = max(row[DECISIONS], 1)
    ends = [float(over and game.ends[row[END]] == end) for end in game.ends if end]
    found = [float(row[TURNS]), float(row[DECISIONS]), minutes(shape.things.pace, row)]
    found += [*ends, float(not over), float(len(winners) > 1)]
    found += won
    found.append(won[row[BEGAN]] if row[BEGAN] >= 0 else 0.0)
    if shape.unlike:
        found += [won[(player + turned) % seats] for player in range(seats)]
    best = max((points[seat] for seat in winners), default=max(points))
    rest = [points[seat] for seat in range(seats) if seat not in winners]
    found += [float(best), float(best - max(rest)) if rest else 0.0]
    found += [row[OPEN] / 1000, float(row[LEADS]), row[DRAMA] / 1000]
    found += [row[OPTIONS] / decisions, row[NARROW] / decisions]
    by_thing = [uses[n : n + seats] for n in range(0, len(uses), seats)]
    found += [float(sum(one)) for one in by_thing]
    found += [_pays(one, winners, seats) for one in by_thing]
    return found


def minutes(pace: float, row: Sequence[int]) -> float:
    """How long people would take: for each turn at the game's pace, and for its decisions."""
    return (pace * row[TURNS] + SECONDS * row[DECISIONS] + PER_BIT * row[BITS]) / MINUTE


def _pays(uses: Sequence[int], winners: Sequence[int], seats: int) -> float:
    """How much oftener a winner used something than the others did; nothing where all share the first place."""
    if not winners or len(winners) == seats:
        return 0.0
    return sum(uses[seat] for seat in winners) / len(winners) - sum(uses[seat] for seat in range(seats) if seat not in winners) / (
        seats - len(winners)
    )


def is_share(name: str) -> bool:
    """Whether a measure is a share, to be told in per cent."""
    return name.partition(".")[0] in SHARES or name in ("open.until", "open.drama", "choice.narrow")


def shown(name: str, value: float, *, sign: bool = False) -> str:
    """A figure as it is told."""
    plus = "+" if sign else ""
    if is_share(name):
        return f"{100 * value:{plus}.1f} %"
    return f"{value:{plus}.2f}" if abs(value) < 10 else f"{value:{plus}.1f}"


def luck(first: Any, second: Any) -> dict[str, float]:
    """Of two players' mirrored deals (the first player's result from either seat): what skill decided, what the deal did, and the rest.

    The variance of a result around one half is a quarter. The square of the mean advantage is skill; what a seat wins whoever sits
    there is the luck of the deal; what remains are chances within the game and within the players.
    """
    mean = float((first + second).mean()) / 2
    skill = (mean - 0.5) ** 2 / 0.25
    together = float(((first - first.mean()) * ((1 - second) - (1 - second).mean())).mean()) / 0.25
    seat = (float(first.mean()) - float(second.mean())) ** 2 / 4 / 0.25
    deal = max(0.0, together)
    return {"skill": skill, "seat": seat, "deal": deal, "rest": max(0.0, 1 - skill - seat - deal)}
