"""Many games against bots that are asked one by one, in Python: levels, and bots of your own that are not compiled.

The games are those of `many`, and so is every rule; here the step stops where such a bot must decide, and goes on with its answer.
"""

from __future__ import annotations

from typing import Any

from ..bots.arena import LIMIT
from ..rules.kernel import rule
from .many import (
    AGENT,
    ASKED,
    CUT_SHORT,
    FINISHED,
    RUNNING,
    Aids,
    Blank,
    Gained,
    Games,
    Many,
    Shown,
    act,
    close,
    deal_anew,
    deal_due,
    opponent_of,
    others_play,
    play_one,
    show,
    think_for,
)


@rule
def act_many(chosen: Any, actions: Any, games: Games, shown: Shown, gained: Gained, aids: Aids) -> None:
    """The agents' part of a step."""
    for i in range(len(games.courses)):
        if chosen[i]:
            act(i, actions[i], games, shown, gained, aids)


@rule
def deal_many(chosen: Any, autoreset: int, blank: Blank, games: Games, shown: Shown, gained: Gained, aids: Aids) -> None:
    """Deal the games that are due."""
    for i in range(len(games.courses)):
        if chosen[i]:
            deal_due(i, autoreset, blank, games, shown, gained, aids)


@rule
def show_many(chosen: Any, games: Games, shown: Shown, aids: Aids) -> None:
    """Write what every agent sees."""
    for i in range(len(games.courses)):
        if chosen[i]:
            show(i, games, shown, aids)


@rule
def think(i: int, games: Games, aids: Aids) -> None:
    """Put what the seat on turn of game i knows where opponents think."""
    think_for(i, games.courses[i].mover, games, aids)


@rule
def answer(i: int, action: int, games: Games, aids: Aids) -> int:
    """Carry out what a bot has answered in game i, and go on to the next who must be asked; answers who."""
    c = games.courses[i]
    play_one(games.states[i], games.knows[i], games.memories[i], aids.desks[0], c, action)
    c.mover = others_play(i, games, aids)
    return int(c.mover)


@rule
def finish(i: int, outcome: int, games: Games, gained: Gained) -> None:
    """Game i has come to this end."""
    gained.outcomes[i] = outcome
    close(i, games, gained)


@rule
def deal_next(i: int, blank: Blank, games: Games, shown: Shown, aids: Aids) -> None:
    """Game i was over before its agent had decided anything: deal the next one."""
    games.courses[i].deal += len(games.courses)
    deal_anew(i, blank, games, shown, aids)


class AskedMany(Many):
    """The arrays of so many games against bots that are asked, and the calls that work on them."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        twin = self.setting.calls.engine.twin
        self._act, self._deal, self._show = twin(act_many), twin(deal_many), twin(show_many)
        self._think, self._answer, self._finish, self._next = twin(think), twin(answer), twin(finish), twin(deal_next)

    def _run(self, chosen: Any, actions: Any, autoreset: int) -> int:
        blank, games, shown, gained, aids = self._arrays
        self._act(chosen, actions, games, shown, gained, aids)
        for i in self._waiting(chosen):
            self._ask(i)
            if self._over(i):
                self._finish(i, FINISHED if self.courses["mover"][i] < 0 else CUT_SHORT, games, gained)
        self._deal(chosen, autoreset, blank, games, shown, gained, aids)
        for i in self._waiting(chosen):
            self._ask(i)
            while self._over(i):
                self._next(i, blank, games, shown, aids)
                self._ask(i)
        self._show(chosen, games, shown, aids)
        return int(self.outcomes[chosen].max(initial=RUNNING))

    def _waiting(self, chosen: Any) -> list[int]:
        """The games in which a bot must decide."""
        movers = self.courses["mover"]
        asked = (self.courses["done"] == 0) & (movers >= 0) & (self.policies[range(self.count), movers] == ASKED)
        return [int(i) for i in (chosen & asked).nonzero()[0]]

    def _ask(self, i: int) -> None:
        """Ask the bot in game i, until the agent must decide or the game is over. It answers as it would in a match of this deal."""
        _, games, _, _, aids = self._arrays
        c = self.courses[i]
        mover = int(c["mover"])
        while mover >= 0 and self.policies[i, mover] != AGENT and c["step"] < aids.limit:
            self._think(i, games, aids)
            action = self.bot.choose_in(self.minds, seed=int(c["deal"]) * LIMIT + int(c["step"]))
            mover = int(self._answer(i, action, games, aids))

    def _over(self, i: int) -> bool:
        return bool(self.courses["mover"][i] < 0 or self.courses["step"][i] >= self._arrays[-1].limit)


def make_many(setting: Any, count: int, opponents: Any, seat: int | None, limit: int) -> Many:
    """So many games, whoever the opponents are."""
    policy, _ = opponent_of(setting, opponents)
    return (AskedMany if policy == ASKED else Many)(setting, count, opponents, seat, limit)
