"""Spaces, described once: what stands where in an observation, and which number is which action.

A game's file in this room (`druidenwalzer.py`, say) names its fields in the order in which its compiled `observe` writes them. Gymnasium's
and PettingZoo's spaces, OpenSpiel's named tensors, the documentation and the tests all read this description.
"""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..rules.game import Game, find_game

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[Any]

NUMBER = "int16"  # every entry of an observation
BIT = "int8"  # every entry of a mask


@dataclass(frozen=True)
class Feature:
    """One field of an observation: so many whole numbers from `low` to `high`, and what they mean.

    `by` names what each axis of the shape counts; the game's `AXES` say in which order. A single number has no axis.
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    about: str
    by: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many entries."""
        return math.prod(self.shape)


def who_looks(seats: int) -> list[Feature]:
    """How an observation begins at a table of up to so many seats."""
    whose = "whose decision it is (or was, when the game is over): 0 the one who looks, 1 the next seat, ..."
    return [
        Feature("seat", (1,), 0, seats - 1, "who sees this"),
        Feature("on_turn", (1,), 0, 1, "whether it is this seat's decision"),
        Feature("turn", (1,), 0, seats - 1, whose),
    ]


@dataclass(frozen=True)
class Range:
    """Neighbouring actions of one kind: the first number, how many by which indices, and what they do."""

    name: str
    first: int
    shape: tuple[int, ...]
    about: str

    @property
    def size(self) -> int:
        """How many actions."""
        return math.prod(self.shape)


class Layout:
    """The observation of a game for so many seats. The version changes whenever an entry changes place or meaning."""

    def __init__(
        self, game: type[Game], seats: int, version: int, fields: Sequence[Feature], actions: Sequence[Range], axes: Mapping[str, str]
    ) -> None:
        self.game, self.seats, self.version, self.axes = game, seats, version, axes
        self.fields: Mapping[str, Feature] = {field.name: field for field in fields}
        self.actions = tuple(actions)
        self.at: dict[str, slice] = {}
        end = 0
        for field in fields:
            self.at[field.name] = slice(end, end + field.size)
            end += field.size
        self.size = end
        import numpy as np

        self._zeros, self._number, self._bit = np.zeros, np.dtype(NUMBER), np.dtype(BIT)

    def bounds(self) -> tuple[Array, Array]:
        """The least and the greatest value of every entry."""
        import numpy as np

        low, high = np.zeros(self.size, NUMBER), np.zeros(self.size, NUMBER)
        for name, field in self.fields.items():
            low[self.at[name]], high[self.at[name]] = field.low, field.high
        return low, high

    def read(self, observation: Array, name: str) -> Array:
        """One field of an observation (or of a batch of them), in its shape."""
        found = observation[..., self.at[name]]
        return found.reshape(*found.shape[:-1], *self.fields[name].shape)

    def empty(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """An observation and a mask to write into."""
        return self._zeros(self.size, self._number), self._zeros(self.game.action_count, self._bit)


def file_of(game: type[Game]) -> ModuleType:
    """The game's file in this room."""
    return importlib.import_module(f".{game.name}", __package__)


@functools.cache
def layout_of(name: str, seats: int) -> Layout:
    """What a game's observation looks like when so many play."""
    game = find_game(name)
    own = file_of(game)
    return Layout(game, seats, own.VERSION, own.fields(seats), own.ACTION_RANGES, own.AXES)
