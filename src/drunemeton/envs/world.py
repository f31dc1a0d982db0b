"""A game being played inside an environment: flat records, a few compiled calls, and what each seat knows.

What goes out (observations, masks, pictures) is built from a seat's knowledge; the state itself stays in here.
"""

from __future__ import annotations

import functools
import operator
import threading
from collections.abc import Mapping
from typing import Any, NoReturn, Self, cast

from ..bots import seated
from ..bots.own import Who, nobodys_action, own_action
from ..locales import tell_reason
from ..observations.layout import Layout, file_of, layout_of
from ..rules.chance import deal_of
from ..rules.drive import Engine, go_on, learn, tell_seats
from ..rules.errors import GameError, IllegalMove, Reason
from ..rules.game import Game, View, find_game, legal, place_of, ponder, random_action, sample, start, to_move
from ..rules.kernel import (
    EV_A,
    EV_KIND,
    EV_SECRET,
    EV_WHO,
    NOBODY,
    SPECTATOR,
    STREAM,
    Dealt,
    Desk,
    Generic,
    Record,
    Row,
    copy_box,
    generic,
    has_numba,
    lay_down,
    may_see,
    rule,
    set_record,
    take_up,
)

# What `carry_on` answers beside the next seat to decide.
OVER, FAULT, ILLEGAL = -1, -2, -3

DEAL = -1  # what `carry_on` takes in place of an action; from outside it is refused, as every number that is no action

TOLD = 6  # entries of a told event: its kind, four numbers, and the secret if everybody was told it


@generic
def observe(k: Record, own: Record, seat: int, row: Row) -> int:
    """Write what a seat knows into a row of zeros; answers how many entries.

    `k` is what that seat knows, or what everybody knows; nothing but the seat's own hand is read from `own`: its knowledge, or a memory.
    """
    raise NotImplementedError


@generic
def observe_on(k: Record, own: Record, seat: int, row: Row) -> int:
    """Write what a seat knows over what the memory `own` says was last written into this row, for whichever seat of this game."""
    raise NotImplementedError


@generic
def keep(k: Record, own: Record, row: Row) -> None:
    """Let a memory keep of an event what the seats alone know to whom it was told; `k` has not taken it in yet."""


@generic
def reflect(k: Record) -> None:
    """All events of a step are told: do of `ponder` what an observation needs."""


@generic
def see_hand(k: Record, own: Record, seat: int) -> None:
    """Add to what everybody knows what that seat alone has seen: its hand in a memory, or in a world; then it must `ponder`."""


@rule
def mark_legal(k: Record, d: Desk, seat: int, mask: Any, what: int) -> int:
    """Mark the legal actions of a seat, as it knows them, or unmark them; answers how many. While another seat decides there are none."""
    if to_move(k) != seat:
        return 0
    count = legal(k, d)
    for i in range(count):
        mask[d.moves[i]] = what
    return count


@rule
def look(knows: Any, desks: Any, seat: int, row: Any, mask: Any) -> None:
    """Observation and mask of a seat, into rows of zeros."""
    observe(knows[seat], knows[seat], seat, row)
    mark_legal(knows[seat], desks[0], seat, mask, 1)


@rule
def copy_records(target: Any, source: Any, count: int) -> None:
    """Copy records from box to box."""
    for i in range(count):
        set_record(target, i, source, i)


@rule
def deal_in(prepared: Any, known: Any, states: Any, knows: Any, watchers: int) -> None:
    """Lay everything out as before the deal."""
    set_record(states, 0, prepared, 0)
    for i in range(watchers):
        set_record(knows, i, known, 0)


@rule
def carry_on(s: Record, d: Desk, game: Dealt, action: int) -> int:
    """Carry out an action (or the deal), with the shuffles of this deal, or those on the desk's tape.

    Answers the seat that decides next, or why nothing came of it.
    """
    if action != DEAL:
        count = legal(s, d)
        i = 0
        while i < count and d.moves[i] != action:
            i += 1
        if i == count:
            d.tape_at = 0
            d.tape_end = 0
            return ILLEGAL
    d.listening = 1
    take_up(d, game)
    if action == DEAL:
        d.told = 0
        start(s, d)
    else:
        go_on(s, d, action)
    if d.fault == 0:
        lay_down(d, game)
    fault = d.fault
    clear_away(d)
    return FAULT if fault else to_move(s)


@rule
def clear_away(d: Desk) -> None:
    """Nothing stays on the desk that would tell a shuffle to come."""
    d.source = STREAM
    d.deal = 0
    d.tape_at = 0
    d.tape_end = 0
    d.fault = 0


@rule
def play_on(states: Any, knows: Any, desks: Any, games: Any, action: int, seats: int, row: Any, mask: Any) -> int:
    """Carry out an action, tell every seat, and write what the one that decides next sees."""
    mover = carry_on(states[0], desks[0], games[0], action)
    if mover >= OVER:
        tell_seats(knows, desks[0], seats)
    if mover >= 0:
        look(knows, desks, mover, row, mask)
    return mover


@rule
def tell_on(states: Any, knows: Any, desks: Any, games: Any, action: int, seats: int, story: Any) -> int:
    """Carry out an action, and tell every seat and then the spectators.

    What the spectators were told goes into the story, six numbers an event from entry 1 on; entry 0 says where it ends.
    """
    mover = carry_on(states[0], desks[0], games[0], action)
    n = 1
    if mover >= OVER:
        d = desks[0]
        tell_seats(knows, d, seats)
        learn(knows[seats], d, SPECTATOR)
        for i in range(d.told):
            row = d.events[i]
            if row[EV_WHO] != NOBODY:
                story[n] = row[EV_KIND]
                for j in range(4):
                    story[n + 1 + j] = row[EV_A + j]
                story[n + 5] = row[EV_SECRET] if may_see(row[EV_WHO], SPECTATOR) else 0
                n += TOLD
    story[0] = n
    return mover


@rule
def rollouts(states: Any, trial: Any, desks: Any, count: int, seats: int, rewards: Any, sums: Any) -> None:
    """Play a game to its end at random, so many times over, every shuffle drawn anew; add up what each seat gets."""
    for _ in range(count):
        set_record(trial, 0, states, 0)
        while to_move(trial[0]) >= 0:
            go_on(trial[0], desks[0], random_action(trial[0], desks[0]))
        score_seats(trial[0], seats, rewards)
        for seat in range(seats):
            sums[seat] += rewards[seat]


@rule
def score_seats(s: Record, seats: int, rewards: Any) -> None:
    """What each seat gets at the end: the share of the others it left behind, less the share of those before it; the sum is 0."""
    for seat in range(seats):
        balance = 0
        for other in range(seats):
            balance += int(place_of(s, other) > place_of(s, seat)) - int(place_of(s, other) < place_of(s, seat))
        rewards[seat] = balance / (seats - 1)


@rule
def score_in(states: Any, seats: int, rewards: Any) -> None:
    """What each seat gets at the end, for a box."""
    score_seats(states[0], seats, rewards)


@rule
def imagine(known: Any, seat: int, seats: int, desks: Any, states: Any, knows: Any) -> None:
    """Sample a world that fits what the seat knows, and what the others know in it. The last knowledge is what everybody knows."""
    sample(known[seat], desks[0], states[0])
    for other in range(seats):
        set_record(knows, other, known, seat if other == seat else seats)
        if other != seat:
            see_hand(knows[other], states[0], other)
            ponder(knows[other])
    set_record(knows, seats, known, seats)


class Calls:
    """A game's compiled entry points."""

    def __init__(self, game: type[Game]) -> None:
        if not has_numba():
            raise GameError("the environments need Numba, which is not installed (or DRUNEMETON_PLAIN is set)")
        own = file_of(game)
        for declared in (observe, observe_on, keep, reflect, see_hand):
            described = cast(Generic, declared)
            described.bind(game.knowledge_type, getattr(own, described.__name__))
        cast(Generic, own_action).bind(game.knowledge_type, nobodys_action)
        self.engine = Engine(game)
        self.look = self.engine.twin(look)
        self.deal = self.engine.twin(deal_in)
        self.copy = self.engine.twin(copy_records)
        self.play_on = self.engine.twin(play_on)
        self.tell_on = self.engine.twin(tell_on)
        self.rollouts = self.engine.twin(rollouts)
        self.score = self.engine.twin(score_in)
        self.imagine = self.engine.twin(imagine)


@functools.cache
def calls_of(name: str) -> Calls:
    """The compiled entry points of a game."""
    return Calls(find_game(name))


_desks = threading.local()


def desk() -> Any:
    """The desk that this thread's worlds share; no step asks for anything that an earlier one left on it."""
    found = getattr(_desks, "own", None)
    if found is None:
        found = _desks.own = Desk.box()
    return found


def dealt(number: int) -> Any:
    """A box with a deal of which nothing was shuffled yet."""
    box = Dealt.box()
    box["deal"] = deal_of(number)
    return box


class NoSuchAction(IllegalMove):
    """A number that no action of the game has."""

    def __init__(self, action: int, count: int) -> None:
        GameError.__init__(self, f"{action} is no action: they have the numbers from 0 to {count - 1}")
        self.move, self.reason = str(action), Reason("no_such_action", None, {"actions": count})


class RefusedAction(IllegalMove):
    """An action that is not legal now, with the reason in words."""

    def __init__(self, action: int, reason: Reason) -> None:
        told = tell_reason("en", reason.code, reason.params)
        GameError.__init__(self, f"{action}: {told}" + (f" ({reason.rule})" if reason.rule else ""))
        self.move, self.reason = str(action), reason


class Setting:
    """A game with its options: everything about it that does not change while it is played."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        components: Mapping[str, Any] | None = None,
    ) -> None:
        self.given = (game, seats, options, components)
        self.game = find_game(game)
        self.seats = self.game.players[0] if seats is None else operator.index(seats)
        laid = self.game.lay_out(self.seats, options, components)
        self.options, self.components = laid.options, laid.components
        self.calls = calls_of(game)
        self.layout: Layout = layout_of(game, self.seats)
        self.private = file_of(self.game).private
        self.state_dtype = self.game.state_type.dtype()
        # Numba compares layouts field by field unless they are one object: 5 us a call where a knowledge looks just like a state.
        own = self.game.knowledge_type.dtype()
        self.knowledge_dtype = self.state_dtype if own == self.state_dtype else own
        self.prepared = laid.state.to_box(self.states())
        self.known = laid.knowledge.to_box(self.knows(1))
        self.all_known = self.knows(self.seats + 1)  # the same for every seat and for the spectators
        for i in range(self.seats + 1):
            self.all_known[i : i + 1] = self.known

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.given

    def seated(self, who: Who) -> Who:
        """Who sits down here when that bot is asked to."""
        return seated(self.game, who, self.seats, self.options, self.components)

    def __deepcopy__(self, memo: Any) -> Setting:
        return self

    def states(self, count: int = 1) -> Any:
        """A box for states."""
        import numpy as np

        return np.zeros(count, self.state_dtype)

    def knows(self, count: int) -> Any:
        """A box for what so many watchers know."""
        import numpy as np

        return np.zeros(count, self.knowledge_dtype)

    def refuse(self, action: int, knowledge: Any) -> NoReturn:
        """Say why an action is not legal, from what the seat on turn knows."""
        if not 0 <= action < self.game.action_count:
            raise NoSuchAction(action, self.game.action_count)
        raise RefusedAction(action, self.game.refusal(knowledge, action))

    def twin(self, box: Any) -> Any:
        """A copy of records."""
        import numpy as np

        made = np.empty(len(box), box.dtype)
        self.calls.copy(made, box, len(box))
        return made


def seed_in(given: object) -> int:
    """The number that was given as a seed."""
    try:
        return operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        raise GameError(f"{given!r} is no seed: seeds are whole numbers") from None


class World:
    """One game, dealt from a seed exactly as at a table, so that the same seed gives the same game everywhere."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.states = setting.states()
        self.knows = setting.knows(setting.seats)
        self.dealt = Dealt.box()
        self.actions: list[int] = []  # taken so far
        self.mover = OVER
        self._seen: tuple[Any, Any] | None = None  # by the seat on turn, until it looks

    def deal(self, seed: int) -> int:
        """Begin a game; answers the seat that must decide first."""
        self.dealt = dealt(seed)
        setting = self.setting
        setting.calls.deal(setting.prepared, setting.known, self.states, self.knows, setting.seats)
        self.actions = []
        self.mover = self._play(DEAL)
        return self.mover

    def play(self, action: int) -> int:
        """Carry out an action; answers the seat that must decide next, -1 when the game is over. If it is not legal, nothing happens."""
        if self.mover < 0:
            raise GameError("no game is being played: it is over, or was not dealt yet")
        if not 0 <= action < self.setting.game.action_count:
            self._refuse(action, ILLEGAL)
        self.mover = self._play(action)
        self.actions.append(action)
        return self.mover

    def _play(self, action: int) -> int:
        setting = self.setting
        row, mask = setting.layout.empty()
        mover: int = setting.calls.play_on(self.states, self.knows, desk(), self.dealt, action, setting.seats, row, mask)
        if mover < OVER:
            self._refuse(action, mover)
        self._seen = (row, mask) if mover >= 0 else None
        return mover

    def _refuse(self, action: int, why: int) -> None:
        if why == FAULT:
            raise GameError("more happened in one step than the story can hold")
        self.setting.refuse(action, self.knowledge(self.mover))

    def look(self, seat: int) -> tuple[Any, Any]:
        """Observation and mask of a seat, in fresh arrays."""
        if seat == self.mover and self._seen is not None:
            seen, self._seen = self._seen, None
            return seen
        row, mask = self.setting.layout.empty()
        self.setting.calls.look(self.knows, desk(), seat, row, mask)
        return row, mask

    def knowledge(self, seat: int) -> Any:
        """What a seat knows, as a plain record: for bots and views."""
        return self.setting.game.knowledge_type.from_box(self.knows, seat)

    def view(self, seat: int) -> View:
        """What a seat is shown."""
        return self.setting.game.view_of(self.knowledge(seat), seat, False)

    def scores(self) -> list[float]:
        """What each seat gets: zeros while the game runs."""
        import numpy as np

        rewards = np.zeros(self.setting.seats)
        if self.mover < 0:
            self.setting.calls.score(self.states, self.setting.seats, rewards)
        return rewards.tolist()

    def __deepcopy__(self, memo: Any) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._seen = None
        twin.states, twin.knows, twin.actions = self.setting.twin(self.states), self.setting.twin(self.knows), self.actions[:]
        twin.dealt = copy_box(self.dealt)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        boxes = {name: getattr(self, name).tobytes() for name in ("states", "knows", "dealt")}
        return {**self.__dict__, **boxes, "_seen": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        import numpy as np

        self.__dict__.update(kept)
        self.states = np.frombuffer(bytearray(kept["states"]), self.setting.state_dtype)
        self.knows = np.frombuffer(bytearray(kept["knows"]), self.setting.knowledge_dtype)
        self.dealt = np.frombuffer(bytearray(kept["dealt"]), Dealt.dtype())
