"""Changes that are planted, to see whether the laboratory finds and names them, and finds nothing where nothing was planted.

Cards of one value are added to a deck: what is named is that this value is played more. Or a seat is given a bonus, strong cards for weak
ones: what is named is that this seat wins more. Where nothing is planted, players only choose otherwise among what they think equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from drunemeton.lab.experiment import Experiment, Setting
from drunemeton.lab.running import Run
from drunemeton.rules.game import Game


class Planting(NamedTuple):
    """What was changed, and the measure that must be named, with its sign."""

    components: Mapping[str, Any]
    measure: str
    sign: int


def decks(game: type[Game]) -> list[str]:
    """The seats whose cards are tables of counts among the components."""
    return [seat for seat in game.seat_names if isinstance(game.default_components().get(seat), dict)]


def plantings(game: type[Game]) -> list[Planting]:
    """Twenty of them: ten values of one arrow in a seat's deck, and ten bonuses."""
    found: list[Planting] = []
    for seat in decks(game):
        cards = sorted(game.default_components()[seat])
        values = sorted({card[0] for card in cards})
        for value in values:
            found.append(Planting({f"{seat}.{value}{cards[0][1]}": 9}, f"use.card {value}", 1))
        top, low = values[-1], values[0]
        for n in range(5):
            weak = {f"{seat}.{top}{arrow}": n % 2 for arrow in "<>"} | {f"{seat}.{low}{arrow}": 9 + n for arrow in "<>"}
            other = next(name for name in decks(game) if name != seat)
            found.append(Planting(weak | {f"{seat}.{values[-2]}{arrow}": 0 for arrow in "<>"}, f"seat.{other}", 1))
    return found


def found(game: type[Game], planting: Planting, deals: int, seed: int, *, processes: int = 1) -> bool:
    """Whether a planting is among the findings, by its name."""
    players = ("greedy",) * game.players[0]
    settings = Setting("default", players), Setting("planted", players, {}, planting.components)
    result = Run(Experiment(game.name, settings, deals, seed), processes=processes).run()
    return any(one["measure"] == planting.measure and one["mean"] * planting.sign > 0 for one in result.data["findings"])


def false_findings(game: type[Game], deals: int, seed: int, salt: int, *, processes: int = 1) -> int:
    """How many findings there are where nothing was planted."""
    players = ("greedy",) * game.players[0]
    settings = Setting("default", players), Setting("nothing", players, salt=salt)
    return len(Run(Experiment(game.name, settings, deals, seed), processes=processes).run().data["findings"])
