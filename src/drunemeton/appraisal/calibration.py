"""From what a search thinks to what happens: a map fitted to many games, so that positions called 70 % are won 70 %.

`data/GAME.json` holds it for each number of players, made by `python -m drunemeton.appraisal.fitting`; a second one is for what is thought
at a glance (`glance.py`).
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).with_name("data")
SURE = 1e-4  # nothing is surer than this before the end


@dataclass(frozen=True)
class Calibration:
    """Log chances are taken so many times; whoever is on turn gets a little on top of his."""

    sharpness: float = 1.0
    turn: float = 0.0

    def chances(self, raw: Sequence[float], turn: int) -> list[float]:
        """The chances that a search's shares stand for."""
        logs = [self.sharpness * math.log(min(1.0, max(SURE, one))) + (self.turn if seat == turn else 0.0) for seat, one in enumerate(raw)]
        most = max(logs)
        odds = [math.exp(one - most) for one in logs]
        return [one / sum(odds) for one in odds]


@functools.cache
def calibration_of(game: str, seats: int, table: str = "seats") -> Calibration:
    """What was fitted for a game with so many players; the search's own word for a game or a number that nobody has measured."""
    path = DATA / f"{game}.json"
    if not path.is_file():
        return Calibration()
    told = json.loads(path.read_text(encoding="utf-8")).get(table, {}).get(str(seats))
    return Calibration(told["sharpness"], told["turn"]) if told else Calibration()
