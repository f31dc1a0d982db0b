"""What a position is worth to each seat, on what one seat knows: behind hints, reviews and puzzles alike.

The search says it, and a calibration fitted to many games makes chances of what it says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..bots import LEVELS, strength_of
from ..bots.search import Considered, Searcher
from ..rules.game import Game
from .calibration import Calibration, calibration_of

SURE = 1.96  # standard errors to either side of a 95 % interval


@dataclass(frozen=True)
class Valued:
    """Every seat's chance to win, and the half-width of the 95 % interval of each."""

    chances: tuple[float, ...]
    within: tuple[float, ...]


class Appraiser:
    """Appraises positions of one game. Not for two threads at once."""

    def __init__(self, game: type[Game], simulations: int, *, trees: int = 1, calibration: Calibration | None = None) -> None:
        self.game, self._calibration = game, calibration
        self.searcher = Searcher(game, replace(strength_of(game, LEVELS[-1]), simulations=simulations, threads=trees))
        self.engine = self.searcher.engine

    def calibration(self, seats: int) -> Calibration:
        """What makes chances of the search's shares at a table of so many."""
        return self._calibration or calibration_of(self.game.name, seats)

    def value(self, knows: Any, *, seed: int) -> Valued:
        """Every seat's chance, from the knowledge in a box."""
        found = self.searcher.chances_in(knows, seed=seed)
        turn = int(self.engine.to_move(knows))
        chances = self.calibration(len(found)).chances([one for one, _ in found], turn)
        return Valued(tuple(chances), tuple(SURE * error for _, error in found))

    def moves(self, knows: Any, *, seed: int) -> list[Considered]:
        """Every action of the seat on turn, the most visited first, with its calibrated chance to win after it."""
        turn = int(self.engine.to_move(knows))
        self.searcher.forget()
        considered = self.searcher.consider_in(knows, seed=seed)
        seats = self.searcher.seats_in(knows)
        return [replace(one, value=self._chance(one.value, seats, turn)) for one in considered]

    def _chance(self, raw: float, seats: int, turn: int) -> float:
        """One seat's chance, all others being alike."""
        shares = [(1.0 - raw) / (seats - 1)] * seats
        shares[turn] = raw
        return self.calibration(seats).chances(shares, turn)[turn]
