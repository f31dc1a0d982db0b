"""A table in this process with the face of `Client`: the same bot plays here without a server, without limits, as fast as it thinks.

>>> with LocalClient("celtica", ["me", "greedy", "level-3"], seed=7) as table:
...     for state in table.turns():
...         table.play(state["legal"][0])

Nothing is sent, so nothing is counted: `preview` costs what it takes to compute. Clocks, undo by consent and other people are a server's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from . import records
from .bots import SIMPLE, seated
from .bots.own import check_names, find_bot
from .client import Message, MoveRefused
from .rules.errors import GameError, Reason
from .rules.game import find_game

ME = "me"


class LocalClient:
    """A seat at a table of which everything is here. `seats` names who sits where: `me` once, and any bots, also `my.module:Bot`."""

    def __init__(
        self,
        game: str,
        seats: Sequence[str] = (ME, "greedy"),
        *,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        components: Mapping[str, Any] | None = None,
    ) -> None:
        kind = find_game(game)
        if list(seats).count(ME) != 1:
            raise GameError(f"seats are {', '.join(seats)}, but {ME!r} must be one of them, once")
        check_names(kind, [name for name in seats if name != ME])
        self.seat = list(seats).index(ME)
        self.seats = [seated(kind, name, len(seats), options, components) for name in seats]
        self.game = kind.new(seats=len(seats), seed=seed, options=options, components=components)
        self.bots = {name: find_bot(kind, name, plain=name in SIMPLE) for name in set(self.seats) - {ME}}
        self._rng = random.Random(seed)
        self._told = 0
        self.state: Message = {}
        self._go_on()

    def _go_on(self) -> None:
        """Let the bots play until we must decide, or the game is over."""
        game = self.game
        while (seat := game.to_move) is not None and seat != self.seat:
            game.carry_out(self.bots[self.seats[seat]].choose(game.known_to(seat), seed=self._rng.getrandbits(32)))
        result = game.result
        self.state = {
            "revision": len(game.steps),
            "turn": game.to_move,
            "view": game.view(self.seat),
            "legal": game.legal(),
            "result": None if result is None else {"end": result.end, "places": list(result.places)},
        }

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @property
    def my_turn(self) -> bool:
        """Whether this seat must decide."""
        return self.game.to_move == self.seat

    def turns(self) -> Iterator[Message]:
        """The state each time this seat must decide, until the game is over."""
        while not self.over:
            yield self.state

    def play(self, move: str) -> int:
        """Play a move, and let the bots answer; answers the new revision."""
        self._checked(move)
        self.game.carry_out(move)
        self._go_on()
        return int(self.state["revision"])

    def preview(self, move: str) -> list[Message]:
        """What a move would bring, as far as this seat can know."""
        self._checked(move)
        return [one.describe() for one in self.game.preview(move)]

    def _checked(self, move: str) -> None:
        reason = self.game.why_not(move)
        if reason is not None:
            raise MoveRefused(reason)

    def news(self) -> list[Any]:
        """The events since this was last asked."""
        told = self.game.events(self.seat, since=self._told)
        self._told = len(self.game.steps)
        return told

    def undo(self) -> None:
        """Take back the own last step, as long as nobody has learnt or done anything since."""
        if not self.game.can_undo(self.seat):
            raise MoveRefused(Reason("nothing_to_undo"))
        self.game.undo(self.seat)
        self._told = min(self._told, len(self.game.steps))
        self._go_on()

    def record(self) -> str:
        """The record of the game."""
        return records.write(self.game)

    def close(self) -> None:
        """Leave."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
