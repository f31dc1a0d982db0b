"""Levels: how strong a searching bot is, as numbers that do not depend on the machine, and what was measured of it."""

from __future__ import annotations

import ast
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


@dataclass(frozen=True)
class Rating:
    """A measured strength in Elo, with the half-width of its 95 % interval."""

    elo: float
    within: float
    mark: str | None = None  # of the strength that was measured


def mark_of(game: str, strength: Strength) -> str:
    """A short name for exactly this way to play: games are counted together only if the marks agree."""
    return blake2b(f"{astuple(strength)}{_thinking(game)}".encode(), digest_size=3).hexdigest()


@functools.cache
def _thinking(game: str) -> str:
    """The code that thinks, without comments, documentation and the list of levels: these change no game."""
    code = []
    for name in ("search", game):
        tree = ast.parse(Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                body[:] = [part for part in body if not _says_nothing(part)]
        code.append(ast.unparse(tree))
    return "".join(code)


def _says_nothing(part: ast.stmt) -> bool:
    if isinstance(part, ast.Assign):
        return isinstance(part.targets[0], ast.Name) and part.targets[0].id == "LEVELS"
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


@functools.cache
def measured(game: str) -> Mapping[str, Rating]:
    """What a ladder found for a game's bots."""
    if not MEASURED.exists():
        return {}
    entries = json.loads(MEASURED.read_text(encoding="utf-8")).get(game, {})
    return {name: Rating(entry["elo"], entry["within"], entry["mark"]) for name, entry in entries.items()}
