"""A table of the laboratory: one setting, at which deals are played and looked at.

A player is written as elsewhere (`greedy`, `level-5`, `my.module:Bot`), and may be held: `greedy without dark magic`, `level-3 without
jump + card 5`, `greedy only waltz`. Who searches looks ahead as always, and takes the best of what he may.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .. import records
from ..appraisal.glance import at_a_glance
from ..bots import SIMPLE, seated
from ..bots.arena import LIMIT, Arena
from ..bots.greedy import WORLDS
from ..bots.match import RandomPlayer
from ..bots.own import check_names, find_bot
from ..rules.chance import Chance, deal_of
from ..rules.drive import Engine
from ..rules.errors import GameError
from ..rules.game import Game, legal
from ..rules.kernel import MOVES, Desk
from .things import MOST, Things, things
from .watch import FREE, HEAD, ONLY, WITHOUT, Bound, Watched, look_again, play_bound, uses_listed

KEPT = 2000  # decisions of a game that come back from a GPU
HELD = {" without ": WITHOUT, " only ": ONLY}


class Seated(NamedTuple):
    """Who sits down, and how he is held."""

    bot: str
    held: int = FREE
    listed: tuple[str, ...] = ()


def read_player(text: str) -> Seated:
    """A player as he is written."""
    for word, held in HELD.items():
        bot, found, listed = text.partition(word)
        if found:
            return Seated(bot.strip(), held, tuple(part.strip() for part in listed.split("+")))
    return Seated(text.strip())


class HeldBot:
    """Who thinks as always, and then takes the best of what he may."""

    def __init__(self, game: type[Game], player: Seated, named: Things) -> None:
        self.game, self.held, self.firsts = game, player.held, list(named.firsts)
        self.bot = find_bot(game, player.bot, plain=False)
        if not hasattr(self.bot, "consider"):
            raise GameError(f"{player.bot} cannot be held: only random, greedy and the levels that search can")
        self.listed = [int(name in player.listed) for name in named.names]
        self.desk = Desk()

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """His best action among those that he may take; his best of all if there is none."""
        knowledge = self.game.knowledge_type.from_box(knows)
        used = [0] * MOST
        considered: list[int] = [one.action for one in self.bot.consider(knowledge, seed=seed)]
        every = [*considered, *(action for action in self.desk.moves[: legal(knowledge, self.desk)] if action not in considered)]
        may = [one for one in every if uses_listed(knowledge, one, self.listed, self.firsts, used) == (self.held == ONLY)]
        return (may or every)[0]


class LabTable:
    """One setting, ready to play any deal."""

    def __init__(
        self,
        game: type[Game],
        players: Sequence[str],
        options: Mapping[str, Any] | None = None,
        components: Mapping[str, Any] | None = None,
        salt: int = 0,
        *,
        on: str = "cpu",
    ) -> None:
        """With `on="gpu"` random and greedy play there; what they played is looked at here."""
        import numpy as np

        self.game, self.salt = game, salt
        self.things = things(game)
        self.players = [read_player(player) for player in players]
        check_names(game, [player.bot for player in self.players])
        for player in self.players:
            for name in player.listed:
                self.things.number(name)
        self.seats = len(players)
        self.laid = game.lay_out(self.seats, options, components)
        self._engine = Engine(game)
        if not self._engine.compiled:
            raise GameError("the laboratory needs Numba")
        self.table = self._engine.round(self.laid, self.seats)
        self._taken = np.zeros(2 * LIMIT, np.int64)
        firsts = np.array(self.things.firsts)
        self._seen = Watched(
            self._taken,
            firsts,
            np.zeros((LIMIT, self.seats)),
            np.zeros(MOST, np.int64),
            np.zeros(HEAD + self.seats, np.int64),
            np.zeros((len(self.things.names), self.seats), np.int64),
            *at_a_glance(game, self.seats),
        )
        self.simple = all(player.bot in SIMPLE for player in self.players)
        self._look: Any = self._engine.twin(look_again)
        self.decisions = 0
        self.seconds = 0.0  # that players took for the last game
        if self.simple:
            self._play: Any = self._engine.twin(play_bound)
            listed = np.zeros((self.seats, len(self.things.names)), np.int64)
            rows = np.zeros(MOVES, np.int64), np.zeros(MOVES, np.int64), np.zeros(MOST, np.int64)
            self._bound = Bound(np.zeros(self.seats, np.int64), listed, np.zeros(self.seats, np.int64), firsts, *rows, WORLDS)
        else:
            self._arena = Arena(game, self.seats, options, components)
            self._bots = [self._bot(player, options, components) for player in self.players]
        self._ahead: Any = self._on_device() if on == "gpu" else None

    def _on_device(self) -> Any:
        if not self.simple or self.salt or any(player.held != FREE for player in self.players):
            raise GameError("on a GPU random and greedy play, and nobody who is held to something: leave out --on gpu")
        from ..bots.device import Ahead

        return Ahead(self.game, self.seats, self.laid, KEPT)

    def _bot(self, player: Seated, options: Mapping[str, Any] | None, components: Mapping[str, Any] | None) -> Any:
        name = seated(self.game, player.bot, self.seats, options, components)
        if player.held != FREE:
            return HeldBot(self.game, player._replace(bot=name), self.things)
        return RandomPlayer(self.game) if name == "random" else find_bot(self.game, name, plain=False)

    def warm(self) -> None:
        """Have everything compiled that is needed, by a game that ends at once."""
        self._take(1, 0, 4 * self.seats)
        self._look(self.table, self._seen, 1, self.decisions)

    def _take(self, deal: int, turned: int, limit: int) -> None:
        began = time.perf_counter()
        order = [(seat - turned) % self.seats for seat in range(self.seats)]
        if self._ahead is not None:
            self.decisions, *rest = self._ahead.report([self.players[n].bot for n in order], deal)
            self._taken[: 2 * KEPT] = rest[2 + self.seats :]
            if self.decisions <= KEPT:
                self.seconds = time.perf_counter() - began
                return  # a longer game is played here
        if self.simple:
            for seat, player in enumerate(self.players[n] for n in order):
                self._bound.policies[seat] = SIMPLE.index(player.bot)
                self._bound.held[seat] = player.held
                self._bound.listed[seat] = [int(name in player.listed) for name in self.things.names]
            self.decisions = int(self._play(self.table, self._bound, self._taken, deal_of(deal), self.salt, limit))
        else:
            self._arena.play([self._bots[n] for n in order], deal, limit=limit)
            taken = self._arena.taken
            self.decisions = len(taken)
            self._taken[: 2 * len(taken)] = [number for one in taken for number in one]
        self.seconds = time.perf_counter() - began

    def play(self, deal: int, turned: int = 0) -> list[int]:
        """Play a deal, everybody so many seats further on: the report, places, points and uses (by thing, then seat)."""
        self._take(deal, turned, LIMIT)
        self._look(self.table, self._seen, deal_of(deal), self.decisions)
        final = Peek(self.table.states[0])
        points = [self.game.points_of(final, seat) or 0 for seat in range(self.seats)]
        return [*self._seen.report.tolist(), *points, *self._seen.uses.ravel().tolist()]

    def record(self, deal: int, turned: int = 0) -> str:
        """The record of a deal, as it was played."""
        self._take(deal, turned, LIMIT)
        game = self.game(self.seats, self.laid.options, self.laid.components, Chance.from_seed(deal))
        for n in range(self.decisions):
            game.play(int(self._taken[2 * n + 1]))
        return records.write(game)


class Peek:
    """A state that is read field by field where it lies."""

    def __init__(self, box: Any) -> None:
        self._box = box

    def __getattr__(self, name: str) -> Any:
        found = self._box[name]
        return found.tolist() if hasattr(found, "tolist") else found
