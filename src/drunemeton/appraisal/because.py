"""Why a move is better, from what it brings: both moves are played on in sampled worlds, and what happens after one and not after the other
is the reason, in the game's own events.

What the move itself brings it *wins*; what its player does next turn it *threatens*; what the others do after the other move the other move
*leaves open*, and this one *saves* from. A game's file among the bots says which events matter (`MATTERS`).
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from ..bots.greedy import prepare_judge
from ..bots.levels import Strength
from ..bots.search import Searcher
from ..rules.drive import Engine
from ..rules.game import Game
from ..rules.kernel import EV_KIND, EV_ORDER
from ..rules.story import told_to
from .shape import Why

WORLDS = 6
ENOUGH = 0.4  # of the worlds: so much more often one move must bring something than the other
SAID = 3  # reasons at most
STEPS = 60  # decisions that a line goes on at most
QUICK = 24  # simulations with which a line goes on
OWN, OTHERS, NEXT = range(3)  # when something happens: with the move, before its player decides again, in his next turn
Seen = Counter[tuple[int, str]]


class Explainer:
    """Finds reasons for moves of one game. Not for two threads at once."""

    def __init__(self, game: type[Game]) -> None:
        self.game = game
        self.matters: tuple[str, ...] = getattr(prepare_judge(game), "MATTERS", ())
        self.searcher = Searcher(game, Strength(QUICK, explore=0.1, trust=1.0))
        self.engine: Engine = self.searcher.engine
        self._state = self.engine.box(game.state_type())
        self._open = self.engine.box(game.knowledge_type())
        self._kept: tuple[tuple[bytes, int, int], Seen] | None = None

    def why(self, knows: Any, better: int, other: int | None, *, seed: int, most: int = SAID) -> tuple[Why, ...]:
        """Reasons for an action on what the seat on turn knows, beside another; without another, beside doing nothing of the kind."""
        if not self.matters:
            return ()
        one = self._better(knows, better, seed)
        two = Counter[tuple[int, str]]() if other is None else self._brings(knows, other, seed)
        found = [
            (abs(one[key] - two[key]) / WORLDS, key, one[key] / WORLDS, two[key] / WORLDS)
            for key in {*one, *two}
            if abs(one[key] - two[key]) >= ENOUGH * WORLDS
        ]
        found.sort(key=lambda entry: (-entry[0] * self._weight(entry[1]), entry[1]))
        more, less = ({about(key[1]) for _, key, share, instead in found if (share > instead) == way} for way in (True, False))
        reasons, told = list[Why](), set[tuple[Any, ...]]()
        for _, (when, event), share, instead in found:
            code, what = _code(when, share > instead), about(event)
            if code and what not in told | (more & less) and len(reasons) < most:
                told.add(what)
                reasons.append(Why(code, json.loads(event), share, instead))
        return tuple(reasons)

    def _weight(self, key: tuple[int, str]) -> float:
        """What matters most, and what comes first, is said first."""
        place = self.matters.index(json.loads(key[1])["kind"])
        return (1 - 0.5 * place / len(self.matters)) * (1.0 if key[0] == OWN else 0.8)

    def _better(self, knows: Any, action: int, seed: int) -> Seen:
        """What the better action brings; kept, because it is compared with one other after the next."""
        key = knows.tobytes(), action, seed
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._brings(knows, action, seed)
        return self._kept[1]

    def _brings(self, knows: Any, action: int, seed: int) -> Seen:
        """In how many worlds an action, and what follows until its player's next turn is over, brings what."""
        seen: Seen = Counter()
        for world in range(WORLDS):
            desk = self.engine.desk(seed * 4096 + world)
            self.engine.sample(knows, desk, self._state, 1)
            seen.update(set(self._line(desk, action, world)))
        return seen

    def _line(self, desk: Any, action: int, seed: int) -> list[tuple[int, str]]:
        engine, state = self.engine, self._state
        seat = int(engine.to_move(state))
        happened, when, turn = list[tuple[int, str]](), OWN, seat
        for step in range(STEPS):
            engine.listen(desk)
            engine.apply(state, desk, action)
            rows = [tuple(int(one) for one in row) for row in desk["events"][0][: int(desk["told"][0])]]
            events = self.game.script.events(row for row in told_to(rows, seat) if row[EV_KIND] != EV_ORDER)
            happened += [(when, json.dumps(_plain(event), sort_keys=True)) for event in events if event["kind"] in self.matters]
            turn = int(engine.to_move(state))
            if turn < 0:
                break
            if turn != seat and when == OWN:
                when = OTHERS
            elif turn == seat and when == OTHERS:
                when = NEXT
            elif turn != seat and when == NEXT:
                break
            action = self._reply(seed + step)
        return happened

    def _reply(self, seed: int) -> int:
        """How somebody goes on in this world, all cards open to him: it is one world of many that the seat reckons with."""
        knows = self._open.copy()
        for name in self._state.dtype.names:
            knows[name] = self._state[name]
        self.searcher.forget()
        return self.searcher.consider_in(knows, seed=seed)[0].action


def about(event: str) -> tuple[Any, ...]:
    """What an event is about, without its counts.

    What happens after either move and differs in a count alone is no reason: the sentences would contradict each other. Nor are two that
    differ in a count alone two reasons.
    """
    return tuple(sorted((name, value) for name, value in json.loads(event).items() if isinstance(value, str)))


def _plain(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name != "rule"}


def _code(when: int, more: bool) -> str:
    """What kind of reason it is that something happens more often, or less, after the better move."""
    if when == OTHERS:
        return "" if more else "leaves_open"
    return {OWN: "wins", NEXT: "threatens"}[when] if more else ("costs" if when == OWN else "")
