"""Thousands of games stepped in one compiled call, over one array of states and one of knowledge.

Game number n of a vector environment has the deal of `drunemeton simulate --seed n`, and of any table with that seed.
Each game keeps one knowledge, what everybody was told, and one memory, what single seats were told beside that. Observations are made of
those two; the state itself is only played on, and asked for the legal moves, which its seat could tell as well.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..bots.compiling import Compiling
from ..bots.greedy import WORLDS, Mind, greedy_action, prepare_judge
from ..bots.match import GREEDY, RANDOM
from ..bots.own import RuleBot, Who, find_bot, own_action, twin_for
from ..observations.layout import BIT, NUMBER, file_of
from ..rules.drive import Engine, begin, go_on, hear
from ..rules.game import View, legal, ponder, random_action, to_move
from ..rules.kernel import (
    CHOICES,
    EV_WHO,
    MOVES,
    NOBODY,
    SPECTATOR,
    Dealt,
    Desk,
    Record,
    below,
    i64,
    lay_down,
    native_form,
    rule,
    seed,
    set_record,
    take_up,
    unfolded,
)
from .world import Setting, keep, observe_on, reflect, score_seats, see_hand

# Who decides for a seat: RANDOM and GREEDY as in `bots.match`, and
OWN = -1  # a compiled bot from outside
AGENT = 2  # whoever steps the environment
ASKED = 3  # a bot that is asked in Python, see `asked.py`
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


def borrowed(arrays: Any) -> Any:
    """A named tuple of arrays, without asking who owns them: whoever calls a compiled rule holds them as long as it runs."""
    return arrays


@native_form(borrowed)
def _borrowed() -> Any:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    tools: Any = cgutils
    made: Any = arrayobj

    def typed(_context: Any, arrays: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = arguments[0]
            for place, one in enumerate(signature.args[0].types):
                if isinstance(one, types.Array):
                    array = made.make_array(one)(context, builder, builder.extract_value(whole, place))
                    array.meminfo = tools.get_null_value(array.meminfo.type)
                    whole = builder.insert_value(whole, array._getvalue(), place)
            return whole

        return arrays(arrays), code

    return intrinsic(typed)


# Numba counts references to every array that is handed on, and an array has seven parts: in the loops below records are handed on, arrays
# are borrowed, and what takes tuples of them is unfolded. With ordinary calls a step takes twice as long.


@rule
def take_in(k: Record, own: Record, d: Desk) -> None:
    """Let everybody take in what the desk has told, and the single seats what only they were told."""
    for i in range(d.told):
        row = d.events[i]
        if row[EV_WHO] != NOBODY:
            keep(k, own, row)
            hear(k, row, SPECTATOR)
    reflect(k)


@rule
def deal_one(s: Record, k: Record, own: Record, d: Desk, c: Course) -> None:
    """Deal."""
    c.step = 0
    c.done = 0
    begin(s, d, c.deal)
    lay_down(d, c)
    take_in(k, own, d)


@rule
def play_one(s: Record, k: Record, own: Record, d: Desk, c: Course, action: int) -> None:
    """One decision."""
    c.step += 1
    take_up(d, c)
    go_on(s, d, action)
    lay_down(d, c)
    take_in(k, own, d)


class Blank(NamedTuple):
    """What every game begins with."""

    state: Any
    knowledge: Any
    memory: Any


class Games(NamedTuple):
    """The games, one entry each; who decides for which seat is a row of policies."""

    states: Any
    knows: Any
    memories: Any
    courses: Any
    policies: Any


class Shown(NamedTuple):
    """What agents see: observations, masks, the legal actions, and the last observations of games that were dealt anew."""

    rows: Any
    masks: Any
    offered: Any
    final_rows: Any


class Gained(NamedTuple):
    """What became of a step: the outcome, the agent's reward, and every seat's share at the end."""

    outcomes: Any
    rewards: Any
    shares: Any


class Aids(NamedTuple):
    """What is needed on the way: desks (the table's, the opponents', for random actions), a knowledge to think from, and greedy's rows."""

    desks: Any
    minds: Any
    trial: Any
    moves: Any
    sums: Any
    limit: int
    worlds: int


@rule
def step_many(chosen: Any, actions: Any, autoreset: int, blank: Blank, games: Games, shown: Shown, gained: Gained, aids: Aids) -> int:
    """One step of every chosen game; answers the gravest outcome."""
    blank, games, shown = borrowed(blank), borrowed(games), borrowed(shown)
    gained, aids = borrowed(gained), borrowed(aids)
    gravest = RUNNING
    for i in range(len(games.courses)):
        if chosen[i]:
            gravest = max(gravest, act(i, actions[i], games, shown, gained, aids))
            deal_due(i, autoreset, blank, games, shown, gained, aids)
            show(i, games, shown, aids)
    return gravest


@unfolded
def act(i: int, action: int, games: Games, shown: Shown, gained: Gained, aids: Aids) -> int:
    """The agent's part of a step, unless the game is done; answers the outcome."""
    c = games.courses[i]
    outcome = RUNNING
    gained.rewards[i] = 0.0
    if c.done == 0:
        outcome = decide(i, action, games, shown, aids)
    else:
        unmark(c, shown.masks.shape[1], line(shown.masks, i), line(shown.offered, i))
    gained.outcomes[i] = outcome
    if outcome != RUNNING:
        close(i, games, gained)
    return outcome


@unfolded
def deal_due(i: int, autoreset: int, blank: Blank, games: Games, shown: Shown, gained: Gained, aids: Aids) -> None:
    """Deal a game that was done before this step, or that this step has ended if it is to be dealt at once."""
    c = games.courses[i]
    ended = gained.outcomes[i] != RUNNING
    if c.done == 1 and (not ended or autoreset == SAME_STEP):
        if ended:
            observe_on(games.knows[i], games.memories[i], c.seat, line(shown.rows, i))
            for n in range(shown.rows.shape[1]):
                shown.final_rows[i, n] = shown.rows[i, n]
        deal_anew(i, blank, games, shown, aids)


@unfolded
def decide(i: int, action: int, games: Games, shown: Shown, aids: Aids) -> int:
    """Carry out the agent's action, and let the others play until an agent must decide again; answers the outcome."""
    c = games.courses[i]
    masks = shown.masks
    allowed = action >= 0 and action < masks.shape[1] and masks[i, action] == 1
    unmark(c, masks.shape[1], line(masks, i), line(shown.offered, i))
    if not allowed:
        return FORBIDDEN
    play_one(games.states[i], games.knows[i], games.memories[i], aids.desks[0], c, action)
    c.mover = others_play(i, games, aids)
    if c.mover < 0:
        return FINISHED
    return RUNNING if c.step < aids.limit else CUT_SHORT


@unfolded
def unmark(c: Course, width: int, mask: Any, offered: Any) -> None:
    """No action is legal any more."""
    if width <= SHORT:
        for n in range(width):
            mask[n] = 0
    else:
        for n in range(c.offered):
            mask[offered[n]] = 0
    c.offered = 0


@unfolded
def others_play(i: int, games: Games, aids: Aids) -> int:
    """Let the opponents of game i decide until somebody must be asked; answers who, -1 when the game is over."""
    s = games.states[i]
    c = games.courses[i]
    mover = to_move(s)
    while mover >= 0 and games.policies[i, mover] < AGENT and c.step < aids.limit:
        action = 0
        if games.policies[i, mover] == GREEDY:
            action = greedy_for(i, mover, games, aids)
        else:
            seed(aids.desks[1], c.deal, c.step, CHOICES)
            if games.policies[i, mover] == RANDOM:
                action = random_action(s, aids.desks[1])
            else:
                think_for(i, mover, games, aids)
                action = own_action(aids.minds[0], aids.desks[1], aids.trial, mover)
        play_one(s, games.knows[i], games.memories[i], aids.desks[0], c, action)
        mover = to_move(s)
    return mover


@rule
def think_for(i: int, seat: int, games: Games, aids: Aids) -> None:
    """Put what a seat of game i knows where opponents think."""
    set_record(aids.minds, 0, games.knows, i)
    see_hand(aids.minds[0], games.memories[i], seat)
    ponder(aids.minds[0])


@rule
def greedy_for(i: int, seat: int, games: Games, aids: Aids) -> int:
    """What greedy does in this seat of game i."""
    seed(aids.desks[1], games.courses[i].deal, games.courses[i].step, CHOICES)
    think_for(i, seat, games, aids)
    return greedy_action(Mind(aids.minds, aids.desks, aids.trial, aids.moves, aids.sums), 0, seat, 1, 0, aids.worlds)


@unfolded
def close(i: int, games: Games, gained: Gained) -> None:
    """A game has come to its end, or to that of its agent: say what everybody gets, and which deal is next."""
    c = games.courses[i]
    seats = gained.shares.shape[1]
    outcome = gained.outcomes[i]
    for seat in range(seats):
        gained.shares[i, seat] = 1.0 / (seats - 1) if outcome == FORBIDDEN else 0.0
    if outcome == FORBIDDEN:
        gained.shares[i, c.seat] = -1.0
    elif outcome == FINISHED:
        score_seats(games.states[i], seats, line(gained.shares, i))
    gained.rewards[i] = gained.shares[i, c.seat]
    c.mover = -1
    c.done = 1
    c.deal += len(games.courses)


@unfolded
def deal_anew(i: int, blank: Blank, games: Games, shown: Shown, aids: Aids) -> None:
    """Deal game i, and the one after it if it ends before an agent has decided anything."""
    c = games.courses[i]
    for tries in range(TRIES):
        if tries > 0:
            c.deal += len(games.courses)
        set_record(games.states, i, blank.state, 0)
        set_record(games.knows, i, blank.knowledge, 0)
        set_record(games.memories, i, blank.memory, 0)
        for n in range(shown.rows.shape[1]):
            shown.rows[i, n] = 0
        deal_one(games.states[i], games.knows[i], games.memories[i], aids.desks[0], c)
        c.mover = others_play(i, games, aids)
        if c.mover >= 0:
            return


@unfolded
def show(i: int, games: Games, shown: Shown, aids: Aids) -> None:
    """Write what the agent sees who must decide; the one who decided last sees how it ended, and is asked nothing."""
    c = games.courses[i]
    if c.mover >= 0:
        c.seat = c.mover
    observe_on(games.knows[i], games.memories[i], c.seat, line(shown.rows, i))
    if c.mover >= 0:
        # What is legal a seat can always tell from what it knows: it is asked about nothing else.
        d = aids.desks[0]
        c.offered = legal(games.states[i], d)
        for n in range(c.offered):
            shown.offered[i, n] = d.moves[n]
            shown.masks[i, d.moves[n]] = 1


@rule
def random_actions(courses: Any, offered: Any, desks: Any, actions: Any) -> None:
    """A legal action for every game, each as likely; 0 where the game is over."""
    for i in range(len(courses)):
        actions[i] = offered[i, below(desks[2], courses[i].offered)] if courses[i].offered else 0


@rule
def greedy_actions(games: Games, aids: Aids, actions: Any) -> None:
    """What greedy would do in place of every agent who must decide; 0 where the game is over."""
    for i in range(len(games.courses)):
        mover = games.courses[i].mover
        actions[i] = greedy_for(i, mover, games, aids) if mover >= 0 else 0


def opponent_of(setting: Setting, opponents: Who) -> tuple[int, Any]:
    """How the others are played, and by which bot unless it is one of those in compiled code."""
    if isinstance(opponents, str) and opponents in OPPONENTS:
        return OPPONENTS[opponents], None
    bot = find_bot(setting.game, setting.seated(opponents), plain=False)
    return (OWN if isinstance(bot, RuleBot) else ASKED), bot


class Many:
    """The arrays of so many games, and the calls that work on them."""

    def __init__(self, setting: Setting, count: int, opponents: Who, seat: int | None, limit: int) -> None:
        import numpy as np

        if seat is not None and not 0 <= seat < setting.seats:
            raise ValueError(f"seat {seat} is none of 0 to {setting.seats - 1}")
        prepare_judge(setting.game)
        self.opponents = opponents
        policy, self.bot = opponent_of(setting, opponents)
        engine: Engine = setting.calls.engine
        self.setting, self.count = setting, count
        self.own_seats = np.full(count, seat) if seat is not None else np.arange(count) % setting.seats
        self.policies = np.full((count, setting.seats), policy, np.int64)
        self.policies[np.arange(count), self.own_seats] = AGENT
        self.courses = Course.box(count)
        self.courses["seat"] = self.own_seats
        self.states, self.knows, self.minds = setting.states(count), setting.knows(count), setting.knows(1)
        self.memory = file_of(setting.game).Memory
        self.memories = self.memory.box(count)
        self.desks = engine.desks(0, 1, 2)
        self.desks["listening"][0] = 1
        self.rows = np.zeros((count, setting.layout.size), NUMBER)
        self.masks = np.zeros((count, setting.game.action_count), BIT)
        self.offered = np.zeros((count, APART), np.int16)
        self.final_rows = np.zeros_like(self.rows)
        self.rewards = np.zeros(count)
        self.shares = np.zeros((count, setting.seats))
        self.outcomes = np.zeros(count, np.int8)
        # What a step is called with: arrays of its own, whatever it is given.
        self._all, self._chosen = np.ones(count, np.bool_), np.ones(count, np.bool_)
        self._actions = np.zeros(count, np.int64)
        # A step of few games takes hardly longer than gathering its arguments would.
        self._arrays = (
            Blank(setting.prepared, setting.known, self.memory.box()),
            Games(self.states, self.knows, self.memories, self.courses, self.policies),
            Shown(self.rows, self.masks, self.offered, self.final_rows),
            Gained(self.outcomes, self.rewards, self.shares),
            Aids(self.desks, self.minds, setting.states(2), engine.row(MOVES), engine.row(MOVES), limit, WORLDS),
        )
        own = policy == OWN and self.bot.rule
        self._step = twin_for(setting.game, step_many, own) if own else engine.twin(step_many)
        self._random, self._greedy = engine.twin(random_actions), engine.twin(greedy_actions)
        self._entries: dict[Any, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "bot": None, "_entries": {}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.bot = opponent_of(self.setting, self.opponents)[1]

    @property
    def seats(self) -> Any:
        """Who must decide in each game, or decided last; the array that the games themselves go by."""
        return self.courses["seat"]

    def deal(self, numbers: Any, chosen: Any) -> None:
        """Begin the chosen games with deals of these numbers."""
        self.courses["deal"][chosen] = numbers[chosen]
        self.courses["done"][chosen] = 1
        self.seats[chosen] = self.own_seats[chosen]
        with Compiling():
            self._run(self._these(chosen), self._actions, NEVER)

    def step(self, actions: Any, autoreset: int, chosen: Any = None) -> int:
        """One step of every game, or of the chosen ones; answers the gravest outcome."""
        self._actions[:] = actions
        return self._run(self._all if chosen is None else self._these(chosen), self._actions, autoreset)

    def _these(self, chosen: Any) -> Any:
        self._chosen[:] = chosen
        return self._chosen

    def _run(self, chosen: Any, actions: Any, autoreset: int) -> int:
        return int(self._enter(self._step, chosen, actions, autoreset, *self._arrays))

    def _enter(self, compiled: Any, *arguments: Any) -> Any:
        """Call a compiled rule with arguments that are always of the same types."""
        found = self._entries.get(compiled)
        if found is None:
            from ..rules.compiling import entry

            found = self._entries[compiled] = entry(compiled, *arguments)
        return found(*arguments)

    def random_actions(self) -> Any:
        """A legal action for every game."""
        self._enter(self._random, self.courses, self.offered, self.desks, self._actions)
        return self._actions.copy()

    def greedy_actions(self, actions: Any) -> None:
        """Write what greedy would do in every game into `actions`, from what the seat knows who must decide."""
        _, games, _, _, aids = self._arrays
        self._greedy(games, aids, actions)

    def view(self, i: int) -> View:
        """What the agent of game i is shown."""
        setting, seat = self.setting, int(self.seats[i])
        known = setting.game.knowledge_type.from_box(self.knows, i)
        see_hand(known, self.memory.from_box(self.memories, i), seat)
        ponder(known)
        return setting.game.view_of(known, seat, False)
