"""Players that taught themselves: a small network over what the seat knows, as whole numbers, without any framework.

The weights come from a run of `drunemeton train`. They are kept as 16-bit integers and every sum below is a sum of whole numbers that a
double holds exactly, in whatever order a library adds them up: the same knowledge gives the same move on every machine. Of equal scores
the action with the lower number is taken.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from zipfile import BadZipFile

from ..observations.layout import file_of, layout_of
from ..rules.errors import GameError
from ..rules.game import Game, find_game, legal, to_move
from ..rules.kernel import Desk, Record

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

ENCODING = 1  # changes whenever an input changes place or meaning
STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 80)  # what a number is compared with: small ones are told apart one by one
UNIT_BITS, WEIGHT_BITS = 10, 12  # binary places of what runs through the network, and of its weights
UNIT, WEIGHT = 1 << UNIT_BITS, 1 << WEIGHT_BITS
LARGEST = float(1 << 20)  # what runs through the network is cut off here, so that every sum stays below 2**53


class Encoding:
    """An observation as a network takes it: each number compared with small thresholds, large ones scaled as well.

    One network serves any number of players: an observation for fewer is laid out as one for the most, empty places 0, and how many play
    is said beside it.
    """

    def __init__(self, game: type[Game]) -> None:
        import numpy as np

        self.game = game
        self.most = game.players[1]
        self.layout = layout_of(game.name, self.most)
        self.size = self.layout.size + 1  # how many play comes last
        low, high = (np.append(bound, players) for bound, players in zip(self.layout.bounds(), game.players, strict=True))
        entries: list[int] = []
        thresholds: list[int] = []
        scaled: list[tuple[int, int]] = []
        for entry, (least, greatest) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            steps = [step for step in (*(1 - step for step in reversed(STEPS)), *STEPS) if least < step <= greatest]
            entries += [entry] * len(steps)
            thresholds += steps
            if greatest - least > len(steps):
                scaled.append((entry, 1 << max(0, int(greatest).bit_length() - 2)))
        self.entries = np.array(entries, np.int64)
        self.thresholds = np.array(thresholds, np.int16)
        self.scaled = np.array([entry for entry, _ in scaled], np.int64)
        self.divisors = np.array([divisor for _, divisor in scaled], np.int64)
        self.inputs = len(entries) + len(scaled)

    @functools.cache  # noqa: B019 -- encodings live as long as the process
    def places(self, seats: int) -> Array:
        """Where the entries of an observation for so many players stand in one for the most."""
        import numpy as np

        found = []
        for name, field in self.layout.fields.items():
            at = np.arange(self.layout.at[name].start, self.layout.at[name].stop).reshape(field.shape)
            for axis, counted in enumerate(field.by):
                if counted == "player":
                    at = at.take(range(seats), axis)
            found.append(at.reshape(-1))
        return np.concatenate(found)

    def spread(self, observation: Array, seats: int) -> Array:
        """An observation for so many players (or a batch of them) as one for the most, with their number."""
        import numpy as np

        rows = np.zeros((*observation.shape[:-1], self.size), np.int16)
        rows[..., self.places(seats)] = observation
        rows[..., -1] = seats
        return rows

    def seen(self, knowledge: Record, seat: int) -> Array:
        """What a seat knows, spread."""
        import numpy as np

        seats = int(getattr(knowledge, "seats", self.game.players[0]))
        row = [0] * layout_of(self.game.name, seats).size
        file_of(self.game).observe(knowledge, knowledge, seat, row)
        return self.spread(np.array(row, np.int16), seats)

    def encode(self, rows: Array) -> Array:
        """Spread observations as whole numbers, 1.0 being `UNIT`."""
        import numpy as np

        compared = (rows[..., self.entries] >= self.thresholds) * float(UNIT)
        scaled = np.floor(rows[..., self.scaled] * float(UNIT) / self.divisors)
        return np.concatenate([compared, scaled], -1)


@dataclass(frozen=True)
class About:
    """What a file of weights says of itself."""

    game: str
    encoding: int
    layout: int
    seats: tuple[int, ...]
    width: int
    blocks: int
    training: Mapping[str, Any]


class Reflex:
    """A trained network: what a seat knows goes in, a score for every action and every player's chance to win come out."""

    def __init__(self, about: About, arrays: Mapping[str, Array]) -> None:
        self.about = about
        self.game = find_game(about.game)
        self.encoding = encoding_of(about.game)
        own = file_of(self.game)
        if (about.encoding, about.layout) != (ENCODING, own.VERSION):
            raise GameError(f"these weights for {self.game.title} were made for other observations; train them anew")
        self.arrays = dict(arrays)
        self._exact = {name: array.astype("float64") for name, array in arrays.items()}

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file of weights."""
        import numpy as np

        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files if name != "about"}
                told = json.loads(bytes(file["about"]).decode())
            about = About(**{**told, "seats": tuple(told["seats"])})
        except (ValueError, KeyError, TypeError, EOFError, BadZipFile, RecursionError):
            raise GameError(f"{path} is no file of weights") from None
        return cls(about, arrays)

    def save(self, path: Path) -> None:
        """Write a file of weights."""
        import numpy as np

        about = json.dumps(self.about.__dict__, sort_keys=True).encode()
        held: dict[str, Any] = {"about": np.frombuffer(about, np.uint8), **self.arrays}
        np.savez_compressed(path, **held)

    def body(self, rows: Array) -> Array:
        """What the network makes of spread observations before it decides."""
        h = _activated(self._layer("first", self.encoding.encode(rows)))
        for n in range(self.about.blocks):
            h = h + _activated(self._layer(f"block{n}", h))
        return h

    def scores(self, h: Array, actions: list[int]) -> Array:
        """A score for each of these actions."""
        weights, bias = self._exact["policy.weight"], self._exact["policy.bias"]
        return h @ weights[actions].T + bias[actions]  # type: ignore[no-any-return]

    def chances(self, h: Array, seats: int) -> Array:
        """Each player's chance to win, counted from the one who looks."""
        import numpy as np

        told = self._layer("value", h)[..., :seats] / (UNIT * WEIGHT)
        odds = np.exp(told - told.max(-1, keepdims=True))
        return odds / odds.sum(-1, keepdims=True)  # type: ignore[no-any-return]

    def _layer(self, name: str, x: Array) -> Array:
        return x @ self._exact[f"{name}.weight"].T + self._exact[f"{name}.bias"]  # type: ignore[no-any-return]


def _activated(x: Array) -> Array:
    """Back to as many binary places as came in, nothing below 0."""
    import numpy as np

    return np.clip(np.floor(x / WEIGHT), 0.0, LARGEST)


@functools.cache
def encoding_of(name: str) -> Encoding:
    """How a game's observations go into a network."""
    return Encoding(find_game(name))


class LearntBot:
    """One look at what the seat knows, no search."""

    def __init__(self, game: type[Game], name: str, reflex: Reflex) -> None:
        self.name, self.game, self.reflex = name, game, reflex
        self.desk = Desk()

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """The action with the highest score; of equal ones the lowest number."""
        import numpy as np

        count = legal(knowledge, self.desk)
        actions = sorted(self.desk.moves[:count])
        if count == 1:
            return actions[0]
        h = self.reflex.body(self.reflex.encoding.seen(knowledge, to_move(knowledge)))
        return actions[int(np.argmax(self.reflex.scores(h, actions)))]

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """The same for a knowledge in a box."""
        return self.choose(self.game.knowledge_type.from_box(knows), seed=seed)
