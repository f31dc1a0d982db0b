"""A puzzle as data: what a seat knows, every legal move with what it would bring and what it is worth, and why one of them is best.

All of it follows from the seat's own knowledge: nothing of the game in which it arose is kept. A set is an archive with a JSON for
each puzzle and a list of them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ..rules.errors import GameError
from ..rules.game import Game, find_game

DATA = Path(__file__).with_name("data")
THEMES = ("finish", "strike", "prepare", "guard", "spare")
LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")  # names are letters alone, as those of stages
GRADES = (0.25, 0.4, 0.55)  # a puzzle's grade is 1 and one more for each of these shares of tries that missed it


@dataclass(frozen=True)
class Tried:
    """A legal move: the chance to win after it, what it would bring, and why the best one is better (for the best: than the next)."""

    move: str
    value: float
    within: float  # half-width of the 95 % interval
    foreseen: list[dict[str, Any]]
    why: list[dict[str, Any]]


@dataclass(frozen=True)
class Puzzle:
    """A position with one decision that is clearly better, on what its seat knows."""

    ident: str
    game: str
    seat: int
    seats: int
    kind: str  # of decision, as the game's description of actions names it
    theme: str
    missed: float  # the share of lower levels' tries that did not find it
    simulations: int  # of the search that proved it
    moves: tuple[Tried, ...]  # the best first
    knows: dict[str, Any]  # the seat's knowledge, field by field: from it all the rest can be made again

    @functools.cached_property
    def view(self) -> dict[str, Any]:
        """What its seat is shown, by the rules of today: boards may come to show more."""
        game = find_game(self.game)
        return dict(game.view_of(knowledge_of(game, self.knows), self.seat, False))

    @property
    def grade(self) -> int:
        """How hard it is, from 1 on."""
        return 1 + sum(self.missed >= share for share in GRADES)

    @property
    def gap(self) -> float:
        """By how much the best move is better than the next."""
        return self.moves[0].value - max(one.value for one in self.moves[1:])

    def listed(self) -> dict[str, Any]:
        """As a list of puzzles names it; nothing of the solution."""
        return {"id": self.ident, "kind": self.kind, "theme": self.theme, "grade": self.grade, "missed": self.missed}

    def shown(self) -> dict[str, Any]:
        """As the page gets it: all that it needs to pose it and to answer every try."""
        game = find_game(self.game)
        laid = game.lay_out(self.seats)
        moves = [{"move": one.move, "value": one.value, "foreseen": one.foreseen, "why": one.why} for one in self.moves]
        head = {"game": self.game, "seat": self.seat, "seats": self.seats, "options": dict(laid.options)}
        head |= {"components": dict(laid.components), "provenance": game.provenance()}
        return {**self.listed(), **head, "view": self.view, "legal": sorted(one.move for one in self.moves), "moves": moves}

    def written(self) -> str:
        """As a line of a set."""
        told = {one.name: getattr(self, one.name) for one in fields(self)} | {"moves": [one.__dict__ for one in self.moves]}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, line: str) -> Puzzle:
        """From a line of a set."""
        told = json.loads(line)
        told.pop("view", None)  # of sets that were made when it was kept
        return cls(**{**told, "moves": tuple(Tried(**one) for one in told["moves"])})


def knowledge_of(game: type[Game], knows: dict[str, Any]) -> Any:
    """The knowledge whose fields these are."""
    if set(knows) != set(game.knowledge_type.fields):
        raise GameError("the game has changed since this puzzle was made: make it anew")
    known = game.knowledge_type()
    for name, value in knows.items():
        setattr(known, name, value)
    return known


def fields_of(known: Any) -> dict[str, Any]:
    """A knowledge field by field."""
    return {name: getattr(known, name) for name in sorted(known.fields)}


def ident_of(knows: dict[str, Any]) -> str:
    """The name of the puzzle about this knowledge."""
    digest = blake2b(json.dumps(knows, sort_keys=True).encode(), digest_size=4).hexdigest()
    return digest.translate(LETTERS)


# --- Sets ----------------------------------------------------------------------------------------------------------

INDEX, MADE = "index", "made"


def write_set(path: Path, puzzles: Sequence[Puzzle], made: Mapping[str, Any]) -> None:
    """Write puzzles to a file, the easiest first, and how they were made; the same ones give the same bytes."""
    ordered = sorted(puzzles, key=lambda one: (one.missed, one.ident))
    parts = [(INDEX, json.dumps([one.listed() for one in ordered])), (MADE, json.dumps(made))]
    parts += [(one.ident, one.written()) for one in ordered]
    path.parent.mkdir(exist_ok=True)
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as file:
        for name, text in parts:
            file.writestr(ZipInfo(name), text, ZIP_DEFLATED)


def shipped(game: str) -> Path:
    """Where the set of a game lies that comes with the house."""
    return DATA / f"{game}.zip"


def made_of(game: str) -> dict[str, Any]:
    """How the puzzles that come with a game were made: seed, seats, and by which finder."""
    with ZipFile(shipped(find_game(game).name)) as file:
        return json.loads(file.read(MADE))  # type: ignore[no-any-return]


@functools.cache
def listed(game: str) -> tuple[dict[str, Any], ...]:
    """The puzzles that come with a game as a list names them, the easiest first; none where nobody has made any."""
    path = shipped(find_game(game).name)
    if not path.is_file():
        return ()
    with ZipFile(path) as file:
        return tuple(json.loads(file.read(INDEX)))


def find_puzzle(game: str, ident: str) -> Puzzle | None:
    """The puzzle of that name."""
    if all(one["id"] != ident for one in listed(game)):
        return None
    with ZipFile(shipped(game)) as file:
        return Puzzle.read(file.read(ident).decode())


def puzzles(game: str) -> list[Puzzle]:
    """All puzzles that come with a game."""
    return [one for entry in listed(game) if (one := find_puzzle(game, entry["id"]))]


# --- Likeness ------------------------------------------------------------------------------------------------------

ALIKE = 0.9  # of what two views show


def leaves(value: Any, path: str = "") -> Iterable[tuple[str, Any]]:
    """What a view shows, thing by thing with its place."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, f"{path}.{place}")
    else:
        yield path, value


def is_like(one: Puzzle, other: Puzzle) -> bool:
    """Whether two puzzles are nearly the same: the same seat decides the same, and nearly all that it sees is the same."""
    if (one.game, one.seat, one.seats, one.moves[0].move) != (other.game, other.seat, other.seats, other.moves[0].move):
        return False
    first, second = set(leaves(one.view)), set(leaves(other.view))
    return len(first & second) >= ALIKE * len(first | second)
