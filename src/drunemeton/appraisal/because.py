"""Why a move is better, from what it brings: both moves are played on in sampled worlds, and what happens after one and not after the other
is the reason, in the game's own events.

What the move itself brings it *wins*; what its player does next turn it *threatens*; what the others do after the other move the other move
*leaves open*, and this one *saves* from. A game's file among the bots says which events matter (`MATTERS`) and whose gain or loss they are
(`gain_and_loss`): a better move may well cost something too, but that is no reason for it. Where something happens (`PLACES`) is told, but
another place is no other reason.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

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
GOOD, PLAIN, BAD = 1, 0, -1  # what it is to the player


# What kind of reason it is that something happens more often after the better move, or less.
CODES = {
    (OWN, True): "wins",
    (NEXT, True): "threatens",
    (OWN, False): "costs",
    (OTHERS, False): "leaves_open",
    (NEXT, False): "leaves_open",
}


class Happened(NamedTuple):
    """Something that happens after a move, what it is to its player, and the how-manieth of its kind it is."""

    when: int
    side: int
    what: str  # the event, as far as it matters
    number: int = 1


ByWorld = dict[Happened, list[dict[str, Any]]]
"""The event in each of the worlds in which it happens."""


class Found(NamedTuple):
    """What one of two moves brings oftener than the other: in which share of the worlds either of them does."""

    key: Happened
    event: dict[str, Any]
    share: float
    instead: float

    @property
    def more(self) -> bool:
        """Whether the better move brings it oftener."""
        return self.share > self.instead

    @property
    def speaks(self) -> bool:
        """Whether it speaks for the better move. That the game ends does, whoever wins by it: the appraisal has seen who."""
        side = self.key.side
        return side == (GOOD if self.more else BAD) or (side == PLAIN and self.event["kind"] == "ended")


class Explainer:
    """Finds reasons for moves of one game. Not for two threads at once."""

    def __init__(self, game: type[Game]) -> None:
        self.game = game
        own = prepare_judge(game)
        self.matters: tuple[str, ...] = getattr(own, "MATTERS", ())
        self._gain_and_loss = getattr(own, "gain_and_loss", lambda event: (None, None))
        self._places: tuple[str, ...] = getattr(own, "PLACES", ())
        self.searcher = Searcher(game, Strength(QUICK, explore=0.1, trust=1.0))
        self.engine: Engine = self.searcher.engine
        self._state = self.engine.box(game.state_type())
        self._open = self.engine.box(game.knowledge_type())
        self._kept: tuple[tuple[bytes, int, int], ByWorld] | None = None

    def why(self, knows: Any, better: int, other: int | None, *, seed: int, most: int = SAID) -> tuple[Why, ...]:
        """Reasons for an action on what the seat on turn knows, beside another; without another, beside doing nothing of the kind."""
        if not self.matters:
            return ()
        one = self._better(knows, better, seed)
        found = self._differ(one, {} if other is None else self._brings(knows, other, seed))
        more, less = ({about(each.key.what) for each in found if each.more == way} for way in (True, False))
        reasons: dict[bool, list[Why]] = {True: [], False: []}
        told = more & less
        for each in found:
            code, what = CODES.get((each.key.when, each.more)), about(each.key.what)
            if code and (each.speaks or each.key.side == PLAIN) and what not in told:
                told.add(what)
                reasons[each.speaks].append(Why(code, each.event, each.share, each.instead))
        return tuple((reasons[True] or reasons[False])[:most])

    def _differ(self, one: ByWorld, two: ByWorld) -> list[Found]:
        """What one move brings much oftener than the other, the weightiest first."""
        found = []
        for key in {*one, *two}:
            share, instead = (len(seen.get(key, ())) / WORLDS for seen in (one, two))
            # What the other move would bring a turn later is neither here nor there, unless it hurts.
            counts = key.when != NEXT or share > instead or key.side == BAD
            if counts and abs(share - instead) >= ENOUGH:
                found.append(Found(key, (one if share > instead else two)[key][0], share, instead))
        return sorted(found, key=lambda each: (-abs(each.share - each.instead) * self._weight(each.key), not each.more, each.key))

    def _weight(self, key: Happened) -> float:
        """What matters most, and what comes first, is said first."""
        place = self.matters.index(json.loads(key.what)["kind"])
        return (1 - 0.5 * place / len(self.matters)) * (1.0 if key.when == OWN else 0.8)

    def _better(self, knows: Any, action: int, seed: int) -> ByWorld:
        """What the better action brings; kept, because it is compared with one other after the next."""
        key = knows.tobytes(), action, seed
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._brings(knows, action, seed)
        return self._kept[1]

    def _brings(self, knows: Any, action: int, seed: int) -> ByWorld:
        """In how many worlds an action, and what follows until its player's next turn is over, brings what."""
        seen: ByWorld = defaultdict(list)
        for world in range(WORLDS):
            desk = self.engine.desk(seed * 4096 + world)
            self.engine.sample(knows, desk, self._state, 1)
            times = Counter[Happened]()
            for happened, event in self._line(desk, action, world):
                times[happened] += 1
                seen[happened._replace(number=times[happened])].append(event)
        return seen

    def _line(self, desk: Any, action: int, seed: int) -> Iterator[tuple[Happened, dict[str, Any]]]:
        engine, state = self.engine, self._state
        seat = int(engine.to_move(state))
        when, turn = OWN, seat
        for step in range(STEPS):
            engine.listen(desk)
            engine.apply(state, desk, action)
            rows = [tuple(int(one) for one in row) for row in desk["events"][0][: int(desk["told"][0])]]
            events = self.game.script.events(row for row in told_to(rows, seat) if row[EV_KIND] != EV_ORDER)
            for side, event in self._sides(events, self.game.seat_names[seat], made=step == 0):
                what = {name: value for name, value in event.items() if name not in self._places}
                yield Happened(when, side, json.dumps(what, sort_keys=True)), event
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

    def _sides(self, events: Sequence[dict[str, Any]], me: str, *, made: bool) -> list[tuple[int, dict[str, Any]]]:
        """What matters of a step, and what it is to a seat. What does not say whose gain it is goes with what else the step brings.

        That a move is *made* is no reason for it, unless it is a gain in itself.
        """
        found = [(self._side(event, me), event) for event in events if event["kind"] in self.matters]
        if made and found and found[0] == (PLAIN, events[0]):
            found = found[1:]
        sides = {side for side, _ in found} - {PLAIN}
        common = sides.pop() if len(sides) == 1 else PLAIN
        return [(side or common, {name: value for name, value in event.items() if name != "rule"}) for side, event in found]

    def _side(self, event: dict[str, Any], me: str) -> int:
        gains, loses = self._gain_and_loss(event)
        if me in (gains, loses):
            return GOOD if gains == me else BAD
        return BAD if gains else GOOD if loses else PLAIN

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
