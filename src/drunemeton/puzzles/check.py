"""Verifies puzzles anew: everything in one must follow from its seat's knowledge, and a long search must still find its solution alone."""

from __future__ import annotations

import functools
from typing import Any

from ..appraisal.shape import Why
from ..appraisal.value import Appraiser
from ..rules import game as rules
from ..rules.errors import GameError
from ..rules.game import find_game
from ..rules.kernel import Desk
from .finding import CLEAR, GLANCE, LEAST_PROOF, PROOF, TREES, at_random, foreseen_in, theme_of
from .puzzle import Puzzle, ident_of, knowledge_of

STILL_CLEAR = 0.8 * CLEAR  # what another search must find, whose chance is its own


class BadPuzzle(GameError):
    """A puzzle that is none."""

    def __init__(self, puzzle: Puzzle, problem: str) -> None:
        super().__init__(f"puzzle {puzzle.game}/{puzzle.ident}: {problem}")


def check_data(puzzle: Puzzle) -> Any:
    """What a puzzle shows and says follows from its seat's knowledge by the rules; answers that knowledge."""
    game = find_game(puzzle.game)
    known, desk = knowledge_of(game, puzzle.knows), Desk()
    if ident_of(puzzle.knows) != puzzle.ident:
        raise BadPuzzle(puzzle, "it is named after another position")
    if rules.to_move(known) != puzzle.seat:
        raise BadPuzzle(puzzle, "its seat is not on turn")
    offered = {game.move_text(known, action): action for action in desk.moves[: rules.legal(known, desk)]}
    if sorted(offered) != sorted(one.move for one in puzzle.moves):
        raise BadPuzzle(puzzle, "these are not the legal moves")
    for one in puzzle.moves:
        if foreseen_in(game, known, offered[one.move]) != one.foreseen:
            raise BadPuzzle(puzzle, f"{one.move} would bring something else")
    if puzzle.gap < CLEAR or not puzzle.moves[0].why or theme_of(Why(**puzzle.moves[0].why[0])) != puzzle.theme:
        raise BadPuzzle(puzzle, "it says itself that it is not clear, or not why, or names another theme")
    return known


def check_search(puzzle: Puzzle, known: Any) -> float:
    """A long search with chances of its own finds the solution alone; answers by how much it is better than the next move."""
    appraiser = _appraiser(puzzle.game)
    thought = appraiser.moves(appraiser.engine.box(known), seed=at_random(puzzle.ident) + 1)
    found = find_game(puzzle.game).move_text(known, thought[0].action)
    gap = thought[0].value - max(one.value for one in thought[1:])
    if puzzle.simulations < LEAST_PROOF * GLANCE or found != puzzle.moves[0].move or gap < STILL_CLEAR:
        raise BadPuzzle(puzzle, f"a long search finds {found}, better by {gap:.3f}")
    return gap


def check(puzzle: Puzzle) -> float:
    """All of it."""
    return check_search(puzzle, check_data(puzzle))


@functools.cache
def _appraiser(game: str) -> Appraiser:
    return Appraiser(find_game(game), PROOF, trees=TREES)


def holds(puzzle: Puzzle) -> bool:
    """Whether nothing is wrong with it."""
    try:
        check(puzzle)
    except BadPuzzle:
        return False
    return True
