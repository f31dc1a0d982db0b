"""Levels: how strong a searching bot is, as numbers that do not depend on the machine, and what was measured of it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from hashlib import blake2b
from pathlib import Path

MEASURED = Path(__file__).with_name("measured.json")
PLAYS = Path(__file__).with_name("plays.json")
LEARNT = Path(__file__).with_name("learnt")
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
    judgement: str = ""  # what was learnt, by name or path; if empty, the game's outlook judges


@dataclass(frozen=True)
class Learnt:
    """How a player that taught itself decides: by one look at what it knows, with what a run of `drunemeton train` left behind."""

    weights: str  # the name of its file
    seats: tuple[int, ...]  # with how many players it is stronger than any search
    anyhow: tuple[str, ...] = ()  # options that make no difference to it; it learnt with the others, and the components, as they come

    @property
    def path(self) -> Path:
        """The file of its weights."""
        return LEARNT / f"{self.weights}.npz"


@dataclass(frozen=True)
class Rating:
    """A measured strength in Elo, with the half-width of its 95 % interval."""

    elo: float
    within: float
    mark: str | None = None  # of the strength that was measured


def mark_of(game: str, strength: Strength | Learnt) -> str:
    """A short name for exactly this way to play: games are counted together only if the marks agree.

    It follows from the strength and from what the search does, not from how that is written.
    """
    if isinstance(strength, Learnt):
        return blake2b(strength.path.read_bytes(), digest_size=3).hexdigest()
    *written, judgement = astuple(strength)
    what = f"{tuple(written)}{_plays().get(game)}" + (judgement_path(judgement).read_text(encoding="utf-8") if judgement else "")
    return blake2b(what.encode(), digest_size=3).hexdigest()


def judgement_path(name: str) -> Path:
    """The file in which something learnt is kept: of that name in this house, or at that path."""
    return Path(name) if name.endswith(".json") else LEARNT / f"{name}.json"


@functools.cache
def _plays() -> Mapping[str, str]:
    """For each game what `behaviour` says of its search."""
    return json.loads(PLAYS.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


@functools.cache
def measured(game: str) -> Mapping[str, Rating]:
    """What a ladder found for a game's bots."""
    if not MEASURED.exists():
        return {}
    entries = json.loads(MEASURED.read_text(encoding="utf-8")).get(game, {})
    return {name: Rating(entry["elo"], entry["within"], entry["mark"]) for name, entry in entries.items()}
