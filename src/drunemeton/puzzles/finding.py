"""Finds puzzles: bots play, a short search looks at every decision, and what seems clear to it is looked at by a long one.

What passes is tried by lower levels, which grades it, and explained; what nobody could explain, or everybody finds, is no puzzle. A deal
always gives the same puzzles, so a search for them can be broken off and taken up again, and goes side by side.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ..appraisal import because
from ..appraisal.because import SAID, Explainer
from ..appraisal.calibration import DATA
from ..appraisal.shape import DIGITS, Why
from ..appraisal.value import SURE, Appraiser
from ..bots import LEVELS, strength_of
from ..bots.arena import Noted
from ..bots.ladder import arena_of, player_of
from ..bots.levels import PLAYS
from ..bots.search import Considered, Searcher
from ..observations.layout import file_of
from ..rules.game import Game, find_game
from ..rules.preview import foresee
from .puzzle import Puzzle, Tried, fields_of, ident_of, is_like

GLANCE = 500  # simulations of the search that finds
LOOK = 4_000  # of a second one, which spares most of what is not clear the long one
PROOF = 30_000  # of the search that proves: `LEAST_PROOF` times as many as for a glance is the least
LEAST_PROOF = 20
TREES = 4  # of the search that proves: what lies between them says how sure it is
CLEAR = 0.1  # by so much of a chance the best move is better than any other
SEEMS, NEARLY = 0.07, 0.09  # by so much at a glance, which sees little of the others, and at the second look
FEWEST, MOST = 3, 40  # legal moves
PLAYERS, PLAYER_WEIGHTS = LEVELS[2:7], (2, 2, 3, 3, 2)
SOLVERS = LEVELS[1:7]  # whose misses grade a puzzle
TRIES = 8  # of each
TOO_EASY = 0.15  # missed by so few it is no puzzle
SEEN = 0.6  # in so many more of the worlds a reason must hold, for a person to see it
LOOKED = 12  # reasons at most among which those are looked for that say something
WEIGHTY = 0.75  # of the events that are reasons, the weightiest so many suffice for the first one
EACH = 3  # puzzles of a deal
APART = 12  # decisions between two of them
NAMED = 3  # ways in which something may come out
SAMPLES = 60  # worlds in which what a move brings is foreseen


@dataclass(frozen=True)
class Proved:
    """A decision that a long search found clear."""

    at: int  # in the game
    knows: Any
    thought: list[Considered]


class Finder:
    """Finds puzzles of one game. Not for two threads at once."""

    def __init__(self, game: type[Game]) -> None:
        self.game = game
        self.glance = Appraiser(game, GLANCE)
        self.look = Appraiser(game, LOOK)
        self.long = Appraiser(game, PROOF, trees=TREES)
        self.solvers = [Searcher(game, strength_of(game, name)) for name in SOLVERS]
        self.explainer = Explainer(game)
        self.engine = self.glance.engine
        self._kinds = file_of(game).ACTION_RANGES

    def in_deal(self, seats: int, deal: int) -> list[Puzzle]:
        """The puzzles of one deal: at most a few, the most missed first, none of them like another."""
        proved = self._proved(self._played(seats, deal))
        found: list[tuple[int, Puzzle]] = []
        for missed, one in sorted(((self.missed(each), each) for each in proved), key=lambda pair: (-pair[0], pair[1].at)):
            if missed < TOO_EASY or len(found) == EACH or any(abs(one.at - at) < APART for at, _ in found):
                continue
            puzzle = self.puzzle_of(one.knows, one.thought, missed)
            if puzzle and not any(is_like(puzzle, other) for _, other in found):
                found.append((one.at, puzzle))
        return [puzzle for _, puzzle in found]

    def _played(self, seats: int, deal: int) -> list[Any]:
        """What the seat on turn knew before each decision of a game between some of the levels."""
        rng = random.Random(deal)
        seen: list[tuple[Any, int]] = []
        names = rng.choices(PLAYERS, PLAYER_WEIGHTS, k=seats)
        arena_of(self.game.name, seats).play([Noted(player_of(self.game.name, name), seen, n) for n, name in enumerate(names)], deal)
        return [knows for knows, _ in seen]

    def _proved(self, positions: Sequence[Any]) -> list[Proved]:
        """Those in which one decision is clear at a glance and after long thought."""
        desk, found = self.engine.desk(), []
        for at, knows in enumerate(positions):
            count = int(self.engine.legal(knows, desk))
            looks = (self.glance, SEEMS), (self.look, NEARLY)
            if FEWEST <= count <= MOST and all(gap_of(one.moves(knows, seed=at), count)[0] >= least for one, least in looks):
                thought = self.long.moves(knows, seed=at)
                if is_clear(thought, count):
                    found.append(Proved(at, knows, thought))
        return found

    def missed(self, one: Proved) -> float:
        """The share of the lower levels' tries that choose something else."""
        wrong, best = 0, one.thought[0].action
        for solver in self.solvers:
            for number in range(TRIES):
                solver.forget()
                wrong += solver.consider_in(one.knows, seed=number)[0].action != best
        return wrong / (TRIES * len(self.solvers))

    def puzzle_of(self, knows: Any, thought: Sequence[Considered], missed: float) -> Puzzle | None:
        """The puzzle about a decision, from what its seat knows and nothing else; None if a person could not see why."""
        known = self.game.knowledge_type.from_box(knows)
        seat, fields = int(self.engine.to_move(knows)), fields_of(known)
        best, ordered = thought[0].action, [thought[0], *sorted(thought[1:], key=lambda one: (-one.value, one.action))]
        seed, foreseen = at_random(ident_of(fields)), [foreseen_in(self.game, known, one.action) for one in ordered]
        told = [self.explainer.why(knows, best, one.action, seed=seed, most=LOOKED) for one in ordered[1:]]
        whys = [plain_reasons(why, (foreseen[0], brought)) for why, brought in zip(told, foreseen[1:], strict=True)]
        if not self.is_seen(whys[0]):
            return None
        always = [why for why in whys[0] if why.share > why.instead]  # said of a try beside which nothing else is to be said
        moves = tuple(
            self._tried(known, one, brought, why or always) for one, brought, why in zip(ordered, foreseen, (whys[0], *whys), strict=True)
        )
        return Puzzle(
            ident_of(fields),
            self.game.name,
            seat,
            self.glance.searcher.seats_in(knows),
            next(kind.name for kind in reversed(self._kinds) if best >= kind.first),
            theme_of(whys[0][0]),
            round(missed, DIGITS),
            PROOF,
            moves,
            fields,
        )

    def is_seen(self, whys: Sequence[Why]) -> bool:
        """Whether a person sees the first reason: something weighty nearly always happens with one move, and not with the other."""
        if not whys or abs(whys[0].share - whys[0].instead) < SEEN:
            return False
        matters, event = self.explainer.matters, whys[0].event
        return event is not None and matters.index(event["kind"]) < WEIGHTY * len(matters)

    def _tried(self, known: Any, one: Considered, foreseen: list[dict[str, Any]], whys: Sequence[Why]) -> Tried:
        return Tried(
            self.game.move_text(known, one.action),
            round(one.value, DIGITS),
            round(SURE * one.error, DIGITS),
            foreseen,
            [asdict(why) | {"share": round(why.share, DIGITS), "instead": round(why.instead, DIGITS)} for why in whys],
        )


def foreseen_in(game: type[Game], known: Any, action: int) -> list[dict[str, Any]]:
    """What a move will bring, as far as a seat with this knowledge can tell."""
    told = [one.describe() for one in foresee(game, known, action, lambda _: [], samples=SAMPLES, number=1)]
    return [_cut(one) for one in told]


def _cut(foreseen: dict[str, Any]) -> dict[str, Any]:
    """Without the unlikelier of many ways in which something may come out: nobody reads them, and they are most of a file."""
    instead = [one | {"share": round(one["share"], DIGITS)} for one in foreseen["instead"][:NAMED]]
    return foreseen | {"share": round(foreseen["share"], DIGITS), "instead": instead}


def gap_of(thought: Sequence[Considered], count: int) -> tuple[float, float]:
    """By how much the favourite is better than any other move, and by how much more than doubt allows; 0 if two moves look alike."""
    if len(thought) < count:
        return 0.0, 0.0
    best = thought[0]
    gaps = [(best.value - one.value, SURE * math.hypot(best.error, one.error)) for one in thought[1:]]
    return min(gap for gap, _ in gaps), min(gap - within for gap, within in gaps)


def is_clear(thought: Sequence[Considered], count: int) -> bool:
    """Whether one move is better by a clear margin, and beyond doubt."""
    gap, sure = gap_of(thought, count)
    return gap >= CLEAR and sure > 0


def plain_reasons(whys: Sequence[Why], foreseen: Sequence[list[dict[str, Any]]]) -> list[Why]:
    """The reasons that say something, from what two moves bring: not that a move is made, which is the first thing that it brings."""
    made = [{name: value for name, value in brought[0]["event"].items() if name != "rule"} for brought in foreseen if brought]
    return [why for why in whys if why.event not in made][:SAID]


def theme_of(why: Why) -> str:
    """What a puzzle is about, from the weightiest reason for its solution."""
    if why.code == "wins" and why.event and why.event["kind"] == "ended":
        return "finish"
    return {"wins": "strike", "threatens": "prepare", "leaves_open": "guard", "costs": "spare"}[why.code]


def at_random(ident: str) -> int:
    """A number for a search that depends on the puzzle alone."""
    return int.from_bytes(ident.encode()[-3:], "big")


def mark_of_finder(game: str) -> str:
    """A short name for the code and data that find puzzles of a game: what another one finds may be others."""
    read = [Path(__file__), Path(because.__file__), PLAYS, DATA / f"{game}.json"]
    return blake2b(b"".join(path.read_bytes() for path in read if path.is_file()), digest_size=4).hexdigest()


@functools.cache
def _finder(name: str) -> Finder:
    return Finder(find_game(name))


def find_in(name: str, seats: int, deal: int) -> list[str]:
    """The puzzles of one deal as lines: what is done side by side."""
    return [puzzle.written() for puzzle in _finder(name).in_deal(seats, deal)]
