"""What is used in a game: kinds of action, and where a game names them, its cards and places.

The kinds come from the description of a game's actions (`observations`). More than that is in a file of this room with the game's name:
`THINGS`, the names, and a rule `things_of` that writes the numbers of those that an action uses; and if its box names a playing time,
`PACE`, the seconds that a turn takes people besides its decisions.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any, NamedTuple, cast

from ..appraisal.glance import prepare_outlook
from ..bots.details import kinds_of
from ..observations.layout import file_of
from ..rules.errors import GameError
from ..rules.game import Game
from ..rules.kernel import Generic, Record, Row, generic, rule

MOST = 6  # things that one action uses
PACE = 15.0  # seconds for a turn besides its decisions: to see what the others did, to move pieces, to hand over; measured by Celtica's box


@generic
def things_of(s: Record, action: int, row: Row) -> int:
    """Write the numbers of the things that an action uses, before it is carried out; answers how many."""
    raise NotImplementedError


@rule
def no_things(s: Record, action: int, row: Row) -> int:
    """Of a game that names nothing but its kinds of action."""
    return 0


class Things(NamedTuple):
    """The names of what is used in a game: kinds of action first, then the things of its own file."""

    names: tuple[str, ...]
    kinds: int
    firsts: tuple[int, ...]  # the first action of every kind
    pace: float = PACE

    def number(self, name: str) -> int:
        """The number of a thing."""
        if name not in self.names:
            raise GameError(f"nothing here is called {name!r}; what can be named is {', '.join(self.names)}")
        return self.names.index(name)


def things(game: type[Game]) -> Things:
    """What can be named in a game; the rules that find it are filled in."""
    prepare_outlook(game)
    own = _own(game)
    cast(Generic, things_of).bind(game.state_type, own.things_of if own else no_things)
    kinds = kinds_of(game)
    names = (*kinds, *(own.THINGS if own else ()))
    return Things(names, len(kinds), tuple(one.first for one in file_of(game).ACTION_RANGES), getattr(own, "PACE", PACE))


def _own(game: type[Game]) -> Any:
    name = f"{__package__}.{game.name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
