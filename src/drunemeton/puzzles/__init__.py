"""Puzzles: positions from play in which one decision is clearly better on what the seat knows, and a person can see why.

>>> from drunemeton.puzzles import puzzles
>>> first = puzzles("druidenwalzer")[0]
>>> first.theme, first.grade, first.moves[0].move
"""

from .puzzle import GRADES, THEMES, Puzzle, Tried, find_puzzle, listed, puzzles

__all__ = ["GRADES", "THEMES", "Puzzle", "Tried", "find_puzzle", "listed", "puzzles"]
