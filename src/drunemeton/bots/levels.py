"""Levels: how strong a searching bot is, as numbers that do not depend on the machine, and what was measured of it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from hashlib import blake2b
from pathlib import Path

MEASURED = Path(__file__).with_name("measured.json")
ANCHOR = 1500  # Elo of greedy@1, by definition; figures of different games cannot be compared
LONGEST = 400  # decisions along a path of a search's tree


@dataclass(frozen=True)
class Strength:
    """How a search thinks: so many simulations for a decision, how it weighs them, and its weaknesses."""

    simulations: int
    horizon: int = 0  # decisions beyond the tree before the position is judged
    overlook: int = 0  # of 1000: how often an action is not even considered
    deepest: int = LONGEST  # decisions ahead that the tree may grow
    threads: int = 1
    explore: float = 0.5
    trust: float = 4.0  # visits that the first outlook is worth
    ripe: int = 2  # visits after which a node opens

    @property
    def mark(self) -> str:
        """A short name for exactly this strength: games are counted together only if the marks agree."""
        return blake2b(repr(astuple(self)).encode(), digest_size=3).hexdigest()


@dataclass(frozen=True)
class Rating:
    """A measured strength in Elo, with the half-width of its 95 % interval."""

    elo: float
    within: float
    mark: str | None = None  # of the strength that was measured


@functools.cache
def measured(game: str) -> Mapping[str, Rating]:
    """What a ladder found for a game's bots."""
    if not MEASURED.exists():
        return {}
    entries = json.loads(MEASURED.read_text(encoding="utf-8")).get(game, {})
    return {name: Rating(entry["elo"], entry["within"], entry["mark"]) for name, entry in entries.items()}
