"""Thousands of games stepped in one compiled call, over one array of states and one of knowledge.

Game number n of a vector environment has the deal of `drunemeton simulate --seed n`, and of any table with that seed.
Each game keeps one knowledge, what everybody was told, and one memory, what single seats were told beside that. Observations are made of
those two; the state itself is only played on, and asked for the legal moves, which its seat could tell as well.
"""

from __future__ import annotations

from typing import Any

from ..bots import counting_rows
from ..bots.greedy import WORLDS, greedy_action, prepare_judge
from ..bots.match import GREEDY, RANDOM
from ..rules.drive import Engine
from ..rules.game import View, apply, fold, legal, ponder, random_action, start, to_move
from ..rules.kernel import (
    EV_SECRET,
    EV_WHO,
    EVERYBODY,
    MOVES,
    NOBODY,
    Dealt,
    Desk,
    Record,
    below,
    deal_out,
    i64,
    lay_down,
    native_form,
    rule,
    seed,
    set_record,
    take_up,
)
from .layout import BIT, NUMBER, file_of
from .world import Setting, keep, observe_on, reflect, score_seats, see_hand

AGENT = 2  # a seat whose decisions come from outside; RANDOM and GREEDY as in `bots.match`
OPPONENTS = {"random": RANDOM, "greedy": GREEDY, "self": AGENT}

# When a finished game is dealt anew.
NEVER, NEXT_STEP, SAME_STEP = range(3)

# What became of a step, the gravest last.
RUNNING, FINISHED, CUT_SHORT, FORBIDDEN = range(4)

SHORT = 1024  # a mask that is cleared as a whole: faster than action by action
APART = MOVES + 32  # the rows of an array do not all begin in the same place of a processor's cache
TRIES = 1000  # deals in a row that may end before the agent has decided anything


class Course(Dealt):
    """How far one of the games is."""

    step: int = i64()  # decisions so far
    seat: int = i64()  # the agent: who must decide, or decided last
    mover: int = i64()  # who must decide; -1 when nobody has to
    done: int = i64()  # ended, and not dealt anew yet
    offered: int = i64()  # legal actions


def line(rows: Any, i: int) -> Any:
    """One row of an array, without asking who owns the array."""
    return rows[i]


@native_form(line)
def _line() -> Any:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    tools: Any = cgutils
    arrays: Any = arrayobj

    def typed(_context: Any, rows: Any, i: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = arrays.make_array(signature.args[0])(context, builder, arguments[0])
            one = arrays.make_array(signature.return_type)(context, builder)
            first = tools.get_item_pointer(context, builder, signature.args[0], whole, [arguments[1], context.get_constant(types.intp, 0)])
            _, length = tools.unpack_tuple(builder, whole.shape, 2)
            _, stride = tools.unpack_tuple(builder, whole.strides, 2)
            arrays.populate_array(one, data=first, shape=[length], strides=[stride], itemsize=whole.itemsize, meminfo=None)
            return one._getvalue()

        return types.Array(rows.dtype, 1, "C")(rows, types.int64), code

    return intrinsic(typed)


# Inside the loops below, records are handed on rather than arrays: Numba counts references to every array that a call takes.


@rule
def take_in(k: Record, own: Record, d: Desk) -> None:
    """Let everybody take in what the desk has told, and the single seats what only they were told."""
    for i in range(d.told):
        row = d.events[i]
        who = row[EV_WHO]
        if who != NOBODY:
            keep(k, own, row)
            if who != EVERYBODY:
                row[EV_SECRET] = 0  # the next step tells anew
            fold(k, row)
    reflect(k)


@rule
def begin(s: Record, k: Record, own: Record, d: Desk, c: Course) -> None:
    """Deal."""
    c.step = 0
    c.done = 0
    d.told = 0
    deal_out(d, c.deal)
    start(s, d)
    lay_down(d, c)
    take_in(k, own, d)


@rule
def go_on(s: Record, k: Record, own: Record, d: Desk, c: Course, action: int) -> None:
    """One decision."""
    c.step += 1
    d.told = 0
    take_up(d, c)
    apply(s, d, action)
    lay_down(d, c)
    take_in(k, own, d)


@rule
def step_many(
    chosen: Any,
    actions: Any,
    autoreset: int,
    outcomes: Any,
    rewards: Any,
    shares: Any,
    final_rows: Any,
    prepared: Any,
    known: Any,
    blank: Any,
    states: Any,
    knows: Any,
    memories: Any,
    minds: Any,
    desks: Any,
    courses: Any,
    policies: Any,
    rows: Any,
    masks: Any,
    offered: Any,
    trial: Any,
    moves: Any,
    sums: Any,
    limit: int,
    worlds: int,
) -> int:
    """One step of every chosen game; answers the gravest outcome. A game that is done is dealt instead: the deal `courses[i].deal`."""
    count = len(courses)
    seats = policies.shape[1]
    d = desks[0]
    gravest = RUNNING
    for i in range(count):
        if chosen[i] == 0:
            continue
        c = courses[i]
        s = states[i]
        k = knows[i]
        own = memories[i]
        rewards[i] = 0.0
        outcomes[i] = RUNNING
        seat = c.seat
        action = actions[i]
        if c.done == 0:
            if action >= 0 and action < masks.shape[1] and masks[i, action] == 1:
                go_on(s, k, own, d, c, action)
            else:
                outcomes[i] = FORBIDDEN
        if masks.shape[1] <= SHORT:
            for n in range(masks.shape[1]):
                masks[i, n] = 0
        else:
            for n in range(c.offered):
                masks[i, offered[i, n]] = 0
        c.offered = 0
        tries = 0
        while True:
            if c.done == 1:
                set_record(states, i, prepared, 0)
                set_record(knows, i, known, 0)
                set_record(memories, i, blank, 0)
                for n in range(rows.shape[1]):
                    rows[i, n] = 0
                begin(s, k, own, d, c)
                tries += 1
            mover = to_move(s)
            while mover >= 0 and policies[i, mover] != AGENT and c.step < limit and outcomes[i] != FORBIDDEN:
                seed(desks[1], c.deal, c.step, 0xB07)
                if policies[i, mover] == GREEDY:
                    set_record(minds, 0, knows, i)
                    see_hand(minds[0], own, mover)
                    ponder(minds[0])
                    action = greedy_action(minds, 0, mover, desks, 1, trial, 0, moves, sums, worlds)
                else:
                    action = random_action(s, desks[1])
                go_on(s, k, own, d, c, action)
                mover = to_move(s)
            c.mover = mover
            if tries > 0:
                if mover >= 0 or tries == TRIES:
                    break
                c.deal += count
                c.done = 1
                continue
            if outcomes[i] == RUNNING:
                if mover >= 0 and c.step < limit:
                    break
                outcomes[i] = FINISHED if mover < 0 else CUT_SHORT
            gravest = max(gravest, outcomes[i])
            c.mover = -1
            for other in range(seats):
                shares[i, other] = 1.0 / (seats - 1) if outcomes[i] == FORBIDDEN else 0.0
            if outcomes[i] == FORBIDDEN:
                shares[i, seat] = -1.0
            elif outcomes[i] == FINISHED:
                score_seats(s, seats, line(shares, i))
            rewards[i] = shares[i, seat]
            c.done = 1
            c.deal += count
            if autoreset != SAME_STEP:
                break
            observe_on(k, own, seat, line(rows, i))
            for n in range(rows.shape[1]):
                final_rows[i, n] = rows[i, n]
        # The one who decided last sees how it ended, and is asked nothing.
        if c.mover >= 0:
            c.seat = c.mover
        seat = c.seat
        observe_on(k, own, seat, line(rows, i))
        if c.mover >= 0:
            # What is legal a seat can always tell from what it knows: it is asked about nothing else.
            c.offered = legal(s, d)
            for n in range(c.offered):
                offered[i, n] = d.moves[n]
                masks[i, d.moves[n]] = 1
    return gravest


@rule
def random_actions(courses: Any, offered: Any, desks: Any, actions: Any) -> None:
    """A legal action for every game, each as likely; 0 where the game is over."""
    for i in range(len(courses)):
        actions[i] = offered[i, below(desks[2], courses[i].offered)] if courses[i].offered else 0


class Many:
    """The arrays of so many games, and the calls that work on them."""

    def __init__(self, setting: Setting, count: int, opponents: str, seat: int | None, limit: int) -> None:
        import numpy as np

        if opponents not in OPPONENTS:
            raise ValueError(f"opponents {opponents!r} is none of {', '.join(OPPONENTS)}")
        if seat is not None and not 0 <= seat < setting.seats:
            raise ValueError(f"seat {seat} is none of 0 to {setting.seats - 1}")
        prepare_judge(setting.game)
        engine: Engine = setting.calls.engine
        self.setting, self.count = setting, count
        self.own_seats = np.full(count, seat) if seat is not None else np.arange(count) % setting.seats
        self.policies = np.full((count, setting.seats), OPPONENTS[opponents], np.int64)
        self.policies[np.arange(count), self.own_seats] = AGENT
        self.courses = Course.box(count)
        self.courses["seat"] = self.own_seats
        self.states, self.knows, self.minds = setting.states(count), setting.knows(count), setting.knows(1)
        self.memory = file_of(setting.game).Memory
        self.memories = self.memory.box(count)
        self.desks = np.concatenate([engine.desk(number) for number in range(3)])  # the table's, the opponents', for random actions
        self.desks["listening"][0] = 1
        self.rows = np.zeros((count, setting.layout.size), NUMBER)
        self.masks = np.zeros((count, setting.game.action_count), BIT)
        self.offered = np.zeros((count, APART), np.int16)
        self.final_rows = np.zeros_like(self.rows)
        self.rewards = np.zeros(count)
        self.shares = np.zeros((count, setting.seats))
        self.outcomes = np.zeros(count, np.int8)
        self._all = np.ones(count, np.bool_)
        self._none = np.zeros(count, np.int64)
        # A step of few games takes hardly longer than gathering its arguments would.
        results = (self.outcomes, self.rewards, self.shares, self.final_rows)
        laid_out = (setting.prepared, setting.known, self.memory.box())
        tables = (self.states, self.knows, self.memories, self.minds, self.desks, self.courses, self.policies)
        spare = (setting.states(2), *counting_rows(True), limit, WORLDS)
        self._arrays: tuple[Any, ...] = (*results, *laid_out, *tables, self.rows, self.masks, self.offered, *spare)
        self._step = engine.twin(step_many)
        self._random = engine.twin(random_actions)

    @property
    def seats(self) -> Any:
        """Who must decide in each game, or decided last; the array that the games themselves go by."""
        return self.courses["seat"]

    def deal(self, numbers: Any, chosen: Any) -> None:
        """Begin the chosen games with deals of these numbers."""
        self.courses["deal"][chosen] = numbers[chosen]
        self.courses["done"][chosen] = 1
        self.seats[chosen] = self.own_seats[chosen]
        self._run(chosen, self._none, NEVER)

    def step(self, actions: Any, autoreset: int) -> int:
        """One step of every game; answers the gravest outcome."""
        return self._run(self._all, actions, autoreset)

    def _run(self, chosen: Any, actions: Any, autoreset: int) -> int:
        return int(self._step(chosen, actions, autoreset, *self._arrays))

    def random_actions(self, actions: Any) -> None:
        """Write a legal action for every game into `actions`."""
        self._random(self.courses, self.offered, self.desks, actions)

    def view(self, i: int) -> View:
        """What the agent of game i is shown."""
        setting, seat = self.setting, int(self.seats[i])
        known = setting.game.knowledge_type.from_box(self.knows, i)
        see_hand(known, self.memory.from_box(self.memories, i), seat)
        ponder(known)
        return setting.game.view_of(known, seat, False)
