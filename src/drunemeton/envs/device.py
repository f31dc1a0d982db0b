"""Thousands to a million games stepped on a GPU, in its own memory: what `many` does, one thread a game.

Observations, masks, rewards and resets are written where a learner on the same device reads them. The arrays have the fields, layout and
meaning of the processor's; they offer `__cuda_array_interface__`, which PyTorch, CuPy and JAX take without a copy.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

from ..bots.greedy import WORLDS, prepare_judge
from ..observations.layout import BIT, NUMBER, file_of
from ..rules.cuda import Slim, column, kernel, on_device, own_room, row_of_array, simulated, toolkit
from ..rules.errors import GameError
from ..rules.game import Game, to_move
from ..rules.kernel import CUDA, MOVES, Desk, below, native_form, rule, seed
from .many import (
    AGENT,
    NEVER,
    NEXT_STEP,
    OPPONENTS,
    RUNNING,
    SAME_STEP,
    Aids,
    Blank,
    Course,
    Gained,
    Games,
    Shown,
    act,
    deal_due,
    line,
    others_play,
    show,
    unmark,
)
from .world import Setting

AUTORESET = {"disabled": NEVER, "next_step": NEXT_STEP, "same_step": SAME_STEP}
BLOCK = 64  # threads
ANY_ACTION = 0xAC7  # the third word of the generator that `random_actions` draws from

# Filled in when the kernels are made.
cuda: Any = None
own_desks: Any = None
own_minds: Any = None
own_trial: Any = None
own_row: Any = None


@native_form(line, CUDA)
def _line() -> Any:
    return line if simulated() else row_of_array()


@rule
def clear_desk(d: Desk, listening: int) -> None:
    """Memory of a thread holds anything at first."""
    d.listening = listening
    d.told = 0
    d.fault = 0
    d.source = 0
    d.tape_at = 0
    d.tape_end = 0


@rule
def nobody_else(i: int, games: Games, aids: Aids) -> int:
    """`others_play` where every seat is an agent's."""
    return to_move(games.states[i])


@rule
def unmark_offered(c: Course, width: int, mask: Any, offered: Any) -> None:
    """`unmark`, action by action: a thread that clears a whole mask writes byte by byte."""
    for n in range(c.offered):
        mask[offered[n]] = 0
    c.offered = 0


# A step is three kernels: threads that went different ways begin the next one together, and each has less code to fetch.


def act_games(chosen: Any, actions: Any, autoreset: int, due: Any, games: Games, shown: Shown, gained: Gained, limit: int) -> None:
    """The decision of the game that this thread has, and whatever opponents then do; whether it is to be dealt anew is noted in `due`."""
    i = cuda.grid(1)
    if i >= len(games.courses) or not chosen[i]:
        return
    desks, minds, trial, moves, sums = own_desks(), own_minds(), own_trial(), own_row(), own_row()
    fill(desks, minds, trial)
    for n in range(len(desks)):
        clear_desk(desks[n], int(n == 0))
    outcome = act(i, actions[i], games, shown, gained, Aids(desks, minds, trial, moves, sums, limit, WORLDS))
    if games.courses[i].done and (outcome == RUNNING or autoreset == SAME_STEP):
        due[cuda.atomic.add(due, len(games.courses), 1)] = i


def deal_games(due: Any, autoreset: int, blank: Blank, games: Games, shown: Shown, gained: Gained, limit: int) -> None:
    """The next deal of one of the games that are due, however few they are: side by side."""
    place = cuda.grid(1)
    if place >= due[len(games.courses)]:
        return
    i = due[place]
    desks, minds, trial, moves, sums = own_desks(), own_minds(), own_trial(), own_row(), own_row()
    fill(desks, minds, trial)
    for n in range(len(desks)):
        clear_desk(desks[n], int(n == 0))
    deal_due(i, autoreset, blank, games, shown, gained, Aids(desks, minds, trial, moves, sums, limit, WORLDS))


def show_games(chosen: Any, due: Any, games: Games, shown: Shown) -> None:
    """What the agent of this thread's game sees; the list of games that were due begins anew."""
    i = cuda.grid(1)
    if i == 0:
        due[len(games.courses)] = 0
    if i >= len(games.courses) or not chosen[i]:
        return
    desks = own_desks()
    fill(desks, desks, desks)
    clear_desk(desks[0], 0)
    show(i, games, shown, Aids(desks, desks, desks, desks, desks, 0, 0))


def choose_actions(courses: Any, offered: Any, actions: Any, salt: int) -> None:
    """A legal action for the game that this thread has, each as likely; 0 where the game is over."""
    i = cuda.grid(1)
    if i >= len(courses):
        return
    desks = own_desks()
    fill(desks, desks, desks)
    seed(desks[0], courses[i].deal, courses[i].step, ANY_ACTION + salt)
    actions[i] = offered[i, below(desks[0], courses[i].offered)] if courses[i].offered else 0


def take_actions(given: Any, actions: Any) -> None:
    """Actions of another width: JAX has 32 bits unless told otherwise."""
    i = cuda.grid(1)
    if i < len(actions):
        actions[i] = given[i]


def lay_deals(courses: Any, chosen: Any, numbers: Any, own_seats: Any) -> None:
    """The chosen games are to be dealt, with these numbers."""
    i = cuda.grid(1)
    if i < len(courses) and chosen[i]:
        courses[i].deal = numbers[i]
        courses[i].done = 1
        courses[i].seat = own_seats[i]


@rule
def fill(desks: Any, minds: Any, trial: Any) -> None:
    """Where the simulator has no records yet, it puts them; a GPU's memory is there."""


def _fill(setting: Setting) -> Any:
    def fill(desks: Any, minds: Any, trial: Any) -> None:
        for box, record in ((desks, Desk), (minds, setting.game.knowledge_type), (trial, setting.game.state_type)):
            for i in range(len(box)):
                box[i] = box[i] or record()

    return fill


class ToDeal(TypedDict, total=False):
    """What is dealt: for how many seats, by which options, with which components."""

    seats: int | None
    options: Mapping[str, Any] | None
    components: Mapping[str, Any] | None


def _simulated_kernels(setting: Setting, greedy: bool, alone: bool) -> tuple[Any, ...]:
    return _kernels.__wrapped__(setting.game, greedy, alone, _fill(setting))


@functools.cache
def _kernels(game: type[Game], greedy: bool, alone: bool, filling: Any = None) -> tuple[Any, ...]:
    """The kernels of a game's environments: compiled once, whatever the number of games and seats."""
    prepare_judge(game)
    records = (game.state_type, game.knowledge_type)
    names: dict[str, Any] = {
        "own_desks": own_room(Slim(Desk, {"tape_end": 0}, {"tape": 1}).type, 1 if alone else 2),
        "own_minds": own_room(Slim(game.knowledge_type).type, 1),
        "own_trial": own_room(Slim(game.state_type).type, 2, clean=greedy),
        "own_row": own_room(int, MOVES if greedy else 1),
    }
    quiet = {"own_desks": own_room(Slim(Desk, None, {"tape": 1, "events": 1}).type, 1)}
    small = {"own_desks": own_room(Slim(Desk, None, {"tape": 1, "events": 1, "moves": 1, "scratch": 1}).type, 1)}
    if filling:
        for given in (names, quiet, small):
            given["fill"] = filling
    instead: dict[Any, Any] = {unmark: unmark_offered, **({others_play: nobody_else} if alone else {})}
    return (
        kernel(act_games, records, names, instead),
        kernel(deal_games, records, names, instead),
        kernel(show_games, records, quiet),
        kernel(choose_actions, records, small),
        kernel(lay_deals, records, small),
        kernel(take_actions, records, small),
    )


def spread(count: int, block: int) -> tuple[int, int]:
    """Blocks and threads for so many games: where there are few, none has many beside it that go another way."""
    if not simulated():
        block = min(block, -(-count // toolkit().get_current_device().MULTIPROCESSOR_COUNT))
    return -(-count // block), block


class DeviceEnv:
    """So many games of one kind on a GPU.

    `opponents`: with `self` every decision of every seat is asked; `random` or `greedy` play the other seats. `seat`: where the agent sits
    then; None spreads the games over all seats. `autoreset`: `next_step`, `same_step` or `disabled`, as in Gymnasium.

    The arrays lie on the device, one row a game, and every step overwrites them:
    `observations`, `masks`, `offered` and `counts` (for whoever must decide: what he sees, what is legal as a mask and as a list, how long
    that is), `seats` (who that is), `rewards` (of the seat that decided, or of the agent),
    `shares` (every seat's, where a game has just ended), `outcomes` (0 running, 1 finished, 2 cut short, 3 an illegal action ended it), and
    with `same_step` `final_observations`.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        opponents: str = "self",
        seat: int | None = None,
        autoreset: str = "next_step",
        **dealt: Unpack[ToDeal],
    ) -> None:
        import numpy as np

        if opponents not in OPPONENTS:
            raise GameError(f"opponents {opponents!r} is none of {', '.join(OPPONENTS)}")
        if autoreset not in AUTORESET:
            raise GameError(f"autoreset {autoreset!r} is none of {', '.join(AUTORESET)}")
        if num_envs < 1:
            raise GameError(f"num_envs is {num_envs}, but a vector has at least one game")
        self._cuda = toolkit()
        setting = self.setting = Setting(game, **dealt)
        if seat is not None and not 0 <= seat < setting.seats:
            raise GameError(f"seat {seat} is none of 0 to {setting.seats - 1}")
        self.num_envs, self.layout, self._autoreset = num_envs, setting.layout, AUTORESET[autoreset]
        own = np.full(num_envs, seat) if seat is not None else np.arange(num_envs) % setting.seats
        policies = np.full((num_envs, setting.seats), OPPONENTS[opponents], np.int64)
        policies[np.arange(num_envs), own] = AGENT
        courses = Course.box(num_envs)
        courses["seat"] = own
        self._lay_out(own, policies, courses)
        self._compile(greedy=opponents == "greedy", alone=opponents == "self")
        self._salt = 0

    def _lay_out(self, own: Any, policies: Any, courses: Any) -> None:
        """Everything that lies in the device's memory."""
        import numpy as np

        setting, count = self.setting, self.num_envs
        game, memory = setting.game, file_of(setting.game).Memory
        self._types = [Slim(record) for record in (game.state_type, game.knowledge_type, memory, Course)]
        state, knowledge, remembered, course = self._types
        self._prepared, self._known = on_device(state, setting.prepared), on_device(knowledge, setting.known)
        self._blank = on_device(remembered, memory.box())
        self._states, self._knows = on_device(state, setting.prepared, count), on_device(knowledge, setting.known, count)
        self._memories, self._courses = on_device(remembered, memory.box(), count), on_device(course, courses)
        put = self._cuda.to_device
        self._own, self._policies = put(own.astype(np.int64)), put(policies)
        self._all, self._numbers = put(np.ones(count, np.bool_)), put(np.zeros(count, np.int64))
        self._none = put(np.zeros(count, np.int64))
        self._due = put(np.zeros(count + 1, np.int64))  # games to be dealt anew; the last entry counts them
        self.actions = put(np.zeros(count, np.int64))
        self.observations = put(np.zeros((count, setting.layout.size), NUMBER))
        self.masks = put(np.zeros((count, game.action_count), BIT))
        self.offered = put(np.zeros((count, MOVES), np.int16))
        same = self._autoreset == SAME_STEP
        self.final_observations = put(np.zeros((count if same else 1, setting.layout.size), NUMBER))
        self.rewards, self.shares = put(np.zeros(count)), put(np.zeros((count, setting.seats)))
        self.outcomes = put(np.zeros(count, np.int8))
        self._arrays = (
            Blank(self._prepared, self._known, self._blank),
            Games(self._states, self._knows, self._memories, self._courses, self._policies),
            Shown(self.observations, self.masks, self.offered, self.final_observations),
            Gained(self.outcomes, self.rewards, self.shares),
        )

    def _compile(self, *, greedy: bool, alone: bool) -> None:
        kernels = _simulated_kernels(self.setting, greedy, alone) if simulated() else _kernels(self.setting.game, greedy, alone)
        self._act, self._deal_due, self._show, self._choose, self._deal, self._take = kernels
        self._shape = spread(self.num_envs, BLOCK)

    @property
    def seats(self) -> Any:
        """Who must decide in each game, or decided last."""
        return column(self._types[3], self._courses, "seat")

    @property
    def counts(self) -> Any:
        """How many actions are legal in each game: so many entries of its row of `offered` count."""
        return column(self._types[3], self._courses, "offered")

    @property
    def deals(self) -> Any:
        """The number of the deal that each game is."""
        return column(self._types[3], self._courses, "deal")

    def reset(self, seed: Any = 0, chosen: Any = None, *, stream: Any = 0) -> None:
        """Deal all games, or the chosen ones: game i gets deal `seed + i`, or the i-th of an array."""
        import numpy as np

        numbers = np.arange(self.num_envs) + seed if isinstance(seed, int | np.integer) else np.asarray(seed)
        if numbers.shape != (self.num_envs,):
            raise GameError(f"{numbers.size} seeds for {self.num_envs} games")
        self._numbers.copy_to_device(np.ascontiguousarray(numbers, np.int64))
        some = self._all if chosen is None else self._taken(chosen, "bool")
        self._deal[(*self._shape, stream)](self._courses, some, self._numbers, self._own)
        self._run(some, self._none, NEVER, stream)

    def step(self, actions: Any, *, stream: Any = 0) -> None:
        """One step of every game with the actions in an array of the device, `int64` or `int32`, one a game."""
        given = self._taken(actions, "int64", "int32")
        if str(given.dtype) == "int32":
            self._take[(*self._shape, stream)](given, self.actions)
            given = self.actions
        self._run(self._all, given, self._autoreset, stream)

    def random_actions(self, *, stream: Any = 0) -> Any:
        """A legal action for every game, each as likely, in `actions`."""
        self._salt = (self._salt + 1) % (1 << 16)
        self._choose[(*self._shape, stream)](self._courses, self.offered, self.actions, self._salt << 12)
        return self.actions

    def _taken(self, given: Any, *kinds: str) -> Any:
        array = given if type(given) is type(self.actions) else self._cuda.as_cuda_array(given)
        if array.shape != (self.num_envs,) or str(array.dtype) not in kinds or array.strides != (array.dtype.itemsize,):
            needed = f"{self.num_envs} numbers of type {' or '.join(kinds)} without gaps"
            raise GameError(f"{needed} are needed, not {array.dtype} of shape {array.shape}")
        return array

    def _run(self, chosen: Any, actions: Any, autoreset: int, stream: Any) -> None:
        limit = file_of(self.setting.game).MOST_DECISIONS
        shape = (*self._shape, stream)
        blank, games, shown, gained = self._arrays
        self._act[shape](chosen, actions, autoreset, self._due, games, shown, gained, limit)
        self._deal_due[shape](self._due, autoreset, blank, games, shown, gained, limit)
        self._show[shape](chosen, self._due, games, shown)

    def torch(self) -> dict[str, Any]:
        """The arrays as PyTorch tensors over the same memory."""
        import torch

        names = ("observations", "masks", "offered", "counts", "seats", "rewards", "shares", "outcomes", "actions", "final_observations")
        return {name: torch.as_tensor(getattr(self, name), device="cuda") for name in names}

    @property
    def bytes_per_game(self) -> int:
        """How much of the device's memory a game takes, its rows included."""
        rows = (self.observations, self.masks, self.offered, self.rewards, self.shares, self._policies, self.outcomes)
        return int(sum(kind.bytes for kind in self._types) + sum(array.nbytes // self.num_envs for array in rows) + 5 * 8)
