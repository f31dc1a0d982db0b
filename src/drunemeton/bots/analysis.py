"""What a position is worth to a seat and which moves are best, from what that seat knows, and how sure that is.

>>> from drunemeton.bots.analysis import analyse
>>> found = analyse(game)
>>> found.value, found.within, found.moves[0].move
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..rules.errors import GameError
from ..rules.game import Game
from . import ADVISER, OPINIONS, strength_of
from .search import Considered, Searcher

SURE = 1.96  # standard errors to either side of a 95 % interval


@dataclass(frozen=True)
class Opinion:
    """What is thought of one move: the chance to win after it, and the half-width of its 95 % interval."""

    move: str
    action: int
    value: float
    within: float
    visits: int


@dataclass(frozen=True)
class Analysis:
    """What is thought of a position: a seat's chance to win, and its moves, the best first, if it is on turn."""

    seat: int
    value: float
    within: float
    moves: tuple[Opinion, ...]

    def of(self, move: str) -> Opinion | None:
        """What is thought of a move, if it is possible."""
        return next((one for one in self.moves if one.move == move), None)


def analyse(game: Game, seat: int | None = None, *, simulations: int | None = None, seed: int = 1) -> Analysis:
    """Analyse a position for a seat (by default the one on turn), from what that seat knows and nothing else."""
    if game.to_move is None:
        raise GameError("the game is over: there is nothing left to think about")
    seat = game.to_move if seat is None else seat
    if not 0 <= seat < game.seats:
        raise GameError(f"there is no seat {seat}")
    how = strength_of(type(game), ADVISER)
    if simulations is not None:
        how = replace(how, simulations=max(simulations, 8 * OPINIONS))
    searcher = Searcher(type(game), how)
    known = game.knowledge[seat]
    if seat != game.to_move:
        value, error = searcher.value_in(searcher.engine.box(known), seat, seed=seed)
        return Analysis(seat, value, SURE * error, ())
    considered = searcher.consider(known, seed=seed)
    if len(considered) == 1:
        value, error = searcher.value_in(searcher.engine.box(known), seat, seed=seed)
        considered = [Considered(considered[0].action, how.simulations, value, error)]
    moves = opinions(type(game), known, considered)
    return Analysis(seat, moves[0].value, moves[0].within, moves)


def opinions(game: type[Game], known: object, considered: Sequence[Considered]) -> tuple[Opinion, ...]:
    """What a search found, in words: the most visited move first."""
    return tuple(Opinion(game.move_text(known, one.action), one.action, one.value, SURE * one.error, one.visits) for one in considered)
