"""What a position is worth to a seat and which moves are best, from what that seat knows, and how sure that is.

>>> from drunemeton.bots.analysis import analyse
>>> found = analyse(game)
>>> found.value, found.within, found.moves[0].move
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from ..rules.errors import GameError
from ..rules.game import Game
from ..rules.kernel import Record
from . import ADVISER, OPINIONS, strength_of
from .levels import Strength
from .search import Considered, Searcher

MOST = 400_000  # simulations: what a tree may take of memory
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


def analyse(
    game: Game, seat: int | None = None, *, simulations: int | None = None, seconds: float | None = None, seed: int = 1
) -> Analysis:
    """Analyse a position for a seat (by default the one on turn), from what that seat knows and nothing else.

    `simulations` gives figures that can be repeated; otherwise `seconds` is how long to think, as far as that can be foreseen.
    """
    if game.to_move is None:
        raise GameError("the game is over: there is nothing left to think about")
    seat = game.to_move if seat is None else seat
    if not 0 <= seat < game.seats:
        raise GameError(f"there is no seat {seat}")
    how = strength_of(type(game), ADVISER)
    known = game.knowledge[seat]
    if simulations is None and seconds is not None:
        simulations = _foreseen(Searcher(type(game), how), how.simulations, known, seconds, others=seat != game.to_move)
    if simulations is not None:
        how = replace(how, simulations=max(simulations, 8 * OPINIONS))
    searcher = Searcher(type(game), how)
    with ThreadPoolExecutor(1) as beside:  # a signal is not heard inside compiled code, but by whoever waits for it
        found = beside.submit(_analysed, searcher, game, seat, how, seed)
        try:
            return found.result()
        except KeyboardInterrupt:
            searcher.stop()
            raise


def _foreseen(searcher: Searcher, simulations: int, known: Record, seconds: float, *, others: bool) -> int:
    """How many simulations fit into so many seconds; where others are on turn there is nothing to choose, only a worth to find."""
    knows = searcher.engine.box(known)

    def think(seed: int) -> None:
        if others:
            searcher.chances_in(knows, seed=seed)
        else:
            searcher.consider_in(knows, seed=seed)

    think(1)  # whatever must be compiled or loaded is no thinking
    began = time.perf_counter()
    think(2)
    rate = simulations / (time.perf_counter() - began)
    return min(MOST, max(simulations, int(rate * seconds)))


def _analysed(searcher: Searcher, game: Game, seat: int, how: Strength, seed: int) -> Analysis:
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
