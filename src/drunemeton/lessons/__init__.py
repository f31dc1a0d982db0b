"""Lessons: short stages on arranged positions, played with the real rules. A stage is one TOML file; its words are in the catalogues.

>>> from drunemeton.lessons import stages, begin, judge
>>> first = stages("druidenwalzer")[0]
>>> game = begin(first)
>>> judge(first, game.moves, first.solution[0]).kind
'done'
"""

from .arrangement import Arranged, Arrangement, arrange, begin, position_of
from .attempt import Tried, judge, reply
from .figure import figures
from .stage import BadStage, Stage, example, find_stage, stages

__all__ = [
    "Arranged",
    "Arrangement",
    "BadStage",
    "Stage",
    "Tried",
    "arrange",
    "begin",
    "example",
    "figures",
    "find_stage",
    "judge",
    "position_of",
    "reply",
    "stages",
]
