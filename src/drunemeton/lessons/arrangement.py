"""Arranged positions: shuffle orders and moves lead to them, and what is shuffled afterwards comes from a secret of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..rules.chance import Chance, Orders
from ..rules.errors import GameError
from ..rules.game import Game
from ..rules.kernel import Desk
from .stage import BadStage, Stage


@dataclass
class Arranged(Orders):
    """Shuffle orders for the steps of an arrangement; later steps draw on a secret. Such a game is never auditable."""

    then: Chance = field(default_factory=Chance.fresh)

    def begin(self, desk: Desk, step: int, shuffled: Sequence[int]) -> None:
        """Put the orders of one step on the desk, or let the secret deal once the arrangement is over."""
        if step < len(self.by_step):
            super().begin(desk, step, shuffled)
        else:
            self.then.begin(desk, step, shuffled)

    def finish(self, desk: Desk) -> None:
        """Check that the orders were used up; a step after the arrangement has none."""
        if desk.tape_end:
            super().finish(desk)
        else:
            self.then.finish(desk)


@dataclass(frozen=True)
class Arrangement:
    """What a table needs to begin at a position and to be rebuilt later, whatever becomes of the stage's file."""

    orders: list[list[list[int]]]
    moves: list[str]

    def describe(self) -> dict[str, Any]:
        """As it is stored."""
        return {"orders": self.orders, "moves": self.moves}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Arrangement:
        """From what was stored."""
        return cls([[list(order) for order in step] for step in stored["orders"]], list(stored["moves"]))

    def chance(self, then: Chance) -> Arranged:
        """The shuffles: these orders first, then those of the secret."""
        return Arranged(self.orders, then)

    def lead(self, game: Game) -> None:
        """Play the moves that lead to the position."""
        for move in self.moves:
            game.carry_out(move)


def position_of(game: Game, step: int) -> Arrangement:
    """The way to where a game stood after a step: its own shuffles and moves."""
    orders = [[list(cards) for _, cards in shuffled] for shuffled in game.orders()[: step + 1]]
    return Arrangement(orders, [one.move for one in game.steps[1 : step + 1]])


def arrange(stage: Stage) -> Arrangement:
    """Complete the orders that a stage names in part: the named cards first, the rest as it lay before. A closing game is not arranged."""
    if stage.closing:
        return Arrangement([], [])
    orders: list[list[list[int]]] = []
    named = {pile: cards.split() for pile, cards in stage.orders.items()}
    used: set[str] = set()
    while len(orders) <= len(stage.moves):
        game, problem = _play(stage, Arranged(orders, Chance.from_seed(0)))
        shuffled = next((n for n in range(len(orders), len(game.steps)) if game.orders()[n]), None)
        if shuffled is None:
            if problem is not None:
                raise BadStage(f"{stage.game}/{stage.name}", str(problem)) from problem
            shuffled = len(stage.moves)
        # Moves after a shuffle may become legal only once it is as the stage wants it: lay this one, and play again.
        orders += [[] for _ in range(len(orders), shuffled)]
        orders.append([_complete(stage, pile, cards, named, used) for pile, cards in game.orders()[shuffled]])
    if unused := set(named) - used:
        raise BadStage(f"{stage.game}/{stage.name}", f"no pile {', '.join(sorted(unused))} is shuffled on the way")
    return Arrangement(orders, list(stage.moves))


def _play(stage: Stage, chance: Arranged) -> tuple[Game, GameError | None]:
    """Play the moves of an arrangement as far as they are legal with the orders known so far."""
    game = stage.game_type(stage.seats, stage.options, stage.components, chance)
    for move in stage.moves:
        try:
            game.carry_out(move)
        except GameError as problem:
            return game, problem
    return game, None


def _complete(stage: Stage, pile: str, cards: list[int], named: Mapping[str, list[str]], used: set[str]) -> list[int]:
    first: list[int] = []
    if pile in named and pile not in used:
        used.add(pile)
        try:
            first = stage.game_type.order_cards(pile, named[pile])
        except (ValueError, IndexError) as problem:
            raise BadStage(f"{stage.game}/{stage.name}", f"orders.{pile}: {problem}") from problem
    left = Counter(cards)
    left.subtract(first)
    if missing := [card for card, count in left.items() if count < 0]:
        texts = ", ".join(stage.game_type.order_text(pile, card) for card in missing)
        raise BadStage(f"{stage.game}/{stage.name}", f"orders.{pile}: there are not so many of {texts}")
    return [*first, *sorted(left.elements())]


def begin(stage: Stage, then: Chance | None = None) -> Game:
    """The game at the stage's position. The arrangement is worked out anew; a table keeps it instead."""
    plan = arrange(stage)
    game = stage.game_type(stage.seats, stage.options, stage.components, plan.chance(then or Chance.fresh()))
    plan.lead(game)
    return game
